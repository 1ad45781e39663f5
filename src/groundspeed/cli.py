"""The command line: parse, call, render. No logic of its own; heavy imports happen inside the command that needs them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType


def _examples(*commands: str) -> str:
    """An epilog that shows commands, one a line."""
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)])


app = typer.Typer(
    name="groundspeed",
    help="How fast inference software gets faster on hardware that does not change, from the public record.",
    epilog="Exit status: 0 done, 1 the input or the selection is at fault (the message says how), 2 wrong usage.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
record_app = typer.Typer(no_args_is_help=True, help="Build and describe record files.")
names_app = typer.Typer(no_args_is_help=True, help="Canonical names: list them, check the strings of a table.")
app.add_typer(record_app, name="record")
app.add_typer(names_app, name="names")

RecordOption = Annotated[Path | None, typer.Option("--record", help="A record file instead of the embedded record.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Tables = Annotated[
    list[Path], typer.Argument(help="Published tables: JSON, JSON lines or CSV, plain or gzip.", show_default=False)
]


def _version(wanted: bool) -> None:
    if wanted:
        from groundspeed import __version__

        typer.echo(f"groundspeed {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """How fast inference software gets faster on hardware that does not change, from the public record."""


def _split(values: list[str] | None) -> tuple[str, ...]:
    """The values of a repeated option, each of which may be a comma-separated list."""
    return tuple(part.strip() for value in values or () for part in value.split(",") if part.strip())


def _emit(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
        return
    from groundspeed.report.export import write_text

    write_text(output, text)


def _show(renderable: RenderableType, output: Path | None) -> None:
    """A renderable, on the terminal at its own width, elsewhere wide enough for the tables."""
    from rich.console import Console

    from groundspeed.report.text import to_text

    if output is None and sys.stdout.isatty():
        Console().print(renderable)
    else:
        _emit(to_text(renderable), output)


def _format(json: bool, csv: bool, markdown: bool, output: Path | None) -> str:
    """The one format asked for: by its flag, else by the ending of the output file, else text."""
    asked = [name for name, wanted in (("json", json), ("csv", csv), ("markdown", markdown)) if wanted]
    if len(asked) > 1:
        raise typer.BadParameter("only one of --json, --csv, --markdown")
    endings = {".json": "json", ".csv": "csv", ".md": "markdown", ".markdown": "markdown"}
    return asked[0] if asked else endings.get(output.suffix.casefold(), "text") if output else "text"


@app.command(
    epilog=_examples(
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
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to a file; .json, .csv and .md choose the format.")
    ] = None,
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

    form = _format(json, csv, markdown, output)
    if (by_age or chains) and rounds not in (None, "all"):
        raise typer.BadParameter("--by-age and --chains look at all rounds; leave --rounds out")
    if (by_age or chains) and form == "markdown":
        raise typer.BadParameter("--markdown is for the pairs; use --json or --csv here")
    allowed = allowed_relaxations(_split(allow), _split(allow_only) if allow_only else None)
    filters = Filters(_split(hardware), _split(model), _split(scenario), _split(submitter), _split(division))
    writers = {"json": export.to_json, "csv": export.to_csv}
    if by_age:
        ages = gains_by_age(record, filters=filters, allowed=allowed)
        _emit(writers[form](ages.groups), output) if form in writers else _show(text.render_ages(ages), output)
        return
    found = audit_record(record, rounds="all" if chains else rounds, **filters._asdict(), allowed=allowed)
    if chains:
        _emit(writers[form](found.chains), output) if form in writers else _show(text.render_chains(found), output)
    elif form == "markdown":
        _emit(export.to_markdown(found), output)
    elif form in writers:
        _emit(writers[form](found.findings), output)
    else:
        _show(text.render_audit(found), output)


@app.command()
def caveats() -> None:
    """List the caveats of a comparison.

    What each means, and which are allowed by default.
    """
    from groundspeed.report.reference import render_caveats

    _show(render_caveats(), None)


@app.command(epilog=_examples("groundspeed read v6.0_summary_results.json v6.1_summary.csv"))
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

        _emit(msgspec.json.format(msgspec.json.encode([as_dict(r) for r in readings])).decode() + "\n", None)
        return
    for reading in readings:
        _show(render_reading(reading), None)


@names_app.command("check", epilog=_examples("groundspeed names check v6.1_summary.csv"))
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

        _emit(msgspec.json.format(msgspec.json.encode(unknown)).decode() + "\n", None)
    elif unknown:
        _show(Group(*render_unknown(readings)), None)
    else:
        typer.echo(f"every published string of {sum(r.rows for r in readings):,} rows is known")
    if unknown:
        raise typer.Exit(1)


@names_app.command("list", epilog=_examples("groundspeed names list accelerators"))
def names_list(
    kind: Annotated[str, typer.Argument(help="accelerators, models, submitters, scenarios, precisions or components.")],
) -> None:
    """List canonical names with the published spellings they stand for."""
    from groundspeed.report.reference import render_names

    _show(render_names(kind), None)


@record_app.command(
    "build",
    epilog=_examples(
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
        _show(render_reading(reading), None)
    typer.echo(f"{built.path}: {built.results:,} results, {built.path.stat().st_size:,} bytes")


@record_app.command("info")
def record_info(record: RecordOption = None) -> None:
    """Say what a record holds: results by round, division and source."""
    from groundspeed.record import Record
    from groundspeed.report.reference import render_record

    _show(render_record(Record(record)), None)


def main() -> None:
    """Run the command line; faults of the input become one line on standard error and exit status 1."""
    from groundspeed.errors import GroundspeedError

    try:
        app()
    except GroundspeedError as error:
        typer.echo(f"groundspeed: {error}", err=True)
        raise SystemExit(1) from None
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing to say, and nothing more to flush.
        sys.stderr.close()
        raise SystemExit(0) from None
