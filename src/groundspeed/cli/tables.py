"""`groundspeed read` and `names`: published tables and names."""

from __future__ import annotations

from typing import Annotated

import typer

from groundspeed.cli.options import JsonOption, Tables, emit, examples, show

app = typer.Typer()
names_app = typer.Typer(no_args_is_help=True, help="Canonical names: list them, check the strings of a table.")
app.add_typer(names_app, name="names")


@app.command(epilog=examples("groundspeed read v6.0_summary_results.json v6.1_summary.csv"))
def read(tables: Tables, json: JsonOption = False) -> None:
    """Read tables and say what became of every row.

    Rows in = results + merged + rejected. Nothing is stored.
    """
    from groundspeed.report.progress import each
    from groundspeed.report.reading import as_dict, render_reading
    from groundspeed.sources.mlperf import read_table

    readings = [read_table(table) for table in each(tables, "reading")]
    if json:
        import msgspec

        emit(msgspec.json.format(msgspec.json.encode([as_dict(r) for r in readings])).decode() + "\n", None)
        return
    for reading in readings:
        show(render_reading(reading), None)


@names_app.command("check", epilog=examples("groundspeed names check v6.1_summary.csv"))
def names_check(tables: Tables, json: JsonOption = False) -> None:
    """Report every published string that no alias table knows. Exit status 1 if there is one."""
    from rich.console import Group

    from groundspeed.report.progress import each
    from groundspeed.report.reading import render_unknown
    from groundspeed.sources.mlperf import read_table

    readings = [read_table(table) for table in each(tables, "reading")]
    unknown = [{"table": r.source, **u._asdict()} for r in readings for u in r.unknown]
    if json:
        import msgspec

        emit(msgspec.json.format(msgspec.json.encode(unknown)).decode() + "\n", None)
    elif unknown:
        show(Group(*render_unknown(readings)), None)
    else:
        typer.echo(f"every published string of {sum(r.rows for r in readings):,} rows is known")
    if unknown:
        raise typer.Exit(1)


@names_app.command("list", epilog=examples("groundspeed names list accelerators"))
def names_list(
    kind: Annotated[str, typer.Argument(help="accelerators, models, submitters, scenarios, precisions or components.")],
) -> None:
    """List canonical names with the published spellings they stand for."""
    from groundspeed.report.reference import render_names

    show(render_names(kind), None)
