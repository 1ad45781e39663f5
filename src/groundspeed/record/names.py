"""Canonical names: what the published strings for accelerators, models, submitters and scenarios mean.

The tables are TOML files in `groundspeed/record/data`, one a kind, and say themselves how to extend them. A string that no
table knows is returned as it stands with `known` False: the caller keeps the row and says so.
"""

from __future__ import annotations

import difflib
import fnmatch
import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

_SPACES = re.compile(r"\s+")


class Name(NamedTuple):
    """A canonical name and whether an alias table knows the published string."""

    name: str
    known: bool


class Accelerator(NamedTuple):
    """An entry of the accelerator table. `power_watts` is the board power it is sold with, None if not recorded."""

    name: str
    vendor: str
    family: str
    power_watts: int | None


class Model(NamedTuple):
    """A published model name taken apart: canonical model, accuracy target, and whether the suite defines it."""

    name: str
    target: str
    is_benchmark: bool
    known: bool


def fold(text: str) -> str:
    """The form in which published strings are compared: no case, single blanks."""
    return _SPACES.sub(" ", text).strip().casefold()


def loose(text: str) -> str:
    """The form in which a person's spelling is compared: letters, digits and dots only."""
    return re.sub(r"[^a-z0-9.]", "", text.casefold())


@cache
def table(name: str) -> dict[str, Any]:
    """One of the package's data tables, by its file name without the ending."""
    return tomllib.loads(files("groundspeed.record.data").joinpath(f"{name}.toml").read_text("utf-8"))


@cache
def accelerators() -> dict[str, Accelerator]:
    """Canonical name -> accelerator."""
    return {
        name: Accelerator(name, entry["vendor"], entry.get("family", name), entry.get("power_watts"))
        for name, entry in table("accelerators").items()
    }


@cache
def _accelerator_aliases() -> dict[str, tuple[str, bool]]:
    aliases: dict[str, tuple[str, bool]] = {}
    for name, entry in table("accelerators").items():
        for spelling in (name, *entry["published"]):
            aliases[fold(spelling)] = (name, False)
        for spelling in entry.get("vgpu", ()):
            aliases[fold(spelling)] = (name, True)
    return aliases


def accelerator(published: str) -> tuple[Name, bool]:
    """The accelerator a published string names, and whether it is a virtual slice of it."""
    found = _accelerator_aliases().get(fold(published))
    if found is None:
        return Name(_SPACES.sub(" ", published).strip(), False), False
    return Name(found[0], True), found[1]


def vendor(accelerator_name: str | None) -> str | None:
    """Who makes an accelerator, None where the table does not know."""
    entry = accelerators().get(accelerator_name or "")
    return entry.vendor if entry else None


@cache
def _benchmark_aliases() -> dict[str, tuple[str, str]]:
    aliases: dict[str, tuple[str, str]] = {}
    for name, entry in table("models")["benchmark"].items():
        for spelling in (name, *entry.get("published", ())):
            aliases[fold(spelling)] = (name, "")
            for target in entry.get("targets", ()):
                aliases[fold(f"{spelling}-{target}")] = (name, target)
        for category in entry.get("category", ()):
            aliases[fold(category)] = (name, "")
    return aliases


@cache
def _variant_patterns() -> tuple[str, ...]:
    return tuple(fold(p) for entry in table("models")["variant"].values() for p in entry["patterns"])


@cache
def model(published: str) -> Model:
    """The model a published string names."""
    found = _benchmark_aliases().get(fold(published))
    if found is not None:
        return Model(found[0], found[1], True, True)
    name = _SPACES.sub(" ", published).strip()
    known = any(fnmatch.fnmatchcase(fold(name), pattern) for pattern in _variant_patterns())
    return Model(name, "", False, known)


def benchmark_names() -> list[str]:
    """The suite's models, with their accuracy targets."""
    names: list[str] = []
    for name, entry in table("models")["benchmark"].items():
        names += [f"{name}-{target}" for target in entry["targets"]] if "targets" in entry else [name]
    return names


def dataset(benchmark: str) -> str:
    """Dataset of a benchmark's performance run, "" if the table does not say."""
    entry: dict[str, Any] = table("models")["benchmark"].get(benchmark, {})
    return str(entry.get("dataset", ""))


@cache
def _submitter_aliases() -> dict[str, str]:
    entries: dict[str, list[str]] = table("submitters")["submitters"]
    return {fold(s): name for name, spellings in entries.items() for s in (name, *spellings)}


@cache
def submitter(published: str) -> Name:
    """The submitter a published string names."""
    found = _submitter_aliases().get(fold(published))
    return Name(found, True) if found is not None else Name(_SPACES.sub(" ", published).strip(), False)


@cache
def _scenario_aliases() -> dict[str, str]:
    entries: dict[str, list[str]] = table("scenarios")["scenarios"]
    return {loose(s): name for name, spellings in entries.items() for s in (name, *spellings)}


@cache
def scenario(published: str) -> Name:
    """The scenario a published string names, whatever its case."""
    found = _scenario_aliases().get(loose(published))
    return Name(found, True) if found is not None else Name(published.strip(), False)


def nearest(written: str, candidates: Iterable[str], count: int = 4) -> list[str]:
    """The candidates that a person most likely meant by `written`, best first; empty if none is near."""
    by_loose = {loose(candidate): candidate for candidate in candidates}
    wanted = loose(written)
    if not wanted:
        return []
    inside = [name for key, name in by_loose.items() if wanted in key or (len(key) > 2 and key in wanted)]
    close = [by_loose[key] for key in difflib.get_close_matches(wanted, by_loose, n=count, cutoff=0.5)]
    return list(dict.fromkeys([*sorted(inside, key=len), *close]))[:count]
