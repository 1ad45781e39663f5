"""What LoadGen's logs, the Endpoints client's summaries and accuracy scripts say of a run."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.errors import SourceError
from groundspeed.record.metrics import definition as metrics_of
from groundspeed.record.run_figures import defined
from groundspeed.record.runs import figure, published_figure
from groundspeed.sources.mlperf.trees.accuracy import metrics
from groundspeed.sources.mlperf.trees.endpoints import read_result_summary, read_scores
from groundspeed.sources.mlperf.trees.loadgen import read_detail, read_summary
from trees import ENDPOINTS, SUMMARY, detail_log


@pytest.mark.parametrize(("read", "data"), [(read_detail, detail_log()), (read_summary, SUMMARY.encode())])
def test_both_logs_of_a_run_say_the_same(read: Any, data: bytes) -> None:
    m = read("log", data)
    assert (m.scenario, m.mode, m.valid, m.target_rate) == ("Server", "PerformanceOnly", True, 61.2)
    assert round(m.rates["completed tokens"].value, 1) == 82136.1
    assert round(m.rates["scheduled samples"].value, 2) == 61.29
    assert m.ttft.percentiles_ns[99.0] == 1347438897
    assert m.tpot.percentiles_ns[99.0] == 72613294
    assert m.latency.mean_ns == 83882661983
    assert m.seeds["qsl"] == 2465351861681999779
    assert m.conditions == {"latency": True, "min-duration": True, "min-queries": True, "early-stopping": True}


def test_the_token_throughput_that_is_wrong_is_not_read() -> None:
    assert all(rate.value > 1 for rate in read_detail("log", detail_log()).rates.values())


def test_the_first_of_a_repeated_key_counts() -> None:
    twice = detail_log() + detail_log(result_completed_tokens_per_second=1.0, result_validity="INVALID")
    m = read_detail("log", twice)
    assert (m.valid, m.rates["completed tokens"].value) == (True, 82136.1)


def test_the_endpoints_client_has_two_windows() -> None:
    m = read_result_summary("log", json.dumps(ENDPOINTS).encode(), "Interactive")
    assert m.tokens == 1278761605
    assert round(m.duration_s or 0, 3) == 2077.965
    assert round(m.rates["completed tokens"].value) == 615391
    assert round(m.rates["completed tokens (legacy window)"].value) == 652750
    assert m.valid is None, "the client writes no verdict"


def test_a_client_that_lost_samples_is_not_valid() -> None:
    lost = {**ENDPOINTS, "n_samples_failed": 3}
    assert read_result_summary("log", json.dumps(lost).encode(), "Server").valid is False


@pytest.mark.parametrize(
    ("benchmark", "text", "expected"),
    [
        (
            "llama2-70b",
            "{'rouge1': 44.5302, 'rouge2': 22.1844, 'gen_len': np.int64(27857999)}",
            "rouge1: 44.5302  rouge2: 22.1844  gen_len: 27857999",
        ),
        ("llama3.1-8b", "{'rouge1': '38.4926'}", "rouge1: 38.4926"),
        ("resnet50", "accuracy=76.076%, good=38038, total=50000", "acc: 76.076"),
        ("dlrm-v2", "AUC=80.233%, accuracy=96.606%, good=1", "AUC: 80.233"),
        ("3d-unet", "Accuracy: mean = 0.86112, kidney = 0.9346, tumor = 0.7877", "DICE: 0.86112"),
        ("retinanet", " Average Recall (AR) = 0.59\nmAP=37.325%", "mAP: 37.325"),
        ("whisper", "Word Error Rate: 2.17%, accuracy=97.82730759347906%", "ACCURACY: 97.82730759347906"),
        ("qwen3-vl-235b-a22b", '{"f1": 0.7883219387216303}', "F1_HIERARCHICAL: 0.7883219387216303"),
        ("gpt-oss-120b", "Printing:\n'exact_match': 83.122", "exact_match: 83.122"),
        ("bert", "nothing that is a metric\nhash=b4", ""),
    ],
)
def test_the_metrics_an_accuracy_script_prints(benchmark: str, text: str, expected: str) -> None:
    assert metrics(text, benchmark) == expected


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ({"accuracy_scores": [{"score": 80.62898814949864}], "average_accuracy": 1.0}, "80.62898814949864"),
        ({"accuracy_scores": [{"score": {"rouge1": 38.8, "kind": "x"}}]}, "rouge1: 38.8"),
        ({"accuracy_scores": [{"score": 80.0}, {"score": 90.0}], "average_accuracy": 85.0}, "85.0"),
        ({"accuracy_scores": []}, ""),
        ({}, ""),
    ],
)
def test_the_scores_of_the_endpoints_client(written: dict[str, Any], printed: str) -> None:
    assert read_scores("a", json.dumps(written).encode()) == printed


def test_everything_a_result_summary_says() -> None:
    early = {**ENDPOINTS, "latency": {**ENDPOINTS["latency"], "early_stopping_percentiles": {"90.0": 9e9, "x": 1.0}}}
    m = read_result_summary("log", json.dumps(early).encode(), "Server")
    assert round(m.rates["completed samples"].value, 2) == 158.81
    assert round(m.rates["completed samples (legacy window)"].value, 2) == 168.45, "what the client prints as qps"
    assert (m.queries, m.errors, m.version, m.scenario, m.mode) == (330000, 0, "0.1.0", "Server", "PerformanceOnly")
    assert m.conditions == {"complete": True, "no failures": True}
    assert {p: (f.value, f.step) for p, f in m.early_stopping_ns.items()} == {90.0: (9e9, 0.0)}
    assert m.ttft
    assert (m.ttft.minimum_ns, m.ttft.maximum_ns, m.ttft.mean_ns) == (133565203, 6438270046, 279607807.85)
    assert all(rate.step == 0 for rate in m.rates.values()), "computed, and therefore exact"


def test_everything_else_a_detail_log_says() -> None:
    m = read_detail("log", detail_log(generated_query_count=7))
    assert (m.queries, m.errors, m.duration_s, m.version) == (428532, 0, 607.60814005, "6.0.9 @ 52235a451d")
    assert m.seeds == {"qsl": 2465351861681999779, "sample index": 14276810075590677512, "schedule": 3936089224930324775}
    assert read_detail("log", detail_log(generated_query_count=7, result_query_count=None)).queries == 7
    assert not read_detail("log", detail_log(result_perf_constraints_met=False)).conditions["latency"]


def test_a_nul_byte_is_said_by_its_line() -> None:
    text = SUMMARY.replace("Scenario : Server", "Scenario : Ser\0ver")
    with pytest.raises(SourceError, match="line 5: found a NUL byte"):
        read_summary("log", text.encode())


# ---------------------------------------------------------------- which figure is the metric's


def measured(**changed: Any) -> Any:
    single = {
        "effective_scenario": "SingleStream", "result_90.00_percentile_latency_ns": 4_149_771_822, "early_stopping_latency_ss": 4_176_626_080,
        "early_stopping_latency_ms": 11_077_851, "result_samples_per_second": 69.1714, "result_tokens_per_second": 95004,
        "result_inferred_tokens_per_second": 13800.5, "result_inferred_completed_tokens_per_second": 13700.5,
    }  # fmt: skip
    return read_detail("log", detail_log(**{**single, **changed}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (("v6.0", "resnet50", "Offline", "loadgen"), 69.1714),
        (("v6.0", "llama2-70b", "Offline", "loadgen"), 95004),
        (("v4.0", "llama2-70b", "Server", "loadgen"), 61.2931),
        (("v6.0", "resnet50", "Server", "loadgen"), 59.8589),
        (("v6.0", "llama2-70b", "Server", "loadgen"), 82136.1),
        (("v6.0", "qwen3-vl-235b-a22b", "Interactive", "loadgen"), 59.8589),
        (("v6.0", "llama2-70b", "Interactive", "loadgen"), 82136.1),
        (("v4.1", "gptj", "Offline", "loadgen"), 13800.5),
        (("v4.1", "gptj", "Server", "loadgen"), 13700.5),
        (("v6.1", "e2e-rag-qna", "Offline", "loadgen"), 69.1714),
        (("v6.0", "resnet50", "SingleStream", "loadgen"), 4176.62608),
        (("v6.1", "llama3.1-8b-edge", "SingleStream", "loadgen"), 4149.771822),
        (("v6.0", "wan-2.2-t2v-a14b", "SingleStream", "loadgen"), 4.17662608),
        (("v6.1", "wan-2.2-t2v-a14b", "SingleStream", "endpoints"), 83.882661983),
        (("v6.0", "resnet50", "MultiStream", "loadgen"), 11.077851),
    ],
)
def test_the_figure_that_a_definition_names(key: Any, value: float) -> None:
    metric = metrics_of(*key)
    assert metric
    found = defined(measured(), metric)
    assert found
    assert found.value == pytest.approx(value, rel=1e-12)


def test_a_log_without_the_figure() -> None:
    metric = metrics_of("v6.0", "llama2-70b", "Server", "loadgen")
    assert metric
    assert defined(measured(result_completed_tokens_per_second=None), metric) is None


# ---------------------------------------------------------------- figures and their last digit


@pytest.mark.parametrize(
    ("text", "step"), [("82136.08", 0.01), ("82136.1", 0.1), ("900054", 1), ("1.07225e+06", 10), ("1.62967e-08", 1e-13), ("0", 1)]
)
def test_the_step_of_a_literal_is_its_last_digit(text: str, step: float) -> None:
    assert figure(text).step == pytest.approx(step)


def test_a_table_and_a_log_agree_to_the_coarser_rounding() -> None:
    assert figure("82136.08").agrees(published_figure(82136.1))
    assert figure("1072251.68").agrees(published_figure(1072250.0)), "six digits of LoadGen, written out"
    assert not figure("82136.08").agrees(published_figure(82136.3))
    assert not figure("1072251.68").agrees(published_figure(1072290.0))


@given(st.decimals(min_value="0.001", max_value="9999999", places=3), st.integers(0, 3))
def test_a_number_agrees_with_its_own_rounding(number: Any, places: int) -> None:
    assert figure(f"{number:f}").agrees(figure(f"{number:.{places}f}"))


@pytest.mark.parametrize("text", ["nan", "inf", "1e", "0x10", "1_000", "VALID", " 1"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape(text)):
        figure(text)


def test_a_result_summary_that_counts_no_failures_has_none() -> None:
    without = {key: value for key, value in ENDPOINTS.items() if key != "n_samples_failed"}
    m = read_result_summary("log", json.dumps(without).encode(), "Server")
    assert (m.valid, m.errors) == (None, 0)
