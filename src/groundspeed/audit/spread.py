"""Spread: how far partners are from a reference submitter on the same hardware and workload.

deviation = performance of the partner / performance of the reference - 1, so that a lower latency is a positive deviation. The same
hardware: accelerators, count and tags. The same workload: model, accuracy target, scenario and metric definition. The same round,
division and availability. The reference is the reference submitter's best row.

Every published row of a partner counts: a partner that submits two systems has two rows, for both are its answers to the same question. Only a
copy under a looser accuracy target is set aside, where the result it copies is compared itself. A partner is a submitter as the round names it:
a joint label ("Dell_MangoBoost") is a partner of its own.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from groundspeed.audit.copies import without_copies
from groundspeed.audit.pairs import Pair
from groundspeed.audit.selection import Filters, check, matches
from groundspeed.audit.within_round import Entry, Selected, caveats_between, entry, ranked, select, vendor_of, workload_key
from groundspeed.errors import SelectionError
from groundspeed.record.model import Result


class Deviation(msgspec.Struct, frozen=True):
    """A partner's row against the reference. Derived, not an official MLPerf result.

    Attributes:
        partner: The row.
        deviation_percent: (performance of the partner / of the reference - 1) * 100; positive is faster, for latencies as well.
        caveats: Between the two rows; codes of the method. Rows with caveats are not left out of the means.
    """

    partner: Entry
    deviation_percent: float
    caveats: list[str]


class Summary(msgspec.Struct, frozen=True):
    """Deviations in a few numbers, all in percent. `rows` counts rows, `partners` submitters."""

    rows: int
    partners: int
    mean_percent: float
    mean_absolute_percent: float
    best_percent: float
    worst_percent: float


class WorkloadSpread(msgspec.Struct, frozen=True):
    """The partners of one workload on one system, against the reference's best row; `rows` are best first."""

    model: str
    scenario: str
    availability: str
    unit: str
    statistic: str
    definition: str
    reference: Entry
    summary: Summary
    rows: list[Deviation]


class SystemSpread(msgspec.Struct, frozen=True):
    """All workloads of one system against one reference submitter.

    Attributes:
        accelerator: Canonical accelerator, None for CPU-only systems.
        hardware: The system: accelerators, count, tags.
        reference: The reference submitter.
        summary: Over all rows of all workloads.
        partners: Who is compared.
        partners_at_any_count: Who else submitted anything on this kind of accelerator, whatever the count and workload.
        workloads: Workload by workload.
    """

    round: str
    division: str
    accelerator: str | None
    hardware: str
    reference: str
    summary: Summary
    partners: list[str]
    partners_at_any_count: list[str]
    workloads: list[WorkloadSpread]


class Spreads(NamedTuple):
    """What was found.

    Attributes:
        round: The round.
        systems: The systems, those with most rows first.
        overall: Over all rows of all systems.
        no_counterpart: Rows of partners whose hardware and workload the reference submitter did not submit.
        no_reference: Rows for which there is no reference submitter: CPU-only systems and mixed vendors, unless one is named.
        copies: Rows set aside as copies under a looser accuracy target.
        inferred: Results left out because they were inferred, not measured.
    """

    round: str
    systems: list[SystemSpread]
    overall: Summary
    no_counterpart: int
    no_reference: int
    copies: int
    inferred: int


def deviation(partner: Result, reference: Result) -> float:
    """Performance of the partner / performance of the reference - 1, as a fraction; for two results of one metric and system."""
    return Pair(reference, partner, ()).speedup - 1


def summarise(rows: Sequence[Deviation]) -> Summary:
    """The summary of some deviations.

    Raises:
        ValueError: If there are none.
    """
    found = [row.deviation_percent for row in rows]
    if not found:
        raise ValueError("no deviations")
    return Summary(
        rows=len(found),
        partners=len({row.partner.submitter for row in rows}),
        mean_percent=round(statistics.fmean(found), 6),
        mean_absolute_percent=round(statistics.fmean(map(abs, found)), 6),
        best_percent=max(found),
        worst_percent=min(found),
    )


class Compared(NamedTuple):
    """A partner's row and the reference's best row on the same hardware and workload."""

    partner: Result
    reference: Result

    @property
    def id(self) -> str:
        """Id of the partner's row."""
        return self.partner.id

    @property
    def submitter(self) -> str:
        """The partner."""
        return self.partner.provenance.submitter

    @property
    def deviation(self) -> float:
        """As `deviation`: a fraction, positive where the partner is faster."""
        return deviation(self.partner, self.reference)

    @property
    def caveats(self) -> list[str]:
        """Between the two rows; codes of the method."""
        return caveats_between(self.reference, self.partner)


def _key(r: Result) -> tuple[object, ...]:
    p = r.provenance
    return p.round, p.submitter, p.division, p.availability, r.system.hardware_key, workload_key(r)


