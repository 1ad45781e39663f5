"""Accuracy: values as published, brought to their target's scale and held against it.

Published forms: "ROUGE1: 44.4542  ROUGE2: 22.0419 ...", or a bare number (the history, and rows of the Endpoints client), which is the
benchmark's first metric. Targets are data (`data/accuracy.toml`).
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

from groundspeed.record.calendar import round_key
from groundspeed.record.model import AccuracyValue
from groundspeed.record.names import table

_PAIR = re.compile(r"([A-Za-z][\w@]*)\s*:\s*([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


@cache
def _target(benchmark: str, scenario: str, round_: str) -> dict[str, Any] | None:
    key = round_key(round_)
    found = None
    for target in table("accuracy")["target"]:
        if (
            target["benchmark"] == benchmark
            and target.get("scenario", scenario) == scenario
            and ("since" not in target or round_key(target["since"]) <= key)
            and ("until" not in target or key <= round_key(target["until"]))
        ):
            found = target
    return found


def is_bare(text: str) -> bool:
    """Whether a published accuracy is a number without a name."""
    return bool(_NUMBER.fullmatch(text.strip()))


def _rescaled(value: float, limit: float, scale: str) -> float:
    """A value on the scale of its limit: 0.7028 against 69.7752 is 70.28."""
    if scale == "percent" and 0 < value <= 1 < limit:
        return value * 100
    if scale == "fraction" and limit <= 1 < value:
        return value / 100
    return value


@cache
def parse(text: str, benchmark: str, scenario: str, round_: str) -> tuple[AccuracyValue, ...]:
    """Read a published accuracy.

    Args:
        text: The published text.
        benchmark: Benchmark with its accuracy target ("llama2-70b-99.9").
        scenario: Canonical scenario.
        round_: Round ("v6.1").

    Returns:
        The values on their targets' scale; empty where the text is blank or says nothing numeric.
    """
    target = _target(benchmark, scenario, round_)
    limits: dict[str, dict[str, float]] = target["metrics"] if target else {}
    by_fold = {name.casefold(): name for name in limits}
    pairs = [("", text.strip())] if is_bare(text) else _PAIR.findall(text)
    values = []
    for published_name, number in pairs:
        name = by_fold.get(published_name.casefold(), published_name) or next(iter(limits), "accuracy")
        value = float(number)
        if not math.isfinite(value):
            continue
        limit = limits.get(name)
        if limit is None or target is None:
            values.append(AccuracyValue(name, value))
            continue
        value = _rescaled(value, limit["min"], target["scale"])
        low, high = limit["min"], limit.get("max")
        # Tables print what the checker compared at full precision: the last printed digit is not held against a result.
        slack = 0.5 * 10 ** -len(number.partition(".")[2]) if "." in number and "e" not in number.casefold() else 0.0
        below = value < low - min(slack, abs(low) * 1e-4) or (high is not None and value > high + slack)
        values.append(AccuracyValue(name, value, low, high, below))
    return tuple(values)
