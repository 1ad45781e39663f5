"""`groundspeed spread`, `frontier` and `scaling`: comparisons within one round."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from groundspeed.report.comparisons import Row

app = typer.Typer()

RoundOption = Annotated[
    str | None, typer.Option("--round", metavar="ROUND", help='The round, "v6.1". Default: the newest.', show_default=False)
]
HardwareOption = Annotated[
    list[str] | None,
    typer.Option("--hardware", metavar="NAME", help='Accelerator: "MI355X", "8x MI355X", "H200"; "cpu" for CPU-only systems.'),
]
ModelOption = Annotated[
    list[str] | None,
    typer.Option("--model", metavar="NAME", help='Model: "llama2-70b" or, with its target, "llama2-70b-99.9".'),
]
ScenarioOption = Annotated[
    list[str] | None,
    typer.Option("--scenario", metavar="NAME", help="Offline, Server, Interactive, SingleStream or MultiStream."),
]
SubmitterOption = Annotated[
    list[str] | None, typer.Option("--submitter", metavar="NAME", help="Who submitted (spread: the partners).")
]
DivisionOption = Annotated[
    list[str] | None, typer.Option("--division", metavar="NAME", help="closed, open or network. Default: closed.")
]


def _write(form: str, rows: Sequence[Row], text: RenderableType, output: Path | None) -> None:
    """What was found, in the format asked for."""
    from groundspeed.report import comparisons, export

    if form == "json":
        emit(export.to_json(rows), output)
    elif form == "csv":
        emit(comparisons.to_csv(rows), output)
    else:
        show(text, output)


@app.command(
    epilog=examples(
        'groundspeed spread --hardware "8x MI355X"',
        "groundspeed spread --hardware B300 --reference HPE --model gpt-oss-120b",
        "groundspeed spread --round v6.0 --submitter Dell --csv --output dell.csv",
    )
)
def spread(
    reference: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The submitter to compare with. Default: the accelerator's vendor.", show_default=False
        ),
    ] = None,
    round_: RoundOption = None,
    hardware: HardwareOption = None,
    model: ModelOption = None,
    scenario: ScenarioOption = None,
    submitter: SubmitterOption = None,
    division: DivisionOption = None,
    json: JsonOption = False,
    csv: CsvOption = False,
    output: OutputOption = None,
    record: RecordOption = None,
) -> None:
    """Spread: how far partners are from a reference submitter.

    Every result of another submitter against the reference's best, on the same hardware and workload. Options that filter may be repeated or take a comma-separated list: any of the values matches.
    """
    from groundspeed.api import spread as compare
    from groundspeed.report.comparisons import render_spread

    form = format_without_markdown(json, csv, output)
    found = compare(
        record,
        reference=reference,
        round=round_,
        hardware=split(hardware),
        model=split(model),
        scenario=split(scenario),
        submitter=split(submitter),
        division=split(division),
    )
    _write(form, found.systems, render_spread(found), output)


@app.command(
    epilog=examples(
        'groundspeed frontier --hardware "8x B300"',
        "groundspeed frontier --model gpt-oss-120b --per accelerator",
        "groundspeed frontier --round v6.0 --scenario Server --json",
    )
)
def frontier(
    round_: RoundOption = None,
    hardware: HardwareOption = None,
    model: ModelOption = None,
    scenario: ScenarioOption = None,
    submitter: SubmitterOption = None,
    division: DivisionOption = None,
    per: Annotated[
        str | None,
        typer.Option(metavar="UNIT", help='"system" or "accelerator" (throughputs, derived). Default: both.', show_default=False),
    ] = None,
    json: JsonOption = False,
    csv: CsvOption = False,
    output: OutputOption = None,
    record: RecordOption = None,
) -> None:
    """Frontier: the best by anybody, the vendor's own, and the middle.

    Filters choose rows, and each row is of everybody: with --submitter, the rows in which it has a result.
    """
    from groundspeed.api import frontier as look
    from groundspeed.report.comparisons import render_frontier

    form = format_without_markdown(json, csv, output)
    if per not in (None, "system", "accelerator"):
        raise typer.BadParameter(f'"{per}" is neither "system" nor "accelerator"', param_hint="--per")
    found = look(
        record,
        round=round_,
        hardware=split(hardware),
        model=split(model),
        scenario=split(scenario),
        submitter=split(submitter),
        division=split(division),
        per="system" if per == "system" else "accelerator" if per == "accelerator" else None,
    )
    _write(form, found.rows, render_frontier(found), output)


@app.command(
    epilog=examples(
        "groundspeed scaling",
        'groundspeed scaling --hardware "72x MI355X"',
        "groundspeed scaling --submitter NVIDIA --scenario Offline --csv",
    )
)
def scaling(
    round_: RoundOption = None,
    hardware: HardwareOption = None,
    model: ModelOption = None,
    scenario: ScenarioOption = None,
    submitter: SubmitterOption = None,
    division: DivisionOption = None,
    json: JsonOption = False,
    csv: CsvOption = False,
    output: OutputOption = None,
    record: RecordOption = None,
) -> None:
    """Scaling: what each accelerator keeps in a larger system.

    Every larger system against the same submitter's smallest one with that workload. Filters choose the larger system.
    """
    from groundspeed.api import scaling as scale
    from groundspeed.report.comparisons import render_scaling

    form = format_without_markdown(json, csv, output)
    found = scale(
        record,
        round=round_,
        hardware=split(hardware),
        model=split(model),
        scenario=split(scenario),
        submitter=split(submitter),
        division=split(division),
    )
    _write(form, found.rows, render_scaling(found), output)
