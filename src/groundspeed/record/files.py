"""The record file: a DuckDB database that people write to, its layout, its versions, and the one who may write at a time.

Tables: `results` is what the record says, one row an id. `set_aside` holds the rows of superseded sources, and rows of active
sources that another source's row stands for; both have the columns of a result and the SHA-256 of their source. `sources` says
what was read and when, `rejections` which of its rows became no result, `meta` who wrote the file and its schema version.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from groundspeed.errors import RecordError
from groundspeed.record.rows import COLUMNS

if TYPE_CHECKING:
    import duckdb

SCHEMA_VERSION = 1

# Version -> the statements that make the next version of it. They run in one transaction, on tables of the database in use.
MIGRATIONS: dict[int, tuple[str, ...]] = {}

# How long a reader waits for a writer to finish, in seconds; a writer's patience is the caller's to choose.
READ_WAIT = 30.0

# Written so that DuckDB 1.2 and later read it: a team's machines do not all have the newest.
_STORAGE = "v1.2.0"
# What DuckDB says where another process holds the file; the second on Windows.
_IN_USE = ("Could not set lock", "being used by another process")
_MAGIC_AT, _MAGIC = 8, b"DUCK"
_SQL_TYPES = {"string": "VARCHAR", "float64": "DOUBLE", "int64": "BIGINT", "boolean": "BOOLEAN"}
_RESULT = ", ".join(f"{name} {_SQL_TYPES[kind]}" for name, kind in COLUMNS.items())

LAYOUT = (
    "CREATE TABLE meta (key VARCHAR, value VARCHAR)",
    "CREATE TABLE sources (sha256 VARCHAR, name VARCHAR, kind VARCHAR, place VARCHAR, rounds VARCHAR, ingested TIMESTAMP, "
    "rows BIGINT, results BIGINT, merged BIGINT, rejected BIGINT, noted BIGINT, state VARCHAR, superseded_by VARCHAR)",
    f"CREATE TABLE results ({_RESULT}, source_sha256 VARCHAR)",
    f"CREATE TABLE set_aside ({_RESULT}, source_sha256 VARCHAR)",
    "CREATE TABLE rejections (source_sha256 VARCHAR, place VARCHAR, row VARCHAR, reason VARCHAR)",
)


def is_record_file(path: Path) -> bool:
    """Whether a file is a DuckDB database, from its content."""
    try:
        with path.open("rb") as stream:
            return stream.read(_MAGIC_AT + len(_MAGIC))[_MAGIC_AT:] == _MAGIC
    except OSError:
        return False


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def first_line(error: BaseException) -> str:
    """What an error says, in one line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


@contextlib.contextmanager
def guarded(path: str | Path) -> Iterator[None]:
    """What DuckDB says of a file whose pages do not hold together, as the package's own error.

    Raises:
        RecordError: In place of any error of DuckDB's.
    """
    import duckdb

    try:
        yield
    except duckdb.Error as error:
        raise RecordError(f"{path}: found damaged data ({first_line(error)}); expected a record that groundspeed wrote") from None


def attach(connection: duckdb.DuckDBPyConnection, path: Path, name: str, *, write: bool = False, wait: float = READ_WAIT) -> None:
    """Attach a record file under a name; while another process writes to it, wait.

    Raises:
        RecordError: If the wait was too short, or the file is damaged, cannot be opened, or no record.
    """
    import duckdb

    mode = "" if write else " (READ_ONLY)"
    patience, pause = time.monotonic() + wait, 0.02
    while True:
        try:
            connection.execute(f"ATTACH {_quoted(str(path))} AS {name}{mode}")
            return
        except duckdb.Error as error:
            said = first_line(error)
            if "already attached by database" in said:
                raise RecordError(f"{path}: this process has it open; close() the Record before writing to its file") from None
            if not any(words in said for words in _IN_USE):
                newer = "version number" in said
                expected = "an installation with a newer DuckDB" if newer else "a record that groundspeed wrote"
                raise RecordError(f"{path}: found a database that cannot be opened ({said}); expected {expected}") from None
            if time.monotonic() >= patience:
                raise RecordError(
                    f"{path}: another process is using it, and {wait:g} s were not enough ({said.partition('. See also')[0]}); "
                    "wait for it to end, or wait longer (--wait SECONDS)"
                ) from None
        time.sleep(pause)
        pause = min(pause * 1.5, 0.5)


