"""The answers: each kind of watch asked of the record and of the calendars, as of a day."""

from __future__ import annotations

import datetime as dt
import re
import statistics
from collections.abc import Iterable, Sequence

from groundspeed.audit import cadence
from groundspeed.audit.copies import without_copies
from groundspeed.audit.selection import Filters, matches
from groundspeed.audit.spread import deviations
from groundspeed.audit.watch.evidence import Answer, Sign, chosen, held_on, listed, made, round_asked, rounds_of, row, sign
from groundspeed.audit.watch.language import Exists, Pace, ReleaseOnTime, Resubmitted, Watch, WatchFileError, WithinSpread, near
from groundspeed.audit.watch.pace import answer_pace
from groundspeed.errors import SelectionError, SourceError
from groundspeed.record import names
from groundspeed.record.calendar import Release, is_round, round_key, rounds_between
from groundspeed.record.model import Result

_COUNT = re.compile(r"^\s*\d+\s*x\s*(?=\S)", re.IGNORECASE)


def answer(watch: Watch, results: Sequence[Result], as_of: dt.date) -> Answer:
    """Answer a watch as of a day: results of rounds that were not yet published, and releases that were not yet out, do not count.

    Args:
        watch: The standing question.
        results: All results of the record. Noise is measured on them, so do not filter before.
        as_of: The day of the answer.

    Raises:
        TypeError: If the watch is of no known kind.
    """
    if isinstance(watch, ReleaseOnTime):
        return _release(watch, as_of)
    known = held_on(results, as_of)
    if isinstance(watch, Exists):
        return _exists(watch, known, as_of)
    # The others compare rounds; results outside of rounds have no place in that.
    of_rounds = [r for r in known if is_round(r.provenance.round)]
    match watch:
        case Pace():
            return answer_pace(watch, of_rounds, as_of)
        case Resubmitted():
            return _resubmitted(watch, of_rounds, as_of)
        case WithinSpread():
            return _within_spread(watch, of_rounds, as_of)
    raise TypeError(f"{type(watch).__name__} is no kind of watch")


def _days(number: int) -> str:
    return f"{number} day" if number == 1 else f"{number} days"


def _signs(watch: ReleaseOnTime, as_of: dt.date) -> tuple[list[Sign], list[str]]:
    """Companion releases near the due date, and how often such a project's earlier releases were on the day of one of the project's own."""
    found, notes = [], []
    own = {r.date for r in cadence.feature_releases(watch.project)}
    for project in watch.signs:
        release = cadence.release_for(project, watch.due, watch.every_days, as_of)
        if release is None:
            continue
        found.append(sign("sign", release, watch.due))
        earlier = [r for r in cadence.feature_releases(project) if r.date < release.date]
        same = sum(r.date in own for r in earlier)
        how = (
            f"; {same} of its {len(earlier)} earlier feature releases came on the day of one of {watch.project}"
            if earlier
            else ""
        )
        notes.append(f"{project} {release.text} of {cadence.date_text(release)} is a sign and no evidence{how}")
    return found, notes


def _release(watch: ReleaseOnTime, as_of: dt.date) -> Answer:
    release = cadence.release_for(watch.project, watch.due, watch.every_days, as_of)
    signs, notes = _signs(watch, as_of)
    if release is not None:
        return _released(watch, as_of, release, signs)
    state = cadence.state_of(watch.due, None, watch.project, as_of)
    end = cadence.calendar_end(watch.project)
    upto = f"{watch.project} {end.text} of {cadence.date_text(end)}"
    passed = (as_of - watch.due).days
    if state == "not yet":
        when = f"is {_days(-passed)} after {as_of}" if passed else "is today"
        sentence = f"The due date {watch.due} {when}, and no release is out for it."
        return made(watch, as_of, "not yet", sentence, (), signs, notes)
    evidence = [sign("calendar-end", end), *signs]
    if state == "no release":
        late = (min(as_of, end.date) - watch.due).days
        sentence = f"The due date {watch.due} passed without a release though the calendar goes on to {upto}: late by {_days(late)} or more."
        return made(watch, as_of, "no", sentence, (), evidence, notes)
    sentence = f"The due date {watch.due} passed {_days(passed)} before {as_of}, but {cadence.silence(watch.project, watch.due)}: it can say neither on time nor late."
    return made(watch, as_of, "no evidence in the record", sentence, (), evidence, notes)


