"""Reading a tree as a whole: every scenario directory becomes a run, or a problem that says why not; the rest is still read."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Literal, NamedTuple, TypeVar

from groundspeed.errors import SourceError
from groundspeed.record import names
from groundspeed.record.model import Division
from groundspeed.record.runs import Measured, Run
from groundspeed.sources._places import File, Place
from groundspeed.sources.mlperf.trees.accuracy import metrics
from groundspeed.sources.mlperf.trees.descriptions import Description, read_system, read_weights
from groundspeed.sources.mlperf.trees.endpoints import read_result_summary, read_scores
from groundspeed.sources.mlperf.trees.layout import DETAIL, ENDPOINTS, SUMMARY, RunFiles, lay_out
from groundspeed.sources.mlperf.trees.loadgen import read_detail, read_summary

T = TypeVar("T")
# The largest file that anybody reads is a detail log of a few megabytes.
MAX_FILE_BYTES = 256 << 20

# Wraps the runs that are read, one after another.
Progress = Callable[[list[RunFiles]], Iterable[RunFiles]]

ProblemKind = Literal["no-log", "damaged-log", "other-mode", "damaged-file", "missing-file"]


class Problem(NamedTuple):
    """Something in a tree that could not be read.

    Attributes:
        kind: What sort of problem.
        path: The file or directory, as the place has it.
        detail: What was found and expected.
    """

    kind: ProblemKind
    path: str
    detail: str


class TreeReading(NamedTuple):
    """What became of a tree.

    Attributes:
        place: The place's name.
        runs: The performance runs that were read.
        problems: What could not be read; a run may be there all the same, without what the damaged file would have said.
        read: Files that were read.
        unused: Files of the tree that nobody needs.
    """

    place: str
    runs: list[Run]
    problems: list[Problem]
    read: int
    unused: int


def read_place(place: Place, round_: str | None = None, progress: Progress = iter) -> TreeReading:
    """Read the result trees of a place.

    Args:
        place: Where the files are.
        round_: The round, for trees whose directories do not name it ("v6.0").
        progress: Wraps the runs to read, for a progress bar.

    Raises:
        SourceError: If there is no result tree, or its round is unknown.
    """
    layout = lay_out(place.name, place.files)
    if not layout.runs:
        expected = "a result tree: <closed|open>/<submitter>/results/<system>/<model>/<scenario>/performance/run_1/..."
        raise SourceError(place.name, "", "no run of a result tree", expected)
    reader = _Reader(place, layout.systems)
    runs = []
    for files in progress(layout.runs):
        round_of = round_ or files.round
        if not round_of:
            raise SourceError(
                place.name, files.path, "no directory that names the round", 'one such as "v6.0", or the option --round'
            )
        run = reader.run(files, round_of)
        if run is not None:
            runs.append(run)
    return TreeReading(place.name, runs, reader.problems, reader.read, layout.unused)


class _Reader:
    """Reads runs, keeping count of files and problems."""

    def __init__(self, place: Place, systems: dict[tuple[str, str, str, str], File]) -> None:
        self._place, self._systems = place, systems
        self.problems: list[Problem] = []
        self.read = 0
        self._description = cache(self._read_description)

    def _name(self, file: File) -> str:
        return f"{self._place.name}/{file.path}"

    def _parse(self, kind: ProblemKind, file: File, parse: Callable[[str, bytes], T]) -> tuple[T, bytes] | None:
        """A file parsed, or None and a problem."""
        try:
            data = file.read() if (file.size or 0) <= MAX_FILE_BYTES else None
            if data is None or len(data) > MAX_FILE_BYTES:
                raise SourceError(self._name(file), "", f"more than {MAX_FILE_BYTES:,} bytes", f"at most {MAX_FILE_BYTES:,}")
            self.read += 1
            if not data.strip(b"\0 \r\n\t"):
                raise SourceError(self._name(file), "", f"an empty file ({len(data):,} bytes)", "a file with content")
            return parse(self._name(file), data), data
        except SourceError as error:
            where = f"{error.where}: " if error.where else ""
            self.problems.append(Problem(kind, file.path, f"{where}found {error.found}; expected {error.expected}"))
            return None

    def _read_description(self, key: tuple[str, str, str, str]) -> Description | None:
        if key not in self._systems:
            path = "/".join((*key[1:3], "systems", f"{key[3]}.json"))
            self.problems.append(Problem("missing-file", path, "no description of the system"))
            return None
        parsed = self._parse("damaged-file", self._systems[key], lambda name, data: read_system(name, data, key[3]))
        return parsed[0] if parsed else None

    def _measured(self, files: RunFiles, scenario: str) -> tuple[Measured, bytes, File] | None:
        """The run's best log: the detail log, the Endpoints client's, or, where those are missing or damaged, the text summary."""
        readers: list[tuple[str, Callable[[str, bytes], Measured]]] = [
            (DETAIL, read_detail),
            (ENDPOINTS, lambda name, data: read_result_summary(name, data, scenario)),
            (SUMMARY, read_summary),
        ]
        for log, read in readers:
            if log in files.logs and (parsed := self._parse("damaged-log", files.logs[log], read)):
                return (*parsed, files.logs[log])
        if not files.logs:
            self.problems.append(Problem("no-log", f"{files.path}/performance", "an accuracy run without a performance log"))
        return None

    def run(self, files: RunFiles, round_: str) -> Run | None:
        """A run, or None where no log of it can be read."""
        scenario, model = names.scenario(files.scenario).name, names.model(files.model)
        found = self._measured(files, scenario)
        if found is None:
            return None
        measured, data, log = found
        if measured.mode != "PerformanceOnly":
            self.problems.append(
                Problem("other-mode", log.path, f"the log of a {measured.mode} run where a performance run belongs")
            )
            return None
        described = self._description((files.round, files.division, files.submitter, files.platform))
        accuracy, accuracy_log = "", ""
        for name, file in files.accuracy.items():
            parsed = (
                self._parse("damaged-file", file, read_scores)
                if name.endswith(".json")
                else self._parse("damaged-file", file, lambda _, text: metrics(text.decode("utf-8", "replace"), model.name))
            )
            if parsed and (parsed[0] or not accuracy):
                accuracy, accuracy_log = parsed[0], file.path
        weights = self._parse("damaged-file", files.measurements, read_weights) if files.measurements else None
        return Run(
            round=round_,
            division=_division(files.division),
            submitter=names.submitter(files.submitter).name,
            availability=described.availability if described else None,
            platform=files.platform,
            model=files.model,
            scenario=scenario,
            path=files.path,
            log=log.path,
            system=described.system if described else None,
            stack=described.stack if described else "",
            precision=weights[0] if weights else "",
            measured=measured,
            accuracy=accuracy,
            accuracy_log=accuracy_log,
            digest=hashlib.blake2b(data, digest_size=16).hexdigest(),
        )


def _division(folder: str) -> Division:
    found = folder.casefold()
    return "closed" if found == "closed" else "open" if found == "open" else "network"
