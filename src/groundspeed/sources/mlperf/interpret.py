"""From a published row to a result: canonical names, the metric's definition, the true counts, and what is believed of its flags."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from typing import Literal, NamedTuple

from groundspeed.record import accuracy, metrics, names, precision, stacks, systems
from groundspeed.record.calendar import round_key, rounds
from groundspeed.record.model import (
    DataNote,
    Harness,
    Power,
    Provenance,
    Quality,
    Result,
    Stack,
    Workload,
)
from groundspeed.record.runs import result_id
from groundspeed.sources.mlperf.rows import Count, PublishedRow

NameKind = Literal["accelerator", "model", "submitter", "scenario", "precision", "stack", "round", "division", "availability"]

_INFERRED_FROM = {"Offline": ("SingleStream", "MultiStream"), "MultiStream": ("SingleStream",)}
_ENDPOINTS_SINCE = (6, 1)
_ENDPOINTS_TEXT = re.compile(r"MLCommons endpoints|LoadGen\+\+", re.IGNORECASE)
_GATED_WITH_ENDPOINTS = {"qwen3-vl-235b-a22b"}


class BadValueError(ValueError):
    """A field that a result cannot do without is not usable; `field` is its name in the reader's words."""

    def __init__(self, field: str, found: str, expected: str) -> None:
        super().__init__(field, found, expected)
        self.field, self.found, self.expected = field, found, expected


class Interpreted(NamedTuple):
    """A result, and the published strings in its row that no table knows."""

    result: Result
    unknown: tuple[tuple[NameKind, str], ...]


@cache
def count(field: str, value: Count) -> int | None:
    """A published count: None where the table says nothing ("", "N/A") or several things ("(8,4)").

    Raises:
        BadValueError: If it is a text that is neither, or a fraction.
    """
    if value is None:
        return None
    if isinstance(value, str):
        text = value.strip()
        if text.casefold() in {"", "n/a", "none", "-"} or re.fullmatch(r"\(\d+(?:,\s*\d+)*\)", text):
            return None
        if re.fullmatch(r"[0-9]{1,9}\.0+", text):
            text = text.partition(".")[0]
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise BadValueError(field, f'"{text[:60]}"', "a whole number, or blank")
        return int(text)
    if not 0 <= value < 1e9 or value != int(value):
        raise BadValueError(field, str(value), "a whole number")
    return int(value)


def harness(row: PublishedRow) -> Harness:
    """Who measured: from v6.1 on, rows of the Endpoints client show by a bare accuracy number or by their stack's text."""
    if round_key(row.round) >= _ENDPOINTS_SINCE and (accuracy.is_bare(row.accuracy) or _ENDPOINTS_TEXT.search(row.software)):
        return "endpoints"
    return "loadgen"


Run = tuple[str, str, str, str, str]


def measured_run(row: PublishedRow, scenario: str) -> Run:
    """What identifies a system's run of a scenario within a table."""
    return row.round, row.submitter, row.platform, row.used_model, scenario


def believed_inferred(row: PublishedRow, scenario: str, by: Harness, measured: Collection[Run]) -> bool:
    """Whether a row flagged "inferred" is believed to be.

    Inference is allowed on edge systems only, from SingleStream to MultiStream and Offline, and from MultiStream to Offline: the
    flag is believed only there, and only where the table holds the measurement it could have been inferred from, unflagged.
    This one rule serves all rounds. It leaves the flags of v2.0 to v5.1 standing, and of the 102 of v6.0, where the checker
    flags every Interactive row and every folder in lower case (the SingleStream ones with the others), the two that are real.

    Args:
        row: The row.
        scenario: Its canonical scenario.
        by: Who measured it. The Endpoints client infers nothing.
        measured: The table's runs that are not flagged, by `measured_run`.
    """
    if not row.inferred or by == "endpoints" or "edge" not in row.suite:
        return False
    return any(measured_run(row, source) in measured for source in _INFERRED_FROM.get(scenario, ()))


@cache
def workload_of(
    used_model: str, benchmark: str, scenario: str, division: str
) -> tuple[Workload, tuple[tuple[NameKind, str], ...]]:
    """The workload that names stand for, and the names that no table knows."""
    unknown: list[tuple[NameKind, str]] = []
    used, base = names.model(used_model), names.model(benchmark)
    for published, name in ((used_model, used), (benchmark, base)):
        if not name.known:
            unknown.append(("model", published))
    found = names.scenario(scenario)
    if not found.known:
        unknown.append(("scenario", scenario))
    # The folder of an open result names its own model; a closed one runs the benchmark's.
    model = base if base.is_benchmark and (used.is_benchmark or division == "closed") and used.name == base.name else used
    target = used.target or (base.target if model.is_benchmark else "")
    benchmark_name = base.name if base.is_benchmark else used.name
    workload = Workload(model.name, benchmark_name, target, found.name, names.dataset(benchmark_name))
    return workload, tuple(dict.fromkeys(unknown))


