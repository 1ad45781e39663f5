"""Velocity: a speed-up divided among the releases, or the days, between two stacks."""

from __future__ import annotations

import datetime as dt
import math

import pytest

from groundspeed.audit.pairs import Pair, find_pairs
from groundspeed.audit.velocity import Releases, Velocity, project_of, rate, releases_between, velocity
from groundspeed.record import calendar
from groundspeed.record.calendar import Release
from makers import result


def release(project: str, text: str) -> Release:
    found = calendar.find_release(project, text)
    assert found is not None, text
    return found


def between(older: str, newer: str, project: str = "ROCm") -> Releases:
    return releases_between(project, release(project, older), release(project, newer))


def texts(releases: tuple[Release, ...]) -> list[str]:
    return [r.text for r in releases]


def pair(older: str, newer: str, rounds: tuple[str, str] = ("v6.0", "v6.1"), **both) -> Pair:
    """8x MI355X, gpt-oss-120b Server, 82,136.1 -> 113,241.0 tokens/s, with the stacks given."""
    return Pair(
        result(**{"round": rounds[0], "value": 82136.1, "stack": older, **both}),
        result(**{"round": rounds[1], "value": 113241.0, "stack": newer, **both}),
        (),
    )


def rates(older: str, newer: str, **overrides) -> Velocity:
    return velocity(pair(older, newer, **overrides))


# ---------------------------------------------------------------- the worked example: ROCm 7.0.0 -> 7.2.2


@pytest.fixture(scope="module")
def worked() -> Velocity:
    return rates("vLLM 0.14.0, ROCm 7.0.0", "vLLM 0.22.0, ROCm 7.2.2")


def test_its_feature_releases_are_7_1_0_and_7_2_0(worked):
    assert texts(worked.releases.feature) == ["7.1.0", "7.2.0"]


def test_its_patches_are_reported_and_not_counted(worked):
    assert texts(worked.releases.patch) == ["7.0.1", "7.0.2", "7.1.1", "7.2.1", "7.2.2"]


def test_its_previews_are_reported_and_not_counted_in_numeric_order(worked):
    assert texts(worked.releases.preview) == ["7.9.0", "7.10.0", "7.11.0", "7.12.0"]


def test_its_days_are_five_cadences(worked):
    assert (worked.days, worked.releases.days, worked.basis) == (210, 210, "stack-releases")


def test_its_dates_are_those_of_the_releases(worked):
    assert (worked.releases.older.date, worked.releases.newer.date) == (dt.date(2025, 9, 16), dt.date(2026, 4, 14))


def test_its_rate_per_release_is_the_square_root(worked):
    assert worked.per_release == pytest.approx(math.sqrt(113241.0 / 82136.1) - 1)
    assert round(100 * worked.per_release, 1) == 17.4


def test_its_rate_per_42_days_is_the_fifth_root(worked):
    assert worked.per_cadence == pytest.approx((113241.0 / 82136.1) ** (1 / 5) - 1)
    assert round(100 * worked.per_cadence, 1) == 6.6


def test_its_annualised_rate_is_over_365_days(worked):
    assert worked.per_year == pytest.approx((113241.0 / 82136.1) ** (365 / 210) - 1)
    assert round(100 * worked.per_year, 1) == 74.7


def test_it_has_no_notes(worked):
    assert worked.notes == ()


@pytest.mark.parametrize("later", ["7.14.0", "10.0.0"])
def test_a_release_after_the_declared_stack_contributed_nothing_to_it(worked, later):
    counted = worked.releases.feature + worked.releases.patch + worked.releases.preview
    assert later not in texts(counted)


# ---------------------------------------------------------------- what counts as a release between


def test_a_late_patch_of_an_older_line_is_not_between():
    found = between("7.0.0", "7.2.2")
    assert release("ROCm", "6.4.4").date > release("ROCm", "7.0.0").date
    assert "6.4.4" not in texts(found.feature + found.patch)


def test_the_classic_line_counts_though_it_is_marked_legacy():
    assert {r.channel for r in between("6.1.2", "6.4.1").feature} == {"legacy"}
    assert texts(between("6.1.2", "6.4.1").feature) == ["6.2.0", "6.3.0", "6.4.0"]


def test_the_older_stacks_own_release_is_not_counted_and_the_newer_is():
    assert texts(between("7.0.0", "7.1.0").feature) == ["7.1.0"]


def test_from_the_classic_line_into_the_production_line_both_count():
    assert texts(between("7.2.2", "10.0.0").feature) == ["7.14.0", "10.0.0"]


def test_10_comes_after_7_14():
    assert texts(between("7.14.0", "10.1.0").feature) == ["10.0.0", "10.1.0"]


def test_a_patch_of_an_older_line_is_not_between_two_releases_of_a_newer_one():
    found = between("10.0.0", "10.1.0")
    assert "7.14.1" not in texts(found.feature + found.patch)


