"""Answers: what the record says to a question, before it is held against the claim."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from groundspeed.audit import cadence, spread
from groundspeed.audit.claims import language as q
from groundspeed.audit.claims.comparison import Comparators, caveats, comparable, comparators, ratio
from groundspeed.audit.claims.selections import Index
from groundspeed.audit.frontier import Standing, standing
from groundspeed.audit.noise import Noise, Z
from groundspeed.audit.pairs import Pair
from groundspeed.audit.selection import accelerator_matches
from groundspeed.audit.selection import listed as listed_names
from groundspeed.record import names
from groundspeed.record.calendar import round_key
from groundspeed.record.model import Result


class Answer(NamedTuple):
    """What the record says.

    Attributes:
        label: What distinguishes it from the other answers of the question ("Offline").
        value: A ratio in times, a count, a value, a name, or dates; None where the record holds no evidence.
        unit: Of `value`.
        basis: What was compared, in words.
        rows: The exact rows used.
        caveats: Codes of the method.
        arithmetic: The computation, in figures.
        comparators: The answer against others on the comparator's hardware.
        note: What a reader should learn besides.
        not_comparable: Why the record's rows cannot be compared, "" if they can.
    """

    label: str
    value: float | str | tuple[dt.date, ...] | None
    unit: str
    basis: str
    rows: tuple[Result, ...] = ()
    caveats: tuple[str, ...] = ()
    arithmetic: str = ""
    comparators: Comparators | None = None
    note: str = ""
    not_comparable: str = ""


class Evidence:
    """A record ready to be asked: its index and its noise."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._noise: Noise | None = None
        self._standings: dict[str, Standing] = {}

    def standing(self, baseline: Result) -> Standing:
        """Where a comparator stands on its hardware in its round and division."""
        if baseline.id not in self._standings:
            self._standings[baseline.id] = standing(self.index.in_round(baseline.provenance.round), baseline)
        return self._standings[baseline.id]

    @property
    def noise(self) -> Noise:
        """Reproduction noise of all rounds, computed when first needed."""
        if self._noise is None:
            self._noise = Noise(self.index.results)
        return self._noise


def _named(r: Result) -> str:
    p = r.provenance
    text = f"{p.submitter} {r.system.hardware} {r.workload.name} {r.workload.scenario} {p.round}"
    return text if p.division == "closed" else f"{text} ({p.division})"


def _figure(r: Result) -> str:
    return f"{r.value:,.7g} {r.metric.unit}"


def _pairs(
    index: Index, first: q.Selection, second: q.Selection, over: list[q.Dimension]
) -> Iterator[tuple[str, Result | None, Result | None]]:
    """The two sides of a question, once for each value of the dimensions it runs over."""
    if not over:
        yield "", index.one(first), index.one(second)
        return
    values = []
    for selection in (first, second):
        rows = index.rows(selection)
        values.append(dict.fromkeys(tuple(_dimension(r, d) for d in over) for r in rows))
    keys = [key for key in values[0] if key in values[1]] or list(values[0]) or list(values[1]) or [()]
    for key in keys:
        narrowed = [s.model_copy(update=dict(zip(over, key, strict=False))) for s in (first, second)]
        yield " ".join(reversed(key)), index.one(narrowed[0]), index.one(narrowed[1])


def _dimension(r: Result, dimension: q.Dimension) -> str:
    return r.workload.scenario if dimension == "scenario" else r.workload.name


def _missing(label: str, sides: tuple[Result | None, Result | None], selections: tuple[q.Selection, q.Selection]) -> Answer:
    said = " and ".join(
        ", ".join(f"{k} {v}" for k, v in s.model_dump(exclude_none=True, exclude_defaults=True).items())
        for r, s in zip(sides, selections, strict=True)
        if r is None
    )
    return Answer(label, None, "", "", note=f"the record holds no result of {said}")


