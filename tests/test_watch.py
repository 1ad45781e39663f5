"""Watches: the built-in ones on the real record, every answer of every kind on results made by hand, and files with mistakes."""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest

from groundspeed import Record, SelectionError
from groundspeed.audit import watch
from groundspeed.audit.watch import Answer, Exists, Pace, ReleaseOnTime, Resubmitted, WatchFileError, WithinSpread, answer, parse
from groundspeed.record.model import Result
from makers import result

DECEMBER = dt.date(2026, 12, 1)
NO_EVIDENCE = "no evidence in the record"


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


@pytest.fixture(scope="module")
def real() -> list[Result]:
    return Record().results()


@pytest.fixture(scope="module")
def answers(real) -> dict[str, Answer]:
    return {a.id: a for a in watch.run_watches(watch.built_in(), real, DECEMBER)}


class TestBuiltIn:
    def test_the_answers_of_december_2026(self, answers):
        assert {name: a.answer for name, a in answers.items()} == {
            "gpt-oss-120b-pace": "not yet",
            "rocm-october-2026": "yes",
            "rocm-november-2026": NO_EVIDENCE,
            "nvidia-gpt-oss-120b": "yes",
            "nvidia-llama2-70b-interactive": "no",
            "nvidia-dlrm-v3": "no",
            "rolling-submission": NO_EVIDENCE,
            "mi355x-partner-spread": "yes",
        }

    def test_one_gain_is_no_pace(self, answers):
        found = answers["gpt-oss-120b-pace"]
        assert (
            "One gain so far, AMD gpt-oss-120b Offline +28.2 %, AMD gpt-oss-120b Server +37.9 % (v6.0 → v6.1)" in found.sentence
        )
        assert [(r.round, r.value) for r in found.rows if r.scenario == "Server"] == [("v6.0", 82136.1), ("v6.1", 113241.0)]

    def test_october_came_two_days_early(self, answers):
        (release, sign) = answers["rocm-october-2026"].releases
        assert (release.version, release.date, release.slippage_days, release.role) == ("10.1.0", "2026-10-05", -2, "release")
        assert (sign.project, sign.version) == ("MIGraphX", "2.18.0")

    def test_november_has_a_sign_and_no_evidence(self, answers):
        found = answers["rocm-november-2026"]
        assert [(s.role, s.project, s.version, s.date) for s in found.releases] == [
            ("calendar-end", "ROCm", "10.1.0", "2026-10-05"),
            ("sign", "MIGraphX", "2.19.0", "2026-11-18"),
        ]
        assert "3 of its 3 earlier feature releases came on the day of one of ROCm" in found.notes[0]

    def test_the_rows_say_where_they_are_from(self, answers):
        rows = answers["nvidia-dlrm-v3"].rows
        assert {r.round for r in rows} == {"v6.0"}
        assert {r.hardware for r in rows} == {"8x B200", "72x GB200 (nvl72)"}
        assert all(r.path.startswith("closed/NVIDIA/") for r in rows)

    def test_the_same_run_under_two_targets_is_one_row(self, answers):
        assert [r.model for r in answers["nvidia-llama2-70b-interactive"].rows] == ["llama2-70b-99.9"] * 2

    def test_partners_are_within_the_spread(self, answers):
        found = answers["mi355x-partner-spread"]
        assert "33 results of 6 other submitters" in found.sentence
        assert "2.7 % from AMD in the mean (absolute), within 4 %" in found.sentence
        assert "4 of 33 single results lie beyond 4 %" in found.notes[0]

    def test_earlier_days_have_earlier_answers(self, real):
        found = {a.id: a.answer for a in watch.run_watches(watch.built_in(), real, day("2026-08-01"))}
        assert found["rocm-october-2026"] == found["rocm-november-2026"] == "not yet"
        assert found["nvidia-llama2-70b-interactive"] == "yes"  # in v6.0, then the newest round
        assert found["nvidia-dlrm-v3"] == NO_EVIDENCE  # it was new in v6.0

    def test_before_any_round_there_is_no_evidence(self, real):
        found = watch.run_watches([w for w in watch.built_in() if w.kind != "release"], real, day("2015-01-01"))
        assert {a.answer for a in found} == {NO_EVIDENCE}

    def test_an_empty_record_has_no_evidence(self):
        found = watch.run_watches([w for w in watch.built_in() if w.kind != "release"], [], DECEMBER)
        assert {a.answer for a in found} == {NO_EVIDENCE}

    def test_every_answer_is_json(self, answers):
        for found in answers.values():
            assert msgspec.json.decode(msgspec.json.encode(found))["as_of"] == "2026-12-01"


