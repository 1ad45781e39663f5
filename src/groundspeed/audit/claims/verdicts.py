"""Verdicts: an answer of the record held against the value as printed.

`confirmed`: the computed value, rounded as the claim is printed, is the printed one. `overstated` and `understated`: same direction, another
magnitude. `contradicted`: wrong direction, order, count or date. The verdicts are those of the method.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Literal, NamedTuple

from groundspeed.audit.claims import printed
from groundspeed.audit.claims.answers import Answer
from groundspeed.audit.claims.language import Bound, Meant, Part
from groundspeed.audit.claims.meanings import tie_words
from groundspeed.errors import SelectionError
from groundspeed.record import names

Verdict = Literal[
    "confirmed", "confirmed-with-caveats", "understated", "overstated", "contradicted", "not-comparable", "unverifiable"
]  # fmt: skip

# From the best to the weakest: the verdict of a claim is its weakest part's.
VERDICTS: tuple[Verdict, ...] = (
    "confirmed", "confirmed-with-caveats", "understated", "overstated", "contradicted", "not-comparable", "unverifiable",
)  # fmt: skip


class Judged(NamedTuple):
    """A verdict and the computed value in the claim's own terms."""

    verdict: Verdict
    computed: float | str | None
    unit: str
    note: str = ""


_UNITS: dict[Meant, str] = {
    "percent gain": "percent gain", "percent of": "percent of", "percent": "percent", "times": "times", "days": "days", "weeks": "weeks",
}  # fmt: skip
_NEUTRAL: dict[Meant, float] = {"percent gain": 0.0, "percent of": 100.0, "times": 1.0}


def in_claims_terms(value: float, answer_unit: str, meant: Meant) -> float:
    """A computed value in the terms of the claim: a ratio in times becomes a gain or a share in percent."""
    if answer_unit != "times":
        return value
    if meant == "percent gain":
        return 100 * (value - 1)
    return 100 * value if meant in {"percent of", "percent"} else value


def _number(answer: Answer, text: str, meant: Meant, bound: Bound) -> Judged:
    interval = printed.number(text)
    assert interval is not None
    assert isinstance(answer.value, float)
    computed = in_claims_terms(answer.value, answer.unit, meant)
    unit = _UNITS.get(meant, answer.unit)
    neutral = _NEUTRAL.get(meant)
    if bound == "within":
        return Judged(
            "confirmed" if abs(computed) <= interval.high or interval.holds(abs(computed)) else "overstated", computed, unit
        )
    if bound == "at least" or interval.high == float("inf"):
        reached = computed >= interval.low
        return Judged("confirmed" if reached else _beside(computed, interval, neutral), computed, unit)
    if interval.holds(computed):
        return Judged("confirmed", computed, unit)
    if meant == "value" and answer.unit in _COUNTS:
        return Judged("contradicted", computed, unit)
    return Judged(_beside(computed, interval, neutral), computed, unit)


# A wrong count is wrong, not overstated.
_COUNTS = {
    "results",
    "systems",
    "submitters",
    "models",
    "accelerators",
    "partners",
    "rank",
    "feature releases",
    "releases a year",
}


def _beside(computed: float, interval: printed.Interval, neutral: float | None) -> Verdict:
    """The verdict where the computed value is not the printed one."""
    if neutral is not None and (interval.centre - neutral) * (computed - neutral) < 0:
        return "contradicted"
    if neutral == 0.0 and interval.centre < 0:
        return "overstated" if interval.centre < computed else "understated"
    return "overstated" if interval.centre > computed else "understated"


def _order(answer: Answer) -> Judged:
    assert isinstance(answer.value, float)
    return Judged("confirmed" if answer.value > 1 else "contradicted", answer.value, "times")


def _date(answer: Answer, text: str) -> Judged:
    window = printed.days(text)
    assert window is not None
    assert isinstance(answer.value, tuple)
    days: tuple[dt.date, ...] = answer.value
    shown = " or ".join(d.isoformat() for d in days)
    return Judged("confirmed" if any(window.holds(d) for d in days) else "contradicted", shown, "date")


def judge(part: Part, answer: Answer, text: str) -> Judged:
    """Hold an answer against a printed value.

    Args:
        part: The part of the claim.
        answer: What the record says.
        text: The value as printed, of this answer ("111" of "111 / 118").
    """
    if answer.not_comparable:
        return Judged("not-comparable", None, answer.unit, answer.not_comparable)
    if answer.value is None:
        return Judged("unverifiable", None, answer.unit)
    if part.meant == "date":
        judged = _date(answer, text)
    elif part.meant == "order":
        judged = _order(answer)
    elif part.meant == "tie":
        judged = Judged("confirmed" if answer.value == tie_words(text) else "contradicted", str(answer.value), answer.unit)
    elif part.meant == "name":
        meant = {names.loose(text), names.loose(names.submitter(text).name)}
        same = names.loose(str(answer.value)) in meant
        judged = Judged("confirmed" if same else "contradicted", str(answer.value), answer.unit)
    else:
        judged = _number(answer, text, part.meant, part.bound)
    if judged.verdict == "confirmed" and answer.caveats:
        judged = judged._replace(verdict="confirmed-with-caveats")
    return judged


def weakest(verdicts: list[Verdict]) -> Verdict:
    """The verdict of a claim of several parts."""
    return max(verdicts, key=VERDICTS.index)


def known_verdicts(written: Iterable[str]) -> frozenset[str]:
    """Verdicts named by a person.

    Raises:
        SelectionError: If one is none.
    """
    found = set()
    for word in written:
        if word not in VERDICTS:
            near = names.nearest(word, VERDICTS)
            hint = f"did you mean {' or '.join(near)}? " if near else ""
            raise SelectionError(f'"{word}" is no verdict; {hint}Verdicts: {", ".join(VERDICTS)}')
        found.add(word)
    return frozenset(found)
