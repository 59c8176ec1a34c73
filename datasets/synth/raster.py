"""Drawing primitives on NumPy pictures: text in system fonts, polygons with sub-pixel corners, noise."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

Colour = tuple[int, int, int]
"""Blue, green, red, 0..255."""

_SHIFT = 4
_FONT_FOLDERS = (
    "/usr/share/fonts/truetype",
    "/usr/share/fonts/opentype",
    "/Library/Fonts",
    "C:/Windows/Fonts",
)
_FONT_KINDS = (
    "Serif",
    "Sans",
    "Roman",
    "Bookman",
    "Gothic",
    "C059",
    "P052",
    "Z003",
    "Arial",
    "Times",
    "Georgia",
)


@lru_cache(maxsize=1)
def font_names() -> tuple[str, ...]:
    """Fonts for ``draw_text``: OpenCV's own ``sans`` and ``italic``, then the machine's by path."""
    found = [
        str(path)
        for folder in _FONT_FOLDERS
        for suffix in ("*.ttf", "*.otf")
        for path in sorted(Path(folder).rglob(suffix))
        if any(kind in path.stem for kind in _FONT_KINDS) and "Math" not in path.stem
    ]
    return ("sans", "italic", *found)


@lru_cache(maxsize=64)
def _font(name: str) -> cv2.FontFace:
    return cv2.FontFace(name)


def text_mask(text: str, font: str, height_px: float, weight: int = 400) -> Array:
    """Coverage of a line of text, uint8 (h, w), cut close to its ink; ``height_px`` is the font size."""
    size = max(4, round(height_px))
    canvas = np.zeros((size * 2, round(size * (len(text) + 2) * 1.1), 3), np.uint8)
    cv2.putText(canvas, text, (size // 2, round(size * 1.4)), (255, 255, 255), _font(font), size, weight)
    mask = canvas[:, :, 0]
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    if not len(rows):
        return np.zeros((1, 1), np.uint8)
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def draw_text(
    image: Array,
    text: str,
    centre_px: tuple[float, float],
    height_px: float,
    colour: Colour,
    font: str = "sans",
    rot_deg: float = 0.0,
    weight: int = 400,
    fit_px: float | None = None,
) -> None:
    """Draw text centred on a point, turned clockwise; ``fit_px`` squeezes it to that width at most."""
    mask = text_mask(text, font, height_px * 2, weight)
    h, w = mask.shape
    scale = 0.5 if fit_px is None else min(0.5, fit_px / w)
    angle = np.deg2rad(rot_deg)
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    move = np.array(
        [
            [c, -s, centre_px[0] - c * w / 2 + s * h / 2],
            [s, c, centre_px[1] - s * w / 2 - c * h / 2],
        ]
    )
    corners = (move @ np.array([[0, w, w, 0], [0, 0, h, h], [1, 1, 1, 1]])).T
    box = clip_box(corners, image.shape, 2)
    if box is None:
        return
    x0, y0, x1, y1 = box
    move[:, 2] -= (x0, y0)
    alpha = cv2.warpAffine(mask, move, (x1 - x0, y1 - y0), flags=cv2.INTER_AREA)
    blend(image[y0:y1, x0:x1], colour, alpha)


def clip_box(points: Array, shape: tuple[int, ...], margin: int = 1) -> tuple[int, int, int, int] | None:
    """The whole-pixel box (x0, y0, x1, y1) round points (n, 2), inside a picture; None when outside of it."""
    low, high = points.min(axis=0), points.max(axis=0)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        return None
    x0, y0 = max(0, int(np.floor(low[0])) - margin), max(0, int(np.floor(low[1])) - margin)
    x1, y1 = min(shape[1], int(np.ceil(high[0])) + margin), min(shape[0], int(np.ceil(high[1])) + margin)
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def blend(image: Array, colour: Colour | Array, alpha: Array) -> None:
    """Lay a colour, or a picture of the same size, over ``image`` in place; ``alpha`` is uint8 (h, w)."""
    cover = alpha.astype(np.float32)[:, :, None] * (1 / 255)
    over = np.asarray(colour, np.float32)
    base = image[:, :, :3].astype(np.float32)
    base += (over - base) * cover
    image[:, :, :3] = np.clip(base + 0.5, 0, 255).astype(np.uint8)


def fill_convex(image: Array, points: Array, value: int | tuple[int, ...], smooth: bool = False) -> None:
    """Fill a convex polygon (n, 2); corners in pixels with the centre of pixel 0 at 0.5."""
    fixed = np.round((np.clip(points, -30000, 30000) - 0.5) * (1 << _SHIFT)).astype(np.int32)
    colour = (value,) if isinstance(value, int) else value
    cv2.fillConvexPoly(image, fixed, colour, cv2.LINE_AA if smooth else cv2.LINE_8, _SHIFT)


def stroke(image: Array, points: Array, value: Colour, width_px: float, closed: bool = True) -> None:
    """Draw a polyline (n, 2) with the given width."""
    fixed = np.round((points - 0.5) * (1 << _SHIFT)).astype(np.int32)
    cv2.polylines(image, [fixed], closed, value, max(1, round(width_px)), cv2.LINE_AA, _SHIFT)


def ellipse_points(centre: tuple[float, float], rx: float, ry: float, count: int = 48) -> Array:
    """Points of an axis-aligned ellipse, (count, 2) float64."""
    angle = np.arange(count) * (2 * np.pi / count)
    return np.stack([centre[0] + rx * np.cos(angle), centre[1] + ry * np.sin(angle)], axis=1)


def smooth_noise(rng: np.random.Generator, height: int, width: int, cell_px: float) -> Array:
    """Value noise float32 (height, width), about -1..1, with features about ``cell_px`` wide."""
    rows, columns = max(2, round(height / cell_px) + 2), max(2, round(width / cell_px) + 2)
    coarse = rng.standard_normal((rows, columns)).astype(np.float32) * 0.5
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC))


def gauss(shape: tuple[int, ...], sigma: float, dtype: type[np.generic] = np.float32) -> Array:
    """Normal noise of a shape (h, w) or (h, w, channels), from OpenCV's own seeded generator (fast)."""
    channels = shape[2] if len(shape) == 3 else 1
    noise: Array = np.empty(shape, dtype)
    cv2.randn(noise, np.zeros(channels), np.full(channels, sigma))
    return noise


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """Blue, green, red from hue (0..1, wraps), saturation and value (0..1)."""
    pixel = np.array(
        [[[hue % 1.0 * 360, min(1.0, max(0.0, saturation)), min(1.0, max(0.0, value))]]], np.float32
    )
    blue, green, red = cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] * 255
    return round(float(blue)), round(float(green)), round(float(red))
