"""The result: one primary number that somebody measured, with all that is needed to judge it.

The parts follow the method's first section: workload, system, stack, metric, quality, provenance. All are immutable, and
equal parts are shared between results, so that a record of tens of thousands of results stays small.

msgspec structures are used rather than pydantic models: a history of 30,000 published rows is built in about a second.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Division = Literal["closed", "open", "network"]
Availability = Literal["available", "preview", "rdi"]
Harness = Literal["loadgen", "endpoints"]
Direction = Literal["higher", "lower"]


class Workload(msgspec.Struct, frozen=True, gc=False):
    """What was run.

    Attributes:
        model: Canonical name of the model that ran ("llama2-70b"; an open-division variant keeps its published name).
        benchmark: The suite's model it was submitted under; equal to `model` except for open-division variants.
        accuracy_target: "99", "99.9", "95", or "" where the benchmark has one target only.
        scenario: Offline, Server, Interactive, SingleStream or MultiStream.
        dataset: Dataset of the performance run, "" if unknown.
    """

    model: str
    benchmark: str
    accuracy_target: str
    scenario: str
    dataset: str = ""

    @property
    def name(self) -> str:
        """The model as MLPerf writes it, with its accuracy target: "llama2-70b-99.9"."""
        return f"{self.model}-{self.accuracy_target}" if self.accuracy_target else self.model

    @property
    def benchmark_name(self) -> str:
        """The benchmark with its accuracy target, the key of the accuracy table."""
        return f"{self.benchmark}-{self.accuracy_target}" if self.accuracy_target else self.benchmark


class AcceleratorGroup(msgspec.Struct, frozen=True, gc=False):
    """Accelerators of one kind in a system; `count` is what took part, None where the source does not say."""

    name: str
    count: int | None


class System(msgspec.Struct, frozen=True, gc=False):
    """The hardware.

    Attributes:
        name: The system's name as published.
        platform: The submission's label for it as published (a folder name).
        product: Server product, normalised for comparison; "" where the name is only a label or a host name.
        accelerators: One group a kind; more than one is a heterogeneous system, none a CPU-only one.
        published_count: The total the table gives, None if it gives none.
        nodes: Number of nodes as published.
        processor: Host CPU model, normalised for comparison.
        sockets: Host CPUs a node as published; None if unknown.
        suite: "datacenter", "edge" or "datacenter,edge".
        tags: What makes it another system than its accelerators say: "power-cap-1000w", "maxq", "nvl72", "cpu-only" ...
    """

    name: str
    platform: str
    product: str
    accelerators: tuple[AcceleratorGroup, ...]
    published_count: int | None
    nodes: int
    processor: str
    sockets: int | None
    suite: str
    tags: tuple[str, ...]

    @property
    def count(self) -> int | None:
        """How many accelerators took part, over all kinds; None if that is unknown for any, or if there are none."""
        if not self.accelerators:
            return None
        total = 0
        for group in self.accelerators:
            if group.count is None:
                return None
            total += group.count
        return total

    @property
    def accelerator(self) -> str | None:
        """The accelerator's canonical name, several joined by " + ", None for a CPU-only system."""
        return " + ".join(group.name for group in self.accelerators) or None

    @property
    def hardware(self) -> str:
        """What a person would call it: "8x MI355X", "8x MI355X (power-cap-1000w)", "2x Xeon 6980P (CPU-only)"."""
        if self.accelerators:
            text = " + ".join(f"{'?' if g.count is None else g.count}x {g.name}" for g in self.accelerators)
            return f"{text} ({', '.join(self.tags)})" if self.tags else text
        others = [tag for tag in self.tags if tag != "cpu-only"]
        sockets = self.nodes * self.sockets if self.sockets else "?"
        return f"{sockets}x {self.processor} ({', '.join(['CPU-only', *others])})"

    @property
    def hardware_key(self) -> tuple[object, ...]:
        """Equal for two systems whose hardware is the same in the method's sense: accelerators, counts and tags.

        A CPU-only system has its processors in the accelerators' place.
        """
        return (*self.kind_key, tuple(g.count for g in self.accelerators) or (self.nodes, self.sockets))

    @property
    def kind_key(self) -> tuple[object, ...]:
        """As `hardware_key`, without the counts."""
        if self.accelerators:
            return tuple(g.name for g in self.accelerators), self.tags
        return (self.processor,), self.tags


