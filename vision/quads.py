"""From a detected box to the four corners of the card, and from the corners to its face seen straight on.

A box is only roughly where the card is. The card's border is a straight strong edge on each of its sides;
each side is looked for along lines across it, and only where it is seen: what another card or a hand covers
does not vote, and a side without enough votes stays where the box has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

CARD_SIZE_MM = (63.0, 88.0)
"""Width and height of the cards prescribed for these games (poker size, rounded to the millimetre)."""
PHOTO_SLANTS_DEG = (0.0, -14.0, 14.0, -28.0, 28.0)
"""Slants tried where the camera is not known."""
_SAMPLES = 25
_ENDS = 0.14
"""Part of a side next to each corner that is not looked at: corners are round."""
_T = np.linspace(_ENDS, 1 - _ENDS, _SAMPLES)
"""Where along a side the samples are."""
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
    begun = np.stack([_slanted((quad - origin) * scale, slant_deg) for slant_deg in slants_deg])
    moved = _to_edges([picture] * len(begun), begun)
    best = 0
    if len(begun) > 1:
        tilted = 0.002 * np.abs(slants_deg)
        best = int(np.argmax([_clarity(picture, each) for each in moved] - tilted))
    return np.asarray(moved[best] / scale + origin, np.float32)


def refine_all(image: Array, quads_px: Array) -> Array:
    """The corners (n, 4, 2) float32 of several cards of one picture, as :func:`refine` finds those of one."""
    quads = np.array(quads_px, np.float64)
    clear = [(row, each) for row, quad in enumerate(quads) if (each := _local_contrast(image, quad))]
    if clear:
        rows, parts = [row for row, _ in clear], [part for _, part in clear]
        origin = np.stack([part[1] for part in parts])[:, None]
        scale = np.array([part[2] for part in parts])[:, None, None]
        moved = _to_edges([part[0] for part in parts], (quads[rows] - origin) * scale)
        quads[rows] = moved / scale + origin
    return quads.astype(np.float32)


def _to_edges(pictures: Sequence[Array], begun: Array) -> Array:
    """Quadrilaterals (n, 4, 2), each in its own picture, with their sides on the edges near them."""
    moved = begun
    for reach in _REACH:
        shortest = _lengths(moved).min(axis=1)
        halves = np.ceil(np.maximum(2.0, reach * shortest)).astype(int)
        passed = np.empty_like(moved)
        for half in np.unique(halves):
            rows = np.flatnonzero(halves == half)
            passed[rows] = _one_pass([pictures[int(row)] for row in rows], moved[rows], int(half))
        moved = passed
    sound = np.array([_plausible(before, after) for before, after in zip(begun, moved, strict=True)])
    return np.where(sound[:, None, None], moved, begun)


def _lengths(quads: Array) -> Array:
    """(n, 4): lengths of the sides of quadrilaterals (n, 4, 2)."""
    along = np.roll(quads, -1, axis=1) - quads
    return np.asarray(np.hypot(along[..., 0], along[..., 1]))


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
    middle = quad.mean(axis=0)
    clear = []
    for i in range(4):
        along = quad[(i + 1) % 4] - quad[i]
        out = np.array([along[1], -along[0]]) / max(float(np.linalg.norm(along)), 1e-6)
        if out @ (middle - quad[i]) > 0:
            out = -out
        points = (quad[i] + _T[:, None] * along)[:, None] + np.array([-1.5, 1.5])[:, None] * out
        seen = _look_up(picture, points[..., 0], points[..., 1])
        clear.append(np.minimum(np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1), 60.0).mean() / 60.0)
    return float(np.mean(clear))


def _look_up(picture: Array, x: Array, y: Array) -> Array:
    """Colours (n, m, 3) of a float picture at points, each coordinate (n, m), between the pixels."""
    x, y = x.astype(np.float32) - 0.5, y.astype(np.float32) - 0.5
    return np.asarray(cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


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


def _one_pass(pictures: Sequence[Array], quads: Array, half: int) -> Array:
    """Quadrilaterals (n, 4, 2), each in its own picture, with each side where most of its samples see an edge
    up to ``half`` pixels off; where too few do, it stays."""
    along, lengths = np.roll(quads, -1, axis=1) - quads, _lengths(quads)[..., None]
    out = np.stack([along[..., 1], -along[..., 0]], axis=-1) / np.maximum(lengths, 1e-6)
    inward = (out * (quads.mean(axis=1, keepdims=True) - quads)).sum(axis=-1, keepdims=True) > 0
    out = np.where(inward, -out, out)
    steps = np.arange(-half - 1, half + 2)
    # each coordinate by itself: arrays whose last axis is short take many times as long
    x, y = (
        (quads[..., k, None] + _T * along[..., k, None])[..., None] + steps * out[..., k, None, None]
        for k in (0, 1)
    )
    clipped = _edges(pictures, x, y)
    tried = _Tried.within(half)
    # One row for each side of each quadrilateral from here on.
    rows = clipped.reshape(-1, _SAMPLES * (2 * half + 1))
    hit = np.ascontiguousarray(rows.T).take(tried.cells, axis=0).sum(axis=0).T
    sides, long = np.arange(len(rows)), lengths.reshape(-1, 1)
    best = (hit / _SAMPLES - tried.away - 0.5 * tried.turned / np.maximum(long, 1.0)).argmax(axis=1)
    voters = rows[sides[:, None], tried.cells.T[best]] > 0.5
    seen = (voters.mean(axis=1) >= _LEAST_SUPPORT) & (long[:, 0] >= 6)
    ends = _polish(clipped.reshape(len(rows), _SAMPLES, -1), voters, tried.places[best], half)
    first, last = np.where(seen, ends, 0.0).reshape(2, *quads.shape[:2], 1)
    start = quads + first * out
    return _crossings(start, along + (last - first) * out, quads)


def _edges(pictures: Sequence[Array], x: Array, y: Array) -> Array:
    """(n, 4, samples, steps - 2): how strong an edge is along lines across sides, 0 to 1, 1 being what the
    clearest of a side have, at points of each picture, each coordinate (n, 4, samples, steps)."""
    strong = np.empty((*x.shape[:-1], x.shape[-1] - 2), np.float32)
    for number, picture in enumerate(pictures):
        height, width = picture.shape[:2]
        flat = x[number].reshape(-1, x.shape[-1]), y[number].reshape(-1, x.shape[-1])
        seen = _look_up(picture, *flat)
        slope = seen[:, 2:] - seen[:, :-2]
        slope *= slope
        across, down = (each[:, 1:-1] for each in flat)
        inside = (across > 0) & (across < width) & (down > 0) & (down < height)
        found = np.sqrt(slope[..., 0] + slope[..., 1] + slope[..., 2]) * inside
        strong[number] = found.reshape(strong.shape[1:])
    level = np.maximum(12.0, np.percentile(strong.max(axis=-1), 60, axis=-1))
    level = level.astype(np.float32)[..., None, None]
    return np.asarray(np.minimum(strong, level) / level)


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """The lines that are tried across a side, each its offsets at the side's two ends: every pair of them.

    ``places`` (n, samples): the offset at each sample, from 0; ``cells`` (samples, n): the same counted
    through all samples; ``away``, ``turned`` (n,): what is held against those far off, and against slants.
    """

    places: Array
    cells: Array
    away: Array
    turned: Array

    @staticmethod
    @lru_cache(maxsize=64)
    def within(half: int) -> _Tried:
        """Lines up to so many pixels off."""
        offsets = np.arange(-half, half + 1)
        first, last = (each.reshape(-1, 1) for each in np.meshgrid(offsets, offsets, indexing="ij"))
        places = np.clip(np.round(first * (1 - _T) + last * _T + half).astype(int), 0, 2 * half)
        away = 0.12 * (np.abs(first) + np.abs(last)) / (2 * half + 1)
        cells = np.arange(_SAMPLES) * (2 * half + 1) + places
        return _Tried(places, np.ascontiguousarray(cells.T), away[:, 0], np.abs(first - last)[:, 0])


def _polish(clipped: Array, voters: Array, places: Array, half: int) -> Array:
    """(2, n): the offsets at both ends of sides (n, samples, steps) of the straight line through the edge's
    places, to a part of a pixel, of the samples (n, samples) that voted."""
    window = np.clip(places[..., None] + np.arange(-1, 2), 0, 2 * half)
    weight = np.take_along_axis(clipped, window, axis=2) ** 2
    at = (weight * window).sum(axis=-1) / np.maximum(weight.sum(axis=-1), 1e-6) - half
    votes = np.maximum(voters.sum(axis=1, keepdims=True), 1)
    middle = (_T * voters).sum(axis=1, keepdims=True) / votes
    base = (at * voters).sum(axis=1, keepdims=True) / votes
    away = (_T - middle) * voters
    slope = (away * (at - base)).sum(axis=1) / np.maximum((away**2).sum(axis=1), 1e-12)
    return np.asarray(base[:, 0] + slope * np.stack([-middle[:, 0], 1 - middle[:, 0]]))


def _crossings(start: Array, along: Array, otherwise: Array) -> Array:
    """(n, 4, 2): where each line (through ``start``, (n, 4, 2), ``along``) and the one before it cross;
    ``otherwise`` where they run side by side."""
    before, ahead = np.roll(start, 1, axis=1), np.roll(along, 1, axis=1)
    area = ahead[..., 0] * along[..., 1] - ahead[..., 1] * along[..., 0]
    long = np.hypot(ahead[..., 0], ahead[..., 1]) * np.hypot(along[..., 0], along[..., 1])
    beside = np.abs(area) < 1e-6 * long + 1e-12
    gap = start - before
    share = (gap[..., 0] * along[..., 1] - gap[..., 1] * along[..., 0]) / np.where(beside, 1.0, area)
    return np.where(beside[..., None], otherwise, before + ahead * share[..., None])


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
