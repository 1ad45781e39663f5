"""Reading a large result tree, against opening and reading just the files that are needed, in the same run and on one core.

The tree is made from sample trees: their systems are copied under new names until there are enough files.

    python benchmarks/trees.py [SAMPLES] [--files 25000]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

from groundspeed.sources._places import directory
from groundspeed.sources.mlperf.trees import read_place
from groundspeed.sources.mlperf.trees.layout import lay_out

REPEATS = 5


def grow(samples: Path, target: Path, wanted: int) -> int:
    """Copy sample trees into `target` under new submitters' names until there are as many files as wanted."""
    made = 0
    copy = 0
    while made < wanted:
        for division in sorted(p for p in samples.glob("*/*") if p.name in {"closed", "open"}):
            for submitter in sorted(p for p in division.iterdir() if p.is_dir()):
                to = target / division.parent.name / division.name / f"{submitter.name}-{copy}"
                shutil.copytree(submitter, to)
                made += sum(len(files) for _, _, files in os.walk(to))
        copy += 1
    return made


def needed(target: Path) -> list[str]:
    """The files that a reading of the tree reads."""
    place = directory(target)
    layout = lay_out(place.name, place.files)
    files = [
        file for run in layout.runs for file in (*list(run.logs.values())[:1], *run.accuracy.values(), run.measurements) if file
    ]
    return [f"{target}/{file.path}" for file in (*files, *layout.systems.values())]


def main() -> None:
    """Make the tree, read it several times in turns with the plain reading, print the best of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", nargs="?", type=Path, default=Path("../shared/data/mlperf/trees"))
    parser.add_argument("--files", type=int, default=25_000)
    options = parser.parse_args()
    if not options.samples.is_dir():
        sys.exit(f"{options.samples}: no such directory; give one with sample trees (<round>/<closed|open>/<submitter>/...)")
    with tempfile.TemporaryDirectory() as folder:
        made = grow(options.samples, Path(folder), options.files)
        paths = needed(Path(folder))
        ours, plain = [], []
        runs = 0
        for _ in range(REPEATS):
            start = time.process_time()
            for path in paths:
                with open(path, "rb") as stream:
                    stream.read()
            plain.append(time.process_time() - start)
            start = time.process_time()
            runs = len(read_place(directory(folder)).runs)
            ours.append(time.process_time() - start)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)
        print(
            f"tree of {made:,} files, {runs:,} runs: {min(ours):.2f} s / {min(plain):.2f} s to read the {len(paths):,} needed files = "
            f"{min(ours) / min(plain):.1f}x (goal 3x), peak memory {peak:.0f} MB (limit 400 MB)"
        )


if __name__ == "__main__":
    main()
