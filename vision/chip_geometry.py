"""A stack of chips as the calibrated camera must see it: local axes, and views in its own coordinates.

Two such pictures are cut, both by exact projection (perspective and lens included):

* the **place view** (``PLACE_SHAPE``): the surroundings of a foot point, turned so that a stack grows
  upwards, at ``PLACE_RADIUS_PX`` pixels per chip radius;
* the **side view** (``SIDE_SHAPE``): the half of a stack's side that faces the camera, unrolled. A row is a
  height over the felt (``ROWS_PER_CHIP`` rows a chip, ``ROWS_BELOW`` rows under the felt), a column a place
  across the stack. The border between two chips is a level line in it at any tilt of the camera, and so is
  the near edge of the top: the row where the side ends counts the chips.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats

Image = NDArray[np.uint8]
"""(H, W, 3) BGR."""

PLACE_RADIUS_PX = 12.0
PLACE_SHAPE = (68, 60)
PLACE_FOOT = (46.0, 30.0)
"""Row and column of the foot point in the place view."""

ROWS_PER_CHIP = 4
LEVELS_BELOW = 3
LEVELS = 32
ROWS_BELOW = ROWS_PER_CHIP * LEVELS_BELOW
REACH = 10
"""So many rows above and below where it is said to be, the foot is looked for in the side view."""
SIDE_SHAPE = (ROWS_PER_CHIP * LEVELS, 40)
FRONT = slice(9, 31)
"""Columns of the side view that are not seen too flat."""
SIDE_REACH = 1.3
"""Half the side view's width, in chip radii."""


@dataclass(frozen=True, slots=True)
class StackFrame:
    """How the picture lies round a foot point on the felt, for chips of one size.

    ``foot_px`` (2,): where it is seen. ``across_px`` (2,): picture of one chip radius across the view;
    ``away_px`` (2,): of one radius along the felt away from the camera; ``across_mm``, ``away_mm`` (2,):
    these directions on the felt, unit vectors. ``thickness_px``: how thick one chip looks. ``squash``: the
    seen depth of a circle on the felt over its width. ``rise``: pixels that a millimetre of height takes over
    pixels that a millimetre along ``away`` takes (the tangent of the view's angle from straight down).
    """

    foot_px: Floats
    across_px: Floats
    away_px: Floats
    across_mm: Floats
    away_mm: Floats
    thickness_px: float
    squash: float
    rise: float

    @property
    def radius_px(self) -> float:
        """Half the width of a chip in the picture."""
        return float(np.hypot(*self.across_px))


def stack_frame(
    camera: Camera, at_mm: tuple[float, float], diameter_mm: float, height_mm: float
) -> StackFrame | None:
    """The frame at a felt point, None where the camera does not see it."""
    x, y = at_mm
    step = diameter_mm / 4
    sideways, level, up = np.array(
        [[0, -step, step, 0, 0, 0], [0, 0, 0, -step, step, 0], [0] * 5 + [height_mm]]
    )
    px = camera.project(np.stack([x + sideways, y + level, up], axis=1))
    if not np.isfinite(px).all():
        return None
    (ax, bx), (ay, by) = ((px[[2, 4]] - px[[1, 3]]) / (2 * step)).T.tolist()
    rise_x, rise_y = (px[5] - px[0]).tolist()
    area = ax * by - bx * ay
    if area == 0:  # it looks along the felt
        return None
    # A point that rises by one millimetre looks as if it moved over the felt, away from the camera.
    shift_x, shift_y = (rise_x * by - bx * rise_y) / area, (ax * rise_y - rise_x * ay) / area
    rise = math.hypot(shift_x, shift_y) / height_mm
    if rise <= 1e-3:  # straight from above: any direction does, take the one that is up in the picture
        shift_x, shift_y = bx / area, -ax / area
    long = math.hypot(shift_x, shift_y)
    away = shift_x / long, shift_y / long
    across = -away[1], away[0]
    radius = diameter_mm / 2
    across_px, away_px = ((radius * (ax * u + bx * v), radius * (ay * u + by * v)) for u, v in (across, away))
    if away_px[0] * across_px[1] - away_px[1] * across_px[0] < 0:
        # "across" points to the right of "up" in the picture
        across, across_px = (-across[0], -across[1]), (-across_px[0], -across_px[1])
    return StackFrame(
        foot_px=px[0],
        across_px=np.array(across_px),
        away_px=np.array(away_px),
        across_mm=np.array(across),
        away_mm=np.array(away),
        thickness_px=math.hypot(rise_x, rise_y),
        squash=math.hypot(*away_px) / math.hypot(*across_px),
        rise=rise,
    )


def geometry_inputs(frame: StackFrame) -> NDArray[np.float32]:
    """What the networks are told of the view (4,): thickness, radius, squash, rise, each about 0..1."""
    return np.array(
        [frame.thickness_px / 4, frame.radius_px / 20, frame.squash, min(frame.rise, 4.0) / 2], np.float32
    )


