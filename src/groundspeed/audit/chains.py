"""Chains: the steps of one system and workload over several rounds.

Only software steps are chained. The first-to-last ratio is shown beside the chain, named for what it is, with what it contains
besides.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from groundspeed.audit.findings import Finding
from groundspeed.record.calendar import round_key


class Chain(msgspec.Struct, frozen=True):
    """One submitter's system and workload over the rounds.

    Attributes:
        rounds: Rounds of the results, oldest first.
        values: Their values.
        steps: Class of each step.
        software: Product of the software steps' speed-ups; None if there is none.
        software_steps: How many there are.
        first_to_last: Newest against oldest value, whatever moved between.
    """

    submitter: str
    hardware: str
    model: str
    scenario: str
    division: str
    rounds: list[str]
    values: list[float]
    unit: str
    steps: list[str | None]
    software: float | None
    software_steps: int
    first_to_last: float


def chains(findings: Iterable[Finding]) -> list[Chain]:
    """Link findings whose newer result is the next one's older result; only series of two steps or more."""
    by_older: defaultdict[str, list[Finding]] = defaultdict(list)
    newer_ids: set[str] = set()
    ordered = sorted(findings, key=lambda f: round_key(f.older.round))
    for f in ordered:
        by_older[f.older.id].append(f)
        newer_ids.add(f.newer.id)
    found: list[Chain] = []
    for start in ordered:
        if start.older.id not in newer_ids:
            found += [_chain(series) for series in _series([start], by_older) if len(series) > 1]
    return found


def _series(begun: list[Finding], by_older: dict[str, list[Finding]]) -> Iterator[list[Finding]]:
    """Every way on from a series that was begun: a result may be followed by several."""
    following = by_older.get(begun[-1].newer.id, [])
    if not following:
        yield begun
    for step in following:
        yield from _series([*begun, step], by_older)


def _chain(series: list[Finding]) -> Chain:
    software = [f.speedup for f in series if f.step == "software"]
    first, last = series[0], series[-1]
    return Chain(
        submitter=last.submitter,
        hardware=last.hardware,
        model=last.model,
        scenario=last.scenario,
        division=last.division,
        rounds=[first.older.round, *(f.newer.round for f in series)],
        values=[first.older.value, *(f.newer.value for f in series)],
        unit=last.newer.unit,
        steps=[f.step for f in series],
        software=math.prod(software) if software else None,
        software_steps=len(software),
        first_to_last=math.prod(f.speedup for f in series),
    )
