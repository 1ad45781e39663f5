"""The record file: versions and migration, sources and what they supersede, union, diff, remove, export."""

from __future__ import annotations

import csv
import hashlib
import random
from pathlib import Path

import duckdb
import msgspec
import pytest

from groundspeed.errors import ConflictError, RecordError, SelectionError
from groundspeed.record import Record, Result, files, write
from groundspeed.record.differences import differences, versions
from groundspeed.record.sources import Kind, NewSource, writing
from groundspeed.report.records import export
from makers import result


def source(name: str, *results: Result, kind: Kind = "table") -> NewSource:
    content = msgspec.json.encode((name, kind, results))
    return NewSource(hashlib.sha256(content).hexdigest(), name, kind, name, len(results), results, 0, [])


def add(path: Path, *sources: NewSource) -> list[str]:
    outcomes = []
    for new in sources:
        with writing(path) as ledger:
            outcomes.append(ledger.add(new)[0])
    return outcomes


def values(path: Path | list[Path]) -> dict[str, float]:
    record = Record(path)  # type: ignore[arg-type]
    found = {r.id: r.value for r in record.results()}
    record.close()
    return found


def read_or_error(path: Path) -> dict[str, float] | str:
    try:
        return values(path)
    except RecordError as error:
        return "damaged" if str(path) in str(error) else str(error)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "team.duckdb"


A, B = result(id="a", value=1.0, path="a"), result(id="b", value=2.0, path="b")


class TestSources:
    def test_what_was_added_is_what_is_read(self, path):
        results = Record().results(["v6.1"])
        add(path, source("t", *results))
        assert Record(path).results() == results

    def test_the_same_content_again_changes_nothing(self, path):
        assert add(path, source("t", A), source("t", A)) == ["added", "already there"]
        assert values(path) == {"a": 1.0}

    def test_the_same_content_under_another_name_is_there_already_as_rows(self, path):
        assert add(path, source("t", A), source("copy", A, B)) == ["added", "added"]
        assert values(path) == {"a": 1.0, "b": 2.0}

    def test_other_content_of_the_same_name_supersedes_and_is_kept(self, path):
        changed = result(id="a", value=9.0, path="a")
        assert add(path, source("t", A), source("t", changed)) == ["added", "replaced"]
        assert values(path) == {"a": 9.0}
        assert [(s.state, s.superseded_by is None) for s in Record(path).sources()] == [("superseded", False), ("active", True)]
        assert [(v.standing, v.row["value"]) for v in versions(path, "a")] == [("shown", 9.0), ("superseded", 1.0)]

    def test_content_that_comes_back_is_restored(self, path):
        changed = result(id="a", value=9.0, path="a")
        assert add(path, source("t", A), source("t", changed), source("t", A)) == ["added", "replaced", "restored"]
        assert values(path) == {"a": 1.0}

    def test_the_same_name_in_another_round_is_another_source(self, path):
        """The tables of v5.1 and of v6.0 are both called summary_results.json."""
        old = result(id="o", round="v6.0", value=3.0, path="o")
        assert add(path, source("summary_results.json", A), source("summary_results.json", old)) == ["added", "added"]
        assert values(path) == {"a": 1.0, "o": 3.0}

    def test_two_tables_that_differ_are_not_both_taken(self, path):
        add(path, source("one", A))
        with pytest.raises(ConflictError, match=r"two and one say different things of v6.1 a \(value\)"):
            add(path, source("two", result(id="a", value=5.0, path="a"), B))
        assert values(path) == {"a": 1.0}
        assert [s.name for s in Record(path).sources()] == ["one"]

    @pytest.mark.parametrize("order", [(0, 1), (1, 0)])
    def test_a_published_table_stands_before_result_logs(self, path, order):
        both = [source("table", A), source("tree", result(id="a", value=1.01, path="a"), B, kind="tree")]
        add(path, *(both[i] for i in order))
        assert values(path) == {"a": 1.0, "b": 2.0}
        assert [(v.source.name, v.standing) for v in versions(path, "a")] == [("table", "shown"), ("tree", "set aside")]

    def test_one_id_twice_in_a_source_is_refused(self, path):
        with pytest.raises(ConflictError, match="holds the result a twice"):
            add(path, source("t", A, A))


