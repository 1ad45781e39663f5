"""What a place holds: each published table in it, and each result tree, as one reading or one error."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from groundspeed.errors import SourceError
from groundspeed.record.model import Result
from groundspeed.sources._files import MAX_BYTES, unpacked
from groundspeed.sources._places import File, Place
from groundspeed.sources.mlperf.rows import recognise
from groundspeed.sources.mlperf.tables import read_table_bytes
from groundspeed.sources.mlperf.trees import lay_out, read_place, results_of


class Found(NamedTuple):
    """One source of a place, read or broken.

    Attributes:
        name: Its name: what the results give as their source.
        kind: "table" or "tree".
        sha256: Of its content.
        rows: Rows or runs in it.
        results: What it says.
        merged: Rows that were joined to others.
        rejected: Rows that became nothing, each with where, what and why.
        error: Why it could not be read; everything else is empty then.
    """

    name: str
    kind: Literal["table", "tree"]
    sha256: str = ""
    rows: int = 0
    results: Sequence[Result] = ()
    merged: int = 0
    rejected: Sequence[tuple[str, str, str]] = ()
    error: SourceError | None = None


# Result trees hold tens of thousands of JSON and text files below these; no published table lies there.
_TREE = re.compile(
    r"(?:^|/)(?:closed|open|network)/[^/]+/(?:results|measurements|systems|code|documentation|calibration|src)(?:/|$)"
)
_ENDING = re.compile(r"\.(?:json|csv|jsonl)(?:\.gz)?$", re.IGNORECASE)
# The names under which MLCommons publishes tables: such a file is read, and said to be broken if it is no table.
_TABLE_NAME = re.compile(r"(?:^|[_.\-])summary(?:_results)?(?:_head)?\.(?:json|csv|jsonl)(?:\.gz)?$", re.IGNORECASE)
_SNIFFED = 1 << 16
_WORD = re.compile(rb"\w+")


def _has_columns(data: bytes) -> bool:
    """Whether the head of a file names the columns of a published table."""
    return recognise({word.decode("ascii", "replace") for word in _WORD.findall(data[:_SNIFFED])}) is not None


def read_tables(place: Place) -> Iterator[Found]:
    """The published tables of a place: known by their name, or by the columns at their head."""
    for file in place.files:
        name = file.path.rpartition("/")[2]
        if not _ENDING.search(name) or name.startswith(".") or _TREE.search(file.path):
            continue
        found = _read_if_table(place, file, name)
        if found:
            yield found


def _read_if_table(place: Place, file: File, name: str) -> Found | None:
    address = f"{place.name}/{file.path}"
    ours = bool(_TABLE_NAME.search(name))
    try:
        if file.size is not None and file.size > MAX_BYTES:  # a directory does not say, and its reading stops there
            raise SourceError(address, "", f"a file of {file.size:,} bytes", "a published table (a few megabytes)")
        data = unpacked(address, file.read())
        ours = ours or _has_columns(data)
        if not ours:
            return None
        reading = read_table_bytes(address, name, data)
    except SourceError as error:
        # A file that only ends like one, and cannot be read, is none of ours.
        return Found(name, "table", error=error) if ours else None
    rejected = [(r.place, r.row, r.reason) for r in reading.rejected]
    return Found(name, "table", reading.sha256, reading.rows, reading.results, reading.merged, rejected)


def content_sha256(results: Sequence[Result], rejected: Sequence[tuple[str, str, str]]) -> str:
    """A digest of what a tree says, for a tree whose files are too many to be read twice: equal if nothing that matters changed."""
    digest = hashlib.sha256()
    for result in sorted(results, key=lambda r: r.id):
        digest.update(msgspec.json.encode(result))
    digest.update(msgspec.json.encode(sorted(rejected)))
    return digest.hexdigest()


def read_trees(place: Place) -> Iterator[Found]:
    """The result trees of a place, as one source: what its logs say, whatever tables say of the same runs."""
    if not lay_out(place.name, place.files).runs:
        return
    name = f"logs of {place.name.rstrip('/').rpartition('/')[2]}"
    try:
        reading = read_place(place)
    except SourceError as error:
        yield Found(name, "tree", error=error)
        return
    submitters = {run.submitter for run in reading.runs}
    if len(submitters) == 1:  # two submitters' trees of one round are two sources, whatever their folders are called
        name += f", {submitters.pop()}"
    results, rejections = results_of(reading.runs, name)
    rejected = [(r.place, r.row, r.reason) for r in rejections]
    rejected += [(p.path, p.path, p.detail) for p in reading.problems if p.kind in {"no-log", "damaged-log", "other-mode"}]
    yield Found(name, "tree", content_sha256(results, rejected), len(results) + len(rejected), results, 0, rejected)


# Readers of places; each yields what it finds, a broken part as a Found with its error, and goes on.
READERS: tuple[Callable[[Place], Iterator[Found]], ...] = (read_tables, read_trees)


def read_place_results(place: Place) -> Iterator[Found]:
    """Everything in a place that is a source of results, one after another."""
    for reader in READERS:
        yield from reader(place)
