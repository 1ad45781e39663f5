"""Published rows, tables and results made by hand, so that a test needs no published data.

The defaults are one row of the closed division as it stands in each table: AMD, 8x MI355X, gpt-oss-120b Server. The names in an override
are the table's own columns (`final_report_row(**{"a#": 4})`); those of `result` are plain words.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from groundspeed.record import metrics, names, stacks
from groundspeed.record.calendar import round_key
from groundspeed.record.model import (
    AcceleratorGroup,
    DataNote,
    Harness,
    Metric,
    Power,
    Precision,
    Provenance,
    Quality,
    Result,
    System,
    Workload,
)
from groundspeed.record.systems import processor as processor_model
from groundspeed.record.systems import product as product_of

Row = dict[str, Any]

STACK = "vLLM 0.22.0, PyTorch 2.10.0, ROCm 7.2.2"


def _located(row: Row, *columns: str) -> Row:
    """The row with the path that its other columns give, unless it has one already."""
    if row["Location"] is None:
        division, submitter, platform, model, scenario = (row[column] for column in columns)
        row["Location"] = f"./{division}/{submitter}/results/{platform}/{model}/{scenario}/performance/run_1"
    return row


def final_report_row(**overrides: Any) -> Row:
    """A row of the final report of v5.1 or v6.0."""
    row: Row = {
        "ID": "6.0-0001",
        "Submitter": "AMD",
        "Availability": "available",
        "Category": "closed",
        "Suite": "datacenter",
        "System": "Supermicro AS-4126GS-NMR-LCC",
        "Platform": "8xMI355X_2xEPYC_9575F",
        "UsedModel": "gpt-oss-120b",
        "Model": "gpt-oss-120b",
        "Scenario": "Server",
        "Accuracy": "exact_match: 83.1  TOKENS_PER_SAMPLE: 9000.0",
        "Nodes": 1,
        "Processor": "AMD EPYC 9575F",
        "host_processors_per_node": 2,
        "host_processor_core_count": "64",
        "Accelerator": "AMD Instinct MI355X 288GB HBM3e",
        "a#": 8,
        "Total Accelerators": 8,
        "Location": None,
        "Software": STACK,
        "operating_system": "Ubuntu 22.04.5 LTS",
        "Notes": "",
        "compliance": "closed",
        "errors": 0,
        "version": "v6.0",
        "inferred": 0,
        "has_power": False,
        "weight_data_types": "mxfp4",
        "Performance_Result": 82136.1,
        "Performance_Units": "Tokens/s",
    }
    row.update(overrides)
    return _located(row, "Category", "Submitter", "Platform", "UsedModel", "Scenario")


def checker_row(**overrides: Any) -> Row:
    """A row of the checker's summary of v6.1, with numbers as numbers: CSV makes them texts."""
    row: Row = {
        "Organization": "AMD",
        "Availability": "available",
        "Division": "closed",
        "SystemType": "datacenter",
        "SystemName": "Supermicro AS-4126GS-NMR-LCC",
        "Platform": "8xMI355X_2xEPYC_9575F",
        "Model": "gpt-oss-120b",
        "MlperfModel": "gpt-oss-120b",
        "Scenario": "Server",
        "Result": 113241.0,
        "Accuracy": "exact_match: 83.1  TOKENS_PER_SAMPLE: 9000.0",
        "number_of_nodes": 1,
        "host_processor_model_name": "AMD EPYC 9575F",
        "host_processors_per_node": 2,
        "host_processor_core_count": "64",
        "accelerator_model_name": "AMD Instinct MI355X 288GB HBM3e",
        "accelerators_per_node": 8,
        "total_accelerators": 8,
        "Location": None,
        "framework": STACK,
        "operating_system": "Ubuntu 24.04 LTS",
        "notes": "",
        "compliance": "closed",
        "errors": 0,
        "version": "v6.1",
        "inferred": 0,
        "has_power": False,
        "Units": "Tokens/s",
        "weight_data_types": "mxfp4",
        "design_power_watts": None,
        "PrivateID": None,
    }
    row.update(overrides)
    return _located(row, "Division", "Organization", "Platform", "Model", "Scenario")


def history_row(**overrides: Any) -> Row:
    """A row of the aggregated history: the checker's columns without a total, with a bare accuracy and power columns."""
    row = checker_row(
        **{
            "Organization": "NVIDIA",
            "SystemName": "NVIDIA DGX H100 (8x H100-SXM-80GB, TensorRT)",
            "Platform": "DGX-H100_H100-SXM-80GBx8_TRT",
            "Model": "resnet50",
            "MlperfModel": "resnet",
            "Scenario": "Offline",
            "Result": 704235.0,
            "Accuracy": 76.064,
            "host_processor_model_name": "Intel(R) Xeon(R) Platinum 8480C",
            "accelerator_model_name": "NVIDIA H100-SXM-80GB",
            "accelerators_per_node": 8,
            "framework": "TensorRT 9.3.0, CUDA 12.2",
            "version": "v4.0",
            "Units": "Samples/s",
            "Result_Units": "Samples/s",
            **overrides,
        }
    )
    for column in ("total_accelerators", "weight_data_types", "design_power_watts", "PrivateID"):
        if column not in overrides:
            del row[column]
    return row


