"""Software stacks: components and versions read from what a submission declares, and how two stacks differ.

The raw strings are free text ("vLLM 0.22.0, PyTorch 2.10.0+git8514f05, ROCm 7.2.2"). The component table says which names to
look for; the word that follows a name is its version if it begins with a digit, or a branch or tag if it looks like one. Words
that belong to no known component stay in the raw string only.
"""

from __future__ import annotations

import re
from enum import Enum
from functools import cache

from groundspeed.record.model import Component, Stack
from groundspeed.record.names import table

_VERSION = r"[vV]?(?P<version>\d[\w.+~\-]*)"
_BRANCH = r"(?P<branch>(?:[A-Za-z][\w.\-]*[:/@][\w./\-]+)|(?:mlperf-[\w.\-]+)|(?:v?(?:main|master|default)\b)|(?:rubin\b))"


@cache
def _kinds() -> dict[str, str]:
    return {name: entry["kind"] for name, entry in table("components").items()}


@cache
def _spellings() -> dict[str, str]:
    return {s.casefold(): name for name, entry in table("components").items() for s in entry["published"]}


@cache
def _scanner() -> re.Pattern[str]:
    names = "|".join(re.escape(s) for s in sorted(_spellings(), key=len, reverse=True))
    # A name must stand alone: "pytorch" inside "intel-pytorch-x" or "vllm" inside "vllm/vllm-openai" is not a component.
    return re.compile(
        rf"(?<![\w./:@\-])(?P<name>{names})(?![\w/])(?:[\s:=\-]*(?:{_VERSION}|{_BRANCH}))?(?=$|[\s,;:()+/.\-])",
        re.IGNORECASE,
    )


@cache
def parse(raw: str) -> Stack:
    """Read a declared stack.

    Returns:
        The stack; without components where the text is blank, "TODO", or names none that the component table knows.
    """
    found: list[Component] = []
    for match in _scanner().finditer(raw):
        name = _spellings()[match["name"].casefold()]
        component = Component(name, (match["version"] or "").rstrip(".-"), match["branch"] or "")
        if component not in found:
            found.append(component)
    # A bare mention of a component that is also given with a version says nothing more.
    named = {c.name for c in found if c.version or c.branch}
    return Stack(raw.strip(), tuple(c for c in found if c.version or c.branch or c.name not in named))


def unread(raw: str) -> bool:
    """Whether a stack that says something names no component the table knows."""
    return bool(raw.strip(" -")) and raw.strip().casefold() not in {"todo", "n/a", "none"} and not parse(raw).components


def frameworks(stack: Stack) -> frozenset[str]:
    """The serving frameworks a stack declares; where it declares none, its inference engines."""
    kinds = _kinds()
    serving = frozenset(c.name for c in stack.components if kinds[c.name] == "serving")
    return serving or frozenset(c.name for c in stack.components if kinds[c.name] == "engine")


def of_kind(kind: str) -> list[str]:
    """The canonical names of the components of a kind ("serving", "engine" ...), in order."""
    return sorted(name for name, named in _kinds().items() if named == kind)


_LEADING = re.compile(r"\d+(?:\.\d+)*")
_PRE = re.compile(r"(?:\.?(dev|rc|a|b|post))(\d*)", re.IGNORECASE)
_COMMIT = re.compile(r"(?:git|\bg|\.g|\+g)([0-9a-f]{7,})")


def release(version: str) -> tuple[int, ...]:
    """The leading numeric components: "6.4.1.60401-83~22.04" is (6, 4, 1, 60401)."""
    match = _LEADING.match(version)
    return tuple(int(part[:18]) for part in match[0].split(".")) if match else ()


def same_version(a: str, b: str) -> bool:
    """Whether two declared versions of a component may be the same one.

    Compared as far as both say: "10.14" and "10.14.1.48" are no known difference. Pre-release markers (rc1, dev108) and, where
    both give one, the commit in the local part count.
    """
    ra, rb = release(a), release(b)
    shared = min(len(ra), len(rb))
    if ra[:shared] != rb[:shared]:
        return False
    rest_a, rest_b = (v.partition("+") for v in (a, b))
    if _PRE.findall(rest_a[0]) != _PRE.findall(rest_b[0]):
        return False
    commit_a, commit_b = _COMMIT.search(a), _COMMIT.search(b)
    return not (commit_a and commit_b and commit_a[1] != commit_b[1])


class Change(Enum):
    """How two declared stacks differ."""

    VERSIONS = "versions"  # a component that both give with a version has another one, or the framework is another
    BRANCHES = "branches"  # versions are equal; a branch or tag name differs
    NONE = "none"  # every versioned component that both declare is equal
    UNKNOWN = "unknown"  # one of them declares nothing that could be compared


def changed_components(older: Stack, newer: Stack) -> list[str]:
    """Names of the components that both stacks give with a version, and whose versions differ."""
    changed = []
    for name in dict.fromkeys(c.name for c in older.components if c.version):
        before, after = older.versions(name), newer.versions(name)
        if after and not any(same_version(x, y) for x in before for y in after):
            changed.append(name)
    return changed


def compare(older: Stack, newer: Stack) -> Change:
    """How `newer` differs from `older`, as far as both declare it."""
    if not older.declared or not newer.declared:
        return Change.UNKNOWN
    if changed_components(older, newer) or frameworks(older) != frameworks(newer):
        return Change.VERSIONS
    branches = [{c.name: c.branch for c in stack.components if c.branch} for stack in (older, newer)]
    if not any(newer.versions(c.name) for c in older.components if c.version) and not branches[0].keys() & branches[1].keys():
        return Change.UNKNOWN
    return Change.BRANCHES if branches[0] != branches[1] else Change.NONE