def test_what_came_out_after_the_newer_stack_is_not_between():
    assert release("ROCm", "7.14.1").date > release("ROCm", "10.0.0").date
    assert texts(between("7.2.4", "10.0.0").patch) == []


def test_previews_lie_between_by_date():
    assert texts(between("7.2.0", "7.2.1").preview) == ["7.11.0"]


def test_between_a_stack_and_itself_there_is_no_release():
    found = between("7.2.2", "7.2.2")
    assert (found.feature, found.patch, found.preview, found.days) == ((), (), (), 0)


def test_back_to_an_older_stack_there_is_no_release():
    found = between("7.2.2", "7.0.0")
    assert (found.feature, found.patch, found.days) == ((), (), -210)


def test_a_later_stack_never_has_fewer_feature_releases_behind_it():
    # 6.4.4 was published eight days after 7.0.0.
    assert len(between("6.4.4", "7.0.0").feature) <= len(between("6.4.4", "7.0.2").feature)


def test_a_patch_on_the_way_does_not_lose_a_feature_release():
    way = len(between("6.4.3", "6.4.4").feature) + len(between("6.4.4", "7.1.0").feature)
    assert way == len(between("6.4.3", "7.1.0").feature)


def test_sglangs_feature_releases_are_its_0_5_n():
    found = between("0.5.8", "0.5.11", "SGLang")
    assert texts(found.feature) == ["0.5.9", "0.5.10", "0.5.11"]


def test_sglangs_post_releases_are_patches_and_its_candidates_previews():
    found = between("0.5.8", "0.5.11", "SGLang")
    assert texts(found.patch) == ["0.5.8.post1", "0.5.10.post1"]
    assert texts(found.preview) == ["0.5.10rc0"]


def test_a_vllm_release_of_four_numbers_is_no_feature_release():
    assert texts(between("0.9.0", "0.10.0", "vLLM").feature) == ["0.10.0"]


# ---------------------------------------------------------------- CUDA, whose dates are months


def test_months_give_no_days_between_releases():
    assert between("12.8.0", "13.1.0", "CUDA").days is None


def test_months_give_a_rate_per_release():
    found = rates("CUDA 12.9.0", "CUDA 13.1.0", accelerator="B300")
    assert texts(found.releases.feature) == ["13.0.0", "13.1.0"]
    assert found.per_release == pytest.approx(math.sqrt(113241.0 / 82136.1) - 1)


def test_days_between_months_come_from_the_rounds_and_say_so():
    found = rates("CUDA 12.9.0", "CUDA 13.1.0", accelerator="B300")
    assert (found.days, found.basis) == (168, "round-publication")


def test_within_a_month_the_version_decides():
    # 12.6.0 and 12.6.1 are both of August 2024.
    assert texts(between("12.6.0", "12.6.1", "CUDA").patch) == ["12.6.1"]
    assert between("12.6.1", "12.6.0", "CUDA").patch == ()


def test_a_release_of_the_older_stacks_month_is_between_if_its_version_is():
    assert texts(between("12.6.0", "12.6.2", "CUDA").patch) == ["12.6.1", "12.6.2"]


# ---------------------------------------------------------------- where there is no rate per release


def test_a_preview_gives_no_releases_and_says_so():
    found = rates("ROCm 7.11.0", "ROCm 7.14.0")
    assert (found.releases, found.per_release) == (None, None)
    assert found.notes == ("ROCm 7.11.0 is a preview, outside the production line: no per-release rate",)


@pytest.mark.parametrize(("older", "newer"), [("7.11.0", "7.2.2"), ("7.0.0", "7.12.0")])
def test_with_a_preview_on_either_side_the_rounds_dates_serve(older, newer):
    found = rates(f"ROCm {older}", f"ROCm {newer}")
    assert (found.days, found.basis) == (168, "round-publication")


@pytest.mark.parametrize("version", ["7.2.53211", "6.12.12", "6.10.5"])
def test_a_version_outside_the_calendar_gives_no_releases_and_says_so(version):
    found = rates("ROCm 7.0.0", f"ROCm {version}")
    assert (found.releases, found.per_release) == (None, None)
    assert found.notes == (f"ROCm {version} of the v6.1 stack is not in the release calendar",)


def test_both_sides_outside_the_calendar_are_said():
    found = rates("ROCm 6.12.12", "ROCm 6.10.5")
    assert [note.split(" of ")[0] for note in found.notes] == ["ROCm 6.12.12", "ROCm 6.10.5"]


def test_a_stack_without_the_projects_version_gives_no_releases_and_says_so():
    found = rates("vLLM 0.14.0", "ROCm 7.2.2")
    assert found.releases is None
    assert found.notes == ("the v6.0 stack declares no ROCm version",)


