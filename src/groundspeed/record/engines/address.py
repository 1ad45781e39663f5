"""Addresses of records on engines.

    postgres://user@host:5432/database?table=schema.name     PostgreSQL (also postgresql://)
    spark+local:///absolute/path/record.parquet              Spark in this process, on a record file or a folder of them
    spark://host:7077?table=schema.name                      a Spark master; or ?parquet=s3a://bucket/record
    sc://host:15002?table=schema.name                        Spark Connect; likewise

A password never leaves an address except towards the engine: what is shown of an address is its user, place and table.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from groundspeed.errors import RecordError

DEFAULT_TABLE = "groundspeed"
_POSTGRES = ("postgres", "postgresql")
_SPARK = ("spark", "sc")
_LOCAL = "spark+local"
_FORMS = (
    "postgres://user@host:port/database?table=schema.name, spark+local:///path/record.parquet, spark://host:port?table=schema.name "
    "or sc://host:port?table=schema.name"
)


class Address(NamedTuple):
    """Where a record is.

    Attributes:
        engine: "postgresql" or "spark".
        shown: The address without its password and options, for messages.
        table: Name of the table, with its schema in front if one was given; "" where a Parquet path is meant.
        parquet: Path of Parquet files as Spark writes it; "" where a table is meant.
        master: Spark's master or Connect address; "" for PostgreSQL.
        options: What PostgreSQL's client is connected with (host, user, password, dbname ...).
    """

    engine: str
    shown: str
    table: str = ""
    parquet: str = ""
    master: str = ""
    options: dict[str, str] = {}  # noqa: RUF012  # never changed

    @property
    def schema_and_name(self) -> tuple[str | None, str]:
        """The table's schema, None for the connection's own, and its name."""
        schema, dot, name = self.table.rpartition(".")
        return (schema, name) if dot else (None, name)

    def without_secrets(self, text: object) -> str:
        """The first line of an engine's message, with the password taken out should it stand there."""
        line = (str(text).strip().splitlines() or ["no reason given"])[0]
        secret = self.options.get("password")
        return line.replace(secret, "***") if secret else line


def is_address(text: object) -> bool:
    """Whether a record is named by an engine's address rather than by a path."""
    return isinstance(text, str) and "://" in text


def parse(text: str) -> Address:
    """Read an address.

    Raises:
        RecordError: If it is of no known form; the message holds no password.
    """
    try:
        parts = urlsplit(text)
    except ValueError:  # its message quotes the address, password and all
        raise RecordError(f"found an address that cannot be read; expected {_FORMS}") from None
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    if parts.scheme in _POSTGRES:
        return _postgres(parts, query)
    if parts.scheme == _LOCAL:
        return _local(parts, query)
    if parts.scheme in _SPARK:
        return _spark(parts, query)
    raise RecordError(f'found an address that begins with "{parts.scheme}://"; expected {_FORMS}')


def _place(parts: SplitResult) -> tuple[str, str, str]:
    """User, password and host with port, the first two as they are meant."""
    login, _, place = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    return unquote(user), unquote(password), place


def _postgres(parts: SplitResult, query: dict[str, str]) -> Address:
    user, password, place = _place(parts)
    table = query.pop("table", "") or DEFAULT_TABLE
    shown = f"{parts.scheme}://{user + '@' if user else ''}{place}{parts.path}?table={table}"
    if table.startswith(".") or table.endswith(".") or table.count(".") > 1:
        raise RecordError(f"{shown}: found the table {table}; expected a name or schema.name")
    try:
        port = parts.port
    except ValueError:
        raise RecordError(f"{shown}: found a port that is no number from 0 to 65535; expected {_FORMS}") from None
    named = {
        "host": unquote(parts.hostname or ""),
        "port": str(port) if port else "",
        "user": user,
        "password": password,
        "dbname": unquote(parts.path.lstrip("/")),
    }
    return Address("postgresql", shown, table, options={**{k: v for k, v in named.items() if v}, **query})


def _local(parts: SplitResult, query: dict[str, str]) -> Address:
    path = unquote(parts.path)
    shown = f"{_LOCAL}://{parts.netloc}{path}"
    if parts.netloc or query or not PurePosixPath(path).is_absolute() or path == "/":
        raise RecordError(f"{shown}: found no absolute path alone; expected spark+local:///path/record.parquet")
    return Address("spark", shown, parquet=f"file://{path}", master="local[*]")


def _spark(parts: SplitResult, query: dict[str, str]) -> Address:
    table, parquet = query.pop("table", ""), query.pop("parquet", "")
    place = parts.netloc.rpartition("@")[2]
    what = f"?parquet={parquet}" if parquet else f"?table={table or DEFAULT_TABLE}"
    shown = f"{parts.scheme}://{place}{what}"
    if not place or (table and parquet) or parts.path.strip("/") or query:
        raise RecordError(
            f"{shown}: expected {parts.scheme}://host:port with ?table=schema.name or ?parquet=path, and nothing else"
        )
    # A token of Spark Connect (sc://host:port/;token=...) is not passed through an address: it would stand in shell histories.
    return Address("spark", shown, "" if parquet else table or DEFAULT_TABLE, parquet, f"{parts.scheme}://{place}")
