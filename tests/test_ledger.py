"""Ledgers: every mistake is found in one run and located by line and field."""

from __future__ import annotations

import gc
import time

import pytest

from groundspeed.audit.claims import LedgerError, builtin, check_ledger, parse, schema
from makers import result

GOOD = """
claims:
  - id: one
    who: somebody
    when: 2026-09
    sentence: It gained 38 %.
    question: {kind: change, of: {hardware: 8x MI355X, submitter: AMD, model: gpt-oss-120b, scenario: Server}, from: v6.0, to: v6.1}
    claimed: 38
    meant: percent gain
"""

RECORD = [
    result(round="v6.0", value=100.0, submitter="AMD", accelerator="MI355X", count=8, model="gpt-oss-120b", scenario="Server"),
    result(round="v6.1", value=138.0, submitter="AMD", accelerator="MI355X", count=8, model="gpt-oss-120b", scenario="Server"),
    result(round="v6.1", value=120.0, submitter="Dell", accelerator="MI355X", count=8, model="gpt-oss-120b", scenario="Server"),
]


def mistakes(text: str) -> list[tuple[int, str, str]]:
    """The mistakes of a ledger as (line, field, message)."""
    with pytest.raises(LedgerError) as caught:
        check_ledger(parse(text, "l.yaml"), RECORD)
    assert all(str(m).startswith(f"l.yaml:{m.line}: ") for m in caught.value.mistakes)
    return [(m.line, m.field, m.message) for m in caught.value.mistakes]


def test_a_good_ledger_has_no_mistake():
    (finding,) = check_ledger(parse(GOOD, "l.yaml"), RECORD)
    assert finding.verdict == "confirmed"
    assert finding.computed == pytest.approx(38.0)


def test_values_are_kept_as_printed():
    assert parse(GOOD.replace("claimed: 38", "claimed: 1.60"), "l.yaml").claims[0].parts[0].claimed == "1.60"
    assert parse(GOOD, "l.yaml").claims[0].when == "2026-09"


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "words"),
    [
        ("claimed: 38", "claimd: 38", 8, "claimd", "claimed"),
        ("meant: percent gain", "meant: percents gain", 9, "meant", "percent gain"),
        ("kind: change", "kind: chnage", 7, "question", "chnage"),
        ("hardware: 8x MI355X", "hardwear: 8x MI355X", 7, "question.of.hardwear", "hardware"),
        ("hardware: 8x MI355X", "hardware: 8x MI356X", 7, "question.of.hardware", "MI355X"),
        ("hardware: 8x MI355X", "hardware: 9x MI355X", 7, "question.of.hardware", "8x MI355X"),
        ("submitter: AMD", "submitter: ADM", 7, "question.of.submitter", "AMD"),
        ("model: gpt-oss-120b", "model: gpt-oss-20b", 7, "question.of.model", "gpt-oss-120b"),
        ("scenario: Server", "scenario: Sever", 7, "question.of.scenario", "Server"),
        ("    who: somebody\n", "", 3, "who", "missing"),
        ("claimed: 38", "claimed: lots", 8, "claimed", "no number"),
        ("of: {hardware: 8x MI355X, submitter: AMD, model: gpt-oss-120b, scenario: Server}", "of: {}", 7, "question.of", "empty selection"),
        ("id: one", "id: one\n    id: two", 4, "id", "stands twice"),
    ],
)  # fmt: skip
def test_a_mistake_names_line_field_and_the_nearest(old, new, line, field, words):
    found = mistakes(GOOD.replace(old, new))
    assert (line, field) in {(at, name) for at, name, _ in found}
    assert words in " ".join(message for _, _, message in found)


def test_an_ambiguous_selection_says_what_distinguishes_the_rows():
    text = GOOD.replace("submitter: AMD, ", "")
    with pytest.raises(LedgerError, match="2 results are meant, which differ in submitter: AMD, Dell"):
        check_ledger(parse(text, "l.yaml"), RECORD)


def test_an_unknown_round_is_named():
    with pytest.raises(LedgerError, match=r'no round "v6\.2"'):
        check_ledger(parse(GOOD.replace("to: v6.1", "to: v6.2"), "l.yaml"), RECORD)


