"""Noise: how far independent submitters of the same thing differ, and what stands out of it."""

from __future__ import annotations

import math
import statistics

import pytest

import groundspeed
from groundspeed.audit.copies import without_copies
from groundspeed.audit.engine import run_audit
from groundspeed.audit.noise import Noise, PairNoise, SideNoise, sigma, verdict, weighted_median
from groundspeed.audit.pairs import Pair
from groundspeed.record.model import Result
from makers import result


def spread(n: int, s: float, centre: float = 100_000.0, **overrides) -> list[Result]:
    """Results of n submitters whose 1.4826 MAD of ln(value) is s: half of them below the centre, half above."""
    d = s / 1.4826
    steps = [-d] * (n // 2) + [0.0] * (n % 2) + [d] * (n // 2)
    return [result(submitter=f"Submitter {i}", value=centre * math.exp(x), **overrides) for i, x in enumerate(steps)]


def pair_of(older: Result, newer: Result) -> Pair:
    return Pair(older, newer, ())


def noise_of(*groups: list[Result], older: Result, newer: Result) -> PairNoise | None:
    return Noise([r for group in groups for r in group]).of(pair_of(older, newer))


# ---------------------------------------------------------------- sigma


def test_sigma_is_1_4826_times_the_median_absolute_deviation_of_the_logarithms():
    assert sigma([math.exp(x) for x in (0.0, 0.1, 0.3)]) == pytest.approx(1.4826 * 0.1)


def test_sigma_of_equal_values_is_nothing():
    assert sigma([5.0, 5.0, 5.0]) == 0.0


def test_one_wild_value_does_not_move_sigma():
    assert sigma([99.0, 100.0, 101.0, 100.5, 1e9]) < 0.02


def test_the_weighted_median_has_half_of_the_weight_on_either_side():
    assert weighted_median([(0.30, 5), (0.01, 2), (0.02, 2)]) == 0.30


def test_a_weighted_median_between_two_values_is_their_mean():
    assert weighted_median([(0.01, 2), (0.03, 2)]) == pytest.approx(0.02)


# ---------------------------------------------------------------- which noise a pair has


def test_five_submitters_in_both_rounds_make_the_workloads_own_noise():
    older, newer = spread(5, 0.01, round="v6.0"), spread(5, 0.02)
    found = noise_of(older, newer, older=older[0], newer=newer[0])
    assert [(s.basis, s.submitters) for s in (found.older, found.newer)] == [("workload", 5), ("workload", 5)]


def test_the_workloads_own_noise_is_not_pooled():
    older, newer = spread(5, 0.01, round="v6.0"), spread(5, 0.02)
    wild = [*spread(9, 0.40, round="v6.0", scenario="Offline"), *spread(9, 0.40, scenario="Offline")]
    found = noise_of(older, newer, wild, older=older[0], newer=newer[0])
    assert (found.older.sigma, found.newer.sigma) == pytest.approx((0.01, 0.02))


def test_the_noise_of_both_rounds_adds_in_squares():
    older, newer = spread(5, 0.03, round="v6.0"), spread(5, 0.04)
    assert noise_of(older, newer, older=older[0], newer=newer[0]).sigma == pytest.approx(0.05)


def test_the_limit_is_1_96_of_the_combined_sigma():
    older, newer = spread(5, 0.03, round="v6.0"), spread(5, 0.04)
    assert noise_of(older, newer, older=older[0], newer=newer[0]).limit == pytest.approx(1.96 * 0.05)


@pytest.mark.parametrize(("n_older", "n_newer"), [(5, 4), (4, 5)])
def test_four_submitters_in_one_round_pool_both_sides(n_older, n_newer):
    older, newer = spread(n_older, 0.01, round="v6.0"), spread(n_newer, 0.02)
    found = noise_of(older, newer, older=older[0], newer=newer[0])
    assert (found.older.basis, found.newer.basis) == ("accelerator", "accelerator")


def test_two_submitters_make_no_noise():
    older, newer = spread(2, 0.01, round="v6.0"), spread(5, 0.02)
    assert noise_of(older, newer, older=older[0], newer=newer[0]) is None


def test_three_submitters_make_a_pool():
    older, newer = spread(3, 0.01, round="v6.0"), spread(3, 0.02)
    found = noise_of(older, newer, older=older[0], newer=newer[0])
    assert (found.older.sigma, found.newer.sigma) == pytest.approx((0.01, 0.02))


def test_the_pool_is_the_median_of_its_groups_weighted_by_submitters_less_one():
    # Weighted by submitters, half of the weight would lie on either side of the gap: 16 %.
    newer = [
        *spread(3, 0.01),
        *spread(3, 0.02, scenario="Offline"),
        *spread(6, 0.30, scenario="Interactive"),
    ]
    older = spread(3, 0.01, round="v6.0")
    found = noise_of(older, newer, older=older[0], newer=newer[0])
    assert found.newer.sigma == pytest.approx(0.30)


def test_one_wild_workload_does_not_decide_for_the_others():
    newer = [
        *spread(4, 0.01),
        *spread(4, 0.012, scenario="Offline"),
        *spread(6, 0.34, scenario="Server", model="deepseek-r1"),
    ]
    older = spread(4, 0.01, round="v6.0")
    assert noise_of(older, newer, older=older[0], newer=newer[0]).newer.sigma == pytest.approx(0.012)


def test_the_pool_says_how_many_groups_it_has():
    newer = [*spread(3, 0.01), *spread(3, 0.02, scenario="Offline"), *spread(2, 0.9, scenario="Interactive")]
    older = spread(3, 0.01, round="v6.0")
    found = noise_of(older, newer, older=older[0], newer=newer[0])
    assert (found.older.groups, found.newer.groups) == (1, 2)


def test_another_accelerators_groups_are_not_in_the_pool():
    older, newer = spread(3, 0.01, round="v6.0"), spread(3, 0.02)
    other = spread(9, 0.3, accelerator="B300")
    assert noise_of(older, newer, other, older=older[0], newer=newer[0]).newer.sigma == pytest.approx(0.02)


# ---------------------------------------------------------------- who counts


@pytest.mark.parametrize(
    "left_out", [{"division": "open"}, {"inferred": True}, {"availability": "preview"}, {"count": 16}, {"tags": ["maxq"]}]
)
def test_a_fifth_submitter_of_something_else_makes_no_own_noise(left_out):
    older, newer = spread(5, 0.01, round="v6.0"), spread(4, 0.02)
    fifth = result(submitter="Fifth", value=1.0, **left_out)
    assert noise_of(older, newer, [fifth], older=older[0], newer=newer[0]).newer.basis == "accelerator"


def test_a_fifth_submitter_under_another_target_makes_no_own_noise():
    llama = {"model": "llama2-70b", "target": "99.9"}
    older, newer = spread(5, 0.01, round="v6.0", **llama), spread(4, 0.02, **llama)
    fifth = result(submitter="Fifth", model="llama2-70b", target="99")
    assert noise_of(older, newer, [fifth], older=older[0], newer=newer[0]).newer.basis == "accelerator"


def test_only_each_submitters_best_row_counts():
    older, newer = spread(5, 0.01, round="v6.0"), spread(5, 0.02)
    weaker = [result(submitter=r.provenance.submitter, value=r.value / (3 + i), platform="weaker") for i, r in enumerate(newer)]
    found = noise_of(older, newer, weaker, older=older[0], newer=newer[0])
    assert (found.newer.sigma, found.newer.submitters) == (pytest.approx(0.02), 5)


def test_the_best_row_of_a_latency_is_the_lowest():
    latency = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}
    older, newer = spread(5, 0.01, 27.0, round="v6.0", **latency), spread(5, 0.02, 16.0, **latency)
    weaker = [
        result(submitter=r.provenance.submitter, value=r.value * (3 + i), platform="weaker", **latency)
        for i, r in enumerate(newer)
    ]
    assert noise_of(older, weaker, newer, older=older[0], newer=newer[0]).newer.sigma == pytest.approx(0.02)


