"""Gains by age, and the steps of one system over several rounds."""

from __future__ import annotations

import math

import pytest

import groundspeed
from groundspeed.audit import Audit, Chain
from groundspeed.audit.ages import AgeGroup, first_appearances
from groundspeed.audit.engine import run_ages, run_audit
from groundspeed.record import Record
from groundspeed.record.model import Result
from makers import result

STACKS = {"v4.0": "ROCm 6.0.0", "v4.1": "ROCm 6.1.0", "v5.1": "ROCm 6.4.1", "v6.0": "ROCm 7.0.0", "v6.1": "ROCm 7.2.2"}


def series(values: dict[str, float], **overrides) -> list[Result]:
    """One system's results over the rounds."""
    return [result(**{"round": round_, "value": v, "stack": STACKS[round_], **overrides}) for round_, v in values.items()]


def ages(*rows: list[Result], **keywords) -> list[AgeGroup]:
    return run_ages([r for row in rows for r in row], **keywords).groups


def chain(*rows: list[Result]) -> Chain:
    (found,) = run_audit([r for row in rows for r in row], "all").chains
    return found


@pytest.fixture(scope="module")
def record() -> Record:
    return Record()


@pytest.fixture(scope="module")
def all_rounds(record) -> Audit:
    return groundspeed.audit_record(record, rounds="all")


# A workload that fills the rounds before, so that a first appearance can be seen to be one.
BEFORE = series(
    {"v5.1": 1.0, "v6.0": 1.1, "v6.1": 1.2}, model="resnet50", scenario="Offline", accelerator="B300", division="open"
)


# ---------------------------------------------------------------- ages


def test_the_first_time_a_workload_is_measured_again_is_age_1():
    (group,) = ages(series({"v6.0": 100.0, "v6.1": 130.0}), BEFORE)
    assert (group.age, group.at_least, group.pairs) == (1, False, 1)
    assert group.median_percent == pytest.approx(30.0)


def test_the_second_time_is_age_2():
    groups = ages(series({"v5.1": 100.0, "v6.0": 130.0, "v6.1": 140.0}))
    assert [(g.age, g.median_percent) for g in groups] == [(1, pytest.approx(30.0)), (2, pytest.approx(100 * (140 / 130 - 1)))]


def test_the_age_counts_from_anybodys_first_result():
    early = series({"v5.1": 90.0}, submitter="Dell")
    (group,) = ages(early, series({"v6.0": 100.0, "v6.1": 130.0}))
    assert group.age == 2


def test_the_age_is_of_the_workload_on_that_accelerator():
    elsewhere = series({"v5.1": 90.0}, accelerator="B300")
    (group,) = ages(elsewhere, series({"v6.0": 100.0, "v6.1": 130.0}))
    assert group.age == 1


def test_a_missing_round_counts_as_a_round():
    rows = series({"v4.1": 100.0, "v5.1": 130.0}, model="llama2-70b", target="99.9")
    (group,) = ages(rows, series({"v4.0": 1.0}, model="resnet50", scenario="Offline"))
    assert (group.age, group.spans_missing_round) == (2, 1)


def test_a_first_appearance_in_the_first_round_held_may_not_be_the_first():
    (group,) = ages(series({"v6.0": 100.0, "v6.1": 130.0}))
    assert group.at_least


def test_a_first_appearance_after_a_missing_round_may_not_be_the_first():
    first, *_ = ages(series({"v5.1": 100.0, "v6.0": 130.0}), series({"v4.1": 1.0}, model="resnet50", scenario="Offline"))
    assert first.at_least


def test_only_the_closed_division_counts_if_nothing_is_said():
    with_open = ages(series({"v6.0": 100.0, "v6.1": 130.0}), series({"v6.0": 10.0, "v6.1": 90.0}, division="open"), BEFORE)
    assert [g.pairs for g in with_open] == [1]


def test_quartiles_need_four_pairs():
    rows = [series({"v6.0": 100.0, "v6.1": 100.0 + n}, submitter=f"S{n}") for n in (1, 2, 3)]
    (group,) = ages(*rows, BEFORE)
    assert (group.lower_quartile_percent, group.upper_quartile_percent) == (None, None)


def test_with_four_pairs_there_are_quartiles_around_the_median():
    rows = [series({"v6.0": 100.0, "v6.1": 100.0 + n}, submitter=f"S{n}") for n in (1, 2, 3, 4)]
    (group,) = ages(*rows, BEFORE)
    assert (group.lower_quartile_percent, group.median_percent, group.upper_quartile_percent) == pytest.approx((1.75, 2.5, 3.25))


def test_the_first_appearance_of_a_cpu_only_workload_is_its_processors():
    row = result(accelerator=None, processor="Intel Xeon 6980P", model="llama3.1-8b", round="v5.1")
    assert first_appearances([row]) == {("Xeon 6980P", "llama3.1-8b", "Server"): "v5.1"}


@pytest.fixture(scope="module")
def aged(record):
    return groundspeed.gains_by_age(record)


def test_every_closed_pair_of_the_suites_models_has_one_age(aged):
    assert sum(g.pairs for g in aged.groups) == len(aged.audit.findings)
    assert {f.division for f in aged.audit.findings} == {"closed"}


