"""One published row, whatever the columns of its table are called.

Each naming scheme is a msgspec structure: it names the columns, says which must be there and what may stand in them, and turns
itself into a `PublishedRow`. Columns that nobody reads are ignored.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

# What stands in a column of counts: a number, or a text that is a number or says that there is none.
Count = int | float | str | None
Number = float | None
Text = str | None
Flag = int | bool | str | None


class PublishedRow(NamedTuple):
    """A published row in the reader's own words. Texts are as published; None and "" mean the table has nothing there."""

    round: str
    submitter: str
    division: str
    availability: str
    suite: str
    system: str
    platform: str
    accelerator: str
    nodes: Count
    accelerators_per_node: Count
    total_accelerators: Count
    processor: str
    sockets: Count
    used_model: str
    benchmark: str
    scenario: str
    value: float | None
    unit: str
    accuracy: str
    path: str
    software: str
    notes: str
    inferred: bool
    precision: str
    has_power: bool
    power: float | None
    power_unit: str


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _flag(value: Flag) -> bool:
    return value.strip().casefold() in {"1", "true", "yes"} if isinstance(value, str) else bool(value)


class FinalReport(msgspec.Struct, rename={
    "submitter": "Submitter", "availability": "Availability", "division": "Category", "suite": "Suite", "system": "System",
    "platform": "Platform", "used_model": "UsedModel", "benchmark": "Model", "scenario": "Scenario", "accuracy": "Accuracy",
    "nodes": "Nodes", "processor": "Processor", "sockets": "host_processors_per_node", "accelerator": "Accelerator",
    "per_node": "a#", "total": "Total Accelerators", "path": "Location", "software": "Software", "notes": "Notes",
    "round": "version", "value": "Performance_Result", "unit": "Performance_Units", "power": "Power_Result",
    "power_unit": "Power_Units", "precision": "weight_data_types",
}):  # fmt: skip
    """The final report's columns: v5.0 to v6.0."""

    submitter: str
    availability: str
    division: str
    suite: str
    system: str
    platform: str
    used_model: str
    benchmark: str
    scenario: str
    path: str
    round: str
    value: Number
    unit: Text
    nodes: Count = None
    accuracy: float | str | None = None
    processor: Text = None
    sockets: Count = None
    accelerator: Text = None
    per_node: Count = None
    total: Count = None
    software: Text = None
    notes: Text = None
    inferred: Flag = 0
    has_power: Flag = False
    precision: Text = None
    power: Number = None
    power_unit: Text = None


class CheckerSummary(msgspec.Struct, rename={
    "submitter": "Organization", "availability": "Availability", "division": "Division", "suite": "SystemType",
    "system": "SystemName", "platform": "Platform", "used_model": "Model", "benchmark": "MlperfModel", "scenario": "Scenario",
    "value": "Result", "accuracy": "Accuracy", "nodes": "number_of_nodes", "processor": "host_processor_model_name",
    "sockets": "host_processors_per_node", "accelerator": "accelerator_model_name", "per_node": "accelerators_per_node",
    "total": "total_accelerators", "path": "Location", "software": "framework", "round": "version", "unit": "Units",
    "precision": "weight_data_types", "power": "Result_Power", "power_unit": "Result_Power_Units",
}):  # fmt: skip
    """The checker's columns: the summary of v6.1 (CSV and JSON), and the aggregated history with its power columns."""

    submitter: str
    availability: str
    division: str
    suite: str
    system: str
    platform: str
    used_model: str
    benchmark: str
    scenario: str
    path: str
    round: str
    unit: Text
    value: Number = None
    nodes: Count = None
    accuracy: float | str | None = None
    processor: Text = None
    sockets: Count = None
    accelerator: Text = None
    per_node: Count = None
    total: Count = None
    software: Text = None
    notes: Text = None
    inferred: Flag = 0
    has_power: Flag = False
    precision: Text = None
    power: Number = None
    power_unit: Text = None


def published(record: FinalReport | CheckerSummary) -> PublishedRow:
    """A decoded record as a row in the reader's words."""
    r = record
    return PublishedRow(
        r.round, r.submitter, r.division, r.availability, r.suite, r.system, r.platform, r.accelerator or "", r.nodes, r.per_node,
        r.total, r.processor or "", r.sockets, r.used_model, r.benchmark, r.scenario, r.value, r.unit or "", _text(r.accuracy),
        r.path, r.software or "", r.notes or "", _flag(r.inferred), r.precision or "", _flag(r.has_power), r.power,
        r.power_unit or "",
    )  # fmt: skip


Scheme = type[FinalReport] | type[CheckerSummary]


def columns(scheme: Scheme) -> dict[str, msgspec.structs.FieldInfo]:
    """A scheme's columns by their published names."""
    return {field.encode_name: field for field in msgspec.structs.fields(scheme)}


def recognise(names: set[str]) -> Scheme | None:
    """The scheme whose distinctive columns are present; None if neither's are."""
    if {"Submitter", "UsedModel"} <= names or {"Performance_Result", "Category"} <= names:
        return FinalReport
    if {"Organization", "MlperfModel"} <= names or {"Organization", "SystemName", "Result"} <= names:
        return CheckerSummary
    return None
