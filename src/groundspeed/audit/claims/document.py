"""The text of a ledger: YAML to plain data with the line of every value. What would make a small text a huge one is refused."""

from __future__ import annotations

from typing import Any, NamedTuple

import yaml

from groundspeed.audit.claims.mistakes import LedgerError, Mistake, Path

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# A claim's selections are seven levels deep. Whatever reads a document level by level must not be led hundreds of levels down.
_DEEPEST = 32

# A file with thousands of anchors is told of the first ones; the rest says nothing new.
_MOST_ANCHORS = 20


class Fault(NamedTuple):
    """Something wrong with one key of the text."""

    path: Path
    line: int
    field: str
    message: str


class Document(NamedTuple):
    """A text that was read.

    Attributes:
        data: Mappings, lists, texts and numbers; None for an empty text.
        lines: The line of every value by its path: ("claims", 0, "question", "of").
        faults: Keys that stand twice, and keys that are no names.
    """

    data: Any
    lines: dict[Path, int]
    faults: list[Fault]


def read_document(text: str, file: str) -> Document:
    """Read the text of a ledger.

    Args:
        text: YAML.
        file: Its name, for messages.

    Raises:
        LedgerError: If it is no YAML, has anchors or aliases, or is nested too deeply.
    """
    try:
        _refuse_what_grows(text, file)
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise LedgerError([Mistake(file, mark.line + 1 if mark else 1, "", "", f"no YAML: {problem}")]) from None
    document = Document(None, {}, [])
    if node is None:
        return document
    _as_printed(node)
    return document._replace(data=_walk(node, (), document))


def _refuse_what_grows(text: str, file: str) -> None:
    """Look at the text from start to end, before anything follows its structure.

    An alias repeats what its anchor names: ten lines of them stand for millions of values, and one inside its own anchor never ends.

    Raises:
        LedgerError: With the line of every anchor and alias, or of what is nested too deeply.
        yaml.YAMLError: If it is no YAML.
    """
    found: list[Mistake] = []
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        line = event.start_mark.line + 1 if event.start_mark else 1
        anchor = getattr(event, "anchor", None)
        if anchor is not None and len(found) < _MOST_ANCHORS:
            what = f"an alias (*{anchor})" if isinstance(event, yaml.AliasEvent) else f"an anchor (&{anchor})"
            found.append(Mistake(file, line, "", "", f"found {what}; expected a ledger without anchors and aliases"))
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _DEEPEST:
            found.append(
                Mistake(
                    file,
                    line,
                    "",
                    "",
                    f"found lists and mappings nested more than {_DEEPEST} levels deep; expected a list of claims",
                )
            )
            break
    if found:
        raise LedgerError(found)


_KINDS_OF_NODE = {yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list"}


def _walk(node: yaml.Node, path: Path, document: Document) -> Any:
    """A YAML node as plain data; its lines are noted, and what is wrong with its keys."""
    lines, faults = document.lines, document.faults
    lines[path] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        made: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            around = ".".join(str(step) for step in path[2:] if isinstance(step, str))
            if not isinstance(key_node, yaml.ScalarNode):
                what = _KINDS_OF_NODE.get(type(key_node), "no text")
                faults.append(Fault(path, line, around, f"found {what} as a key; expected the name of a field"))
                continue
            key = str(key_node.value)
            if key_node.tag == "tag:yaml.org,2002:merge":
                faults.append(Fault(path, line, around, "found a merge key (<<); expected the fields themselves"))
                continue
            if key in made:
                faults.append(Fault(path, line, key, "stands twice"))
            made[key] = _walk(value_node, (*path, key), document)
            lines[(*path, key)] = line
        return made
    if isinstance(node, yaml.SequenceNode):
        return [_walk(item, (*path, i), document) for i, item in enumerate(node.value)]
    return _scalar(node)


_NUMBERS = {"tag:yaml.org,2002:int": int, "tag:yaml.org,2002:float": float}


def _scalar(node: yaml.Node) -> Any:
    if node.tag == "tag:yaml.org,2002:null":
        return None
    if node.tag == "tag:yaml.org,2002:bool":
        return str(node.value).casefold() in {"true", "yes", "on"}
    convert = _NUMBERS.get(node.tag, str)
    try:
        return convert(node.value)
    except ValueError:
        return str(node.value)


# Fields whose values are texts even where YAML would see a number or a date: 38 is claimed as printed, 2026-09 is when.
_TEXT_FIELDS = {"claimed", "when", "id", "version", "since", "from", "to", "round"}


def _as_printed(node: yaml.Node, field: str = "") -> None:
    """Keep numbers and dates of text fields as they are printed: 38 and 1.60 stay "38" and "1.60"."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            _as_printed(value, str(key.value) if isinstance(key, yaml.ScalarNode) else "")
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _as_printed(item, field)
    elif field in _TEXT_FIELDS and isinstance(node, yaml.ScalarNode) and node.tag in (*_NUMBERS, "tag:yaml.org,2002:timestamp"):
        node.tag = "tag:yaml.org,2002:str"
