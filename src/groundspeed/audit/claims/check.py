"""Checking a ledger: claims in, findings out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files

import msgspec

from groundspeed.audit.claims.answers import Answer, Evidence, answer
from groundspeed.audit.claims.comparison import Comparator, Comparators
from groundspeed.audit.claims.language import Claim, Part, Question, Selection
from groundspeed.audit.claims.ledger import LedgerText, parse
from groundspeed.audit.claims.meanings import CannotRead, printed_values, too_many
from groundspeed.audit.claims.mistakes import LedgerError, Mistake
from groundspeed.audit.claims.selections import Index, SelectionMistake, Wrong
from groundspeed.audit.claims.validation import part_path, value_mistakes
from groundspeed.audit.claims.verdicts import Verdict, in_claims_terms, judge, weakest
from groundspeed.audit.selection import listed
from groundspeed.errors import SelectionError
from groundspeed.record.model import Result
from groundspeed.record.names import nearest

# A count rests on hundreds of rows; a finding shows the first of them.
_MOST_ROWS, _MOST_PATHS = 12, 50


class Row(msgspec.Struct, frozen=True):
    """A row of the record that an answer rests on."""

    submitter: str
    hardware: str
    model: str
    scenario: str
    round: str
    division: str
    value: float
    unit: str
    accelerators: int | None
    stack: str
    path: str
    id: str


class PartFinding(msgspec.Struct, frozen=True):
    """One statement of a claim, held against the record. The fields are those of the claim's finding."""

    label: str
    verdict: Verdict
    claimed: str
    computed: float | str | None
    unit: str
    basis: str
    tier: int
    caveats: list[str]
    comparators: Comparators | None
    evidence: list[str]
    note: str
    arithmetic: str
    rows: list[Row]


class ClaimFinding(msgspec.Struct, frozen=True):
    """A claim and its verdict.

    Attributes:
        verdict: The weakest part's.
        claimed: As printed.
        computed: What the record gives, in the claim's own terms; a list where the claim has several parts.
        unit: Of `computed`.
        basis: What was compared.
        tier: Evidence tier that supports the verdict; the claim's own where the record holds nothing.
        caveats: Codes of the method, of all parts.
        comparators: The weakest part's: the comparator that was claimed, the best and the median on its hardware.
        evidence: Paths of the rows used (of a count, the first fifty).
        note: What a reader should learn besides.
        parts: Every part by itself.
    """

    id: str
    verdict: Verdict
    claimed: str
    computed: float | str | list[float | str | None] | None
    unit: str
    basis: str
    tier: int
    caveats: list[str]
    comparators: Comparators | None
    evidence: list[str]
    note: str
    who: str
    when: str
    where: str
    sentence: str
    questions: list[str]
    parts: list[PartFinding]


def _row(r: Result) -> Row:
    p = r.provenance
    return Row(
        p.submitter, r.system.hardware, r.workload.name, r.workload.scenario, p.round, p.division, r.value, r.metric.unit,
        r.system.count, r.stack.raw, p.path, r.id,
    )  # fmt: skip


def _in_terms(comparators: Comparators | None, unit: str, part: Part) -> Comparators | None:
    if comparators is None:
        return None

    def one(c: Comparator) -> Comparator:
        computed = None if c.computed is None else in_claims_terms(c.computed, unit or "times", part.meant)
        return msgspec.structs.replace(c, computed=None if computed is None else round(computed, 6))

    return Comparators(one(comparators.claimed), one(comparators.best), one(comparators.median), comparators.submitters)


def _label(part: Part, found: Answer) -> str:
    return " ".join(text for text in (part.label, found.label) if text)


def _part(part: Part, found: Answer, text: str, own_tier: int) -> PartFinding:
    judged = judge(part, found, text)
    tier = max((r.provenance.tier for r in found.rows), default=own_tier)
    computed = round(judged.computed, 6) if isinstance(judged.computed, float) else judged.computed
    note = ". ".join(text for text in (judged.note, found.note, part.note) if text)
    return PartFinding(
        label=_label(part, found),
        verdict=judged.verdict,
        claimed=text,
        computed=computed,
        unit=judged.unit,
        basis=found.basis,
        tier=own_tier if judged.verdict == "unverifiable" else tier,
        caveats=list(found.caveats),
        comparators=_in_terms(found.comparators, "times" if found.unit in {"times", ""} else found.unit, part),
        evidence=list(dict.fromkeys(r.provenance.path for r in found.rows[:_MOST_PATHS])),
        note=note,
        arithmetic=found.arithmetic,
        rows=[_row(r) for r in found.rows[:_MOST_ROWS]],
    )


class ClaimMistake(Exception):  # noqa: N818  # collected with a ledger's other mistakes
    """What turned out to be wrong with a part of a claim when the record answered it."""

    def __init__(self, part: int, field: str, wrong: Sequence[Wrong]) -> None:
        self.part, self.field, self.wrong = part, field, list(wrong)
        super().__init__("; ".join(f"{w.field}: {w.message}" for w in wrong))


def _texts(part: Part, answers: Sequence[Answer]) -> list[str]:
    """The printed value of each answer: "111 / 118" has one for each of two, anything else is the same for all.

    Raises:
        CannotRead: If there are several values and another number of answers.
    """
    texts = printed_values(part)
    if len(texts) == len(answers):
        return texts
    if len(texts) > 1 and any(a.value is not None for a in answers):
        raise CannotRead(too_many(len(texts), len(answers)))
    return [part.claimed] * len(answers)


