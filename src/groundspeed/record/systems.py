"""Systems: what hardware took part, read from the strings of a published row.

Published totals are nodes times accelerators a node and know nothing of heterogeneous or partly used systems, so counts are
taken, in this order, from the accelerator string ("... (x87)"), from the system's name where several kinds are listed, and from
nodes times accelerators a node. Whatever disagrees with the count taken is a data note, never resolved in silence.
"""

from __future__ import annotations

import math
import re
from functools import cache
from typing import NamedTuple

from groundspeed.record import names
from groundspeed.record.model import AcceleratorGroup, DataNote, System

_NONE = {"", "n/a", "-", "none"}
_SPACES = re.compile(r"\s+")
_SPLIT = re.compile(r"\s+and\s+|\s+\+\s+|,\s+(?=\S*[A-Za-z]|\d+\s*Nodes?:)")
_COUNT = re.compile(r"\(\s*((?:x\s*[0-9]{1,6})+)\s*\)", re.IGNORECASE)
_NODES_OF = re.compile(r"(?P<nodes>[0-9]{1,6})\s*Nodes?:\s*(?P<name>.+?)x(?P<each>[0-9]{1,6})$", re.IGNORECASE)
_CAP = re.compile(r"\(\s*power\s*cap\s*(\d+)\s*W\s*\)", re.IGNORECASE)
_MIG = re.compile(r"\(\s*(\d+x\d+g\.\d+gb)\s+MIG\s*\)", re.IGNORECASE)
_CTS = re.compile(r"[\s\-]CTS$", re.IGNORECASE)
_VIRTUALIZED = re.compile(r"^virtuali[sz]ed\s+", re.IGNORECASE)

_MAXQ = re.compile(r"max-?q(?![a-z])", re.IGNORECASE)
_NVLINK_DOMAIN = re.compile(r"NVL-?(\d+)(?![A-Za-z0-9])", re.IGNORECASE)
_VIRTUAL = re.compile(r"\bVM Specifications|\bVM Configuration|KVM virtual machine|\bVMware ESXi|ESXi_\d+VCPU", re.IGNORECASE)
_CPU_ONLY_NOTE = re.compile(r"CPU only", re.IGNORECASE)
_INTEGRATED_GPU = re.compile(r"\[GPU\]")
_SPARSE = re.compile(r"_SPARSE\b", re.IGNORECASE)
# "TGP 1000W", "TGP 450 W", "TDP: 500W", "GPU Power Limit: 280W", "limitted to 275W", "1400W TGP", "With 75W Accelerator TDP",
# "GPU 450W / 600W", "500W A100", "1200 W GPU power limit"
_WATTS = re.compile(
    r"(?:TGP|TDP:?|Power Limit:?|limit\w* to)\s*(?P<a>\d{2,4})\s*W|(?P<b>\d{2,4})\s*W[\s_]+(?:TGP|TDP|Accelerator TDP|A100|GPU power limit)"
    r"|GPU\s+(?P<c>\d{2,4})\s*W\s*/",
    re.IGNORECASE,
)


class PublishedSystem(NamedTuple):
    """The strings and numbers of a published row that describe its hardware. None: the table has no such number."""

    name: str
    platform: str
    accelerator: str
    nodes: int
    accelerators_per_node: int | None
    total: int | None
    processor: str
    sockets: int | None
    suite: str
    notes: str


class ReadSystem(NamedTuple):
    """A system, what was noticed while reading it, and the accelerator strings no table knows."""

    system: System
    notes: tuple[DataNote, ...]
    unknown: tuple[str, ...]


_SEVERAL_CPUS = re.compile(r"(?:,|\band\b)\s+(?=AMD|Intel|NVIDIA)", re.IGNORECASE)
_CPU_NOISE = (
    re.compile(r"\((?:R|TM)\)|[®™]|@.*$", re.IGNORECASE),
    re.compile(
        r"\([^()]*\)|\[[^\[\]]*\]|(?<![\w-])\d{1,2}\s*x\s*(?=[A-Za-z])|\b\d+[- ]core\b|\b\d+(?:\.\d+)?\s*GHz\b", re.IGNORECASE
    ),
    re.compile(r"\b(?:AMD|Intel|NVIDIA|Qualcomm|CPU|Processors?|Genuine|\d+th Gen)\b", re.IGNORECASE),
)
_CPU_WORDS = ("EPYC", "Xeon", "Platinum", "Gold", "Silver", "Core", "Ryzen", "Grace")


@cache
def processor(published: str) -> str:
    """A host CPU's model without vendor, trademark, core count or role: "AMD EPYC 9575F 64-Core Processor" -> "EPYC 9575F".

    Several models are joined by " + "; a model that has only a code name keeps it: "Xeon SapphireRapids".
    """
    found = dict.fromkeys(_one_processor(part) for part in _SEVERAL_CPUS.split(published))
    return " + ".join(name for name in found if name) or published.strip()


