"""The same record on PostgreSQL and on Spark gives the same findings as DuckDB, field by field."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import groundspeed
from groundspeed.api import audit_record, check_claims, copy_record, spread
from groundspeed.errors import RecordError
from groundspeed.record import Record, write
from groundspeed.report.export import to_json
from makers import result
from services import PASSWORD, UnavailableError, ensure_java, postgres_server

pytestmark = pytest.mark.services
EMBEDDED = Path(groundspeed.__file__).parent / "record" / "data" / "record.parquet"


@pytest.fixture(scope="session")
def server():
    """The address of a PostgreSQL server without its scheme."""
    try:
        with postgres_server() as address:
            yield address
    except UnavailableError as reason:
        pytest.skip(f"PostgreSQL: {reason}")


@pytest.fixture(scope="session")
def on_postgres(server):
    """The address of the embedded record on PostgreSQL."""
    address = f"postgres://{server}?table=Embedded"
    copy_record(address)
    return address


@pytest.fixture(scope="session")
def spark():
    """Spark's environment; the session that the first test starts is ended with the tests."""
    try:
        home = ensure_java()
    except UnavailableError as reason:
        pytest.skip(f"Java: {reason}")
    before = os.environ.get("JAVA_HOME")
    os.environ["JAVA_HOME"] = str(home)
    yield
    from pyspark.sql import SparkSession

    if session := SparkSession.getActiveSession():
        session.stop()
    os.environ.pop("JAVA_HOME")
    if before is not None:
        os.environ["JAVA_HOME"] = before


@pytest.fixture(scope="session")
def on_spark(spark):
    """The address of the embedded record on Spark in local mode."""
    return f"spark+local://{EMBEDDED}"


@pytest.fixture(scope="session", params=["on_postgres", "on_spark"])
def on_engine(request):
    """The embedded record, opened on an engine."""
    return Record(request.getfixturevalue(request.param))


@pytest.fixture(scope="session")
def in_file():
    """The embedded record, opened from its file by DuckDB."""
    return Record()


def test_every_result_is_the_same_in_every_field_and_type(on_engine, in_file):
    found, expected = on_engine.results(), in_file.results()
    assert found == expected
    assert [repr(r) for r in found[::97]] == [repr(r) for r in expected[::97]]  # 1, 1.0 and True are equal, and print otherwise


def test_the_rounds_are_the_same_in_the_same_order(on_engine, in_file):
    assert on_engine.rounds() == in_file.rounds()


def test_some_rounds_are_the_same_results(on_engine, in_file):
    assert on_engine.results(["v6.1", "v5.1"]) == in_file.results(["v6.1", "v5.1"])


def test_the_audit_of_all_consecutive_rounds_is_the_same(on_engine, in_file):
    found, expected = audit_record(on_engine, rounds="all"), audit_record(in_file, rounds="all")
    assert len(expected.findings) > 1000
    assert to_json(found.findings) == to_json(expected.findings)
    assert found == expected


def test_the_audit_with_every_relaxation_is_the_same(on_engine, in_file):
    from groundspeed.audit.caveats import RELAXATIONS

    found, expected = (audit_record(r, rounds="v5.1,v6.1", allowed=RELAXATIONS) for r in (on_engine, in_file))
    assert found == expected


def test_the_verdicts_on_the_claims_are_the_same(on_engine, in_file):
    assert check_claims(record=on_engine) == check_claims(record=in_file)


def test_the_spread_is_the_same(on_engine, in_file):
    for round_ in ("v5.1", "v6.1"):
        assert spread(on_engine, round=round_) == spread(in_file, round=round_)


