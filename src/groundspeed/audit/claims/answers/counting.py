"""Counting: how many there are of a thing, which is the largest, who is the only one, and what a single result says."""

from __future__ import annotations

from collections.abc import Callable

from groundspeed.audit.claims import language as q
from groundspeed.audit.claims.answers._common import Answer, Evidence, figure, missing, named
from groundspeed.audit.selection import accelerator_matches
from groundspeed.audit.selection import listed as listed_names
from groundspeed.record import names
from groundspeed.record.calendar import round_key
from groundspeed.record.model import Result

_COUNTED: dict[str, Callable[[Result], object]] = {
    "results": lambda r: r.id,
    "systems": lambda r: (r.provenance.submitter, r.system.platform),
    "submitters": lambda r: r.provenance.submitter,
    "models": lambda r: r.workload.benchmark,
}


def _things(r: Result, question: q.Count) -> list[object]:
    """What one result adds to a count. Of a mixed system only the accelerators that were asked for count."""
    if question.what != "accelerators":
        return [_COUNTED[question.what](r)]
    wanted = question.of.hardware
    asked = [wanted] if isinstance(wanted, str) else wanted
    return [g.name for g in r.system.accelerators if asked is None or any(accelerator_matches(g.name, w) for w in asked)]


def answer_count(evidence: Evidence, question: q.Count) -> list[Answer]:
    # What was published is counted, copies included; other things do not change with them.
    rows = evidence.index.rows(question.of, published=True)
    found = sorted({str(thing) for r in rows for thing in _things(r, question)})
    listed = "" if question.what in {"results", "systems"} else f"{question.what}: {listed_names(found)}"
    return [
        Answer(
            "",
            float(len(found)),
            question.what,
            f"{question.what} counted",
            tuple(rows),
            (),
            f"{len(found)} {question.what}",
            None,
            listed,
        )
    ]


def answer_rank(evidence: Evidence, question: q.Rank) -> list[Answer]:
    index = evidence.index
    mine, others = index.rows(question.of), index.rows(question.among)
    if not mine:
        return [Answer("", None, "", "", note="the record holds no such result")]

    def size(r: Result) -> float:
        return float(r.system.count or 0) if question.by == "accelerators" else r.value

    best = max(mine, key=size)
    same = (best.provenance.submitter, best.system.hardware)
    rest = [r for r in others if (r.provenance.submitter, r.system.hardware) != same]
    place = 1 + len({(r.provenance.submitter, r.system.platform) for r in rest if size(r) > size(best)})
    shown = [best]
    words = []
    runner_up = max(rest, key=size, default=None)
    before = max((r for r in rest if round_key(r.provenance.round) < round_key(best.provenance.round)), key=size, default=None)
    for other, what in ((runner_up, "the next"), (before, "the largest of earlier rounds")):
        if other is not None and other not in shown:
            shown.append(other)
            words.append(f"{what} is {size(other):,.0f} ({named(other)})")
    note = f"{size(best):,.0f} {question.by}; {'; '.join(words)}; within the rounds the record holds: {', '.join(index.rounds)}"
    return [Answer("", float(place), "rank", f"by {question.by}", tuple(shown), (), f"rank {place}", None, note)]


def answer_only(evidence: Evidence, question: q.Only) -> list[Answer]:
    rows = evidence.index.rows(question.of)
    if not rows:
        return [Answer("", None, "", "", note="the record holds no such result")]
    one_of: dict[str, Result] = {}
    for r in rows:
        one_of.setdefault(r.provenance.submitter if question.what == "submitter" else _vendor(r), r)
    found = ", ".join(sorted(one_of))
    submitters = listed_names(r.provenance.submitter for r in rows)
    counted = f"{len(rows)} results, all of: {found}"
    return [
        Answer(
            "",
            found,
            question.what,
            f"{len(rows)} results",
            tuple(one_of.values()),
            (),
            counted,
            None,
            f"submitters: {submitters}",
        )
    ]


def _vendor(r: Result) -> str:
    found = {names.vendor(g.name) or g.name for g in r.system.accelerators}
    return " + ".join(sorted(found)) or "no accelerator"


def answer_value(evidence: Evidence, question: q.Value) -> list[Answer]:
    row = evidence.index.one(question.of)
    if row is None:
        return [missing("", (None, None), (question.of, question.of))]
    codes = tuple(sorted(remark for remark in ("below-target-as-listed",) if row.quality.below_target))
    if question.quantity == "accuracy":
        values = row.quality.accuracy
        found = next((a for a in values if question.metric in (None, a.metric)), None)
        if found is None:
            there = ", ".join(a.metric for a in values) or "none"
            return [
                Answer("", None, "", named(row), (row,), note=f"the record holds no accuracy {question.metric}; it holds {there}")
            ]
        floor = f"; target {found.minimum:g}" if found.minimum is not None else ""
        return [Answer("", found.value, found.metric, named(row), (row,), codes, f"{found.metric} {found.value:g}{floor}")]
    value, unit = row.value, row.metric.unit
    if question.per == "accelerator":
        if not row.system.count or row.metric.direction == "lower":
            return [Answer("", None, unit, named(row), (row,), not_comparable="it cannot be divided by a count of accelerators")]
        return [
            Answer(
                "",
                value / row.system.count,
                f"{unit} per accelerator",
                named(row),
                (row,),
                codes,
                f"{figure(row)} / {row.system.count} (derived)",
            )
        ]
    return [Answer("", value, unit, named(row), (row,), codes, figure(row))]
