"""The claim language: what a ledger may say. Its JSON Schema is made from these models.

A claim is a statement with a number, written as a *question to the record*, together with the value as it was printed and how it was
meant. Selections use the names a person would write: 8x MI355X, AMD, gpt-oss-120b, Offline, v6.1.
"""

from __future__ import annotations

import math
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator, model_validator

from groundspeed.audit.claims import printed

Names = str | list[str]
Dimension = Literal["scenario", "model"]
Take = Literal["each", "maximum", "minimum", "mean"]
Per = Literal["system", "accelerator"]


def _round(written: str) -> str:
    """A round as the record has it: 6.1 and V6.1 are v6.1. Anything else stays as it is; the record says that it has no such round."""
    match = re.fullmatch(r"\s*v?([0-9]+\.[0-9]+)\s*", written, re.IGNORECASE)
    return f"v{match[1]}" if match else written


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, coerce_numbers_to_str=False)


class Selection(_Strict):
    """Results of the record. Every field narrows it; at least one is needed."""

    hardware: Names | None = Field(None, description='"8x MI355X", "H200", a vendor ("NVIDIA"), or "cpu".')
    submitter: Names | None = Field(None, description="Who submitted.")
    except_submitter: Names | None = Field(None, description="Whose submissions are left out.")
    model: Names | None = Field(None, description='"gpt-oss-120b", "llama2-70b" (every target) or "llama2-70b-99.9".')
    scenario: Names | None = Field(None, description="Offline, Server, Interactive, SingleStream or MultiStream.")
    round: Names | None = Field(None, description='"v6.1"; without it all rounds.')
    division: Names = Field("closed", description='closed, open or network; "any" for all.')
    tag: Names | None = Field(None, description='A tag of the system: "nvl72", "power-cap-1000w" ...')
    min_nodes: int | None = Field(None, ge=1, description="Systems of at least so many nodes.")
    pick: Literal["only", "best", "best per accelerator", "median"] = Field(
        "only", description="Which of several results is meant; with `only` there must be one."
    )

    @field_validator("round")
    @classmethod
    def _rounds(cls, value: Names | None) -> Names | None:
        return [_round(v) for v in value] if isinstance(value, list) else _round(value) if value else value

    @model_validator(mode="after")
    def _says_something(self) -> Selection:
        if not self.model_fields_set - {"division", "pick"}:
            raise ValueError("an empty selection; name at least one of hardware, submitter, model, scenario, round")
        return self


class _Spread(_Strict):
    over: list[Dimension] = Field(default=[], description="Ask for each scenario or model that both sides have.")
    take: Take = Field("each", description="What is claimed of the answers: each, their maximum, minimum or mean.")


class Ratio(_Spread):
    """Performance of one selection against another; above 1 is faster, for latencies as well."""

    kind: Literal["ratio"]
    subject: Selection
    baseline: Selection
    per: Per = "system"


class Change(_Spread):
    """The same selection in two rounds."""

    kind: Literal["change"]
    of: Selection
    from_: str = Field(alias="from", description="The older round.")
    to: str = Field(description="The newer round.")
    from_division: str | None = Field(None, description="Division of the older result, if another.")
    per: Per = "system"

    @field_validator("from_", "to")
    @classmethod
    def _rounds(cls, value: str) -> str:
        return _round(value)

    @field_validator("to")
    @classmethod
    def _another(cls, value: str, info: ValidationInfo) -> str:
        if value == info.data.get("from_"):
            raise ValueError(f'found "{value}", which is the older round too; expected another round')
        return value


class Order(_Spread):
    """One selection is faster than another."""

    kind: Literal["order"]
    subject: Selection
    baseline: Selection
    per: Per = "system"


class Tie(_Spread):
    """Two selections are equal: within the noise of the two, or within a percentage."""

    kind: Literal["tie"]
    subject: Selection
    baseline: Selection
    within: Literal["noise"] | float = Field("noise", description='"noise", or a difference in percent.')

    @field_validator("within", mode="before")
    @classmethod
    def _a_limit(cls, value: Any) -> Any:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if value != "noise" and not (number and value >= 0 and math.isfinite(value)):
            raise ValueError(f'found "{value}"; expected noise, or a difference in percent of 0 or more')
        return value


class Spread(_Strict):
    """How far partners are from a reference submitter on the same hardware and workload."""

    kind: Literal["spread"]
    of: Selection
    reference: str = Field(description="The reference submitter.")
    statistic: Literal["mean", "mean absolute", "best", "worst", "partners"]


class ScaleOut(_Spread):
    """Scale-out efficiency: throughput per accelerator of a large system against a small one."""

    kind: Literal["scale-out"]
    large: Selection
    small: Selection


