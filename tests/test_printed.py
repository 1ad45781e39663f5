"""Values as printed: the last digit says how exact a claim is."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.audit.claims.printed import days, number, parts


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("38", 37.5, 38.5), ("1.6", 1.55, 1.65), ("87-88", 86.5, 88.5), ("87 to 88", 86.5, 88.5), ("5.75 million", 5_745_000, 5_755_000),
        ("10.5 thousand", 10_450, 10_550), ("1,042,110", 1_042_109.5, 1_042_110.5), ("2.90 million", 2_895_000, 2_905_000), ("38 %", 37.5, 38.5),
        ("3.1x", 3.05, 3.15), ("about 4", 3.5, 4.5),
    ],
)  # fmt: skip
def test_a_number_stands_for_what_rounds_to_it(text, low, high):
    interval = number(text)
    assert interval is not None
    assert interval.low == pytest.approx(low)
    assert interval.high == pytest.approx(high)


def test_over_is_one_sided():
    interval = number("over 1 million")
    assert interval is not None
    assert not interval.holds(999_999)
    assert interval.holds(1_000_001)
    assert interval.holds(1e12)


@pytest.mark.parametrize("text", ["", "tie", "AMD", "6 models", "1.2.3", "early October 2026", "-", "12 34"])
def test_what_is_no_number_is_none(text):
    assert number(text) is None


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-07-16", "2026-07-16", "2026-07-16"), ("October 2026", "2026-10-01", "2026-10-31"), ("early October 2026", "2026-10-01", "2026-10-10"),
        ("mid-October 2026", "2026-10-11", "2026-10-20"), ("late February 2028", "2028-02-21", "2028-02-29"), ("July 16, 2026", "2026-07-16", "2026-07-16"),
    ],
)  # fmt: skip
def test_a_date_stands_for_its_days(text, first, last):
    window = days(text)
    assert window is not None
    assert (window.first, window.last) == (dt.date.fromisoformat(first), dt.date.fromisoformat(last))


@pytest.mark.parametrize("text", ["38", "", "Smarch 2026", "February 30, 2026", "2026-13-01"])
def test_what_is_no_date_is_none(text):
    assert days(text) is None


def test_a_slash_separates_parts():
    assert parts("111 / 118") == ["111", "118"]
    assert parts("38") == ["38"]


@given(st.integers(0, 10**6), st.integers(0, 4))
def test_the_printed_value_is_within_and_a_whole_step_beside_it_is_not(digits, places):
    text = f"{digits / 10**places:.{places}f}"
    interval = number(text)
    assert interval is not None
    value, step = float(text), 10.0**-places
    assert interval.holds(value)
    assert interval.holds(value + 0.49 * step)
    assert not interval.holds(value + 0.51 * step)
    assert not interval.holds(value - 0.51 * step)


@given(st.floats(0.01, 1e6), st.integers(0, 3))
def test_any_value_is_confirmed_by_its_own_rounding(value, places):
    interval = number(f"{value:.{places}f}")
    assert interval is not None
    assert interval.holds(value)


@given(st.integers(1, 999), st.integers(1, 999))
def test_a_range_holds_both_its_ends(a, b):
    low, high = sorted((a, b))
    interval = number(f"{low}-{high}")
    assert interval is not None
    assert interval.holds(low)
    assert interval.holds(high)