def _ratio(
    evidence: Evidence, label: str, subject: Result, baseline: Result, per_accelerator: bool, *, order_only: bool = False
) -> Answer:
    why = comparable(subject, baseline)
    rows = (subject, baseline)
    basis = f"{_named(subject)} against {_named(baseline)}"
    if why:
        return Answer(label, None, "times", basis, rows, not_comparable=why)
    value = ratio(subject, baseline, per_accelerator)
    if value is None:
        why = "a latency is not divided by a count" if subject.metric.direction == "lower" else "an accelerator count is unknown"
        return Answer(label, None, "times", basis, rows, not_comparable=why)
    found = comparators(evidence.standing(baseline), subject, baseline, per_accelerator)
    per = ", per accelerator" if per_accelerator else ""
    divided = (
        f"({_figure(subject)} / {subject.system.count}) / ({_figure(baseline)} / {baseline.system.count})"
        if per_accelerator
        else f"{_figure(subject)} / {_figure(baseline)}"
        if subject.metric.direction == "higher"
        else f"{_figure(baseline)} / {_figure(subject)} (latency: older over newer)"
    )
    note = ""
    if subject.system.count != baseline.system.count and not per_accelerator and subject.metric.direction == "higher":
        each = ratio(subject, baseline, True)
        note = f"per accelerator ({subject.system.count} against {baseline.system.count}): {each:.3f}x" if each else ""
    return Answer(
        label, value, "times", basis + per, rows, caveats(subject, baseline, order_only=order_only), f"{divided} = {value:.4f}x", found, note
    )  # fmt: skip


def _over(
    evidence: Evidence,
    question: q.Ratio | q.Change | q.Order,
    subject: q.Selection,
    baseline: q.Selection,
    *,
    order_only: bool = False,
) -> list[Answer]:
    answers = []
    for label, one, other in _pairs(evidence.index, subject, baseline, question.over):
        if one is None or other is None:
            answers.append(_missing(label, (one, other), (subject, baseline)))
        else:
            answers.append(_ratio(evidence, label, one, other, question.per == "accelerator", order_only=order_only))
    return _taken(answers, question.take)


def _taken(answers: list[Answer], take: q.Take) -> list[Answer]:
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


def _change(question: q.Change) -> tuple[q.Selection, q.Selection]:
    newer = question.of.model_copy(update={"round": question.to})
    older: dict[str, object] = {"round": question.from_}
    if question.from_division is not None:
        older["division"] = question.from_division
    return newer, question.of.model_copy(update=older)


def _tie(evidence: Evidence, question: q.Tie) -> list[Answer]:
    answers = []
    for label, one, other in _pairs(evidence.index, question.subject, question.baseline, question.over):
        if one is None or other is None:
            answers.append(_missing(label, (one, other), (question.subject, question.baseline)))
            continue
        compared = _ratio(evidence, label, one, other, False)
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


def _capacity(evidence: Evidence, question: q.Capacity) -> list[Answer]:
    answers = []
    for label, after, before in _pairs(evidence.index, question.after, question.before, question.over):
        if after is None or before is None:
            answers.append(_missing(label, (after, before), (question.after, question.before)))
            continue
        n_after, n_before = after.system.count, before.system.count
        each = ratio(after, before, True)
        if not n_after or not n_before or each is None:
            answers.append(_ratio(evidence, label, after, before, True))
            continue
        fewer = 100 * (1 - n_after / n_before)
        per_accelerator = 100 * (each - 1)
        total = 100 * (after.value / before.value - 1)
        value = per_accelerator if question.statement == "more per accelerator" else fewer
        note = (
            f"{n_after} instead of {n_before} is {fewer:.1f} % fewer accelerators. That is not {fewer:.0f} % more capacity: the same total on "
            f"{n_after} would already be {100 * (n_before / n_after - 1):.1f} % more per accelerator, and the total moved by {total:+.1f} %, so "
            f"each accelerator does {per_accelerator:+.1f} %"
        )
        answers.append(
            Answer(
                label, value, "percent", f"{_named(after)} against {_named(before)}", (after, before), caveats(after, before),
                f"({_figure(after)} / {n_after}) / ({_figure(before)} / {n_before}) - 1 = {per_accelerator:+.2f} %; 1 - {n_after}/{n_before} = {fewer:.2f} %",
                None, note,
            )
        )  # fmt: skip
    return answers


