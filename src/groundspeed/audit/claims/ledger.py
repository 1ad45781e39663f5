"""Ledgers: YAML text to claims, with every mistake found in one run and each located by line and field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import yaml
from pydantic import BaseModel, ValidationError

from groundspeed.audit.claims import language
from groundspeed.audit.claims.language import Claim
from groundspeed.errors import GroundspeedError
from groundspeed.record.names import nearest

Path = tuple[str | int, ...]


class Mistake(NamedTuple):
    """Something wrong in a ledger: where, what was found, and what was expected or is near it."""

    file: str
    line: int
    claim: str
    field: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}"
        who = f"claim {self.claim}, " if self.claim else ""
        return f"{place}: {who}field {self.field}: {self.message}" if self.field else f"{place}: {who}{self.message}"


class LedgerError(GroundspeedError):
    """A ledger with mistakes; the message lists all of them, one a line."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        self.mistakes = list(mistakes)
        super().__init__("\n".join(map(str, self.mistakes)))


class LedgerText(NamedTuple):
    """A ledger that was read.

    Attributes:
        file: Its name.
        claims: The claims that are well formed.
        places: The place of each of them in the ledger's list.
        lines: The line of every value in the text by its path: ("claims", 0, "question", "of").
        mistakes: What is wrong with the others.
    """

    file: str
    claims: list[Claim]
    places: list[int]
    lines: dict[Path, int]
    mistakes: list[Mistake]

    def line(self, path: Path) -> int:
        """The line of a value, or of the nearest thing around it."""
        return _nearest_line(self.lines, path)


def _walk(node: yaml.Node, path: Path, lines: dict[Path, int], twice: list[tuple[Path, int]]) -> Any:
    """A YAML node as plain data; its lines are noted, and keys that stand twice."""
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = str(key_node.value)
            if key in made:
                twice.append(((*path, key), key_node.start_mark.line + 1))
            made[key] = _walk(value_node, (*path, key), lines, twice)
            lines[(*path, key)] = key_node.start_mark.line + 1
        return made
    if isinstance(node, yaml.SequenceNode):
        return [_walk(item, (*path, i), lines, twice) for i, item in enumerate(node.value)]
    return _scalar(node)


_NUMBERS = {"tag:yaml.org,2002:int": int, "tag:yaml.org,2002:float": float}


def _scalar(node: yaml.Node) -> Any:
    if node.tag == "tag:yaml.org,2002:null":
        return None
    if node.tag == "tag:yaml.org,2002:bool":
        return str(node.value).casefold() in {"true", "yes", "on"}
    convert = _NUMBERS.get(node.tag, str)
    try:
        return convert(node.value)
    except ValueError:
        return str(node.value)


# Fields whose values are texts even where YAML would see a number or a date: 38 is claimed as printed, 2026-09 is when.
_TEXT_FIELDS = {"claimed", "when", "id", "version", "since", "from", "to", "round"}


def _as_printed(node: yaml.Node, field: str = "") -> None:
    """Keep numbers and dates of text fields as they are printed: 38 and 1.60 stay "38" and "1.60"."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            _as_printed(value, str(key.value))
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _as_printed(item, field)
    elif field in _TEXT_FIELDS and isinstance(node, yaml.ScalarNode) and node.tag in (*_NUMBERS, "tag:yaml.org,2002:timestamp"):
        node.tag = "tag:yaml.org,2002:str"


@cache
def _field_names() -> frozenset[str]:
    """Every field of the language, as written."""
    found: set[str] = set()
    for model in vars(language).values():
        if isinstance(model, type) and issubclass(model, BaseModel):
            found |= {info.alias or name for name, info in model.model_fields.items()}
    return frozenset(found)


def _explain(error: Any) -> str:
    """A validation error in words, with the nearest field names for one that does not exist."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        near = nearest(str(error["loc"][-1]), _field_names())
        return f"no such field; did you mean {' or '.join(near)}?" if near else "no such field"
    if kind == "missing":
        return "missing"
    if kind in {"literal_error", "union_tag_invalid", "union_tag_not_found"}:
        expected = context.get("expected") or context.get("expected_tags") or "a field `kind`"
        return f"found {_quoted(error['input'], context)}; expected {expected}"
    if kind == "value_error":
        return str(context.get("error", error["msg"]))
    return f"found {_quoted(error['input'], context)}; expected: {error['msg'].removeprefix('Input should be ')}"


