"""What a published number measures."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from groundspeed.record import metrics, names
from groundspeed.record.calendar import rounds
from groundspeed.record.model import Harness, Metric
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
