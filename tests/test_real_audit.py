"""The audit of the embedded record: what v2.0 to v6.1 say of software, in figures."""

from __future__ import annotations

import json

import pytest

import groundspeed
from groundspeed.audit import ANNOTATIONS, DEFAULT_ALLOWED, RELAXATIONS, Audit, Finding
from groundspeed.audit.copies import without_copies
from groundspeed.audit.pairs import find_pairs
from groundspeed.record import Record
from groundspeed.record.model import Result
from groundspeed.report.export import to_json

EVERYTHING = frozenset(RELAXATIONS)


@pytest.fixture(scope="module")
def record() -> Record:
    return Record()


@pytest.fixture(scope="module")
def audit(record) -> Audit:
    """v6.0 -> v6.1, as it is printed when nothing is asked for."""
    return groundspeed.audit_record(record)


@pytest.fixture(scope="module")
def all_rounds(record) -> Audit:
    return groundspeed.audit_record(record, rounds="all")


@pytest.fixture(scope="module")
def latest(record) -> dict[str, list[Result]]:
    """The results of v6.0 and v6.1 without copies, by round."""
    kept, _ = without_copies(record.results(["v6.0", "v6.1"]))
    return {name: [r for r in kept if r.provenance.round == name] for name in ("v6.0", "v6.1")}


def one(audit: Audit, submitter: str, hardware: str, model: str, scenario: str) -> Finding:
    """The one finding of a submitter's system and workload."""
    (found,) = (
        f for f in audit.findings if (f.submitter, f.hardware, f.model, f.scenario) == (submitter, hardware, model, scenario)
    )
    return found


def amd(audit: Audit, model: str, scenario: str) -> Finding:
    return one(audit, "AMD", "8x MI355X", model, scenario)


def nvidia(audit: Audit, model: str, scenario: str) -> Finding:
    return one(audit, "NVIDIA", "8x B300", model, scenario)


# ---------------------------------------------------------------- AMD, 8x MI355X, closed


@pytest.mark.parametrize(
    ("scenario", "older", "newer", "change"), [("Server", 82136.1, 113241.0, 37.9), ("Offline", 95004.0, 121818.0, 28.2)]
)
def test_gpt_oss_gained_from_software_on_8_mi355x(audit, scenario, older, newer, change):
    f = amd(audit, "gpt-oss-120b", scenario)
    assert (f.older.round, f.newer.round, f.older.value, f.newer.value) == ("v6.0", "v6.1", older, newer)
    assert round(f.change_percent, 1) == change
    assert (f.step, f.verdict, f.caveats, f.software_only) == ("software", "signal", [], True)


def test_gpt_oss_server_gained_17_4_percent_a_release(audit):
    f = amd(audit, "gpt-oss-120b", "Server")
    assert (f.releases.project, f.releases.older, f.releases.newer) == ("ROCm", "7.0.0", "7.2.2")
    assert (f.releases.feature, f.releases.feature_versions) == (2, ["7.1.0", "7.2.0"])
    assert round(f.per_release_percent, 1) == 17.4


def test_its_patches_and_previews_stand_beside(audit):
    f = amd(audit, "gpt-oss-120b", "Server")
    assert (f.releases.patch, f.releases.patch_versions) == (5, ["7.0.1", "7.0.2", "7.1.1", "7.2.1", "7.2.2"])
    assert (f.releases.preview, f.releases.preview_versions) == (4, ["7.9.0", "7.10.0", "7.11.0", "7.12.0"])


def test_its_rates_by_days_are_between_the_releases(audit):
    f = amd(audit, "gpt-oss-120b", "Server")
    assert (f.releases.days, f.rate_days, f.rate_basis) == (210, 210, "stack-releases")
    assert (round(f.per_42_days_percent, 1), round(f.annualised_percent, 1)) == (6.6, 74.7)


@pytest.mark.parametrize(("scenario", "change"), [("Offline", 2.9), ("Server", 3.0), ("Interactive", -0.6)])
def test_llama2_did_not_move_out_of_the_noise(audit, scenario, change):
    f = amd(audit, "llama2-70b-99.9", scenario)
    assert (round(f.change_percent, 1), f.verdict) == (change, "within-noise")


@pytest.mark.parametrize(("scenario", "older", "newer"), [("Offline", 0.43, 1.90), ("Server", 1.30, 1.41)])
def test_the_noise_of_llama2_is_its_own_and_its_limit_3_8_percent(audit, scenario, older, newer):
    noise = amd(audit, "llama2-70b-99.9", scenario).noise
    assert [round(g.sigma_percent, 2) for g in noise.groups] == [older, newer]
    assert {g.basis for g in noise.groups} == {"workload"}
    assert round(noise.limit_percent, 1) == 3.8


