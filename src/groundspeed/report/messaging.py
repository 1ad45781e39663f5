"""What must be said beside MLPerf numbers: which figures are derived, and whose trademark the name is."""

from __future__ import annotations

DERIVED = "Changes, rates and per-accelerator figures are derived, not official MLPerf results."
TRADEMARK = "MLPerf is a trademark of the MLCommons Association."


def named(rounds: list[tuple[str, str]]) -> str:
    """The sentence that names the results: rounds, and where division, scenario and submitter of each stand."""
    names = ", ".join(dict.fromkeys(name for pair in rounds for name in pair))
    return f"MLPerf Inference {names} results, published by MLCommons; division, scenario and submitter stand with each."


def notice(rounds: list[tuple[str, str]]) -> str:
    """The whole notice, one line."""
    return f"{named(rounds)} {DERIVED} {TRADEMARK}"
