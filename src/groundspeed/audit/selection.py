"""Selections: filters in a person's words, and what would have matched when nothing does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from groundspeed.errors import SelectionError
from groundspeed.record import names
from groundspeed.record.model import Result

_COUNTED = re.compile(r"^\s*(\d+)\s*x\s*(?=\S)", re.IGNORECASE)
_CPU_WORDS = frozenset({"cpu", "cpuonly", "none"})


class Filters(NamedTuple):
    """Which results an audit looks at. Empty: all. Several values of one kind: any of them.

    Attributes:
        hardware: "MI355X", "8x MI355X", a family ("H200"), a vendor, a vendor and a name, a CPU model, or "cpu" for CPU-only ones.
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


@cache
def _spellings(accelerator: str) -> frozenset[str]:
    """Every spelling that means an accelerator, in loose form."""
    entry = names.accelerators().get(accelerator)
    spellings = {accelerator}
    if entry:
        words = {accelerator, entry.family}
        spellings |= {*words, entry.vendor, *(f"{entry.vendor} {word}" for word in words)}
        spellings |= set(names.table("accelerators")[accelerator]["published"])
    return frozenset(names.loose(s) for s in spellings)


def accelerator_matches(accelerator: str, wanted: str) -> bool:
    """Whether a written name means an accelerator; a count before it is passed over."""
    return names.loose(_COUNTED.sub("", wanted)) in _spellings(accelerator)


def _processor_names(processor: str) -> frozenset[str]:
    """Every spelling that means a CPU-only system's processor: with and without its vendor and its family."""
    words = {processor, *(f"{vendor} {processor}" for vendor in ("AMD", "Intel", "NVIDIA"))}
    words |= {processor.removeprefix(f"{family} ") for family in ("Xeon", "EPYC")}
    return frozenset(names.loose(word) for word in words)


def _matches_hardware(r: Result, wanted: str) -> bool:
    """Whether a written name means a system: one of its accelerators, its processor if it has none, or what the program calls it."""
    system = r.system
    if names.loose(wanted) == names.loose(system.hardware):
        return True
    counted = _COUNTED.match(wanted)
    bare = names.loose(wanted[counted.end() :] if counted else wanted)
    if system.accelerators:
        if not any(bare in _spellings(group.name) for group in system.accelerators):
            return False
        count = system.count
    else:
        if bare not in _CPU_WORDS | _processor_names(system.processor):
            return False
        count = system.nodes * system.sockets if system.sockets else None
    return not counted or count == int(counted[1])


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


class Kind(NamedTuple):
    """How one kind of filter matches a result, and what it calls it."""

    matches: Callable[[Result, str], bool]
    label: Callable[[Result], str]


KINDS = {
    "hardware": Kind(_matches_hardware, lambda r: r.system.accelerator or r.system.processor),
    "model": Kind(_matches_model, lambda r: r.workload.name),
    "scenario": Kind(_matches_scenario, lambda r: r.workload.scenario),
    "submitter": Kind(_matches_submitter, lambda r: r.provenance.submitter),
    "division": Kind(_matches_division, lambda r: r.provenance.division),
}


def matches(result: Result, filters: Filters) -> bool:
    """Whether a result passes all filters."""
    return all(
        not wanted or any(KINDS[kind].matches(result, value) for value in wanted) for kind, wanted in filters._asdict().items()
    )


def listed(values: Iterable[str], most: int = 12) -> str:
    """Names in a sentence, the first dozen of them."""
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
        before, left = left, [r for r in left if any(KINDS[kind].matches(r, value) for value in wanted)]
        if left:
            continue
        label = KINDS[kind].label
        written = " or ".join(f'"{value}"' for value in wanted)
        elsewhere = [r for r in pool if any(KINDS[kind].matches(r, value) for value in wanted)]
        if elsewhere:
            others = [k for k in filters._asdict() if k != kind and filters._asdict()[k]]
            has = "; ".join(f"{k}: {listed(KINDS[k].label(r) for r in elsewhere)}" for k in others)
            raise SelectionError(f"{kind} {written} has {what}, but none with the other filters. It has {has}")
        there = [label(r) for r in before]
        near = [name for value in wanted for name in names.nearest(_COUNTED.sub("", value), set(there))]
        counts = (
            listed(r.system.hardware for r in before if any(_matches_hardware(r, _COUNTED.sub("", value)) for value in wanted))
            if kind == "hardware"
            else ""
        )
        hint = f"Did you mean {' or '.join(near)}? " if near and not counts else ""
        hint += f"There is {counts}. " if counts else f"There is {listed(there)}."
        raise SelectionError(f"{kind} {written} has no {what}. {hint.strip()}")
