"""Findings: a pair with everything the audit says of it, in the shape that is printed as JSON."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from groundspeed.audit import noise as noise_
from groundspeed.audit import steps, velocity
from groundspeed.audit.caveats import NOT_SOFTWARE_ONLY
from groundspeed.audit.noise import Noise, PairNoise, SideNoise, Verdict
from groundspeed.audit.pairs import Pair
from groundspeed.audit.steps import StepClass
from groundspeed.record.model import Result

# A change within the noise that is larger than this deserves a word about who already had the newer value.
_WORTH_A_WORD = math.log(1.05)


class Side(msgspec.Struct, frozen=True):
    """One result of a pair.

    `accelerators` is what took part, None for a CPU-only system or an unknown count; `project_version` is what the stack declares
    of the project whose releases are counted, "" if nothing.
    """

    round: str
    value: float
    unit: str
    statistic: str
    harness: str
    accelerators: int | None
    published_accelerators: int | None
    hardware: str
    system: str
    platform: str
    division: str
    availability: str
    stack: str
    project_version: str
    precision: str
    accuracy: dict[str, float]
    source: str
    path: str
    id: str


class FoundReleases(msgspec.Struct, frozen=True):
    """Releases between the two stacks: counts, days (None where dates are months), and the versions."""

    project: str
    older: str
    newer: str
    feature: int
    patch: int
    preview: int
    days: int | None
    feature_versions: list[str]
    patch_versions: list[str]
    preview_versions: list[str]


class NoiseGroup(msgspec.Struct, frozen=True):
    """Where one side's noise comes from: the workload's own group of submitters, or the accelerator's groups."""

    round: str
    basis: str
    sigma_percent: float
    submitters: int | None
    groups: int


class FoundNoise(msgspec.Struct, frozen=True):
    """Reproduction noise of the pair.

    Attributes:
        sigma_percent: Combined s, 100 times in units of ln(result).
        limit_percent: 1.96 s, in the same units: what |ln speed-up| must exceed to be a signal.
        band_percent: The same limit as changes, lowest and highest that are within noise. Close to ±limit where it is small.
        groups: Where the noise of the older and of the newer side come from.
    """

    sigma_percent: float
    limit_percent: float
    band_percent: tuple[float, float]
    groups: list[NoiseGroup]


class Finding(msgspec.Struct, frozen=True):
    """A pair and what the audit says of it.

    Attributes:
        submitter: Of the newer result; the older's is in `older_submitter` and differs only if that was allowed.
        accelerator: Canonical accelerator, None for a CPU-only system.
        hardware: The newer system as a person would call it.
        model: Model with its accuracy target, as MLPerf writes it.
        speedup: How many times faster the newer result is (above 1 is better for latencies as well).
        change_percent: (speedup - 1) * 100.
        per_accelerator: Whether the comparison is per accelerator. Derived, not an official MLPerf result.
        software_only: Whether it is a software-only pair without a relaxation of who, what or under which rules.
        project: Whose releases are counted, None where the method counts none.
        rate_basis: "stack-releases" or "round-publication": between which dates `rate_days` lie. None: no rate.
        step: What moved (method, section 3); None where the same value was submitted again.
        step_reason: The same in words.
        notes: What a reader should know besides the caveats.
        caveats: Codes of the method.
    """

    submitter: str
    older_submitter: str
    accelerator: str | None
    hardware: str
    division: str
    availability: str
    model: str
    scenario: str
    older: Side
    newer: Side
    speedup: float
    change_percent: float
    per_accelerator: bool
    software_only: bool
    project: str | None
    releases: FoundReleases | None
    per_release_percent: float | None
    per_42_days_percent: float | None
    annualised_percent: float | None
    rate_basis: str | None
    rate_days: int | None
    step: StepClass | None
    step_reason: str
    noise: FoundNoise | None
    verdict: Verdict
    caveats: list[str]
    notes: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Plain dictionaries, lists and numbers."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain


def percent(fraction: float | None) -> float | None:
    """A fraction as a percentage, to a millionth of a percent."""
    return None if fraction is None else round(fraction * 100, 6)


