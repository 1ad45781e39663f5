"""From what a user names to a place: a directory, an archive, or a repository."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from groundspeed.errors import SourceError
from groundspeed.sources._archives import archive, kind_of
from groundspeed.sources._limits import Limits
from groundspeed.sources._places import Place, directory
from groundspeed.sources._repositories import is_bare, is_working_copy, repository


def is_place(path: str | Path) -> bool:
    """Whether a path is a place (a directory, an archive, a repository) and not a file to be read by itself.

    Raises:
        SourceError: If it is missing or cannot be read.
    """
    _check(path)
    path = Path(path)
    if path.is_dir():
        return True
    if not path.exists():
        raise SourceError(
            str(path), "", "no such file or directory", "a published table, a directory, an archive or a repository"
        )
    return kind_of(path) is not None


def _check(path: str | Path) -> None:
    """A blank path would be the current directory: a script's unset variable must not mean that."""
    if isinstance(path, str) and not path.strip():
        raise SourceError('""', "", "a blank path", "the path of a file or a directory")


@contextlib.contextmanager
def open_place(
    path: str | Path,
    limits: Limits = Limits(),  # noqa: B008  # an immutable tuple
    revision: str | None = None,
) -> Iterator[Place]:
    """A directory, an archive (known by its content), or a git repository as a place.

    A bare repository is read at its HEAD. A working copy is read as the directory it is, unless a revision is given.

    Args:
        path: The directory or file.
        limits: How much it may hold.
        revision: A branch, a tag or a commit of a repository.

    Raises:
        SourceError: If it is none of them, damaged, hostile, or larger than the limits allow.
    """
    _check(path)
    path = Path(path)
    if path.is_dir():
        if is_bare(path) or (revision is not None and is_working_copy(path)):
            with repository(path, revision or "HEAD", limits) as place:
                yield place
            return
        if revision is not None:
            raise SourceError(str(path), "", "a directory that is no repository", "a git repository, where a revision is given")
        place = directory(path)
        limits.check_count(place.name, len(place.files))
        yield place
        return
    kind = kind_of(path) if is_place(path) else None
    if kind is None:
        raise SourceError(str(path), "", "a file that is no archive", "a directory, .zip, .tar, .tar.gz or a git repository")
    if revision is not None:
        raise SourceError(str(path), "", f"a {kind} archive", "a git repository, where a revision is given")
    with archive(path, kind, limits) as place:
        yield place
