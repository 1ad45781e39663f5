"""Steps: what is known to have moved between two results."""

from __future__ import annotations

import pytest

from groundspeed.audit.caveats import RELAXATIONS
from groundspeed.audit.pairs import find_pairs
from groundspeed.audit.steps import Step, classify
from groundspeed.record.model import Precision
from makers import result

STACK = "vLLM 0.22.0, PyTorch 2.10.0, ROCm 7.2.2"


def step(older=None, newer=None) -> Step:
    """The step between two results of equal stacks, with what is different on either side."""
    old = result(**{"round": "v6.0", "value": 82136.1, "stack": STACK, **(older or {})})
    new = result(**{"stack": STACK, **(newer or {})})
    (pair,) = find_pairs([old], [new], RELAXATIONS).found
    return classify(pair)


@pytest.mark.parametrize(
    ("stack", "moved"),
    [
        ("vLLM 0.22.0, PyTorch 2.10.0, ROCm 7.0.0", "rocm"),
        ("vLLM 0.14.0, PyTorch 2.10.0, ROCm 7.2.2", "vllm"),
        ("vLLM 0.22.0, PyTorch 2.9.0, ROCm 7.2.2", "pytorch"),
    ],
)
def test_a_versioned_component_that_differs_makes_a_software_step_and_is_named(stack, moved):
    assert step({"stack": stack}) == ("software", f"versions of {moved} differ")


def test_another_framework_is_software():
    assert step({"stack": "SGLang 0.5.9, PyTorch 2.10.0, ROCm 7.2.2"}) == ("software", "framework-differs")


def test_a_harness_alone_is_a_step_of_method():
    assert step(newer={"harness": "endpoints"}) == ("method", "harness-differs")


def test_a_definition_alone_is_a_step_of_method():
    old, new = {"round": "v4.0", "model": "llama2-70b"}, {"round": "v4.1", "model": "llama2-70b"}
    assert step(old, new) == ("method", "definition-changed")


@pytest.mark.parametrize(
    ("older", "code"),
    [
        ({"precision": Precision(("fp8",))}, "precision-differs"),
        ({"power_run": True}, "power-run"),
        ({"count": 16}, "count-differs"),
        ({"processor": "AMD EPYC 9655"}, "different-platform"),
        ({"submitter": "Dell"}, "different-submitter"),
    ],
)
def test_equal_versions_and_another_known_configuration_make_a_step_of_recipe(older, code):
    assert step(older) == ("recipe", code)


@pytest.mark.parametrize(
    "other",
    [{"precision": Precision(("fp8",))}, {"processor": "AMD EPYC 9655"}, {"harness": "endpoints"}, {"count": 16}],
    ids=lambda other: next(iter(other)),
)
def test_software_and_something_else_make_a_mixed_step(other):
    assert step({"stack": "vLLM 0.14.0, ROCm 7.0.0", **other}).kind == "mixed"


def test_recipe_and_method_make_a_mixed_step():
    found = step({"precision": Precision(("fp8",))}, {"harness": "endpoints"})
    assert found == ("mixed", "harness-differs; precision-differs")


def test_equal_versions_and_no_other_difference_leave_a_step_unexplained():
    found = step()
    assert found.kind == "unexplained"
    assert "branch" not in found.reason


def test_a_branch_is_no_version_and_is_named():
    found = step(
        {"stack": "TensorRT 10.14, CUDA 13.1, TensorRT-LLM feat/1.2-mlpinf"},
        {"stack": "TensorRT 10.14, CUDA 13.1, TensorRT-LLM feat/1.3-mlpinf"},
    )
    assert found.kind == "unexplained"
    assert "only branch or tag names differ (tensorrt-llm feat/1.2-mlpinf to feat/1.3-mlpinf)" in found.reason


def test_a_version_given_less_exactly_is_no_known_difference():
    assert step({"stack": "TensorRT 10.14, CUDA 13.1"}, {"stack": "TensorRT 10.14.1.48, CUDA 13.1"}).kind == "unexplained"


def test_versions_are_compared_by_number_and_not_as_text():
    assert step({"stack": "vLLM 0.22.0, ROCm 7.2"}, {"stack": "vLLM 0.22.0, ROCm 7.20"}).kind == "software"


@pytest.mark.parametrize("stack", ["", "TODO", "our own container"])
@pytest.mark.parametrize("side", ["older", "newer"])
def test_without_a_stack_on_one_side_the_step_is_unknown(stack, side):
    assert step(**{side: {"stack": stack}}).kind == "unknown"


def test_stacks_without_a_common_versioned_component_are_unknown():
    assert step({"stack": "vLLM, PyTorch 2.9.0"}, {"stack": "vLLM, ROCm 7.2.2"}).kind == "unknown"


def test_the_same_value_submitted_again_is_no_step():
    found = step({"value": 113241.0})
    assert found == (None, "the same value was submitted again")


def test_the_same_value_is_no_step_even_with_another_stack():
    assert step({"value": 113241.0, "stack": "vLLM 0.14.0, ROCm 7.0.0"}).kind is None
