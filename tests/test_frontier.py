"""The frontier: the best by anybody, the vendor's own, and the middle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.audit.frontier import run_frontier, standing
from groundspeed.audit.selection import Filters
from groundspeed.errors import SelectionError
from groundspeed.record import Record
from groundspeed.record.model import Precision
from makers import result

WAN = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}


@pytest.fixture(scope="module")
def v61():
    return Record().results(["v6.1"])


def by(submitter, value, **given):
    return result(**{"submitter": submitter, "value": value, "platform": f"{submitter}_{value}", **given})


def one_row(rows, per="system", **filters):
    (row,) = run_frontier(rows, filters=Filters(**filters), per=(per,)).rows
    return row


class TestThePublishedFigures:
    @pytest.mark.parametrize(
        ("model", "scenario", "holder", "value", "own"),
        [
            ("gpt-oss-120b", "Offline", "HPE", 114_569.0, 106_637.0),
            ("gpt-oss-120b", "Server", "HPE", 113_685.0, 100_630.0),
            ("wan-2.2-t2v-a14b", "Offline", "VibeHPC", 0.0783824, 0.062188662827408765),
        ],
    )
    def test_the_best_8x_b300_of_v61_is_not_nvidias_own(self, v61, model, scenario, holder, value, own):
        row = one_row(v61, hardware=("8x B300",), model=(model,), scenario=(scenario,))
        assert (row.best.submitter, row.best_value) == (holder, value)
        assert row.own_value == own
        assert row.own_percent_of_best == pytest.approx(100 * own / value)
        assert row.derived is False

    def test_wan_offline_is_held_with_another_precision_and_harness(self, v61):
        row = one_row(v61, hardware=("8x B300",), model=("wan-2.2-t2v-a14b",), scenario=("Offline",))
        assert {"precision-differs", "harness-differs"} <= set(row.caveats)

    def test_latencies_of_two_definitions_are_two_rows(self, v61):
        filters = Filters(hardware=("8x B300",), model=("wan-2.2-t2v-a14b",), scenario=("SingleStream",))
        rows = run_frontier(v61, filters=filters, per=("system",)).rows
        assert {row.definition: row.best.submitter for row in rows} == {
            "singlestream-early-stopping-p90": "VibeHPC",
            "singlestream-mean": "NVIDIA",
        }

    def test_the_median_of_the_eleven_submitters_of_8x_b300(self, v61):
        row = one_row(v61, hardware=("8x B300",), model=("gpt-oss-120b",), scenario=("Offline",))
        assert (row.submitters, row.median_value, row.median_submitter) == (11, 109_257.0, "Dell")

    def test_per_accelerator_latencies_are_left_out(self, v61):
        rows = run_frontier(v61, per=("accelerator",)).rows
        assert rows
        assert {row.scenario for row in rows} <= {"Offline", "Server", "Interactive"}
        assert all(row.derived for row in rows)


class TestStanding:
    def test_each_submitter_counts_once_with_its_best_row(self):
        rows = [by("AMD", 100.0), by("AMD", 90.0), by("Dell", 110.0), by("HPE", 80.0)]
        found = standing(rows, rows[1])
        assert found.best.value == 110.0
        assert {name: r.value for name, r in found.submitters.items()} == {"Dell": 110.0, "AMD": 100.0, "HPE": 80.0}
        assert (found.median_value, found.median_submitter) == (100.0, "AMD")

    def test_of_an_even_number_the_median_lies_between_and_its_submitter_is_below(self):
        rows = [by("AMD", 100.0), by("Dell", 110.0)]
        found = standing(rows, rows[0])
        assert (found.median_value, found.median_submitter) == (105.0, "AMD")

    def test_of_latencies_the_lowest_is_best_and_the_median_submitter_is_the_slower_one(self):
        rows = [by("AMD", 16.0, **WAN), by("Dell", 20.0, **WAN)]
        found = standing(rows, rows[0])
        assert (found.best.value, found.median_value, found.median_submitter) == (16.0, 18.0, "Dell")

    def test_equal_values_are_ordered_by_name(self):
        rows = [by("HPE", 100.0), by("Dell", 100.0)]
        assert standing(rows, rows[0]).best.provenance.submitter == "Dell"

    @pytest.mark.parametrize(
        "other",
        [
            {"count": 16}, {"tags": ("maxq",)}, {"accelerator": "MI350X"}, {"scenario": "Offline"}, {"division": "open"},
            {"model": "llama2-70b", "target": "99"}, {"round": "v6.0"}, {"inferred": True},
        ],
    )  # fmt: skip
    def test_anything_else_is_not_the_same_thing(self, other):
        mine = by("AMD", 100.0)
        assert list(standing([mine, by("Dell", 200.0, **other)], mine).submitters) == ["AMD"]

    def test_a_preview_is_by_anybody_too(self):
        mine = by("AMD", 100.0)
        assert standing([mine, by("Dell", 200.0, availability="preview")], mine).best.provenance.availability == "preview"

    def test_another_round_or_division_may_be_asked_for(self):
        mine = by("AMD", 100.0)
        rows = [mine, by("Dell", 50.0, round="v6.0"), by("HPE", 300.0, division="open")]
        assert standing(rows, mine, round="v6.0").best.value == 50.0
        assert standing(rows, mine, division="open").best.value == 300.0

    def test_there_may_be_none(self):
        with pytest.raises(SelectionError, match=r"no measured result of 8x MI355X, gpt-oss-120b Server in v6\.0 closed"):
            standing([], by("AMD", 100.0), round="v6.0")

    def test_per_accelerator_any_count_takes_part(self):
        mine = by("AMD", 800.0)
        found = standing([mine, by("Dell", 1760.0, count=16)], mine, per="accelerator")
        assert found.best.provenance.submitter == "Dell"
        assert found.median_value == 105.0

    def test_a_mix_in_other_proportions_is_not_the_same_kind(self):
        mine = by("AMD", 800.0, groups=[("MI300X", 8), ("MI325X", 8)])
        rows = [
            mine,
            by("Dell", 1760.0, groups=[("MI300X", 16), ("MI325X", 16)]),
            by("HPE", 9e9, groups=[("MI300X", 8), ("MI325X", 16)]),
        ]
        assert list(standing(rows, mine, per="accelerator").submitters) == ["Dell", "AMD"]

    def test_a_latency_is_never_divided(self):
        mine = by("AMD", 16.0, **WAN)
        with pytest.raises(ValueError, match="never divided"):
            standing([mine], mine, per="accelerator")

    def test_an_unknown_count_divides_nothing(self):
        mine = by("AMD", 16.0, count=None)
        with pytest.raises(ValueError, match="unknown"):
            standing([mine], mine, per="accelerator")
        assert standing([mine], mine).best is mine

    def test_copies_do_no_harm(self):
        llama = [
            by("AMD", value, model="llama2-70b", target=target, platform="same")
            for value in (100.0,)
            for target in ("99", "99.9")
        ]
        assert standing(llama, llama[0]).best.workload.accuracy_target == "99"


class TestRows:
    def test_the_vendors_own_latency_is_in_percent_of_the_bests_performance(self):
        row = one_row([by("AMD", 20.0, **WAN), by("Dell", 16.0, **WAN)])
        assert row.own_percent_of_best == pytest.approx(80.0)

    def test_without_a_submission_of_the_vendor_there_is_none(self):
        row = one_row([by("Dell", 16.0)])
        assert (row.own, row.own_value, row.own_percent_of_best, row.caveats) == (None, None, None, [])

    def test_a_cpu_only_system_has_no_vendor_and_no_figure_per_accelerator(self):
        rows = [by("Intel", 16.0, accelerator=None)]
        assert one_row(rows).own is None
        assert run_frontier(rows, per=("accelerator",)).rows == []

    def test_a_filter_chooses_rows_and_each_row_is_of_everybody(self):
        rows = [by("AMD", 100.0), by("Dell", 110.0), by("AMD", 100.0, scenario="Offline")]
        row = one_row(rows, submitter=("Dell",))
        assert (row.scenario, row.submitters, row.own_value) == ("Server", 2, 100.0)

    def test_a_row_of_copies_only_is_left_out(self):
        rows = [
            by(name, value, model="llama2-70b", target=target, platform=name)
            for name, value in (("AMD", 100.0), ("Dell", 90.0))
            for target in ("99", "99.9")
        ]
        assert one_row(rows).model == "llama2-70b-99.9"
        assert one_row(rows, model=("llama2-70b-99",)).model == "llama2-70b-99"

    def test_a_copy_takes_part_beside_results_that_are_none(self):
        llama = {"model": "llama2-70b"}
        rows = [by("AMD", 100.0, target=target, platform="same", **llama) for target in ("99", "99.9")]
        rows.append(by("Dell", 90.0, target="99", **llama))
        found = {row.model: row.best.submitter for row in run_frontier(rows, per=("system",)).rows}
        assert found == {"llama2-70b-99": "AMD", "llama2-70b-99.9": "AMD"}

    def test_others_with_the_same_figure_are_named(self):
        assert one_row([by("Dell", 100.0), by("HPE", 100.0), by("AMD", 90.0)]).tied == ["HPE"]

    def test_a_caveat_between_best_and_own_is_said(self):
        row = one_row([by("AMD", 90.0), by("Dell", 100.0, precision=Precision(("fp8",), raw="fp8"))])
        assert row.caveats == ["precision-differs"]

    def test_the_best_per_accelerator_need_not_be_the_best_system(self):
        row = one_row([by("AMD", 999.0, count=3), by("Dell", 1000.0, count=4)], per="accelerator")
        assert (row.best.submitter, row.best_value, row.hardware) == ("AMD", 333.0, "MI355X")


@given(
    st.dictionaries(
        st.sampled_from(["AMD", "Dell", "HPE", "Oracle", "Cisco"]),
        st.lists(st.floats(min_value=1e-3, max_value=1e9), min_size=1, max_size=3),
        min_size=1,
    ),
    st.booleans(),
)
def test_nobody_is_better_than_the_best_and_half_are_not_better_than_the_median(values, latency):
    given_ = WAN if latency else {}
    rows = [by(name, v, id=f"{name}{i}", **given_) for name, vs in values.items() for i, v in enumerate(vs)]
    found = standing(rows, rows[0])
    sign = -1 if latency else 1
    bests = [sign * r.value for r in found.submitters.values()]
    assert bests == sorted(bests, reverse=True)
    assert sign * found.best.value == max(sign * r.value for r in rows)
    assert 2 * sum(b > sign * found.median_value for b in bests) <= len(bests)
    assert sign * found.submitters[found.median_submitter].value <= sign * found.median_value
