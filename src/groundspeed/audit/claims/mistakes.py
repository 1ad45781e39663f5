"""Mistakes of a ledger: what is wrong, located by file, line, claim and field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from groundspeed.errors import GroundspeedError

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


def nearest_line(lines: dict[Path, int], path: Path) -> int:
    """The line of a value, or of the nearest thing around it."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)
