"""By how much two cameras' recordings of one table are shifted in time: from what moves on the felt.

Both pictures are laid on the felt, coarsely, and how much each patch of it changes from picture to picture is
followed. A hand that comes and goes makes the same pattern in both; the shift at which the patterns of all
patches agree best is how much later one recording began.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera, Floats
from vision.layout import Layout
from vision.source import Frame

WATCHED_S = 120.0
"""So much of each recording is compared."""
MOST_S = 60.0
"""Recordings are not expected to begin farther apart."""
_HZ = 20.0
_EVERY_S = 0.06
_ROWS, _COLUMNS, _PATCH_PX = 4, 8, 6
_HEIGHT_MM = 40.0
"""What moves, hands, moves about so high over the felt."""
_LEAST_S = 8.0
_CLEAR, _LEAD = 0.35, 1.25
"""The patterns must agree so well, and so much better than at any other shift."""
_BESIDE_S = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """How much the patches of the felt change: ``t`` (n,) seconds, ``moved`` (n, patches) grey levels."""

    t: Floats
    moved: Floats


@dataclass(frozen=True, slots=True)
class Shift:
    """``by_s``: added to the second recording's times it gives those of the first; ``agreement``: how well
    the patterns then agree, 0 to 1."""

    by_s: float
    agreement: float


def motion_of(frames: Iterable[Frame], camera: Camera, layout: Layout, seconds: float = WATCHED_S) -> Motion:
    """Follow what moves on the felt in the first ``seconds`` of a recording. ``camera``: at its size."""
    x0, y0, x1, y1 = layout.felt.bounds
    wide, high = _COLUMNS * _PATCH_PX, _ROWS * _PATCH_PX
    xs = x0 + (np.arange(wide) + 0.5) * (x1 - x0) / wide
    ys = y0 + (np.arange(high) + 0.5) * (y1 - y0) / high
    grid = np.stack([*np.meshgrid(xs, ys), np.full((high, wide), _HEIGHT_MM)], axis=-1).reshape(-1, 3)
    scale = min(1.0, 320 / camera.width_px)
    small = camera.resized(round(camera.width_px * scale), round(camera.height_px * scale))
    px = np.nan_to_num(small.project(grid) - 0.5, nan=-1.0).clip(-1.0, 32000.0).astype(np.float32)
    columns, rows = (np.ascontiguousarray(px[:, axis].reshape(high, wide)) for axis in (0, 1))
    times: list[float] = []
    moved: list[NDArray[np.float64]] = []
    last: NDArray[np.float32] | None = None
    for frame in frames:
        if frame.t > seconds:
            break
        if times and frame.t - times[-1] < _EVERY_S:
            continue
        luma = cv2.resize(frame.luma(), (small.width_px, small.height_px), interpolation=cv2.INTER_AREA)
        felt = cv2.remap(luma, columns, rows, cv2.INTER_LINEAR).astype(np.float32)
        change = np.zeros_like(felt) if last is None else np.abs(felt - last)
        patches = change.reshape(_ROWS, _PATCH_PX, _COLUMNS, _PATCH_PX).mean(axis=(1, 3))
        times.append(frame.t)
        moved.append(np.minimum(patches, 40.0).astype(np.float64).ravel())
        last = felt
    return Motion(np.asarray(times), np.asarray(moved).reshape(len(times), _ROWS * _COLUMNS))


def find_shift(first: Motion, second: Motion, most_s: float = MOST_S) -> Shift | None:
    """How much later the second recording began; None if that is not clear: too little moves, too short."""
    one, other = _even(first), _even(second)
    least = round(_HZ * _LEAST_S)
    if min(len(one), len(other)) < least:
        return None
    reach = min(round(most_s * _HZ), len(one) - least, len(other) - least)
    lags = np.arange(-reach, reach + 1)
    agreement = np.array([_agreement(one, other, int(lag)) for lag in lags])
    best = int(agreement.argmax())
    beside = np.abs(lags - lags[best]) > _BESIDE_S * _HZ
    rival = float(agreement[beside].max(initial=0.0))
    top = float(agreement[best])
    if top < _CLEAR or top < _LEAD * rival or best in (0, len(lags) - 1):
        return None
    low, mid, high = agreement[best - 1 : best + 2]
    bend = low - 2 * mid + high
    part = float(np.clip(0.5 * (low - high) / bend, -0.5, 0.5)) if bend < 0 else 0.0
    return Shift((float(lags[best]) + part) / _HZ, top)


def _even(motion: Motion) -> Floats:
    """(n, patches): the motion at an even rate, of the same weight in every patch that moves at all."""
    if len(motion.t) < 2:
        return np.zeros((0, _ROWS * _COLUMNS))
    times = np.arange(0.0, motion.t[-1], 1 / _HZ)
    even = np.stack([np.interp(times, motion.t, column) for column in motion.moved.T], axis=1)
    smooth = cv2.GaussianBlur(even, (1, 9), 0, sigmaY=1.5)
    return np.asarray(np.log1p(np.maximum(smooth - np.median(smooth, axis=0), 0.0)))


def _agreement(one: Floats, other: Floats, lag: int) -> float:
    """The correlation of two motions, the second ``lag`` steps later."""
    a = one[max(0, lag) : len(other) + lag]
    b = other[max(0, -lag) : len(one) - lag]
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / size if size > 0 else 0.0
