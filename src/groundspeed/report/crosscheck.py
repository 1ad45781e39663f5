"""Runs of a tree and the differences to a table, as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Group, RenderableType
from rich.text import Text

from groundspeed.audit.crosscheck import KINDS, Crosscheck, Difference
from groundspeed.record.calendar import round_key
from groundspeed.record.runs import Distribution, Run
from groundspeed.report.comparisons import Sheet
from groundspeed.report.export import rows_to_csv
from groundspeed.report.messaging import notice
from groundspeed.sources.mlperf.trees import Problem, TreeReading

# Rows of a kind that are shown before the rest is only counted.
_SHOWN = 6
_HEADLINE_RATES = (
    "completed tokens", "tokens", "completed inferred tokens", "inferred tokens", "completed samples", "samples", "scheduled samples",
)  # fmt: skip


def _percent(relative: float | None) -> str:
    if relative is None:
        return ""
    return f"x{1 + relative:,.1f}" if relative >= 1 else f"{100 * relative:+.2f} %".replace("-", "−")


def _problems(problems: Sequence[Problem], limit: int | None) -> list[RenderableType]:
    if not problems:
        return []
    shown = problems if limit is None else problems[:limit]
    lines = [Text(f"{p.path}: {p.detail} ({p.kind})") for p in shown]
    more = [Text(f"... and {len(problems) - len(shown)} more (--all shows them)")] if len(shown) < len(problems) else []
    return [Text(f"{len(problems)} problems", style="bold"), *lines, *more, Text("")]


def _notice(runs: Sequence[Run]) -> str:
    rounds = sorted({run.round for run in runs}, key=round_key)
    return notice([(name, name) for name in rounds])


def _read(reading: TreeReading) -> str:
    return f"{reading.place}: {len(reading.runs):,} runs from {reading.read:,} files; {reading.unused:,} other files were not needed."


def render_crosscheck(found: Crosscheck, reading: TreeReading, table: str, everything: bool = False) -> RenderableType:
    """The differences by kind, worst first.

    Args:
        found: The differences.
        reading: The tree they come from.
        table: Name of the table.
        everything: Whether every row is shown, instead of the first of each kind.
    """
    parts: list[RenderableType] = [Text(_read(reading)), Text("")]
    parts += _problems(reading.problems, None if everything else _SHOWN)
    for kind, meaning in KINDS.items():
        rows = [d for d in found.differences if d.kind == kind]
        if not rows:
            continue
        shown = rows if everything else rows[:_SHOWN]
        cells = [
            [
                f"{d.round} {d.submitter}" + (" (open)" if d.division != "closed" else ""),
                d.what,
                d.table,
                d.log,
                _percent(d.relative),
            ]
            for d in shown
        ]
        columns = ("submitter", "run", ">table", ">log", ">table / log")
        parts.append(Sheet(f"{kind} ({len(rows)}): {meaning}", columns, cells, lead=2))
        details = dict.fromkeys(d.detail for d in shown) if kind in {"value", "statistic", "no-figure", "invalid"} else {}
        parts += [Text(f"  {detail}") for detail in details]
        if len(shown) < len(rows):
            parts.append(Text(f"... and {len(rows) - len(shown)} more (--all shows them)"))
        if details or len(shown) < len(rows):
            parts.append(Text(""))
    rows_found = found.by_path + found.by_alias
    parts.append(
        Text(
            f"{rows_found:,} of {found.runs:,} runs have a row in {table} ({found.by_path:,} by path, {found.by_alias:,} by another name "
            f"of the model); {found.agreeing:,} values agree with the log to the coarser rounding of the two."
        )
    )
    parts.append(Text("The table's value stays the official result; what the logs give on another basis is derived."))
    parts.append(Text(_notice(reading.runs), style="italic"))
    return Group(*parts)


def crosscheck_to_json(found: Crosscheck, reading: TreeReading) -> str:
    """All differences and problems with the counts of what was read."""
    whole = {
        "place": reading.place, "runs": found.runs, "by_path": found.by_path, "by_alias": found.by_alias, "agreeing": found.agreeing,
        "differences": found.differences, "problems": [p._asdict() for p in reading.problems],
    }  # fmt: skip
    return msgspec.json.format(msgspec.json.encode(whole)).decode() + "\n"


def crosscheck_to_csv(differences: Sequence[Difference]) -> str:
    """One line a difference."""
    return rows_to_csv([msgspec.to_builtins(d) for d in differences])


def _ms(distribution: Distribution | None, percentile: float = 99.0) -> str:
    found = distribution.percentiles_ns.get(percentile) if distribution else None
    return "" if found is None else f"{found / 1e6:,.1f} ms"


def _rate(run: Run) -> str:
    for name in _HEADLINE_RATES:
        if name in run.measured.rates:
            return (
                f"{run.measured.rates[name].value:,.6g} {name}/s"
                if run.measured.rates[name].value < 1000
                else (f"{run.measured.rates[name].value:,.1f} {name}/s")
            )
    return ""


def render_runs(reading: TreeReading, runs: Sequence[Run], everything: bool = False) -> RenderableType:
    """One row a run: hardware, rate, latencies, verdict."""
    cells = []
    for r in runs:
        m = r.measured
        early = next(iter(m.early_stopping_ns.items()), None)
        latency = f"P{early[0]:g} {early[1].value / 1e6:,.6g} ms" if early and not _rate(r) else ""
        verdict = "VALID" if m.valid else "INVALID" if m.valid is False else "no verdict"
        target = "" if m.target_rate is None else f"{m.target_rate:g}"
        cells.append([
            f"{r.round} {r.submitter}" + (" (open)" if r.division != "closed" else ""), r.system.hardware if r.system else r.platform,
            r.model, r.scenario, _rate(r) or latency, _ms(m.ttft), _ms(m.tpot), target, verdict, r.precision, m.evidence,
        ])  # fmt: skip
    columns = (
        "submitter", "hardware", "model", "scenario", ">measured", ">TTFT P99", ">TPOT P99", ">target queries/s", "verdict", "weights", "log",
    )  # fmt: skip
    problems = _problems(reading.problems, None if everything else _SHOWN)
    return Group(
        Text(_read(reading)), Text(""), *problems, Sheet("Runs", columns, cells, lead=4), Text(_notice(runs), style="italic")
    )


def _run_dict(run: Run) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(run, str_keys=True)
    built["measured"]["rates"] = {name: figure.value for name, figure in run.measured.rates.items()}
    built["measured"]["early_stopping_ns"] = {f"{p:g}": figure.value for p, figure in run.measured.early_stopping_ns.items()}
    built["hardware"] = run.system.hardware if run.system else None
    return built


def runs_to_json(reading: TreeReading, runs: Sequence[Run]) -> str:
    """Everything the logs say of each run; times in nanoseconds."""
    whole = {"place": reading.place, "runs": [_run_dict(r) for r in runs], "problems": [p._asdict() for p in reading.problems]}
    return msgspec.json.format(msgspec.json.encode(whole)).decode() + "\n"


def runs_to_csv(runs: Sequence[Run]) -> str:
    """One line a run; times in nanoseconds."""
    rows = []
    for run in runs:
        m = run.measured
        row: dict[str, Any] = {
            "round": run.round, "division": run.division, "submitter": run.submitter, "platform": run.platform,
            "hardware": run.system.hardware if run.system else "", "accelerators": run.system.count if run.system else None,
            "model": run.model, "scenario": run.scenario, "valid": m.valid, "mode": m.mode, "log_scenario": m.scenario,
            **{f"{name} per second": figure.value for name, figure in m.rates.items()},
            **{f"early-stopping P{p:g} ns": figure.value for p, figure in m.early_stopping_ns.items()},
            "ttft_p99_ns": m.ttft.percentiles_ns.get(99.0) if m.ttft else None,
            "tpot_p99_ns": m.tpot.percentiles_ns.get(99.0) if m.tpot else None,
            "target_rate": m.target_rate, "precision": run.precision, "accuracy": run.accuracy, "version": m.version, "log": run.log,
        }  # fmt: skip
        rows.append(row)
    names = dict.fromkeys(name for row in rows for name in row)
    return rows_to_csv([{name: row.get(name) for name in names} for row in rows])
