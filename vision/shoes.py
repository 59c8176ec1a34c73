"""Whose the shoe is: at a table where it goes round, it stands at a player's place for it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rules.spots import Spot
from vision.camera import Camera
from vision.eyes import Shoe
from vision.footprint import Footprint
from vision.layout import Layout, Zone, is_marker

_SURE = 0.5
_HIGH_MM = 90.0
_AT_IT = 0.25
"""So much of a shoe's outline lies in the space over the place where it stands, at least."""
_NEEDED = 2
"""Looks that must agree on where it stands."""


class Shoes:
    """Follows the shoe from place to place; sees nothing where the drawing has no such places."""

    def __init__(self, camera: Camera, layout: Layout) -> None:
        """``camera``: of the small picture."""
        self._places = [
            (zone.spot, _space(camera, zone))
            for zone in layout.zones
            if is_marker(zone.spot) and zone.spot.bet == "shoe"
        ]
        self._at: Spot | None = None
        self._next: Spot | None = None
        self._votes = 0

    def see(self, shoes: Sequence[Shoe]) -> tuple[Spot, Shoe] | None:
        """Take the shoes that a look found; where it stands now, if that is another place than before."""
        best = max((shoe for shoe in shoes if shoe.score >= _SURE), key=lambda shoe: shoe.score, default=None)
        if best is None or not self._places:
            return None
        shares = [(best.footprint.share(space.whole()), spot) for spot, space in self._places]
        share, spot = max(shares)
        if share < _AT_IT:
            return None
        self._votes = self._votes + 1 if spot == self._next else 1
        self._next = spot
        if spot == self._at or self._votes < _NEEDED:
            return None
        self._at = spot
        return spot, best


def _space(camera: Camera, zone: Zone) -> Footprint:
    """What a shoe's height over a place takes up in the picture."""
    corners = np.concatenate([zone.corners_mm, zone.corners_mm])
    heights = np.repeat([0.0, _HIGH_MM], len(zone.corners_mm))
    px = camera.project(np.column_stack([corners, heights]))
    return Footprint.of(px, (camera.height_px, camera.width_px))
