"""Claims held against a record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundspeed.api._common import AnyRecord, open_record, several

if TYPE_CHECKING:
    from groundspeed.audit.claims import ClaimFinding, LedgerText


def read_ledger(path: str | Path | None = None) -> LedgerText:
    """Read a ledger of claims; the built-in one without a path.

    Raises:
        LedgerError: With every mistake in it, located by line and field.
        SourceError: If the file cannot be read.
    """
    from groundspeed.audit.claims import builtin, parse
    from groundspeed.sources._files import decode_text, read_bytes

    if path is None:
        return builtin()
    name = str(path)
    return parse(decode_text(name, read_bytes(Path(path), "a ledger (YAML)")), name)


def check_claims(
    ledger: str | Path | None = None, *, record: AnyRecord = None, only: str | Sequence[str] = ()
) -> list[ClaimFinding]:
    """Hold the claims of a ledger against a record.

    Args:
        ledger: The ledger's file; None for the built-in one.
        record: A record, its file or several files; None for the embedded one.
        only: The id of the claim to check, or several; empty for all.

    Returns:
        A finding a claim, in the ledger's order: what `groundspeed claims check --json` prints.

    Raises:
        LedgerError: With every mistake of the ledger, located.
        SelectionError: If `only` names a claim that is not in it.
        RecordError: If the record cannot be read.
    """
    from groundspeed.audit.claims.check import check_ledger, narrowed, rounds_needed

    text = narrowed(read_ledger(ledger), several(only))
    opened = open_record(record)
    needed = rounds_needed(text.claims)
    held = set(opened.rounds())
    return check_ledger(text, opened.results(None if needed is None or needed >= held else needed & held), opened.rounds())
