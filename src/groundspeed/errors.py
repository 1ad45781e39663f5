"""Errors that a user is meant to read: what is wrong, where, and what to do."""

from __future__ import annotations

import unicodedata

# Control characters, marks that turn the direction of text, and separators that start a line of their own.
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def visible(text: str) -> str:
    """A text with the characters escaped that would act on a terminal and not be seen; line ends and tabs stay.

    Published tables and ledgers are other people's files: an escape sequence in one could erase or forge what stands beside it.
    """
    if text.isprintable():
        return text
    return "".join(
        c.encode("unicode_escape").decode("ascii") if unicodedata.category(c) in _UNSEEN and c not in "\n\t" else c for c in text
    )


class GroundspeedError(Exception):
    """Base of every error that is the input's fault and not the program's."""


def _one_line(text: str) -> str:
    """A quoted piece of a file with its line ends and control characters escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


class SourceError(GroundspeedError):
    """A file could not be read as what it should be.

    Args:
        path: The file, as the user named it.
        where: Row, line or key inside it; empty if the whole file is meant.
        found: What stands there.
        expected: What should stand there, or what to do.
    """

    def __init__(self, path: str, where: str, found: str, expected: str) -> None:
        where, found, expected = (_one_line(text) for text in (where, found, expected))
        self.path, self.where, self.found, self.expected = path, where, found, expected
        place = f"{path}: {where}" if where else path
        super().__init__(f"{place}: found {found}; expected {expected}")


class SelectionError(GroundspeedError):
    """A filter or an option names something the record does not hold. The message lists what it does hold."""


class RecordError(GroundspeedError):
    """A record file is missing, damaged, or written by another version."""


class ConflictError(RecordError):
    """A source says something else than the record already holds, or than itself. Nothing of it was taken."""