PACE = Pace(id="p", question="?", hardware=("8x MI355X",), model=("gpt-oss-120b",), submitter=("AMD",))


def rounds(*values: float, noise: float = 0.01, partners: int = 5) -> list[Result]:
    """A series v5.1, v6.0, v6.1 of AMD, the last values of it, with partners that differ by the noise."""
    made = []
    for name, value in zip(("v5.1", "v6.0", "v6.1")[-len(values) :], values, strict=True):
        made.append(result(round=name, value=value))
        made += [
            result(round=name, submitter=f"P{i}", value=value * (1 - noise * (i - 2)), platform=f"p{i}") for i in range(partners)
        ]
    return made


class TestPace:
    def test_yes_if_the_newest_gain_is_as_large_as_the_earlier_one(self):
        found = answer(PACE, rounds(100, 130, 169), DECEMBER)
        assert found.answer == "yes"
        assert "+30.0 % per round after +30.0 %: it keeps its pace" in found.sentence
        assert [r.round for r in found.rows] == ["v5.1", "v6.0", "v6.1"]

    def test_yes_if_it_is_smaller_by_less_than_the_noise(self):
        assert answer(PACE, rounds(100, 130, 167), DECEMBER).answer == "yes"

    def test_no_if_the_newest_gain_is_within_noise(self):
        found = answer(PACE, rounds(100, 130, 132), DECEMBER)
        assert found.answer == "no"
        assert "it flattens" in found.sentence

    def test_no_if_it_is_a_signal_and_yet_smaller_beyond_the_noise(self):
        found = answer(PACE, rounds(100, 150, 168), DECEMBER)
        assert found.answer == "no"
        assert "it slows" in found.sentence

    def test_no_if_it_falls(self):
        assert "it falls" in answer(PACE, rounds(100, 130, 100), DECEMBER).sentence

    def test_not_yet_after_one_gain(self):
        assert answer(PACE, rounds(100, 130), DECEMBER).answer == "not yet"

    def test_not_yet_after_none(self):
        assert answer(PACE, rounds(100), DECEMBER).answer == "not yet"

    def test_a_round_that_is_not_published_yet_gives_no_gain(self):
        assert answer(PACE, rounds(100, 130, 169), day("2026-09-15")).answer == "not yet"
        assert answer(PACE, rounds(100, 130, 169), day("2026-09-16")).answer == "yes"

    def test_no_evidence_where_the_noise_is_unknown(self):
        found = answer(PACE, rounds(100, 130, 169, partners=0), DECEMBER)
        assert found.answer == NO_EVIDENCE
        assert "noise" in found.sentence

    def test_no_evidence_where_nobody_submitted_it(self):
        assert answer(msgspec.structs.replace(PACE, model=("whisper",)), rounds(100, 130), DECEMBER).answer == NO_EVIDENCE

    def test_no_evidence_where_it_was_not_measured_in_the_newest_round(self):
        results = [r for r in rounds(100, 130, 169) if r.provenance.round != "v6.1"]
        found = answer(PACE, [*results, result(round="v6.1", model="whisper", scenario="Offline")], DECEMBER)
        assert found.answer == NO_EVIDENCE
        assert "last submitted in v6.0, not in v6.1" in found.sentence

    def test_a_gap_in_the_series_starts_it_anew(self):
        results = [r for r in rounds(100, 130, 169) if not (r.provenance.round == "v6.0" and r.provenance.submitter == "AMD")]
        assert answer(PACE, results, DECEMBER).answer == "not yet"

    def test_one_series_that_flattens_is_a_no_for_all(self):
        offline = [msgspec.structs.replace(r, id=f"o{r.id}") for r in rounds(100, 130, 131)]
        offline = [msgspec.structs.replace(r, workload=msgspec.structs.replace(r.workload, scenario="Offline")) for r in offline]
        found = answer(PACE, [*rounds(100, 130, 169), *offline], DECEMBER)
        assert found.answer == "no"
        assert found.sentence.startswith("1 of 2 series: AMD gpt-oss-120b Offline")


