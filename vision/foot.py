"""Where the base of a stack stands, to a part of a pixel: its outline fitted to the edges in the picture.

The chip reader's network puts a foot to about a pixel, and knows roughly how sure it is. Here the places that
this leaves open are tried one by one: at the right one the near half of the base's circle lies on an edge of
the picture, and so does the far half of the top's, some chips' thicknesses higher. What is likely after that,
and how far apart it lies, is the foot and its error; a stack whose edges cannot be told from the felt keeps
those that it had.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats
from vision.chip_geometry import Image

FOOT_AWAY, FOOT_ACROSS = 1.2, 0.7
"""Usual error of the reader's feet, away from the camera and across, by what the reader says it is: measured
by ``tests/bench/feet.py``."""
_POINTS = 48
_STEP_PX = 0.7
"""Colours are compared so far outside and inside an outline."""
_NEAR, _FAR = 0.2, -0.2
"""The halves of the base's and the top's outline that are looked at: cosines of the angle from the camera."""
_TOP_SHARE = 0.6
"""What the top's outline counts beside the base's: chips of a stack do not lie exactly on one another."""
_TRUST = 12.0
"""How much likelier a place is whose whole outline lies on edges than one without any, natural logarithm.
Set, like the two below, so that feet lie within their errors as often as they should (docs/decisions.md)."""
_OTHERS, _MOVED = 0.1, 0.3
"""Edges may be another thing's: so much of the variance before, and of the square of the way that the foot
was moved, stays in the error."""
_WITHIN, _FINEST_MM, _PARTS = 2.8, 0.45, 4.5
"""Places are tried within so many usual errors, no finer than this, so many to a usual error."""
_FAINT = 10.0
"""A difference in colour that is no edge, levels."""
_ELSEWHERE_MM = 3.0
"""A picture whose foot lies so far from most others' has seen something else."""
_MOST_CHIPS = 12
"""So many heights are tried where the count is not known."""

_ANGLES = np.arange(_POINTS) * (2 * np.pi / _POINTS)
_RING = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """The middle of a stack's base on the felt, and the covariance (2, 2) of that in this picture, mm²."""

    at_mm: tuple[float, float]
    error: Floats


def reader_error(camera: Camera, at_mm: tuple[float, float], spread_mm: float) -> Floats:
    """(2, 2): covariance of a foot as the reader's network gives it, with the spread that it says; longer
    away from the camera than across."""
    away, across = directions(camera, at_mm)
    return np.asarray(
        (FOOT_AWAY * spread_mm) ** 2 * np.outer(away, away)
        + (FOOT_ACROSS * spread_mm) ** 2 * np.outer(across, across)
    )


def find_foot(
    image: Image,
    camera: Camera,
    at_mm: tuple[float, float],
    error: Floats,
    diameter_mm: float,
    heights_mm: Sequence[float],
) -> Foot:
    """The foot of a stack that stands about ``at_mm``, to within ``error`` (2, 2), mm².

    ``image``: uint8 (H, W, 3) BGR, the camera's picture; ``heights_mm``: how high the stack may be.
    """
    away, across = directions(camera, at_mm)
    far_mm, wide_mm = (math.sqrt(max(1e-6, float(way @ error @ way))) for way in (away, across))
    u, v = (grid.ravel() for grid in np.meshgrid(_axis(far_mm), _axis(wide_mm), indexing="ij"))
    places = np.asarray(at_mm) + u[:, None] * away + v[:, None] * across
    rim = Rim(image, camera, np.asarray(at_mm, np.float64), diameter_mm / 2)
    facing = rim.facing(away)
    base = rim.edges(places, 0.0, facing < _NEAR)
    edge = max(_FAINT, float(np.percentile(base, 85)))
    top = np.max(
        [np.minimum(rim.edges(places, h, facing > _FAR) / edge, 1).mean(axis=1) for h in heights_mm],
        axis=0,
    )
    fits = np.minimum(base / edge, 1).mean(axis=1) + _TOP_SHARE * top
    log = _TRUST * fits - 0.5 * ((u / far_mm) ** 2 + (v / wide_mm) ** 2)
    p = np.exp(log - log.max())
    p /= p.sum()
    at = p @ places
    apart = places - at
    moved = at - np.asarray(at_mm)
    left = (p[:, None] * apart).T @ apart + _OTHERS * error + _MOVED * np.outer(moved, moved)
    return Foot((float(at[0]), float(at[1])), np.asarray(left))


def together(feet: Sequence[Foot]) -> Foot:
    """One foot from several pictures of one camera: the surer ones weigh more, and those that lie elsewhere
    than most count for nothing.

    Pictures of a stack that stands still share what puts a foot wrong (its colours, what is printed beside
    it, the light): of 1.26 mm² variance, 0.01 mm² differed between pictures with noise of their own. So the
    error does not become less by looking again; where they disagree, it is more.
    """
    places = np.array([foot.at_mm for foot in feet])
    middle = np.median(places, axis=0)
    off = np.hypot(*(places - middle).T)
    kept = off <= max(_ELSEWHERE_MM, float(np.median(off)))
    errors = np.array([foot.error for foot, keep in zip(feet, kept, strict=True) if keep])
    weights = 1 / np.maximum(1e-6, np.trace(errors, axis1=1, axis2=2))
    weights /= weights.sum()
    at = weights @ places[kept]
    apart = places[kept] - at
    error = np.tensordot(weights, errors, axes=1) + (weights[:, None] * apart).T @ apart
    return Foot((float(at[0]), float(at[1])), np.asarray(error, np.float64))


def heights(counts: Floats | None, chip_mm: float) -> list[float]:
    """How high a stack may be, mm, by the log probabilities of its counts (n,); None: they are not known."""
    if counts is None:
        return [n * chip_mm for n in range(1, _MOST_CHIPS + 1)]
    likely = [int(n) for n in np.flatnonzero(counts > counts.max() - 4.0) if n > 0]
    return [n * chip_mm for n in (likely or range(1, _MOST_CHIPS + 1))]


def _axis(usual_mm: float) -> Floats:
    step = max(_FINEST_MM, usual_mm / _PARTS)
    steps = math.ceil(_WITHIN * usual_mm / step)
    return np.asarray(np.arange(-steps, steps + 1) * step, np.float64)


def directions(camera: Camera, at_mm: tuple[float, float]) -> tuple[Floats, Floats]:
    """Unit vectors on the felt: away from the camera, and across."""
    away = np.asarray(at_mm) - camera.centre_mm[:2]
    away = away / max(1e-9, float(np.hypot(*away)))
    return away, np.array([-away[1], away[0]])


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
