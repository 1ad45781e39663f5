"""LoadGen's logs: the detail log (`:::MLLOG` and one JSON object a line) and the text summary rendered from the same run.

Traps: a key may repeat, and the first counts, as for the submission checker; `result_token_throughput` is wrong by orders of magnitude
and is not read; the log's scenario is Server where only the directory says Interactive.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

from groundspeed.errors import SourceError
from groundspeed.record.runs import Distribution, Figure, Measured, figure

T = TypeVar("T")

_MARKS = (b":::MLLOG ", b":::ENDPTS ")
_RATES = {
    "result_samples_per_second": "samples",
    "result_scheduled_samples_per_sec": "scheduled samples",
    "result_completed_samples_per_sec": "completed samples",
    "result_tokens_per_second": "tokens",
    "result_completed_tokens_per_second": "completed tokens",
    "result_inferred_tokens_per_second": "inferred tokens",
    "result_inferred_completed_tokens_per_second": "completed inferred tokens",
}
_SUMMARY_RATES = {
    "samples per second": "samples",
    "scheduled samples per second": "scheduled samples",
    "completed samples per second": "completed samples",
    "tokens per second": "tokens",
    "completed tokens per second": "completed tokens",
    "inferred tokens per second": "inferred tokens",
    "tokens per second (inferred)": "inferred tokens",
    "completed inferred tokens per second": "completed inferred tokens",
    "completed tokens per second (inferred)": "completed inferred tokens",
}
_CONDITIONS = {
    "result_min_duration_met": "min-duration",
    "result_min_queries_met": "min-queries",
    "result_perf_constraints_met": "latency",
    "early_stopping_met": "early-stopping",
}
_SUMMARY_CONDITIONS = {
    "min duration satisfied": "min-duration",
    "min queries satisfied": "min-queries",
    "performance constraints satisfied": "latency",
    "early stopping satisfied": "early-stopping",
}
_SEEDS = {"qsl": "qsl", "sample_index": "sample index", "schedule": "schedule"}
_VERDICTS = {"VALID": True, "INVALID": False}


class _Line(msgspec.Struct):
    key: str
    value: msgspec.Raw


_decode_line = msgspec.json.Decoder(_Line).decode
_PERCENTILE_KEY = re.compile(
    r"result_(?:(first_token|time_per_output_token)_)?(\d+\.\d+)_percentile_(?:latency_|per_query_latency_)?ns"
)
_EARLY = re.compile(r"\* early stopping (\d+(?:\.\d+)?)(?:th|st|nd|rd) percentile estimate")
_BOUNDS = {"min", "max", "mean"}


_KEY = re.compile(rb':::\w+ \{"key": "([\w.]+)"')
_WANTED = re.compile(
    rb"result_|early_stopping_|loadgen_version|num_errors|generated_query_|requested_(?:scenario|test_mode)$"
    rb"|effective_(?:scenario|test_mode|target_qps|\w+_rng_seed)$"
).match


class _WrongKindError(ValueError):
    """A value of the wrong kind: what was found, what was expected."""


def _number(raw: bytes) -> Figure:
    try:
        return figure(raw.decode("ascii"))
    except (ValueError, UnicodeDecodeError):
        raise _WrongKindError(raw[:60].decode("utf-8", "replace"), "a number") from None


def _whole(raw: bytes) -> int:
    try:
        return int(raw)
    except ValueError:
        raise _WrongKindError(raw[:60].decode("utf-8", "replace"), "a whole number") from None


def _flag(raw: bytes) -> bool:
    if raw not in (b"true", b"false"):
        raise _WrongKindError(raw[:60].decode("utf-8", "replace"), "true or false")
    return raw == b"true"


def _word(raw: bytes) -> str:
    try:
        return msgspec.json.decode(raw, type=str)
    except msgspec.DecodeError:
        raise _WrongKindError(raw[:60].decode("utf-8", "replace"), "a text") from None


def _verdict(raw: bytes) -> bool:
    text = _word(raw)
    if text not in _VERDICTS:
        raise _WrongKindError(f'"{text[:60]}"', "VALID or INVALID")
    return _VERDICTS[text]


def _distribution(percentiles: dict[float, float], bounds: dict[str, float]) -> Distribution | None:
    if not percentiles and not bounds:
        return None
    return Distribution(bounds.get("min"), bounds.get("max"), bounds.get("mean"), dict(sorted(percentiles.items())))


def read_detail(name: str, data: bytes) -> Measured:
    """Read a detail log.

    Args:
        name: The file, for errors.
        data: Its bytes.

    Raises:
        SourceError: If it has no log lines, a line is damaged, a value is of the wrong kind, or the run's scenario or verdict is missing.
    """
    first: dict[str, tuple[int, bytes]] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.startswith(_MARKS):
            if line.strip() and line.lstrip().startswith(b":::"):
                raise SourceError(name, f"line {number}", line[:40].decode("utf-8", "replace"), ":::MLLOG and a JSON object")
            continue
        # Most of a log are settings, file lists and sample numbers that nobody asks for: only lines that matter are decoded.
        if (named := _KEY.match(line)) and not _WANTED(named[1]):
            if not line.endswith((b"}", b"}\r", b"} ")):
                raise SourceError(name, f"line {number}", "a log line that is cut off", "a JSON object with key and value")
            continue
        rest = line.partition(b" ")[2]
        try:
            entry = _decode_line(rest)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise SourceError(
                name, f"line {number}", f"a damaged log line ({error})", "a JSON object with key and value"
            ) from None
        first.setdefault(entry.key, (number, bytes(entry.value)))
    if not first:
        raise SourceError(name, "", "no log line", "LoadGen's detail log (lines that begin with :::MLLOG)")

    def get(key: str, read: Callable[[bytes], T]) -> T | None:
        if key not in first:
            return None
        number, raw = first[key]
        try:
            return read(raw)
        except _WrongKindError as wrong:
            raise SourceError(name, f"line {number}, key {key}", wrong.args[0], wrong.args[1]) from None

    scenario = get("effective_scenario", _word) or get("requested_scenario", _word)
    if scenario is None:
        raise SourceError(name, "", "no key effective_scenario", "a complete detail log")
    mode = get("effective_test_mode", _word) or get("requested_test_mode", _word) or ""
    valid = get("result_validity", _verdict)
    if valid is None and mode == "PerformanceOnly":
        raise SourceError(name, "", "no key result_validity", "the log of a finished run (this one is cut off)")
    if not data.endswith(b"\n"):
        raise SourceError(name, "", "a last line without an end", "the log of a finished run (this one is cut off)")
    percentiles: dict[str, dict[float, float]] = {"": {}, "first_token": {}, "time_per_output_token": {}}
    for key in first:
        match = _PERCENTILE_KEY.fullmatch(key)
        found = get(key, _number) if match else None
        if match and found:
            percentiles[match[1] or ""][float(match[2])] = found.value

    def bounds(prefix: str, suffix: str) -> dict[str, float]:
        return {b: found.value for b in ("min", "max", "mean") if (found := get(f"{prefix}{b}{suffix}", _number))}

    latency = bounds("result_", "_latency_ns") or bounds("result_", "_query_latency_ns")
    rates = {label: found for key, label in _RATES.items() if (found := get(key, _number))}
    early = {}
    for key, percentile in (("early_stopping_latency_ss", 90.0), ("early_stopping_latency_ms", 99.0)):
        if found := get(key, _number):
            early[percentile] = found
    duration = get("generated_query_duration", _number)
    target = get("effective_target_qps", _number)
    return Measured(
        evidence="detail",
        harness="loadgen",
        scenario=scenario,
        mode=mode,
        valid=valid,
        conditions={label: met for key, label in _CONDITIONS.items() if (met := get(key, _flag)) is not None},
        rates=rates,
        early_stopping_ns=early,
        latency=_distribution(percentiles[""], latency),
        ttft=_distribution(percentiles["first_token"], bounds("result_first_token_", "_latency_ns")),
        # The bounds of TPOT are named unlike its percentiles.
        tpot=_distribution(percentiles["time_per_output_token"], bounds("result_time_to_output_token_", "")),
        target_rate=target.value if target else None,
        seeds={label: seed for key, label in _SEEDS.items() if (seed := get(f"effective_{key}_rng_seed", _whole)) is not None},
        queries=get("result_query_count", _whole) or get("generated_query_count", _whole),
        duration_s=duration.value / 1e9 if duration else None,
        version=get("loadgen_version", _word) or "",
        errors=get("num_errors", _whole),
    )


def read_summary(name: str, data: bytes) -> Measured:
    """Read a text summary, for runs whose detail log is not there.

    Raises:
        SourceError: If it is empty, cut off, or says neither scenario nor verdict.
    """
    text = data.decode("utf-8", "replace")
    if "\0" in text:
        at = text.count("\n", 0, text.index("\0")) + 1
        raise SourceError(name, f"line {at}", "a NUL byte", "LoadGen's text summary")
    fields: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        key, colon, value = line.partition(":")
        if colon:
            fields.setdefault(key.strip().casefold(), (number, value.strip()))
    if "scenario" not in fields or "mode" not in fields:
        missing = "scenario" if "scenario" not in fields else "mode"
        raise SourceError(name, "", f"no line {missing.title()}", "LoadGen's text summary")

    def get(key: str, read: Callable[[bytes], T]) -> T | None:
        if key not in fields:
            return None
        number, written = fields[key]
        try:
            return read(written.encode())
        except _WrongKindError as wrong:
            raise SourceError(name, f"line {number}, {key}", wrong.args[0] or "nothing", wrong.args[1]) from None

    def get_value(key: str) -> float:
        if (written := fields[key][1]).isdecimal() and written.isascii():
            return float(written)
        found = get(key, _number)
        assert found is not None
        return found.value

    mode = fields["mode"][1]
    verdict = fields.get("result is")
    if verdict is not None and verdict[1] not in _VERDICTS:
        raise SourceError(name, f"line {verdict[0]}", f'"{verdict[1][:60]}"', "VALID or INVALID")
    if verdict is None and mode == "PerformanceOnly":
        raise SourceError(name, "", "no line Result", "the summary of a finished run (this one is cut off)")
    # The results stand before the parameters: without those, the last result may be half a number.
    if "================================================\nTest Parameters Used" not in text.replace("\r\n", "\n"):
        raise SourceError(name, "", "no part Test Parameters Used", "the summary of a finished run (this one is cut off)")
    percentiles: dict[str, dict[float, float]] = {"latency": {}, "first token latency": {}, "time to output token": {}}
    bounds: dict[str, dict[str, float]] = {"latency": {}, "first token latency": {}, "time to output token": {}}
    early: dict[float, Figure] = {}
    for key in fields:
        if key.endswith("(ns)"):
            head, _, which = key[:-4].strip().partition(" ")
            if head in _BOUNDS and which in bounds:
                bounds[which][head] = get_value(key)
            elif which.startswith("percentile ") and which[11:] in percentiles and head.replace(".", "").isdecimal():
                percentiles[which[11:]][float(head)] = get_value(key)
        elif (match := _EARLY.fullmatch(key)) and (estimate := get(key, _number)):
            early[float(match[1])] = estimate
    target = get("target_qps", _number)
    return Measured(
        evidence="summary",
        harness="loadgen",
        scenario=fields["scenario"][1],
        mode=mode,
        valid=_VERDICTS[verdict[1]] if verdict else None,
        conditions={label: fields[key][1].casefold() == "yes" for key, label in _SUMMARY_CONDITIONS.items() if key in fields},
        rates={label: found for key, label in _SUMMARY_RATES.items() if (found := get(key, _number))},
        early_stopping_ns=early,
        latency=_distribution(percentiles["latency"], bounds["latency"]),
        ttft=_distribution(percentiles["first token latency"], bounds["first token latency"]),
        tpot=_distribution(percentiles["time to output token"], bounds["time to output token"]),
        target_rate=target.value if target else None,
        seeds={label: seed for key, label in _SEEDS.items() if (seed := get(f"{key}_rng_seed", _whole)) is not None},
    )
