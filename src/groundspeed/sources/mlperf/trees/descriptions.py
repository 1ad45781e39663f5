"""systems/*.json: the hardware and software of a submission, in the submitter's own words; numbers are sometimes texts."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from groundspeed.errors import SourceError
from groundspeed.record import systems
from groundspeed.record.model import Availability, System
from groundspeed.sources.mlperf.interpret import BadValueError, count


class _System(msgspec.Struct, rename={"nodes": "number_of_nodes", "sockets": "host_processors_per_node"}):
    status: str = ""
    system_name: str = ""
    system_type: str = ""
    accelerator_model_name: str | None = None
    accelerators_per_node: int | float | str | None = None
    host_processor_model_name: str | None = None
    sockets: int | float | str | None = None
    nodes: int | float | str | None = None
    framework: str | None = None
    hw_notes: str | None = None
    sw_notes: str | None = None


_decoder = msgspec.json.Decoder(_System)
_weights = msgspec.json.Decoder(dict[str, Any])
_NOTHING = {"", "n/a", "-", "none"}
_STATUS: dict[str, Availability] = {"available": "available", "preview": "preview", "rdi": "rdi"}


class Description(NamedTuple):
    """A system's hardware, software and availability (None: not one of the three)."""

    system: System
    stack: str
    availability: Availability | None


def read_system(name: str, data: bytes, platform: str) -> Description:
    """Read a system's description.

    Args:
        name: The file, for errors.
        data: Its bytes.
        platform: Its name in the tree.

    Raises:
        SourceError: If it is damaged or a field is of the wrong kind.
    """
    try:
        s = _decoder.decode(data)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        text, _, path = str(error).partition(" - at `$.")
        where = f"field {path.rstrip('`')}" if path else ""
        raise SourceError(name, where, f"damaged or wrong data ({text})", "a system description (JSON)") from None
    try:
        nodes, each = count("number_of_nodes", s.nodes), count("accelerators_per_node", s.accelerators_per_node)
        sockets = count("host_processors_per_node", s.sockets)
    except BadValueError as bad:
        raise SourceError(name, f"field {bad.field}", bad.found, bad.expected) from None
    read = systems.read(
        systems.PublishedSystem(
            s.system_name, platform, s.accelerator_model_name or "", nodes or 1, each or None, None,
            s.host_processor_model_name or "", sockets, s.system_type, " ".join(filter(None, (s.hw_notes, s.sw_notes))),
        )
    )  # fmt: skip
    stack = s.framework or ""
    return Description(
        read.system, "" if stack.strip().casefold() in _NOTHING else stack, _STATUS.get(s.status.strip().casefold())
    )


def read_weights(name: str, data: bytes) -> str:
    """The weight data types of a measurements.json.

    Raises:
        SourceError: If it is damaged, or the field is no text.
    """
    try:
        found = _weights.decode(data).get("weight_data_types", "")
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise SourceError(name, "", f"damaged or wrong data ({error})", "measurements (JSON)") from None
    if not isinstance(found, str):
        raise SourceError(name, "field weight_data_types", repr(found)[:60], "a text")
    return found