def power_row(watts: float | None, **overrides: Any) -> Row:
    """The power-only twin of a history row: the same run without a performance value."""
    power = {"Result": None, "Result_Power": watts, "Units": "Watts", "Result_Units": "Watts", "has_power": True}
    return history_row(**{**power, **overrides})


def write_json_list(path: Path, rows: Iterable[Row]) -> Path:
    """The final report's container."""
    path.write_text(json.dumps(list(rows), indent=2))
    return path


def write_json_object(path: Path, rows: Iterable[Row]) -> Path:
    """The checker's JSON: an object keyed "0", "1", ..."""
    path.write_text(json.dumps({str(i): row for i, row in enumerate(rows)}, indent=4))
    return path


def write_json_lines(path: Path, rows: Iterable[Row], gz: bool = False) -> Path:
    """The history's container, plain or gzip."""
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path.write_bytes(gzip.compress(data, mtime=0) if gz else data)
    return path


def write_csv(path: Path, rows: Iterable[Row]) -> Path:
    """The checker's CSV: a bare header, every value quoted, no value written "None"."""
    rows = list(rows)
    with path.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerow(rows[0])
        csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows([str(v) for v in row.values()] for row in rows)
    return path


def result(
    *,
    id: str | None = None,  # noqa: A002  # the field's own name
    round: str = "v6.1",  # noqa: A002
    submitter: str = "AMD",
    division: str = "closed",
    availability: str = "available",
    accelerator: str | None = "MI355X",
    count: int | None = 8,
    groups: Iterable[tuple[str, int | None]] | None = None,
    published_count: int | None = None,
    nodes: int = 1,
    system: str = "Supermicro AS-4126GS-NMR-LCC",
    platform: str = "8xMI355X_2xEPYC_9575F",
    processor: str = "AMD EPYC 9575F",
    sockets: int | None = 2,
    suite: str = "datacenter",
    tags: Iterable[str] = (),
    model: str = "gpt-oss-120b",
    benchmark: str | None = None,
    target: str = "",
    scenario: str = "Server",
    value: float = 113241.0,
    metric: Metric | None = None,
    harness: Harness = "loadgen",
    stack: str = STACK,
    precision: Precision | None = None,
    accuracy: tuple[Any, ...] = (),
    power: Power | None = None,
    power_run: bool = False,
    inferred: bool = False,
    path: str | None = None,
    source: str = "made-by-hand",
    notes: Mapping[str, str] | None = None,
) -> Result:
    """A result: AMD's 8x MI355X, gpt-oss-120b Server of v6.1, 113,241 tokens/s, unless something else is asked for.

    Args:
        accelerator: Canonical name of the one kind of accelerator; None for a CPU-only system.
        count: Accelerators that took part.
        groups: (name, count) of several kinds, in place of `accelerator` and `count`.
        metric: The metric; by default what the metric table says of the round, benchmark, scenario and harness.
        stack: The software as declared; its components are read from it.
        notes: Data notes, code -> detail.
    """
    if groups is None:
        groups = [(accelerator, count)] if accelerator else []
    pairs = tuple(AcceleratorGroup(name, n) for name, n in sorted(groups))
    tags = {*tags} if pairs else {*tags, "cpu-only"}
    workload_model = model if benchmark is None else benchmark
    metric = metric or metrics.definition(round, workload_model, scenario, harness)
    assert metric is not None, f"no metric is defined for {scenario}"
    used = f"{model}-{target}" if target else model
    path = path or f"{division}/{submitter}/results/{platform}/{used}/{scenario}"
    round_key(round)
    return Result(
        id=id or f"{round}|{path}",
        workload=Workload(model, workload_model, target, scenario, names.dataset(workload_model)),
        system=System(
            name=system,
            platform=platform,
            product=product_of(system),
            accelerators=pairs,
            published_count=published_count,
            nodes=nodes,
            processor=processor_model(processor),
            sockets=sockets,
            suite=suite,
            tags=tuple(sorted(tags)),
        ),
        stack=stacks.parse(stack),
        metric=metric,
        value=value,
        quality=Quality(accuracy, division == "closed", precision or Precision(("mxfp4",), raw="mxfp4"), power, power_run),
        provenance=Provenance(
            source=source,
            round=round,
            submitter=submitter,
            division=division,  # type: ignore[arg-type]
            availability=availability,  # type: ignore[arg-type]
            tier=1 if division == "closed" else 2,
            path=path,
            published_inferred=inferred,
            inferred=inferred,
        ),
        published_unit=metric.unit,
        notes=tuple(DataNote(code, detail) for code, detail in (notes or {}).items()),
    )
