"""Calendars: when a project released, how often it does, and how many releases a year that makes."""

from __future__ import annotations

from groundspeed.audit import cadence
from groundspeed.audit.claims import language as q
from groundspeed.audit.claims.answers._common import Answer


def answer_release_date(question: q.ReleaseDate) -> list[Answer]:
    days = cadence.dates_of(question.project, question.version)
    if not days:
        return [Answer("", None, "date", question.project, note=f"the calendar holds no {question.project} {question.version}")]
    note = f"sources differ: {', '.join(d.isoformat() for d in days)}" if len(days) > 1 else ""
    return [
        Answer(
            f"{question.project} {question.version}",
            tuple(days),
            "date",
            "release calendar",
            (),
            (),
            ", ".join(d.isoformat() for d in days),
            None,
            note,
        )
    ]


def answer_cadence(question: q.Cadence) -> list[Answer]:
    found = cadence.intervals(question.project, question.since)
    if not found:
        return [
            Answer(
                "",
                None,
                question.unit,
                question.project,
                note=f"no two feature releases of {question.project} since {question.since}",
            )
        ]
    days = [i.days for i in found if i.days is not None]
    if not days:
        return [
            Answer(
                "", None, question.unit, question.project, note=f"the release dates of {question.project} are months, not days"
            )
        ]
    mean = sum(days) / len(days)
    value = mean / 7 if question.unit == "weeks" else mean
    shown = ", ".join(f"{i.older} to {i.newer} {i.days} days" for i in found)
    return [
        Answer(
            "", value, question.unit, "release calendar", (), (), f"{shown}; mean {mean:g} days", None,
            f"{len(found)} interval{'s' if len(found) > 1 else ''}: {shown}. So few intervals show a clock, not that it is fixed",
        )
    ]  # fmt: skip


def answer_release_count(question: q.ReleaseCount) -> list[Answer]:
    if question.every_days is not None:
        value = 365 / question.every_days
        return [Answer("", value, "releases a year", "arithmetic", (), (), f"365 / {question.every_days:g} = {value:.2f}")]
    assert question.project is not None
    found = cadence.feature_releases(question.project, question.year)
    listed = ", ".join(f"{r.text} ({r.date.isoformat()})" for r in found)
    return [
        Answer(
            "",
            float(len(found)),
            "feature releases",
            "release calendar",
            (),
            (),
            f"{len(found)}: {listed}",
            None,
            f"{question.year}: {listed}",
        )
    ]
