"""Findings as JSON, CSV and Markdown, and the safe writing of a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from groundspeed._writing import in_one_piece
from groundspeed.audit.ages import AgeGroup
from groundspeed.audit.chains import Chain
from groundspeed.audit.engine import Audit
from groundspeed.audit.findings import Finding
from groundspeed.report import figures
from groundspeed.report.footnotes import Footnotes
from groundspeed.report.messaging import notice

# A cell that a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_json(items: Sequence[msgspec.Struct]) -> str:
    """A JSON list, indented."""
    return msgspec.json.format(msgspec.json.encode(items), indent=2).decode() + "\n"


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        value = " ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def flat(prefix: str, value: Any) -> Iterable[tuple[str, Any]]:
    """Nested dictionaries as pairs of a joined key and a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from flat(f"{prefix}_{key}" if prefix else key, inner)
    else:
        yield prefix, value


def _flat_finding(finding: Finding) -> dict[str, Any]:
    plain = finding.as_dict()
    noise = plain.pop("noise") or {}
    groups = noise.pop("groups", [])
    for side in ("older", "newer"):
        plain[side]["accuracy"] = "  ".join(f"{k}: {v:.10g}" for k, v in plain[side]["accuracy"].items())
    plain["releases"] = plain["releases"] or dict.fromkeys(
        (
            "project",
            "older",
            "newer",
            "feature",
            "patch",
            "preview",
            "days",
            "feature_versions",
            "patch_versions",
            "preview_versions",
        )
    )
    plain["noise"] = {
        "sigma_percent": noise.get("sigma_percent"),
        "limit_percent": noise.get("limit_percent"),
        "band_low_percent": noise["band_percent"][0] if noise else None,
        "band_high_percent": noise["band_percent"][1] if noise else None,
        "basis": groups[0]["basis"] if groups else None,
        "older_sigma_percent": groups[0]["sigma_percent"] if groups else None,
        "newer_sigma_percent": groups[1]["sigma_percent"] if groups else None,
    }
    plain["notes"] = " | ".join(plain["notes"])
    return dict(flat("", plain))


def rows_to_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Rows with equal keys as CSV with a header; lists are joined, texts that look like formulas quoted."""
    if not rows:
        return ""
    return "".join(map(_csv_line, [list(rows[0]), *([_cell(value) for value in row.values()] for row in rows)]))


def _csv_line(cells: Sequence[Any]) -> str:
    """One line. The writer quotes what its own line end holds: with "\\r\\n" that is every line break a text may have."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def to_csv(items: Sequence[Finding] | Sequence[AgeGroup] | Sequence[Chain]) -> str:
    """A CSV table with a header; nested parts as columns of their own. Texts that look like formulas are quoted."""
    rows = [_flat_finding(i) if isinstance(i, Finding) else msgspec.to_builtins(i) for i in items]
    return rows_to_csv(rows)


def markdown_cell(text: str) -> str:
    """A text as a cell of a Markdown table: nothing in it is taken for markup."""
    escaped = " ".join(text.splitlines()).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return escaped.replace("*", "\\*").replace("_", "\\_").replace("`", "\\`").replace("[", "\\[").replace("]", "\\]")


def to_markdown(audit: Audit) -> str:
    """The audit as a Markdown table with its footnotes and the notice."""
    notes = Footnotes(audit.findings)
    lines = [
        "| submitter | system | workload | scenario | rounds | older | newer | unit | change | per release | per 42 days | verdict | noise band | stack | step | notes |",
        "|---|---|---|---|---|--:|--:|---|--:|--:|--:|---|--:|---|---|---|",
    ]
    for f in audit.findings:
        basis = " (rounds)" if f.rate_basis == "round-publication" else ""
        cells = [
            figures.who(f), figures.system(f), f.model, f.scenario, f"{f.older.round} → {f.newer.round}", figures.value(f.older.value),
            figures.value(f.newer.value), f.newer.unit, figures.change(f.change_percent), figures.change(f.per_release_percent),
            figures.change(f.per_42_days_percent) + basis, figures.verdict(f), figures.band(f), figures.stacks(f), f.step or "copied", notes.of(f),
        ]  # fmt: skip
        lines.append("| " + " | ".join(markdown_cell(cell) for cell in cells) + " |")
    lines += [
        "",
        *(f"- **{mark}** {markdown_cell(text)}" for mark, text in notes.lines()),
        "",
        f"*{markdown_cell(notice(audit.rounds))}*",
    ]
    return "\n".join(lines) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file in one piece or not at all.

    Raises:
        GroundspeedError: If it cannot be written.
    """
    with in_one_piece(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")