def command(*arguments, **environment):
    """Run groundspeed as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "groundspeed", *arguments], capture_output=True, text=True, check=False, encoding="utf-8",
        env={**os.environ, "NO_COLOR": "1", **environment},
    )  # fmt: skip


@pytest.mark.parametrize("address", ["on_postgres", "on_spark"])
def test_the_command_line_prints_the_same_and_no_password(request, address):
    arguments = ["audit", "--hardware", "8x MI355X", "--json"]
    done = command(*arguments, "--record", request.getfixturevalue(address))
    assert done.stdout == command(*arguments).stdout
    assert PASSWORD not in done.stdout + done.stderr


def test_the_table_of_a_record_answers_questions_of_ones_own(on_engine, in_file):
    def largest(record):
        table = record.table.filter(record.table["round"] == "v6.1")
        return table.group_by("submitter").aggregate(n=table.count()).order_by("submitter").to_pyarrow().to_pylist()

    assert largest(on_engine) == largest(in_file)


def test_a_record_goes_to_postgresql_and_back_unchanged(server, tmp_path):
    awkward = result(submitter="O'Brien \\N \t\n\"é\u202e名", path="a\\b\tc", value=0.1 + 0.2)
    write([awkward, result(path="other", value=1e-300)], tmp_path / "here.parquet")
    address = f"postgres://{server}?table=awkward"
    copy_record(address, record=tmp_path / "here.parquet")
    copy_record(tmp_path / "back.parquet", record=address)
    assert Record(tmp_path / "back.parquet").results() == Record(tmp_path / "here.parquet").results()
    assert (tmp_path / "back.parquet").read_bytes() == (tmp_path / "here.parquet").read_bytes()


def test_a_record_goes_to_spark_and_back_unchanged(spark, tmp_path):
    write([result(), result(path="other", value=1e-300)], tmp_path / "here.parquet")
    assert copy_record(f"spark+local://{tmp_path}/spark", record=tmp_path / "here.parquet").results == 2
    assert Record(f"spark+local://{tmp_path}/spark").results() == Record(tmp_path / "here.parquet").results()
    with pytest.raises(RecordError, match="found files there already"):
        copy_record(f"spark+local://{tmp_path}/spark", record=tmp_path / "here.parquet", replace=True)


def test_a_copy_replaces_a_record_only_when_told_to(server, tmp_path):
    for name, value in (("old", 1.0), ("new", 2.0)):
        write([result(value=value)], tmp_path / f"{name}.parquet")
    address = f"postgres://{server}?table=twice"
    copy_record(address, record=tmp_path / "old.parquet")
    with pytest.raises(RecordError, match="found a record there already; name another table, or replace it with --replace"):
        copy_record(address, record=tmp_path / "new.parquet")
    assert [r.value for r in Record(address).results()] == [1.0]
    copy_record(address, record=tmp_path / "new.parquet", replace=True)
    assert [r.value for r in Record(address).results()] == [2.0]


def sql(server, text):
    """Run a statement as another user of the database would."""
    import psycopg

    with psycopg.connect(f"postgresql://{server}", autocommit=True) as connection:
        cursor = connection.execute(text)
        return cursor.fetchall() if cursor.description else []


def test_a_replaced_record_keeps_the_rights_given_on_it(server, tmp_path):
    write([result()], tmp_path / "r.parquet")
    address = f"postgres://{server}?table=granted"
    copy_record(address, record=tmp_path / "r.parquet")
    sql(server, "GRANT SELECT ON granted TO PUBLIC")
    copy_record(address, record=tmp_path / "r.parquet", replace=True)
    assert sql(server, "SELECT has_table_privilege('public', 'granted', 'SELECT')") == [(True,)]


def test_a_table_that_is_no_record_is_never_replaced(server):
    sql(server, "CREATE TABLE payroll (name text); INSERT INTO payroll VALUES ('Ada')")
    with pytest.raises(RecordError, match="found a table that is no record of groundspeed"):
        copy_record(f"postgres://{server}?table=payroll", replace=True)
    assert sql(server, "SELECT name FROM payroll") == [("Ada",)]


def test_a_copy_that_fails_leaves_the_old_record(server, tmp_path):
    write([result(value=1.0)], tmp_path / "good.parquet")
    write([result(value=2.0), result(path="x\x00y")], tmp_path / "nul.parquet")
    address = f"postgres://{server}?table=kept"
    copy_record(address, record=tmp_path / "good.parquet")
    with pytest.raises(RecordError, match=r"NUL.*nothing was written"):
        copy_record(address, record=tmp_path / "nul.parquet", replace=True)
    assert [r.value for r in Record(address).results()] == [1.0]


def test_two_copies_at_once_give_one_record_and_one_refusal(server):
    address = f"postgres://{server}?table=at_once"
    both = [
        subprocess.Popen([sys.executable, "-m", "groundspeed", "record", "copy", address], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]  # fmt: skip
    errors = [process.communicate()[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 1]
    assert "found a record there already" in "".join(errors)
    assert len(Record(address).results()) == len(Record().results())


def test_schema_and_capitals_of_a_table_are_taken_as_written(server, tmp_path):
    sql(server, 'CREATE SCHEMA "Team"')
    write([result()], tmp_path / "r.parquet")
    copy_record(f"postgres://{server}?table=Team.Results", record=tmp_path / "r.parquet")
    assert sql(server, 'SELECT count(*) FROM "Team"."Results"') == [(1,)]
    assert len(Record(f"postgresql://{server}?table=Team.Results").results()) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("COMMENT ON TABLE {} IS 'groundspeed record, schema 99'", "found a record of schema 99; expected schema 1"),
        ("ALTER TABLE {} DROP COLUMN value, DROP COLUMN path", "found a table without the columns value, path"),
        ("ALTER TABLE {} ALTER COLUMN tier TYPE text", "found the column tier as string; expected int64"),
    ],
)
def test_a_table_of_another_version_is_refused(server, tmp_path, change, message):
    write([result()], tmp_path / "r.parquet")
    address = f"postgres://{server}?table=other"
    sql(server, "DROP TABLE IF EXISTS other")
    copy_record(address, record=tmp_path / "r.parquet")
    sql(server, change.format("other"))
    with pytest.raises(RecordError, match=message):
        Record(address)


def test_what_is_not_there_is_said_without_the_password(server):
    place = server.partition("@")[2]
    wrong = {
        f"postgres://{server}?table=nowhere": "found no table nowhere in this database",
        f"postgres://{server.removesuffix('/postgres')}/nodb": 'database "nodb" does not exist',
        f"postgres://groundspeed:s3cret%20word@{place}": "password authentication failed",
        "postgres://groundspeed:s3cret%20word@127.0.0.1:1/db": "Connection refused",
        f"postgres://{server}?nonsense=1": "nonsense",
    }
    for address, message in wrong.items():
        done = command("audit", "--record", address)
        assert done.returncode == 1
        assert message in done.stderr
        assert done.stderr.startswith("groundspeed: postgres://groundspeed@127.0.0.1:")
        assert done.stderr.count("\n") == 1
        assert PASSWORD not in done.stderr
        assert "s3cret" not in done.stderr


def test_spark_says_what_is_no_record(spark, tmp_path):
    with pytest.raises(RecordError, match="found no Parquet files there that Spark can read"):
        Record(f"spark+local://{tmp_path}/nowhere.parquet")
    (tmp_path / "text.parquet").write_text("no Parquet")
    with pytest.raises(RecordError, match="found no Parquet files there that Spark can read"):
        Record(f"spark+local://{tmp_path}/text.parquet")
    import duckdb

    duckdb.sql("SELECT 1 AS x").write_parquet(str(tmp_path / "x.parquet"))
    with pytest.raises(RecordError, match="found a table without the columns id, round"):
        Record(f"spark+local://{tmp_path}/x.parquet")


def test_the_software_only_pairs_left_in_the_engine_are_the_same(on_engine, in_file):
    from groundspeed.audit.in_engine import software_only_pairs

    rounds = list(itertools.pairwise(in_file.rounds()))
    found, expected = (
        sorted(r._rows(software_only_pairs(r.table, rounds).select("older_id", "id", "speedup"))) for r in (on_engine, in_file)
    )
    assert len(expected) > 1000
    assert found == expected


def test_the_documents_way_to_share_a_record_works_as_shown(server, tmp_path):
    page = (Path(__file__).parents[1] / "docs" / "engines.md").read_text("utf-8")
    shown = page.partition("```sh\n")[2].partition("```")[0].replace("\\\n", " ")
    commands = [shlex.split(line, comments=True) for line in shown.splitlines()]
    place = server.rpartition("@")[2]
    sql(server, "CREATE ROLE anna LOGIN PASSWORD 'anna'; CREATE ROLE ben LOGIN PASSWORD 'ben'")
    write([*Record().results(["v6.0", "v6.1"])], tmp_path / "new.parquet")
    ran = 0
    for program, *arguments in filter(None, commands):
        if program == "psql":
            for flag, statement in itertools.pairwise(arguments):
                if flag == "-c":
                    sql(server, statement)
            continue
        mine = [re.sub(r"//(\w+)@db\.example/perf", rf"//\1:\1@{place}", argument) for argument in arguments]
        done = subprocess.run(
            [sys.executable, "-m", "groundspeed", *mine], capture_output=True, text=True, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stderr
        ran += 1
    assert ran == 5
    assert (tmp_path / "home.parquet").read_bytes() == (tmp_path / "new.parquet").read_bytes()
    with pytest.raises(RecordError, match="permission denied"):
        copy_record(f"postgres://ben:ben@{place}?table=bench.results", replace=True)


_IN_A_CATALOG = """
from groundspeed.errors import RecordError
from groundspeed.record import Record
from groundspeed.record.engines import Address
from groundspeed.record.engines.spark import Spark
from groundspeed.record.files import SCHEMA_VERSION
from groundspeed.record.rows import COLUMNS

