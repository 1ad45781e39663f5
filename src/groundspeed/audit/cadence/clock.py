"""A commitment held against the releases, and what lies between two releases or two rounds."""

from __future__ import annotations

import datetime as dt
from calendar import monthrange
from collections.abc import Sequence
from typing import NamedTuple

from groundspeed.audit.cadence.findings import Between, Cadence, Clock, Due, State
from groundspeed.audit.cadence.releases import (
    calendar_end,
    date_text,
    day_of,
    feature_releases,
    gaps,
    listed,
    mean_days,
    project_named,
    release_named,
    released_from,
    silence,
    successive,
)
from groundspeed.audit.velocity import CADENCE_DAYS, releases_between
from groundspeed.errors import SelectionError
from groundspeed.record import calendar
from groundspeed.record.calendar import Release, is_round, round_key


class Commitment(NamedTuple):
    """A committed interval, and the version of the first release on its clock."""

    every_days: int
    since: str


COMMITMENTS = {"ROCm": Commitment(CADENCE_DAYS, "7.14.0")}


def due_dates(first: dt.date, every_days: int, until: dt.date) -> list[dt.date]:
    """The due dates after a first release: every so many days, up to and including the first one after `until`.

    Raises:
        ValueError: If the interval is not at least a day.
    """
    if every_days < 1:
        raise ValueError(f"an interval of {every_days} days")
    last = min(max(first, until).toordinal() + every_days, dt.date.max.toordinal())
    return [dt.date.fromordinal(day) for day in range(first.toordinal() + every_days, last + 1, every_days)]


def days_from(release: Release, due: dt.date) -> int:
    """Days from a due date to a release: 0 on the day, negative before it. From a release dated to the month, to its nearest day."""
    if not release.month_only:
        return (release.date - due).days
    last = release.date.replace(day=monthrange(release.date.year, release.date.month)[1])
    return max((release.date - due).days, 0) or min((last - due).days, 0)


def release_for(project: str, due: dt.date, every_days: int, as_of: dt.date) -> Release | None:
    """The feature release that belongs to a due date: the nearest one, at most half an interval away, that was out on a day."""
    near = [
        (abs(days), r.date, r)
        for r in feature_releases(project)
        if r.date <= as_of and -every_days < 2 * (days := days_from(r, due)) <= every_days
    ]
    return min(near)[2] if near else None


def slippages(release: Release, due: dt.date) -> tuple[int | None, list[int]]:
    """Days by which a release missed a due date, and the same by other sources' dates; None where only its month is known."""
    if release.month_only:
        return None, []
    return (release.date - due).days, [(day_of(text) - due).days for text in release.disputed]


def state_of(due: dt.date, release: Release | None, project: str, as_of: dt.date) -> State:
    """What a day says of a due date, given the release that belongs to it."""
    if release is not None:
        return "released"
    if due >= as_of:
        return "not yet"
    return "no evidence" if silence(project, due) else "no release"


