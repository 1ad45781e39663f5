"""The store: results as rows of one flat table, read and written through Ibis: on DuckDB from a file, or on an engine by address.

What is searched for is a column of its own; parts that belong together (components, accelerators, accuracy values, notes) are
JSON texts, so that the same table can stand in any engine. Record files are Parquet. The embedded record is one of them, written
by `groundspeed record build` and never written to otherwise.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from groundspeed.errors import RecordError
from groundspeed.record.calendar import round_key
from groundspeed.record.engines import Engine, connect, is_address, parse
from groundspeed.record.model import (
    AcceleratorGroup,
    AccuracyValue,
    Component,
    DataNote,
    Metric,
    Power,
    Precision,
    Provenance,
    Quality,
    Result,
    Stack,
    System,
    Workload,
)

if TYPE_CHECKING:
    import ibis.expr.types as ir

SCHEMA_VERSION = 1

# Column -> type. The order is the order of `_row`.
_COLUMNS = {
    "id": "string",
    "round": "string",
    "division": "string",
    "availability": "string",
    "submitter": "string",
    "model": "string",
    "benchmark": "string",
    "accuracy_target": "string",
    "scenario": "string",
    "dataset": "string",
    "value": "float64",
    "unit": "string",
    "published_unit": "string",
    "quantity": "string",
    "statistic": "string",
    "direction": "string",
    "harness": "string",
    "definition": "string",
    "accelerator": "string",
    "accelerator_count": "int64",
    "accelerator_groups": "string",
    "published_accelerator_count": "int64",
    "nodes": "int64",
    "system": "string",
    "platform": "string",
    "product": "string",
    "processor": "string",
    "sockets": "int64",
    "suite": "string",
    "tags": "string",
    "stack": "string",
    "stack_components": "string",
    "precision_weights": "string",
    "precision_activations": "string",
    "precision_kv_cache": "string",
    "precision_published": "string",
    "accuracy": "string",
    "accuracy_gated": "boolean",
    "power": "float64",
    "power_unit": "string",
    "power_run": "boolean",
    "inferred": "boolean",
    "published_inferred": "boolean",
    "tier": "int64",
    "source": "string",
    "path": "string",
    "notes": "string",
}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _row(r: Result) -> tuple[Any, ...]:
    w, s, m, q, p = r.workload, r.system, r.metric, r.quality, r.provenance
    return (
        r.id, p.round, p.division, p.availability, p.submitter, w.model, w.benchmark, w.accuracy_target, w.scenario, w.dataset,
        r.value, m.unit, r.published_unit, m.quantity, m.statistic, m.direction, m.harness, m.definition,
        s.accelerator, s.count, _json(s.accelerators), s.published_count, s.nodes, s.name, s.platform, s.product, s.processor,
        s.sockets, s.suite, " ".join(s.tags), r.stack.raw, _json(r.stack.components),
        " ".join(q.precision.weights), q.precision.activations, q.precision.kv_cache, q.precision.raw, _json(q.accuracy), q.gated,
        q.power.value if q.power else None, q.power.unit if q.power else None, q.power_run, p.inferred, p.published_inferred,
        p.tier, p.source, p.path, _json(r.notes),
    )  # fmt: skip


def _order(r: Result) -> tuple[Any, ...]:
    p = r.provenance
    return (round_key(p.round), p.division, p.submitter.casefold(), p.path, r.id)


class _Shared:
    """Builds results from rows, sharing equal parts."""

    def __init__(self) -> None:
        self.groups = cache(msgspec.json.Decoder(tuple[AcceleratorGroup, ...]).decode)
        self.components = cache(msgspec.json.Decoder(tuple[Component, ...]).decode)
        self.accuracy = cache(msgspec.json.Decoder(tuple[AccuracyValue, ...]).decode)
        self.notes = cache(msgspec.json.Decoder(tuple[DataNote, ...]).decode)
        self.workload = cache(Workload)
        self.metric = cache(Metric)
        self.precision = cache(self._precision)
        self.stack = cache(self._stack)
        self.system = cache(self._system)

    def _precision(self, weights: str, activations: str, kv_cache: str, raw: str) -> Precision:
        return Precision(tuple(weights.split()), activations, kv_cache, raw)

    def _stack(self, raw: str, components: str) -> Stack:
        return Stack(raw, self.components(components))

    def _system(self, groups: str, tags: str, *rest: Any) -> System:
        published, nodes, name, platform, product, processor, sockets, suite = rest
        return System(
            name, platform, product, self.groups(groups), published, nodes, processor, sockets, suite, tuple(tags.split())
        )

    def result(self, v: Sequence[Any]) -> Result:
        """One row, in the order of the columns."""
        power = Power(v[38], v[39]) if v[38] is not None else None
        quality = Quality(self.accuracy(v[36]), v[37], self.precision(v[32], v[33], v[34], v[35]), power, v[40])
        return Result(
            id=v[0],
            workload=self.workload(v[5], v[6], v[7], v[8], v[9]),
            system=self.system(v[20], v[29], v[21], v[22], v[23], v[24], v[25], v[26], v[27], v[28]),
            stack=self.stack(v[30], v[31]),
            metric=self.metric(v[13], v[14], v[11], v[15], v[16], v[17]),
            value=v[10],
            quality=quality,
            provenance=Provenance(v[44], v[1], v[4], v[2], v[3], v[43], v[45], v[42], v[41]),
            published_unit=v[12],
            notes=self.notes(v[46]),
        )


class Record:
    """A record file, a record on an engine, or the embedded one.

    Args:
        path: A Parquet file written by `write`, or an engine's address ("postgres://...", "spark+local:///...": see
            `groundspeed.record.engines.address`); None for the record inside the package.

    Raises:
        RecordError: If the file or table is missing, is no record, or was written by a newer version, or if the engine cannot be reached.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self._engine: Engine | None = None
        if isinstance(path, str) and is_address(path):
            self._engine = connect(parse(path))
            self.name = self._engine.address.shown
            self._table = self._open_on(self._engine)
            return
        self.name = "embedded record" if path is None else str(path)
        if path is None:
            resource = files("groundspeed.record.data").joinpath("record.parquet")
            if not resource.is_file():
                raise RecordError("the embedded record is missing from this installation; reinstall groundspeed")
            with as_file(resource) as local:
                self._table = self._open(local)
        else:
            self._table = self._open(Path(path))

    def _open(self, path: Path) -> ir.Table:
        if path.is_dir():
            raise RecordError(f"{path}: found a directory; expected a record file (Parquet)")
        if not path.exists():
            raise RecordError(f"{path}: no such file; `groundspeed record build` writes a record")
        import ibis

        connection = ibis.duckdb.connect()
        try:
            table = connection.read_parquet(path)
        except Exception as error:  # DuckDB raises many kinds for a broken file; all of them mean the same to the user
            first = str(error).strip().splitlines()[0]
            raise RecordError(f"{path}: found no Parquet file ({first}); expected a record that groundspeed wrote") from None
        missing = [name for name in _COLUMNS if name not in table.columns]
        if missing:
            raise RecordError(
                f"{path}: found a Parquet file without the columns {', '.join(missing[:5])}; expected a record of schema "
                f"{SCHEMA_VERSION} (a newer or older groundspeed wrote this one: rebuild it with `groundspeed record build`)"
            )
        return table

    def _open_on(self, engine: Engine) -> ir.Table:
        table, version = engine.table(), engine.version()
        if version not in (None, SCHEMA_VERSION):
            raise RecordError(
                f"{self.name}: found a record of schema {version}; expected schema {SCHEMA_VERSION} (use the groundspeed that wrote it, "
                f"or copy a record there anew with `groundspeed record copy --replace`)"
            )
        types = table.schema()
        missing = [name for name in _COLUMNS if name not in types]
        if missing:
            raise RecordError(f"{self.name}: found a table without the columns {', '.join(missing[:5])}; expected a record")
        for name, kind in _COLUMNS.items():
            found = types[name]
            held = {
                "string": found.is_string,
                "float64": found.is_floating,
                "int64": found.is_integer,
                "boolean": found.is_boolean,
            }
            if not held[kind]():
                raise RecordError(f"{self.name}: found the column {name} as {found}; expected {kind}, as in a record")
        return table

    @property
    def table(self) -> ir.Table:
        """The record as an Ibis table, for questions of your own."""
        return self._table

    def rounds(self) -> list[str]:
        """The rounds it holds results of, in order."""
        found = self._rows(self._table.select("round").distinct())
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
            reason = (str(error).strip().splitlines() or ["unreadable"])[0]
            if self._engine is not None:
                reason = self._engine.address.without_secrets(reason)
            raise RecordError(f"{self.name}: found damaged data ({reason}); expected a record that groundspeed wrote") from None

    def results(self, rounds: Iterable[str] | None = None) -> list[Result]:
        """The results of some rounds, or all, in the record's order."""
        table = self._table.select(*_COLUMNS)
        if rounds is not None:
            table = table.filter(table["round"].isin(list(rounds)))
        build = _Shared().result
        results = [build(row) for row in self._rows(table)]
        # A file holds its results in order; a table of an engine has none.
        return results if self._engine is None else sorted(results, key=_order)

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
        rows = self._fetch(self._table.select(*_COLUMNS))
        return engine.address.shown, engine.load(_COLUMNS, rows, SCHEMA_VERSION, replace)


