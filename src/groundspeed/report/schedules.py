"""Cadences and answers to watches as text and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from groundspeed.audit.cadence import Between, Cadence, Clock, Due, ListedRelease
from groundspeed.audit.watch import Answer, Row, Sign
from groundspeed.report import figures
from groundspeed.report.comparisons import Sheet
from groundspeed.report.export import rows_to_csv
from groundspeed.report.messaging import notice

_NONE = "–"

# Rows of evidence in text; JSON has more of them.
_SHOWN = 12


def _date(date: str, others: Sequence[str]) -> str:
    return f"{date}; also {', '.join(others)}" if others else date


def _days(number: int) -> str:
    return "1 day" if number == 1 else f"{number} days"


def _slippage(days: int | None) -> str:
    """Days against a due date: "0 days", "-2 days (early)", "+3 days (late)"."""
    if days is None:
        return _NONE
    side = f" ({'late' if days > 0 else 'early'})" if days else ""
    return f"{days:+d} day{'' if abs(days) == 1 else 's'}{side}" if days else "0 days"


def _interval(line: ListedRelease) -> str:
    if line.interval_days is not None:
        return _days(line.interval_days)
    if line.interval_months is not None:
        return "1 month" if line.interval_months == 1 else f"{line.interval_months} months"
    return _NONE


def _releases(title: str, lines: Sequence[ListedRelease]) -> Sheet:
    """Releases, newest last."""
    rows = [
        [line.version, line.kind, line.channel, _date(line.date, line.other_dates), _interval(line), line.previous or _NONE]
        for line in lines
    ]
    return Sheet(title, ("release", "kind", "channel", "date", ">interval", "since"), rows, 1)


def _due(due: Due, dates: dict[str, str]) -> list[str]:
    others = " or ".join(f"{days:+d}" if days else "0" for days in due.slippage_by_other_dates)
    slippage = _slippage(due.slippage_days) + (f", or {others}" if others else "")
    return [due.due.isoformat(), due.state, due.version or _NONE, dates.get(due.version or "", _NONE), slippage]


def _clock(clock: Clock, releases: Sequence[ListedRelease]) -> list[RenderableType]:
    """The due dates with the releases that belong to them, and what it comes to."""
    dates = {line.version: _date(line.date, line.other_dates) for line in releases}
    title = f"Every {_days(clock.every_days)} from {clock.since} ({_date(clock.since_date.isoformat(), clock.other_start_dates)})"
    parts: list[RenderableType] = [
        Sheet(title, ("due", "state", "release", "date", "slippage"), [_due(d, dates) for d in clock.dues], 2)
    ]
    if clock.off_clock:
        parts.append(Text(f"Feature releases off the clock: {', '.join(clock.off_clock)}."))
    parts.append(Text(clock.statement))
    if clock.next_due:
        parts.append(Text(f"Next due date after the newest release: {clock.next_due}."))
    return parts


def _intervals(cadence: Cadence) -> list[RenderableType]:
    """The intervals in one line, as days where all are known and as months where they are not."""
    if not cadence.intervals:
        return []
    days = [step.days for step in cadence.intervals]
    unit, parts = ("days", days) if None not in days else ("months", [step.months for step in cadence.intervals])
    each = ", ".join(_NONE if n is None else str(n) for n in parts)
    mean = f"; mean {cadence.mean_days:.4g}" if cadence.mean_days is not None else ""
    return [Text(f"Intervals between feature releases since {cadence.intervals_since}: {each} {unit}{mean}.")]


def render_cadence(cadence: Cadence) -> Group:
    """A cadence: the commitment, the intervals, the releases."""
    parts: list[RenderableType] = [Text(f"{cadence.project} releases as of {cadence.as_of}", style="bold"), Text("")]
    if cadence.clock is not None:
        parts += _clock(cadence.clock, cadence.releases)
    parts += _intervals(cadence)
    parts.append(Text(f"The calendar ends with {cadence.calendar_end_version} of {cadence.calendar_end}."))
    parts += [Text(f"Note: {note}.") for note in cadence.notes]
    return Group(*parts, Text(""), _releases("Releases", cadence.releases))


def render_between(found: Between) -> Group:
    """The releases between two points, by kind."""
    days = f", {_days(found.days)}" if found.days is not None else ""
    counts = f"{len(found.feature)} feature, {len(found.patch)} patch, {len(found.preview)} preview"
    head = f"{found.project} between {found.older} ({found.older_date}) and {found.newer} ({found.newer_date}){days}: {counts}"
    basis = (
        "Counted as for a rate: later than the older one by version, and out no later than the newer one; previews by date."
        if found.basis == "releases"
        else "By the rounds' publication dates. Which of them a result used is what its declared stack says."
    )
    kinds = (("Feature releases", found.feature), ("Patch releases", found.patch), ("Previews", found.preview))
    sheets = [_releases(title, lines) for title, lines in kinds if lines]
    return Group(Text(head, style="bold"), Text(basis), *(Text(f"Note: {note}.") for note in found.notes), Text(""), *sheets)


def _line(line: ListedRelease, due: Due | None = None) -> dict[str, Any]:
    return {
        **msgspec.to_builtins(line),
        "due": due.due.isoformat() if due else None,
        "state": due.state if due else None,
        "slippage_days": due.slippage_days if due else None,
        "slippage_by_other_dates": due.slippage_by_other_dates if due else [],
    }


def cadence_csv(cadence: Cadence) -> str:
    """One row a release, and one a due date that has none; in the order of their dates."""
    dues = cadence.clock.dues if cadence.clock else []
    matched = {d.version: d for d in dues if d.version}
    rows = [(line.date, _line(line, matched.get(line.version))) for line in cadence.releases]
    for due in (d for d in dues if d.version is None):
        empty: dict[str, Any] = dict.fromkeys(ListedRelease.__struct_fields__)
        found: dict[str, Any] = {
            "due": due.due.isoformat(),
            "state": due.state,
            "slippage_days": None,
            "slippage_by_other_dates": [],
        }
        rows.append((due.due.isoformat(), {**empty, "project": cadence.project, **found}))
    return rows_to_csv([row for _, row in sorted(rows, key=lambda pair: pair[0])])


def between_csv(found: Between) -> str:
    """One row a release."""
    lines = sorted([*found.feature, *found.patch, *found.preview], key=lambda line: line.date)
    return rows_to_csv([{"older": found.older, "newer": found.newer, **msgspec.to_builtins(line)} for line in lines])


def _results(rows: Sequence[Row]) -> Sheet:
    """Results, with what each says where any of them says something."""
    says = any(row.says for row in rows)
    columns = ["round", "submitter", "system", "workload", ">result", *(["says"] if says else []), "path"]
    cells = [
        [
            row.round,
            row.submitter if row.division == "closed" else f"{row.submitter} ({row.division})",
            row.hardware,
            f"{row.model} {row.scenario}",
            f"{figures.value(row.value)} {row.unit}",
            *([row.says or _NONE] if says else []),
            row.path,
        ]
        for row in rows
    ]
    return Sheet("Results", columns, cells, 4)


_ROLES = {"release": "the release", "sign": "a sign", "calendar-end": "the calendar's end"}


def _sign(sign: Sign) -> list[str]:
    return [
        f"{sign.project} {sign.version}",
        _date(sign.date, sign.other_dates),
        _slippage(sign.slippage_days),
        _ROLES[sign.role],
        sign.source,
    ]


def _answer(answer: Answer) -> list[RenderableType]:
    parts: list[RenderableType] = [
        Text(f"{answer.id}: {answer.answer}", style="bold"),
        Text(answer.question),
        Text(answer.sentence),
        *(Text(f"Note: {note}.") for note in answer.notes),
        Text(""),
    ]
    if answer.releases:
        parts.append(
            Sheet(
                "Releases",
                ("release", "date", ">against the due date", "what it is", "source"),
                [_sign(s) for s in answer.releases],
                1,
            )
        )
    if answer.rows:
        parts.append(_results(answer.rows[:_SHOWN]))
        if len(answer.rows) > _SHOWN:
            parts.append(Text(f"... and {len(answer.rows) - _SHOWN} more (--json lists them)\n"))
    return parts


def render_answers(answers: Sequence[Answer]) -> Group:
    """Every answer with its evidence, after a list of all answers; and the notice where results are shown."""
    head: list[RenderableType] = []
    if len(answers) > 1:
        title = f"Standing questions as of {answers[0].as_of}"
        head = [Sheet(title, ("watch", "answer"), [[a.id, a.answer] for a in answers], 1)]
    elif answers:
        head = [Text(f"As of {answers[0].as_of}", style="bold"), Text("")]
    rounds = sorted({row.round for a in answers for row in a.rows})
    foot = [Text(notice([(name, name) for name in rounds]), style="italic")] if rounds else []
    return Group(*head, *(part for a in answers for part in _answer(a)), *foot)


def _evidence(answer: Answer) -> str:
    releases = [f"{s.project} {s.version} {s.date} ({_ROLES[s.role]})" for s in answer.releases]
    rows = [f"{r.round} {r.submitter} {r.hardware} {r.model} {r.scenario} {r.value:.10g} {r.unit} {r.path}" for r in answer.rows]
    return " | ".join([*releases, *rows])


def answers_csv(answers: Sequence[Answer]) -> str:
    """One row an answer, its evidence in one column."""
    return rows_to_csv(
        [
            {
                "id": a.id,
                "kind": a.kind,
                "question": a.question,
                "as_of": a.as_of.isoformat(),
                "answer": a.answer,
                "sentence": a.sentence,
                "evidence": _evidence(a),
                "notes": " | ".join(a.notes),
            }
            for a in answers
        ]
    )
