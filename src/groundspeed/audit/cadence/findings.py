"""What a cadence is made of: releases as listed, due dates and what became of them, and the releases between two points."""

from __future__ import annotations

import datetime as dt
from typing import Literal

import msgspec

Kind = Literal["feature", "patch", "preview"]
State = Literal["released", "not yet", "no release", "no evidence"]


class Interval(msgspec.Struct, frozen=True):
    """Two releases that follow one another.

    Attributes:
        older: Version of the older one.
        newer: Version of the newer one.
        days: Days between; None where a date is known to the month only.
        months: Calendar months between in that case, else None.
    """

    older: str
    newer: str
    days: int | None
    months: int | None


class ListedRelease(msgspec.Struct, frozen=True):
    """A release as it stands in the calendar.

    Attributes:
        kind: feature (x.y.0), patch, or preview.
        date: "2026-07-15", or "2025-12" where only the month is known.
        other_dates: Dates that other sources give.
        previous: For a feature release, and for a preview of a new x.y.0, the one before it in the same channel; None for the first and for all others.
        interval_days: Days since `previous`; None where a date is known to the month only.
        interval_months: Calendar months since `previous` in that case.
        source: Where the date comes from.
    """

    project: str
    version: str
    channel: str
    kind: Kind
    date: str
    other_dates: list[str]
    previous: str | None
    interval_days: int | None
    interval_months: int | None
    source: str


class Due(msgspec.Struct, frozen=True):
    """A due date and what became of it.

    Attributes:
        state: released; not yet (not passed); no release (passed, and the calendar goes on beyond it without one); no evidence (passed,
            but the calendar ends before it, or has a hole there).
        version: The release, None if there is none.
        released: Its date.
        slippage_days: The release's date less the due date: 0 on the day, negative early. None without a day.
        slippage_by_other_dates: The same by the dates that other sources give.
    """

    due: dt.date
    state: State
    version: str | None
    released: str | None
    slippage_days: int | None
    slippage_by_other_dates: list[int]


class Clock(msgspec.Struct, frozen=True):
    """A committed interval held against the releases.

    Attributes:
        since: First release on the clock; due dates count from its date.
        other_start_dates: Dates of that release in other sources: each would move every due date.
        dues: Due dates up to the first one after `as_of`.
        off_clock: Feature releases besides the one that is nearest to its due date.
        next_due: The due date after that of the newest release; None where the calendar of years ends.
        statement: Whether a due date has passed without a release, in a sentence.
    """

    since: str
    since_date: dt.date
    other_start_dates: list[str]
    every_days: int
    dues: list[Due]
    off_clock: list[str]
    next_due: dt.date | None
    statement: str


class Cadence(msgspec.Struct, frozen=True):
    """A project's releases up to a day, and its intervals.

    Attributes:
        releases: Oldest first; those after `as_of` are left out.
        intervals_since: The release that `intervals` start from; None if the project has no feature release.
        intervals: Between successive feature releases of the production line from there on.
        mean_days: Their mean; None if one of them is unknown or there is none.
        clock: The commitment, None without one.
        calendar_end: Date of the last release the calendar holds, whatever `as_of` is.
        calendar_end_version: That release.
        notes: What a reader should know besides.
    """

    project: str
    as_of: dt.date
    releases: list[ListedRelease]
    intervals_since: str | None
    intervals: list[Interval]
    mean_days: float | None
    clock: Clock | None
    calendar_end: str
    calendar_end_version: str
    notes: list[str]


class Between(msgspec.Struct, frozen=True):
    """The releases between two releases or two rounds, each after the older and up to the newer one.

    Attributes:
        basis: "releases", counted as for a rate (`velocity.releases_between`), or "rounds", by the rounds' publication dates.
        days: Between the two dates; None where one is known to the month only, or the older version came out later.
        notes: Which dates are bounds, and what else qualifies the list.
    """

    project: str
    basis: Literal["releases", "rounds"]
    older: str
    newer: str
    older_date: str
    newer_date: str
    days: int | None
    feature: list[ListedRelease]
    patch: list[ListedRelease]
    preview: list[ListedRelease]
    notes: list[str]
