"""Releases of a project as its calendar has them: which are feature releases, their dates, and the intervals between them."""

from __future__ import annotations

import datetime as dt
import re
import statistics
from collections.abc import Collection, Iterable
from functools import cache
from itertools import pairwise

from groundspeed.audit.cadence.findings import Interval, Kind, ListedRelease
from groundspeed.errors import SelectionError
from groundspeed.record import calendar, names
from groundspeed.record.calendar import Channel, Release, projects

# Legacy is the production line of its time (method, section 5).
PRODUCTION_LINE: tuple[Channel, ...] = ("production", "legacy")


def project_named(text: str) -> str:
    """The project a person means, in any spelling of its letters.

    Raises:
        SelectionError: If there is no calendar of it.
    """
    by_loose = {names.loose(name): name for name in projects()}
    if (found := by_loose.get(names.loose(text))) is not None:
        return found
    near = names.nearest(text, projects())
    hint = f"Did you mean {' or '.join(near)}? " if near else ""
    raise SelectionError(f'project "{text}" has no release calendar. {hint}There are {", ".join(projects())}.')


def release_named(project: str, version: str) -> Release:
    """The release of a version.

    Raises:
        SelectionError: If the calendar does not hold the project or the version.
    """
    project = project_named(project)
    text = version.strip()
    found = calendar.find_release(project, text[1:] if text[:1] in "vV" else text)
    if found is None:
        held = [r.text for r in calendar.releases(project)]
        near = _near_versions(project, text)
        hint = f"Did you mean {' or '.join(near)}? " if near else ""
        raise SelectionError(f'{project} "{version}" is not in the release calendar. {hint}It holds {held[0]} to {held[-1]}.')
    return found


def _near_versions(project: str, text: str) -> list[str]:
    """The versions whose numbers are nearest; as texts "7.15" is nearer to 7.1.1 than to 7.14.0."""
    numbers = [int(n) for n in re.findall(r"\d+", text)[:3]]
    if not numbers:
        return []
    wanted = [*numbers, 0, 0][:3]

    def distance(release: Release) -> list[int]:
        v = release.version
        return [abs(a - b) for a, b in zip((v.major, v.minor, v.micro), wanted, strict=True)]

    return [r.text for r in sorted(calendar.releases(project), key=distance)[:3]]


def date_text(release: Release) -> str:
    """A release's date as it is known: the day, or "2025-12"."""
    return release.date.isoformat()[: 7 if release.month_only else 10]


def day_of(text: str) -> dt.date:
    return dt.date.fromisoformat(text if len(text) == 10 else f"{text}-01")


def dates_of(project: str, version: str) -> tuple[dt.date, ...]:
    """Every date that a source gives for a release, the calendar's own first; empty for a version it does not hold.

    A date known to the month only is the month's first day (`Release.month_only` says so).

    Raises:
        SelectionError: If the project has no calendar.
    """
    release = calendar.find_release(project_named(project), version)
    return (release.date, *map(day_of, release.disputed)) if release else ()


def is_new_line(release: Release) -> bool:
    """Whether it is a feature release, or in the preview channel the first of an x.y."""
    v = release.version
    if release.channel != "preview":
        return release.is_feature
    return not (v.is_prerelease or v.is_postrelease or any(v.release[2:]))


def feature_releases(
    project: str, year: int | None = None, channels: Collection[Channel] = PRODUCTION_LINE
) -> tuple[Release, ...]:
    """A project's feature releases, oldest first.

    Args:
        project: A project of the calendar.
        year: Only those of a year.
        channels: Whose releases count; by default the production line of its time. With "preview" the previews of a new x.y.0 count.

    Raises:
        SelectionError: If the project has no calendar.
    """
    found = calendar.releases(project_named(project))
    return tuple(r for r in found if r.channel in channels and is_new_line(r) and year in (None, r.date.year))


def released_from(since: Release) -> list[Release]:
    """A release, and the feature releases after it: previews after a preview, else the production line."""
    channels: tuple[Channel, ...] = ("preview",) if since.channel == "preview" else PRODUCTION_LINE
    later = [r for r in feature_releases(since.project, channels=channels) if r.date >= since.date and r.version > since.version]
    return [since, *later]


def interval(older: Release, newer: Release) -> Interval:
    """The interval between two releases."""
    days, months = None, None
    if older.month_only or newer.month_only:
        months = (newer.date.year - older.date.year) * 12 + newer.date.month - older.date.month
    else:
        days = (newer.date - older.date).days
    return Interval(older.text, newer.text, days, months)


def successive(found: Iterable[Release]) -> tuple[Interval, ...]:
    """The intervals between releases that follow one another."""
    return tuple(interval(older, newer) for older, newer in pairwise(found))


def intervals(project: str, since: str) -> tuple[Interval, ...]:
    """The intervals between a release and the feature releases after it, one after the other.

    ROCm from 7.14.0: 42 and 40 days. Empty for a version the calendar does not hold.

    Raises:
        SelectionError: If the project has no calendar.
    """
    first = calendar.find_release(project_named(project), since)
    return successive(released_from(first)) if first else ()


def mean_days(found: Iterable[Interval]) -> float | None:
    """Mean of some intervals in days; None if there is none, or one is known to the month only."""
    days = [step.days for step in found]
    known = [d for d in days if d is not None]
    return statistics.fmean(known) if known and len(known) == len(days) else None


def calendar_end(project: str) -> Release:
    """The last release a calendar holds, of any channel. After it the calendar is silent."""
    return calendar.releases(project_named(project))[-1]


@cache
def gaps(project: str) -> tuple[tuple[Release, Release], ...]:
    """Feature releases that follow one another in the calendar though numbers between them are missing (0.5.18 and 0.5.21).

    Between such two the calendar may have a hole, so what it does not hold there is no evidence.
    """
    line = feature_releases(project)
    return tuple(
        (older, newer)
        for older, newer in pairwise(line)
        if older.line == newer.line and newer.version.micro > older.version.micro + 1
    )


def silence(project: str, day: dt.date) -> str:
    """Why the calendar cannot say that there was no release for a day, in words; "" where it can."""
    end = calendar_end(project)
    if end.date < day:
        return f"the calendar ends with {end.text} of {date_text(end)}"
    hole = [f"{a.text} and {b.text}" for a, b in gaps(project) if a.date < day < b.date]
    return f"the calendar holds nothing between {hole[0]}, whose numbers leave a gap" if hole else ""


def kind_of(release: Release) -> Kind:
    """What a release is in its channel."""
    if release.channel == "preview" or release.version.is_prerelease:
        return "preview"
    return "feature" if release.is_feature else "patch"


@cache
def listed(project: str) -> dict[Release, ListedRelease]:
    """A project's releases, oldest first, each as it is listed, with the interval to the one before it in its channel.

    Raises:
        SelectionError: If the project has no calendar.
    """
    last: dict[str, Release] = {}
    found = {}
    for release in calendar.releases(project_named(project)):
        counts = is_new_line(release)
        step = interval(last[release.channel], release) if counts and release.channel in last else None
        if counts:
            last[release.channel] = release
        found[release] = ListedRelease(
            project=release.project,
            version=release.text,
            channel=release.channel,
            kind=kind_of(release),
            date=date_text(release),
            other_dates=list(release.disputed),
            previous=step.older if step else None,
            interval_days=step.days if step else None,
            interval_months=step.months if step else None,
            source=release.source,
        )
    return found
