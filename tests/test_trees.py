"""Result trees: every scenario's directory becomes a run or a problem that says why not, and the rest is still read."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import groundspeed
from groundspeed.errors import SourceError
from groundspeed.sources.mlperf.trees.endpoints import read_result_summary, read_scores
from groundspeed.sources.mlperf.trees.loadgen import read_detail, read_summary
from trees import DETAIL, ENDPOINTS, FILES, PLATFORM, RUN, SCENARIO, SUMMARY, SYSTEM, detail_log, only_run, put, small_tree


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


def test_what_stands_below_a_description_is_none(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"closed/AMD/systems/{PLATFORM}/notes.json", "[]")
    put(tree, f"closed/AMD/systems/{PLATFORM}_power.yaml", "nameplate: 10 kW")
    assert only_run(tree).system.count == 8
