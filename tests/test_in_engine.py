"""The pairing left in an engine gives the pairs that the Python pairing gives without relaxations."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundspeed.audit.copies import without_copies
from groundspeed.audit.in_engine import software_only_pairs
from groundspeed.audit.pairs import find_pairs
from groundspeed.record import Record, write
from groundspeed.record.model import Precision
from makers import result


def by_python(results, rounds):
    """The pairs' ids and speed-ups as `find_pairs` has them."""
    kept, _ = without_copies(results)
    of = {name: [r for r in kept if r.provenance.round == name] for pair in rounds for name in pair}
    found = [p for older, newer in rounds for p in find_pairs(of[older], of[newer], ()).found]
    return sorted((p.older.id, p.newer.id, p.speedup) for p in found)


def by_engine(record, rounds):
    """The same, from the engine."""
    return sorted(record._rows(software_only_pairs(record.table, rounds).select("older_id", "id", "speedup")))


def consecutive(record):
    return list(itertools.pairwise(record.rounds()))


def test_the_embedded_record_gives_the_same_pairs_in_all_consecutive_rounds():
    record = Record()
    pairs = by_engine(record, consecutive(record))
    assert len(pairs) > 1000
    assert pairs == by_python(record.results(), consecutive(record))


def test_rounds_need_not_be_consecutive():
    record = Record()
    assert by_engine(record, [("v5.1", "v6.1")]) == by_python(record.results(), [("v5.1", "v6.1")])


def test_the_published_example_is_among_them_with_its_speed_up():
    table = software_only_pairs(Record().table, [("v6.0", "v6.1")])
    mine = table.filter(table["submitter"] == "AMD", table["model"] == "gpt-oss-120b", table["scenario"] == "Server")
    (row,) = (r for r in mine.to_pyarrow().to_pylist() if '"count":8' in r["hardware"])
    assert row["older_value"] == pytest.approx(82_136.1, abs=0.1)
    assert row["value"] == pytest.approx(113_241.0, abs=0.1)
    assert row["speedup"] == pytest.approx(1.379, abs=0.0005)


def test_a_round_is_the_newer_of_one_pair_only():
    with pytest.raises(ValueError, match="newer of at most one pair"):
        software_only_pairs(Record().table, [("v5.1", "v6.1"), ("v6.0", "v6.1")])


# Few values of each part, so that the parts often agree and every rule of the pairing decides something.
_PARTS = {
    "round": st.sampled_from(["v6.0", "v6.1"]),
    "submitter": st.sampled_from(["AMD", "Dell"]),
    "division": st.sampled_from(["closed", "closed", "open"]),
    "accelerator": st.sampled_from(["MI355X", "MI355X", None]),
    "count": st.sampled_from([8, 8, None]),
    "sockets": st.sampled_from([2, None]),
    "nodes": st.sampled_from([1, 2]),
    "system": st.sampled_from(["Supermicro AS-4126GS-NMR-LCC", "Dell PowerEdge XE9785L", "node-7"]),
    "platform": st.sampled_from(["8xMI355X", "XE9785L_8xMI355X", "AS-4126GS-NMR-LCC"]),
    "processor": st.sampled_from(["AMD EPYC 9575F", "AMD EPYC 9655", ""]),
    "model": st.just("llama2-70b"),
    "target": st.sampled_from(["99", "99.9"]),
    "scenario": st.just("Server"),
    "value": st.sampled_from([1.0, 2.0, 3.0]),
    "stack": st.sampled_from(["vLLM 0.22.0, ROCm 7.2.2", "SGLang 0.5.1", "TensorRT 10.1", "ROCm 7.0.0", "TODO", "vllm main"]),
    "precision": st.sampled_from(
        [Precision(), Precision(("fp4",)), Precision(("mxfp4",)), Precision(("nvfp4",), kv_cache="fp8"), Precision(("fp8",), kv_cache="fp16"),
         Precision(("bf16", "fp4", "fp8")), Precision(("bf16", "fp8", "nvfp4"))]
    ),
    "inferred": st.sampled_from([False, False, True]),
    "power_run": st.sampled_from([False, False, True]),
}  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.fixed_dictionaries(_PARTS), min_size=4, max_size=40))
def test_any_results_give_the_same_pairs(parts):
    results = [result(id=f"r{i:02}", path=f"p{i:02}", **part) for i, part in enumerate(parts)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.parquet"
        write(results, path)
        record = Record(path)
        assert by_engine(record, [("v6.0", "v6.1")]) == by_python(record.results(), [("v6.0", "v6.1")])
