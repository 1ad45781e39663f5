"""A broken file gives one clear error: which file, where in it, what stands there and what should."""

from __future__ import annotations

import gzip
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from groundspeed.errors import GroundspeedError, SourceError
from groundspeed.sources.mlperf import read_table
from makers import (
    Row,
    checker_row,
    final_report_row,
    history_row,
    write_csv,
    write_json_lines,
    write_json_list,
    write_json_object,
)

LONGEST_MESSAGE = 500


def error_of(path: Path) -> SourceError:
    """The one error that reading a file gives, after checking that a person can read it."""
    with pytest.raises(SourceError) as caught:
        read_table(path)
    error = caught.value
    message = str(error)
    assert error.path == str(path)
    assert error.found
    assert error.expected
    assert message.startswith(str(path))
    assert error.found in message
    assert error.expected in message
    assert len(message) - len(str(path)) < LONGEST_MESSAGE
    assert message.splitlines() == [message], "the message is one line"
    return error


def written(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "table"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def json_list(tmp_path: Path, *rows: Row) -> Path:
    return write_json_list(tmp_path / "table.json", rows)


def csv_table(tmp_path: Path, *rows: Row) -> Path:
    return write_csv(tmp_path / "table.csv", rows)


def edited_csv(tmp_path: Path, edit: Callable[[str], str]) -> Path:
    """A CSV of two rows with something broken in its text."""
    path = csv_table(tmp_path, checker_row(), checker_row(Scenario="Offline"))
    text = path.read_text()
    assert edit(text) != text, "the edit found nothing to break"
    path.write_text(edit(text))
    return path


def lines(*rows: Row) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def without(row: Row, column: str) -> Row:
    return {name: value for name, value in row.items() if name != column}


# ---------------------------------------------------------------- before the format matters


def test_a_missing_file(tmp_path: Path) -> None:
    assert error_of(tmp_path / "none.json").found == "no such file"


def test_a_directory(tmp_path: Path) -> None:
    assert error_of(tmp_path).found == "a directory"


def test_a_file_below_a_file(tmp_path: Path) -> None:
    written(tmp_path, "x")
    assert "cannot be read" in error_of(tmp_path / "table" / "v6.1.csv").found


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="everything is readable for this user")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = json_list(tmp_path, final_report_row())
    path.chmod(0)
    assert "Permission denied" in error_of(path).found


def test_an_empty_file(tmp_path: Path) -> None:
    assert error_of(written(tmp_path, "")).found == "an empty file (0 bytes)"


def test_a_file_of_blanks(tmp_path: Path) -> None:
    assert "blanks" in error_of(written(tmp_path, " \n\n\t\n")).found


def test_a_gzip_of_nothing(tmp_path: Path) -> None:
    error = error_of(written(tmp_path, gzip.compress(b"")))
    assert (error.where, error.found) == ("gzip", "0 bytes after unpacking")


@pytest.mark.parametrize("kept", [2, 10, 60, -1, -8])
def test_a_truncated_gzip(tmp_path: Path, kept: int) -> None:
    whole = gzip.compress(lines(history_row(), history_row(Scenario="Server")).encode())
    error = error_of(written(tmp_path, whole[:kept]))
    assert error.where == "gzip"
    assert "truncated" in error.found


