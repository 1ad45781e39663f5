"""Bytes of a file, with one clear error for everything that can be wrong with it before its format matters."""

from __future__ import annotations

import gzip
import io
import zlib
from pathlib import Path

from groundspeed.errors import SourceError

# A published table is a few megabytes; a file that unpacks to more than this is not one.
MAX_BYTES = 1 << 30
_GZIP_MAGIC = b"\x1f\x8b"


def read_bytes(path: Path, what: str = "a published table", max_bytes: int = MAX_BYTES) -> bytes:
    """The content of a file, unpacked if it is gzip (known by its first bytes, not by its name).

    Args:
        path: The file.
        what: What it should be, for errors.
        max_bytes: What it may unpack to at the most.

    Raises:
        SourceError: If it is missing, not a file, unreadable, empty, damaged gzip, or larger than `max_bytes`.
    """
    name = str(path)
    try:
        if path.is_dir():
            raise SourceError(name, "", "a directory", f"a file with {what}")
        with path.open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except FileNotFoundError:
        raise SourceError(name, "", "no such file", f"a file with {what}") from None
    except OSError as error:
        raise SourceError(name, "", f"a file that cannot be read ({error.strerror or error})", "a readable file") from None
    return unpacked(name, data, what, max_bytes)


def unpacked(name: str, data: bytes, what: str = "a published table", max_bytes: int = MAX_BYTES) -> bytes:
    """The content of a file that was read, unpacked if it is gzip.

    Raises:
        SourceError: If it is empty, damaged gzip, or larger than `max_bytes`.
    """
    if not data:
        raise SourceError(name, "", "an empty file (0 bytes)", what)
    if data[:2] == _GZIP_MAGIC:
        data = _unpack(name, data, what, max_bytes)
    if len(data) > max_bytes:
        raise SourceError(name, "", f"more than {max_bytes:,} bytes", f"{what} (a few megabytes)")
    return data


def _unpack(name: str, data: bytes, what: str, max_bytes: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            unpacked = stream.read(max_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(name, "gzip", f"damaged or truncated data ({error})", "a complete gzip file") from None
    if not unpacked:
        raise SourceError(name, "gzip", "0 bytes after unpacking", what)
    return unpacked


def decode_text(name: str, data: bytes) -> str:
    """The text of a UTF-8 file, without a byte order mark.

    Raises:
        SourceError: If it is not UTF-8, naming the line.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x}, which is not UTF-8"
        raise SourceError(name, f"line {line}, byte {error.start}", found, "UTF-8 text") from None


def looks_like_a_table(path: Path) -> bool:
    """Whether a file is text or gzip, as published tables are; records (Parquet, databases) are neither, and addresses are no files."""
    try:
        with path.open("rb") as stream:
            head = stream.read(64)
    except OSError:
        return "://" not in str(path)  # reading it says what is wrong
    return head[:2] == _GZIP_MAGIC or not (head.startswith(b"PAR1") or b"\0" in head)
