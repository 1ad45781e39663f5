"""The published tables are read as what they are: nothing is lost, known errors of the tables are not believed."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from groundspeed.record.model import AcceleratorGroup, Power, Result
from groundspeed.sources.mlperf import Reading, read_table
from makers import (
    Row,
    checker_row,
    final_report_row,
    history_row,
    power_row,
    write_csv,
    write_json_lines,
    write_json_list,
    write_json_object,
)

Table = Callable[[str], Reading]

WRITERS: dict[str, Callable[[Path, list[Row]], Path]] = {
    "list": write_json_list,
    "object": write_json_object,
    "lines": write_json_lines,
    "gzip lines": lambda path, rows: write_json_lines(path, rows, gz=True),
    "csv": write_csv,
}


def of(reading: Reading, **wanted: object) -> list[Result]:
    """Results of a reading by model, scenario, submitter, round, accelerator, count, division, suite or used path part."""

    def value(r: Result, name: str) -> object:
        match name:
            case "model":
                return r.workload.benchmark
            case "scenario":
                return r.workload.scenario
            case "target":
                return r.workload.accuracy_target
            case "accelerator" | "count" | "suite":
                return getattr(r.system, name)
            case _:
                return getattr(r.provenance, name)

    return [r for r in reading.results if all(value(r, k) == v for k, v in wanted.items())]


def codes(r: Result) -> set[str]:
    return {note.code for note in r.notes}


def detail(r: Result, code: str) -> str:
    return next(note.detail for note in r.notes if note.code == code)


def units(results: list[Result]) -> set[tuple[str, str]]:
    return {(r.published_unit, r.metric.unit) for r in results}


def small(tmp_path: Path, *rows: Row) -> Reading:
    return read_table(write_json_lines(tmp_path / "history.jsonl", rows))


# ---------------------------------------------------------------- every row is accounted for


@pytest.mark.parametrize(
    ("name", "rows", "results", "merged"),
    [
        ("v5.1", 1448, 1448, 0),
        ("v6.0", 520, 520, 0),
        ("v6.1", 492, 492, 0),
        ("v6.1-head", 12, 12, 0),
        ("history", 30328, 29246, 1082),
    ],
)
def test_rows_in_are_results_and_merged_and_rejected(table: Table, name: str, rows: int, results: int, merged: int) -> None:
    reading = table(name)
    assert (reading.rows, len(reading.results), reading.merged, reading.rejected) == (rows, results, merged, [])
    assert reading.adds_up


@pytest.mark.parametrize("name", ["v5.1", "v6.0", "v6.1", "v6.1-head", "history"])
def test_every_published_string_is_known(table: Table, name: str) -> None:
    assert table(name).unknown == []


@pytest.mark.parametrize("name", ["v5.1", "v6.0", "v6.1", "history"])
def test_no_two_results_of_a_table_share_an_id(table: Table, name: str) -> None:
    ids = Counter(r.id for r in table(name).results)
    assert [i for i, n in ids.items() if n > 1] == []


def test_the_history_holds_the_rounds_v2_0_to_v4_1(table: Table) -> None:
    counted = Counter(r.provenance.round for r in table("history").results)
    assert sorted(counted) == ["v2.0", "v2.1", "v3.0", "v3.1", "v4.0", "v4.1"]


def test_the_json_head_of_v6_1_equals_the_first_rows_of_the_csv(table: Table) -> None:
    head, whole = table("v6.1-head").results, table("v6.1").results[:12]
    assert [r.id for r in head] == [r.id for r in whole]
    for a, b in zip(head, whole, strict=True):
        assert (a.value, a.workload, a.system, a.stack, a.metric, a.quality, a.notes) == (
            b.value, b.workload, b.system, b.stack, b.metric, b.quality, b.notes,
        )  # fmt: skip


def test_the_csv_of_v6_1_has_as_many_data_rows_as_the_reading(table: Table, shared_data: Path) -> None:
    with (shared_data / "mlperf" / "v6.1_summary.csv").open(newline="") as stream:
        assert len(list(csv.DictReader(stream))) == table("v6.1").rows


# ---------------------------------------------------------------- units


@pytest.mark.parametrize(("name", "rows"), [("v5.1", 34), ("v6.0", 35), ("v6.1", 23)])
def test_whisper_in_the_closed_datacenter_is_tokens_whatever_the_table_says(table: Table, name: str, rows: int) -> None:
    found = of(table(name), model="whisper", division="closed", suite="datacenter")
    assert len(found) == rows
    assert units(found) == {("samples/s", "tokens/s")}
    assert all("unit-differs" in codes(r) for r in found)


@pytest.mark.parametrize(("name", "rows"), [("v5.1", 37), ("v6.0", 37), ("v6.1", 25)])
def test_whisper_on_the_edge_is_tokens_as_well(table: Table, name: str, rows: int) -> None:
    found = of(table(name), model="whisper")
    assert len(found) == rows
    assert units(found) == {("samples/s", "tokens/s")}


def test_whisper_of_nvidias_8x_b200_in_v5_1_is_45333_tokens_a_second(table: Table) -> None:
    found = of(table("v5.1"), model="whisper", submitter="NVIDIA", accelerator="B200", count=8)
    assert [(round(r.value, 1), r.metric.unit) for r in found] == [(45333.4, "tokens/s")]


def test_llama3_1_8b_interactive_of_v5_1_is_tokens_not_queries(table: Table) -> None:
    found = of(table("v5.1"), model="llama3.1-8b", scenario="Interactive")
    assert len(found) == 8
    assert units(found) == {("queries/s", "tokens/s")}
    assert all("unit-differs" in codes(r) for r in found)


def test_llama3_1_8b_interactive_of_v6_0_is_published_as_tokens(table: Table) -> None:
    found = of(table("v6.0"), model="llama3.1-8b", scenario="Interactive")
    assert found
    assert units(found) == {("tokens/s", "tokens/s")}


def test_llama2_offline_of_v4_0_is_tokens(table: Table) -> None:
    found = of(table("history"), round="v4.0", model="llama2-70b", scenario="Offline")
    assert len(found) == 29
    assert units(found) == {("samples/s", "tokens/s")}


def test_llama2_server_of_v4_0_really_is_queries(table: Table) -> None:
    found = of(table("history"), round="v4.0", model="llama2-70b", scenario="Server")
    assert len(found) == 24
    assert units(found) == {("queries/s", "queries/s")}
    assert not any("unit-differs" in codes(r) for r in found)


@pytest.mark.parametrize("model", ["gptj", "mixtral-8x7b", "llama2-70b"])
@pytest.mark.parametrize(("scenario", "published"), [("Offline", "samples/s"), ("Server", "queries/s")])
def test_language_models_of_v4_1_are_tokens(table: Table, model: str, scenario: str, published: str) -> None:
    found = of(table("history"), round="v4.1", model=model, scenario=scenario)
    assert found
    assert units(found) == {(published, "tokens/s")}


def test_gptj_of_v4_0_is_samples(table: Table) -> None:
    assert units(of(table("history"), round="v4.0", model="gptj", scenario="Offline")) == {("samples/s", "samples/s")}


def test_wan_single_stream_is_seconds(table: Table) -> None:
    found = of(table("v6.1"), model="wan-2.2-t2v-a14b", scenario="SingleStream")
    assert found
    assert {r.metric.unit for r in found} == {"s"}


# ---------------------------------------------------------------- inferred


@pytest.mark.parametrize(("name", "flagged", "believed"), [("v5.1", 536, 536), ("v6.0", 102, 2), ("v6.1", 125, 0)])
def test_how_many_inferred_flags_are_believed(table: Table, name: str, flagged: int, believed: int) -> None:
    results = table(name).results
    assert sum(r.provenance.published_inferred for r in results) == flagged
    assert sum(r.provenance.inferred for r in results) == believed


def test_the_two_inferred_results_of_v6_0_are_lenovos_se100(table: Table) -> None:
    found = [r for r in table("v6.0").results if r.provenance.inferred]
    assert {(r.provenance.submitter, r.system.product, r.workload.model, r.workload.scenario) for r in found} == {
        ("Lenovo", "se100", "resnet50", "MultiStream"),
        ("Lenovo", "se100", "resnet50", "Offline"),
    }


def test_no_interactive_result_of_v6_0_is_inferred(table: Table) -> None:
    found = of(table("v6.0"), scenario="Interactive")
    assert sum(r.provenance.published_inferred for r in found) == 53
    assert not any(r.provenance.inferred for r in found)


def test_a_flag_that_is_not_believed_leaves_a_note(table: Table) -> None:
    for r in table("v6.0").results + table("v6.1").results:
        disbelieved = r.provenance.published_inferred and not r.provenance.inferred
        assert ("inferred-not-believed" in codes(r)) == disbelieved


EDGE = {"Model": "resnet50", "MlperfModel": "resnet", "SystemType": "edge", "Accuracy": "acc: 76.0"}


def inferred(tmp_path: Path, *rows: Row) -> list[str]:
    """Scenarios of the rows that are believed to be inferred."""
    results = read_table(write_csv(tmp_path / "table.csv", rows)).results
    assert len(results) == len(rows)
    return [r.workload.scenario for r in results if r.provenance.inferred]


@pytest.mark.parametrize(
    ("measured", "flagged", "believed"),
    [
        ("SingleStream", "MultiStream", True),
        ("SingleStream", "Offline", True),
        ("MultiStream", "Offline", True),
        ("SingleStream", "Server", False),
        ("Offline", "SingleStream", False),
        ("Server", "Offline", False),
        ("Server", "Interactive", False),
    ],
)
def test_what_may_be_inferred_from_what(tmp_path: Path, measured: str, flagged: str, believed: bool) -> None:
    rows = checker_row(**EDGE, Scenario=measured), checker_row(**EDGE, Scenario=flagged, inferred=1)
    assert inferred(tmp_path, *rows) == [flagged] * believed


def test_nothing_is_inferred_from_a_measurement_of_another_system(tmp_path: Path) -> None:
    rows = checker_row(**EDGE, Scenario="SingleStream", Platform="other"), checker_row(**EDGE, Scenario="Offline", inferred=1)
    assert inferred(tmp_path, *rows) == []


def test_nothing_is_inferred_from_what_is_itself_flagged(tmp_path: Path) -> None:
    rows = (checker_row(**EDGE, Scenario=s, inferred=1) for s in ("SingleStream", "Offline"))
    assert inferred(tmp_path, *rows) == []


def test_nothing_is_inferred_in_the_datacenter(tmp_path: Path) -> None:
    datacenter = {**EDGE, "SystemType": "datacenter"}
    rows = checker_row(**datacenter, Scenario="SingleStream"), checker_row(**datacenter, Scenario="Offline", inferred=1)
    assert inferred(tmp_path, *rows) == []


def test_the_endpoints_client_infers_nothing(tmp_path: Path) -> None:
    client = {**EDGE, "Accuracy": 76.0}
    rows = checker_row(**client, Scenario="SingleStream"), checker_row(**client, Scenario="Offline", inferred=1)
    assert inferred(tmp_path, *rows) == []


# ---------------------------------------------------------------- the Endpoints client


def test_v6_1_has_78_rows_of_the_endpoints_client(table: Table, shared_data: Path) -> None:
    found = [r for r in table("v6.1").results if r.metric.harness == "endpoints"]
    by_text = [r for r in found if "LoadGen++" in r.stack.raw]
    assert (len(found), len(by_text)) == (78, 2)
    with (shared_data / "mlperf" / "v6.1_summary.csv").open(newline="") as stream:
        bare = [row for row in csv.DictReader(stream) if row["Accuracy"].replace(".", "", 1).isdigit()]
    assert len(bare) == 76


@pytest.mark.parametrize("name", ["history", "v5.1", "v6.0"])
def test_before_v6_1_everything_was_measured_with_loadgen(table: Table, name: str) -> None:
    assert {r.metric.harness for r in table(name).results} == {"loadgen"}


def test_single_stream_of_the_endpoints_client_is_a_mean_and_another_definition(table: Table) -> None:
    found = of(table("v6.1"), scenario="SingleStream")
    of_client = {r.metric.definition for r in found if r.metric.harness == "endpoints"}
    of_loadgen = {r.metric.definition for r in found if r.metric.harness == "loadgen"}
    assert {r.metric.statistic for r in found if r.metric.harness == "endpoints"} == {"mean"}
    assert sum(r.metric.harness == "endpoints" for r in found) == 15
    assert not of_client & of_loadgen


def test_two_wan_results_of_the_endpoints_client_are_below_target_and_not_gated(table: Table) -> None:
    below = [r for r in of(table("v6.1"), model="wan-2.2-t2v-a14b") if r.quality.below_target]
    listed = {(r.provenance.submitter, r.system.hardware, r.workload.scenario): r.quality.accuracy[0].value for r in below}
    assert listed == {
        ("Oracle", "72x GB300 (nvl72)", "Offline"): pytest.approx(69.488, abs=5e-4),
        ("Dell", "72x GB300 (nvl72)", "SingleStream"): pytest.approx(69.710, abs=5e-4),
    }
    assert not any(r.quality.gated for r in below)


# ---------------------------------------------------------------- what hardware took part


@pytest.mark.parametrize(("count", "published", "model", "rows"), [(87, 88, "llama2-70b", 6), (94, 96, "gpt-oss-120b", 2)])
def test_amds_clusters_count_what_took_part_not_nodes_times_eight(
    table: Table, count: int, published: int, model: str, rows: int
) -> None:
    found = of(table("v6.0"), submitter="AMD", accelerator="MI355X", count=count)
    assert len(found) == rows
    assert {r.workload.benchmark for r in found} == {model}
    assert {r.system.published_count for r in found} == {published}
    assert all("count-disagrees" in codes(r) for r in found)
    assert all(str(count) in detail(r, "count-disagrees") and str(published) in detail(r, "count-disagrees") for r in found)


@pytest.mark.parametrize("name", ["v6.0", "v6.1"])
def test_nvidias_288_gb300_are_288_although_the_name_says_72(table: Table, name: str) -> None:
    found = of(table(name), submitter="NVIDIA", accelerator="GB300", count=288)
    assert {(r.workload.model, r.workload.scenario) for r in found} == {("deepseek-r1", "Offline"), ("deepseek-r1", "Server")}
    assert all("72" in detail(r, "label-disagrees") for r in found)


@pytest.mark.parametrize(
    ("name", "submitter", "groups", "rows"),
    [
        ("v6.0", "Dell_MangoBoost", (("MI300X", 8), ("MI325X", 8), ("MI355X", 8)), 4),
        ("v6.1", "Dell_MangoBoost", (("MI300X", 16), ("MI355X", 16)), 2),
        ("v6.1", "Cisco", (("H200-SXM", 8), ("MI350X", 8)), 8),
    ],
)
def test_a_heterogeneous_system_has_a_group_for_each_kind(
    table: Table, name: str, submitter: str, groups: tuple[tuple[str, int], ...], rows: int
) -> None:
    wanted = tuple(AcceleratorGroup(*group) for group in groups)
    found = [r for r in of(table(name), submitter=submitter) if r.system.accelerators == wanted]
    assert len(found) == rows
    assert {r.system.count for r in found} == {sum(n for _, n in groups)}


def test_alibabas_mixed_nodes_of_v2_1_are_16_a100_and_16_a30(table: Table) -> None:
    found = of(table("history"), round="v2.1", submitter="Alibaba", accelerator="A100-SXM-80GB + A30", count=32)
    assert len(found) == 2
    assert {r.system.hardware for r in found} == {"16x A100-SXM-80GB + 16x A30"}


def test_a_cpu_only_system_has_no_accelerator_and_no_count(table: Table) -> None:
    found = [r for r in table("v6.1").results if not r.system.accelerators]
    assert len(found) == 33
    assert {(r.system.accelerator, r.system.count) for r in found} == {(None, None)}
    assert all("cpu-only" in r.system.tags for r in found)


def test_a_power_cap_in_the_accelerator_is_a_tag_and_not_part_of_its_name(table: Table) -> None:
    found = [r for r in table("v6.0").results if "power-cap-1000w" in r.system.tags]
    assert {(r.provenance.submitter, r.system.hardware) for r in found} == {("Dell_MangoBoost", "8x MI355X (power-cap-1000w)")}
    assert len(found) == 4


def test_dells_gb10_ran_on_its_cpu_in_v6_0_and_not_in_v6_1(table: Table) -> None:
    older, newer = (of(table(name), submitter="Dell", accelerator="GB10") for name in ("v6.0", "v6.1"))
    assert [len(older), len(newer)] == [6, 6]
    assert {"cpu-only" in r.system.tags for r in older} == {True}
    assert {"cpu-only" in r.system.tags for r in newer} == {False}


def test_an_accelerator_without_a_count_is_kept_with_an_unknown_one(tmp_path: Path) -> None:
    reading = small(tmp_path, history_row(accelerators_per_node="N/A"))
    assert reading.results[0].system.accelerators == (AcceleratorGroup("H100-SXM", None),)
    assert "count-unknown" in codes(reading.results[0])


# ---------------------------------------------------------------- the container does not matter


@pytest.mark.parametrize("container", WRITERS)
@pytest.mark.parametrize("make", [final_report_row, checker_row, history_row])
def test_the_same_rows_give_the_same_results_in_every_container(tmp_path: Path, make: Callable[..., Row], container: str) -> None:
    version = make()["version"]
    capped = "AMD Instinct MI355X 288GB HBM3e (Power Cap 1000 W)"
    column = "Accelerator" if make is final_report_row else "accelerator_model_name"
    rows = [make(Scenario="Server"), make(Scenario="Offline"), make(Platform="capped", **{column: capped})]
    path = tmp_path / "table"
    expected = read_table(write_json_list(path, rows)).results
    got = read_table(WRITERS[container](path, rows)).results
    assert len(got) == 3
    assert {r.provenance.round for r in got} == {version}
    assert got == expected


@pytest.mark.parametrize("container", WRITERS)
def test_a_whole_number_is_a_count_however_it_is_written(tmp_path: Path, container: str) -> None:
    path = WRITERS[container](tmp_path / "table", [checker_row(number_of_nodes=2.0, accelerators_per_node="8")])
    assert read_table(path).results[0].system.count == 16


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "table.csv", [checker_row(), checker_row(Scenario="Offline")])
    expected = read_table(path).results
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_table(path).results == expected


def test_a_line_separator_inside_a_csv_field_does_not_end_the_row(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "table.csv", [checker_row(notes="first\u2028second"), checker_row(Scenario="Offline")])
    path.write_text(path.read_text().replace('"first\u2028second"', "first\u2028second"))
    assert len(read_table(path).results) == 2


# ---------------------------------------------------------------- power


def test_the_power_rows_of_the_history_stand_beside_1015_results(table: Table) -> None:
    found = [r for r in table("history").results if r.quality.power and r.provenance.round in {"v4.0", "v4.1"}]
    assert len(found) == 1015
    assert all(r.quality.power_run for r in found)


def test_power_of_streams_is_energy_a_query_and_of_throughputs_watts(table: Table) -> None:
    found = {(r.workload.scenario, r.quality.power.unit) for r in table("history").results if r.quality.power}
    assert found == {("Offline", "W"), ("Server", "W"), ("SingleStream", "mJ/query"), ("MultiStream", "mJ/query")}


def test_a_power_row_is_merged_into_the_result_of_the_same_run(tmp_path: Path) -> None:
    reading = small(tmp_path, power_row(4220.5), history_row(has_power=True))
    assert (reading.rows, len(reading.results), reading.merged, reading.rejected) == (2, 1, 1, [])
    assert reading.results[0].quality.power == Power(4220.5, "W")
    assert reading.results[0].value == 704235.0


def test_energy_of_a_stream_is_merged_in_millijoules(tmp_path: Path) -> None:
    stream = {"Scenario": "SingleStream", "Units": "Latency (ms)", "Result": 0.4}
    reading = small(tmp_path, history_row(**stream), power_row(653.25, Scenario="SingleStream", Units="millijoules"))
    assert reading.results[0].quality.power == Power(653.25, "mJ/query")


def test_a_power_row_goes_to_its_own_run_and_to_no_other(tmp_path: Path) -> None:
    reading = small(tmp_path, history_row(), history_row(Scenario="Server"), power_row(5610.9, Scenario="Server"))
    assert [r.quality.power for r in reading.results] == [None, Power(5610.9, "W")]


def test_equal_power_rows_are_merged_without_a_note(tmp_path: Path) -> None:
    reading = small(tmp_path, history_row(), power_row(4220.5), power_row(4220.5))
    assert (reading.merged, reading.results[0].quality.power) == (2, Power(4220.5, "W"))
    assert codes(reading.results[0]) == set()


def test_power_rows_that_disagree_leave_a_note_with_the_second_value(tmp_path: Path) -> None:
    reading = small(tmp_path, history_row(), power_row(4220.5), power_row(5000.25))
    assert reading.results[0].quality.power == Power(4220.5, "W")
    assert "5000.25 W" in detail(reading.results[0], "power-disagrees")


def test_power_without_a_result_of_the_same_run_is_rejected_by_name(tmp_path: Path) -> None:
    reading = small(tmp_path, history_row(), power_row(4220.5, Platform="elsewhere"))
    assert (len(reading.results), reading.merged, reading.results[0].quality.power) == (1, 0, None)
    (rejected,) = reading.rejected
    assert rejected.place == "line 2"
    assert rejected.row == "v4.0 closed NVIDIA elsewhere resnet50 Offline"
    assert "power" in rejected.reason


@pytest.mark.parametrize("value", [None, 0, -1.5])
def test_a_power_row_without_power_is_rejected(tmp_path: Path, value: float | None) -> None:
    reading = small(tmp_path, history_row(), power_row(value))
    assert (reading.merged, [r.place for r in reading.rejected]) == (0, ["line 2"])
    assert reading.results[0].quality.power is None


@pytest.mark.parametrize("value", [None, 0])
def test_power_is_not_merged_into_a_row_that_is_itself_rejected(tmp_path: Path, value: float | None) -> None:
    reading = small(tmp_path, history_row(Result=value), power_row(4220.5))
    assert (reading.results, reading.merged) == ([], 0)
    assert {r.place for r in reading.rejected} == {"line 1", "line 2"}


# ---------------------------------------------------------------- rows that are no results


@pytest.mark.parametrize(("value", "said"), [(None, "no result value"), (0, "0"), (-3.5, "-3.5")])
def test_a_row_without_a_usable_value_is_rejected_by_name(tmp_path: Path, value: float | None, said: str) -> None:
    reading = small(tmp_path, history_row(), history_row(Scenario="Server", Result=value))
    assert len(reading.results) == 1
    (rejected,) = reading.rejected
    assert (rejected.place, rejected.row) == ("line 2", "v4.0 closed NVIDIA DGX-H100_H100-SXM-80GBx8_TRT resnet50 Server")
    assert said in rejected.reason
    assert reading.adds_up


@pytest.mark.parametrize("value", ["inf", "-inf", "nan"])
def test_a_value_that_is_no_number_of_anything_is_rejected(tmp_path: Path, value: str) -> None:
    path = write_csv(tmp_path / "table.csv", [checker_row(Result=value)])
    reading = read_table(path)
    assert (reading.results, len(reading.rejected), reading.adds_up) == ([], 1, True)


def test_the_same_run_twice_counts_once_and_says_where_the_first_is(tmp_path: Path) -> None:
    reading = small(tmp_path, history_row(), history_row(Scenario="Server"), history_row(Result=1.0))
    assert [r.value for r in reading.results] == [704235.0, 704235.0]
    (rejected,) = reading.rejected
    assert rejected.place == "line 3"
    assert "line 1" in rejected.reason


def test_two_scenarios_of_one_path_are_two_runs(tmp_path: Path) -> None:
    path = "closed/NVIDIA/results/DGX/resnet50"
    reading = small(tmp_path, history_row(Location=path), history_row(Location=path, Scenario="Server"))
    assert (len(reading.results), reading.rejected) == (2, [])


def test_a_row_of_an_unknown_accelerator_is_kept_under_its_own_name(tmp_path: Path) -> None:
    reading = read_table(write_json_list(tmp_path / "t.json", [final_report_row(Accelerator="Acme Warp 9")]))
    assert reading.results[0].system.accelerators == (AcceleratorGroup("Acme Warp 9", 8),)
    assert [(u.kind, u.text, u.rows) for u in reading.unknown] == [("accelerator", "Acme Warp 9", 1)]


def test_a_round_that_the_calendar_does_not_hold_is_kept_and_named(tmp_path: Path) -> None:
    reading = read_table(write_json_list(tmp_path / "t.json", [final_report_row(version="v9.0")]))
    assert [(u.kind, u.text) for u in reading.unknown] == [("round", "v9.0")]
    assert "definition-assumed" in codes(reading.results[0])
