"""The outlines of level discs on a straightened patch of felt: how much the picture changes across them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats
from vision.patch import Layers, Patch, Window, all_shifted

_POINTS = 48
_STEP_PX = 0.7
"""Colours are compared so far outside and inside an outline."""

_VALUES = 200000
"""So many are reckoned at a time: fewer at once take longer each, and more do not stay near the processor."""

_ANGLES = np.arange(_POINTS) * (2 * np.pi / _POINTS)
RING = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
"""Points of an outline (n, 2): away from the camera, and across."""


def crossed(
    patch: Patch, layers: Layers, radius_mm: float, seen: NDArray[np.bool_], window: Window
) -> NDArray[np.float32]:
    """(seen points, rows, columns): how much the colour changes across the outline of a disc about each place
    of a window, at those of the outline's points that are looked at."""
    ring = RING[seen]
    # where the view foreshortens the outline most, a pixel may be more than a chip's rim
    beside_mm = np.clip(_STEP_PX * patch.pixel_mm(ring), 0.0, 0.3 * radius_mm)
    ways = ring / patch.step_mm
    outside, inside = ((radius_mm + side)[:, None] * ways for side in (beside_mm, -beside_mm))
    found = np.empty((len(ring), window[1] - window[0], window[3] - window[2]), np.float32)
    some = max(1, _VALUES // (3 * max(1, found[0].size)))
    for part in (slice(k, k + some) for k in range(0, len(ring), some)):
        off = all_shifted(layers, outside[part], window)
        off -= all_shifted(layers, inside[part], window)
        off *= off
        np.sqrt(off.sum(axis=0), out=found[part])
    return found


def margins(
    camera: Camera,
    at_mm: tuple[float, float],
    reach_mm: Floats,
    beside_mm: float,
    heights_mm: Sequence[float],
) -> tuple[float, float, float]:
    """How far before and behind a place and beside it the outlines reach of stacks that stand about it."""
    x, y, high = (camera.centre_mm - (*at_mm, 0.0)).tolist()
    tall = min(max(heights_mm), 0.9 * high)
    lifted_mm = math.hypot(x, y) * tall / (high - tall)
    near_mm, wide_mm = (float(reach) + beside_mm for reach in reach_mm)
    return near_mm, near_mm + 1.1 * lifted_mm + 2.0, wide_mm
