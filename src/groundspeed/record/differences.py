"""What changed when a source was read again with other content: results added, removed and changed, field by field."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from groundspeed.errors import RecordError, SelectionError
from groundspeed.record import files
from groundspeed.record.rows import COLUMNS
from groundspeed.record.sources import Source, read_sources
from groundspeed.record.union import COMPARED

if TYPE_CHECKING:
    import duckdb


class Change(NamedTuple):
    """A result that differs between two contents of a source.

    Attributes:
        kind: "added", "removed" or "changed".
        id: The result's id.
        round: Its round.
        path: Its path in the round's repository.
        fields: Column -> (old, new), for a changed one.
    """

    kind: Literal["added", "removed", "changed"]
    id: str
    round: str
    path: str
    fields: dict[str, tuple[Any, Any]]


class Difference(NamedTuple):
    """Two contents of a source, older and newer, and every result in which they differ."""

    older: Source
    newer: Source
    changes: list[Change]

    def as_dict(self) -> dict[str, Any]:
        """As plain data, as `groundspeed record diff --json` prints it."""
        older, newer = (
            {"name": s.name, "sha256": s.sha256, "ingested": s.ingested.isoformat() + "Z", "results": s.results}
            for s in (self.older, self.newer)
        )
        changes = [
            change._asdict() | {"fields": {name: {"older": old, "newer": new} for name, (old, new) in change.fields.items()}}
            for change in self.changes
        ]
        return {"older": older, "newer": newer, "changes": changes}


class Version(NamedTuple):
    """A row of a result as one source has it.

    Attributes:
        source: The source.
        standing: "shown", "superseded" (its source has newer content), or "set aside" (another source's row stands for it).
        row: Its columns.
    """

    source: Source
    standing: Literal["shown", "superseded", "set aside"]
    row: dict[str, Any]


@contextlib.contextmanager
def _reading(path: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    import duckdb

    path = Path(path)
    if not path.exists():
        raise RecordError(f"{path}: no such file; `groundspeed ingest` makes a record file")
    if not files.is_record_file(path):
        raise RecordError(f"{path}: found a record without a history; expected a record file that `groundspeed ingest` made")
    with duckdb.connect() as connection, files.guarded(path):
        files.attach_to_read(connection, path, "record")
        connection.execute("USE record")
        yield connection


def _rows(connection: duckdb.DuckDBPyConnection, sha256: str) -> dict[str, tuple[Any, ...]]:
    columns = ", ".join(COLUMNS)
    query = " UNION ALL ".join(f"SELECT {columns} FROM {table} WHERE source_sha256 = ?" for table in ("results", "set_aside"))
    return {row[0]: row for row in connection.execute(query, [sha256, sha256]).fetchall()}


def _changes(older: dict[str, tuple[Any, ...]], newer: dict[str, tuple[Any, ...]]) -> Iterator[Change]:
    index = {name: i for i, name in enumerate(COLUMNS)}
    at_round, at_path = index["round"], index["path"]
    for id_ in sorted(
        older.keys() | newer.keys(), key=lambda i: ((newer.get(i) or older[i])[at_round], (newer.get(i) or older[i])[at_path], i)
    ):
        old, new = older.get(id_), newer.get(id_)
        row = new or old
        assert row is not None
        fields = {}
        if old and new:
            fields = {name: (old[index[name]], new[index[name]]) for name in COMPARED if old[index[name]] != new[index[name]]}
            if not fields:
                continue
        yield Change("changed" if fields else "added" if new else "removed", id_, row[at_round], row[at_path], fields)


def differences(path: str | Path, source: str | None = None) -> list[Difference]:
    """Hold every superseded content of a record file's sources against what took its place.

    Args:
        path: The record file.
        source: A source's name, or the beginning of a SHA-256 of either content; None for all.

    Raises:
        RecordError: If the file is no record file.
        SelectionError: If it holds no such source.
    """
    with _reading(path) as connection:
        held = {s.sha256: s for s in read_sources(connection)}
        if source is not None and not any(_named(s, source) for s in held.values()):
            names = ", ".join(dict.fromkeys(s.name for s in held.values())) or "no source"
            raise SelectionError(f'the record holds no source "{source}"; it holds {names}')
        found = []
        for older in held.values():
            newer = held.get(older.superseded_by or "")
            if newer and (source is None or _named(older, source) or _named(newer, source)):
                found.append(
                    Difference(older, newer, [*_changes(_rows(connection, older.sha256), _rows(connection, newer.sha256))])
                )
        return found


def _named(source: Source, wanted: str) -> bool:
    return source.name == wanted or (len(wanted) >= 4 and source.sha256.startswith(wanted.casefold()))


def versions(path: str | Path, id_: str) -> list[Version]:
    """Every row that a record file holds of one result, the shown one first.

    Raises:
        RecordError: If the file is no record file.
    """
    with _reading(path) as connection:
        held = {s.sha256: s for s in read_sources(connection)}
        columns = ", ".join(COLUMNS)
        rows = connection.execute(
            f"""SELECT TRUE, source_sha256, {columns} FROM results WHERE id = ?
            UNION ALL SELECT FALSE, source_sha256, {columns} FROM set_aside WHERE id = ?""",
            [id_, id_],
        ).fetchall()
    found = []
    for shown, sha256, *values in rows:
        source = held[sha256]
        standing: Any = "shown" if shown else "superseded" if source.state == "superseded" else "set aside"
        found.append(Version(source, standing, dict(zip(COLUMNS, values, strict=True))))
    return sorted(found, key=lambda v: ("shown", "set aside", "superseded").index(v.standing))


def other_versions(paths: Sequence[str | Path], id_: str) -> list[Version]:
    """The rows of a result that are not shown, of those of the files that keep a history."""
    found = [version for path in paths if files.is_record_file(Path(path)) for version in versions(path, id_)]
    return [version for version in found if version.standing != "shown"]
