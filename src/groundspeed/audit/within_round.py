"""What the comparisons within one round share: which results, which workload, which hardware, which of two is better, which caveats."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

import msgspec

from groundspeed.audit.copies import without_copies
from groundspeed.audit.pairs import relaxations, remarks
from groundspeed.audit.selection import Filters, check, matches
from groundspeed.errors import SelectionError
from groundspeed.record import names
from groundspeed.record.calendar import round_key
from groundspeed.record.model import Result, System

Per = Literal["system", "accelerator"]

# What is said of two results of one round besides the annotations; who submitted and on whose server is the question, not a caveat.
_SAID = frozenset({"precision-differs", "framework-differs", "harness-differs", "stack-unknown", "power-run"})


class Entry(msgspec.Struct, frozen=True):
    """A result in a comparison. `value` is as published, `accelerators` what took part (None: CPU-only or unknown)."""

    submitter: str
    value: float
    accelerators: int | None
    hardware: str
    availability: str
    system: str
    platform: str
    stack: str
    precision: str
    harness: str
    source: str
    path: str
    id: str


def entry(r: Result) -> Entry:
    """A result as it stands in a comparison."""
    return Entry(
        submitter=r.provenance.submitter,
        value=r.value,
        accelerators=r.system.count,
        hardware=r.system.hardware,
        availability=r.provenance.availability,
        system=r.system.name,
        platform=r.system.platform,
        stack=r.stack.raw,
        precision=r.quality.precision.raw,
        harness=r.metric.harness,
        source=r.provenance.source,
        path=r.provenance.path,
        id=r.id,
    )


def workload_key(r: Result) -> tuple[object, ...]:
    """Equal for two results of the same workload, accuracy target included, that are measured by the same definition."""
    w, m = r.workload, r.metric
    return w.model, w.benchmark, w.accuracy_target, w.scenario, m.definition, m.unit


def mix_key(r: Result) -> tuple[object, ...]:
    """The kind of hardware whatever its size: accelerators and tags, and the proportions where a system mixes several kinds."""
    total = r.system.count
    shares = [Fraction(g.count, total) for g in r.system.accelerators if g.count and total]
    return (*r.system.kind_key, tuple(shares))


def vendor_of(system: System) -> str | None:
    """Who makes a system's accelerators; None for several vendors, an unknown one, and CPU-only systems."""
    vendors = {names.vendor(group.name) for group in system.accelerators}
    return vendors.pop() if len(vendors) == 1 else None


def caveats_between(one: Result, other: Result, also: Collection[str] = ()) -> list[str]:
    """The caveats that matter between two results of one round and workload; `also`: further codes that do."""
    said = relaxations(one, other) & {*_SAID, *also}
    return [*sorted(said), *sorted(remarks(one, other, ()))]


def chosen_round(held: Sequence[str], wanted: str | None) -> str:
    """The round to look at: the newest of those held if none is wanted; "6.1" is v6.1.

    Raises:
        SelectionError: If it is not held, or none is.
    """
    if not held:
        raise SelectionError("the record holds no results")
    if wanted is None:
        return max(held, key=round_key)
    text = wanted.strip().casefold()
    chosen = text if text.startswith("v") else f"v{text}"
    if chosen not in held:
        near = names.nearest(chosen, held)
        hint = f"Did you mean {' or '.join(near)}? " if near else ""
        raise SelectionError(f'round "{wanted}" is not in the record. {hint}It holds {", ".join(held)}.')
    return chosen


class Selected(NamedTuple):
    """The results of one round that a comparison looks at.

    Attributes:
        round: The round.
        pool: Every measured result of the round in the chosen divisions; copies are among them.
        chosen: Those of the pool that pass the filters.
        copies: Ids of copies under a looser accuracy target, each with the id of the result it copies.
        inferred: How many results were left out because they were inferred, not measured.
    """

    round: str
    pool: list[Result]
    chosen: list[Result]
    copies: dict[str, str]
    inferred: int


def select(results: Iterable[Result], round: str | None, filters: Filters) -> Selected:  # noqa: A002  # the field's own name
    """The results of a round under filters; the closed division unless they name another.

    Raises:
        SelectionError: If the round or a filter matches nothing; it says what would have.
    """
    everything = list(results)
    name = chosen_round(sorted({r.provenance.round for r in everything}, key=round_key), round)
    if not filters.division:
        filters = filters._replace(division=("closed",))
    of_round = [r for r in everything if r.provenance.round == name]
    measured = [r for r in of_round if not r.provenance.inferred]
    check(filters, measured, f"result in {name}")
    divisions = Filters(division=filters.division)
    pool = [r for r in measured if matches(r, divisions)]
    inferred = sum(r.provenance.inferred and matches(r, filters) for r in of_round)
    return Selected(name, pool, [r for r in pool if matches(r, filters)], without_copies(pool)[1], inferred)


def figure(r: Result, per: Per = "system") -> float:
    """A result's value, or its share per accelerator: derived, not an official MLPerf result.

    Raises:
        ValueError: If a latency would be divided, or the number of accelerators is unknown.
    """
    if per == "system":
        return r.value
    if r.metric.direction == "lower":
        raise ValueError(f"{r.id}: a latency is never divided by a number of accelerators")
    if not r.system.count:
        raise ValueError(f"{r.id}: the number of accelerators is unknown")
    return r.value / r.system.count


def ranked(results: Iterable[Result], per: Per = "system") -> list[Result]:
    """Results of one metric, the best first; equal ones by submitter."""

    def key(r: Result) -> tuple[float, str, str]:
        value = figure(r, per)
        return -value if r.metric.direction == "higher" else value, r.provenance.submitter.casefold(), r.id

    return sorted(results, key=key)
