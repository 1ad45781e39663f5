"""Reference listings: caveats, canonical names, what a record holds."""

from __future__ import annotations

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from groundspeed.audit.caveats import ANNOTATIONS, DEFAULT_ALLOWED, RELAXATIONS
from groundspeed.errors import SelectionError
from groundspeed.record import Record
from groundspeed.record import names as names_


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def render_caveats() -> Table:
    """Every caveat: what it means, and whether the audit allows it."""
    table = _table("caveat", "allowed", "meaning")
    for code, meaning in RELAXATIONS.items():
        table.add_row(code, "by default" if code in DEFAULT_ALLOWED else f"--allow {code}", meaning)
    for code, meaning in ANNOTATIONS.items():
        table.add_row(code, "always said", meaning)
    return table


def _spellings(kind: str) -> list[tuple[str, str, str]]:
    table = names_.table(kind)
    if kind in {"submitters", "scenarios"}:
        return [(name, "", ", ".join(spellings)) for name, spellings in table[kind].items()]
    if kind == "precisions":
        return [
            (
                text or "(blank)",
                " ".join(entry["weights"]) or "not stated",
                f"KV cache {kv}" if (kv := entry.get("kv_cache")) else "",
            )
            for text, entry in table[kind].items()
        ]
    if kind == "models":
        rows = [
            (
                name,
                "benchmark",
                ", ".join([*e.get("published", []), *(f"{name}-{t}" for t in e.get("targets", [])), *e.get("category", [])]),
            )
            for name, e in table["benchmark"].items()
        ]
        return rows + [(name, "variants", ", ".join(e["patterns"])) for name, e in table["variant"].items()]
    second = "vendor" if kind == "accelerators" else "kind"
    return [(name, e[second], ", ".join([*e["published"], *e.get("vgpu", [])])) for name, e in table.items()]


def render_names(kind: str) -> Table:
    """An alias table.

    Raises:
        SelectionError: If there is no table of that kind.
    """
    kinds = ("accelerators", "models", "submitters", "scenarios", "precisions", "components")
    if kind not in kinds:
        raise SelectionError(f'"{kind}" is no kind of name; there are {", ".join(kinds)}')
    table = _table("name", "of", "published as")
    for row in _spellings(kind):
        table.add_row(*map(Text, row))
    return table


def render_record(record: Record) -> Group:
    """Results by round, division and source table."""
    table = _table("round", "division", "results", "submitters", "source")
    frame = record.table
    counts = (
        frame.group_by("round", "division", "source")
        .aggregate(results=frame.count(), submitters=frame["submitter"].nunique())
        .order_by("round", "division", "source")
        .to_pyarrow()
        .to_pylist()
    )
    for row in counts:
        table.add_row(row["round"], row["division"], f"{row['results']:,}", str(row["submitters"]), Text(row["source"]))
    total = sum(row["results"] for row in counts)
    parts: list[RenderableType] = [Text(f"{record.name}: {total:,} results", style="bold"), table]
    return Group(*parts)
