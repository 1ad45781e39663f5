"""Text of other people's files on a terminal: shown, and never obeyed."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

from groundspeed.errors import visible


class Visible:
    """A renderable whose text is shown and never obeyed: see `groundspeed.errors.visible`.

    It is done to what was laid out, so that no report can forget it; a line with such a character is longer by its escape.
    """

    def __init__(self, renderable: RenderableType) -> None:
        self.renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for segment in console.render(self.renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))
