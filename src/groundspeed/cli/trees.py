"""`groundspeed runs` and `groundspeed crosscheck`: the logs beneath the tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundspeed.cli.options import CsvOption, JsonOption, OutputOption, emit, examples, format_without_markdown, show, split

app = typer.Typer()

TreeArgument = Annotated[
    str,
    typer.Argument(
        help="A directory, archive or git repository with result trees (<closed|open>/<submitter>/results/...), at any depth.",
        show_default=False,
    ),
]
RoundOption = Annotated[str | None, typer.Option("--round", help="The round, where no directory names it.", show_default=False)]
AllOption = Annotated[bool, typer.Option("--all", help="Show every row instead of the first of each kind.")]


@app.command(
    epilog=examples(
        "groundspeed runs inference_results_v6.0",
        "groundspeed runs inference_results_v6.0 --submitter AMD --model gpt-oss-120b",
        "groundspeed runs inference_results_v6.0 --json",
    )
)
def runs(
    tree: TreeArgument,
    submitter: Annotated[list[str] | None, typer.Option(help="Only these submitters.", show_default=False)] = None,
    model: Annotated[list[str] | None, typer.Option(help="Only these models.", show_default=False)] = None,
    scenario: Annotated[list[str] | None, typer.Option(help="Only these scenarios.", show_default=False)] = None,
    round_: RoundOption = None,
    json: JsonOption = False,
    csv: CsvOption = False,
    output: OutputOption = None,
) -> None:
    """Runs: what the logs of a result tree say."""
    from groundspeed.api import read_runs, select_runs
    from groundspeed.report.crosscheck import render_runs, runs_to_csv, runs_to_json
    from groundspeed.report.progress import each

    form = format_without_markdown(json, csv, output)
    reading = read_runs(tree, round_, progress=lambda runs: each(runs, "reading logs"))
    chosen = select_runs(reading.runs, split(submitter), split(model), split(scenario))
    if form == "json":
        emit(runs_to_json(reading, chosen), output)
    elif form == "csv":
        emit(runs_to_csv(chosen), output)
    else:
        show(render_runs(reading, chosen), output)


@app.command(
    epilog=examples(
        "groundspeed crosscheck inference_results_v6.0",
        "groundspeed crosscheck inference_results_v6.0 summary_results.json",
        "groundspeed crosscheck inference_results_v6.0 --kind value --kind statistic --csv",
    )
)
def crosscheck(
    tree: TreeArgument,
    table: Annotated[
        Path | None, typer.Argument(help="A published table or a record file. Default: the embedded record.", show_default=False)
    ] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only these kinds of differences.", show_default=False)] = None,
    round_: RoundOption = None,
    all_: AllOption = False,
    json: JsonOption = False,
    csv: CsvOption = False,
    output: OutputOption = None,
) -> None:
    """Crosscheck: where the published table and the logs beneath it disagree, worst first.

    The table's value stays the official one.
    """
    from groundspeed.api import crosscheck as check
    from groundspeed.api import read_runs
    from groundspeed.report.crosscheck import crosscheck_to_csv, crosscheck_to_json, render_crosscheck
    from groundspeed.report.progress import each

    form = format_without_markdown(json, csv, output)
    reading = read_runs(tree, round_, progress=lambda runs: each(runs, "reading logs"))
    found = check(reading, table, kinds=split(kind))
    if form == "json":
        emit(crosscheck_to_json(found, reading), output)
    elif form == "csv":
        emit(crosscheck_to_csv(found.differences), output)
    else:
        show(render_crosscheck(found, reading, table.name if table else "the embedded record", all_ or bool(kind)), output)
