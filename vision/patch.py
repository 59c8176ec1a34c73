"""The felt about a place, straightened: rows run away from the camera, columns across, in equal steps.

Seen from one place, what is so high over the felt looks as if it lay on it, farther away from under the
camera by a factor. So the outline of a level disc, however high, is (nearly) one circle wherever it is put on
such a picture, and to try all places and heights is to shift one picture against itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats
from vision.chip_geometry import Image
from vision.position import felt_jacobian

Layers = NDArray[np.float32]
"""(channels, rows, columns)."""
Window = tuple[int, int, int, int]
"""Rows from, to, columns from, to: of places on the grid."""

_STEP_PX, _FINEST_MM, _COARSEST_MM = 0.45, 0.35, 0.8
"""The felt is sampled in steps of so much of a pixel, between these."""
_KNOTS = 12
"""Where it is seen is reckoned for every so manieth point; between them it is as good as straight."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """A grid of points on the felt. ``about_mm`` (2,): the place that it was made about, at ``row`` and
    ``column``; ``step_mm``: between them; ``away``, ``across`` (2,): unit vectors along rows and columns;
    ``px_per_mm`` (2, 2): change of the pixel with these two; ``height_mm``: of the camera over the felt,
    ``distance_mm``: of the place from under it. ``part``: of the picture, x0, y0, x1, y1; ``map_px`` (2,
    rows, columns): where in that the points are."""

    about_mm: Floats
    row: int
    column: int
    step_mm: float
    away: Floats
    across: Floats
    px_per_mm: Floats
    height_mm: float
    distance_mm: float
    part: tuple[int, int, int, int]
    map_px: Layers

    @classmethod
    def about(
        cls,
        camera: Camera,
        at_mm: tuple[float, float],
        near_mm: float,
        far_mm: float,
        wide_mm: float,
    ) -> Patch | None:
        """From so far before a place to so far behind it, and so far to each side. None where the camera does
        not see it."""
        jacobian = felt_jacobian(camera, at_mm)
        if jacobian is None:
            return None
        away, across = directions(camera, at_mm)
        per_mm = jacobian @ np.stack([away, across], axis=1)
        step = float(np.clip(_STEP_PX / math.sqrt(abs(np.linalg.det(per_mm))), _FINEST_MM, _COARSEST_MM))
        before, behind, beside = (math.ceil(each / step) for each in (near_mm, far_mm, wide_mm))
        size = before + behind + 1, 2 * beside + 1
        knots = [math.ceil((n - 1) / _KNOTS) + 1 for n in size]
        u, v = (
            np.linspace(0, n - 1, k) - middle
            for n, k, middle in zip(size, knots, (before, beside), strict=True)
        )
        about = np.asarray(at_mm, np.float64)
        points = about + step * (u[:, None, None] * away + v[None, :, None] * across)
        px = camera.project(points.reshape(-1, 2))
        if not np.isfinite(px).all():
            return None
        low = np.floor(px.min(axis=0) - 2).astype(int).clip(0, None)
        high = np.ceil(px.max(axis=0) + 2).astype(int).clip(None, (camera.width_px, camera.height_px))
        if (high - low < 4).any():
            return None
        coarse = (px - low - 0.5).astype(np.float32).T.reshape(2, *knots)
        return cls(
            about,
            before,
            beside,
            step,
            away,
            across,
            np.asarray(per_mm, np.float64),
            float(camera.centre_mm[2]),
            float(np.hypot(*(about - camera.centre_mm[:2]))),
            (int(low[0]), int(low[1]), int(high[0]), int(high[1])),
            _between(coarse, size),
        )

    def cut(self, image: Image) -> NDArray[np.float32]:
        """(h, w, 3): the part of a picture (H, W, 3) that the patch shows."""
        x0, y0, x1, y1 = self.part
        return image[y0:y1, x0:x1].astype(np.float32)

    def sample(self, part: NDArray[np.float32]) -> Layers:
        """The layers of a part of the picture, (h, w) or (h, w, channels), on the grid."""
        x, y = self.map_px
        layers = (part,) if part.ndim == 2 else cv2.split(part)
        seen = np.empty((len(layers), *x.shape), np.float32)
        for layer, found in zip(layers, seen, strict=True):  # a third of the time of taking them apart after
            cv2.remap(layer, x, y, cv2.INTER_LINEAR, dst=found, borderMode=cv2.BORDER_REPLICATE)
        return seen

    @property
    def px_mm(self) -> float:
        """How long a pixel is on the felt, in the middle between along and across."""
        return float(1 / math.sqrt(abs(np.linalg.det(self.px_per_mm))))

    def scale(self, height_mm: float) -> float:
        """How much larger what is so high over the felt seems."""
        return self.height_mm / (self.height_mm - min(height_mm, 0.9 * self.height_mm))

    def lift(self, height_mm: float) -> float:
        """By how many rows what is so high over the felt seems to lie farther away."""
        return self.distance_mm * (self.scale(height_mm) - 1) / self.step_mm

    def pixel_mm(self, ways: Floats) -> Floats:
        """(n,): how long a pixel is along directions (n, 2) on the grid, rows and columns."""
        return np.asarray(1 / np.maximum(np.hypot(*(self.px_per_mm @ ways.T)), 1e-3))


def shifted(layers: Layers, rows: float, columns: float, window: Window) -> Layers:
    """The layers at so many rows and columns from each place of a window."""
    return all_shifted(layers, np.array([[rows, columns]]), window)[:, 0]


def all_shifted(layers: Layers, ways: Floats, window: Window) -> NDArray[np.float32]:
    """(channels, n, rows, columns): the layers at each of (n, 2) rows and columns from each place of a
    window."""
    top, bottom, left, right = window
    channels, _, width = layers.shape
    whole = np.floor(ways)
    down, along = (ways - whole).astype(np.float32).T[:, :, None, None]
    first = (whole + np.array([top, left])).astype(np.intp) @ np.array([width, 1])
    cells = np.arange(bottom - top + 1)[:, None] * width + np.arange(right - left + 1)
    near = layers.reshape(channels, -1).take(first[:, None, None] + cells, axis=1)
    part = near[..., 1:, :] - near[..., :-1, :]
    part *= down
    part += near[..., :-1, :]
    found = part[..., 1:] - part[..., :-1]
    found *= along
    found += part[..., :-1]
    return np.asarray(found, np.float32)


def directions(camera: Camera, at_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """Unit vectors on the felt: away from the camera, and across."""
    away = np.asarray(at_mm) - camera.centre_mm[:2]
    away = away / max(1e-9, float(np.hypot(*away)))
    return away, np.array([-away[1], away[0]])


def _between(knots: Layers, size: tuple[int, int]) -> Layers:
    """Straight lines between knots (channels, rows, columns), spread evenly over a grid from edge to edge, at
    all its points."""
    (i, up), (j, right) = (_knot(n, k) for n, k in zip(size, knots.shape[1:], strict=True))
    rows = knots[:, i] + up[:, None] * (knots[:, i + 1] - knots[:, i])
    found = (rows[:, :, 1:] - rows[:, :, :-1]).take(j, axis=2)
    found *= right
    found += rows.take(j, axis=2)
    return np.asarray(found, np.float32)


def _knot(points: int, knots: int) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """The knot before each point, and how far behind it the point is."""
    at = np.linspace(0, knots - 1, points)
    before = np.minimum(at.astype(np.intp), knots - 2)
    return before, (at - before).astype(np.float32)
