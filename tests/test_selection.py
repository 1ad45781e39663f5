"""Selections: a person's words find what they mean, and what finds nothing is answered with what there is."""

from __future__ import annotations

import pytest

import groundspeed
from groundspeed.audit import Audit, Filters
from groundspeed.audit.engine import pairs_of_rounds
from groundspeed.audit.selection import matches
from groundspeed.errors import SelectionError
from groundspeed.record import Record
from makers import result

HELD = ["v2.0", "v4.1", "v5.1", "v6.0", "v6.1"]

MI355X = result()
CAPPED = result(tags=["power-cap-1000w"])
H200_SXM, H200_NVL = result(accelerator="H200-SXM"), result(accelerator="H200-NVL")
MIXED = result(groups=[("MI300X", 8), ("MI355X", 8)])
XEON = result(accelerator=None, processor="Intel(R) Xeon(R) 6980P", model="llama3.1-8b")
LLAMA_99, LLAMA_999 = (result(model="llama2-70b", target=target) for target in ("99", "99.9"))


@pytest.fixture(scope="module")
def record() -> Record:
    return Record()


def audited(record: Record, **filters) -> Audit:
    return groundspeed.audit_record(record, **filters)


def refused(record: Record, **filters) -> str:
    """What is said when a selection finds nothing."""
    with pytest.raises(SelectionError) as error:
        groundspeed.audit_record(record, **filters)
    return str(error.value)


# ---------------------------------------------------------------- hardware


@pytest.mark.parametrize(
    "written",
    [
        "8x MI355X",
        "8xMI355X",
        "8 x mi355x",
        "mi355x",
        "MI355X",
        "AMD MI355X",
        "amd mi355x",
        "8x AMD MI355X",
        "AMD Instinct MI355X",
        "AMD Instinct MI355X 288GB HBM3e",
    ],
)
def test_every_spelling_of_the_mi355x_finds_it(written):
    assert matches(MI355X, Filters(hardware=[written]))


@pytest.mark.parametrize("written", ["MI350X", "16x MI355X", "NVIDIA MI355X", "MI355", "cpu", "8"])
def test_other_hardware_does_not(written):
    assert not matches(MI355X, Filters(hardware=[written]))


def test_hardware_without_a_count_finds_every_count():
    assert matches(result(count=72), Filters(hardware=["MI355X"]))


def test_hardware_with_a_count_finds_that_count_only():
    assert not matches(result(count=72), Filters(hardware=["8x MI355X"]))


@pytest.mark.parametrize("row", [H200_SXM, H200_NVL], ids=["SXM", "NVL"])
@pytest.mark.parametrize("written", ["H200", "h200", "8x H200", "NVIDIA H200"])
def test_a_family_finds_all_its_forms(written, row):
    assert matches(row, Filters(hardware=[written]))


def test_a_form_of_a_family_finds_no_other_form():
    assert not matches(H200_NVL, Filters(hardware=["H200-SXM"]))


@pytest.mark.parametrize("written", ["MI300X", "MI355X"])
def test_a_mixed_system_is_found_by_each_of_its_kinds(written):
    assert matches(MIXED, Filters(hardware=[written]))


@pytest.mark.parametrize("written", ["cpu", "CPU", "CPU-only", "cpu only", "none"])
def test_cpu_finds_systems_without_accelerators_and_no_others(written):
    assert matches(XEON, Filters(hardware=[written]))
    assert not matches(MI355X, Filters(hardware=[written]))


@pytest.mark.parametrize("written", ["Xeon 6980P", "xeon 6980p", "6980P", "Intel Xeon 6980P", "2x Xeon 6980P"])
def test_a_cpu_only_system_is_found_by_its_processor(written):
    assert matches(XEON, Filters(hardware=[written]))


@pytest.mark.parametrize("written", ["Xeon 6972P", "1x Xeon 6980P", "8x Xeon 6980P", "Xeon"])
def test_a_cpu_only_system_is_not_found_by_another_processor_or_count(written):
    assert not matches(XEON, Filters(hardware=[written]))


