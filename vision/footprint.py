"""What a thing covers in the small picture: a mask with a place, and shares of it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Mask = NDArray[np.bool_]
"""(h, w)."""


@dataclass(frozen=True, slots=True, eq=False)
class Footprint:
    """Pixels of a picture of ``shape`` (h, w): ``mask``, whose top left corner is at (``x``, ``y``)."""

    x: int
    y: int
    mask: Mask
    shape: tuple[int, int]

    @classmethod
    def of(cls, points_px: ArrayLike, shape: tuple[int, int]) -> Footprint:
        """The convex hull of points (n, 2), as far as it is in the picture."""
        points = np.asarray(points_px, np.float64)
        height, width = shape
        if not np.isfinite(points).all():
            return cls(0, 0, np.zeros((0, 0), np.bool_), shape)
        low = np.floor(points.min(axis=0)).astype(int).clip(0, None)
        high = np.ceil(points.max(axis=0)).astype(int).clip(None, (width, height))
        if (high <= low).any():
            return cls(0, 0, np.zeros((0, 0), np.bool_), shape)
        canvas = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        # Pixels' middles lie at +0.5, cv2 counts from them; eight fractional bits keep the edge exact.
        hull = cv2.convexHull(((points - low - 0.5) * 256).round().astype(np.int32))
        cv2.fillConvexPoly(canvas, hull, 1, cv2.LINE_8, 8)
        return cls(int(low[0]), int(low[1]), canvas.astype(np.bool_), shape)

    @property
    def area_px(self) -> int:
        """How many pixels it has."""
        return int(np.count_nonzero(self.mask))

    @property
    def box(self) -> tuple[int, int, int, int]:
        """x0, y0, x1, y1 in pixels of the small picture."""
        return self.x, self.y, self.x + self.mask.shape[1], self.y + self.mask.shape[0]

    def share(self, where: Mask, among: Mask | None = None) -> float:
        """The part of its pixels (of those also in ``among``) that lie in ``where`` (h, w); 0 of none."""
        x0, y0, x1, y1 = self.box
        here = self.mask if among is None else self.mask & among[y0:y1, x0:x1]
        total = np.count_nonzero(here)
        return float(np.count_nonzero(here & where[y0:y1, x0:x1]) / total) if total else 0.0

    def without(self, other: Footprint) -> Footprint:
        """Its pixels that the other does not have."""
        x0, y0, x1, y1 = self.box
        return Footprint(self.x, self.y, self.mask & ~other.whole()[y0:y1, x0:x1], self.shape)

    def grown(self, margin_px: int) -> Footprint:
        """With a margin all round."""
        if not self.mask.size:
            return self
        x0, y0 = max(0, self.x - margin_px), max(0, self.y - margin_px)
        x1 = min(self.shape[1], self.box[2] + margin_px)
        y1 = min(self.shape[0], self.box[3] + margin_px)
        canvas = np.zeros((y1 - y0, x1 - x0), np.uint8)
        top, left = self.y - y0, self.x - x0
        canvas[top : top + self.mask.shape[0], left : left + self.mask.shape[1]] = self.mask
        size = 2 * margin_px + 1
        grown = cv2.dilate(canvas, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))
        return Footprint(x0, y0, np.asarray(grown).astype(np.bool_), self.shape)

    def whole(self) -> Mask:
        """(h, w): as a mask of the whole picture."""
        full = np.zeros(self.shape, np.bool_)
        x0, y0, x1, y1 = self.box
        full[y0:y1, x0:x1] = self.mask
        return full

    def mark(self, target: Mask) -> None:
        """Set a mask (h, w) where the footprint lies."""
        x0, y0, x1, y1 = self.box
        target[y0:y1, x0:x1][self.mask] = True

    def overlap(self, mask: Mask, box: tuple[int, int, int, int]) -> int:
        """Pixels that it has in common with a mask whose place is ``box`` (x0, y0, x1, y1)."""
        mine = self.box
        x0, y0 = max(mine[0], box[0]), max(mine[1], box[1])
        x1, y1 = min(mine[2], box[2]), min(mine[3], box[3])
        if x1 <= x0 or y1 <= y0:
            return 0
        here = self.mask[y0 - mine[1] : y1 - mine[1], x0 - mine[0] : x1 - mine[0]]
        return int(np.count_nonzero(here & mask[y0 - box[1] : y1 - box[1], x0 - box[0] : x1 - box[0]]))

    def meets(self, where: Mask) -> bool:
        """Whether any of its pixels lies in ``where`` (h, w)."""
        x0, y0, x1, y1 = self.box
        return bool((self.mask & where[y0:y1, x0:x1]).any())
