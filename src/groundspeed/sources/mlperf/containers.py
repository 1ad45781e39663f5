"""Containers of published rows: JSON list, JSON object keyed "0", "1", ..., JSON lines, CSV; recognised from the content.

Every error names the file, the row or line, the field, what was found and what was expected.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from groundspeed.errors import SourceError
from groundspeed.sources._files import decode_text
from groundspeed.sources.mlperf.rows import CheckerSummary, FinalReport, PublishedRow, Scheme, columns, published, recognise

_BYTE = re.compile(r"\(byte (\d+)\)")
_AT = re.compile(r"^(?P<message>.*?)(?: - at `\$(?P<path>.*)`)?$", re.DOTALL)
_MISSING = re.compile(r"missing required field `(?P<field>[^`]+)`")
_EXPECTED = re.compile(r"Expected `(?P<expected>[^`]+)`, got `(?P<got>[^`]+)`")
_KNOWN = (
    "columns such as Submitter, UsedModel, Performance_Result (v5.0 to v6.0) or Organization, MlperfModel, Result (v6.1, history)"
)
# A strange header or value is quoted in an error, but not all of it.
_QUOTED = 80


class PlacedRow(NamedTuple):
    """A published row and where it stands: "row 3" or "line 17"."""

    place: str
    row: PublishedRow


def _quote(value: Any) -> str:
    text = f'"{value}"' if isinstance(value, str) else msgspec.json.encode(value).decode("utf-8", "replace")
    return text if len(text) <= _QUOTED else text[: _QUOTED - 3] + "..."


def _json_error(name: str, data: bytes, error: Exception, first_line: int = 1) -> SourceError:
    """The error for bytes that are no JSON."""
    text = str(error)
    if "truncated" in text:
        line = first_line + data.count(b"\n")
        return SourceError(name, f"line {line}", "the end of the file inside a value: truncated JSON", "complete JSON")
    match = _BYTE.search(text)
    line = first_line + (data.count(b"\n", 0, int(match[1])) if match else 0)
    return SourceError(name, f"line {line}", text.removeprefix("JSON is malformed: "), "JSON")


def _value_error(name: str, place: str, record: Any, scheme: Scheme, error: msgspec.ValidationError) -> SourceError:
    """The error for a row whose columns or values are not as they must be."""
    match = _AT.match(str(error))
    message, path = (match["message"], match["path"] or "") if match else (str(error), "")
    if missing := _MISSING.search(message):
        what = "no round (column version)" if missing["field"] == "version" else f"no column {missing['field']}"
        return SourceError(name, place, what, f"a row with the column {missing['field']}")
    field = path.rpartition(".")[2].strip("`") or path
    if field.startswith("[") or not field:
        return SourceError(name, place, _quote(record), "a row: an object with the table's columns")
    value = record.get(field) if isinstance(record, dict) else record
    kind = columns(scheme)[field].type if field in columns(scheme) else None
    expected = "a number" if kind in (float, float | None) else "a text" if kind in (str, str | None) else "a number or a text"
    return SourceError(name, f"{place}, field {field}", _quote(value), expected)


def _scheme_of(name: str, place: str, record: Any) -> Scheme:
    if not isinstance(record, dict):
        raise SourceError(name, place, _quote(record), "a row: an object with the table's columns")
    scheme = recognise({str(key) for key in record})
    if scheme is None:
        listed = ", ".join(list(record)[:8]) or "no columns"
        raise SourceError(name, place, f"the columns {listed[:200]}", _KNOWN)
    return scheme


def _rows_one_by_one(name: str, records: list[tuple[str, Any]]) -> Iterator[PlacedRow]:
    """Rows that were decoded without a scheme, each checked against its own."""
    for place, record in records:
        scheme = _scheme_of(name, place, record)
        try:
            yield PlacedRow(place, published(msgspec.convert(record, scheme)))
        except msgspec.ValidationError as error:
            raise _value_error(name, place, record, scheme, error) from None


def _json_list(name: str, data: bytes) -> Iterator[PlacedRow]:
    try:
        heads = msgspec.json.decode(data, type=list[msgspec.Raw])
    except msgspec.ValidationError:
        raise SourceError(name, "", _quote(msgspec.json.decode(data))[:_QUOTED], "a list of rows") from None
    except msgspec.DecodeError as error:
        raise _json_error(name, data, error) from None
    if not heads:
        raise SourceError(name, "", "an empty list", "a list of rows")
    scheme = _scheme_of(name, "row 1", msgspec.json.decode(heads[0]))
    yield from _decode_each(name, ((f"row {i}", bytes(raw)) for i, raw in enumerate(heads, 1)), scheme)


def _json_object(name: str, data: bytes) -> Iterator[PlacedRow]:
    try:
        rows = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError as error:
        raise _json_error(name, data, error) from None
    if not rows:
        raise SourceError(name, "", "an empty object", 'an object of rows keyed "0", "1", ...')
    strange = next((key for key in rows if not key.isdigit()), None)
    if strange is not None:
        # A single row without a list around it is one row; anything else is no table.
        record = msgspec.json.decode(data)
        if recognise(set(rows)) is None:
            raise SourceError(name, f'key "{strange[:_QUOTED]}"', _quote(record[strange]), 'rows keyed "0", "1", ...')
        yield from _rows_one_by_one(name, [("row 1", record)])
        return
    first_key = next(iter(rows))
    scheme = _scheme_of(name, f'key "{first_key}"', msgspec.json.decode(rows[first_key]))
    yield from _decode_each(name, ((f'key "{key}"', bytes(raw)) for key, raw in rows.items()), scheme)


def _decode_each(name: str, raws: Iterator[tuple[str, bytes]], scheme: Scheme) -> Iterator[PlacedRow]:
    decoder: msgspec.json.Decoder[FinalReport | CheckerSummary] = msgspec.json.Decoder(scheme)
    for place, raw in raws:
        try:
            yield PlacedRow(place, published(decoder.decode(raw)))
        except msgspec.ValidationError as error:
            yield from _other_scheme(name, place, raw, scheme, error)
        except msgspec.DecodeError as error:
            line = int(place.split()[1]) if place.startswith("line") else 1
            raise _json_error(name, raw, error, line) from None


def _other_scheme(name: str, place: str, raw: bytes, scheme: Scheme, error: msgspec.ValidationError) -> Iterator[PlacedRow]:
    """A row that its table's scheme does not fit: of another scheme, or wrong."""
    record = msgspec.json.decode(raw)
    own = _scheme_of(name, place, record)
    if own is scheme:
        raise _value_error(name, place, record, scheme, error) from None
    yield from _rows_one_by_one(name, [(place, record)])


