"""From the store's records to the API's answers."""

from __future__ import annotations

from dashboards import scene
from dashboards.models import CoupOut, FindingOut, ReviewOut, SceneOut
from veedor.store import FindingRecord, ReviewRecord, Store


def review_out(review: ReviewRecord) -> ReviewOut:
    """One review."""
    return ReviewOut(
        id=review.id,
        table=review.table,
        game=review.game,
        profile=review.profile,
        recording_name=review.recording_name,
        duration_s=review.recording.duration_s,
        reviewed_at=review.reviewed_at,
        coups=review.coups,
        cards=review.cards,
        bets=review.bets,
        breaches=review.breaches,
        undetermined=review.undetermined,
    )


def findings_out(store: Store, review: ReviewRecord) -> list[FindingOut]:
    """A review's findings in time order."""
    return [_finding_out(review, finding) for finding in store.findings(review.id)]


def _finding_out(review: ReviewRecord, finding: FindingRecord) -> FindingOut:
    picture = None if finding.picture is None else f"/reviews/{review.id}/pictures/{finding.id}"
    return FindingOut.model_validate(
        {name: getattr(finding, name) for name in FindingOut.model_fields if name not in ("picture",)}
        | {"picture": picture}
    )


def coups_out(store: Store, review: ReviewRecord) -> list[CoupOut]:
    """A review's coups in order."""
    return [CoupOut.model_validate_json(coup.summary) for coup in store.coups(review.id)]


def scene_out(store: Store, review: ReviewRecord) -> SceneOut:
    """All that the review page draws. Raises VeedorError when a stored file is gone or broken."""
    journal = store.journal(review)
    overlay = store.overlay(review)
    return SceneOut(
        duration_s=max(review.recording.duration_s, scene.duration(journal)),
        width_px=overlay.width_px,
        height_px=overlay.height_px,
        video=None if store.video(review) is None else f"/reviews/{review.id}/video",
        zones=scene.zones(overlay),
        marks=scene.marks(journal, overlay),
        lanes=scene.lanes(journal),
        findings=findings_out(store, review),
        coups=coups_out(store, review),
    )