def release(due: str, project: str = "ROCm", **fields: object) -> ReleaseOnTime:
    return ReleaseOnTime(id="r", question="?", project=project, due=day(due), **fields)  # type: ignore[arg-type]


class TestRelease:
    @pytest.mark.parametrize(("due", "said"), [("2026-08-26", "on its due date"), ("2026-10-07", "2 days before its due date")])
    def test_yes_on_the_day_or_before_it(self, due, said):
        found = answer(release(due), [], DECEMBER)
        assert found.answer == "yes"
        assert said in found.sentence

    def test_a_date_that_sources_dispute_may_turn_the_answer(self):
        (note,) = answer(release("2026-08-26"), [], DECEMBER).notes
        assert note == "by another source it came on 2026-08-27, 1 day late: the answer turns on that"

    def test_no_if_it_came_late(self):
        found = answer(release("2026-10-01"), [], DECEMBER)
        assert found.answer == "no"
        assert "10.1.0 came on 2026-10-05, late by 4 days" in found.sentence

    def test_no_if_the_calendar_goes_on_without_it(self):
        found = answer(release("2026-09-15", every_days=14), [], DECEMBER)
        assert found.answer == "no"
        assert "late by 20 days or more" in found.sentence

    @pytest.mark.parametrize("as_of", ["2026-10-20", "2026-11-18"])
    def test_not_yet_before_the_due_date_has_passed(self, as_of):
        assert answer(release("2026-11-18"), [], day(as_of)).answer == "not yet"

    def test_a_release_that_was_not_out_yet_does_not_count(self):
        assert answer(release("2026-10-07"), [], day("2026-10-04")).answer == "not yet"
        assert answer(release("2026-10-07"), [], day("2026-10-05")).answer == "yes"

    def test_no_evidence_after_the_calendar_has_ended(self):
        found = answer(release("2026-11-18"), [], day("2026-11-19"))
        assert found.answer == NO_EVIDENCE
        assert "the calendar ends with 10.1.0 of 2026-10-05" in found.sentence

    def test_no_evidence_in_a_hole_of_the_calendar(self):
        assert answer(release("2026-09-03", "SGLang", every_days=14), [], DECEMBER).answer == NO_EVIDENCE

    def test_a_sign_is_shown_once_it_is_out(self):
        november = release("2026-11-18", signs=("MIGraphX",))
        assert [s.version for s in answer(november, [], DECEMBER).releases] == ["10.1.0", "2.19.0"]
        assert answer(november, [], day("2026-11-17")).releases == []

    @pytest.mark.parametrize(("due", "said"), [("2026-01-05", "yes"), ("2025-11-25", "no"), ("2025-12-10", NO_EVIDENCE)])
    def test_a_release_dated_to_the_month_answers_where_the_month_does(self, due, said):
        assert answer(release(due, "CUDA"), [], DECEMBER).answer == said


AGAIN = Resubmitted(id="a", question="?", submitter=("NVIDIA",), model=("gpt-oss-120b",))


def nvidia(round: str, **fields: object) -> Result:  # noqa: A002
    return result(round=round, submitter="NVIDIA", accelerator="B300", **fields)  # type: ignore[arg-type]