class TestRemove:
    def remove(self, path: Path, wanted: str) -> None:
        with writing(path, make=False) as ledger:
            ledger.remove(wanted)

    def test_its_rows_go(self, path):
        add(path, source("one", A), source("two", B))
        self.remove(path, "one")
        assert values(path) == {"b": 2.0}

    def test_rows_that_it_stood_for_are_shown_again(self, path):
        tree = source("tree", result(id="a", value=1.01, path="a"), kind="tree")
        add(path, tree, source("table", A), source("copy", A))
        self.remove(path, "table")
        assert values(path) == {"a": 1.0}
        self.remove(path, "copy")
        assert values(path) == {"a": 1.01}

    def test_by_the_beginning_of_its_sha256(self, path):
        add(path, source("one", A))
        self.remove(path, source("one", A).sha256[:8])
        assert values(path) == {}

    def test_what_is_not_there_is_said_with_what_is(self, path):
        add(path, source("one", A))
        with pytest.raises(SelectionError, match='no source "none"; it holds one'):
            self.remove(path, "none")

    def test_a_missing_record_is_not_made(self, path):
        with pytest.raises(RecordError, match="no such file"):
            self.remove(path, "one")
        assert not path.exists()


class TestDiff:
    def test_added_removed_and_changed_by_id_and_field(self, path):
        c = result(id="c", path="c")
        add(path, source("t", A, B), source("t", result(id="a", value=9.0, path="a"), c))
        (difference,) = differences(path)
        found = {change.id: (change.kind, change.fields) for change in difference.changes}
        assert found == {"a": ("changed", {"value": (1.0, 9.0)}), "b": ("removed", {}), "c": ("added", {})}

    def test_nothing_changed_is_nothing(self, path):
        add(path, source("t", A), source("u", B))
        assert differences(path) == []
        assert differences(path, "t") == []

    def test_of_a_source_that_is_not_there(self, path):
        add(path, source("t", A))
        with pytest.raises(SelectionError, match="holds t"):
            differences(path, "v")

    def test_a_parquet_record_has_no_history(self, tmp_path):
        write([A], tmp_path / "r.parquet")
        with pytest.raises(RecordError, match="without a history"):
            differences(tmp_path / "r.parquet")


class TestUnion:
    def test_equal_results_are_there_once(self, path, tmp_path):
        add(path, source("t", A))
        write([A, B], tmp_path / "r.parquet")
        assert values([path, tmp_path / "r.parquet"]) == {"a": 1.0, "b": 2.0}

    def test_the_embedded_record_with_ones_own(self, path):
        add(path, source("mine", A))
        held = len(Record().results())
        assert len(Record(["embedded", path]).results()) == held + 1
        assert Record(["embedded"]).results() == Record().results()

    def test_in_the_records_order_whatever_the_order_of_the_files(self, path, tmp_path):
        add(path, source("t", *Record().results(["v6.1"])))
        write(Record().results(["v6.0"]), tmp_path / "r.parquet")
        one, other = Record([path, tmp_path / "r.parquet"]), Record([tmp_path / "r.parquet", path])
        assert one.results() == other.results() == Record().results(["v6.0", "v6.1"])

    def test_two_that_say_different_things_are_refused_by_name(self, path, tmp_path):
        add(path, source("t", A))
        write([result(id="a", value=7.0, path="a")], tmp_path / "r.parquet")
        with pytest.raises(RecordError, match=r"team\.duckdb and .*r\.parquet say different things of v6\.1 a"):
            Record([path, tmp_path / "r.parquet"])

    def test_a_table_in_one_stands_before_logs_in_another(self, path, tmp_path):
        add(path, source("tree", result(id="a", value=1.01, path="a"), kind="tree"))
        write([A], tmp_path / "r.parquet")
        assert values([path, tmp_path / "r.parquet"]) == {"a": 1.0}


class TestOpen:
    def test_two_readers_do_not_disturb_each_other(self, path):
        add(path, source("t", A))
        one, other = Record(path), Record(path)
        assert one.results() == other.results() == [A]

    def test_a_record_that_this_process_reads_is_closed_before_it_is_written_to(self, path):
        add(path, source("t", A))
        record = Record(path)
        with pytest.raises(RecordError, match=r"close\(\) the Record"):
            add(path, source("u", B))
        record.close()
        add(path, source("u", B))
        assert values(path) == {"a": 1.0, "b": 2.0}


