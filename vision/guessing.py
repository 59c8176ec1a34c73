"""Stacks that the detector overlooks, known by the outline of what changed.

Chips of the felt's colour, or in a printed ring, are now and then not detected; but the place has changed,
and the change has a stack's outline as the camera sees it. If the chip reader also sees chips there, in the
clear, it is one.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera import Camera, Floats
from vision.chip_geometry import Image
from vision.chips import ChipReader
from vision.edges import changing
from vision.footprint import Footprint
from vision.patch import directions

_CHIPS = range(1, 13)
_ALIKE = 0.6
"""What changed and a stack's outline have so much of both together in common: shadows and blur are at its
edge, and some of the stack may look like the felt."""
_CLEAR, _NONE = 0.6, 0.2
"""The reader must be so sure that the stack is in the clear, and no surer than that that there is none."""
_POINTS = 32
_EDGED, _STEP_PX, _EDGE_LEVELS = 0.85, 1.5, 10.0
"""Along so much of a stack's outline the picture changes, from so far inside to so far outside, by so much: a
stack that was taken away leaves the outline of a change behind, too, and bare felt."""


def stack_in(
    image: Image, camera: Camera, reader: ChipReader, part: Footprint
) -> tuple[tuple[float, float], Floats] | None:
    """Where the stack stands, mm, whose outline a changed place has in the small picture, and that outline
    (n, 2) in the full one, if chips are seen there; ``image``: uint8 (H, W, 3) BGR, ``camera``: of it. None
    if it has no stack's outline."""
    height, width = part.shape
    small = camera.resized(width, height)
    ys, xs = np.nonzero(part.mask)
    if not len(xs):
        return None
    middle = small.felt_point(np.array([[part.x + xs.mean() + 0.5, part.y + ys.mean() + 0.5]]))[0]
    if not np.isfinite(middle).all():
        return None
    best, tall_mm = 0.0, 0.0
    for count in _CHIPS:
        tall = count * reader.chips.height_mm
        outline = stack_outline(small, _base_of(small, middle, tall), reader.chips.diameter_mm, tall)
        alike = _alike(Footprint.of(outline, part.shape), part)
        if alike > best:
            best, tall_mm = alike, tall
    if best < _ALIKE:
        return None
    at = stack_about(image, camera, reader, _base_of(small, middle, tall_mm))
    return None if at is None else (at, stack_outline(camera, at, reader.chips.diameter_mm, tall_mm))


def stack_about(
    image: Image,
    camera: Camera,
    reader: ChipReader,
    at_mm: tuple[float, float],
    *,
    clear: float = _CLEAR,
    none: float = _NONE,
) -> tuple[float, float] | None:
    """Where the stack stands, mm, that the reader sees about a place in the clear; None if it sees none, or
    if no outline of a stack there has edges. ``clear``, ``none``: how sure it must be that the stack is in
    the clear, and how sure it may be at most that there is none."""
    reading = reader.read(image, camera, at_mm)
    scores, size = reading.scores, reader.chips
    if scores is None or scores.clear < clear:
        return None
    if scores.counts is not None and float(np.exp(scores.counts[0])) > none:
        return None
    if float(np.hypot(*np.subtract(reading.at_mm, at_mm))) > size.diameter_mm / 2:
        return None
    outlines = (stack_outline(camera, reading.at_mm, size.diameter_mm, n * size.height_mm) for n in _CHIPS)
    return reading.at_mm if any(edged(image, each) >= _EDGED for each in outlines) else None


def stack_outline(camera: Camera, at_mm: tuple[float, float], diameter_mm: float, tall_mm: float) -> Floats:
    """(n, 2): points of the picture whose hull a stack fills."""
    angles = np.arange(_POINTS) * (2 * np.pi / _POINTS)
    ring = np.asarray(at_mm) + diameter_mm / 2 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    levels = [np.column_stack([ring, np.full(_POINTS, level)]) for level in (0.0, tall_mm)]
    return camera.project(np.concatenate(levels))


def edged(image: Image, outline_px: Floats) -> float:
    """The part of the hull of an outline (n, 2) along which the picture changes from inside to outside."""
    hull = cv2.convexHull(outline_px.astype(np.float32))[:, 0].astype(np.float64)
    middle = hull.mean(axis=0)
    out = hull - middle
    out = _STEP_PX * out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)
    return changing(image, hull - out, hull + out, _EDGE_LEVELS)


def _base_of(camera: Camera, middle_mm: Floats, tall_mm: float) -> tuple[float, float]:
    """Where a stack of a height stands, mm, whose outline's middle is seen at a place on the felt."""
    away, _ = directions(camera, (float(middle_mm[0]), float(middle_mm[1])))
    over = camera.felt_point(camera.project(np.array([[*middle_mm, tall_mm]])))[0]
    lifted = float(np.nan_to_num(np.hypot(*(over - middle_mm))))
    x, y = middle_mm - 0.5 * lifted * away
    return float(x), float(y)


def _alike(one: Footprint, other: Footprint) -> float:
    """What two places have in common, as a part of both together."""
    common = one.overlap(other.mask, other.box)
    return common / max(1, one.area_px + other.area_px - common)
