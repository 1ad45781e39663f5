"""Scale-out efficiency: what is left of an accelerator's throughput when many of them work together.

efficiency = (R_N / N) / (R_1 / n_1), N and n_1 the accelerators that took part in the large and in the small system of the same submitter,
round, division and availability, with the same kind of accelerators and tags, on the same workload and metric definition. The base is the
submitter's smallest size with that workload. Throughputs only: a latency is never divided by a number of accelerators.

A stack or a precision that differs between the two sizes is inside the number: it is a caveat, and no correction is made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from groundspeed.audit.selection import Filters
from groundspeed.audit.within_round import Entry, caveats_between, entry, figure, mix_key, ranked, select, workload_key
from groundspeed.errors import SelectionError
from groundspeed.record import stacks
from groundspeed.record.model import Result


class ScaleOut(msgspec.Struct, frozen=True):
    """A large system against the smallest one of its submitter. Derived, not an official MLPerf result.

    Attributes:
        accelerator: Canonical accelerator.
        base: The smallest size, its best row.
        large: The larger size, its best row.
        base_per_accelerator: Throughput per accelerator of the base, in `unit`.
        large_per_accelerator: The same of the larger size.
        efficiency_percent: large_per_accelerator / base_per_accelerator * 100.
        caveats: Between the two; codes of the method.
        notes: Which declared versions differ, and counts that the table gives otherwise.
    """

    submitter: str
    round: str
    division: str
    availability: str
    accelerator: str
    model: str
    scenario: str
    unit: str
    definition: str
    base: Entry
    large: Entry
    base_per_accelerator: float
    large_per_accelerator: float
    efficiency_percent: float
    caveats: list[str]
    notes: list[str]


class Scalings(NamedTuple):
    """What was found: sizes against the base, copies under a looser accuracy target set aside, inferred results left out."""

    round: str
    rows: list[ScaleOut]
    copies: int
    inferred: int


def efficiency(large: Result, base: Result) -> float:
    """Throughput per accelerator of one size against another's, as a fraction.

    Raises:
        ValueError: If the two are of different workloads or metrics, are latencies, or a number of accelerators is unknown.
    """
    if workload_key(large) != workload_key(base):
        raise ValueError(f"{large.id} and {base.id} are not of the same workload and metric")
    return figure(large, "accelerator") / figure(base, "accelerator")


def version_notes(base: Result, large: Result) -> list[str]:
    """Which declared versions differ between the two sizes; nothing where none is known to."""
    changed = [
        f"{name} {'/'.join(base.stack.versions(name))} and {'/'.join(large.stack.versions(name))}"
        for name in stacks.changed_components(base.stack, large.stack)
    ]
    sides = [(r, {c.name for c in r.stack.components if c.version}) for r in (base, large)]
    alone = [
        f"{name} {'/'.join(r.stack.versions(name))} on {r.system.hardware} only"
        for (r, mine), (_, other) in (sides, sides[::-1])
        for name in sorted(mine - other)
    ]
    said = "; ".join([*changed, *alone])
    return [f"declared versions differ: {said}"] if said else []


def _key(r: Result) -> tuple[object, ...]:
    p = r.provenance
    return p.submitter, p.division, p.availability, mix_key(r), workload_key(r)


def _scale_out(base: Result, large: Result) -> ScaleOut:
    counts = [n.detail for r in (base, large) for n in r.notes if n.code.startswith("count")]
    return ScaleOut(
        submitter=large.provenance.submitter,
        round=large.provenance.round,
        division=large.provenance.division,
        availability=large.provenance.availability,
        accelerator=str(large.system.accelerator),
        model=large.workload.name,
        scenario=large.workload.scenario,
        unit=large.metric.unit,
        definition=large.metric.definition,
        base=entry(base),
        large=entry(large),
        base_per_accelerator=figure(base, "accelerator"),
        large_per_accelerator=figure(large, "accelerator"),
        efficiency_percent=round(efficiency(large, base) * 100, 6),
        caveats=caveats_between(base, large, also={"different-platform"}),
        notes=[*version_notes(base, large), *dict.fromkeys(counts)],
    )


def _sizes(members: Sequence[Result]) -> list[Result]:
    """The best row of each size, the smallest first."""
    by_count: dict[int, Result] = {}
    for r in ranked(members):
        by_count.setdefault(r.system.count or 0, r)
    return [by_count[count] for count in sorted(by_count)]


def run_scaling(
    results: Iterable[Result],
    round: str | None = None,  # noqa: A002  # the field's own name
    filters: Filters = Filters(),  # noqa: B008  # an immutable tuple
) -> Scalings:
    """Scale-out efficiency of every submitter with several sizes of one kind of system.

    Args:
        results: Results of at least the round.
        round: The round; None for the newest.
        filters: Which of the larger systems to look at ("72x MI355X"; the base is found by itself); the closed division unless they
            name another.

    Raises:
        SelectionError: If the round or a filter matches nothing, or no submitter has two sizes.
    """
    selected = select(results, round, filters)
    chosen = {r.id for r in selected.chosen}
    groups: defaultdict[tuple[object, ...], list[Result]] = defaultdict(list)
    for r in selected.pool:
        if r.metric.direction == "higher" and r.system.count:
            groups[_key(r)].append(r)
    found: list[tuple[Result, Result]] = []
    for members in groups.values():
        base, *larger = _sizes(members)
        found += [(base, r) for r in larger if r.id in chosen]
    compared = {large.id for _, large in found}
    kept = [(base, large) for base, large in found if selected.copies.get(large.id) not in compared]
    if not kept:
        raise SelectionError(
            f"{len(chosen)} results match in {selected.round}, but none is a throughput whose submitter has the same workload on fewer of "
            "the same accelerators"
        )
    rows = [_scale_out(base, large) for base, large in kept]
    rows.sort(key=_order)
    return Scalings(selected.round, rows, len(found) - len(kept), selected.inferred)


def _order(row: ScaleOut) -> tuple[object, ...]:
    return (
        row.accelerator, row.submitter.casefold(), row.large.accelerators, row.large.hardware, row.model, row.scenario, row.definition,
        row.division, row.availability,
    )  # fmt: skip
