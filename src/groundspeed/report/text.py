"""The audit as text for a terminal."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from itertools import groupby

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from groundspeed.audit.engine import Ages, Audit
from groundspeed.audit.findings import Finding
from groundspeed.report import figures
from groundspeed.report.footnotes import Footnotes
from groundspeed.report.messaging import notice
from groundspeed.report.visible import Visible

_VERDICT_STYLE = {"signal": "bold", "within-noise": "dim", "noise-unknown": ""}


def _plain(text: str) -> Text:
    """Published text, never taken for markup."""
    return Text(text)


def _change(finding: Finding) -> Text:
    style = _VERDICT_STYLE[finding.verdict]
    if finding.verdict == "signal":
        style += " green" if finding.change_percent > 0 else " red"
    return Text(figures.change(finding.change_percent), style=style)


def _per_release(finding: Finding) -> str:
    if finding.per_release_percent is None or finding.releases is None:
        return "–"
    return f"{figures.change(finding.per_release_percent)} ×{finding.releases.feature}"


def _per_cadence(finding: Finding) -> str:
    basis = "" if finding.rate_basis in (None, "stack-releases") else " ʳ"
    return figures.change(finding.per_42_days_percent) + basis


def _rounds(findings: Sequence[Finding]) -> tuple[str, str] | None:
    pairs = {(f.older.round, f.newer.round) for f in findings}
    return pairs.pop() if len(pairs) == 1 else None


_NARROWEST_TABLE = 90


class _PairTable:
    """The pairs of one section: one line a pair where the terminal is wide enough, else two, else a paragraph; no figure is cut."""

    def __init__(self, findings: Sequence[Finding], notes: Footnotes, title: str) -> None:
        self.findings, self.notes = findings, notes
        self.one = _rounds(findings)
        systems = {figures.system(f) for f in findings}
        self.with_system = len(systems) > 1
        self.title = title if self.with_system else systems.pop()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wide = self.wide()
        needed = Measurement.get(console, options.update(width=1000), wide).maximum
        if needed <= options.max_width:
            yield wide
        elif options.max_width >= _NARROWEST_TABLE:
            yield self.narrow()
        else:
            yield self.paragraphs()

    def _new(self) -> Table:
        title = Text(self.title, style="bold")
        return Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))

    def wide(self) -> Table:
        """One line a pair."""
        table = self._new()
        older, newer = self.one or ("older", "newer")
        left = ["submitter", *(["system"] if self.with_system else []), "workload", "scenario", *([] if self.one else ["rounds"])]
        for name in left:
            table.add_column(name, no_wrap=True)
        for name in (older, newer):
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column("unit", no_wrap=True)
        for name in ("change", "per release", "per 42 days"):
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column("verdict", no_wrap=True)
        table.add_column("noise band", justify="right", no_wrap=True)
        for name in ("stack", "step", "notes"):
            table.add_column(name, no_wrap=True)
        for f in self.findings:
            row: list[RenderableType] = [_plain(figures.who(f))]
            if self.with_system:
                row.append(_plain(figures.system(f)))
            row += [_plain(f.model), f.scenario]
            if self.one is None:
                row.append(f"{f.older.round} → {f.newer.round}")
            row += [
                figures.value(f.older.value),
                figures.value(f.newer.value),
                f.newer.unit,
                _change(f),
                _per_release(f),
                _per_cadence(f),
                Text(figures.verdict(f), style=_VERDICT_STYLE[f.verdict]),
                figures.band(f),
                _plain(figures.stacks(f)),
                f.step or "copied",
                self.notes.of(f),
            ]
            table.add_row(*row)
        return table

    def narrow(self) -> Table:
        """Two lines a pair: what was measured, and what it comes to."""
        table = self._new()
        for name in ("submitter", "workload", "results", "change", "verdict"):
            table.add_column(name, overflow="fold", justify="right" if name == "change" else "left", no_wrap=name == "change")
        for f in self.findings:
            rounds = "" if self.one else f"{f.older.round} → {f.newer.round}: "
            table.add_row(
                _plain(figures.who(f)),
                _plain(f"{f.model} {f.scenario}"),
                f"{rounds}{figures.value(f.older.value)} → {figures.value(f.newer.value)} {f.newer.unit}",
                _change(f),
                Text(f"{figures.verdict(f)} ({figures.band(f)})", style=_VERDICT_STYLE[f.verdict]),
            )
            marks = self.notes.of(f)
            table.add_row(
                "",
                _plain(figures.system(f)) if self.with_system else "",
                f"per release {_per_release(f)}, per 42 days {_per_cadence(f)}",
                "",
                _plain(f"{figures.stacks(f)}; {f.step or 'copied'}{f'; notes {marks}' if marks else ''}"),
            )
        return table

    def paragraphs(self) -> Group:
        """A paragraph a pair."""
        parts = [Text(self.title, style="bold"), Text("")]
        for f in self.findings:
            marks = self.notes.of(f)
            text = Text(f"{figures.who(f)}, {figures.system(f)}, {f.model} {f.scenario}, {f.older.round} → {f.newer.round}: ")
            text.append(f"{figures.value(f.older.value)} → {figures.value(f.newer.value)} {f.newer.unit}, ")
            text.append_text(_change(f))
            text.append(f", {figures.verdict(f)} (noise {figures.band(f)}); ")
            text.append(f"per release {_per_release(f)}, per 42 days {_per_cadence(f)}; ")
            text.append(f"{figures.stacks(f)}; {f.step or 'copied'}{f'; notes {marks}' if marks else ''}")
            parts += [text, Text("")]
        return Group(*parts)


class _Summary:
    """One line an accelerator: how many pairs, how many stand out of the noise, and the middle; less of it where there is no room."""

    _COLUMNS = ("pairs", "signal ↑", "signal ↓", "in noise", "unknown", "median", "range")

    def __init__(self, audit: Audit) -> None:
        self.rows = [self._row(name, list(group)) for name, group in groupby(audit.findings, key=_section)]

    @staticmethod
    def _row(name: str, members: list[Finding]) -> list[str]:
        changes = [f.change_percent for f in members]
        counts = [
            len(members),
            sum(f.verdict == "signal" and f.change_percent > 0 for f in members),
            sum(f.verdict == "signal" and f.change_percent < 0 for f in members),
            sum(f.verdict == "within-noise" for f in members),
            sum(f.verdict == "noise-unknown" for f in members),
        ]
        spread = f"{figures.change(min(changes))} to {figures.change(max(changes))}"
        return [name, *map(str, counts), figures.change(statistics.median(changes)), spread]

    def _table(self, wanted: Sequence[str]) -> Table:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        table.add_column("accelerator", overflow="fold")
        for name in wanted:
            table.add_column(name, justify="right", no_wrap=True)
        for row in self.rows:
            table.add_row(_plain(row[0]), *(row[1 + self._COLUMNS.index(name)] for name in wanted))
        return table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        whole = self._table(self._COLUMNS)
        fits = Measurement.get(console, options.update(width=1000), whole).maximum <= options.max_width
        yield whole if fits else self._table(("pairs", "median"))


def _section(finding: Finding) -> str:
    return finding.accelerator or "CPU-only systems"


def _left_out(audit: Audit) -> str:
    if not audit.left_out:
        return ""
    parts = [f"{n} need {' + '.join(codes)}" for codes, n in audit.left_out.most_common(6)]
    more = sum(n for _, n in audit.left_out.most_common()[6:])
    tail = f", {more} need other relaxations" if more else ""
    return f"Newer results that have an older one, but only under a relaxation that was not allowed: {', '.join(parts)}{tail} (see --allow)."


def _foot(audit: Audit, notes: Footnotes) -> list[RenderableType]:
    lines: list[RenderableType] = []
    if notes.lines():
        grid = Table.grid(padding=(0, 1))
        grid.add_column(justify="right", no_wrap=True)
        grid.add_column(overflow="fold")
        for mark, text in notes.lines():
            grid.add_row(Text(mark, style="bold"), _plain(text))
        lines += [Text("Notes", style="bold"), grid, Text("")]
    explained = [
        "per release ×n: the rate that compounds to the change over n feature releases between the two declared stacks.",
        "per 42 days: the same over the days between their release dates; ʳ between the rounds' publication dates instead.",
        "noise band: changes inside it are reproduction noise, 1.96 times the spread of independent submitters of the same thing.",
        "step: what is known to have moved. Closed division and available systems unless said.",
    ]
    lines += [*map(_plain, explained), Text("")]
    for text in (
        _left_out(audit),
        f"{audit.copies} copies under a looser accuracy target are counted once." if audit.copies else "",
    ):
        if text:
            lines.append(_plain(text))
    lines.append(Text(notice(audit.rounds), style="italic"))
    return lines


def _headline(audit: Audit) -> Text:
    rounds = (
        ", ".join(f"{older} → {newer}" for older, newer in audit.rounds)
        if len(audit.rounds) < 3
        else (f"{audit.rounds[0][0]} to {audit.rounds[-1][1]}, consecutive rounds")
    )
    return Text(f"Same hardware, software moved: MLPerf Inference {rounds}", style="bold")


def render_audit(audit: Audit) -> Group:
    """The audit: summary, a table an accelerator, footnotes, and the notice."""
    notes = Footnotes(audit.findings)
    parts: list[RenderableType] = [_headline(audit), _Summary(audit)]
    for name, group in groupby(audit.findings, key=_section):
        parts.append(_PairTable(list(group), notes, name))
    return Group(*parts, *_foot(audit, notes))


def render_ages(ages: Ages) -> Group:
    """Gains by age: a table, and what the columns mean."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for name in ("age in rounds", "pairs", "signals", "median change", "middle half", "span a missing round"):
        table.add_column(name, justify="right")
    table.add_column("for example", overflow="fold")
    for g in ages.groups:
        middle = (
            f"{figures.change(g.lower_quartile_percent)} to {figures.change(g.upper_quartile_percent)}"
            if g.lower_quartile_percent is not None
            else "–"
        )
        age = f"{g.age} or more" if g.at_least else str(g.age)
        example = f"{', '.join(g.workloads[:2])}{' ...' if len(g.workloads) > 2 else ''}"
        table.add_row(
            age,
            str(g.pairs),
            str(g.signals),
            figures.change(g.median_percent),
            middle,
            str(g.spans_missing_round),
            _plain(example),
        )
    words = [
        "age: rounds since the workload first appeared on that accelerator; 1 is its first re-measurement (frontier), later ones are mature.",
        "or more: it first appears in the record's first round or after a missing one, so it may be older.",
        "Submitters choose what to measure again: a workload that is not resubmitted has no gain here, and that is not the same as none.",
    ]
    return Group(
        Text("Gains by age of a workload on an accelerator", style="bold"),
        table,
        *map(_plain, words),
        Text(notice(ages.audit.rounds), style="italic"),
    )


