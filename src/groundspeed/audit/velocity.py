"""Velocity: a speed-up divided among the releases, or the days, that lie between two stacks.

Per release: speed-up^(1/n) - 1, n the feature releases after the older stack up to the newer one. Per cadence of 42 days and
per year: the same with days, between the release dates of the declared stacks, or between the rounds' publication dates where the
stacks give none. The stack declared in the submission decides: a release after it cannot have produced the gain.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from groundspeed.audit.pairs import Pair
from groundspeed.record import calendar, names
from groundspeed.record.calendar import Release
from groundspeed.record.model import System

CADENCE_DAYS = 42
YEAR_DAYS = 365

_PROJECT = {"AMD": ("ROCm", "rocm"), "NVIDIA": ("CUDA", "cuda")}


class Releases(NamedTuple):
    """Releases of a project between two stacks, each after the older and up to the newer one.

    Attributes:
        project: ROCm or CUDA.
        older: The older stack's release.
        newer: The newer stack's release.
        feature: Feature releases (x.y.0) of the production line of their time.
        patch: Patch releases of the lines between. Reported, not counted.
        preview: Previews published meanwhile. Reported, not counted.
        days: Between the two release dates; None where a date is known to the month only.
    """

    project: str
    older: Release
    newer: Release
    feature: tuple[Release, ...]
    patch: tuple[Release, ...]
    preview: tuple[Release, ...]
    days: int | None


class Velocity(NamedTuple):
    """Rates of a pair, as fractions (0.174 is +17.4 %); None where the method gives none. `notes` say why."""

    releases: Releases | None
    per_release: float | None
    per_cadence: float | None
    per_year: float | None
    days: int | None
    basis: Literal["stack-releases", "round-publication"] | None
    notes: tuple[str, ...]


def rate(speedup: float, parts: float) -> float:
    """The rate that, compounded over `parts`, makes the speed-up."""
    return float(speedup ** (1 / parts) - 1)


def project_of(system: System) -> tuple[str, str] | None:
    """The project whose releases are counted for a system, and its component's name; None where the method counts none."""
    vendors = {names.vendor(group.name) for group in system.accelerators}
    return _PROJECT.get(vendors.pop() or "") if len(vendors) == 1 else None


def releases_between(project: str, older: Release, newer: Release) -> Releases:
    """The releases after `older`, up to and including `newer`.

    The production line counts by version: what is later than `older` and came out no later than `newer`. So a late patch of an older
    line (6.4.4) is not between 7.0.0 and 7.2.2, and a stack that is on that patch still has 7.0.0 before it. Previews are a channel
    of their own and lie between by date.
    """
    until = [r for r in calendar.releases(project) if r.date <= newer.date or r == newer]
    line = [r for r in until if r.channel != "preview" and older.version < r.version <= newer.version]
    previews = [r for r in until if r.channel == "preview" and r.date > older.date]
    days = None if older.month_only or newer.month_only else (newer.date - older.date).days
    return Releases(
        project,
        older,
        newer,
        feature=tuple(r for r in line if r.is_feature),
        patch=tuple(r for r in line if not r.is_feature),
        preview=tuple(previews),
        days=days,
    )


def _stack_release(pair: Pair, side: Literal["older", "newer"], project: str, component: str) -> tuple[Release | None, str]:
    """The release a side's stack is, or a note why there is none."""
    result = pair.older if side == "older" else pair.newer
    versions = result.stack.versions(component)
    round_ = result.provenance.round
    if not versions:
        return None, f"the {round_} stack declares no {project} version"
    found = {calendar.find_release(project, version) for version in versions}
    if len(found) > 1:
        return None, f"the {round_} stack lists several {project} versions ({', '.join(versions)})"
    release = found.pop()
    if release is None:
        return None, f"{project} {versions[0]} of the {round_} stack is not in the release calendar"
    return release, ""


def _releases(pair: Pair) -> tuple[Releases | None, list[str]]:
    project = project_of(pair.newer.system)
    if project is None:
        return None, []
    name, component = project
    older, older_note = _stack_release(pair, "older", name, component)
    newer, newer_note = _stack_release(pair, "newer", name, component)
    notes = [note for note in (older_note, newer_note) if note]
    if older is None or newer is None:
        return None, notes
    previews = [r for r in (older, newer) if r.channel == "preview"]
    if previews:
        text = " and ".join(f"{name} {r.text}" for r in previews)
        return None, [f"{text} is a preview, outside the production line: no per-release rate"]
    return releases_between(name, older, newer), notes


def _round_days(pair: Pair) -> tuple[int | None, list[str]]:
    """Days between the publication of the two rounds."""
    sides = [calendar.rounds().get(r.provenance.round) for r in (pair.older, pair.newer)]
    older, newer = sides
    if older is None or newer is None or older.date is None or newer.date is None:
        return None, []
    notes = [f"the publication date of {r.name} is an upper bound" for r in (older, newer) if r.published is None]
    return (newer.date - older.date).days, notes


def velocity(pair: Pair) -> Velocity:
    """The rates of a pair."""
    if "definition-changed" in pair.caveats:
        return Velocity(None, None, None, None, None, None, ("the metric's definition changed: no rate",))
    releases, notes = _releases(pair)
    per_release = None
    if releases is not None:
        if releases.feature:
            per_release = rate(pair.speedup, len(releases.feature))
        elif releases.older == releases.newer:
            notes.append(f"both stacks are {releases.project} {releases.older.text}: no release between them")
        else:
            notes.append(f"no feature release of {releases.project} between the two stacks")
    basis: Literal["stack-releases", "round-publication"] = "stack-releases"
    days = releases.days if releases else None
    if days is None or days <= 0:
        basis = "round-publication"
        days, bounds = _round_days(pair)
        notes += bounds
    if days is None or days <= 0:
        return Velocity(releases, per_release, None, None, None, None, tuple(notes))
    per_cadence, per_year = (rate(pair.speedup, days / length) for length in (CADENCE_DAYS, YEAR_DAYS))
    return Velocity(releases, per_release, per_cadence, per_year, days, basis, tuple(notes))