def test_a_vendor_finds_all_its_accelerators_and_no_others():
    assert matches(MI355X, Filters(hardware=["AMD"]))
    assert not matches(MI355X, Filters(hardware=["NVIDIA"]))


def test_a_system_with_accelerators_is_not_found_by_its_host_processor():
    assert not matches(result(processor="Intel Xeon 6980P"), Filters(hardware=["Xeon 6980P"]))


@pytest.mark.parametrize("row", [MI355X, CAPPED, MIXED, XEON], ids=lambda row: row.system.hardware)
def test_hardware_is_found_by_what_the_program_itself_calls_it(row):
    assert matches(row, Filters(hardware=[row.system.hardware]))


# ---------------------------------------------------------------- the other filters


@pytest.mark.parametrize("written", ["llama2-70b", "Llama2-70B", "llama2 70b"])
def test_a_model_without_a_target_finds_every_target(written):
    assert matches(LLAMA_99, Filters(model=[written]))
    assert matches(LLAMA_999, Filters(model=[written]))


def test_a_model_with_a_target_finds_that_target_only():
    assert matches(LLAMA_99, Filters(model=["llama2-70b-99"]))
    assert not matches(LLAMA_999, Filters(model=["llama2-70b-99"]))


def test_a_model_does_not_find_one_whose_name_it_begins():
    assert not matches(result(model="llama3.1-8b-edge"), Filters(model=["llama3.1-8b"]))


def test_an_open_variant_is_found_by_its_published_name():
    variant = result(model="llama3_1-405b_pruned", benchmark="llama3.1-405b", division="open")
    assert matches(variant, Filters(model=["llama3_1-405b_pruned"]))


@pytest.mark.parametrize("written", ["Server", "server", "SERVER"])
def test_a_scenario_is_found_in_any_case(written):
    assert matches(MI355X, Filters(scenario=[written]))


@pytest.mark.parametrize("written", ["SingleStream", "singlestream", "Single Stream", "single-stream"])
def test_a_scenario_of_two_words_is_found_however_they_are_joined(written):
    assert matches(result(scenario="SingleStream", model="resnet50"), Filters(scenario=[written]))


@pytest.mark.parametrize("written", ["AMD", "amd", " Amd "])
def test_a_submitter_is_found_in_any_case(written):
    assert matches(MI355X, Filters(submitter=[written]))


def test_a_submitter_does_not_find_one_whose_name_it_begins():
    assert not matches(result(submitter="Dell_AMD"), Filters(submitter=["Dell"]))


@pytest.mark.parametrize("written", ["closed", "Closed", "CLOSED "])
def test_a_division_is_found_in_any_case(written):
    assert matches(MI355X, Filters(division=[written]))


def test_without_filters_everything_is_found():
    assert matches(MI355X, Filters())


def test_several_values_of_one_filter_mean_any_of_them():
    assert matches(MI355X, Filters(hardware=["B300", "MI355X"]))


def test_several_filters_mean_all_of_them():
    assert not matches(MI355X, Filters(hardware=["MI355X"], submitter=["Dell"]))


# ---------------------------------------------------------------- what is said when nothing is found


def test_a_misspelt_accelerator_is_answered_with_the_nearest_first(record):
    assert "Did you mean MI355X or" in refused(record, hardware="MI356X")


def test_a_count_that_does_not_exist_is_answered_with_those_that_do(record):
    said = refused(record, hardware="7x MI355X")
    assert '"7x MI355X" has no result in v6.1' in said
    assert "8x MI355X" in said
    assert "72x MI355X" in said


def test_a_misspelt_model_is_answered_with_the_nearest_and_the_existing(record):
    said = refused(record, model="gpt-oss")
    assert "Did you mean gpt-oss-120b?" in said
    assert "deepseek-r1" in said


def test_a_misspelt_scenario_is_answered_with_all_that_exist(record):
    said = refused(record, scenario="Sever")
    assert said.endswith("Did you mean Server? There is Interactive, MultiStream, Offline, Server, SingleStream.")


