"""Selections: filters in a person's words, and what would have matched when nothing does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from groundspeed.errors import SelectionError
from groundspeed.record import names
from groundspeed.record.model import Result

_COUNTED = re.compile(r"^\s*(\d+)\s*x\s*(?=\S)", re.IGNORECASE)
_CPU_WORDS = {"cpu", "cpuonly", "none"}


class Filters(NamedTuple):
    """Which results an audit looks at. Empty: all. Several values of one kind: any of them.

    Attributes:
        hardware: "MI355X", "8x MI355X", a family ("H200"), a vendor and a name, a CPU model, or "cpu" for CPU-only systems.
        model: "llama2-70b" (every target) or "llama2-70b-99.9".
        scenario: A scenario, in any case.
        submitter: A submitter, in any case.
        division: closed, open or network.
    """

    hardware: Sequence[str] = ()
    model: Sequence[str] = ()
    scenario: Sequence[str] = ()
    submitter: Sequence[str] = ()
    division: Sequence[str] = ()


def _hardware_names(r: Result) -> set[str]:
    """Every spelling that means one of a system's accelerators, or its processor if it has none."""
    spellings: set[str] = set()
    for group in r.system.accelerators:
        entry = names.accelerators().get(group.name)
        words = {group.name} | ({entry.family} if entry else set())
        spellings |= words
        if entry:
            spellings |= {f"{entry.vendor} {word}" for word in words}
            spellings |= set(names.table("accelerators")[group.name]["published"])
    if not r.system.accelerators:
        spellings = {r.system.processor, "cpu", "CPU-only"}
    return {names.loose(s) for s in spellings}


def _matches_hardware(r: Result, wanted: str) -> bool:
    counted = _COUNTED.match(wanted)
    bare = names.loose(wanted[counted.end() :] if counted else wanted)
    if bare in _CPU_WORDS:
        return not r.system.accelerators
    mine = _hardware_names(r)
    if bare not in mine and not any(bare == word.removeprefix("xeon").removeprefix("epyc") for word in mine):
        return False
    return not counted or r.system.count == int(counted[1])


def _matches_model(r: Result, wanted: str) -> bool:
    found = names.model(wanted)
    if found.is_benchmark:
        return r.workload.model == found.name and (not found.target or r.workload.accuracy_target == found.target)
    return names.loose(wanted) in {names.loose(r.workload.name), names.loose(r.workload.model)}


def _matches_scenario(r: Result, wanted: str) -> bool:
    return r.workload.scenario == names.scenario(wanted).name


def _matches_submitter(r: Result, wanted: str) -> bool:
    return names.loose(r.provenance.submitter) == names.loose(names.submitter(wanted).name)


def _matches_division(r: Result, wanted: str) -> bool:
    return r.provenance.division == wanted.strip().casefold()


class _Kind(NamedTuple):
    matches: Callable[[Result, str], bool]
    label: Callable[[Result], str]


_KINDS = {
    "hardware": _Kind(_matches_hardware, lambda r: r.system.accelerator or r.system.processor),
    "model": _Kind(_matches_model, lambda r: r.workload.name),
    "scenario": _Kind(_matches_scenario, lambda r: r.workload.scenario),
    "submitter": _Kind(_matches_submitter, lambda r: r.provenance.submitter),
    "division": _Kind(_matches_division, lambda r: r.provenance.division),
}


def matches(result: Result, filters: Filters) -> bool:
    """Whether a result passes all filters."""
    return all(
        not wanted or any(_KINDS[kind].matches(result, value) for value in wanted) for kind, wanted in filters._asdict().items()
    )


def _listed(values: Iterable[str], most: int = 12) -> str:
    ordered = sorted(set(values), key=str.casefold)
    more = f" and {len(ordered) - most} more" if len(ordered) > most else ""
    return ", ".join(ordered[:most]) + more


def check(filters: Filters, pool: Sequence[Result], what: str) -> None:
    """Make sure that filters leave something of a pool.

    Raises:
        SelectionError: Naming the first filter that leaves nothing, the nearest names, and what there is.
    """
    left = pool
    for kind, wanted in filters._asdict().items():
        if not wanted:
            continue
        before, left = left, [r for r in left if any(_KINDS[kind].matches(r, value) for value in wanted)]
        if left:
            continue
        label = _KINDS[kind].label
        written = " or ".join(f'"{value}"' for value in wanted)
        elsewhere = [r for r in pool if any(_KINDS[kind].matches(r, value) for value in wanted)]
        if elsewhere:
            others = [k for k in filters._asdict() if k != kind and filters._asdict()[k]]
            has = "; ".join(f"{k}: {_listed(_KINDS[k].label(r) for r in elsewhere)}" for k in others)
            raise SelectionError(f"{kind} {written} has {what}, but none with the other filters. It has {has}")
        there = [label(r) for r in before]
        near = [name for value in wanted for name in names.nearest(_COUNTED.sub("", value), set(there))]
        counts = (
            _listed(r.system.hardware for r in before if any(_matches_hardware(r, _COUNTED.sub("", value)) for value in wanted))
            if kind == "hardware"
            else ""
        )
        hint = f"Did you mean {' or '.join(near)}? " if near and not counts else ""
        hint += f"There is {counts}. " if counts else f"There is {_listed(there)}."
        raise SelectionError(f"{kind} {written} has no {what}. {hint.strip()}")