class TestResubmitted:
    def test_yes_on_any_hardware(self):
        found = answer(AGAIN, [nvidia("v6.0"), nvidia("v6.1", count=72)], DECEMBER)
        assert found.answer == "yes"
        assert [(r.round, r.hardware) for r in found.rows] == [("v6.1", "72x B300"), ("v6.0", "8x B300")]

    def test_yes_after_a_pause(self):
        assert answer(AGAIN, [nvidia("v5.1"), result(round="v6.0"), nvidia("v6.1")], DECEMBER).answer == "yes"

    def test_scenarios_that_were_left_out_are_said(self):
        found = answer(AGAIN, [nvidia("v6.0"), nvidia("v6.0", scenario="Offline"), nvidia("v6.1")], DECEMBER)
        assert found.notes == ["in v6.0 it was Offline, Server"]

    def test_no_with_the_rows_of_the_last_time(self):
        found = answer(AGAIN, [nvidia("v5.1"), nvidia("v6.0"), result(round="v6.1")], DECEMBER)
        assert found.answer == "no"
        assert [r.round for r in found.rows] == ["v6.0"]

    def test_another_scenario_is_not_the_same(self):
        watched = msgspec.structs.replace(AGAIN, scenario=("Interactive",))
        assert answer(watched, [nvidia("v6.0", scenario="Interactive"), nvidia("v6.1")], DECEMBER).answer == "no"

    def test_another_division_is_not_the_same(self):
        assert answer(AGAIN, [nvidia("v6.0"), nvidia("v6.1", division="open")], DECEMBER).answer == "no"

    def test_no_evidence_where_there_is_nothing_to_resubmit(self):
        assert answer(AGAIN, [result(round="v6.0"), nvidia("v6.1")], DECEMBER).answer == NO_EVIDENCE

    def test_a_round_to_come_is_not_yet(self):
        watched = msgspec.structs.replace(AGAIN, round="v7.0")
        assert answer(watched, [nvidia("v6.0"), nvidia("v6.1")], DECEMBER).answer == "not yet"
        watched = msgspec.structs.replace(AGAIN, round="v6.1")
        found = answer(watched, [nvidia("v6.0"), nvidia("v6.1")], day("2026-09-01"))
        assert (found.answer, "published on 2026-09-16" in found.sentence) == ("not yet", True)

    def test_a_round_that_the_record_lacks_is_no_evidence(self):
        watched = msgspec.structs.replace(AGAIN, round="v5.0")
        assert answer(watched, [nvidia("v4.1"), nvidia("v6.1")], DECEMBER).answer == NO_EVIDENCE


def rolling() -> Result:
    made = result(submitter="Crusoe")
    return msgspec.structs.replace(made, provenance=msgspec.structs.replace(made.provenance, round="2026-11-02"))


class TestExists:
    def test_yes_with_the_newest_rows_first(self):
        found = answer(Exists(id="e", question="?", model=("gpt-oss-120b",)), [result(round="v6.0"), result()], DECEMBER)
        assert found.answer == "yes"
        assert [r.round for r in found.rows] == ["v6.1", "v6.0"]

    def test_no_and_which_rounds_are_missing(self):
        found = answer(Exists(id="e", question="?", hardware=("B300",)), [result(round="v4.1"), result()], DECEMBER)
        assert found.answer == "no"
        assert found.notes == ["the record does not hold v5.0, v5.1, v6.0"]

    def test_a_round_may_be_named(self):
        watched = Exists(id="e", question="?", submitter=("AMD",), round="v6.0")
        assert answer(watched, [result(round="v6.0")], DECEMBER).answer == "yes"
        assert answer(watched, [result(round="v6.0", submitter="Dell"), result()], DECEMBER).answer == "no"
        assert answer(watched, [result(round="v5.1"), result()], DECEMBER).answer == NO_EVIDENCE
        assert answer(msgspec.structs.replace(watched, round="v7.0"), [result()], DECEMBER).answer == "not yet"

    def test_rolling_results_are_no_evidence_while_the_record_holds_rounds_only(self):
        assert answer(Exists(id="e", question="?", rolling=True), [result()], DECEMBER).answer == NO_EVIDENCE

    def test_rolling_results_are_found_once_there_are_any(self):
        watched = Exists(id="e", question="?", rolling=True)
        assert answer(watched, [result(), rolling()], DECEMBER).answer == "yes"
        assert answer(msgspec.structs.replace(watched, submitter=("AMD",)), [result(), rolling()], DECEMBER).answer == "no"

    def test_rolling_results_disturb_no_other_question(self):
        assert answer(PACE, [*rounds(100, 130, 169), rolling()], DECEMBER).answer == "yes"
        assert answer(AGAIN, [nvidia("v6.0"), nvidia("v6.1"), rolling()], DECEMBER).answer == "yes"

    def test_a_name_that_nobody_knows_yet_may_be_waited_for(self):
        (found,) = watch.run_watches([Exists(id="e", question="?", hardware=("8x MI355Z",))], [result()], DECEMBER)
        assert found.answer == "no"
        assert any("did you mean MI355X" in note for note in found.notes)

    def test_many_rows_are_counted_and_not_all_shown(self):
        found = answer(Exists(id="e", question="?", submitter=("AMD",)), [result(platform=f"p{i}") for i in range(60)], DECEMBER)
        assert len(found.rows) == 40
        assert any(note.startswith("60 results") for note in found.notes)


SPREAD = WithinSpread(id="s", question="?", hardware=("8x MI355X",), reference="AMD", percent=4)


