"""Ledgers: YAML text to claims, with every mistake found in one run and each located by line and field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from pydantic import ValidationError

from groundspeed.audit.claims.document import read_document
from groundspeed.audit.claims.language import Claim
from groundspeed.audit.claims.mistakes import LedgerError, Mistake, Path, nearest_line
from groundspeed.audit.claims.wording import explain


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
        return nearest_line(self.lines, path)


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
        if found["loc"][-1:] == ("str",) and isinstance(found["input"], list):
            continue  # a list of names with something wrong in it; that is found beside this
        path, field = _place(found["loc"], item, prefix)
        message = explain(found)
        if (path, message) not in seen:
            seen.add((path, message))
            yield Mistake(file, nearest_line(lines, path), name, field, message)


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
    data, lines, faults = read_document(text, file)
    if data is None:
        raise LedgerError([Mistake(file, 1, "", "claims", "an empty file; expected a list of claims")])
    items = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(items, list) or not items:
        found = "an empty list" if items == [] else "no list of claims"
        raise LedgerError(
            [Mistake(file, nearest_line(lines, ("claims",)), "", "claims", f"{found}; expected `claims:` with a list")]
        )

    mistakes = []
    for fault in faults:
        index = fault.path[1] if len(fault.path) > 1 else None
        name = _claim_name(items[index], index) if isinstance(index, int) else ""
        mistakes.append(Mistake(file, fault.line, name, fault.field, fault.message))
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
