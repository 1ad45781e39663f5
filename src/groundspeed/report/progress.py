"""A progress bar on the terminal for work over several files; silent when nobody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


def each(items: Sequence[T], doing: str) -> Iterator[T]:
    """The items one by one, with a bar on standard error while there is a terminal."""
    if len(items) < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import track

    yield from track(items, description=doing, console=Console(stderr=True), transient=True)


@contextmanager
def steps(doing: str, total: int, quiet: bool = False) -> Iterator[Callable[[int, str], None]]:
    """A bar on standard error for work in steps, while there is a terminal; gives what is called with (steps done, what is next)."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, text: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda done, text: bar.update(task, completed=done, description=f"{doing} {escape(text[-60:])}")