def test_ten_mistakes_give_ten_located_errors_in_one_run():
    wrong = [
        ("claimed: 38", "claimd: 38"), ("meant: percent gain", "meant: gain"), ("kind: change", "kind: chnage"), ("hardware: 8x", "hardwear: 8x"),
        ("MI355X", "MI356X"), ("submitter: AMD", "submitter: ADM"), ("gpt-oss-120b", "gpt-oss-20b"), ("Server", "Sever"), ("claimed: 38", "claimed: lots"),
        ("sentence: It gained 38 %.", "sentence: ''"),
    ]  # fmt: skip
    body = GOOD.split("claims:\n")[1]
    claims = [body.replace(old, new).replace("id: one", f"id: c{i}") for i, (old, new) in enumerate(wrong)]
    with pytest.raises(LedgerError) as caught:
        check_ledger(parse("claims:\n" + "".join(claims), "l.yaml"), RECORD)
    assert {m.claim for m in caught.value.mistakes} == {f"c{i}" for i in range(10)}
    body_lines = len(body.splitlines())
    assert {(m.line - 2) // body_lines for m in caught.value.mistakes} == set(range(10))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "claims:",
        "claims: []",
        "claims: 3",
        "- a",
        "claims: [",
        "a: 1",
        "claims:\n - 3",
        "\x00",
        "claims: [{id: !!python/object:os.system x}]",
    ],
)
def test_what_is_no_ledger_gives_an_error_and_no_traceback(text):
    with pytest.raises(LedgerError):
        check_ledger(parse(text, "l.yaml"), RECORD)


def test_two_claims_of_one_id_are_refused():
    with pytest.raises(LedgerError, match="stands twice; first in line 3"):
        check_ledger(parse(GOOD + GOOD.split("claims:\n")[1], "l.yaml"), RECORD)


def test_a_selection_without_rows_is_no_mistake_but_no_evidence():
    text = GOOD.replace("submitter: AMD", "submitter: Dell")
    (finding,) = check_ledger(parse(text, "l.yaml"), RECORD)
    assert finding.verdict == "unverifiable"
    assert "Dell" in finding.note


def test_the_schema_accepts_what_the_language_says():
    made = schema()
    claim = made["$defs"]["Claim"]["properties"]
    assert {"id", "sentence", "question", "claimed", "meant", "bound", "parts"} <= claim.keys()
    kinds = {d["properties"]["kind"]["const"] for d in made["$defs"].values() if "kind" in d.get("properties", {})}
    assert {
        "ratio",
        "change",
        "order",
        "tie",
        "spread",
        "scale-out",
        "capacity",
        "count",
        "rank",
        "only",
        "value",
        "release-date",
        "cadence",
    } <= kinds


def test_every_claim_of_the_built_in_ledger_is_a_question():
    ledger = builtin()
    assert len(ledger.claims) == 68
    assert len({c.id for c in ledger.claims}) == 68
    assert sum(c.id.startswith("S-") for c in ledger.claims) == 25


@pytest.mark.slow
def test_two_thousand_claims_take_time_in_proportion():
    body = GOOD.split("claims:\n")[1]

    def seconds(count: int) -> float:
        text = "claims:\n" + "".join(body.replace("id: one", f"id: c{i}") for i in range(count))
        gc.collect()
        gc.disable()  # what the collector does depends on every object alive in the test process, not on the ledger
        try:
            start = time.process_time()
            assert len(check_ledger(parse(text, "l.yaml"), RECORD)) == count
            return time.process_time() - start
        finally:
            gc.enable()

    seconds(100)
    small, large = min(seconds(200) for _ in range(3)), min(seconds(2000) for _ in range(2))
    assert large < 25 * small


BOMB = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 11)}]\n" for i in range(1, 12)) + "claims: *a11\n"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (BOMB, 2, "an alias (*a0)"),
        ("claims: &x\n  - *x\n", 2, "an alias (*x)"),
        ("claims:\n- &x {id: *x}\n", 2, "an anchor (&x)"),
        ("m: &m {<<: *m}\nclaims: []\n", 1, "an alias (*m)"),
        (GOOD.replace("who: somebody", "who: &w somebody"), 4, "an anchor (&w)"),
        (GOOD + "    note: *n\n", 10, "an alias (*n)"),
        ("claims: " + "[" * 5000, 1, "nest"),
        ("claims: " + "{a: " * 5000, 1, "nest"),
        ("claims: " + "[" * 500 + "]" * 500, 1, "nest"),
    ],
)
def test_what_would_grow_without_end_is_refused_before_it_is_followed(text, line, words):
    start = time.process_time()
    found = mistakes(text)
    assert time.process_time() - start < 2
    assert len(found) <= 21
    assert any(at == line and words in message for at, _, message in found)


def test_a_merge_key_and_a_key_that_is_no_name_are_located():
    (found,) = mistakes(GOOD.replace("who: somebody", "who: somebody\n    <<: {where: there}"))
    assert found == (5, "", "found a merge key (<<); expected the fields themselves")
    (found,) = mistakes(GOOD.replace("who: somebody", "who: somebody\n    ? [a, b]\n    : 3"))
    assert found == (5, "", "found a list as a key; expected the name of a field")
    assert mistakes("claims:\n- 3\n? {a: b}\n: 3\n")[-1][2] == "found a mapping as a key; expected the name of a field"


