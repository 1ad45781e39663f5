"""Where files are: a directory, an archive, a repository, all seen as a list of files that can be read.

A reader of trees asks for files by their path in the place and never touches the file system itself.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from groundspeed.errors import SourceError


class File(NamedTuple):
    """One file of a place.

    Attributes:
        path: Path inside the place, with "/" between its parts.
        size: Size in bytes as the place declares it.
        read: Reads the whole content. Raises `SourceError` if that is not possible.
    """

    path: str
    size: int
    read: Callable[[], bytes]


class Place(NamedTuple):
    """A directory or what stands for one.

    Attributes:
        name: As the user named it, for errors.
        files: Its files, ordered by path.
        left_out: What was not taken into `files` although it is there (links, submodules), each with why.
    """

    name: str
    files: list[File]
    left_out: tuple[str, ...] = ()


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read()
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

    def fail(error: OSError) -> None:
        place = str(error.filename or root)
        raise SourceError(place, "", f"a directory that cannot be read ({error.strerror or error})", "a readable directory")

    files = []
    left_out = []
    for folder, folders, names in os.walk(root, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            full = os.path.join(folder, name)
            try:
                found = os.stat(full)
            except OSError:  # a link to nowhere: reading it says so, if anybody needs it
                size = 0
            else:
                size = found.st_size
                if not stat.S_ISREG(found.st_mode):  # reading a pipe or a device may never end
                    left_out.append(f"{os.path.relpath(full, root)}: a device, pipe or socket")
                    continue
            files.append(File(os.path.relpath(full, root).replace(os.sep, "/"), size, partial(_read, full)))
    return Place(root, sorted(files, key=lambda file: file.path), tuple(left_out))