def test_copies_under_a_looser_target_make_no_second_group():
    rows = [
        r
        for round_, centre in (("v6.0", 100.0), ("v6.1", 130.0))
        for target in ("99", "99.9")
        for r in spread(3, 0.01, centre, round=round_, model="llama2-70b", target=target)
    ]
    assert {group.groups for f in run_audit(rows).findings for group in f.noise.groups} == {1}


# ---------------------------------------------------------------- the verdict


def at(sigma_old: float, sigma_new: float) -> PairNoise:
    return PairNoise(SideNoise("v6.0", "workload", sigma_old, 5, 1), SideNoise("v6.1", "workload", sigma_new, 5, 1))


def changed(ln: float) -> Pair:
    return pair_of(result(round="v6.0", value=100.0), result(value=100.0 * math.exp(ln)))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_change_beyond_1_96_sigma_is_a_signal_in_both_directions(sign):
    assert verdict(changed(sign * 0.0981), at(0.03, 0.04)) == "signal"


@pytest.mark.parametrize("sign", [1, -1])
def test_a_change_up_to_1_96_sigma_is_within_noise_in_both_directions(sign):
    assert verdict(changed(sign * 0.0979), at(0.03, 0.04)) == "within-noise"


def test_no_change_is_within_no_noise():
    assert verdict(changed(0.0), at(0.0, 0.0)) == "within-noise"