def deviations(results: Iterable[Result], reference: str | None, partners: Iterable[Result]) -> list[Compared]:
    """Partner rows with the reference submitter's best row on the same hardware and workload, in the partners' order.

    Rows of the reference itself, inferred ones, rows without a counterpart, and copies under a looser accuracy target are left out.

    Args:
        results: Results in which the reference submitter's rows are.
        reference: The reference submitter; None for the vendor of each system's accelerators.
        partners: The rows to compare.
    """
    partners = list(partners)
    wanted = {reference} if reference else {vendor_of(r.system) for r in partners}
    by_key: defaultdict[tuple[object, ...], list[Result]] = defaultdict(list)
    for r in results:
        if r.provenance.submitter in wanted and not r.provenance.inferred:
            by_key[_key(r)].append(r)
    best = {key: ranked(rows)[0] for key, rows in by_key.items()}
    found = []
    for r in partners:
        round_, submitter, *same = _key(r)
        against = reference or vendor_of(r.system)
        other = best.get((round_, against, *same))
        if other is not None and submitter != against and not r.provenance.inferred:
            found.append(Compared(r, other))
    # A copy counts only where the result it copies is not compared itself: the reference may have submitted one of the targets only.
    compared, copies = {c.id for c in found}, without_copies(partners)[1]
    return [c for c in found if copies.get(c.id) not in compared]


def _workload(compared: Sequence[Compared]) -> WorkloadSpread:
    reference = compared[0].reference
    rows = [Deviation(entry(c.partner), round(c.deviation * 100, 6), c.caveats) for c in compared]
    rows.sort(key=lambda row: (-row.deviation_percent, row.partner.submitter.casefold(), row.partner.id))
    return WorkloadSpread(
        model=reference.workload.name,
        scenario=reference.workload.scenario,
        availability=reference.provenance.availability,
        unit=reference.metric.unit,
        statistic=reference.metric.statistic,
        definition=reference.metric.definition,
        reference=entry(reference),
        summary=summarise(rows),
        rows=rows,
    )


def _system(compared: Sequence[Compared], pool: Sequence[Result]) -> SystemSpread:
    by_workload: defaultdict[str, list[Compared]] = defaultdict(list)
    for c in compared:
        by_workload[c.reference.id].append(c)
    workloads = [_workload(rows) for rows in by_workload.values()]
    workloads.sort(key=lambda w: (w.model, w.scenario, w.definition, w.availability))
    first = compared[0].reference
    division, submitter, kind = first.provenance.division, first.provenance.submitter, first.system.kind_key
    others = {r.provenance.submitter for r in pool if r.provenance.division == division and r.system.kind_key == kind}
    return SystemSpread(
        round=first.provenance.round,
        division=division,
        accelerator=first.system.accelerator,
        hardware=first.system.hardware,
        reference=submitter,
        summary=summarise([row for w in workloads for row in w.rows]),
        partners=sorted({c.submitter for c in compared}, key=str.casefold),
        partners_at_any_count=sorted(others - {submitter}, key=str.casefold),
        workloads=workloads,
    )


def _reference(selected: Selected, written: str) -> str:
    """The submitter of the round that a person means by a name.

    Raises:
        SelectionError: If there is none; with the nearest names.
    """
    filters = Filters(submitter=(written,))
    check(filters, selected.pool, f"result in {selected.round}")
    return next(r.provenance.submitter for r in selected.pool if matches(r, filters))


def run_spread(
    results: Iterable[Result],
    round: str | None = None,  # noqa: A002  # the field's own name
    filters: Filters = Filters(),  # noqa: B008  # an immutable tuple
    reference: str | None = None,
) -> Spreads:
    """Compare partners with a reference submitter on the same hardware and workload.

    Args:
        results: Results of at least the round.
        round: The round; None for the newest.
        filters: Which of the partners' results to look at; the closed division unless they name another.
        reference: The reference submitter; None for the vendor of each system's accelerators.

    Raises:
        SelectionError: If the round, the reference or a filter matches nothing, or nothing can be compared.
    """
    selected = select(results, round, filters)
    reference = _reference(selected, reference) if reference is not None else None
    partners = [r for r in selected.chosen if r.provenance.submitter != (reference or vendor_of(r.system))]
    unknown = [r for r in partners if not (reference or vendor_of(r.system))]
    found = deviations(selected.pool, reference, partners)
    if not found:
        raise SelectionError(_nothing(selected, reference, len(partners), len(unknown)))
    ids = {c.id for c in found}
    copies = [r for r in partners if selected.copies.get(r.id) in ids]
    by_system: defaultdict[tuple[object, ...], list[Compared]] = defaultdict(list)
    for c in found:
        p = c.reference.provenance
        by_system[(p.division, p.submitter, c.reference.system.hardware_key)].append(c)
    systems = [_system(rows, selected.pool) for rows in by_system.values()]
    systems.sort(key=lambda s: (-s.summary.rows, s.hardware, s.division))
    return Spreads(
        round=selected.round,
        systems=systems,
        overall=summarise([row for s in systems for w in s.workloads for row in w.rows]),
        no_counterpart=len(partners) - len(unknown) - len(copies) - len(found),
        no_reference=len(unknown),
        copies=len(copies),
        inferred=selected.inferred,
    )


def _nothing(selected: Selected, reference: str | None, partners: int, unknown: int) -> str:
    """Why results match but nothing can be compared."""
    whose = reference or "the accelerators' own vendor"
    if partners > unknown:
        return f"{partners - unknown} results match, but {whose} has none on the same hardware and workload in {selected.round}"
    if unknown:
        return f"{unknown} results match, but CPU-only systems and mixed vendors have no reference of their own: name one (--reference)"
    return f"all results that match are of {whose} itself in {selected.round}: there is no partner to compare"
