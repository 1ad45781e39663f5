"""Footnotes: caveats and notes spelled out beneath a table, each once, under a mark."""

from __future__ import annotations

import string
from collections.abc import Iterable

from groundspeed.audit.caveats import CAVEATS
from groundspeed.audit.findings import Finding


def _marks() -> Iterable[str]:
    yield from string.ascii_lowercase
    for first in string.ascii_lowercase:
        for second in string.ascii_lowercase:
            yield first + second


class Footnotes:
    """Caveats get letters, notes get numbers; both in the order in which they first appear."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        findings = list(findings)
        codes = dict.fromkeys(code for f in findings for code in f.caveats)
        self.caveats: dict[str, str] = dict(zip(codes, _marks(), strict=False))
        texts = dict.fromkeys(note for f in findings for note in self.notes_of(f))
        self.notes: dict[str, str] = {text: str(i) for i, text in enumerate(texts, 1)}

    @staticmethod
    def notes_of(finding: Finding) -> list[str]:
        """The notes of a finding: what the audit noticed, and why a step without a known cause is called so."""
        notes = list(finding.notes)
        if finding.step == "unexplained":
            notes.insert(0, finding.step_reason)
        return notes

    def of(self, finding: Finding) -> str:
        """The marks of a finding, "a c 2"."""
        letters = sorted((self.caveats[code] for code in finding.caveats), key=lambda mark: (len(mark), mark))
        return " ".join([*letters, *sorted((self.notes[note] for note in self.notes_of(finding)), key=int)])

    def lines(self) -> list[tuple[str, str]]:
        """Marks and texts, caveats first."""
        spelled = [(mark, f"{code}: {CAVEATS[code]}") for code, mark in self.caveats.items()]
        return [*spelled, *((mark, text) for text, mark in self.notes.items())]
