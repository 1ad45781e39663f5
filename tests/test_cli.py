"""The command line, as a user would call it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys

import pytest

from makers import checker_row, final_report_row, write_csv, write_json_list
from programs import run


def test_without_a_command_it_shows_its_help():
    assert "audit" in run(status=2).stdout + run(status=2).stderr


def test_it_tells_its_version():
    from groundspeed import __version__

    assert run("--version").stdout == f"groundspeed {__version__}\n"


@pytest.mark.parametrize(
    "command",
    [
        ["audit"],
        ["read"],
        ["caveats"],
        ["names", "check"],
        ["names", "list"],
        ["record", "build"],
        ["record", "info"],
        ["ingest"],
        ["record", "list"],
        ["record", "show"],
        ["record", "export"],
        ["record", "remove"],
        ["record", "diff"],
    ],
)
def test_every_command_has_a_help(command):
    assert "Usage" in run(*command, "--help").stdout


def test_help_does_not_load_the_heavy_libraries():
    code = "import sys, runpy; sys.argv=['groundspeed','--help']\ntry: runpy.run_module('groundspeed', run_name='__main__')\nexcept SystemExit: pass\nprint(sorted({'duckdb','ibis','pandas','pyarrow','numpy','rich.table'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_an_audit_never_loads_pandas():
    code = "import sys, runpy; sys.argv=['groundspeed','audit','--json']\ntry: runpy.run_module('groundspeed', run_name='__main__')\nexcept SystemExit: pass\nprint('pandas' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == "False"


class TestAudit:
    def test_without_options_it_audits_the_newest_pair_of_rounds(self):
        text = run("audit").stdout
        assert text.startswith("Same hardware, software moved: MLPerf Inference v6.0 → v6.1")
        assert "+37.9 %" in text
        assert "baseline-open-division: the older result is from the open division" in text
        assert "not official MLPerf results" in text
        assert "MLPerf is a trademark" in text

    def test_the_accelerators_with_most_software_only_pairs_come_first(self):
        findings = json.loads(run("audit", "--json").stdout)
        counts: dict[str, int] = {}
        order = []
        for f in findings:
            name = f["accelerator"]
            if name is None:
                continue
            counts[name] = counts.get(name, 0) + f["software_only"]
            if name not in order:
                order.append(name)
        assert [counts[name] for name in order] == sorted(counts.values(), reverse=True)

    def test_json_is_a_list_of_pairs(self):
        (offline, server) = json.loads(
            run("audit", "--hardware", "8x MI355X", "--submitter", "AMD", "--model", "gpt-oss-120b", "--json").stdout
        )
        assert offline["scenario"] == "Offline"
        assert server["newer"]["value"] == 113241.0
        assert server["releases"]["feature"] == 2

    def test_csv_has_one_row_a_pair(self):
        rows = list(csv.DictReader(io.StringIO(run("audit", "--hardware", "8x MI355X", "--submitter", "AMD", "--csv").stdout)))
        assert len(rows) == 6
        assert {row["newer_round"] for row in rows} == {"v6.1"}

    def test_markdown_is_a_table_with_footnotes(self):
        text = run("audit", "--hardware", "8x MI355X", "--submitter", "AMD", "--markdown").stdout
        assert text.startswith("| submitter |")
        assert "- **a** baseline-open-division" in text

    @pytest.mark.parametrize(
        ("name", "start"), [("a.json", "["), ("a.csv", "submitter,"), ("a.md", "| submitter"), ("a.txt", "Same hardware")]
    )
    def test_the_ending_of_the_output_file_chooses_the_format(self, tmp_path, name, start):
        done = run("audit", "--hardware", "MI350X", "--output", str(tmp_path / name))
        assert done.stdout == ""
        assert (tmp_path / name).read_text("utf-8").startswith(start)

    def test_a_flag_beats_the_ending(self, tmp_path):
        run("audit", "--hardware", "MI350X", "--json", "--output", str(tmp_path / "a.csv"))
        assert (tmp_path / "a.csv").read_text("utf-8").startswith("[")

    def test_only_one_format_at_a_time(self):
        assert "only one of" in run("audit", "--json", "--csv", status=2).stderr

    def test_an_output_file_that_cannot_be_written_is_said(self, tmp_path):
        done = run("audit", "--output", str(tmp_path / "no" / "such" / "a.json"), status=1)
        assert done.stderr.startswith("groundspeed: ")
        assert "cannot be written" in done.stderr

    def test_relaxations_are_allowed_by_name(self):
        without = json.loads(run("audit", "--hardware", "72x MI355X", "--allow", "count-differs", "--json").stdout)
        assert [round(f["change_percent"], 1) for f in without] == [31.7, 39.9]
        assert "count-differs" in run("audit", "--hardware", "72x MI355X", status=1).stderr

    def test_allow_only_none_leaves_the_pairs_without_any_relaxation(self):
        from groundspeed import RELAXATIONS

        findings = json.loads(run("audit", "--allow-only", "none", "--json").stdout)
        assert findings
        assert not {code for f in findings for code in f["caveats"]} & set(RELAXATIONS)

    def test_an_unknown_relaxation_names_the_nearest(self):
        assert "did you mean count-differs" in run("audit", "--allow", "counts-differ", status=1).stderr

    @pytest.mark.parametrize(
        ("option", "value", "near"),
        [
            ("--hardware", "MI356X", "MI355X"),
            ("--model", "gpt-oss-20b", "gpt-oss-120b"),
            ("--scenario", "offlin", "Offline"),
            ("--submitter", "Nvida", "NVIDIA"),
            ("--division", "close", "closed"),
        ],
    )
    def test_a_filter_that_matches_nothing_says_what_would_have(self, option, value, near):
        done = run("audit", option, value, status=1)
        assert done.stdout == ""
        assert value in done.stderr
        assert near in done.stderr
        assert len(done.stderr.splitlines()) == 1

    def test_filters_that_match_only_apart_are_told_apart(self):
        done = run("audit", "--hardware", "MI355X", "--submitter", "NVIDIA", status=1)
        assert "none with the other filters" in done.stderr
        assert "B300" in done.stderr

    def test_rounds_may_be_any_two(self):
        findings = json.loads(run("audit", "--rounds", "v5.1,v6.1", "--hardware", "cpu", "--json").stdout)
        assert {(f["older"]["round"], f["newer"]["round"]) for f in findings} == {("v5.1", "v6.1")}

    def test_rounds_all_compares_every_consecutive_pair(self):
        findings = json.loads(run("audit", "--rounds", "all", "--model", "bert-99", "--hardware", "A100", "--json").stdout)
        assert ("v2.0", "v2.1") in {(f["older"]["round"], f["newer"]["round"]) for f in findings}

    def test_an_unknown_round_lists_the_known_ones(self):
        assert "v6.1" in run("audit", "--rounds", "v5.0,v6.1", status=1).stderr

    def test_by_age_groups_the_gains(self):
        groups = json.loads(run("audit", "--by-age", "--json").stdout)
        assert groups[0]["age"] == 1
        assert groups[0]["median_percent"] > max(g["median_percent"] for g in groups if g["age"] >= 3 and not g["at_least"])

    def test_chains_show_first_to_last(self):
        chains = json.loads(run("audit", "--chains", "--hardware", "A100", "--json").stdout)
        assert all(len(c["rounds"]) >= 3 for c in chains)

    @pytest.mark.parametrize("columns", ["40", "60", "80", "100", "120", "200", "400"])
    def test_no_figure_is_cut_whatever_the_width(self, columns):
        text = "".join(run("audit", "--hardware", "8x MI355X", "--submitter", "AMD", COLUMNS=columns).stdout.split())
        assert "…" not in text
        assert "82,136" in text
        assert "113,241" in text
        assert "+37.9%" in text

    def test_a_pipe_that_is_closed_early_is_no_error(self):
        command = f"{sys.executable} -m groundspeed audit --rounds all --json | head -c 100; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert "Traceback" not in done.stderr


class TestRecordOption:
    def test_another_record_is_audited(self, tmp_path):
        write_json_list(tmp_path / "old.json", [final_report_row(version="v6.0", Performance_Result=100.0)])
        write_json_list(tmp_path / "new.json", [final_report_row(version="v6.1", Performance_Result=150.0)])
        run("record", "build", str(tmp_path / "old.json"), str(tmp_path / "new.json"), "--output", str(tmp_path / "r.parquet"))
        (finding,) = json.loads(run("audit", "--record", str(tmp_path / "r.parquet"), "--json").stdout)
        assert finding["change_percent"] == pytest.approx(50.0)

    def test_a_record_that_is_none_is_said(self, tmp_path):
        (tmp_path / "r.parquet").write_text("not parquet")
        assert "found no Parquet file" in run("audit", "--record", str(tmp_path / "r.parquet"), status=1).stderr
        assert "no such file" in run("audit", "--record", str(tmp_path / "none.parquet"), status=1).stderr
        assert "directory" in run("audit", "--record", str(tmp_path), status=1).stderr

    def test_a_record_of_one_round_cannot_be_audited(self, tmp_path):
        write_json_list(tmp_path / "new.json", [final_report_row(version="v6.1")])
        run("record", "build", str(tmp_path / "new.json"), "--output", str(tmp_path / "r.parquet"))
        assert "needs two rounds" in run("audit", "--record", str(tmp_path / "r.parquet"), status=1).stderr


class TestReading:
    def test_read_prints_the_sum(self, tmp_path):
        write_csv(
            tmp_path / "t.csv", [checker_row(), checker_row(Platform="other", Location="closed/AMD/results/other/x/Offline")]
        )
        assert "2 rows = 2 results + 0 merged (power) + 0 rejected" in run("read", str(tmp_path / "t.csv")).stdout

    def test_read_as_json_adds_up(self, tmp_path):
        write_csv(tmp_path / "t.csv", [checker_row()])
        (table,) = json.loads(run("read", "--json", str(tmp_path / "t.csv")).stdout)
        assert table["adds_up"] is True
        assert table["rows"] == 1

    def test_a_broken_table_is_one_line_on_standard_error(self, tmp_path):
        (tmp_path / "t.json").write_text('[{"Submitter": "AMD"')
        done = run("read", str(tmp_path / "t.json"), status=1)
        assert done.stdout == ""
        assert len(done.stderr.splitlines()) == 1
        assert "t.json" in done.stderr

    def test_names_check_reports_unknown_strings_and_exits_1(self, tmp_path):
        write_csv(tmp_path / "t.csv", [checker_row(accelerator_model_name="Flux Capacitor", Organization="Hill Valley")])
        done = run("names", "check", str(tmp_path / "t.csv"), status=1)
        assert "Flux Capacitor" in done.stdout
        assert "Hill Valley" in done.stdout

    def test_names_check_is_content_with_known_strings(self, tmp_path):
        write_csv(tmp_path / "t.csv", [checker_row()])
        assert "is known" in run("names", "check", str(tmp_path / "t.csv")).stdout

    @pytest.mark.parametrize("kind", ["accelerators", "models", "submitters", "scenarios", "precisions", "components"])
    def test_names_list_lists(self, kind):
        assert len(run("names", "list", kind).stdout.splitlines()) > 3

    def test_names_list_of_an_unknown_kind_names_the_kinds(self):
        assert "accelerators" in run("names", "list", "planets", status=1).stderr


class TestBuild:
    def test_nothing_is_written_when_a_table_is_broken(self, tmp_path):
        write_json_list(tmp_path / "good.json", [final_report_row()])
        (tmp_path / "bad.json").write_text("[{}]")
        (tmp_path / "r.parquet").write_bytes(b"what was there")
        run(
            "record",
            "build",
            str(tmp_path / "good.json"),
            str(tmp_path / "bad.json"),
            "--output",
            str(tmp_path / "r.parquet"),
            status=1,
        )
        assert (tmp_path / "r.parquet").read_bytes() == b"what was there"
        assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.json", "good.json", "r.parquet"]

    def test_the_same_table_twice_is_refused(self, tmp_path):
        write_json_list(tmp_path / "t.json", [final_report_row()])
        done = run(
            "record",
            "build",
            str(tmp_path / "t.json"),
            str(tmp_path / "t.json"),
            "--output",
            str(tmp_path / "r.parquet"),
            status=1,
        )
        assert "leave one of the two out" in done.stderr

    def test_with_embedded_takes_the_embedded_record_over(self, tmp_path):
        write_json_list(tmp_path / "t.json", [final_report_row(version="v5.0")])
        done = run("record", "build", str(tmp_path / "t.json"), "--with-embedded", "--output", str(tmp_path / "r.parquet"))
        assert "31,707 results" in done.stdout

    def test_info_says_what_a_record_holds(self):
        text = run("record", "info").stdout
        assert text.startswith("embedded record: 31,706 results")
        assert "v6.1_summary.csv" in text
