"""Sources of a record file, and writing them: one transaction a source, and nothing overwritten in silence.

Which row an id shows: a published table's before one read from result logs (the published value is the official one). Two tables,
or two result trees, that say different things of one id are not both taken: the second is refused, and the message names the row.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from groundspeed.errors import ConflictError, RecordError, SelectionError
from groundspeed.record import files
from groundspeed.record.calendar import round_key
from groundspeed.record.model import Result
from groundspeed.record.rows import as_arrow
from groundspeed.record.union import COMPARED

if TYPE_CHECKING:
    import duckdb

Kind = Literal["table", "tree"]
Outcome = Literal["added", "already there", "replaced", "restored"]

_FIELDS = ("sha256", "name", "kind", "place", "rounds", "ingested", "rows", "results", "merged", "rejected", "noted", "state",
           "superseded_by")  # fmt: skip


class Source(NamedTuple):
    """A source as the record remembers it.

    Attributes:
        sha256: Of its content.
        name: The results' source.
        kind: "table" (published) or "tree" (read from result logs).
        place: Where it was read from, as it was named then.
        rounds: Its rounds, in order, joined by blanks.
        ingested: When, in UTC.
        rows: Rows or runs it holds = results + merged + rejected.
        noted: Results with a data note.
        state: "active", or "superseded" by later content of the same name.
        superseded_by: SHA-256 of that content.
    """

    sha256: str
    name: str
    kind: str
    place: str
    rounds: str
    ingested: dt.datetime
    rows: int
    results: int
    merged: int
    rejected: int
    noted: int
    state: str = "active"
    superseded_by: str | None = None


class NewSource(NamedTuple):
    """A source as it was read: what a reader gives to the record. Attributes as of `Source`."""

    sha256: str
    name: str
    kind: Kind
    place: str
    rows: int
    results: Sequence[Result]
    merged: int
    rejected: Sequence[tuple[str, str, str]]

    def remembered(self) -> Source:
        """What the record keeps of it beside the results."""
        rounds = sorted({r.provenance.round for r in self.results}, key=round_key)
        now = dt.datetime.now(dt.UTC).replace(tzinfo=None, microsecond=0)
        noted = sum(1 for r in self.results if r.notes)
        counts = (self.rows, len(self.results), self.merged, len(self.rejected), noted)
        return Source(self.sha256, self.name, self.kind, self.place, " ".join(rounds), now, *counts)


class Writer:
    """A record file opened for writing; use `writing`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path) -> None:
        self._run, self.path = connection.execute, path
        self._connection = connection

    def sources(self) -> list[Source]:
        """Every source, in the order they came."""
        return read_sources(self._connection)

    def add(self, new: NewSource) -> tuple[Outcome, list[Source]]:
        """Take a source in: all of it or nothing.

        Returns:
            What became of it, and the sources it superseded: those of the same name and kind with a round in common.

        Raises:
            ConflictError: If it says something else of a result than another active source of its kind.
            RecordError: If it cannot be written.
        """
        held = self.sources()
        known = next((source for source in held if source.sha256 == new.sha256), None)
        if known is not None and known.state == "active":
            return "already there", []
        twice = [id_ for id_, count in Counter(r.id for r in new.results).items() if count > 1]
        if twice:
            raise ConflictError(
                f"{self.path}: {new.name} holds the result {twice[0]} twice; expected each once. Nothing of it was taken"
            )
        source = new.remembered()
        replaced = [s for s in held if s.state == "active" and _same(s, source)]
        with self._transaction():
            for old in replaced:
                self._run("UPDATE sources SET state = 'superseded', superseded_by = ? WHERE sha256 = ?", [new.sha256, old.sha256])
                self._withdraw(old.sha256)
            if known is not None:
                # Content that was here before is back: its rows still are.
                self._run("UPDATE sources SET state = 'active', superseded_by = NULL WHERE sha256 = ?", [new.sha256])
            else:
                self._run(f"INSERT INTO sources ({', '.join(_FIELDS)}) VALUES ({', '.join('?' * len(_FIELDS))})", list(source))
                if new.rejected:
                    rows = [(new.sha256, *rejection) for rejection in new.rejected]
                    self._connection.executemany(
                        "INSERT INTO rejections (source_sha256, place, row, reason) VALUES (?, ?, ?, ?)", rows
                    )
                self._connection.register("incoming", as_arrow(new.results))
                self._run("INSERT INTO set_aside BY NAME SELECT *, ? AS source_sha256 FROM incoming", [new.sha256])
                self._connection.unregister("incoming")
            self._refuse_conflicts(source)
            self._show(source.kind)
        return ("restored" if known else "replaced" if replaced else "added"), replaced

    def remove(self, wanted: str) -> Source:
        """Remove a source with its rows. What it superseded stays superseded; rows that it stood for are shown again.

        Args:
            wanted: Its name, or the beginning of its SHA-256.

        Raises:
            SelectionError: If there is none of that name, or several.
            RecordError: If it cannot be written.
        """
        source = chosen(self.sources(), wanted)
        with self._transaction():
            for table in ("results", "set_aside", "rejections"):
                self._run(f"DELETE FROM {table} WHERE source_sha256 = ?", [source.sha256])
            self._run("DELETE FROM sources WHERE sha256 = ?", [source.sha256])
            self._run("UPDATE sources SET superseded_by = NULL WHERE superseded_by = ?", [source.sha256])
            self._show("table")
        return source

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        import duckdb

        self._run("BEGIN")
        try:
            yield
            self._run("COMMIT")
        except duckdb.Error as error:
            with contextlib.suppress(duckdb.Error):
                self._run("ROLLBACK")
            said = files.first_line(error)
            raise RecordError(f"{self.path}: cannot be written ({said}); the record is as it was before this source") from None
        except BaseException:
            self._run("ROLLBACK")
            raise

    def _withdraw(self, sha256: str) -> None:
        self._run("INSERT INTO set_aside BY NAME SELECT * FROM results WHERE source_sha256 = ?", [sha256])
        self._run("DELETE FROM results WHERE source_sha256 = ?", [sha256])

    def _refuse_conflicts(self, source: Source) -> None:
        """Refuse a source that says something else of a result than another active source of its kind."""
        differ = " OR ".join(f"mine.{name} IS DISTINCT FROM other.{name}" for name in COMPARED)
        found = self._run(
            f"""SELECT mine.round, mine.path, s.name, {", ".join(f"mine.{n} IS DISTINCT FROM other.{n}" for n in COMPARED)}
            FROM set_aside mine
            JOIN (SELECT * FROM results UNION ALL SELECT * FROM set_aside) other USING (id)
            JOIN sources s ON s.sha256 = other.source_sha256
            WHERE mine.source_sha256 = ? AND s.sha256 <> ? AND s.state = 'active' AND s.kind = ? AND ({differ})
            ORDER BY 1, 2 LIMIT 1""",
            [source.sha256, source.sha256, source.kind],
        ).fetchall()
        if found:
            round_, path, other, *flags = found[0]
            fields = ", ".join(name for name, differs in zip(COMPARED, flags, strict=True) if differs)
            raise ConflictError(
                f"{self.path}: {source.name} and {other} say different things of {round_} {path} ({fields}); leave one of the two "
                "out, or `groundspeed record remove` the other first. Nothing of this source was taken"
            )

    def _show(self, kind: str) -> None:
        """Bring forward the rows set aside that nobody stands for; a table's take the place of a tree's."""
        if kind == "table":
            tree_row = """source_sha256 IN (SELECT sha256 FROM sources WHERE kind = 'tree') AND id IN (SELECT a.id FROM set_aside a
                JOIN sources s ON s.sha256 = a.source_sha256 WHERE s.state = 'active' AND s.kind = 'table')"""
            self._run(f"INSERT INTO set_aside BY NAME SELECT * FROM results WHERE {tree_row}")
            self._run(f"DELETE FROM results WHERE {tree_row}")
        self._run(
            """CREATE OR REPLACE TEMP TABLE risen AS SELECT a.* FROM set_aside a JOIN sources s ON s.sha256 = a.source_sha256
            WHERE s.state = 'active' AND a.id NOT IN (SELECT id FROM results)
            QUALIFY row_number() OVER (PARTITION BY a.id ORDER BY s.kind = 'tree', s.ingested, s.sha256) = 1"""
        )
        self._run("INSERT INTO results BY NAME SELECT * FROM temp.risen")
        self._run(
            "DELETE FROM set_aside USING temp.risen r WHERE set_aside.id = r.id AND set_aside.source_sha256 = r.source_sha256"
        )
        self._run("DROP TABLE temp.risen")


