"""Ingest: from files, directories, archives, repositories and addresses into a record file, one transaction a source."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from groundspeed.errors import ConflictError, SourceError
from groundspeed.record.ingested import Ingested
from groundspeed.record.sources import NewSource, Source, check, writing
from groundspeed.sources._findings import Found, read_place_results
from groundspeed.sources._limits import Limits
from groundspeed.sources._network import download, is_address
from groundspeed.sources._open import is_place, open_place
from groundspeed.sources.mlperf import read_table


def ingest(
    paths: Sequence[str | Path],
    record: str | Path,
    *,
    limits: Limits = Limits(),  # noqa: B008  # an immutable tuple
    revision: str | None = None,
    allow_network: bool = False,
    wait: float = 60.0,
    progress: Callable[[int, str], None] = lambda done, text: None,
    left_out: Callable[[str, Sequence[str]], None] = lambda place, members: None,
) -> Iterator[Ingested]:
    """Read sources and write them to a record file, one after another, as they are asked for.

    Args:
        paths: Published tables, directories, archives, git repositories, http(s) addresses.
        record: The record file; made if it is not there.
        limits: How much a place may hold.
        revision: A branch, a tag or a commit, of each repository.
        allow_network: Whether addresses are fetched.
        wait: Seconds to wait for another process that is using the record.
        progress: Called with the number of paths done and what is being read.
        left_out: Called with a place and what of it is not looked at (links, submodules), each with why.

    Yields:
        What became of each source. A broken one is a failure of its own, and the others are still taken.

    Raises:
        RecordError: If the record cannot be written; sources that were yielded before are in it.
    """
    record = Path(record)
    check(record)
    for done, path in enumerate(paths):
        place = str(path)
        progress(done, place)
        try:
            for found in _found(place, limits, revision, allow_network, left_out):
                progress(done, f"{place}: {found.name}")
                yield _written(place, found, record, wait)
        except SourceError as error:
            yield Ingested(place, place.rpartition("/")[2] or place, "", "failed", error=str(error))


def _found(
    place: str, limits: Limits, revision: str | None, allow_network: bool, left_out: Callable[[str, Sequence[str]], None]
) -> Iterator[Found]:
    """The sources of one of the things named."""
    with ExitStack() as stack:
        path = Path(place)
        if is_address(place):
            if not allow_network:
                raise SourceError(place, "", "an address", "a path, or --allow-network for addresses to be fetched")
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="groundspeed-"))
            path = download(place, Path(folder), limits)
        if not is_place(place if path == Path(place) else path):
            if revision is not None:
                raise SourceError(place, "", "a file", "a git repository, where a revision is given")
            reading = read_table(path)
            rejected = [(r.place, r.row, r.reason) for r in reading.rejected]
            yield Found(reading.source, "table", reading.sha256, reading.rows, reading.results, reading.merged, rejected)
            return
        opened = stack.enter_context(open_place(path, limits, revision))
        if opened.left_out:
            left_out(place, opened.left_out)
        nothing = True
        for found in read_place_results(opened):
            nothing = False
            yield found
        if nothing:
            raise SourceError(
                place,
                "",
                f"{len(opened.files):,} files and neither a published table nor a result tree among them",
                "a published table or a result tree",
            )


def _written(place: str, found: Found, record: Path, wait: float) -> Ingested:
    if found.error is not None:
        return Ingested(place, found.name, found.kind, "failed", error=str(found.error))
    new = NewSource(found.sha256, found.name, found.kind, place, found.rows, found.results, found.merged, found.rejected)
    source = new.remembered()
    counts = (source.sha256, source.rows, source.results, source.merged, source.rejected, source.noted, found.rejected)
    try:
        with writing(record, wait) as writer:
            outcome, replaced = writer.add(new)
    except ConflictError as error:
        return Ingested(place, found.name, found.kind, "failed", *counts, error=str(error))
    return Ingested(place, found.name, found.kind, outcome, *counts, [source.sha256 for source in replaced])


def remove(record: str | Path, source: str, *, wait: float = 60.0) -> Source:
    """Remove a source from a record file.

    Args:
        record: The record file.
        source: Its name, or the beginning of its SHA-256.
        wait: Seconds to wait for another process that is using the record.

    Raises:
        SelectionError: If the record holds no such source, or several of that name.
        RecordError: If the record cannot be written.
    """
    with writing(record, wait, make=False) as writer:
        return writer.remove(source)