def test_a_gzip_with_damage_inside(tmp_path: Path) -> None:
    whole = bytearray(gzip.compress(lines(history_row(), history_row(Scenario="Server")).encode()))
    whole[len(whole) // 2] ^= 0xFF
    assert error_of(written(tmp_path, bytes(whole))).where == "gzip"


def test_a_file_that_unpacks_to_more_than_a_table_can_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundspeed.sources._files.read_bytes.__defaults__", ("a published table", 1000))
    assert "more than 1,000 bytes" in error_of(written(tmp_path, gzip.compress(b"[" + b" " * 10_000 + b"]"))).found


def test_bytes_that_are_no_utf_8_are_named_with_their_line(tmp_path: Path) -> None:
    text = lines(history_row(), history_row(Scenario="Server", notes="caf\u00e9")).encode().replace(b"\\u00e9", b"\xe9")
    error = error_of(written(tmp_path, text))
    assert error.where.startswith("line 2, byte ")
    assert "0xe9" in error.found
    assert "UTF-8" in error.expected


def test_a_utf_16_file(tmp_path: Path) -> None:
    assert "0xff" in error_of(written(tmp_path, json.dumps([final_report_row()]).encode("utf-16"))).found


# ---------------------------------------------------------------- truncated and malformed text


def test_a_truncated_list_is_named_with_its_last_line(tmp_path: Path) -> None:
    path = json_list(tmp_path, final_report_row(), final_report_row(Scenario="Offline"))
    text = path.read_text()[:-40]
    path.write_text(text)
    error = error_of(path)
    assert error.where == f"line {text.count(chr(10)) + 1}"
    assert "truncated" in error.found


def test_a_truncated_object_is_named_with_its_last_line(tmp_path: Path) -> None:
    path = write_json_object(tmp_path / "table.json", [checker_row(), checker_row(Scenario="Offline")])
    text = path.read_text()[:-40]
    path.write_text(text)
    error = error_of(path)
    assert error.where == f"line {text.count(chr(10)) + 1}"
    assert "truncated" in error.found


def test_truncated_lines_are_named_with_their_last_line(tmp_path: Path) -> None:
    rows = [history_row(Platform=str(i)) for i in range(5)]
    error = error_of(written(tmp_path, lines(*rows)[:-100]))
    assert error.where == "line 5"
    assert "truncated" in error.found


def test_a_first_line_that_is_truncated(tmp_path: Path) -> None:
    assert error_of(written(tmp_path, lines(history_row())[:60] + "\n" + lines(history_row()))).where == "line 1"


@pytest.mark.parametrize("start", ['{"Organization": 3, "MlperfModel": tru', '{"Organization": 3, "MlperfModel": }', '{"Orga'])
def test_a_line_that_is_both_wrong_and_truncated(tmp_path: Path, start: str) -> None:
    assert error_of(written(tmp_path, lines(history_row()) + start)).where.startswith("line 2")


def test_a_truncated_csv(tmp_path: Path) -> None:
    error = error_of(edited_csv(tmp_path, lambda text: text[:-60]))
    assert error.where == "line 3"


@pytest.mark.parametrize("after", ["x", "]", '{"Submitter": "AMD"}'])
def test_something_after_the_end_of_a_list(tmp_path: Path, after: str) -> None:
    path = json_list(tmp_path, final_report_row())
    path.write_text(path.read_text() + after)
    assert "trailing characters" in error_of(path).found


def test_blank_lines_at_the_top_are_counted(tmp_path: Path) -> None:
    assert error_of(written(tmp_path, "\n\n\n" + lines(history_row(), history_row(Organization=3)))).where.startswith("line 5")


@pytest.mark.parametrize(
    ("column", "number", "said"),
    [(column, number, "") for column in ("Performance_Result", "Nodes", "errors") for number in ("NaN", "Infinity", "-", "0x1")]
    + [(column, "1e999", "out of range") for column in ("Performance_Result", "Nodes")],
)
def test_a_number_that_json_does_not_have(tmp_path: Path, column: str, number: str, said: str) -> None:
    row = json.dumps(final_report_row(**{column: 4242.5})).replace("4242.5", number)
    path = written(tmp_path, f"[{json.dumps(final_report_row(Platform='first'))},\n{row}]")
    assert said in error_of(path).found.casefold()


@pytest.mark.parametrize("number", ["NaN", "1e999"])
@pytest.mark.parametrize("line", [1, 2])
def test_a_number_that_json_does_not_have_in_a_line(tmp_path: Path, number: str, line: int) -> None:
    rows = [history_row(Platform="other"), history_row(Platform="other", Scenario="Server")]
    rows[line - 1]["Result"] = 4242.5
    assert error_of(written(tmp_path, lines(*rows).replace("4242.5", number))).where.startswith(f"line {line}")


@pytest.mark.parametrize("number", ["NaN", "1e999"])
def test_a_number_that_json_does_not_have_in_an_object(tmp_path: Path, number: str) -> None:
    path = write_json_object(tmp_path / "table.json", [checker_row(Result=4242.5)])
    path.write_text(path.read_text().replace("4242.5", number))
    error_of(path)


@pytest.mark.parametrize(
    "content",
    [
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000,
        '{"0":' * 100_000 + "1" + "}" * 100_000,
        '[{"Submitter":' + "[" * 100_000 + "]" * 100_000 + "}]",
        lines(history_row()) + lines(history_row())[:-2] + ', "more": ' + "[" * 100_000 + "]" * 100_000 + "}",
    ],
    ids=["open lists", "lists", "open objects", "objects", "in a column", "in the second line"],
)
def test_deep_nesting_is_an_error_and_not_a_crash(tmp_path: Path, content: str) -> None:
    error_of(written(tmp_path, content))


# ---------------------------------------------------------------- JSON that is no table


@pytest.mark.parametrize("content", ["3", '"v6.1"', "null", "true", "-1.5"])
def test_a_json_scalar(tmp_path: Path, content: str) -> None:
    error = error_of(written(tmp_path, content))
    assert content.strip('"') in error.found
    assert "Submitter" in error.expected
    assert "Organization" in error.expected


@pytest.mark.parametrize(("content", "found"), [("[1, 2, 3]", "1"), ("[[1]]", "[1]"), ("[null]", "null"), ('["a"]', '"a"')])
def test_a_list_of_something_else_than_rows(tmp_path: Path, content: str, found: str) -> None:
    error = error_of(written(tmp_path, content))
    assert (error.where, error.found) == ("row 1", found)


@pytest.mark.parametrize(("second", "found"), [("3", "3"), ("null", "null"), ("[1]", "[1]"), ('"a"', '"a"')])
def test_a_second_row_that_is_none(tmp_path: Path, second: str, found: str) -> None:
    row = json.dumps(final_report_row())
    error = error_of(written(tmp_path, f"[{row}, {second}]"))
    assert (error.where, error.found) == ("row 2", found)


@pytest.mark.parametrize(("second", "found"), [("3", "3"), ("null", "null"), ("[1]", "[1]")])
def test_a_second_line_that_is_no_row(tmp_path: Path, second: str, found: str) -> None:
    error = error_of(written(tmp_path, lines(history_row()) + second))
    assert (error.where, error.found) == ("line 2", found)


def test_an_empty_list(tmp_path: Path) -> None:
    assert error_of(written(tmp_path, "[]")).found == "an empty list"


def test_an_empty_object(tmp_path: Path) -> None:
    assert error_of(written(tmp_path, "{}")).found == "an empty object"


def test_a_csv_header_without_rows(tmp_path: Path) -> None:
    error_of(edited_csv(tmp_path, lambda text: text.partition("\n")[0] + "\n"))


def test_an_object_whose_keys_are_no_numbers(tmp_path: Path) -> None:
    error = error_of(written(tmp_path, json.dumps({"0": checker_row(), "total": 1})))
    assert (error.where, error.found) == ('key "total"', "1")


def test_an_object_with_a_key_twice_loses_no_row_in_silence(tmp_path: Path) -> None:
    path = write_json_object(tmp_path / "table.json", [checker_row(), checker_row(Scenario="Offline")])
    path.write_text(path.read_text().replace('"1": {', '"0": {', 1))
    assert "0" in error_of(path).where


def test_nul_bytes(tmp_path: Path) -> None:
    error_of(written(tmp_path, "\0" * 1000))


def test_text_that_is_no_table(tmp_path: Path) -> None:
    error = error_of(written(tmp_path, "Results of the last week\n\nall good\n"))
    assert error.where == "line 1"
    assert "Results of the last week" in error.found


def test_binary_bytes_that_are_no_table(tmp_path: Path) -> None:
    error_of(written(tmp_path, b"PAR1\x15\x04\x15\x00PAR1"))


# ---------------------------------------------------------------- columns


@pytest.mark.parametrize("row", [{"Name": "x", "Score": 1}, {"Submitter": "AMD"}, {}, {"Organization": "AMD", "Result": 1}])
def test_columns_of_something_else(tmp_path: Path, row: Row) -> None:
    error = error_of(json_list(tmp_path, row))
    assert error.where == "row 1"
    assert all(column in error.found for column in row)
    assert "UsedModel" in error.expected


@pytest.mark.parametrize("column", ["Submitter", "Platform", "Model", "Category", "Location", "Performance_Result"])
def test_a_column_missing_from_a_row_of_a_list(tmp_path: Path, column: str) -> None:
    error = error_of(json_list(tmp_path, final_report_row(), without(final_report_row(Scenario="Offline"), column)))
    assert error.where == "row 2"
    assert column in error.found


@pytest.mark.parametrize("column", ["Platform", "Division", "SystemName", "Location", "Units"])
def test_a_column_missing_from_a_line(tmp_path: Path, column: str) -> None:
    error = error_of(written(tmp_path, lines(history_row(), without(history_row(Scenario="Server"), column))))
    assert error.where == "line 2"
    assert column in error.found


def test_a_column_missing_from_an_object_of_rows(tmp_path: Path) -> None:
    path = write_json_object(tmp_path / "t.json", [checker_row(), without(checker_row(Scenario="Offline"), "Platform")])
    error = error_of(path)
    assert error.where == 'key "1"'
    assert "Platform" in error.found


@pytest.mark.parametrize("column", ["Platform", "Division", "Location", "Units"])
def test_a_column_missing_from_a_csv(tmp_path: Path, column: str) -> None:
    error = error_of(edited_csv(tmp_path, lambda text: text.replace(f"{column},", "Something,", 1)))
    assert column in error.found


def test_a_csv_header_with_a_column_twice(tmp_path: Path) -> None:
    error = error_of(edited_csv(tmp_path, lambda text: text.replace("MlperfModel", "Model", 1)))
    assert error.where == "line 1"
    assert "Model" in error.found


@pytest.mark.parametrize(("cut", "fields"), [('"AMD",', 30), ('"AMD","available","closed",', 28)])
def test_a_csv_line_with_too_few_fields(tmp_path: Path, cut: str, fields: int) -> None:
    error = error_of(edited_csv(tmp_path, lambda text: text[::-1].replace(cut[::-1], "", 1)[::-1]))
    assert error.where == "line 3"
    assert (error.found, error.expected) == (f"{fields} fields", "31 fields, as in the header")


def test_a_csv_line_with_too_many_fields(tmp_path: Path) -> None:
    error = error_of(edited_csv(tmp_path, lambda text: text.replace('"AMD"', '"AMD","AMD"', 1)))
    assert (error.where, error.found) == ("line 2", "32 fields")


def test_a_csv_with_a_broken_quote(tmp_path: Path) -> None:
    error = error_of(edited_csv(tmp_path, lambda text: text.replace('"AMD","avail', '"A"MD","avail', 1)))
    assert error.where == "line 2"


def test_a_csv_field_as_long_as_a_book(tmp_path: Path) -> None:
    assert error_of(csv_table(tmp_path, checker_row(), checker_row(notes="x" * 200_000))).where == "line 3"


# ---------------------------------------------------------------- values

LONG = "fast " * 100


@pytest.mark.parametrize("value", ["fast", "82136.1 tokens/s", "82136.1", "", True, [1], {"value": 1}, LONG, "1\n2"])
def test_a_text_where_the_result_belongs_in_json(tmp_path: Path, value: object) -> None:
    error = error_of(json_list(tmp_path, final_report_row(), final_report_row(Scenario="Offline", Performance_Result=value)))
    assert error.where == "row 2, field Performance_Result"
    assert error.expected == "a number"


@pytest.mark.parametrize("value", ["fast", "113241.0 tokens/s", "113,241", LONG, "1_000", "0x10"])
def test_a_text_where_the_result_belongs_in_csv(tmp_path: Path, value: str) -> None:
    error = error_of(csv_table(tmp_path, checker_row(), checker_row(Scenario="Offline", Result=value)))
    assert error.where == "line 3, field Result"
    assert error.found.startswith(f'"{value[:20]}')
    assert error.expected == "a number"


def test_a_field_of_several_lines_is_quoted_in_one(tmp_path: Path) -> None:
    assert error_of(csv_table(tmp_path, checker_row(Result="1\n2"))).expected == "a number"


def test_a_number_where_a_text_belongs(tmp_path: Path) -> None:
    error = error_of(written(tmp_path, lines(history_row(), history_row(Organization=42))))
    assert (error.where, error.found, error.expected) == ("line 2, field Organization", "42", "a text")


def test_a_result_too_large_for_a_number(tmp_path: Path) -> None:
    assert error_of(json_list(tmp_path, final_report_row(Performance_Result=10**400))).where == "row 1, field Performance_Result"


def field_of(error: SourceError, *names: str) -> bool:
    """Whether an error names a field by one of the names a table may have for it."""
    field = error.where.partition("field ")[2]
    return field.casefold() in {name.casefold() for name in names}


COUNTS = {
    "Nodes": ("nodes",),
    "a#": ("accelerators per node", "a#"),
    "Total Accelerators": ("total accelerators",),
    "host_processors_per_node": ("processors per node", "host_processors_per_node"),
}


@pytest.mark.parametrize("column", COUNTS)
@pytest.mark.parametrize("value", [8.5, -1, "8.5", "-1", "eight", "8x", True, [8], "²", "9" * 5000, 10**30, 1e30, "1_0"])
def test_a_count_that_is_none(tmp_path: Path, column: str, value: object) -> None:
    error = error_of(json_list(tmp_path, final_report_row(), final_report_row(Scenario="Offline", **{column: value})))
    assert error.where.startswith("row 2, field ")
    assert field_of(error, *COUNTS[column])


@pytest.mark.parametrize("value", ["8.5", "-1", "eight", "²", "9" * 5000])
def test_a_count_that_is_none_in_csv(tmp_path: Path, value: str) -> None:
    error = error_of(csv_table(tmp_path, checker_row(), checker_row(Scenario="Offline", accelerators_per_node=value)))
    assert error.where.startswith("line 3, field ")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("Accelerator", f"AMD Instinct MI355X (x{'9' * 5000})"),
        ("Accelerator", f"2 Nodes: NVIDIA A30x{'9' * 5000}"),
        ("Platform", f"{'9' * 5000}xMI355X"),
        ("System", f"{'9' * 5000}x MI355X"),
        ("Accelerator", f"AMD Instinct MI355X (x{'9' * 30})"),
    ],
)
def test_a_count_in_a_name_that_no_system_can_have_is_no_crash(tmp_path: Path, column: str, value: str) -> None:
    path = json_list(tmp_path, final_report_row(**{column: value}))
    try:
        reading = read_table(path)
    except SourceError:
        return
    assert reading.adds_up
    assert all((r.system.count or 0) < 2**63 for r in reading.results)


