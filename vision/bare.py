"""What the table looks like with nothing on it, learned wherever nothing lies."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.footprint import Mask
from vision.stillness import Picture, light_free_distance


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
