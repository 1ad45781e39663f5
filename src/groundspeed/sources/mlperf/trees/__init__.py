"""Result trees: the logs beneath the published tables."""

from groundspeed.sources.mlperf.trees.layout import lay_out
from groundspeed.sources.mlperf.trees.reading import Problem, Progress, TreeReading, read_place
from groundspeed.sources.mlperf.trees.results import FROM_LOGS, results_of

__all__ = ["FROM_LOGS", "Problem", "Progress", "TreeReading", "lay_out", "read_place", "results_of"]
