"""Ingest by real processes: killed at any moment, two at once, and a disk that is full."""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundspeed.api.ingesting import ingest
from groundspeed.record import Record
from makers import checker_row, final_report_row, write_csv, write_json_list
from programs import run

ROWS = 1500


def command(record: Path, *paths: Path, options: tuple[str, ...] = ()) -> list[str]:
    return [sys.executable, "-m", "groundspeed", "ingest", *map(str, paths), "--record", str(record), *options]


def state(record: Path) -> tuple[dict[str, float], list[tuple[str, int]]]:
    """What a record says: its results and its sources."""
    opened = Record(record)
    found = {r.id: r.value for r in opened.results()}, [(s.name, s.results) for s in opened.sources()]
    opened.close()
    return found


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A small table, and one of which the writing takes a while."""
    folder = tmp_path_factory.mktemp("tables")
    small = write_json_list(folder / "v6.0.json", [final_report_row()])
    large = write_csv(folder / "v6.1.csv", [checker_row(Platform=f"p{i}", Result=1.0 + i) for i in range(ROWS)])
    return small, large


@contextlib.contextmanager
def writer(table: Path, record: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ingests a table, at the moment when it has read it and begins to write. It prints a line when it is done."""
    code = (
        "import sys, duckdb, pyarrow; from groundspeed.api.ingesting import ingest; "
        "say = lambda done, text: text.endswith(': v6.1.csv') and print('writing', flush=True); "
        "list(ingest([sys.argv[1]], sys.argv[2], progress=say)); print('done', flush=True)"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(table), str(record)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        yield process


@pytest.mark.slow
def test_killed_at_twenty_moments_the_record_is_as_before_or_complete(tmp_path, tables):
    small, large = tables
    list(ingest([small], tmp_path / "before"))
    list(ingest([small, large], tmp_path / "complete"))
    before, complete = state(tmp_path / "before"), state(tmp_path / "complete")
    assert len(complete[0]) == ROWS + 1

    # The moments lie between the beginning of the writing and a little after the end of an undisturbed one.
    with writer(large, tmp_path / "timed") as undisturbed:
        started = time.monotonic()
        assert undisturbed.stdout is not None
        undisturbed.stdout.readline()
        lasts = time.monotonic() - started
    moments = random.Random(6)
    for attempt in range(20):
        record = tmp_path / f"{attempt}.duckdb"
        record.write_bytes((tmp_path / "before").read_bytes())
        with writer(large, record) as process:
            time.sleep(moments.uniform(0.0, 1.3 * lasts))
            process.send_signal(signal.SIGKILL)
        found = state(record)
        assert found in (before, complete)
        # And whatever happened, the next ingest finishes the work.
        if attempt % 5 == 0:
            list(ingest([large], record))
            assert state(record) == complete


def test_killed_while_it_makes_the_record_there_is_none_or_a_complete_one(tmp_path):
    for attempt, pause in enumerate((0.0, 0.005, 0.01, 0.02, 0.04)):
        record = tmp_path / str(attempt) / "r.duckdb"
        record.parent.mkdir()
        code = f"import duckdb; from pathlib import Path; from groundspeed.record import files; print('ready', flush=True); files.create(Path({str(record)!r}))"
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
        if record.exists():
            assert state(record) == ({}, [])


def test_two_at_once_both_arrive(tmp_path, tables):
    record = tmp_path / "r.duckdb"
    both = [
        subprocess.Popen(command(record, table), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for table in tables
    ]
    for process in both:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    results, sources = state(record)
    assert len(results) == ROWS + 1
    assert sorted(sources) == [("v6.0.json", 1), ("v6.1.csv", ROWS)]


@pytest.fixture
def busy(tmp_path, tables):
    """A record that another process holds open for writing."""
    record = tmp_path / "r.duckdb"
    list(ingest([tables[0]], record))
    code = f"import duckdb, time; c = duckdb.connect({str(record)!r}); print('held', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield record, process
        process.kill()


def test_who_waits_too_long_is_told_who_and_what_file(busy, tables):
    record, process = busy
    done = run("ingest", str(tables[1]), "--record", str(record), "--wait", "0.2", status=1)
    assert f"{record}: another process is using it" in done.stderr
    assert f"PID {process.pid}" in done.stderr
    assert "--wait" in done.stderr


def test_who_waits_long_enough_gets_in(busy, tables):
    record, process = busy
    with subprocess.Popen(command(record, tables[1]), stdout=subprocess.PIPE, text=True) as waiting:
        time.sleep(1.0)
        assert waiting.poll() is None
        process.kill()
        assert waiting.wait(timeout=30) == 0
    assert len(state(record)[0]) == ROWS + 1


def _limited(size: int):
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@pytest.mark.parametrize("spare", [0, 4096, 100_000])
def test_on_a_full_disk_it_says_so_and_the_record_is_as_it_was(tmp_path, tables, spare):
    record = tmp_path / "r.duckdb"
    list(ingest([tables[0]], record))
    before = state(record)
    # The log of the transaction outgrows the limit before the file does: `spare` bytes of it still find room.
    done = subprocess.run(
        command(record, tables[1]), capture_output=True, text=True, preexec_fn=_limited(spare), timeout=60, check=False
    )
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    assert str(record) in done.stderr
    assert "cannot be written" in done.stderr
    assert state(record) == before
    list(ingest([tables[1]], record))
    assert len(state(record)[0]) == ROWS + 1


def test_on_a_full_disk_no_new_record_is_made(tmp_path, tables):
    record = tmp_path / "folder" / "r.duckdb"
    record.parent.mkdir()
    done = subprocess.run(
        command(record, tables[0]), capture_output=True, text=True, preexec_fn=_limited(4096), timeout=60, check=False
    )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert list(record.parent.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_directory_that_cannot_be_written_to(tmp_path, tables):
    (tmp_path / "locked").mkdir(mode=0o500)
    done = run("ingest", str(tables[0]), "--record", str(tmp_path / "locked" / "r.duckdb"), status=1)
    assert "cannot be written" in done.stderr


def test_an_interrupt_leaves_the_record_as_it_was(tmp_path, tables):
    record = tmp_path / "r.duckdb"
    list(ingest([tables[0]], record))
    before = state(record)
    with subprocess.Popen(command(record, *[tables[1]] * 50), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
    assert state(record)[0].items() >= before[0].items()
    assert len(state(record)[0]) in (1, ROWS + 1)
