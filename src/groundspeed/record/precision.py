"""Number formats: what the free text of `weight_data_types` says."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from groundspeed.record.model import Precision
from groundspeed.record.names import table


def _fold(text: str) -> str:
    return re.sub(r"\s+", "", text).casefold()


@cache
def _formats() -> dict[str, dict[str, Any]]:
    entries: dict[str, dict[str, Any]] = table("precisions")["precisions"]
    return {_fold(text): entry for text, entry in entries.items()}


@cache
def parse(published: str) -> tuple[Precision, bool]:
    """The precision a published string states, and whether the table knows the string."""
    entry = _formats().get(_fold(published))
    if entry is None:
        return Precision(raw=published), False
    weights = tuple(sorted(entry["weights"]))
    return Precision(weights, entry.get("activations", ""), entry.get("kv_cache", ""), published), True


def weight_formats() -> list[str]:
    """Every number format of weights that the table knows, in order."""
    return sorted({name for entry in _formats().values() for name in entry["weights"]})


def _fp4_of_any_kind(weights: tuple[str, ...]) -> frozenset[str]:
    return frozenset("fp4" if w in ("mxfp4", "nvfp4") else w for w in weights)


def differ(a: Precision, b: Precision) -> bool:
    """Whether two results are known to use other number formats for weights or KV cache.

    A part that either side does not state is no known difference, and fp4 of an unnamed kind does not differ from mxfp4 or
    nvfp4; mxfp4 differs from nvfp4.
    """
    if a.kv_cache and b.kv_cache and a.kv_cache != b.kv_cache:
        return True
    if not a.weights or not b.weights or a.weights == b.weights:
        return False
    if "fp4" in a.weights or "fp4" in b.weights:
        return _fp4_of_any_kind(a.weights) != _fp4_of_any_kind(b.weights)
    return True
