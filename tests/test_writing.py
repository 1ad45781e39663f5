"""Output goes where it was sent, whole or not at all, and never in the place of what is no file."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from groundspeed._writing import in_one_piece
from groundspeed.errors import GroundspeedError
from groundspeed.report.export import write_text
from programs import run

posix = pytest.mark.skipif(os.name != "posix", reason="permissions, links and pipes of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


@posix
def test_an_existing_file_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("old")
    (tmp_path / "private").chmod(0o600)
    write_text(tmp_path / "private", "new")
    assert mode(tmp_path / "private") == 0o600


@posix
def test_a_new_file_has_what_the_user_s_mask_leaves(tmp_path: Path) -> None:
    mask = os.umask(0o077)
    try:
        write_text(tmp_path / "new", "x")
    finally:
        os.umask(mask)
    assert mode(tmp_path / "new") == 0o600


@posix
def test_a_pipe_is_written_into_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_text(pipe, "through the pipe")
        assert os.read(reader, 100) == b"through the pipe"
    finally:
        os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


@pytest.mark.parametrize("name", ["", "folder", "none/below.csv", "file/below.csv"])
def test_a_place_that_cannot_be_written_is_said_and_nothing_is_left(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    with pytest.raises(GroundspeedError, match="cannot be written"):
        write_text(tmp_path / name, "x")
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


def test_a_block_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")

    def half() -> None:
        with in_one_piece(tmp_path / "file") as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert (tmp_path / "file").read_text() == "old"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["audit"], ["claims", "schema"], ["cadence"]])
def test_a_full_disk_at_standard_output_is_one_line(arguments: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "groundspeed", *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert "standard output cannot be written" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@posix
def test_a_closed_standard_output_is_one_line() -> None:
    command = f'"{sys.executable}" -m groundspeed cadence >&-'
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "--hardware", ""], ["audit", "--hardware", ","], ["audit", "--allow", ""], ["claims", "check", "--only", ""],
        ["claims", "check", "--fail-on", ""], ["watch", ""], ["frontier", "--model", " "],
    ],
)  # fmt: skip
def test_a_blank_value_never_means_everything(arguments: list[str]) -> None:
    assert "a blank value" in run(*arguments, status=2).stderr


@pytest.mark.parametrize("arguments", [["--by-age", "--chains"], ["--allow", "count-differs", "--allow-only", "none"]])
def test_options_that_exclude_each_other(arguments: list[str]) -> None:
    assert "only one of" in run("audit", *arguments, status=2).stderr


def test_a_day_far_beyond_the_calendar_is_refused_at_once() -> None:
    assert "more than ten years after" in run("cadence", "--every", "1", "--as-of", "9999-12-31", status=1).stderr


@pytest.mark.parametrize("arguments", [["runs", ""], ["crosscheck", " "], ["ingest", "", "--record", "r.duckdb"]])
def test_a_blank_path_never_means_the_current_directory(tmp_path: Path, arguments: list[str]) -> None:
    assert "found a blank path" in run(*arguments, status=1, cwd=tmp_path).stderr
    assert not list(tmp_path.iterdir())
