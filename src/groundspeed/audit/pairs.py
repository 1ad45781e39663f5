"""Comparable pairs: two results on unchanged hardware, so that software is the only thing that can have moved.

A software-only pair has the same submitter, accelerators, count, variant tags, division, availability, workload and metric
definition, both measured. Everything weaker is a relaxation that must be allowed by name. Cost: one pass over both rounds, then
for each newer group the older results of the same workload on the same kind of hardware.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from groundspeed.audit.caveats import RELAXATIONS
from groundspeed.record import precision, stacks, systems
from groundspeed.record.model import Result


class Pair(NamedTuple):
    """Two results that may be compared, older first, and the caveats the comparison carries."""

    older: Result
    newer: Result
    caveats: tuple[str, ...]

    @property
    def per_accelerator(self) -> bool:
        """Whether the comparison is per accelerator, because the counts differ."""
        return "count-differs" in self.caveats

    @property
    def speedup(self) -> float:
        """How many times faster the newer result is: above 1 is better, whatever the metric's direction.

        newer / older for throughputs, older / newer for latencies, per accelerator where the counts differ.
        """
        ratio = self.newer.value / self.older.value
        if self.older.metric.direction == "lower":
            return 1 / ratio
        if self.per_accelerator:
            ratio *= _count(self.older) / _count(self.newer)
        return ratio

    @property
    def ln_speedup(self) -> float:
        """Natural logarithm of the speed-up."""
        return math.log(self.speedup)


class Pairs(NamedTuple):
    """The pairs found, and those left out because a relaxation was not allowed: (codes that would be needed) -> how many."""

    found: list[Pair]
    left_out: Counter[tuple[str, ...]]


def _count(result: Result) -> int:
    system = result.system
    count = system.count if system.accelerators else system.nodes * (system.sockets or 0)
    if not count:
        raise ValueError(f"{result.id}: the number of accelerators is unknown")
    return count


def _has_count(result: Result) -> bool:
    system = result.system
    return bool(system.count if system.accelerators else system.sockets)


def _mix(result: Result) -> tuple[float, ...]:
    """The shares of the kinds of accelerator in a system."""
    total = result.system.count
    return tuple((g.count or 0) / total for g in result.system.accelerators) if total else ()


def platform_differs(a: Result, b: Result) -> bool:
    """Whether two results are known to come from another server product or host CPU model."""
    if systems.same_product(a.system, b.system) is False:
        return True
    return bool(a.system.processor and b.system.processor and a.system.processor != b.system.processor)


def relaxations(older: Result, newer: Result) -> set[str]:
    """The relaxations a comparison of two results of one workload on one kind of hardware needs."""
    needed: set[str] = set()
    po, pn = older.provenance, newer.provenance
    if po.division != pn.division:
        needed.add("baseline-open-division" if po.division == "open" else "division-differs")
    if po.submitter != pn.submitter:
        needed.add("different-submitter")
    if platform_differs(older, newer):
        needed.add("different-platform")
    if older.system.hardware_key != newer.system.hardware_key or not _has_count(older):
        needed.add("count-differs")  # two unknown counts are not known to be equal
    if older.workload.accuracy_target != newer.workload.accuracy_target:
        needed.add("accuracy-target-differs")
    if precision.differ(older.quality.precision, newer.quality.precision):
        needed.add("precision-differs")
    if not older.stack.declared or not newer.stack.declared:
        needed.add("stack-unknown")
    elif stacks.frameworks(older.stack) != stacks.frameworks(newer.stack):
        needed.add("framework-differs")
    if older.metric.harness != newer.metric.harness:
        needed.add("harness-differs")
    if older.metric.definition != newer.metric.definition:
        needed.add("definition-changed")
    if po.inferred or pn.inferred:
        needed.add("inferred-result")
    if po.availability != pn.availability:
        needed.add("availability-differs")
    if older.value == newer.value:
        needed.add("copied-result")
    if older.quality.power_run != newer.quality.power_run:
        needed.add("power-run")
    return needed


def remarks(older: Result, newer: Result, missing_rounds: Collection[str]) -> set[str]:
    """What is said of a pair whatever is allowed."""
    said: set[str] = set()
    if len(newer.system.accelerators) > 1:
        said.add("heterogeneous")
    if any(tag.startswith("power-") or tag == "maxq" for tag in newer.system.tags):
        said.add("power-capped")
    if older.quality.below_target or newer.quality.below_target:
        said.add("below-target-as-listed")
    if missing_rounds:
        said.add("spans-missing-round")
    return said


# How far a relaxation takes a pair from software-only: an older result is chosen by the smallest sum. Relaxations that say how a
# run was made (precision, framework, stack, a copied value) cost nothing: the best row is compared, not the most convenient one.
_COST = {
    "definition-changed": 10_000.0,
    "different-submitter": 3_000.0,
    "accuracy-target-differs": 1_000.0,
    "count-differs": 500.0,
    "division-differs": 400.0,
    "baseline-open-division": 300.0,
    "availability-differs": 200.0,
    "inferred-result": 150.0,
    "harness-differs": 100.0,
    "different-platform": 60.0,
    "power-run": 50.0,
}
# What somebody asks for by name: without it, such older results are not looked at. Of the others the nearest result is taken, and if
# that one needs what is not allowed the pair is left out, rather than a farther result taken in its place.
_ASKED_FOR = {code for code, cost in _COST.items() if cost >= 200}


def _goodness(result: Result) -> float:
    return result.value if result.metric.direction == "higher" else -result.value


class _Candidate(NamedTuple):
    cost: float
    needed: frozenset[str]
    older: Result
    newer: Result

    @property
    def same_platform(self) -> bool:
        return "different-platform" not in self.needed


def _candidate(older: Result, newer: Result) -> _Candidate | None:
    needed = relaxations(older, newer)
    cost = sum(_COST.get(code, 0.0) for code in needed)
    if "count-differs" in needed:
        # Latencies are never divided by a count, an unknown count divides nothing, and of a mix only its multiples are the same.
        if newer.metric.direction == "lower" or not (_has_count(older) and _has_count(newer)):
            return None
        if _mix(older) != _mix(newer):
            return None
        cost += abs(math.log(_count(older) / _count(newer)))
    return _Candidate(cost, frozenset(needed), older, newer)


def _best(newer: Result, older: Iterable[Result], allowed: Collection[str]) -> _Candidate | None:
    """The older result nearest to software-only; the best one among equals."""
    candidates = [c for o in older if (c := _candidate(o, newer)) and not (c.needed & _ASKED_FOR) - set(allowed)]
    if not candidates:
        return None
    lowest = min(c.cost for c in candidates)
    return max((c for c in candidates if c.cost == lowest), key=lambda c: (_goodness(c.older), c.older.id))


def _group_key(r: Result) -> tuple[object, ...]:
    p, w = r.provenance, r.workload
    return (
        p.submitter, p.division, p.availability, r.system.hardware_key, w.model, w.accuracy_target, w.scenario,
        r.metric.definition, p.inferred, r.quality.power_run,
    )  # fmt: skip


def _match_key(r: Result) -> tuple[object, ...]:
    return r.system.kind_key, r.workload.model, r.workload.benchmark, r.workload.scenario


def _for_group(group: list[Result], older: list[Result], allowed: Collection[str]) -> list[_Candidate]:
    """The pairs of one submitter's systems of one kind: same server product first, else its best row against its best row."""
    best_of_platform: dict[tuple[str, str], Result] = {}
    for r in group:
        platform = r.system.product, r.system.processor
        current = best_of_platform.get(platform)
        if current is None or _goodness(r) > _goodness(current):
            best_of_platform[platform] = r
    found = [c for r in best_of_platform.values() if (c := _best(r, older, allowed))]
    if not found:
        return []
    same = [c for c in found if c.same_platform]
    return same or [max(found, key=lambda c: _goodness(c.newer))]