@pytest.mark.parametrize("make", [final_report_row, checker_row, history_row])
def test_a_row_without_a_round(tmp_path: Path, make: Callable[..., Row]) -> None:
    error = error_of(json_list(tmp_path, make(), without(make(Scenario="Server"), "version")))
    assert error.where == "row 2"
    assert "version" in error.found
    assert "round" in error.found


@pytest.mark.parametrize("round_", ["", "6.1", "v6", "v6.1.0", "round six", "v6.1\n", "v" + "9" * 5000 + ".0", None, 6.1, LONG])
def test_a_round_that_is_none(tmp_path: Path, round_: object) -> None:
    error = error_of(json_list(tmp_path, final_report_row(), final_report_row(Scenario="Offline", version=round_)))
    assert error.where.startswith("row 2")
    assert "version" in error.where + error.found


def test_a_csv_row_without_a_round(tmp_path: Path) -> None:
    error = error_of(csv_table(tmp_path, checker_row(), checker_row(Scenario="Offline", version="")))
    assert error.where.startswith("line 3")
    assert "version" in error.where + error.found


@pytest.mark.parametrize(
    ("column", "names", "allowed"),
    [
        ("Category", ("division", "Category"), ["closed", "open", "network"]),
        ("Availability", ("availability",), ["available", "preview", "rdi"]),
        ("Scenario", ("scenario",), ["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]),
    ],
)
@pytest.mark.parametrize("value", ["Batch", "", LONG, "on\nline"])
def test_a_division_availability_or_scenario_that_is_none(
    tmp_path: Path, column: str, names: tuple[str, ...], allowed: list[str], value: str
) -> None:
    error = error_of(json_list(tmp_path, final_report_row(Platform="first"), final_report_row(**{column: value})))
    assert error.where.startswith("row 2, field ")
    assert field_of(error, *names)
    assert all(word in error.expected for word in allowed)


@pytest.mark.parametrize("column", ["Division", "Availability", "Scenario"])
def test_a_division_availability_or_scenario_that_is_none_in_csv(tmp_path: Path, column: str) -> None:
    error = error_of(csv_table(tmp_path, checker_row(Platform="first"), checker_row(**{column: "Batch"})))
    assert error.where.startswith("line 3, field ")
    assert error.found == '"Batch"'


def test_names_with_line_ends_are_quoted_in_one_line(tmp_path: Path) -> None:
    error_of(json_list(tmp_path, {"first\nsecond": 1}))
    error_of(written(tmp_path, json.dumps({"first\nsecond": 1})))
    error_of(written(tmp_path, '"first\nsecond",b\n1,2\n'))


# ---------------------------------------------------------------- the error as such


def test_nothing_of_a_table_with_one_broken_row_is_kept(tmp_path: Path) -> None:
    rows = [final_report_row(Platform=str(i)) for i in range(50)]
    error = error_of(json_list(tmp_path, *rows, final_report_row(Performance_Result="fast")))
    assert error.where.startswith("row 51")


def test_an_error_of_a_file_is_an_error_of_the_package() -> None:
    error = SourceError("table.csv", "line 3, field Result", '"fast"', "a number")
    assert isinstance(error, GroundspeedError)
    assert str(error) == 'table.csv: line 3, field Result: found "fast"; expected a number'


def test_an_error_without_a_place_names_the_file_alone() -> None:
    assert re.fullmatch(
        r"table\.csv: found no such file; expected .+", str(SourceError("table.csv", "", "no such file", "a file"))
    )


@pytest.mark.parametrize("gz", [False, True])
def test_an_error_inside_a_gzip_names_the_line_of_the_unpacked_text(tmp_path: Path, gz: bool) -> None:
    path = write_json_lines(tmp_path / "t.jsonl", [history_row(), history_row(Organization=42)], gz=gz)
    assert error_of(path).where == "line 2, field Organization"
