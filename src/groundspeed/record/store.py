"""The store: a record, its results, and the questions put to it, through Ibis: on DuckDB from a file, or on an engine by address.

A record is a record file (a DuckDB database that `groundspeed ingest` writes to), a Parquet file (what `groundspeed record build`
and `record export` write, read only), the embedded record (one of those), or several of them united.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files as package_files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundspeed._writing import in_one_piece
from groundspeed.errors import GroundspeedError, RecordError
from groundspeed.record import files
from groundspeed.record.calendar import is_round, round_key
from groundspeed.record.engines import Engine, connect, is_address, parse
from groundspeed.record.model import Result
from groundspeed.record.rows import COLUMNS, Shared, as_arrow, order
from groundspeed.record.union import unite

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from groundspeed.record.sources import Source

# The word that stands for the embedded record where several are united.
EMBEDDED = "embedded"


class Record:
    """A record: the embedded one, a file, one on an engine, or several files united.

    Args:
        path: A record file or a Parquet record, or an engine's address ("postgres://...", "spark+local:///...": see
            `groundspeed.record.engines.address`); None or "embedded" for the one inside the package. Several files are united: a
            result that two of them hold with equal content is there once; a published table's stands before one read from logs.

    Raises:
        RecordError: If a file or table is missing, is no record, or was written by a newer version, two records say different things
            of one result, or the engine cannot be reached.
    """

    def __init__(self, path: str | Path | Sequence[str | Path] | None = None) -> None:
        several = isinstance(path, Sequence) and not isinstance(path, str)
        paths: list[str | Path | None] = [*path] if several and path else [None if several else path]  # type: ignore[list-item,misc]
        paths = [None if part == EMBEDDED else part for part in dict.fromkeys(paths)]
        self._engine: Engine | None = None
        self._ordered = False
        self._databases: list[str] = []
        addresses = [part for part in paths if isinstance(part, str) and is_address(part)]
        if addresses:
            self._engine = connect(parse(addresses[0]))
            self.name = self._engine.address.shown
            if len(paths) > 1:
                raise RecordError(f"{self.name}: a record on an engine cannot be united with others; copy it into a file first")
            self._table = self._open_on(self._engine)
            return
        self.name = " + ".join("embedded record" if part is None else str(part) for part in paths)
        with files.guarded(self.name):
            self._table = self._open_all(paths)

    def _open_all(self, paths: Sequence[str | Path | None]) -> ir.Table:
        import ibis

        backend = ibis.duckdb.connect()
        if len(paths) == 1:
            table = self._open(backend, paths[0], "r0")
            self._ordered = not self._databases  # a file of ours is written in order; a database has none
            return table
        members = []
        for i, path in enumerate(paths):
            table = self._open(backend, path, f"r{i}")
            query = f"SELECT *, FALSE AS from_tree FROM ({backend.compile(table)})"
            if f"r{i}" in self._databases:
                trees = f"(SELECT sha256 FROM r{i}.main.sources WHERE kind = 'tree')"
                query = f"SELECT *, source_sha256 IN {trees} AS from_tree FROM r{i}.main.results"
            members.append(("the embedded record" if path is None else str(path), query))
        unite(backend.con, members, "united")
        return backend.table("united")

    def _open(self, backend: Any, path: str | Path | None, name: str) -> ir.Table:
        """One record as a table of a connection, under a name of its own."""
        if path is None:
            resource = package_files("groundspeed.record.data").joinpath("record.parquet")
            if not resource.is_file():
                raise RecordError("the embedded record is missing from this installation; reinstall groundspeed")
            return self._open_parquet(backend, Path(str(resource)), name)
        path = Path(path)
        if path.is_dir():
            raise RecordError(f"{path}: found a directory; expected a record file")
        if not path.exists():
            raise RecordError(f"{path}: no such file; `groundspeed ingest` and `groundspeed record build` write a record")
        if not files.is_record_file(path):
            return self._open_parquet(backend, path, name)
        files.attach_to_read(backend.con, path, name)
        self._databases.append(name)
        return self._checked(backend.table("results", database=(name, "main")), path, "a database")

    def _open_parquet(self, backend: Any, path: Path, name: str) -> ir.Table:
        try:
            table = backend.read_parquet(path, table_name=f"{name}_file")
        except Exception as error:  # DuckDB raises many kinds for a broken file; all of them mean the same to the user
            first = files.first_line(error)
            raise RecordError(f"{path}: found no Parquet file ({first}); expected a record that groundspeed wrote") from None
        return self._checked(table, path, "a Parquet file")

    def _checked(self, table: ir.Table, path: Path, what: str) -> ir.Table:
        missing = [name for name in COLUMNS if name not in table.columns]
        if missing:
            raise RecordError(
                f"{path}: found {what} without the columns {', '.join(missing[:5])}; expected a record of schema "
                f"{files.SCHEMA_VERSION} (a newer or older groundspeed wrote this one: rebuild it with `groundspeed record build`)"
            )
        return table.select(*COLUMNS)

    def sources(self) -> list[Source]:
        """What was read into its record files, in the order it came; Parquet records do not say."""
        from groundspeed.record.sources import read_sources

        backend: Any = self._table.get_backend()
        with files.guarded(self.name):
            return [source for name in self._databases for source in read_sources(backend.con, name)]

    def close(self) -> None:
        """Let go of the files, so that others may write to them; the record is of no use afterwards."""
        backend: Any = self._table.get_backend()
        backend.disconnect()

    def _open_on(self, engine: Engine) -> ir.Table:
        table, version = engine.table(), engine.version()
        if version not in (None, files.SCHEMA_VERSION):
            raise RecordError(
                f"{self.name}: found a record of schema {version}; expected schema {files.SCHEMA_VERSION} (use the groundspeed that wrote it, "
                f"or copy a record there anew with `groundspeed record copy --replace`)"
            )
        types = table.schema()
        missing = [name for name in COLUMNS if name not in types]
        if missing:
            raise RecordError(f"{self.name}: found a table without the columns {', '.join(missing[:5])}; expected a record")
        for name, kind in COLUMNS.items():
            found = types[name]
            held = {
                "string": found.is_string,
                "float64": found.is_floating,
                "int64": found.is_integer,
                "boolean": found.is_boolean,
            }
            if not held[kind]():
                raise RecordError(f"{self.name}: found the column {name} as {found}; expected {kind}, as in a record")
        return table.select(*COLUMNS)

    @property
    def table(self) -> ir.Table:
        """The record as an Ibis table, for questions of your own."""
        return self._table

    def rounds(self) -> list[str]:
        """The rounds it holds results of, in order."""
        found = self._rows(self._table.select("round").distinct())
        for (round_,) in found:
            if not (isinstance(round_, str) and is_round(round_)):
                said = "no round" if round_ is None else f'the round "{round_}"'
                raise RecordError(f'{self.name}: found {said}; expected one such as "v6.1" with every result')
        return sorted((round_ for (round_,) in found), key=round_key)

    def _rows(self, expression: ir.Table) -> list[tuple[Any, ...]]:
        return [row for batch in self._fetch(expression) for row in batch]

    def _fetch(self, expression: ir.Table) -> Iterator[Sequence[tuple[Any, ...]]]:
        """The rows of a question as batches of tuples; Ibis' own ways to fetch import pandas, which costs more than an audit."""
        try:
            if self._engine is not None:
                yield from self._engine.fetch(expression)
                return
            connection = expression.get_backend()
            cursor = connection.raw_sql(connection.compile(expression))
            while batch := cursor.fetchmany(50_000):
                yield batch
        except Exception as error:  # the engine's own kinds, of which a damaged page may raise any
            reason = files.first_line(error)
            if self._engine is not None:
                reason = self._engine.address.without_secrets(reason)
            raise RecordError(f"{self.name}: found damaged data ({reason}); expected a record that groundspeed wrote") from None

    def results(self, rounds: Iterable[str] | None = None) -> list[Result]:
        """The results of some rounds, or all, in the record's order."""
        table = self._table
        if rounds is not None:
            table = table.filter(table["round"].isin(list(rounds)))
        build = Shared().result
        results = [build(row) for row in self._rows(table)]
        for result in results:
            if not (0 < result.value < math.inf):  # NaN is neither
                raise RecordError(f"{self.name}: result {result.id}: found the value {result.value}; expected a number above 0")
        return results if self._ordered else sorted(results, key=order)

    def result(self, id_: str) -> Result | None:
        """The result of an id, None if the record does not hold it."""
        rows = self._rows(self._table.filter(self._table["id"] == id_))
        return Shared().result(rows[0]) if rows else None

    def copy_to(self, address: str, *, replace: bool = False) -> tuple[str, int]:
        """Load this record onto an engine, whole or not at all.

        Args:
            address: Where to (see `groundspeed.record.engines.address`).
            replace: Whether a record that is there already may be replaced.

        Returns:
            The address without its password, and the number of results loaded.

        Raises:
            RecordError: If there is one and it may not be replaced, what is there is no record, or the engine refuses.
        """
        engine = connect(parse(address))
        rows = self._fetch(self._table)
        return engine.address.shown, engine.load(COLUMNS, rows, files.SCHEMA_VERSION, replace)


def write(results: Iterable[Result], path: str | Path) -> int:
    """Write a Parquet record, ordered, in one piece or not at all.

    The same results give the same bytes with the same versions of DuckDB.

    Returns:
        The number of results written.

    Raises:
        RecordError: If two results have the same id, or the place cannot be written to.
    """
    import duckdb
    import ibis

    path = Path(path)
    ordered = sorted(results, key=order)
    seen: dict[str, Result] = {}
    for result in ordered:
        if result.id in seen:
            p, first = result.provenance, seen[result.id].provenance
            raise RecordError(f"{p.round} {p.path} is in {first.source} and in {p.source}; leave one of the two out")
        seen[result.id] = result
    table = as_arrow(ordered)
    connection = ibis.duckdb.connect(threads=1)
    try:
        with in_one_piece(path) as temporary:
            connection.to_parquet(ibis.memtable(table), temporary, compression="zstd")
    except (GroundspeedError, duckdb.Error) as error:
        reason = str(error) if isinstance(error, GroundspeedError) else f"{path}: cannot be written ({files.first_line(error)})"
        raise RecordError(reason) from None
    return len(ordered)
