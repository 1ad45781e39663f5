"""Spread, frontier and scale-out efficiency as text and CSV."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import msgspec
from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from groundspeed.audit.caveats import CAVEATS
from groundspeed.audit.frontier import Frontier, FrontierRow
from groundspeed.audit.scaling import ScaleOut, Scalings
from groundspeed.audit.spread import Deviation, Spreads, Summary, SystemSpread, WorkloadSpread
from groundspeed.audit.within_round import Entry
from groundspeed.report import figures
from groundspeed.report.export import flat, rows_to_csv
from groundspeed.report.messaging import notice

Row = SystemSpread | FrontierRow | ScaleOut

# A figure that there is none of.
_NONE = "–"


class Sheet:
    """A table where it fits, else a paragraph a row, so that no figure is cut.

    Args:
        title: Its heading.
        columns: Names; those that begin with ">" hold figures and stand to the right.
        rows: Cells. Empty ones are left out of paragraphs.
        lead: How many columns say what the row is; in paragraphs they need no name.
    """

    def __init__(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], lead: int) -> None:
        self.title, self.columns, self.rows, self.lead = title, columns, rows, lead

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        table = self.table()
        needed = Measurement.get(console, options.update(width=1000), table).maximum
        if needed <= options.max_width:
            yield table
        else:
            yield from self.paragraphs()

    def table(self) -> Table:
        """One line a row."""
        title = Text(self.title, style="bold")
        table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        for name in self.columns:
            table.add_column(name.removeprefix(">"), justify="right" if name.startswith(">") else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*map(Text, row))
        # A long heading would widen a small table, and a narrow one would break it.
        table.min_width = min(len(self.title) + 1, 90)
        return table

    def paragraphs(self) -> Iterator[RenderableType]:
        """A paragraph a row."""
        yield Text(self.title, style="bold")
        yield Text("")
        for row in self.rows:
            what = ", ".join(cell for cell in row[: self.lead] if cell)
            names = (name.removeprefix(">") for name in self.columns[self.lead :])
            said = [f"{name} {cell}" for name, cell in zip(names, row[self.lead :], strict=True) if cell not in ("", _NONE)]
            yield Text(f"{what}: {'; '.join(said)}")
            yield Text("")


class _Marks:
    """Footnotes: caveats get letters, notes get numbers, both in the order in which they first appear."""

    def __init__(self, caveats: Iterable[str], notes: Iterable[str] = ()) -> None:
        self.caveats = dict(zip(dict.fromkeys(caveats), string.ascii_lowercase, strict=False))
        self.notes = {text: str(i) for i, text in enumerate(dict.fromkeys(notes), 1)}

    def of(self, caveats: Iterable[str], notes: Iterable[str] = ()) -> str:
        """The marks of a row, "a c 2"."""
        return " ".join([*sorted(self.caveats[code] for code in caveats), *(self.notes[text] for text in notes)])

    def lines(self) -> list[RenderableType]:
        """The footnotes themselves, under a heading; nothing if there are none."""
        spelled = [(mark, f"{code}: {CAVEATS[code]}") for code, mark in self.caveats.items()]
        spelled += [(mark, text) for text, mark in self.notes.items()]
        if not spelled:
            return []
        grid = Table.grid(padding=(0, 1))
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(overflow="fold")
        for mark, text in spelled:
            grid.add_row(Text(mark, style="bold"), Text(text))
        return [Text("Notes", style="bold"), grid, Text("")]


def _foot(marks: _Marks, words: Sequence[str], round_: str, counted: dict[str, int]) -> list[RenderableType]:
    """Footnotes, what the columns mean, what was left out, and the notice."""
    left_out = [text.format(n=f"{n:,}") for text, n in counted.items() if n]
    return [
        *marks.lines(), *map(Text, words), Text(""), *map(Text, left_out), Text(notice([(round_, round_)]), style="italic"),
    ]  # fmt: skip


_COPIES = "{n} copies under a looser accuracy target are counted once."
_INFERRED = "{n} results inferred from another scenario are no measurements and are left out."


def _percent(number: float | None) -> str:
    return _NONE if number is None else f"{number:,.1f} %"


def _division(name: str) -> str:
    return "" if name == "closed" else f", {name} division"


def _who(found: Entry) -> str:
    return found.submitter if found.availability == "available" else f"{found.submitter} ({found.availability})"


def _unit(unit: str, statistic: str) -> str:
    """The unit; of a latency with its statistic, which decides what it may be compared with."""
    return unit if "/ elapsed time" in statistic else f"{unit} ({statistic})"


_SUMMARY = (">rows", ">partners", ">mean", ">mean absolute", ">best", ">worst")


def _summary(s: Summary) -> list[str]:
    mean, best, worst = (figures.change(p) for p in (s.mean_percent, s.best_percent, s.worst_percent))
    return [str(s.rows), str(s.partners), mean, _percent(s.mean_absolute_percent), best, worst]


def _availability(w: WorkloadSpread) -> str:
    return w.scenario if w.availability == "available" else f"{w.scenario} ({w.availability})"


def _spread_sheets(s: SystemSpread, marks: _Marks) -> list[RenderableType]:
    title = f"{s.hardware}{_division(s.division)}: partners against {s.reference}"
    workloads = [
        [w.model, _availability(w), figures.value(w.reference.value), _unit(w.unit, w.statistic), w.reference.precision, *_summary(w.summary)]
        for w in s.workloads
    ]  # fmt: skip
    rows = [
        [
            w.model, _availability(w), d.partner.submitter, figures.value(d.partner.value), _unit(w.unit, w.statistic),
            figures.change(d.deviation_percent), d.partner.precision or "not stated", d.partner.system, marks.of(d.caveats),
        ]
        for w in s.workloads
        for d in w.rows
    ]  # fmt: skip
    at_any = f"{len(s.partners_at_any_count)} partners, {', '.join(s.partners_at_any_count)}"
    return [
        Sheet(title, ("workload", "scenario", f">{s.reference}", "unit", "precision", *_SUMMARY), workloads, 2),
        Sheet(
            "Rows", ("workload", "scenario", "partner", ">value", "unit", ">deviation", "precision", "system", "notes"), rows, 3
        ),
        Text(f"Compared: {len(s.partners)} partners, {', '.join(s.partners)}. At any count and on any workload: {at_any}."),
        Text(""),
    ]


def render_spread(found: Spreads) -> Group:
    """Partners against the reference: a summary, each system by workload and row, footnotes, and the notice."""
    marks = _Marks(code for s in found.systems for w in s.workloads for d in w.rows for code in d.caveats)
    summary = [[s.hardware + _division(s.division), s.reference, *_summary(s.summary)] for s in found.systems]
    if len(found.systems) > 1:
        summary.append(["all systems", "", *_summary(found.overall)])
    words = [
        "deviation: performance of the partner against the reference submitter's best row, on the same hardware (accelerators, count, "
        "tags), workload, metric definition and availability; a lower latency is a positive deviation.",
        "mean absolute: the mean of the deviations without their sign. Every row of a partner counts, whatever its precision.",
        "Deviations and their means are derived, not official MLPerf results.",
    ]
    counted = {
        "{n} rows of partners have no counterpart: the reference submitted nothing on that hardware and workload.": found.no_counterpart,
        "{n} rows have no reference: no one vendor made the system's accelerators.": found.no_reference,
        _COPIES: found.copies,
        _INFERRED: found.inferred,
    }
    return Group(
        Text(f"Partners against the reference submission: MLPerf Inference {found.round}", style="bold"),
        Sheet("", ("system", "reference", *_SUMMARY), summary, 2),
        *(part for s in found.systems for part in _spread_sheets(s, marks)),
        *_foot(marks, words, found.round, counted),
    )


def _frontier_sheet(title: str, rows: Sequence[FrontierRow], marks: _Marks) -> Sheet:
    cells = [
        [
            r.hardware + _division(r.division), r.model, r.scenario, figures.value(r.best_value), _unit(r.unit, r.statistic),
            ", ".join([_who(r.best), *r.tied]) + (f" ({r.best.accelerators}x)" if r.derived else ""),
            _NONE if r.own_value is None else figures.value(r.own_value), _percent(r.own_percent_of_best),
            figures.value(r.median_value), str(r.submitters), marks.of(r.caveats),
        ]
        for r in rows
    ]  # fmt: skip
    columns = (
        "system",
        "workload",
        "scenario",
        ">best",
        "unit",
        "held by",
        ">vendor's own",
        ">of the best",
        ">median",
        ">submitters",
        "notes",
    )
    return Sheet(title, columns, cells, 3)


def render_frontier(found: Frontier) -> Group:
    """The frontier: two tables an accelerator, per system and per accelerator, footnotes, and the notice."""
    marks = _Marks(code for r in found.rows for code in r.caveats)
    parts = []
    for (accelerator, derived), group in groupby(found.rows, key=lambda r: (r.accelerator or "CPU-only systems", r.derived)):
        title = (
            f"{accelerator}, per accelerator at any count (derived, not an official MLPerf result)" if derived else accelerator
        )
        parts.append(_frontier_sheet(title, list(group), marks))
    words = [
        "vendor's own: the best submission of the accelerator's vendor, and its performance in percent of the best one's. – none.",
        "median: of the submitters' best results on that hardware, workload and metric definition.",
        "Medians, percentages and figures per accelerator are derived, not official MLPerf results. Per accelerator: throughputs divided "
        "by the accelerators that took part; latencies are never divided.",
        "notes: between the best and the vendor's own result.",
    ]
    return Group(
        Text(f"The best by anybody, and the vendor's own: MLPerf Inference {found.round}", style="bold"),
        Text(""),
        *parts,
        *_foot(marks, words, found.round, {_INFERRED: found.inferred}),
    )


def render_scaling(found: Scalings) -> Group:
    """Scale-out efficiency: a table an accelerator, footnotes, and the notice."""
    marks = _Marks((code for r in found.rows for code in r.caveats), (note for r in found.rows for note in r.notes))
    columns = (
        "submitter", "workload", "scenario", "base", ">its value", "larger", ">its value", "unit", ">base per accelerator", ">per accelerator",
        ">efficiency", "notes",
    )  # fmt: skip
    sheets = []
    for accelerator, group in groupby(found.rows, key=lambda r: r.accelerator):
        rows = [
            [
                _who(r.large) + _division(r.division), r.model, r.scenario, r.base.hardware, figures.value(r.base.value),
                r.large.hardware, figures.value(r.large.value), r.unit, figures.value(r.base_per_accelerator),
                figures.value(r.large_per_accelerator), _percent(r.efficiency_percent), marks.of(r.caveats, r.notes),
            ]
            for r in group
        ]  # fmt: skip
        sheets.append(Sheet(accelerator, columns, rows, 3))
    words = [
        "efficiency: throughput per accelerator of the larger system against the submitter's smallest one with that workload; "
        "accelerators that took part, same round, division and availability. Above 100 % the larger system gets more out of each.",
        "Per-accelerator figures and efficiencies are derived, not official MLPerf results. Latencies are never divided.",
    ]
    return Group(
        Text(f"Scale-out efficiency: MLPerf Inference {found.round}", style="bold"),
        Text(""),
        *sheets,
        *_foot(marks, words, found.round, {_COPIES: found.copies, _INFERRED: found.inferred}),
    )


def _deviation_row(s: SystemSpread, w: WorkloadSpread, d: Deviation) -> dict[str, Any]:
    plain = {name: getattr(s, name) for name in ("round", "division", "accelerator", "hardware")}
    plain |= {name: getattr(w, name) for name in ("model", "scenario", "availability", "unit", "statistic", "definition")}
    return dict(flat("", plain | {"reference": msgspec.to_builtins(w.reference)} | msgspec.to_builtins(d)))


def _plain_row(item: FrontierRow | ScaleOut) -> dict[str, Any]:
    plain = msgspec.to_builtins(item)
    if isinstance(item, FrontierRow):
        plain["values"] = "  ".join(f"{name}: {value:.10g}" for name, value in item.values.items())
        # A row without the vendor's own result has the same columns.
        plain["own"] = plain["own"] or dict.fromkeys(Entry.__struct_fields__)
    else:
        plain["notes"] = " | ".join(item.notes)
    return dict(flat("", plain))


def to_csv(items: Sequence[Row]) -> str:
    """A CSV table with a header: a row a partner's result, a frontier, or a pair of sizes."""
    rows: list[dict[str, Any]] = []
    for item in items:
        if isinstance(item, SystemSpread):
            rows += [_deviation_row(item, w, d) for w in item.workloads for d in w.rows]
        else:
            rows.append(_plain_row(item))
    return rows_to_csv(rows)
