"""The claims that started the project, and the rules by which claims are judged."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed import Record
from groundspeed.audit.claims import VERDICTS, ClaimFinding, builtin, check_ledger, parse
from groundspeed.audit.claims.check import narrowed
from groundspeed.record.model import Result
from makers import result


@pytest.fixture(scope="module")
def results() -> list[Result]:
    return Record().results()


@pytest.fixture(scope="module")
def findings(results) -> dict[str, ClaimFinding]:
    return {f.id: f for f in check_ledger(builtin(), results)}


def part(finding: ClaimFinding, label: str):
    """A part by its label."""
    return next(p for p in finding.parts if p.label == label)


def test_every_claim_has_a_verdict(findings):
    assert len(findings) == 68
    assert {f.verdict for f in findings.values()} <= set(VERDICTS)


def test_s01_the_gain_of_38_percent_is_confirmed_and_is_the_server_one(findings):
    f = findings["S-01"]
    assert (f.verdict, round(f.computed, 2), f.caveats) == ("confirmed", 37.87, [])
    assert "Server" in f.basis


def test_s02_70_percent_is_confirmed_with_the_open_baseline_and_the_other_framework(findings):
    f = findings["S-02"]
    assert (f.verdict, round(f.computed, 1)) == ("confirmed-with-caveats", 69.8)
    assert {"baseline-open-division", "framework-differs"} <= set(f.caveats)


def test_s03_72_beat_94_in_both_scenarios(findings):
    assert findings["S-03"].verdict == "confirmed"
    assert {p.label for p in findings["S-03"].parts} == {"Offline", "Server"}


def test_s04_23_percent_fewer_is_not_23_percent_more(findings):
    f = findings["S-04"]
    assert f.verdict in {"understated", "contradicted"}
    assert [round(p.computed, 1) for p in f.parts] == [31.7, 39.9]
    assert "23.4 % fewer accelerators" in f.note
    assert "+30.6" in f.note or "30.6 % more" in f.note


@pytest.mark.parametrize(("claim", "computed"), [("S-05", 33.2), ("S-06", 25.5)])
def test_s05_s06_against_coreweaves_b200_are_confirmed(findings, claim, computed):
    f = findings[claim]
    assert (f.verdict, round(f.computed, 1)) == ("confirmed", computed)
    assert f.comparators.claimed.submitter == "CoreWeave"


@pytest.mark.parametrize(
    ("claim", "own", "best_value", "best"), [("S-07", 14.2, 114_569.0, 6.3), ("S-08", 12.5, 113_685.0, -0.4)]
)
def test_s07_s08_lead_nvidias_own_b300_and_not_the_best_one_in_server(findings, claim, own, best_value, best):
    f = findings[claim]
    assert (f.verdict, round(f.computed, 1)) == ("confirmed", own)
    assert (f.comparators.best.submitter, f.comparators.best.value) == ("HPE", best_value)
    assert round(f.comparators.best.computed, 1) == best


def test_s11_scale_out_is_95_percent_with_other_frameworks(findings):
    f = findings["S-11"]
    assert f.verdict == "confirmed-with-caveats"
    assert [round(p.computed, 1) for p in f.parts] == [94.9, 94.6]
    assert f.caveats == ["framework-differs"]


def test_s12_512_is_the_largest_in_the_rounds_that_are_named(findings):
    f = findings["S-12"]
    assert f.verdict == "confirmed"
    assert "512" in f.note
    assert "288" in f.note
    assert "v2.0" in f.note


def test_s13_the_mean_is_within_4_percent_and_the_partners_are_six(findings):
    f = findings["S-13"]
    assert part(f, "mean absolute deviation").verdict == "confirmed"
    assert round(part(f, "mean absolute deviation").computed, 1) == 2.7
    assert part(f, "partners").computed == 6
    assert "worst -5.4 % over 33 partner rows" in f.note


def test_s14_the_best_partner_exceeds_by_1_6_percent(findings):
    assert (findings["S-14"].verdict, round(findings["S-14"].computed, 1)) == ("confirmed", 1.6)


def test_s15_87_is_confirmed_in_the_open_division_and_88_has_no_row(findings):
    f = findings["S-15"]
    single, offline = part(f, "SingleStream"), part(f, "Offline")
    assert (single.verdict, round(single.computed, 1)) == ("confirmed-with-caveats", 86.8)
    assert "division-differs" in single.caveats
    assert offline.verdict == "unverifiable"


def test_s16_111_and_118_hold_against_nvidias_own_and_offline_is_93_percent_of_the_best(findings):
    f = findings["S-16"]
    assert f.verdict == "confirmed-with-caveats"
    assert "definition-changed" in part(f, "SingleStream").caveats
    best = part(f, "Offline").comparators.best
    assert (best.submitter, best.value, round(best.computed)) == ("VibeHPC", 0.0783824, 93)


def test_s17_offline_is_a_tie_and_server_just_is_not(findings):
    f = findings["S-17"]
    assert [p.computed for p in f.parts] == ["tie", "no tie"]
    assert "2.6 % apart against a limit of 6.4 %" in f.note
    assert "3.5 % apart against a limit of 3.3 %" in f.note
    assert f.note.count("no tie") == 2


def test_s18_amd_is_the_only_vendor_on_dlrm_v3(findings):
    assert findings["S-18"].verdict == "confirmed"


def test_s19_amds_own_rows_hold_four_models_on_two_accelerators(findings):
    f = findings["S-19"]
    assert f.verdict == "contradicted"
    assert [p.computed for p in f.parts] == [4, 2, 6, 3]


def test_s20_is_unverifiable_and_says_what_would_settle_it(findings):
    f = findings["S-20"]
    assert (f.verdict, f.tier, f.computed) == ("unverifiable", 5, None)
    assert "settled by" in f.note


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [("S-09", "confirmed"), ("S-10", "confirmed"), ("S-21", "confirmed"), ("S-22", "contradicted"), ("S-23", "confirmed"), ("S-24", "confirmed"), ("S-25", "confirmed")],
)  # fmt: skip
def test_the_other_claims_of_the_article(findings, claim, verdict):
    assert findings[claim].verdict == verdict


def test_s22_the_calendar_holds_three_feature_releases_in_2024(findings):
    assert findings["S-22"].computed == 3


def test_s25_is_judged_against_either_of_two_disputed_dates(findings):
    assert "2026-07-15 or 2026-07-16" in findings["S-25"].computed


def test_a_figure_of_a_partner_is_not_the_vendors(findings):
    assert findings["60-NV-7"].verdict == "confirmed"
    assert findings["60-NV-7"].parts[0].rows[0].submitter == "Nebius"


def test_every_ratio_is_answered_against_the_best_and_the_median(findings):
    for f in findings.values():
        for p in f.parts:
            if p.unit in {"percent gain", "times"} and p.comparators is None and p.rows and "scale" not in f.questions[0]:
                assert "arithmetic" in p.basis or not p.rows, f.id


def test_every_computed_number_rests_on_rows_of_the_record(findings, results):
    paths = {r.provenance.path for r in results}
    for f in findings.values():
        assert set(f.evidence) <= paths


@pytest.mark.parametrize(
    ("claim", "path_part", "factor", "verdict"),
    [
        ("S-01", "v6.1|closed/AMD/results/8xMI355X_2xEPYC_9575F/gpt-oss-120b/Server", 0.9, "overstated"),
        ("S-07", "v6.1|closed/NVIDIA/results/B300-SXM-270GBx8_TRT/gpt-oss-120b/Offline", 1.2, "contradicted"),
        ("S-03", "v6.1|closed/AMD/results/9x8xMI355X_2xEPYC_9575F/gpt-oss-120b/Offline", 0.9, "contradicted"),
        ("S-11", "v6.1|closed/AMD/results/9x8xMI355X_2xEPYC_9575F/gpt-oss-120b/Server", 0.9, "overstated"),
        ("60-AMD-16", "v6.0|closed/AMD/results/87xMI355X_22xEPYC_9575F/llama2-70b-99.9/Offline", 1.01, "understated"),
    ],
)  # fmt: skip
def test_a_changed_value_in_the_record_flips_the_verdict_that_rests_on_it(results, claim, path_part, factor, verdict):
    round_, path = path_part.split("|")
    changed = [
        msgspec.structs.replace(r, value=r.value * factor)
        if r.provenance.round == round_ and r.provenance.path.startswith(path)
        else r
        for r in results
    ]
    assert changed != results
    (finding,) = check_ledger(narrowed(builtin(), [claim]), changed)
    assert finding.verdict == verdict


LEDGER = """
claims:
  - id: c
    who: w
    when: 2026-09
    sentence: s
    question: {{kind: {kind}, subject: {{hardware: 8x MI355X, round: v6.1}}, baseline: {{hardware: 8x B300, round: v6.1}}}}
    claimed: "{claimed}"
    meant: {meant}
    bound: {bound}
