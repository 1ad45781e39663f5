"""Ingest: from files and places into a record file."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tarfile
import threading
import zipfile
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from groundspeed.api.ingesting import ingest
from groundspeed.record import Record
from groundspeed.record.ingested import Ingested
from groundspeed.sources import _findings
from groundspeed.sources._limits import Limits
from makers import checker_row, final_report_row, result, write_csv, write_json_lines, write_json_list
from programs import run
from trees import SCENARIO, small_tree


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "team.duckdb"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A directory with three tables among other files."""
    root = tmp_path / "repository"
    (root / "closed" / "AMD" / "results" / "x").mkdir(parents=True)
    (root / "closed" / "AMD" / "results" / "x" / "summary.json").write_text("{}")
    (root / "tables").mkdir()
    (root / "package.json").write_text('{"name": "x"}')
    (root / "README.md").write_text("# x")
    write_json_list(root / "summary_results.json", [final_report_row()])
    write_csv(root / "tables" / "v6.1.csv", [checker_row()])
    write_json_lines(root / "tables" / "old.jsonl.gz", [checker_row(version="v5.1")], gz=True)
    return root


def taken(paths: list[Path | str], record: Path, **options: object) -> list[Ingested]:
    return list(ingest(paths, record, **options))  # type: ignore[arg-type]


def outcomes(items: list[Ingested]) -> dict[str, str]:
    return {item.name: item.outcome for item in items}


def count(record: Path) -> int:
    opened = Record(record)
    found = len(opened.results())
    opened.close()
    return found


ALL = {"summary_results.json": "added", "v6.1.csv": "added", "old.jsonl.gz": "added"}


class TestPlaces:
    def test_every_published_table_of_a_directory_is_found(self, tree, record):
        assert outcomes(taken([tree], record)) == ALL
        assert Record(record).rounds() == ["v5.1", "v6.0", "v6.1"]

    def test_the_same_from_a_zip_a_tar_and_a_repository_is_there_already(self, tree, record, tmp_path):
        taken([tree], record)
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            for file in tree.rglob("*"):
                archive.write(file, file.relative_to(tree))
        with tarfile.open(tmp_path / "a.tgz", "w:gz") as tar:
            tar.add(tree, "top")
        places: list[Path | str] = [tmp_path / "a.zip", tmp_path / "a.tgz"]
        if shutil.which("git"):
            names = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
            for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
                subprocess.run(["git", "-C", str(tree), *names, *arguments], check=True)
            subprocess.run(["git", "clone", "-q", "--bare", str(tree), str(tmp_path / "b.git")], check=True)
            places.append(tmp_path / "b.git")
        items = taken(places, record)
        assert len(items) == 3 * len(places)
        assert {item.outcome for item in items} == {"already there"}
        assert count(record) == 3

    def test_a_place_without_tables_is_a_failure(self, tmp_path, record):
        (tmp_path / "empty").mkdir()
        (item,) = taken([tmp_path / "empty"], record)
        assert item.outcome == "failed"
        assert "neither a published table nor a result tree" in (item.error or "")
        assert not record.exists()

    def test_another_reader_of_places_is_one_line(self, tree, record, monkeypatch):
        def read_trees(place):
            rows = [result(id="t", path="t")]
            yield _findings.Found("AMD", "tree", _findings.content_sha256(rows, []), 1, rows)

        monkeypatch.setattr(_findings, "READERS", (*_findings.READERS, read_trees))
        assert outcomes(taken([tree], record)) == ALL | {"AMD": "added"}
        assert outcomes(taken([tree], record)) == dict.fromkeys([*ALL, "AMD"], "already there")

    def test_a_pipe_in_a_directory_is_left_out_and_never_waited_for(self, tree, record):
        os.mkfifo(tree / "summary.json")
        said: dict[str, Sequence[str]] = {}
        assert outcomes(taken([tree], record, left_out=said.__setitem__)) == ALL
        assert said == {str(tree): ("summary.json: a device, a pipe, or a link to a directory",)}

    def test_limits_are_the_callers(self, tree, record):
        (item,) = taken([tree], record, limits=Limits(files=2))
        assert "--max-files" in (item.error or "")


