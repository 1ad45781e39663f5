"""Questions to the record: results in, typed findings out. No file is read and nothing is printed here."""

from groundspeed.audit.ages import AgeGroup
from groundspeed.audit.cadence import Between, Cadence, run_cadence
from groundspeed.audit.caveats import ANNOTATIONS, CAVEATS, DEFAULT_ALLOWED, RELAXATIONS
from groundspeed.audit.chains import Chain
from groundspeed.audit.engine import Ages, Audit, pairs_of_rounds, run_ages, run_audit
from groundspeed.audit.findings import Finding, Side
from groundspeed.audit.frontier import Frontier, FrontierRow, Standing, run_frontier, standing
from groundspeed.audit.scaling import ScaleOut, Scalings, run_scaling
from groundspeed.audit.selection import Filters
from groundspeed.audit.spread import Spreads, SystemSpread, run_spread
from groundspeed.audit.watch import Answer, Watch, run_watches

__all__ = [
    "ANNOTATIONS",
    "CAVEATS",
    "DEFAULT_ALLOWED",
    "RELAXATIONS",
    "AgeGroup",
    "Ages",
    "Answer",
    "Audit",
    "Between",
    "Cadence",
    "Chain",
    "Filters",
    "Finding",
    "Frontier",
    "FrontierRow",
    "ScaleOut",
    "Scalings",
    "Side",
    "Spreads",
    "Standing",
    "SystemSpread",
    "Watch",
    "pairs_of_rounds",
    "run_ages",
    "run_audit",
    "run_cadence",
    "run_frontier",
    "run_scaling",
    "run_spread",
    "run_watches",
    "standing",
]
