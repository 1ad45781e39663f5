"""Records built and copied."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from groundspeed.api._common import AnyRecord, open_record
from groundspeed.errors import RecordError
from groundspeed.record import Record, write
from groundspeed.record.engines import is_address
from groundspeed.sources.mlperf import Reading, read_table


class Build(NamedTuple):
    """A record that was written: what each table gave, and how many results it holds."""

    readings: list[Reading]
    results: int
    path: Path


def build_record(tables: Iterable[str | Path], output: str | Path, *, base: Record | None = None) -> Build:
    """Read published tables and write a record file of them.

    Args:
        tables: Published tables.
        output: The record file to write. The embedded record is written by naming its path.
        base: A record whose results are taken over as well.

    Raises:
        SourceError: If a table is broken; nothing is written then.
        RecordError: If two tables hold the same result, or the file cannot be written.
    """
    readings = [read_table(table) for table in tables]
    results = [*(base.results() if base else ()), *(r for reading in readings for r in reading.results)]
    path = Path(output)
    return Build(readings, write(results, path), path)


class Copy(NamedTuple):
    """A record that was copied: where to, without a password, and how many results."""

    to: str
    results: int


def copy_record(to: str | Path, *, record: AnyRecord = None, replace: bool = False) -> Copy:
    """Copy a record onto an engine, or from one into a file, whole or not at all.

    Args:
        to: An engine's address, or a record file.
        record: A record, its file or its address; None for the embedded one.
        replace: Whether a record that is there already may be replaced.

    Raises:
        RecordError: If there is one and it may not be replaced, or the engine or the file cannot be written to.
    """
    opened = open_record(record)
    if isinstance(to, str) and is_address(to):
        return Copy(*opened.copy_to(to, replace=replace))
    if Path(to).exists() and not replace:
        raise RecordError(f"{to}: found a file there already; name another file, or replace it with --replace")
    return Copy(str(to), write(opened.results(), to))
