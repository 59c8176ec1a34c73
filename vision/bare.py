"""What the table looks like with nothing on it, learned wherever nothing lies."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.footprint import Footprint, Mask
from vision.stillness import Picture, light_free_distance

_AWAY_MM = 35.0
"""Nothing is learned of the full picture nearer to things than this."""
_KNOWN = 0.98
"""It is known about a place if so much of that is."""


class BareTable:
    """The empty table in the small picture, as far as it has been seen. ``known`` (h, w): where it has."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.known: Mask = np.zeros(shape, np.bool_)
        self._picture: Picture = np.zeros((*shape, 3), np.uint8)

    def learn(self, settled: Picture, free: Mask) -> None:
        """Take the settled picture where nothing lies."""
        cv2.copyTo(settled, free.view(np.uint8), self._picture)
        self.known = self.known | free

    def seen(self, picture: Picture, box: tuple[int, int, int, int], threshold: float) -> Mask:
        """(h, w): where, within a box (x0, y0, x1, y1), the picture is the empty table."""
        x0, y0, x1, y1 = box
        window = np.s_[y0:y1, x0:x1]
        away: NDArray[np.float32] = light_free_distance(picture[window], self._picture[window])
        bare = np.zeros(self.known.shape, np.bool_)
        bare[window] = (away <= 1.3 * threshold) & self.known[window]
        return bare


class EmptyFelt:
    """The full picture of the table with nothing on it, as far as it has been seen: what a stack covers.

    Unlike :class:`BareTable` it keeps away from everything that lies there: of a stack found too small, or of
    its shadow, nothing may get into the picture that it will be compared with.
    """

    def __init__(self, shape: tuple[int, int], px_per_mm: float) -> None:
        """``shape``, ``px_per_mm``: of the small picture."""
        away_px = max(1, round(_AWAY_MM * px_per_mm))
        self._away = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * away_px + 1, 2 * away_px + 1))
        self._specks = np.ones((3, 3), np.uint8)
        self._beside_px = max(1, away_px // 2)
        self._known: Mask = np.zeros(shape, np.bool_)
        self._picture: Picture | None = None

    def learn(self, image: Picture, free: Mask) -> None:
        """Take the full picture (H, W, 3) where, and about where, nothing lies (h, w)."""
        taken = cv2.morphologyEx((~free).view(np.uint8), cv2.MORPH_OPEN, self._specks)
        free = free & ~np.asarray(cv2.dilate(taken, self._away)).astype(np.bool_)
        if self._picture is None or self._picture.shape != image.shape:
            self._picture, self._known = np.zeros_like(image), np.zeros_like(self._known)
        height, width = image.shape[:2]
        whole = cv2.resize(free.view(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST)
        cv2.copyTo(image, whole, self._picture)
        self._known = self._known | free

    def about(self, place: Footprint) -> Picture | None:
        """The picture (H, W, 3), if the felt is known at a place and about it."""
        known = place.grown(self._beside_px).share(self._known) > _KNOWN
        return self._picture if known else None