class TestVersions:
    def test_a_newer_file_is_said_to_be_newer_and_not_touched(self, path):
        add(path, source("t", A))
        with duckdb.connect(path) as connection:
            connection.execute("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
        before = path.read_bytes()
        for use in (Record, lambda p: add(p, source("u", B))):
            with pytest.raises(RecordError, match=r"schema 99, written by a newer groundspeed; .*Update groundspeed"):
                use(path)
        assert path.read_bytes() == before

    @pytest.fixture
    def older(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A file of a made-up version 0, that knew no power runs and called submitters vendors."""
        add(path, source("t", A, B))
        with duckdb.connect(path) as connection:
            for table in ("results", "set_aside"):
                connection.execute(f"ALTER TABLE {table} RENAME submitter TO vendor")
            connection.execute("ALTER TABLE sources DROP COLUMN noted")
            connection.execute("UPDATE meta SET value = '0' WHERE key = 'schema_version'")
        steps = (
            "ALTER TABLE results RENAME vendor TO submitter",
            "ALTER TABLE set_aside RENAME vendor TO submitter",
            "ALTER TABLE sources ADD COLUMN noted BIGINT DEFAULT 0",
        )
        monkeypatch.setattr(files, "MIGRATIONS", {0: steps})
        return path

    def test_reading_an_older_file_migrates_a_copy_and_writes_nothing(self, older):
        before = older.read_bytes()
        assert {r.provenance.submitter for r in Record(older).results()} == {"AMD"}
        assert older.read_bytes() == before

    def test_writing_to_an_older_file_migrates_it(self, older):
        add(older, source("u", result(id="c", path="c")))
        assert set(values(older)) == {"a", "b", "c"}
        with duckdb.connect(older, read_only=True) as connection:
            assert connection.execute("SELECT value FROM meta WHERE key = 'schema_version'").fetchall() == [("1",)]

    def test_a_migration_that_fails_leaves_the_file_as_it_was(self, older, monkeypatch):
        steps = ("ALTER TABLE results RENAME vendor TO submitter", "ALTER TABLE nothing RENAME a TO b")
        monkeypatch.setattr(files, "MIGRATIONS", {0: steps})
        with pytest.raises(RecordError, match="schema 0, which could not be brought to 1"):
            add(older, source("u", B))
        with duckdb.connect(older, read_only=True) as connection:
            assert connection.execute("SELECT vendor FROM results").fetchall() == [("AMD",), ("AMD",)]

    def test_a_database_of_something_else(self, path):
        with duckdb.connect(path) as connection:
            connection.execute("CREATE TABLE x (i INTEGER)")
        for use in (Record, lambda p: add(p, source("u", B))):
            with pytest.raises(RecordError, match="no record"):
                use(path)

    def test_a_damaged_database_is_read_as_it_was_or_said_to_be_damaged(self, path):
        add(path, source("t", A))
        whole = path.read_bytes()
        chance = random.Random(4)
        for attempt in range(40):
            damaged = bytearray(whole[: chance.randrange(20, len(whole))] if attempt % 3 == 0 else whole)
            for _ in range(attempt % 3 * 4):
                damaged[chance.randrange(12, len(damaged))] ^= 0x55
            path.write_bytes(damaged)
            assert read_or_error(path) in ({"a": 1.0}, "damaged")

    def test_a_parquet_record_is_never_written_to(self, tmp_path):
        write([A], tmp_path / "r.parquet")
        before = (tmp_path / "r.parquet").read_bytes()
        with pytest.raises(RecordError, match="read only"):
            add(tmp_path / "r.parquet", source("t", B))
        assert (tmp_path / "r.parquet").read_bytes() == before


class TestExport:
    @pytest.fixture
    def results(self) -> list[Result]:
        return Record().results(["v6.0", "v6.1"])

    def test_parquet_is_a_record_again(self, path, tmp_path, results):
        add(path, source("t", *results))
        assert export(Record(path), tmp_path / "out.parquet") == len(results)
        assert Record(tmp_path / "out.parquet").results() == results

    def test_json_lines_are_results_of_the_data_model(self, path, tmp_path, results):
        add(path, source("t", *results))
        export(Record(path), tmp_path / "out.jsonl")
        lines = (tmp_path / "out.jsonl").read_bytes().splitlines()
        assert [msgspec.json.decode(line, type=Result) for line in lines] == results

    def test_csv_has_the_columns_of_the_record(self, path, tmp_path, results):
        add(path, source("t", *results))
        export(Record(path), tmp_path / "out.csv")
        with (tmp_path / "out.csv").open(newline="") as stream:
            rows = list(csv.DictReader(stream))
        assert [(row["id"], float(row["value"])) for row in rows] == [(r.id, r.value) for r in results]

    def test_another_ending_is_refused(self, tmp_path):
        with pytest.raises(Exception, match=r"expected \.parquet, \.csv or \.jsonl"):
            export(Record(), tmp_path / "out.xlsx")
