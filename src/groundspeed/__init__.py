"""groundspeed: how fast inference software gets faster on hardware that does not change.

    import groundspeed

    audit = groundspeed.audit_record(hardware="8x MI355X", model="gpt-oss-120b")
    for finding in audit.findings:
        print(finding.submitter, finding.scenario, finding.change_percent, finding.verdict, finding.caveats)

Everything is loaded when it is first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groundspeed.api import (
        Build,
        Copy,
        audit_record,
        build_record,
        cadence,
        check_claims,
        copy_record,
        crosscheck,
        frontier,
        gains_by_age,
        read_runs,
        releases_between,
        scaling,
        spread,
        watch,
    )
    from groundspeed.api.ingesting import ingest
    from groundspeed.audit import DEFAULT_ALLOWED, RELAXATIONS, Audit, Filters, Finding
    from groundspeed.errors import GroundspeedError, RecordError, SelectionError, SourceError
    from groundspeed.record import Record, Result
    from groundspeed.record.ingested import Ingested
    from groundspeed.sources._limits import Limits
    from groundspeed.sources.mlperf import Reading, read_table

__version__ = "0.1.0"

_HOMES = {
    "Build": "groundspeed.api",
    "Copy": "groundspeed.api",
    "audit_record": "groundspeed.api",
    "build_record": "groundspeed.api",
    "check_claims": "groundspeed.api",
    "crosscheck": "groundspeed.api",
    "copy_record": "groundspeed.api",
    "cadence": "groundspeed.api",
    "frontier": "groundspeed.api",
    "gains_by_age": "groundspeed.api",
    "read_runs": "groundspeed.api",
    "releases_between": "groundspeed.api",
    "scaling": "groundspeed.api",
    "spread": "groundspeed.api",
    "watch": "groundspeed.api",
    "Audit": "groundspeed.audit",
    "DEFAULT_ALLOWED": "groundspeed.audit",
    "Filters": "groundspeed.audit",
    "Finding": "groundspeed.audit",
    "RELAXATIONS": "groundspeed.audit",
    "GroundspeedError": "groundspeed.errors",
    "RecordError": "groundspeed.errors",
    "SelectionError": "groundspeed.errors",
    "SourceError": "groundspeed.errors",
    "Record": "groundspeed.record",
    "Result": "groundspeed.record",
    "ingest": "groundspeed.api.ingesting",
    "Ingested": "groundspeed.record.ingested",
    "Limits": "groundspeed.sources._limits",
    "Reading": "groundspeed.sources.mlperf",
    "read_table": "groundspeed.sources.mlperf",
}

__all__ = [
    "DEFAULT_ALLOWED",
    "RELAXATIONS",
    "Audit",
    "Build",
    "Copy",
    "Filters",
    "Finding",
    "GroundspeedError",
    "Ingested",
    "Limits",
    "Reading",
    "Record",
    "RecordError",
    "Result",
    "SelectionError",
    "SourceError",
    "__version__",
    "audit_record",
    "build_record",
    "cadence",
    "check_claims",
    "copy_record",
    "crosscheck",
    "frontier",
    "gains_by_age",
    "ingest",
    "read_runs",
    "read_table",
    "releases_between",
    "scaling",
    "spread",
    "watch",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
