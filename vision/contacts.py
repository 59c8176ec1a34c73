"""Which spots a hand is at, from when to when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules.events import Hand
from rules.spots import Area, Spot
from vision.camera import Camera
from vision.footprint import Footprint, Mask
from vision.hands import Arms
from vision.layout import Layout
from vision.telling import Teller

_AT_IT = 0.12
"""A hand is at a spot when it covers this part of it (or this part of the hand lies on it)."""
_PAUSE_S = 0.45
"""A shorter absence does not end a contact."""
_COVERED = 0.3
"""A spot is covered when arms lie over this part of it."""
WATCHED = (Area.BET, Area.HAND, Area.SHOE, Area.DISCARD, Area.FLOAT, Area.BURN, Area.COMMUNITY)


@dataclass(slots=True)
class _Contact:
    t: float
    t_to: float


class Contacts:
    """Follows hands over the layout's spots."""

    def __init__(self, layout: Layout, camera: Camera, teller: Teller) -> None:
        """``camera``: of the small picture."""
        shape = (camera.height_px, camera.width_px)
        self._teller = teller
        self.zones: dict[Spot, Footprint] = {}
        for zone in layout.zones:
            if zone.spot.area in WATCHED:
                place = Footprint.of(outline_px(camera, zone.corners_mm), shape)
                if place.area_px:
                    self.zones[zone.spot] = place
        self._open: dict[tuple[Spot, Hand], _Contact] = {}
        self.covered: dict[Spot, _Contact] = {}

    def update(self, arms: Arms, obstacle: Mask) -> None:
        """Take the arms of the next frame. ``obstacle`` (h, w): what else hides the felt, such as an arm that
        has rested for long."""
        t = arms.t
        hidden = arms.mask | obstacle
        for arm in arms.arms:
            hand_px = max(1, int(np.count_nonzero(arm.hand_mask)))
            for spot, zone in self.zones.items():
                over = zone.overlap(arm.hand_mask, arm.box)
                if over > _AT_IT * min(zone.area_px, hand_px):
                    contact = self._open.setdefault((spot, arm.hand), _Contact(t, t))
                    contact.t_to = t
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
            self._teller.hand_contact(contact.t, contact.t_to, spot, hand)


def outline_px(
    camera: Camera, corners_mm: np.ndarray[tuple[int, ...], np.dtype[np.float64]]
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """An outline (n, 2) on the felt as pixels (m, 2), with points between (the lens bends lines)."""
    steps = np.linspace(0, 1, 8, endpoint=False)[:, None]
    following = np.roll(corners_mm, -1, axis=0)
    points = np.concatenate([a + (b - a) * steps for a, b in zip(corners_mm, following, strict=True)])
    return camera.project(points)