class TestWithinSpread:
    @pytest.mark.parametrize(("partner", "said"), [(97.0, "yes"), (103.9, "yes"), (95.0, "no"), (106.0, "no")])
    def test_by_the_mean_absolute_deviation(self, partner, said):
        assert answer(SPREAD, [result(value=100.0), result(submitter="Dell", value=partner)], DECEMBER).answer == said

    def test_deviations_to_both_sides_do_not_cancel(self):
        results = [result(value=100.0), result(submitter="Dell", value=94.0), result(submitter="HPE", value=106.0)]
        assert answer(SPREAD, results, DECEMBER).answer == "no"

    def test_exactly_the_limit_is_within(self):
        assert answer(SPREAD, [result(value=100.0), result(submitter="Dell", value=96.0)], DECEMBER).answer == "yes"

    def test_no_evidence_without_a_partner_or_a_reference(self):
        assert answer(SPREAD, [result(value=100.0)], DECEMBER).answer == NO_EVIDENCE
        assert answer(SPREAD, [result(submitter="Dell")], DECEMBER).answer == NO_EVIDENCE

    def test_a_round_to_come_is_not_yet(self):
        assert answer(msgspec.structs.replace(SPREAD, round="v7.0"), [result()], DECEMBER).answer == "not yet"

    def test_results_without_a_counterpart_are_counted(self):
        results = [result(value=100.0), result(submitter="Dell", value=99.0), result(submitter="Dell", scenario="Offline")]
        assert "results without a counterpart of AMD, which do not count: 1" in answer(SPREAD, results, DECEMBER).notes


GOOD = """
[mine]
kind = "release"
question = "Did it come?"
project = "rocm"
due = 2026-11-18
signs = ["MIGraphX"]
"""


def mistakes(text: str) -> list[str]:
    with pytest.raises(WatchFileError) as caught:
        parse(text, "mine.toml")
    return str(caught.value).splitlines()


