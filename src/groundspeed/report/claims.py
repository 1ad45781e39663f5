"""Claims and their verdicts for a terminal, as CSV and as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from groundspeed.audit.caveats import CAVEATS
from groundspeed.audit.claims import VERDICTS, ClaimFinding, PartFinding
from groundspeed.audit.claims.comparison import Comparator
from groundspeed.report.export import markdown_cell, rows_to_csv
from groundspeed.report.messaging import DERIVED, TRADEMARK

_STYLE = {
    "confirmed": "green", "confirmed-with-caveats": "green", "understated": "yellow", "overstated": "yellow", "contradicted": "red",
    "not-comparable": "dim", "unverifiable": "dim",
}  # fmt: skip

_MEANING = {
    "confirmed": "the computed value, rounded as the claim is printed, is the printed one",
    "confirmed-with-caveats": "the same, and at least one caveat applies",
    "understated": "same direction; the record gives more than was claimed",
    "overstated": "same direction; the record gives less than was claimed",
    "contradicted": "wrong direction, order, count or date",
    "not-comparable": "the record holds both sides but no allowed comparison",
    "unverifiable": "the record holds no evidence; the tier is the claim's own",
}

_UNITS = {"percent gain": "%", "percent of": "% of", "percent": "%", "times": "x"}


def _computed(value: float | str | None, unit: str) -> str:
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    sign = "+" if unit == "percent gain" else ""
    digits = f"{value:{sign}.1f}" if "percent" in unit else f"{value:.3g}" if unit == "times" else f"{value:,.7g}"
    return f"{digits} {_UNITS.get(unit, unit)}".strip()


def _against(comparator: Comparator | None, part: PartFinding) -> str:
    if comparator is None or comparator.computed is None:
        return "–"
    unit = part.unit if part.unit in _UNITS else "times"
    return (
        f"{_computed(comparator.computed, unit)} ({comparator.submitter})"
        if comparator.submitter
        else _computed(comparator.computed, unit)
    )


def _notice() -> RenderableType:
    return Text(f"MLPerf Inference results as published by MLCommons. {DERIVED} {TRADEMARK}", style="italic")


def render_claims(findings: Sequence[ClaimFinding]) -> Group:
    """A ledger's verdicts: a summary, every claim with its parts, and what the verdicts and caveats mean."""
    counts = Counter(f.verdict for f in findings)
    summary = ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
    parts: list[RenderableType] = [
        Text(f"{len(findings)} {'claim' if len(findings) == 1 else 'claims'}: {summary}", style="bold"),
        Text(""),
    ]
    for f in findings:
        head = Text(f"{f.id}  ", style="bold")
        head.append(f.verdict, style=_STYLE[f.verdict])
        head.append(f"  {f.sentence} ({f.who}, {f.when})", style="default")
        parts.append(head)
        grid = Table.grid(padding=(0, 1))
        grid.add_column(width=4)
        grid.add_column(overflow="fold")
        for p in f.parts:
            line = Text("")
            if p.label:
                line.append(f"{p.label}: ", style="bold")
            if len(f.parts) > 1:
                line.append(f"{p.verdict}; ", style=_STYLE[p.verdict])
            line.append(f"claimed {p.claimed}, computed {_computed(p.computed, p.unit)}")
            if p.comparators is not None:
                others = p.comparators
                line.append(
                    f"; against the best {_against(others.best, p)}, the median {_against(others.median, p)} of {others.submitters}"
                )
            line.append(f"; tier {p.tier}")
            if p.caveats:
                line.append(f"; {', '.join(p.caveats)}", style="dim")
            grid.add_row("", line)
            if p.note:
                grid.add_row("", Text(p.note, style="dim"))
        parts += [grid, Text("")]
    used = sorted({code for f in findings for code in f.caveats})
    for code in used:
        parts.append(Text(f"{code}: {CAVEATS[code]}"))
    parts += [Text(f"{v}: {_MEANING[v]}") for v in VERDICTS if counts[v]]
    parts += [Text("best, median: of all submitters on the comparator's hardware, round and division."), _notice()]
    return Group(*parts)


def _rows_table(part: PartFinding) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("round", "division", "submitter", "system", "workload", "value", "stack", "path"):
        table.add_column(
            name, overflow="fold", justify="right" if name == "value" else "left", no_wrap=name in {"round", "value"}
        )
    for r in part.rows:
        table.add_row(
            r.round, r.division, Text(r.submitter), Text(r.hardware), Text(f"{r.model} {r.scenario}"), f"{r.value:,.7g} {r.unit}",
            Text(r.stack or "not declared"), Text(r.path),
        )  # fmt: skip
    return table


