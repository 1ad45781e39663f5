"""Release calendars and standing questions."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from groundspeed.api._common import AnyRecord, open_record, several
from groundspeed.errors import SelectionError

if TYPE_CHECKING:
    from groundspeed.audit.cadence import Between, Cadence
    from groundspeed.audit.watch import Answer


def cadence(
    project: str = "ROCm", *, as_of: dt.date | str | None = None, every_days: int | None = None, since: str | None = None
) -> Cadence:
    """A project's releases, the intervals between them, and a committed interval held against them.

    Args:
        project: ROCm, CUDA, TensorRT-LLM, vLLM, SGLang or MIGraphX, in any spelling of its letters.
        as_of: The day of the answer, a date or "2026-12-01"; None for today. Later releases are left out.
        every_days: The committed interval; None for the project's own (ROCm: 42 days).
        since: The first release on the clock; None for the project's own (ROCm: 7.14.0), else its first production feature release.

    Returns:
        The cadence; `groundspeed cadence --json` prints a list of it.

    Raises:
        SelectionError: If the calendar does not hold the project or the release, or knows only its month, or if `as_of` is no date.
    """
    from groundspeed.audit.cadence import run_cadence

    return run_cadence(project, _day(as_of), every_days, since)


def _day(as_of: dt.date | str | None) -> dt.date:
    """The day of an answer.

    Raises:
        SelectionError: If it is no date.
    """
    if as_of is None:
        return dt.date.today()
    if isinstance(as_of, dt.datetime):  # a date too, but one that no other date can be compared with
        return as_of.date()
    if isinstance(as_of, dt.date):
        return as_of
    try:
        return dt.date.fromisoformat(as_of)
    except (TypeError, ValueError):
        raise SelectionError(f'as_of takes a date such as "2026-11-18"; found "{as_of}"') from None


def releases_between(project: str, older: str, newer: str) -> Between:
    """The releases of a project between two versions of it, or between two rounds.

    Raises:
        SelectionError: If one of the two is neither a round nor a version of the calendar.
    """
    from groundspeed.audit.cadence import between

    return between(project, older, newer)


def watch(
    record: AnyRecord = None,
    *,
    ids: str | Sequence[str] = (),
    files: str | Path | Iterable[str | Path] = (),
    as_of: dt.date | str | None = None,
) -> list[Answer]:
    """Answer standing questions as of a day.

    Args:
        record: A record, its file or several files; None for the embedded one.
        ids: Which watch, or several; empty for all.
        files: A TOML file of watches, or several, besides the built-in ones.
        as_of: The day of the answers, a date or "2026-12-01"; None for today.

    Returns:
        An answer a watch: what `groundspeed watch --json` prints.

    Raises:
        WatchFileError: With every mistake of a file, located.
        SourceError: If a file cannot be read.
        SelectionError: If `ids` names a watch that there is not, or `as_of` is no date.
        RecordError: If the record cannot be read.
    """
    from groundspeed.audit.watch import built_in, parse, run_watches, selected
    from groundspeed.sources._files import decode_text, read_bytes

    day = _day(as_of)
    watches = built_in()
    for path in [files] if isinstance(files, str | Path) else files:
        text = decode_text(str(path), read_bytes(Path(path), "watches (TOML)"))
        watches += parse(text, str(path), [w.id for w in watches])
    chosen = selected(watches, several(ids))
    opened = open_record(record)
    return run_watches(chosen, opened.results(), day)
