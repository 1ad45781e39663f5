"""Which figure of a log is a table's value: the one that the metric's definition names, and the others it might have been taken from."""

from __future__ import annotations

from groundspeed.record.model import Metric
from groundspeed.record.runs import Distribution, Figure, Measured

# Definition -> names of the log's rates that are it, the Endpoints client's last.
_RATES = {
    "offline-samples": ("samples", "completed samples"),
    "offline-tasks": ("samples", "completed samples"),
    "offline-tokens": ("tokens", "completed tokens"),
    "offline-inferred-tokens": ("inferred tokens",),
    "server-scheduled-queries": ("scheduled samples",),
    "server-completed-queries": ("completed samples",),
    "server-completed-tokens": ("completed tokens",),
    "server-inferred-tokens": ("completed inferred tokens", "inferred tokens"),
    "interactive-completed-queries": ("completed samples",),
    "interactive-completed-tokens": ("completed tokens",),
}
_SCALE = {"ms": 1e6, "s": 1e9}
_RATE_UNITS = {"samples": "samples/s", "tokens": "tokens/s", "queries": "queries/s"}


def _time(nanoseconds: Figure | float | None, unit: str) -> Figure | None:
    if nanoseconds is None:
        return None
    value, step = (nanoseconds.value, nanoseconds.step) if isinstance(nanoseconds, Figure) else (nanoseconds, 1.0)
    return Figure(value / _SCALE[unit], step / _SCALE[unit])


def _percentile(latency: Distribution | None, percentile: float) -> float | None:
    return latency.percentiles_ns.get(percentile) if latency else None


def defined(measured: Measured, metric: Metric) -> Figure | None:
    """The log's figure for a metric, in the metric's unit; None if the log does not hold it."""
    definition = metric.definition.partition("/")[0]
    for name in _RATES.get(definition, ()):
        if name in measured.rates:
            return measured.rates[name]
    if metric.unit not in _SCALE:
        return None
    if definition == "singlestream-mean":
        return _time(measured.latency.mean_ns if measured.latency else None, metric.unit)
    if definition == "singlestream-p90":
        return _time(_percentile(measured.latency, 90.0), metric.unit)
    if definition == "singlestream-early-stopping-p90":
        return _time(measured.early_stopping_ns.get(90.0), metric.unit)
    if definition == "multistream-early-stopping-p99":
        return _time(measured.early_stopping_ns.get(99.0), metric.unit)
    return None


def others(measured: Measured, metric: Metric) -> dict[str, Figure]:
    """Every other figure of the log that a table could have taken, by what it is."""
    found = {f"{name} / s": figure for name, figure in measured.rates.items()}
    if metric.unit in _SCALE:
        found = {}
        for percentile, estimate in measured.early_stopping_ns.items():
            if time := _time(estimate, metric.unit):
                found[f"early-stopping estimate of P{percentile:g}"] = time
        if measured.latency:
            if time := _time(measured.latency.mean_ns, metric.unit):
                found["mean latency"] = time
            for percentile, nanoseconds in measured.latency.percentiles_ns.items():
                if time := _time(nanoseconds, metric.unit):
                    found[f"P{percentile:g} latency"] = time
    return found


def in_unit(measured: Measured, unit: str) -> Figure | None:
    """The log's rate in a published unit ("samples/s", "queries/s", "tokens/s"); None if it has none."""
    counted = {
        "samples/s": ("samples", "completed samples"),
        "queries/s": ("completed samples", "samples"),
        "tokens/s": ("tokens", "completed tokens"),
    }
    return next((measured.rates[name] for name in counted.get(unit, ()) if name in measured.rates), None)
