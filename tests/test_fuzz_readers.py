"""Whatever stands in a file, reading it gives a table that adds up or the package's own error, and nothing else."""

from __future__ import annotations

import functools
import gzip
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundspeed import Record
from groundspeed.errors import RecordError, SourceError
from groundspeed.record.store import write
from groundspeed.sources.mlperf import Reading, read_table
from makers import (
    Row,
    checker_row,
    final_report_row,
    history_row,
    power_row,
    result,
    write_csv,
    write_json_lines,
    write_json_list,
    write_json_object,
)

fuzz = settings(max_examples=150, deadline=None, derandomize=True)
MAKERS = (final_report_row, checker_row, history_row)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file that every example writes anew."""
    return tmp_path_factory.mktemp("fuzz") / "file"


def readable(error: Exception, path: Path) -> None:
    """One short line that begins with the file's name."""
    message = str(error)
    assert message.startswith(str(path))
    assert len(message) - len(str(path)) < 500
    assert message.splitlines() == [message]


def adds_up_or_says_why(path: Path) -> Reading | None:
    try:
        reading = read_table(path)
    except SourceError as error:
        readable(error, path)
        return None
    assert reading.rows == len(reading.results) + reading.merged + len(reading.rejected)
    assert all(r.value > 0 for r in reading.results)
    return reading


@functools.cache
def valid_tables() -> tuple[bytes, ...]:
    """A small valid table in every container."""
    writers: list[Callable[[Path], Path]] = [
        lambda p: write_json_list(p, [final_report_row(), final_report_row(Scenario="Offline")]),
        lambda p: write_csv(p, [checker_row(), checker_row(Scenario="Offline")]),
        lambda p: write_json_object(p, [checker_row(), checker_row(Scenario="Offline")]),
        lambda p: write_json_lines(p, [history_row(), power_row(4220.5), history_row(Scenario="Server")]),
        lambda p: write_json_lines(p, [history_row(), power_row(4220.5)], gz=True),
    ]
    with tempfile.TemporaryDirectory() as folder:
        return tuple(writer(Path(folder) / "table").read_bytes() for writer in writers)


SIGNS = [b'"', b"\n", b",", b"\0", b"{", b"]", b"\\", b"\xff", "²".encode(), b"[" * 5000]
NUMBERS = [b"1e999", b"-1e999", b"NaN", b"9" * 400, b"9" * 5000, b"-0", b"1e-400", "²".encode(), b""]


