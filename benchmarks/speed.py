"""Start-up, audit and reading, each as a ratio to something measured in the same run.

    python benchmarks/speed.py [--tables DIR] [--repeats N]

Measured side by side, repeats interleaved, the median taken:

    groundspeed --help          against  python -c "import typer"
    groundspeed audit           against  python -c "import duckdb, ibis, rich"   (and its peak memory)
    groundspeed claims check    against  groundspeed audit
    reading the history table   against  json.loads of the same lines, on one core
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = {"help": 2.5, "audit": 4.0, "claims": 2.0}


def seconds_and_peak(command: list[str]) -> tuple[float, float]:
    """Wall-clock seconds of a command and its peak resident memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed with status {process.returncode}")
    kilobyte = 1 if sys.platform != "darwin" else 1 / 1024  # macOS counts bytes
    return elapsed, usage.ru_maxrss * kilobyte / 1024


def compare(name: str, ours: list[str], baseline: list[str], repeats: int, limit: float) -> None:
    """Run both interleaved and print the ratio of the medians."""
    seconds_and_peak(ours), seconds_and_peak(baseline)  # files into the cache, bytecode written
    times: dict[str, list[float]] = {"ours": [], "baseline": []}
    peak = 0.0
    for _ in range(repeats):
        elapsed, memory = seconds_and_peak(ours)
        times["ours"].append(elapsed)
        peak = max(peak, memory)
        times["baseline"].append(seconds_and_peak(baseline)[0])
    ours_median, base_median = (statistics.median(times[key]) for key in ("ours", "baseline"))
    print(
        f"{name:<12} {ours_median:.3f} s / {base_median:.3f} s = {ours_median / base_median:.2f}x (limit {limit}x), "
        f"peak memory {peak:.0f} MB, {repeats} interleaved repeats"
    )


def reading(table: Path, repeats: int) -> None:
    """Rows per second of the reader, beside json.loads of the same lines."""
    from groundspeed.sources.mlperf import read_table

    lines = gzip.decompress(table.read_bytes()).splitlines()
    ours, baseline = [], []
    for _ in range(repeats):
        start = time.process_time()
        rows = read_table(table).rows
        ours.append(time.process_time() - start)
        start = time.process_time()
        for line in lines:
            json.loads(line)
        baseline.append(time.process_time() - start)
    mine, base = statistics.median(ours), statistics.median(baseline)
    print(
        f"{'reading':<12} {rows / mine:,.0f} rows/s on one core ({rows:,} rows to results in {mine:.2f} s CPU); json.loads alone "
        f"{base:.2f} s, ratio {mine / base:.2f}x; first reading, with cold caches, {rows / ours[0]:,.0f} rows/s"
    )


def main() -> None:
    """Run all three."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--tables", type=Path, default=ROOT.parent / "shared" / "data" / "mlperf", help="folder of the published tables"
    )
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    program = str(Path(sys.executable).with_name("groundspeed"))
    python = sys.executable
    compare("--help", [program, "--help"], [python, "-c", "import typer"], arguments.repeats, LIMITS["help"])
    compare("audit", [program, "audit"], [python, "-c", "import duckdb, ibis, rich"], arguments.repeats, LIMITS["audit"])
    compare("claims check", [program, "claims", "check"], [program, "audit"], arguments.repeats, LIMITS["claims"])
    history = arguments.tables / "history_v2.0-v4.1.jsonl.gz"
    if history.exists():
        reading(history, min(arguments.repeats, 5))
    else:
        print(f"reading      not measured: {history.name} is not in {arguments.tables}")


if __name__ == "__main__":
    main()
