"""`groundspeed read`, `names` and `record`: published tables, names, record files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundspeed.cli.options import JsonOption, RecordOption, Tables, emit, examples, show

app = typer.Typer()
record_app = typer.Typer(no_args_is_help=True, help="Build and describe record files.")
names_app = typer.Typer(no_args_is_help=True, help="Canonical names: list them, check the strings of a table.")
app.add_typer(record_app, name="record")
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


@record_app.command(
    "build",
    epilog=examples(
        "groundspeed record build v6.0_summary_results.json v6.1_summary.csv --output mine.parquet",
        "groundspeed record build v5.0_summary_results.json --with-embedded --output with-v5.0.parquet",
    ),
)
def record_build(
    tables: Tables,
    output: Annotated[Path, typer.Option("--output", "-o", help="The record file to write (Parquet).")],
    with_embedded: Annotated[
        bool, typer.Option("--with-embedded", help="Take over the results of the embedded record as well.")
    ] = False,
) -> None:
    """Read published tables and write a record of them. The same tables give the same bytes."""
    from groundspeed.api import build_record
    from groundspeed.record import Record
    from groundspeed.report.progress import each
    from groundspeed.report.reading import render_reading

    built = build_record(each(tables, "reading"), output, base=Record() if with_embedded else None)
    for reading in built.readings:
        show(render_reading(reading), None)
    typer.echo(f"{built.path}: {built.results:,} results, {built.path.stat().st_size:,} bytes")


@record_app.command(
    "copy",
    epilog=examples(
        "groundspeed record copy postgres://anna@db.example/perf?table=bench.results",
        "groundspeed record copy postgres://anna@db.example/perf --record mine.parquet --replace",
        "groundspeed record copy mine.parquet --record postgres://anna@db.example/perf",
    ),
)
def record_copy(
    to: Annotated[str, typer.Argument(metavar="FILE|URL", help="Where to: an engine's address, or a record file.")],
    record: RecordOption = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a record that is there already.")] = False,
) -> None:
    """Copy a record onto an engine, or from one into a file, whole or not at all."""
    from groundspeed.api import copy_record

    copied = copy_record(to, record=record, replace=replace)
    typer.echo(f"{copied.to}: {copied.results:,} results")


@record_app.command("info")
def record_info(record: RecordOption = None) -> None:
    """Say what a record holds: results by round, division and source."""
    from groundspeed.record import Record
    from groundspeed.report.reference import render_record

    show(render_record(Record(record)), None)