def test_wan_single_stream_is_1_698_times_faster_than_the_open_baseline(audit):
    f = amd(audit, "wan-2.2-t2v-a14b", "SingleStream")
    assert (round(f.older.value, 6), round(f.newer.value, 6), f.newer.unit) == (27.384519, 16.124484, "s")
    assert (f.older.division, f.newer.division, round(f.speedup, 3)) == ("open", "closed", 1.698)


def test_wan_says_all_that_is_different_and_no_more(audit):
    f = amd(audit, "wan-2.2-t2v-a14b", "SingleStream")
    assert f.caveats == ["baseline-open-division", "framework-differs", "precision-differs"]
    assert (f.step, f.software_only) == ("mixed", False)


def test_wan_has_no_rate_per_release_because_its_stack_is_a_preview(audit):
    f = amd(audit, "wan-2.2-t2v-a14b", "SingleStream")
    assert (f.releases, f.per_release_percent) == (None, None)
    assert f.notes == ["ROCm 7.11.0 is a preview, outside the production line: no per-release rate"]


def test_wans_other_rates_are_between_the_rounds(audit):
    f = amd(audit, "wan-2.2-t2v-a14b", "SingleStream")
    assert (f.rate_basis, f.rate_days) == ("round-publication", 168)
    assert f.per_42_days_percent == pytest.approx(100 * (f.speedup ** (42 / 168) - 1), abs=1e-5)


@pytest.fixture(scope="module")
def scaled(record) -> Audit:
    return groundspeed.audit_record(record, submitter="AMD", model="gpt-oss-120b", allowed=DEFAULT_ALLOWED | {"count-differs"})


@pytest.mark.parametrize(("scenario", "change"), [("Offline", 31.7), ("Server", 39.9)])
def test_gpt_oss_on_94_and_72_accelerators_is_compared_per_accelerator(scaled, scenario, change):
    f = one(scaled, "AMD", "72x MI355X", "gpt-oss-120b", scenario)
    assert (f.older.accelerators, f.newer.accelerators) == (94, 72)
    assert (round(f.change_percent, 1), f.per_accelerator, f.software_only) == (change, True, False)
    assert "count-differs" in f.caveats


def test_the_published_count_of_96_stands_beside_the_94_that_took_part(scaled):
    f = one(scaled, "AMD", "72x MI355X", "gpt-oss-120b", "Server")
    assert (f.older.published_accelerators, f.newer.published_accelerators) == (96, 72)
    assert f.notes == ["v6.0: the table counts 96 accelerators, 94 took part"]


def test_another_count_is_not_compared_unless_it_is_asked_for(audit):
    assert {f.newer.accelerators for f in audit.findings if f.submitter == "AMD"} == {8}
    assert audit.left_out["count-differs",] > 0


# ---------------------------------------------------------------- NVIDIA, 8x B300, closed


@pytest.mark.parametrize(
    ("model", "scenario", "change"),
    [("gpt-oss-120b", "Offline", 2.6), ("gpt-oss-120b", "Server", 0.3), ("llama2-70b-99.9", "Offline", -3.3)],
)
def test_nvidia_did_not_move_out_of_the_noise_on_8_b300(audit, model, scenario, change):
    f = nvidia(audit, model, scenario)
    assert (round(f.change_percent, 1), f.verdict) == (change, "within-noise")


def test_deepseek_server_moved_by_40_percent_without_a_known_cause(audit):
    f = nvidia(audit, "deepseek-r1", "Server")
    assert (f.older.value, f.newer.value, round(f.change_percent, 1)) == (42721.4, 59867.8, 40.1)
    assert f.step == "unexplained"


def test_only_its_branch_or_tag_names_differ(audit):
    assert "only branch or tag names differ" in nvidia(audit, "deepseek-r1", "Server").step_reason


def test_its_change_is_within_the_noise_of_its_own_workload(audit):
    f = nvidia(audit, "deepseek-r1", "Server")
    older, newer = f.noise.groups
    assert (f.verdict, older.basis, newer.basis) == ("within-noise", "workload", "workload")
    assert round(older.sigma_percent) == 34


def test_others_had_its_new_value_a_round_before(audit):
    notes = nvidia(audit, "deepseek-r1", "Server").notes
    assert "2 of 5 other submitters of 8x B300 already had 58,553.3 to 60,413.4 tokens/s in v6.0" in notes


