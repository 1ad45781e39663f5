"""`groundspeed claims`, as a user would call it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from programs import run
from test_ledger import GOOD


def test_without_a_ledger_the_built_in_one_is_checked():
    text = run("claims", "check").stdout
    assert text.startswith("68 claims: ")
    assert "S-07  confirmed" in text
    assert "against the best +6.3 % (HPE)" in text


def test_json_has_the_keys_that_are_promised():
    findings = json.loads(run("claims", "check", "--json").stdout)
    assert len(findings) == 68
    keys = {"id", "verdict", "claimed", "computed", "unit", "basis", "tier", "caveats", "comparators", "evidence", "note"}
    assert all(keys <= f.keys() for f in findings)
    s07 = next(f for f in findings if f["id"] == "S-07")
    assert {"claimed", "best", "median"} <= s07["comparators"].keys()
    assert {"value", "submitter", "computed"} <= s07["comparators"]["best"].keys()


def test_csv_has_one_row_a_part():
    rows = list(csv.DictReader(io.StringIO(run("claims", "check", "--csv").stdout)))
    assert {row["id"] for row in rows} >= {"S-01", "51-NV-2"}
    assert len(rows) > 68


def test_markdown_is_a_table():
    assert run("claims", "check", "--markdown").stdout.startswith("| claim | sentence |")


def test_only_some_claims():
    findings = json.loads(run("claims", "check", "--only", "S-07,S-08", "--json").stdout)
    assert [f["id"] for f in findings] == ["S-07", "S-08"]
    assert "S-07?" in run("claims", "check", "--only", "S-O7", status=1).stderr


def test_fail_on_gives_its_own_exit_status():
    run("claims", "check", "--only", "S-22", "--fail-on", "contradicted,overstated", status=3)
    run("claims", "check", "--only", "S-01", "--fail-on", "contradicted,overstated")
    assert "is no verdict" in run("claims", "check", "--fail-on", "wrong", status=1).stderr


def test_explain_argues_a_claim():
    text = run("claims", "explain", "S-07").stdout
    for word in ("question", "arithmetic", "verdict", "against", "otherwise", "114,569", "closed/AMD/results"):
        assert word in text


def test_explain_takes_a_ledger(tmp_path):
    (tmp_path / "l.yaml").write_text(GOOD.replace("claimed: 38", "claimed: 40"))
    assert "overstated" in run("claims", "explain", "one", "--ledger", str(tmp_path / "l.yaml")).stdout


def test_mistakes_are_listed_one_a_line(tmp_path):
    (tmp_path / "l.yaml").write_text(GOOD.replace("MI355X", "MI356X").replace("Server", "Sever"))
    lines = run("claims", "check", str(tmp_path / "l.yaml"), status=1).stderr.splitlines()
    assert len(lines) == 2
    assert all("l.yaml:7: claim one, field question.of." in line for line in lines)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"claims: ["])
def test_a_broken_ledger_is_one_message(tmp_path, content):
    (tmp_path / "l.yaml").write_bytes(content)
    done = run("claims", "check", str(tmp_path / "l.yaml"), status=1)
    assert "Traceback" not in done.stderr
    assert "l.yaml" in done.stderr


def test_a_missing_ledger_is_said(tmp_path):
    assert "no such file" in run("claims", "check", str(tmp_path / "none.yaml"), status=1).stderr


def test_the_schema_is_json_schema():
    made = json.loads(run("claims", "schema").stdout)
    assert made["$schema"].startswith("https://json-schema.org")
