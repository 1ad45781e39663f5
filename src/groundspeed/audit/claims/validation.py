"""What is wrong with claims that are well formed: meanings that do not fit, values that cannot be read, names nobody knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from groundspeed.audit import cadence
from groundspeed.audit.claims import language as q
from groundspeed.audit.claims.answers.counting import vendor_of
from groundspeed.audit.claims.language import Part, Selection
from groundspeed.audit.claims.ledger import LedgerText
from groundspeed.audit.claims.meanings import CannotRead, check_claimed, check_meant
from groundspeed.audit.claims.mistakes import Mistake, Path
from groundspeed.audit.claims.selections import Index
from groundspeed.audit.selection import listed
from groundspeed.errors import SelectionError
from groundspeed.record import names


def part_path(ledger: LedgerText, claim: int, part: int) -> Path:
    """Where a part stands in the text; a claim of one part may be written without `parts`."""
    nested: Path = ("claims", claim, "parts", part)
    return nested if nested in ledger.lines else ("claims", claim)


def value_mistakes(ledger: LedgerText, index: Index) -> list[Mistake]:
    """Meanings, printed values and names that cannot be right, of all claims."""
    found = []
    for i, claim in zip(ledger.places, ledger.claims, strict=True):
        for j, part in enumerate(claim.parts):
            base = part_path(ledger, i, j)
            for path, message in _wrong(part, index):
                place = (*base, *path)
                found.append(Mistake(ledger.file, ledger.line(place), claim.id, ".".join(path), message))
    return found


def _wrong(part: Part, index: Index) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is wrong with a part: the field, and what is wrong with it."""
    try:
        check_meant(part)
    except CannotRead as error:
        yield ("meant",), str(error)
    else:
        # Only what is meant rightly can be said to be printed wrongly.
        checks: tuple[Callable[[], None], ...] = (lambda: check_claimed(part), lambda: _check_name(part, index))
        for check in checks:
            try:
                check()
            except CannotRead as error:
                yield ("claimed",), str(error)
                break
    project = getattr(part.question, "project", None)
    if project is not None:
        try:
            cadence.project_named(project)
        except SelectionError as error:
            yield ("question", "project"), str(error)
    for name, value in part.question:
        if isinstance(value, Selection):
            for wrong in index.wrong_names(value):
                yield ("question", name, wrong.field), wrong.message


def _check_name(part: Part, index: Index) -> None:
    """Make sure that a claimed name is one: a misspelt one is no contradiction.

    Raises:
        CannotRead: If neither the tables of names nor the record know it.
    """
    if not isinstance(part.question, q.Only):
        return
    if part.question.what == "submitter":
        known = {r.provenance.submitter for r in index.all_results}
        right = names.submitter(part.claimed).known
    else:
        known = {vendor_of(r) for r in index.all_results} | {entry.vendor for entry in names.accelerators().values()}
        right = False
    if right or names.loose(part.claimed) in map(names.loose, known):
        return
    near = names.nearest(part.claimed, known)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there is {listed(sorted(known))}"
    raise CannotRead(f'the record knows no {part.question.what} "{part.claimed}"; {hint}')
