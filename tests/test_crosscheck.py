"""Crosscheck: every fact on which a published table and the logs beneath it disagree, with both values and both paths."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import groundspeed
from groundspeed.audit.crosscheck import KINDS, Crosscheck, crosscheck
from groundspeed.record.model import Result
from makers import final_report_row, write_json_list
from programs import run
from trees import ENDPOINTS, PLATFORM, SCENARIO, SUMMARY, detail_log, put, small_tree

ROW: dict[str, Any] = {
    "Submitter": "AMD", "Category": "closed", "Availability": "available", "Suite": "datacenter", "System": "AMD Custom MI355X",
    "Platform": PLATFORM, "UsedModel": "gpt-oss-120b", "Model": "gpt-oss-120b", "Scenario": "Server", "version": "v6.0",
    "Location": f"{SCENARIO}/performance/run_1", "Performance_Result": 82136.1, "Performance_Units": "Tokens/s", "inferred": 0,
    "Accelerator": "AMD Instinct MI355X 288GB HBM3e", "Nodes": "1", "a#": "8", "Total Accelerators": 8,
    "Processor": "AMD EPYC 9575F", "host_processors_per_node": "2", "Accuracy": "exact_match: 83.396", "weight_data_types": "fp4",
    "Software": "vLLM 0.14.0, ROCm 7.2.0",
}  # fmt: skip


def table(folder: Path, *changed: dict[str, Any]) -> list[Result]:
    rows = [final_report_row(**{**ROW, **change}) for change in changed]
    return groundspeed.read_table(write_json_list(folder / "table.json", rows)).results


def checked(tmp_path: Path, tree: Path, **changed: Any) -> Crosscheck:
    return crosscheck(groundspeed.read_runs(tree).runs, table(tmp_path, changed))


def kinds(found: Crosscheck) -> list[str]:
    return [d.kind for d in found.differences]


def test_a_table_that_says_what_the_log_says(tmp_path: Path) -> None:
    found = checked(tmp_path, small_tree(tmp_path))
    assert (found.differences, found.runs, found.by_path, found.agreeing) == ([], 1, 1, 1)


def test_a_value_that_no_log_gives(tmp_path: Path) -> None:
    found = checked(tmp_path, small_tree(tmp_path), Performance_Result=90000.0)
    (d,) = found.differences
    assert (d.kind, d.table, d.log) == ("value", "90,000 tokens/s", "82,136.1 tokens/s")
    assert d.relative == pytest.approx(90000 / 82136.1 - 1)
    assert d.table_path == f"{SCENARIO}/performance/run_1"
    assert d.log_path == f"{SCENARIO}/performance/run_1/mlperf_log_detail.txt"


def test_the_wrong_unit(tmp_path: Path) -> None:
    (d,) = checked(tmp_path, small_tree(tmp_path), Performance_Units="Queries/s").differences
    assert (d.kind, d.table, d.log) == ("unit", "82,136.1 queries/s", "82,136.1 tokens/s = 59.8589 queries/s")


def test_another_figure_of_the_log(tmp_path: Path) -> None:
    (d,) = checked(tmp_path, small_tree(tmp_path), Performance_Result=61.2931).differences
    assert d.kind == "statistic"
    assert "scheduled samples" in d.detail


def test_the_endpoints_client_s_legacy_window(tmp_path: Path) -> None:
    tree = small_tree(tmp_path, "v6.1")
    for log in (tree / SCENARIO / "performance/run_1").iterdir():
        log.unlink()
    put(tree, f"{SCENARIO}/performance/result_summary.json", json.dumps(ENDPOINTS))
    found = checked(tmp_path, tree, version="v6.1", Performance_Result=652750.1447708113, Accuracy="83.396")
    (d,) = found.differences
    assert (d.kind, d.log) == ("statistic", "615,391.2 tokens/s")
    assert d.relative == pytest.approx(0.0607, abs=1e-4)
    assert "legacy window" in d.detail


def test_a_run_that_the_log_calls_invalid(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    put(
        tree,
        f"{SCENARIO}/performance/run_1/mlperf_log_detail.txt",
        detail_log(result_validity="INVALID", early_stopping_met=False),
    )
    (d,) = checked(tmp_path, tree).differences
    assert (d.kind, d.log, d.detail) == ("invalid", "INVALID", "not met: early-stopping")


def test_an_accuracy_below_its_target(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"{SCENARIO}/accuracy/accuracy.txt", "'exact_match': 80.0")
    (d,) = checked(tmp_path, tree).differences
    assert (d.kind, d.log, d.detail) == ("accuracy-below-target", "exact_match 80", "the target is at least 82.2987")


def test_an_accuracy_that_differs(tmp_path: Path) -> None:
    (d,) = checked(tmp_path, small_tree(tmp_path), Accuracy="exact_match: 84.5").differences
    assert (d.kind, d.table, d.log) == ("accuracy-differs", "exact_match 84.5", "exact_match 83.396")


def test_an_accelerator_count_that_did_not_take_part(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    (d,) = checked(tmp_path, tree, **{"Total Accelerators": 16}).differences
    assert (d.kind, d.table, d.log) == ("accelerator-count", "16 accelerators", "8 took part")


def test_a_description_of_other_hardware(tmp_path: Path) -> None:
    (d,) = checked(tmp_path, small_tree(tmp_path), Accelerator="AMD Instinct MI350X 288GB HBM3e").differences
    assert (d.kind, d.table, d.log) == ("hardware", "8x MI350X", "8x MI355X")


def test_an_inferred_flag_on_a_measurement(tmp_path: Path) -> None:
    (d,) = checked(tmp_path, small_tree(tmp_path), inferred=1).differences
    assert (d.kind, d.table, d.log) == ("inferred", "inferred = 1", "the log is a measurement of its own")


@pytest.mark.parametrize(
    ("scenario", "flag", "listed"), [("Server", 0, []), ("Interactive", 0, []), ("Interactive", 1, ["inferred"])]
)
def test_an_interactive_run_has_a_log_that_says_server(tmp_path: Path, scenario: str, flag: int, listed: list[str]) -> None:
    tree = small_tree(tmp_path)
    if scenario != "Server":
        (tree / SCENARIO).rename((tree / SCENARIO).with_name(scenario))
    path = SCENARIO.replace("Server", scenario)
    assert kinds(checked(tmp_path, tree, Scenario=scenario, Location=f"{path}/performance/run_1", inferred=flag)) == listed


@pytest.mark.parametrize(("flag", "listed"), [(0, True), (1, False)])
def test_a_log_of_another_scenario_is_inferred_whatever_the_flag(tmp_path: Path, flag: int, listed: bool) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"{SCENARIO}/performance/run_1/mlperf_log_detail.txt", detail_log(effective_scenario="SingleStream"))
    found = [d for d in checked(tmp_path, tree, inferred=flag).differences if d.kind == "inferred"]
    assert [d.log for d in found] == (["the log is a SingleStream run's"] if listed else [])


def test_a_log_without_the_figure_that_the_table_prints(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"{SCENARIO}/performance/run_1/mlperf_log_detail.txt", detail_log(result_completed_tokens_per_second=None))
    (d,) = checked(tmp_path, tree).differences
    assert (d.kind, d.log, d.relative) == ("no-figure", "", None)


def test_a_run_that_the_table_lists_twice(tmp_path: Path) -> None:
    rows = table(tmp_path, {}) + table(tmp_path, {})
    found = crosscheck(groundspeed.read_runs(small_tree(tmp_path)).runs, rows)
    assert kinds(found) == ["duplicate-row"]


def test_only_the_kinds_that_are_asked_for(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    row = final_report_row(**{**ROW, "Performance_Result": 90000.0, "inferred": 1})
    written = write_json_list(tmp_path / "table.json", [row])
    assert kinds(groundspeed.crosscheck(tree, written)) == ["value", "inferred"]
    assert kinds(groundspeed.crosscheck(tree, written, kinds=["inferred"])) == ["inferred"]


def test_a_run_that_the_table_does_not_list(tmp_path: Path) -> None:
    found = crosscheck(groundspeed.read_runs(small_tree(tmp_path)).runs, [])
    (d,) = found.differences
    assert (d.kind, d.table, d.table_path, d.result) == ("missing-row", "", "", "")


def test_a_row_whose_log_is_not_in_the_tree(tmp_path: Path) -> None:
    other = SCENARIO.replace("Server", "Offline")
    rows = table(tmp_path, {}, {"Scenario": "Offline", "Location": f"{other}/performance/run_1"})
    (d,) = crosscheck(groundspeed.read_runs(small_tree(tmp_path)).runs, rows).differences
    assert (d.kind, d.log, d.log_path, d.table_path) == ("missing-log", "", "", f"{other}/performance/run_1")


def test_rows_of_other_systems_are_nobody_s_missing_log(tmp_path: Path) -> None:
    rows = table(tmp_path, {}, {"Platform": "other", "Location": SCENARIO.replace(PLATFORM, "other")})
    assert not crosscheck(groundspeed.read_runs(small_tree(tmp_path)).runs, rows).differences


def test_a_folder_and_a_row_that_name_the_model_differently(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    moved = tree / f"closed/AMD/results/{PLATFORM}/resnet/Offline"
    put(
        moved,
        "performance/run_1/mlperf_log_summary.txt",
        SUMMARY.replace("Scenario : Server", "Scenario : Offline").replace(
            "Completed samples per second    : 59.86", "Samples per second: 59.86"
        ),
    )
    row = {
        "UsedModel": "resnet50", "Model": "resnet50", "Scenario": "Offline", "Performance_Result": 59.86, "Performance_Units": "Samples/s",
        "Location": f"closed/AMD/results/{PLATFORM}/resnet50/Offline/performance/run_1", "Accuracy": "acc: 76.1",
    }  # fmt: skip
    found = crosscheck(groundspeed.read_runs(tree).runs, table(tmp_path, {}, row))
    assert (found.by_path, found.by_alias, found.agreeing, found.differences) == (1, 1, 2, [])


def test_a_log_that_stands_in_two_directories(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    put(tree, f"{SCENARIO.replace('gpt-oss-120b', 'deepseek-r1')}/performance/run_1/mlperf_log_detail.txt", detail_log())
    found = crosscheck(groundspeed.read_runs(tree).runs, table(tmp_path, {}))
    assert "copied-log" in kinds(found)


def test_worst_first() -> None:
    assert list(KINDS)[:3] == ["value", "unit", "statistic"]


# ---------------------------------------------------------------- the published trees


@pytest.fixture(scope="module")
def trees(shared_data: Path) -> Path:
    return shared_data / "mlperf" / "trees"


@pytest.fixture(scope="module")
def published(trees: Path) -> Crosscheck:
    return groundspeed.crosscheck(trees)


def test_every_run_has_its_row_and_agrees_but_two(published: Crosscheck) -> None:
    assert (published.runs, published.by_path + published.by_alias, published.agreeing) == (552, 552, 550)
    assert published.counts["value"] == published.counts["missing-row"] == published.counts["accuracy-differs"] == 0


def test_the_two_are_vera_rubin_s_legacy_windows(published: Crosscheck) -> None:
    found = [d for d in published.differences if d.kind == "statistic"]
    assert [(d.what.split()[-1], d.table, d.log) for d in found] == [
        ("Server", "1,175,890.2 tokens/s", "981,183 tokens/s"),
        ("Interactive", "652,750.1 tokens/s", "615,391.2 tokens/s"),
    ]
    assert [round(100 * (d.relative or 0), 1) for d in found] == [19.8, 6.1]


def test_the_units_that_are_wrong_in_v5_1_and_v6_0(published: Crosscheck) -> None:
    units = [d for d in published.differences if d.kind == "unit"]
    assert {(d.round, d.what.split()[-2], d.what.split()[-1]) for d in units if d.round != "v4.1"} == {
        ("v5.1", "whisper", "Offline"), ("v5.1", "llama3.1-8b", "Interactive"), ("v6.0", "whisper", "Offline"),
    }  # fmt: skip


def test_the_counts_that_are_wrong_in_v6_0(published: Crosscheck) -> None:
    counts = {(d.table, d.log) for d in published.differences if d.kind == "accelerator-count"}
    assert counts == {("88 accelerators", "87 took part"), ("96 accelerators", "94 took part")}


def test_flags_that_the_logs_do_not_bear_out(published: Crosscheck) -> None:
    flags = [d for d in published.differences if d.kind == "inferred" and d.round == "v6.0"]
    assert flags
    assert all(d.table == "inferred = 1" for d in flags)


def test_the_table_s_own_file(trees: Path, shared_data: Path) -> None:
    found = groundspeed.crosscheck(trees / "v6.0", shared_data / "mlperf" / "v6.0_summary_results.json")
    assert (found.runs, found.agreeing) == (254, 254)


# ---------------------------------------------------------------- the command line


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    write_json_list(tmp_path / "table.json", [final_report_row(**{**ROW, "Performance_Result": 90000.0})])
    return small_tree(tmp_path)


def test_the_three_formats_tell_the_same(tree: Path, tmp_path: Path) -> None:
    text = run("crosscheck", str(tree), str(tmp_path / "table.json")).stdout
    whole = json.loads(run("crosscheck", str(tree), str(tmp_path / "table.json"), "--json").stdout)
    (line,) = csv.DictReader(io.StringIO(run("crosscheck", str(tree), str(tmp_path / "table.json"), "--csv").stdout))
    assert "90,000 tokens/s" in text
    assert "+9.57 %" in text
    assert whole["differences"][0]["kind"] == line["kind"] == "value"
    assert float(line["relative"]) == pytest.approx(whole["differences"][0]["relative"])


def test_runs_are_shown(tree: Path) -> None:
    text = run("runs", str(tree)).stdout
    for figure in ("82,136.1", "1,347.4 ms", "72.6 ms", "61.2", "VALID", "fp4"):
        assert figure in text
    (found,) = json.loads(run("runs", str(tree), "--json").stdout)["runs"]
    assert found["measured"]["rates"]["completed tokens"] == 82136.1
    (line,) = csv.DictReader(io.StringIO(run("runs", str(tree), "--csv").stdout))
    assert line["ttft_p99_ns"] == "1347438897.0"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["crosscheck", "nowhere"], "no such file or directory"),
        (["crosscheck", "{tree}", "nowhere.json"], "no such file"),
        (["crosscheck", "{tree}", "--kind", "x"], "the kinds are value"),
        (["runs", "{tree}", "--model", "x"], "the tree holds gpt-oss-120b"),
    ],
)
def test_what_is_wrong_is_said(tree: Path, arguments: list[str], said: str) -> None:
    done = run(*(a.format(tree=tree) for a in arguments), status=1)
    assert said in done.stderr
    assert "Traceback" not in done.stderr