def _json_lines(name: str, data: bytes) -> Iterator[PlacedRow]:
    lines = data.split(b"\n")
    try:
        scheme = _scheme_of(name, "line 1", msgspec.json.decode(lines[0]))
    except msgspec.DecodeError as error:
        raise _json_error(name, lines[0], error) from None
    yield from _decode_each(name, ((f"line {i}", line) for i, line in enumerate(lines, 1) if line and not line.isspace()), scheme)


def _csv_value(name: str, place: str, column: str, text: str, kind: Any) -> Any:
    if kind != float | None:
        return text
    if text.strip() in {"", "None", "nan", "NaN"}:
        return None
    try:
        return float(text)
    except ValueError:
        raise SourceError(name, f"{place}, field {column}", _quote(text), "a number") from None


def _csv(name: str, text: str) -> Iterator[PlacedRow]:
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    try:
        header = next(reader, [])
        scheme = recognise(set(header))
        if scheme is None:
            listed = ", ".join(header)[:200] or "nothing"
            raise SourceError(name, "line 1", _quote(listed), f"JSON, or a CSV header with {_KNOWN}")
        if len(set(header)) != len(header):
            twice = next(column for column in header if header.count(column) > 1)
            raise SourceError(name, "line 1", f"the column {twice} twice", "each column once")
        kinds = {column: field.type for column, field in columns(scheme).items()}
        for values in reader:
            if not values:
                continue
            place = f"line {reader.line_num}"
            if len(values) != len(header):
                raise SourceError(name, place, f"{len(values)} fields", f"{len(header)} fields, as in the header")
            record = {
                column: _csv_value(name, place, column, value, kinds[column])
                for column, value in zip(header, values, strict=True)
                if column in kinds
            }
            try:
                yield PlacedRow(place, published(msgspec.convert(record, scheme)))
            except msgspec.ValidationError as error:
                raise _value_error(name, place, record, scheme, error) from None
    except csv.Error as error:
        raise SourceError(name, f"line {reader.line_num}", f"broken CSV ({error})", "CSV") from None


def rows(name: str, data: bytes) -> Iterator[PlacedRow]:
    """The rows of a published table.

    Args:
        name: The file's name, for errors.
        data: Its content, unpacked.

    Raises:
        SourceError: On the first thing that is not as it must be.
    """
    text = decode_text(name, data)  # the whole file must be text before any of it is believed
    if not text or text.isspace():
        raise SourceError(name, "", "nothing but blanks", "a published table")
    data = data.removeprefix(codecs.BOM_UTF8).lstrip()
    if data[:1] == b"[":
        yield from _json_list(name, data)
    elif data[:1] == b"{":
        yield from _json_lines(name, data) if _is_json_lines(data) else _json_object(name, data)
    else:
        yield from _csv(name, text)


def _is_json_lines(data: bytes) -> bool:
    """Whether the first line is a whole JSON value and another line follows."""
    end = data.find(b"\n")
    if end < 0:
        return False
    try:
        msgspec.json.decode(data[:end], type=msgspec.Raw)
    except msgspec.DecodeError:
        return False
    return re.compile(rb"\s*\S").match(data, end) is not None
