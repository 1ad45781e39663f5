"""The software-only pairs of a record of ten million results, left in the engine, beside the same pairing written by hand in SQL.

    python benchmarks/scale.py [--results N] [--repeats N] [--memory GB] [--folder DIR]

The record is the embedded one many times over, written by DuckDB: every copy has submitters, systems and ids of its own, and values
that are off by a factor of the copy's submission. Both pairings run in processes of their own, alternately, in DuckDB under the same
memory limit, and write their pairs into a table there; ours is timed with the writing of its SQL by Ibis. Printed: the ratio of the
medians (limit 1.5x), the peak memory of the process (limit 4 GB), and that both found the same pairs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

RATIO_LIMIT, MEMORY_LIMIT_GB = 1.5, 4.0

_GENERATE = """
COPY (
    SELECT r.* REPLACE (
        r.id || '-' || k AS id,
        r.submitter || ' ' || k AS submitter,
        r.system || ' ' || k AS system,
        r.platform || '_' || k AS platform,
        r.path || '/' || k AS path,
        r.value * (1 + (hash(r.submitter, r.round, r.platform, k) % 1000) / 1e5) AS value)
    FROM range({copies}) AS copies(k), read_parquet('{embedded}') AS r
) TO '{path}' (FORMAT parquet, COMPRESSION zstd)
"""

# Written by somebody who knows the method and DuckDB, and wants these pairs from this file.
_BY_HAND = r"""
CREATE TEMP TABLE pairs AS
WITH before(newer_round, older_round) AS (VALUES {rounds}),
groups AS (
    SELECT round, submitter, division, platform, model, scenario, value, max(accuracy_target::DOUBLE) AS strictest
    FROM record WHERE accuracy_target <> ''
    GROUP BY ALL HAVING max(accuracy_target::DOUBLE) > min(accuracy_target::DOUBLE)
),
kept AS NOT MATERIALIZED (
    SELECT id, round, path, value, direction, harness, inferred, power_run, product, processor, platform, submitter, division,
        availability, tags, model, benchmark, scenario, accuracy_target, definition,
        CASE WHEN accelerator_groups = '[]' THEN concat_ws(' ', nodes, coalesce(sockets, 0), processor) ELSE accelerator_groups END AS hardware,
        CASE WHEN accelerator_groups = '[]' THEN sockets > 0 ELSE accelerator_count > 0 END AS counted,
        CASE WHEN direction = 'higher' THEN value ELSE -value END AS goodness
    FROM record r
    WHERE accuracy_target = '' OR NOT EXISTS (
        FROM groups g
        WHERE (g.round, g.submitter, g.division, g.platform, g.model, g.scenario, g.value)
            = (r.round, r.submitter, r.division, r.platform, r.model, r.scenario, r.value)
          AND nullif(r.accuracy_target, '')::DOUBLE < g.strictest)
),
newer AS (
    SELECT *, older_round FROM kept JOIN before ON round = newer_round
    QUALIFY row_number() OVER (
        PARTITION BY round, submitter, division, availability, hardware, tags, model, accuracy_target, scenario, definition, inferred,
            power_run, product, processor
        ORDER BY goodness DESC, path, id) = 1
),
candidates AS (
    SELECT n.id, o.id AS older_id, n.value, o.value AS older_value, n.direction, o.goodness AS older_goodness, n.round, o.round AS older_round,
        CASE WHEN n.inferred OR o.inferred THEN 150 ELSE 0 END
        + CASE WHEN n.harness <> o.harness THEN 100 ELSE 0 END
        + CASE WHEN (n.product <> '' AND o.product <> '' AND n.product <> o.product
                AND NOT contains(regexp_replace(lower(n.platform), '[^a-z0-9]', '', 'g'), o.product)
                AND NOT contains(regexp_replace(lower(o.platform), '[^a-z0-9]', '', 'g'), n.product))
            OR (n.processor <> '' AND o.processor <> '' AND n.processor <> o.processor) THEN 60 ELSE 0 END
        + CASE WHEN n.power_run <> o.power_run THEN 50 ELSE 0 END AS cost
    FROM newer n JOIN kept o ON o.round = n.older_round AND o.counted
        AND o.submitter = n.submitter AND o.division = n.division AND o.availability = n.availability AND o.hardware = n.hardware
        AND o.tags = n.tags AND o.model = n.model AND o.benchmark = n.benchmark AND o.scenario = n.scenario
        AND o.accuracy_target = n.accuracy_target AND o.definition = n.definition
),
nearest AS (
    FROM candidates
    QUALIFY row_number() OVER (PARTITION BY id ORDER BY cost, older_goodness DESC, older_id DESC) = 1
),
chosen AS (FROM nearest WHERE cost = 0 AND value <> older_value),
detailed AS (
    SELECT c.*, n.stack_components AS stack, o.stack_components AS older_stack, n.precision_kv_cache AS cache,
        o.precision_kv_cache AS older_cache, string_split(n.precision_weights, ' ') AS weights,
        string_split(o.precision_weights, ' ') AS older_weights,
        list_filter({serving}, lambda x: contains(n.stack_components, x)) AS serving,
        list_filter({serving}, lambda x: contains(o.stack_components, x)) AS older_serving,
        list_filter({engines}, lambda x: contains(n.stack_components, x)) AS engines,
        list_filter({engines}, lambda x: contains(o.stack_components, x)) AS older_engines
    FROM chosen c JOIN record n ON n.id = c.id JOIN record o ON o.id = c.older_id
)
SELECT older_id, id, older_round, round, older_value, value,
    CASE WHEN direction = 'higher' THEN value / older_value ELSE 1 / (value / older_value) END AS speedup