class Capacity(_Spread):
    """Effective capacity: the same work on fewer accelerators, or more work per accelerator. The two are not one percentage."""

    kind: Literal["capacity"]
    before: Selection
    after: Selection
    statement: Literal["more per accelerator", "fewer accelerators"]


class Count(_Strict):
    """How many things a selection holds."""

    kind: Literal["count"]
    of: Selection
    what: Literal["results", "systems", "submitters", "models", "accelerators"]


class Rank(_Strict):
    """A selection's place among all others, the largest first."""

    kind: Literal["rank"]
    of: Selection
    among: Selection
    by: Literal["accelerators", "value"]


class Only(_Strict):
    """Everything in a selection is of one vendor or submitter."""

    kind: Literal["only"]
    of: Selection
    what: Literal["vendor", "submitter"]


class Value(_Strict):
    """A value as it stands: a result, or an accuracy."""

    kind: Literal["value"]
    of: Selection
    quantity: Literal["result", "accuracy"] = "result"
    metric: str | None = Field(None, description="Name of the accuracy metric; the first one if not given.")
    per: Per = "system"


class ReleaseDate(_Strict):
    """When a release came out."""

    kind: Literal["release-date"]
    project: str
    version: str


class Cadence(_Strict):
    """The mean interval between a project's feature releases, from one of them on."""

    kind: Literal["cadence"]
    project: str
    since: str
    unit: Literal["days", "weeks"] = "days"


class ReleaseCount(_Strict):
    """How many feature releases a project had in a year, or has a year at an interval."""

    kind: Literal["release-count"]
    project: str | None = None
    year: int | None = Field(None, ge=printed.FIRST_YEAR, le=printed.LAST_YEAR)
    every_days: float | None = Field(None, gt=0, allow_inf_nan=False)

    @model_validator(mode="after")
    def _one_way(self) -> ReleaseCount:
        if (self.every_days is None) == (self.project is None or self.year is None):
            raise ValueError("either project and year, or every_days")
        return self


class Unanswerable(_Strict):
    """A claim that no question to the record can express, or that the record holds nothing about."""

    kind: Literal["unanswerable"]
    reason: str
    settled_by: str = Field("", description="What evidence would settle it.")


Question = Annotated[
    Ratio | Change | Order | Tie | Spread | ScaleOut | Capacity | Count | Rank | Only | Value | ReleaseDate | Cadence | ReleaseCount | Unanswerable,
    Field(discriminator="kind"),
]  # fmt: skip

Meant = Literal["percent gain", "percent of", "percent", "times", "value", "order", "tie", "name", "date", "days", "weeks"]
Bound = Literal["exactly", "up to", "at least", "within"]


class Part(_Strict):
    """One statement of a claim: a question, the value as printed, and how it was meant."""

    label: str = ""
    question: Question
    claimed: str = Field(description='Exactly as printed: "38", "1.6", "111 / 118", "early October 2026", "over 1 million".')
    meant: Meant
    bound: Bound = "exactly"
    note: str = ""


class Claim(_Strict):
    """A claim: who said what, when and where, in our words; and its parts."""

    id: str = Field(min_length=1, pattern=r"^[\w.\-]+$")
    who: str = Field(min_length=1)
    when: str = Field(min_length=1, description="Date, as exact as it is known.")
    where: str = ""
    sentence: str = Field(min_length=1, description="The sentence in our words.")
    tier: int = Field(4, ge=1, le=5, description="Evidence tier of the claim itself, named where the record holds nothing.")
    parts: list[Part] = Field(min_length=1)

    @field_validator("when")
    @classmethod
    def _a_date(cls, value: str) -> str:
        if not printed.is_when(value):
            raise ValueError(f'found "{value[:60]}"; expected a date such as 2026-09-16, 2026-09 or 2026')
        return value

    @model_validator(mode="before")
    @classmethod
    def _one_part_inline(cls, data: Any) -> Any:
        """A claim of one part may write its fields without `parts`."""
        inline = ("question", "claimed", "meant", "bound", "note")
        if isinstance(data, dict) and "parts" not in data and any(key in data for key in inline):
            part = {key: data[key] for key in inline if key in data}
            return {**{key: value for key, value in data.items() if key not in inline}, "parts": [part]}
        return data


class Ledger(_Strict):
    """A file of claims."""

    claims: list[Claim] = Field(min_length=1)


def schema() -> dict[str, Any]:
    """The JSON Schema of a ledger, for editors. A claim of one part may carry the part's fields itself."""
    made = Ledger.model_json_schema(by_alias=True)
    claim = made["$defs"]["Claim"]
    for name, field in made["$defs"]["Part"]["properties"].items():
        if name != "label":
            claim["properties"].setdefault(name, field)
    claim["required"] = [name for name in claim["required"] if name != "parts"]
    claim["anyOf"] = [{"required": ["parts"]}, {"required": ["question", "claimed", "meant"]}]
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return made
