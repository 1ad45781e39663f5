"""What a number measures, how good the answers were, and in which number format they were computed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.record import accuracy, metrics, names, precision
from groundspeed.record.calendar import rounds
from groundspeed.record.model import AccuracyValue, Harness, Metric, Precision
from groundspeed.sources.mlperf import Reading

ROUNDS = list(rounds())
SCENARIOS = ["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]
BENCHMARKS = list(names.table("models")["benchmark"])


def metric(round_: str, benchmark: str, scenario: str, harness: Harness = "loadgen") -> Metric:
    found = metrics.definition(round_, benchmark, scenario, harness)
    assert found is not None
    return found


def defined(round_: str, benchmark: str, scenario: str, harness: Harness = "loadgen") -> str:
    return metric(round_, benchmark, scenario, harness).definition


# ---------------------------------------------------------------- units


@pytest.mark.parametrize(
    ("round_", "benchmark", "scenario", "unit"),
    [
        ("v4.0", "llama2-70b", "Offline", "tokens/s"),
        ("v4.0", "llama2-70b", "Server", "queries/s"),
        ("v4.1", "llama2-70b", "Offline", "tokens/s"),
        ("v4.1", "llama2-70b", "Server", "tokens/s"),
        ("v5.1", "llama2-70b", "Interactive", "tokens/s"),
        ("v4.0", "gptj", "Offline", "samples/s"),
        ("v4.0", "gptj", "Server", "queries/s"),
        ("v4.1", "gptj", "Offline", "tokens/s"),
        ("v4.1", "gptj", "Server", "tokens/s"),
        ("v4.1", "mixtral-8x7b", "Offline", "tokens/s"),
        ("v4.1", "mixtral-8x7b", "Server", "tokens/s"),
        ("v5.1", "whisper", "Offline", "tokens/s"),
        ("v6.0", "whisper", "Offline", "tokens/s"),
        ("v6.1", "whisper", "Offline", "tokens/s"),
        ("v5.1", "llama3.1-8b", "Interactive", "tokens/s"),
        ("v5.1", "llama3.1-8b-edge", "Offline", "tokens/s"),
        ("v5.1", "llama3.1-8b-edge", "SingleStream", "ms"),
        ("v6.0", "gpt-oss-120b", "Server", "tokens/s"),
        ("v6.0", "deepseek-r1", "Interactive", "tokens/s"),
        ("v6.0", "qwen3-vl-235b-a22b", "Offline", "samples/s"),
        ("v6.0", "qwen3-vl-235b-a22b", "Server", "queries/s"),
        ("v6.1", "e2e-rag-qna", "Offline", "tasks/s"),
        ("v6.1", "wan-2.2-t2v-a14b", "SingleStream", "s"),
        ("v6.1", "wan-2.2-t2v-a14b", "Offline", "samples/s"),
        ("v6.1", "dlrm-v3", "Server", "queries/s"),
        ("v2.0", "resnet50", "Offline", "samples/s"),
        ("v2.0", "resnet50", "Server", "queries/s"),
        ("v2.0", "resnet50", "SingleStream", "ms"),
        ("v2.0", "resnet50", "MultiStream", "ms"),
    ],
)
def test_the_unit_of_a_result(round_: str, benchmark: str, scenario: str, unit: str) -> None:
    assert metric(round_, benchmark, scenario).unit == unit


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("harness", ["loadgen", "endpoints"])
def test_only_latencies_are_better_when_lower(scenario: str, harness: Harness) -> None:
    for round_, benchmark in product(ROUNDS, BENCHMARKS):
        found = metric(round_, benchmark, scenario, harness)
        assert (found.direction == "lower") == (found.quantity == "latency") == (found.unit in {"ms", "s"})


def test_the_harness_of_a_metric_is_the_one_asked_for() -> None:
    assert {metric("v6.1", "qwen3-vl-235b-a22b", "Server", h).harness for h in ("loadgen", "endpoints")} == {
        "loadgen",
        "endpoints",
    }


@pytest.mark.parametrize("scenario", ["Batch", "offline", ""])
def test_an_unknown_scenario_has_no_metric(scenario: str) -> None:
    assert metrics.definition("v6.1", "resnet50", scenario, "loadgen") is None


@pytest.mark.parametrize(
    ("published", "unit"),
    [
        ("Tokens/s", "tokens/s"),
        ("Samples/s", "samples/s"),
        ("Queries/s", "queries/s"),
        ("Latency (ms)", "ms"),
        ("Latency (s)", "s"),
        ("Watts", "W"),
        ("millijoules", "mJ/query"),
        (" tokens/s ", "tokens/s"),
        ("furlongs", "furlongs"),
        ("", ""),
    ],
)
def test_published_units(published: str, unit: str) -> None:
    assert metrics.unit(published) == unit


def test_every_published_unit_but_the_known_wrong_ones_is_that_of_the_definition(table: Callable[[str], Reading]) -> None:
    wrong = {
        (r.provenance.round, r.workload.benchmark, r.workload.scenario)
        for name in ("history", "v5.1", "v6.0", "v6.1")
        for r in table(name).results
        if r.published_unit != r.metric.unit
    }
    tokens = {("v4.1", model, s) for model in ("llama2-70b", "mixtral-8x7b", "gptj") for s in ("Offline", "Server")}
    whisper = {(round_, "whisper", "Offline") for round_ in ("v5.1", "v6.0", "v6.1")}
    assert wrong == tokens | whisper | {("v4.0", "llama2-70b", "Offline"), ("v5.1", "llama3.1-8b", "Interactive")}


# ---------------------------------------------------------------- definitions that differ, and that do not


@pytest.mark.parametrize(
    ("benchmark", "scenario", "older", "newer"),
    [
        ("resnet50", "Server", "v4.0", "v4.1"),
        ("stable-diffusion-xl", "Server", "v4.0", "v4.1"),
        ("llama2-70b", "Server", "v4.0", "v4.1"),
        ("gptj", "Server", "v4.0", "v4.1"),
        ("gptj", "Offline", "v4.0", "v4.1"),
        ("3d-unet", "Offline", "v1.1", "v2.0"),
        ("3d-unet", "Offline", "v2.0", "v2.1"),
        ("3d-unet", "SingleStream", "v2.0", "v2.1"),
        ("mixtral-8x7b", "Offline", "v4.1", "v5.0"),
        ("mixtral-8x7b", "Server", "v4.1", "v5.1"),
        ("resnet50", "SingleStream", "v1.1", "v2.0"),
        ("resnet50", "MultiStream", "v1.1", "v2.0"),
    ],
)
def test_a_definition_that_changed_between_two_rounds(benchmark: str, scenario: str, older: str, newer: str) -> None:
    assert defined(older, benchmark, scenario) != defined(newer, benchmark, scenario)


@pytest.mark.parametrize(
    ("benchmark", "scenario", "older", "newer"),
    [
        ("resnet50", "Offline", "v2.0", "v6.1"),
        ("resnet50", "Server", "v2.0", "v4.0"),
        ("resnet50", "Server", "v4.1", "v6.1"),
        ("llama2-70b", "Offline", "v4.0", "v6.1"),
        ("llama2-70b", "Server", "v4.1", "v6.1"),
        ("llama2-70b", "Interactive", "v5.1", "v6.1"),
        ("gpt-oss-120b", "Server", "v6.0", "v6.1"),
        ("whisper", "Offline", "v5.1", "v6.1"),
        ("3d-unet", "Offline", "v2.1", "v6.0"),
        ("mixtral-8x7b", "Offline", "v5.0", "v6.0"),
        ("resnet50", "SingleStream", "v2.0", "v6.1"),
    ],
)
def test_a_definition_that_stood(benchmark: str, scenario: str, older: str, newer: str) -> None:
    assert metric(older, benchmark, scenario) == metric(newer, benchmark, scenario)


@pytest.mark.parametrize("benchmark", ["qwen3.6-27b", "wan-2.2-t2v-a14b", "resnet50"])
@pytest.mark.parametrize("scenario", ["SingleStream", "MultiStream"])
def test_latencies_of_the_two_harnesses_are_two_definitions(benchmark: str, scenario: str) -> None:
    assert defined("v6.1", benchmark, scenario, "loadgen") != defined("v6.1", benchmark, scenario, "endpoints")
    assert metric("v6.1", benchmark, scenario, "endpoints").statistic == "mean"


@pytest.mark.parametrize(("benchmark", "unit"), [("wan-2.2-t2v-a14b", "s"), ("qwen3.6-27b", "ms")])
def test_a_latency_has_one_unit_whoever_measured_it(benchmark: str, unit: str) -> None:
    assert {metric("v6.1", benchmark, "SingleStream", h).unit for h in ("loadgen", "endpoints")} == {unit}


@pytest.mark.parametrize("scenario", ["Offline", "Server", "Interactive"])
def test_throughputs_of_the_two_harnesses_are_one_definition(scenario: str) -> None:
    for benchmark in BENCHMARKS:
        assert defined("v6.1", benchmark, scenario, "loadgen") == defined("v6.1", benchmark, scenario, "endpoints")


def test_a_definition_belongs_to_one_unit_statistic_and_direction() -> None:
    of: dict[str, set[tuple[str, str, str]]] = {}
    for round_, benchmark, scenario in product(["v1.1", *ROUNDS], BENCHMARKS, SCENARIOS):
        for harness in ("loadgen", "endpoints"):
            found = metrics.definition(round_, benchmark, scenario, harness)  # type: ignore[arg-type]
            assert found is not None
            base = found.definition.partition("/")[0]
            if benchmark != "wan-2.2-t2v-a14b":  # its latencies are the same statistic in seconds
                of.setdefault(base, set()).add((found.unit, found.statistic, found.direction))
    assert {name: kinds for name, kinds in of.items() if len(kinds) > 1} == {}


def test_every_benchmark_in_the_metric_table_exists() -> None:
    listed = {b for rule in names.table("metrics")["rule"] for b in rule.get("benchmark", ())}
    listed |= {revision["benchmark"] for revision in names.table("metrics")["revision"]}
    assert listed - set(BENCHMARKS) == set()


# ---------------------------------------------------------------- accuracy


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


# ---------------------------------------------------------------- number formats


def formats(*weights: str, kv_cache: str = "") -> Precision:
    return Precision(tuple(sorted(weights)), kv_cache=kv_cache)


@pytest.mark.parametrize(
    ("published", "weights", "activations", "kv_cache"),
    [
        ("fp8", ("fp8",), "", ""),
        ("MXFP4", ("mxfp4",), "", ""),
        ("bfloat16", ("bf16",), "", ""),
        ("bf16, fp8, fp4", ("bf16", "fp4", "fp8"), "", ""),
        ("fp8, bf16", ("bf16", "fp8"), "", ""),
        ("nvfp4, fp8 KV cache", ("nvfp4",), "", "fp8"),
        ("NVFP4 weights and activations; FP8 KV cache", ("nvfp4",), "nvfp4", "fp8"),
        ("mxfp4 (LLMs), fp32 (embedding/reranker)", ("fp32", "mxfp4"), "", ""),
        ("UNSET", (), "", ""),
        ("", (), "", ""),
    ],
)
def test_published_number_formats(published: str, weights: tuple[str, ...], activations: str, kv_cache: str) -> None:
    assert precision.parse(published) == (Precision(weights, activations, kv_cache, published), True)


def test_a_number_format_no_table_knows_is_kept_and_said_to_be_unknown() -> None:
    assert precision.parse("ternary") == (Precision(raw="ternary"), False)


@pytest.mark.parametrize("published", names.table("precisions")["precisions"])
def test_every_number_format_of_the_table_is_known_whatever_its_case(published: str) -> None:
    for text in (published, published.upper(), f" {published} ".replace(" ", "  ")):
        found, known = precision.parse(text)
        assert known
        assert found.weights == precision.parse(published)[0].weights


@pytest.mark.parametrize("other", ["mxfp4", "nvfp4", "fp4"])
def test_fp4_of_an_unnamed_kind_does_not_differ_from_a_named_one(other: str) -> None:
    assert not precision.differ(formats("fp4"), formats(other))
    assert not precision.differ(formats("fp4", "bf16"), formats(other, "bf16"))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (formats("mxfp4"), formats("nvfp4")),
        (formats("fp8"), formats("fp4")),
        (formats("fp8"), formats("mxfp4")),
        (formats("fp8"), formats("fp8", "bf16")),
        (formats("fp4"), formats("mxfp4", "fp32")),
        (formats("nvfp4", kv_cache="fp8"), formats("nvfp4", kv_cache="bf16")),
        (formats("fp4", kv_cache="fp8"), formats("nvfp4", kv_cache="bf16")),
    ],
)
def test_number_formats_that_differ(a: Precision, b: Precision) -> None:
    assert precision.differ(a, b)
    assert precision.differ(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (formats("fp8"), formats("fp8")),
        (formats("fp8"), formats()),
        (formats("nvfp4", kv_cache="fp8"), formats("nvfp4")),
        (formats("nvfp4", kv_cache="fp8"), formats("fp4")),
        (formats(), formats()),
    ],
)
def test_a_part_that_is_not_stated_is_no_known_difference(a: Precision, b: Precision) -> None:
    assert not precision.differ(a, b)
    assert not precision.differ(b, a)


FORMATS = st.builds(
    lambda weights, cache: formats(*weights, kv_cache=cache),
    st.sets(st.sampled_from(["fp4", "mxfp4", "nvfp4", "fp8", "bf16"]), max_size=3),
    st.sampled_from(["", "fp8", "bf16"]),
)


@given(FORMATS, FORMATS)
def test_a_difference_of_formats_has_no_direction(a: Precision, b: Precision) -> None:
    assert precision.differ(a, b) == precision.differ(b, a)


@given(FORMATS)
def test_a_format_does_not_differ_from_itself(a: Precision) -> None:
    assert not precision.differ(a, a)