def _what_would_change_it(part: PartFinding) -> str:
    """What another record would have to hold for another verdict."""
    match part.verdict:
        case "unverifiable":
            return "Evidence: the record holds none. With a result it is judged anew."
        case "not-comparable":
            return "A comparison that is allowed: the same metric on the same workload."
        case "confirmed-with-caveats":
            return f"Without {', '.join(part.caveats)} it would be confirmed without a caveat."
        case "confirmed":
            return "A corrected row, or another basis than the claim's own: see the answers against the best and the median."
        case _:
            return f"It would be confirmed if the record gave {part.claimed} as printed; it gives {_computed(part.computed, part.unit)}."


def render_explanation(f: ClaimFinding) -> Group:
    """One claim as an analyst would argue it: sentence, question, rows, arithmetic, verdict, what would change it."""
    parts: list[RenderableType] = [
        Text(f"{f.id}: {f.sentence}", style="bold"),
        Text(f"said by {f.who}, {f.when}{f', {f.where}' if f.where else ''}"),
        Text(""),
    ]
    for question in f.questions:
        parts.append(Text(f"question   {question}"))
    for p in f.parts:
        parts.append(Text(""))
        if p.label:
            parts.append(Text(p.label, style="bold"))
        parts.append(Text(f"claimed    {p.claimed} ({p.unit or 'no unit'})"))
        if p.arithmetic:
            parts.append(Text(f"arithmetic {p.arithmetic}"))
        parts.append(Text(f"computed   {_computed(p.computed, p.unit)}{f' ({p.basis})' if p.basis else ''}"))
        verdict = Text("verdict    ")
        verdict.append(p.verdict, style=f"bold {_STYLE[p.verdict]}")
        verdict.append(f": {_MEANING[p.verdict]}; evidence of tier {p.tier}")
        parts.append(verdict)
        for code in p.caveats:
            parts.append(Text(f"caveat     {code}: {CAVEATS[code]}"))
        if p.comparators is not None:
            c = p.comparators
            for name, other in (("claimed", c.claimed), ("best", c.best), ("median", c.median)):
                who = f" ({other.submitter})" if other.submitter else ""
                parts.append(Text(f"against    {name}{who}: {other.value:,.7g} gives {_against(other, p).partition(' (')[0]}"))
        if p.note:
            parts.append(Text(f"note       {p.note}"))
        parts.append(Text(f"otherwise  {_what_would_change_it(p)}"))
        if p.rows:
            parts.append(_rows_table(p))
    parts += [Text(""), _notice()]
    return Group(*parts)


def _flat(f: ClaimFinding) -> list[dict[str, Any]]:
    rows = []
    for p in f.parts:
        c = p.comparators
        rows.append(
            {
                "id": f.id, "part": p.label, "verdict": p.verdict, "claim_verdict": f.verdict, "claimed": p.claimed, "computed": p.computed,
                "unit": p.unit, "tier": p.tier, "caveats": p.caveats, "best_value": c.best.value if c else None,
                "best_submitter": c.best.submitter if c else None, "best_computed": c.best.computed if c else None,
                "median_value": c.median.value if c else None, "median_computed": c.median.computed if c else None, "who": f.who,
                "when": f.when, "sentence": f.sentence, "basis": p.basis, "note": p.note, "evidence": p.evidence[:12],
            }
        )  # fmt: skip
    return rows


def claims_csv(findings: Sequence[ClaimFinding]) -> str:
    """One row a part of a claim."""
    return rows_to_csv([row for f in findings for row in _flat(f)])


def claims_markdown(findings: Sequence[ClaimFinding]) -> str:
    """A table of claims, one line a part."""
    lines = ["| claim | sentence | claimed | computed | verdict | against the best | caveats |", "|---|---|---|---|---|---|---|"]
    for f in findings:
        for p in f.parts:
            best = _against(p.comparators.best, p) if p.comparators else "–"
            sentence = f"{f.sentence} [{p.label}]" if p.label else f.sentence
            cells = (f.id, sentence, p.claimed, _computed(p.computed, p.unit), p.verdict, best, ", ".join(p.caveats))
            lines.append("| " + " | ".join(markdown_cell(cell) for cell in cells) + " |")
    lines += ["", f"*MLPerf Inference results as published by MLCommons. {DERIVED} {TRADEMARK}*"]
    return "\n".join(lines) + "\n"
