"""From the runs of a tree to results, and the published trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import groundspeed
from groundspeed.record.run_figures import defined
from groundspeed.record.runs import run_folder
from groundspeed.sources._places import directory
from groundspeed.sources.mlperf.trees import TreeReading, read_place, results_of
from trees import FILES, RUN, SYSTEM, detail_log, only_run, put, small_tree


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