def test_equal_cuda_versions_have_no_rate_per_release_and_say_so(audit):
    f = nvidia(audit, "gpt-oss-120b", "Server")
    assert (f.project, f.per_release_percent, f.releases.feature, f.releases.days) == ("CUDA", None, 0, None)
    assert "both stacks are CUDA 13.1.0: no release between them" in f.notes


# ---------------------------------------------------------------- what is not compared


def test_the_endpoints_clients_mean_never_meets_loadgens_percentile(latest):
    def of(round_: str, definition: str) -> list[Result]:
        return [r for r in latest[round_] if r.workload.scenario == "SingleStream" and r.metric.definition == definition]

    means = of("v6.1", "singlestream-mean")
    percentiles = of("v6.0", "singlestream-early-stopping-p90")
    assert means
    assert find_pairs(percentiles, means, EVERYTHING - {"definition-changed"}).found == []


def test_wan_single_stream_on_nvidias_b300_is_no_finding(audit):
    of_nvidia = [f for f in audit.findings if (f.submitter, f.model) == ("NVIDIA", "wan-2.2-t2v-a14b")]
    assert {(f.hardware, f.scenario) for f in of_nvidia} == {("8x B300", "Offline")}


def test_throughputs_of_the_two_harnesses_are_compared_and_said(audit):
    f = nvidia(audit, "wan-2.2-t2v-a14b", "Offline")
    assert (f.older.harness, f.newer.harness) == ("loadgen", "endpoints")
    assert "harness-differs" in f.caveats


def test_no_default_finding_has_two_definitions_or_two_statistics(all_rounds):
    assert all((f.older.unit, f.older.statistic) == (f.newer.unit, f.newer.statistic) for f in all_rounds.findings)


def test_a_power_cap_is_not_compared_with_no_cap(latest):
    capped = [r for r in latest["v6.0"] if r.provenance.submitter == "Dell_MangoBoost" and "power-cap-1000w" in r.system.tags]
    uncapped = [r for r in latest["v6.0"] if r.provenance.submitter == "Dell_MangoBoost" and r.system.hardware == "8x MI355X"]
    newer = [r for r in latest["v6.1"] if r.system.hardware == "8x MI355X"]
    assert capped
    assert find_pairs(capped, newer, EVERYTHING).found == []
    assert find_pairs(uncapped, newer, EVERYTHING).found


def test_gb10_with_its_gpu_is_not_compared_with_gb10_without(latest):
    def yolo(round_: str) -> list[Result]:
        return [
            r
            for r in latest[round_]
            if (r.provenance.submitter, r.system.accelerator, r.workload.model) == ("Dell", "GB10", "yolo")
        ]

    assert all("cpu-only" in r.system.tags for r in yolo("v6.0"))
    assert all("cpu-only" not in r.system.tags for r in yolo("v6.1"))
    assert len(yolo("v6.0")) == len(yolo("v6.1")) == 3
    assert find_pairs(yolo("v6.0"), yolo("v6.1"), EVERYTHING).found == []


def test_server_of_v4_0_counted_scheduled_queries_and_is_not_compared(all_rounds):
    assert "Server" not in {f.scenario for f in all_rounds.findings if (f.older.round, f.newer.round) == ("v4.0", "v4.1")}


def test_that_its_definition_changed_can_be_asked_for_but_gives_no_rate(record):
    allowed = DEFAULT_ALLOWED | {"definition-changed"}
    found = groundspeed.audit_record(record, rounds="v4.0,v4.1", scenario="Server", allowed=allowed).findings
    assert found
    for f in found:
        assert "definition-changed" in f.caveats
        assert (f.releases, f.per_release_percent, f.per_42_days_percent, f.annualised_percent) == (None, None, None, None)
        assert (f.noise, f.verdict) == (None, "noise-unknown")


def test_a_pair_of_v4_1_and_v5_1_says_that_v5_0_is_missing(all_rounds):
    spanning = [f for f in all_rounds.findings if "spans-missing-round" in f.caveats]
    assert spanning
    assert spanning == [f for f in all_rounds.findings if (f.older.round, f.newer.round) == ("v4.1", "v5.1")]


# ---------------------------------------------------------------- copies and CPU-only systems


def test_the_newest_two_rounds_hold_85_copies(audit):
    assert (audit.copies, audit.results) == (85, 1012)


