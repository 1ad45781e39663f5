"""Zip and tar archives as places. Nothing is extracted: members are read in memory, after everything that can be wrong is checked.

An archive with a name that leads out of it, a link that does, a device, two members of one name, or more bytes than allowed is
refused as a whole: whoever made it did not mean to publish measurements. Links inside an archive are left out and named.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import posixpath
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any, Literal, Self

from groundspeed.errors import SourceError
from groundspeed.sources._limits import Limits, is_hidden, safe_name
from groundspeed.sources._places import File, Place

Kind = Literal["zip", "tar", "tar.gz"]

# The longest extended header of a tar member that is believed: names and times need a few hundred bytes.
_LONGEST_HEADER = 1 << 20
_TAR_HEADERS = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
# What zipfile, tarfile and the unpackers raise for damaged bytes. The last three are theirs for broken dates, unknown compression and
# wrong passwords; none is raised by code of ours.
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError)


def _is_tar(block: bytes) -> bool:
    """Whether a block is the head of a tar member, by its checksum."""
    if len(block) < tarfile.BLOCKSIZE or not block.strip(b"\0"):
        return False
    try:
        tarfile.TarInfo.frombuf(block[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


def kind_of(path: Path) -> Kind | None:
    """Which kind of archive a file is, from its content; None if it is none.

    Raises:
        SourceError: If it cannot be read.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(tarfile.BLOCKSIZE)
            if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
                return "zip"
            if head[:2] == b"\x1f\x8b":
                stream.seek(0)
                with contextlib.suppress(OSError, EOFError, zlib.error), gzip.GzipFile(fileobj=stream) as unpacked:
                    return "tar.gz" if _is_tar(unpacked.read(tarfile.BLOCKSIZE)) else None
                return None
            return "tar" if _is_tar(head) else None
    except OSError as error:
        found = f"a file that cannot be read ({error.strerror or error})"
        raise SourceError(str(path), "", found, "a readable file") from None


@contextlib.contextmanager
def archive(path: str | Path, kind: Kind, limits: Limits = Limits()) -> Iterator[Place]:  # noqa: B008  # immutable
    """An archive as a place; its files can be read as long as the context lasts.

    Raises:
        SourceError: If it is damaged, hostile, or larger than the limits allow.
    """
    name = str(path)
    members: list[File] = []
    left_out: list[str] = []
    with contextlib.ExitStack() as stack:
        try:
            if kind == "zip":
                members, left_out = _zip(name, stack.enter_context(zipfile.ZipFile(name)), limits)
            else:
                raw = stack.enter_context(open(name, "rb"))
                members, left_out = _tar(name, raw, kind == "tar.gz", limits)
        except SourceError as error:
            raise SourceError(name, error.where, error.found, error.expected) from None
        except _DAMAGED as error:
            raise SourceError(name, "", f"a damaged {kind} archive ({error})", "a complete archive") from None
        yield Place(name, sorted(members, key=lambda file: file.path), tuple(left_out))


