"""What people say of a review: of its findings, and who dealt. Each is one more entry; nothing is changed."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, HTTPException, Path
from pydantic import BaseModel, Field

from dashboards.models import Problem
from dashboards.wiring import ReviewOf, StoreOf, json_only
from rules.dealers import Answer, Errs
from rules.errors import VeedorError
from veedor.store import AnswerRecord
from veedor.store.answers import made

router = APIRouter(
    prefix="/api/reviews/{review}",
    tags=["reviews"],
    responses={404: {"model": Problem, "description": "No such review, finding or answer."}},
)


class AnswerIn(BaseModel):
    """What a reviewer says of a finding."""

    answer: Literal["confirmed", "rejected", "cannot tell"]
    by: str = Field(description="Who says so: the reviewer's name or number.")
    note: str = ""
    whose: Literal["dealer", "player", "house", "either"] | None = Field(
        default=None,
        description="Whose error it was; only with `confirmed`. `either`: that is not to be told.",
    )


class AnswerOut(BaseModel):
    """An answer as it is kept."""

    answer: str
    by: str
    note: str
    whose: str | None
    at: datetime = Field(description="When it was given, UTC.")
    current: bool = Field(description="False: the finding has been judged anew, and says something else now.")


class DealerIn(BaseModel):
    """Who deals from a moment on."""

    dealer: str = Field(description="Name or number; several with commas; empty: nobody is told any more.")
    t: float = Field(default=0.0, description="From when on, seconds of the recording.")
    utc: datetime | None = Field(default=None, description="Which moment that was, with its zone.")


class DealerOut(BaseModel):
    """Who was said to deal."""

    t: float
    dealers: list[str]


class DealersOut(BaseModel):
    """Who was said to deal, and when the recording began."""

    start: datetime | None = Field(description="When the recording began, UTC; null: not told.")
    told: list[DealerOut]


def answer_out(answer: AnswerRecord) -> AnswerOut:
    """One answer."""
    return AnswerOut(
        answer=answer.answer.value,
        by=answer.by,
        note=answer.note,
        whose=None if answer.whose is None else answer.whose.value,
        at=answer.at,
        current=answer.current,
    )


@router.get("/answers", summary="What reviewers said of its findings")
def answers(store: StoreOf, review: ReviewOf) -> dict[str, list[AnswerOut]]:
    """By finding, the first said first; the last one counts."""
    return {finding: list(map(answer_out, given)) for finding, given in store.answers(review.id).items()}


@router.post(
    "/findings/{finding}/answers", summary="Say something of a finding", dependencies=[Depends(json_only)]
)
def add_answer(
    store: StoreOf, review: ReviewOf, finding: Annotated[str, Path(max_length=400)], said: AnswerIn
) -> list[AnswerOut]:
    """One more answer; what was said before stays. Returns all."""
    whose = None if said.whose is None else Errs(said.whose)
    try:
        store.answer(review, finding, made(Answer(said.answer), said.by, said.note, whose))
    except VeedorError as error:
        raise HTTPException(422, str(error)) from error
    return list(map(answer_out, store.answers(review.id)[finding]))


@router.get("/dealers", summary="Who dealt")
def dealers(store: StoreOf, review: ReviewOf) -> DealersOut:
    """As the journal's cues tell it, in order of time."""
    shifts = store.shifts(review)
    return DealersOut(
        start=shifts.start,
        told=[DealerOut(t=told.t, dealers=list(told.dealers)) for told in shifts.told],
    )


@router.post("/dealers", summary="Say who dealt", dependencies=[Depends(json_only)])
def tell_dealer(store: StoreOf, review: ReviewOf, said: DealerIn) -> DealersOut:
    """One more cue `dealer` in the journal; of two told of one moment, the later counts."""
    try:
        store.tell_dealer(review, said.dealer, said.t, said.utc)
    except VeedorError as error:
        raise HTTPException(422, str(error)) from error
    return dealers(store, review)
