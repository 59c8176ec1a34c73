"""Which spots a hand is at, from when to when, and which card or stack it has its fingers on there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from rules.events import Hand
from rules.spots import Area, Spot
from vision.camera import Camera
from vision.footprint import Footprint, Mask
from vision.hands import Arm, Arms
from vision.layout import HOLDS, Layout
from vision.telling import Teller
from vision.tracking import Family, Thing

_AT_IT = 0.12
"""A hand is at a spot when it covers this part of it (or this part of the hand lies on it)."""
_PAUSE_S = 0.45
"""A shorter absence does not end a contact."""
_COVERED = 0.3
"""A spot is covered when arms lie over this part of it."""
_FINGERS_MM, _ON_IT, _ON_IT_S = 60.0, 0.25, 0.25
"""A hand has its fingers on a thing when their tips are so near its middle, and it covers this part of it,
for so long: one that only passes over it does not stop there."""
WATCHED = (Area.BET, Area.HAND, Area.SHOE, Area.DISCARD, Area.FLOAT, Area.BURN, Area.COMMUNITY, *HOLDS)


ASIDE = {Area.SHOE: 110.0, Area.DISCARD: 50.0, Area.FLOAT: 50.0}
"""Where cards and chips lie that are in no play, and how high they rise over the felt there, mm."""


class Naming(Protocol):
    """Who knows what things are called in the journal."""

    def name_of(self, thing: Thing) -> str | None:
        """The thing's name, None if nothing was told of it yet."""


@dataclass(slots=True)
class _Contact:
    """``held_s``: by a thing's name, how long the fingers were on it."""

    t: float
    t_to: float
    held_s: dict[str, float] = field(default_factory=dict)

    @property
    def held(self) -> str | None:
        """What the hand was at longest, if it was at anything."""
        name = max(self.held_s, key=self.held_s.__getitem__, default=None)
        return name if name is not None and self.held_s[name] >= _ON_IT_S else None


class Contacts:
    """Follows hands over the layout's spots."""

    def __init__(self, layout: Layout, camera: Camera, teller: Teller, cards: Naming, stacks: Naming) -> None:
        """``camera``: of the small picture. ``cards``, ``stacks``: who names them."""
        shape = (camera.height_px, camera.width_px)
        self._teller = teller
        self._names = {Family.CARD: cards, Family.STACK: stacks}
        self._t: float | None = None
        self.zones: dict[Spot, Footprint] = {}
        for zone in layout.zones:
            if zone.spot.area in WATCHED:
                place = Footprint.of(outline_px(camera, zone.corners_mm), shape)
                if place.area_px:
                    self.zones[zone.spot] = place
        self._open: dict[tuple[Spot, Hand], _Contact] = {}
        self.covered: dict[Spot, _Contact] = {}

    def update(self, arms: Arms, obstacle: Mask, things: Sequence[Thing]) -> None:
        """Take the arms of the next frame. ``obstacle`` (h, w): what else hides the felt, such as an arm that
        has rested for long. ``things``: that lie on the table."""
        t = arms.t
        passed_s = min(_PAUSE_S, t - self._t) if self._t is not None else 0.0
        self._t = t
        hidden = arms.mask | obstacle
        for arm in arms.arms:
            hand_px = max(1, int(np.count_nonzero(arm.hand_mask)))
            thing = _at_fingers(arm, things)
            for spot, zone in self.zones.items():
                over = zone.overlap(arm.hand_mask, arm.box)
                if over > _AT_IT * min(zone.area_px, hand_px):
                    contact = self._open.setdefault((spot, arm.hand), _Contact(t, t))
                    contact.t_to = t
                    if thing is not None and thing.sight.spot == spot:
                        # asked now: once it is taken away it has no name any more
                        name = self._names[thing.sight.family].name_of(thing)
                        if name is not None:
                            contact.held_s[name] = contact.held_s.get(name, 0.0) + passed_s
        for spot, zone in self.zones.items():
            if zone.share(hidden) > _COVERED:
                self.covered.setdefault(spot, _Contact(t, t)).t_to = t
            else:
                self.covered.pop(spot, None)
        self._close([key for key, contact in self._open.items() if t - contact.t_to > _PAUSE_S])

    def finish(self) -> None:
        """The recording ends: close what is open, and say what is covered to the end."""
        self._close(list(self._open))
        for spot, contact in self.covered.items():
            if spot.area in (Area.BET, Area.HAND):
                self._teller.view_lost(contact.t, "covered", None, spot)

    def _close(self, keys: list[tuple[Spot, Hand]]) -> None:
        for spot, hand in keys:
            contact = self._open.pop((spot, hand))
            self._teller.hand_contact(contact.t, contact.t_to, spot, hand, contact.held)


def _at_fingers(arm: Arm, things: Sequence[Thing]) -> Thing | None:
    """The thing that a hand has its fingers on."""
    near = [
        (math.dist(thing.sight.at_mm, arm.tip_mm), thing.number, thing)
        for thing in things
        if math.dist(thing.sight.at_mm, arm.tip_mm) <= _FINGERS_MM
        and thing.sight.footprint.overlap(arm.hand_mask, arm.box) > _ON_IT * thing.sight.footprint.area_px
    ]
    return min(near)[2] if near else None


def outline_px(
    camera: Camera, corners_mm: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """An outline (n, 2) on the felt as pixels (m, 2), with points between (the lens bends lines)."""
    steps = np.linspace(0, 1, 8, endpoint=False)[:, None]
    following = np.roll(corners_mm, -1, axis=0)
    points = np.concatenate([a + (b - a) * steps for a, b in zip(corners_mm, following, strict=True)])
    return camera.project(points)


def aside(camera: Camera, layout: Layout) -> Mask:
    """(h, w): where no bet or hand can lie: off the felt, where old cards and the float are."""
    shape = (camera.height_px, camera.width_px)
    outline = outline_px(camera, np.asarray(layout.felt.exterior.coords, np.float64)[:-1])
    mask = np.zeros(shape, np.bool_)
    if np.isfinite(outline).all():
        mask = ~Footprint.of(outline, shape).whole()
    for zone in layout.zones:
        if (height_mm := ASIDE.get(zone.spot.area)) is not None:
            corners = np.concatenate([zone.corners_mm, zone.corners_mm])
            heights = np.repeat([0.0, height_mm], len(zone.corners_mm))
            Footprint.of(camera.project(np.column_stack([corners, heights])), shape).mark(mask)
    return mask