def _scale_out(evidence: Evidence, question: q.ScaleOut) -> list[Answer]:
    answers = []
    for label, large, small in _pairs(evidence.index, question.large, question.small, question.over):
        if large is None or small is None:
            answers.append(_missing(label, (large, small), (question.large, question.small)))
            continue
        found = _ratio(evidence, label, large, small, True)
        codes = tuple(code for code in found.caveats if code != "count-differs")
        answers.append(found._replace(caveats=codes, comparators=None))
    return _taken(answers, question.take)


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


def _count(evidence: Evidence, question: q.Count) -> list[Answer]:
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


def _rank(evidence: Evidence, question: q.Rank) -> list[Answer]:
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
            words.append(f"{what} is {size(other):,.0f} ({_named(other)})")
    note = f"{size(best):,.0f} {question.by}; {'; '.join(words)}; within the rounds the record holds: {', '.join(index.rounds)}"
    return [Answer("", float(place), "rank", f"by {question.by}", tuple(shown), (), f"rank {place}", None, note)]


def _only(evidence: Evidence, question: q.Only) -> list[Answer]:
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


def _value(evidence: Evidence, question: q.Value) -> list[Answer]:
    row = evidence.index.one(question.of)
    if row is None:
        return [_missing("", (None, None), (question.of, question.of))]
    codes = tuple(sorted(remark for remark in ("below-target-as-listed",) if row.quality.below_target))
    if question.quantity == "accuracy":
        values = row.quality.accuracy
        found = next((a for a in values if question.metric in (None, a.metric)), None)
        if found is None:
            there = ", ".join(a.metric for a in values) or "none"
            return [
                Answer(
                    "", None, "", _named(row), (row,), note=f"the record holds no accuracy {question.metric}; it holds {there}"
                )
            ]
        floor = f"; target {found.minimum:g}" if found.minimum is not None else ""
        return [Answer("", found.value, found.metric, _named(row), (row,), codes, f"{found.metric} {found.value:g}{floor}")]
    value, unit = row.value, row.metric.unit
    if question.per == "accelerator":
        if not row.system.count or row.metric.direction == "lower":
            return [Answer("", None, unit, _named(row), (row,), not_comparable="it cannot be divided by a count of accelerators")]
        return [
            Answer(
                "",
                value / row.system.count,
                f"{unit} per accelerator",
                _named(row),
                (row,),
                codes,
                f"{_figure(row)} / {row.system.count} (derived)",
            )
        ]
    return [Answer("", value, unit, _named(row), (row,), codes, _figure(row))]


def _spread(evidence: Evidence, question: q.Spread) -> list[Answer]:
    rows = evidence.index.rows(question.of)
    reference = names.submitter(question.reference).name
    found = spread.deviations(evidence.index.results, reference, [r for r in rows if r.provenance.submitter != reference])
    if not found:
        return [Answer("", None, "percent", "", note=f"the record holds no partner row beside one of {reference}")]
    percent = [100 * d.deviation for d in found]
    partners = sorted({d.submitter for d in found})
    values = {
        "mean": sum(percent) / len(percent),
        "mean absolute": sum(map(abs, percent)) / len(percent),
        "best": max(percent),
        "worst": min(percent),
        "partners": float(len(partners)),
    }
    by_id = {r.id: r for r in rows}
    codes = tuple(sorted({c for d in found for c in d.caveats if c in {"definition-changed", "harness-differs"}}))
    note = (
        f"mean {values['mean']:+.1f} %, mean absolute {values['mean absolute']:.1f} %, best {values['best']:+.1f} %, worst {values['worst']:+.1f} % "
        f"over {len(found)} partner rows from {len(partners)} partner labels ({', '.join(partners)})"
    )
    unit = "partners" if question.statistic == "partners" else "percent"
    shown = tuple(by_id[d.id] for d in found if d.id in by_id)
    return [
        Answer(
            "",
            values[question.statistic],
            unit,
            f"partners against {reference}",
            shown,
            codes,
            f"{question.statistic} over {len(found)} rows",
            None,
            note,
        )
    ]


