"""Claims: sentences of vendors and analysts, written as questions to the record and held against it."""

from groundspeed.audit.claims.check import ClaimFinding, PartFinding, builtin, check_ledger
from groundspeed.audit.claims.language import Claim, Ledger, schema
from groundspeed.audit.claims.ledger import LedgerText, parse
from groundspeed.audit.claims.mistakes import LedgerError, Mistake
from groundspeed.audit.claims.verdicts import VERDICTS

__all__ = [
    "VERDICTS",
    "Claim",
    "ClaimFinding",
    "Ledger",
    "LedgerError",
    "LedgerText",
    "Mistake",
    "PartFinding",
    "builtin",
    "check_ledger",
    "parse",
    "schema",
]
