"""Pairs: software is the only thing that can have moved, and everything weaker is allowed by name only."""

from __future__ import annotations

import pytest

from groundspeed.audit.caveats import ANNOTATIONS, DEFAULT_ALLOWED, RELAXATIONS, allowed_relaxations
from groundspeed.audit.copies import without_copies
from groundspeed.audit.engine import run_audit
from groundspeed.audit.pairs import Pair, Pairs, find_pairs
from groundspeed.errors import SelectionError
from groundspeed.record.model import AccuracyValue, Precision, Result
from makers import result

EVERYTHING = frozenset(RELAXATIONS)
OLDER_STACK = "vLLM 0.14.0, PyTorch 2.9.0, ROCm 7.0.0"
OTHER_SERVER = "Dell PowerEdge XE9785L"


def older(**overrides) -> Result:
    """AMD's 8x MI355X of v6.0, unless something else is asked for."""
    return result(**{"round": "v6.0", "value": 82136.1, "stack": OLDER_STACK, **overrides})


def newer(**overrides) -> Result:
    """The same system in v6.1."""
    return result(**{"round": "v6.1", "value": 113241.0, **overrides})


def single(pairs: Pairs) -> Pair:
    """The one pair that was found."""
    assert len(pairs.found) == 1, pairs
    return pairs.found[0]


def between(old: Result, new: Result, allowed=EVERYTHING) -> Pair:
    """The one pair of two results."""
    return single(find_pairs([old], [new], allowed))


# ---------------------------------------------------------------- software-only pairs and relaxations

RELAXED = {
    "baseline-open-division": ({"division": "open"}, {}),
    "division-differs": ({}, {"division": "open"}),
    "different-submitter": ({"submitter": "Dell"}, {}),
    "different-platform": ({"system": OTHER_SERVER}, {}),
    "count-differs": ({"count": 16}, {}),
    "accuracy-target-differs": ({"model": "llama2-70b", "target": "99"}, {"model": "llama2-70b", "target": "99.9"}),
    "precision-differs": ({"precision": Precision(("fp8",))}, {}),
    "framework-differs": ({"stack": "SGLang 0.5.9, PyTorch 2.9.0, ROCm 7.0.0"}, {}),
    "harness-differs": ({}, {"harness": "endpoints"}),
    "definition-changed": ({"round": "v4.0", "model": "llama2-70b"}, {"round": "v4.1", "model": "llama2-70b"}),
    "inferred-result": ({"inferred": True}, {}),
    "availability-differs": ({"availability": "preview"}, {}),
    "stack-unknown": ({"stack": "TODO"}, {}),
    "copied-result": ({"value": 113241.0}, {}),
    "power-run": ({"power_run": True}, {}),
}


def test_every_relaxation_is_tried_here():
    assert set(RELAXED) == set(RELAXATIONS)


def test_a_software_only_pair_needs_no_relaxation():
    assert between(older(), newer(), allowed=()).caveats == ()


@pytest.mark.parametrize("code", RELAXED)
def test_without_the_relaxation_the_pair_is_absent(code):
    old, new = RELAXED[code]
    pairs = find_pairs([older(**old)], [newer(**new)], EVERYTHING - {code})
    assert pairs.found == []


@pytest.mark.parametrize("code", RELAXED)
def test_what_was_left_out_is_counted_under_the_relaxation_it_needs(code):
    old, new = RELAXED[code]
    pairs = find_pairs([older(**old)], [newer(**new)], EVERYTHING - {code})
    assert pairs.left_out == {(code,): 1}


@pytest.mark.parametrize("code", RELAXED)
def test_with_the_relaxation_the_pair_carries_its_caveat_and_no_other(code):
    old, new = RELAXED[code]
    assert between(older(**old), newer(**new), allowed={code}).caveats == (code,)


def test_two_open_results_are_of_the_same_division():
    assert between(older(division="open"), newer(division="open"), allowed=()).caveats == ()


def test_a_vendor_against_a_partner_on_another_server_needs_both_names():
    pair = between(older(submitter="Dell", system=OTHER_SERVER), newer())
    assert pair.caveats == ("different-platform", "different-submitter")


def test_another_host_processor_is_another_platform():
    assert between(older(processor="AMD EPYC 9655"), newer()).caveats == ("different-platform",)


