"""A record on Apache Spark: a table of its catalog, or Parquet files that its workers can read."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import ibis
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from groundspeed.errors import RecordError
from groundspeed.record.engines.address import Address
from groundspeed.record.engines.engine import Batch

if TYPE_CHECKING:
    import ibis.expr.types as ir

_PROPERTY = "groundspeed.schema"
_BATCH = 20_000


class Spark:
    """A record on Spark.

    A session that the program has already is used; otherwise one is started, and ends with the program.

    Raises:
        RecordError: If no session can be started.
    """

    def __init__(self, address: Address) -> None:
        self.address = address
        try:
            self._session = _session(address.master)
            self._backend = ibis.pyspark.connect(self._session)
        except Exception as error:  # Py4J, gRPC and PySpark each raise their own
            raise RecordError(
                f"{address.shown}: Spark did not start ({address.without_secrets(error)}); expected Java 17 or 21 on this machine "
                f"(Debian: openjdk-17-jre-headless) and, for spark:// and sc://, a server there"
            ) from None

    def _exists(self) -> bool:
        return bool(self._session.catalog.tableExists(self.address.table))

    def table(self) -> ir.Table:
        """The record's table."""
        shown = self.address.shown
        if self.address.parquet:
            try:
                return self._backend.read_parquet(self.address.parquet)
            except Exception as error:
                raise RecordError(
                    f"{shown}: found no Parquet files there that Spark can read ({self.address.without_secrets(error)}); expected a record"
                ) from None
        if not self._exists():
            raise RecordError(
                f"{shown}: found no table {self.address.table} in Spark's catalog; expected a record, which `groundspeed record copy` "
                f"writes there"
            )
        schema, name = self.address.schema_and_name
        return self._backend.table(name, database=schema)

    def version(self) -> int | None:
        """The version in the table's properties; Parquet files declare none that Spark shows."""
        if self.address.parquet:
            return None
        name = ".".join(f"`{part}`" for part in self.address.table.split("."))
        for row in self._session.sql(f"SHOW TBLPROPERTIES {name}").collect():
            if row[0] == _PROPERTY and str(row[1]).isdigit():
                return int(row[1])
        return None

    def fetch(self, expression: ir.Table) -> Iterator[Batch]:
        """Rows of a question. They are plain tuples: Spark's own rows would compare and print differently."""
        rows = self._session.sql(self._backend.compile(expression)).collect()
        for start in range(0, len(rows), _BATCH):
            yield [tuple(row) for row in rows[start : start + _BATCH]]

    def load(self, columns: Mapping[str, str], batches: Iterable[Batch], version: int, replace: bool) -> int:
        """Write a table or Parquet files. The catalog decides whether readers see a table half replaced (Iceberg and Delta: no)."""
        shown, there = self.address.shown, False
        if self.address.table and (there := self._exists()):
            if self.version() is None:
                raise RecordError(
                    f"{shown}: found a table that is no record of groundspeed; expected none there: name another table"
                )
            if not replace:
                raise RecordError(f"{shown}: found a record there already; name another table, or replace it with --replace")
        rows = list(itertools.chain.from_iterable(batches))
        writer = self._frame(columns, rows).coalesce(1).write
        try:
            if self.address.parquet:
                # Never "overwrite": Spark deletes the old files before it writes the new ones.
                writer.mode("errorifexists").parquet(self.address.parquet)
            else:
                writer.mode("overwrite" if there else "errorifexists").saveAsTable(self.address.table)
                name = ".".join(f"`{part}`" for part in self.address.table.split("."))
                self._session.sql(f"ALTER TABLE {name} SET TBLPROPERTIES ('{_PROPERTY}' = '{version}')")
        except PySparkException as error:
            if "PATH_ALREADY_EXISTS" in str(error):
                raise RecordError(
                    f"{shown}: found files there already; Spark cannot replace files in one step (with --replace or without): write to "
                    f"another path"
                ) from None
            raise RecordError(f"{shown}: Spark refused the record ({self.address.without_secrets(error)})") from None
        return len(rows)

    def _frame(self, columns: Mapping[str, str], rows: list[tuple[Any, ...]]) -> Any:
        import pyarrow as pa

        arrow = {"string": pa.string(), "float64": pa.float64(), "int64": pa.int64(), "boolean": pa.bool_()}
        values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
        arrays = [pa.array(column, arrow[kind]) for column, kind in zip(values, columns.values(), strict=True)]
        return self._session.createDataFrame(pa.table(arrays, names=list(columns)))


def _session(master: str) -> SparkSession:
    if master.startswith("sc://"):
        return SparkSession.builder.remote(master).getOrCreate()
    builder = SparkSession.builder.master(master).appName("groundspeed")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",  # findings go to standard output; Spark's warnings would drown the rest
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "8",  # its default of 200 is for far larger tables than a record
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()
