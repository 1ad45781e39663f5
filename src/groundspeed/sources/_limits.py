"""How much a place may hold before it is refused, and which names it may use."""

from __future__ import annotations

from typing import NamedTuple

from groundspeed.errors import SourceError

# Below this size nobody is harmed by a high ratio: short files of zeros are packed a thousand to one.
_RATIO_FROM = 64 << 20


class Limits(NamedTuple):
    """What is read from one archive, repository or address at the most.

    Attributes:
        files: Number of files, and of members of any kind.
        file_bytes: Bytes of one file, unpacked.
        total_bytes: Bytes of all files, unpacked; also of a download.
        ratio: Unpacked bytes for one packed byte, of anything larger than 64 MiB.
    """

    files: int = 500_000
    file_bytes: int = 1 << 30
    total_bytes: int = 16 << 30
    ratio: int = 400

    def check_count(self, place: str, count: int) -> None:
        """Refuse a place with too many members.

        Raises:
            SourceError: If `count` is above `files`.
        """
        if count > self.files:
            raise SourceError(place, "", f"more than {self.files:,} files", "fewer, or a higher --max-files")

    def check_file(self, place: str, path: str, size: int) -> None:
        """Refuse a file that is too large.

        Raises:
            SourceError: If `size` is above `file_bytes`.
        """
        if size > self.file_bytes:
            found = f"a file of {size:,} bytes"
            raise SourceError(place, path, found, f"{self.file_bytes:,} bytes at the most, or a higher --max-file-bytes")

    def check_total(self, place: str, total: int) -> None:
        """Refuse a place that holds too much.

        Raises:
            SourceError: If `total` is above `total_bytes`.
        """
        if total > self.total_bytes:
            expected = f"{self.total_bytes:,} bytes at the most, or a higher --max-bytes"
            raise SourceError(place, "", f"more than {self.total_bytes:,} bytes when unpacked", expected)

    def check_ratio(self, place: str, path: str, packed: int, unpacked: int) -> None:
        """Refuse what is packed tighter than measurements ever are: a decompression bomb.

        Raises:
            SourceError: If it is larger than 64 MiB and unpacks to more than `ratio` times its packed size.
        """
        if unpacked > _RATIO_FROM and unpacked > self.ratio * max(packed, 1):
            found = f"{packed:,} bytes that unpack to {unpacked:,} or more (a decompression bomb?)"
            raise SourceError(place, path, found, f"{self.ratio} to 1 at the most, or a higher --max-ratio")


def safe_name(place: str, name: str) -> str:
    """The path of a member of an archive or a repository, with "/" between its parts and without "./".

    Raises:
        SourceError: If it leads out of the place, is absolute, empty, not UTF-8, or holds a NUL.
    """
    expected = "names that stay inside the archive"
    if "\0" in name:
        raise SourceError(place, name[:200], "a NUL byte in a name", expected)
    parts = name.replace("\\", "/").split("/")
    if ".." in parts:
        raise SourceError(place, name[:200], "a name that leads out of the archive", expected)
    if parts[0] == "" or (len(parts[0]) == 2 and parts[0][1] == ":"):
        raise SourceError(place, name[:200] or '""', "an absolute or empty name", expected)
    try:
        name.encode()
    except UnicodeEncodeError:
        raise SourceError(place, ascii(name[:200]), "a name that is not UTF-8", expected) from None
    return "/".join(part for part in parts if part not in ("", "."))


def is_hidden(path: str) -> bool:
    """Whether a file lies in a hidden directory (".git/..."), which are left out of every place."""
    return any(part.startswith(".") for part in path.split("/")[:-1])