def _same(old: Source, new: Source) -> bool:
    """Whether two sources are one at two times. The round counts: "summary_results.json" is the name of every round's table."""
    return (old.name, old.kind) == (new.name, new.kind) and bool(set(old.rounds.split()) & set(new.rounds.split()))


def read_sources(connection: duckdb.DuckDBPyConnection, database: str = "") -> list[Source]:
    """The sources of an attached record file, in the order they came."""
    table = f"{database}.main.sources" if database else "sources"
    rows: list[tuple[Any, ...]] = connection.execute(f"SELECT {', '.join(_FIELDS)} FROM {table} ORDER BY rowid").fetchall()
    return [Source(*row) for row in rows]


def chosen(sources: Sequence[Source], wanted: str) -> Source:
    """The one source of a name, or of the beginning of a SHA-256.

    Raises:
        SelectionError: If there is none, or several.
    """
    found = [s for s in sources if s.name == wanted]
    if not found and len(wanted) >= 4:
        found = [s for s in sources if s.sha256.startswith(wanted.casefold())]
    if len(found) == 1:
        return found[0]
    active = [s for s in found if s.state == "active"]
    if len(active) == 1:
        return active[0]
    if not found:
        held = ", ".join(dict.fromkeys(s.name for s in sources)) or "no source"
        raise SelectionError(f'the record holds no source "{wanted}"; it holds {held}')
    listed = ", ".join(f"{s.sha256[:12]} ({s.rounds or 'no round'}, {s.state})" for s in found)
    raise SelectionError(f'the record holds several sources "{wanted}": name one by its SHA-256: {listed}')


