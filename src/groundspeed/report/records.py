"""Record files for a terminal: what was ingested, what the record holds, what changed."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from groundspeed.errors import GroundspeedError, SelectionError
from groundspeed.record import Record, Result, write
from groundspeed.record.differences import Difference, Version
from groundspeed.record.ingested import Ingested
from groundspeed.record.rows import COLUMNS, as_row
from groundspeed.record.sources import Source
from groundspeed.report.export import rows_to_csv, write_text

_SHOWN = 20


def _line(item: Ingested) -> Text:
    if item.error is not None:
        return Text(f"failed: {item.error}", style="red")
    tally = f"{item.rows:,} rows = {item.results:,} results + {item.merged:,} merged + {item.rejected:,} rejected; {item.noted:,} noted"
    replaced = (
        f" (was {', '.join(sha[:12] for sha in item.superseded)}; `record diff` shows what changed)" if item.superseded else ""
    )
    return Text(f"{item.outcome}: {item.name}{replaced}: {tally}")


def render_ingested(items: Sequence[Ingested], record: Path) -> Group:
    """What became of every source, rejected rows by name, and the sum."""
    parts: list[RenderableType] = []
    for item in items:
        parts.append(_line(item))
        if item.outcome not in ("already there", "failed"):
            parts += [Text(f"  rejected, {place}: {row}: {reason}") for place, row, reason in item.rejections[:_SHOWN]]
            if len(item.rejections) > _SHOWN:
                parts.append(Text(f"  ... and {len(item.rejections) - _SHOWN} more rejected (--json lists all)"))
    outcomes = Counter(item.outcome for item in items)
    done = [item for item in items if item.outcome in ("added", "replaced", "restored")]
    said = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())) or "nothing"
    sums = {field: sum(getattr(item, field) for item in done) for field in ("results", "merged", "rejected", "noted")}
    parts.append(Text(f"{record}: {said}; {', '.join(f'{value:,} {field}' for field, value in sums.items())}", style="bold"))
    return Group(*parts)


def _table(*columns: str, right: Sequence[str] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", justify="right" if column in right else "left")
    return table


def source_as_dict(source: Source) -> dict[str, Any]:
    """A source as plain data."""
    return source._asdict() | {"ingested": source.ingested.isoformat() + "Z"}


def render_sources(record: Record) -> Group:
    """The sources of a record, in the order they came."""
    held = record.sources()
    if not held:
        return Group(Text(f"{record.name}: no history of sources is kept in it; `groundspeed record info` counts its results"))
    counts = ("rows", "results", "merged", "rejected", "noted")
    table = _table("source", "kind", "rounds", "ingested (UTC)", *counts, "state", "sha256", right=counts)
    for s in held:
        numbers = [f"{getattr(s, field):,}" for field in counts]
        state = s.state if s.superseded_by is None else f"{s.state} by {s.superseded_by[:12]}"
        table.add_row(Text(s.name), s.kind, s.rounds, f"{s.ingested:%Y-%m-%d %H:%M}", *numbers, state, s.sha256[:12])
    return Group(Text(f"{record.name}: {len(held)} sources", style="bold"), table)


def render_differences(found: Sequence[Difference]) -> Group:
    """Every change, one a line, below the two contents it lies between."""
    if not found:
        return Group(Text("no source has been read with other content"))
    parts: list[RenderableType] = []
    for difference in found:
        older, newer = difference.older, difference.newer
        counts = Counter(change.kind for change in difference.changes)
        tally = ", ".join(f"{counts[kind]:,} {kind}" for kind in ("added", "removed", "changed"))
        title = f"{newer.name}: {older.sha256[:12]} ({older.ingested:%Y-%m-%d %H:%M}) → {newer.sha256[:12]} ({newer.ingested:%Y-%m-%d %H:%M})"
        parts.append(Text(f"{title}: {tally}", style="bold"))
        for change in difference.changes:
            parts.append(Text(f"  {change.kind} {change.id} {change.round} {change.path}"))
            parts += [Text(f"      {name}: {old} → {new}") for name, (old, new) in change.fields.items()]
    return Group(*parts)


def found_result(record: Record, id_: str) -> Result:
    """The result of an id.

    Raises:
        SelectionError: If the record does not hold it.
    """
    found = record.result(id_)
    if found is None:
        raise SelectionError(f'{record.name} holds no result "{id_}"; ids are in every JSON and CSV that groundspeed prints')
    return found


def render_result(result: Result, others: Sequence[Version]) -> Group:
    """Every column of a result, and how other contents of its sources differ."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    row = dict(zip(COLUMNS, as_row(result), strict=True))
    for name, value in row.items():
        table.add_row(name, Text("–" if value is None else str(value)))
    parts: list[RenderableType] = [table]
    for version in others:
        differing = {n: v for n, v in version.row.items() if v != row[n]}
        told = ", ".join(f"{name} {value}" for name, value in differing.items()) or "nothing else"
        parts.append(Text(f"{version.standing}: {version.source.name} ({version.source.sha256[:12]}) says {told}"))
    return Group(*parts)


def export(record: Record, output: Path) -> int:
    """Write a record's results to a file whose ending chooses the format.

    .parquet is a record again; .jsonl has a result of the data model a line; .csv has the record's columns.

    Returns:
        How many results were written.

    Raises:
        GroundspeedError: If the ending is another one, or the file cannot be written.
    """
    ending = output.suffix.casefold()
    if ending == ".parquet":
        return write(record.results(), output)
    results = record.results()
    if ending == ".jsonl":
        write_text(output, b"".join(msgspec.json.encode(result) + b"\n" for result in results).decode())
    elif ending == ".csv":
        rows = [dict(zip(COLUMNS, as_row(result), strict=True)) for result in results]
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerow(COLUMNS)
        write_text(output, rows_to_csv(rows) or out.getvalue())
    else:
        raise GroundspeedError(f"{output}: found the ending {ending or 'none'}; expected .parquet, .csv or .jsonl")
    return len(results)