@pytest.mark.parametrize("label", ["8xMI355X_2xEPYC_9575F", "smci355-ccs-aus-m02-21"])
def test_labels_and_host_names_are_no_other_platform(label):
    assert between(older(system=label), newer(), allowed=()).caveats == ()


@pytest.mark.parametrize("weights", ["mxfp4", "nvfp4"])
def test_fp4_of_an_unnamed_kind_is_no_other_precision(weights):
    pair = between(older(precision=Precision(("fp4",))), newer(precision=Precision((weights,))), allowed=())
    assert pair.caveats == ()


def test_mxfp4_and_nvfp4_are_different_precisions():
    pair = between(older(precision=Precision(("mxfp4",))), newer(precision=Precision(("nvfp4",))))
    assert pair.caveats == ("precision-differs",)


def test_another_format_of_the_kv_cache_is_another_precision():
    pair = between(
        older(precision=Precision(("mxfp4",), kv_cache="bf16")), newer(precision=Precision(("mxfp4",), kv_cache="fp8"))
    )
    assert pair.caveats == ("precision-differs",)


def test_a_precision_that_is_not_stated_is_no_known_difference():
    assert between(older(precision=Precision()), newer(), allowed=()).caveats == ()


def test_another_version_of_the_same_framework_is_no_other_framework():
    assert "framework-differs" not in between(older(stack="vLLM 0.9.0, ROCm 7.0.0"), newer()).caveats


@pytest.mark.parametrize("stack", ["", "TODO", "our own container"])
@pytest.mark.parametrize("side", ["older", "newer"])
def test_a_stack_that_names_no_version_is_unknown_on_either_side(stack, side):
    old, new = ({"stack": stack}, {}) if side == "older" else ({}, {"stack": stack})
    assert between(older(**old), newer(**new)).caveats == ("stack-unknown",)


def test_an_inferred_newer_result_is_not_measured_either():
    assert find_pairs([older()], [newer(inferred=True)], DEFAULT_ALLOWED).found == []


def test_a_single_stream_latency_of_the_endpoints_client_is_another_definition():
    old = older(model="wan-2.2-t2v-a14b", scenario="SingleStream", value=23.78)
    new = newer(model="wan-2.2-t2v-a14b", scenario="SingleStream", value=17.98, harness="endpoints")
    assert find_pairs([old], [new], DEFAULT_ALLOWED).left_out == {("definition-changed",): 1}


@pytest.mark.parametrize(
    "other",
    [{"model": "llama2-70b"}, {"scenario": "Offline"}, {"model": "gpt-oss-120b-tuned", "benchmark": "gpt-oss-120b"}],
    ids=["model", "scenario", "variant"],
)
def test_another_workload_never_makes_a_pair(other):
    pairs = find_pairs([older(**other)], [newer()], EVERYTHING)
    assert pairs.found == []
    assert not pairs.left_out


def test_a_relaxation_that_does_not_exist_is_refused():
    with pytest.raises(ValueError, match="software-differs"):
        find_pairs([older()], [newer()], {"software-differs"})


def test_an_annotation_cannot_be_allowed():
    with pytest.raises(SelectionError, match="said of a pair whatever is allowed"):
        allowed_relaxations(["heterogeneous"])


def test_a_misspelt_relaxation_is_answered_with_the_nearest():
    with pytest.raises(SelectionError, match="did you mean count-differs"):
        allowed_relaxations(["counts-differ"])


def test_only_none_allows_nothing():
    assert allowed_relaxations([], ["none"]) == frozenset()


def test_the_default_allows_nobody_elses_result_and_no_other_count():
    assert {"different-submitter", "count-differs", "definition-changed", "copied-result"}.isdisjoint(DEFAULT_ALLOWED)


# ---------------------------------------------------------------- annotations


def test_every_annotation_is_no_relaxation():
    assert not ANNOTATIONS.keys() & RELAXATIONS.keys()


def test_a_missing_round_between_the_two_is_said():
    pairs = find_pairs([older(round="v4.1")], [newer(round="v5.1")], EVERYTHING, ["v5.0"])
    assert single(pairs).caveats == ("spans-missing-round",)


def test_a_round_that_is_held_is_not_missing():
    rows = [older(round=name, value=v) for name, v in (("v5.1", 70_000.0), ("v6.0", 80_000.0))]
    (finding,) = run_audit([*rows, newer()], "v5.1,v6.1").findings
    assert (finding.older.round, finding.newer.round, finding.caveats) == ("v5.1", "v6.1", [])


