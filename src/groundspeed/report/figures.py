"""Figures in words and digits: values with the digits they were published with, changes with a sign, what moved in a few words."""

from __future__ import annotations

from groundspeed.audit.findings import Finding, Side


def value(number: float) -> str:
    """A result value: thousands separated, as many digits as carry information in a table."""
    if number >= 10_000:
        return f"{number:,.0f}"
    if number >= 100:
        return f"{number:,.1f}"
    return f"{number:.4g}"


def change(percent: float | None, digits: int = 1) -> str:
    """A change in percent with its sign; "–" for none. Values that round to nothing carry no sign."""
    if percent is None:
        return "–"
    rounded = round(percent, digits)
    return f"{rounded:+,.{digits}f} %" if rounded else f"{0:.{digits}f} %"


def limit(finding: Finding) -> str:
    """The verdict with the noise limit it was judged by: "signal (±3.8 %)"."""
    if finding.noise is None:
        return "noise unknown"
    words = {"signal": "signal", "within-noise": "within noise"}
    return f"{words[finding.verdict]} (±{finding.noise.limit_percent:.1f} %)"


def _stack(side: Side) -> str:
    text = side.stack.strip() or "not declared"
    return text if len(text) <= 60 else text[:57] + "..."


def stacks(finding: Finding) -> str:
    """The two stacks in short: the counted project's versions, else what is declared."""
    if finding.releases is not None:
        r = finding.releases
        return f"{r.project} {r.older}" if r.older == r.newer else f"{r.project} {r.older} → {r.newer}"
    older, newer = _stack(finding.older), _stack(finding.newer)
    return older if older == newer else f"{older} → {newer}"


def between(finding: Finding) -> str:
    """How many releases lie between the stacks: "2 feature, 5 patch, 4 preview"."""
    r = finding.releases
    if r is None:
        return ""
    parts = [f"{n} {kind}" for n, kind in ((r.feature, "feature"), (r.patch, "patch"), (r.preview, "preview")) if n]
    return ", ".join(parts) or "none"


def system(finding: Finding) -> str:
    """The hardware of a pair; both counts where they differ."""
    older, newer = finding.older.hardware, finding.newer.hardware
    return newer if older == newer else f"{older} → {newer}"


def workload(finding: Finding) -> str:
    """Model and scenario."""
    return f"{finding.model} {finding.scenario}"