class TestIdempotence:
    def test_the_same_tree_twice_changes_nothing(self, tree, record):
        taken([tree], record)
        before = Record(record).sources(), Record(record).results()
        assert set(outcomes(taken([tree], record)).values()) == {"already there"}
        assert (Record(record).sources(), Record(record).results()) == before

    def test_changed_content_is_a_visible_change(self, tmp_path, record):
        table = tmp_path / "v6.1.csv"
        taken([write_csv(table, [checker_row()])], record)
        (item,) = taken([write_csv(table, [checker_row(Result=5.0)])], record)
        assert item.outcome == "replaced"
        assert len(item.superseded) == 1
        (difference,) = json.loads(run("record", "diff", "--record", str(record), "--json").stdout)
        (change,) = difference["changes"]
        assert change["fields"]["value"] == {"older": 113241.0, "newer": 5.0}


class TestBrokenSources:
    def test_a_broken_file_is_reported_and_the_rest_stays(self, tree, record):
        (tree / "tables" / "v9_summary.json").write_text('[{"Submitter": "AMD", "UsedModel": "x"')
        items = taken([tree], record)
        assert outcomes(items) == ALL | {"v9_summary.json": "failed"}
        assert count(record) == 3

    def test_two_tables_that_differ_are_not_both_taken(self, tmp_path, record):
        one, two = write_csv(tmp_path / "a.csv", [checker_row()]), write_csv(tmp_path / "b.csv", [checker_row(Result=5.0)])
        items = taken([one, two], record)
        assert outcomes(items) == {"a.csv": "added", "b.csv": "failed"}
        assert "say different things" in (items[1].error or "")

    def test_a_hostile_archive_is_refused_and_the_rest_stays(self, tree, record, tmp_path):
        with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
            archive.writestr("../summary.json", "[]")
        items = taken([tmp_path / "evil.zip", tree], record)
        assert outcomes(items) == ALL | {"evil.zip": "failed"}


class TestAddresses:
    @pytest.fixture
    def server(self, tree: Path):
        data = (tree / "tables" / "v6.1.csv").read_bytes()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status = {"/v6.1.csv": 200, "/short.csv": 200, "/away": 302}.get(self.path, 404)
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "file:///etc/passwd")
                self.send_header("Content-Length", str(len(data) + (self.path == "/short.csv")))
                self.end_headers()
                if status == 200:
                    self.wfile.write(data)

            def log_message(self, *arguments: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_address[1]}"
            server.shutdown()

    def test_are_fetched_only_when_asked_for(self, server, record):
        (item,) = taken([f"{server}/v6.1.csv"], record)
        assert "--allow-network" in (item.error or "")
        (item,) = taken([f"{server}/v6.1.csv"], record, allow_network=True)
        assert (item.name, item.outcome) == ("v6.1.csv", "added")

    @pytest.mark.parametrize(
        ("path", "said"), [("none.csv", "status 404"), ("short.csv", "ended early"), ("away", "no file|status 302")]
    )
    def test_what_goes_wrong_is_said(self, server, record, path, said):
        (item,) = taken([f"{server}/{path}"], record, allow_network=True)
        assert re.search(said, item.error or "")

    def test_larger_than_allowed(self, server, record):
        (item,) = taken([f"{server}/v6.1.csv"], record, allow_network=True, limits=Limits(total_bytes=10))
        assert "--max-bytes" in (item.error or "")

    def test_other_kinds_of_addresses_are_refused(self, record):
        (item,) = taken(["ftp://example.org/x.csv"], record, allow_network=True)
        assert "http(s)" in (item.error or "")