def _sample(image: Image, points_px: Floats, shape: tuple[int, int], step_px: float) -> Image:
    """Colours at points (2, rows * columns), x and y, as a picture of ``shape``; smoothed where these lie far
    apart.

    ``step_px``: pixels between neighbouring columns. What lies outside the picture repeats its edge.
    """
    (x0, x1), (y0, y1) = (
        (max(0, math.floor(each.min() - 3)), min(size, math.ceil(each.max() + 3)))
        for each, size in zip(points_px, image.shape[1::-1], strict=True)
    )
    if x1 - x0 < 2 or y1 - y0 < 2:
        return np.zeros((*shape, 3), np.uint8)
    part = image[y0:y1, x0:x1]
    if step_px > 1.3:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * step_px), np.uint8)
    x, y = (
        (each - (begin + 0.5)).astype(np.float32).reshape(shape)
        for each, begin in zip(points_px, (x0, y0), strict=True)
    )
    return np.asarray(cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


_ACROSS = (np.arange(PLACE_SHAPE[1]) + 0.5 - PLACE_FOOT[1]) / PLACE_RADIUS_PX
_UP = (PLACE_FOOT[0] - np.arange(PLACE_SHAPE[0]) - 0.5) / PLACE_RADIUS_PX
"""The place view's columns and rows: so many radii across and up from the foot."""


def place_view(image: Image, frame: StackFrame) -> Image:
    """The surroundings of the foot, uint8 ``(*PLACE_SHAPE, 3)``."""
    up_px = frame.away_px / frame.squash  # the same pixels per step as across
    along, upwards = frame.across_px[:, None] * _ACROSS + frame.foot_px[:, None], up_px[:, None] * _UP
    points = upwards[:, :, None] + along[:, None]
    return _sample(image, points.reshape(2, -1), PLACE_SHAPE, frame.radius_px / PLACE_RADIUS_PX)


_COLUMN = (np.arange(SIDE_SHAPE[1]) + 0.5) / SIDE_SHAPE[1] * 2 * SIDE_REACH - SIDE_REACH
_TOWARDS = np.sqrt(np.clip(1 - _COLUMN**2, 0, None))
_LEVEL = (np.arange(SIDE_SHAPE[0]) + 0.5 - ROWS_BELOW) / ROWS_PER_CHIP


def side_view(
    image: Image,
    camera: Camera,
    at_mm: tuple[float, float],
    frame: StackFrame,
    diameter_mm: float,
    height_mm: float,
) -> Image:
    """The near half of the side of a stack that stands at ``at_mm``, unrolled, uint8 ``(*SIDE_SHAPE, 3)``.

    Row 0 is the highest level, the last row the lowest (below the felt).
    """
    radius = diameter_mm / 2
    ring = radius * (_COLUMN[:, None] * frame.across_mm - _TOWARDS[:, None] * frame.away_mm) + np.asarray(
        at_mm
    )
    px = camera.project_levels(ring, _LEVEL[::-1] * height_mm)
    if not np.isfinite(px).all():
        px = np.nan_to_num(px, nan=-10.0)
    return _sample(image, px.T, SIDE_SHAPE, frame.radius_px * 2 * SIDE_REACH / SIDE_SHAPE[1])


def offset_mm(frame: StackFrame, across: float, up: float, radius_mm: float) -> tuple[float, float]:
    """A shift in the place view (chip radii, right and up) as a shift on the felt, mm (x, y)."""
    shift = radius_mm * (across * frame.across_mm + up / frame.squash * frame.away_mm)
    return float(shift[0]), float(shift[1])


def foot_of_box(
    camera: Camera, box_px: tuple[float, float, float, float], diameter_mm: float, height_mm: float
) -> tuple[float, float] | None:
    """Where the lowest chip of a pile lies, mm, from the box (x0, y0, x1, y1) that the pile fills.

    A first guess, as loose as the box. None where the box is off the felt.
    """
    x0, y0, x1, y1 = box_px
    guess = camera.felt_point(np.array([[(x0 + x1) / 2, (y0 + y1) / 2]]))[0]
    if not np.isfinite(guess).all():
        return None
    angle = np.arange(24) * (2 * np.pi / 24)
    ring = diameter_mm / 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ring = np.concatenate([np.zeros((1, 2)), ring])  # and its middle
    height = height_mm
    for _ in range(4):
        seen = camera.project_levels(guess + ring, (0.0, height)).reshape(2, 25, 2)
        if not np.isfinite(seen).all():
            return None
        low, high = (every(seen[:, 1:], axis=(0, 1)) for every in (np.min, np.max))
        axis = seen[:, 0]
        grow = (axis[1] - axis[0]) / height
        # The box's long side tells the height, its middle the place.
        spare = np.array([x1 - x0, y1 - y0]) - (high - low)
        strength = np.abs(grow)
        if strength.sum() > 1e-3:
            gain = float((spare * strength).sum() / (strength**2).sum())
            height = float(np.clip(height + gain, height_mm, 22 * height_mm))
        middle = (low + high) / 2
        shift = np.array([(x0 + x1) / 2, (y0 + y1) / 2]) - middle
        target = camera.felt_point((axis[0] + shift)[None])[0]
        if not np.isfinite(target).all():
            return None
        guess = target
    return float(guess[0]), float(guess[1])
