"""Cadence: a project's releases, the intervals between them, and a committed interval held against them.

A commitment is a number of days and the first release on the clock (method, section 8): due dates follow it at that interval, and
every feature release belongs to the due date it is nearest to. Slippage is the release's day less the due date: negative is early.
A calendar is a list that somebody keeps: what it does not hold after its own last release is no evidence of a delay.
"""

from groundspeed.audit.cadence.clock import (
    COMMITMENTS,
    Commitment,
    between,
    days_from,
    due_dates,
    grid,
    release_for,
    run_cadence,
    slippages,
    state_of,
)
from groundspeed.audit.cadence.findings import Between, Cadence, Clock, Due, Interval, ListedRelease
from groundspeed.audit.cadence.releases import (
    PRODUCTION_LINE,
    calendar_end,
    date_text,
    dates_of,
    feature_releases,
    intervals,
    listed,
    mean_days,
    project_named,
    release_named,
    silence,
)
from groundspeed.record.calendar import projects

__all__ = [
    "COMMITMENTS",
    "PRODUCTION_LINE",
    "Between",
    "Cadence",
    "Clock",
    "Commitment",
    "Due",
    "Interval",
    "ListedRelease",
    "between",
    "calendar_end",
    "date_text",
    "dates_of",
    "days_from",
    "due_dates",
    "feature_releases",
    "grid",
    "intervals",
    "listed",
    "mean_days",
    "project_named",
    "projects",
    "release_for",
    "release_named",
    "run_cadence",
    "silence",
    "slippages",
    "state_of",
]
