"""The run: what the logs of one measurement say, before anybody made a table row of it.

Figures keep the step of their last printed digit, because a log and a table print the same number with different care.
"""

from __future__ import annotations

import hashlib
import re
from typing import Literal

import msgspec

from groundspeed.record.model import Availability, Division, Harness, System

Evidence = Literal["detail", "summary", "endpoints"]

_LITERAL = re.compile(r"[-+]?\d+(?:\.(\d+))?(?:[eE]([-+]?\d{1,3}))?", re.ASCII)


class Figure(msgspec.Struct, frozen=True, gc=False):
    """A printed number.

    Attributes:
        value: The number.
        step: Value of its last printed digit: 0.01 for 82136.08, 10 for 1.18633e+06. 0 for an exact one.
    """

    value: float
    step: float

    def agrees(self, other: Figure) -> bool:
        """Whether both can be roundings of one number: each is within half of its last digit of it."""
        return abs(self.value - other.value) <= (self.step + other.step) / 2 * (1 + 1e-9) + 1e-12 * abs(self.value)


def figure(text: str) -> Figure:
    """The figure that a literal prints; the step is that of its last digit.

    Raises:
        ValueError: If it is no plain decimal number.
    """
    literal = _LITERAL.fullmatch(text)
    if literal is None:
        raise ValueError(text)
    decimals, exponent = literal.groups()
    return Figure(float(text), 10.0 ** (int(exponent or 0) - len(decimals or "")))


# LoadGen's detail log, which most table values come from, prints six significant digits.
_LOADGEN_DIGITS = 6


def published_figure(value: float) -> Figure:
    """The figure of a table's value: what its shortest form prints, where ".0" is not a digit that anybody wrote.

    1072250 may be all digits of a count or 1.07225e+06 written out: a whole number of more than six digits that ends in zeros is taken
    for the latter.
    """
    text = repr(value).removesuffix(".0")
    read = figure(text)
    if text.isdecimal() and len(text) > _LOADGEN_DIGITS:
        step = 10 ** (len(text) - _LOADGEN_DIGITS)
        if int(text) % step == 0:
            return Figure(read.value, float(step))
    return read


_RUN = re.compile(r"/performance(?:/run_\d+)?(?:/[\w.]+\.(?:txt|json))?/?$", re.IGNORECASE)


def run_folder(path: str) -> tuple[str, ...]:
    """A scenario's directory within its round's repository, the same for a row's published path and for a log's path.

    What stands below the directory is left out, and so is what stands above the division; case is folded, because a folder's may
    differ from the table's.
    """
    parts = _RUN.sub("", path.casefold()).split("/")
    start = next((i for i, part in enumerate(parts) if part in {"closed", "open", "network"}), 0)
    return tuple(parts[start:])


def result_id(round_: str, path: str, scenario: str) -> str:
    """The id of a run's result: the same whether a table's row or a log gives it, because both name the run's directory.

    Args:
        round_: MLPerf round.
        path: Path of the row or of the run.
        scenario: Canonical scenario.
    """
    key = "|".join((round_, *run_folder(path), scenario)).encode()
    return f"{round_}-{hashlib.blake2b(key, digest_size=6).hexdigest()}"


class Distribution(msgspec.Struct, frozen=True, gc=False):
    """Times in nanoseconds; percentiles by their number in percent (99.9 -> 1874304916)."""

    minimum_ns: float | None
    maximum_ns: float | None
    mean_ns: float | None
    percentiles_ns: dict[float, float]


class Measured(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What one log says of its run. None: it does not say.

    Attributes:
        evidence: Which log: LoadGen's detail log, its text summary, or the Endpoints client's result summary.
        harness: Who measured.
        scenario: The log's own scenario. LoadGen knows no Interactive: its log says Server.
        mode: "PerformanceOnly", "AccuracyOnly" ...
        valid: The log's own verdict.
        conditions: Single conditions of validity by name ("min-duration", "min-queries", "latency", "early-stopping").
        rates: Rates per second by what is counted: "samples", "scheduled samples", "completed samples", "tokens",
            "completed tokens", "inferred tokens", "completed inferred tokens", "tokens (legacy window)", "queries".
        early_stopping_ns: Early-stopping estimates of latency percentiles, by percentile.
        latency, ttft, tpot: Distributions of query latency, time to first token and time per output token.
        target_rate: Target queries a second of the load.
        seeds: Random seeds by name ("qsl", "sample index", "schedule").
        queries: Queries issued.
        tokens: Output tokens.
        duration_s: Length of the measured window in seconds.
        version: The harness's version.
        errors: Errors the harness counted.
    """

    evidence: Evidence
    harness: Harness
    scenario: str
    mode: str
    valid: bool | None
    conditions: dict[str, bool]
    rates: dict[str, Figure]
    early_stopping_ns: dict[float, Figure]
    latency: Distribution | None
    ttft: Distribution | None
    tpot: Distribution | None
    target_rate: float | None = None
    seeds: dict[str, int] = {}
    queries: int | None = None
    tokens: int | None = None
    duration_s: float | None = None
    version: str = ""
    errors: int | None = None


class Run(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A performance run in a result tree.

    Attributes:
        round: MLPerf round.
        division: closed, open or network.
        submitter: Canonical submitter.
        availability: As the system's description says; None if it says none.
        platform: Name of the system's directory.
        model: Name of the model's directory, as written.
        scenario: Canonical scenario of the scenario's directory.
        path: Directory of the scenario within the round's repository, as written.
        log: Path of the log that was read.
        system: The hardware as its description says, None if that is missing or broken.
        stack: The software as the description says.
        precision: Weight data types of measurements.json, "" where there is none.
        measured: What the log says.
        accuracy: The metrics printed by the accuracy run ("rouge1: 44.4 rouge2: 22.0"), "" if there are none.
        accuracy_log: Path of the file they stand in.
        digest: Of the log's bytes: equal for copied logs.
    """

    round: str
    division: Division
    submitter: str
    availability: Availability | None
    platform: str
    model: str
    scenario: str
    path: str
    log: str
    system: System | None
    stack: str
    precision: str
    measured: Measured
    accuracy: str
    accuracy_log: str
    digest: str