def render_chains(audit: Audit) -> Group:
    """Series over several rounds: the software chain beside first-to-last."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for name in ("submitter", "system", "workload", "rounds", "steps"):
        table.add_column(name, overflow="fold")
    table.add_column("software chain", justify="right")
    table.add_column("first to last", justify="right")
    found = sorted(audit.chains, key=lambda c: (-len(c.rounds), c.submitter, c.hardware, c.model, c.scenario))
    for c in found:
        chain = f"{c.software:.3f}x over {c.software_steps}" if c.software is not None else "–"
        steps = ", ".join(step or "copied" for step in c.steps)
        table.add_row(
            _plain(c.submitter), _plain(c.hardware), _plain(f"{c.model} {c.scenario}"), " ".join(c.rounds), steps, chain,
            f"{c.first_to_last:.3f}x",
        )  # fmt: skip
    words = [
        "software chain: the product of the steps classed as software alone. first to last: newest against oldest value, whatever moved between.",
    ]
    return Group(
        Text("Series of three results or more", style="bold"),
        table,
        *map(_plain, words),
        Text(notice(audit.rounds), style="italic"),
    )


def to_text(renderable: RenderableType, width: int | None = None) -> str:
    """What a terminal would show, without colours.

    Args:
        renderable: What to show.
        width: Columns; None: the environment's COLUMNS, else as wide as the widest table wants to be.
    """
    if width is None:
        width = int(columns) if (columns := os.environ.get("COLUMNS", "")).isdigit() and int(columns) >= 40 else 250
    console = Console(width=width, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(Visible(renderable), crop=False)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"
