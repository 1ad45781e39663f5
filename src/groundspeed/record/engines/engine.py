"""What an engine gives a record, and which engine an address means."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from groundspeed.errors import RecordError
from groundspeed.record.engines.address import Address

if TYPE_CHECKING:
    import ibis.expr.types as ir

Batch = Sequence[tuple[Any, ...]]


class Engine(Protocol):
    """One record on an engine.

    Attributes:
        address: Where it is.
    """

    address: Address

    def table(self) -> ir.Table:
        """The record's table.

        Raises:
            RecordError: If there is none.
        """

    def version(self) -> int | None:
        """The schema version that the table declares; None if it declares none."""

    def fetch(self, expression: ir.Table) -> Iterator[Batch]:
        """The rows of a question, in batches. Errors are the engine's own; `Record` translates them."""

    def load(self, columns: Mapping[str, str], batches: Iterable[Batch], version: int, replace: bool) -> int:
        """Write a record, whole or not at all, and return its number of rows.

        Args:
            columns: Column -> type ("string", "int64", "float64" or "boolean").
            batches: The rows, in the order of the columns.
            version: The schema version to declare.
            replace: Whether a record that is there already may be replaced.

        Raises:
            RecordError: If there is one and it may not, if what is there is no record, or if the engine refuses.
        """


_LIBRARIES = {"postgresql": ("psycopg", "postgres"), "spark": ("pyspark", "spark")}


def connect(address: Address) -> Engine:
    """Connect to the engine of an address.

    Raises:
        RecordError: If the engine's library is not installed, or the engine cannot be reached.
    """
    library, extra = _LIBRARIES[address.engine]
    if importlib.util.find_spec(library) is None:
        raise RecordError(
            f"{address.shown}: found no {library} in this installation; expected the extra of this engine: "
            f"pip install 'groundspeed[{extra}]'"
        )
    if address.engine == "postgresql":
        from groundspeed.record.engines.postgres import Postgres

        return Postgres(address)
    from groundspeed.record.engines.spark import Spark

    return Spark(address)