def _released(watch: ReleaseOnTime, as_of: dt.date, release: Release, signs: Sequence[Sign]) -> Answer:
    """The answer where a release belongs to the due date."""
    notes: list[str] = []
    evidence = [sign("release", release, watch.due), *signs]
    slippage, by_others = cadence.slippages(release, watch.due)
    what = f"{watch.project} {release.text} came"
    if slippage is None:
        days, month = cadence.days_from(release, watch.due), cadence.date_text(release)
        if days:
            when = f"before the due date {watch.due}" if days < 0 else f"after the due date {watch.due}"
            return made(watch, as_of, "no" if days > 0 else "yes", f"{what} in {month}, {when}.", (), evidence, notes)
        sentence = f"{what} in {month}; the day is not known, so it may be before or after {watch.due}."
        return made(watch, as_of, "no evidence in the record", sentence, (), evidence, notes)
    for text, other in zip(release.disputed, by_others, strict=True):
        if (other > 0) != (slippage > 0):
            notes.append(
                f"by another source it came on {text}, {f'{_days(other)} late' if other > 0 else 'not late'}: the answer turns on that"
            )
    if slippage > 0:
        return made(watch, as_of, "no", f"{what} on {release.date}, late by {_days(slippage)}.", (), evidence, notes)
    when = f"{_days(-slippage)} before its due date" if slippage else "on its due date"
    return made(watch, as_of, "yes", f"{what} on {release.date}, {when}.", (), evidence, notes)


def _resubmitted(watch: Resubmitted, results: Sequence[Result], as_of: dt.date) -> Answer:
    held = rounds_of(results)
    round_, verdict, reason = round_asked(watch.round, held, as_of)
    who, what = listed(watch.submitter), f"{listed(watch.model)} {listed(watch.scenario)}".rstrip()
    found = without_copies(chosen(results, watch.filters))[0]
    if verdict is None:
        earlier = [r for r in found if round_key(r.provenance.round) < round_key(round_)]
        newer = [r for r in found if r.provenance.round == round_]
        if not earlier:
            first = f" ({round_} is its first)" if newer else ""
            reason = f"{who} has no result of {what} in a round before {round_}{first}: there is nothing to resubmit"
            verdict = "no evidence in the record"
    if verdict is not None:
        return made(watch, as_of, verdict, f"{reason[:1].upper()}{reason[1:]}.", [row(r) for r in found])
    last = rounds_of(earlier)[-1]
    before = [r for r in earlier if r.provenance.round == last]
    if not newer:
        sentence = f"{who} had {what} in {last} ({listed(r.system.hardware for r in before)}) and submitted none in {round_}."
        return made(watch, as_of, "no", sentence, [row(r) for r in before])
    scenarios = [listed(sorted({r.workload.scenario for r in rows})) for rows in (newer, before)]
    sentence = f"{who} has {what} in {round_} again: {scenarios[0]} on {listed(r.system.hardware for r in newer)}."
    notes = [f"in {last} it was {scenarios[1]}"] if scenarios[0] != scenarios[1] else []
    return made(watch, as_of, "yes", sentence, [row(r) for r in (*newer, *before)], (), notes)


def _exists(watch: Exists, results: Sequence[Result], as_of: dt.date) -> Answer:
    held = rounds_of(results)
    what = listed(value for values in watch.filters for value in values) or "any result"
    notes = [f'"{value}" is a name that no table knows{close}' for _, value, close in _unknown(watch, results)]
    pool = [r for r in results if is_round(r.provenance.round) != watch.rolling]
    if watch.rolling:
        what = f"{what} outside of rounds"
        if not pool:
            over = f"{held[0]} to {held[-1]}" if held else "none"
            sentence = f"The record holds results of rounds only ({over}), and no rolling submission of anything: it cannot say."
            return made(watch, as_of, "no evidence in the record", sentence, (), (), notes)
    elif watch.round is not None or not held:
        round_, verdict, reason = round_asked(watch.round, held, as_of)
        if verdict is not None:
            return made(watch, as_of, verdict, f"{reason[:1].upper()}{reason[1:]}.", (), (), notes)
        pool = [r for r in pool if r.provenance.round == round_]
    found = chosen(pool, watch.filters)
    where = "the record" if watch.rolling else watch.round or f"{held[0]} to {held[-1]}"
    if not found:
        if (
            not watch.rolling
            and watch.round is None
            and (missing := [n for n in rounds_between(held[0], held[-1]) if n not in held])
        ):
            notes.append(f"the record does not hold {listed(missing)}")
        return made(watch, as_of, "no", f"There is no result of {what} in {where}.", (), (), notes)
    rows = [row(r) for r in reversed(found)]  # the newest rounds first
    who = listed(sorted({r.provenance.submitter for r in found}, key=str.casefold)[:8])
    plural = "result" if len(found) == 1 else "results"
    return made(watch, as_of, "yes", f"There are {len(found):,} {plural} of {what} in {where}, of {who}.", rows, (), notes)


