"""Git repositories as places, read from their objects: nothing is checked out, and nothing is fetched."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

from groundspeed.errors import SourceError
from groundspeed.sources._limits import Limits, is_hidden, safe_name
from groundspeed.sources._places import File, Place

_LINK, _SUBMODULE = "120000", "160000"
# A repository's own configuration must not make git run a program or go to the network for objects it lacks.
_QUIET = {"GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}


def is_bare(path: Path) -> bool:
    """Whether a directory is a bare repository."""
    return (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()


def is_working_copy(path: Path) -> bool:
    """Whether a directory is the top of a working copy."""
    return (path / ".git").exists()


def _command(path: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    # Variables of a surrounding git (a hook runs with them) would lead to another repository.
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")} | _QUIET
    return ["git", "-c", "protocol.allow=never", "-C", path, *arguments], environment


def _git(path: str, *arguments: str) -> bytes:
    command, environment = _command(path, *arguments)
    try:
        done = subprocess.run(command, capture_output=True, check=False, env=environment, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise SourceError(path, "", "a git repository, and no git on this machine", "git installed, or an archive") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip() or f"git ended with status {done.returncode}"
        raise SourceError(path, "", f"a repository that git does not read ({said[:300]})", "a complete git repository")
    return done.stdout


@contextlib.contextmanager
def repository(path: str | Path, revision: str = "HEAD", limits: Limits = Limits()) -> Iterator[Place]:  # noqa: B008  # immutable
    """A revision of a repository as a place; its files can be read as long as the context lasts.

    Links and submodules are left out and named.

    Raises:
        SourceError: If git is missing, the repository is damaged, has no such revision, or is larger than the limits allow.
    """
    root = str(path)
    name = f"{root}@{revision}"
    if revision.startswith("-") or not revision.isprintable():
        raise SourceError(root, "", f'the revision "{revision[:80]}"', "a branch, a tag or a commit")
    try:
        commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}").decode().strip()
    except SourceError as error:
        if "status 1" not in error.found:
            raise
        raise SourceError(root, "", f'no revision "{revision[:80]}"', "a branch, a tag or a commit of this repository") from None
    found: list[tuple[str, str, int]] = []
    left_out: list[str] = []
    total = 0
    entries = _git(root, "ls-tree", "-r", "-z", "-l", "--full-tree", commit).split(b"\0")[:-1]
    limits.check_count(name, len(entries))
    for entry in entries:
        head, _, raw = entry.partition(b"\t")
        mode, _, oid, size = head.decode("ascii").split()
        member = safe_name(name, raw.decode("utf-8", "surrogateescape"))
        if mode in (_LINK, _SUBMODULE):
            left_out.append(f"{member}: a {'link' if mode == _LINK else 'submodule'}")
            continue
        if not size.isdigit():
            raise SourceError(name, member, f"an object that git does not have ({oid[:12]})", "a complete git repository")
        limits.check_file(name, member, int(size))
        total += int(size)
        limits.check_total(name, total)
        if not is_hidden(member):
            found.append((member, oid, int(size)))
    command, environment = _command(root, "cat-file", "--batch")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            read = partial(_read, name, process.stdin, process.stdout)
            files = [File(member, size, partial(read, member, oid, size)) for member, oid, size in found]
            yield Place(name, sorted(files, key=lambda file: file.path), tuple(left_out))
        finally:
            process.kill()


def _read(name: str, asked: IO[bytes], answers: IO[bytes], member: str, oid: str, size: int) -> bytes:
    """One object from the one process that serves them all."""
    try:
        asked.write(f"{oid}\n".encode())
        asked.flush()
        header = answers.readline().split()
        if len(header) == 3 and header[1] == b"blob" and int(header[2]) == size:
            data = answers.read(size + 1)
            if len(data) == size + 1:
                return data[:-1]
    except OSError:
        pass  # the process is gone: said below
    raise SourceError(name, member, f"an object that git does not give ({oid[:12]})", "a complete git repository")