SIDES = "subject: {hardware: 8x MI355X, submitter: AMD, model: gpt-oss-120b, round: v6.1}, baseline: {hardware: 8x MI355X, submitter: Dell, model: gpt-oss-120b, round: v6.1}"


def asked(question: str, claimed: str, meant: str) -> str:
    """A ledger of one claim with a question."""
    head = GOOD.split("    question:")[0]
    return f"{head}    question: {{{question}}}\n    claimed: {claimed}\n    meant: {meant}\n"


@pytest.mark.parametrize(
    ("question", "claimed", "meant", "field", "words"),
    [
        (f"kind: ratio, {SIDES}", "''", "times", "claimed", "found nothing"),
        (f"kind: ratio, {SIDES}", "'   '", "times", "claimed", "found nothing"),
        (f"kind: ratio, {SIDES}", "14 / 13", "times", "claimed", "2 printed values for 1 answer"),
        (f"kind: ratio, {SIDES}", "1 / 2 / 3", "times", "claimed", "3 printed values for 1 answer"),
        (f"kind: ratio, {SIDES}, over: [scenario], take: maximum", "1 / 2", "times", "claimed", "2 printed values for 1 answer"),
        (f"kind: ratio, {SIDES}, over: [scenario]", "1 / 2", "times", "claimed", "2 printed values for 1 answer"),
        (f"kind: ratio, {SIDES}", "14", "order", "meant", 'found "order"; a question of kind ratio takes percent gain'),
        (f"kind: ratio, {SIDES}", "14", "value", "meant", "takes percent gain, percent of or times"),
        (f"kind: ratio, {SIDES}", "20-10", "times", "claimed", "does not rise"),
        (f"kind: ratio, {SIDES}", "10 to 10", "times", "claimed", "does not rise"),
        (f"kind: order, {SIDES}", "14", "value", "meant", "takes order"),
        (f"kind: order, {SIDES}", "banana", "order", "claimed", 'expected "faster", or "A beats B"'),
        (f"kind: order, {SIDES}", "Dell beats AMD", "order", "claimed", "with A of the subject"),
        (f"kind: order, {SIDES}", "''", "order", "claimed", "found nothing"),
        (f"kind: tie, {SIDES}", "banana", "tie", "claimed", "expected tie or no tie"),
        (f"kind: tie, {SIDES}", "14", "times", "meant", "takes tie"),
        (f"kind: tie, {SIDES}, within: -1", "tie", "tie", "question.within", "0 or more"),
        (f"kind: tie, {SIDES}, within: 1.0e+999", "tie", "tie", "question.within", "0 or more"),
        ("kind: only, of: {round: v6.1}, what: submitter", "ADM", "name", "claimed", 'no submitter "ADM"; did you mean AMD'),
        ("kind: only, of: {round: v6.1}, what: vendor", "NVIDA", "name", "claimed", "did you mean NVIDIA"),
        ("kind: cadence, project: ROCm, since: 7.14.0, unit: weeks", "42", "days", "meant", "takes weeks"),
        ("kind: cadence, project: ROCk, since: 7.14.0", "42", "days", "question.project", "Did you mean ROCm?"),
        ("kind: release-date, project: Ubuntu, version: 7.14.0", "2026-07-16", "date", "question.project", "no release calendar"),
        ("kind: release-count, project: nope, year: 2024", "3", "value", "question.project", "no release calendar"),
        ("kind: release-count, project: ROCm, year: 1066", "3", "value", "question.year", "1990 or more"),
        ("kind: release-count, project: ROCm, year: 9999", "3", "value", "question.year", "2100 or less"),
        ("kind: change, of: {hardware: 8x MI355X}, from: v6.0, to: 6.0", "38", "times", "question.to", "expected another round"),
        (f"kind: scale-out, {SIDES.replace('subject', 'large').replace('baseline', 'small')}", "95", "percent of", "question: large", "not larger than"),
        ("kind: count, of: 3, what: results", "3", "value", "question.of", 'found "3"; expected a selection (a mapping with hardware'),
        ("kind: count, of: {hardware: {a: b}}, what: results", "3", "value", "question.of.hardware", "expected a name or a list of names"),
        ("kind: count, of: {hardware: [H200, [3]]}, what: results", "3", "value", "question.of.hardware", "found a list; expected a text"),
    ],
)  # fmt: skip
def test_what_does_not_fit_its_question_is_one_located_mistake(question, claimed, meant, field, words):
    text = asked(question, claimed, meant)
    lines = text.splitlines()
    (found,) = mistakes(text)
    assert found[1] == field
    assert words in found[2]
    assert field.split(".")[-1].split(": ")[-1] + ": " in lines[found[0] - 1]


