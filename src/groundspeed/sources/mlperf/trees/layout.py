"""Where things are in a result tree: `<division>/<submitter>/{systems,results,measurements}/...`, v4.1 to v6.1.

Directories above the division (a repository's name, a round) belong to the place and not to the tree; the round is found in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from groundspeed.record import names
from groundspeed.sources._places import File

DIVISIONS = {"closed", "open", "network"}
_ROUND = re.compile(r"(?<![\d.])v(\d{1,2}\.\d)(?![\d.])")
DETAIL, SUMMARY, ENDPOINTS = "mlperf_log_detail.txt", "mlperf_log_summary.txt", "result_summary.json"
_LOGS = {DETAIL, SUMMARY, ENDPOINTS}


class RunFiles:
    """The files of one scenario of one system.

    Attributes:
        round: Round that the directories above name, "" if none does.
        logs: Logs of the performance run by name.
        accuracy: Files of the accuracy run by name.
        measurements: The measurements.json, None if there is none.
    """

    __slots__ = ("accuracy", "division", "logs", "measurements", "model", "platform", "prefix", "round", "scenario", "submitter")

    def __init__(self, prefix: str, round_: str, division: str, submitter: str, platform: str, model: str, scenario: str) -> None:
        self.prefix, self.round, self.division, self.submitter = prefix, round_, division, submitter
        self.platform, self.model, self.scenario = platform, model, scenario
        self.logs: dict[str, File] = {}
        self.accuracy: dict[str, File] = {}
        self.measurements: File | None = None

    @property
    def path(self) -> str:
        """The scenario's directory in the round's repository."""
        return f"{self.division}/{self.submitter}/results/{self.platform}/{self.model}/{self.scenario}"


class Layout(NamedTuple):
    """What a place holds.

    Attributes:
        runs: Every scenario directory below `results`, in the place's order.
        systems: System descriptions by (round, division, submitter, platform).
        unused: Files below a division that nobody reads (power logs, compliance tests, code).
    """

    runs: list[RunFiles]
    systems: dict[tuple[str, str, str, str], File]
    unused: int


def _round_of(parts: Iterable[str]) -> str:
    found = [match for part in parts if (match := _ROUND.search(part))]
    return f"v{found[-1][1]}" if found else ""


def lay_out(place: str, files: Iterable[File]) -> Layout:
    """Find the runs of a place.

    Compliance tests (`TEST01` ...), ranging runs and power logs are not performance runs and are left alone.

    Args:
        place: The place's name; the round may stand in it.
        files: Its files.
    """
    outer = [part for part in re.split(r"[/\\]", place) if part]
    above = _round_of(outer)
    # A place inside a tree (".../closed/AMD") names the division itself.
    inside = next((i for i, part in reversed(list(enumerate(outer))) if part.casefold() in DIVISIONS), None)
    lead = outer[inside:] if inside is not None else []
    runs: dict[tuple[str, ...], RunFiles] = {}
    systems: dict[tuple[str, str, str, str], File] = {}
    measurements: list[tuple[tuple[str, ...], File]] = []
    unused = 0
    for file in files:
        parts = file.path.split("/")
        start = next((i for i, part in enumerate(parts) if part.casefold() in DIVISIONS), None)
        if start is None and lead:
            parts, start = [*lead, *parts], 0
        if start is None or len(parts) < start + 4:
            continue
        round_ = _round_of(parts[:start]) or above
        division, submitter, area, rest = parts[start], parts[start + 1], parts[start + 2], parts[start + 3 :]
        head = (round_, division, submitter)
        if area == "systems" and len(rest) == 1 and rest[0].endswith(".json"):
            systems[(*head, rest[0].removesuffix(".json"))] = file
            continue
        if area not in {"results", "measurements"} or len(rest) < 4 or not names.scenario(rest[2]).known:
            unused += 1
            continue
        key = (*head, *rest[:3])
        tail = rest[3:]
        if area == "measurements" or tail == ["measurements.json"]:
            # Before v6.0 the file is named after the system and stands in a tree of its own.
            if tail[-1].endswith(".json"):
                measurements.append((key, file))
            else:
                unused += 1
            continue
        run = tail in (["performance", "run_1", tail[-1]], ["performance", tail[-1]]) and tail[-1] in _LOGS
        accuracy = tail[0] == "accuracy" and len(tail) == 2 and tail[1] in {"accuracy.txt", "accuracy_results.json"}
        if not (run or accuracy):
            # An accuracy run's directory alone still makes the run's absence visible.
            unused += 1
            continue
        if key not in runs:
            prefix = "/".join(parts[:start])
            runs[key] = RunFiles(prefix, round_, division, submitter, *rest[:3])
        (runs[key].logs if run else runs[key].accuracy)[tail[-1]] = file
    for key, file in measurements:
        if key in runs:
            runs[key].measurements = file
        else:
            unused += 1
    return Layout(list(runs.values()), systems, unused)