def check(path: Path, *, make: bool = True) -> None:
    """Say early what would keep a record file from being written.

    Raises:
        RecordError: If it is no record file, or missing although none is to be made, or its directory is missing.
    """
    if path.is_dir():
        raise RecordError(f"{path}: found a directory; expected a record file")
    if not path.exists():
        if not make:
            raise RecordError(f"{path}: no such file; `groundspeed ingest` makes a record file")
        if not path.parent.is_dir():
            raise RecordError(f"{path}: cannot be written (no directory {path.parent})")
    elif not files.is_record_file(path):
        raise RecordError(
            f"{path}: found a file that is not written to; expected a record file that `groundspeed ingest` made (a Parquet record is "
            "read only: ingest into a new file, and unite the two with --record twice)"
        )


@contextlib.contextmanager
def writing(path: str | Path, wait: float = 60.0, *, make: bool = True) -> Iterator[Writer]:
    """Open a record file for writing, alone; make it if it is not there.

    Args:
        path: The record file.
        wait: Seconds to wait for another process that is using it.
        make: Whether a missing file is made.

    Raises:
        RecordError: If it is in use for longer, no record file, of a newer groundspeed, or cannot be written.
    """
    import duckdb

    path = Path(path)
    check(path, make=make)
    if not path.exists():
        files.create(path)
    connection = duckdb.connect()
    try:
        with files.guarded(path):
            files.attach(connection, path, "record", write=True, wait=wait)
            held = files.version(connection, path, "record")
            if held < files.SCHEMA_VERSION:
                files.migrate(connection, path, "record", held)
            connection.execute("USE record")
            yield Writer(connection, path)
    finally:
        # Closing writes the log into the file; where the disk is full, the log stays beside it and is read next time.
        with contextlib.suppress(duckdb.Error):
            connection.close()
