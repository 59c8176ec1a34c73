"""From a detected box to the four corners of the card, and from the corners to its face seen straight on.

A box is only roughly where the card is. The card's border is a straight strong edge on each of its sides;
each side is looked for along lines across it, and only where it is seen: what another card or a hand covers
does not vote, and a side without enough votes stays where the box has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

CARD_SIZE_MM = (63.0, 88.0)
"""Width and height of the cards prescribed for these games (poker size, rounded to the millimetre)."""
PHOTO_SLANTS_DEG = (0.0, -14.0, 14.0, -28.0, 28.0)
"""Slants tried where the camera is not known."""
_SAMPLES = 25
_ENDS = 0.14
"""Part of a side next to each corner that is not looked at: corners are round."""
_LEAST_SUPPORT = 0.4
"""Part of a side's samples that must see the edge."""
_REACH = (0.16, 0.07)
"""How far from the box a side may be, as a part of the short side: first pass, second pass."""


def refine(image: Array, quad_px: Array, slants_deg: Sequence[float] = (0.0,)) -> Array:
    """The corners (4, 2) float32 of the card whose box is ``quad_px`` (4, 2), in the same order.

    ``image``: (H, W, 3) uint8 BGR. Sides that cannot be seen stay as they are; so does the whole box where
    the edges found do not make a card. ``slants_deg``: by how much the box may be slanted to begin with; the
    beginning that leads to the clearest border is taken. An unknown camera needs some:
    a box has right angles and a card seen from the side has not; a card laid out with a camera needs none.
    """
    quad = np.asarray(quad_px, np.float64)
    clear = _local_contrast(image, quad)
    if clear is None:
        return quad.astype(np.float32)
    picture, origin, scale = clear
    best, best_clarity = quad, -1.0
    for slant_deg in slants_deg:
        begun = _slanted((quad - origin) * scale, slant_deg)
        moved = begun
        for reach in _REACH:
            moved = _one_pass(picture, moved, reach)
        if not _plausible(begun, moved):
            moved = begun
        clarity = _clarity(picture, moved) - 0.002 * abs(slant_deg)
        if clarity > best_clarity:
            best, best_clarity = moved / scale + origin, clarity
    return best.astype(np.float32)


def _slanted(quad: Array, slant_deg: float) -> Array:
    """A box whose short sides are turned by an angle, its long ones and its middle kept."""
    if slant_deg == 0:
        return quad
    sides = np.roll(quad, -1, axis=0) - quad
    first = float(np.linalg.norm(sides[0])) < float(np.linalg.norm(sides[1]))
    short, long_ = (sides[0], sides[1]) if first else (sides[1], sides[0])
    c, s = np.cos(np.deg2rad(slant_deg)), np.sin(np.deg2rad(slant_deg))
    short = np.array([c * short[0] - s * short[1], s * short[0] + c * short[1]])
    a, b = (short, long_) if first else (long_, short)
    return np.asarray(quad.mean(axis=0) + np.stack([-a - b, a - b, a + b, b - a]) / 2)


def _clarity(picture: Array, quad: Array) -> float:
    """How clear a border a quadrilateral has: 0..1, the mean over its sides' points."""
    t = np.linspace(_ENDS, 1 - _ENDS, _SAMPLES)[:, None]
    middle = quad.mean(axis=0)
    clear = []
    for i in range(4):
        along = quad[(i + 1) % 4] - quad[i]
        out = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-6)
        if out @ (middle - quad[i]) > 0:
            out = -out
        points = (quad[i] + t * along)[:, None] + np.array([-1.5, 1.5])[:, None] * out
        seen = _look_up(picture, points)
        clear.append(np.minimum(np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1), 60.0).mean() / 60.0)
    return float(np.mean(clear))


