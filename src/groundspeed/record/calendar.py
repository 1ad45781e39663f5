"""Calendars: rounds with their publication dates, and releases of the software projects.

Both are CSV files in the package's data. A date may be known to the month only ("2025-12"): it then orders releases but gives no days.
"""

from __future__ import annotations

import csv
import datetime as dt
import re
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

from packaging.version import InvalidVersion, Version

Channel = Literal["production", "preview", "legacy"]

_ROUND = re.compile(r"v([0-9]{1,4})\.([0-9]{1,4})")


def is_round(text: str) -> bool:
    """Whether a text names an MLPerf round: "v6.1"."""
    return bool(_ROUND.fullmatch(text))


@cache
def round_key(round_: str) -> tuple[int, int]:
    """A round's place in their order.

    Raises:
        ValueError: If the text is no round.
    """
    match = _ROUND.fullmatch(round_)
    if not match:
        raise ValueError(f'"{round_}" is not a round such as "v6.1"')
    return int(match[1]), int(match[2])


class Round(NamedTuple):
    """A round. `published` is None where only a bound is known; `not_later_than` is that bound."""

    name: str
    deadline: dt.date | None
    published: dt.date | None
    not_later_than: dt.date | None

    @property
    def date(self) -> dt.date | None:
        """The publication date, or its upper bound."""
        return self.published or self.not_later_than


class Release(NamedTuple):
    """A release. `month_only` dates stand for the whole month and carry its first day."""

    project: str
    text: str
    version: Version
    date: dt.date
    month_only: bool
    channel: Channel
    disputed: tuple[str, ...]
    source: str

    @property
    def line(self) -> tuple[int, int]:
        """Major and minor number."""
        return self.version.major, self.version.minor

    @property
    def is_feature(self) -> bool:
        """Whether it is a feature release: x.y.0, and 0.5.N for SGLang, whose features come there."""
        v = self.version
        if self.channel == "preview" or v.is_prerelease or v.is_postrelease:
            return False
        return v.release[:2] == (0, 5) or v.micro == 0 if self.project == "SGLang" else not any(v.release[2:])


def _rows(name: str) -> list[dict[str, str]]:
    text = files("groundspeed.record.data").joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


def _date(text: str) -> dt.date | None:
    return dt.date.fromisoformat(text) if text else None


@cache
def rounds() -> dict[str, Round]:
    """Every round of the calendar, in order."""
    found = [
        Round(r["round"], _date(r["submission_deadline"]), _date(r["published"]), _date(r["published_not_later_than"]))
        for r in _rows("rounds.csv")
    ]
    return {r.name: r for r in sorted(found, key=lambda r: round_key(r.name))}


def rounds_between(older: str, newer: str) -> list[str]:
    """Rounds of the calendar strictly between two rounds."""
    return [name for name in rounds() if round_key(older) < round_key(name) < round_key(newer)]


@cache
def projects() -> tuple[str, ...]:
    """Every project that has releases in the calendar, in its order."""
    return tuple(dict.fromkeys(row["project"] for row in _rows("releases.csv")))


@cache
def releases(project: str) -> tuple[Release, ...]:
    """A project's releases, oldest first; empty for a project without a calendar."""
    found = []
    for row in _rows("releases.csv"):
        if row["project"] != project:
            continue
        month_only = len(row["date"]) == 7
        date = dt.date.fromisoformat(row["date"] + "-01" if month_only else row["date"])
        disputed = tuple(d for d in row["disputed_dates"].split(";") if d)
        channel: Channel = row["channel"]  # type: ignore[assignment]  # the file's own three words, checked by a test
        version = Version(row["version"].removesuffix("-dp"))
        found.append(Release(project, row["version"], version, date, month_only, channel, disputed, row["source"]))
    return tuple(sorted(found, key=lambda r: (r.date, r.version)))


@cache
def find_release(project: str, declared: str) -> Release | None:
    """The release a declared version is, None where the calendar does not hold it.

    Versions are matched by components, the first three: "6.4.1.60401-83~22.04" is 6.4.1, "13.1" is 13.1.0, and "7.2.53211" is
    none.
    """
    calendar = releases(project)
    try:
        wanted = Version(declared)
    except InvalidVersion:
        wanted = None
    for release in calendar:
        if wanted is not None and wanted.public == release.version.public:
            return release
    match = re.match(r"\d+(?:\.\d+)*", declared)
    if not match or (wanted is not None and (wanted.is_prerelease or wanted.is_postrelease)):
        return None
    numbers = (*(int(n) for n in match[0].split(".")), 0, 0)[:3]
    for release in calendar:
        v = release.version
        if (v.major, v.minor, v.micro) == numbers and not v.is_prerelease and not v.is_postrelease and len(v.release) <= 3:
            return release
    return None