class _Gathering:
    """The checks that members of every kind of archive go through, one after another."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.name, self.limits = name, limits
        self.seen: set[str] = set()
        self.count = 0
        self.total = 0
        self.files: list[File] = []
        self.left_out: list[str] = []

    def path(self, raw: str) -> str:
        """The member's path, counted, safe, and seen for the first time; "" for the archive's own top directory."""
        self.count += 1
        self.limits.check_count(self.name, self.count)
        path = safe_name(self.name, raw)
        if path and path in self.seen:
            raise SourceError(self.name, path, "two members of this name", "each name once")
        self.seen.add(path)
        return path

    def size(self, path: str, size: int) -> None:
        """Check a declared or an actual size and add it to the total."""
        self.limits.check_file(self.name, path, size)
        self.total += size
        self.limits.check_total(self.name, self.total)

    def link(self, path: str, target: str) -> None:
        """Leave a link out, or refuse the archive if it leads out of it."""
        inside = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if target.startswith("/") or "\0" in target or inside.split("/")[0] == "..":
            raise SourceError(self.name, path, f"a link out of the archive, to {target[:200]}", "files")
        self.left_out.append(f"{path}: a link to {target[:200]}")

    def refuse(self, path: str, found: str) -> None:
        raise SourceError(self.name, path, found, "files and directories")


def _zip(name: str, archive: zipfile.ZipFile, limits: Limits) -> tuple[list[File], list[str]]:
    held = _Gathering(name, limits)
    infos = archive.infolist()
    limits.check_count(name, len(infos))
    for info in infos:
        # zipfile cuts a name at its first NUL; the name as it stands is the one to judge.
        path = held.path(info.orig_filename if "\0" in info.orig_filename else info.filename)
        mode = info.external_attr >> 16
        if info.is_dir():
            continue
        if info.flag_bits & 0x1:
            held.refuse(path, "an encrypted file")
        if stat.S_ISLNK(mode):
            limits.check_file(name, path, info.file_size)
            target = archive.read(info) if info.file_size < 5000 else b"/"
            held.link(path, target.decode("utf-8", "replace"))
            continue
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            held.refuse(path, "a device, pipe or socket")
        held.size(path, info.file_size)
        limits.check_ratio(name, path, info.compress_size, info.file_size)
        if not is_hidden(path):
            held.files.append(File(path, info.file_size, partial(_read_zip, name, archive, info)))
    return held.files, held.left_out


def _read_zip(name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """One member. zipfile itself stops at the declared size and then holds the checksum against what it read."""
    try:
        return archive.read(info)
    except _DAMAGED as error:
        raise SourceError(name, info.filename, f"damaged data ({error})", "a complete archive") from None


class _Member(tarfile.TarInfo):
    """A tar member that is refused where tarfile would believe it, or take damage for the archive's end."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        try:
            return super().frombuf(buf, encoding, errors)
        except tarfile.HeaderError as error:
            if isinstance(error, tarfile.EOFHeaderError):  # type: ignore[attr-defined]  # missing in its types
                raise
            found = "no end mark: a truncated archive" if len(buf) < tarfile.BLOCKSIZE else f"a damaged member ({error})"
            raise SourceError("", "", found, "a complete archive") from None

    def _proc_member(self, archive: tarfile.TarFile) -> Any:
        if self.type in _TAR_HEADERS and self.size > _LONGEST_HEADER:
            raise SourceError("", "", f"a header of {self.size:,} bytes", "a name and attributes")
        return super()._proc_member(archive)  # type: ignore[misc]  # the documented hook of TarInfo, missing in its types


class _Counted(io.RawIOBase):
    """The unpacked stream of a tar.gz, that stops when it unpacks to more than it may."""

    def __init__(self, name: str, stream: gzip.GzipFile, packed: IO[bytes], limits: Limits) -> None:
        self.name, self.stream, self.packed, self.limits = name, stream, packed, limits
        self.total = 0

    def read(self, size: int = -1) -> bytes:
        data = self.stream.read(size)
        self.total += len(data)
        # Headers and padding come on top of the files, 1,024 bytes for each at the most.
        self.limits.check_total(self.name, self.total - 1024 * self.limits.files)
        self.limits.check_ratio(self.name, "", self.packed.tell(), self.total)
        return data


def _tar(name: str, raw: IO[bytes], packed: bool, limits: Limits) -> tuple[list[File], list[str]]:
    held = _Gathering(name, limits)
    stream: Any = _Counted(name, gzip.GzipFile(fileobj=raw), raw, limits) if packed else raw
    # A packed archive can only be read forwards: what it holds is kept, packed again file by file, until it is asked for.
    tar = tarfile.open(fileobj=stream, mode="r|" if packed else "r:", tarinfo=_Member, name=name)  # noqa: SIM115  # owns nothing
    for member in tar:
        path = held.path(member.name)
        if member.isdir():
            continue
        if member.issym():
            held.link(path, member.linkname)
            continue
        if member.islnk():
            held.left_out.append(f"{path}: a link to {safe_name(name, member.linkname)[:200]}")
            continue
        if not member.isreg() or member.issparse():
            held.refuse(path, "a device, pipe or sparse file")
        held.size(path, member.size)
        if is_hidden(path):
            continue
        if packed:
            content = tar.extractfile(member)
            data = content.read() if content else b""
            if len(data) != member.size:
                raise SourceError(name, path, f"{len(data):,} of {member.size:,} bytes: a truncated archive", "a complete one")
            held.files.append(File(path, member.size, partial(zlib.decompress, zlib.compress(data, 1))))
        else:
            held.files.append(File(path, member.size, partial(_read_span, name, path, raw, member.offset_data, member.size)))
    while packed and stream.read(1 << 20):
        pass  # to the end, where gzip holds its checksum against everything
    return held.files, held.left_out


def _read_span(name: str, path: str, raw: IO[bytes], offset: int, size: int) -> bytes:
    raw.seek(offset)
    data = raw.read(size)
    if len(data) != size:
        raise SourceError(name, path, f"{len(data):,} of {size:,} bytes: a truncated archive", "a complete archive")
    return data
