"""The outlines of level discs on a straightened patch of felt: how much the picture changes across them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats
from vision.patch import Layers, Patch, Window, shifted

_POINTS = 48
_STEP_PX = 0.7
"""Colours are compared so far outside and inside an outline."""

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
    found = np.empty((len(ring), window[1] - window[0], window[3] - window[2]), np.float32)
    for number, (way, beside) in enumerate(zip(ring, beside_mm, strict=True)):
        away, across = way / patch.step_mm
        out, inner = (
            shifted(layers, (radius_mm + side) * away, (radius_mm + side) * across, window)
            for side in (beside, -beside)
        )
        off = out - inner
        found[number] = np.sqrt(np.einsum("crk,crk->rk", off, off))
    return found


def margins(
    camera: Camera,
    at_mm: tuple[float, float],
    reach_mm: Floats,
    beside_mm: float,
    heights_mm: Sequence[float],
) -> tuple[float, float, float]:
    """How far before and behind a place and beside it the outlines reach of stacks that stand about it."""
    over = camera.felt_point(camera.project(np.array([[*at_mm, max(heights_mm)]])))[0]
    lifted_mm = float(np.nan_to_num(np.hypot(*(over - np.asarray(at_mm)))))
    near_mm, wide_mm = (float(reach) + beside_mm for reach in reach_mm)
    return near_mm, near_mm + 1.1 * lifted_mm + 2.0, wide_mm
