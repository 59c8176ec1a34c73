"""Finds and names the corner indices of cards in a photograph: what a fan or a pile still shows of a card.

One small network marks where indices are and how their cards lie, a second one names each index cut out
straight. Both look at the picture in several scales, since nothing is known of the camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK
from vision.weights import Weights

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

INDEX_AT = (0.11, 0.16)
"""Where an index is on its card: the middle of rank and suit sign, as shares of the short and long side."""
CROP_PX = (56, 36)
"""Height and width of an index as the reader sees it."""
CROP_FROM, CROP_TO = (-0.15, -0.19), (0.23, 0.24)
"""What of the card is cut out: shares of its sides, from the index's middle."""
STRIDE = 4
"""Pixels of the picture a cell of the finder's maps stands for."""
VECTOR_PX = 100.0
"""The finder gives the card's sides in this unit."""
NO_INDEX = len(PACK)
"""The reader's class for what is no index."""
CARD_PX = (70.0, 205.0)
"""Heights of cards whose indices are found and read at the scale of the picture."""

CORNER_FINDER = Weights(
    "card_reader/corner_finder.onnx",
    "finds corner indices in a photograph",
    inputs={"picture": (1, None, None, 3)},
    outputs={"maps": (7, None, None)},
)
CORNER_READER = Weights(
    "card_reader/corner_reader.onnx",
    "names a corner index",
    inputs={"crops": (None, *CROP_PX, 3)},
    outputs={"probabilities": (None, NO_INDEX + 1)},
)
FINDER, READER = CORNER_FINDER.path, CORNER_READER.path
_CUTS = ((1.0, 1.0), (0.8, 1.0), (0.85, 0.85), (1.15, 1.15))
"""Every index is read in several cuts: shares of the card's sides as the finder guesses them. Of a card in a
fan only a strip shows, so the guess is rough, and a wide cut shows two indices."""
_SHARPER = 1.25
"""What several cuts say is surer than their mean: its power that says best how often readings are right."""
_LEAST_HEAT = 0.25
_LARGEST_PX = 1280
_SMALLEST_PX = 224
_BATCH = 64


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Indices found in a picture.

    ``frame`` (n, 6) float32: the index's place (x, y), and its card's short and long side from there as
    vectors (right along the top, down along the side), px; ``heat`` (n,) float32 how surely there is one;
    ``read`` (n, 53) float32 probabilities of the 52 cards as in ``PACK`` and of no index at all.
    """

    frame: Array
    heat: Array
    read: Array

    def __len__(self) -> int:
        return len(self.heat)

    def name(self, row: int) -> str:
        """The card that an index says most likely, as in ``Th``."""
        return str(PACK[int(self.read[row, :NO_INDEX].argmax())])

    @staticmethod
    def none() -> Corners:
        """No index at all."""
        return Corners(np.zeros((0, 6), np.float32), np.zeros(0, np.float32), np.zeros((0, NO_INDEX + 1)))


def card_quad(frame: Array) -> Array:
    """The whole card (4, 2) of a frame (6,), clockwise from the corner that the index is next to."""
    u, v = frame[2:4], frame[4:6]
    start = frame[:2] - INDEX_AT[0] * u - INDEX_AT[1] * v
    return np.stack([start, start + u, start + u + v, start + v])


def crop_matrix(frame: Array) -> Array:
    """Where each pixel of the index's crop lies in the picture: (2, 3), for a frame (6,)."""
    height, width = CROP_PX
    u, v = np.asarray(frame[2:4], np.float64), np.asarray(frame[4:6], np.float64)
    start = frame[:2] + CROP_FROM[0] * u + CROP_FROM[1] * v
    right, down = u * (CROP_TO[0] - CROP_FROM[0]) / width, v * (CROP_TO[1] - CROP_FROM[1]) / height
    start = start + (right + down) / 2 - 0.5
    return np.array([[right[0], down[0], start[0]], [right[1], down[1], start[1]]])


