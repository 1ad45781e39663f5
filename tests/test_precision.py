"""Number formats of weights, activations and KV cache."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.record import names, precision
from groundspeed.record.model import Precision


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
