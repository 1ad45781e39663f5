"""The audit: from results to findings."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from groundspeed.audit.ages import AgeGroup, by_age, first_appearances
from groundspeed.audit.caveats import DEFAULT_ALLOWED
from groundspeed.audit.chains import Chain, chains
from groundspeed.audit.copies import without_copies
from groundspeed.audit.findings import Finding, finding
from groundspeed.audit.noise import Noise
from groundspeed.audit.pairs import find_pairs
from groundspeed.audit.selection import Filters, check, matches
from groundspeed.errors import SelectionError
from groundspeed.record import names
from groundspeed.record.calendar import round_key, rounds_between
from groundspeed.record.model import Result


class Audit(NamedTuple):
    """What an audit found.

    Attributes:
        rounds: The pairs of rounds compared, older first.
        findings: The pairs, the accelerators with most software-only pairs first.
        left_out: Relaxations a pair would have needed that were not allowed -> how many pairs.
        copies: Results set aside as copies under a looser accuracy target.
        results: Results looked at, copies included.
        allowed: The relaxations that were allowed.
    """

    rounds: list[tuple[str, str]]
    findings: list[Finding]
    left_out: Counter[tuple[str, ...]]
    copies: int
    results: int
    allowed: frozenset[str]

    @property
    def chains(self) -> list[Chain]:
        """Series of two steps or more over the rounds."""
        return chains(self.findings)


def pairs_of_rounds(held: Sequence[str], wanted: str | Sequence[str] | None) -> list[tuple[str, str]]:
    """Which rounds to compare.

    Args:
        held: The record's rounds, in order.
        wanted: None for the newest pair, "all" for every consecutive pair, or two rounds, as a list or as "v6.0,v6.1".

    Raises:
        SelectionError: If a round is not held, or fewer than two are.
    """
    if len(held) < 2:
        raise SelectionError(f"a comparison needs two rounds; the record holds {', '.join(held) or 'none'}")
    if wanted is None:
        return [(held[-2], held[-1])]
    if isinstance(wanted, str):
        if wanted.casefold() == "all":
            return list(itertools.pairwise(held))
        wanted = [text for text in re.split(r",|\s+|\.\.", wanted) if text]
    chosen = [w if w.startswith("v") else f"v{w}" for w in (text.strip().casefold() for text in wanted)]
    if len(chosen) != 2:
        raise SelectionError(f'two different rounds are compared, such as "v6.0,v6.1"; found "{",".join(wanted)}"')
    for round_, text in zip(chosen, wanted, strict=True):
        if round_ not in held:
            near = names.nearest(round_, held)
            hint = f"Did you mean {' or '.join(near)}? " if near else ""
            raise SelectionError(f'round "{text}" is not in the record. {hint}It holds {", ".join(held)}.')
    if chosen[0] == chosen[1]:
        raise SelectionError(f'two different rounds are compared, such as "v6.0,v6.1"; found "{",".join(chosen)}"')
    older, newer = sorted(chosen, key=round_key)
    return [(older, newer)]


def _display_order(findings: Iterable[Finding]) -> list[Finding]:
    """The accelerators with most software-only pairs first, the vendor's own submission first within each."""
    findings = list(findings)
    software_only = Counter(f.accelerator or f.hardware for f in findings if f.software_only)

    def key(f: Finding) -> tuple[object, ...]:
        hardware = f.accelerator or f.hardware
        own = f.submitter == names.vendor(f.accelerator)
        count = f.newer.accelerators or 0
        return (
            f.accelerator is None, -software_only[hardware], hardware, not own, f.submitter.casefold(), count, f.hardware, f.model,
            f.scenario, f.division, round_key(f.newer.round),
        )  # fmt: skip

    return sorted(findings, key=key)


