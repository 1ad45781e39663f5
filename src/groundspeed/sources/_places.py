"""Where files are: a directory, an archive, a repository, all seen as a list of files that can be read.

A reader of trees asks for files by their path in the place and never touches the file system itself.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from groundspeed.errors import SourceError


class File(NamedTuple):
    """One file of a place.

    Attributes:
        path: Path inside the place, with "/" between its parts.
        size: Size in bytes as the place declares it; None where it was not asked for (files of a directory).
        read: Reads the whole content. Raises `SourceError` if that is not possible.
    """

    path: str
    size: int | None
    read: Callable[[], bytes]


class Place(NamedTuple):
    """A directory or what stands for one.

    Attributes:
        name: As the user named it, for errors.
        files: Its files, ordered by path.
        left_out: What was not taken into `files` although it is there (links, submodules, devices), each with why.
    """

    name: str
    files: list[File]
    left_out: tuple[str, ...] = ()


# The largest file that anybody needs is a table of a few megabytes.
_MAX_BYTES = 1 << 30


def _read(path: str, limit: int = _MAX_BYTES) -> bytes:
    try:
        with open(path, "rb", buffering=0) as stream:
            # A read that is given a limit sets as much memory aside: ask for the size instead.
            if (size := os.fstat(stream.fileno()).st_size) > limit:
                raise SourceError(path, "", f"a file of {size:,} bytes", f"at most {limit:,}")
            return stream.readall()
    except OSError as error:
        raise SourceError(path, "", f"a file that cannot be read ({error.strerror or error})", "a readable file") from None


def directory(path: str | Path) -> Place:
    """The files below a directory. Links to directories are not followed; hidden directories are left out.

    Raises:
        SourceError: If it is not a directory that can be read.
    """
    root = str(path)
    if not os.path.isdir(root):
        raise SourceError(root, "", "a file" if os.path.exists(root) else "no such directory", "a directory")
    files: list[File] = []
    left_out: list[str] = []
    folders = [""]
    while folders:
        inside = folders.pop()
        try:
            with os.scandir(f"{root}/{inside}") as entries:
                for entry in entries:
                    name = inside + entry.name
                    if entry.is_dir(follow_symlinks=False):
                        if not entry.name.startswith("."):
                            folders.append(f"{name}/")
                    elif entry.is_file() or not os.path.exists(entry.path):  # a link to nowhere: reading it says so
                        files.append(File(name, None, partial(_read, f"{root}/{name}")))
                    else:  # reading a pipe may never end
                        left_out.append(f"{name}: a device, a pipe, or a link to a directory")
        except OSError as error:
            what = f"a directory that cannot be read ({error.strerror or error})"
            raise SourceError(f"{root}/{inside}", "", what, "a readable directory") from None
    files.sort(key=itemgetter(0))
    return Place(root, files, tuple(sorted(left_out)))