def test_a_round_that_is_not_held_is_missing():
    (finding,) = run_audit([older(round="v4.1"), newer(round="v5.1")]).findings
    assert finding.caveats == ["spans-missing-round"]


def test_a_mixed_system_is_said():
    mixed = {"groups": [("MI300X", 8), ("MI355X", 8)]}
    assert between(older(**mixed), newer(**mixed), allowed=()).caveats == ("heterogeneous",)


@pytest.mark.parametrize("tag", ["power-cap-1000w", "power-310w", "maxq"])
def test_a_power_cap_on_both_sides_is_said(tag):
    assert between(older(tags=[tag]), newer(tags=[tag]), allowed=()).caveats == ("power-capped",)


def test_an_nvlink_domain_is_no_power_cap():
    assert between(older(tags=["nvl72"]), newer(tags=["nvl72"]), allowed=()).caveats == ()


@pytest.mark.parametrize("side", ["older", "newer"])
def test_accuracy_below_its_target_as_listed_is_said_of_either_side(side):
    low = {"accuracy": (AccuracyValue("vbench_score", 69.488, minimum=69.7752, below=True),)}
    old, new = (low, {}) if side == "older" else ({}, low)
    assert between(older(**old), newer(**new), allowed=()).caveats == ("below-target-as-listed",)


# ---------------------------------------------------------------- hardware identity


@pytest.mark.parametrize("tag", ["power-cap-1000w", "maxq", "nvl72", "virtualised", "cpu-only"])
def test_a_variant_tag_makes_other_hardware_whatever_is_allowed(tag):
    pairs = find_pairs([older(tags=[tag])], [newer()], EVERYTHING)
    assert pairs.found == []
    assert not pairs.left_out


def test_another_accelerator_is_other_hardware_whatever_is_allowed():
    assert find_pairs([older(accelerator="MI350X")], [newer()], EVERYTHING).found == []


def test_a_mixed_system_is_no_system_of_one_of_its_kinds():
    mixed = older(groups=[("MI300X", 8), ("MI355X", 8)])
    assert find_pairs([mixed], [newer(count=16)], EVERYTHING).found == []


def test_a_cpu_only_system_has_its_processors_in_the_accelerators_place():
    cpu = {"accelerator": None, "processor": "Intel Xeon 6980P", "system": "1-node-2S-GNR_128C", "model": "llama3.1-8b"}
    pair = between(older(**cpu, value=471.541), newer(**cpu, value=1139.51), allowed=())
    assert pair.speedup == pytest.approx(1139.51 / 471.541)


def test_a_cpu_only_system_with_another_processor_is_other_hardware():
    cpu = {"accelerator": None, "model": "llama3.1-8b"}
    old, new = older(**cpu, processor="Intel Xeon 6972P"), newer(**cpu, processor="Intel Xeon 6980P")
    assert find_pairs([old], [new], EVERYTHING).found == []


def test_a_cpu_only_system_with_more_sockets_is_compared_per_socket():
    cpu = {"accelerator": None, "processor": "Intel Xeon 6980P"}
    pair = between(older(**cpu, sockets=1, value=100.0), newer(**cpu, sockets=2, value=300.0), allowed={"count-differs"})
    assert pair.speedup == pytest.approx(1.5)


# ---------------------------------------------------------------- counts


def test_where_counts_differ_the_comparison_is_per_accelerator():
    pair = between(older(count=94, value=900054.0), newer(count=72, value=964468.0), allowed={"count-differs"})
    assert pair.speedup == pytest.approx((964468.0 / 72) / (900054.0 / 94))


def test_where_counts_are_equal_nothing_is_divided():
    assert between(older(), newer()).per_accelerator is False


def test_latencies_are_never_divided_by_a_count():
    latency = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}
    pairs = find_pairs([older(**latency, count=8, value=27.4)], [newer(**latency, count=72, value=16.1)], EVERYTHING)
    assert pairs.found == []


def test_an_unknown_count_divides_nothing():
    assert find_pairs([older(count=None)], [newer(count=8)], EVERYTHING).found == []
    assert find_pairs([older(count=8)], [newer(count=None)], EVERYTHING).found == []


