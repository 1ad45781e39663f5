"""Small result trees, made the way LoadGen and the Endpoints client write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import groundspeed

DETAIL: dict[str, Any] = {
    "loadgen_version": "6.0.9 @ 52235a451d",
    "requested_scenario": "Server",
    "effective_scenario": "Server",
    "effective_test_mode": "PerformanceOnly",
    "effective_target_qps": 61.2,
    "effective_qsl_rng_seed": 2465351861681999779,
    "effective_sample_index_rng_seed": 14276810075590677512,
    "effective_schedule_rng_seed": 3936089224930324775,
    "generated_query_count": 428532,
    "generated_query_duration": 607608140050,
    "result_validity": "VALID",
    "result_perf_constraints_met": True,
    "result_min_duration_met": True,
    "result_min_queries_met": True,
    "early_stopping_met": True,
    "result_query_count": 428532,
    "result_scheduled_samples_per_sec": 61.2931,
    "result_completed_samples_per_sec": 59.8589,
    "result_mean_latency_ns": 83882661983,
    "result_99.00_percentile_latency_ns": 137855933002,
    "result_first_token_mean_latency_ns": 687235954,
    "result_first_token_99.00_percentile_latency_ns": 1347438897,
    "result_token_throughput": 1.62967e-08,
    "result_time_per_output_token_99.00_percentile_ns": 72613294,
    "result_completed_tokens_per_second": 82136.1,
    "num_errors": 0,
}

SUMMARY = """\
================================================
MLPerf Results Summary
================================================
SUT name : PySUT
Scenario : Server
Mode     : PerformanceOnly
Completed samples per second    : 59.86
Completed tokens per second: 82136.08
Result is : VALID
  Performance constraints satisfied : Yes
  Min duration satisfied : Yes
  Min queries satisfied : Yes
  Early stopping satisfied: Yes

================================================
Additional Stats
================================================
Scheduled samples per second : 61.29
Min latency (ns)                : 3448020144
Mean latency (ns)               : 83882661983
99.00 percentile latency (ns)   : 137855933002
99.00 percentile first token latency (ns)   : 1347438897
99.00 percentile time to output token (ns)   : 72613294

================================================
Test Parameters Used
================================================
samples_per_query : 1
target_qps : 61.2
qsl_rng_seed : 2465351861681999779

No warnings encountered during test.

No errors encountered during test.
"""

ENDPOINTS: dict[str, Any] = {
    "version": "0.1.0",
    "n_samples_issued": 330000,
    "n_samples_completed": 330000,
    "n_samples_failed": 0,
    "duration_ns": 2077965287526,
    "state": "complete",
    "complete": True,
    "ttft": {"min": 133565203, "max": 6438270046, "avg": 279607807.85, "percentiles": {"99.0": 400000000.0}},
    "tpot": {"min": 4004376.5, "max": 13960037.0, "avg": 10532468.6, "percentiles": {"99.0": 12000000.0}},
    "latency": {"min": 1366415490, "max": 274161318774, "avg": 39897557014.6, "percentiles": {"99.0": 2e11}},
    "output_sequence_lengths": {"total": 1278761605},
    "legacy_loadgen_window_duration_ns": 1959036876888,
    "qps": 168.44961107838623,
    "tps": 652750.1447708113,
}

SYSTEM: dict[str, Any] = {
    "division": "closed",
    "submitter": "AMD",
    "status": "available",
    "system_name": "AMD Custom MI355X",
    "system_type": "datacenter",
    "number_of_nodes": "1",
    "accelerators_per_node": "8",
    "accelerator_model_name": "AMD Instinct MI355X 288GB HBM3e",
    "host_processor_model_name": "AMD EPYC 9575F",
    "host_processors_per_node": "2",
    "framework": "vLLM 0.14.0, ROCm 7.2.0",
}

PLATFORM = "8xMI355X_2xEPYC_9575F"
SCENARIO = f"closed/AMD/results/{PLATFORM}/gpt-oss-120b/Server"
RUN = f"{SCENARIO}/performance/run_1"
FILES = {
    "system": f"closed/AMD/systems/{PLATFORM}.json",
    "detail": f"{RUN}/mlperf_log_detail.txt",
    "accuracy": f"{SCENARIO}/accuracy/accuracy.txt",
    "measurements": f"{SCENARIO}/measurements.json",
}


def detail_log(**changed: Any) -> bytes:
    """A detail log; a key set to None is left out."""
    entries = {**DETAIL, **changed}
    lines = (
        ":::MLLOG "
        + json.dumps({"key": key, "value": value, "time_ms": 1.5, "namespace": "mlperf::logging", "event_type": "POINT_IN_TIME"})
        for key, value in entries.items()
        if value is not None
    )
    return ("\n".join(lines) + "\n").encode()


def put(root: Path, path: str, content: bytes | str) -> Path:
    """A file of a tree."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return file


def small_tree(root: Path, round_: str = "v6.0") -> Path:
    """One system of one submitter with one run, as in v6.0; the folder of the round."""
    tree = root / round_
    put(tree, f"closed/AMD/systems/{PLATFORM}.json", json.dumps(SYSTEM))
    put(tree, f"{SCENARIO}/performance/run_1/mlperf_log_detail.txt", detail_log())
    put(tree, f"{SCENARIO}/performance/run_1/mlperf_log_summary.txt", SUMMARY)
    put(tree, f"{SCENARIO}/accuracy/accuracy.txt", "FINAL SCORE\n'exact_match': 83.396\n\nhash=00\n")
    put(tree, f"{SCENARIO}/measurements.json", json.dumps({"weight_data_types": "fp4"}))
    return tree


def only_run(tree: Path) -> Any:
    """The one run of a tree without problems."""
    reading = groundspeed.read_runs(tree)
    assert not reading.problems
    (run,) = reading.runs
    return run
