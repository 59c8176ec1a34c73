"""The JSON API: what the pages read, and other programs too."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import FileResponse

from dashboards.models import CoupOut, FindingOut, Problem, ReviewOut, SceneOut
from dashboards.reading import coups_out, findings_out, review_out, scene_out
from dashboards.wiring import ReviewOf, StoreOf
from rules.errors import VeedorError
from veedor.store.records import FINDINGS, JOURNAL

router = APIRouter(
    prefix="/api",
    tags=["reviews"],
    responses={404: {"model": Problem, "description": "No such review."}},
)


@router.get("/reviews", summary="All reviews, the latest first")
def reviews(store: StoreOf) -> list[ReviewOut]:
    """The reviews in this server's state directory."""
    return [review_out(review) for review in store.reviews()]


@router.get("/reviews/{review}", summary="One review")
def one_review(review: ReviewOf) -> ReviewOut:
    """Its table, recording and counts."""
    return review_out(review)


@router.get("/reviews/{review}/findings", summary="Its findings in time order")
def findings(store: StoreOf, review: ReviewOf) -> list[FindingOut]:
    """Each BREACH and UNDETERMINED with what was expected, what was seen, and the article."""
    return findings_out(store, review)


@router.get("/reviews/{review}/coups", summary="Its coups")
def coups(store: StoreOf, review: ReviewOf) -> list[CoupOut]:
    """Each coup with its cards, bets, result and counts of verdicts."""
    return coups_out(store, review)


@router.get("/reviews/{review}/scene", summary="All that the review page draws")
def scene(store: StoreOf, review: ReviewOf) -> SceneOut:
    """The timeline's lanes, and the zones and marks over the picture."""
    return scene_out(store, review)


@router.get("/reviews/{review}/journal.jsonl", summary="Its event journal", response_class=FileResponse)
def journal(store: StoreOf, review: ReviewOf) -> FileResponse:
    """The table events as JSON Lines, format veedor.journal/1."""
    return _download(store, review, JOURNAL, "application/jsonl")


@router.get("/reviews/{review}/findings.json", summary="Its findings file", response_class=FileResponse)
def findings_file(store: StoreOf, review: ReviewOf) -> FileResponse:
    """The judgement, format veedor.findings/1."""
    return _download(store, review, FINDINGS, "application/json")


def _download(store: StoreOf, review: ReviewOf, name: str, media_type: str) -> FileResponse:
    file = store.folder(review) / name
    if not file.is_file():
        raise VeedorError(f"{file} is gone. Review the recording again to make it anew.")
    return FileResponse(file, media_type=media_type, filename=f"review-{review.id}-{name}")
