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


_VERDICTS = {"signal": "signal", "within-noise": "within noise", "noise-unknown": "noise unknown"}


def verdict(finding: Finding) -> str:
    """The verdict in words."""
    return _VERDICTS[finding.verdict]


def band(finding: Finding) -> str:
    """The changes that are within noise: "-3.7 to +3.9 %"."""
    if finding.noise is None:
        return "–"
    low, high = finding.noise.band_percent
    return f"{low:+.1f} to {high:+.1f} %"


def who(finding: Finding) -> str:
    """The submitter; division and availability where they are not closed and available, the older submitter where it is another."""
    name = (
        finding.submitter if finding.older_submitter == finding.submitter else f"{finding.older_submitter} → {finding.submitter}"
    )
    said = [word for word in (finding.division, finding.availability) if word not in {"closed", "available"}]
    return f"{name} ({', '.join(said)})" if said else name


def _declared(side: Side) -> str:
    text = side.stack.strip() or "not declared"
    return text if len(text) <= 26 else text[:23] + "..."


def stacks(finding: Finding) -> str:
    """The two stacks in short: the counted project's versions, else what is declared."""
    older, newer = finding.older.project_version, finding.newer.project_version
    if older and newer:
        return f"{finding.project} {older}" if older == newer else f"{finding.project} {older} → {newer}"
    older, newer = _declared(finding.older), _declared(finding.newer)
    return older if older == newer else f"{older} → {newer}"


def system(finding: Finding) -> str:
    """The hardware of a pair; both counts where they differ."""
    older, newer = finding.older.hardware, finding.newer.hardware
    return newer if older == newer else f"{older} → {newer}"
