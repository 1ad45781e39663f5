"""What `import groundspeed` offers: the same as the command line, in as many lines."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from groundspeed.audit import (
    DEFAULT_ALLOWED,
    Ages,
    Audit,
    Filters,
    Frontier,
    Scalings,
    Spreads,
    pairs_of_rounds,
    run_ages,
    run_audit,
    run_frontier,
    run_scaling,
    run_spread,
)
from groundspeed.audit.within_round import chosen_round
from groundspeed.errors import SelectionError
from groundspeed.record import Record, Result, names, write
from groundspeed.sources.mlperf import Reading, read_table

if TYPE_CHECKING:
    from groundspeed.audit.cadence import Between, Cadence
    from groundspeed.audit.claims import ClaimFinding, LedgerText
    from groundspeed.audit.crosscheck import Crosscheck
    from groundspeed.audit.watch import Answer
    from groundspeed.record.runs import Run
    from groundspeed.sources.mlperf.trees import TreeReading


AnyRecord: TypeAlias = "Record | str | Path | Sequence[str | Path] | None"


def open_record(record: AnyRecord = None) -> Record:
    """A record as every function here takes it: open already, a file, several files to unite, or None for the embedded one.

    Raises:
        RecordError: If it cannot be read.
    """
    return record if isinstance(record, Record) else Record(record)


def audit_record(
    record: AnyRecord = None,
    *,
    rounds: str | Sequence[str] | None = None,
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
    allowed: Collection[str] = DEFAULT_ALLOWED,
) -> Audit:
    """Audit a record: how much faster did the same hardware get from software alone, and at what rate?

    Args:
        record: A record, its file or several files; None for the embedded one.
        rounds: None for the newest pair, "all" for every consecutive pair, or two rounds.
        hardware: "MI355X", "8x MI355X", "H200", "cpu" ...; several: any of them. The other filters likewise.
        model: "llama2-70b", "llama2-70b-99.9" ...
        scenario: Offline, Server, Interactive, SingleStream or MultiStream.
        submitter: A submitter.
        division: closed, open or network.
        allowed: Relaxations that are allowed (`groundspeed.DEFAULT_ALLOWED` if not given).

    Returns:
        The audit; its `findings` are what `groundspeed audit --json` prints.

    Raises:
        SelectionError: If a filter or a round matches nothing.
        RecordError: If the record cannot be read.
    """
    opened = open_record(record)
    held = opened.rounds()
    needed = {name for pair in pairs_of_rounds(held, rounds) for name in pair}
    filters = Filters(*map(_several, (hardware, model, scenario, submitter, division)))
    return run_audit(opened.results(needed), rounds, filters, allowed, held)


def _several(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def gains_by_age(
    record: AnyRecord = None,
    *,
    filters: Filters = Filters(),  # noqa: B008  # an immutable tuple
    allowed: Collection[str] = DEFAULT_ALLOWED,
) -> Ages:
    """Group the gains of all rounds by the age of a workload on its accelerator: frontier against mature workloads.

    Raises:
        SelectionError: If a filter matches nothing.
        RecordError: If the record cannot be read.
    """
    opened = open_record(record)
    return run_ages(opened.results(), filters, allowed)


def _of_round(record: AnyRecord, name: str | None) -> list[Result]:
    opened = open_record(record)
    return opened.results([chosen_round(opened.rounds(), name)])


def spread(
    record: AnyRecord = None,
    *,
    reference: str | None = None,
    round: str | None = None,  # noqa: A002  # the field's own name
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
) -> Spreads:
    """How far partners are from a reference submitter on the same hardware and workload.

    Args:
        record: A record, its file or several files; None for the embedded one.
        reference: The reference submitter; None for the vendor of each system's accelerators.
        round: The round; None for the newest.
        hardware: As in `audit_record`; of the partners' results, as the other filters.
        model: "llama2-70b", "llama2-70b-99.9" ...
        scenario: Offline, Server, Interactive, SingleStream or MultiStream.
        submitter: A partner.
        division: closed (if none is given), open or network.

    Returns:
        The spreads; their `systems` are what `groundspeed spread --json` prints.

    Raises:
        SelectionError: If the round, the reference or a filter matches nothing, or nothing can be compared.
        RecordError: If the record cannot be read.
    """
    filters = Filters(*map(_several, (hardware, model, scenario, submitter, division)))
    return run_spread(_of_round(record, round), None, filters, reference)


def frontier(
    record: AnyRecord = None,
    *,
    round: str | None = None,  # noqa: A002  # the field's own name
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
    per: Literal["system", "accelerator"] | None = None,
) -> Frontier:
    """The best by anybody, the vendor's own best, and the median, for every hardware and workload of a round.

    Filters as in `spread`; they choose the rows in which a matching result takes part, and each row is of everybody.

    Args:
        per: "system", "accelerator" (throughputs only, derived), or None for both.

    Returns:
        The frontier; its `rows` are what `groundspeed frontier --json` prints.

    Raises:
        SelectionError: If the round or a filter matches nothing.
        RecordError: If the record cannot be read.
    """
    filters = Filters(*map(_several, (hardware, model, scenario, submitter, division)))
    return run_frontier(_of_round(record, round), None, filters, (per,) if per else ("system", "accelerator"))


def scaling(
    record: AnyRecord = None,
    *,
    round: str | None = None,  # noqa: A002  # the field's own name
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
) -> Scalings:
    """Scale-out efficiency of every submitter with several sizes of one kind of system in a round.

    Filters as in `spread`; they choose the larger systems, and each one's base is found by itself.

    Returns:
        The efficiencies; their `rows` are what `groundspeed scaling --json` prints.

    Raises:
        SelectionError: If the round or a filter matches nothing, or no submitter has two sizes.
        RecordError: If the record cannot be read.
    """
    filters = Filters(*map(_several, (hardware, model, scenario, submitter, division)))
    return run_scaling(_of_round(record, round), None, filters)


def read_ledger(path: str | Path | None = None) -> LedgerText:
    """Read a ledger of claims; the built-in one without a path.

    Raises:
        LedgerError: With every mistake in it, located by line and field.
        SourceError: If the file cannot be read.
    """
    from groundspeed.audit.claims import builtin, parse
    from groundspeed.sources._files import decode_text, read_bytes

    if path is None:
        return builtin()
    name = str(path)
    return parse(decode_text(name, read_bytes(Path(path), "a ledger (YAML)")), name)


def check_claims(ledger: str | Path | None = None, *, record: AnyRecord = None, only: Sequence[str] = ()) -> list[ClaimFinding]:
    """Hold the claims of a ledger against a record.

    Args:
        ledger: The ledger's file; None for the built-in one.
        record: A record, its file or several files; None for the embedded one.
        only: Ids of the claims to check; empty for all.

    Returns:
        A finding a claim, in the ledger's order: what `groundspeed claims check --json` prints.

    Raises:
        LedgerError: With every mistake of the ledger, located.
        SelectionError: If `only` names a claim that is not in it.
        RecordError: If the record cannot be read.
    """
    from groundspeed.audit.claims.check import check_ledger, narrowed, rounds_needed

    text = narrowed(read_ledger(ledger), only)
    opened = open_record(record)
    needed = rounds_needed(text.claims)
    held = set(opened.rounds())
    return check_ledger(text, opened.results(None if needed is None or needed >= held else needed & held), opened.rounds())


class Build(NamedTuple):
    """A record that was written: what each table gave, and how many results it holds."""

    readings: list[Reading]
    results: int
    path: Path


def build_record(tables: Iterable[str | Path], output: str | Path, *, base: Record | None = None) -> Build:
    """Read published tables and write a record file of them.

    Args:
        tables: Published tables.
        output: The record file to write. The embedded record is written by naming its path.
        base: A record whose results are taken over as well.

    Raises:
        SourceError: If a table is broken; nothing is written then.
        RecordError: If two tables hold the same result, or the file cannot be written.
    """
    readings = [read_table(table) for table in tables]
    results = [*(base.results() if base else ()), *(r for reading in readings for r in reading.results)]
    path = Path(output)
    return Build(readings, write(results, path), path)


def cadence(
    project: str = "ROCm", *, as_of: dt.date | None = None, every_days: int | None = None, since: str | None = None
) -> Cadence:
    """A project's releases, the intervals between them, and a committed interval held against them.

    Args:
        project: ROCm, CUDA, TensorRT-LLM, vLLM, SGLang or MIGraphX, in any spelling of its letters.
        as_of: The day of the answer; None for today. Later releases are left out.
        every_days: The committed interval; None for the project's own (ROCm: 42 days).
        since: The first release on the clock; None for the project's own (ROCm: 7.14.0), else its first production feature release.

    Returns:
        The cadence; `groundspeed cadence --json` prints a list of it.

    Raises:
        SelectionError: If the calendar does not hold the project or the release, or knows only its month.
    """
    from groundspeed.audit.cadence import run_cadence

    return run_cadence(project, as_of or dt.date.today(), every_days, since)


def releases_between(project: str, older: str, newer: str) -> Between:
    """The releases of a project between two versions of it, or between two rounds.

    Raises:
        SelectionError: If one of the two is neither a round nor a version of the calendar.
    """
    from groundspeed.audit.cadence import between

    return between(project, older, newer)


def watch(
    record: AnyRecord = None,
    *,
    ids: Sequence[str] = (),
    files: Iterable[str | Path] = (),
    as_of: dt.date | None = None,
) -> list[Answer]:
    """Answer standing questions as of a day.

    Args:
        record: A record, its file or several files; None for the embedded one.
        ids: Which watches; empty for all.
        files: TOML files of watches, besides the built-in ones.
        as_of: The day of the answers; None for today.

    Returns:
        An answer a watch: what `groundspeed watch --json` prints.

    Raises:
        WatchFileError: With every mistake of a file, located.
        SourceError: If a file cannot be read.
        SelectionError: If `ids` names a watch that there is not.
        RecordError: If the record cannot be read.
    """
    from groundspeed.audit.watch import built_in, parse, run_watches, selected
    from groundspeed.sources._files import decode_text, read_bytes

    watches = built_in()
    for path in files:
        text = decode_text(str(path), read_bytes(Path(path), "watches (TOML)"))
        watches += parse(text, str(path), [w.id for w in watches])
    chosen = selected(watches, ids)
    opened = open_record(record)
    return run_watches(chosen, opened.results(), as_of or dt.date.today())


__all__ = [
    "Build",
    "audit_record",
    "build_record",
    "cadence",
    "check_claims",
    "frontier",
    "gains_by_age",
    "open_record",
    "read_ledger",
    "releases_between",
    "scaling",
    "spread",
    "watch",
]


def read_runs(tree: str | Path, round: str | None = None) -> TreeReading:  # noqa: A002  # the field's own name
    """Read the logs of a result tree.

    Args:
        tree: A directory that holds `<closed|open>/<submitter>/results/...`, at any depth.
        round: The round, where no directory names it.

    Returns:
        The runs and the problems; damaged files are problems, and the rest is still read.

    Raises:
        SourceError: If there is no result tree, or its round is unknown.
    """
    from groundspeed.sources._places import directory
    from groundspeed.sources.mlperf.trees import read_place

    return read_place(directory(tree), round)


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
    if isinstance(table, str | Path):
        path = Path(table)
        if not (path.is_file() and path.open("rb").read(4) == b"PAR1"):
            return read_table(path).results
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
