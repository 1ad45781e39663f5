"""The command line of spread, frontier and scaling, and the same from Python."""

from __future__ import annotations

import csv
import io
import json

import pytest

import groundspeed
from groundspeed.report.comparisons import render_frontier, render_scaling, render_spread
from groundspeed.report.text import to_text
from programs import run

COMMANDS = {
    "spread": ("--hardware", "8x MI355X"),
    "frontier": ("--hardware", "8x B300"),
    "scaling": ("--hardware", "72x MI355X"),
}


@pytest.mark.parametrize("command", COMMANDS)
class TestEachCommand:
    def test_it_has_a_help_with_examples(self, command):
        text = run(command, "--help").stdout
        assert "Usage" in text
        assert f"groundspeed {command}" in text.partition("Examples:")[2]

    def test_it_says_that_its_figures_are_derived(self, command):
        text = run(command, *COMMANDS[command]).stdout
        assert "derived, not official MLPerf results" in text
        assert "MLPerf is a trademark" in text

    def test_json_is_a_list(self, command):
        found = json.loads(run(command, *COMMANDS[command], "--json").stdout)
        assert isinstance(found, list)
        assert {row["round"] for row in found} == {"v6.1"}

    def test_csv_has_a_header_and_rows(self, command):
        rows = list(csv.DictReader(io.StringIO(run(command, *COMMANDS[command], "--csv").stdout)))
        assert rows
        assert all(None not in row and None not in row.values() for row in rows)
        assert {row["round"] for row in rows} == {"v6.1"}

    def test_the_ending_of_the_output_file_chooses_the_format(self, command, tmp_path):
        assert run(command, *COMMANDS[command], "--output", str(tmp_path / "a.json")).stdout == ""
        assert json.loads((tmp_path / "a.json").read_text("utf-8"))
        assert "Markdown" in run(command, "--output", str(tmp_path / "a.md"), status=2).stderr

    @pytest.mark.parametrize(
        ("option", "value", "near"),
        [("--hardware", "MI356X", "MI355X"), ("--submitter", "Nvida", "NVIDIA"), ("--round", "v5.0", "v6.1")],
    )
    def test_what_matches_nothing_says_what_would_have(self, command, option, value, near):
        done = run(command, option, value, status=1)
        assert done.stdout == ""
        assert value in done.stderr
        assert near in done.stderr
        assert len(done.stderr.splitlines()) == 1


@pytest.fixture(scope="module")
def shown():
    """What each command renders, made once."""
    return {
        "spread": render_spread(groundspeed.spread(hardware="8x MI355X")),
        "frontier": render_frontier(groundspeed.frontier(hardware="8x B300")),
        "scaling": render_scaling(groundspeed.scaling(hardware="72x MI355X")),
    }


FIGURES = {
    "spread": ("121,818", "115,294", "-5.4%", "2.7%", "+1.6%"),
    "frontier": ("114,569", "106,637", "93.1%", "109,257", "HPE"),
    "scaling": ("1,039,900", "121,818", "15,227", "94.9%", "94.6%"),
}


@pytest.mark.parametrize("width", [40, 60, 80, 90, 100, 120, 140, 160, 180, 200, 250, 400])
@pytest.mark.parametrize("command", FIGURES)
def test_no_figure_is_cut_whatever_the_width(shown, command, width):
    lines = to_text(shown[command], width).splitlines()
    text = "".join("".join(lines).split())
    assert "…" not in text
    assert all(figure in text for figure in FIGURES[command])
    assert all(len(line) <= width for line in lines)


@pytest.mark.parametrize("command", FIGURES)
def test_the_width_of_the_terminal_is_kept(command):
    assert all(len(line) <= 60 for line in run(command, *COMMANDS[command], COLUMNS="60").stdout.splitlines())


@pytest.mark.parametrize("round_", ["v2.0", "v4.0", "v4.1", "v5.1", "6.0"])
def test_every_round_can_be_looked_at(round_):
    assert groundspeed.spread(round=round_).systems
    assert groundspeed.frontier(round=round_).rows
    assert groundspeed.scaling(round=round_).rows


def test_spread_may_take_another_reference():
    (system,) = json.loads(run("spread", "--hardware", "8x MI355X", "--reference", "dell", "--json").stdout)
    assert system["reference"] == "Dell"
    assert "AMD" in system["partners"]


def test_an_unknown_reference_names_the_nearest():
    assert "Did you mean NVIDIA" in run("spread", "--reference", "NVIDA", status=1).stderr


def test_the_csv_of_spread_has_one_row_a_partners_result():
    rows = list(csv.DictReader(io.StringIO(run("spread", "--hardware", "8x MI355X", "--csv").stdout)))
    assert len(rows) == 33
    assert min(float(row["deviation_percent"]) for row in rows) == pytest.approx(-5.36, abs=0.01)


def test_frontier_per_system_or_per_accelerator():
    rows = json.loads(run("frontier", "--hardware", "B300", "--per", "accelerator", "--json").stdout)
    assert {row["per"] for row in rows} == {"accelerator"}
    assert "neither" in run("frontier", "--per", "watt", status=2).stderr


def test_the_division_is_closed_unless_named():
    assert {row["division"] for row in json.loads(run("frontier", "--json").stdout)} == {"closed"}
    assert {row["division"] for row in json.loads(run("frontier", "--division", "open", "--json").stdout)} == {"open"}


def test_the_same_from_python():
    assert groundspeed.spread(hardware="8x MI355X").overall.rows == 33
    (offline, server) = groundspeed.scaling(hardware="72x MI355X").rows
    assert (offline.scenario, server.scenario) == ("Offline", "Server")
    (row,) = groundspeed.frontier(hardware="8x B300", model="gpt-oss-120b", scenario="Server", per="system").rows
    assert row.best.submitter == "HPE"
    with pytest.raises(groundspeed.SelectionError):
        groundspeed.frontier(round="v9.9")