def _nearest_due(days: int, every_days: int) -> int:
    """Which due date is nearest to a release so many days after the first one; half way it is late rather than early."""
    return max(1, -(-(2 * days - every_days) // (2 * every_days)))


# Beyond this many days after the last entry, a clock is a list of due dates that nobody can say anything about.
FAR_DAYS = 3660


def grid(project: str, since: str, every_days: int, as_of: dt.date) -> Clock:
    """Hold a committed interval against a project's feature releases.

    Args:
        project: A project of the calendar.
        since: The first release on the clock.
        every_days: The interval.
        as_of: The day of the answer; later releases do not count.

    Raises:
        SelectionError: If the calendar does not hold the release, or knows only its month.
        ValueError: If the interval is not at least a day.
    """
    first = release_named(project, since)
    if first.month_only:
        raise SelectionError(f"{first.project} {first.text} is dated to the month ({date_text(first)}): no due dates in days")
    last = released_from(first)[-1].date
    if (as_of - last).days > FAR_DAYS:
        raise SelectionError(f"{as_of} is more than ten years after the calendar's last entry of {first.project}, {last}")
    by_due: dict[int, list[Release]] = {}
    for later in released_from(first)[1:]:
        if later.date <= as_of:
            by_due.setdefault(_nearest_due((later.date - first.date).days, every_days), []).append(later)
    newest = max(by_due, default=0)
    until = max(as_of, dt.date.fromordinal(min(first.date.toordinal() + newest * every_days, dt.date.max.toordinal())))
    days = due_dates(first.date, every_days, until)
    dues: list[Due] = []
    off_clock: list[Release] = []
    for i, due in enumerate(days, 1):
        near = sorted((abs((r.date - due).days), r.date, r) for r in by_due.get(i, []))
        release = near[0][2] if near else None
        off_clock += [r for _, _, r in near[1:]]
        slippage, by_others = slippages(release, due) if release else (None, [])
        state = state_of(due, release, first.project, as_of)
        dues.append(
            Due(due, state, release.text if release else None, date_text(release) if release else None, slippage, by_others)
        )
    next_due = days[newest] if newest < len(days) else None
    return Clock(
        since=first.text,
        since_date=first.date,
        other_start_dates=list(first.disputed),
        every_days=every_days,
        dues=dues,
        off_clock=[r.text for r in off_clock],
        next_due=next_due,
        statement=_statement(first.project, dues, next_due, as_of),
    )


def _statement(project: str, dues: Sequence[Due], next_due: dt.date | None, as_of: dt.date) -> str:
    """Whether a due date has passed without a release, told apart from a calendar that has ended."""
    end = calendar_end(project)
    missed = [d.due for d in dues if d.state == "no release"]
    silent = [d.due for d in dues if d.state == "no evidence"]
    said = []
    if missed:
        late = (min(as_of, end.date) - missed[-1]).days
        which = " and ".join(map(str, missed)) if len(missed) < 3 else f"{len(missed)} due dates up to {missed[-1]}"
        said.append(
            f"{which} passed without a release though the calendar goes on to {end.text} of {date_text(end)}: "
            f"late by {late} days or more, counted from {missed[-1]}."
        )
    for words in dict.fromkeys(silence(project, day) for day in silent):
        days = [day for day in silent if silence(project, day) == words]
        which = " and ".join(map(str, days)) if len(days) < 3 else f"{len(days)} due dates from {days[0]} to {days[-1]}"
        said.append(f"{which} passed without a release in the calendar, but {words}: no evidence, which is not the same as late.")
    if not said and next_due is not None:
        said.append(f"No due date has passed without a release as of {as_of}. The next one is {next_due}.")
    return " ".join(said)


def run_cadence(
    project: str,
    as_of: dt.date,
    every_days: int | None = None,
    since: str | None = None,
) -> Cadence:
    """A project's releases, the intervals between them, and its commitment held against them.

    Args:
        project: A project of the calendar, in any spelling of its letters.
        as_of: The day of the answer; later releases are left out.
        every_days: A committed interval; None: the project's own (ROCm: 42 days from 7.14.0), if it has one.
        since: The first release on the clock, and the one that intervals are counted from; None: the project's own, else its first production
            feature release.

    Raises:
        SelectionError: If the calendar does not hold the project or the release, or knows only its month.
        ValueError: If the interval is not at least a day.
    """
    project = project_named(project)
    commitment = COMMITMENTS.get(project)
    releases = [line for release, line in listed(project).items() if release.date <= as_of]
    end = calendar_end(project)
    if since is None and commitment is not None:
        since = commitment.since
    if every_days is None and commitment is not None:
        every_days = commitment.every_days
    features = feature_releases(project)
    first = release_named(project, since) if since is not None else features[0] if features else None
    notes = []
    clock = None
    steps = successive([r for r in released_from(first) if r.date <= as_of]) if first else ()
    if first is not None and first.date > as_of:
        notes.append(f"{project} {first.text} is of {date_text(first)}, after {as_of}: no clock runs yet")
    elif first is not None and every_days is not None:
        clock = grid(project, first.text, every_days, as_of)
    notes += [
        f"nothing is held between {a.text} and {b.text}, whose numbers leave a gap: the interval may be several"
        for a, b in gaps(project)
        if first is not None and first.date <= a.date and b.date <= as_of
    ]
    if clock is not None and clock.other_start_dates:
        notes.append(
            f"another source dates {clock.since} to {', '.join(clock.other_start_dates)}: counted from there, every due date moves with it"
        )
    if any(line.other_dates for line in releases):
        notes.append("where sources disagree, the calendar's own date counts and the others stand beside it")
    return Cadence(
        project=project,
        as_of=as_of,
        releases=releases,
        intervals_since=first.text if first else None,
        intervals=list(steps),
        mean_days=mean_days(steps),
        clock=clock,
        calendar_end=date_text(end),
        calendar_end_version=end.text,
        notes=notes,
    )


def between(project: str, older: str, newer: str) -> Between:
    """The releases between two versions of a project, or between two rounds, in either order.

    Versions are counted as for a rate (`velocity.releases_between`); rounds by their publication dates alone.

    Raises:
        SelectionError: If one is neither a round nor a version of the calendar, if only one is a round, or if both are the same.
    """
    project = project_named(project)
    rounds = [text for text in (older, newer) if is_round(text)]
    if len(rounds) == 1:
        raise SelectionError(f'two rounds or two versions are compared; found "{older}" and "{newer}"')
    found = _between_rounds(project, *sorted(rounds, key=round_key)) if rounds else _between_versions(project, older, newer)
    if found.older == found.newer:
        raise SelectionError(f"nothing lies between {found.older} and itself; name two different ones")
    return found


def _between_versions(project: str, *versions: str) -> Between:
    named = [release_named(project, v) for v in versions]
    # Of the production line the version says which is older, for a late patch of an older line is not newer; a preview is another line.
    of_one_line = all(r.channel != "preview" for r in named)
    older, newer = sorted(named, key=lambda r: (r.version, r.date) if of_one_line else (r.date, r.version))
    found, lines = releases_between(project, older, newer), listed(project)
    notes = [f"{r.text} is a preview, outside the production line" for r in (older, newer) if r.channel == "preview"]
    if found.days is None:
        notes.append("dates are known to the month only: no days")
    elif found.days < 0:
        notes.append(f"{older.text} is a late patch of an older line: it came out after {newer.text}")
    return Between(
        project=project,
        basis="releases",
        older=older.text,
        newer=newer.text,
        older_date=date_text(older),
        newer_date=date_text(newer),
        days=found.days if found.days is None or found.days >= 0 else None,
        feature=[lines[r] for r in found.feature],
        patch=[lines[r] for r in found.patch],
        preview=[lines[r] for r in found.preview],
        notes=notes,
    )


def _between_rounds(project: str, *rounds: str) -> Between:
    known = calendar.rounds()
    for name in rounds:
        if name not in known:
            raise SelectionError(f'round "{name}" is not in the calendar of rounds. It holds {", ".join(known)}.')
    older, newer = (known[name] for name in rounds)
    if older.date is None or newer.date is None:
        raise SelectionError(f"no publication date is known of {older.name if older.date is None else newer.name}")
    lines = [line for r, line in listed(project).items() if older.date < r.date <= newer.date]
    notes = [f"the publication date of {r.name} is an upper bound" for r in (older, newer) if r.published is None]
    if newer.deadline is not None:
        notes.append(f"results of {newer.name} were submitted by {newer.deadline}: a release after that day cannot be in them")
    if any(len(line.date) == 7 for line in lines):
        notes.append("releases dated to the month are placed at its first day")
    return Between(
        project=project,
        basis="rounds",
        older=older.name,
        newer=newer.name,
        older_date=older.date.isoformat(),
        newer_date=newer.date.isoformat(),
        days=(newer.date - older.date).days,
        feature=[line for line in lines if line.kind == "feature"],
        patch=[line for line in lines if line.kind == "patch"],
        preview=[line for line in lines if line.kind == "preview"],
        notes=notes,
    )
