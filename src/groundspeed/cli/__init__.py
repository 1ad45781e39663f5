"""The command line: parse, call, render. No logic of its own; heavy imports happen inside the command that needs them."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from groundspeed.cli import audit, claims, comparisons, records, schedules, tables, trees

app = typer.Typer(
    name="groundspeed",
    help="How fast inference software gets faster on hardware that does not change, from the public record.",
    epilog="Exit status: 0 done, 1 the input or the selection is at fault (the message says how), 2 wrong usage.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for part in (audit.app, claims.app, comparisons.app, schedules.app, tables.app, records.app, trees.app):
    app.add_typer(part)


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


def main() -> None:
    """Run the command line; faults of the input become one line on standard error and exit status 1."""
    from groundspeed.errors import GroundspeedError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that knows no arrows still gets its figures
    try:
        app()
    except GroundspeedError as error:
        typer.echo(f"groundspeed: {error}", err=True)
        raise SystemExit(1) from None
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing to say, and nothing more to flush.
        sys.stderr.close()
        raise SystemExit(0) from None
    except OSError as error:
        where = f"{error.filename}: cannot be used" if error.filename else "standard output cannot be written"
        typer.echo(f"groundspeed: {where} ({error.strerror or error})", err=True)
        _discard_output()
        raise SystemExit(1) from None


def _discard_output() -> None:
    """Let what is still buffered go nowhere, so that the interpreter's exit does not fail on it again."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