FROM detailed
WHERE regexp_matches(stack, '"(version|branch)":"[^"]') AND regexp_matches(older_stack, '"(version|branch)":"[^"]')
    AND CASE WHEN serving = [] THEN engines ELSE serving END = CASE WHEN older_serving = [] THEN older_engines ELSE older_serving END
    AND NOT (cache <> '' AND older_cache <> '' AND cache <> older_cache)
    AND NOT (weights <> [''] AND older_weights <> [''] AND weights <> older_weights AND (
        NOT (list_contains(weights, 'fp4') OR list_contains(older_weights, 'fp4'))
        OR list_sort(list_distinct(list_transform(weights, lambda w: CASE WHEN w IN ('mxfp4', 'nvfp4') THEN 'fp4' ELSE w END)))
        <> list_sort(list_distinct(list_transform(older_weights, lambda w: CASE WHEN w IN ('mxfp4', 'nvfp4') THEN 'fp4' ELSE w END)))))
"""

_SUMMARY = "SELECT count(*), coalesce(bit_xor(hash(older_id, id, round(speedup, 9))), 0) FROM pairs"


def generate(path: Path, results: int) -> int:
    """Write a record of at least that many results and return how many it holds."""
    import duckdb

    import groundspeed

    embedded = Path(groundspeed.__file__).parent / "record" / "data" / "record.parquet"
    connection = duckdb.connect()
    ((once,),) = connection.execute(f"SELECT count(*) FROM '{embedded}'").fetchall()
    copies = math.ceil(results / once)
    connection.execute("SET preserve_insertion_order = false; SET memory_limit = '3GB'")
    connection.execute(_GENERATE.format(copies=copies, embedded=embedded, path=path))
    return int(once) * copies


def _limit(memory_gb: float, folder: Path) -> str:
    # DuckDB counts its buffers and not all that a process holds: leave room below the limit of the process.
    return f"SET memory_limit = '{memory_gb}GB'; SET temp_directory = '{folder}/spill'; SET preserve_insertion_order = false"


def ours(path: Path, memory_gb: float) -> dict[str, Any]:
    """The pairing of the package."""
    from groundspeed.audit.in_engine import software_only_pairs
    from groundspeed.record import Record

    record = Record(path)
    connection = record.table.get_backend()
    connection.raw_sql(_limit(memory_gb, path.parent))
    rounds = list(itertools.pairwise(record.rounds()))
    start = time.perf_counter()
    query = connection.compile(software_only_pairs(record.table, rounds))
    connection.raw_sql(f"CREATE TEMP TABLE pairs AS {query}")
    elapsed = time.perf_counter() - start
    return {"seconds": elapsed, "pairs": connection.raw_sql(_SUMMARY).fetchone()}


def by_hand(path: Path, memory_gb: float) -> dict[str, Any]:
    """The same pairing in SQL."""
    import duckdb

    from groundspeed.record import Record, stacks

    rounds = list(itertools.pairwise(Record(path).rounds()))
    connection = duckdb.connect()
    connection.execute(_limit(memory_gb, path.parent))
    connection.execute(f"CREATE VIEW record AS FROM read_parquet('{path}')")
    lists = {
        name: str([f'"name":"{n}"' for n in stacks.of_kind(kind)])
        for name, kind in (("serving", "serving"), ("engines", "engine"))
    }
    values = ", ".join(f"('{newer}', '{older}')" for older, newer in rounds)
    start = time.perf_counter()
    connection.execute(_BY_HAND.format(rounds=values, **lists))
    elapsed = time.perf_counter() - start
    return {"seconds": elapsed, "pairs": connection.execute(_SUMMARY).fetchone()}


def run(which: str, path: Path, memory_gb: float) -> tuple[dict[str, Any], float]:
    """One pairing in a process of its own: what it says, and its peak resident memory in GB."""
    command = [sys.executable, "-W", "ignore", __file__, "--run", which, "--record", str(path), "--memory", str(memory_gb)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the pairing {which} failed with status {process.returncode}")
    kilobyte = 1 if sys.platform != "darwin" else 1 / 1024  # macOS counts bytes
    return json.loads(said), usage.ru_maxrss * kilobyte / 1024**2


def main() -> None:
    """Generate, run both alternately, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--memory", type=float, default=2.5, help="DuckDB's memory limit in GB, for both")
    parser.add_argument(
        "--folder",
        type=Path,
        help="where the record and what DuckDB spills are written (about 10 GB); default: a temporary folder",
    )
    parser.add_argument("--run", choices=["ours", "by-hand"], help=argparse.SUPPRESS)
    parser.add_argument("--record", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.run:
        print(json.dumps({"ours": ours, "by-hand": by_hand}[arguments.run](arguments.record, arguments.memory)))
        return
    with tempfile.TemporaryDirectory(dir=arguments.folder, prefix="groundspeed-scale-") as folder:
        path = Path(folder) / "record.parquet"
        held = generate(path, arguments.results)
        print(f"a record of {held:,} results, {path.stat().st_size / 1e6:,.0f} MB", flush=True)
        seconds: dict[str, list[float]] = {"ours": [], "by-hand": []}
        peak = {"ours": 0.0, "by-hand": 0.0}
        found = set()
        for which in list(seconds) * arguments.repeats:
            said, memory = run(which, path, arguments.memory)
            seconds[which].append(said["seconds"])
            peak[which] = max(peak[which], memory)
            found.add(tuple(said["pairs"]))
        if len(found) != 1:
            raise SystemExit(f"the two pairings found different pairs (count, hash): {sorted(found)}")
        mine, hand = map(statistics.median, seconds.values())
        print(
            f"software-only pairs {next(iter(found))[0]:,}, the same by hand\n"
            f"ours {mine:.2f} s / by hand {hand:.2f} s = {mine / hand:.2f}x (limit {RATIO_LIMIT}x), {arguments.repeats} interleaved repeats\n"
            f"peak memory {peak['ours']:.2f} GB (limit {MEMORY_LIMIT_GB} GB), by hand {peak['by-hand']:.2f} GB"
        )
        if mine / hand > RATIO_LIMIT or peak["ours"] > MEMORY_LIMIT_GB:
            raise SystemExit("a limit is exceeded")


if __name__ == "__main__":
    main()
