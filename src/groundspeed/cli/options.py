"""What the commands share: options, and how results leave the program."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import RenderableType

RecordOption = Annotated[
    list[str] | None,
    typer.Option(
        "--record",
        metavar="FILE|URL",
        help='A record file, or an engine\'s address, instead of the embedded record; several times unites them ("embedded" is the embedded one).',
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Tables = Annotated[
    list[Path], typer.Argument(help="Published tables: JSON, JSON lines or CSV, plain or gzip.", show_default=False)
]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to a file; .json, .csv and .md choose the format.")
]


def examples(*commands: str) -> str:
    """An epilog that shows commands, one a line."""
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)])


def split(values: list[str] | None) -> tuple[str, ...]:
    """The values of a repeated option, each of which may be a comma-separated list.

    Raises:
        BadParameter: If one is blank: a script's unset variable must not mean "everything".
    """
    parts = tuple(part.strip() for value in values or () for part in value.split(","))
    if "" in parts:
        raise typer.BadParameter("found a blank value; leave the option out to choose everything")
    return parts


def emit(text: str, output: Path | None = None) -> None:
    """Write to standard output, or to a file in one piece."""
    if output is None:
        from groundspeed.errors import GroundspeedError

        if sys.stdout is None:
            raise GroundspeedError("standard output is closed; use --output to write to a file")
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    from groundspeed.report.export import write_text

    write_text(output, text)


def show(renderable: RenderableType, output: Path | None = None) -> None:
    """A renderable, on the terminal at its own width, elsewhere wide enough for the tables."""
    from rich.console import Console

    from groundspeed.report.text import to_text
    from groundspeed.report.visible import Visible

    if output is None and sys.stdout is not None and sys.stdout.isatty():
        Console().print(Visible(renderable), crop=False)
    else:
        emit(to_text(renderable), output)


def chosen_format(json: bool, csv: bool, markdown: bool, output: Path | None) -> str:
    """The one format asked for: by its flag, else by the ending of the output file, else text."""
    asked = [name for name, wanted in (("json", json), ("csv", csv), ("markdown", markdown)) if wanted]
    if len(asked) > 1:
        raise typer.BadParameter("only one of --json, --csv, --markdown")
    endings = {".json": "json", ".csv": "csv", ".md": "markdown", ".markdown": "markdown"}
    return asked[0] if asked else endings.get(output.suffix.casefold(), "text") if output else "text"


def format_without_markdown(json: bool, csv: bool, output: Path | None) -> str:
    """As `chosen_format`, for what is written as text, JSON and CSV only."""
    form = chosen_format(json, csv, False, output)
    if form == "markdown":
        raise typer.BadParameter("there is no Markdown here; use --json or --csv, or another ending for text")
    return form
