"""Questions to the record: results in, typed findings out. No file is read and nothing is printed here."""

from groundspeed.audit.ages import AgeGroup
from groundspeed.audit.caveats import ANNOTATIONS, CAVEATS, DEFAULT_ALLOWED, RELAXATIONS
from groundspeed.audit.chains import Chain
from groundspeed.audit.engine import Ages, Audit, pairs_of_rounds, run_ages, run_audit
from groundspeed.audit.findings import Finding, Side
from groundspeed.audit.selection import Filters

__all__ = [
    "ANNOTATIONS",
    "CAVEATS",
    "DEFAULT_ALLOWED",
    "RELAXATIONS",
    "AgeGroup",
    "Ages",
    "Audit",
    "Chain",
    "Filters",
    "Finding",
    "Side",
    "pairs_of_rounds",
    "run_ages",
    "run_audit",
]
