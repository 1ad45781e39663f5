"""Declared stacks: which components they name, and how two of them differ."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.record.names import table as names_table
from groundspeed.record.stacks import Change, changed_components, compare, frameworks, parse, release, same_version, unread
from groundspeed.sources.mlperf import Reading


def components(raw: str) -> dict[str, tuple[str, str]]:
    """Name -> (version, branch) of every component, where none is listed twice."""
    found = parse(raw).components
    assert len({c.name for c in found}) == len(found)
    return {c.name: (c.version, c.branch) for c in found}


def versions(raw: str) -> dict[str, str]:
    return {name: version for name, (version, _) in components(raw).items()}


def change(older: str, newer: str) -> Change:
    return compare(parse(older), parse(newer))


# ---------------------------------------------------------------- what submitters wrote


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("vLLM 0.22.0, PyTorch 2.10.0, ROCm 7.2.2", {"vllm": "0.22.0", "pytorch": "2.10.0", "rocm": "7.2.2"}),
        (
            "vLLM 0.22.0, PyTorch 2.10.0+git8514f05, ROCm 7.2.53211",
            {"vllm": "0.22.0", "pytorch": "2.10.0+git8514f05", "rocm": "7.2.53211"},
        ),
        ("Pytorch 2.9.1 , ROCm 7.0", {"pytorch": "2.9.1", "rocm": "7.0"}),
        ("vLLM 0.22.1 (ROCm 7.2.2), PyTorch 2.10", {"vllm": "0.22.1", "rocm": "7.2.2", "pytorch": "2.10"}),
        ("SGLang 0.5.15.post1 (ROCm 7.2.0), PyTorch 2.x", {"sglang": "0.5.15.post1", "rocm": "7.2.0", "pytorch": "2.x"}),
        ("TensorRT 10.14, CUDA 13.1", {"tensorrt": "10.14", "cuda": "13.1"}),
        ("TensorRT 9.0.0, CUDA 12.2,", {"tensorrt": "9.0.0", "cuda": "12.2"}),
        ("TensorRT 10.14.1.48; TensorRT-LLM 1.3.0rc0", {"tensorrt": "10.14.1.48", "tensorrt-llm": "1.3.0rc0"}),
        (
            "PyTorch 2.10.0a0+b4e4ee81d3.nv25.12, TensorRT 10.14.1.48, CUDA Toolkit 13.1, cuDNN 9.17.0, TensorRT-LLM 1.3.0rc0",
            {
                "pytorch": "2.10.0a0+b4e4ee81d3.nv25.12",
                "tensorrt": "10.14.1.48",
                "cuda": "13.1",
                "cudnn": "9.17.0",
                "tensorrt-llm": "1.3.0rc0",
            },
        ),
        (
            "Mango LLMBoost AI Enterprise Platform, vllm-0.9.0.2.dev108+g71faa1880.d20250717.rocm641, ROCm 6.12.12",
            {"llmboost": "", "vllm": "0.9.0.2.dev108+g71faa1880.d20250717.rocm641", "rocm": "6.12.12"},
        ),
        (
            "vLLM 0.9.0.2.dev108+g71faa1880.d20250730.rocm641, Pytorch 2.7.0+gitf717b2a, ROCm 6.4.1.60401-83~22.04",
            {
                "vllm": "0.9.0.2.dev108+g71faa1880.d20250730.rocm641",
                "pytorch": "2.7.0+gitf717b2a",
                "rocm": "6.4.1.60401-83~22.04",
            },
        ),
        (
            "xDiT, xfuser 0.4.5+git6ffc551, Pytorch 2.10.0+gitd9556b0, ROCm 7.11.0",
            {"xdit": "", "xfuser": "0.4.5+git6ffc551", "pytorch": "2.10.0+gitd9556b0", "rocm": "7.11.0"},
        ),
        ("PyTorch v2.13.0", {"pytorch": "2.13.0"}),
        ("tf v2.19.0", {"tensorflow": "2.19.0"}),
        ("LLM-D v0.5.0 ,OpenShift 4.21, RHEL 9.6", {"llm-d": "0.5.0", "openshift": "4.21", "rhel": "9.6"}),
        ("Jetpack 6.0, TensorRT 10.1, CUDA 12.2", {"jetpack": "6.0", "tensorrt": "10.1", "cuda": "12.2"}),
        (
            "Nvidia inference implementation with CM API, Jetpack 5.1.1 with TensorRT 8.5.2, cuDNN 8.6.0, CUDA 11.4.19",
            {"jetpack": "5.1.1", "tensorrt": "8.5.2", "cudnn": "8.6.0", "cuda": "11.4.19"},
        ),
        (
            "QUALCOMM Cloud AI Platform SDK v1.12.2, Apps SDK v1.14.2",
            {"qualcomm-cloud-ai-sdk": "1.12.2", "qualcomm-apps-sdk": "1.14.2"},
        ),
        ("vLLM 0.15.1, PyTorch 2.9.1+cu128, CUDA 12.9.86", {"vllm": "0.15.1", "pytorch": "2.9.1+cu128", "cuda": "12.9.86"}),
        ("ROCm", {"rocm": ""}),
        ("PyTorch vLLM", {"pytorch": "", "vllm": ""}),
    ],
)
def test_components_of_declared_stacks(raw: str, expected: dict[str, str]) -> None:
    assert versions(raw) == expected


@pytest.mark.parametrize(
    ("raw", "name", "branch"),
    [
        ("TensorRT 10.14, CUDA 13.1, cuDNN 9.17, TensorRT-LLM feat/1.2-mlpinf", "tensorrt-llm", "feat/1.2-mlpinf"),
        ("NVIDIA Dynamo mlperf-v6.0-dynamo-v0.8.0, vLLM CentML:mlperf-inf-mm-q3vl-v6.0", "dynamo", "mlperf-v6.0-dynamo-v0.8.0"),
        (
            "NVIDIA Dynamo mlperf-v6.0-dynamo-v0.8.0, vLLM CentML:mlperf-inf-mm-q3vl-v6.0",
            "vllm",
            "CentML:mlperf-inf-mm-q3vl-v6.0",
        ),
        ("TRTLLM-rubin, vLLM-CentML:mlperf-inf-mm-q3vl-v6.1, Dynamo", "tensorrt-llm", "rubin"),
        ("TRTLLM-rubin, vLLM-CentML:mlperf-inf-mm-q3vl-v6.1, Dynamo", "vllm", "CentML:mlperf-inf-mm-q3vl-v6.1"),
        ("tflite vmaster", "tflite", "vmaster"),
    ],
)
def test_the_name_of_a_branch_is_no_version(raw: str, name: str, branch: str) -> None:
    assert components(raw)[name] == ("", branch)


def test_a_component_may_be_declared_in_several_versions() -> None:
    stack = parse("PyTorch 2.9.1+git8907517, ROCm 7.0.0, PyTorch 2.9.0a0+git1c57644, ROCm 7.1.0")
    assert stack.versions("rocm") == ("7.0.0", "7.1.0")
    assert stack.versions("pytorch") == ("2.9.1+git8907517", "2.9.0a0+git1c57644")


def test_a_version_that_is_declared_twice_counts_once() -> None:
    stack = parse("ROCm 7.2.2, vLLM 0.22.0, ROCm 7.2.2")
    assert [(c.name, c.version) for c in stack.components] == [("rocm", "7.2.2"), ("vllm", "0.22.0")]


def test_a_bare_mention_beside_a_version_says_nothing_more() -> None:
    assert [(c.name, c.version) for c in parse("ROCm stack, ROCm 7.2.2").components] == [("rocm", "7.2.2")]


def test_the_container_image_of_a_component_is_not_another_one() -> None:
    assert versions("vLLM 0.24.0 (stock vllm/vllm-openai-rocm:v0.24.0), ROCm 7.2.1") == {"vllm": "0.24.0", "rocm": "7.2.1"}


def test_tensorrt_llm_is_not_tensorrt() -> None:
    assert versions("TensorRT-LLM 1.3.0rc0, CUDA 13.1") == {"tensorrt-llm": "1.3.0rc0", "cuda": "13.1"}


@pytest.mark.parametrize("raw", ["", " ", "TODO", "N/A", "none", "-"])
def test_a_blank_or_unfinished_stack_declares_nothing(raw: str) -> None:
    assert parse(raw).components == ()
    assert not parse(raw).declared
    assert not unread(raw)


@pytest.mark.parametrize("raw", ["ROCm", "PyTorch vLLM", "TensorRT", "Mango LLMBoost AI Enterprise Platform"])
def test_a_name_without_a_version_is_a_component_and_declares_no_stack(raw: str) -> None:
    assert parse(raw).components
    assert not parse(raw).declared


@pytest.mark.parametrize("raw", ["ROCm 7.2.2", "TensorRT-LLM feat/1.2-mlpinf"])
def test_a_version_or_a_branch_declares_a_stack(raw: str) -> None:
    assert parse(raw).declared


def test_a_stack_of_strangers_is_unread() -> None:
    assert unread("AcmeServe 4.0")
    assert not unread("AcmeServe 4.0, CUDA 13.1")


def test_every_published_stack_is_read(table: Callable[[str], Reading]) -> None:
    for name in ("history", "v5.1", "v6.0", "v6.1"):
        raws = {r.stack.raw for r in table(name).results}
        assert {raw for raw in raws if not parse(raw).components} <= {"", "TODO"}


def test_no_version_of_a_published_stack_begins_with_a_letter(table: Callable[[str], Reading]) -> None:
    for name in ("history", "v5.1", "v6.0", "v6.1"):
        found = {c for r in table(name).results for c in r.stack.components if c.version}
        assert {c for c in found if not c.version[0].isdigit() or c.version[-1] in ".,;-"} == set()


@pytest.mark.parametrize("name", names_table("components"))
def test_every_spelling_of_a_component_is_found_with_its_version(name: str) -> None:
    for spelling in names_table("components")[name]["published"]:
        for written in (f"{spelling} 1.2.3", f"{spelling.upper()} v1.2.3", f"Something, {spelling}: 1.2.3, more"):
            assert [(c.name, c.version) for c in parse(written).components] == [(name, "1.2.3")]


@given(st.text())
def test_any_text_is_read_and_kept(raw: str) -> None:
    stack = parse(raw)
    assert stack.raw == raw.strip()
    assert compare(stack, stack) in (Change.NONE, Change.UNKNOWN)


_WORDS = [
    "vLLM", "ROCm", "CUDA", "TensorRT", "TensorRT-LLM", "0.22.0", "7.2.2", "v1.0rc1", "feat/x", "CentML:y",
    ",", ";", "(", ")", "+", "TODO",
]  # fmt: skip


@given(st.lists(st.sampled_from(_WORDS)), st.sampled_from([" ", ""]))
def test_any_order_of_names_and_versions_is_read(words: list[str], between: str) -> None:
    stack = parse(between.join(words))
    assert all(not c.version or c.version[0].isdigit() for c in stack.components)
    assert not any(c.version and c.branch for c in stack.components)


# ---------------------------------------------------------------- frameworks


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("vLLM 0.22.0, PyTorch 2.10.0, ROCm 7.2.2", {"vllm"}),
        ("PyTorch 2.9.1+git8907517, ROCm 7.0.0", {"pytorch"}),
        ("TensorRT 10.14, CUDA 13.1", {"tensorrt"}),
        ("TensorRT 10.14, CUDA 13.1, TensorRT-LLM 1.3.0rc0", {"tensorrt-llm"}),
        ("xDiT, xfuser 0.4.5, PyTorch 2.9.1+gitff65f5b, ROCm 7.13.0", {"xdit"}),
        ("ROCm 7.2.2", set()),
        ("", set()),
    ],
)
def test_the_framework_serves_or_else_executes(raw: str, expected: set[str]) -> None:
    assert frameworks(parse(raw)) == expected


# ---------------------------------------------------------------- versions


def test_the_leading_numbers_of_a_version() -> None:
    assert release("6.4.1.60401-83~22.04") == (6, 4, 1, 60401)
    assert release("2.10.0a0+b4e4ee81d3.nv25.12") == (2, 10, 0)
    assert release("vmaster") == ()


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("7.2.2", "7.2.2"),
        ("10.14", "10.14.1.48"),
        ("7.0", "7.0.0"),
        ("6.4.1", "6.4.1.60401-83~22.04"),
        ("2.10.0", "2.10.0+git8514f05"),
        ("2.9.1+cu128", "2.9.1+cu130"),
        ("0.9.0.2.dev108+g71faa1880.d20250730.rocm641", "0.9.0.2.dev108+g71faa1880.d20260213"),
        ("2.x", "2.10.0"),
    ],
)
def test_versions_that_may_be_the_same(a: str, b: str) -> None:
    assert same_version(a, b)
    assert same_version(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("7.2.2", "7.2.3"),
        ("7.2", "7.20"),
        ("7.2.2", "7.10.2"),
        ("1.3.0rc0", "1.3.0rc14"),
        ("1.3.0rc0", "1.3.0"),
        ("0.15.0-dev", "0.15.0"),
        ("0.5.15", "0.5.15.post1"),
        ("2.8.0a0+git74091a9", "2.8.0a0+git37f92bb"),
        ("0.9.1.dev2+g790cf6584.d20250519", "0.9.1.dev2+g71faa1880.d20250519"),
    ],
)
def test_versions_that_are_known_to_differ(a: str, b: str) -> None:
    assert not same_version(a, b)
    assert not same_version(b, a)


VERSIONS = st.from_regex(r"\d{1,2}(\.\d{1,5}){0,3}(rc\d|a0|\.dev\d{1,3}|\.post1)?(\+(git|g)[0-9a-f]{7})?", fullmatch=True)


@given(VERSIONS)
def test_a_version_is_the_same_as_itself(version: str) -> None:
    assert same_version(version, version)


@given(VERSIONS, VERSIONS)
def test_sameness_has_no_direction(a: str, b: str) -> None:
    assert same_version(a, b) == same_version(b, a)


@given(st.text(), st.text())
def test_sameness_has_no_direction_for_any_text(a: str, b: str) -> None:
    assert same_version(a, a)
    assert same_version(a, b) == same_version(b, a)


def test_a_version_of_thousands_of_digits_is_compared_and_no_crash() -> None:
    assert not same_version("9" * 5000, "8" * 5000)


# ---------------------------------------------------------------- two stacks

AMD_V60 = "PyTorch 2.9.1+git8907517, ROCm 7.0.0"
AMD_V61 = "vLLM 0.22.0, PyTorch 2.10.0, ROCm 7.2.2"
NVIDIA_V60 = (
    "TensorRT 10.14, CUDA 13.1, cuDNN 9.17, TensorRT-LLM feat/1.2-mlpinf, NVIDIA Dynamo mlperf-v6.0-dynamo-v0.8.0, "
    "vLLM CentML:mlperf-inf-mm-q3vl-v6.0"
)


def test_amds_stack_of_v6_1_has_other_versions_than_that_of_v6_0() -> None:
    assert change(AMD_V60, AMD_V61) is Change.VERSIONS
    assert changed_components(parse(AMD_V60), parse(AMD_V61)) == ["pytorch", "rocm"]


@pytest.mark.parametrize("raw", [AMD_V60, AMD_V61, NVIDIA_V60, "TensorRT 10.14, CUDA 13.1"])
def test_a_stack_does_not_differ_from_itself(raw: str) -> None:
    assert change(raw, raw) is Change.NONE


def test_another_branch_is_a_change_of_branches() -> None:
    assert change(NVIDIA_V60, NVIDIA_V60.replace("q3vl-v6.0", "q3vl-v6.1")) is Change.BRANCHES


def test_another_version_outweighs_another_branch() -> None:
    newer = NVIDIA_V60.replace("q3vl-v6.0", "q3vl-v6.1").replace("CUDA 13.1", "CUDA 13.2")
    assert change(NVIDIA_V60, newer) is Change.VERSIONS


def test_another_framework_is_a_change_of_versions_even_where_all_shared_ones_are_equal() -> None:
    assert change("vLLM 0.22.0, ROCm 7.2.2", "SGLang 0.5.15, ROCm 7.2.2") is Change.VERSIONS


def test_a_more_exact_version_is_no_change() -> None:
    assert change("TensorRT 10.14, CUDA 13.0", "TensorRT 10.14.1.48, CUDA 13.0") is Change.NONE


def test_of_several_declared_versions_one_in_common_is_no_change() -> None:
    assert change(AMD_V60, f"{AMD_V60}, PyTorch 2.9.0a0+git1c57644, ROCm 7.1.0") is Change.NONE


@pytest.mark.parametrize("other", ["", "TODO", "ROCm"])
def test_a_stack_that_declares_nothing_cannot_be_compared(other: str) -> None:
    assert change(AMD_V60, other) is Change.UNKNOWN
    assert change(other, AMD_V60) is Change.UNKNOWN


def test_stacks_that_give_no_component_in_common_with_a_version_cannot_be_compared() -> None:
    assert change("vLLM 0.22.0", "vLLM CentML:x, CUDA 13.1") is Change.UNKNOWN


PARTS = st.sampled_from(
    ["vLLM 0.22.0", "vLLM 0.24.0", "ROCm 7.0.0", "ROCm 7.2.2", "PyTorch 2.10", "TensorRT-LLM feat/1.2-mlpinf", "TODO"]
)


@given(st.lists(PARTS, max_size=4), st.lists(PARTS, max_size=4))
def test_a_change_of_versions_has_no_direction(a: list[str], b: list[str]) -> None:
    older, newer = parse(", ".join(a)), parse(", ".join(b))
    assert (compare(older, newer) is Change.VERSIONS) == (compare(newer, older) is Change.VERSIONS)
    assert set(changed_components(older, newer)) == set(changed_components(newer, older))
