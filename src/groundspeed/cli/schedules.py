"""`groundspeed cadence` and `groundspeed watch`: calendars and standing questions."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from groundspeed.cli.options import (
    CsvOption,
    JsonOption,
    OutputOption,
    RecordOption,
    emit,
    examples,
    format_without_markdown,
    show,
    split,
)

app = typer.Typer()

ATTENTION = 3

AsOfOption = Annotated[
    str | None, typer.Option("--as-of", metavar="DATE", help="The day of the answer. Default: today.", show_default=False)
]


def _day(text: str | None) -> dt.date | None:
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f'--as-of takes a date such as 2026-11-18; found "{text}"') from None


@app.command(
    epilog=examples(
        "groundspeed cadence",
        "groundspeed cadence SGLang --every 14 --since 0.5.13",
        "groundspeed cadence ROCm --as-of 2026-10-20 --json",
        "groundspeed cadence --between v6.0 v6.1",
        "groundspeed cadence --between 7.0.0 7.2.2 --csv --output between.csv",
    )
)
def cadence(
    project: Annotated[str, typer.Argument(help="ROCm, CUDA, TensorRT-LLM, vLLM, SGLang or MIGraphX.")] = "ROCm",
    every: Annotated[
        int | None,
        typer.Option(min=1, max=3660, metavar="DAYS", help="The committed interval. Built in for ROCm: 42.", show_default=False),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(metavar="VERSION", help="The first release on the clock. Built in for ROCm: 7.14.0.", show_default=False),
    ] = None,
    between: Annotated[
        tuple[str, str] | None,
        typer.Option(metavar="A B", help="Instead: the releases between two rounds, or two versions.", show_default=False),
    ] = None,
    as_of: AsOfOption = None,
    json: JsonOption = False,
    csv: CsvOption = False,
    output: OutputOption = None,
) -> None:
    """Cadence: a project's releases, their intervals, and a committed interval held against them.

    Each feature release belongs to the due date it is nearest to; slippage is its day less the due date. A due date that passed without
    a release is late only if the calendar goes on beyond it; a calendar that ends before it has no evidence.
    """
    from groundspeed import api
    from groundspeed.report import schedules
    from groundspeed.report.export import to_json

    form, day = format_without_markdown(json, csv, output), _day(as_of)
    if between:
        if every is not None or since is not None or day is not None:
            raise typer.BadParameter("--between takes two rounds or versions; leave --every, --since and --as-of out")
        found = api.releases_between(project, *between)
        if form == "json":
            emit(to_json([found]), output)
        elif form == "csv":
            emit(schedules.between_csv(found), output)
        else:
            show(schedules.render_between(found), output)
        return
    clock = api.cadence(project, as_of=day, every_days=every, since=since)
    if form == "json":
        emit(to_json([clock]), output)
    elif form == "csv":
        emit(schedules.cadence_csv(clock), output)
    else:
        show(schedules.render_cadence(clock), output)


@app.command(
    epilog=examples(
        "groundspeed watch",
        "groundspeed watch rocm-november-2026 --as-of 2026-12-01",
        "groundspeed watch --watches mine.toml --fail-on no --json --output answers.json",
        'groundspeed watch --fail-on "no,no evidence"',
    )
)
def watch(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="Only these watches. Default: all.", show_default=False)
    ] = None,
    watches: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A TOML file of watches of your own, besides the built-in ones; may be repeated."),
    ] = None,
    as_of: AsOfOption = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ANSWERS",
            help=f"Exit with status {ATTENTION} if a watch has one of these answers: yes, no, not yet, no evidence.",
        ),
    ] = None,
    json: JsonOption = False,
    csv: CsvOption = False,
    output: OutputOption = None,
    record: RecordOption = None,
) -> None:
    """Watch: standing questions, each answered as of a day.

    Every answer is yes, no, not yet, or no evidence in the record, with the results or releases it rests on. Exit status: 0 answered, 1 a
    file or the selection is at fault (every mistake is listed), 2 wrong usage, 3 an answer of --fail-on was given.
    """
    from groundspeed import api
    from groundspeed.audit.watch import known_verdicts
    from groundspeed.report import schedules
    from groundspeed.report.export import to_json

    form, day = format_without_markdown(json, csv, output), _day(as_of)
    failing = known_verdicts(split(fail_on))
    answers = api.watch(record, ids=split(ids), files=watches or (), as_of=day)
    if form == "json":
        emit(to_json(answers), output)
    elif form == "csv":
        emit(schedules.answers_csv(answers), output)
    else:
        show(schedules.render_answers(answers), output)
    if any(a.answer in failing for a in answers):
        raise typer.Exit(ATTENTION)
