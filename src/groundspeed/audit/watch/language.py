"""The language of watches: what each kind of standing question says, and files of them with every mistake located."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from groundspeed.audit.cadence import projects
from groundspeed.audit.selection import Filters
from groundspeed.audit.velocity import CADENCE_DAYS
from groundspeed.errors import GroundspeedError, SourceError
from groundspeed.record import names
from groundspeed.record.calendar import is_round

Names = tuple[str, ...]


class Watch(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A standing question. `file` is where it stands; `question` is answered with yes or no."""

    id: str
    question: str
    file: str = ""

    @property
    def kind(self) -> str:
        """Its kind, as it is written."""
        return str(self.__struct_config__.tag)

    @property
    def filters(self) -> Filters:
        """Which results it asks about."""
        return Filters(**{name: getattr(self, name) for name in Filters._fields if hasattr(self, name)})


class Pace(Watch, frozen=True, kw_only=True, tag="pace"):
    """Does a workload on a hardware keep its pace, or does it flatten? Needs two consecutive gains of the same submitter's system."""

    hardware: Names
    model: Names
    scenario: Names = ()
    submitter: Names = ()
    division: Names = ("closed",)


class ReleaseOnTime(Watch, frozen=True, kw_only=True, tag="release"):
    """Did a project's feature release come on its due date? `signs` are projects whose own releases hint at it."""

    project: str
    due: dt.date
    every_days: int = CADENCE_DAYS
    signs: Names = ()


class Resubmitted(Watch, frozen=True, kw_only=True, tag="resubmitted"):
    """Did a submitter resubmit what it had in an earlier round, on any hardware? `round` None: in the newest one."""

    submitter: Names
    model: Names
    scenario: Names = ()
    division: Names = ("closed",)
    round: str | None = None


class Exists(Watch, frozen=True, kw_only=True, tag="exists"):
    """Does the record hold results of a kind? `rolling`: results that belong to no round. Names need not be known yet."""

    hardware: Names = ()
    model: Names = ()
    scenario: Names = ()
    submitter: Names = ()
    division: Names = ()
    round: str | None = None
    rolling: bool = False


class WithinSpread(Watch, frozen=True, kw_only=True, tag="within-spread"):
    """Do other submitters stay within a percentage of a reference submitter, by their mean absolute deviation?"""

    hardware: Names
    reference: str
    percent: float
    model: Names = ()
    scenario: Names = ()
    division: Names = ("closed",)
    round: str | None = None


KINDS: dict[str, type[Watch]] = {
    str(kind.__struct_config__.tag): kind for kind in (Pace, ReleaseOnTime, Resubmitted, Exists, WithinSpread)
}


class WatchFileError(GroundspeedError):
    """A file of watches with mistakes; the message lists all of them, one a line: file, watch, field, found, expected."""

    def __init__(self, mistakes: Iterable[SourceError]) -> None:
        self.mistakes = list(mistakes)
        super().__init__("\n".join(map(str, self.mistakes)))


class _WrongError(Exception):
    """A value that does not fit its field; says what would."""


def _quoted(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value[:60]}"'
    if isinstance(value, list) and any(isinstance(v, list | dict) for v in value):
        return "a list of lists or tables"  # which may be nested more deeply than can be shown
    return {dict: "a table", bool: str(value).lower()}.get(type(value), str(value)[:60])


def near(text: str, candidates: Iterable[str], expected: str) -> str:
    """What was expected, with the names that are near."""
    found = names.nearest(text, candidates)
    return f"{expected}; did you mean {' or '.join(found)}?" if found else expected


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _WrongError("a text")
    return value.strip()


def _names(value: Any) -> Names:
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(v, str) and v.strip() for v in values):
        raise _WrongError("a name or a list of names")
    return tuple(v.strip() for v in values)


