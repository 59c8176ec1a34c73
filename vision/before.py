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
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Floats
from vision.chip_geometry import Image
from vision.patch import Layers, Patch, Window

_COLUMNS = 20
"""About so many columns of half a disc are enough to tell where it lies."""
_STRIDE = 24
"""Every so manieth pixel tells the exposure and the noise of a whole picture."""
_FEW = 24
"""From fewer of these nothing can be told."""
_SHADOW_LOW, _SHADOW_HIGH = 0.55, 1.06
"""Factors of brightness that a shadow may leave."""
_FAINT, _NOISE = 5.0, 2.5
"""What is no noise: so many times the usual difference, and so many levels more."""
_CLEARLY = 3.0
"""A difference of so many times that is no chance."""
_CORE = 0.4
"""How much a stack differs is what this part of a base's area does at least, nearby."""
_DISC = (-3.2, 0.1, -4.4, 6.2, 1.3, 2.0, 8.9, -1.5)
_RIM = (-1.3, 1.6, 0.5, 4.4, 3.2, 5.9, 5.6, -2.0)
"""What a pixel within the outline says for a stack there, and one that lies a pixel's breadth beyond it:
natural logarithm times 100, at first and for the seven differences of :func:`_differences`, each 0 to 1. Like
the next, the likeliest for 2,321 synthetic stacks (docs/decisions.md)."""
_SHADE_MM, _SHADE, _SHADE_TALL = (4.0, 10.0), (-0.8, 2.2), (-0.4, 0.9)
"""What a pixel says, besides, that only became darker, and lies so far beyond the outline or within: it may
be a shadow, and taller stacks cast longer ones. So much more it says if the stack is tall."""
_TALL_MM = 20.0
_AREA_PX = 1000.0
"""Of a base of so many pixels; where there are four times as many, each says half as much, for neighbours
see the same."""
_RIM_PX = 1.0
"""Blur, compression and shadow let what changed reach so far beyond the outline."""


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What each point of a patch (rows, columns) says for a stack that hides it, natural logarithm: on the
    ``disc`` of its outline, or beside it on its ``rim``, which is ``rim_mm`` broad; and how much it only
    became darker: ``shade``."""

    disc: Floats
    rim: Floats
    rim_mm: float
    shade: Floats


def exposed(image: Image, empty: Image) -> tuple[Floats, float] | None:
    """How much brighter a picture is than one of the felt before, by channel, and the usual difference then,
    levels; uint8 (H, W, 3) BGR. None where too little of the latter is known, which is black elsewhere."""
    grid = np.s_[::_STRIDE, ::_STRIDE]
    known = empty[grid].any(axis=-1)
    if np.count_nonzero(known) < _FEW:
        return None
    was, is_now = empty[grid][known].astype(np.float32), image[grid][known].astype(np.float32)
    gain = np.median((is_now + 4) / (was + 4), axis=0)
    return np.asarray(gain, np.float64), 1.5 * float(np.median(np.linalg.norm(is_now - gain * was, axis=-1)))


def change(patch: Patch, image: Image, empty: Image, radius_mm: float) -> tuple[Change, Layers] | None:
    """What changed where a stack stands about a patch's middle, and the difference in colour (3, rows,
    columns). ``image``, ``empty``: uint8 (H, W, 3) BGR, now and before; of what is not known of the latter
    nothing is said. None where hardly anything is known."""
    found = exposed(image, empty)
    if found is None:
        return None
    gain, noise = found
    before = patch.cut(empty)
    black = np.asarray(~before.any(axis=-1), np.uint8)
    missing = cv2.dilate(black, np.ones((3, 3), np.uint8))
    now, then = patch.cut(image), (before * gain).astype(np.float32)
    off = now - then
    off[missing > 0] = 0.0
    along = (now * then).sum(axis=-1) / np.maximum((then * then).sum(axis=-1), 1.0)
    shade = np.clip(along, _SHADOW_LOW, _SHADOW_HIGH)[..., None]
    lengths = np.stack([_length(off), _length(now - shade * then), along], axis=-1)
    seen = patch.sample(np.asarray(cv2.GaussianBlur(lengths, (3, 3), 0.7), np.float32))
    parts = _differences(patch, seen, radius_mm, _NOISE * noise + _FAINT)
    unknown = patch.sample(np.asarray(missing, np.float32))[0] > 0
    pixels = abs(float(np.linalg.det(patch.px_per_mm)))
    each = pixels * patch.step_mm**2 / math.sqrt(math.pi * radius_mm**2 * pixels / _AREA_PX) / 100
    disc, rim = (
        np.where(unknown, 0.0, each * (w[0] + np.tensordot(np.asarray(w[1:]), parts, axes=1)))
        for w in (_DISC, _RIM)
    )
    shade_px = np.where(unknown, 0.0, each * parts[-1])
    return Change(disc, rim, _RIM_PX * patch.px_mm, shade_px), patch.sample(off)


def _differences(patch: Patch, seen: Layers, radius_mm: float, chance: float) -> Layers:
    """(7, rows, columns), 0 to 1: how much each point differs from the felt before, and how much beyond what
    a shadow does: beside chance, beside what is none for sure, and beside what the stack differs by; last,
    whether it only became darker.

    ``seen`` (3, rows, columns): the two in levels, and the brightness beside that before; ``chance``: levels
    that noise may do."""
    rows, columns = (
        np.abs(np.arange(n) - at) for n, at in zip(seen.shape[1:], (patch.row, patch.column), strict=True)
    )
    radius = radius_mm / patch.step_mm
    near = (rows[:, None] < 2 * radius) & (columns < radius)
    nth = int(_CORE * math.pi * radius**2)
    own = [max(float(np.partition(each[near], -nth)[-nth]) + _FAINT, chance) for each in seen[:2]]
    parts = [
        np.minimum(each / most, 1)
        for each, mine in zip(seen, own, strict=False)
        for most in (chance, _CLEARLY * chance, mine)
    ]
    return np.stack([*parts, np.where(seen[2] < 1, parts[0] * (1 - parts[3]), 0.0)])


def outlines(
    says: Change, patch: Patch, radius_mm: float, heights_mm: Sequence[float], window: Window
) -> Floats:
    """(heights, rows, columns): what is said for a stack at each place of a window, by how high it is.

    ``radius_mm``: of its base.
    """
    shifts = [patch.lift(height) for height in heights_mm]
    total = _held(says.disc - says.rim, radius_mm / patch.step_mm, shifts, window)
    total += _held(says.rim, (radius_mm + says.rim_mm) / patch.step_mm, shifts, window)
    tall = np.minimum(np.asarray(heights_mm) / _TALL_MM, 1)[:, None, None]
    for beyond, says_all, says_tall in zip(_SHADE_MM, _SHADE, _SHADE_TALL, strict=True):
        shade = _held(says.shade, (radius_mm + beyond) / patch.step_mm, shifts, window)
        total += (says_all + says_tall * tall) * shade
    return total


def _held(says: Floats, radius: float, shifts: Sequence[float], window: Window) -> Floats:
    """(shifts, rows, columns): the sum of what lies within the outline at each place of a window."""
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