@pytest.mark.parametrize(
    ("question", "claimed", "meant", "verdict"),
    [
        (f"kind: order, {SIDES}", "AMD beats Dell", "order", "confirmed"),
        (f"kind: order, {SIDES}", "faster", "order", "confirmed"),
        (f"kind: order, {SIDES}", "AMD's 8x MI355X is faster than Dell", "order", "confirmed"),
        (f"kind: tie, {SIDES}, within: 20", "equal", "tie", "confirmed"),
        (f"kind: tie, {SIDES}, within: 1", "not a tie", "tie", "confirmed"),
        (f"kind: tie, {SIDES}, within: 1", "no tie", "tie", "confirmed"),
        (f"kind: tie, {SIDES}, within: 0", "tie", "tie", "contradicted"),
        ("kind: only, of: {round: v6.0}, what: submitter", "amd", "name", "confirmed"),
        ("kind: only, of: {round: v6.1}, what: vendor", "NVIDIA", "name", "contradicted"),
        (f"kind: ratio, {SIDES.replace('v6.1', '6.1')}", "1.15", "times", "confirmed"),
        ("kind: count, of: {round: [6.0, V6.1]}, what: results", "3", "value", "confirmed"),
        ("kind: change, of: {hardware: 8x MI355X, submitter: AMD}, from: 6.0, to: 6.1", "1.38", "times", "confirmed"),
        (f"kind: ratio, {SIDES}, over: [scenario]", "10-20", "percent gain", "confirmed"),
    ],
)  # fmt: skip
def test_what_fits_is_judged_by_what_was_claimed(question, claimed, meant, verdict):
    (finding,) = check_ledger(parse(asked(question, claimed, meant), "l.yaml"), RECORD)
    assert finding.verdict == verdict


@pytest.mark.parametrize("when", ["2026-13-40", "2026-09-31", "5", "soon", "20260916", "2026-9", "0026-01-01", "2026-00"])
def test_when_is_a_date(when):
    (found,) = mistakes(GOOD.replace("when: 2026-09", f"when: {when}"))
    assert found == (5, "when", f'found "{when}"; expected a date such as 2026-09-16, 2026-09 or 2026')


@pytest.mark.parametrize("when", ["2026-09-30", "2026", "September 2026", "early October 2026", "2028-02-29"])
def test_when_is_as_exact_as_it_is_known(when):
    assert parse(GOOD.replace("when: 2026-09", f"when: {when}"), "l.yaml").claims[0].when == when


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("meant: percent gain", "ment: percent gain", "no such field; did you mean meant?"),
        ("claimed: 38", "claimd: 38", "no such field; did you mean claimed?"),
        ("hardware: 8x", "hardwear: 8x", "no such field; did you mean hardware?"),
        ("hardware: 8x", "colour: 8x", "no such field"),
        ("from: v6.0", "subject: v6.0", "no such field"),
        ("who: somebody", "who:", "found nothing; expected a text"),
        ("who: somebody", "who: yes", 'found "true"; expected a text'),
        ("who: somebody", "who: [a]", "found a list; expected a text"),
        ("who: somebody", "who: x\n    tier: high", 'found "high"; expected a whole number'),
        ("who: somebody", "who: x\n    tier: 9", 'found "9"; expected 5 or less'),
        ("id: one", "id: a b", 'found "a b"; expected letters, digits, dots, hyphens and underscores'),
    ],
)
def test_messages_are_in_the_words_of_a_ledger(old, new, said):
    assert said in [message for _, _, message in mistakes(GOOD.replace(old, new))]


def test_what_is_no_claim_is_told_what_a_claim_is():
    expected = "expected a claim (a mapping with id, who, when, sentence, question, claimed and meant)"
    assert mistakes("claims:\n-\n- 3\n- [a]\n") == [
        (2, "", f"found nothing; {expected}"), (3, "", f'found "3"; {expected}'), (4, "", f"found a list; {expected}"),
    ]  # fmt: skip
    assert "expected a question (a mapping with kind" in mistakes(asked("", "3", "times").replace("{}", "3"))[0][2]


def test_a_mistake_of_one_claim_found_by_the_record_hides_no_other_mistake():
    claims = [
        asked(f"kind: ratio, {SIDES}, over: [scenario]", "1 / 2", "times"),
        GOOD.replace("submitter: AMD, ", "").replace("id: one", "id: two"),
    ]
    found = mistakes(claims[0] + claims[1].split("claims:\n")[1])
    assert [field for _, field, _ in found] == ["claimed", "question: submitter"]


def test_a_wrong_selection_of_a_later_part_is_located_in_it():
    part = "      - {question: {kind: value, of: {submitter: %s, round: v6.1}}, claimed: 138, meant: value}\n"
    text = GOOD.split("    question:")[0] + "    parts:\n" + part % "AMD" + part % "[AMD, Dell]"
    assert [(line, field) for line, field, _ in mistakes(text)] == [(9, "question: submitter")]