def _look_up(picture: Array, points: Array) -> Array:
    """Colours (n, m, 3) of a float picture at points (n, m, 2), between the pixels."""
    x, y = points[..., 0].astype(np.float32), points[..., 1].astype(np.float32)
    return np.asarray(cv2.remap(picture, x - 0.5, y - 0.5, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _local_contrast(image: Array, quad: Array) -> tuple[Array, Array, float] | None:
    """The part round a box as float32 (h, w, 3), where it begins, and its scale: cards of 240 px at most."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    margin = 0.25 * float((high - low).max()) + 4
    x0, y0 = (int(v) for v in np.maximum(low - margin, 0))
    x1, y1 = (int(v) for v in np.minimum(high + margin + 1, image.shape[1::-1]))
    if x1 - x0 < 8 or y1 - y0 < 8:
        return None
    part = image[y0:y1, x0:x1]
    longest = float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).max())
    scale = min(1.0, 240.0 / max(longest, 1.0))
    if scale < 1:
        part = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(part.astype(np.float32), (0, 0), 0.8)
    return np.asarray(smooth), np.array([x0, y0], np.float64), scale


def _one_pass(picture: Array, quad: Array, reach: float) -> Array:
    lines = []
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    reach_px = max(2.0, reach * float(sides.min()))
    middle = quad.mean(axis=0)
    for i in range(4):
        start, end = quad[i], quad[(i + 1) % 4]
        lines.append(_side(picture, start, end, middle, reach_px) or (start, end))
    return np.stack([_crossing(lines[i - 1], lines[i], quad[i]) for i in range(4)])


def _side(
    picture: Array, start: Array, end: Array, middle: Array, reach_px: float
) -> tuple[Array, Array] | None:
    """The two ends of the line that most of a side's samples see an edge on; None without enough of them."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 6:
        return None
    out = np.array([along[1], -along[0]]) / length
    if out @ (middle - start) > 0:
        out = -out
    t = np.linspace(_ENDS, 1 - _ENDS, _SAMPLES)
    half = int(np.ceil(reach_px))
    steps = np.arange(-half - 1, half + 2)
    points = start + t[:, None, None] * along + steps[None, :, None] * out
    seen = _look_up(picture, points)
    x, y = points[..., 0], points[..., 1]
    inside = (x > 0) & (y > 0) & (x < picture.shape[1]) & (y < picture.shape[0])
    slope = (seen[:, 2:] - seen[:, :-2]) * inside[:, 1:-1, None]
    strong = np.linalg.norm(slope, axis=2)
    level = max(12.0, float(np.percentile(strong.max(axis=1), 60)))
    clipped = np.minimum(strong, level) / level
    offsets = np.arange(-half, half + 1)
    first, last = np.meshgrid(offsets, offsets, indexing="ij")
    # A line is its offsets at the side's two ends; every pair of offsets is tried.
    place = first[..., None] * (1 - t) + last[..., None] * t + half
    cell = np.clip(np.round(place).astype(int), 0, 2 * half)
    hit = clipped[np.arange(_SAMPLES), cell]
    turned = np.abs(first - last) / max(length, 1.0)
    away = (np.abs(first) + np.abs(last)) / (2 * half + 1)
    score = hit.mean(axis=-1) - 0.12 * away - 0.5 * turned
    best = np.unravel_index(int(score.argmax()), score.shape)
    votes = hit[best]
    if float((votes > 0.5).mean()) < _LEAST_SUPPORT:
        return None
    return _polish(clipped, votes > 0.5, cell[best], t, start, along, out, half)


def _polish(
    clipped: Array, voters: Array, cell: Array, t: Array, start: Array, along: Array, out: Array, half: int
) -> tuple[Array, Array]:
    """A straight line through the edge's place, to a part of a pixel, of the samples that voted."""
    window = np.clip(cell[:, None] + np.arange(-1, 2), 0, 2 * half)
    weight = clipped[np.arange(len(t))[:, None], window] ** 2
    place = (weight * window).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-6) - half
    slope, base = np.polyfit(t[voters], place[voters], 1) if voters.sum() > 2 else (0.0, float(place.mean()))
    return start + base * out, start + along + (base + slope) * out


def _crossing(one: tuple[Array, Array], other: tuple[Array, Array], otherwise: Array) -> Array:
    """Where two lines, each through two points (2,), cross; ``otherwise`` where they run side by side."""
    a, b = one[1] - one[0], other[1] - other[0]
    area = a[0] * b[1] - a[1] * b[0]
    if abs(area) < 1e-6 * float(np.linalg.norm(a) * np.linalg.norm(b)) + 1e-12:
        return otherwise
    gap = other[0] - one[0]
    return np.asarray(one[0] + a * (gap[0] * b[1] - gap[1] * b[0]) / area)


def _plausible(before: Array, after: Array) -> bool:
    """Whether refined corners still make a card like the box: convex, as large, no corner far off."""
    if not np.isfinite(after).all() or not cv2.isContourConvex(after.astype(np.float32)):
        return False
    ratio = cv2.contourArea(after.astype(np.float32)) / max(cv2.contourArea(before.astype(np.float32)), 1e-6)
    short = float(np.linalg.norm(before - np.roll(before, 1, axis=0), axis=1).min())
    far = float(np.linalg.norm(after - before, axis=1).max())
    return 0.65 < ratio < 1.5 and far < 0.5 * short


def rectify(image: Array, quad_px: Array, size: tuple[int, int]) -> Array:
    """The quadrilateral (4, 2) of a picture (H, W, 3) seen straight on: (height, width, 3) uint8.

    ``size`` is (width, height); the quadrilateral's first corner comes to the top left, and so on clockwise.
    What lies outside the picture is black.
    """
    width, height = size
    quad = np.asarray(quad_px, np.float32)
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    shrink = min((sides[0] + sides[2]) / (2 * width), (sides[1] + sides[3]) / (2 * height))
    # A reduction by more than two needs the pixels between: draw larger, then average.
    times = int(np.clip(shrink, 1, 4))
    target = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * (width * times, height * times)
    move = cv2.getPerspectiveTransform(quad - 0.5, target.astype(np.float32) - 0.5)
    face = cv2.warpPerspective(image, move, (width * times, height * times), flags=cv2.INTER_LINEAR)
    return np.asarray(face if times == 1 else cv2.resize(face, size, interpolation=cv2.INTER_AREA))


@dataclass(frozen=True, slots=True)
class CardOnFelt:
    """Where a card lies: millimetres in the layout frame, and its exact corners in the picture.

    ``rot_deg``: clockwise on the drawing from "top to the dealer", 0 up to 180 as both ends of a card look
    alike. ``quad_px`` (4, 2) float32: corners clockwise from the left one of the top edge. ``residual_mm``:
    how far the detected corners lay from the card's, root of the mean square.
    """

    x_mm: float
    y_mm: float
    rot_deg: float
    quad_px: Array
    residual_mm: float


def fit_card(
    camera: Camera, quad_px: Array, card_size_mm: tuple[float, float] = CARD_SIZE_MM, height_mm: float = 0.3
) -> CardOnFelt | None:
    """The card of exact size on the felt that fits detected corners (4, 2) best; None where they see no felt.

    ``height_mm``: its upper side's height over the felt.
    """
    felt = camera.felt_point(np.asarray(quad_px, np.float64), height_mm)
    if not np.isfinite(felt).all():
        return None
    width, height = card_size_mm
    shape = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    centre = felt.mean(axis=0)
    best: tuple[float, float, Array] | None = None
    for shift in range(4):
        # The felt's axes run clockwise as the picture's do, so corners correspond by turning the list only.
        corners = np.roll(felt, -shift, axis=0) - centre
        cosine = float((shape * corners).sum())
        sine = float((shape[:, 0] * corners[:, 1] - shape[:, 1] * corners[:, 0]).sum())
        angle = float(np.arctan2(sine, cosine))
        c, s = np.cos(angle), np.sin(angle)
        placed = shape @ np.array([[c, s], [-s, c]])
        residual = float(np.sqrt(((placed - corners) ** 2).sum(axis=1).mean()))
        if best is None or residual < best[0] - 1e-9:
            best = (residual, angle, placed)
    assert best is not None
    residual, angle, placed = best
    degrees = float(np.degrees(angle)) % 360
    if degrees >= 180:
        degrees, placed = degrees - 180, np.roll(placed, 2, axis=0)
    points = np.column_stack([placed + centre, np.full(4, height_mm)])
    quad = camera.project(points).astype(np.float32)
    return CardOnFelt(float(centre[0]), float(centre[1]), degrees, quad, residual)
