"""Reproduction noise: how far independent submitters of the same thing differ, and whether a gain stands out of it.

For each group (round, accelerators, count, tags, workload, definition; closed, same availability; each submitter's best row) with at
least three submitters, s = 1.4826 * MAD of ln(result), the robust estimate of a standard deviation. A pair uses its own
workload's s where both rounds' groups have at least five submitters, else the accelerator's pooled s of each round. A gain is
a signal where |ln speed-up| > 1.96 * sqrt(s_old^2 + s_new^2).
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable
from typing import Literal, NamedTuple

from groundspeed.audit.pairs import Pair
from groundspeed.record.model import Result

MIN_SUBMITTERS = 3
MIN_OWN_SUBMITTERS = 5
MAD_TO_SIGMA = 1.4826
Z = 1.96

Verdict = Literal["signal", "within-noise", "noise-unknown"]


class Group(NamedTuple):
    """Submitters of one thing: their best values, and the spread s of ln(value)."""

    values: dict[str, float]
    sigma: float


class SideNoise(NamedTuple):
    """The noise of one side of a pair.

    Attributes:
        round: The round.
        basis: "workload" if it is the workload's own spread, "accelerator" if pooled over the accelerator's workloads.
        sigma: s, in units of ln(result).
        submitters: Submitters in the workload's own group; None if pooled.
        groups: Groups it was computed from.
    """

    round: str
    basis: Literal["workload", "accelerator"]
    sigma: float
    submitters: int | None
    groups: int


class PairNoise(NamedTuple):
    """The noise of a pair: both sides, and the combined s."""

    older: SideNoise
    newer: SideNoise

    @property
    def sigma(self) -> float:
        """sqrt(s_old^2 + s_new^2)."""
        return math.hypot(self.older.sigma, self.newer.sigma)

    @property
    def limit(self) -> float:
        """The |ln speed-up| above which a change is a signal."""
        return Z * self.sigma


def sigma(values: Iterable[float]) -> float:
    """1.4826 times the median absolute deviation of the logarithms: relative spread for small spreads."""
    logs = [math.log(v) for v in values]
    centre = statistics.median(logs)
    return MAD_TO_SIGMA * statistics.median(abs(x - centre) for x in logs)


def weighted_median(values: Iterable[tuple[float, float]]) -> float:
    """The median of (value, weight): where half of the weight lies on either side; the mean of two where it falls between.

    Raises:
        ValueError: If there are no values.
    """
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values")
    half, total = sum(w for _, w in ordered) / 2, 0.0
    for i, (value, weight) in enumerate(ordered):
        total += weight
        if math.isclose(total, half) and i + 1 < len(ordered):
            return (value + ordered[i + 1][0]) / 2
        if total > half:
            return value
    return ordered[-1][0]


def _group_key(r: Result) -> tuple[object, ...]:
    return (
        r.provenance.round, r.system.hardware_key, r.workload.name, r.workload.scenario, r.metric.definition,
        r.provenance.availability,
    )  # fmt: skip


def _accelerator_key(r: Result) -> tuple[object, ...]:
    return r.provenance.round, r.system.kind_key[0]


class Noise:
    """The noise of a record's rounds.

    Args:
        results: Results of the rounds in question, without copies. Only measured closed-division ones count.
    """

    def __init__(self, results: Iterable[Result]) -> None:
        best: defaultdict[tuple[object, ...], dict[str, Result]] = defaultdict(dict)
        for r in results:
            if r.provenance.division != "closed" or r.provenance.inferred:
                continue
            submitters = best[_group_key(r)]
            other = submitters.get(r.provenance.submitter)
            if other is None or (r.value > other.value) == (r.metric.direction == "higher"):
                submitters[r.provenance.submitter] = r
        self._groups: dict[tuple[object, ...], Group] = {}
        pools: defaultdict[tuple[object, ...], list[Group]] = defaultdict(list)
        for key, rows in best.items():
            values = {name: row.value for name, row in rows.items()}
            group = Group(values, sigma(values.values()))
            self._groups[key] = group
            if len(values) >= MIN_SUBMITTERS:
                pools[_accelerator_key(next(iter(rows.values())))].append(group)
        self._pools = dict(pools)

    def group(self, result: Result) -> Group | None:
        """The submitters of the same thing as a result, itself among them if it is closed; None if there are none."""
        return self._groups.get(_group_key(result))

    def _own(self, result: Result) -> SideNoise | None:
        group = self.group(result)
        if group is None or len(group.values) < MIN_OWN_SUBMITTERS:
            return None
        return SideNoise(result.provenance.round, "workload", group.sigma, len(group.values), 1)

    def _pooled(self, result: Result) -> SideNoise | None:
        groups = self._pools.get(_accelerator_key(result))
        if not groups:
            return None
        pooled = weighted_median((g.sigma, len(g.values) - 1) for g in groups)
        return SideNoise(result.provenance.round, "accelerator", pooled, None, len(groups))

    def of(self, pair: Pair) -> PairNoise | None:
        """The noise of a pair; None where neither the workload nor the accelerator has enough submitters in both rounds."""
        own = self._own(pair.older), self._own(pair.newer)
        older, newer = own if own[0] and own[1] else (self._pooled(pair.older), self._pooled(pair.newer))
        return PairNoise(older, newer) if older and newer else None


def verdict(pair: Pair, noise: PairNoise | None) -> Verdict:
    """Whether a pair's change stands out of the noise."""
    if noise is None:
        return "noise-unknown"
    return "signal" if abs(pair.ln_speedup) > noise.limit else "within-noise"
