"""Scale-out efficiency: throughput per accelerator of a larger system against the submitter's smallest one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.audit.scaling import efficiency, run_scaling
from groundspeed.audit.selection import Filters
from groundspeed.errors import SelectionError
from groundspeed.record import Record
from groundspeed.record.model import Precision
from makers import result


def size(count, value, **given):
    return result(**{"count": count, "value": value, "platform": f"{count}x_{value}", **given})


BASE = size(8, 800.0)


class TestThePublishedFigures:
    def test_72_mi355x_keep_94_9_percent_offline_and_94_6_percent_server(self):
        found = run_scaling(Record().results(["v6.1"]), filters=Filters(hardware=("72x MI355X",)))
        assert {r.scenario: round(r.efficiency_percent, 1) for r in found.rows} == {"Offline": 94.9, "Server": 94.6}
        for row in found.rows:
            assert (row.submitter, row.base.hardware, row.large.hardware) == ("AMD", "8x MI355X", "72x MI355X")
            assert row.caveats == ["framework-differs"]
            assert row.notes == ["declared versions differ: vllm 0.22.1.dev0 on 72x MI355X only"]

    def test_every_larger_size_has_the_smallest_one_as_its_base(self):
        filters = Filters(hardware=("GB300",), submitter=("NVIDIA",), model=("deepseek-r1",), scenario=("Offline",))
        rows = run_scaling(Record().results(["v6.1"]), filters=filters).rows
        assert [(r.base.accelerators, r.large.accelerators) for r in rows] == [(8, 72), (8, 288)]


class TestWhatIsCompared:
    def test_efficiency_is_per_accelerator(self):
        (row,) = run_scaling([BASE, size(16, 1440.0)]).rows
        assert (row.base_per_accelerator, row.large_per_accelerator) == (100.0, 90.0)
        assert row.efficiency_percent == pytest.approx(90.0)
        assert row.caveats == row.notes == []

    @pytest.mark.parametrize(
        "other",
        [
            {"submitter": "Dell"}, {"tags": ("nvl72",)}, {"accelerator": "MI350X"}, {"scenario": "Offline"}, {"division": "open"},
            {"availability": "preview"}, {"round": "v6.0"}, {"model": "llama2-70b", "target": "99"}, {"inferred": True}, {"count": None},
        ],
    )  # fmt: skip
    def test_anything_else_is_not_the_same_system_in_another_size(self, other):
        with pytest.raises(SelectionError, match="none is a throughput"):
            run_scaling([BASE, size(**{"count": 16, "value": 1440.0, **other})], "v6.1")

    def test_the_best_row_of_each_size_counts(self):
        (row,) = run_scaling([BASE, size(8, 700.0), size(16, 1440.0), size(16, 1500.0)]).rows
        assert (row.base.value, row.large.value) == (800.0, 1500.0)

    def test_latencies_are_never_divided(self):
        wan = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}
        rows = [size(8, 16.0, **wan), size(16, 9.0, **wan)]
        with pytest.raises(SelectionError):
            run_scaling(rows)
        with pytest.raises(ValueError, match="never divided"):
            efficiency(rows[1], rows[0])

    def test_two_workloads_have_no_efficiency(self):
        with pytest.raises(ValueError, match="not of the same workload"):
            efficiency(size(16, 1440.0, scenario="Offline"), BASE)

    def test_a_mixed_system_scales_only_in_its_proportions(self):
        mix = [result(value=1.0, groups=[("MI300X", 8), ("MI325X", 8)], platform="a")]
        mix.append(result(value=2.0, groups=[("MI300X", 16), ("MI325X", 16)], platform="b"))
        mix.append(result(value=2.0, groups=[("MI300X", 8), ("MI325X", 16)], platform="c"))
        (row,) = run_scaling(mix).rows
        assert row.large.hardware == "16x MI300X + 16x MI325X"
        assert row.caveats == ["heterogeneous"]

    def test_a_copy_under_the_looser_target_counts_once(self):
        llama = {"model": "llama2-70b"}
        rows = [
            size(n, v, target=target, platform=str(n), **llama)
            for n, v in ((8, 800.0), (16, 1500.0))
            for target in ("99", "99.9")
        ]
        found = run_scaling(rows)
        assert [r.model for r in found.rows] == ["llama2-70b-99.9"]
        assert found.copies == 1

    def test_the_filter_is_for_the_larger_system(self):
        rows = [BASE, size(16, 1440.0), size(32, 2560.0)]
        assert [r.efficiency_percent for r in run_scaling(rows, filters=Filters(hardware=("32x MI355X",))).rows] == [80.0]
        with pytest.raises(SelectionError):
            run_scaling(rows, filters=Filters(hardware=("8x MI355X",)))


class TestWhatIsSaid:
    def test_another_precision_and_framework_are_caveats(self):
        large = size(16, 1440.0, stack="SGLang 0.5.9, ROCm 7.2.2", precision=Precision(("fp8",), raw="fp8"))
        assert run_scaling([BASE, large]).rows[0].caveats == ["framework-differs", "precision-differs"]

    def test_other_versions_are_a_note(self):
        large = size(16, 1440.0, stack="vLLM 0.22.0, PyTorch 2.10.0, ROCm 7.2.4")
        (row,) = run_scaling([BASE, large]).rows
        assert row.notes == ["declared versions differ: rocm 7.2.2 and 7.2.4"]
        assert row.caveats == []

    def test_a_count_that_the_table_gives_otherwise_is_a_note(self):
        large = size(87, 8000.0, notes={"count-disagrees": "the table counts 88 accelerators, 87 took part"})
        (row,) = run_scaling([BASE, large]).rows
        assert row.large_per_accelerator == pytest.approx(8000 / 87)
        assert row.notes == ["the table counts 88 accelerators, 87 took part"]


@given(st.integers(1, 10_000), st.floats(min_value=1e-6, max_value=1e9))
def test_a_size_against_itself_is_one(count, value):
    one = size(count, value)
    assert efficiency(one, one) == 1


@given(st.integers(1, 64), st.integers(2, 64), st.floats(min_value=1e-3, max_value=1e9))
def test_perfect_scaling_is_a_hundred_percent(count, times, value):
    (row,) = run_scaling([size(count, value), size(count * times, value * times)]).rows
    assert row.efficiency_percent == pytest.approx(100.0)
