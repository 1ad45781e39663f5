"""Values as printed: "38" may be anything from 37.5 to 38.5, "early October 2026" is its first ten days.

A claim is judged by what was printed and not by what may have been meant by it: the last printed digit says how exact it is.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import NamedTuple

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_RANGE = re.compile(
    rf"^\s*(?P<words>over|more than|at least|about|around|nearly|up to|within)?\s*(?P<a>{_NUMBER})"
    rf"(?:\s*(?:-|–|to)\s*(?P<b>{_NUMBER}))?\s*(?P<scale>thousand|million|billion)?\s*(?P<rest>%|percent|x|times)?\s*$",
    re.IGNORECASE,
)
_SCALES = {None: 1.0, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_PARTS = re.compile(r"\s+/\s+|;\s*")
_MONTHS = {name.casefold(): i for i, name in enumerate(calendar.month_name) if name}
_DATE_WORDS = re.compile(
    r"^\s*(?:(?P<part>early|mid|late)[\s-]+)?(?P<month>[A-Za-z]+)(?:\s+(?P<day>\d{1,2}))?,?\s+(?P<year>\d{4})\s*$"
)

# No claim about inference software is older, and none is of a year after this one.
FIRST_YEAR, LAST_YEAR = 1990, 2100


class Interval(NamedTuple):
    """What a printed number may stand for, ends included. `high` is infinite for "over 1 million"."""

    low: float
    high: float

    def holds(self, value: float) -> bool:
        """Whether a value, rounded as printed, is the printed one."""
        slack = 1e-9 * max(1.0, abs(value))
        return self.low - slack <= value <= self.high + slack

    @property
    def centre(self) -> float:
        """The printed value; the lower end where there is no upper one."""
        return (self.low + self.high) / 2 if self.high != float("inf") else self.low


class Days(NamedTuple):
    """What a printed date may stand for, ends included."""

    first: dt.date
    last: dt.date

    def holds(self, day: dt.date) -> bool:
        """Whether a day is within the printed date."""
        return self.first <= day <= self.last


def parts(text: str) -> list[str]:
    """The parts of a printed value: "111 / 118" has two."""
    return [part.strip() for part in _PARTS.split(text) if part.strip()]


def _half_step(number: str) -> float:
    return 0.5 * 10.0 ** -len(number.partition(".")[2])


def number(text: str) -> Interval | None:
    """The interval of a printed number; None if the text is none.

    "38" is 37.5 to 38.5, "1.6" is 1.55 to 1.65, "87-88" is 86.5 to 88.5, "5.75 million" is 5,745,000 to 5,755,000, and "over 1 million" is
    anything above it.
    """
    match = _RANGE.match(text)
    if not match:
        return None
    scale = _SCALES[match["scale"].casefold() if match["scale"] else None]
    first, last = match["a"], match["b"] or match["a"]
    low = (float(first.replace(",", "")) - _half_step(first)) * scale
    high = (float(last.replace(",", "")) + _half_step(last)) * scale
    words = (match["words"] or "").casefold()
    if words in {"over", "more than"}:
        return Interval(float(first.replace(",", "")) * scale, float("inf"))
    return Interval(low, high)


def ends(text: str) -> tuple[float, float] | None:
    """The two numbers of a printed range, in the order they stand in; None if the text is no range."""
    match = _RANGE.match(text)
    if not match or not match["b"]:
        return None
    return float(match["a"].replace(",", "")), float(match["b"].replace(",", ""))


def days(text: str) -> Days | None:
    """The days of a printed date; None if the text is none.

    "2026-07-16" is that day, "October 2026" the month, "early October 2026" its first ten days, "mid" the next ten, "late" the rest.
    """
    try:
        day = dt.date.fromisoformat(text.strip())
    except ValueError:
        pass
    else:
        return Days(day, day)
    match = _DATE_WORDS.match(text)
    month = _MONTHS.get(match["month"].casefold()) if match else None
    if not match or month is None:
        return None
    year = int(match["year"])
    end = calendar.monthrange(year, month)[1]
    if match["day"]:
        if not 1 <= int(match["day"]) <= end:
            return None
        day = dt.date(year, month, int(match["day"]))
        return Days(day, day)
    first, last = {"early": (1, 10), "mid": (11, 20), "late": (21, end)}.get((match["part"] or "").casefold(), (1, end))
    return Days(dt.date(year, month, first), dt.date(year, month, last))


def is_when(text: str) -> bool:
    """Whether a text is a date, as exact as it may be known: 2026-09-16, 2026-09, 2026, September 2026."""
    match = re.fullmatch(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?", text.strip())
    if not match:
        found = None if text.strip().isdigit() else days(text)
        return found is not None and FIRST_YEAR <= found.first.year <= LAST_YEAR
    year, month, day = (int(number or 1) for number in match.groups())
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return FIRST_YEAR <= year <= LAST_YEAR
