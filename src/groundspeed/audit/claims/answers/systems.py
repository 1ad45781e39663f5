"""Systems: what fewer or more accelerators do for a result, and how far partners' results are from the reference's."""

from __future__ import annotations

from groundspeed.audit import spread
from groundspeed.audit.claims import language as q
from groundspeed.audit.claims.answers._common import Answer, Evidence, figure, missing, named, pairs
from groundspeed.audit.claims.answers.gains import answer_gain, taken
from groundspeed.audit.claims.comparison import caveats, ratio
from groundspeed.record import names


def answer_capacity(evidence: Evidence, question: q.Capacity) -> list[Answer]:
    answers = []
    for label, after, before in pairs(evidence.index, question.after, question.before, question.over):
        if after is None or before is None:
            answers.append(missing(label, (after, before), (question.after, question.before)))
            continue
        n_after, n_before = after.system.count, before.system.count
        each = ratio(after, before, True)
        if not n_after or not n_before or each is None:
            answers.append(answer_gain(evidence, label, after, before, True))
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
                label, value, "percent", f"{named(after)} against {named(before)}", (after, before), caveats(after, before),
                f"({figure(after)} / {n_after}) / ({figure(before)} / {n_before}) - 1 = {per_accelerator:+.2f} %; 1 - {n_after}/{n_before} = {fewer:.2f} %",
                None, note,
            )
        )  # fmt: skip
    return answers


def answer_scale_out(evidence: Evidence, question: q.ScaleOut) -> list[Answer]:
    answers = []
    for label, large, small in pairs(evidence.index, question.large, question.small, question.over):
        if large is None or small is None:
            answers.append(missing(label, (large, small), (question.large, question.small)))
            continue
        found = answer_gain(evidence, label, large, small, True)
        codes = tuple(code for code in found.caveats if code != "count-differs")
        answers.append(found._replace(caveats=codes, comparators=None))
    return taken(answers, question.take)


def answer_spread(evidence: Evidence, question: q.Spread) -> list[Answer]:
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