def _choice(candidates: Callable[[], Iterable[str]], what: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        by_loose = {names.loose(name): name for name in candidates()}
        text = _text(value)
        if names.loose(text) not in by_loose:
            raise _WrongError(near(text, by_loose.values(), f"{what}: {', '.join(by_loose.values())}"))
        return by_loose[names.loose(text)]

    return read


def _each(read: Callable[[Any], str]) -> Callable[[Any], Names]:
    return lambda value: tuple(read(v) for v in _names(value))


def _date(value: Any) -> dt.date:
    if isinstance(value, str):
        try:
            return dt.date.fromisoformat(value)
        except ValueError:
            pass
    if not isinstance(value, dt.date) or isinstance(value, dt.datetime):
        raise _WrongError("a date such as 2026-11-18")
    return value


def _round(value: Any) -> str:
    if not isinstance(value, str) or not is_round(value):
        raise _WrongError('a round such as "v6.1"')
    return value


def _number(least: float, what: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not (whole or ("whole" not in what and isinstance(value, float))) or not least <= value <= 1e5:
            raise _WrongError(what)
        return value

    return read


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _WrongError("true or false")
    return value


def _scenarios() -> list[str]:
    return list(names.table("scenarios")["scenarios"])


_READ: dict[str, Callable[[Any], Any]] = {
    "question": _text,
    "hardware": _names,
    "model": _names,
    "submitter": _names,
    "reference": _text,
    "scenario": _each(_choice(_scenarios, "a scenario")),
    "division": _each(_choice(lambda: ("closed", "open", "network"), "a division")),
    "project": _choice(projects, "a project with a release calendar"),
    "signs": _each(_choice(projects, "projects with a release calendar")),
    "due": _date,
    "round": _round,
    "every_days": _number(1, "a whole number of days, 1 or more"),
    "percent": _number(0, "a number of percent, 0 or more"),
    "rolling": _flag,
}
_ID = re.compile(r"[\w.\-]+")


@cache
def fields_of(kind: type[Watch]) -> dict[str, bool]:
    """The fields a kind has in a file, and whether each is required."""
    return {f.name: f.required for f in msgspec.structs.fields(kind) if f.name not in {"id", "file"}}


def _watch(file: str, name: str, entry: Any) -> tuple[Watch | None, list[SourceError]]:
    def mistake(field: str, found: str, expected: str) -> SourceError:
        return SourceError(file, f'watch "{name}"' + (f", field {field}" if field else ""), found, expected)

    if not isinstance(entry, dict):
        return None, [mistake("", _quoted(entry), "a table with the field kind")]
    found: list[SourceError] = []
    if not _ID.fullmatch(name):
        found.append(mistake("", "an id with other signs", "letters, digits, dots, hyphens and underscores in an id"))
    written = entry.get("kind")
    kind = KINDS.get(written) if isinstance(written, str) else None
    if kind is None:
        listed = f"one of {', '.join(KINDS)}"
        expected = near(written, KINDS, listed) if isinstance(written, str) else listed
        return None, [*found, mistake("kind", "nothing" if written is None else _quoted(written), expected)]
    fields = fields_of(kind)
    values: dict[str, Any] = {}
    for field, value in entry.items():
        if field == "kind":
            continue
        if field not in fields:
            found.append(mistake(field, "a field that this kind has not", near(field, fields, f"one of {', '.join(fields)}")))
            continue
        try:
            values[field] = _READ[field](value)
        except _WrongError as error:
            found.append(mistake(field, _quoted(value), str(error)))
    missing = [field for field, required in fields.items() if required and field not in entry]
    found += [mistake(field, "nothing", f"this field, which {written} needs") for field in missing]
    if kind is Exists and not entry.keys() - {"kind", "question"}:
        found.append(mistake("", "nothing to look for", f"at least one of {', '.join(f for f in fields if f != 'question')}"))
    return (None if found else kind(id=name, file=file, **values)), found


def from_table(table: Mapping[str, Any], file: str, taken: Iterable[str] = ()) -> list[Watch]:
    """Watches from the tables of a file.

    Args:
        table: Id -> fields.
        file: Its name, for messages.
        taken: Ids that other files have given.

    Raises:
        WatchFileError: With every mistake.
    """
    watches: list[Watch] = []
    mistakes: list[SourceError] = []
    taken = set(taken)
    if not table:
        mistakes.append(SourceError(file, "", "no watch", "tables such as [my-watch] with the fields kind and question"))
    for name, entry in table.items():
        watch, wrong = _watch(file, name, entry)
        mistakes += wrong
        if name in taken:
            mistakes.append(
                SourceError(file, f'watch "{name}"', "an id that is taken", "another id than those of the other watches")
            )
        if watch is not None:
            watches.append(watch)
    if mistakes:
        raise WatchFileError(mistakes)
    return watches


def parse(text: str, file: str, taken: Iterable[str] = ()) -> list[Watch]:
    """Watches from the text of a TOML file.

    Raises:
        WatchFileError: With every mistake that can be found in one run.
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        problem, _, place = str(error).rstrip(")").rpartition(" (at ")
        raise WatchFileError([SourceError(file, place, f"no TOML ({problem})", "a TOML file of watches")]) from None
    except RecursionError:  # the TOML reader follows lists in lists without a limit of its own
        raise WatchFileError([SourceError(file, "", "lists or tables nested too deeply", "a TOML file of watches")]) from None
    return from_table(table, file, taken)


def built_in() -> list[Watch]:
    """The watches that come with the package (`record/data/watches.toml`)."""
    return from_table(names.table("watches"), "watches.toml")