def test_a_stack_that_lists_two_versions_gives_no_releases_and_says_so():
    found = rates("ROCm 7.0.0, ROCm 7.1.0", "ROCm 7.2.2")
    assert found.releases is None
    assert found.notes == ("the v6.0 stack lists several ROCm versions (7.0.0, 7.1.0)",)


def test_two_spellings_of_one_version_are_one_release():
    assert rates("ROCm 7.0.0", "ROCm 7.2.2, ROCm 7.2.2.70202").releases.newer.text == "7.2.2"


def test_equal_stacks_have_no_rate_per_release_and_say_so():
    found = rates("ROCm 7.2.2", "ROCm 7.2.2")
    assert found.per_release is None
    assert found.notes == ("both stacks are ROCm 7.2.2: no release between them",)


def test_patches_alone_make_no_rate_per_release():
    found = rates("ROCm 7.0.0", "ROCm 7.0.2")
    assert (found.per_release, texts(found.releases.patch)) == (None, ["7.0.1", "7.0.2"])
    assert found.notes == ("no feature release of ROCm between the two stacks",)


def test_patches_alone_still_make_a_rate_per_day():
    found = rates("ROCm 7.0.0", "ROCm 7.0.2")
    assert (found.days, found.basis) == (24, "stack-releases")
    assert found.per_cadence == pytest.approx((113241.0 / 82136.1) ** (42 / 24) - 1)


def test_an_older_stack_on_the_newer_side_has_no_rate_by_its_negative_days():
    found = rates("ROCm 7.2.2", "ROCm 7.0.0")
    assert (found.per_release, found.days, found.basis) == (None, 168, "round-publication")


def test_a_changed_definition_has_no_rate_at_all():
    old, new = result(round="v4.0", model="llama2-70b", value=100.0), result(round="v4.1", model="llama2-70b")
    changed = find_pairs([old], [new], {"definition-changed"}).found[0]
    found = velocity(changed)
    assert (found.releases, found.per_release, found.per_cadence, found.per_year, found.basis) == (None, None, None, None, None)


# ---------------------------------------------------------------- the rounds' dates


def test_the_rounds_dates_are_those_of_publication():
    found = rates("", "")
    assert (found.days, found.basis) == ((dt.date(2026, 9, 16) - dt.date(2026, 4, 1)).days, "round-publication")


@pytest.mark.parametrize(
    ("rounds", "bounded"),
    [
        (("v2.0", "v2.1"), ["v2.0"]),
        (("v3.0", "v3.1"), ["v3.1"]),
        (("v3.1", "v4.0"), ["v3.1", "v4.0"]),
        (("v4.0", "v4.1"), ["v4.0"]),
        (("v2.1", "v3.0"), []),
        (("v6.0", "v6.1"), []),
    ],
)
def test_a_date_that_is_only_a_bound_is_said(rounds, bounded):
    found = rates("", "", rounds=rounds, accelerator=None, model="resnet50", scenario="Offline")
    assert found.notes == tuple(f"the publication date of {name} is an upper bound" for name in bounded)


def test_bounds_are_not_said_where_the_releases_dates_serve():
    assert rates("ROCm 6.0.0", "ROCm 6.1.2", rounds=("v4.0", "v4.1"), model="resnet50", scenario="Offline").notes == ()


# ---------------------------------------------------------------- which project


@pytest.mark.parametrize(
    ("groups", "project"),
    [
        ([("MI355X", 8)], ("ROCm", "rocm")),
        ([("MI300X", 8), ("MI355X", 8)], ("ROCm", "rocm")),
        ([("B300", 8)], ("CUDA", "cuda")),
        ([("H200-SXM", 8), ("MI350X", 8)], None),
        ([("Arc Pro B70", 4)], None),
        ([("An accelerator nobody knows", 4)], None),
        ([], None),
    ],
)
def test_releases_are_counted_of_the_accelerators_vendor_and_of_no_mixture(groups, project):
    assert project_of(result(groups=groups).system) == project


def test_without_a_project_there_are_no_releases_and_no_word_about_them():
    found = rates("ROCm 7.0.0, CUDA 13.0", "ROCm 7.2.2, CUDA 13.1", groups=[("H200-SXM", 8), ("MI350X", 8)])
    assert (found.releases, found.per_release, found.notes) == (None, None, ())


# ---------------------------------------------------------------- rates


def test_a_loss_has_a_negative_rate():
    assert rate(0.81, 2) == pytest.approx(-0.1)


def test_no_change_has_no_rate_of_change():
    assert rate(1.0, 3) == 0.0


def test_a_latency_that_fell_has_a_positive_rate():
    latency = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}
    old = result(round="v6.0", value=27.384519, stack="ROCm 7.0.0", **latency)
    new = result(value=16.124484, stack="ROCm 7.1.0", **latency)
    assert velocity(Pair(old, new, ())).per_release == pytest.approx(27.384519 / 16.124484 - 1)
