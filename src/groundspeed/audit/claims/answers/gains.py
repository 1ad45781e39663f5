"""Gains: how many times faster one result is than another, or whether the two are equal."""

from __future__ import annotations

import math

from groundspeed.audit.claims import language as q
from groundspeed.audit.claims.answers._common import Answer, Evidence, figure, missing, named, pairs
from groundspeed.audit.claims.comparison import caveats, comparable, comparators, ratio
from groundspeed.audit.noise import Z
from groundspeed.audit.pairs import Pair
from groundspeed.record.model import Result


def answer_gain(
    evidence: Evidence, label: str, subject: Result, baseline: Result, per_accelerator: bool, *, order_only: bool = False
) -> Answer:
    why = comparable(subject, baseline)
    rows = (subject, baseline)
    basis = f"{named(subject)} against {named(baseline)}"
    if why:
        return Answer(label, None, "times", basis, rows, not_comparable=why)
    value = ratio(subject, baseline, per_accelerator)
    if value is None:
        why = "a latency is not divided by a count" if subject.metric.direction == "lower" else "an accelerator count is unknown"
        return Answer(label, None, "times", basis, rows, not_comparable=why)
    found = comparators(evidence.standing(baseline), subject, baseline, per_accelerator)
    per = ", per accelerator" if per_accelerator else ""
    divided = (
        f"({figure(subject)} / {subject.system.count}) / ({figure(baseline)} / {baseline.system.count})"
        if per_accelerator
        else f"{figure(subject)} / {figure(baseline)}"
        if subject.metric.direction == "higher"
        else f"{figure(baseline)} / {figure(subject)} (latency: older over newer)"
    )
    note = ""
    if subject.system.count != baseline.system.count and not per_accelerator and subject.metric.direction == "higher":
        each = ratio(subject, baseline, True)
        note = f"per accelerator ({subject.system.count} against {baseline.system.count}): {each:.3f}x" if each else ""
    return Answer(
        label, value, "times", basis + per, rows, caveats(subject, baseline, order_only=order_only), f"{divided} = {value:.4f}x", found, note
    )  # fmt: skip


def answer_over(
    evidence: Evidence,
    question: q.Ratio | q.Change | q.Order,
    subject: q.Selection,
    baseline: q.Selection,
    *,
    order_only: bool = False,
) -> list[Answer]:
    answers = []
    for label, one, other in pairs(evidence.index, subject, baseline, question.over):
        if one is None or other is None:
            answers.append(missing(label, (one, other), (subject, baseline)))
        else:
            answers.append(answer_gain(evidence, label, one, other, question.per == "accelerator", order_only=order_only))
    return taken(answers, question.take)


def taken(answers: list[Answer], take: q.Take) -> list[Answer]:
    """The answers, or the one that is claimed of them."""
    if take == "each":
        return answers
    known = [a for a in answers if isinstance(a.value, float)]
    if not known:
        return answers[:1]
    others = ", ".join(f"{a.label} {a.value:.4f}" for a in known)
    if take == "mean":
        value = sum(float(a.value) for a in known if isinstance(a.value, float)) / len(known)
        codes = tuple(sorted({code for a in known for code in a.caveats}))
        rows = tuple(r for a in known for r in a.rows)
        return [Answer("", value, known[0].unit, f"mean of {len(known)}", rows, codes, f"mean of {others}")]
    chosen = (max if take == "maximum" else min)(known, key=lambda a: float(a.value) if isinstance(a.value, float) else 0.0)
    note = f"{take} of {others}" if len(known) > 1 else chosen.note
    return [chosen._replace(note=note)]


def change_sides(question: q.Change) -> tuple[q.Selection, q.Selection]:
    newer = question.of.model_copy(update={"round": question.to})
    older: dict[str, object] = {"round": question.from_}
    if question.from_division is not None:
        older["division"] = question.from_division
    return newer, question.of.model_copy(update=older)


def answer_tie(evidence: Evidence, question: q.Tie) -> list[Answer]:
    answers = []
    for label, one, other in pairs(evidence.index, question.subject, question.baseline, question.over):
        if one is None or other is None:
            answers.append(missing(label, (one, other), (question.subject, question.baseline)))
            continue
        compared = answer_gain(evidence, label, one, other, False)
        if not isinstance(compared.value, float):
            answers.append(compared)
            continue
        limit = _limit(evidence, question, one, other)
        if limit is None:
            answers.append(compared._replace(value=None, note="the noise of one of the two is unknown"))
            continue
        apart = abs(math.log(compared.value))
        tie = "tie" if apart <= limit else "no tie"
        note = f"{one.provenance.submitter} is at {100 * compared.value:.1f} % of {other.provenance.submitter}; "
        note += f"they are {100 * apart:.1f} % apart against a limit of {100 * limit:.1f} % (ln)"
        best = compared.comparators
        if best is not None and best.best.computed is not None:
            against = abs(math.log(best.best.computed))
            verdict = "a tie" if against <= limit else "no tie"
            note += f"; against the best ({best.best.submitter}) {100 * best.best.computed:.1f} %, {verdict}"
        answers.append(compared._replace(value=tie, unit="", note=note))
    return answers


def _limit(evidence: Evidence, question: q.Tie, one: Result, other: Result) -> float | None:
    """The |ln ratio| up to which two results are equal: each side's own noise, or the percentage that was given."""
    if question.within != "noise":
        return math.log1p(question.within / 100)
    noise = evidence.noise.of(Pair(other, one, ()))
    return None if noise is None else Z * noise.sigma