def _side(r: Result, component: str) -> Side:
    return Side(
        round=r.provenance.round,
        value=r.value,
        unit=r.metric.unit,
        statistic=r.metric.statistic,
        harness=r.metric.harness,
        accelerators=r.system.count,
        published_accelerators=r.system.published_count,
        hardware=r.system.hardware,
        system=r.system.name,
        platform=r.system.platform,
        division=r.provenance.division,
        availability=r.provenance.availability,
        stack=r.stack.raw,
        project_version=" and ".join(r.stack.versions(component)),
        precision=r.quality.precision.raw,
        accuracy={a.metric: a.value for a in r.quality.accuracy},
        source=r.provenance.source,
        path=r.provenance.path,
        id=r.id,
    )


def _releases(found: velocity.Releases | None) -> FoundReleases | None:
    if found is None:
        return None
    feature, patch, preview = ([r.text for r in kind] for kind in (found.feature, found.patch, found.preview))
    return FoundReleases(
        project=found.project,
        older=found.older.text,
        newer=found.newer.text,
        feature=len(feature),
        patch=len(patch),
        preview=len(preview),
        days=found.days,
        feature_versions=feature,
        patch_versions=patch,
        preview_versions=preview,
    )


def _noise_group(side: SideNoise) -> NoiseGroup:
    return NoiseGroup(side.round, side.basis, round(side.sigma * 100, 6), side.submitters, side.groups)


def _noise(found: PairNoise | None) -> FoundNoise | None:
    if found is None:
        return None
    groups = [_noise_group(found.older), _noise_group(found.newer)]
    band = (round(math.expm1(-found.limit) * 100, 6), round(math.expm1(found.limit) * 100, 6))
    return FoundNoise(round(found.sigma * 100, 6), round(found.limit * 100, 6), band, groups)


def _who_had_it(pair: Pair, noise: Noise) -> list[str]:
    """For a large change within the noise: which other submitters already had the newer value in the older round."""
    group = noise.group(pair.older)
    if group is None or pair.ln_speedup < _WORTH_A_WORD or pair.per_accelerator:
        return []
    others = [value for name, value in group.values.items() if name != pair.older.provenance.submitter]
    higher = pair.newer.metric.direction == "higher"
    had = [v for v in others if (v >= 0.95 * pair.newer.value if higher else v <= pair.newer.value / 0.95)]
    if not had:
        return []
    hardware, unit = pair.older.system.hardware, pair.older.metric.unit
    values = f"{min(had):,.6g} to {max(had):,.6g}" if len(had) > 1 else f"{had[0]:,.6g}"
    return [
        f"{len(had)} of {len(others)} other submitters of {hardware} already had {values} {unit} in {pair.older.provenance.round}"
    ]


def finding(pair: Pair, noise: Noise) -> Finding:
    """Everything the audit says of a pair."""
    older, newer = pair.older, pair.newer
    of_pair = noise.of(pair) if "definition-changed" not in pair.caveats else None
    verdict = noise_.verdict(pair, of_pair)
    rates, step = velocity.velocity(pair), steps.classify(pair)
    project, component = velocity.project_of(newer.system) or (None, "")
    notes = list(rates.notes)
    if verdict == "within-noise":
        notes += _who_had_it(pair, noise)
    for side in (older, newer):
        notes += [f"{side.provenance.round}: {n.detail}" for n in side.notes if n.code.startswith("count")]
    return Finding(
        submitter=newer.provenance.submitter,
        older_submitter=older.provenance.submitter,
        accelerator=newer.system.accelerator,
        hardware=newer.system.hardware,
        division=newer.provenance.division,
        availability=newer.provenance.availability,
        model=newer.workload.name,
        scenario=newer.workload.scenario,
        older=_side(older, component),
        newer=_side(newer, component),
        speedup=pair.speedup,
        change_percent=round((pair.speedup - 1) * 100, 6),
        per_accelerator=pair.per_accelerator,
        software_only=not NOT_SOFTWARE_ONLY & set(pair.caveats),
        project=project,
        releases=_releases(rates.releases),
        per_release_percent=percent(rates.per_release),
        per_42_days_percent=percent(rates.per_cadence),
        annualised_percent=percent(rates.per_year),
        rate_basis=rates.basis,
        rate_days=rates.days,
        step=step.kind,
        step_reason=step.reason,
        noise=_noise(of_pair),
        verdict=verdict,
        caveats=list(pair.caveats),
        notes=notes,
    )
