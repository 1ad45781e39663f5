"""What became of a published table, for a terminal and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from groundspeed.sources.mlperf import Reading

_SHOWN = 20

NOTE_MEANING = {
    "count-assumed": "the split of accelerators between kinds is assumed",
    "count-disagrees": "the table's accelerator count is not what took part",
    "count-unknown": "an accelerator is listed without a count",
    "definition-assumed": "the round is not in the calendar; the newest metric definitions are assumed",
    "inferred-not-believed": "flagged as inferred by the table, and not believed",
    "label-disagrees": "the system's name or label suggests another count",
    "power-disagrees": "two power values are listed for one run",
    "unit-differs": "the table's unit is not what the value is in",
}


def _tally(reading: Reading) -> str:
    total = "=" if reading.adds_up else "is not"
    return (
        f"{reading.rows:,} rows {total} {len(reading.results):,} results + {reading.merged:,} merged (power) + "
        f"{len(reading.rejected):,} rejected"
    )


def note_counts(reading: Reading) -> Counter[str]:
    """How many results carry each kind of data note."""
    return Counter(code for r in reading.results for code in {n.code for n in r.notes})


def render_reading(reading: Reading) -> Group:
    """The tally, the rejected rows by name, the data notes by kind, and the strings no table knows."""
    parts: list[RenderableType] = [Text(reading.source, style="bold"), Text(f"  {_tally(reading)}")]
    for rejection in reading.rejected[:_SHOWN]:
        parts.append(Text(f"  rejected, {rejection.place}: {rejection.row}: {rejection.reason}"))
    if len(reading.rejected) > _SHOWN:
        parts.append(Text(f"  ... and {len(reading.rejected) - _SHOWN} more rejected (--json lists all)"))
    for code, count in sorted(note_counts(reading).items()):
        parts.append(Text(f"  {count:,} results: {NOTE_MEANING[code]} ({code})"))
    parts += render_unknown([reading]) if reading.unknown else [Text("  every published name is known")]
    return Group(*parts)


def render_unknown(readings: Sequence[Reading]) -> list[RenderableType]:
    """A table of the published strings that no alias table knows; empty if there are none."""
    rows = [(reading.source, *unknown) for reading in readings for unknown in reading.unknown]
    if not rows:
        return []
    table = Table(title="published strings that no alias table knows", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("table", "kind", "published", "rows"):
        table.add_column(name, overflow="fold", justify="right" if name == "rows" else "left")
    for source, kind, text, count in rows:
        table.add_row(Text(source), kind, Text(text), str(count))
    return [table]


def as_dict(reading: Reading) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "source": reading.source,
        "sha256": reading.sha256,
        "rows": reading.rows,
        "results": len(reading.results),
        "merged": reading.merged,
        "rejected": [r._asdict() for r in reading.rejected],
        "adds_up": reading.adds_up,
        "notes": dict(sorted(note_counts(reading).items())),
        "unknown": [u._asdict() for u in reading.unknown],
    }
