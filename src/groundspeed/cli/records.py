"""`groundspeed ingest` and `groundspeed record`: record files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from groundspeed.cli.options import JsonOption, RecordOption, Tables, emit, examples, show
from groundspeed.sources._limits import Limits

_LIMITS = Limits()

app = typer.Typer()
record_app = typer.Typer(no_args_is_help=True, help="Build, describe, export and compare record files.")
app.add_typer(record_app, name="record")

RecordFile = Annotated[Path, typer.Option("--record", metavar="FILE", help="The record file.", show_default=False)]
WaitOption = Annotated[
    float, typer.Option("--wait", metavar="SECONDS", help="How long to wait for another process that uses it.")
]


def _json(value: Any) -> None:
    import msgspec

    emit(msgspec.json.format(msgspec.json.encode(value)).decode() + "\n", None)


@app.command(
    epilog=examples(
        "groundspeed ingest v6.0_summary_results.json v6.1_summary.csv --record team.duckdb",
        "groundspeed ingest inference_results_v6.0.tar.gz --record team.duckdb",
        "groundspeed ingest inference_results_v6.0.git --revision main --record team.duckdb",
    )
)
def ingest(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Published tables, directories, .zip, .tar, .tar.gz, git repositories, and with --allow-network addresses.",
            show_default=False,
        ),
    ],
    record: Annotated[
        Path, typer.Option("--record", metavar="FILE", help="The record file; made if it is not there.", show_default=False)
    ],
    revision: Annotated[
        str | None, typer.Option(metavar="REV", help="Branch, tag or commit of a repository; nothing is checked out.")
    ] = None,
    allow_network: Annotated[bool, typer.Option("--allow-network", help="Fetch http(s) addresses.")] = False,
    wait: WaitOption = 60.0,
    max_files: Annotated[int, typer.Option(min=1, help="Files in one place at the most.")] = _LIMITS.files,
    max_file_bytes: Annotated[int, typer.Option(min=1, help="Bytes of one file, unpacked.")] = _LIMITS.file_bytes,
    max_bytes: Annotated[int, typer.Option(min=1, help="Bytes of one place, unpacked, or of a download.")] = _LIMITS.total_bytes,
    max_ratio: Annotated[int, typer.Option(min=1, help="Unpacked bytes for one packed byte, above 64 MiB.")] = _LIMITS.ratio,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but failures.")] = False,
    json: JsonOption = False,
) -> None:
    """Read sources into a record file.

    One transaction a source: each is in the record completely or not at all. The same content again changes nothing; other content
    of the same name supersedes the old, which is kept (`groundspeed record diff`). Exit status 1 if a source failed; the others are
    in the record.
    """
    from groundspeed.api.ingesting import ingest as ingesting
    from groundspeed.record.ingested import Ingested
    from groundspeed.report.progress import steps
    from groundspeed.report.records import render_ingested

    def left_out(place: str, members: Sequence[str]) -> None:
        if not quiet:
            typer.echo(f"groundspeed: {place}: {len(members)} left out, such as {members[0]}", err=True)

    limits = Limits(max_files, max_file_bytes, max_bytes, max_ratio)
    items: list[Ingested] = []
    try:
        with steps("reading", len(paths), quiet or json) as progress:
            items.extend(
                ingesting(
                    paths,
                    record,
                    limits=limits,
                    revision=revision,
                    allow_network=allow_network,
                    wait=wait,
                    progress=progress,
                    left_out=left_out,
                )
            )
    finally:
        # Also where the record could not be written: what was taken before is in it.
        if json:
            _json([item.as_dict() for item in items])
        elif items and not quiet:
            show(render_ingested(items, record), None)
    failures = [item for item in items if item.error is not None]
    for item in failures:
        typer.echo(f"groundspeed: {item.error}", err=True)
    if failures:
        raise typer.Exit(1)


@record_app.command(
    "build",
    epilog=examples(
        "groundspeed record build v6.0_summary_results.json v6.1_summary.csv --output mine.parquet",
        "groundspeed record build v5.0_summary_results.json --with-embedded --output with-v5.0.parquet",
    ),
)
def build(
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


@record_app.command("info")
def info(record: RecordOption = None) -> None:
    """Say what a record holds: results by round, division and source."""
    from groundspeed.api import open_record
    from groundspeed.report.reference import render_record

    show(render_record(open_record(record)), None)


@record_app.command("list", epilog=examples("groundspeed record list --record team.duckdb"))
def list_(record: RecordOption = None, json: JsonOption = False) -> None:
    """List the sources of a record: what was read, when, and what became of its rows."""
    from groundspeed.api import open_record
    from groundspeed.report.records import render_sources, source_as_dict

    opened = open_record(record)
    if json:
        _json([source_as_dict(source) for source in opened.sources()])
    else:
        show(render_sources(opened), None)


@record_app.command("show", epilog=examples("groundspeed record show v6.1-0a1b2c3d4e5f"))
def show_(
    id_: Annotated[str, typer.Argument(metavar="ID", help="A result's id.", show_default=False)],
    record: RecordOption = None,
    json: JsonOption = False,
) -> None:
    """Show one result with all that is known of it, and what other contents of its sources say."""
    from groundspeed.api import open_record
    from groundspeed.record.differences import other_versions
    from groundspeed.report.records import found_result, render_result

    result = found_result(open_record(record), id_)
    if json:
        _json(result)
    else:
        show(render_result(result, other_versions(record or (), id_)), None)


@record_app.command("export", epilog=examples("groundspeed record export team.parquet --record team.duckdb"))
def export(
    output: Annotated[Path, typer.Argument(metavar="OUT", help="A file ending in .parquet, .csv or .jsonl.", show_default=False)],
    record: RecordOption = None,
) -> None:
    """Write the results of a record to a file; .parquet is a record again."""
    from groundspeed.api import open_record
    from groundspeed.report import records

    typer.echo(f"{output}: {records.export(open_record(record), output):,} results")


@record_app.command("remove", epilog=examples("groundspeed record remove v6.1_summary.csv --record team.duckdb"))
def remove(
    source: Annotated[
        str, typer.Argument(help="A source's name, or the beginning of its SHA-256 (`record list`).", show_default=False)
    ],
    record: RecordFile,
    wait: WaitOption = 60.0,
) -> None:
    """Remove a source with all its rows from a record file."""
    from groundspeed.api.ingesting import remove as removing

    removed = removing(record, source, wait=wait)
    typer.echo(f"{record}: removed {removed.name} ({removed.sha256[:12]}), {removed.results:,} results")


@record_app.command("diff", epilog=examples("groundspeed record diff v6.1_summary.csv --record team.duckdb"))
def diff(
    record: RecordFile,
    source: Annotated[
        str | None, typer.Argument(help="A source's name, or the beginning of a SHA-256; without it, all.", show_default=False)
    ] = None,
    json: JsonOption = False,
) -> None:
    """Show what changed when a source was read again with other content: by result and by field."""
    from groundspeed.record.differences import differences
    from groundspeed.report.records import render_differences

    found = differences(record, source)
    if json:
        _json([difference.as_dict() for difference in found])
    else:
        show(render_differences(found), None)


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
