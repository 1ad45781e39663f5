"""Pace: does a workload on a hardware go on gaining as it did, or does it flatten towards the mature pattern?

Mature workloads gain nothing that stands out of the noise from one round to the next (see `ages`). A series is one submitter's system
and scenario over rounds that follow one another, ending with the newest. It keeps its pace if its newest gain is a signal upward, and is not smaller
than the median of its earlier ones by more than the noise of the pair. Gains are logarithms per round, so that a step over a
missing round counts as two. Two gains are needed: one is a point and no pace.
"""

from __future__ import annotations

import datetime as dt
import math
import statistics
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from groundspeed.audit.engine import run_audit
from groundspeed.audit.findings import Finding
from groundspeed.audit.selection import Filters
from groundspeed.audit.watch.evidence import Answer, Row, Verdict, chosen, listed, made, rounds_of
from groundspeed.audit.watch.language import Pace
from groundspeed.errors import SelectionError
from groundspeed.record.calendar import rounds_between
from groundspeed.record.model import Result

NEEDED = 2


class Series(NamedTuple):
    """The gains of one submitter's system and scenario, oldest first, without a gap up to the newest round.

    Attributes:
        verdict: yes: keeps its pace; no: flattens, or slows; not yet: too few gains; no evidence: the noise is unknown.
        words: Why.
    """

    gains: list[Finding]
    verdict: Verdict
    words: str


def _per_round(gain: Finding) -> float:
    return math.log(gain.speedup) / (len(rounds_between(gain.older.round, gain.newer.round)) + 1)


def _percent(ln: float) -> str:
    return f"{math.expm1(ln) * 100:+.1f} %"


def judge(gains: list[Finding]) -> Series:
    """Whether a series keeps its pace."""
    newest = gains[-1]
    if len(gains) < NEEDED:
        return Series(gains, "not yet", f"{newest.change_percent:+.1f} % is its only gain")
    if newest.noise is None:
        return Series(gains, "no evidence in the record", "the noise of the newest pair is unknown")
    rounds = len(rounds_between(newest.older.round, newest.newer.round)) + 1
    now, limit = _per_round(newest), newest.noise.limit_percent / 100 / rounds
    before = statistics.median(_per_round(gain) for gain in gains[:-1])
    pace = f"{_percent(now)} per round after {_percent(before)}"
    if newest.verdict == "within-noise":
        return Series(gains, "no", f"{pace}, within noise: it flattens")
    if now <= 0:
        return Series(gains, "no", f"{pace}: it falls")
    if now + limit < before:
        return Series(gains, "no", f"{pace}, beyond the noise: it slows")
    return Series(gains, "yes", f"{pace}: it keeps its pace")


def _goodness(gain: Finding) -> float:
    """How good the newer result is: for a latency, which falls where the speed-up is above 1, the negative value."""
    higher_is_better = (gain.newer.value >= gain.older.value) == (gain.speedup >= 1)
    return gain.newer.value if higher_is_better else -gain.newer.value


def series_of(findings: Sequence[Finding], held: Sequence[str]) -> list[list[Finding]]:
    """The unbroken series that end with the newest round.

    Of several systems of one kind the best newer result counts, and before it the gain that led to that very result, if there is one.
    """
    by_key: defaultdict[tuple[str, ...], defaultdict[str, list[Finding]]] = defaultdict(lambda: defaultdict(list))
    for f in findings:
        # Only steps from one round the record holds to the next are consecutive.
        if f.software_only and not set(rounds_between(f.older.round, f.newer.round)) & set(held):
            by_key[(f.submitter, f.hardware, f.model, f.scenario, f.division)][f.newer.round].append(f)
    found = []
    for by_round in by_key.values():
        gains: list[Finding] = []
        at = held[-1]
        while by_round[at]:
            led_here = [f for f in by_round[at] if gains and f.newer.id == gains[0].older.id]
            gains.insert(0, max(led_here or by_round[at], key=_goodness))
            at = gains[0].older.round
        if gains:
            found.append(gains)
    return found


def _rows(series: Sequence[Series]) -> list[Row]:
    rows: dict[str, Row] = {}
    for f in (gain for s in series for gain in s.gains):
        for side in (f.older, f.newer):
            says = f"{f.change_percent:+.1f} % {f.verdict}" if side is f.newer else ""
            if side is f.newer or side.id not in rows:
                rows[side.id] = Row(
                    side.round, f.submitter, side.hardware, f.model, f.scenario, side.division, side.value, side.unit, side.source, side.path, says
                )  # fmt: skip
    return list(rows.values())


def answer_pace(watch: Pace, results: Sequence[Result], as_of: dt.date) -> Answer:
    """Whether a workload keeps its pace; yes only if every series that can be judged does."""
    held = rounds_of(results)
    what = f"{listed(watch.model)} on {listed(watch.hardware)}"
    found = chosen(results, watch.filters)
    if not found:
        return made(
            watch, as_of, "no evidence in the record", f"The record holds no result of {what} that was published by {as_of}."
        )
    if all(r.provenance.round != held[-1] for r in found):
        last = rounds_of(found)[-1]
        sentence = f"{what} was last submitted in {last}, not in {held[-1]}: silence is not the same as no gain."
        return made(watch, as_of, "no evidence in the record", sentence)
    # Noise is pooled over an accelerator's workloads: the others of the same kind must stay in.
    kinds = {r.system.kind_key[0] for r in found}
    pool = [r for r in results if r.system.kind_key[0] in kinds]
    try:
        filters = Filters(watch.hardware, watch.model, watch.scenario, watch.submitter, watch.division)
        findings = run_audit(pool, "all", filters).findings
    except SelectionError:
        findings = []  # results, but no two of them to compare
    judged = [judge(gains) for gains in series_of(findings, held)]
    if not judged:
        sentence = f"No comparable pair of {what} leads to {held[-1]} yet; two consecutive gains are needed."
        return made(watch, as_of, "not yet", sentence)
    verdicts = {s.verdict for s in judged}
    verdict: Verdict = next(v for v in ("no", "yes", "no evidence in the record", "not yet") if v in verdicts)
    said = [s for s in judged if s.verdict == verdict]
    if verdict == "not yet":
        sentence = f"One gain so far, {_gains(said)}; a pace needs two consecutive ones."
    else:
        count = f"{len(said)} of {len(judged)} series: " if len(judged) > 1 else ""
        each = "; ".join(f"{s.gains[-1].submitter} {s.gains[-1].model} {s.gains[-1].scenario} {s.words}" for s in said[:4])
        sentence = f"{count}{each}{f'; and {len(said) - 4} more' if len(said) > 4 else ''}."
    return made(watch, as_of, verdict, sentence, _rows(judged))


def _gains(series: Sequence[Series]) -> str:
    """The newest gains of some series, in words."""
    newest = [s.gains[-1] for s in series]
    each = ", ".join(f"{f.submitter} {f.model} {f.scenario} {f.change_percent:+.1f} %" for f in newest[:4])
    more = f" and {len(newest) - 4} more" if len(newest) > 4 else ""
    return f"{each}{more} ({listed(f'{f.older.round} → {f.newer.round}' for f in newest)})"