def _within_spread(watch: WithinSpread, results: Sequence[Result], as_of: dt.date) -> Answer:
    round_, verdict, reason = round_asked(watch.round, rounds_of(results), as_of)
    if verdict is not None:
        return made(watch, as_of, verdict, f"{reason[:1].upper()}{reason[1:]}.")
    pool = [r for r in results if r.provenance.round == round_]
    reference = names.submitter(watch.reference).name
    partners = [r for r in chosen(pool, watch.filters) if not matches(r, Filters(submitter=(reference,)))]
    found = deviations(pool, reference, partners)
    what = f"{listed((*watch.hardware, *watch.model, *watch.scenario))} in {round_}"
    if not found:
        sentence = f"No other submitter can be compared with {reference} on {what}."
        return made(watch, as_of, "no evidence in the record", sentence, [row(r) for r in partners])
    percent = [round(c.deviation * 100, 6) for c in found]
    mean = round(statistics.fmean(map(abs, percent)), 6)
    worst = min(found, key=lambda c: c.deviation)
    outside = sum(abs(p) > watch.percent for p in percent)
    who = {c.submitter for c in found}
    sentence = (
        f"The {len(found)} results of {len(who)} other submitters on {what} are {mean:.1f} % from {reference} in the mean (absolute), "
        f"{'within' if mean <= watch.percent else 'beyond'} {watch.percent:g} %."
    )
    notes = [
        f"from {min(percent):+.1f} % ({worst.submitter}, {worst.partner.workload.name} {worst.partner.workload.scenario}) to {max(percent):+.1f} %; "
        f"{outside} of {len(found)} single results lie beyond {watch.percent:g} %"
    ]
    without = len(without_copies(partners)[0]) - len(found)
    if without > 0:
        notes.append(f"results without a counterpart of {reference}, which do not count: {without}")
    rows = [row(c.partner, f"{c.deviation * 100:+.1f} % of {reference}") for c in sorted(found, key=lambda c: c.deviation)]
    rows += [row(r) for r in {c.reference.id: c.reference for c in found}.values()]
    return made(watch, as_of, "yes" if mean <= watch.percent else "no", sentence, rows, (), notes)


def _is_known(field: str, value: str, results: Sequence[Result]) -> bool:
    if field == "submitter":
        known = names.submitter(value).known
    elif field == "model":
        known = names.model(value).known
    else:
        known = names.accelerator(_COUNT.sub("", value))[0].known
    return known or any(
        matches(r, Filters(**{field: (_COUNT.sub("", value) if field == "hardware" else value,)})) for r in results
    )


def _candidates(field: str) -> Iterable[str]:
    if field == "submitter":
        return list(names.table("submitters")["submitters"])
    return names.benchmark_names() if field == "model" else list(names.accelerators())


def _unknown(watch: Watch, results: Sequence[Result]) -> list[tuple[str, str, str]]:
    """Names of a watch that neither a table nor the record knows: field, name, and which names are near."""
    asked = [(field, field, value) for field in ("hardware", "model", "submitter") for value in getattr(watch, field, ())]
    if isinstance(watch, WithinSpread):
        asked.append(("reference", "submitter", watch.reference))
    return [
        (field, value, near(_COUNT.sub("", value), _candidates(kind), "").removeprefix(";").rstrip("?"))
        for field, kind, value in asked
        if not _is_known(kind, value, results)
    ]


def run_watches(watches: Sequence[Watch], results: Sequence[Result], as_of: dt.date) -> list[Answer]:
    """Answer watches as of a day.

    A name that neither the name tables nor the record know is most likely misspelt: everything but `exists`, which may wait for something
    new, refuses it.

    Raises:
        WatchFileError: If watches have such names; it lists all of them, with the names that are near.
    """
    mistakes = [
        SourceError(w.file, f'watch "{w.id}", field {field}', f'"{value}"', f"a name that the tables or the record know{close}")
        for w in watches
        if not isinstance(w, Exists)
        for field, value, close in _unknown(w, results)
    ]
    if mistakes:
        raise WatchFileError(mistakes)
    return [answer(watch, results, as_of) for watch in watches]


def selected(watches: Sequence[Watch], ids: Iterable[str]) -> list[Watch]:
    """The watches with some ids, in their order; all if none is named.

    Raises:
        SelectionError: If there is no such watch; with the ids that are near.
    """
    known, wanted = [w.id for w in watches], list(ids)
    for name in wanted:
        if name not in known:
            raise SelectionError(f'there is no watch "{name}"; {near(name, known, f"there are {listed(known)}")}')
    return [w for w in watches if w.id in wanted or not wanted]
