"""Which row of a table is a run: by its path, and by canonical names where a directory and a row spell the model differently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from groundspeed.record import names
from groundspeed.record.model import Result
from groundspeed.record.runs import Run, run_folder

By = Literal["path", "alias"]


class Match(NamedTuple):
    """A run and its row; `by` says how they found each other. More than one row: the table lists the run twice."""

    run: Run
    rows: tuple[Result, ...]
    by: By | None


class Matches(NamedTuple):
    """Runs with their rows, and the rows of the runs' systems that no run belongs to."""

    matched: list[Match]
    unmatched: list[Result]


def _platform(parts: tuple[str, ...]) -> tuple[str, ...]:
    return parts[:4]


def _alias(round_: str, path: Sequence[str], model: str, scenario: str) -> tuple[object, ...]:
    found = names.model(model)
    return round_, *path[:4], found.name, found.target, names.scenario(scenario).name


def match(runs: Iterable[Run], results: Iterable[Result]) -> Matches:
    """Find the row of every run.

    Args:
        runs: Runs of a tree.
        results: Rows of tables, of any rounds.
    """
    runs = list(runs)
    systems = {(run.round, _platform(run_folder(run.path))) for run in runs}
    by_path: dict[tuple[str, tuple[str, ...]], list[Result]] = {}
    by_alias: dict[tuple[object, ...], list[Result]] = {}
    rows = []
    for r in results:
        folder = run_folder(r.provenance.path)
        if (r.provenance.round, _platform(folder)) not in systems or len(folder) < 6:
            continue
        rows.append(r)
        by_path.setdefault((r.provenance.round, folder), []).append(r)
        by_alias.setdefault(_alias(r.provenance.round, folder, folder[4], folder[5]), []).append(r)
    matched: list[Match] = []
    used: set[str] = set()
    for run in runs:
        folder = run_folder(run.path)
        found = by_path.get((run.round, folder), [])
        by: By | None = "path" if found else None
        if not found:
            found = by_alias.get(_alias(run.round, folder, run.model, run.scenario), [])
            by = "alias" if found else None
        used.update(r.id for r in found)
        matched.append(Match(run, tuple(found), by))
    return Matches(matched, [r for r in rows if r.id not in used])
