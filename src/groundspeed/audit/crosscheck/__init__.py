"""Crosscheck: published tables held against the logs beneath them."""

from groundspeed.audit.crosscheck.differences import KINDS, Crosscheck, Difference, crosscheck
from groundspeed.audit.crosscheck.matching import Match, match

__all__ = ["KINDS", "Crosscheck", "Difference", "Match", "crosscheck", "match"]
