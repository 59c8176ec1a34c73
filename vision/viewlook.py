"""What a small picture shows in the large, and why the printed lines may be gone from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera
from vision.printed import Luma, PrintedLines

Small = NDArray[np.float32]

_BLACK, _DARK_LEVEL = 16, 44
"""Brightness (of 255, video black is 16) that a lit table's white lines and cards always exceed."""
_REACH = 0.02
"""How far beside the calibration the lines are sought, by the picture's width."""
_BRIGHTER_LEVELS, _BURNT_LEVEL = 45.0, 245
_SOFT, _ALIKE = 0.75, 0.8


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """``mean``, ``contrast``: grey levels; ``burnt``: the part that is white out; ``sharp``: strength of the
    strongest edges by the contrast; ``coarse`` (9, 16): the picture in the large."""

    mean: float
    contrast: float
    burnt: float
    sharp: float
    coarse: Small

    @classmethod
    def at(cls, small: Luma) -> Look:
        """Look at a picture (H, W)."""
        thin = small[::2, ::2]
        low, high = np.percentile(thin, (5, 99.5))
        contrast = max(30.0, float(high - low))
        return cls(
            mean=float(thin.mean()),
            contrast=contrast,
            burnt=float((thin >= _BURNT_LEVEL).mean()),
            sharp=float(np.percentile(_edges(small), 98)) / contrast,
            coarse=cv2.resize(small, (16, 9), interpolation=cv2.INTER_AREA).astype(np.float32),
        )

    def light_by(self, usual: Look) -> float:
        """How much of the usual light there is, 1 at most."""
        return float(np.clip((self.mean - _BLACK) / max(1.0, usual.mean - _BLACK), 0.0, 1.0))


def is_dark(small: Luma) -> bool:
    """Whether hardly a pixel is brighter than black."""
    return float(np.percentile(small[::3, ::3], 99.5)) < _DARK_LEVEL


def is_dazzled(look: Look, usual: Look) -> bool:
    """Whether a picture is so much brighter than usual that light must have come into the lens."""
    return look.mean > usual.mean + _BRIGHTER_LEVELS and (
        look.burnt > usual.burnt + 0.15 or look.contrast < 0.7 * usual.contrast
    )


def why_gone(look: Look, usual: Look, before: Look) -> Literal["dazzled", "moved", "blurred", "covered"]:
    """Why the printed lines are neither where they should be nor anywhere near. ``before``: the last look
    at which they were there."""
    if is_dazzled(look, usual):
        return "dazzled"
    if look.sharp > _SOFT * usual.sharp:
        return "moved"
    if look.coarse.std() < 1 or before.coarse.std() < 1:
        return "covered"
    alike = np.corrcoef(look.coarse.ravel().astype(np.float64), before.coarse.ravel().astype(np.float64))
    return "blurred" if alike[0, 1] > _ALIKE else "covered"


class Standing:
    """How the drawing's lines stand in pictures whose own lines are not known yet."""

    def __init__(self, camera: Camera, lines: PrintedLines) -> None:
        """``camera``: of the small pictures."""
        self._reach = max(2, round(_REACH * camera.width_px))
        mask = np.zeros((camera.height_px, camera.width_px), np.float32)
        columns, rows = np.floor(lines.px).astype(int).T
        mask[rows, columns] = 1
        self._mask = np.ascontiguousarray(mask[self._reach : -self._reach, self._reach : -self._reach])

    def of(self, small: Luma) -> tuple[NDArray[np.float64], float]:
        """(2,): how far beside the calibration the lines fit best (pixels of the small picture, 0 if that is
        not clear), and how much better there than where they should be."""
        score = cv2.matchTemplate(_edges(small), self._mask, cv2.TM_CCORR)
        reach = self._reach
        row, column = np.unravel_index(int(score.argmax()), score.shape)
        best, here = float(score.max()), float(score[reach - 1 : reach + 2, reach - 1 : reach + 2].max())
        background = max(1e-6, float(np.median(score)))
        inside = 0 < row < 2 * reach and 0 < column < 2 * reach
        clear = inside and best > 1.5 * background and best > background + 3 * float(score.std())
        off = np.array([column - reach, row - reach], np.float64)
        return (off if clear else np.zeros(2)), best / max(here, 1e-6)


def _edges(small: Luma) -> Small:
    """(H, W): strength of the edges, the two flanks of a thin line run together."""
    grey = small.astype(np.float32)
    flanks = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1))
    return np.asarray(cv2.GaussianBlur(flanks, (0, 0), 1.3), np.float32)
