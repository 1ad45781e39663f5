"""Answers and the evidence they carry, and what the record held on a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

import msgspec

from groundspeed.audit import cadence
from groundspeed.audit.selection import Filters, matches
from groundspeed.audit.watch.language import Watch
from groundspeed.errors import SelectionError
from groundspeed.record import calendar, names
from groundspeed.record.calendar import Release, is_round, round_key
from groundspeed.record.model import Result

Verdict = Literal["yes", "no", "not yet", "no evidence in the record"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

# More rows than a person reads; the note says how many there are.
MOST_ROWS = 40


def known_verdicts(texts: Iterable[str]) -> frozenset[Verdict]:
    """The answers that are meant; "no evidence" is short for the last one.

    Raises:
        SelectionError: If something named is no answer.
    """
    by_loose = {names.loose(v): v for v in VERDICTS} | {names.loose("no evidence"): VERDICTS[-1]}
    for text in (texts := list(texts)):
        if names.loose(text) not in by_loose:
            raise SelectionError(f'"{text}" is no answer of a watch; there are {", ".join(VERDICTS)}')
    return frozenset(by_loose[names.loose(text)] for text in texts)


class Row(msgspec.Struct, frozen=True):
    """A result as evidence. `says` is what it contributes, in words; "" where its being there is all."""

    round: str
    submitter: str
    hardware: str
    model: str
    scenario: str
    division: str
    value: float
    unit: str
    source: str
    path: str
    says: str


class Sign(msgspec.Struct, frozen=True):
    """A release as evidence.

    Attributes:
        role: "release", the one asked about; "sign", a companion's; "calendar-end", the last one a calendar holds.
        date: As it is known, "2026-10-05".
        other_dates: Dates that other sources give.
        slippage_days: Its date less the due date; None where only its month is known, and for the end of a calendar.
    """

    role: Literal["release", "sign", "calendar-end"]
    project: str
    version: str
    date: str
    other_dates: list[str]
    slippage_days: int | None
    source: str


class Answer(msgspec.Struct, frozen=True):
    """The answer to a watch as of a day.

    Attributes:
        answer: Exactly one of yes, no, not yet, no evidence in the record.
        sentence: Why, in one sentence.
        rows: Results it rests on.
        releases: Releases it rests on.
        notes: What qualifies it.
    """

    id: str
    kind: str
    question: str
    as_of: dt.date
    answer: Verdict
    sentence: str
    rows: list[Row]
    releases: list[Sign]
    notes: list[str]


def made(
    watch: Watch,
    as_of: dt.date,
    answer: Verdict,
    sentence: str,
    rows: Sequence[Row] = (),
    releases: Sequence[Sign] = (),
    notes: Sequence[str] = (),
) -> Answer:
    """An answer to a watch."""
    notes = list(notes)
    if len(rows) > MOST_ROWS:
        notes.append(f"{len(rows):,} results; the first {MOST_ROWS} are shown")
    return Answer(watch.id, watch.kind, watch.question, as_of, answer, sentence, list(rows[:MOST_ROWS]), list(releases), notes)


def row(r: Result, says: str = "") -> Row:
    """A result as evidence."""
    return Row(
        round=r.provenance.round,
        submitter=r.provenance.submitter,
        hardware=r.system.hardware,
        model=r.workload.name,
        scenario=r.workload.scenario,
        division=r.provenance.division,
        value=r.value,
        unit=r.metric.unit,
        source=r.provenance.source,
        path=r.provenance.path,
        says=says,
    )


def sign(role: Literal["release", "sign", "calendar-end"], release: Release, due: dt.date | None = None) -> Sign:
    """A release as evidence, against a due date."""
    return Sign(
        role=role,
        project=release.project,
        version=release.text,
        date=cadence.date_text(release),
        other_dates=list(release.disputed),
        slippage_days=cadence.slippages(release, due)[0] if due else None,
        source=release.source,
    )


def published(round_: str, as_of: dt.date) -> bool:
    """Whether a round was out on a day; one without a known date counts as out, for the record holds it."""
    known = calendar.rounds().get(round_)
    return known is None or known.date is None or known.date <= as_of


def held_on(results: Iterable[Result], as_of: dt.date) -> list[Result]:
    """The results that were published on a day."""
    out: dict[str, bool] = {}
    kept = []
    for r in results:
        round_ = r.provenance.round
        if out.setdefault(round_, published(round_, as_of)):
            kept.append(r)
    return kept


def rounds_of(results: Iterable[Result]) -> list[str]:
    """The rounds of some results, in order; results outside of rounds have none."""
    return sorted({name for r in results if is_round(name := r.provenance.round)}, key=round_key)


def chosen(results: Iterable[Result], filters: Filters) -> list[Result]:
    """The measured results that pass filters. The names of hardware are the dearest to compare, so they come last."""
    cheap = [r for r in results if not r.provenance.inferred and matches(r, filters._replace(hardware=()))]
    return [r for r in cheap if matches(r, Filters(hardware=filters.hardware))] if filters.hardware else cheap


def round_asked(wanted: str | None, held: Sequence[str], as_of: dt.date) -> tuple[str, Verdict | None, str]:
    """The round a watch asks about, the newest one if it names none; and the answer, if the round is not there to ask.

    Returns:
        The round, and where it is not held the answer and its reason in words.
    """
    if wanted is None:
        return (
            (held[-1], None, "") if held else ("", "no evidence in the record", f"the record holds no round published by {as_of}")
        )
    if wanted in held:
        return wanted, None, ""
    known = calendar.rounds().get(wanted)
    if known is not None and known.date is not None and known.date > as_of:
        return wanted, "not yet", f"{wanted} is published on {known.date}, after {as_of}"
    if known is None and held and round_key(wanted) > round_key(held[-1]):
        return wanted, "not yet", f"{wanted} is not in the calendar of rounds yet, and the newest round held is {held[-1]}"
    return wanted, "no evidence in the record", f"the record does not hold {wanted}"


def listed(texts: Iterable[str]) -> str:
    """Each text once, in a sentence."""
    return ", ".join(dict.fromkeys(texts))
