"""The Endpoints client's result summary (v6.1): one JSON object a run, times in nanoseconds.

Its own `tps` counts tokens over LoadGen's window where that window is written, and over the whole duration elsewhere: both rates are
given, each under its name.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from groundspeed.errors import SourceError
from groundspeed.record.runs import Distribution, Figure, Measured


class _Times(msgspec.Struct):
    min: float | None = None
    max: float | None = None
    avg: float | None = None
    percentiles: dict[str, float] = {}
    early_stopping_percentiles: dict[str, float] = {}


class _Lengths(msgspec.Struct):
    total: int | float | None = None


class _Summary(msgspec.Struct):
    n_samples_issued: int
    n_samples_completed: int
    duration_ns: int | float
    n_samples_failed: int = 0
    complete: bool = True
    state: str = ""
    version: str = ""
    latency: _Times | None = None
    ttft: _Times | None = None
    tpot: _Times | None = None
    output_sequence_lengths: _Lengths | None = None
    legacy_loadgen_window_duration_ns: int | float | None = None


class _Score(msgspec.Struct):
    score: float | dict[str, Any] | None = None


class _Accuracy(msgspec.Struct):
    accuracy_scores: list[_Score] = []
    average_accuracy: float | None = None


_summary = msgspec.json.Decoder(_Summary)
_accuracy = msgspec.json.Decoder(_Accuracy)


def _by_number(percentiles: dict[str, float]) -> dict[float, float]:
    return {float(key): value for key, value in percentiles.items() if re.fullmatch(r"\d+(?:\.\d+)?", key)}


def _times(times: _Times | None) -> Distribution | None:
    if times is None or (not times.percentiles and times.avg is None):
        return None
    return Distribution(times.min, times.max, times.avg, dict(sorted(_by_number(times.percentiles).items())))


def _damaged(name: str, error: Exception, what: str) -> SourceError:
    field, _, path = str(error).partition(" - at `$.")
    return SourceError(name, f"key {path.rstrip('`')}" if path else "", f"damaged or wrong data ({field})", what)


def read_result_summary(name: str, data: bytes, scenario: str) -> Measured:
    """Read a result summary.

    Args:
        name: The file, for errors.
        data: Its bytes.
        scenario: Scenario of its directory: the file itself names none.

    Raises:
        SourceError: If it is damaged, has a value of the wrong kind, or a window of no length.
    """
    what = "the Endpoints client's result summary (JSON)"
    try:
        found = _summary.decode(data)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise _damaged(name, error, what) from None
    if not found.duration_ns > 0:
        raise SourceError(name, "key duration_ns", str(found.duration_ns), "a duration above 0 nanoseconds")
    seconds = found.duration_ns / 1e9
    rates = {"completed samples": Figure(found.n_samples_completed / seconds, 0.0)}
    tokens = found.output_sequence_lengths.total if found.output_sequence_lengths else None
    if tokens:
        rates["completed tokens"] = Figure(tokens / seconds, 0.0)
    window = found.legacy_loadgen_window_duration_ns
    if window and window > 0:
        rates["completed samples (legacy window)"] = Figure(found.n_samples_completed / (window / 1e9), 0.0)
        if tokens:
            rates["completed tokens (legacy window)"] = Figure(tokens / (window / 1e9), 0.0)
    return Measured(
        evidence="endpoints",
        harness="endpoints",
        scenario=scenario,
        mode="PerformanceOnly",
        # The client writes no verdict: a run that was cut short or lost samples is none.
        valid=None if found.complete and not found.n_samples_failed else False,
        conditions={"complete": found.complete, "no failures": not found.n_samples_failed},
        rates=rates,
        early_stopping_ns={
            p: Figure(v, 0.0) for p, v in _by_number(found.latency.early_stopping_percentiles if found.latency else {}).items()
        },
        latency=_times(found.latency),
        ttft=_times(found.ttft),
        tpot=_times(found.tpot),
        queries=found.n_samples_issued,
        tokens=int(tokens) if tokens else None,
        duration_s=seconds,
        version=found.version,
        errors=found.n_samples_failed,
    )


def read_scores(name: str, data: bytes) -> str:
    """The accuracy of an accuracy_results.json as the published tables print it: a bare number, or "metric: value" pairs.

    Raises:
        SourceError: If it is damaged.
    """
    try:
        found = _accuracy.decode(data)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise _damaged(name, error, "the Endpoints client's accuracy results (JSON)") from None
    scores = [entry.score for entry in found.accuracy_scores]
    if len(scores) == 1 and isinstance(scores[0], dict):
        return "  ".join(f"{key}: {value!r}" for key, value in scores[0].items() if isinstance(value, int | float))
    value = scores[0] if len(scores) == 1 else found.average_accuracy
    return "" if value is None or isinstance(value, dict) else repr(value)
