"""Records on engines beyond one machine: the same table on PostgreSQL and on Apache Spark, by address, through Ibis.

An engine gives three things: the record as an Ibis table, a way to fetch the rows of a question as plain tuples of the types DuckDB
gives, and a way to load a record. Each engine's own library is an extra of the package and is imported when an address names it.
"""

from groundspeed.record.engines.address import Address, is_address, parse
from groundspeed.record.engines.engine import Engine, connect

__all__ = ["Address", "Engine", "connect", "is_address", "parse"]
