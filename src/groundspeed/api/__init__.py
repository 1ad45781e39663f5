"""What `import groundspeed` offers: the same as the command line, in as many lines."""

from groundspeed.api._common import AnyRecord, open_record
from groundspeed.api.audits import audit_record, frontier, gains_by_age, scaling, spread
from groundspeed.api.claims import check_claims, read_ledger
from groundspeed.api.records import Build, Copy, build_record, copy_record
from groundspeed.api.schedules import cadence, releases_between, watch
from groundspeed.api.trees import crosscheck, read_runs, select_runs

__all__ = [
    "AnyRecord",
    "Build",
    "Copy",
    "audit_record",
    "build_record",
    "cadence",
    "check_claims",
    "copy_record",
    "crosscheck",
    "frontier",
    "gains_by_age",
    "open_record",
    "read_ledger",
    "read_runs",
    "releases_between",
    "scaling",
    "select_runs",
    "spread",
    "watch",
]