def version(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> int:
    """The schema version of an attached file.

    Raises:
        RecordError: If it is no record, or a newer groundspeed wrote it.
    """
    import duckdb

    try:
        found = connection.execute(f"SELECT value FROM {name}.main.meta WHERE key = 'schema_version'").fetchall()
        number = int(found[0][0]) if found else None
    except (duckdb.Error, ValueError):
        number = None
    if number is None:
        raise RecordError(f"{path}: found a DuckDB database that is no record; expected one that `groundspeed ingest` wrote")
    if number > SCHEMA_VERSION:
        raise RecordError(
            f"{path}: found a record of schema {number}, written by a newer groundspeed; expected schema {SCHEMA_VERSION} or "
            "older. Update groundspeed; the file was not touched"
        )
    return number


def migrate(connection: duckdb.DuckDBPyConnection, path: Path, name: str, held: int) -> None:
    """Bring the tables of an attached database from a version to this one, in one transaction.

    Raises:
        RecordError: If there is no way from that version, or it fails; the tables are as before then.
    """
    import duckdb

    connection.execute(f"USE {name}")
    connection.execute("BEGIN")
    try:
        for old in range(held, SCHEMA_VERSION):
            for statement in MIGRATIONS[old]:
                connection.execute(statement)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", [str(SCHEMA_VERSION)])
        connection.execute("COMMIT")
    except (duckdb.Error, KeyError) as error:
        connection.execute("ROLLBACK")
        raise RecordError(f"{path}: found schema {held}, which could not be brought to {SCHEMA_VERSION} ({error})") from None


def attach_to_read(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attach a record file for reading. One of an older schema is copied into memory and migrated there; reading never writes.

    Raises:
        RecordError: If it cannot be read, is no record, or a newer groundspeed wrote it.
    """
    attach(connection, path, name)
    held = version(connection, path, name)
    if held < SCHEMA_VERSION:
        connection.execute(f"ATTACH ':memory:' AS {name}_new")
        connection.execute(f"COPY FROM DATABASE {name} TO {name}_new")
        connection.execute(f"DETACH {name}")
        connection.execute(f"ATTACH ':memory:' AS {name}")
        connection.execute(f"COPY FROM DATABASE {name}_new TO {name}")
        connection.execute(f"DETACH {name}_new")
        migrate(connection, path, name, held)
        connection.execute("USE memory")


def create(path: Path) -> None:
    """Make an empty record file: it appears complete, or not at all. Where one has appeared meanwhile, that one stays.

    Raises:
        RecordError: If the place cannot be written to.
    """
    import duckdb

    from groundspeed import __version__

    try:
        # Beside it, so that it can be put into place in one step.
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.", ignore_cleanup_errors=True) as folder:
            new = Path(folder) / "new"
            with duckdb.connect() as connection:
                connection.execute(f"ATTACH {_quoted(str(new))} AS new (STORAGE_VERSION '{_STORAGE}')")
                connection.execute("USE new")
                connection.execute("BEGIN")
                for statement in LAYOUT:
                    connection.execute(statement)
                rows = [("schema_version", str(SCHEMA_VERSION)), ("written_by", f"groundspeed {__version__}")]
                connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
                connection.execute("COMMIT")
                connection.execute("USE memory")
                connection.execute("DETACH new")
            try:
                os.link(new, path)
            except FileExistsError:
                pass
            except OSError:  # a file system without links
                if not path.exists():
                    os.replace(new, path)
    except OSError as error:
        raise RecordError(f"{path}: cannot be written ({error.strerror or error})") from None
    except duckdb.Error as error:
        raise RecordError(f"{path}: cannot be written ({first_line(error)})") from None
