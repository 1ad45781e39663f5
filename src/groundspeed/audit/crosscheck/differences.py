"""Where a published table and the logs beneath it disagree, one difference a fact.

The table's value stays the official one; what the logs give on another basis is named beside it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import msgspec

from groundspeed.audit.crosscheck.matching import Match, match
from groundspeed.record import accuracy, names
from groundspeed.record.model import AccuracyValue, Result
from groundspeed.record.run_figures import defined, in_unit, others
from groundspeed.record.runs import Figure, Run, published_figure

Kind = Literal[
    "value", "unit", "statistic", "no-figure", "invalid", "accuracy-below-target", "accuracy-differs", "missing-row", "missing-log",
    "duplicate-row", "accelerator-count", "hardware", "inferred", "copied-log",
]  # fmt: skip

# Worst first: what changes the number, what makes it doubtful, what is missing, what describes it wrongly.
KINDS: dict[str, str] = {
    "value": "the table's value is not what the log gives, under any statistic the log holds",
    "unit": "the table's unit is not the unit of its value",
    "statistic": "the table's value is another figure of the log than the metric's definition names",
    "no-figure": "the log does not hold the figure that the table should print",
    "invalid": "the log says that the run is not valid",
    "accuracy-below-target": "the accuracy run printed a value outside the target",
    "accuracy-differs": "the accuracy run printed another value than the table",
    "missing-row": "a valid run that the table does not list",
    "missing-log": "a row of a system in the tree without a log there",
    "duplicate-row": "a run that the table lists more than once",
    "accelerator-count": "the table's total of accelerators is not the number that took part",
    "hardware": "the system's description names other accelerators than the table",
    "inferred": "the table's flag says inferred, and the run has a log of its own, or the other way round",
    "copied-log": "the same log, byte for byte, stands in several directories",
}


class Difference(msgspec.Struct, frozen=True):
    """One fact on which the table and the logs disagree.

    Attributes:
        kind: One of `KINDS`.
        what: System, model and scenario.
        table: What the table says; "" where it has no row.
        log: What the logs say; "" where there is none.
        relative: (table / log) - 1 where both are numbers of one kind, else None.
        table_path: Path of the row, as published; "" where there is none.
        log_path: The file in the tree; "" where there is none.
        round: MLPerf round.
        division: closed, open or network.
        submitter: Canonical submitter.
        result: The result's id in the record, "" where there is none.
        detail: What the figures are.
    """

    kind: Kind
    what: str
    table: str
    log: str
    relative: float | None
    table_path: str
    log_path: str
    round: str
    division: str
    submitter: str
    result: str
    detail: str


class Crosscheck(NamedTuple):
    """A tree held against a table.

    Attributes:
        differences: Worst first.
        runs: Runs in the tree.
        by_path: Runs whose row has their path.
        by_alias: Runs whose row spells the model differently.
        agreeing: Matched runs whose value is the log's figure, to the coarser rounding of the two.
    """

    differences: list[Difference]
    runs: int
    by_path: int
    by_alias: int
    agreeing: int

    @property
    def counts(self) -> Counter[str]:
        """Differences by kind."""
        return Counter(d.kind for d in self.differences)


def crosscheck(runs: Iterable[Run], results: Iterable[Result]) -> Crosscheck:
    """Hold the runs of a tree against the rows of a table.

    Args:
        runs: Runs of a result tree.
        results: Rows of the table, of any rounds; only those of the runs' systems are looked at.
    """
    runs = list(runs)
    matches = match(runs, results)
    found: list[Difference] = []
    agreeing = 0
    for one in matches.matched:
        differences = list(_of_match(one))
        found += differences
        if one.rows and not any(d.kind in {"value", "statistic", "no-figure"} for d in differences):
            agreeing += 1
    found += [_missing_log(r) for r in matches.unmatched]
    found += _copied(matches.matched)
    order = {kind: i for i, kind in enumerate(KINDS)}
    found.sort(
        key=lambda d: (order[d.kind], -abs(math.log1p(d.relative)) if d.relative is not None else 0.0, d.log_path, d.table_path)
    )
    by = Counter(m.by for m in matches.matched)
    return Crosscheck(found, len(runs), by["path"], by["alias"], agreeing)


def _number(figure: Figure | float) -> str:
    value = figure.value if isinstance(figure, Figure) else figure
    return f"{value:,.6g}" if abs(value) < 1000 else f"{value:,.1f}".removesuffix(".0")


def _difference(
    kind: Kind, run: Run, row: Result | None, table: str, log: str, detail: str, relative: float | None = None, path: str = ""
) -> Difference:
    hardware = row.system.hardware if row else run.system.hardware if run.system else run.platform
    return Difference(
        kind=kind,
        what=f"{hardware} {run.model} {run.scenario}",
        table=table,
        log=log,
        relative=relative,
        table_path=row.provenance.path if row else "",
        log_path=path or run.log,
        round=run.round,
        division=run.division,
        submitter=run.submitter,
        result=row.id if row else "",
        detail=detail,
    )


def _missing_log(r: Result) -> Difference:
    p = r.provenance
    return Difference(
        "missing-log", f"{r.system.hardware} {r.workload.name} {r.workload.scenario}", f"{_number(r.value)} {r.metric.unit}", "", None,
        p.path, "", p.round, p.division, p.submitter, r.id,
        "inferred from another scenario: there is no log to find" if p.inferred else "the row's directory holds no readable log",
    )  # fmt: skip


def _of_match(one: Match) -> Iterator[Difference]:
    run = one.run
    measured = run.measured
    if measured.valid is False:
        unmet = ", ".join(name for name, met in measured.conditions.items() if not met)
        row = one.rows[0] if one.rows else None
        listed = f"{_number(row.value)} {row.metric.unit}" if row else ""
        yield _difference("invalid", run, row, listed, "INVALID", f"not met: {unmet or 'not said'}")
    if not one.rows:
        rate = next(iter(measured.rates.items()), None)
        log = f"{_number(rate[1])} {rate[0]}/s" if rate else ""
        if measured.valid is not False:
            yield _difference("missing-row", run, None, "", log, "no row has this path, nor this model under another name")
        return
    if len(one.rows) > 1:
        values = ", ".join(_number(r.value) for r in one.rows)
        yield _difference("duplicate-row", run, one.rows[0], values, "one run", f"{len(one.rows)} rows")
    for row in one.rows:
        yield from _value(run, row)
        yield from _accuracy(run, row)
        yield from _system(run, row)
        yield from _inferred(run, row)


def _relative(table: float, log: float) -> float | None:
    return table / log - 1 if log > 0 and table > 0 else None


def _value(run: Run, row: Result) -> Iterator[Difference]:
    metric, table = row.metric, published_figure(row.value)
    log = defined(run.measured, metric)
    shown = f"{_number(row.value)} {metric.unit}"
    if row.published_unit != metric.unit and log is not None:
        said = in_unit(run.measured, row.published_unit)
        published = f"{_number(row.value)} {row.published_unit}"
        logged = f"{_number(log)} {metric.unit}" + (f" = {_number(said)} {row.published_unit}" if said else "")
        detail = f"the value is {metric.unit}; read as {row.published_unit} it would be wrong by the ratio"
        yield _difference("unit", run, row, published, logged, detail, _relative(row.value, said.value) if said else None)
    if log is None:
        yield _difference("no-figure", run, row, shown, "", f"no {metric.statistic} in the log")
        return
    if log.agrees(table):
        return
    # The Endpoints client's figures are computed and carry all digits: agreement is to a unit of the table's last one.
    for name, figure in others(run.measured, metric).items():
        if figure.agrees(table):
            detail = f"the table prints {name}; {metric.statistic} is {_number(log)}"
            yield _difference(
                "statistic", run, row, shown, f"{_number(log)} {metric.unit}", detail, _relative(row.value, log.value)
            )
            return
    yield _difference(
        "value", run, row, shown, f"{_number(log)} {metric.unit}", metric.statistic, _relative(row.value, log.value)
    )


def _accuracy(run: Run, row: Result) -> Iterator[Difference]:
    judged_as = row.workload.benchmark_name if run.division == "closed" else ""
    logged = {v.metric.casefold(): v for v in accuracy.parse(run.accuracy, judged_as, row.workload.scenario, run.round)}
    table = {v.metric.casefold(): v for v in row.quality.accuracy}
    for name, value in logged.items():
        listed = table.get(name)
        if value.below:
            limits = f"at least {value.minimum:g}" + (f" and at most {value.maximum:g}" if value.maximum is not None else "")
            said = f"{listed.metric} {listed.value:g}" if listed else ""
            yield _difference(
                "accuracy-below-target",
                run,
                row,
                said,
                f"{value.metric} {value.value:g}",
                f"the target is {limits}",
                path=run.accuracy_log,
            )
        elif listed and not _same_accuracy(value, listed):
            yield _difference(
                "accuracy-differs", run, row, f"{listed.metric} {listed.value:g}", f"{value.metric} {value.value:g}",
                "the accuracy run's own print", _relative(listed.value, value.value), run.accuracy_log,
            )  # fmt: skip


def _same_accuracy(log: AccuracyValue, table: AccuracyValue) -> bool:
    return published_figure(log.value).agrees(published_figure(table.value))


def _system(run: Run, row: Result) -> Iterator[Difference]:
    count, published = row.system.count, row.system.published_count
    if count is not None and published is not None and count != published:
        yield _difference(
            "accelerator-count", run, row, f"{published} accelerators", f"{count} took part", f"the system is called {row.system.name!r}",
            _relative(published, count),
        )  # fmt: skip
    if run.system and run.system.hardware_key != row.system.hardware_key:
        yield _difference("hardware", run, row, row.system.hardware, run.system.hardware, "the description in the tree")


def _inferred(run: Run, row: Result) -> Iterator[Difference]:
    flag, p = row.provenance.published_inferred, row.provenance
    logged = names.scenario(run.measured.scenario).name
    # LoadGen knows no Interactive: its log says Server.
    own = logged == run.scenario or (logged == "Server" and run.scenario == "Interactive")
    if flag == (not own):
        return
    verb = "is a measurement of its own" if own else f"is a {logged} run's"
    detail = f"the flag is {'believed' if p.inferred else 'not believed'} in the record"
    yield _difference("inferred", run, row, f"inferred = {int(flag)}", f"the log {verb}", detail)


def _copied(matches: Iterable[Match]) -> Iterator[Difference]:
    first: dict[str, Run] = {}
    for one in matches:
        run = one.run
        if run.digest in first:
            row = one.rows[0] if one.rows else None
            shown = f"{_number(row.value)} {row.metric.unit}" if row else ""
            origin = first[run.digest]
            yield _difference(
                "copied-log", run, row, shown, f"that of {origin.model} {origin.scenario}", f"the same bytes as {origin.log}"
            )
        else:
            first[run.digest] = run
