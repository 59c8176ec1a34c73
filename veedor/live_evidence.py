"""Evidence of a table that is watched live: a finding's picture from what the albums kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rules.events import CardMoved, CardPlaced, CardTurned, ChipState, Event, ViewBack, ViewLost
from rules.findings import CoupSummary, Finding
from rules.journal import Header, Journal
from veedor import evidence_cameras
from veedor.album import Album
from veedor.config import Table, TableCamera
from veedor.evidence import Caption, moments, pictures
from veedor.evidence_marks import Picture
from veedor.projecting import Sizes, make_overlay
from veedor.review import chip_colours
from veedor.store.overlay import Overlay
from vision.camera import Camera
from vision.source import Frame
from vision.steady import moves_of, steadied

_BACK_S = 240.0
"""What lay at a spot is looked for so far back."""


@dataclass(frozen=True, slots=True, eq=False)
class LiveCamera:
    """A camera that is watched. ``fitted``: at its pictures' size; ``album``: its pictures, whose times are
    the journal's and ``t0``."""

    own: TableCamera
    fitted: Camera
    album: Album
    t0: float = 0.0


def overlay_of(table: Table, camera: LiveCamera, journal: Journal) -> Overlay:
    """What is drawn over a camera's pictures of a journal."""
    return make_overlay(
        journal,
        camera.own.id,
        camera.fitted,
        table.layout,
        sizes=Sizes(table.deck.size_mm, (table.chips.diameter_mm, table.chips.height_mm)),
        chip_colours=chip_colours(table),
        error=camera.own.calibration.error,
    )


def needed(events: Sequence[Event], findings: Iterable[Finding]) -> tuple[Event, ...]:
    """Of a journal's events, those that the pictures of some findings rest on or show."""
    found = list(findings)
    wanted = {seq for finding in found for seq in finding.evidence_seq}
    spots = {str(finding.spot) for finding in found if finding.spot is not None}
    begin = min((finding.t_from for finding in found), default=0.0) - _BACK_S
    cards = {getattr(event, "card_id", None) for event in events if event.seq in wanted} - {None}
    return tuple(
        event
        for event in events
        if event.seq in wanted
        or isinstance(event, ViewLost | ViewBack)
        or (isinstance(event, CardPlaced | CardMoved | CardTurned) and event.card_id in cards)
        or (isinstance(event, ChipState) and event.spot in spots and event.t >= begin)
    )


def draw(
    table: Table,
    cameras: Sequence[LiveCamera],
    findings: Sequence[Finding],
    coups: Sequence[CoupSummary],
    header: Header,
    events: Sequence[Event],
    done: Callable[[Finding, Picture], None],
) -> None:
    """Draw the picture of each finding, as far as the albums have what it needs; the first camera is the
    chief one. ``coups``: the findings' own."""
    journal = Journal(header, needed(events, findings))
    times = [moment.t for moment in moments(findings, journal)]
    seen = []
    for camera in cameras:
        kept = camera.album.at([t + camera.t0 for t in times])
        shown = [Frame(each.t - camera.t0, 0, each.frame.image) for each in kept]
        if not shown:
            continue
        overlay = overlay_of(table, camera, journal)
        moves = moves_of(journal.events, camera.own.id)
        steady = partial(steadied, camera=camera.fitted, moves=moves)
        seen.append((camera, shown, overlay, steady))
    name = header.recording or f"live, {header.start_utc or ''}"
    if len(seen) == 1:
        _, shown, overlay, steady = seen[0]
        pictures(steady(shown), findings, coups, journal, overlay, Caption(table.name, name), done)
    elif seen:
        several = [
            evidence_cameras.Camera(camera.own.id, Path(name), 0.0, overlay, steady, _again(shown))
            for camera, shown, overlay, steady in seen
        ]
        evidence_cameras.pictures_by_camera(several, findings, coups, journal, table.name, done)


def _again(shown: Sequence[Frame]) -> Callable[[Path], AbstractContextManager[Iterable[Frame]]]:
    return lambda _file: nullcontext(shown)
