"""Addresses of records on engines: what they mean, and what is said of a wrong one. No server is needed."""

from __future__ import annotations

import importlib.util

import pytest

from groundspeed.errors import RecordError
from groundspeed.record import Record
from groundspeed.record.engines import is_address, parse


def test_an_address_of_postgresql_is_taken_apart():
    address = parse("postgres://anna%40x:p%40ss%3Aword@db.example:5433/perf?table=bench.Results&sslmode=require")
    assert address.options == {
        "host": "db.example", "port": "5433", "user": "anna@x", "password": "p@ss:word", "dbname": "perf", "sslmode": "require",
    }  # fmt: skip
    assert address.schema_and_name == ("bench", "Results")
    assert address.shown == "postgres://anna@x@db.example:5433/perf?table=bench.Results"


def test_what_an_address_leaves_out_is_left_to_the_engine():
    assert parse("postgres:///perf").options == {"dbname": "perf"}
    assert parse("postgresql://h").schema_and_name == (None, "groundspeed")


def test_addresses_of_spark_are_masters_and_tables_or_files():
    local = parse("spark+local:///data/a%20b/record.parquet")
    assert (local.master, local.parquet, local.table) == ("local[*]", "file:///data/a b/record.parquet", "")
    cluster = parse("spark://head:7077?table=perf.results")
    assert (cluster.master, cluster.parquet, cluster.table) == ("spark://head:7077", "", "perf.results")
    connect = parse("sc://head:15002?parquet=s3a://bucket/record")
    assert (connect.master, connect.parquet, connect.table) == ("sc://head:15002", "s3a://bucket/record", "")


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("mysql://u:s3cret@h/db", 'begins with "mysql://"; expected postgres://'),
        ("postgres://u:s3cret@h:port/db", "found a port that is no number"),
        ("postgres://u:s3cret@h/db?table=a.b.c", "found the table a.b.c; expected a name or schema.name"),
        ("postgres://u:s3cret@[h/db", "found an address that cannot be read"),
        ("spark+local://relative/record.parquet", "found no absolute path alone"),
        ("spark://h:7077?table=a&parquet=b", "and nothing else"),
        ("sc://u:s3cret@h:15002?token=s3cret", "and nothing else"),
        ("spark://?table=a", "expected spark://host:port"),
    ],
)
def test_a_wrong_address_is_refused_without_its_password(address, message):
    with pytest.raises(RecordError) as error:
        parse(address)
    assert message in str(error.value)
    assert "s3cret" not in str(error.value)


def test_a_password_in_an_engines_message_is_taken_out():
    address = parse("postgres://u:s3cret@h/db")
    assert address.without_secrets("bad password s3cret\nmore") == "bad password ***"
    assert address.without_secrets("") == "no reason given"


def test_paths_are_no_addresses():
    assert not any(map(is_address, ["record.parquet", "/a/b", "C:\\a", None]))
    assert is_address("postgres://h/db")


@pytest.mark.parametrize(("address", "extra"), [("postgres://h/db", "postgres"), ("spark+local:///r.parquet", "spark")])
def test_a_missing_library_is_named_with_its_extra(monkeypatch, address, extra):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RecordError, match=rf"pip install 'groundspeed\[{extra}\]'"):
        Record(address)