def write(results: Iterable[Result], path: str | Path) -> int:
    """Write a record file, ordered, in one piece or not at all.

    The same results give the same bytes with the same versions of DuckDB.

    Returns:
        The number of results written.

    Raises:
        RecordError: If two results have the same id, or the place cannot be written to.
    """
    import ibis
    import pyarrow as pa

    path = Path(path)
    ordered = sorted(results, key=_order)
    seen: dict[str, Result] = {}
    for result in ordered:
        if result.id in seen:
            p, first = result.provenance, seen[result.id].provenance
            raise RecordError(f"{p.round} {p.path} is in {first.source} and in {p.source}; leave one of the two out")
        seen[result.id] = result
    arrow = {"string": pa.string(), "float64": pa.float64(), "int64": pa.int64(), "boolean": pa.bool_()}
    columns = list(zip(*map(_row, ordered), strict=True)) if ordered else [()] * len(_COLUMNS)
    arrays = [pa.array(column, arrow[kind]) for column, kind in zip(columns, _COLUMNS.values(), strict=True)]
    table = pa.table(arrays, names=list(_COLUMNS))
    connection = ibis.duckdb.connect(threads=1)
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written ({error.strerror})") from None
    try:
        connection.to_parquet(ibis.memtable(table), temporary, compression="zstd")
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        Path(temporary).unlink(missing_ok=True)
    return len(ordered)
