"""How good the answers were: values on their target's scale, and held against it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.record import accuracy, names
from groundspeed.record.calendar import rounds
from groundspeed.record.model import AccuracyValue
from groundspeed.sources.mlperf import Reading

ROUNDS = list(rounds())
SCENARIOS = ["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]
BENCHMARKS = list(names.table("models")["benchmark"])


def one(text: str, benchmark: str, scenario: str = "Offline", round_: str = "v6.1") -> AccuracyValue:
    (value,) = accuracy.parse(text, benchmark, scenario, round_)
    return value


@pytest.mark.parametrize(
    ("text", "expected"), [("0.7028", 70.28), ("vbench_score: 70.12", 70.12), ("70.12", 70.12), ("vbench_score: 0.7028", 70.28)]
)
def test_wan_is_read_in_percent_however_it_is_printed(text: str, expected: float) -> None:
    value = one(text, "wan-2.2-t2v-a14b")
    assert (value.metric, value.value) == ("vbench_score", pytest.approx(expected))
    assert value.below is False


@pytest.mark.parametrize(
    ("text", "below"), [("0.6971", True), ("69.71", True), ("0.69488", True), ("0.6978", False), ("69.78", False)]
)
def test_wan_is_held_against_its_target(text: str, below: bool) -> None:
    value = one(text, "wan-2.2-t2v-a14b")
    assert (value.minimum, value.below) == (69.7752, below)


def test_the_last_printed_digit_is_not_held_against_a_result() -> None:
    below = {text: one(f"acc: {text}", "resnet50").below for text in ("75.7", "75.695", "75.694", "75.69")}
    assert below == {"75.7": False, "75.695": False, "75.694": True, "75.69": True}


def test_a_target_is_met_exactly() -> None:
    assert one("acc: 75.6954", "resnet50").below is False


def test_a_fraction_where_the_target_is_one() -> None:
    assert one("0.86339", "3d-unet-99.9", round_="v2.1") == AccuracyValue("DICE", 0.86339, 0.8608383, None, False)
    assert one("86.339", "3d-unet-99.9", round_="v2.1").value == pytest.approx(0.86339)


def test_several_metrics_of_one_text() -> None:
    text = "ROUGE1: 44.4542  ROUGE2: 22.0419  ROUGEL: 28.6112  TOKENS_PER_SAMPLE: 301.1"
    values = accuracy.parse(text, "llama2-70b-99", "Interactive", "v5.1")
    assert [(v.metric, v.value) for v in values] == [
        ("ROUGE1", 44.4542),
        ("ROUGE2", 22.0419),
        ("ROUGEL", 28.6112),
        ("TOKENS_PER_SAMPLE", 301.1),
    ]
    assert not any(v.below for v in values)


def test_the_stricter_target_is_another_target() -> None:
    text = "ROUGE1: 44.2  ROUGE2: 22.05  ROUGEL: 28.65  TOKENS_PER_SAMPLE: 301.1"
    by_target = {t: [v.below for v in accuracy.parse(text, f"llama2-70b-{t}", "Offline", "v5.1")] for t in ("99", "99.9")}
    assert by_target == {"99": [False] * 4, "99.9": [True, False, False, False]}


@pytest.mark.parametrize(("tokens", "below"), [("264", True), ("265.1", False), ("323.8", False), ("324.5", True)])
def test_a_range_has_two_ends(tokens: str, below: bool) -> None:
    assert one(f"TOKENS_PER_SAMPLE: {tokens}", "llama2-70b-99").below is below


def test_mixtrals_target_changed_with_v5_0() -> None:
    minimum = {round_: one("ROUGE1: 45.1", "mixtral-8x7b", round_=round_).minimum for round_ in ("v4.1", "v5.0", "v6.0")}
    assert minimum == {"v4.1": 45.0362, "v5.0": 45.1429, "v6.0": 45.1429}


def test_3d_unets_target_changed_with_v2_1() -> None:
    minimum = {round_: one("DICE: 0.854", "3d-unet-99", round_=round_).minimum for round_ in ("v2.0", "v2.1", "v6.0")}
    assert minimum == {"v2.0": 0.8546769, "v2.1": 0.853083, "v6.0": 0.853083}


def test_qwen3_vl_has_a_lower_target_for_interactive() -> None:
    minimum = {s: one("0.781", "qwen3-vl-235b-a22b", s).minimum for s in ("Offline", "Server", "Interactive")}
    assert minimum == {"Offline": 0.782397, "Server": 0.782397, "Interactive": 0.779922}


def test_without_a_target_nothing_is_judged() -> None:
    assert one("acc: 12.5", "") == AccuracyValue("acc", 12.5)
    assert one("12.5", "acme-1t") == AccuracyValue("accuracy", 12.5)


@pytest.mark.parametrize("text", ["", " ", "n/a", "see notes", "nan", "acc: nan", "acc: " + "9" * 400])
def test_a_text_without_a_number_has_no_values(text: str) -> None:
    assert accuracy.parse(text, "resnet50", "Offline", "v6.1") == ()


@pytest.mark.parametrize(
    ("text", "bare"), [("0.7028", True), (" 76 ", True), ("7.6e1", True), ("acc: 76", False), ("", False), ("nan", False)]
)
def test_a_bare_number(text: str, bare: bool) -> None:
    assert accuracy.is_bare(text) is bare


@given(st.text(), st.sampled_from([*names.benchmark_names(), ""]), st.sampled_from(SCENARIOS), st.sampled_from(ROUNDS))
def test_any_accuracy_text_is_read(text: str, benchmark: str, scenario: str, round_: str) -> None:
    for value in accuracy.parse(text, benchmark, scenario, round_):
        assert value.value == value.value
        assert (value.below is None) == (value.minimum is None and value.maximum is None)


@given(st.floats(0.5, 0.999), st.sampled_from(["resnet50", "bert-99", "wan-2.2-t2v-a14b", "whisper", "gpt-oss-120b"]))
def test_a_fraction_and_its_percentage_are_judged_alike(value: float, benchmark: str) -> None:
    fraction, percent = (one(text, benchmark) for text in (f"{value:.9f}", f"{value * 100:.7f}"))
    assert fraction.value == pytest.approx(percent.value, abs=1e-6)
    limit = fraction.minimum
    assert limit is not None
    if abs(percent.value - limit) > limit * 1e-4:
        assert fraction.below == percent.below


def test_every_target_is_of_a_benchmark_that_exists() -> None:
    known = set(names.benchmark_names())
    assert {t["benchmark"] for t in names.table("accuracy")["target"]} - known == set()


def test_of_the_gated_results_of_v5_1_to_v6_1_two_of_rgat_are_listed_below_their_target(table: Callable[[str], Reading]) -> None:
    below = [
        (r.provenance.round, r.provenance.submitter, r.workload.name, v.metric, v.value)
        for name in ("v5.1", "v6.0", "v6.1")
        for r in table(name).results
        if r.quality.gated
        for v in r.quality.accuracy
        if v.below
    ]
    assert below == [
        ("v6.0", "Cisco", "rgat", "acc", 71.803),
        ("v6.1", "Quanta_Cloud_Technology", "rgat", "acc", 71.489),
    ]