def test_without_noise_the_verdict_is_unknown():
    assert verdict(changed(5.0), None) == "noise-unknown"


# ---------------------------------------------------------------- the record


@pytest.fixture(scope="module")
def kept() -> list[Result]:
    """The results of v6.0 and v6.1 without copies."""
    return without_copies(groundspeed.Record().results(["v6.0", "v6.1"]))[0]


def by_hand(kept: list[Result], round_: str, accelerator: str, model: str, scenario: str) -> float:
    """s of 8 accelerators in the closed, available rows, from the definition."""
    best: dict[str, float] = {}
    for r in kept:
        p, s = r.provenance, r.system
        if (p.round, p.division, p.availability, p.inferred) == (round_, "closed", "available", False) and (
            (s.accelerator, s.count, s.tags, r.workload.name, r.workload.scenario) == (accelerator, 8, (), model, scenario)
        ):
            best[p.submitter] = max(r.value, best.get(p.submitter, 0.0))
    assert len(best) >= 5
    logs = [math.log(v) for v in best.values()]
    return 148.26 * statistics.median(abs(x - statistics.median(logs)) for x in logs)


@pytest.mark.parametrize(
    ("accelerator", "model", "scenario", "older", "newer"),
    [
        ("MI355X", "llama2-70b-99.9", "Offline", 0.43, 1.90),
        ("MI355X", "llama2-70b-99.9", "Server", 1.30, 1.41),
        ("MI355X", "gpt-oss-120b", "Server", 2.78, 0.47),
        ("B300", "deepseek-r1", "Server", 33.8, 11.2),
    ],
)
def test_the_noise_of_the_record_is_what_its_rows_give_by_hand(kept, accelerator, model, scenario, older, newer):
    finding = next(
        f
        for f in run_audit(kept).findings
        if (f.accelerator, f.model, f.scenario, f.newer.accelerators) == (accelerator, model, scenario, 8)
    )
    by_rows = [by_hand(kept, round_, accelerator, model, scenario) for round_ in ("v6.0", "v6.1")]
    assert [g.sigma_percent for g in finding.noise.groups] == pytest.approx(by_rows, abs=1e-6)
    assert by_rows == pytest.approx([older, newer], rel=0.01)


def test_the_wild_workload_of_b300_does_not_decide_for_the_others(kept):
    pooled = [
        f.noise.groups[0]
        for f in run_audit(kept).findings
        if f.accelerator == "B300" and f.noise and f.noise.groups[0].basis == "accelerator"
    ]
    assert pooled
    assert all(g.sigma_percent < 2 for g in pooled)