def test_a_cpu_only_system_without_known_sockets_divides_nothing():
    cpu = {"accelerator": None, "processor": "Intel Xeon 6980P"}
    assert find_pairs([older(**cpu, sockets=None)], [newer(**cpu, sockets=2)], EVERYTHING).found == []


def test_an_equal_count_is_preferred_to_a_better_result_of_another_count():
    olds = [older(), older(count=16, value=200_000.0, platform="16x")]
    assert single(find_pairs(olds, [newer()], EVERYTHING)).older is olds[0]


def test_another_count_is_not_looked_at_unless_it_is_allowed():
    olds = [older(count=16, value=200_000.0, platform="16x"), older(system=OTHER_SERVER, platform="dell")]
    assert single(find_pairs(olds, [newer()], DEFAULT_ALLOWED)).older is olds[1]


def test_of_other_counts_the_nearest_is_compared():
    olds = [older(count=64, value=500_000.0, platform="64x"), older(count=16, value=150_000.0, platform="16x")]
    assert single(find_pairs(olds, [newer()], EVERYTHING)).older is olds[1]


# ---------------------------------------------------------------- direction


def test_a_speedup_of_a_throughput_is_newer_over_older():
    assert between(older(value=100.0), newer(value=150.0)).speedup == pytest.approx(1.5)


def test_a_speedup_of_a_latency_is_older_over_newer():
    latency = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}
    pair = between(older(**latency, value=27.384519297), newer(**latency, value=16.124484197))
    assert pair.speedup == pytest.approx(27.384519297 / 16.124484197)


# ---------------------------------------------------------------- which row is compared


def test_the_same_server_comes_first_even_if_another_was_better():
    olds = [older(value=80_000.0), older(system=OTHER_SERVER, value=90_000.0, platform="dell")]
    assert single(find_pairs(olds, [newer()], EVERYTHING)).older is olds[0]


def test_with_a_pair_on_the_same_server_the_other_servers_make_none():
    news = [newer(value=100_000.0), newer(system=OTHER_SERVER, value=120_000.0, platform="dell")]
    assert single(find_pairs([older()], news, EVERYTHING)).newer is news[0]


def test_every_server_that_was_submitted_again_makes_its_own_pair():
    olds = [older(value=80_000.0), older(system=OTHER_SERVER, value=81_000.0, platform="dell")]
    news = [newer(value=100_000.0), newer(system=OTHER_SERVER, value=120_000.0, platform="dell")]
    found = find_pairs(olds, news, EVERYTHING).found
    assert [(p.older, p.newer) for p in found] == list(zip(olds, news, strict=True))


def test_without_a_common_server_the_best_row_is_compared_with_the_best_row():
    olds = [older(value=v, system=s, platform=s) for v, s in ((80_000.0, "ASUS ESC N8"), (85_000.0, "Cisco UCS C885A"))]
    news = [newer(value=v, system=s, platform=s) for v, s in ((99_000.0, OTHER_SERVER), (97_000.0, "HPE XD685"))]
    pair = single(find_pairs(olds, news, EVERYTHING))
    assert (pair.older.value, pair.newer.value, pair.caveats) == (85_000.0, 99_000.0, ("different-platform",))


def test_the_best_of_several_runs_on_one_server_is_compared_on_both_sides():
    olds = [older(value=v, platform=str(v)) for v in (80_000.0, 82_000.0, 81_000.0)]
    news = [newer(value=v, platform=str(v)) for v in (100_000.0, 104_000.0, 102_000.0)]
    pair = single(find_pairs(olds, news, EVERYTHING))
    assert (pair.older.value, pair.newer.value) == (82_000.0, 104_000.0)


def test_the_best_of_several_latencies_is_the_lowest():
    latency = {"model": "wan-2.2-t2v-a14b", "scenario": "SingleStream"}
    olds = [older(**latency, value=v, platform=str(v)) for v in (27.0, 25.0, 26.0)]
    news = [newer(**latency, value=v, platform=str(v)) for v in (17.0, 16.0, 18.0)]
    pair = single(find_pairs(olds, news, EVERYTHING))
    assert (pair.older.value, pair.newer.value) == (25.0, 16.0)


