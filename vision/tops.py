"""How high a stack is, from several cameras: its top is where all see edges at one place and height.

From one camera a top that lies higher looks the same as one that lies farther away. Two cameras that look
from different sides agree on one place and height only. Each camera says, for every height that some number
of chips has and for places close to the foot, how much of the top's outline would lie on edges of its picture
(:class:`Tops`); the places are those of one grid on the felt, so that what cameras say can be added.
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
from vision.patch import Patch
from vision.rims import RING, crossed, margins

GRID_MM = 0.5
HIGHEST = 20
"""Heights of 1 to so many chips are tried."""
_REACH = 6
"""Places are tried so many steps of the grid each way from the foot."""
_FACING = -0.2
"""The part of the top's outline that is looked at: cosine of the angle from the camera."""
_FAINT = 10.0
_ALIKE = 4
"""Tops of so many heights seem equally large."""
_TRUST = 11.0
"""How much likelier a top is whose whole outline lies on edges than one without any, natural logarithm, for
each camera. Set, like the next, on pairs of synthetic pictures (docs/several-cameras.md)."""
_ASKEW_MM = 0.8
"""Usual distance, each way, of a top's middle from the base's: chips do not lie exactly on one another."""


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
    side = 2 * _REACH + 1
    radius_mm, levels = diameter_mm / 2, [n * chip_mm for n in range(1, HIGHEST + 1)]
    reach_mm = np.full(2, (_REACH + 1) * GRID_MM * math.sqrt(2))
    patch = Patch.about(camera, at_mm, *margins(camera, at_mm, reach_mm, 1.35 * radius_mm, levels))
    if patch is None:
        return Tops(first, np.zeros((HIGHEST, side, side), np.float32))
    layers = patch.sample(patch.cut(image))
    reach = math.ceil(float(reach_mm[0]) / patch.step_mm)
    low, wide = patch.row - reach, patch.column - reach
    steps = np.arange(side)
    x, y = np.meshgrid((first[0] + steps) * GRID_MM, (first[1] + steps) * GRID_MM, indexing="ij")
    off = (np.stack([x, y], axis=-1) - patch.about_mm) / patch.step_mm
    columns = off @ patch.across + patch.column - wide
    seen: list[tuple[NDArray[np.float32], Floats]] = []
    for alike in (levels[k : k + _ALIKE] for k in range(0, HIGHEST, _ALIKE)):
        lifts = [patch.lift(level) for level in alike]
        under = math.floor(lifts[0])
        window = low + under, patch.row + reach + math.ceil(lifts[-1]) + 1, wide, patch.column + reach + 1
        scale = patch.scale(float(np.mean(alike)))
        edges = crossed(patch, layers, radius_mm * scale, RING[:, 0] > _FACING, window)
        rows = np.concatenate([off @ patch.away + patch.row - low + lift - under for lift in lifts])
        seen.append((edges, rows))
    edge = max(_FAINT, float(np.percentile(np.concatenate([edges.ravel() for edges, _ in seen]), 85)))
    fits = np.concatenate(
        [
            cv2.remap(
                np.minimum(edges / edge, 1).mean(axis=0),
                np.tile(columns, (len(rows) // side, 1)).astype(np.float32),
                rows.astype(np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for edges, rows in seen
        ]
    )
    return Tops(first, fits.reshape(HIGHEST, side, side).astype(np.float32))


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
