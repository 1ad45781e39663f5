"""Containers of published rows: JSON list, JSON object keyed "0", "1", ..., JSON lines, CSV; recognised from the content.

Every error names the file, the row or line, the field, what was found and what was expected.
"""

from __future__ import annotations

import codecs
import csv
import io
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
    """A published row, where it stands ("row 3", "line 17"), and the naming scheme of its columns."""

    place: str
    row: PublishedRow
    scheme: Scheme

    def column(self, field: str) -> str:
        """What the table calls a field of the reader's."""
        return next((name for name, info in columns(self.scheme).items() if info.name == field), field)


def _decode(name: str, place: str, raw: bytes | msgspec.Raw, first_line: int = 1) -> Any:
    """Any JSON value, with the package's error for what is none."""
    try:
        return msgspec.json.decode(raw)
    except msgspec.ValidationError as error:  # a number beyond what a float holds
        raise SourceError(name, place, str(error).partition(" - at")[0].casefold(), "a number") from None
    except msgspec.DecodeError as error:
        raise _json_error(name, bytes(raw), error, first_line) from None
    except RecursionError:
        raise SourceError(name, place, "values nested too deep", "a row: an object with the table's columns") from None


def _line(place: str) -> int:
    return int(place.split()[1]) if place.startswith("line ") else 1


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
    if field == "version" and value is None:
        return SourceError(name, place, "no round (column version is null)", 'a round such as "v6.1"')
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
            yield PlacedRow(place, published(msgspec.convert(record, scheme)), scheme)
        except msgspec.ValidationError as error:
            raise _value_error(name, place, record, scheme, error) from None


def _json_list(name: str, data: bytes, above: int) -> Iterator[PlacedRow]:
    try:
        heads = msgspec.json.decode(data, type=list[msgspec.Raw])
    except RecursionError:
        raise SourceError(name, "", "values nested too deep", "a list of rows") from None
    except msgspec.ValidationError:
        raise SourceError(name, "", _quote(msgspec.json.decode(data))[:_QUOTED], "a list of rows") from None
    except msgspec.DecodeError as error:
        raise _json_error(name, data, error, above + 1) from None
    if not heads:
        raise SourceError(name, "", "an empty list", "a list of rows")
    scheme = _scheme_of(name, "row 1", _decode(name, "row 1", heads[0]))
    yield from _decode_each(name, ((f"row {i}", bytes(raw)) for i, raw in enumerate(heads, 1)), scheme)


_KEY = re.compile(rb'"(\d+)"\s*:\s*\{')


def _json_object(name: str, data: bytes, above: int) -> Iterator[PlacedRow]:
    try:
        rows = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    except RecursionError:
        raise SourceError(name, "", "values nested too deep", 'an object of rows keyed "0", "1", ...') from None
    except msgspec.DecodeError as error:
        raise _json_error(name, data, error, above + 1) from None
    if not rows:
        raise SourceError(name, "", "an empty object", 'an object of rows keyed "0", "1", ...')
    strange = next((key for key in rows if not key.isdigit()), None)
    if strange is not None:
        # A single row without a list around it is one row; anything else is no table.
        record = _decode(name, "", data)
        if recognise(set(rows)) is None:
            raise SourceError(name, f'key "{strange[:_QUOTED]}"', _quote(record[strange]), 'rows keyed "0", "1", ...')
        yield from _rows_one_by_one(name, [("row 1", record)])
        return
    keys = [match.decode() for match in _KEY.findall(data)]
    if len(keys) != len(set(keys)):
        # JSON readers keep the last of two equal keys: the first row would be lost in silence.
        twice = next(key for key in keys if keys.count(key) > 1)
        raise SourceError(name, f'key "{twice}"', "this key twice", "each key once")
    first_key = next(iter(rows))
    scheme = _scheme_of(name, f'key "{first_key}"', _decode(name, f'key "{first_key}"', rows[first_key]))
    yield from _decode_each(name, ((f'key "{key}"', bytes(raw)) for key, raw in rows.items()), scheme)


def _decode_each(name: str, raws: Iterator[tuple[str, bytes]], scheme: Scheme) -> Iterator[PlacedRow]:
    decoder: msgspec.json.Decoder[FinalReport | CheckerSummary] = msgspec.json.Decoder(scheme)
    for place, raw in raws:
        try:
            yield PlacedRow(place, published(decoder.decode(raw)), scheme)
        except msgspec.ValidationError as error:
            yield from _other_scheme(name, place, raw, scheme, error)
        except msgspec.DecodeError as error:
            raise _json_error(name, raw, error, _line(place)) from None
        except RecursionError:
            raise SourceError(name, place, "values nested too deep", "a row: an object with the table's columns") from None


def _other_scheme(name: str, place: str, raw: bytes, scheme: Scheme, error: msgspec.ValidationError) -> Iterator[PlacedRow]:
    """A row that its table's scheme does not fit: of another scheme, or wrong."""
    record = _decode(name, place, raw, _line(place))
    own = _scheme_of(name, place, record)
    if own is scheme:
        raise _value_error(name, place, record, scheme, error) from None
    yield from _rows_one_by_one(name, [(place, record)])


def _json_lines(name: str, data: bytes, above: int) -> Iterator[PlacedRow]:
    lines = data.split(b"\n")
    first = f"line {above + 1}"
    scheme = _scheme_of(name, first, _decode(name, first, lines[0], above + 1))
    yield from _decode_each(
        name, ((f"line {i}", line) for i, line in enumerate(lines, above + 1) if line and not line.isspace()), scheme
    )


def _csv_value(name: str, place: str, column: str, text: str, kind: Any) -> Any:
    if kind != float | None:
        return text
    if text.strip() in {"", "None", "nan", "NaN"}:
        return None
    try:
        if "_" in text:
            raise ValueError(text)
        return float(text)
    except ValueError:
        raise SourceError(name, f"{place}, field {column}", _quote(text), "a number") from None


def _csv(name: str, text: str) -> Iterator[PlacedRow]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
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
        empty = True
        for values in reader:
            if not values:
                continue
            empty = False
            place = f"line {reader.line_num}"
            if len(values) != len(header):
                raise SourceError(name, place, f"{len(values)} fields", f"{len(header)} fields, as in the header")
            record = {
                column: _csv_value(name, place, column, value, kinds[column])
                for column, value in zip(header, values, strict=True)
                if column in kinds
            }
            try:
                yield PlacedRow(place, published(msgspec.convert(record, scheme)), scheme)
            except msgspec.ValidationError as error:
                raise _value_error(name, place, record, scheme, error) from None
        if empty:
            raise SourceError(name, "", "a header without rows", "a published table")
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
    whole = data.removeprefix(codecs.BOM_UTF8)
    data = whole.lstrip()
    above = whole.count(b"\n", 0, len(whole) - len(data))
    if data[:1] == b"[":
        yield from _json_list(name, data, above)
    elif data[:1] == b"{":
        yield from _json_lines(name, data, above) if _is_json_lines(data) else _json_object(name, data, above)
    else:
        yield from _csv(name, text)


def _is_json_lines(data: bytes) -> bool:
    """Whether the first line is a whole JSON value and another line follows."""
    end = data.find(b"\n")
    if end < 0:
        return False
    try:
        msgspec.json.decode(data[:end], type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return re.compile(rb"\s*\S").match(data, end) is not None
