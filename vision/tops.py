"""How high a stack is, from several cameras: its top is where all see edges at one place and height.

From one camera a top that lies higher looks the same as one that lies farther away. Two cameras that look
from different sides agree on one place and height only. Each camera says, for every height that some number
of chips has and for places close to the foot, how much of the top's outline would lie on edges of its picture
(:class:`Tops`); the places are those of one grid on the felt, so that what cameras say can be added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats
from vision.chip_geometry import Image
from vision.patch import directions

GRID_MM = 0.5
_POINTS, _STEP_PX = 48, 0.7
"""Points of an outline; colours are compared so far outside and inside it."""
HIGHEST = 20
"""Heights of 1 to so many chips are tried."""
_REACH = 6
"""Places are tried so many steps of the grid each way from the foot."""
_FACING = -0.2
"""The part of the top's outline that is looked at: cosine of the angle from the camera."""
_FAINT = 10.0
_TRUST = 11.0
"""How much likelier a top is whose whole outline lies on edges than one without any, natural logarithm, for
each camera. Set, like the next, on pairs of synthetic pictures (docs/several-cameras.md)."""
_ASKEW_MM = 0.8
"""Usual distance, each way, of a top's middle from the base's: chips do not lie exactly on one another."""


_ANGLES = np.arange(_POINTS) * (2 * np.pi / _POINTS)
_RING = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Tops:
    """What one camera's picture says of a stack's top. ``first``: the grid's column and row of the first
    place; ``fits`` (HIGHEST, n, n): the part of the outline that lies on edges, 0 to 1, by chips (from one
    on), x and y."""

    first: tuple[int, int]
    fits: NDArray[np.float32]


def find_tops(
    image: Image, camera: Camera, at_mm: tuple[float, float], diameter_mm: float, chip_mm: float
) -> Tops:
    """The tops that a stack whose foot is at a place may have in one picture, uint8 (H, W, 3) BGR."""
    first = (round(at_mm[0] / GRID_MM) - _REACH, round(at_mm[1] / GRID_MM) - _REACH)
    steps = np.arange(2 * _REACH + 1)
    x, y = np.meshgrid((first[0] + steps) * GRID_MM, (first[1] + steps) * GRID_MM, indexing="ij")
    places = np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float64)
    rim = Rim(image, camera, np.asarray(at_mm, np.float64), diameter_mm / 2)
    seen = rim.facing(directions(camera, at_mm)[0]) > _FACING
    edges = np.stack([rim.edges(places, n * chip_mm, seen) for n in range(1, HIGHEST + 1)])
    edge = max(_FAINT, float(np.percentile(edges, 85)))
    fits = np.minimum(edges / edge, 1).mean(axis=2).reshape(HIGHEST, len(steps), len(steps))
    return Tops(first, fits.astype(np.float32))


def counts_by_height(tops: Sequence[Tops], at_mm: tuple[float, float], error: Floats, counts: int) -> Floats:
    """(counts,): log probability of each number of chips, from 0, by the height of its top alone.

    ``tops``: of cameras that look from different sides; ``at_mm``, ``error`` (2, 2): the base's middle and
    its covariance, mm². All alike where the cameras have no place in common.
    """
    low = np.max([each.first for each in tops], axis=0)
    high = np.min([np.add(each.first, each.fits.shape[1:]) for each in tops], axis=0)
    if (high <= low).any():
        return np.full(counts, -np.log(counts))
    fits = np.sum([_part(each, low, high) for each in tops], axis=0)
    x, y = np.meshgrid(*(np.arange(a, b) * GRID_MM for a, b in zip(low, high, strict=True)), indexing="ij")
    off = np.stack([x - at_mm[0], y - at_mm[1]], axis=-1)
    inverse = np.linalg.inv(error + _ASKEW_MM**2 * np.eye(2))
    log = _TRUST * fits - 0.5 * np.einsum("xyi,ij,xyj->xy", off, inverse, off)
    by_height = np.logaddexp.reduce(log.reshape(HIGHEST, -1), axis=1)
    found = np.full(counts, float(by_height.min()))
    found[1 : HIGHEST + 1] = by_height[: counts - 1]
    return np.asarray(found - np.logaddexp.reduce(found), np.float64)


def _part(tops: Tops, low: NDArray[np.intp], high: NDArray[np.intp]) -> Floats:
    (a, b), (c, d) = low - tops.first, high - tops.first
    return np.asarray(tops.fits[:, a:c, b:d], np.float64)


class Rim:
    """The outlines of level discs about a place in a picture."""

    def __init__(self, image: Image, camera: Camera, about_mm: Floats, radius_mm: float) -> None:
        self._image, self._camera, self._radius_mm = image, camera, radius_mm
        seen = [camera.project(_at_height(about_mm + r * _RING, 0.0)) for r in (radius_mm, radius_mm + 1)]
        px_per_mm = np.hypot(*(seen[1] - seen[0]).T)
        # where the view foreshortens the outline most, a pixel may be more than a chip's rim
        self._beside_mm = np.clip(_STEP_PX / np.maximum(px_per_mm, 1e-3), 0.0, 0.3 * radius_mm)

    def facing(self, away: Floats) -> Floats:
        """(points,): cosines of the angles between a direction (2,) and those of the outline's points."""
        return np.asarray(_RING @ away, np.float64)

    def edges(self, centres_mm: Floats, height_mm: float, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
        """(n, seen points): how much the colour changes across the outline of a disc about each of the places
        (n, 2), so high over the felt, at those of the outline's points that are looked at."""
        ring, beside_mm = _RING[seen], self._beside_mm[seen]
        outside, inside = (
            self._colours(centres_mm, (self._radius_mm + way * beside_mm)[:, None] * ring, height_mm)
            for way in (1, -1)
        )
        return np.asarray(np.linalg.norm(outside - inside, axis=-1), np.float64)

    def _colours(self, centres_mm: Floats, outline_mm: Floats, height_mm: float) -> NDArray[np.float64]:
        points = centres_mm[:, None] + outline_mm
        px = np.nan_to_num(self._camera.project(_at_height(points.reshape(-1, 2), height_mm)), nan=-10.0)
        x_px, y_px = px.T  # numpy finds the least of each by itself many times faster than along (n, 2)
        low = np.floor([x_px.min() - 2, y_px.min() - 2]).astype(int).clip(0, None)
        high = np.ceil([x_px.max() + 2, y_px.max() + 2]).astype(int).clip(None, self._image.shape[1::-1])
        if (high - low < 2).any():
            return np.zeros((*points.shape[:2], 3))
        part = self._image[low[1] : high[1], low[0] : high[0]].astype(np.float32)
        at = (px - low - 0.5).astype(np.float32).reshape(*points.shape[:2], 2)
        x, y = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
        return np.asarray(
            cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float64
        )


def _at_height(points_mm: Floats, height_mm: float) -> Floats:
    return np.column_stack([points_mm, np.full(len(points_mm), height_mm)])
