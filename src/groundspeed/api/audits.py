"""Audits over rounds, and comparisons within one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from groundspeed.api._common import AnyRecord, open_record, several
from groundspeed.audit import (
    DEFAULT_ALLOWED,
    Ages,
    Audit,
    Filters,
    Frontier,
    Scalings,
    Spreads,
    pairs_of_rounds,
    run_ages,
    run_audit,
    run_frontier,
    run_scaling,
    run_spread,
)
from groundspeed.audit.within_round import chosen_round
from groundspeed.record import Result


def audit_record(
    record: AnyRecord = None,
    *,
    rounds: str | Sequence[str] | None = None,
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
    allowed: Collection[str] = DEFAULT_ALLOWED,
) -> Audit:
    """Audit a record: how much faster did the same hardware get from software alone, and at what rate?

    Args:
        record: A record, its file or several files; None for the embedded one.
        rounds: None for the newest pair, "all" for every consecutive pair, or two rounds.
        hardware: "MI355X", "8x MI355X", "H200", "cpu" ...; several: any of them. The other filters likewise.
        model: "llama2-70b", "llama2-70b-99.9" ...
        scenario: Offline, Server, Interactive, SingleStream or MultiStream.
        submitter: A submitter.
        division: closed, open or network.
        allowed: The relaxations that are allowed, instead of `groundspeed.DEFAULT_ALLOWED`: give `DEFAULT_ALLOWED | {"..."}` to add one,
            and an empty set for none.

    Returns:
        The audit; its `findings` are what `groundspeed audit --json` prints.

    Raises:
        SelectionError: If a filter or a round matches nothing.
        RecordError: If the record cannot be read.
    """
    opened = open_record(record)
    held = opened.rounds()
    needed = {name for pair in pairs_of_rounds(held, rounds) for name in pair}
    filters = Filters(*map(several, (hardware, model, scenario, submitter, division)))
    return run_audit(opened.results(needed), rounds, filters, allowed, held)


def gains_by_age(
    record: AnyRecord = None,
    *,
    filters: Filters = Filters(),  # noqa: B008  # an immutable tuple
    allowed: Collection[str] = DEFAULT_ALLOWED,
) -> Ages:
    """Group the gains of all rounds by the age of a workload on its accelerator: frontier against mature workloads.

    Raises:
        SelectionError: If a filter matches nothing.
        RecordError: If the record cannot be read.
    """
    opened = open_record(record)
    return run_ages(opened.results(), filters, allowed)


def _of_round(record: AnyRecord, name: str | None) -> list[Result]:
    opened = open_record(record)
    return opened.results([chosen_round(opened.rounds(), name)])


def spread(
    record: AnyRecord = None,
    *,
    reference: str | None = None,
    round: str | None = None,  # noqa: A002  # the field's own name
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
) -> Spreads:
    """How far partners are from a reference submitter on the same hardware and workload.

    Args:
        record: A record, its file or several files; None for the embedded one.
        reference: The reference submitter; None for the vendor of each system's accelerators.
        round: The round; None for the newest.
        hardware: As in `audit_record`; of the partners' results, as the other filters.
        model: "llama2-70b", "llama2-70b-99.9" ...
        scenario: Offline, Server, Interactive, SingleStream or MultiStream.
        submitter: A partner.
        division: closed (if none is given), open or network.

    Returns:
        The spreads; their `systems` are what `groundspeed spread --json` prints.

    Raises:
        SelectionError: If the round, the reference or a filter matches nothing, or nothing can be compared.
        RecordError: If the record cannot be read.
    """
    filters = Filters(*map(several, (hardware, model, scenario, submitter, division)))
    return run_spread(_of_round(record, round), None, filters, reference)


def frontier(
    record: AnyRecord = None,
    *,
    round: str | None = None,  # noqa: A002  # the field's own name
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
    per: Literal["system", "accelerator"] | None = None,
) -> Frontier:
    """The best by anybody, the vendor's own best, and the median, for every hardware and workload of a round.

    Filters as in `spread`; they choose the rows in which a matching result takes part, and each row is of everybody.

    Args:
        per: "system", "accelerator" (throughputs only, derived), or None for both.

    Returns:
        The frontier; its `rows` are what `groundspeed frontier --json` prints.

    Raises:
        SelectionError: If the round or a filter matches nothing.
        RecordError: If the record cannot be read.
    """
    filters = Filters(*map(several, (hardware, model, scenario, submitter, division)))
    return run_frontier(_of_round(record, round), None, filters, (per,) if per else ("system", "accelerator"))


def scaling(
    record: AnyRecord = None,
    *,
    round: str | None = None,  # noqa: A002  # the field's own name
    hardware: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    scenario: str | Sequence[str] = (),
    submitter: str | Sequence[str] = (),
    division: str | Sequence[str] = (),
) -> Scalings:
    """Scale-out efficiency of every submitter with several sizes of one kind of system in a round.

    Filters as in `spread`; they choose the larger systems, and each one's base is found by itself.

    Returns:
        The efficiencies; their `rows` are what `groundspeed scaling --json` prints.

    Raises:
        SelectionError: If the round or a filter matches nothing, or no submitter has two sizes.
        RecordError: If the record cannot be read.
    """
    filters = Filters(*map(several, (hardware, model, scenario, submitter, division)))
    return run_scaling(_of_round(record, round), None, filters)
