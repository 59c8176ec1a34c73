"""A felt's drawing as a camera shows it printed: lines on cloth, with noise, and if asked arms over it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.layout import Layout

_ZOOM, _SHIFT = 16.0, 4


def drawn_felt(
    camera: Camera,
    layout: Layout,
    seed: int = 0,
    *,
    stroke_mm: float = 3.5,
    arms: int = 0,
    noise: float = 2.5,
) -> NDArray[np.uint8]:
    """(H, W, 3) BGR."""
    rng = np.random.default_rng(seed)
    height, width = camera.height_px, camera.width_px
    picture = np.full((height, width, 3), (34, 30, 38), np.uint8)
    _fill(picture, camera, np.asarray(layout.felt.exterior.segmentize(15).coords), (60, 92, 30))
    for zone in layout.zones:
        ring = camera.project(np.asarray(zone.polygon.exterior.segmentize(10).coords))
        scale = float(camera.px_per_mm(np.array([zone.centre_mm]))[0])
        wide = max(1, round(stroke_mm * scale))
        cv2.polylines(picture, [_fixed(ring)], True, (205, 222, 228), wide, cv2.LINE_AA, _SHIFT)
    for _ in range(arms):
        start = np.array([rng.uniform(0, width), height + 40.0])
        end = start + np.array([rng.uniform(-200, 200), -rng.uniform(0.4, 0.95) * height])
        colour = tuple(int(value) for value in rng.integers(30, 230, 3))
        cv2.line(picture, tuple(start.astype(int)), tuple(end.astype(int)), colour, width // 9, cv2.LINE_AA)
    noisy = picture.astype(np.float32) + rng.normal(0, noise, picture.shape).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(noisy, (0, 0), 0.6).clip(16, 240), np.uint8)


def _fill(
    picture: NDArray[np.uint8], camera: Camera, mm: NDArray[np.float64], colour: tuple[int, ...]
) -> None:
    px = camera.project(mm)
    cv2.fillPoly(picture, [_fixed(px[np.isfinite(px).all(axis=1)])], colour, cv2.LINE_AA, _SHIFT)


def _fixed(px: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round((px - 0.5) * _ZOOM), np.int32)
