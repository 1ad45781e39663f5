"""Canonical names: every published spelling means one thing, however it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.record import names
from groundspeed.record.names import Model, Name, fold, loose


def spellings_of_accelerators() -> list[tuple[str, str]]:
    entries = names.table("accelerators")
    return [(s, name) for name, e in entries.items() for s in (name, *e["published"], *e.get("vgpu", ()))]


def spellings_of_models() -> list[tuple[str, str]]:
    entries = names.table("models")["benchmark"]
    return [(s, name) for name, e in entries.items() for s in (name, *e.get("published", ()), *e.get("category", ()))]


def spellings_of_submitters() -> list[tuple[str, str]]:
    return [(s, name) for name, others in names.table("submitters")["submitters"].items() for s in (name, *others)]


def spellings_of_scenarios() -> list[tuple[str, str]]:
    return [(s, name) for name, others in names.table("scenarios")["scenarios"].items() for s in (name, *others)]


def spellings_of_components() -> list[tuple[str, str]]:
    return [(s, name) for name, e in names.table("components").items() for s in e["published"]]


def in_two_entries(spellings: Iterable[tuple[str, str]]) -> list[str]:
    owners = {(fold(spelling), name) for spelling, name in spellings}
    return [s for s, n in Counter(s for s, _ in owners).items() if n > 1]


# ---------------------------------------------------------------- the tables


@pytest.mark.parametrize(
    "spellings",
    [
        spellings_of_accelerators,
        spellings_of_models,
        spellings_of_submitters,
        spellings_of_scenarios,
        spellings_of_components,
    ],
)
def test_no_spelling_means_two_things(spellings: object) -> None:
    assert in_two_entries(spellings()) == []  # type: ignore[operator]


@pytest.mark.parametrize("name", names.table("accelerators"))
def test_an_accelerator_is_called_by_its_own_name(name: str) -> None:
    assert names.accelerator(name) == (Name(name, True), False)


@pytest.mark.parametrize("name", names.table("models")["benchmark"])
def test_a_model_is_called_by_its_own_name(name: str) -> None:
    assert names.model(name) == Model(name, "", True, True)


@pytest.mark.parametrize("name", names.table("submitters")["submitters"])
def test_a_submitter_is_called_by_its_own_name(name: str) -> None:
    assert names.submitter(name) == Name(name, True)


@pytest.mark.parametrize("name", ["Offline", "Server", "Interactive", "SingleStream", "MultiStream"])
def test_a_scenario_is_called_by_its_own_name(name: str) -> None:
    assert names.scenario(name) == Name(name, True)


def test_the_scenarios_are_these_five() -> None:
    assert list(names.table("scenarios")["scenarios"]) == ["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]


def test_every_spelling_in_the_tables_leads_to_its_entry() -> None:
    assert [s for s, name in spellings_of_accelerators() if names.accelerator(s)[0] != Name(name, True)] == []
    assert [s for s, name in spellings_of_models() if names.model(s).name != name] == []
    assert [s for s, name in spellings_of_submitters() if names.submitter(s) != Name(name, True)] == []
    assert [s for s, name in spellings_of_scenarios() if names.scenario(s) != Name(name, True)] == []


def test_case_and_blanks_do_not_matter() -> None:
    def restless(text: str) -> str:
        return f"  {text.swapcase()} ".replace(" ", "  ")

    assert [s for s, name in spellings_of_accelerators() if names.accelerator(restless(s))[0].name != name] == []
    assert [s for s, name in spellings_of_models() if names.model(restless(s)).name != name] == []
    assert [s for s, name in spellings_of_submitters() if names.submitter(restless(s)).name != name] == []
    assert [s for s, name in spellings_of_scenarios() if names.scenario(restless(s)).name != name] == []


def test_every_accelerator_has_a_vendor_and_a_family() -> None:
    for accelerator in names.accelerators().values():
        assert accelerator.vendor
        assert accelerator.family
        assert accelerator.power_watts is None or 5 <= accelerator.power_watts <= 3000


def test_a_family_that_is_also_an_accelerator_is_that_accelerators_own() -> None:
    table = names.accelerators()
    assert [a.name for a in table.values() if a.family in table and table[a.family].family != a.family] == []


def test_every_published_accelerator_name_is_free_of_what_the_reader_takes_away() -> None:
    taken_away = ("Power Cap", " CTS", "(x", " MIG)", "Virtualized")
    assert [s for s, _ in spellings_of_accelerators() if any(part in s for part in taken_away)] == []


# ---------------------------------------------------------------- accelerators


@pytest.mark.parametrize(
    ("published", "name"),
    [
        ("AMD Instinct MI355X 288GB HBM3e", "MI355X"),
        ("AMD Instinct MI300X-NPS1-SPX-192GB-750W", "MI300X"),
        ("NVIDIA B300-SXM-270GB", "B300"),
        ("NVIDIA GB300", "GB300"),
        ("NVIDIA H200-SXM-141GB", "H200-SXM"),
        ("NVIDIA H200-NVL-141GB", "H200-NVL"),
    ],
)
def test_what_published_accelerators_are(published: str, name: str) -> None:
    assert names.accelerator(published) == (Name(name, True), False)


def test_h200_sxm_and_h200_nvl_are_two_accelerators_of_one_family() -> None:
    table = names.accelerators()
    assert table["H200-SXM"].family == table["H200-NVL"].family == "H200"


def test_a_virtual_slice_is_its_accelerator_and_said_to_be_virtual() -> None:
    slices = [(s, name) for name, e in names.table("accelerators").items() for s in e.get("vgpu", ())]
    assert slices
    assert all(names.accelerator(s) == (Name(name, True), True) for s, name in slices)


def test_an_accelerator_no_table_knows_keeps_its_string() -> None:
    assert names.accelerator(" Acme  Warp 9 ") == (Name("Acme Warp 9", False), False)


@pytest.mark.parametrize(("name", "maker"), [("MI355X", "AMD"), ("B300", "NVIDIA"), ("Acme Warp 9", None), (None, None)])
def test_vendors(name: str | None, maker: str | None) -> None:
    assert names.vendor(name) == maker


# ---------------------------------------------------------------- models


@pytest.mark.parametrize(
    ("published", "name", "target"),
    [
        ("llama2-70b-99", "llama2-70b", "99"),
        ("llama2-70b-99.9", "llama2-70b", "99.9"),
        ("resnet", "resnet50", ""),
        ("llama3_1-405b", "llama3.1-405b", ""),
        ("llama3_1-8b-edge", "llama3.1-8b-edge", ""),
        ("VLM", "qwen3-vl-235b-a22b", ""),
        ("text_to_video", "wan-2.2-t2v-a14b", ""),
        ("agentic edge", "qwen3.6-27b", ""),
        ("yolo-95", "yolo", "95"),
        ("dlrm-v2-99.9", "dlrm-v2", "99.9"),
        ("3d-unet-99.9", "3d-unet", "99.9"),
    ],
)
def test_what_published_models_are(published: str, name: str, target: str) -> None:
    assert names.model(published) == Model(name, target, True, True)


@pytest.mark.parametrize("published", ["llama3_1-405b_pruned", "mobilenet-v1-0.5-128", "bert-99_pruned", "llama2-70b-fp8_quark"])
def test_an_open_variant_is_known_and_keeps_its_own_name(published: str) -> None:
    assert names.model(published) == Model(published, "", False, True)


def test_a_model_nobody_knows_keeps_its_name() -> None:
    assert names.model("acme-1t") == Model("acme-1t", "", False, False)


def test_the_benchmarks_with_targets_are_listed_once_a_target() -> None:
    listed = names.benchmark_names()
    assert {"llama2-70b-99", "llama2-70b-99.9", "gpt-oss-120b", "yolo-95"} <= set(listed)
    assert "llama2-70b" not in listed
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("name", names.benchmark_names())
def test_every_benchmark_with_its_target_is_read_back(name: str) -> None:
    model = names.model(name)
    assert model.is_benchmark
    assert (f"{model.name}-{model.target}" if model.target else model.name) == name


def test_datasets() -> None:
    assert names.dataset("llama2-70b") == "OpenOrca"
    assert names.dataset("acme-1t") == ""


# ---------------------------------------------------------------- submitters and scenarios


@pytest.mark.parametrize(
    ("published", "name"),
    [("ORACLE", "Oracle"), ("CTuning", "cTuning"), ("nvidia", "NVIDIA"), ("RedHat-Supermicro", "RedHat_Supermicro")],
)
def test_what_published_submitters_are(published: str, name: str) -> None:
    assert names.submitter(published) == Name(name, True)


def test_a_joint_submission_is_a_submitter_of_its_own() -> None:
    assert len({names.submitter(s).name for s in ("Dell", "MangoBoost", "Dell_MangoBoost", "Supermicro_MangoBoost")}) == 4


@pytest.mark.parametrize("published", ["offline", "OFFLINE", " Offline "])
def test_offline_whatever_its_case(published: str) -> None:
    assert names.scenario(published) == Name("Offline", True)


@pytest.mark.parametrize("published", ["singlestream", "single_stream", "Single Stream", "single-stream"])
def test_single_stream_whatever_its_case_and_signs(published: str) -> None:
    assert names.scenario(published) == Name("SingleStream", True)


def test_a_scenario_nobody_knows_keeps_its_name() -> None:
    assert names.scenario("Batch") == Name("Batch", False)


# ---------------------------------------------------------------- what a person may have meant


@pytest.mark.parametrize(
    ("written", "candidates", "first"),
    [
        ("mi355", ["MI300X", "MI325X", "MI355X", "B300"], "MI355X"),
        ("gpt oss", ["deepseek-r1", "gpt-oss-120b", "gptj"], "gpt-oss-120b"),
        ("Llama 2 70B", ["llama3.1-8b", "llama2-70b"], "llama2-70b"),
        ("ofline", ["Offline", "Server"], "Offline"),
        ("nvida", ["NVIDIA", "Nebius", "AMD"], "NVIDIA"),
        ("h200sxm", ["H200-NVL", "H200-SXM"], "H200-SXM"),
    ],
)
def test_the_nearest_name_comes_first(written: str, candidates: list[str], first: str) -> None:
    assert names.nearest(written, candidates)[0] == first


def test_a_part_of_several_names_finds_them_all() -> None:
    assert set(names.nearest("H200", ["H200-NVL", "H200-SXM", "MI300X"])) == {"H200-NVL", "H200-SXM"}


@pytest.mark.parametrize("written", ["", "   ", "???", "zzzzqqqq"])
def test_what_is_near_nothing_finds_nothing(written: str) -> None:
    assert names.nearest(written, ["MI355X", "B300"]) == []


def test_no_more_names_than_asked_for() -> None:
    assert len(names.nearest("mi", [f"MI{n}" for n in range(30)], count=3)) == 3


@given(st.text(), st.lists(st.text()))
def test_nearest_names_are_candidates_and_no_name_comes_twice(written: str, candidates: list[str]) -> None:
    found = names.nearest(written, candidates)
    assert set(found) <= set(candidates)
    assert len(found) == len(set(found)) <= 4


# ---------------------------------------------------------------- any text


@given(st.text())
def test_any_text_has_a_name(text: str) -> None:
    assert names.accelerator(text)[0].known in (True, False)
    assert names.submitter(text).known in (True, False)
    assert names.scenario(text).known in (True, False)
    assert names.model(text).known in (True, False)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert loose(loose(text)) == loose(text)
