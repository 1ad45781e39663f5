"""What became of a source that was to be written to a record file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

Outcome = Literal["added", "already there", "replaced", "restored", "failed"]


class Ingested(NamedTuple):
    """What became of one source.

    Attributes:
        place: What was named.
        name: The source's name.
        kind: "table", "tree", or "" for a place that could not be opened.
        outcome: "added"; "already there" (the same content); "replaced" (other content of the same name was superseded); "restored"
            (content that had been superseded is back); "failed".
        rows: Rows or runs read = results + merged + rejected.
        noted: Results with a data note.
        rejections: Each rejected row: where, what, why.
        superseded: SHA-256 of each source it took the place of.
        error: Why it failed.
    """

    place: str
    name: str
    kind: str
    outcome: Outcome
    sha256: str = ""
    rows: int = 0
    results: int = 0
    merged: int = 0
    rejected: int = 0
    noted: int = 0
    rejections: Sequence[tuple[str, str, str]] = ()
    superseded: Sequence[str] = ()
    error: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """As plain data, as `groundspeed ingest --json` prints it."""
        rejections = [dict(zip(("place", "row", "reason"), r, strict=True)) for r in self.rejections]
        return self._asdict() | {"rejections": rejections, "superseded": list(self.superseded)}
