"""Findings as JSON, CSV and Markdown, and the safe writing of a file."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from groundspeed.audit.ages import AgeGroup
from groundspeed.audit.chains import Chain
from groundspeed.audit.engine import Audit
from groundspeed.audit.findings import Finding
from groundspeed.errors import GroundspeedError
from groundspeed.report import figures
from groundspeed.report.footnotes import Footnotes
from groundspeed.report.messaging import notice

# A cell that a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_json(items: Sequence[Finding] | Sequence[AgeGroup] | Sequence[Chain]) -> str:
    """A JSON list, indented."""
    return msgspec.json.format(msgspec.json.encode(items), indent=2).decode() + "\n"


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        value = " ".join(map(str, value))
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _flat(prefix: str, value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{prefix}_{key}" if prefix else key, inner)
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
    return dict(_flat("", plain))


def _rows_to_csv(rows: Sequence[dict[str, Any]]) -> str:
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: _cell(value) for key, value in row.items()})
    return out.getvalue()


def to_csv(items: Sequence[Finding] | Sequence[AgeGroup] | Sequence[Chain]) -> str:
    """A CSV table with a header; nested parts as columns of their own. Texts that look like formulas are quoted."""
    rows = [_flat_finding(i) if isinstance(i, Finding) else msgspec.to_builtins(i) for i in items]
    return _rows_to_csv(rows)


def _md(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")
    return escaped.replace("*", "\\*").replace("_", "\\_").replace("`", "\\`")


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
        lines.append("| " + " | ".join(_md(cell) for cell in cells) + " |")
    lines += ["", *(f"- **{mark}** {_md(text)}" for mark, text in notes.lines()), "", f"*{_md(notice(audit.rounds))}*"]
    return "\n".join(lines) + "\n"


def write_text(path: Path, text: str) -> None:
    """Write a file in one piece or not at all.

    Raises:
        GroundspeedError: If it cannot be written.
    """
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        raise GroundspeedError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