def _one_processor(published: str) -> str:
    text = _CPU_NOISE[0].sub(" ", published)
    code_name = re.search(r"\(([A-Z][A-Za-z ]+)\)", text)
    for noise in _CPU_NOISE[1:]:
        text = noise.sub(" ", text)
    text = _SPACES.sub(" ", text.partition(",")[0]).strip(" -,")
    for word in _CPU_WORDS:
        text = re.sub(rf"\b{word}\b", word, text, flags=re.IGNORECASE)
    return f"{text} {code_name[1].replace(' ', '')}" if text in _CPU_WORDS and text != "Grace" and code_name else text


_VENDOR_WORDS = re.compile(
    r"\b(?:NVIDIA|AMD|Intel|Dell|PowerEdge|HPE|ProLiant|Compute|Cisco|UCS|Lenovo|ThinkSystem|ThinkEdge|Supermicro|SMC|ASUSTeK|ASUS|GIGABYTE"
    r"|Gigabyte|QuantaGrid|Quanta|Azure|Oracle|Nebius|CoreWeave|Lambda|Crusoe|Cloud|MangoBoost|Inventec|by|Developer|Kit)\b",
    re.IGNORECASE,
)
_DESCRIBES = re.compile(
    r"\d+\s*x|x\s*\d|TensorRT|vLLM|\dGB\b|SXM|PCIe|aarch64|MaxQ|NVL|LLMBoost|Dynamo|SGLang|TRT|VMware|QAIC|llm", re.IGNORECASE
)
_HOST_NAME = re.compile(r"^[a-z0-9]+(?:-[a-z0-9]+){2,}$")
_LABEL = re.compile(
    r"^(?:\d+x)*\d*x?(?:MI|H|B|A|L|GB|XMI)\d|^\d+-node|xMI\d+|_\dx?(?:EPYC|Xeon)|Cluster|Heterogeneous|GNR_|custom|^LLM-D\b|(?-i:\bn\d\b)|1xGPU",
    re.IGNORECASE,
)


_ACCELERATOR_ONLY = re.compile(r"(?:gb|vr|b|h|gh|a|l|mi)\d{1,3}[sx]?(?:nvl\d*)?")


@cache
def product(system_name: str) -> str:
    """The server product a system's name gives, normalised for comparison ("as4126gsnmrlcc").

    Host names, and labels made of the accelerators' count and the processors, are not products: "" for those.
    """
    name = re.sub(r"\((?:R|TM)\)", "", system_name, flags=re.IGNORECASE).strip()
    outer = _SPACES.sub(" ", re.sub(r"\([^()]*\)", " ", name)).strip(" ,-")
    inner = [part for part in re.findall(r"\(([^()]*)\)", name) if not _DESCRIBES.search(part)]
    if inner and (_HOST_NAME.match(outer) or not outer):
        outer = inner[0]
    elif _HOST_NAME.match(outer):
        return ""
    outer = re.sub(r"\b\d+\s*x\s*\w.*$|,.*$", " ", outer)
    bare = re.sub(r"[^a-z0-9]", "", _VENDOR_WORDS.sub(" ", outer).casefold())
    if not bare or not re.search(r"\d", bare) or _LABEL.search(outer) or _ACCELERATOR_ONLY.fullmatch(bare):
        return ""
    return bare


def same_product(a: System, b: System) -> bool | None:
    """Whether two systems are the same server product; None where one of them names only a label or a host.

    A product also counts as the same where the other system's submission label contains it.
    """
    if not a.product or not b.product:
        return None
    if a.product == b.product:
        return True
    labels = [re.sub(r"[^a-z0-9]", "", s.platform.casefold()) for s in (a, b)]
    return a.product in labels[1] or b.product in labels[0]


def _kinds(published: PublishedSystem) -> tuple[list[tuple[str, int | None]], list[str]]:
    """The accelerator strings of a row with their own counts, and the tags that stand in them."""
    tags: list[str] = []
    kinds: list[tuple[str, int | None]] = []
    for part in _SPLIT.split(published.accelerator.strip()):
        of_nodes = _NODES_OF.match(part)
        if of_nodes:
            kinds.append((of_nodes["name"].strip(), int(of_nodes["nodes"]) * int(of_nodes["each"])))
            continue
        count: int | None = None
        if match := _COUNT.search(part):
            count = math.prod(int(factor) for factor in re.findall(r"\d+", match[1]))
            part = part.replace(match[0], " ")
        if match := _CAP.search(part):
            tags.append(f"power-cap-{match[1]}w")
            part = part.replace(match[0], " ")
        if match := _MIG.search(part):
            tags.append(f"mig-{match[1].casefold()}")
            part = part.replace(match[0], " ")
        part = part.strip()
        if _CTS.search(part):
            tags.append("cts")
            part = _CTS.sub("", part)
        if _VIRTUALIZED.match(part):
            tags.append("virtualised")
            part = _VIRTUALIZED.sub("", part)
        kinds.append((part, count))
    return kinds, tags


