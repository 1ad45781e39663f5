"""Logs of result trees, and what tables say of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from groundspeed.errors import SelectionError
from groundspeed.record import Record, Result, names
from groundspeed.sources.mlperf import read_table

if TYPE_CHECKING:
    from groundspeed.audit.crosscheck import Crosscheck
    from groundspeed.record.runs import Run
    from groundspeed.sources.mlperf.trees import Progress, TreeReading


def read_runs(
    tree: str | Path,
    round: str | None = None,  # noqa: A002  # the field's own name
    *,
    progress: Progress = iter,
) -> TreeReading:
    """Read the logs of a result tree.

    Args:
        tree: A directory, an archive or a git repository that holds `<closed|open>/<submitter>/results/...`, at any depth.
        round: The round, where no directory names it.
        progress: Wraps the runs while they are read, for a progress bar.

    Returns:
        The runs and the problems; damaged files are problems, and the rest is still read.

    Raises:
        SourceError: If there is no result tree, or its round is unknown.
    """
    from groundspeed.sources._open import open_place
    from groundspeed.sources.mlperf.trees import read_place

    with open_place(tree) as place:
        return read_place(place, round, progress)


def crosscheck(
    tree: TreeReading | str | Path,
    table: Record | str | Path | None = None,
    *,
    kinds: Collection[str] = (),
) -> Crosscheck:
    """Hold the logs of a result tree against a published table.

    Args:
        tree: A tree, read or to be read.
        table: A published table's file, a record file or a record; None for the embedded record.
        kinds: Only these kinds of differences (`groundspeed.audit.crosscheck.KINDS`); none given: all.

    Returns:
        The differences, worst first.

    Raises:
        SelectionError: If a kind is none.
        SourceError: If the tree or the table cannot be read.
        RecordError: If the record cannot be read.
    """
    from groundspeed.audit.crosscheck import KINDS
    from groundspeed.audit.crosscheck import crosscheck as check

    for kind in kinds:
        if kind not in KINDS:
            raise SelectionError(f'"{kind}" is no kind of difference; the kinds are {", ".join(KINDS)}')
    reading = read_runs(tree) if isinstance(tree, str | Path) else tree
    found = check(reading.runs, _rows(table, {run.round for run in reading.runs}))
    return found._replace(differences=[d for d in found.differences if not kinds or d.kind in kinds])


def _rows(table: Record | str | Path | None, rounds: set[str]) -> list[Result]:
    """The rows of a record, a record's file or a published table's."""
    from groundspeed.sources._files import looks_like_a_table

    if isinstance(table, str | Path) and looks_like_a_table(Path(table)):
        return read_table(table).results
    opened = table if isinstance(table, Record) else Record(table)
    return opened.results(rounds)


def select_runs(
    runs: Iterable[Run], submitter: Collection[str] = (), model: Collection[str] = (), scenario: Collection[str] = ()
) -> list[Run]:
    """Runs of some submitters, models and scenarios, by canonical names; an empty filter is none.

    Raises:
        SelectionError: If none is left; it says what there is.
    """
    runs = list(runs)
    wanted: list[tuple[set[str], str, Callable[[Run], str]]] = [
        ({names.submitter(name).name for name in submitter}, "submitter", lambda r: r.submitter),
        ({names.model(name).name for name in model}, "model", lambda r: names.model(r.model).name),
        ({names.scenario(name).name for name in scenario}, "scenario", lambda r: r.scenario),
    ]
    for allowed, what, of in wanted:
        held = sorted({of(r) for r in runs})
        runs = [r for r in runs if not allowed or of(r) in allowed]
        if not runs:
            raise SelectionError(f"no run of the {what} {', '.join(sorted(allowed))}; the tree holds {', '.join(held)}")
    return runs
