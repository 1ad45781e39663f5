"""Answers: what the record says to a question, before it is held against the claim."""

from __future__ import annotations

from groundspeed.audit.claims import language as q
from groundspeed.audit.claims.answers._common import Answer, Evidence
from groundspeed.audit.claims.answers.calendars import answer_cadence, answer_release_count, answer_release_date
from groundspeed.audit.claims.answers.counting import answer_count, answer_only, answer_rank, answer_value
from groundspeed.audit.claims.answers.gains import answer_over, answer_tie, change_sides
from groundspeed.audit.claims.answers.systems import answer_capacity, answer_scale_out, answer_spread

__all__ = ["Answer", "Evidence", "answer"]


def answer(question: q.Question, evidence: Evidence) -> list[Answer]:
    """Ask the record a question.

    Returns:
        One answer, or one for each scenario or model the question runs over.

    Raises:
        SelectionMistake: If a selection names what the record does not know, or does not say which result it means.
    """
    match question:
        case q.Ratio():
            return answer_over(evidence, question, question.subject, question.baseline)
        case q.Change():
            return answer_over(evidence, question, *change_sides(question))
        case q.Order():
            return answer_over(evidence, question, question.subject, question.baseline, order_only=True)
        case q.Tie():
            return answer_tie(evidence, question)
        case q.Capacity():
            return answer_capacity(evidence, question)
        case q.ScaleOut():
            return answer_scale_out(evidence, question)
        case q.Count():
            return answer_count(evidence, question)
        case q.Rank():
            return answer_rank(evidence, question)
        case q.Only():
            return answer_only(evidence, question)
        case q.Value():
            return answer_value(evidence, question)
        case q.Spread():
            return answer_spread(evidence, question)
        case q.ReleaseDate():
            return answer_release_date(question)
        case q.Cadence():
            return answer_cadence(question)
        case q.ReleaseCount():
            return answer_release_count(question)
        case q.Unanswerable():
            return [
                Answer(
                    "",
                    None,
                    "",
                    "",
                    note=question.reason + (f" It would be settled by {question.settled_by}." if question.settled_by else ""),
                )
            ]
