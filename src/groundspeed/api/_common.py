"""What the functions share: a record in any of its forms, one text or several."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from groundspeed.record import Record

AnyRecord: TypeAlias = "Record | str | Path | Sequence[str | Path] | None"


def open_record(record: AnyRecord = None) -> Record:
    """A record as every function here takes it: open already, a file, several files to unite, or None for the embedded one.

    Raises:
        RecordError: If it cannot be read.
    """
    return record if isinstance(record, Record) else Record(record)


def several(value: str | Sequence[str]) -> tuple[str, ...]:
    """One text as a list of one."""
    return (value,) if isinstance(value, str) else tuple(value)
