"""Published tables of MLPerf Inference results.

    from groundspeed.sources.mlperf import read_table
    reading = read_table("v6.0_summary_results.json")
    reading.results

Four naming schemes are read, recognised from the content and in any of the containers (JSON list, JSON object keyed "0", "1", ...,
JSON lines, CSV; plain or gzip): the final report of v5.0 to v6.0, the checker's summary of v6.1 as CSV and as JSON, and
the aggregated history up to v4.1.
"""

from groundspeed.sources.mlperf.tables import Reading, Rejection, Unknown, read_table

__all__ = ["Reading", "Rejection", "Unknown", "read_table"]
