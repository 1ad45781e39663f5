"""Findings as JSON, CSV and Markdown: complete, one row a finding, and harmless whatever a submitter calls himself."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest

import groundspeed
from groundspeed.audit import Audit
from groundspeed.audit.engine import run_ages, run_audit
from groundspeed.errors import GroundspeedError
from groundspeed.report.export import to_csv, to_json, to_markdown, write_text
from makers import result

FORMULAS = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1", '=HYPERLINK("https://example.org","open")']


def audited(**both) -> Audit:
    """The audit of one pair, both sides with the same overrides."""
    return run_audit([result(**{"round": "v6.0", "value": 82136.1, "stack": "ROCm 7.0.0", **both}), result(**both)])


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def cells(line: str) -> list[str]:
    """The cells of a Markdown table row: bars that are escaped separate nothing."""
    return [cell.strip() for cell in re.split(r"(?<!\\)(?:\\\\)*\|", line)[1:-1]]


def table(text: str) -> list[list[str]]:
    """The rows of a Markdown table without its two header lines, as a reader of CommonMark breaks lines."""
    lines = [line for line in re.split(r"\r\n|\r|\n", text) if line.startswith("|")]
    return [cells(line) for line in lines[2:]]


@pytest.fixture(scope="module")
def audit() -> Audit:
    """v6.0 -> v6.1 of the embedded record."""
    return groundspeed.audit_record()


# ---------------------------------------------------------------- JSON


def test_json_is_a_list_of_the_findings(audit):
    assert json.loads(to_json(audit.findings)) == json.loads(json.dumps([f.as_dict() for f in audit.findings]))


def test_json_of_nothing_is_an_empty_list():
    assert json.loads(to_json([])) == []


def test_json_keeps_values_exactly(audit):
    printed = json.loads(to_json(audit.findings))
    assert [(f["older"]["value"], f["newer"]["value"]) for f in printed] == [
        (f.older.value, f.newer.value) for f in audit.findings
    ]


@pytest.mark.parametrize("name", ['A "quoted" one', "line\nbreak", "\x00nul", "</script>", "Ünïcode 東京", *FORMULAS])
def test_json_gives_any_submitter_back_as_it_was(name):
    (finding,) = json.loads(to_json(audited(submitter=name).findings))
    assert finding["submitter"] == name


# ---------------------------------------------------------------- CSV


def test_csv_has_one_row_a_finding(audit):
    assert len(rows(to_csv(audit.findings))) == len(audit.findings)


def test_every_csv_row_has_every_column(audit):
    table = list(csv.reader(io.StringIO(to_csv(audit.findings), newline="")))
    assert len({len(row) for row in table}) == 1
    assert len(set(table[0])) == len(table[0])


def test_csv_gives_both_values_exactly(audit):
    read = [(float(r["older_value"]), float(r["newer_value"])) for r in rows(to_csv(audit.findings))]
    assert read == [(f.older.value, f.newer.value) for f in audit.findings]


def test_csv_has_a_column_for_every_key_of_a_finding(audit):
    header = rows(to_csv(audit.findings))[0].keys()
    nested = {"older": "older_value", "newer": "newer_value", "releases": "releases_feature", "noise": "noise_sigma_percent"}
    assert {nested.get(key, key) for key in audit.findings[0].as_dict()} <= header


def test_what_is_unknown_is_an_empty_cell_in_csv():
    (row,) = rows(to_csv(audited(accelerator=None, processor="Intel Xeon 6980P").findings))
    assert (row["accelerator"], row["releases_feature"], row["noise_sigma_percent"], row["older_accelerators"]) == (
        "",
        "",
        "",
        "",
    )


def test_a_negative_change_stays_a_number_in_csv():
    (row,) = rows(to_csv(run_audit([result(round="v6.0", value=200.0), result(value=100.0)]).findings))
    assert float(row["change_percent"]) == -50.0


def test_csv_of_nothing_is_empty():
    assert to_csv([]) == ""


@pytest.mark.parametrize("name", FORMULAS)
def test_a_submitter_that_is_a_formula_is_a_text_in_csv(name):
    (row,) = rows(to_csv(audited(submitter=name).findings))
    assert row["submitter"] == f"'{name}"


@pytest.mark.parametrize("column", ["older_stack", "older_system", "older_platform", "newer_path"])
def test_a_formula_anywhere_else_is_a_text_in_csv(column):
    name = "=1+1"
    key = column.partition("_")[2]
    (row,) = rows(to_csv(audited(**{key: name}).findings))
    assert row[column] == f"'{name}"


@pytest.mark.parametrize("name", ['A "quoted" one', "comma, comma", "line\nbreak", "line\r\nbreak", "semi;colon"])
def test_csv_gives_a_submitter_back_whatever_separators_he_has(name):
    (row,) = rows(to_csv(audited(submitter=name).findings))
    assert row["submitter"] == name


def test_csv_of_chains_and_of_ages_has_one_row_each():
    chained = [
        result(round=r, value=v, stack=s)
        for r, v, s in (("v5.1", 1.0, "ROCm 6.4.1"), ("v6.0", 2.0, "ROCm 7.0.0"), ("v6.1", 3.0, "ROCm 7.2.2"))
    ]
    assert [r["rounds"] for r in rows(to_csv(run_audit(chained, "all").chains))] == ["v5.1 v6.0 v6.1"]
    assert [r["age"] for r in rows(to_csv(run_ages(chained).groups))] == ["1", "2"]


# ---------------------------------------------------------------- Markdown


def test_markdown_has_one_row_a_finding(audit):
    assert len(table(to_markdown(audit))) == len(audit.findings)


def test_every_markdown_row_has_as_many_cells_as_the_header(audit):
    lines = [line for line in to_markdown(audit).splitlines() if line.startswith("|")]
    assert {len(cells(line)) for line in lines} == {16}


def test_markdown_shows_the_change_and_the_rates():
    (row,) = table(to_markdown(audited()))
    assert {"+37.9 %", "+17.4 %", "+6.6 %"} <= set(row)


def test_every_mark_in_the_markdown_table_is_explained_below(audit):
    text = to_markdown(audit)
    used = {mark for row in table(text) for mark in row[-1].split()}
    explained = set(re.findall(r"^- \*\*(\w+)\*\*", text, re.MULTILINE))
    assert used == explained


def test_markdown_names_the_trademark_and_that_figures_are_derived(audit):
    text = to_markdown(audit)
    assert "MLPerf is a trademark of the MLCommons Association." in text
    assert "derived, not official MLPerf results" in text


@pytest.mark.parametrize("name", ["a|b", "a\\|b", "a\\", "|", "||||"])
def test_bars_and_backslashes_open_no_cell(name):
    (row,) = table(to_markdown(audited(submitter=name)))
    assert len(row) == 16


@pytest.mark.parametrize("name", ["a\nb", "a\r\nb", "a\rb", "a\n| b | c |"])
def test_a_line_break_opens_no_row(name):
    (row,) = table(to_markdown(audited(submitter=name)))
    assert len(row) == 16


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!--"])
def test_html_is_text(name):
    assert "<" not in to_markdown(audited(submitter=name))


@pytest.mark.parametrize("name", ["**bold**", "_italic_", "`code`"])
def test_emphasis_is_text(name):
    ((who, *_),) = table(to_markdown(audited(submitter=name)))
    assert re.search(r"(?<!\\)[*_`]", who) is None


@pytest.mark.parametrize("name", ["[open](https://example.org)", "![x](https://example.org/x.png)"])
def test_a_link_or_an_image_is_text(name):
    ((who, *_),) = table(to_markdown(audited(submitter=name)))
    assert re.search(r"(?<!\\)\]\(", who) is None


# ---------------------------------------------------------------- writing a file


def test_a_file_is_written_as_it_is_given(tmp_path):
    write_text(tmp_path / "out.csv", "a,b\r\nü,東\n")
    assert (tmp_path / "out.csv").read_bytes() == "a,b\r\nü,東\n".encode()


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("a much longer text than the new one")
    write_text(path, "new")
    assert path.read_text() == "new"


def test_a_written_file_can_be_read_by_others(tmp_path):
    write_text(tmp_path / "out.json", "[]")
    assert (tmp_path / "out.json").stat().st_mode & 0o777 == 0o644


def failing(*_args: object, **_keywords: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["replace", "chmod"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, step):
    path = tmp_path / "out.json"
    path.write_text("old")
    monkeypatch.setattr(os, step, failing)
    with pytest.raises(GroundspeedError, match=r"out\.json: cannot be written \(No space left on device\)"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_a_text_that_cannot_be_encoded_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "half of it, then \ud800")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_a_folder_that_does_not_exist_is_said(tmp_path):
    with pytest.raises(GroundspeedError, match="No such file or directory"):
        write_text(tmp_path / "nowhere" / "out.json", "new")


def test_a_folder_is_not_overwritten(tmp_path):
    (tmp_path / "out").mkdir()
    with pytest.raises(GroundspeedError, match="out: cannot be written"):
        write_text(Path(tmp_path / "out"), "new")
    assert os.listdir(tmp_path) == ["out"]
