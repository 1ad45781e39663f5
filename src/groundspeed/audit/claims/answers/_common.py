"""Common to all answers: what an answer and its evidence are, how results are named, and which pairs a question asks of."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import NamedTuple

from groundspeed.audit.claims import language as q
from groundspeed.audit.claims.comparison import Comparators
from groundspeed.audit.claims.selections import Index
from groundspeed.audit.frontier import Standing, standing
from groundspeed.audit.noise import Noise
from groundspeed.record.model import Result


class Answer(NamedTuple):
    """What the record says.

    Attributes:
        label: What distinguishes it from the other answers of the question ("Offline").
        value: A ratio in times, a count, a value, a name, or dates; None where the record holds no evidence.
        unit: Of `value`.
        basis: What was compared, in words.
        rows: The exact rows used.
        caveats: Codes of the method.
        arithmetic: The computation, in figures.
        comparators: The answer against others on the comparator's hardware.
        note: What a reader should learn besides.
        not_comparable: Why the record's rows cannot be compared, "" if they can.
    """

    label: str
    value: float | str | tuple[dt.date, ...] | None
    unit: str
    basis: str
    rows: tuple[Result, ...] = ()
    caveats: tuple[str, ...] = ()
    arithmetic: str = ""
    comparators: Comparators | None = None
    note: str = ""
    not_comparable: str = ""


class Evidence:
    """A record ready to be asked: its index and its noise."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._noise: Noise | None = None
        self._standings: dict[str, Standing] = {}

    def standing(self, baseline: Result) -> Standing:
        """Where a comparator stands on its hardware in its round and division."""
        if baseline.id not in self._standings:
            self._standings[baseline.id] = standing(self.index.in_round(baseline.provenance.round), baseline)
        return self._standings[baseline.id]

    @property
    def noise(self) -> Noise:
        """Reproduction noise of all rounds, computed when first needed."""
        if self._noise is None:
            self._noise = Noise(self.index.results)
        return self._noise


def named(r: Result) -> str:
    p = r.provenance
    text = f"{p.submitter} {r.system.hardware} {r.workload.name} {r.workload.scenario} {p.round}"
    return text if p.division == "closed" else f"{text} ({p.division})"


def figure(r: Result) -> str:
    return f"{r.value:,.7g} {r.metric.unit}"


def pairs(
    index: Index, first: q.Selection, second: q.Selection, over: list[q.Dimension]
) -> Iterator[tuple[str, Result | None, Result | None]]:
    """The two sides of a question, once for each value of the dimensions it runs over."""
    if not over:
        yield "", index.one(first), index.one(second)
        return
    values = []
    for selection in (first, second):
        rows = index.rows(selection)
        values.append(dict.fromkeys(tuple(_dimension(r, d) for d in over) for r in rows))
    keys = [key for key in values[0] if key in values[1]] or list(values[0]) or list(values[1]) or [()]
    for key in keys:
        narrowed = [s.model_copy(update=dict(zip(over, key, strict=False))) for s in (first, second)]
        yield " ".join(reversed(key)), index.one(narrowed[0]), index.one(narrowed[1])


def _dimension(r: Result, dimension: q.Dimension) -> str:
    return r.workload.scenario if dimension == "scenario" else r.workload.name


def missing(label: str, sides: tuple[Result | None, Result | None], selections: tuple[q.Selection, q.Selection]) -> Answer:
    said = " and ".join(
        ", ".join(f"{k} {v}" for k, v in s.model_dump(exclude_none=True, exclude_defaults=True).items())
        for r, s in zip(sides, selections, strict=True)
        if r is None
    )
    return Answer(label, None, "", "", note=f"the record holds no result of {said}")
