"""A record on PostgreSQL: one table, which says in its comment what it is and of which version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import ibis
import psycopg
from psycopg import sql

from groundspeed.errors import RecordError
from groundspeed.record.engines.address import Address
from groundspeed.record.engines.engine import Batch

if TYPE_CHECKING:
    import ibis.expr.types as ir

_TYPES = {"string": "text", "float64": "double precision", "int64": "bigint", "boolean": "boolean"}
_COMMENT = "groundspeed record, schema "
_BATCH = 20_000


class Postgres:
    """A record in a PostgreSQL database.

    Where an address names no password, PostgreSQL's own ways to give one apply (PGPASSWORD, ~/.pgpass, a service file).

    Raises:
        RecordError: If the server cannot be reached or refuses.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        try:
            self._connection = psycopg.connect(
                **{"connect_timeout": "10", "application_name": "groundspeed", **address.options},  # type: ignore[arg-type]
                autocommit=True,
            )
            self._backend = ibis.postgres.from_connection(self._connection)
        except psycopg.Error as error:
            raise RecordError(
                f"{address.shown}: found no PostgreSQL database there ({address.without_secrets(error)}); expected one that this user "
                f"may connect to"
            ) from None

    @property
    def _identifier(self) -> sql.Identifier:
        schema, name = self.address.schema_and_name
        return sql.Identifier(schema, name) if schema else sql.Identifier(name)

    def _exists(self) -> bool:
        row = self._connection.execute("SELECT to_regclass(%s)", [self._identifier.as_string(self._connection)]).fetchone()
        return bool(row and row[0])

    def table(self) -> ir.Table:
        """The record's table; names are taken as written, in capitals or not."""
        if not self._exists():
            raise RecordError(
                f"{self.address.shown}: found no table {self.address.table} in this database; expected a record, which "
                f"`groundspeed record copy` writes there"
            )
        schema, name = self.address.schema_and_name
        return self._backend.table(name, database=schema)

    def version(self) -> int | None:
        """The version in the table's comment."""
        row = self._connection.execute(
            "SELECT obj_description(to_regclass(%s), 'pg_class')", [self._identifier.as_string(self._connection)]
        ).fetchone()
        found = re.fullmatch(re.escape(_COMMENT) + r"(\d+)", row[0]) if row and row[0] else None
        return int(found[1]) if found else None

    def fetch(self, expression: ir.Table) -> Iterator[Batch]:
        """Rows of a question, through a cursor on the server: the client holds one batch."""
        query = self._backend.compile(expression)
        with self._connection.transaction(), self._connection.cursor(name="groundspeed") as cursor:
            cursor.execute(query.encode())
            while batch := cursor.fetchmany(_BATCH):
                yield batch

    def load(self, columns: Mapping[str, str], batches: Iterable[Batch], version: int, replace: bool) -> int:
        """Write the table in one transaction, by COPY.

        A record of the same columns keeps its table, and with it the rights that were given on it: its rows are deleted and new
        ones copied in, and whoever reads meanwhile reads the old ones.
        """
        try:
            with self._connection.transaction():
                # Two who copy to one table at once take turns.
                self._connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"groundspeed {self.address.table}"])
                self._prepare(columns, version, replace)
                count = self._copy(columns, batches)
                # Without statistics the planner takes the table for tiny, and joins by nested loops until autovacuum comes round.
                self._connection.execute(sql.SQL("ANALYZE {}").format(self._identifier))
                return count
        except psycopg.Error as error:
            raise RecordError(
                f"{self.address.shown}: PostgreSQL refused the record ({self.address.without_secrets(error)}); nothing was written"
            ) from None

    def _prepare(self, columns: Mapping[str, str], version: int, replace: bool) -> None:
        """An empty table of the record's columns."""
        shown, execute = self.address.shown, self._connection.execute
        if self._exists():
            declared = self.version()
            if declared is None:
                raise RecordError(
                    f"{shown}: found a table that is no record of groundspeed; expected none there: name another table"
                )
            if not replace:
                raise RecordError(f"{shown}: found a record there already; name another table, or replace it with --replace")
            if declared == version:
                execute(sql.SQL("DELETE FROM {}").format(self._identifier))
                return
            execute(sql.SQL("DROP TABLE {}").format(self._identifier))
        parts = [sql.SQL("{} {}").format(sql.Identifier(name), sql.SQL(_TYPES[kind])) for name, kind in columns.items()]
        execute(sql.SQL("CREATE TABLE {} ({}, PRIMARY KEY (id))").format(self._identifier, sql.SQL(", ").join(parts)))
        execute(sql.SQL("COMMENT ON TABLE {} IS {}").format(self._identifier, sql.Literal(f"{_COMMENT}{version}")))
        execute(sql.SQL("CREATE INDEX ON {} (round)").format(self._identifier))

    def _copy(self, columns: Mapping[str, str], batches: Iterable[Batch]) -> int:
        count = 0
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(self._identifier, sql.SQL(", ").join(map(sql.Identifier, columns)))
        with self._connection.cursor() as cursor, cursor.copy(statement) as copy:
            for batch in batches:
                for row in batch:
                    copy.write_row(row)
                count += len(batch)
        return count
