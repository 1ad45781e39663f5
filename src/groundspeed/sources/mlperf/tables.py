"""Reading a published table as a whole: every row becomes a result, is merged into one, or is rejected by name.

Rows in = results + merged + rejected; nothing half-read is kept.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from groundspeed.errors import SourceError
from groundspeed.record import metrics, names
from groundspeed.record.calendar import is_round
from groundspeed.record.model import DataNote, Power, Result
from groundspeed.sources._files import read_bytes
from groundspeed.sources.mlperf.containers import PlacedRow, rows
from groundspeed.sources.mlperf.interpret import BadValueError, interpret, measured_run
from groundspeed.sources.mlperf.rows import PublishedRow

_POWER_UNITS = {"W", "mJ/query"}


class Rejection(NamedTuple):
    """A row that became no result: where it stands, what it is, and why."""

    place: str
    row: str
    reason: str


class Unknown(NamedTuple):
    """A published string that no alias table knows, and how many rows carry it."""

    kind: str
    text: str
    rows: int


class Reading(NamedTuple):
    """What became of a table.

    Attributes:
        source: The file's name, kept as the results' source.
        sha256: Of the file's bytes, unpacked.
        rows: Rows in the table.
        results: One for each row that carries a performance value.
        merged: Power-only rows that were joined to the performance result of the same run.
        rejected: Rows that are neither, each with its reason.
        unknown: Published strings that no alias table knows. Their rows are kept, under the string itself.
    """

    source: str
    sha256: str
    rows: int
    results: list[Result]
    merged: int
    rejected: list[Rejection]
    unknown: list[Unknown]

    @property
    def adds_up(self) -> bool:
        """Whether rows in = results + merged + rejected."""
        return self.rows == len(self.results) + self.merged + len(self.rejected)


def _label(row: PublishedRow) -> str:
    return f"{row.round} {row.division} {row.submitter} {row.platform} {row.used_model} {row.scenario}"


def _is_power_only(row: PublishedRow) -> bool:
    return row.value is None and metrics.unit(row.unit) in _POWER_UNITS


def _merge_power(
    power_rows: list[PlacedRow], runs: set[tuple[str, str]]
) -> tuple[dict[tuple[str, str], Power], dict[tuple[str, str], list[DataNote]], int, list[Rejection]]:
    """Attach power-only rows to the runs they belong to, by round and path."""
    merged = 0
    rejected: list[Rejection] = []
    powers: dict[tuple[str, str], Power] = {}
    notes: dict[tuple[str, str], list[DataNote]] = {}
    for place, row, _ in power_rows:
        run = (row.round, row.path)
        if run not in runs:
            rejected.append(Rejection(place, _label(row), "power without a performance result of the same run"))
            continue
        if row.power is None or not row.power > 0:
            rejected.append(Rejection(place, _label(row), "power-only row without a power value"))
            continue
        merged += 1
        power = Power(row.power, metrics.unit(row.unit))
        if run in powers and powers[run] != power:
            notes.setdefault(run, []).append(
                DataNote("power-disagrees", f"a second power value is listed: {power.value:g} {power.unit}")
            )
        powers.setdefault(run, power)
    return powers, notes, merged, rejected


def read_table(path: str | Path) -> Reading:
    """Read one published table.

    Raises:
        SourceError: If the file is not a published table, or a row of it is broken; nothing of it is kept then.
    """
    path = Path(path)
    return read_table_bytes(str(path), path.name, read_bytes(path))


def read_table_bytes(name: str, source: str, data: bytes) -> Reading:
    """Read the content of a published table, unpacked.

    Args:
        name: Where it stands, for errors.
        source: The file's name, kept as the results' source.
        data: Its bytes.

    Raises:
        SourceError: As `read_table`.
    """
    placed = list(rows(name, data))
    for place, row, _ in placed:
        if not row.round:
            raise SourceError(name, place, "no round (an empty column version)", 'a round such as "v6.1"')
        if not is_round(row.round):
            raise SourceError(name, f"{place}, field version", f'"{row.round[:60]}"', 'a round such as "v6.1"')

    power_rows = [p for p in placed if _is_power_only(p.row)]
    performance = [p for p in placed if not _is_power_only(p.row)]
    runs = {(p.row.round, p.row.path) for p in performance if p.row.value and p.row.value > 0}
    measured = {measured_run(p.row, names.scenario(p.row.scenario).name) for p in performance if not p.row.inferred}
    powers, power_notes, merged, rejected = _merge_power(power_rows, runs)

    results: list[Result] = []
    unknown: Counter[tuple[str, str]] = Counter()
    seen: dict[str, str] = {}
    for placed_row in performance:
        place, row, _ = placed_row
        if row.value is None:
            rejected.append(Rejection(place, _label(row), "no result value"))
            continue
        if not (row.value > 0 and math.isfinite(row.value)):
            rejected.append(Rejection(place, _label(row), f"a result of {row.value:g} is not a measurement"))
            continue
        run = (row.round, row.path)
        try:
            interpreted = interpret(row, source, measured, powers.get(run), power_notes.get(run, []))
        except BadValueError as bad:
            raise SourceError(name, f"{place}, field {placed_row.column(bad.field)}", bad.found, bad.expected) from None
        if interpreted.result.id in seen:
            rejected.append(Rejection(place, _label(row), f"the same run as {seen[interpreted.result.id]}"))
            continue
        seen[interpreted.result.id] = place
        results.append(interpreted.result)
        unknown.update(interpreted.unknown)
    return Reading(
        source=source,
        sha256=hashlib.sha256(data).hexdigest(),
        rows=len(placed),
        results=results,
        merged=merged,
        rejected=rejected,
        unknown=[Unknown(kind, text, n) for (kind, text), n in sorted(unknown.items())],
    )
