"""Result trees: every scenario's directory becomes a run or a problem that says why not, and the rest is still read."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundspeed
from groundspeed.errors import SourceError
from groundspeed.record.metrics import definition as metrics_of
from groundspeed.record.run_figures import defined
from groundspeed.record.runs import figure, published_figure, run_folder
from groundspeed.sources._places import directory
from groundspeed.sources.mlperf.trees import TreeReading, read_place, results_of
from groundspeed.sources.mlperf.trees.accuracy import metrics
from groundspeed.sources.mlperf.trees.endpoints import read_result_summary, read_scores
from groundspeed.sources.mlperf.trees.loadgen import read_detail, read_summary
from trees import DETAIL, ENDPOINTS, PLATFORM, SCENARIO, SUMMARY, SYSTEM, detail_log, put, small_tree

RUN = f"{SCENARIO}/performance/run_1"


def only_run(tree: Path) -> Any:
    reading = groundspeed.read_runs(tree)
    assert not reading.problems
    (run,) = reading.runs
    return run


# ---------------------------------------------------------------- what a log says


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


# ---------------------------------------------------------------- the tree


def test_a_run_with_everything(tmp_path: Path) -> None:
    run = only_run(small_tree(tmp_path))
    assert (run.round, run.division, run.submitter, run.model, run.scenario) == (
        "v6.0",
        "closed",
        "AMD",
        "gpt-oss-120b",
        "Server",
    )
    assert (run.system.hardware, run.availability, run.precision) == ("8x MI355X", "available", "fp4")
    assert run.accuracy == "exact_match: 83.396"
    assert run.measured.evidence == "detail"
    assert run.stack == "vLLM 0.14.0, ROCm 7.2.0"


def test_only_the_directory_says_interactive(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (tree / SCENARIO).rename((tree / SCENARIO).with_name("Interactive"))
    run = only_run(tree)
    assert (run.scenario, run.measured.scenario) == ("Interactive", "Server")


@pytest.mark.parametrize("written", ["server", "SERVER", "Server"])
def test_scenarios_in_any_case(tmp_path: Path, written: str) -> None:
    tree = small_tree(tmp_path)
    (tree / SCENARIO).rename((tree / SCENARIO).with_name("moved"))
    (tree / SCENARIO).with_name("moved").rename((tree / SCENARIO).with_name(written))
    assert only_run(tree).scenario == "Server"


def test_measurements_in_a_tree_of_their_own(tmp_path: Path) -> None:
    tree = small_tree(tmp_path, "v5.1")
    (tree / SCENARIO / "measurements.json").unlink()
    put(tree, f"closed/AMD/measurements/{PLATFORM}/gpt-oss-120b/Server/{PLATFORM}.json", '{"weight_data_types": "fp8"}')
    assert only_run(tree).precision == "fp8"


def test_the_client_s_summary_has_no_run_1(tmp_path: Path) -> None:
    tree = small_tree(tmp_path, "v6.1")
    for log in (tree / RUN).iterdir():
        log.unlink()
    put(tree, f"{SCENARIO}/performance/result_summary.json", json.dumps(ENDPOINTS))
    run = only_run(tree)
    assert (run.measured.harness, run.measured.evidence) == ("endpoints", "endpoints")


def test_compliance_ranging_and_accuracy_runs_are_no_performance(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (tree / RUN / "mlperf_log_detail.txt").unlink()
    put(tree, f"{SCENARIO}/TEST06/performance/run_1/mlperf_log_summary.txt", SUMMARY.replace("82136.08", "1.0"))
    put(tree, f"{SCENARIO}/performance/ranging/mlperf_log_summary.txt", SUMMARY.replace("82136.08", "2.0"))
    put(tree, f"{SCENARIO}/accuracy/mlperf_log_summary.txt", SUMMARY.replace("PerformanceOnly", "AccuracyOnly"))
    put(tree, "closed/AMD/compliance/x/gpt-oss-120b/Server/performance/run_1/mlperf_log_summary.txt", SUMMARY)
    assert only_run(tree).measured.rates["completed tokens"].value == 82136.08


def test_an_accuracy_log_in_a_performance_folder_is_said(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"{RUN}/mlperf_log_detail.txt", detail_log(effective_test_mode="AccuracyOnly"))
    reading = groundspeed.read_runs(tree)
    assert (reading.runs, [p.kind for p in reading.problems]) == ([], ["other-mode"])


@pytest.mark.parametrize("inner", ["", "closed", "closed/AMD"])
def test_any_folder_of_the_tree_can_be_given(tmp_path: Path, inner: str) -> None:
    run = only_run(small_tree(tmp_path) / inner)
    assert (run.round, run.path) == ("v6.0", SCENARIO)


def test_a_tree_whose_folders_do_not_name_the_round(tmp_path: Path) -> None:
    tree = small_tree(tmp_path).rename(tmp_path / "mine")
    with pytest.raises(SourceError, match="--round"):
        groundspeed.read_runs(tree)
    assert groundspeed.read_runs(tree, "v6.0").runs[0].round == "v6.0"


def test_the_round_of_a_repository_s_name(tmp_path: Path) -> None:
    tree = small_tree(tmp_path).rename(tmp_path / "inference_results_v5.1")
    assert only_run(tree).round == "v5.1"


@pytest.mark.parametrize("what", ["nothing", "file", "empty"])
def test_what_is_no_tree(tmp_path: Path, what: str) -> None:
    place = tmp_path / "v6.0"
    if what == "file":
        place.write_text("x")
    if what == "empty":
        place.mkdir()
    with pytest.raises(SourceError, match="expected"):
        groundspeed.read_runs(place)


# ---------------------------------------------------------------- damaged trees


FILES = {
    "system": f"closed/AMD/systems/{PLATFORM}.json",
    "detail": f"{RUN}/mlperf_log_detail.txt",
    "accuracy": f"{SCENARIO}/accuracy/accuracy.txt",
    "measurements": f"{SCENARIO}/measurements.json",
}


def damaged(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "missing":
        path.unlink()
    else:
        path.write_bytes(
            {
                "empty": b"",
                "truncated": data[: len(data) // 2],
                "nul": b"\0" * len(data),
                "nul inside": data[:20] + b"\0\0" + data[20:],
                "binary": bytes(range(256)) * 4,
                "swapped": SUMMARY.encode() if path.suffix == ".json" else json.dumps(SYSTEM).encode(),
                "list": b"[1, 2]",
            }[how]
        )


def with_sound_neighbour(tmp_path: Path) -> Path:
    tree = small_tree(tmp_path)
    put(tree, "closed/Dell/systems/other.json", json.dumps(SYSTEM))
    put(tree, "closed/Dell/results/other/gpt-oss-120b/Offline/performance/run_1/mlperf_log_summary.txt", SUMMARY)
    return tree


@pytest.mark.parametrize("how", ["missing", "empty", "truncated", "nul", "binary", "swapped", "list", "nul inside"])
@pytest.mark.parametrize("which", list(FILES))
def test_a_damaged_file_is_said_and_the_rest_is_read(tmp_path: Path, which: str, how: str) -> None:
    tree = with_sound_neighbour(tmp_path)
    damaged(tree / FILES[which], how)
    reading = groundspeed.read_runs(tree)
    assert [run.submitter for run in reading.runs] == ["AMD", "Dell"]
    run = reading.runs[0]
    for problem in reading.problems:
        assert problem.path == FILES[which]
        assert len(problem.detail.splitlines()) == 1
    says_nothing = which == "accuracy" or (which in {"detail", "measurements"} and how == "missing")
    if not says_nothing:
        assert reading.problems
    if which == "detail":
        assert run.measured.evidence == "summary", "the text summary stands in"
        assert round(run.measured.rates["completed tokens"].value, 1) == 82136.1
    if which == "system":
        assert (run.system, run.stack) == (None, "")
    if which == "measurements":
        assert run.precision == ""


@pytest.mark.parametrize("how", ["empty", "truncated", "nul", "binary", "swapped", "missing"])
def test_a_run_without_any_log_is_a_problem_and_not_a_run(tmp_path: Path, how: str) -> None:
    tree = with_sound_neighbour(tmp_path)
    damaged(tree / FILES["detail"], how)
    damaged(tree / RUN / "mlperf_log_summary.txt", how)
    reading = groundspeed.read_runs(tree)
    assert [run.submitter for run in reading.runs] == ["Dell"]
    assert {p.kind for p in reading.problems} <= {"damaged-log", "no-log", "missing-file"}
    assert any(SCENARIO in p.path for p in reading.problems)


@pytest.mark.parametrize("cut", range(10, len(SUMMARY) - 200, 37))
def test_a_summary_that_is_cut_anywhere_never_gives_half_a_number(cut: int) -> None:
    try:
        m = read_summary("log", SUMMARY[:cut].encode())
    except SourceError:
        return
    assert m.rates["completed tokens"].value == 82136.08


# Keys that are read, with what cannot stand there; in a name, a version or a mode any text can.
READ = [k for k in DETAIL if k not in {"requested_scenario", "result_token_throughput", "generated_query_count"}]
TEXTS = {"loadgen_version", "effective_scenario", "effective_test_mode"}
WRONG = [(key, wrong) for key in READ for wrong in ("many", [1], {"a": 1}) if not (key in TEXTS and isinstance(wrong, str))]


@pytest.mark.parametrize(("key", "wrong"), WRONG)
def test_a_wrong_type_in_each_field_names_line_and_key(key: str, wrong: Any) -> None:
    with pytest.raises(SourceError, match=rf"line \d+, key {key}: found .*; expected") as caught:
        read_detail("the log", detail_log(**{key: wrong}))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "field", ["n_samples_issued", "n_samples_completed", "duration_ns", "latency", "complete", "output_sequence_lengths"]
)
def test_a_wrong_type_in_a_result_summary_names_the_key(field: str) -> None:
    with pytest.raises(SourceError, match=f"key {field}"):
        read_result_summary("the log", json.dumps({**ENDPOINTS, field: "many"}).encode(), "Server")


@pytest.mark.parametrize("value", [0, -1])
def test_a_window_of_no_length(value: int) -> None:
    with pytest.raises(SourceError, match="duration_ns"):
        read_result_summary("the log", json.dumps({**ENDPOINTS, "duration_ns": value}).encode(), "Server")


def test_an_oversized_file_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundspeed.sources.mlperf.trees.reading.MAX_FILE_BYTES", len(detail_log()) - 1)
    reading = groundspeed.read_runs(small_tree(tmp_path))
    assert reading.runs[0].measured.evidence == "summary"
    assert "at most" in reading.problems[0].detail


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400))
def test_bytes_are_a_log_or_one_error(data: bytes) -> None:
    for read in (read_detail, read_summary, lambda name, d: read_result_summary(name, d, "Server"), read_scores):
        with suppress(SourceError):  # and no other error
            read("log", data)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, len(detail_log()) - 1), st.binary(max_size=12))
def test_a_log_with_bytes_written_over_is_a_log_or_one_error(at: int, junk: bytes) -> None:
    data = detail_log()
    try:
        m = read_detail("log", data[:at] + junk + data[at + len(junk) :])
    except SourceError:
        return
    assert m.scenario


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from([k for k in DETAIL if k.startswith("result_") and type(DETAIL[k]) in (int, float)]),
        st.floats(min_value=1e-3, max_value=1e12, allow_nan=False),
    )
)
def test_what_is_written_is_what_is_read(values: dict[str, float]) -> None:
    m = read_detail("log", detail_log(**{**values, "result_query_count": 5}))
    if "result_completed_tokens_per_second" in values:
        assert m.rates["completed tokens"].value == values["result_completed_tokens_per_second"]


# ---------------------------------------------------------------- the published trees


@pytest.fixture(scope="module")
def published(shared_data: Path) -> TreeReading:
    return read_place(directory(shared_data / "mlperf" / "trees"))


def test_every_run_of_the_published_trees_is_read(published: TreeReading) -> None:
    loadgen = [r for r in published.runs if r.measured.harness == "loadgen"]
    assert (len(loadgen), len(published.runs), published.problems) == (549, 552, [])
    assert sum(r.measured.evidence == "detail" for r in published.runs) == 48
    assert all(r.system and r.accuracy and r.measured.valid is not False for r in published.runs)
    assert {r.round for r in published.runs if r.precision} == {"v6.0", "v6.1"}


def test_amd_s_gpt_oss_server_run_of_v6_0(published: TreeReading) -> None:
    (run,) = [
        r for r in published.runs
        if (r.round, r.submitter, r.model, r.scenario) == ("v6.0", "AMD", "gpt-oss-120b", "Server") and r.system and r.system.count == 8
    ]  # fmt: skip
    m = run.measured
    assert (m.rates["completed tokens"].value, m.target_rate, m.valid) == (82136.1, 61.2, True)
    assert m.ttft
    assert m.tpot
    assert round(m.ttft.percentiles_ns[99.0] / 1e6, 1) == 1347.4
    assert round(m.tpot.percentiles_ns[99.0] / 1e6, 1) == 72.6


def test_the_counts_that_took_part(published: TreeReading) -> None:
    counts = {r.system.count for r in published.runs if r.system and (r.round, r.submitter) == ("v6.0", "AMD")}
    assert {87, 94} <= counts
    assert not {88, 96} & counts


def test_every_definition_finds_its_figure(published: TreeReading) -> None:
    from groundspeed.audit.crosscheck import match

    for found in match(published.runs, groundspeed.Record().results({r.round for r in published.runs})).matched:
        for row in found.rows:
            assert defined(found.run.measured, row.metric) is not None, found.run.path


def test_results_of_the_logs_are_the_table_s_in_everything_that_decides_a_comparison(published: TreeReading) -> None:
    results, rejected = results_of(published.runs, "trees")
    assert (len(results), rejected) == (552, [])
    rows = {
        (r.provenance.round, run_folder(r.provenance.path)): r
        for r in groundspeed.Record().results({r.round for r in published.runs})
    }
    for found in results:
        row = rows[found.provenance.round, run_folder(found.provenance.path)]
        assert (found.workload, found.metric, found.stack) == (row.workload, row.metric, row.stack)
        assert found.system.hardware_key == row.system.hardware_key
        assert (found.provenance.submitter, found.provenance.availability) == (
            row.provenance.submitter,
            row.provenance.availability,
        )


@pytest.mark.parametrize("change", [{"status": "soon"}, None])
def test_a_run_whose_system_is_not_described_is_no_result(tmp_path: Path, change: dict[str, str] | None) -> None:
    tree = small_tree(tmp_path)
    description = tree / FILES["system"]
    description.write_text("" if change is None else json.dumps({**SYSTEM, **change}))
    results, rejected = results_of(groundspeed.read_runs(tree).runs, "mine")
    assert not results
    assert "description of the system" in rejected[0].reason


def test_a_system_without_nodes_is_one_node(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (tree / FILES["system"]).write_text(json.dumps({**SYSTEM, "number_of_nodes": ""}))
    assert only_run(tree).system.count == 8


def test_the_result_of_a_run(tmp_path: Path) -> None:
    ((result,), rejected) = results_of(groundspeed.read_runs(small_tree(tmp_path)).runs, "mine")
    assert not rejected
    assert (result.value, result.metric.unit, result.published_unit) == (82136.1, "tokens/s", "")
    (accuracy,) = result.quality.accuracy
    assert (accuracy.metric, accuracy.value, accuracy.below, result.quality.gated) == ("exact_match", 83.396, False, True)
    p = result.provenance
    assert (p.source, p.tier, p.inferred, p.published_inferred) == ("mine", 1, False, False)
    assert [note.code for note in result.notes] == ["read-from-logs"]


def test_an_open_result_is_of_tier_2_and_judged_by_no_target(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (tree / "closed").rename(tree / "open")
    ((result,), _) = results_of(groundspeed.read_runs(tree).runs, "mine")
    assert (result.provenance.tier, result.quality.gated, result.quality.accuracy[0].below) == (2, False, None)


@pytest.mark.parametrize(("value", "reason"), [(0, "is not a measurement"), (None, "does not hold the metric")])
def test_a_run_without_its_figure_is_no_result(tmp_path: Path, value: Any, reason: str) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"{RUN}/mlperf_log_detail.txt", detail_log(result_completed_tokens_per_second=value))
    results, rejected = results_of(groundspeed.read_runs(tree).runs, "mine")
    assert not results
    assert reason in rejected[0].reason


def test_a_slow_run_is_a_result(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"{RUN}/mlperf_log_detail.txt", detail_log(result_completed_tokens_per_second=0.0625))
    ((result,), _) = results_of(groundspeed.read_runs(tree).runs, "mine")
    assert result.value == 0.0625


def test_a_run_that_is_not_valid_is_no_result(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"{RUN}/mlperf_log_detail.txt", detail_log(result_validity="INVALID"))
    results, rejected = results_of(groundspeed.read_runs(tree).runs, "mine")
    assert not results
    assert "not valid" in rejected[0].reason


@pytest.mark.parametrize("field", [name for name in SYSTEM if name not in {"division", "submitter"}])
def test_a_wrong_type_in_each_field_of_a_description_names_it(tmp_path: Path, field: str) -> None:
    tree = small_tree(tmp_path)
    (tree / FILES["system"]).write_text(json.dumps({**SYSTEM, field: {"a": 1}}))
    reading = groundspeed.read_runs(tree)
    (problem,) = reading.problems
    assert (problem.kind, problem.path) == ("damaged-file", FILES["system"])
    assert f"field {field}" in problem.detail
    assert reading.runs[0].system is None


@pytest.mark.parametrize("field", ["number_of_nodes", "accelerators_per_node", "host_processors_per_node"])
@pytest.mark.parametrize("value", ["many", -1, 1.5])
def test_a_count_that_is_none_names_its_field(tmp_path: Path, field: str, value: Any) -> None:
    tree = small_tree(tmp_path)
    (tree / FILES["system"]).write_text(json.dumps({**SYSTEM, field: value}))
    (problem,) = groundspeed.read_runs(tree).problems
    assert f"field {field}" in problem.detail


def test_weight_types_that_are_no_text(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (tree / FILES["measurements"]).write_text('{"weight_data_types": 8}')
    (problem,) = groundspeed.read_runs(tree).problems
    assert "field weight_data_types" in problem.detail


@pytest.mark.parametrize("kind", ["zip", "tgz"])
def test_a_tree_in_an_archive_is_the_same_tree(tmp_path: Path, kind: str) -> None:
    tree = small_tree(tmp_path)
    packed = shutil.make_archive(str(tmp_path / "packed"), {"zip": "zip", "tgz": "gztar"}[kind], tmp_path, "v6.0")
    assert [r.measured for r in groundspeed.read_runs(packed).runs] == [r.measured for r in groundspeed.read_runs(tree).runs]
