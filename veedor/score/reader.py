"""The product's own photo reading, in the shape that scoring compares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from veedor.score.photographs import SeenCard, SeenPhoto
from vision.card_reader import CardReader
from vision.corners import CornerReader
from vision.detector import Detector
from vision.photo import read_photo


def photo_reader() -> Callable[[NDArray[np.uint8]], SeenPhoto]:
    """A function from a picture, (H, W, 3) BGR, to what `veedor read` finds on it."""
    detector, cards, corners = Detector(), CardReader(), CornerReader()

    def read(image: NDArray[np.uint8]) -> SeenPhoto:
        reading = read_photo(image, detector, cards, corner_reader=corners)
        return SeenPhoto(
            cards=tuple(SeenCard(card.card, card.quad_px, card.p) for card in reading.cards),
            chips=tuple(chips.box_px for chips in reading.chips),
        )

    return read
