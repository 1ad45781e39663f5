"""The software-only pairs of a record as one expression, for records too large to bring into Python.

It is the pairing of `groundspeed.audit.pairs` without relaxations: copies set aside; the same submitter, hardware, tags, division,
availability, workload and definition; the best row of each of the newer submission's platforms against the nearest older row (same
platform and harness first, the better result among equals); and of those the pairs that need no relaxation. Nothing of it is run
here: Ibis writes the query for the engine the table is on, and only pairs leave the engine.

What is not expressed stays with the Python pairing: relaxations, and with them pairs across platforms, counts, targets or submitters;
how many pairs were left out for want of one; noise, steps, rates and remarks. Labels of systems are folded for ASCII letters only.

Cost: one grouping of the results that have an accuracy target (copies), one ranking of the newer results within their groups, one
join of equal keys, and one ranking of the joined rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import ibis

from groundspeed.record import precision, stacks

if TYPE_CHECKING:
    import ibis.expr.types as ir

# What both sides of a pair have in common, by column.
_SAME = [
    "submitter", "division", "availability", "hardware", "tags", "model", "benchmark", "scenario", "accuracy_target", "definition",
]  # fmt: skip
# What a candidate is ranked by, besides.
_RANKED_BY = ["id", "round", "path", "value", "direction", "harness", "inferred", "power_run", "product", "processor", "platform"]
_COPY = ["round", "submitter", "division", "platform", "model", "scenario", "value"]


def _without_copies(table: ir.Table) -> ir.Table:
    """Results without identical copies under a looser accuracy target (`groundspeed.audit.copies`)."""
    with_target = table.filter(table["accuracy_target"] != "")
    groups = (
        with_target.select(*_COPY, strictness=with_target["accuracy_target"].cast("float64"))
        .group_by(_COPY)
        .aggregate(strictest=ibis._["strictness"].max(), loosest=ibis._["strictness"].min())
        .filter(ibis._["strictest"] > ibis._["loosest"])
        .select(*_COPY, "strictest")
    )
    # "0" where there is no target: such a result is in no group, whatever the engine evaluates first.
    rows = table.mutate(strictness=ibis.ifelse(table["accuracy_target"] == "", "0", table["accuracy_target"]).cast("float64"))
    is_looser_copy = [rows[name] == groups[name] for name in _COPY] + [
        rows["strictness"] < groups["strictest"],
        rows["strictness"] > 0,
    ]
    return rows.anti_join(groups, is_looser_copy)


def _prepared(table: ir.Table) -> ir.Table:
    """The columns a pairing ranks by: hardware as one text, how good a result is, and the system's label folded."""
    t = table.mutate(cpu_only=table["accelerator_groups"] == "[]")
    sockets = t["sockets"].fill_null(0)
    cpus = t["nodes"].cast("string") + " " + sockets.cast("string") + " " + t["processor"]
    return t.mutate(
        hardware=ibis.ifelse(t["cpu_only"], cpus, t["accelerator_groups"]),
        counted=ibis.ifelse(t["cpu_only"], sockets, t["accelerator_count"].fill_null(0)) > 0,
        goodness=ibis.ifelse(t["direction"] == "higher", t["value"], -t["value"]),
    ).select(*_SAME, *_RANKED_BY, "counted", "goodness")


def _best_of_platforms(newer: ir.Table) -> ir.Table:
    """The best newer row of each server product and host CPU in its group; the first of equals in the record's order."""
    window = ibis.window(
        group_by=["round", *(name for name in _SAME if name != "benchmark"), "inferred", "power_run", "product", "processor"],
        order_by=[newer["goodness"].desc(), newer["path"], newer["id"]],
    )
    return newer.mutate(place=ibis.row_number().over(window)).filter(ibis._["place"] == 0).drop("place")


def _label(platform: ir.StringValue) -> ir.StringValue:
    return platform.lower().re_replace("[^a-z0-9]", "")


def _platform_differs(t: ir.Table) -> ir.BooleanValue:
    """As `groundspeed.audit.pairs.platform_differs`."""
    a, b = t["older_product"], t["product"]
    named = (a != "") & (b != "") & (a != b)
    products = named & ~_label(t["platform"]).contains(a) & ~_label(t["older_platform"]).contains(b)
    x, y = t["older_processor"], t["processor"]
    return products | ((x != "") & (y != "") & (x != y))


def _cost(t: ir.Table) -> ir.IntegerValue:
    """How far a candidate is from software-only, in the units of `groundspeed.audit.pairs`."""
    costs = [
        (t["inferred"] | t["older_inferred"], 150),
        (t["harness"] != t["older_harness"], 100),
        (_platform_differs(t), 60),
        (t["power_run"] != t["older_power_run"], 50),
    ]
    return sum((ibis.ifelse(needed, cost, 0) for needed, cost in costs), ibis.literal(0))


