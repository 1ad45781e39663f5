"""A progress bar on the terminal for work over several files; silent when nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path


def each(paths: Sequence[Path], doing: str) -> Iterator[Path]:
    """The paths one by one, with a bar on standard error while there is a terminal."""
    if len(paths) < 2 or not sys.stderr.isatty():
        yield from paths
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(paths, description=doing, console=Console(stderr=True), transient=True)