class TestCommand:
    def test_it_says_what_became_of_everything(self, tree, record):
        text = run("ingest", str(tree), "--record", str(record)).stdout
        assert "added: v6.1.csv: 1 rows = 1 results + 0 merged + 0 rejected" in text
        assert "3 added; 3 results, 0 merged, 0 rejected" in text
        assert "3 already there; 0 results" in run("ingest", str(tree), "--record", str(record)).stdout

    def test_a_failure_is_exit_status_1_and_on_standard_error(self, tree, record):
        (tree / "summary.csv").write_text("no table")
        done = run("ingest", str(tree), "--record", str(record), "--quiet", status=1)
        assert done.stdout == ""
        assert "summary.csv" in done.stderr
        assert count(record) == 3

    def test_json(self, tree, record):
        items = json.loads(run("ingest", str(tree), "--record", str(record), "--json").stdout)
        assert {item["name"]: item["outcome"] for item in items} == ALL

    def test_a_record_that_cannot_be_made(self, tree, tmp_path):
        assert "no directory" in run("ingest", str(tree), "--record", str(tmp_path / "no" / "r"), status=1).stderr
        assert "found a directory" in run("ingest", str(tree), "--record", str(tmp_path), status=1).stderr

    def test_the_record_is_audited_listed_shown_exported_and_loses_a_source(self, tree, record, tmp_path):
        run("ingest", str(tree), "--record", str(record))
        (finding,) = json.loads(run("audit", "--record", str(record), "--json").stdout)
        assert finding["change_percent"] == pytest.approx(100 * (113241.0 / 82136.1 - 1))
        listed = json.loads(run("record", "list", "--record", str(record), "--json").stdout)
        assert {source["name"] for source in listed} == set(ALL)
        assert "82136.1" in run("record", "show", Record(record).results(["v6.0"])[0].id, "--record", str(record)).stdout
        run("record", "export", str(tmp_path / "out.parquet"), "--record", str(record))
        assert len(Record(tmp_path / "out.parquet").results()) == 3
        assert "removed v6.1.csv" in run("record", "remove", "v6.1.csv", "--record", str(record)).stdout
        assert count(record) == 2

    def test_show_of_an_id_that_is_not_there(self, tree, record):
        run("ingest", str(tree), "--record", str(record))
        assert 'no result "x"' in run("record", "show", "x", "--record", str(record), status=1).stderr

    def test_several_records_are_united(self, tree, record):
        run("ingest", str(tree / "tables" / "v6.1.csv"), "--record", str(record))
        run("ingest", str(tree / "summary_results.json"), "--record", f"{record}2")
        (finding,) = json.loads(run("audit", "--record", str(record), "--record", f"{record}2", "--json").stdout)
        assert finding["newer"]["value"] == 113241.0


class TestTrees:
    def test_a_result_tree_is_a_source_and_the_same_tree_again_changes_nothing(self, tmp_path, record):
        tree = small_tree(tmp_path)
        assert outcomes(taken([tree], record)) == {"logs of v6.0, AMD": "added"}
        (result,) = Record(record).results()
        assert (result.value, result.system.hardware) == (82136.1, "8x MI355X")
        before = record.read_bytes()
        assert outcomes(taken([tree], record)) == {"logs of v6.0, AMD": "already there"}
        assert record.read_bytes() == before

    def test_a_published_row_stands_before_the_log_of_its_run(self, tmp_path, record):
        path = f"{SCENARIO}/performance/run_1"
        row = final_report_row(
            UsedModel="gpt-oss-120b", Model="gpt-oss-120b", Scenario="Server", Performance_Result=82136.0, Location=path
        )
        table = write_json_list(tmp_path / "summary_results.json", [row])
        for order in ([small_tree(tmp_path), table], [table, small_tree(tmp_path)]):
            record.unlink(missing_ok=True)
            taken(order, record)
            opened = Record(record)
            (result,) = opened.results()
            assert result.value == 82136.0, "the official one"
            opened.close()

    def test_the_runs_of_the_published_trees(self, shared_data, record):
        (found,) = taken([shared_data / "mlperf" / "trees"], record)
        assert (found.outcome, found.rows, found.results, found.rejected) == ("added", 552, 552, 0)