def test_frontier_workloads_gain_more_than_mature_ones(aged):
    known = {g.age: g.median_percent for g in aged.groups if not g.at_least}
    assert known[1] > 3
    assert all(known[age] < 1 for age in (2, 3, 4))


def test_ages_that_span_v5_0_say_so(aged):
    assert sum(g.spans_missing_round for g in aged.groups) == sum(
        (f.older.round, f.newer.round) == ("v4.1", "v5.1") for f in aged.audit.findings
    )
    assert sum(g.spans_missing_round for g in aged.groups) > 0


def test_gpt_oss_on_mi355x_has_age_1_in_v6_1(record):
    (group,) = groundspeed.gains_by_age(record, filters=groundspeed.Filters(hardware=["MI355X"], model=["gpt-oss-120b"])).groups
    assert (group.age, group.at_least, group.signals) == (1, False, group.pairs)


# ---------------------------------------------------------------- chains


def test_a_chain_links_the_rounds_of_one_system():
    found = chain(series({"v5.1": 100.0, "v6.0": 120.0, "v6.1": 150.0}))
    assert (found.rounds, found.values) == (["v5.1", "v6.0", "v6.1"], [100.0, 120.0, 150.0])


def test_software_steps_are_multiplied():
    found = chain(series({"v5.1": 100.0, "v6.0": 120.0, "v6.1": 150.0}))
    assert (found.steps, found.software_steps) == (["software", "software"], 2)
    assert found.software == pytest.approx(1.5)


def test_a_step_that_is_not_software_is_in_the_first_to_last_ratio_only():
    rows = [*series({"v5.1": 100.0, "v6.0": 120.0}), *series({"v6.1": 150.0}, stack=STACKS["v6.0"])]
    found = chain(rows)
    assert found.steps == ["software", "unexplained"]
    assert (found.software, found.software_steps, found.first_to_last) == (pytest.approx(1.2), 1, pytest.approx(1.5))


def test_without_a_software_step_there_is_no_software_product():
    found = chain(series({"v5.1": 100.0, "v6.0": 120.0, "v6.1": 150.0}, stack="TODO"))
    assert (found.steps, found.software, found.software_steps) == (["unknown", "unknown"], None, 0)


def test_two_results_make_no_chain():
    assert run_audit(series({"v6.0": 120.0, "v6.1": 150.0}), "all").chains == []


def test_a_carried_forward_value_is_no_step_and_breaks_the_chain():
    assert run_audit(series({"v5.1": 100.0, "v6.0": 100.0, "v6.1": 150.0}), "all").chains == []


def test_latencies_are_chained_by_their_speedups():
    latency = {"model": "resnet50", "scenario": "SingleStream"}
    found = chain(series({"v5.1": 4.0, "v6.0": 2.0, "v6.1": 1.0}, **latency))
    assert found.first_to_last == pytest.approx(4.0)


def test_another_submitters_results_are_another_chain():
    rows = series({"v5.1": 100.0, "v6.0": 120.0, "v6.1": 150.0})
    found = run_audit([*rows, *series({"v5.1": 90.0, "v6.0": 91.0, "v6.1": 92.0}, submitter="Dell")], "all").chains
    assert sorted(c.submitter for c in found) == ["AMD", "Dell"]


def test_a_series_that_divides_between_two_servers_is_two_chains():
    label = {"system": "8xMI355X_2xEPYC_9575F"}
    servers = [("Supermicro AS-4126GS-NMR-LCC", 150.0), ("Dell PowerEdge XE9785L", 160.0)]
    divided = [r for name, v in servers for r in series({"v6.1": v}, system=name, platform=name)]
    found = run_audit([*series({"v5.1": 100.0, "v6.0": 120.0}, **label), *divided], "all")
    assert len(found.findings) == 3
    assert sorted(c.values for c in found.chains) == [[100.0, 120.0, 150.0], [100.0, 120.0, 160.0]]


def test_the_chain_of_llama_on_mi355x_counts_only_its_software_step(all_rounds):
    (found,) = (
        c
        for c in all_rounds.chains
        if (c.submitter, c.hardware, c.model, c.scenario) == ("AMD", "8x MI355X", "llama2-70b-99.9", "Offline")
    )
    assert (found.rounds, found.values) == (["v5.1", "v6.0", "v6.1"], [93045.8, 103480.0, 106517.0])
    assert found.steps == ["mixed", "software"]
    assert found.software == pytest.approx(106517.0 / 103480.0)
    assert found.first_to_last == pytest.approx(106517.0 / 93045.8)


def test_every_chain_is_the_product_of_its_findings(all_rounds):
    speedups = {(f.older.value, f.newer.value, f.submitter, f.hardware, f.model, f.scenario): f for f in all_rounds.findings}
    assert len(all_rounds.chains) > 100
    for c in all_rounds.chains:
        links = [
            speedups[a, b, c.submitter, c.hardware, c.model, c.scenario] for a, b in zip(c.values, c.values[1:], strict=False)
        ]
        assert c.first_to_last == pytest.approx(math.prod(f.speedup for f in links))
        assert c.steps == [f.step for f in links]
        software = [f.speedup for f in links if f.step == "software"]
        assert (c.software, c.software_steps) == (pytest.approx(math.prod(software)) if software else None, len(software))
