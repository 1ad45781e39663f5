"""Selections of a ledger resolved to results of the record.

Names are checked against the record as a whole, so that a misspelling is a mistake of the ledger, while a selection whose names are
all right and that still holds nothing is evidence that is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from groundspeed.audit.claims.language import Selection
from groundspeed.audit.copies import without_copies
from groundspeed.audit.selection import KINDS, listed
from groundspeed.record.calendar import round_key
from groundspeed.record.model import Result
from groundspeed.record.names import nearest


class Wrong(NamedTuple):
    """A mistake in a selection: which field, and what is wrong with it."""

    field: str
    message: str


class SelectionMistake(Exception):  # noqa: N818  # it is collected with others into one error
    """A selection that names what the record does not know, or that does not say which result it means."""

    def __init__(self, wrong: Sequence[Wrong]) -> None:
        self.wrong = list(wrong)
        super().__init__("; ".join(f"{w.field}: {w.message}" for w in wrong))


def _several(value: str | list[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else value


class Index:
    """A record's results, indexed so that thousands of selections are resolved in time linear in their number.

    Every name is compared with the distinct systems, workloads, submitters and divisions once, however often it is written.
    """

    def __init__(self, results: Iterable[Result], held: Sequence[str] | None = None) -> None:
        self.all_results = list(results)
        kept, _ = without_copies(self.all_results)
        self.results = [r for r in kept if not r.provenance.inferred]
        self._kept = {r.id for r in self.results}
        self.rounds = list(held) if held is not None else sorted({r.provenance.round for r in self.all_results}, key=round_key)
        self._by_round: dict[str, list[Result]] = {}
        for r in self.all_results:
            self._by_round.setdefault(r.provenance.round, []).append(r)
        parts: dict[str, Callable[[Result], object]] = {
            "hardware": lambda r: id(r.system),
            "model": lambda r: id(r.workload),
            "scenario": lambda r: r.workload.scenario,
            "submitter": lambda r: r.provenance.submitter,
            "division": lambda r: r.provenance.division,
        }
        self._part = parts
        self._examples: dict[str, dict[object, Result]] = {kind: {} for kind in parts}
        for r in self.all_results:
            for kind, of in parts.items():
                self._examples[kind].setdefault(of(r), r)
        self._matching: dict[tuple[str, str], frozenset[object]] = {}

    def matching(self, kind: str, written: str) -> frozenset[object]:
        """Which systems, workloads, submitters ... a written name means; empty if the record knows none."""
        key = (kind, written)
        if key not in self._matching:
            examples = self._examples[kind].items()
            self._matching[key] = frozenset(part for part, r in examples if KINDS[kind].matches(r, written))
        return self._matching[key]

    def _unknown(self, kind: str, written: str) -> Wrong:
        names = {KINDS[kind].label(r) for r in self._examples[kind].values()}
        near = nearest(written.partition("x ")[2] or written, names)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there is {listed(names)}"
        if kind == "hardware":
            bare = written.partition("x")[2].strip() if written[:1].isdigit() else ""
            counts = {r.system.hardware for r in self._examples[kind].values() if bare and KINDS[kind].matches(r, bare)}
            hint = f"there is {listed(counts)}" if counts else hint
        return Wrong(kind, f'the record knows no {kind} "{written}"; {hint}')

    def wrong_names(self, selection: Selection) -> list[Wrong]:
        """Names in a selection that the record does not know at all."""
        wrong = []
        for kind in self._part:
            for written in _several(getattr(selection, kind)):
                if not (kind == "division" and written == "any") and not self.matching(kind, written):
                    wrong.append(self._unknown(kind, written))
        for written in _several(selection.except_submitter):
            if not self.matching("submitter", written):
                wrong.append(Wrong("except_submitter", self._unknown("submitter", written).message))
        for written in _several(selection.round):
            if written not in self.rounds:
                near = nearest(written, self.rounds)
                hint = f"did you mean {' or '.join(near)}? " if near else ""
                wrong.append(Wrong("round", f'the record holds no round "{written}"; {hint}it holds {", ".join(self.rounds)}'))
        return wrong

    def in_round(self, round_: str) -> list[Result]:
        """Every result of a round, copies and inferred ones among them."""
        return self._by_round.get(round_, [])

    def rows(self, selection: Selection, *, published: bool = False) -> list[Result]:
        """Every result a selection means: measured ones, copies once; or all as published.

        Raises:
            SelectionMistake: If it names something the record does not know.
        """
        wrong = self.wrong_names(selection)
        if wrong:
            raise SelectionMistake(wrong)
        rounds = _several(selection.round) or self.rounds
        pool = [r for name in rounds for r in self.in_round(name)]
        for kind, of in self._part.items():
            written = [w for w in _several(getattr(selection, kind)) if not (kind == "division" and w == "any")]
            if written:
                wanted = frozenset().union(*(self.matching(kind, w) for w in written))
                pool = [r for r in pool if of(r) in wanted]
        if selection.except_submitter is not None:
            left_out = frozenset().union(*(self.matching("submitter", w) for w in _several(selection.except_submitter)))
            pool = [r for r in pool if r.provenance.submitter not in left_out]
        if selection.tag is not None:
            tags = set(_several(selection.tag))
            pool = [r for r in pool if tags & set(r.system.tags)]
        if selection.min_nodes is not None:
            pool = [r for r in pool if r.system.nodes >= selection.min_nodes]
        return pool if published else [r for r in pool if r.id in self._kept]

    def one(self, selection: Selection) -> Result | None:
        """The one result a selection means, None if the record holds none.

        Raises:
            SelectionMistake: If several are left and it does not say which one is meant.
        """
        rows = self.rows(selection)
        if not rows:
            return None
        if selection.pick == "only":
            if len(rows) > 1:
                raise SelectionMistake([self._ambiguous(rows)])
            return rows[0]
        if selection.pick == "best per accelerator":
            rows = [r for r in rows if r.system.count and r.metric.direction == "higher"]
            return max(rows, key=lambda r: (r.value / (r.system.count or 1), r.id), default=None)
        ordered = sorted(rows, key=lambda r: (goodness(r), r.id))
        return ordered[-1] if selection.pick == "best" else ordered[(len(ordered) - 1) // 2]

    @staticmethod
    def _ambiguous(rows: list[Result]) -> Wrong:
        """What still distinguishes the rows of a selection that should mean one."""
        ways: dict[str, set[str]] = {
            "submitter": {r.provenance.submitter for r in rows},
            "hardware": {r.system.hardware for r in rows},
            "model": {r.workload.name for r in rows},
            "scenario": {r.workload.scenario for r in rows},
            "round": {r.provenance.round for r in rows},
            "division": {r.provenance.division for r in rows},
        }
        differ = {name: values for name, values in ways.items() if len(values) > 1}
        if not differ:
            systems: set[str] = {r.system.platform for r in rows}
            return Wrong("pick", f"{len(rows)} results are meant (systems {listed(systems)}); say pick: best or median")
        field = next(iter(differ))
        words = "; ".join(f"{name}: {listed(values)}" for name, values in differ.items())
        return Wrong(field, f"{len(rows)} results are meant, which differ in {words}; narrow it, or say pick: best or median")


def goodness(r: Result) -> float:
    """Larger is better, whatever the metric's direction."""
    return r.value if r.metric.direction == "higher" else -r.value
