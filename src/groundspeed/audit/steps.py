"""Steps: what moved between two results, as far as both sides say."""

from __future__ import annotations

from typing import Literal, NamedTuple

from groundspeed.audit.pairs import Pair
from groundspeed.record import stacks
from groundspeed.record.stacks import Change

StepClass = Literal["software", "recipe", "mixed", "method", "unexplained", "unknown"]

_RECIPE = {"precision-differs", "accuracy-target-differs", "power-run"}
_METHOD = {"harness-differs", "definition-changed"}
_HARDWARE = {"count-differs", "different-platform", "different-submitter"}


class Step(NamedTuple):
    """The class of a step, None where nothing was measured again; and the reason in words."""

    kind: StepClass | None
    reason: str


def _branches(pair: Pair) -> str:
    older = {c.name: c.branch for c in pair.older.stack.components if c.branch}
    newer = {c.name: c.branch for c in pair.newer.stack.components if c.branch}
    moved = [f"{name} {older[name]} to {newer[name]}" for name in older if name in newer and older[name] != newer[name]]
    moved += [f"{name} on one side only" for name in older.keys() ^ newer.keys()]
    return ", ".join(moved)


def classify(pair: Pair) -> Step:
    """What is known to have moved.

    software: a versioned component or the framework, nothing else; recipe: equal versions, but the precision, the target or the
    platform; method: the measurement; mixed: several of them; unexplained: every versioned component equal and no
    other difference known; unknown: a side declares no comparable stack.
    """
    caveats = set(pair.caveats)
    if "copied-result" in caveats:
        return Step(None, "the same value was submitted again")
    change = stacks.compare(pair.older.stack, pair.newer.stack)
    if change is Change.UNKNOWN:
        return Step("unknown", "the stacks declare no version that could be compared")
    moved = [
        *(["software"] if change is Change.VERSIONS else []),
        *(["recipe"] if caveats & (_RECIPE | _HARDWARE) else []),
        *(["method"] if caveats & _METHOD else []),
    ]
    if not moved:
        branches = _branches(pair)
        only = f"; only branch or tag names differ ({branches})" if branches else ""
        return Step("unexplained", f"every versioned component is equal and no other difference is known{only}")
    changed = stacks.changed_components(pair.older.stack, pair.newer.stack)
    parts = ([f"versions of {', '.join(changed)} differ"] if changed else []) + [
        code for code in pair.caveats if code in _RECIPE | _HARDWARE | _METHOD or code == "framework-differs"
    ]
    if len(moved) > 1:
        return Step("mixed", "; ".join(parts))
    kind: StepClass = "software" if moved == ["software"] else "recipe" if moved == ["recipe"] else "method"
    return Step(kind, "; ".join(parts))