def test_a_misspelt_submitter_is_answered_with_the_nearest(record):
    assert "Did you mean AMD or" in refused(record, submitter="AMDD")


def test_a_misspelt_division_is_answered_with_the_nearest(record):
    assert refused(record, division="close").endswith("Did you mean closed? There is closed, open.")


def test_what_is_near_nothing_gets_no_guess(record):
    said = refused(record, scenario="qqqq")
    assert "Did you mean" not in said
    assert "There is Interactive" in said


def test_filters_that_exclude_each_other_are_named_with_what_each_has(record):
    said = refused(record, hardware="8x MI355X", model="whisper")
    assert said.startswith('model "whisper" has result in v6.1, but none with the other filters.')
    assert "hardware: " in said
    assert "B300" in said


def test_results_without_a_pair_name_the_relaxation_that_would_give_one(record):
    said = refused(record, submitter="NVIDIA", hardware="B300", scenario="SingleStream", model="wan-2.2-t2v-a14b")
    assert "1 need definition-changed (see --allow)" in said


def test_results_without_any_older_one_are_said_to_have_none(record):
    said = refused(record, model="qwen3.6-27b")
    assert "none has an older result of the same workload on the same kind of hardware in v6.0 → v6.1" in said


# ---------------------------------------------------------------- rounds


def test_the_newest_two_rounds_are_compared_if_nothing_is_said():
    assert pairs_of_rounds(HELD, None) == [("v6.0", "v6.1")]


@pytest.mark.parametrize("written", ["all", "ALL"])
def test_all_means_every_two_consecutive_rounds_that_are_held(written):
    expected = [("v2.0", "v4.1"), ("v4.1", "v5.1"), ("v5.1", "v6.0"), ("v6.0", "v6.1")]
    assert pairs_of_rounds(HELD, written) == expected


@pytest.mark.parametrize(
    "written",
    ["v5.1,v6.1", "v5.1, v6.1", "5.1,6.1", "v6.1,v5.1", "v5.1 v6.1", "v5.1..v6.1", "V5.1,V6.1", ["v5.1", "v6.1"], ("6.1", "5.1")],
)
def test_two_rounds_are_compared_older_first_however_they_are_written(written):
    assert pairs_of_rounds(HELD, written) == [("v5.1", "v6.1")]


def test_a_round_that_is_not_held_is_answered_with_those_that_are():
    with pytest.raises(SelectionError, match=r'"v5.0" is not in the record.*It holds v2.0, v4.1, v5.1, v6.0, v6.1\.'):
        pairs_of_rounds(HELD, "v5.0,v6.1")


@pytest.mark.parametrize("written", ["v6.1", "v6.1,v6.1", "v5.1,v6.0,v6.1", ""])
def test_anything_but_two_different_rounds_is_refused(written):
    with pytest.raises(SelectionError, match="two different rounds are compared"):
        pairs_of_rounds(HELD, written)


@pytest.mark.parametrize("held", [[], ["v6.1"]])
def test_a_record_of_fewer_than_two_rounds_compares_nothing(held):
    with pytest.raises(SelectionError, match="a comparison needs two rounds"):
        pairs_of_rounds(held, None)


def test_filters_do_not_change_the_noise(record):
    whole = next(
        f for f in audited(record).findings if (f.submitter, f.accelerator, f.model) == ("AMD", "MI355X", "gpt-oss-120b")
    )
    alone = audited(record, submitter="AMD", hardware="MI355X", model="gpt-oss-120b").findings[0]
    assert alone == whole


def test_hardware_that_only_the_older_round_has_says_how_it_is_compared():
    with pytest.raises(SelectionError, match=r"v6\.0 has it: .* --allow count-differs compares those per accelerator"):
        groundspeed.audit_record(hardware="94x MI355X")


def test_too_many_rounds_are_counted_before_they_are_looked_up():
    with pytest.raises(SelectionError, match=r'two different rounds are compared.*found "a,b,c"'):
        groundspeed.audit_record(rounds="a,b,c")
