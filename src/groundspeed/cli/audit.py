"""`groundspeed audit` and `groundspeed caveats`."""

from __future__ import annotations

from typing import Annotated

import typer

from groundspeed.cli.options import (
    CsvOption,
    JsonOption,
    MarkdownOption,
    OutputOption,
    RecordOption,
    chosen_format,
    emit,
    examples,
    show,
    split,
)

app = typer.Typer()


@app.command(
    epilog=examples(
        "groundspeed audit",
        "groundspeed audit --hardware 8xMI355X --model gpt-oss-120b",
        "groundspeed audit --hardware MI355X --allow count-differs --json",
        "groundspeed audit --rounds v5.1,v6.1 --submitter NVIDIA --division closed",
        "groundspeed audit --rounds all --model llama2-70b --csv --output llama2.csv",
        "groundspeed audit --by-age --hardware H100",
    )
)
def audit(
    hardware: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help='Accelerator: "MI355X", "8x MI355X", "H200"; "cpu" for CPU-only systems.'),
    ] = None,
    model: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help='Model: "llama2-70b" or, with its target, "llama2-70b-99.9".')
    ] = None,
    scenario: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Offline, Server, Interactive, SingleStream or MultiStream.")
    ] = None,
    submitter: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Who submitted the newer result.")] = None,
    rounds: Annotated[
        str | None,
        typer.Option(
            metavar="ROUNDS", help='Two rounds, "v5.1,v6.1", or "all" for every consecutive pair. Default: the newest pair.'
        ),
    ] = None,
    division: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="closed, open or network, of the newer result.")
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="CAVEAT", help="A relaxation to allow besides the default ones (`groundspeed caveats` lists them)."),
    ] = None,
    allow_only: Annotated[
        list[str] | None,
        typer.Option(metavar="CAVEAT", help='The relaxations to allow instead of the default ones; "none" for none.'),
    ] = None,
    by_age: Annotated[
        bool, typer.Option("--by-age", help="Gains by rounds since a workload first appeared on an accelerator.")
    ] = False,
    chains: Annotated[
        bool, typer.Option("--chains", help="Series over all rounds: software steps chained, first against last.")
    ] = False,
    json: JsonOption = False,
    csv: CsvOption = False,
    markdown: MarkdownOption = False,
    output: OutputOption = None,
    record: RecordOption = None,
) -> None:
    """Audit: how much faster the same hardware got.

    Compares published results on hardware that did not change, so that software is the only thing that can have moved: the change,
    whether it stands out of the noise, and the rate per release and per 42 days. Options that filter may be repeated or take a comma-separated list: any of the values matches.
    """
    from groundspeed.api import audit_record, gains_by_age
    from groundspeed.audit import Filters
    from groundspeed.audit.caveats import allowed_relaxations
    from groundspeed.report import export, text

    form = chosen_format(json, csv, markdown, output)
    if by_age and chains:
        raise typer.BadParameter("only one of --by-age and --chains")
    if allow and allow_only:
        raise typer.BadParameter("only one of --allow and --allow-only")
    if (by_age or chains) and rounds not in (None, "all"):
        raise typer.BadParameter("--by-age and --chains look at all rounds; leave --rounds out")
    if (by_age or chains) and form == "markdown":
        raise typer.BadParameter("--markdown is for the pairs; use --json or --csv here")
    allowed = allowed_relaxations(split(allow), split(allow_only) if allow_only else None)
    filters = Filters(split(hardware), split(model), split(scenario), split(submitter), split(division))
    writers = {"json": export.to_json, "csv": export.to_csv}
    if by_age:
        ages = gains_by_age(record, filters=filters, allowed=allowed)
        emit(writers[form](ages.groups), output) if form in writers else show(text.render_ages(ages), output)
        return
    found = audit_record(record, rounds="all" if chains else rounds, **filters._asdict(), allowed=allowed)
    if chains:
        emit(writers[form](found.chains), output) if form in writers else show(text.render_chains(found), output)
    elif form == "markdown":
        emit(export.to_markdown(found), output)
    elif form in writers:
        emit(writers[form](found.findings), output)
    else:
        show(text.render_audit(found), output)


@app.command()
def caveats() -> None:
    """List the caveats of a comparison.

    What each means, and which are allowed by default.
    """
    from groundspeed.report.reference import render_caveats

    show(render_caveats(), None)