def _groups(published: PublishedSystem, kinds: list[tuple[str, int | None]]) -> tuple[list[int | None], list[DataNote]]:
    """How many accelerators of each kind took part."""
    notes: list[DataNote] = []
    each = published.accelerators_per_node
    product_count = published.nodes * each if each else None
    counts = [count for _, count in kinds]
    if len(kinds) == 1:
        if counts[0] is None:
            counts[0] = product_count
            if product_count is None:
                notes.append(DataNote("count-unknown", f'"{published.accelerator}" is listed without a count'))
    elif any(count is None for count in counts) and each:
        named = [int(n) for n in re.findall(r"\bx\s?(\d+)", published.name)]
        if len(named) == len(kinds) and sum(named) == product_count:
            counts = list(named)
        elif published.nodes == len(kinds):
            counts = [each] * len(kinds)
            notes.append(DataNote("count-assumed", f"one node of {each} for each kind of accelerator assumed"))
    return counts, notes


def _watts_tags(published: PublishedSystem, kinds: list[str]) -> list[str]:
    """Tags for a board power in the notes that is not the one the accelerator is sold with."""
    sold = {entry.power_watts for name in kinds if (entry := names.accelerators().get(name))}
    if len(kinds) != 1 or not published.notes:
        return []
    stated = {int(m["a"] or m["b"] or m["c"]) for m in _WATTS.finditer(published.notes)}
    return [f"power-{watts}w" for watts in sorted(stated - sold)]


def _label_counts(published: PublishedSystem) -> set[int]:
    """Accelerator counts that the system's name and its label claim."""
    found: set[int] = set()
    for text in (published.name, published.platform):
        for match in re.finditer(
            r"(?<![\w.])((?:[0-9]{1,6}x)+)(?=\s?[A-Z\[])(?!EPYC|Xeon|Platinum)|(?:GB|SXM\d*|aarch64|NVL|[A-Z]\d+[SX]?)x([0-9]{1,6})(?=_|$|-)",
            text,
        ):
            found.add(math.prod(int(n) for n in re.findall(r"\d+", match[1] or match[2])))
    return found


@cache
def read(published: PublishedSystem) -> ReadSystem:
    """Read a row's hardware."""
    notes: list[DataNote] = []
    unknown: list[str] = []
    tags: list[str] = []
    groups: list[AcceleratorGroup] = []
    everything = f"{published.name} | {published.platform} | {published.notes}"

    cpu_only = published.accelerator.strip().casefold() in _NONE
    if not cpu_only:
        kinds, tags = _kinds(published)
        counts, notes = _groups(published, kinds)
        for (text, _), count in zip(kinds, counts, strict=True):
            name, virtual = names.accelerator(text)
            if virtual:
                tags.append("virtualised")
            if not name.known:
                unknown.append(text)
            groups.append(AcceleratorGroup(name.name, count))
        tags += _watts_tags(published, [g.name for g in groups])
        if _CPU_ONLY_NOTE.search(published.notes):
            tags.append("cpu-only")
        if match := _NVLINK_DOMAIN.search(re.sub(r"H[12]00[ _\-]NVL", "", everything)):
            tags.append(f"nvl{match[1]}")
    else:
        tags.append("integrated-gpu" if _INTEGRATED_GPU.search(published.processor) else "cpu-only")
    if _MAXQ.search(f"{published.name} {published.platform}") and "nvidia_orin_maxq" not in published.platform.casefold():
        tags.append("maxq")
    if _VIRTUAL.search(everything):
        tags.append("virtualised")
    if _SPARSE.search(published.platform):
        tags.append("sparse")

    system = System(
        name=published.name.strip(),
        platform=published.platform,
        product=product(published.name),
        accelerators=tuple(sorted(groups, key=lambda g: g.name)),
        published_count=published.total,
        nodes=published.nodes,
        processor=processor(published.processor),
        sockets=published.sockets,
        suite=published.suite,
        tags=tuple(sorted(set(tags))),
    )
    if system.count is not None:
        table = published.total
        if table is None and published.accelerators_per_node is not None:
            table = published.nodes * published.accelerators_per_node
        if table is not None and table != system.count:
            notes.append(DataNote("count-disagrees", f"the table counts {table} accelerators, {system.count} took part"))
        if len(system.accelerators) == 1:
            claimed = _label_counts(published) - {system.count}
            if claimed:
                text = ", ".join(str(n) for n in sorted(claimed))
                notes.append(DataNote("label-disagrees", f"name or label suggests {text}, {system.count} counted"))
    return ReadSystem(system, tuple(notes), tuple(unknown))