def test_no_workload_of_a_system_is_found_under_two_targets(audit):
    seen = [
        (f.submitter, f.older.platform, f.newer.platform, f.model.removesuffix(".9"), f.scenario, f.newer.value)
        for f in audit.findings
    ]
    assert len(seen) == len(set(seen))


def test_llama2_is_found_under_its_stricter_target(audit):
    assert {f.model for f in audit.findings if f.model.startswith("llama2")} == {"llama2-70b-99.9"}


def test_a_cpu_only_system_is_found_and_has_no_accelerator(audit):
    f = one(audit, "Intel", "2x Xeon 6980P (CPU-only)", "llama3.1-8b", "Server")
    assert (f.accelerator, f.older.accelerators, f.newer.accelerators) == (None, None, None)
    assert (f.older.value, f.newer.value, f.per_accelerator) == (471.541, 1139.51, False)


# ---------------------------------------------------------------- every finding


FINDING = {
    "submitter", "accelerator", "division", "availability", "model", "scenario", "older", "newer", "speedup", "change_percent",
    "releases", "per_release_percent", "per_42_days_percent", "step", "noise", "verdict", "caveats",
}  # fmt: skip
SIDE = {"round", "value", "unit", "accelerators", "platform", "stack", "path"}


@pytest.fixture(scope="module")
def printed(audit) -> list[dict]:
    """The findings as JSON."""
    return json.loads(to_json(audit.findings))


def test_json_findings_have_every_key(printed):
    assert all(f.keys() >= FINDING for f in printed)


def test_both_sides_of_a_json_finding_have_every_key(printed):
    assert all(f[side].keys() >= SIDE for f in printed for side in ("older", "newer"))


def test_json_releases_are_counts_and_days_or_null(printed):
    releases = [f["releases"] for f in printed]
    assert None in releases
    assert all(r.keys() >= {"project", "feature", "patch", "preview", "days"} for r in releases if r is not None)
    assert all(isinstance(r[kind], int) for r in releases if r is not None for kind in ("feature", "patch", "preview"))


def test_json_noise_is_sigma_and_groups_or_null(printed):
    assert None in [f["noise"] for f in printed]
    assert all(f["noise"].keys() >= {"sigma_percent", "groups"} for f in printed if f["noise"] is not None)


def test_json_says_noise_unknown_where_it_says_no_noise(printed):
    assert all((f["noise"] is None) == (f["verdict"] == "noise-unknown") for f in printed)


def test_every_verdict_follows_from_its_noise(printed):
    for f in printed:
        if f["noise"]:
            low, high = f["noise"]["band_percent"]
            assert (f["verdict"] == "within-noise") == (low <= f["change_percent"] <= high)


def test_every_caveat_is_allowed_or_an_annotation(audit):
    assert {code for f in audit.findings for code in f.caveats} <= DEFAULT_ALLOWED | ANNOTATIONS.keys()


def test_every_finding_is_on_unchanged_hardware_of_one_submitter(all_rounds):
    assert all((f.older.hardware, f.older_submitter) == (f.newer.hardware, f.submitter) for f in all_rounds.findings)


def test_every_speedup_recomputes_from_its_two_values(printed):
    for f in printed:
        older, newer = f["older"]["value"], f["newer"]["value"]
        latency = f["newer"]["unit"] in {"s", "ms"}
        assert f["speedup"] == pytest.approx(older / newer if latency else newer / older, rel=1e-12)
        assert f["change_percent"] == pytest.approx(100 * (f["speedup"] - 1), abs=1e-5)


def test_every_rate_per_release_compounds_to_its_speedup(all_rounds):
    rated = [f for f in all_rounds.findings if f.per_release_percent is not None]
    assert rated
    for f in rated:
        assert (1 + f.per_release_percent / 100) ** f.releases.feature == pytest.approx(f.speedup, rel=1e-6)


def test_every_rate_by_days_compounds_to_its_speedup(all_rounds):
    rated = [f for f in all_rounds.findings if f.per_42_days_percent is not None]
    assert rated
    for f in rated:
        assert (1 + f.per_42_days_percent / 100) ** (f.rate_days / 42) == pytest.approx(f.speedup, rel=1e-5)


def test_no_result_is_the_newer_side_of_two_findings(all_rounds):
    ids = [f.newer.id for f in all_rounds.findings]
    assert len(ids) == len(set(ids))


def test_both_sides_of_a_finding_are_in_the_record(audit, latest):
    ids = {r.id: r.value for rows in latest.values() for r in rows}
    assert all(ids[side.id] == side.value for f in audit.findings for side in (f.older, f.newer))
