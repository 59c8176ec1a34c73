"""A sheet of small pictures with a line under each, for people to look at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
_TILE_PX = (112, 84)
_LINE_PX = 18
_GAP_PX = 6
_PAPER, _INK, _RED = 255, (40, 40, 40), (30, 30, 200)


@dataclass(frozen=True, slots=True, eq=False)
class Tile:
    """One picture (h, w, 3) uint8 BGR and its words; ``well``: nothing is wrong with it."""

    picture: Picture
    words: str
    well: bool = True


def contact_sheet(tiles: Sequence[Tile], columns: int) -> Picture:
    """The sheet, (H, W, 3) uint8 BGR; what is not well has a red frame and red words."""
    height, width = _TILE_PX
    cell = (height + _LINE_PX + _GAP_PX, width + 2 * _GAP_PX)
    rows = max(1, -(-len(tiles) // columns))
    sheet = np.full((rows * cell[0] + _GAP_PX, columns * cell[1], 3), _PAPER, np.uint8)
    for number, tile in enumerate(tiles):
        y, x = (number // columns) * cell[0] + _GAP_PX, (number % columns) * cell[1] + _GAP_PX
        scale = min(height / tile.picture.shape[0], width / tile.picture.shape[1])
        size = max(1, round(tile.picture.shape[1] * scale)), max(1, round(tile.picture.shape[0] * scale))
        small = cv2.resize(
            tile.picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        )
        sheet[y : y + size[1], x : x + size[0]] = small
        colour = _INK if tile.well else _RED
        if not tile.well:
            cv2.rectangle(sheet, (x - 2, y - 2), (x + size[0] + 1, y + size[1] + 1), _RED, 2)
        at = (x, y + height + _LINE_PX - 5)
        cv2.putText(sheet, tile.words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.38, colour, 1, cv2.LINE_AA)
    return sheet
