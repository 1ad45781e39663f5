"""Copies: the same run listed under two accuracy targets counts once.

A result that meets the 99.9 % target is usually submitted for the 99 % target as well, by copying the folder. The copy under the
looser target is set aside.
"""

from __future__ import annotations

from collections.abc import Iterable

from groundspeed.record.model import Result


def _target(result: Result) -> float:
    return float(result.workload.accuracy_target or 0)


def without_copies(results: Iterable[Result]) -> tuple[list[Result], dict[str, str]]:
    """Results with identical copies under a looser accuracy target set aside.

    Returns:
        The results kept, in their order, and the ids of the copies with the id of the result each one copies.
    """
    results = list(results)
    groups: dict[tuple[object, ...], list[Result]] = {}
    for r in results:
        if r.workload.accuracy_target:
            p, w = r.provenance, r.workload
            key = (p.round, p.submitter, p.division, r.system.platform, w.model, w.scenario, r.value)
            groups.setdefault(key, []).append(r)
    copies: dict[str, str] = {}
    for group in groups.values():
        strictest = max(group, key=_target)
        for r in group:
            if _target(r) < _target(strictest):
                copies[r.id] = strictest.id
    return [r for r in results if r.id not in copies], copies
