"""The state of a running table as the pages read it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from rules.events import ChipState, Event, ViewBack, ViewLost
from rules.findings import Verdict
from rules.journal import event_line
from veedor.config import Table
from veedor.live_evidence import LiveCamera
from veedor.live_part import Part
from veedor.projecting import Sizes, marks_of, shifts_of
from veedor.review import chip_colours
from veedor.store.live import CameraNow, LiveState, Status
from veedor.store.overlay import Mark, Shift
from vision.live import Capture
from vision.placing import Placer

ToUtc = Callable[[float], datetime]
"""From the watch's clock to the wall's."""


@dataclass(slots=True)
class Tally:
    """What earlier parts of a watch came to; ``review``: the number of the last one's."""

    coups: int = 0
    breaches: int = 0
    undetermined: int = 0
    events: int = 0
    review: int | None = None

    def add(self, part: Part) -> None:
        """A part is over."""
        self.coups += len(part.judge.coups)
        self.breaches += part.count(Verdict.BREACH)
        self.undetermined += part.count(Verdict.UNDETERMINED)
        self.events += len(part.events)


@dataclass(frozen=True, slots=True, eq=False)
class TableNow:
    """The table that is watched. ``key``: its folder's name."""

    table: Table
    key: str
    started: datetime
    tally: Tally


class Shapes:
    """What lies there as shapes in one camera's picture. Those of stacks, which take long, are made once."""

    def __init__(self, table: Table, camera: LiveCamera) -> None:
        chips = table.chips
        self._name, self._fitted = camera.own.id, camera.fitted
        self._sizes = Sizes(table.deck.size_mm, (chips.diameter_mm, chips.height_mm))
        self._placer = Placer(
            table.layout,
            camera.fitted,
            chips.diameter_mm / 2,
            chips.height_mm,
            camera.own.calibration.error,
        )
        self._stacks: dict[ChipState, tuple[Mark, ...]] = {}

    def marks(self, present: Sequence[Event]) -> tuple[Mark, ...]:
        """The shapes of what lies there."""
        chips = [event for event in present if isinstance(event, ChipState)]
        others = [event for event in present if not isinstance(event, ChipState)]
        known = self._stacks
        self._stacks = {event: known.get(event) or self._made([event]) for event in chips}
        return (*self._made(others), *(mark for marks in self._stacks.values() for mark in marks))

    def shifts(self, present: Sequence[Event]) -> tuple[Shift, ...]:
        """Where the camera shows things since it was moved, if it was."""
        return shifts_of(present, self._name, self._fitted)

    def _made(self, events: Sequence[Event]) -> tuple[Mark, ...]:
        return tuple(marks_of(events, self._name, self._placer, self._sizes))


def camera_now(
    table: Table,
    capture: Capture,
    shapes: Shapes | None,
    present: Sequence[Event],
    utc: ToUtc,
    t0: float,
) -> CameraNow:
    """One camera as it is doing, with what it sees of what lies there. ``shapes``: None before its first
    picture; ``t0``: when the part began."""
    health, own = capture.health(), table.camera(capture.camera)
    lost = _lost(own.id, present)
    return CameraNow(
        id=own.id,
        source=capture.source,
        live=capture.live,
        state=health.state,
        since=utc(health.since),
        says=health.says,
        view=None if lost is None else lost.reason,
        view_since=None if lost is None else utc(lost.t + t0),
        fps=round(health.fps, 1),
        watched_fps=round(health.watched_fps, 1),
        late_s=round(health.late_s, 2),
        dropped_share=round(health.dropped_share, 3),
        dropped=health.dropped,
        last=None if health.last_t is None else utc(health.last_t),
        width_px=health.width_px or own.camera.width_px,
        height_px=health.height_px or own.camera.height_px,
        marks=() if shapes is None else shapes.marks(present),
        shifts=() if shapes is None else shapes.shifts(present),
    )


def _lost(camera: str, present: Sequence[Event]) -> ViewLost | None:
    """What tells that this camera's view is lost at present, if it is."""
    over = {event.lost for event in present if isinstance(event, ViewBack)}
    for event in present:
        if isinstance(event, ViewLost) and event.spot is None and event.seq not in over:
            whose = event.camera or (None if event.evidence is None else event.evidence.camera)
            if whose == camera:
                return event
    return None


def state_of(
    now: TableNow,
    status: Status,
    says: str | None,
    part: Part | None,
    cameras: Sequence[CameraNow],
    behind_s: float,
    utc: ToUtc,
) -> LiveState:
    """The table as it is now; ``part``: the one that is being written."""
    table, tally = now.table, now.tally
    coups = [] if part is None else part.judge.coups
    breaches, undetermined = (
        0 if part is None else part.count(verdict) for verdict in (Verdict.BREACH, Verdict.UNDETERMINED)
    )
    return LiveState(
        table=table.name,
        key=now.key,
        game=table.game,
        profile=table.profile.title,
        pid=os.getpid(),
        started=now.started,
        at=datetime.now(UTC),
        status=status,
        says=says,
        part="" if part is None else part.folder.name,
        part_since=None if part is None else utc(part.t0),
        t=0.0 if part is None else round(part.t, 2),
        behind_s=round(behind_s, 2),
        cameras=tuple(cameras),
        present=() if part is None else tuple(map(event_line, part.present.events)),
        paid=() if part is None else tuple(sorted(part.present.paid)),
        coup=coups[-1].as_json() if coups else None,
        dealt=part is not None and part.present.hands_dealt,
        coups=tally.coups + len(coups),
        breaches=tally.breaches + breaches,
        undetermined=tally.undetermined + undetermined,
        events=tally.events + (0 if part is None else len(part.events)),
        review=tally.review,
        chip_colours={str(value): colour for value, colour in chip_colours(table).items()},
    )
