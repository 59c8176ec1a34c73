"""A stack told by what it changed: the picture now beside one of the felt before anything lay there.

Edges may be print's, and chips may have the felt's colour; but print is there before and after, and of a
stack that hides what lay under it hardly all looks the same. So the felt about a stack is compared point by
point with what it was, and the outline sought that holds what has changed and nothing else: the disc of the
base, that of the top some chips' thicknesses higher, and the side between them. What only became darker may
be a shadow, or a side in its own shade, and says less.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Floats
from vision.chip_geometry import Image
from vision.patch import Patch, Window

_COLUMNS = 20
"""About so many columns of half a disc are enough to tell where it lies."""
_STRIDE = 24
"""Every so manieth pixel tells the exposure and the noise of a whole picture."""
_FEW = 24
"""From fewer of these nothing can be told."""
_SHADOW_LOW, _SHADOW_HIGH = 0.55, 1.06
"""Factors of brightness that a shadow may leave."""
_FAINT, _NOISE = 5.0, 2.5
"""A stack differs from the felt by at least so many times the noise, and so many levels more."""
_CORE = 0.4
"""How much a stack differs is what this part of a base's area does at least, nearby."""
_SAYS, _MOST = (-4.5, 8.5, 9.5), 3.0
"""What a pixel says for a stack that hides it, natural logarithm: to begin with, for a difference as large as
the stack's, for one beyond what a shadow does; and the most, either way. About the likeliest such sum for 367
synthetic stacks and what lay beside them."""
_WEIGHT = 0.05
"""What a pixel counts: neighbours see the same, chips lie askew, and outlines are blurred."""


def change(patch: Patch, image: Image, empty: Image, radius_mm: float) -> Floats:
    """(rows, columns): what each point of a patch says for a stack that hides it, natural logarithm, where a
    stack stands about the patch's middle. ``image``, ``empty``: uint8 (H, W, 3) BGR, now and before; of
    what is not known of the latter, which is black, nothing is said."""
    grid = np.s_[::_STRIDE, ::_STRIDE]
    known = empty[grid].any(axis=-1)
    if np.count_nonzero(known) < _FEW:
        return np.zeros(patch.map_px[0].shape)
    was, is_now = empty[grid][known].astype(np.float32), image[grid][known].astype(np.float32)
    gain = np.median((is_now + 4) / (was + 4), axis=0)
    noise = 1.5 * float(np.median(np.linalg.norm(is_now - gain * was, axis=-1)))
    before = patch.cut(empty)
    black = np.asarray(~before.any(axis=-1), np.uint8)
    missing = cv2.dilate(black, np.ones((3, 3), np.uint8))
    unknown = patch.sample(np.asarray(missing, np.float32))[0] > 0
    now, then = patch.cut(image), before * gain
    along = (now * then).sum(axis=-1) / np.maximum((then * then).sum(axis=-1), 1.0)
    shade = np.clip(along, _SHADOW_LOW, _SHADOW_HIGH)[..., None]
    differs = np.stack([_length(now - then), _length(now - shade * then)], axis=-1)
    seen = patch.sample(np.asarray(cv2.GaussianBlur(differs, (3, 3), 0.7), np.float32))
    middle = patch.row, patch.column
    rows, columns = (np.abs(np.arange(n) - at) for n, at in zip(seen.shape[1:], middle, strict=True))
    radius = radius_mm / patch.step_mm
    near = (rows[:, None] < 2 * radius) & (columns < radius)
    nth = int(_CORE * math.pi * radius**2)
    own = [max(float(np.partition(each[near], -nth)[-nth]), _NOISE * noise) + _FAINT for each in seen]
    parts = [np.minimum(each / most, 1) for each, most in zip(seen, own, strict=True)]
    says = np.clip(_SAYS[0] + _SAYS[1] * parts[0] + _SAYS[2] * parts[1], -_MOST, _MOST)
    says[unknown] = 0.0
    pixels = abs(float(np.linalg.det(patch.px_per_mm))) * patch.step_mm**2
    return np.asarray(_WEIGHT * pixels * says, np.float64)


def outlines(says: Floats, radius: float, shifts: Sequence[float], window: Window) -> Floats:
    """(shifts, rows, columns): what is said for a stack at each place of a window, by how high it is.

    ``says``: see :func:`change`; ``radius``: of its base, rows; ``shifts``: how many rows behind the base
    its top seems to lie.
    """
    total = np.concatenate([np.zeros((1, says.shape[1])), np.cumsum(says, axis=0)]).astype(np.float32)
    top, bottom, left, right = window
    more = math.ceil(max(shifts)) + 1
    near = _up_to(total, radius, -1, window)
    far = _up_to(total, radius, 1, (top, bottom + more, left, right))
    return lifted_by(far, shifts, len(near)) - near


def lifted_by(what: Floats, shifts: Sequence[float], rows: int) -> Floats:
    """(shifts, rows, columns): so many rows of something, from so many rows on."""
    found = np.empty((len(shifts), rows, what.shape[1]))
    for number, shift in enumerate(shifts):
        k = math.floor(shift)
        here, beyond = what[k : k + rows], what[k + 1 : k + 1 + rows]
        found[number] = here + (shift - k) * (beyond - here)
    return found


def _up_to(total: NDArray[np.float32], radius: float, side: int, window: Window) -> Floats:
    """What is said up to the near (-1) or far (1) rim of the disc about each place, over its columns."""
    top, bottom, left, right = window
    found = np.zeros((bottom - top, right - left), np.float32)
    every = max(1, round(radius / _COLUMNS))
    reach = math.floor(radius / every) * every
    for j in range(-reach, reach + 1, every):
        rim = side * math.sqrt(radius**2 - j * j) + 0.5
        k = math.floor(rim)
        part = total[top + k : bottom + k + 1, left + j : right + j]
        found += part[:-1] + np.float32(rim - k) * (part[1:] - part[:-1])
    return every * found.astype(np.float64)


def _length(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.sqrt(np.einsum("hwc,hwc->hw", colours, colours)), np.float32)
