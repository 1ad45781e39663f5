"""The frontier: on every accelerator and workload of a round, the best result by anybody, the vendor's own, and the middle.

Leading a vendor's own submission and leading its hardware are different statements (method, section 7): `standing` answers the second
one for any result. Divisions are kept apart; available systems, previews and research systems are not, and each is named for what it
is. Inferred results are no measurements and are left out.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from groundspeed.audit.findings import percent
from groundspeed.audit.selection import Filters
from groundspeed.audit.within_round import (
    Entry,
    Per,
    caveats_between,
    entry,
    figure,
    mix_key,
    ranked,
    select,
    vendor_of,
    workload_key,
)
from groundspeed.errors import SelectionError
from groundspeed.record.model import Result


class Standing(NamedTuple):
    """Where a result's hardware stands on its workload.

    Attributes:
        best: The best result by anybody.
        median_value: Median of the submitters' bests, in the metric's unit; per accelerator if that was asked for.
        median_submitter: The submitter whose best is the median or, of an even number, the next one below it in performance.
        submitters: Each submitter's best result, the best first.
    """

    best: Result
    median_value: float
    median_submitter: str
    submitters: dict[str, Result]


def _standing(members: Iterable[Result], per: Per) -> Standing:
    """The standing of a group of one hardware and workload; not empty."""
    bests: dict[str, Result] = {}
    for r in ranked(members, per):
        bests.setdefault(r.provenance.submitter, r)
    submitters = list(bests)
    median = statistics.median(figure(r, per) for r in bests.values())
    return Standing(bests[submitters[0]], median, submitters[len(submitters) // 2], bests)


def _can(r: Result, per: Per) -> bool:
    return per == "system" or (r.metric.direction == "higher" and bool(r.system.count))


def _hardware(r: Result, per: Per) -> tuple[object, ...]:
    return r.system.hardware_key if per == "system" else mix_key(r)


def standing(
    results: Iterable[Result],
    like: Result,
    *,
    round: str | None = None,  # noqa: A002  # the field's own name
    division: str | None = None,
    per: Per = "system",
) -> Standing:
    """The best, the median, and every submitter's best result on the same hardware and workload as a result.

    Measured results with the accelerators and tags of `like`, its workload with the accuracy target, and its metric definition, whatever
    their availability. A submitter counts once, with its best row, so that copies count once as well.

    Args:
        results: Results of at least the round in question; copies among them do no harm.
        like: Whose hardware and workload it is.
        round: The round; None for that of `like`.
        division: The division; None for that of `like`.
        per: "system" for the same number of accelerators and values as published; "accelerator" for any number, and throughput
            per accelerator.

    Raises:
        SelectionError: If there is no such result.
        ValueError: If a latency would be divided, or the number of accelerators of `like` is unknown.
    """
    figure(like, per)
    round_, division = round or like.provenance.round, division or like.provenance.division
    hardware, workload = _hardware(like, per), workload_key(like)
    members = [
        r
        for r in results
        if r.provenance.round == round_
        and r.provenance.division == division
        and not r.provenance.inferred
        and workload_key(r) == workload
        and _can(r, per)
        and _hardware(r, per) == hardware
    ]
    if not members:
        what = like.system.hardware if per == "system" else like.system.accelerator
        raise SelectionError(
            f"no measured result of {what}, {like.workload.name} {like.workload.scenario} in {round_} {division}"
        )
    return _standing(members, per)


class FrontierRow(msgspec.Struct, frozen=True):
    """The frontier of one kind of hardware and workload.

    Attributes:
        accelerator: Canonical accelerator, None for CPU-only systems.
        hardware: The system; its kind, without a count, where `per` is "accelerator".
        per: "system": values as published, one number of accelerators. "accelerator": throughput per accelerator, any number.
        derived: Whether the values are derived, not official MLPerf results.
        best: The best result; `best_value` is its figure.
        tied: Other submitters with the same figure.
        own: The vendor's own best; None if the vendor has none, or there is no one vendor.
        own_percent_of_best: Its performance in percent of the best one's: 100 if it is the best, also for latencies.
        median_value: Median of the submitters' bests.
        median_submitter: Who has it, or is next below it.
        submitters: How many there are.
        values: Each one's best figure, the best first.
        caveats: Between the best and the vendor's own result; codes of the method.
    """

    round: str
    division: str
    accelerator: str | None
    hardware: str
    model: str
    scenario: str
    per: Per
    derived: bool
    unit: str
    statistic: str
    definition: str
    best: Entry
    best_value: float
    tied: list[str]
    own: Entry | None
    own_value: float | None
    own_percent_of_best: float | None
    median_value: float
    median_submitter: str
    submitters: int
    values: dict[str, float]
    caveats: list[str]


class Frontier(NamedTuple):
    """The frontier of a round; `results` were looked at, `inferred` left out as no measurements."""

    round: str
    rows: list[FrontierRow]
    results: int
    inferred: int


def _row(members: Sequence[Result], per: Per) -> FrontierRow:
    found = _standing(members, per)
    best = found.best
    own = found.submitters.get(vendor_of(best.system) or "")
    values = {name: figure(r, per) for name, r in found.submitters.items()}
    system = best.system
    kind = f"{system.accelerator} ({', '.join(system.tags)})" if system.tags else system.accelerator
    share = None
    if own is not None:
        ratio = values[own.provenance.submitter] / figure(best, per)
        share = ratio if best.metric.direction == "higher" else 1 / ratio
    return FrontierRow(
        round=best.provenance.round,
        division=best.provenance.division,
        accelerator=system.accelerator,
        hardware=system.hardware if per == "system" else str(kind),
        model=best.workload.name,
        scenario=best.workload.scenario,
        per=per,
        derived=per == "accelerator",
        unit=best.metric.unit,
        statistic=best.metric.statistic,
        definition=best.metric.definition,
        best=entry(best),
        best_value=figure(best, per),
        tied=[name for name, value in values.items() if value == figure(best, per)][1:],
        own=entry(own) if own else None,
        own_value=figure(own, per) if own else None,
        own_percent_of_best=percent(share),
        median_value=found.median_value,
        median_submitter=found.median_submitter,
        submitters=len(values),
        values=values,
        caveats=caveats_between(best, own) if own and own is not best else [],
    )


def run_frontier(
    results: Iterable[Result],
    round: str | None = None,  # noqa: A002  # the field's own name
    filters: Filters = Filters(),  # noqa: B008  # an immutable tuple
    per: Sequence[Per] = ("system", "accelerator"),
) -> Frontier:
    """The frontier of a round: a row for each hardware and workload in which a chosen result takes part.

    The filters choose rows, and a row is always the frontier of everybody: with a submitter, the rows in which it has a result. A row all of
    whose results are copies of results in another row is left out.

    Args:
        results: Results of at least the round.
        round: The round; None for the newest.
        filters: Which results must take part; the closed division unless they name another.
        per: "system", "accelerator" (throughputs only), or both.

    Raises:
        SelectionError: If the round or a filter matches nothing.
    """
    selected = select(results, round, filters)
    chosen = {r.id for r in selected.chosen}
    rows = []
    for kind in per:
        groups: defaultdict[tuple[object, ...], list[Result]] = defaultdict(list)
        for r in selected.pool:
            if _can(r, kind):
                groups[(r.provenance.division, _hardware(r, kind), workload_key(r))].append(r)
        for members in groups.values():
            taking_part = [r for r in members if r.id in chosen]
            repeats = all(r.id in selected.copies for r in members) and all(selected.copies[r.id] in chosen for r in taking_part)
            if taking_part and not repeats:
                rows.append(_row(members, kind))
    return Frontier(selected.round, sorted(rows, key=_order), len(selected.chosen), selected.inferred)


def _order(row: FrontierRow) -> tuple[object, ...]:
    """Accelerators by name, CPU-only systems last; the system's figures before those per accelerator; small systems first."""
    kind, count = row.hardware, 0
    if row.per == "system":
        kind, count = kind.partition("x ")[2], row.best.accelerators or 0
    return (
        row.accelerator is None, row.accelerator or "", row.per == "accelerator", kind, count, row.hardware,
        row.model, row.scenario, row.definition, row.division,
    )  # fmt: skip
