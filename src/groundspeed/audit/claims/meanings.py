"""Meanings: which `meant` fits which question, and what may stand in `claimed` for it."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, get_args

from groundspeed.audit.claims import language as q
from groundspeed.audit.claims import printed
from groundspeed.audit.claims.language import Meant, Part, Question, Selection
from groundspeed.record.names import loose


class CannotRead(Exception):  # noqa: N818  # collected with a ledger's other mistakes
    """A printed value that its meaning does not fit."""


# The meanings whose `claimed` are words; all others are numbers or dates, of which several may stand in one text.
_WORDS: Collection[Meant] = ("order", "tie", "name")

# "70 percent" of a ratio may be a gain or a share: it has to be said which.
_GAINS: tuple[Meant, ...] = ("percent gain", "percent of", "times")

_FITTING: dict[str, tuple[Meant, ...]] = {
    "ratio": _GAINS,
    "change": _GAINS,
    "order": ("order",),
    "tie": ("tie",),
    "scale-out": ("percent of", "percent", "times"),
    "capacity": ("percent",),
    "count": ("value",),
    "rank": ("value",),
    "only": ("name",),
    "release-date": ("date",),
    "release-count": ("value",),
}


def fitting(question: Question) -> tuple[Meant, ...]:
    """What a question's answer may be claimed as. An unanswerable claim may have been meant in any way."""
    match question:
        case q.Spread():
            return ("value",) if question.statistic == "partners" else ("percent",)
        case q.Value():
            return ("value", "percent") if question.quantity == "accuracy" else ("value",)
        case q.Cadence():
            return (question.unit,)
        case q.Unanswerable():
            return get_args(Meant)
        case _:
            return _FITTING[question.kind]


def check_meant(part: Part) -> None:
    """Make sure that a claim is meant as its question is answered.

    Raises:
        CannotRead: If not; says what would fit.
    """
    fits = fitting(part.question)
    if part.meant not in fits:
        listed = " or ".join([", ".join(fits[:-1]), fits[-1]] if len(fits) > 1 else fits)
        raise CannotRead(f'found "{part.meant}"; a question of kind {part.question.kind} takes {listed}')


def printed_values(part: Part) -> list[str]:
    """The printed values of a claim: "111 / 118" has two. Words are one, whatever stands in them."""
    if part.meant in _WORDS:
        return [part.claimed] if part.claimed.strip() else []
    return printed.parts(part.claimed)


def _one_answer(question: Question) -> bool:
    """Whether a question has one answer whatever the record holds."""
    if not getattr(question, "over", None):
        return True
    return question.kind not in {"tie", "capacity"} and getattr(question, "take", "each") != "each"


def too_many(values: int, answers: int) -> str:
    """That a claim prints another number of values than its question has answers, in words."""
    what = "1 answer" if answers == 1 else f"{answers} answers"
    return f"{values} printed values for {what}; expected one value, or one for each answer"


def check_claimed(part: Part) -> None:
    """Make sure that the printed values of a claim can be read as they were meant.

    Raises:
        CannotRead: If not.
    """
    values = printed_values(part)
    if not values:
        raise CannotRead("found nothing; expected the value as printed")
    if len(values) > 1 and part.question.kind != "unanswerable" and _one_answer(part.question):
        raise CannotRead(too_many(len(values), 1))
    for text in values:
        if part.meant == "date":
            _check_date(text)
        elif part.meant not in _WORDS:
            _check_number(text)
    if isinstance(part.question, q.Order):
        _check_order(part.claimed, part.question)
    elif isinstance(part.question, q.Tie) and tie_words(part.claimed) is None:
        raise CannotRead(f'found "{part.claimed}"; expected tie or no tie')


def _check_date(text: str) -> None:
    if printed.days(text) is None:
        raise CannotRead(f'"{text}" is no date; expected such as "2026-07-16", "October 2026" or "early October 2026"')


def _check_number(text: str) -> None:
    if printed.number(text) is None:
        raise CannotRead(f'"{text}" is no number; expected such as "38", "1.6", "87-88", "5.75 million" or "over 1 million"')
    ends = printed.ends(text)
    if ends is not None and ends[0] >= ends[1]:
        raise CannotRead(f'"{text}" is a range that does not rise; expected the smaller number first')


_BEATS = re.compile(
    r"^\s*(?P<one>.+?)\s+(?:beats?|outperform(?:s|ed)?|leads?|led|exceed(?:s|ed)?|(?:(?:is|are|was|were)\s+)?(?:faster\s+than|ahead\s+of))"
    r"\s+(?P<other>.+?)\s*$",
    re.IGNORECASE,
)


def _check_order(text: str, question: q.Order) -> None:
    """An order says that the subject is faster. Words that say it of others, or the other way round, would be confirmed unread."""
    if text.strip().casefold() in {"faster", "is faster"}:
        return
    match = _BEATS.match(text)
    if not match or not (_is_of(match["one"], question.subject) and _is_of(match["other"], question.baseline)):
        raise CannotRead(f'found "{text}"; expected "faster", or "A beats B" with A of the subject and B of the baseline')


def _is_of(words: str, selection: Selection) -> bool:
    """Whether words name something of a selection: "72" is of 72x MI355X, "AMD's" of AMD."""
    wanted = loose(words)
    named = [selection.hardware, selection.submitter, selection.model, selection.scenario, selection.round, selection.tag]
    values = [loose(v) for value in named if value is not None for v in ([value] if isinstance(value, str) else value)]
    return bool(wanted) and any(wanted in value or value in wanted for value in values if value)


_TIES = {"tie", "a tie", "ties", "tied", "equal", "on par", "parity"}


def tie_words(text: str) -> Literal["tie", "no tie"] | None:
    """What words say about a tie; None if neither."""
    said = " ".join(text.casefold().split())
    if said in _TIES:
        return "tie"
    denied = said.removeprefix("no ").removeprefix("not ")
    return "no tie" if denied != said and denied in _TIES else None
