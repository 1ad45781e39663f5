"""What a validation error means, in the words of a ledger: what was found, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from functools import cache
from typing import Any, get_args

from pydantic import BaseModel

from groundspeed.audit.claims import language

_ONE_OF_A_KIND = {
    "Claim": "a claim (a mapping with id, who, when, sentence, question, claimed and meant)",
    "Part": "a part of a claim (a mapping with question, claimed and meant)",
    "Selection": "a selection (a mapping with hardware, submitter, model, scenario, round ...)",
}
_EXPECTED = {
    "string_type": "a text", "list_type": "a list", "int_type": "a whole number", "int_parsing": "a whole number", "int_from_float": "a whole number",
    "float_type": "a number", "float_parsing": "a number", "finite_number": "a number that is not infinite", "string_too_short": "a text that is not empty",
    "too_short": "a list that is not empty", "string_pattern_mismatch": "letters, digits, dots, hyphens and underscores",
}  # fmt: skip


@cache
def _kinds() -> dict[str, type[BaseModel]]:
    """Every kind of question."""
    union = get_args(language.Question)[0]
    return {get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(union)}


def _fields(location: Sequence[str | int]) -> set[str]:
    """The fields that exist where an unknown one was found."""
    steps = [step for step in location[:-1] if isinstance(step, str)]
    if "question" in steps:
        inside = steps[steps.index("question") + 1 :]
        models: list[type[BaseModel]] = [language.Selection] if len(inside) > 1 else [_kinds()[inside[0]]]
    else:
        models = [language.Part] if "parts" in steps else [language.Claim, language.Part]
    return {info.alias or name for model in models for name, info in model.model_fields.items()}


def near_fields(written: str, fields: set[str]) -> list[str]:
    """The fields that a misspelt one most likely is: those that are about as near as the nearest one."""
    near = {f: difflib.SequenceMatcher(None, written.casefold(), f.casefold()).ratio() for f in fields}
    best = max(near.values(), default=0.0)
    return sorted(f for f, ratio in near.items() if ratio >= max(0.7, best - 0.05))[:2]


def explain(error: Any) -> str:
    """A validation error in words."""
    kind, context, location = error["type"], error.get("ctx", {}), error["loc"]
    if kind == "extra_forbidden":
        near = near_fields(str(location[-1]), _fields(location))
        return f"no such field; did you mean {' or '.join(near)}?" if near else "no such field"
    if kind == "missing":
        return "missing"
    if kind == "value_error":
        return str(context.get("error", error["msg"]))
    return f"found {_found(error['input'], context)}; expected {_expected(error)}"


def _expected(error: Any) -> str:
    kind, context, location = error["type"], error.get("ctx", {}), error["loc"]
    if kind in {"literal_error", "union_tag_invalid", "union_tag_not_found"}:
        return str(context.get("expected") or context.get("expected_tags") or f"a field `kind`, one of {', '.join(_kinds())}")
    if kind in {"model_type", "model_attributes_type"}:
        return _ONE_OF_A_KIND.get(context.get("class_name", ""), "a question (a mapping with kind and the fields of that kind)")
    if location[-1] in {"str", "list[str]"}:
        return "a name or a list of names"
    bounds = {"greater_than_equal": ("ge", "or more"), "less_than_equal": ("le", "or less")}
    if kind in bounds:
        name, words = bounds[kind]
        return f"{context[name]} {words}"
    if kind == "greater_than":
        return f"more than {context['gt']:g}"
    return _EXPECTED.get(kind) or str(error["msg"]).removeprefix("Input should be ")


def _found(value: Any, context: dict[str, Any]) -> str:
    if value is None:
        return "nothing"
    if context.get("tag"):
        return f'"{str(context["tag"])[:60]}"'
    if isinstance(value, dict):
        return "a mapping" if "kind" not in value else _found(value["kind"], {})
    if isinstance(value, list):
        return "a list"
    return f'"{str(value).lower() if isinstance(value, bool) else str(value)[:60]}"'