def run_audit(
    results: Iterable[Result],
    rounds: str | Sequence[str] | None = None,
    filters: Filters = Filters(),  # noqa: B008  # an immutable tuple
    allowed: Collection[str] = DEFAULT_ALLOWED,
    held: Sequence[str] | None = None,
) -> Audit:
    """Find the comparable pairs of a record and say how much faster the same hardware got.

    Args:
        results: Results of at least the rounds compared. Noise is measured on all of them, so do not filter before.
        rounds: None for the newest pair, "all" for every consecutive pair, or two rounds.
        filters: Which of the newer results to look at.
        allowed: Relaxations that are allowed, by code.
        held: The record's rounds where `results` are not all of them; None: those of the results.

    Raises:
        SelectionError: If a round or a filter matches nothing; it says what would have.
    """
    everything = list(results)
    if held is None:
        held = sorted({r.provenance.round for r in everything}, key=round_key)
    compared = pairs_of_rounds(held, rounds)
    kept, copies = without_copies(everything)
    noise = Noise(kept)
    _check(filters, kept, compared)

    findings: list[Finding] = []
    left_out: Counter[tuple[str, ...]] = Counter()
    by_round: dict[str, list[Result]] = {}
    for r in kept:
        by_round.setdefault(r.provenance.round, []).append(r)
    for older, newer in compared:
        missing = [name for name in rounds_between(older, newer) if name not in held]
        chosen = [r for r in by_round[newer] if matches(r, filters)]
        pairs = find_pairs(by_round[older], chosen, allowed, missing)
        findings += [finding(pair, noise) for pair in pairs.found]
        left_out += pairs.left_out
    if not findings and any(filters):
        raise SelectionError(_no_pair(compared, left_out))
    return Audit(
        rounds=compared,
        findings=_display_order(findings),
        left_out=left_out,
        copies=len(copies),
        results=len(everything),
        allowed=frozenset(allowed),
    )


def _check(filters: Filters, kept: list[Result], compared: list[tuple[str, str]]) -> None:
    """Make sure that the filters choose newer results; where they choose only older ones, say how those are compared."""
    newer = sorted({newer for _, newer in compared}, key=round_key)
    try:
        check(filters, [r for r in kept if r.provenance.round in newer], f"result in {', '.join(newer)}")
    except SelectionError as error:
        older = {r.provenance.round for r in kept if r.provenance.round not in newer and matches(r, filters)}
        if not older:
            raise
        held = ", ".join(sorted(older, key=round_key))
        raise SelectionError(
            f"{error} {held} has it: filters choose the newer results, and --allow count-differs compares those per accelerator with "
            "another count"
        ) from None


def _no_pair(compared: list[tuple[str, str]], left_out: Counter[tuple[str, ...]]) -> str:
    """Why results match but nothing can be compared."""
    rounds = " or ".join(f"{older} → {newer}" for older, newer in compared)
    if not left_out:
        return f"results match, but none has an older result of the same workload on the same kind of hardware in {rounds}"
    needs = "; ".join(f"{n} need {' + '.join(codes)}" for codes, n in left_out.most_common(4))
    return f"results match, but none can be compared in {rounds} under the relaxations allowed: {needs} (see --allow)"


class Ages(NamedTuple):
    """Gains by age, and the audit of all consecutive rounds they come from."""

    audit: Audit
    groups: list[AgeGroup]


def run_ages(
    results: Iterable[Result],
    filters: Filters = Filters(),  # noqa: B008  # an immutable tuple
    allowed: Collection[str] = DEFAULT_ALLOWED,
) -> Ages:
    """Group the gains of all consecutive rounds by the age of the workload on its accelerator.

    Only the suite's own models count, and only the closed division unless the filters name another.

    Args:
        results: All results of the record.
        filters: Which of the newer results to look at.
        allowed: Relaxations that are allowed, by code.

    Raises:
        SelectionError: If a filter matches nothing.
    """
    everything = list(results)
    if not filters.division:
        filters = filters._replace(division=("closed",))
    audit = run_audit(everything, "all", filters, allowed)
    benchmarks = set(names.benchmark_names())
    audit = audit._replace(findings=[f for f in audit.findings if f.model in benchmarks])
    held = sorted({r.provenance.round for r in everything}, key=round_key)
    return Ages(audit, by_age(audit.findings, first_appearances(everything), held))