def _release_date(question: q.ReleaseDate) -> list[Answer]:
    days = cadence.dates_of(question.project, question.version)
    if not days:
        return [Answer("", None, "date", question.project, note=f"the calendar holds no {question.project} {question.version}")]
    note = f"sources differ: {', '.join(d.isoformat() for d in days)}" if len(days) > 1 else ""
    return [
        Answer(
            f"{question.project} {question.version}",
            tuple(days),
            "date",
            "release calendar",
            (),
            (),
            ", ".join(d.isoformat() for d in days),
            None,
            note,
        )
    ]


def _cadence(question: q.Cadence) -> list[Answer]:
    found = cadence.intervals(question.project, question.since)
    if not found:
        return [
            Answer(
                "",
                None,
                question.unit,
                question.project,
                note=f"no two feature releases of {question.project} since {question.since}",
            )
        ]
    days = [i.days for i in found if i.days is not None]
    if not days:
        return [
            Answer(
                "", None, question.unit, question.project, note=f"the release dates of {question.project} are months, not days"
            )
        ]
    mean = sum(days) / len(days)
    value = mean / 7 if question.unit == "weeks" else mean
    shown = ", ".join(f"{i.older} to {i.newer} {i.days} days" for i in found)
    return [
        Answer(
            "", value, question.unit, "release calendar", (), (), f"{shown}; mean {mean:g} days", None,
            f"{len(found)} interval{'s' if len(found) > 1 else ''}: {shown}. So few intervals show a clock, not that it is fixed",
        )
    ]  # fmt: skip


def _release_count(question: q.ReleaseCount) -> list[Answer]:
    if question.every_days is not None:
        value = 365 / question.every_days
        return [Answer("", value, "releases a year", "arithmetic", (), (), f"365 / {question.every_days:g} = {value:.2f}")]
    assert question.project is not None
    found = cadence.feature_releases(question.project, question.year)
    listed = ", ".join(f"{r.text} ({r.date.isoformat()})" for r in found)
    return [
        Answer(
            "",
            float(len(found)),
            "feature releases",
            "release calendar",
            (),
            (),
            f"{len(found)}: {listed}",
            None,
            f"{question.year}: {listed}",
        )
    ]


def answer(question: q.Question, evidence: Evidence) -> list[Answer]:
    """Ask the record a question.

    Returns:
        One answer, or one for each scenario or model the question runs over.

    Raises:
        SelectionMistake: If a selection names what the record does not know, or does not say which result it means.
    """
    match question:
        case q.Ratio():
            return _over(evidence, question, question.subject, question.baseline)
        case q.Change():
            return _over(evidence, question, *_change(question))
        case q.Order():
            return _over(evidence, question, question.subject, question.baseline, order_only=True)
        case q.Tie():
            return _tie(evidence, question)
        case q.Capacity():
            return _capacity(evidence, question)
        case q.ScaleOut():
            return _scale_out(evidence, question)
        case q.Count():
            return _count(evidence, question)
        case q.Rank():
            return _rank(evidence, question)
        case q.Only():
            return _only(evidence, question)
        case q.Value():
            return _value(evidence, question)
        case q.Spread():
            return _spread(evidence, question)
        case q.ReleaseDate():
            return _release_date(question)
        case q.Cadence():
            return _cadence(question)
        case q.ReleaseCount():
            return _release_count(question)
        case q.Unanswerable():
            return [
                Answer(
                    "",
                    None,
                    "",
                    "",
                    note=question.reason + (f" It would be settled by {question.settled_by}." if question.settled_by else ""),
                )
            ]