def find_pairs(
    older: Iterable[Result], newer: Iterable[Result], allowed: Collection[str], missing_rounds: Collection[str] = ()
) -> Pairs:
    """Pair the results of a round with those of an earlier one.

    Args:
        older: Results of the earlier round, without copies.
        newer: Results of the later round, without copies.
        allowed: Relaxations that are allowed, by code.
        missing_rounds: Rounds between the two that the record does not hold.

    Returns:
        The pairs, in the newer results' order, and what was left out for want of a relaxation.

    Raises:
        ValueError: If `allowed` names something that is no relaxation.
    """
    strange = set(allowed) - RELAXATIONS.keys()
    if strange:
        raise ValueError(f"not a relaxation: {', '.join(sorted(strange))}")
    by_match: defaultdict[tuple[object, ...], list[Result]] = defaultdict(list)
    for r in older:
        by_match[_match_key(r)].append(r)
    groups: defaultdict[tuple[object, ...], list[Result]] = defaultdict(list)
    for r in newer:
        if _match_key(r) in by_match:
            groups[_group_key(r)].append(r)

    found: list[Pair] = []
    left_out: Counter[tuple[str, ...]] = Counter()
    for group in groups.values():
        candidates = _for_group(group, by_match[_match_key(group[0])], allowed)
        if not candidates:
            wider = _for_group(group, by_match[_match_key(group[0])], RELAXATIONS)
            left_out.update(tuple(sorted(c.needed - set(allowed))) for c in wider)
        for c in candidates:
            if c.needed - set(allowed):
                left_out[tuple(sorted(c.needed - set(allowed)))] += 1
                continue
            said = remarks(c.older, c.newer, missing_rounds)
            found.append(Pair(c.older, c.newer, (*sorted(c.needed), *sorted(said))))
    return Pairs(found, left_out)
