"""From the store's records to the API's answers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pydantic import ValidationError

from dashboards import diagram, scene
from dashboards.lanes import lanes
from dashboards.models import CoupOut, FindingOut, ReviewOut, SceneOut
from dashboards.told import Staked, duration
from rules.corrections import as_corrected
from rules.events import Event
from veedor.store import FindingRecord, ReviewRecord, Store, StoreError
from veedor.store.records import JOURNAL


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
    """A review's coups in order. Raises StoreError for one whose entry is broken."""
    found = []
    for coup in store.coups(review.id):
        try:
            found.append(CoupOut.model_validate_json(coup.summary))
        except ValidationError as error:
            raise StoreError(
                f"The entry of coup {coup.coup} of review {review.id} in the database {store.database_file} "
                "is broken. Put back a copy of the database, or review the recording again."
            ) from error
    return found


def scene_out(store: Store, review: ReviewRecord) -> SceneOut:
    """All that the review page draws. Raises VeedorError when a stored file is gone or broken."""
    journal = store.journal(review)
    overlay = store.overlay(review)
    coups = coups_out(store, review)
    bets = tuple(map(staked, coups))
    return SceneOut(
        duration_s=max(review.recording.duration_s, duration(journal)),
        width_px=overlay.width_px,
        height_px=overlay.height_px,
        video=None if store.video(review) is None else f"/reviews/{review.id}/video",
        zones=scene.zones(overlay),
        lines=scene.lines(overlay),
        shifts=scene.shifts(overlay),
        marks=scene.marks(journal, overlay, bets),
        lanes=lanes(journal, bets),
        findings=findings_out(store, review),
        coups=coups,
    )


def staked(coup: CoupOut) -> Staked:
    """The stacks that were a coup's bets."""
    return Staked(coup.t_from, coup.t_to, frozenset(str(bet["stack"]) for bet in coup.bets))


def tones(findings: Iterable[FindingOut]) -> dict[tuple[int, str], diagram.Tone]:
    """How bets look, by coup and spot: ``wrong`` where a rule was broken there, ``unsure``."""
    found: dict[tuple[int, str], diagram.Tone] = {}
    for finding in findings:
        if finding.spot is not None and found.get((finding.coup, finding.spot)) != "wrong":
            found[finding.coup, finding.spot] = "wrong" if finding.verdict == "BREACH" else "unsure"
    return found


def bets_diagram(
    store: Store,
    review: ReviewRecord,
    coup: CoupOut,
    toned: dict[tuple[int, str], diagram.Tone],
    *,
    drawing: str | None,
    whole: bool = False,
) -> str:
    """The diagram of a coup's bets, SVG text. Raises VeedorError when a stored file is gone or broken."""
    felt = store.felt(review)
    stacks = diagram.laid(felt, _events(store, review), coup)
    own = {spot: tone for (number, spot), tone in toned.items() if number == coup.coup}
    title = f"The bets of coup {coup.coup}, as they lay"
    return diagram.diagram(felt, stacks, drawing=drawing, tones=own, whole=whole, title=title)


def _events(store: Store, review: ReviewRecord) -> tuple[Event, ...]:
    """A journal's events as corrected. A report asks for them once a coup."""
    file = store.folder(review) / JOURNAL
    return _kept(store, review, file.stat().st_mtime_ns if file.is_file() else 0)


@lru_cache(maxsize=2)
def _kept(store: Store, review: ReviewRecord, _changed_ns: int) -> tuple[Event, ...]:
    return tuple(as_corrected(store.journal(review).events).events)
