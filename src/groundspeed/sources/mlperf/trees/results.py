"""From runs to results: the number that the round's rules name, taken from the log instead of a published table."""

from __future__ import annotations

import re

from groundspeed.record import accuracy, metrics, names, precision, stacks
from groundspeed.record.model import DataNote, Provenance, Quality, Result
from groundspeed.record.run_figures import defined
from groundspeed.record.runs import Run, result_id
from groundspeed.sources.mlperf.interpret import gated, workload_of
from groundspeed.sources.mlperf.tables import Rejection

FROM_LOGS = "read-from-logs"


def results_of(runs: list[Run], source: str) -> tuple[list[Result], list[Rejection]]:
    """Results of runs, and the runs that are none, each with its reason.

    A result of a log is not official where a published row of the same run exists: that row's value is, and `FROM_LOGS` among the notes
    tells the two apart.

    Args:
        runs: Runs of a tree.
        source: The tree's name, kept as provenance.
    """
    results: list[Result] = []
    rejected: list[Rejection] = []
    for run in runs:
        reason = _reason(run)
        found = _result(run, source) if reason is None else reason
        if isinstance(found, str):
            label = f"{run.round} {run.division} {run.submitter} {run.platform} {run.model} {run.scenario}"
            rejected.append(Rejection(run.log, label, found))
        else:
            results.append(found)
    return results, rejected


def _reason(run: Run) -> str | None:
    if run.measured.valid is False:
        return "the log says that the run is not valid"
    if run.system is None:
        return "no readable description of the system"
    if run.availability is None:
        return "the description of the system says neither available, preview nor rdi"
    return None


def _benchmark(folder: str) -> str:
    """The benchmark that a model's directory belongs to: an open variant adds to its name ("llama3_1-405b_pruned")."""
    ends = [len(folder), *(match.start() for match in reversed(list(re.finditer(r"[-_]", folder))))]
    return next((folder[:end] for end in ends if names.model(folder[:end]).is_benchmark), folder)


def _result(run: Run, source: str) -> Result | str:
    assert run.system is not None
    assert run.availability is not None
    workload, _ = workload_of(run.model, _benchmark(run.model), run.scenario, run.division)
    metric = metrics.definition(run.round, workload.benchmark, workload.scenario, run.measured.harness)
    figure = defined(run.measured, metric) if metric else None
    if metric is None or figure is None:
        return f"the log does not hold the metric of {workload.benchmark} {workload.scenario}"
    if not figure.value > 0:
        return f"a result of {figure.value:g} is not a measurement"
    judged_as = workload.benchmark_name if run.division == "closed" else ""
    quality = Quality(
        accuracy.parse(run.accuracy, judged_as, workload.scenario, run.round),
        gated(run.division, run.measured.harness, workload.benchmark),
        precision.parse(run.precision)[0],
    )
    return Result(
        id=result_id(run.round, run.path, run.scenario),
        workload=workload,
        system=run.system,
        stack=stacks.parse(run.stack),
        metric=metric,
        value=figure.value,
        quality=quality,
        provenance=Provenance(
            source=source,
            round=run.round,
            submitter=run.submitter,
            division=run.division,
            availability=run.availability,
            tier=1 if run.division == "closed" else 2,
            path=run.log,
            published_inferred=False,
            inferred=False,
        ),
        published_unit="",
        notes=(DataNote(FROM_LOGS, f"{metric.statistic}, from the run's {run.measured.evidence} log"),),
    )
