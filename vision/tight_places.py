"""Stacks in betting places that are hardly larger than a chip, where the drawing says where to look.

The detector overlooks chips in printed rings of their size now and then. A chip there lies about the ring's
middle, so the chip reader can be asked: with the view of a ring that is empty, which it tells from a chip.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.camera import Camera
from vision.chip_geometry import Image, stack_frame
from vision.chip_stacks import COUNTABLE_PX
from vision.chips import ChipReader
from vision.guessing import stack_about
from vision.layout import Layout, Zone, takes_bets

_TIGHT = 2.6
"""Places no larger than so many chips, either way, are looked into."""
_CLEAR, _NONE = 0.97, 0.005
"""The reader must be so sure that a stack is in the clear, and no surer than that that there is none."""


def tight_places(layout: Layout, diameter_mm: float) -> list[Zone]:
    """The betting places in which a chip can only lie about the middle."""
    return [
        zone
        for zone in layout.zones
        if takes_bets(zone.spot) and np.ptp(zone.corners_mm, axis=0).max() <= _TIGHT * diameter_mm
    ]


def stacks_in(
    image: Image,
    camera: Camera,
    reader: ChipReader,
    zones: Sequence[Zone],
    taken_mm: Sequence[tuple[float, float]],
) -> list[tuple[float, float]]:
    """Where stacks stand in the clear in some tight places, mm.

    ``image``: uint8 (H, W, 3) BGR; ``taken_mm``: stacks that are known: their places are not looked into.
    """
    known = np.asarray(taken_mm, np.float64).reshape(-1, 2)
    found = []
    for zone in zones:
        middle = zone.centre_mm
        if len(known) and np.hypot(*(known - middle).T).min() < _TIGHT / 2 * reader.chips.diameter_mm:
            continue
        if not _is_seen(camera, zone, reader):
            continue
        at = stack_about(image, camera, reader, middle, clear=_CLEAR, none=_NONE)
        if at is not None:
            found.append(at)
    return found


def _is_seen(camera: Camera, zone: Zone, reader: ChipReader) -> bool:
    """Whether a place is in the picture, and chips there thick enough to be told from print."""
    frame = stack_frame(camera, zone.centre_mm, reader.chips.diameter_mm, reader.chips.height_mm)
    if frame is None or frame.thickness_px < COUNTABLE_PX:
        return False
    return bool(camera.in_view(zone.corners_mm).all())