@st.composite
def damaged(draw: st.DrawFn, contents: tuple[bytes, ...]) -> bytes:
    """A valid file with a few bytes flipped, deleted, doubled, written over or cut off."""
    data = bytearray(draw(st.sampled_from(contents)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        length = draw(st.integers(1, 40))
        match draw(st.sampled_from(["flip", "delete", "double", "overwrite", "number", "cut"])):
            case "flip" if data:
                data[at] ^= 1 << draw(st.integers(0, 7))
            case "delete":
                del data[at : at + length]
            case "double":
                data[at:at] = data[at : at + length]
            case "overwrite":
                data[at : at + 1] = draw(st.sampled_from(SIGNS))
            case "number" if found := list(re.finditer(rb"\d[\d.]*", data)):
                number = draw(st.sampled_from(found))
                data[number.start() : number.end()] = draw(st.sampled_from(NUMBERS))
            case "cut":
                del data[at:]
    return bytes(data)


def numbers() -> st.SearchStrategy[int | float]:
    return st.integers() | st.floats(allow_nan=False, allow_infinity=False)


ALMOST = [
    "", "²", "8.0", "-1", "(8,4)", "N/A", "8", "v6.1", "v٦.١", "9" * 30, "9" * 5000, "v" + "9" * 5000 + ".0", "1e400", "nan", "1_0",
    "Offline", "offline ", "closed", "a\nb", "\0", "\x85", "MI355X (x" + "9" * 5000 + ")", "9" * 5000 + "xMI355X", "2 Nodes: A30x0",
]  # fmt: skip


def texts() -> st.SearchStrategy[str]:
    """Texts, among them what almost is a count, a round, a number or a name."""
    digits = st.text(alphabet="0123456789xX().,+- Nodes:GBW", max_size=30)
    return st.sampled_from(ALMOST) | st.text(max_size=30) | digits


def alike(value: object) -> st.SearchStrategy[object]:
    """Values that may stand in a column in place of one that does."""
    return texts() if isinstance(value, str) else numbers() | texts()


def json_values() -> st.SearchStrategy[object]:
    leaves = st.none() | st.booleans() | numbers() | texts()
    return st.recursive(
        leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts(), inner, max_size=4), max_leaves=12
    )


# ---------------------------------------------------------------- published tables


@fuzz
@given(content=st.binary(max_size=300))
@example(content=b"\x1f\x8b")
@example(content=b"\xef\xbb\xbf")
@example(content=b"{")
@example(content=b"[[[[")
@example(content=b'"')
def test_arbitrary_bytes(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    adds_up_or_says_why(file)


@fuzz
@given(content=st.binary(max_size=300))
def test_arbitrary_bytes_in_a_gzip(file: Path, content: bytes) -> None:
    file.write_bytes(gzip.compress(content))
    adds_up_or_says_why(file)


@fuzz
@given(content=st.text(alphabet='[]{}",:0123456789eE.-\\ntrufalse \n', max_size=60))
def test_text_made_of_the_signs_of_json(file: Path, content: str) -> None:
    file.write_text(content)
    adds_up_or_says_why(file)


@settings(fuzz, max_examples=500)
@given(content=damaged(valid_tables()))
def test_a_valid_table_with_damage(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    adds_up_or_says_why(file)


@fuzz
@given(value=json_values())
def test_arbitrary_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value))
    adds_up_or_says_why(file)


@fuzz
@given(rows=st.lists(json_values(), min_size=1, max_size=4), first=st.booleans())
def test_arbitrary_json_lines(file: Path, rows: list[object], first: bool) -> None:
    every = [history_row(), *rows] if first else rows
    file.write_text("\n".join(json.dumps(row) for row in every))
    adds_up_or_says_why(file)


@settings(fuzz, max_examples=300)
@given(data=st.data())
def test_rows_with_arbitrary_values_in_their_columns(file: Path, data: st.DataObject) -> None:
    row: Row = data.draw(st.sampled_from(MAKERS))()
    for column in data.draw(st.lists(st.sampled_from(sorted(row)), min_size=1, max_size=2)):
        row[column] = data.draw(alike(row[column]))
    write_json_list(file, [row])
    adds_up_or_says_why(file)


@fuzz
@given(make=st.sampled_from(MAKERS), data=st.data())
def test_rows_with_a_value_of_another_kind(file: Path, make: Callable[..., Row], data: st.DataObject) -> None:
    row = make()
    row[data.draw(st.sampled_from(sorted(row)))] = data.draw(json_values())
    write_json_lines(file, [make(), row])
    adds_up_or_says_why(file)


@settings(fuzz, max_examples=300)
@given(data=st.data())
def test_csv_rows_with_arbitrary_texts_in_their_fields(file: Path, data: st.DataObject) -> None:
    row = checker_row()
    for column in data.draw(st.lists(st.sampled_from(sorted(row)), min_size=1, max_size=3)):
        row[column] = data.draw(texts())
    write_csv(file, [row])
    adds_up_or_says_why(file)


@fuzz
@given(order=st.permutations(range(6)))
def test_the_order_of_rows_decides_nothing_but_the_order_of_results(file: Path, order: list[int]) -> None:
    rows = [
        history_row(), power_row(4220.5), history_row(Scenario="Server"), power_row(5610.9, Scenario="Server"),
        history_row(Platform="other", inferred=1), power_row(99.0, Platform="orphan"),
    ]  # fmt: skip
    reading = read_table(write_json_lines(file, [rows[i] for i in order]))
    assert (len(reading.results), reading.merged, len(reading.rejected)) == (3, 2, 1)
    powers = {(r.system.platform, r.workload.scenario): r.quality.power and r.quality.power.value for r in reading.results}
    assert powers == {
        ("DGX-H100_H100-SXM-80GBx8_TRT", "Offline"): 4220.5,
        ("DGX-H100_H100-SXM-80GBx8_TRT", "Server"): 5610.9,
        ("other", "Offline"): None,
    }


# ---------------------------------------------------------------- record files


@functools.cache
def valid_record() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record.parquet"
        write([result(), result(round="v6.0", value=82136.1), result(accelerator=None, scenario="Offline")], path)
        return path.read_bytes()


def opens_or_says_why(path: Path) -> None:
    try:
        record = Record(path)
        record.rounds()
        record.results()
    except RecordError as error:
        readable(error, path)


@settings(fuzz, max_examples=40)
@given(content=st.binary(max_size=300))
@example(content=b"")
@example(content=b"PAR1PAR1")
@example(content=b"PAR1\x00\x00\x00\x00PAR1")
def test_a_record_of_arbitrary_bytes(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    opens_or_says_why(file)


@settings(fuzz, max_examples=120)
@given(content=damaged((valid_record(),)))
def test_a_record_with_damage(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    opens_or_says_why(file)


@settings(fuzz, max_examples=20)
@given(content=st.sampled_from(valid_tables()))
def test_a_published_table_is_no_record(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(RecordError, match="expected a record"):
        Record(file)
