"""Comparing two results for a claim: the performance ratio, its caveats, and the answer against others on the comparator's hardware."""

from __future__ import annotations

import msgspec

from groundspeed.audit.frontier import Standing
from groundspeed.audit.pairs import relaxations, remarks
from groundspeed.record.model import Result

# Of two different accelerators these say nothing: they are what is compared, or differ by nature.
_NATURAL = {"different-submitter", "different-platform", "framework-differs", "stack-unknown", "copied-result"}
# What still matters where only the order of two totals is claimed.
_ORDER = {
    "baseline-open-division", "division-differs", "accuracy-target-differs", "harness-differs", "definition-changed",
    "inferred-result", "availability-differs", "power-run", "below-target-as-listed", "cross-round-baseline",
}  # fmt: skip


class Comparator(msgspec.Struct, frozen=True):
    """A result on the comparator's hardware, and the claim's question answered against it (in the claim's own terms)."""

    value: float
    submitter: str
    computed: float | None
    path: str


class Comparators(msgspec.Struct, frozen=True):
    """The comparator that was claimed, the best submission on its hardware, and the median one."""

    claimed: Comparator
    best: Comparator
    median: Comparator
    submitters: int


def comparable(subject: Result, baseline: Result) -> str:
    """Why two results cannot be put into a ratio at all; "" if they can."""
    if subject.workload.benchmark != baseline.workload.benchmark or subject.workload.scenario != baseline.workload.scenario:
        one, other = (f"{r.workload.name} {r.workload.scenario}" for r in (subject, baseline))
        return f"{one} and {other} are different workloads"
    if subject.metric.unit != baseline.metric.unit or subject.metric.direction != baseline.metric.direction:
        return f"{subject.metric.unit} and {baseline.metric.unit} are different quantities"
    return ""


def ratio(subject: Result, baseline: Result, per_accelerator: bool) -> float | None:
    """How many times faster the subject is; per accelerator for throughputs only, None where a count is unknown."""
    value = subject.value / baseline.value
    if subject.metric.direction == "lower":
        return None if per_accelerator else 1 / value
    if per_accelerator:
        if not subject.system.count or not baseline.system.count:
            return None
        value *= baseline.system.count / subject.system.count
    return value


def caveats(subject: Result, baseline: Result, *, order_only: bool = False) -> tuple[str, ...]:
    """The caveats of a claimed comparison.

    On the same hardware all relaxations count except who submitted and on which server, which the claim itself names. Between
    different accelerators the software differs by nature; what is left is what makes the two measurements unequal.
    """
    found = relaxations(baseline, subject) | remarks(baseline, subject, ())
    same_hardware = subject.system.kind_key == baseline.system.kind_key
    found -= {"different-submitter", "different-platform"} if same_hardware else _NATURAL
    if not same_hardware:
        if subject.system.count == baseline.system.count:
            found.discard("count-differs")
        if subject.provenance.round != baseline.provenance.round:
            found.add("cross-round-baseline")
    if order_only:
        found &= _ORDER
    return tuple(sorted(found))


def comparators(found: Standing, subject: Result, baseline: Result, per_accelerator: bool) -> Comparators:
    """The comparator, and the best and the median result by anybody on its hardware in its round and division.

    The `computed` values are ratios; the caller puts them into the claim's own terms.
    """

    def against(other: Result) -> Comparator:
        return Comparator(other.value, other.provenance.submitter, ratio(subject, other, per_accelerator), other.provenance.path)

    best = against(found.best)
    middle = ratio(subject, _with_value(found.best, found.median_value), per_accelerator)
    median = Comparator(found.median_value, found.median_submitter, middle, "")
    return Comparators(against(baseline), best, median, len(found.submitters))


def _with_value(result: Result, value: float) -> Result:
    return msgspec.structs.replace(result, value=value)