def test_the_host_processor_that_did_not_change_comes_before_a_better_row_with_another_one():
    news = [newer(value=100_000.0), newer(processor="AMD EPYC 9655", value=101_000.0, platform="9655")]
    assert single(find_pairs([older()], news, EVERYTHING)).caveats == ()


@pytest.mark.parametrize(
    ("better", "caveat"),
    [
        ({"precision": Precision(("fp8",))}, "precision-differs"),
        ({"stack": "SGLang 0.5.9, ROCm 7.0.0"}, "framework-differs"),
        ({"stack": "TODO"}, "stack-unknown"),
    ],
)
def test_the_best_older_row_is_the_baseline_and_not_the_most_convenient_one(better, caveat):
    olds = [older(value=80_000.0), older(value=90_000.0, platform="better", **better)]
    pair = single(find_pairs(olds, [newer()], EVERYTHING))
    assert (pair.older.value, pair.caveats) == (90_000.0, (caveat,))


def test_if_the_best_baseline_is_not_allowed_no_weaker_one_takes_its_place():
    olds = [older(value=80_000.0), older(value=90_000.0, platform="better", precision=Precision(("fp8",)))]
    pairs = find_pairs(olds, [newer()], EVERYTHING - {"precision-differs"})
    assert (pairs.found, pairs.left_out) == ([], {("precision-differs",): 1})


def test_a_value_submitted_again_is_no_new_measurement():
    olds = [older(value=80_000.0), older(value=113241.0, platform="same-value")]
    assert find_pairs(olds, [newer()], DEFAULT_ALLOWED).left_out == {("copied-result",): 1}


def test_another_server_does_not_take_the_place_of_a_power_run_of_the_same_one():
    olds = [older(power_run=True, value=80_000.0), older(system=OTHER_SERVER, value=3_000.0, platform="dell")]
    assert find_pairs(olds, [newer()], DEFAULT_ALLOWED).left_out == {("power-run",): 1}


def test_a_closed_baseline_is_preferred_to_a_better_open_one():
    olds = [older(value=80_000.0), older(value=90_000.0, division="open")]
    assert single(find_pairs(olds, [newer()], EVERYTHING)).older is olds[0]


def test_the_submitters_own_baseline_is_preferred_to_a_better_one_of_others():
    olds = [older(value=80_000.0), older(value=90_000.0, submitter="Dell")]
    assert single(find_pairs(olds, [newer()], EVERYTHING)).older is olds[0]


def test_the_same_harness_is_preferred():
    olds = [older(value=80_000.0), older(value=90_000.0, harness="endpoints", platform="client")]
    assert single(find_pairs(olds, [newer()], EVERYTHING)).older is olds[0]


def test_closed_and_open_results_of_one_submitter_make_pairs_of_their_own():
    olds = [older(value=80_000.0), older(value=90_000.0, division="open")]
    news = [newer(value=100_000.0), newer(value=120_000.0, division="open")]
    found = find_pairs(olds, news, DEFAULT_ALLOWED).found
    assert [(p.older.provenance.division, p.newer.provenance.division) for p in found] == [("closed", "closed"), ("open", "open")]


# ---------------------------------------------------------------- copies


def llama(target: str, value: float = 103_480.0, **overrides) -> Result:
    """Llama 2 70B under an accuracy target."""
    return older(model="llama2-70b", target=target, value=value, **overrides)


def test_the_same_run_under_two_targets_counts_once_under_the_stricter_one():
    loose, strict = llama("99"), llama("99.9")
    assert without_copies([loose, strict]) == ([strict], {loose.id: strict.id})


@pytest.mark.parametrize(
    "other",
    [
        {"value": 103_481.0},
        {"round": "v6.1"},
        {"submitter": "Dell"},
        {"platform": "elsewhere"},
        {"scenario": "Offline"},
        {"division": "open"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_what_differs_in_anything_else_is_no_copy(other):
    assert without_copies([llama("99", **other), llama("99.9")])[1] == {}


def test_equal_values_without_a_target_are_no_copies():
    rows = [older(), older(id="again")]
    assert without_copies(rows) == (rows, {})


def test_copies_make_no_findings_of_their_own():
    rows = [llama("99"), llama("99.9"), *(llama(t, 106_517.0, round="v6.1") for t in ("99", "99.9"))]
    audit = run_audit(rows)
    assert (audit.copies, [f.model for f in audit.findings]) == (2, ["llama2-70b-99.9"])
