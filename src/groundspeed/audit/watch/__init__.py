"""Watches: standing questions with an answer as of a date, yes, no, not yet, or no evidence in the record.

Watches are data: `record/data/watches.toml` holds the built-in ones, and a file of the same form adds others.
"""

from groundspeed.audit.watch.answers import answer, run_watches, selected
from groundspeed.audit.watch.evidence import VERDICTS, Answer, Row, Sign, Verdict, known_verdicts
from groundspeed.audit.watch.language import (
    KINDS,
    Exists,
    Pace,
    ReleaseOnTime,
    Resubmitted,
    Watch,
    WatchFileError,
    WithinSpread,
    built_in,
    parse,
)

__all__ = [
    "KINDS",
    "VERDICTS",
    "Answer",
    "Exists",
    "Pace",
    "ReleaseOnTime",
    "Resubmitted",
    "Row",
    "Sign",
    "Verdict",
    "Watch",
    "WatchFileError",
    "WithinSpread",
    "answer",
    "built_in",
    "known_verdicts",
    "parse",
    "run_watches",
    "selected",
]