def _part_findings(claim: Claim, place: int, evidence: Evidence) -> list[PartFinding]:
    part = claim.parts[place]
    try:
        answers = answer(part.question, evidence)
        texts = _texts(part, answers)
    except SelectionMistake as error:
        wrong = [Wrong(f"question: {w.field}", w.message) for w in error.wrong]
        raise ClaimMistake(place, "question", wrong) from None
    except SelectionError as error:
        raise ClaimMistake(place, "question", [Wrong("question", str(error))]) from None
    except CannotRead as error:
        raise ClaimMistake(place, "claimed", [Wrong("claimed", str(error))]) from None
    return [_part(part, a, text, claim.tier) for a, text in zip(answers, texts, strict=True)]


def describe(question: Question) -> str:
    """A question on one line, as a ledger would write it."""
    plain = question.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True)
    return ", ".join([question.kind, *(f"{key}: {_plain(value)}" for key, value in plain.items() if key != "kind")])


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{k} {_plain(v)}" for k, v in value.items()) + ")"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def check_claim(claim: Claim, evidence: Evidence) -> ClaimFinding:
    """Check one claim.

    Raises:
        ClaimMistake: If a selection is wrong, or there are more printed values than answers.
    """
    parts = [p for place in range(len(claim.parts)) for p in _part_findings(claim, place, evidence)]
    verdict = weakest([p.verdict for p in parts])
    decisive = next(p for p in parts if p.verdict == verdict)
    computed = [p.computed for p in parts]
    return ClaimFinding(
        id=claim.id,
        verdict=verdict,
        claimed=" / ".join(dict.fromkeys(part.claimed for part in claim.parts)),
        computed=computed[0] if len(computed) == 1 else computed,
        unit=decisive.unit or next((p.unit for p in parts if p.unit), ""),
        basis=decisive.basis or next((p.basis for p in parts if p.basis), ""),
        tier=decisive.tier,
        caveats=sorted({code for p in parts for code in p.caveats}),
        comparators=decisive.comparators or next((p.comparators for p in parts if p.comparators), None),
        evidence=list(dict.fromkeys(path for p in parts for path in p.evidence)),
        note=" | ".join(dict.fromkeys(f"{p.label}: {p.note}" if p.label and len(parts) > 1 else p.note for p in parts if p.note)),
        who=claim.who,
        when=claim.when,
        where=claim.where,
        sentence=claim.sentence,
        questions=[describe(part.question) for part in claim.parts],
        parts=parts,
    )


def narrowed(ledger: LedgerText, only: Sequence[str]) -> LedgerText:
    """A ledger with some of its claims only.

    Raises:
        SelectionError: If it has no claim of that id.
    """
    if not only:
        return ledger
    ids = [claim.id for claim in ledger.claims] + [m.claim for m in ledger.mistakes]
    for wanted in only:
        if wanted not in ids:
            near = nearest(wanted, ids)
            hint = f"did you mean {' or '.join(near)}?" if near else f"it has {listed(ids)}"
            raise SelectionError(f'{ledger.file} has no claim "{wanted}"; {hint}')
    chosen = [(claim, place) for claim, place in zip(ledger.claims, ledger.places, strict=True) if claim.id in only]
    return ledger._replace(
        claims=[claim for claim, _ in chosen],
        places=[place for _, place in chosen],
        mistakes=[m for m in ledger.mistakes if m.claim in only],
    )


def check_ledger(ledger: LedgerText, results: Iterable[Result], held: Sequence[str] | None = None) -> list[ClaimFinding]:
    """Check every claim of a ledger.

    Args:
        ledger: The ledger.
        results: Results of at least the rounds the ledger asks about.
        held: The record's rounds where `results` are not all of them.

    Raises:
        LedgerError: With every wrong name, unreadable value and ambiguous selection, located.
    """
    evidence = Evidence(Index(results, held))
    mistakes = [*ledger.mistakes, *value_mistakes(ledger, evidence.index)]
    bad = {m.claim for m in mistakes}
    findings = []
    for i, claim in zip(ledger.places, ledger.claims, strict=True):
        if claim.id in bad:
            continue
        try:
            findings.append(check_claim(claim, evidence))
        except ClaimMistake as error:
            line = ledger.line((*part_path(ledger, i, error.part), error.field))
            mistakes += [Mistake(ledger.file, line, claim.id, w.field, w.message) for w in error.wrong]
    if mistakes:
        raise LedgerError(sorted(mistakes, key=lambda m: m.line))
    return findings


def builtin() -> LedgerText:
    """The ledger that comes with the package: public claims about rounds 5.1, 6.0 and 6.1."""
    text = files("groundspeed.audit.claims").joinpath("builtin.yaml").read_text("utf-8")
    return parse(text, "built-in ledger")


def rounds_needed(claims: Iterable[Claim]) -> set[str] | None:
    """The rounds a ledger asks about; None if a selection names none, which means all."""
    needed: set[str] = set()
    for claim in claims:
        for part in claim.parts:
            for name, value in part.question:
                if isinstance(value, Selection):
                    if value.round is None and part.question.kind != "change":
                        return None
                    needed |= {value.round} if isinstance(value.round, str) else set(value.round or ())
                elif name in {"from_", "to"}:
                    needed.add(value)
    return needed
