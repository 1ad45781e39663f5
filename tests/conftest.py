"""Where the published data is, and the tables of it, read once a session."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from groundspeed.sources.mlperf import Reading, read_table

_DATA = Path(__file__).parents[1].parent / "shared" / "data"

TABLES = {
    "history": "history_v2.0-v4.1.jsonl.gz",
    "v5.1": "v5.1_summary_results.json",
    "v6.0": "v6.0_summary_results.json",
    "v6.1": "v6.1_summary.csv",
    "v6.1-head": "v6.1_summary_head.json",
}


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of published data beside the project; the test is skipped where there is none."""
    if not (_DATA / "mlperf" / TABLES["v6.1"]).is_file():
        pytest.skip("the published tables are not beside this project (../shared/data/mlperf)")
    return _DATA


@pytest.fixture(scope="session")
def table(shared_data: Path) -> Callable[[str], Reading]:
    """A published table by its short name ("v6.0"), read when first asked for."""
    return cache(lambda name: read_table(shared_data / "mlperf" / TABLES[name]))
