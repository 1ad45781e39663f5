"""What `import groundspeed` offers: the same as the command line, in as many lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from groundspeed.audit import DEFAULT_ALLOWED, Ages, Audit, Filters, pairs_of_rounds, run_ages, run_audit
from groundspeed.record import Record, write
from groundspeed.sources.mlperf import Reading, read_table


def audit_record(
    record: Record | str | Path | None = None,
    *,
    rounds: str | Sequence[str] | None = None,
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
    allowed: Collection[str] = DEFAULT_ALLOWED,
) -> Audit:
    """Audit a record: how much faster did the same hardware get from software alone, and at what rate?

    Args:
        record: A record or its file; None for the embedded one.
        rounds: None for the newest pair, "all" for every consecutive pair, or two rounds.
        hardware: "MI355X", "8x MI355X", "H200", "cpu" ...; several: any of them. The other filters likewise.
        model: "llama2-70b", "llama2-70b-99.9" ...
        scenario: Offline, Server, Interactive, SingleStream or MultiStream.
        submitter: A submitter.
        division: closed, open or network.
        allowed: Relaxations that are allowed (`groundspeed.DEFAULT_ALLOWED` if not given).

    Returns:
        The audit; its `findings` are what `groundspeed audit --json` prints.

    Raises:
        SelectionError: If a filter or a round matches nothing.
        RecordError: If the record cannot be read.
    """
    opened = record if isinstance(record, Record) else Record(record)
    held = opened.rounds()
    needed = {name for pair in pairs_of_rounds(held, rounds) for name in pair}
    filters = Filters(*map(_several, (hardware, model, scenario, submitter, division)))
    return run_audit(opened.results(needed), rounds, filters, allowed, held)


def _several(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def gains_by_age(
    record: Record | str | Path | None = None,
    *,
    filters: Filters = Filters(),  # noqa: B008  # an immutable tuple
    allowed: Collection[str] = DEFAULT_ALLOWED,
) -> Ages:
    """Group the gains of all rounds by the age of a workload on its accelerator: frontier against mature workloads.

    Raises:
        SelectionError: If a filter matches nothing.
        RecordError: If the record cannot be read.
    """
    opened = record if isinstance(record, Record) else Record(record)
    return run_ages(opened.results(), filters, allowed)


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


__all__ = ["Build", "audit_record", "build_record", "gains_by_age"]
