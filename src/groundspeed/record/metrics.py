"""Metric definitions: what a published number measures, by (round, benchmark, scenario, harness).

The rules are data (`data/metrics.toml`); the published `Units` column is kept beside the result and never believed.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from groundspeed.record.calendar import round_key
from groundspeed.record.model import Harness, Metric
from groundspeed.record.names import table

# Spellings of units in the published tables.
UNITS = {
    "tokens/s": "tokens/s",
    "samples/s": "samples/s",
    "queries/s": "queries/s",
    "tasks/s": "tasks/s",
    "latency (ms)": "ms",
    "latency (s)": "s",
    "watts": "W",
    "millijoules": "mJ/query",
}


@cache
def unit(published: str) -> str:
    """A published unit in the record's spelling; unchanged if it is none that is known."""
    return UNITS.get(published.strip().casefold(), published.strip())


def _applies(rule: dict[str, Any], key: tuple[int, int], benchmark: str, scenario: str, harness: Harness) -> bool:
    return (
        rule["scenario"] == scenario
        and ("benchmark" not in rule or benchmark in rule["benchmark"])
        and rule.get("harness", harness) == harness
        and ("since" not in rule or round_key(rule["since"]) <= key)
        and ("until" not in rule or key <= round_key(rule["until"]))
    )


@cache
def definition(round_: str, benchmark: str, scenario: str, harness: Harness) -> Metric | None:
    """The metric of a result, or None where no rule covers it (an unknown scenario)."""
    key = round_key(round_)
    rules = [r for r in table("metrics")["rule"] if _applies(r, key, benchmark, scenario, harness)]
    if not rules:
        return None
    rule = rules[-1]
    revisions = [r["since"] for r in table("metrics")["revision"] if r["benchmark"] == benchmark and round_key(r["since"]) <= key]
    version = "/".join([rule["definition"], *([f"{benchmark}@{revisions[-1]}"] if revisions else [])])
    return Metric(rule["quantity"], rule["statistic"], rule["unit"], rule["direction"], harness, version)