"""


def verdict_of(value: float, claimed: str, meant: str = "percent gain", bound: str = "exactly", kind: str = "ratio") -> str:
    """The verdict on a ratio against a comparator of 100."""
    record = [
        result(round="v6.1", accelerator="MI355X", value=value),
        result(round="v6.1", accelerator="B300", submitter="NVIDIA", value=100.0),
    ]
    ledger = parse(LEDGER.format(kind=kind, claimed=claimed, meant=meant, bound=bound), "l")
    return check_ledger(ledger, record)[0].verdict


@pytest.mark.parametrize(
    ("value", "claimed", "meant", "bound", "verdict"),
    [
        (137.9, "38", "percent gain", "exactly", "confirmed"), (137.4, "38", "percent gain", "exactly", "overstated"),
        (139.0, "38", "percent gain", "exactly", "understated"), (90.0, "38", "percent gain", "exactly", "contradicted"),
        (91.4, "91", "percent of", "exactly", "confirmed"), (93.0, "108", "percent of", "exactly", "contradicted"),
        (160.0, "1.6", "times", "exactly", "confirmed"), (250.0, "2.5", "times", "up to", "confirmed"), (257.0, "2.5", "times", "up to", "understated"),
        (240.0, "2.5", "times", "up to", "overstated"), (240.0, "2", "times", "at least", "confirmed"), (140.0, "2", "times", "at least", "overstated"),
        (103.0, "4", "percent gain", "within", "confirmed"), (97.0, "4", "percent gain", "within", "confirmed"), (93.0, "4", "percent gain", "within", "overstated"),
    ],
)  # fmt: skip
def test_verdicts(value, claimed, meant, bound, verdict):
    assert verdict_of(value, claimed, meant, bound) == verdict


@given(st.floats(1.01, 9.9))
def test_a_ratio_is_confirmed_by_its_own_rounding(ratio):
    assert verdict_of(100 * ratio, f"{ratio:.2f}", "times") == "confirmed"


@given(st.floats(0.5, 2.0).filter(lambda x: abs(x - 1) > 0.02))
def test_the_wrong_direction_is_always_contradicted(ratio):
    claimed = 100 / ratio
    assert verdict_of(100 * ratio, f"{claimed:.1f}", "percent of") == "contradicted"