def _declared(components: ir.StringValue) -> ir.BooleanValue:
    """Whether a stack names a version or a branch; components are JSON as the record writes it."""
    version, branch = components.replace('"version":""', ""), components.replace('"branch":""', "")
    return version.contains('"version":"') | branch.contains('"branch":"')


def _held(text: ir.StringValue, names: Sequence[str], quoted: str) -> ir.StringValue:
    """Which of some names stand in a text, as one text; equal for equal sets."""
    parts = [ibis.ifelse(text.contains(quoted.format(name)), f"{name} ", "") for name in names]
    return sum(parts[1:], parts[0])


def _frameworks(components: ir.StringValue) -> ir.StringValue:
    quoted = '"name":"{}"'
    serving = _held(components, stacks.of_kind("serving"), quoted)
    return ibis.ifelse(serving == "", _held(components, stacks.of_kind("engine"), quoted), serving)


def _precision_differs(t: ir.Table) -> ir.BooleanValue:
    """As `groundspeed.record.precision.differ`."""
    a, b = t["older_precision_weights"], t["precision_weights"]
    x, y = t["older_precision_kv_cache"], t["precision_kv_cache"]

    def padded(text: ir.StringValue) -> ir.StringValue:
        return ibis.literal(" ") + text + " "

    def folded(text: ir.StringValue) -> ir.StringValue:
        text = padded(text).replace(" mxfp4 ", " fp4 ").replace(" nvfp4 ", " fp4 ")
        return _held(text, precision.weight_formats(), " {} ")

    any_fp4 = padded(a).contains(" fp4 ") | padded(b).contains(" fp4 ")
    weights = (a != "") & (b != "") & (a != b) & (~any_fp4 | (folded(a) != folded(b)))
    return ((x != "") & (y != "") & (x != y)) | weights


def software_only_pairs(table: ir.Table, rounds: Sequence[tuple[str, str]]) -> ir.Table:
    """The software-only pairs of some rounds, left in the engine.

    Args:
        table: A record's table (`Record.table`).
        rounds: Pairs of rounds, older first; each round is the newer of at most one pair.

    Returns:
        A row a pair: older_id and id; older_round and round; submitter, hardware (as in the record: JSON of the accelerators; nodes,
        sockets and processor of a CPU-only system), tags, model, accuracy_target, scenario; older_value and value in the metric's
        unit; speedup (above 1 is better). In no order.

    Raises:
        ValueError: If a round is the newer of two pairs.
    """
    before = {newer: older for older, newer in rounds}
    if len(before) != len(rounds):
        raise ValueError("each round is the newer of at most one pair")
    held = _without_copies(table.filter(table["round"].isin(sorted({r for pair in rounds for r in pair}))))
    rows = _prepared(held)
    newer = _best_of_platforms(rows.filter(rows["round"].isin(list(before))))
    older = rows.filter(rows["counted"] & rows["round"].isin(list(before.values()))).rename("older_{name}")
    newer = newer.mutate(wanted_round=newer["round"].cases(*before.items()))
    matches = [newer["wanted_round"] == older["older_round"], *(newer[name] == older[f"older_{name}"] for name in _SAME)]
    joined = newer.join(older, matches)
    joined = joined.mutate(cost=_cost(joined))
    nearest = ibis.window(group_by="id", order_by=[joined["cost"], joined["older_goodness"].desc(), joined["older_id"].desc()])
    chosen = joined.mutate(place=ibis.row_number().over(nearest))
    chosen = chosen.filter((chosen["place"] == 0) & (chosen["cost"] == 0) & (chosen["value"] != chosen["older_value"]))
    return _alike(chosen, table)


def _alike(chosen: ir.Table, table: ir.Table) -> ir.Table:
    """The pairs whose stacks are both declared, of one framework, and whose number formats are not known to differ.

    None of these decides which older row is nearest, so the long texts they are read from are looked up for the chosen rows only.
    """
    details = table.select("id", "stack_components", "precision_weights", "precision_kv_cache")
    pairs = chosen.join(details, "id").join(details.rename("older_{name}"), "older_id")
    a, b = pairs["older_stack_components"], pairs["stack_components"]
    pairs = pairs.filter(_declared(a) & _declared(b) & (_frameworks(a) == _frameworks(b)) & ~_precision_differs(pairs))
    ratio = pairs["value"] / pairs["older_value"]
    return pairs.select(
        "older_id", "id", "older_round", "round", "submitter", "hardware", "tags", "model", "accuracy_target", "scenario",
        "older_value", "value", speedup=ibis.ifelse(pairs["direction"] == "higher", ratio, 1 / ratio),
    )  # fmt: skip
