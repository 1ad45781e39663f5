"""The record: what is embedded, and that writing and reading lose nothing."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

import groundspeed
from groundspeed import Record, RecordError, build_record
from groundspeed.record import write
from groundspeed.record.calendar import rounds
from makers import result

ROOT = Path(__file__).parents[1]
EMBEDDED = ROOT / "src" / "groundspeed" / "record" / "data" / "record.parquet"
TABLES = ("history_v2.0-v4.1.jsonl.gz", "v5.1_summary_results.json", "v6.0_summary_results.json", "v6.1_summary.csv")


@pytest.fixture(scope="module")
def embedded() -> Record:
    return Record()


def test_the_embedded_record_holds_every_round_but_v5_0(embedded):
    assert embedded.rounds() == [name for name in rounds() if name != "v5.0"]


def test_the_embedded_record_is_small_enough_for_a_wheel():
    assert EMBEDDED.stat().st_size < 3_000_000


def test_every_row_names_its_round_and_its_path(embedded):
    empty = embedded.table.filter(
        (embedded.table["path"] == "") | (embedded.table["round"] == "") | (embedded.table["source"] == "")
    )
    assert empty.count().to_pyarrow().as_py() == 0


def test_no_sentence_of_a_submitter_is_carried(embedded):
    assert "notes_published" not in embedded.table.columns
    texts = {n.detail for r in embedded.results(["v6.1"]) for n in r.notes}
    assert not any("Measured on host" in text or "Powered by" in text for text in texts)


def test_results_can_be_asked_for_by_round(embedded):
    assert {r.provenance.round for r in embedded.results(["v6.0"])} == {"v6.0"}
    assert embedded.results(["v9.9"]) == []


def test_ids_are_unique(embedded):
    results = embedded.results()
    assert len({r.id for r in results}) == len(results) == 31706


def test_what_is_written_is_read_again(tmp_path, embedded):
    results = embedded.results(["v6.1"])
    write(results, tmp_path / "r.parquet")
    assert Record(tmp_path / "r.parquet").results() == results


def test_the_order_in_which_results_come_does_not_matter(tmp_path, embedded):
    results = embedded.results(["v6.0", "v6.1"])
    write(results, tmp_path / "a.parquet")
    write(reversed(results), tmp_path / "b.parquet")
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_a_record_without_results_is_a_record(tmp_path):
    write([], tmp_path / "r.parquet")
    assert Record(tmp_path / "r.parquet").results() == []


def test_two_results_with_one_id_are_refused_and_nothing_is_written(tmp_path):
    one = result()
    with pytest.raises(RecordError, match="leave one of the two out"):
        write([one, one], tmp_path / "r.parquet")
    assert list(tmp_path.iterdir()) == []


def test_a_parquet_file_of_something_else_is_no_record(tmp_path):
    duckdb.sql("SELECT 1 AS x").write_parquet(str(tmp_path / "x.parquet"))
    with pytest.raises(RecordError, match="without the columns id, round"):
        Record(tmp_path / "x.parquet")


def test_hostile_names_survive_the_store(tmp_path):
    name = "<script>alert(1)</script>\u202e'\"; DROP TABLE x --\n\x00" + "x" * 10_000
    write([result(submitter=name)], tmp_path / "r.parquet")
    (read,) = Record(tmp_path / "r.parquet").results()
    assert read.provenance.submitter == name


@pytest.mark.slow
def test_the_embedded_record_is_rebuilt_byte_for_byte(tmp_path, shared_data):
    """DuckDB signs its files with its version: with another one the bytes differ, and the contents must not."""
    build_record([shared_data / "mlperf" / name for name in TABLES], tmp_path / "r.parquet")
    signed = f"DuckDB version {duckdb.__version__}".encode()
    if signed in EMBEDDED.read_bytes().replace(b"version v", b"version "):
        assert (tmp_path / "r.parquet").read_bytes() == EMBEDDED.read_bytes()
    assert Record(tmp_path / "r.parquet").results() == Record().results()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("* REPLACE ('NaN'::DOUBLE AS value)", "found the value nan; expected a number above 0"),
        ("* REPLACE (-1.0 AS value)", r"found the value -1\.0"),
        ("* REPLACE (NULL AS round)", "found no round"),
        ("* REPLACE ('soon' AS round)", 'found the round "soon"'),
    ],
)
def test_a_record_that_somebody_else_changed_is_refused_and_not_computed_with(tmp_path, change, said):
    duckdb.sql(f"SELECT {change} FROM '{EMBEDDED}' WHERE round IN ('v6.0', 'v6.1')").write_parquet(str(tmp_path / "r.parquet"))
    with pytest.raises(RecordError, match=said):
        groundspeed.audit_record(tmp_path / "r.parquet")
