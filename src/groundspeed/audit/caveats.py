"""The caveats of a comparison: their codes and what they mean for a reader.

A *relaxation* weakens the software-only comparison and is allowed only by name; an *annotation* is said of a pair whatever is
allowed.
"""

from __future__ import annotations

from collections.abc import Iterable

from groundspeed.errors import SelectionError
from groundspeed.record.names import nearest

RELAXATIONS: dict[str, str] = {
    "baseline-open-division": "the older result is from the open division, whose rules are looser",
    "division-differs": "the two results are from different divisions",
    "different-submitter": "the two results are from different submitters",
    "different-platform": "another server product or host CPU model",
    "count-differs": "another number of accelerators: compared per accelerator, so the scale-out loss is inside the number",
    "accuracy-target-differs": "one result meets the 99 % target, the other the 99.9 % target",
    "precision-differs": "weights or KV cache are in another number format",
    "framework-differs": "another serving framework is declared",
    "harness-differs": "one was measured with LoadGen, the other with the Endpoints client",
    "definition-changed": "the metric or the workload was defined differently: no rate is computed",
    "inferred-result": "one of the two was inferred from another scenario, not measured",
    "availability-differs": "one system was available, the other a preview or in development",
    "stack-unknown": "a stack is blank, says TODO, or names no version",
    "copied-result": "the same value was submitted again: not a new measurement",
    "power-run": "one was measured in a power run, the other was not",
}

ANNOTATIONS: dict[str, str] = {
    "cross-round-baseline": "the comparator did not resubmit: its result is from an earlier round",
    "heterogeneous": "the system mixes several kinds of accelerator",
    "power-capped": "the accelerators run at another power than they are sold with",
    "below-target-as-listed": "an accuracy value, as listed, is outside its target; the table may be wrong, and it is no violation by itself",
    "spans-missing-round": "a round lies between the two that this record does not hold",
}

CAVEATS = RELAXATIONS | ANNOTATIONS

# What the audit allows when nothing is said.
DEFAULT_ALLOWED = frozenset(
    {
        "baseline-open-division",
        "different-platform",
        "precision-differs",
        "framework-differs",
        "harness-differs",
        "stack-unknown",
    }
)

# With one of these the pair is no software-only pair in the method's sense. The others qualify one: precision, framework and stack are
# software, and a submitter's other server is its best row against its best row.
NOT_SOFTWARE_ONLY = frozenset(RELAXATIONS) - {
    "different-platform",
    "precision-differs",
    "framework-differs",
    "harness-differs",
    "stack-unknown",
}


def allowed_relaxations(more: Iterable[str], only: Iterable[str] | None = None) -> frozenset[str]:
    """The relaxations to allow: the default ones and `more`, or `only` those (empty or "none": none).

    Raises:
        SelectionError: If something named is no relaxation.
    """
    only = None if only is None else [code for code in only if code != "none"]
    for code in (*more, *(only or ())):
        if code not in RELAXATIONS:
            said = f"{code} is said of a pair whatever is allowed" if code in ANNOTATIONS else f'"{code}" is no relaxation'
            near = nearest(code, RELAXATIONS)
            hint = f"did you mean {' or '.join(near)}? " if near else ""
            raise SelectionError(f"{said}; {hint}Relaxations: {', '.join(RELAXATIONS)}")
    return frozenset(more) | (DEFAULT_ALLOWED if only is None else frozenset(only))
