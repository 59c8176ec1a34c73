"""Stand-ins for reading photographs: a finder that says what it was told, a reader of colours, and a card."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK
from vision.detector import Detections, Kind

Array = NDArray[Any]

FELT = (60, 100, 20)
NINE = np.array([[60, 60], [123, 60], [123, 148], [60, 148]], np.float32)
"""Corners of an upright card, from its top left."""


class Finder:
    """Says what it was told, whatever the picture."""

    def __init__(self, *rows: tuple[Kind, Array, float]) -> None:
        self.rows = rows

    def detect_multiscale(
        self, image: Array, *, least_score: float | None = None, undecided: bool = False
    ) -> Detections:
        assert image.ndim == 3
        assert undecided
        rows = [row for row in self.rows if row[2] >= (least_score or 0)]
        return Detections(
            np.array([row[0] for row in rows], np.int8),
            np.array([row[1] for row in rows], np.float32).reshape(-1, 4, 2),
            np.array([row[2] for row in rows], np.float32),
        )


class ColourReader:
    """Takes a face with blue above and red below for the first card, turned over for it too, but less surely;
    an all blue one for a back; whatever lies on its side, or is something else, for unreadable."""

    def read(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        answers = np.zeros((len(faces), len(PACK) + 2), np.float32)
        for face, answer in zip(faces, answers, strict=True):
            h = face.shape[0]
            top, bottom = (part.reshape(-1, 3).mean(axis=0) for part in (face[: h // 3], face[-h // 3 :]))
            blue = [bool(part[0] > 150 and part[2] < 100) for part in (top, bottom)]
            red = [bool(part[2] > 150 and part[0] < 100) for part in (top, bottom)]
            either_end_up = (blue[0] and red[1]) or (red[0] and blue[1])
            place = len(PACK) if all(blue) else 0 if either_end_up else len(PACK) + 1
            answer[place] = 0.95 if blue[0] else 0.85
            answer[len(PACK) + 1] += 1 - answer.sum()
        return answers


def scene(
    quad: Array = NINE,
    top: tuple[int, int, int] = (220, 40, 40),
    bottom: tuple[int, int, int] = (40, 40, 220),
) -> Array:
    """A card whose upper half has one colour and its lower half another, with a white border, on felt."""
    image = np.full((220, 260, 3), FELT, np.uint8)
    face = np.full((88, 63, 3), 245, np.uint8)
    face[2:44, 2:-2], face[44:-2, 2:-2] = top, bottom
    corners = np.array([[0, 0], [63, 0], [63, 88], [0, 88]], np.float32)
    move = cv2.getPerspectiveTransform(corners - 0.5, quad - 0.5)
    mask = cv2.warpPerspective(np.full((88, 63), 255, np.uint8), move, (260, 220))
    drawn = cv2.warpPerspective(face, move, (260, 220))
    return np.where(mask[:, :, None] > 127, drawn, image)