class TestFiles:
    def test_a_good_file(self):
        (found,) = parse(GOOD, "mine.toml")
        assert found == ReleaseOnTime(
            id="mine", question="Did it come?", file="mine.toml", project="ROCm", due=day("2026-11-18"), signs=("MIGraphX",)
        )

    def test_names_may_be_one_or_a_list(self):
        text = '[a]\nkind = "pace"\nquestion = "?"\nhardware = ["MI355X", "B300"]\nmodel = "gpt-oss-120b"\nscenario = "offline"\n'
        (found,) = parse(text, "f")
        assert found.filters.hardware == ("MI355X", "B300")
        assert found.filters.scenario == ("Offline",)
        assert found.filters.division == ("closed",)

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ('"release"', '"relase"', 'watch "mine", field kind: found "relase"; expected one of pace, release'),
            ('"release"', '"relase"', "did you mean release"),
            ('kind = "release"\n', "", 'watch "mine", field kind: found nothing; expected one of'),
            ('"rocm"', '"rocmm"', 'watch "mine", field project: found "rocmm"; expected a project with a release calendar'),
            ('"rocm"', '"rocmm"', "did you mean ROCm"),
            ("2026-11-18", '"soon"', 'watch "mine", field due: found "soon"; expected a date such as 2026-11-18'),
            ("2026-11-18", "2026-11-18T10:00:00", "field due: found 2026-11-18 10:00:00; expected a date"),
            ("due =", "dew =", 'watch "mine", field dew: found a field that this kind has not; expected one of'),
            ("due =", "dew =", 'watch "mine", field due: found nothing; expected this field, which release needs'),
            ('["MIGraphX"]', '["MIGrafX"]', "did you mean MIGraphX"),
            ('["MIGraphX"]', "[3]", "field signs: found [3]; expected a name or a list of names"),
            ('"Did it come?"', "3", "field question: found 3; expected a text"),
            ('"Did it come?"', '" "', 'field question: found " "; expected a text'),
            ("signs =", "every_days = 0\nsigns =", "field every_days: found 0; expected a whole number of days, 1 or more"),
            ("signs =", "every_days = true\nsigns =", "field every_days: found true; expected a whole number"),
            ("[mine]", '["my watch"]', "expected letters, digits, dots, hyphens and underscores"),
        ],
    )
    def test_a_mistake_is_located(self, old, new, said):
        found = mistakes(GOOD.replace(old, new))
        assert any(said in line for line in found), found
        assert all(line.startswith("mine.toml: ") for line in found)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "mine.toml: found no watch; expected tables"),
            ("[mine\n", "no TOML"),
            ("[a]\n[a]\n", "line 2"),
            ("mine = 3\n", 'watch "mine": found 3; expected a table'),
            ('[e]\nkind = "exists"\nquestion = "?"\n', 'watch "e": found nothing to look for; expected at least one of hardware'),
            ('[e]\nkind = "exists"\nquestion = "?"\nrolling = 1\n', "field rolling: found 1; expected true or false"),
            (
                '[e]\nkind = "exists"\nquestion = "?"\nround = "6.1"\n',
                'field round: found "6.1"; expected a round such as "v6.1"',
            ),
            ('[e]\nkind = "exists"\nquestion = "?"\nscenario = "Offlin"\n', "did you mean Offline"),
            ('[e]\nkind = "exists"\nquestion = "?"\ndivision = "close"\n', "did you mean closed"),
            ("[e]\nkind = 3\n", "field kind: found 3; expected one of pace"),
            (
                '[s]\nkind = "within-spread"\nquestion = "?"\nhardware = "MI355X"\nreference = "AMD"\npercent = nan\n',
                "field percent: found nan; expected a number of percent",
            ),
        ],
    )
    def test_other_files_that_are_wrong(self, text, said):
        assert any(said in line for line in mistakes(text)), mistakes(text)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("[a]\nkind=" + "[" * 5000, "deep.toml: found lists or tables nested too deeply; expected a TOML file of watches"),
            ("[a]\nkind=" + "{b=" * 5000, "nested too deeply"),
            ("[a]\nkind=" + "[" * 50 + "]" * 50, 'watch "a", field kind: found a list of lists or tables; expected one of pace'),
            ("[a]\nkind=[{" + ".".join(["b"] * 5000) + "=1}]", "field kind: found a list of lists or tables"),
        ],
    )
    def test_a_file_nested_deeply_is_one_error(self, text, said):
        with pytest.raises(WatchFileError) as caught:
            parse(text, "deep.toml")
        (line,) = str(caught.value).splitlines()
        assert said in line

    def test_all_mistakes_are_found_in_one_run(self):
        assert len(mistakes(GOOD.replace("due =", "dew =").replace('"rocm"', '"x"') + "[other]\n")) == 4

    def test_an_id_may_not_be_taken(self):
        with pytest.raises(WatchFileError, match='watch "mine": found an id that is taken'):
            parse(GOOD, "mine.toml", ["mine"])

    @pytest.mark.parametrize(
        ("field", "written", "near"),
        [("hardware", "8x MI356X", "MI355X"), ("model", "gpt-oss-12b", "gpt-oss-120b"), ("submitter", "AMDD", "AMD")],
    )
    def test_a_misspelt_name_is_refused_with_the_near_ones(self, field, written, near):
        watched = msgspec.structs.replace(PACE, file="mine.toml", **{field: (written,)})
        with pytest.raises(WatchFileError) as caught:
            watch.run_watches([watched], [result()], DECEMBER)
        text = str(caught.value)
        assert text.startswith(f'mine.toml: watch "p", field {field}: found "{written}"; expected a name')
        assert f"did you mean {near}" in text

    def test_a_misspelt_reference_is_refused(self):
        with pytest.raises(WatchFileError, match="field reference"):
            watch.run_watches([msgspec.structs.replace(SPREAD, reference="AMDD")], [result()], DECEMBER)

    def test_a_name_that_only_the_record_knows_is_known(self):
        watched = msgspec.structs.replace(AGAIN, submitter=("Hill Valley",))
        (found,) = watch.run_watches([watched], [result(submitter="Hill Valley", round="v6.0"), result()], DECEMBER)
        assert found.answer == "no"

    def test_watches_are_chosen_by_id(self):
        assert [w.id for w in watch.selected(watch.built_in(), ["nvidia-dlrm-v3"])] == ["nvidia-dlrm-v3"]
        with pytest.raises(SelectionError, match="did you mean nvidia-dlrm-v3"):
            watch.selected(watch.built_in(), ["nvidia-dlrm"])

    def test_answers_may_be_named_in_short(self):
        assert watch.known_verdicts(["No Evidence", "NO"]) == {NO_EVIDENCE, "no"}
        with pytest.raises(SelectionError, match="there are yes, no, not yet"):
            watch.known_verdicts(["maybe"])