@cache
def _stack(raw: str) -> tuple[Stack, bool]:
    return stacks.parse(raw), stacks.unread(raw)


@cache
def _one_of(field: str, value: str, allowed: tuple[str, ...]) -> str:
    text = value.strip().casefold()
    if text not in allowed:
        raise BadValueError(field, f'"{value[:60]}"', " or ".join(allowed))
    return text


def interpret(
    row: PublishedRow, source: str, measured: Collection[Run], power: Power | None, notes: list[DataNote]
) -> Interpreted:
    """Turn a published row into a result.

    Args:
        row: The row, with a value.
        source: The table's name, kept as provenance.
        measured: Runs of the table that are not flagged as inferred.
        power: Power merged from a power-only row, if there is one.
        notes: Data notes of the merge.

    Raises:
        BadValueError: If a field that decides what the result is cannot be used.
    """
    by = harness(row)
    division = _one_of("division", row.division, ("closed", "open", "network"))
    availability = _one_of("availability", row.availability, ("available", "preview", "rdi"))
    workload, unknown_names = workload_of(row.used_model, row.benchmark, row.scenario, division)
    unknown = list(unknown_names)

    each, nodes = count("per_node", row.accelerators_per_node), count("nodes", row.nodes)
    read = systems.read(
        systems.PublishedSystem(
            row.system, row.platform, row.accelerator, nodes or 1, each or None, count("total", row.total_accelerators),
            row.processor, count("sockets", row.sockets), row.suite, row.notes,
        )
    )  # fmt: skip
    notes = [*notes, *read.notes]
    unknown += [("accelerator", text) for text in read.unknown]

    submitter = names.submitter(row.submitter)
    if not submitter.known:
        unknown.append(("submitter", row.submitter))
    formats, known = precision.parse(row.precision)
    if not known:
        unknown.append(("precision", row.precision))
    stack, unread = _stack(row.software)
    if unread:
        unknown.append(("stack", row.software))
    if row.round not in rounds():
        unknown.append(("round", row.round))
        notes.append(
            DataNote("definition-assumed", f"{row.round} is not in the calendar: the newest known definitions are assumed")
        )

    metric = metrics.definition(row.round, workload.benchmark, workload.scenario, by)
    if metric is None:
        raise BadValueError("scenario", f'"{row.scenario[:60]}"', "Offline, Server, Interactive, SingleStream or MultiStream")
    published_unit = metrics.unit(row.unit)
    if published_unit != metric.unit:
        notes.append(DataNote("unit-differs", f"the table says {published_unit or 'nothing'}, the value is in {metric.unit}"))

    inferred = believed_inferred(row, workload.scenario, by, measured)
    if row.inferred and not inferred:
        notes.append(DataNote("inferred-not-believed", "flagged as inferred by the table; the flag is not believed"))
    # Only the closed division has targets: an open result may run another model under the benchmark's name.
    judged_as = workload.benchmark_name if division == "closed" else ""
    values = accuracy.parse(row.accuracy, judged_as, workload.scenario, row.round)
    if power is None and row.power is not None and row.power > 0:
        power = Power(row.power, metrics.unit(row.power_unit) or _power_unit(workload.scenario))

    assert row.value is not None
    path = row.path.removeprefix("./")
    result = Result(
        id=result_id(row.round, path, workload.scenario),
        workload=workload,
        system=read.system,
        stack=stack,
        metric=metric,
        value=row.value,
        quality=Quality(values, gated(division, by, workload.benchmark), formats, power, row.has_power),
        provenance=Provenance(
            source=source,
            round=row.round,
            submitter=submitter.name,
            division=division,  # type: ignore[arg-type]  # one of the three by _one_of
            availability=availability,  # type: ignore[arg-type]
            tier=1 if division == "closed" else 2,
            path=path,
            published_inferred=row.inferred,
            inferred=inferred,
        ),
        published_unit=published_unit,
        notes=tuple(notes),
    )
    return Interpreted(result, tuple(unknown))


def gated(division: str, by: Harness, benchmark: str) -> bool:
    """Whether the checker refuses a result below its accuracy target."""
    return division == "closed" and (by == "loadgen" or benchmark in _GATED_WITH_ENDPOINTS)


def _power_unit(scenario: str) -> str:
    return "mJ/query" if scenario in {"SingleStream", "MultiStream"} else "W"