def _quoted(value: Any, context: dict[str, Any]) -> str:
    text = str(context.get("tag") or (value.get("kind", "no kind") if isinstance(value, dict) else value))
    return f'"{text[:60]}"'


# Steps of a validation error's location that are no fields: the union's member it tried.
_UNION_STEPS = {
    "ratio", "change", "order", "tie", "spread", "scale-out", "capacity", "count", "rank", "only", "value", "release-date", "cadence",
    "release-count", "unanswerable", "str", "list[str]", "float", "literal['noise']",
}  # fmt: skip


def _place(location: Sequence[str | int], item: Any, prefix: Path) -> tuple[Path, str]:
    """The path in the text of a location in the models, and the field's name.

    A claim of one part may leave `parts` out, so a step that the text does not have is passed over.
    """
    path, here = prefix, item
    words: list[str] = []
    for i, step in enumerate(location):
        if (isinstance(here, dict) and step in here) or (isinstance(here, list) and isinstance(step, int) and step < len(here)):
            path, here = (*path, step), here[step]  # type: ignore[index]  # a mapping by its key, a list by its place
        elif i + 1 < len(location) and (step in _UNION_STEPS or step == "parts" or isinstance(step, int)):
            continue
        if isinstance(step, str) and step not in {*_UNION_STEPS, "parts"}:
            words.append(step)
    return path, ".".join(words)


def _mistakes(file: str, error: ValidationError, item: Any, prefix: Path, name: str, lines: dict[Path, int]) -> Iterator[Mistake]:
    seen: set[tuple[Path, str]] = set()
    for found in error.errors(include_url=False):
        path, field = _place(found["loc"], item, prefix)
        message = _explain(found)
        if (path, message) not in seen:
            seen.add((path, message))
            yield Mistake(file, _nearest_line(lines, path), name, field, message)


def _nearest_line(lines: dict[Path, int], path: Path) -> int:
    """The line of a value, or of the nearest thing around it."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _claim_name(item: Any, index: int) -> str:
    return str(item["id"]) if isinstance(item, dict) and item.get("id") else f"number {index + 1}"


def parse(text: str, file: str) -> LedgerText:
    """Read a ledger.

    Mistakes in single claims are kept beside the claims that are well formed, so that the names in those can be checked in the same
    run; `check_ledger` raises them all.

    Args:
        text: YAML.
        file: Its name, for messages.

    Raises:
        LedgerError: If it is no ledger at all.
    """
    try:
        node = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise LedgerError([Mistake(file, mark.line + 1 if mark else 1, "", "", f"no YAML: {problem}")]) from None
    if node is None:
        raise LedgerError([Mistake(file, 1, "", "claims", "an empty file; expected a list of claims")])
    lines: dict[Path, int] = {}
    twice: list[tuple[Path, int]] = []
    _as_printed(node)
    data = _walk(node, (), lines, twice)
    items = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(items, list) or not items:
        found = "an empty list" if items == [] else "no list of claims"
        raise LedgerError(
            [Mistake(file, _nearest_line(lines, ("claims",)), "", "claims", f"{found}; expected `claims:` with a list")]
        )

    mistakes = []
    for path, line in twice:
        name = _claim_name(items[path[1]], path[1]) if len(path) > 1 and isinstance(path[1], int) else ""
        mistakes.append(Mistake(file, line, name, str(path[-1]), "stands twice"))
    for key in data.keys() - {"claims"}:
        mistakes.append(Mistake(file, lines[(key,)], "", str(key), "no such field; a ledger has `claims` only"))
    claims: list[Claim] = []
    places: list[int] = []
    first: dict[str, int] = {}
    for i, item in enumerate(items):
        name = _claim_name(item, i)
        line = lines[("claims", i)]
        if name in first:
            mistakes.append(Mistake(file, line, name, "id", f"stands twice; first in line {first[name]}"))
        first.setdefault(name, line)
        try:
            claims.append(Claim.model_validate(item))
            places.append(i)
        except ValidationError as error:
            mistakes += _mistakes(file, error, item, ("claims", i), name, lines)
    return LedgerText(file, claims, places, lines, mistakes)
