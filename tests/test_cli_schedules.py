"""`groundspeed cadence` and `groundspeed watch`, as a user would call them."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json

import pytest

import groundspeed
from programs import run

AS_OF = ("--as-of", "2026-12-01")
MINE = '[mine]\nkind = "resubmitted"\nquestion = "Did AMD resubmit gpt-oss-120b?"\nsubmitter = "AMD"\nmodel = "gpt-oss-120b"\n'


@pytest.mark.parametrize("command", ["cadence", "watch"])
def test_every_command_has_a_help_with_examples(command):
    text = run(command, "--help").stdout
    assert "Usage" in text
    assert f"groundspeed {command}" in text


class TestCadence:
    def test_rocm_against_its_commitment(self):
        text = run("cadence", *AS_OF).stdout
        assert text.startswith("ROCm releases as of 2026-12-01")
        assert "Every 42 days from 7.14.0 (2026-07-15; also 2026-07-16)" in text
        assert "2026-10-07   released      10.1.0    2026-10-05                    -2 days (early)" in text
        assert "42, 40 days; mean 41." in text
        assert "Next due date after the newest release: 2026-11-18." in text
        assert "the calendar ends with 10.1.0 of 2026-10-05: no evidence" in text

    def test_json_is_a_list(self):
        (found,) = json.loads(run("cadence", "--json", *AS_OF).stdout)
        assert [d["slippage_days"] for d in found["clock"]["dues"]] == [0, -2, None, None]
        assert [i["days"] for i in found["intervals"]] == [42, 40]
        assert found["calendar_end"] == "2026-10-05"

    def test_csv_has_a_row_a_release_and_one_a_due_date_without(self):
        rows = list(csv.DictReader(io.StringIO(run("cadence", "--csv", *AS_OF).stdout)))
        assert len(rows) == 38 + 2
        assert [(r["version"], r["due"], r["slippage_days"]) for r in rows[-3:]] == [
            ("10.1.0", "2026-10-07", "-2"), ("", "2026-11-18", ""), ("", "2026-12-30", ""),
        ]  # fmt: skip

    @pytest.mark.parametrize("project", ["ROCm", "cuda", "TensorRT-LLM", "vllm", "sglang", "MIGraphX"])
    def test_every_project_is_listed(self, project):
        assert "Releases" in run("cadence", project, *AS_OF).stdout

    def test_months_are_shown_as_months(self):
        text = run("cadence", "cuda", *AS_OF).stdout
        assert "2025-12   4 months   13.0.0" in text
        assert "2025-12-01" not in text

    def test_another_interval_and_start(self):
        text = run("cadence", "MIGraphX", "--every", "42", "--since", "2.16.0", *AS_OF).stdout
        assert "2026-11-18   released   2.19.0    2026-11-18   0 days" in text

    def test_between_rounds_and_between_versions(self):
        assert "168 days: 2 feature, 4 patch, 1 preview" in run("cadence", "--between", "v6.0", "v6.1").stdout
        (found,) = json.loads(run("cadence", "--between", "7.0.0", "7.2.2", "--json").stdout)
        assert [r["version"] for r in found["feature"]] == ["7.1.0", "7.2.0"]
        rows = list(csv.DictReader(io.StringIO(run("cadence", "--between", "7.0.0", "7.2.2", "--csv").stdout)))
        assert len(rows) == 11

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["vlm"], "Did you mean vLLM"),
            (["--since", "7.15"], "Did you mean 7.14.0"),
            (["cuda", "--every", "42"], "dated to the month"),
            (["--between", "v6.0", "7.2"], "two rounds or two versions"),
        ],
    )
    def test_faults_of_the_input_are_one_line(self, arguments, said):
        done = run("cadence", *arguments, status=1)
        assert done.stdout == ""
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1

    @pytest.mark.parametrize(
        "arguments",
        [["--as-of", "soon"], ["--every", "0"], ["--between", "v6.0", "v6.1", *AS_OF], ["--json", "--csv"], ["-o", "a.md"]],
    )
    def test_wrong_usage(self, arguments):
        run("cadence", *arguments, status=2)

    @pytest.mark.parametrize("columns", ["40", "60", "80", "120", "200"])
    def test_no_figure_is_cut_whatever_the_width(self, columns):
        text = run("cadence", *AS_OF, COLUMNS=columns).stdout
        assert "…" not in text
        for figure in ("2026-11-18", "2026-07-16", "10.1.0", "2023-12-15", "mean 41"):
            assert figure in " ".join(text.split())

    def test_the_ending_of_the_output_file_chooses_the_format(self, tmp_path):
        for name, start in (("a.json", "["), ("a.csv", "project,version"), ("a.txt", "ROCm releases")):
            assert run("cadence", "--output", str(tmp_path / name), *AS_OF).stdout == ""
            assert (tmp_path / name).read_text("utf-8").startswith(start)


class TestWatch:
    def test_all_built_in_watches_are_answered(self):
        answers = {a["id"]: a["answer"] for a in json.loads(run("watch", "--json", *AS_OF).stdout)}
        assert answers["gpt-oss-120b-pace"] == "not yet"
        assert answers["rocm-november-2026"] == "no evidence in the record"
        assert set(answers.values()) == {"yes", "no", "not yet", "no evidence in the record"}

    def test_text_shows_the_evidence(self):
        text = run("watch", *AS_OF).stdout
        assert text.startswith("Standing questions as of 2026-12-01")
        assert "MIGraphX 2.19.0   2026-11-18" in text
        assert "closed/AMD/results/8xMI355X_2xEPYC_9575F/gpt-oss-120b/Server/performance/run_1" in text
        assert "MLPerf is a trademark" in text

    def test_watches_are_chosen_by_id(self):
        (found,) = json.loads(run("watch", "nvidia-dlrm-v3", "--json", *AS_OF).stdout)
        assert (found["answer"], len(found["rows"])) == ("no", 4)
        assert "did you mean nvidia-dlrm-v3" in run("watch", "nvidia-dlrm", status=1).stderr

    def test_csv_has_a_row_an_answer(self):
        rows = list(csv.DictReader(io.StringIO(run("watch", "--csv", *AS_OF).stdout)))
        assert len(rows) == 8
        assert "ROCm 10.1.0 2026-10-05" in rows[1]["evidence"]

    def test_the_exit_status_is_3_if_an_answer_demands_attention(self):
        run("watch", *AS_OF)
        done = run("watch", "--fail-on", "no", *AS_OF, status=3)
        assert "nvidia-dlrm-v3: no" in done.stdout
        assert done.stderr == ""
        run("watch", "rocm-november-2026", "--fail-on", "yes,no evidence", *AS_OF, status=3)
        run("watch", "rocm-november-2026", "--fail-on", "yes,no,not yet", *AS_OF)

    def test_an_unknown_answer_is_said(self):
        assert "there are yes, no" in run("watch", "--fail-on", "perhaps", status=1).stderr

    def test_watches_of_your_own_stand_beside_the_built_in_ones(self, tmp_path):
        (tmp_path / "mine.toml").write_text(MINE, "utf-8")
        answers = json.loads(run("watch", "--watches", str(tmp_path / "mine.toml"), "--json", *AS_OF).stdout)
        assert len(answers) == 9
        assert (answers[-1]["id"], answers[-1]["answer"]) == ("mine", "yes")

    def test_a_wrong_file_is_told_with_every_mistake(self, tmp_path):
        (tmp_path / "mine.toml").write_text(MINE.replace("model", "modle"), "utf-8")
        done = run("watch", "--watches", str(tmp_path / "mine.toml"), status=1)
        assert 'watch "mine", field modle: found a field that this kind has not' in done.stderr
        assert "did you mean model" in done.stderr
        assert 'watch "mine", field model: found nothing' in done.stderr

    @pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b"\x1f\x8bnot gzip"])
    def test_a_file_that_is_none_is_said(self, tmp_path, content):
        if content is not None:
            (tmp_path / "mine.toml").write_bytes(content)
        done = run("watch", "--watches", str(tmp_path / "mine.toml"), status=1)
        assert done.stderr.count("\n") <= 2
        assert "mine.toml" in done.stderr
        assert "expected " in done.stderr
        assert "Traceback" not in done.stderr

    def test_the_same_id_twice_is_refused(self, tmp_path):
        (tmp_path / "mine.toml").write_text(MINE.replace("[mine]", "[nvidia-dlrm-v3]"), "utf-8")
        assert "an id that is taken" in run("watch", "--watches", str(tmp_path / "mine.toml"), status=1).stderr

    @pytest.mark.parametrize("columns", ["40", "60", "80", "120", "200"])
    def test_no_figure_is_cut_whatever_the_width(self, columns):
        text = "".join(run("watch", *AS_OF, COLUMNS=columns).stdout.split())
        assert "…" not in text
        for figure in ("113,241", "82,136", "+37.9%", "2026-11-18", "-5.4%"):
            assert figure in text

    def test_the_same_from_python(self):
        (found,) = groundspeed.watch(ids=["rocm-october-2026"], as_of=dt.date(2026, 12, 1))
        assert found.answer == "yes"
        assert groundspeed.cadence(as_of=dt.date(2026, 12, 1)).mean_days == 41
        assert len(groundspeed.releases_between("ROCm", "v6.0", "v6.1").feature) == 2