def cut_corner(image: Array, frame: Array) -> Array:
    """The index of a frame (6,) cut out of a picture (H, W, 3) uint8, upright: (56, 36, 3) uint8."""
    flags, size = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, (CROP_PX[1], CROP_PX[0])
    matrix = crop_matrix(frame)
    return np.asarray(cv2.warpAffine(image, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


class IndexReader:
    """Names indices that were cut out. Raises ModelError where its weights are missing or broken."""

    def __init__(self, path: Path = READER, threads: int = 1) -> None:
        self._session = CORNER_READER.open(threads, path)
        self._input = self._session.get_inputs()[0].name

    def read(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Probabilities (n, 53) of indices (n, 56, 36, 3) uint8 BGR as from ``cut_corner``: 52 cards as in
        ``PACK``, and no index."""
        parts = [
            self._session.run(None, {self._input: crops[i : i + _BATCH]})[0]
            for i in range(0, len(crops), _BATCH)
        ]
        return np.asarray(np.concatenate(parts), np.float32)


class CornerReader:
    """Finds and reads corner indices. Raises ModelError where its weights are missing or broken."""

    def __init__(self, finder: Path = FINDER, reader: Path = READER, threads: int = 1) -> None:
        self._finder, self._reader = CORNER_FINDER.open(threads, finder), IndexReader(reader, threads)
        self._input = self._finder.get_inputs()[0].name

    def find(self, image: Array) -> Corners:
        """All indices in a picture (H, W, 3) uint8 BGR of cards of about 70 px height and more."""
        frames, heats = [], []
        crops: list[Array] = []  # of each index, one for each of _CUTS
        scale = min(1.0, _LARGEST_PX / max(image.shape[:2]))
        while scale * min(image.shape[:2]) >= 1:  # of a thin strip, nothing is left at last
            picture = (
                image
                if scale == 1
                else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            )
            frame, heat = self._spots(picture)
            # Neighbouring scales see the same cards: each keeps those of its own size, with some overlap.
            height = np.linalg.norm(frame[:, 4:6], axis=1)
            last = max(picture.shape[:2]) / 2 < _SMALLEST_PX
            mine = (height > CARD_PX[0] * 0.7) & ((height < CARD_PX[1] * 1.3) | last)
            for one, warmth in zip(frame[mine], heat[mine], strict=True):
                frames.append(one / scale)
                heats.append(warmth)
                crops.extend(cut_corner(picture, _sized(one, sides)) for sides in _CUTS)
            if last:
                break
            scale /= 2
        read = _together(self._reader.read(np.stack(crops))) if crops else Corners.none().read
        every = Corners(
            np.array(frames, np.float32).reshape(-1, 6), np.array(heats, np.float32).reshape(-1), read
        )
        return _once(every)

    def _spots(self, picture: Array) -> tuple[Array, Array]:
        """Frames (n, 6) and heats (n,) where the finder's map has peaks."""
        h, w = picture.shape[:2]
        padded = cv2.copyMakeBorder(picture, 0, -h % 16, 0, -w % 16, cv2.BORDER_REPLICATE)
        maps = self._finder.run(None, {self._input: padded[None]})[0]
        heat = maps[0]
        peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > _LEAST_HEAT)
        ys, xs = np.nonzero(peak)
        at = maps[:, ys, xs]
        place = (np.stack([xs, ys], axis=1) + 0.5 + at[1:3].T) * STRIDE
        return np.concatenate([place, at[3:7].T * VECTOR_PX], axis=1).astype(np.float32), heat[ys, xs]


def _sized(frame: Array, sides: tuple[float, float]) -> Array:
    """A frame (6,) whose card has other sides, by these shares."""
    return np.concatenate([frame[:2], frame[2:4] * sides[0], frame[4:6] * sides[1]])


def _together(read: Array) -> Array:
    """What the cuts of each index, one after the other (n * cuts, 53), say together: (n, 53)."""
    power = read.reshape(-1, len(_CUTS), NO_INDEX + 1).mean(axis=1) ** _SHARPER
    return np.asarray(power / power.sum(axis=1, keepdims=True), np.float32)


def _once(found: Corners) -> Corners:
    """Each index once: of those closer together than an index is wide, the one that is read most surely."""
    worth = found.read[:, :NO_INDEX].max(axis=1) * found.heat if len(found) else found.heat
    kept: list[int] = []
    for i in np.argsort(-worth):
        apart = 0.07 * float(np.linalg.norm(found.frame[i, 4:6]))
        if all(float(np.linalg.norm(found.frame[i, :2] - found.frame[k, :2])) > apart for k in kept):
            kept.append(int(i))
    return Corners(found.frame[kept], found.heat[kept], found.read[kept])