class Component(msgspec.Struct, frozen=True, gc=False):
    """One component of a stack.

    Attributes:
        name: Canonical name ("rocm", "vllm").
        version: The version as declared, "" if none.
        branch: A branch or tag name ("feat/1.2-mlpinf"), "" if none. It is kept, but it is not a version.
    """

    name: str
    version: str = ""
    branch: str = ""


class Stack(msgspec.Struct, frozen=True, gc=False):
    """The software as the submission declares it: the raw string and the components read from it."""

    raw: str
    components: tuple[Component, ...]

    @property
    def declared(self) -> bool:
        """False where the source left the stack blank, wrote "TODO", or named no version at all."""
        return any(component.version or component.branch for component in self.components)

    def versions(self, name: str) -> tuple[str, ...]:
        """Every version declared for a component; more than one where the submission lists several builds."""
        seen = dict.fromkeys(c.version for c in self.components if c.name == name and c.version)
        return tuple(seen)


class Metric(msgspec.Struct, frozen=True, gc=False):
    """What the number measures. `definition` is its version: different ones never make a velocity."""

    quantity: str
    statistic: str
    unit: str
    direction: Direction
    harness: Harness
    definition: str


class AccuracyValue(msgspec.Struct, frozen=True, gc=False):
    """One accuracy metric on its target's scale; `below` is None where there is no target to judge by."""

    metric: str
    value: float
    minimum: float | None = None
    maximum: float | None = None
    below: bool | None = None


class Precision(msgspec.Struct, frozen=True, gc=False):
    """Number formats of weights, activations and KV cache. Empty: not stated."""

    weights: tuple[str, ...] = ()
    activations: str = ""
    kv_cache: str = ""
    raw: str = ""


class Power(msgspec.Struct, frozen=True, gc=False):
    """Measured power of the performance run: average watts of the whole system, or millijoules a query."""

    value: float
    unit: str


class Quality(msgspec.Struct, frozen=True, gc=False):
    """How good the answers were, and what the number cost.

    Attributes:
        accuracy: Accuracy metrics.
        gated: Whether the checker refused a result below its target (not for open results, and not for rows of the
            Endpoints client in v6.1).
        precision: Number formats.
        power: Measured power, None if none was measured.
        power_run: Whether the performance was measured in a power run.
    """

    accuracy: tuple[AccuracyValue, ...]
    gated: bool
    precision: Precision
    power: Power | None = None
    power_run: bool = False

    @property
    def below_target(self) -> bool:
        """Whether any accuracy value, as listed, is outside its target."""
        return any(value.below for value in self.accuracy)


class Provenance(msgspec.Struct, frozen=True, gc=False):
    """Who says so, and where.

    Attributes:
        source: Name of the published table.
        round: MLPerf round, "v6.1".
        submitter: Canonical submitter.
        division: closed, open or network.
        availability: available, preview or rdi.
        tier: Evidence tier of the method: 1 closed, 2 open and network.
        path: Path of the result in the round's repository.
        published_inferred: What the table's own "inferred" flag says.
        inferred: What is believed of it (see `sources.mlperf`).
    """

    source: str
    round: str
    submitter: str
    division: Division
    availability: Availability
    tier: int
    path: str
    published_inferred: bool
    inferred: bool


class DataNote(msgspec.Struct, frozen=True, gc=False):
    """Something in the source that is wrong, ambiguous or was decided for it. Never resolved in silence."""

    code: str
    detail: str


class Result(msgspec.Struct, frozen=True, gc=False):
    """One published or measured result. `value` is in `metric.unit`."""

    id: str
    workload: Workload
    system: System
    stack: Stack
    metric: Metric
    value: float
    quality: Quality
    provenance: Provenance
    published_unit: str
    notes: tuple[DataNote, ...] = ()
