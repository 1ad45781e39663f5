"""The record: the data model, canonical names, and the store."""

from groundspeed.record.model import Result
from groundspeed.record.store import Record, write

__all__ = ["Record", "Result", "write"]
