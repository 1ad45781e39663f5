"""A result as a row of one flat table, and back.

What is searched for is a column of its own; parts that belong together (components, accelerators, accuracy values, notes) are
JSON texts, so that the same table can stand in any engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from groundspeed.record.calendar import round_key
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
    import pyarrow as pa

# Column -> type. The order is the order of `as_row`.
COLUMNS = {
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


def as_row(r: Result) -> tuple[Any, ...]:
    """The values of `COLUMNS`, in their order."""
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


def order(r: Result) -> tuple[Any, ...]:
    """The record's order: by round, division, submitter and path."""
    p = r.provenance
    return (round_key(p.round), p.division, p.submitter.casefold(), p.path, r.id)


class Shared:
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


def as_arrow(results: Sequence[Result]) -> pa.Table:
    """Results as an Arrow table with the columns and types of `COLUMNS`."""
    import pyarrow as pa

    types = {"string": pa.string(), "float64": pa.float64(), "int64": pa.int64(), "boolean": pa.bool_()}
    columns = list(zip(*map(as_row, results), strict=True)) if results else [()] * len(COLUMNS)
    arrays = [pa.array(column, types[kind]) for column, kind in zip(columns, COLUMNS.values(), strict=True)]
    return pa.table(arrays, names=list(COLUMNS))
