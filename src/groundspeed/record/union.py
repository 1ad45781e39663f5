"""Several records as one table: equal rows once, and no choice between two that differ but the method's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundspeed.errors import RecordError
from groundspeed.record.rows import COLUMNS

if TYPE_CHECKING:
    import duckdb

# What must agree for two rows to be the same statement: everything but the file that says it.
COMPARED = tuple(name for name in COLUMNS if name not in ("id", "source"))
_LISTED = ", ".join(COLUMNS)


def unite(connection: duckdb.DuckDBPyConnection, members: Sequence[tuple[str, str]], view: str) -> None:
    """Make a view over the rows of several records, one row an id.

    A row of a published table stands before one read from result logs, as in a record file of both. Equal rows are shown once.

    Args:
        connection: Where all of them are attached.
        members: Name of each record, and the query that gives its columns and `from_tree`, whether a row comes from logs.
        view: Name of the view to make.

    Raises:
        RecordError: If two records say different things of one result, and neither is a table against logs.
    """
    union = " UNION ALL ".join(
        f"SELECT {_LISTED}, from_tree, {i} AS member FROM ({query})" for i, (_, query) in enumerate(members)
    )
    packed = ", ".join(COMPARED)
    found = connection.execute(
        f"""WITH united AS ({union})
        SELECT id, any_value(round), any_value(path), min(member), max(member)
        FROM united GROUP BY id, from_tree
        HAVING count(*) > 1 AND count(DISTINCT hash({packed})) > 1 ORDER BY 2, 3 LIMIT 1"""
    ).fetchall()
    if found:
        id_, round_, path, first, second = found[0]
        raise RecordError(
            f"{members[first][0]} and {members[second][0]} say different things of {round_} {path} (result {id_}); leave one of the "
            "two out, or remove the source it comes from (`groundspeed record remove`)"
        )
    connection.execute(
        f"""CREATE OR REPLACE TEMP VIEW {view} AS SELECT {_LISTED} FROM ({union})
        QUALIFY row_number() OVER (PARTITION BY id ORDER BY from_tree, member) = 1"""
    )
