"""Spread: partners against a reference submitter on the same hardware and workload."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.audit.selection import Filters
from groundspeed.audit.spread import deviation, deviations, run_spread
from groundspeed.errors import SelectionError
from groundspeed.record import Record
from groundspeed.record.model import AccuracyValue, Precision
from makers import result

# Wide enough for any two results of one thing; a ratio of 1e12 would only test the arithmetic of floats.
POSITIVE = st.floats(min_value=1e-2, max_value=1e4)


@pytest.fixture(scope="module")
def v61():
    return Record().results(["v6.1"])


def partner(submitter="Dell", value=100_000.0, **given):
    """A partner's row beside AMD's own, on a system of its own."""
    return result(**{"submitter": submitter, "value": value, "platform": f"{submitter}_{value}", **given})


AMD = result(value=110_000.0)


class TestThePublishedFigures:
    def test_the_partners_of_8x_mi355x_are_within_six_percent_of_amd_in_v61(self, v61):
        (system,) = run_spread(v61, filters=Filters(hardware=("8x MI355X",))).systems
        summary = system.summary
        assert (system.reference, summary.rows, summary.partners) == ("AMD", 33, 6)
        assert round(summary.mean_absolute_percent, 1) == 2.7
        assert round(summary.best_percent, 1) == 1.6
        assert round(summary.worst_percent, 1) == -5.4
        assert round(summary.mean_percent, 1) == -2.5

    def test_there_are_six_partners_at_eight_and_eight_at_any_count(self, v61):
        (system,) = run_spread(v61, filters=Filters(hardware=("8x MI355X",))).systems
        assert system.partners == ["Dell", "Dell_MangoBoost", "HPE", "MiTAC", "Oracle", "Supermicro"]
        assert system.partners_at_any_count == [
            "Crusoe", "Dell", "Dell_MangoBoost", "HPE", "MangoBoost", "MiTAC", "Oracle", "Supermicro",
        ]  # fmt: skip

    def test_the_33_rows_are_two_systems_of_one_partner_and_one_of_each_other(self, v61):
        (system,) = run_spread(v61, filters=Filters(hardware=("8x MI355X",))).systems
        rows = {f"{w.model} {w.scenario}": [d.partner.submitter for d in w.rows] for w in system.workloads}
        assert {name: len(partners) for name, partners in rows.items()} == {
            "gpt-oss-120b Offline": 7,
            "gpt-oss-120b Server": 7,
            "llama2-70b-99.9 Interactive": 5,
            "llama2-70b-99.9 Offline": 5,
            "llama2-70b-99.9 Server": 5,
            "wan-2.2-t2v-a14b Offline": 2,
            "wan-2.2-t2v-a14b SingleStream": 2,
        }
        assert rows["gpt-oss-120b Offline"].count("Dell_MangoBoost") == 2

    def test_rows_without_a_row_of_amd_are_counted_and_not_compared(self, v61):
        # 14 rows of llama3.1-8b, and two of gpt-oss-120b Interactive: AMD submitted neither on 8x MI355X.
        assert run_spread(v61, filters=Filters(hardware=("8x MI355X",))).no_counterpart == 16

    def test_another_precision_is_said_beside_the_row_and_the_row_stays(self, v61):
        (system,) = run_spread(v61, filters=Filters(hardware=("8x MI355X",))).systems
        mango = [d for w in system.workloads for d in w.rows if d.partner.submitter == "Dell_MangoBoost"]
        assert {d.partner.precision for d in mango} == {"fp8"}
        assert all("precision-differs" in d.caveats for d in mango)


class TestWhatIsCompared:
    def test_a_throughput_is_partner_over_reference(self):
        assert deviation(partner(value=99_000.0), AMD) == pytest.approx(-0.10)

    def test_a_lower_latency_is_a_positive_deviation(self):
        wan = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}
        found = run_spread([result(value=16.0, **wan), partner(value=12.8, **wan)])
        assert found.overall.mean_percent == pytest.approx(25.0)

    @pytest.mark.parametrize(
        "other",
        [
            {"count": 16},
            {"tags": ("power-cap-1000w",)},
            {"accelerator": "MI350X"},
            {"scenario": "Offline"},
            {"model": "llama2-70b", "target": "99.9"},
            {"availability": "preview"},
            {"division": "open"},
            {"round": "v6.0"},
            {"inferred": True},
        ],
    )
    def test_anything_else_is_not_the_same_thing(self, other):
        found = run_spread([AMD, partner(), partner("HPE", 120_000.0, **other)], "v6.1")
        assert [d.partner.submitter for d in found.systems[0].workloads[0].rows] == ["Dell"]

    def test_another_definition_is_not_the_same_thing(self):
        wan = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}
        with pytest.raises(SelectionError, match="has none on the same hardware and workload"):
            run_spread([result(value=16.0, **wan), partner(value=15.0, harness="endpoints", **wan)])

    def test_another_harness_with_the_same_definition_is_a_caveat(self):
        found = run_spread([AMD, partner(harness="endpoints")])
        assert found.systems[0].workloads[0].rows[0].caveats == ["harness-differs"]

    def test_another_accuracy_target_is_another_workload(self):
        llama = {"model": "llama2-70b"}
        with pytest.raises(SelectionError):
            run_spread([result(target="99.9", **llama), partner(target="99", **llama)])

    def test_the_reference_is_its_best_row(self):
        found = run_spread([AMD, result(value=90_000.0, platform="slow"), partner()])
        assert found.systems[0].workloads[0].reference.value == 110_000.0

    def test_two_systems_of_one_partner_are_two_rows_of_one_partner(self):
        found = run_spread([AMD, partner(value=99_000.0), partner(value=121_000.0)])
        assert (found.overall.rows, found.overall.partners) == (2, 1)
        assert found.overall.mean_percent == pytest.approx(0.0)
        assert found.overall.mean_absolute_percent == pytest.approx(10.0)

    def test_a_copy_under_the_looser_target_counts_once(self):
        llama = {"model": "llama2-70b"}
        both = [make(target=target, **llama) for make in (result, partner) for target in ("99", "99.9")]
        found = run_spread(both)
        assert (found.overall.rows, found.copies) == (1, 1)
        assert found.systems[0].workloads[0].model == "llama2-70b-99.9"

    def test_a_copy_counts_where_the_reference_has_only_its_target(self):
        llama = {"model": "llama2-70b"}
        found = run_spread([result(target="99", **llama), partner(target="99", **llama), partner(target="99.9", **llama)])
        assert [w.model for w in found.systems[0].workloads] == ["llama2-70b-99"]

    def test_caveats_that_matter_are_listed_and_the_server_is_none(self):
        below = (AccuracyValue("exact_match", 70.0, minimum=82.0, below=True),)
        row = partner(
            system="Dell PowerEdge XE9785",
            stack="SGLang 0.5.9, ROCm 7.2.2",
            precision=Precision(("fp8",), raw="fp8"),
            accuracy=below,
        )
        (compared,) = deviations([AMD], None, [row])
        assert compared.caveats == ["framework-differs", "precision-differs", "below-target-as-listed"]


class TestTheReference:
    def test_it_is_the_vendor_of_each_accelerator_unless_named(self):
        h200 = {"accelerator": "H200-SXM"}
        rows = [AMD, partner(), result(submitter="NVIDIA", **h200), partner("HPE", **h200)]
        assert {s.hardware: s.reference for s in run_spread(rows).systems} == {"8x MI355X": "AMD", "8x H200-SXM": "NVIDIA"}

    def test_anybody_may_be_it(self):
        found = run_spread([AMD, partner()], reference="dell")
        assert found.systems[0].reference == "Dell"
        assert found.overall.mean_percent == pytest.approx(10.0)

    def test_an_unknown_one_names_the_nearest(self):
        with pytest.raises(SelectionError, match="Did you mean Dell"):
            run_spread([AMD, partner()], reference="Del")

    def test_a_system_of_several_vendors_has_none_unless_named(self):
        mixed = {"groups": [("MI355X", 8), ("H200-SXM", 8)]}
        rows = [AMD, partner(), result(submitter="Cisco", platform="mix", **mixed), partner("HPE", **mixed)]
        assert run_spread(rows).no_reference == 2
        assert {s.hardware for s in run_spread(rows, reference="Cisco").systems} == {"8x H200-SXM + 8x MI355X"}

    def test_a_cpu_only_system_needs_one(self):
        cpu = {"accelerator": None, "processor": "Intel Xeon 6980P"}
        rows = [result(submitter="Intel", **cpu), partner(**cpu)]
        with pytest.raises(SelectionError, match="--reference"):
            run_spread(rows)
        assert run_spread(rows, reference="Intel").overall.rows == 1

    def test_alone_it_has_no_partner(self):
        with pytest.raises(SelectionError, match="there is no partner"):
            run_spread([AMD])


def test_the_division_is_closed_unless_another_is_named():
    rows = [AMD, partner(), result(division="open", value=1.0), partner("HPE", division="open")]
    assert [s.division for s in run_spread(rows).systems] == ["closed"]
    assert [s.division for s in run_spread(rows, filters=Filters(division=("open",))).systems] == ["open"]


def test_the_newest_round_is_looked_at_and_the_tenth_is_after_the_ninth():
    rows = [AMD, partner(), result(round="v10.0"), partner(round="v10.0")]
    assert run_spread(rows).round == "v10.0"
    assert run_spread(rows, "6.1").round == "v6.1"


@given(POSITIVE, POSITIVE, st.sampled_from([("gpt-oss-120b", "Server"), ("wan-2.2-t2v-a14b", "SingleStream")]))
def test_swapping_the_reference_of_a_pair_inverts_the_deviation(one, other, workload):
    model, scenario = workload
    a, b = (result(value=value, model=model, scenario=scenario) for value in (one, other))
    assert (1 + deviation(a, b)) * (1 + deviation(b, a)) == pytest.approx(1)


@given(st.lists(POSITIVE, min_size=1, max_size=8))
def test_the_summary_holds_every_row(values):
    rows = [partner("Dell", value, id=f"r{i}") for i, value in enumerate(values)]
    summary = run_spread([AMD, *rows]).overall
    assert summary.rows == len(values)
    assert summary.worst_percent - 1e-6 <= summary.mean_percent <= summary.best_percent + 1e-6
    assert abs(summary.mean_percent) <= summary.mean_absolute_percent + 1e-5