def refused(call):
    try:
        call()
    except RecordError as error:
        return str(error).partition("found ")[2].partition(";")[0]

record = Record("r.parquet")
rows = lambda: record._fetch(record.table.select(*COLUMNS))
at = lambda table: Spark(Address("spark", f"spark://head?table={table}", table, master="local[1]"))
there = at("default.Perf")
print(refused(there.table))
print(there.load(COLUMNS, rows(), SCHEMA_VERSION, False), there.version())
print(refused(lambda: there.load(COLUMNS, rows(), SCHEMA_VERSION, False)))
print(there.load(COLUMNS, rows(), SCHEMA_VERSION, True), there.version())
print([row for batch in there.fetch(there.table().select("id", "value")) for row in batch])
there._session.sql("CREATE TABLE payroll AS SELECT 1 AS x")
print(refused(lambda: at("payroll").load(COLUMNS, rows(), SCHEMA_VERSION, True)))
"""


def test_a_table_of_sparks_catalog_is_loaded_read_and_replaced_only_when_told_to(spark, tmp_path):
    """In a process and a folder of its own: Spark keeps its catalog in the working folder."""
    write([result(id="a", value=0.1)], tmp_path / "r.parquet")
    done = subprocess.run([sys.executable, "-c", _IN_A_CATALOG], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout.splitlines() == [
        "no table default.Perf in Spark's catalog",
        "1 1",
        "a record there already",
        "1 1",
        "[('a', 0.1)]",
        "a table that is no record of groundspeed",
    ], done.stderr[-2000:]
