"""How a camera's picture changed because the camera was turned, zoomed or pushed a little.

A camera that turns or zooms about its own centre maps view directions by a homography, whatever is in the
picture; one that is also pushed does so for the felt. So a nudge is a homography of view directions, and the
lens keeps its place in the picture.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats

_GRID_PX = 24
_SPREADS = np.array([0.06, 0.06, 0.006, 0.006, 0.15, 0.15, 0.05, 0.05])
"""What nudges are like beforehand: size, turn, stretch, shear, shift (2), tilt (2), in units of the focal
length. Only what the lines say nothing of is held by it."""


def _eye() -> Floats:
    return np.eye(3)


@dataclass(frozen=True, slots=True, eq=False)
class Nudge:
    """``matrix`` (3, 3): view directions as calibrated to view directions now."""

    matrix: Floats = field(default_factory=_eye)

    def rays(self, rays: Floats) -> Floats:
        """(n, 2) view directions as calibrated, to now."""
        mapped = np.concatenate([rays, np.ones((len(rays), 1))], axis=1) @ self.matrix.T
        return np.asarray(mapped[:, :2] / np.where(mapped[:, 2:] > 1e-6, mapped[:, 2:], np.nan))

    def px(self, camera: Camera, px: Floats) -> Floats:
        """(n, 2) pixels of the picture as calibrated, to those of the picture now."""
        return camera.shown(self.rays(camera.rays(px)))

    def then(self, matrix: Floats) -> Nudge:
        """This nudge and another one after it."""
        found = matrix @ self.matrix
        return Nudge(np.asarray(found / found[2, 2]))

    def far_px(self, camera: Camera, px: Floats, other: Nudge | None = None) -> float:
        """The largest distance (pixels) that it moves points (n, 2) of the picture as calibrated, against
        ``other``."""
        before = px if other is None else other.px(camera, px)
        off = np.hypot(*(self.px(camera, px) - before).T)
        return float(np.nanmax(off)) if np.isfinite(off).any() else math.inf

    def turn_and_zoom(self, camera: Camera, at_px: Floats) -> tuple[float, float]:
        """Degrees clockwise and factor of size in the picture about a point (2,)."""
        step = 0.01 * camera.width_px
        ends = at_px + step * np.array([[-1, 0], [1, 0], [0, -1], [0, 1]])
        now = self.px(camera, ends)
        slope = np.stack([now[1] - now[0], now[3] - now[2]], axis=1) / (2 * step)
        turn = math.degrees(math.atan2(slope[1, 0] - slope[0, 1], slope[0, 0] + slope[1, 1]))
        return turn, math.sqrt(max(1e-9, float(np.linalg.det(slope))))

    def maps(self, camera: Camera) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """Maps for ``cv2.remap`` that make of the picture now the one as calibrated."""
        width, height = camera.width_px, camera.height_px
        columns, rows = width // _GRID_PX + 2, height // _GRID_PX + 2
        x, y = np.meshgrid(np.arange(columns) * float(_GRID_PX), np.arange(rows) * float(_GRID_PX))
        px = self.px(camera, np.stack([x.ravel(), y.ravel()], axis=1) + 0.5) - 0.5
        coarse = np.nan_to_num(px, nan=-100.0).reshape(rows, columns, 2).astype(np.float32)
        # Between the grid's points: linear, by a remap of the grid itself.
        fx, fy = np.meshgrid(
            np.arange(width, dtype=np.float32) / _GRID_PX, np.arange(height, dtype=np.float32) / _GRID_PX
        )
        fine = cv2.remap(coarse, fx, fy, cv2.INTER_LINEAR)
        first, second = cv2.convertMaps(fine[..., 0], fine[..., 1], cv2.CV_16SC2)
        return np.asarray(first, np.int16), np.asarray(second, np.uint16)


def slopes(camera: Camera, nudge: Nudge, px: Floats) -> Floats:
    """(n, 2, 8): how the pixels of a nudged picture change with a little further nudge's eight numbers."""
    rays = nudge.rays(camera.rays(px))
    u, v = rays.T
    zero, one = np.zeros_like(u), np.ones_like(u)
    du = np.stack([u, -v, u, v, one, zero, -u * u, -u * v], axis=1)
    dv = np.stack([v, u, -v, u, zero, one, -u * v, -v * v], axis=1)
    step = 1e-4
    right, below = np.array([step, 0.0]), np.array([0.0, step])
    across = camera.shown(rays + right) - camera.shown(rays - right)
    down = camera.shown(rays + below) - camera.shown(rays - below)
    lens = np.stack([across, down], axis=2) / (2 * step)
    return np.asarray(np.einsum("nij,njk->nik", lens, np.stack([du, dv], axis=1)))


def further(numbers: Floats) -> Floats:
    """(3, 3): the little nudge of eight numbers: size, turn, stretch, shear, shift (2), tilt (2)."""
    size, turn, stretch, shear, right, down, tilt_x, tilt_y = numbers
    return np.array(
        [
            [1 + size + stretch, -turn + shear, right],
            [turn + shear, 1 + size - stretch, down],
            [tilt_x, tilt_y, 1.0],
        ]
    )


def solve(slopes_px: Floats, off_px: Floats, weight: Floats, so_far: Floats, noise_px: float) -> Floats:
    """(8,): the numbers that explain displacements ``off_px`` (n,), each across its line, whose change with
    them is ``slopes_px`` (n, 8). ``so_far`` (8,): what was found before; the sum of both is held to what
    nudges are like."""
    scaled = slopes_px * (weight / noise_px**2)[:, None]
    prior = 1 / _SPREADS**2
    information = scaled.T @ slopes_px + np.diag(prior)
    return np.asarray(np.linalg.solve(information, scaled.T @ off_px - prior * so_far))


def open_px(slopes_px: Floats, weight: Floats, noise_px: float, at: Floats) -> float:
    """How far off a nudge found so may be at the worst of some places whose slopes are ``at`` (m, 2, 8)."""
    information = (slopes_px * (weight / noise_px**2)[:, None]).T @ slopes_px + np.diag(1 / _SPREADS**2)
    spread = np.einsum("mij,jk,mik->m", at, np.linalg.inv(information), at)
    return float(np.sqrt(np.nanmax(spread))) if len(spread) else math.inf


def from_matches(before_rays: Floats, now_rays: Floats, within: float) -> Nudge | None:
    """The nudge on which most of matched view directions (n, 2) agree, to ``within``; None if few do."""
    if len(before_rays) < 12:
        return None
    found, inliers = cv2.findHomography(
        before_rays.astype(np.float32), now_rays.astype(np.float32), cv2.RANSAC, within, maxIters=2000
    )
    if found is None or inliers is None or int(inliers.sum()) < 12 or abs(found[2, 2]) < 1e-6:
        return None
    return Nudge(np.asarray(found / found[2, 2], np.float64))
