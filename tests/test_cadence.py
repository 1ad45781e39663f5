"""Cadence: releases, intervals, due dates and slippage, on the real calendar and on due dates made by hand."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed import SelectionError
from groundspeed.audit import cadence
from groundspeed.record import calendar
from groundspeed.record.calendar import Release

START = dt.date(2026, 7, 15)
DECEMBER = dt.date(2026, 12, 1)


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def rocm(as_of: str = "2026-12-01", every: int = 42, since: str = "7.14.0") -> cadence.Clock:
    return cadence.grid("ROCm", since, every, day(as_of))


class TestReleases:
    def test_rocm_had_three_feature_releases_in_2024(self):
        assert [r.text for r in cadence.feature_releases("ROCm", 2024)] == ["6.1.0", "6.2.0", "6.3.0"]

    def test_rocm_6_0_0_is_of_2023(self):
        assert [r.text for r in cadence.feature_releases("ROCm", 2023)] == ["6.0.0"]

    def test_a_channel_may_be_asked_for(self):
        assert [r.text for r in cadence.feature_releases("ROCm", channels=["production"])] == ["7.14.0", "10.0.0", "10.1.0"]
        previews = [r.text for r in cadence.feature_releases("ROCm", channels=["preview"])]
        assert previews == ["7.9.0", "7.10.0", "7.11.0", "7.12.0", "7.13.0"]

    def test_release_candidates_are_no_feature_releases_even_as_previews(self):
        assert not [r for r in cadence.feature_releases("TensorRT-LLM", channels=["preview"]) if "rc" in r.text]

    def test_every_date_of_a_release_is_told(self):
        assert cadence.dates_of("ROCm", "7.14.0") == (START, dt.date(2026, 7, 16))
        assert cadence.dates_of("rocm", "10.1.0") == (dt.date(2026, 10, 5),)

    def test_a_version_that_is_not_held_has_no_dates(self):
        assert cadence.dates_of("ROCm", "11.0") == ()
        assert cadence.intervals("ROCm", "11.0") == ()

    def test_projects_are_those_of_the_calendar(self):
        assert set(cadence.projects()) == {"ROCm", "MIGraphX", "CUDA", "TensorRT-LLM", "vLLM", "SGLang"}

    @pytest.mark.parametrize(("written", "meant"), [("rocm", "ROCm"), ("tensorrt llm", "TensorRT-LLM"), ("VLLM", "vLLM")])
    def test_the_spelling_of_a_project_does_not_matter(self, written, meant):
        assert cadence.project_named(written) == meant

    def test_an_unknown_project_names_the_near_ones(self):
        with pytest.raises(SelectionError, match="Did you mean ROCm"):
            cadence.project_named("ROCmm")

    def test_an_unknown_version_names_the_near_ones_by_number(self):
        with pytest.raises(SelectionError, match=r"Did you mean 7\.14\.0"):
            cadence.release_named("ROCm", "7.15")

    def test_versions_may_carry_a_v(self):
        assert cadence.release_named("ROCm", "v7.14").text == "7.14.0"


class TestIntervals:
    def test_rocm_on_the_clock_took_42_and_40_days(self):
        found = cadence.intervals("ROCm", "7.14.0")
        assert [(i.older, i.newer, i.days) for i in found] == [("7.14.0", "10.0.0", 42), ("10.0.0", "10.1.0", 40)]
        assert cadence.mean_days(found) == 41

    def test_the_classic_line_is_the_production_line_of_its_time(self):
        assert [i.newer for i in cadence.intervals("ROCm", "7.1.0")] == ["7.2.0", "7.14.0", "10.0.0", "10.1.0"]

    def test_months_give_months_and_no_mean(self):
        found = cadence.intervals("CUDA", "13.0")
        assert [(i.days, i.months) for i in found] == [(None, 4), (None, 3), (None, 2)]
        assert cadence.mean_days(found) is None

    def test_no_intervals_have_no_mean(self):
        assert cadence.mean_days(()) is None

    def test_a_listed_release_has_its_interval_within_its_channel(self):
        lines = {line.version: line for line in cadence.listed("ROCm").values()}
        assert (lines["10.1.0"].previous, lines["10.1.0"].interval_days) == ("10.0.0", 40)
        assert lines["7.14.0"].previous is None
        assert (lines["7.10.0"].previous, lines["7.10.0"].interval_days) == ("7.9.0", 52)
        assert (lines["7.14.1"].kind, lines["7.14.1"].interval_days) == ("patch", None)
        assert lines["7.14.0"].other_dates == ["2026-07-16"]

    def test_a_date_known_to_the_month_is_listed_as_a_month(self):
        lines = {line.version: line for line in cadence.listed("CUDA").values()}
        assert (lines["13.1.0"].date, lines["13.1.0"].interval_days, lines["13.1.0"].interval_months) == ("2025-12", None, 4)


class TestGrid:
    def test_rocm_against_its_commitment(self):
        clock = rocm()
        assert [d.due.isoformat() for d in clock.dues] == ["2026-08-26", "2026-10-07", "2026-11-18", "2026-12-30"]
        assert [(d.version, d.slippage_days, d.state) for d in clock.dues] == [
            ("10.0.0", 0, "released"), ("10.1.0", -2, "released"), (None, None, "no evidence"), (None, None, "not yet"),
        ]  # fmt: skip
        assert clock.next_due == dt.date(2026, 11, 18)
        assert clock.off_clock == []

    def test_a_patch_release_is_not_matched(self):
        assert "7.14.1" not in {d.version for d in rocm().dues}

    def test_a_disputed_date_gives_a_second_slippage(self):
        assert rocm().dues[0].slippage_by_other_dates == [1]
        assert rocm().other_start_dates == ["2026-07-16"]

    def test_no_evidence_is_told_apart_from_late(self):
        assert "the calendar ends with 10.1.0 of 2026-10-05: no evidence" in rocm().statement

    def test_before_the_due_date_it_is_not_yet(self):
        clock = rocm("2026-10-20")
        assert [d.state for d in clock.dues] == ["released", "released", "not yet"]
        assert "The next one is 2026-11-18" in clock.statement

    def test_on_the_due_date_itself_it_has_not_passed(self):
        assert rocm("2026-11-18").dues[2].state == "not yet"
        assert rocm("2026-11-19").dues[2].state == "no evidence"

    def test_a_due_date_that_the_calendar_goes_beyond_is_late(self):
        clock = rocm(every=10)
        missed = [d.due.isoformat() for d in clock.dues if d.state == "no release"]
        assert missed[:3] == ["2026-07-25", "2026-08-04", "2026-08-14"]
        assert "though the calendar goes on to 10.1.0 of 2026-10-05" in clock.statement

    def test_releases_after_the_day_do_not_count(self):
        clock = rocm("2026-09-01")
        assert [(d.version, d.state) for d in clock.dues] == [("10.0.0", "released"), (None, "not yet")]

    def test_two_releases_near_one_due_date_leave_one_off_the_clock(self):
        clock = cadence.grid("ROCm", "7.14.0", 100, DECEMBER)
        assert [(d.version, d.slippage_days) for d in clock.dues] == [("10.1.0", -18), (None, None)]
        assert clock.off_clock == ["10.0.0"]

    def test_a_hole_in_the_numbers_is_no_evidence(self):
        clock = cadence.grid("SGLang", "0.5.13", 14, day("2026-10-10"))
        assert [d.state for d in clock.dues if d.due in (day("2026-09-03"), day("2026-09-17"))] == ["no evidence"] * 2
        assert "between 0.5.18 and 0.5.21, whose numbers leave a gap" in clock.statement

    def test_months_make_no_grid(self):
        with pytest.raises(SelectionError, match="dated to the month"):
            cadence.grid("CUDA", "13.0", 42, DECEMBER)

    @pytest.mark.parametrize("every", [0, -42])
    def test_an_interval_is_at_least_a_day(self, every):
        with pytest.raises(ValueError, match="interval"):
            cadence.due_dates(START, every, DECEMBER)

    @given(st.dates(dt.date(1990, 1, 1), dt.date(2100, 1, 1)), st.integers(1, 400), st.integers(0, 3000))
    def test_due_dates_are_arithmetic(self, first, every, ahead):
        until = first + dt.timedelta(ahead)
        days = cadence.due_dates(first, every, until)
        assert days == [first + dt.timedelta(every * (i + 1)) for i in range(len(days))]
        assert days[-1] > until
        assert all(d <= until for d in days[:-1])

    def test_due_dates_end_with_the_calendar_of_years(self):
        assert cadence.due_dates(dt.date(9999, 12, 1), 42, dt.date.max) == []

    @given(st.integers(1, 400))
    def test_the_slippage_of_a_release_on_its_due_date_is_0(self, every):
        release = calendar.find_release("ROCm", "10.0.0")
        assert release is not None
        assert cadence.slippages(release, release.date)[0] == 0
        assert cadence.release_for("ROCm", release.date, every, DECEMBER) == release

    @given(st.integers(1, 400))
    def test_every_release_is_matched_or_off_the_clock_and_none_twice(self, every):
        clock = rocm(every=every)
        told = [d.version for d in clock.dues if d.version] + clock.off_clock
        assert sorted(told) == ["10.0.0", "10.1.0"]

    @given(st.integers(1, 400), st.dates(START, dt.date(2030, 1, 1)))
    def test_only_days_that_have_passed_are_judged(self, every, as_of):
        for due in cadence.grid("ROCm", "7.14.0", every, as_of).dues:
            assert (due.state == "not yet") == (due.version is None and due.due >= as_of)

    @given(st.integers(2, 200), st.integers(-300, 300))
    def test_a_release_belongs_to_the_due_date_it_is_nearest_to(self, every, away):
        due = dt.date(2026, 8, 26) - dt.timedelta(away)
        found: Release | None = cadence.release_for("ROCm", due, every, dt.date(2026, 9, 1))
        if -every < 2 * away <= every and abs(away) < 21:
            assert found is not None
            assert found.text == "10.0.0"

    def test_a_month_is_as_far_as_its_nearest_day(self):
        release = calendar.find_release("CUDA", "13.1")
        assert release is not None
        assert cadence.days_from(release, day("2025-12-25")) == 0
        assert cadence.days_from(release, day("2026-01-05")) == -5
        assert cadence.days_from(release, day("2025-11-29")) == 2


class TestCadence:
    def test_rocm_has_a_commitment_of_its_own(self):
        found = cadence.run_cadence("rocm", DECEMBER)
        assert found.clock is not None
        assert (found.clock.every_days, found.clock.since, found.mean_days) == (42, "7.14.0", 41)
        assert (found.calendar_end, found.calendar_end_version) == ("2026-10-05", "10.1.0")
        assert len(found.releases) == 38

    @pytest.mark.parametrize("project", ["CUDA", "TensorRT-LLM", "vLLM", "SGLang", "MIGraphX"])
    def test_other_projects_are_listed_without_a_commitment(self, project):
        found = cadence.run_cadence(project, DECEMBER)
        assert found.clock is None
        assert len(found.releases) == len(calendar.releases(project))

    def test_any_project_may_be_held_against_an_interval(self):
        found = cadence.run_cadence("MIGraphX", DECEMBER, every_days=42)
        assert found.clock is not None
        assert [(d.version, d.slippage_days) for d in found.clock.dues[:3]] == [("2.17.0", 0), ("2.18.0", -2), ("2.19.0", 0)]

    def test_releases_after_the_day_are_left_out(self):
        found = cadence.run_cadence("ROCm", day("2026-09-01"))
        assert found.releases[-1].version == "7.14.1"
        assert [i.days for i in found.intervals] == [42]

    def test_before_its_first_release_no_clock_runs(self):
        found = cadence.run_cadence("ROCm", day("2026-06-01"))
        assert found.clock is None
        assert any("no clock runs yet" in note for note in found.notes)

    def test_a_hole_is_said_of_the_intervals_too(self):
        assert any("0.5.18 and 0.5.21" in note for note in cadence.run_cadence("SGLang", DECEMBER).notes)


class TestBetween:
    def test_between_two_versions_as_for_a_rate(self):
        found = cadence.between("ROCm", "7.0.0", "7.2.2")
        assert [line.version for line in found.feature] == ["7.1.0", "7.2.0"]
        assert [line.version for line in found.patch] == ["7.0.1", "7.0.2", "7.1.1", "7.2.1", "7.2.2"]
        assert [line.version for line in found.preview] == ["7.9.0", "7.10.0", "7.11.0", "7.12.0"]
        assert found.days == 210

    def test_the_order_does_not_matter(self):
        assert cadence.between("ROCm", "7.2.2", "7.0.0") == cadence.between("ROCm", "7.0.0", "7.2.2")
        assert cadence.between("ROCm", "v6.1", "v6.0") == cadence.between("ROCm", "v6.0", "v6.1")

    def test_a_late_patch_of_an_older_line_is_the_older_one(self):
        found = cadence.between("ROCm", "6.4.4", "7.0.0")
        assert (found.older, found.newer, found.days) == ("6.4.4", "7.0.0", None)
        assert [line.version for line in found.feature] == ["7.0.0"]
        assert any("late patch" in note for note in found.notes)

    def test_between_a_preview_and_a_release_by_date(self):
        assert cadence.between("ROCm", "7.2.4", "7.13.0").older == "7.13.0"

    def test_between_two_rounds_by_their_publication(self):
        found = cadence.between("ROCm", "v6.0", "v6.1")
        assert (found.older_date, found.newer_date, found.days) == ("2026-04-01", "2026-09-16", 168)
        assert [line.version for line in found.feature] == ["7.14.0", "10.0.0"]
        assert [line.version for line in found.patch] == ["7.2.2", "7.2.3", "7.2.4", "7.14.1"]
        assert [line.version for line in found.preview] == ["7.13.0"]
        assert any("submitted by 2026-07-31" in note for note in found.notes)

    def test_an_upper_bound_is_said(self):
        assert any("v4.0 is an upper bound" in note for note in cadence.between("ROCm", "v4.0", "v4.1").notes)

    def test_months_have_no_days(self):
        found = cadence.between("CUDA", "13.0", "13.1")
        assert found.days is None
        assert [line.version for line in found.feature] == ["13.1.0"]

    @pytest.mark.parametrize(
        ("older", "newer", "said"),
        [
            ("v6.0", "7.2.0", "two rounds or two versions"),
            ("v6.0", "v6.0", "two different ones"),
            ("7.2", "7.2.0", "two different ones"),
            ("v6.0", "v9.9", 'round "v9.9" is not in the calendar'),
            ("7.2.0", "8.0.0", "not in the release calendar"),
        ],
    )
    def test_what_cannot_be_compared_is_said(self, older, newer, said):
        with pytest.raises(SelectionError, match=said):
            cadence.between("ROCm", older, newer)
