"""Hardware read from published strings: what took part, how many, and whether two systems are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundspeed.record.model import AcceleratorGroup
from groundspeed.record.systems import PublishedSystem, ReadSystem, processor, product, read, same_product
from groundspeed.sources.mlperf import Reading
from makers import result


def system(**overrides: Any) -> ReadSystem:
    """What is read of a published row: 8x MI355X on one node unless something else is asked for."""
    row: dict[str, Any] = {
        "name": "Supermicro AS-4126GS-NMR-LCC",
        "platform": "8xMI355X_2xEPYC_9575F",
        "accelerator": "AMD Instinct MI355X 288GB HBM3e",
        "nodes": 1,
        "accelerators_per_node": 8,
        "total": None,
        "processor": "AMD EPYC 9575F",
        "sockets": 2,
        "suite": "datacenter",
        "notes": "",
        **overrides,
    }
    return read(PublishedSystem(**row))


def codes(found: ReadSystem) -> set[str]:
    return {note.code for note in found.notes}


def groups(found: ReadSystem) -> list[tuple[str, int | None]]:
    return [(g.name, g.count) for g in found.system.accelerators]


# ---------------------------------------------------------------- server products


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Supermicro AS-4126GS-NMR-LCC", "as4126gsnmrlcc"),
        ("SuperMicro AS-4126GS-NMR-LCC", "as4126gsnmrlcc"),
        ("AS-4126GS-NMR-LCC", "as4126gsnmrlcc"),
        ("Supermicro AS -8126GS-TNMR (8x MI325X)", "as8126gstnmr"),
        ("AS-8126GS-TNMR,vLLM", "as8126gstnmr"),
        ("Dell PowerEdge XE9680 (8x MI300X-192GB MangoBoost-LLMBoost)", "xe9680"),
        ("Dell Poweredge XE9680", "xe9680"),
        ("PowerEdge XE9785 (MI355X Power Cap 1000W)", "xe9785"),
        ("PowerEdge XE9785L (8x MI355X)", "xe9785l"),
        ("HPE ProLiant Compute XD685 (8x AMD Instinct MI355X 288GB, vLLM)", "xd685"),
        ("NVIDIA DGX B200 (8x B200-SXM-180GB, TensorRT)", "dgxb200"),
        ("Cisco UCS C885A M8 (8x H200-SXM-141GB, TensorRT)", "c885am8"),
        ("QuantaGrid D74H-7U (8x H200-SXM-141GB, TensorRT)", "d74h7u"),
        ("ThinkSystem SR680a V3 (8x B200-SXM-180GB, TensorRT)", "sr680av3"),
        ("Inventec P5800G7(LC) (8x B300-SXM-270GB, TensorRT)", "p5800g7"),
        ("ThinkEdge SE100", "se100"),
        ("ThinkEdge SE100 (1x RTX-2000E-Ada-16GB, TensorRT)", "se100"),
        ("Lenovo ThinkEdge SE100 (built-in Intel(R) Arc(TM) graphics)", "se100"),
        ("BM.GPU.MI355X.8", "bmgpumi355x8"),
        ("G894-SD1", "g894sd1"),
    ],
)
def test_the_product_in_a_systems_name(name: str, expected: str) -> None:
    assert product(name) == expected


@pytest.mark.parametrize("name", ["smci355-ccs-aus-m09-17 (AS -4126GS-NMR-LCC)", "smci355-ccs-aus-m13-13 (AS -4126GS-NMR-LCC)"])
def test_a_product_behind_a_host_name_is_found(name: str) -> None:
    assert product(name) == "as4126gsnmrlcc"


@pytest.mark.parametrize(
    "name", ["smci355-ccs-aus-m09-17", "smci355-4N-cluster", "smci355-8N-cluster", "Amitashs_MBP.attlocal.net"]
)
def test_a_host_name_is_no_product(name: str) -> None:
    assert product(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        "8xMI355X_2xEPYC_9575F",
        "9x8xMI355X_2xEPYC_9575F",
        "AMD MI355X Custom Cluster",
        "1-node-2S-GNR_86C",
        "(72x GB200-186GB_aarch64, TensorRT)",
        "Nebius B200 n1 (8x B200-SXM-180GB, TensorRT)",
        "NVIDIA GB300 NVL72 (72x GB300-288GB_aarch64, TensorRT)",
        "Dell_MangoBoost Heterogeneous Cluster (8x MI300X + 8x MI325X + 8x MI355X, LLMBoost)",
        "Crusoe Cloud 64x8 MI355X (512 GPU) — gpt-oss-120b / vLLM",
        "XE9785L_8xMI355X",
        "H200-1xGPU",
        "",
    ],
)
def test_a_label_is_no_product(name: str) -> None:
    assert product(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        "LLM-D v0.5.0,Openshift 4.20.12,NVIDIA 8xB200-SXM-180GB",
        "LLM-D v0.5.0,OpenShift 4.21,IBM cloud gx3d-160x1792x8h200,NVIDIA 8xH200-SXM-141GB",
    ],
)
def test_software_in_a_systems_name_is_no_product(name: str) -> None:
    assert "llmd" not in product(name)


def test_the_same_product_under_other_names_is_the_same() -> None:
    a, b = (
        result(system=name).system for name in ("Supermicro AS-4126GS-NMR-LCC", "smci355-ccs-aus-m13-13 (AS -4126GS-NMR-LCC)")
    )
    assert same_product(a, b) is True


def test_two_products_are_not_the_same() -> None:
    a, b = (result(system=name).system for name in ("PowerEdge XE9785", "PowerEdge XE9680"))
    assert same_product(a, b) is False


def test_a_label_says_nothing_about_the_product() -> None:
    a, b = (result(system=name).system for name in ("PowerEdge XE9785", "8xMI355X_2xEPYC_9575F"))
    assert same_product(a, b) is None
    assert same_product(b, a) is None


def test_a_product_named_in_the_others_label_is_the_same() -> None:
    a = result(system="PowerEdge XE9785L (8x MI355X)", platform="XE9785L_8xMI355X").system
    b = result(system="Dell Acme XE9785L-2", platform="Dell_XE9785L_8xMI355X").system
    assert a.product != b.product
    assert same_product(a, b) is same_product(b, a) is True


# ---------------------------------------------------------------- processors


@pytest.mark.parametrize(
    ("published", "expected"),
    [
        ("AMD EPYC 9575F", "EPYC 9575F"),
        ("AMD EPYC 9575F 64-Core Processor", "EPYC 9575F"),
        ("2x AMD EPYC 9475F", "EPYC 9475F"),
        ("2xAMD EPYC 9655", "EPYC 9655"),
        (" AMD EPYC 9655", "EPYC 9655"),
        ("INTEL(R) XEON(R) PLATINUM 8568Y+", "Xeon Platinum 8568Y+"),
        ("Intel(R) Xeon(R) Platinum 8480+ (Sapphire Rapids) CPU @ 2.00GHz", "Xeon Platinum 8480+"),
        ("Intel(R) Xeon(R) Platinum 8480C", "Xeon Platinum 8480C"),
        ("INTEL XEON GOLD 6444Y 16-Core Processor", "Xeon Gold 6444Y"),
        ("Intel(R) Xeon(R) Gold 6458Q @ 3.1 GHz", "Xeon Gold 6458Q"),
        ("Intel(R) Xeon(R) 6787P", "Xeon 6787P"),
        ("Intel\u202fXeon\u202f6448Y 2.1GHz(2x 32 cores each)", "Xeon 6448Y"),
        ("13th Gen Intel(R) Core(TM) i9-13900K", "Core i9-13900K"),
        ("Intel Core i9-10980XE", "Core i9-10980XE"),
        ("Intel(R) Core(TM) Ultra 7 255H [GPU]", "Core Ultra 7 255H"),
        ("Intel(R) Core(TM) Ultra 7 Processor 255H", "Core Ultra 7 255H"),
        ("NVIDIA Grace CPU (Arm Neoverse-V2)", "Grace"),
        ("NVIDIA Grace CPU", "Grace"),
        ("12-core ARM Cortex-A78AE CPU", "ARM Cortex-A78AE"),
        ("QUALCOMM Snapdragon 865 (SM8250)", "Snapdragon 865"),
        ("AMD Ryzen 9 7950X 16-Core Processor", "Ryzen 9 7950X"),
        ("", ""),
    ],
)
def test_a_processors_model(published: str, expected: str) -> None:
    assert processor(published) == expected


def test_no_published_processor_loses_its_model(table: Callable[[str], Reading]) -> None:
    every = {r.system.processor for name in ("history", "v5.1", "v6.0", "v6.1") for r in table(name).results}
    assert {p for p in every if p.endswith(("-", "- E", ":", "(")) or p.count("(") != p.count(")")} == set()


# ---------------------------------------------------------------- accelerators and their counts


def test_eight_accelerators_of_one_node() -> None:
    found = system()
    assert groups(found) == [("MI355X", 8)]
    assert (found.notes, found.unknown, found.system.tags) == ((), (), ())


def test_nodes_times_accelerators_a_node() -> None:
    assert system(nodes=9, platform="9x8xMI355X_2xEPYC_9575F").system.count == 72


def test_the_count_in_the_accelerators_string_is_what_took_part() -> None:
    found = system(accelerator="AMD Instinct MI355X 288GB HBM3e (x87)", nodes=11, total=88, platform="87xMI355X_22xEPYC_9575F")
    assert groups(found) == [("MI355X", 87)]
    assert found.system.published_count == 88
    assert codes(found) == {"count-disagrees"}


def test_a_count_of_several_factors() -> None:
    found = system(
        accelerator="AMD Instinct MI300X 192GB HBM3 (x2x8) and AMD Instinct MI355X 288GB HBM3e (x2x8)", nodes=4, platform="x"
    )
    assert groups(found) == [("MI300X", 16), ("MI355X", 16)]


def test_alibabas_nodes_of_two_kinds() -> None:
    found = system(
        accelerator="2 Nodes: NVIDIA A100-SXM-80GBx8, 4 Nodes: NVIDIA A30x4", nodes=6, accelerators_per_node=None, platform="x"
    )
    assert groups(found) == [("A100-SXM-80GB", 16), ("A30", 16)]


def test_a_total_of_the_table_that_disagrees_is_noted_and_not_believed() -> None:
    found = system(total=16)
    assert (found.system.count, found.system.published_count, codes(found)) == (8, 16, {"count-disagrees"})


def test_a_label_that_disagrees_is_noted_and_not_believed() -> None:
    name = "NVIDIA GB300 NVL72 (72x GB300-288GB_aarch64, TensorRT)"
    found = system(name=name, platform="GB300", accelerator="NVIDIA GB300", nodes=72, accelerators_per_node=4)
    assert (found.system.count, codes(found)) == (288, {"label-disagrees"})


def test_the_processors_in_a_label_are_no_accelerators() -> None:
    assert codes(system(platform="8xMI355X_2xEPYC_9575F")) == set()


def test_several_kinds_with_their_counts_in_the_systems_name() -> None:
    found = system(
        name="MangoBoost Heterogeneous Cluster (x32 MI300X, x16 MI325X)",
        platform="mixed",
        accelerator="AMD Instinct MI300X 192GB HBM3 and AMD Instinct MI325X 256GB HBM3e",
        nodes=6,
    )
    assert groups(found) == [("MI300X", 32), ("MI325X", 16)]
    assert found.system.hardware == "32x MI300X + 16x MI325X"


def test_several_kinds_on_a_node_each_are_assumed_and_said_to_be() -> None:
    found = system(name="Mixed", platform="mixed", accelerator="NVIDIA H200-SXM-141GB + AMD Instinct MI350X", nodes=2)
    assert groups(found) == [("H200-SXM", 8), ("MI350X", 8)]
    assert codes(found) == {"count-assumed"}


def test_kinds_are_listed_in_one_order_whatever_the_table_says() -> None:
    pair = ["NVIDIA H200-SXM-141GB (x8)", "AMD Instinct MI350X (x8)"]
    a, b = (system(accelerator=" + ".join(order), nodes=2, platform="mixed") for order in (pair, pair[::-1]))
    assert a.system.accelerators == b.system.accelerators


def test_a_count_nobody_gives_is_unknown_for_the_whole_system() -> None:
    found = system(accelerators_per_node=None, platform="x")
    assert (groups(found), found.system.count, codes(found)) == ([("MI355X", None)], None, {"count-unknown"})
    assert found.system.hardware == "?x MI355X"


def test_an_unknown_accelerator_is_named() -> None:
    found = system(accelerator="Acme Warp 9", platform="x")
    assert (groups(found), found.unknown) == ([("Acme Warp 9", 8)], ("Acme Warp 9",))


@pytest.mark.parametrize("accelerator", ["", "N/A", "-", "none"])
def test_a_system_without_accelerators_runs_on_its_processors(accelerator: str) -> None:
    found = system(
        accelerator=accelerator, accelerators_per_node=None, total=0, platform="x", processor="Intel(R) Xeon(R) 6980P"
    ).system
    assert (found.accelerators, found.accelerator, found.count, found.tags) == ((), None, None, ("cpu-only",))
    assert found.hardware == "2x Xeon 6980P (CPU-only)"


# ---------------------------------------------------------------- tags


@pytest.mark.parametrize(
    ("overrides", "tags"),
    [
        ({"accelerator": "AMD Instinct MI355X 288GB HBM3e (Power Cap 1000 W)"}, ("power-cap-1000w",)),
        ({"platform": "DGX-H100_H100-SXM-80GBx8_TRT_MaxQ", "accelerator": "NVIDIA H100-SXM-80GB"}, ("maxq",)),
        ({"name": "NVIDIA GB300 NVL72", "platform": "GB300", "accelerator": "NVIDIA GB300"}, ("nvl72",)),
        ({"name": "Acme (8x H200-NVL-141GB)", "platform": "x", "accelerator": "NVIDIA H200-NVL-141GB"}, ()),
        ({"accelerator": "NVIDIA GB10", "platform": "x", "notes": "CPU only submission"}, ("cpu-only",)),
        ({"accelerator": "NVIDIA B200-SXM-180GB", "platform": "x", "notes": "B200 TGP 1000W"}, ()),
        ({"accelerator": "NVIDIA B200-SXM-180GB", "platform": "x", "notes": "B200 TGP 700W"}, ("power-700w",)),
        (
            {"name": "Dell PowerEdge XE9680 (8x H200-SXM-141GB,VMware ESXi 9.0.0)", "accelerator": "NVIDIA H200-SXM-141GB"},
            ("virtualised",),
        ),
    ],
)
def test_what_makes_it_another_system_is_a_tag(overrides: dict[str, str], tags: tuple[str, ...]) -> None:
    found = system(**overrides)
    assert found.system.tags == tags
    assert found.unknown == ()


def test_a_partition_of_an_accelerator_is_a_tag() -> None:
    found = system(accelerator="NVIDIA A100-SXM-80GB (1x1g.10gb MIG)", platform="x", accelerators_per_node=1)
    assert (groups(found), found.system.tags) == ([("A100-SXM-80GB", 1)], ("mig-1x1g.10gb",))


def test_the_sentences_of_the_notes_are_not_carried() -> None:
    note = "B200 TGP 700W, and a sentence nobody needs"
    assert note not in repr(system(accelerator="NVIDIA B200-SXM-180GB", platform="x", notes=note))


# ---------------------------------------------------------------- the same hardware


def test_hardware_is_the_same_whatever_the_host() -> None:
    a, b = result(processor="AMD EPYC 9575F").system, result(processor="AMD EPYC 9655", system="PowerEdge XE9785").system
    assert a.hardware_key == b.hardware_key


@pytest.mark.parametrize("other", [{"count": 16}, {"accelerator": "MI350X"}, {"tags": ["power-cap-1000w"]}])
def test_another_count_kind_or_tag_is_other_hardware(other: dict[str, Any]) -> None:
    assert result().system.hardware_key != result(**other).system.hardware_key


def test_another_count_is_the_same_kind_of_hardware() -> None:
    assert result().system.kind_key == result(count=16).system.kind_key
    assert result().system.kind_key != result(tags=["maxq"]).system.kind_key


def test_a_cpu_only_system_is_known_by_its_processors() -> None:
    cpu = {"accelerator": None, "processor": "Intel(R) Xeon(R) 6980P"}
    a = result(**cpu).system
    assert a.hardware_key == result(**{**cpu, "system": "another"}).system.hardware_key
    assert a.hardware_key != result(**{**cpu, "sockets": 4}).system.hardware_key
    assert a.hardware_key != result(**{**cpu, "processor": "Intel(R) Xeon(R) 6787P"}).system.hardware_key


def test_what_a_person_calls_it() -> None:
    assert result().system.hardware == "8x MI355X"
    assert result(tags=["power-cap-1000w"]).system.hardware == "8x MI355X (power-cap-1000w)"
    assert result(groups=[("MI300X", 16), ("MI355X", 16)]).system.hardware == "16x MI300X + 16x MI355X"


def test_a_system_of_several_kinds_is_known_only_with_all_its_counts() -> None:
    assert result(groups=[("MI300X", 16), ("MI355X", None)]).system.count is None
    assert result(groups=[("MI300X", 16), ("MI355X", 8)]).system.count == 24


# ---------------------------------------------------------------- any strings

PIECES = st.lists(
    st.sampled_from(
        ["AMD Instinct MI355X", "NVIDIA H200-SXM-141GB", " and ", " + ", ", ", "(x8)", "(x2x8)", "2 Nodes: ", "x8", "8x", " CTS",
         "Virtualized ", "(Power Cap 1000 W)", "(1x1g.10gb MIG)", "NVL72", "N/A", "²", "٨"]
    ),
    max_size=6,
).map("".join)  # fmt: skip
ANY = PIECES | st.text(max_size=40)


@given(
    name=ANY, platform=ANY, accelerator=ANY, cpu=ANY, notes=ANY, nodes=st.integers(1, 100), each=st.none() | st.integers(1, 16)
)
def test_any_strings_are_read(
    name: str, platform: str, accelerator: str, cpu: str, notes: str, nodes: int, each: int | None
) -> None:
    found = system(
        name=name, platform=platform, accelerator=accelerator, processor=cpu, notes=notes, nodes=nodes, accelerators_per_node=each
    ).system
    assert found.count is None or found.count >= 0
    assert list(found.tags) == sorted(set(found.tags))
    assert all(isinstance(g, AcceleratorGroup) and g.name == g.name.strip() for g in found.accelerators)
    assert found.hardware


@given(ANY)
def test_a_product_is_letters_and_digits(name: str) -> None:
    assert all(c.isascii() and c.isalnum() for c in product(name))


@given(ANY)
def test_a_processor_has_a_name_if_its_string_has_one(name: str) -> None:
    assert bool(processor(name)) == bool(name.strip())
