"""Writing a file in one piece or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from groundspeed.errors import GroundspeedError


def _new_mode() -> int:
    """What a new file's permissions would be."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextmanager
def in_one_piece(path: str | Path) -> Iterator[Path]:
    """A temporary path that takes the place of a file when the block ends well, and vanishes otherwise.

    A link is followed, so that what it points to is replaced and not the link. An existing file keeps its permissions. What is no
    regular file (a device, a pipe) is never replaced: the content is written into it.

    Raises:
        GroundspeedError: If the place cannot be written to.
    """
    path = Path(path)
    temporary: Path | None = None
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise GroundspeedError(f"{path}: cannot be written (it is a directory)")
        mode = target.stat().st_mode if target.exists() else None
        special = mode is not None and not stat.S_ISREG(mode)
        handle, name = tempfile.mkstemp(dir=None if special else target.parent, prefix=f".{target.name}.")
        os.close(handle)
        temporary = Path(name)
        yield temporary
        if special:
            with target.open("wb") as stream:
                stream.write(temporary.read_bytes())
        else:
            temporary.chmod(stat.S_IMODE(mode) if mode is not None else _new_mode())
            os.replace(temporary, target)
    except OSError as error:
        raise GroundspeedError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
