"""Gains by age: how much a workload still gains, by rounds since it first appeared on an accelerator.

Age 1 is the first time a workload is measured again. Early ages are the frontier, late ones the mature workloads.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from groundspeed.audit.findings import Finding
from groundspeed.record import names
from groundspeed.record.calendar import round_key, rounds, rounds_between
from groundspeed.record.model import Result

FirstSeen = dict[tuple[str, str, str], str]


class AgeGroup(msgspec.Struct, frozen=True):
    """The gains of all pairs of one age.

    Attributes:
        age: Rounds of the calendar between the workload's first appearance on the accelerator and the newer result.
        at_least: The first appearance is in the record's first round, or in one that follows a missing round: older ones may exist.
        pairs: Pairs of that age.
        signals: How many of them are signals.
        median_percent: Median change. Quartiles beside it; None below four pairs.
        lower_quartile_percent: 25 %.
        upper_quartile_percent: 75 %.
        spans_missing_round: Pairs whose two rounds have a missing round between them.
        workloads: Workloads and accelerators, "gpt-oss-120b Server on MI355X".
    """

    age: int
    at_least: bool
    pairs: int
    signals: int
    median_percent: float
    lower_quartile_percent: float | None
    upper_quartile_percent: float | None
    spans_missing_round: int
    workloads: list[str]


def _key(accelerator: str, model: str, scenario: str) -> tuple[str, str, str]:
    return accelerator, model, scenario


def first_appearances(results: Iterable[Result]) -> FirstSeen:
    """The first round in which anybody published a workload on an accelerator."""
    first: FirstSeen = {}
    for r in results:
        key = _key(r.system.accelerator or r.system.processor, r.workload.model, r.workload.scenario)
        if key not in first or round_key(r.provenance.round) < round_key(first[key]):
            first[key] = r.provenance.round
    return first


def _model(finding: Finding) -> str:
    return names.model(finding.model).name


def _accelerator(finding: Finding) -> str:
    return finding.accelerator or finding.hardware.partition("x ")[2].partition(" (")[0]


def age_of(finding: Finding, first: FirstSeen) -> int:
    """Rounds of the calendar since a finding's workload first appeared on its accelerator."""
    start = first.get(_key(_accelerator(finding), _model(finding), finding.scenario), finding.older.round)
    return len(rounds_between(start, finding.newer.round)) + 1


def _may_be_older(start: str, held: Sequence[str]) -> bool:
    """Whether a first appearance may hide an earlier one: nothing before it is held, or the round just before it is not."""
    known = list(rounds())
    if start not in known or start == held[0]:
        return True
    before = known[known.index(start) - 1]
    return before not in held


def by_age(findings: Sequence[Finding], first: FirstSeen, held: Sequence[str]) -> list[AgeGroup]:
    """Group findings by age.

    Args:
        findings: Pairs of consecutive rounds.
        first: First appearances in the whole record.
        held: The record's rounds, in order.
    """
    groups: defaultdict[tuple[int, bool], list[Finding]] = defaultdict(list)
    for f in findings:
        start = first.get(_key(_accelerator(f), _model(f), f.scenario), f.older.round)
        groups[(age_of(f, first), _may_be_older(start, held))].append(f)
    found = []
    for (age, at_least), members in sorted(groups.items()):
        changes = [f.change_percent for f in members]
        quartiles = statistics.quantiles(changes, n=4, method="inclusive") if len(changes) >= 4 else None
        found.append(
            AgeGroup(
                age=age,
                at_least=at_least,
                pairs=len(members),
                signals=sum(f.verdict == "signal" for f in members),
                median_percent=round(statistics.median(changes), 6),
                lower_quartile_percent=round(quartiles[0], 6) if quartiles else None,
                upper_quartile_percent=round(quartiles[2], 6) if quartiles else None,
                spans_missing_round=sum("spans-missing-round" in f.caveats for f in members),
                workloads=sorted({f"{f.model} {f.scenario} on {_accelerator(f)}" for f in members}),
            )
        )
    return found
