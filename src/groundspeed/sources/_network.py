"""A file from an http(s) address, only for those who ask for it."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import unquote, urlsplit

from groundspeed.errors import SourceError
from groundspeed.sources._limits import Limits

_TIMEOUT_S = 60
_CHUNK = 1 << 20


def is_address(text: str) -> bool:
    """Whether a name is an address and not a path."""
    return "://" in text


def _opener() -> urllib.request.OpenerDirector:
    """Opens http and https and nothing else, also when a server sends it elsewhere."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler, urllib.request.HTTPHandler, urllib.request.HTTPSHandler, urllib.request.HTTPRedirectHandler,
        urllib.request.HTTPErrorProcessor, urllib.request.HTTPDefaultErrorHandler, urllib.request.UnknownHandler,
    ):  # fmt: skip
        opener.add_handler(handler())
    return opener


def download(address: str, folder: Path, limits: Limits) -> Path:
    """Fetch a file into a folder, under the last part of its address.

    Raises:
        SourceError: If the address is not http(s), does not answer with the file, or the file is larger than `total_bytes`.
    """
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https"):
        raise SourceError(address, "", f'an address of the kind "{parts.scheme}"', "a path, or an http(s) address")
    name = unquote(parts.path).rpartition("/")[2].replace("\0", "")
    path = folder / (name if name not in ("", ".", "..") else "download")
    held = 0
    try:
        with _opener().open(address, timeout=_TIMEOUT_S) as answer, path.open("wb") as out:
            declared = answer.headers.get("Content-Length")
            while data := answer.read(_CHUNK):
                held += len(data)
                limits.check_total(address, held)
                out.write(data)
    except urllib.error.HTTPError as error:
        raise SourceError(address, "", f"an answer of status {error.code}", "a file at this address") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise SourceError(address, "", f"no file ({reason})", "an address that answers") from None
    if declared is not None and declared.isdigit() and int(declared) != held:
        raise SourceError(address, "", f"{held:,} of {int(declared):,} bytes: the connection ended early", "the whole file")
    return path
