"""Result trees: the logs beneath the published tables."""

from groundspeed.sources.mlperf.trees.reading import Problem, TreeReading, read_place

__all__ = ["Problem", "TreeReading", "read_place"]
