"""The calendars: rounds and releases, ordered by date and by number, never as text."""

from __future__ import annotations

import csv
import datetime as dt
from importlib.resources import files

import pytest

from groundspeed.record.calendar import find_release, is_round, releases, round_key, rounds, rounds_between

PROJECTS = ["ROCm", "CUDA", "MIGraphX", "TensorRT-LLM", "vLLM", "SGLang"]


def rows(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(files("groundspeed.record.data").joinpath(name).read_text("utf-8").splitlines()))


# ---------------------------------------------------------------- rounds


def test_rounds_are_in_order_from_v2_0_to_v6_1():
    assert list(rounds()) == ["v2.0", "v2.1", "v3.0", "v3.1", "v4.0", "v4.1", "v5.0", "v5.1", "v6.0", "v6.1"]


def test_rounds_are_ordered_by_number_and_not_as_text():
    assert sorted(["v10.0", "v6.1", "v6.10", "v6.2"], key=round_key) == ["v6.1", "v6.2", "v6.10", "v10.0"]


@pytest.mark.parametrize("text", ["6.1", "v6", "v6.1 ", "v6.1.0", "", "v6.x"])
def test_what_is_no_round_is_refused(text):
    assert not is_round(text)
    with pytest.raises(ValueError, match="is not a round"):
        round_key(text)


@pytest.mark.parametrize("name", ["v2.0", "v3.1", "v4.0"])
def test_the_publication_of_some_rounds_is_known_by_a_bound_only(name):
    round_ = rounds()[name]
    assert round_.published is None
    assert round_.date == round_.not_later_than is not None


@pytest.mark.parametrize("name", sorted(set(rounds()) - {"v2.0", "v3.1", "v4.0"}))
def test_the_other_rounds_have_a_publication_date(name):
    assert rounds()[name].date == rounds()[name].published is not None


def test_the_newest_two_rounds_were_published_168_days_apart():
    assert (rounds()["v6.0"].published, rounds()["v6.1"].published) == (dt.date(2026, 4, 1), dt.date(2026, 9, 16))


def test_every_round_was_published_after_its_deadline_and_after_the_one_before():
    dates = [d for r in rounds().values() for d in (r.deadline, r.date)]
    assert dates == sorted(dates)


def test_v5_0_lies_between_v4_1_and_v5_1():
    assert rounds_between("v4.1", "v5.1") == ["v5.0"]


def test_nothing_lies_between_consecutive_rounds():
    assert rounds_between("v6.0", "v6.1") == []


# ---------------------------------------------------------------- releases


def test_there_are_three_channels():
    assert {row["channel"] for row in rows("releases.csv")} == {"production", "preview", "legacy"}


def test_every_row_names_a_known_project_and_its_source():
    assert {row["project"] for row in rows("releases.csv")} == set(PROJECTS)
    assert all(row["source"] for row in rows("releases.csv"))


def test_every_row_is_a_release():
    assert sum(len(releases(project)) for project in PROJECTS) == len(rows("releases.csv"))


@pytest.mark.parametrize("project", PROJECTS)
def test_no_version_is_listed_twice(project):
    versions = [r.text for r in releases(project)]
    assert len(versions) == len(set(versions))


@pytest.mark.parametrize("project", PROJECTS)
def test_releases_are_ordered_by_date(project):
    dates = [r.date for r in releases(project)]
    assert dates == sorted(dates)


def test_a_project_without_a_calendar_has_no_releases():
    assert releases("oneAPI") == ()


@pytest.mark.parametrize(("smaller", "greater"), [("7.9.0", "7.10.0"), ("7.2.2", "7.14.0"), ("7.14.0", "10.0.0")])
def test_versions_are_ordered_by_number_and_not_as_text(smaller, greater):
    assert find_release("ROCm", smaller).version < find_release("ROCm", greater).version
    assert smaller > greater


def test_dates_of_months_are_marked():
    assert all(r.month_only and r.date.day == 1 for r in releases("CUDA"))
    assert not any(r.month_only for r in releases("ROCm"))


def test_a_disputed_date_is_carried_with_its_alternatives():
    assert find_release("ROCm", "7.14.0").date == dt.date(2026, 7, 15)
    assert find_release("ROCm", "7.14.0").disputed == ("2026-07-16",)


@pytest.mark.parametrize("text", ["7.9.0", "7.10.0", "7.11.0", "7.12.0", "7.13.0"])
def test_rocm_7_9_to_7_13_are_previews(text):
    release = find_release("ROCm", text)
    assert (release.channel, release.is_feature) == ("preview", False)


@pytest.mark.parametrize(
    ("project", "text", "feature"),
    [
        ("ROCm", "7.2.0", True),
        ("ROCm", "7.2.2", False),
        ("ROCm", "6.4.0", True),
        ("ROCm", "10.0.0", True),
        ("CUDA", "13.1.0", True),
        ("CUDA", "13.1.2", False),
        ("CUDA", "13.4.0", False),
        ("SGLang", "0.5.10", True),
        ("SGLang", "0.5.10.post1", False),
        ("SGLang", "0.5.10rc0", False),
        ("vLLM", "0.10.0", True),
        ("vLLM", "0.10.1", False),
        ("vLLM", "0.9.0.1", False),
        ("TensorRT-LLM", "1.2.0rc4", False),
        ("TensorRT-LLM", "1.1.0", True),
    ],
)
def test_a_feature_release_is_x_y_0_and_sglangs_0_5_n(project, text, feature):
    assert find_release(project, text).is_feature is feature


# ---------------------------------------------------------------- finding a declared version


@pytest.mark.parametrize(
    ("project", "declared", "text"),
    [
        ("ROCm", "7.2.2", "7.2.2"),
        ("ROCm", "6.4.1.60401-83~22.04", "6.4.1"),
        ("ROCm", "7.0", "7.0.0"),
        ("ROCm", "7.10", "7.10.0"),
        ("ROCm", "7.1", "7.1.0"),
        ("ROCm", "7.2.0+git8514f05", "7.2.0"),
        ("CUDA", "13.1", "13.1.0"),
        ("CUDA", "13.1.0", "13.1.0"),
        ("CUDA", "12.9.1", "12.9.1"),
        ("SGLang", "0.5.9", "0.5.9"),
        ("SGLang", "0.5.8.post1", "0.5.8.post1"),
    ],
)
def test_a_declared_version_is_found_by_its_components(project, declared, text):
    assert find_release(project, declared).text == text


@pytest.mark.parametrize(
    ("project", "declared"),
    [
        ("ROCm", "7.2.53211"),
        ("ROCm", "6.12.12"),
        ("ROCm", "6.10.5"),
        ("ROCm", "6.5.0.60500-crnm350d.40~22.04"),
        ("ROCm", "7.2.0rc1"),
        ("ROCm", "7.22"),
        ("ROCm", "72.2"),
        ("ROCm", "latest"),
        ("ROCm", ""),
        ("CUDA", "12.2"),
        ("vLLM", "0.22.0"),
        ("oneAPI", "2025.1"),
    ],
)
def test_a_version_that_the_calendar_does_not_hold_is_unknown(project, declared):
    assert find_release(project, declared) is None
