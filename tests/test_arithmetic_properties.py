"""What the arithmetic keeps, whatever the figures: inversion, compounding, units, symmetry, and the counting of releases."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from groundspeed.audit.noise import PairNoise, SideNoise, sigma, verdict, weighted_median
from groundspeed.audit.pairs import Pair, find_pairs
from groundspeed.audit.velocity import rate, releases_between, velocity
from groundspeed.record.calendar import Release, releases
from groundspeed.record.model import Result
from makers import result

# A busy machine is no failure, and the same figures are tried every time.
arithmetic = settings(deadline=None, derandomize=True)

values = st.floats(1e-3, 1e9, allow_nan=False)
counts = st.integers(1, 1000)
speedups = st.floats(1e-2, 1e2)
factors = st.floats(1e-3, 1e3)
ROCM = [r for r in releases("ROCm") if r.channel != "preview"]

# A template of each direction; hypothesis then changes nothing but its value and its accelerators.
HIGHER = {"scenario": "Server"}
LOWER = {"scenario": "SingleStream", "model": "wan-2.2-t2v-a14b"}
DIRECTIONS = pytest.mark.parametrize("workload", [HIGHER, LOWER], ids=["higher", "lower"])


def row(value: float, workload=HIGHER, **overrides) -> Result:
    return result(**{"value": value, **workload, **overrides})


def noise(older: float, newer: float) -> PairNoise:
    return PairNoise(SideNoise("v6.0", "workload", older, 5, 1), SideNoise("v6.1", "workload", newer, 5, 1))


# ---------------------------------------------------------------- speed-up


@DIRECTIONS
@arithmetic
@given(a=values, b=values)
def test_a_speedup_inverts_when_the_pair_is_swapped(workload, a, b):
    older, newer = row(a, workload, round="v6.0"), row(b, workload)
    assert Pair(older, newer, ()).speedup * Pair(newer, older, ()).speedup == pytest.approx(1)


@arithmetic
@given(a=values, b=values, n=counts, m=counts)
def test_a_speedup_per_accelerator_inverts_when_the_pair_is_swapped(a, b, n, m):
    assume(n != m and a != b)
    older, newer = row(a, round="v6.0", count=n), row(b, count=m)
    (there,) = find_pairs([older], [newer], {"count-differs"}).found
    (back,) = find_pairs([newer], [older], {"count-differs"}).found
    assert there.speedup * back.speedup == pytest.approx(1)


@DIRECTIONS
@arithmetic
@given(a=values, b=values)
def test_above_1_is_better_in_both_directions(workload, a, b):
    assume(not math.isclose(a, b))
    better = b > a if workload is HIGHER else b < a
    assert (Pair(row(a, workload, round="v6.0"), row(b, workload), ()).speedup > 1) == better


@DIRECTIONS
@arithmetic
@given(a=values, b=values, factor=factors)
def test_another_unit_does_not_change_a_speedup(workload, a, b, factor):
    plain = Pair(row(a, workload, round="v6.0"), row(b, workload), ())
    scaled = Pair(row(a * factor, workload, round="v6.0"), row(b * factor, workload), ())
    assert scaled.speedup == pytest.approx(plain.speedup)


@arithmetic
@given(a=values, b=values, n=counts, m=counts, factor=st.integers(2, 10))
def test_as_many_times_the_accelerators_on_both_sides_do_not_change_a_speedup_per_accelerator(a, b, n, m, factor):
    caveats = ("count-differs",)
    plain = Pair(row(a, round="v6.0", count=n), row(b, count=m), caveats)
    larger = Pair(row(a, round="v6.0", count=n * factor), row(b, count=m * factor), caveats)
    assert larger.speedup == pytest.approx(plain.speedup)


@arithmetic
@given(per_accelerator=values, n=counts, m=counts)
def test_work_that_grows_with_the_accelerators_is_no_speedup_per_accelerator(per_accelerator, n, m):
    pair = Pair(row(per_accelerator * n, round="v6.0", count=n), row(per_accelerator * m, count=m), ("count-differs",))
    assert pair.speedup == pytest.approx(1)


# ---------------------------------------------------------------- rates


@arithmetic
@given(speedup=speedups, n=st.floats(0.5, 100))
def test_a_rate_compounded_as_often_gives_the_speedup(speedup, n):
    assert (1 + rate(speedup, n)) ** n == pytest.approx(speedup)


@arithmetic
@given(rates=st.lists(st.floats(-0.5, 1), min_size=1, max_size=10))
def test_a_chain_of_rates_multiplies_to_the_total(rates):
    total = math.prod(1 + r for r in rates)
    mean = rate(total, len(rates))
    assert (1 + mean) ** len(rates) == pytest.approx(total)
    assert min(rates) - 1e-9 <= mean <= max(rates) + 1e-9


@arithmetic
@given(steps=st.lists(speedups, min_size=1, max_size=8))
def test_a_chain_of_speedups_multiplies_to_first_against_last(steps):
    series = [100.0]
    for step in steps:
        series.append(series[-1] * step)
    links = [Pair(row(a, round="v6.0"), row(b), ()).speedup for a, b in pairwise(series)]
    assert math.prod(links) == pytest.approx(Pair(row(series[0], round="v6.0"), row(series[-1]), ()).speedup)


@arithmetic
@given(a=values, b=values)
def test_the_rates_of_a_pair_all_compound_to_its_speedup(a, b):
    assume(1e-3 < b / a < 1e3)
    pair = Pair(row(a, round="v6.0", stack="ROCm 7.0.0"), row(b, stack="ROCm 7.2.2"), ())
    found = velocity(pair)
    assert (1 + found.per_release) ** 2 == pytest.approx(pair.speedup)
    assert (1 + found.per_cadence) ** (210 / 42) == pytest.approx(pair.speedup)
    assert (1 + found.per_year) ** (210 / 365) == pytest.approx(pair.speedup)


# ---------------------------------------------------------------- noise


@arithmetic
@given(group=st.lists(values, min_size=3, max_size=12), factor=factors)
def test_another_unit_does_not_change_sigma(group, factor):
    assert sigma(v * factor for v in group) == pytest.approx(sigma(group), rel=1e-6, abs=1e-9)


@arithmetic
@given(group=st.lists(values, min_size=3, max_size=12))
def test_latencies_and_their_rates_have_the_same_sigma(group):
    assert sigma(1 / v for v in group) == pytest.approx(sigma(group), rel=1e-6, abs=1e-9)


@arithmetic
@given(group=st.lists(values, min_size=3, max_size=12), data=st.data())
def test_the_order_of_submitters_does_not_change_sigma(group, data):
    assert sigma(data.draw(st.permutations(group))) == sigma(group)


@arithmetic
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 20)), min_size=1, max_size=10))
def test_a_weighted_median_is_the_median_of_values_repeated_by_their_weight(weighted):
    repeated = sorted(value for value, weight in weighted for _ in range(weight))
    middle = (repeated[(len(repeated) - 1) // 2] + repeated[len(repeated) // 2]) / 2
    assert weighted_median(weighted) == pytest.approx(middle)


@DIRECTIONS
@arithmetic
@given(a=values, b=values, s_old=st.floats(0, 1), s_new=st.floats(0, 1))
def test_the_verdict_is_the_same_when_the_pair_is_swapped(workload, a, b, s_old, s_new):
    older, newer = row(a, workload, round="v6.0"), row(b, workload)
    there, back = Pair(older, newer, ()), Pair(newer, older, ())
    assume(not math.isclose(abs(there.ln_speedup), noise(s_old, s_new).limit, abs_tol=1e-12))
    assert verdict(there, noise(s_old, s_new)) == verdict(back, noise(s_new, s_old))


@arithmetic
@given(a=values, b=values, factor=factors, s=st.floats(0, 1))
def test_the_verdict_is_the_same_in_another_unit(a, b, factor, s):
    plain = Pair(row(a, round="v6.0"), row(b), ())
    scaled = Pair(row(a * factor, round="v6.0"), row(b * factor), ())
    assume(not math.isclose(abs(plain.ln_speedup), noise(s, s).limit, abs_tol=1e-9))
    assert verdict(plain, noise(s, s)) == verdict(scaled, noise(s, s))


# ---------------------------------------------------------------- releases

any_release = st.sampled_from(ROCM)


def features(older: Release, newer: Release) -> int:
    return len(releases_between("ROCm", older, newer).feature)


@arithmetic
@given(st.lists(any_release, min_size=3, max_size=3))
def test_feature_releases_add_up_along_the_production_line(three):
    a, b, c = sorted(three, key=lambda r: r.version)
    assert features(a, b) + features(b, c) == features(a, c)


@arithmetic
@given(any_release, any_release)
def test_releases_between_are_after_the_older_stack_and_up_to_the_newer(one, other):
    older, newer = sorted((one, other), key=lambda r: r.version)
    found = releases_between("ROCm", older, newer)
    assert all(older.version < r.version <= newer.version and r.date <= newer.date for r in found.feature + found.patch)


@arithmetic
@given(any_release, any_release)
def test_back_in_time_there_are_no_releases(one, other):
    older, newer = sorted((one, other), key=lambda r: r.version)
    back = releases_between("ROCm", newer, older)
    assert (back.feature, back.patch) == ((), ())


@arithmetic
@given(any_release, any_release)
def test_days_between_are_the_same_in_both_directions(one, other):
    assert releases_between("ROCm", one, other).days == -releases_between("ROCm", other, one).days
