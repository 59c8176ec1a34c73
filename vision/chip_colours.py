"""Colours by name, as a table file gives them for a house's chips, and nearness of colours seen to them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera import Floats

COLOUR_NAMES = (
    "white",
    "grey",
    "black",
    "red",
    "orange",
    "brown",
    "yellow",
    "green",
    "blue",
    "purple",
    "pink",
)
"""The names that the reader tells apart, in the order of its outputs."""

_SYNONYMS = {
    "gray": "grey",
    "silver": "grey",
    "cream": "white",
    "ivory": "white",
    "gold": "yellow",
    "violet": "purple",
    "lavender": "purple",
    "mauve": "purple",
    "magenta": "pink",
    "rose": "pink",
    "maroon": "red",
    "burgundy": "red",
    "crimson": "red",
    "scarlet": "red",
    "navy": "blue",
    "azure": "blue",
    "cyan": "blue",
    "turquoise": "blue",
    "teal": "green",
    "lime": "green",
    "olive": "green",
    "beige": "white",
    "tan": "brown",
    "chocolate": "brown",
    "amber": "orange",
    "peach": "orange",
}

TYPICAL: dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "white": ((0.89, 0.89, 0.89), (0.06, 0.06, 0.06)),
    "grey": ((0.51, 0.51, 0.51), (0.08, 0.08, 0.08)),
    "black": ((0.09, 0.09, 0.09), (0.04, 0.04, 0.04)),
    "red": ((0.12, 0.12, 0.70), (0.07, 0.07, 0.14)),
    "orange": ((0.11, 0.43, 0.89), (0.06, 0.08, 0.06)),
    "brown": ((0.13, 0.22, 0.35), (0.05, 0.06, 0.08)),
    "yellow": ((0.17, 0.78, 0.88), (0.10, 0.09, 0.07)),
    "green": ((0.23, 0.49, 0.18), (0.14, 0.15, 0.11)),
    "blue": ((0.62, 0.34, 0.17), (0.19, 0.17, 0.12)),
    "purple": ((0.47, 0.18, 0.39), (0.13, 0.09, 0.13)),
    "pink": ((0.67, 0.49, 0.91), (0.09, 0.10, 0.05)),
}
"""What is called so, of the chips that the reader was trained on: blue, green and red, 0..1, and spreads."""

LAB_SCALE = np.array([25.0, 25.0, 25.0])
"""Unit of the colours that the reader's network gives: CIE L*a*b* differences."""


def colour_name(text: str) -> str | None:
    """The reader's name for a colour word (``"light blue"``, ``"Gray"``), None for an unknown one."""
    for word in reversed(text.lower().replace("-", " ").split()):
        name = _SYNONYMS.get(word, word)
        if name in COLOUR_NAMES:
            return name
    return None


def lab_of_rgb(rgb: Sequence[int]) -> Floats:
    """CIE L*a*b* (3,) of red, green, blue 0..255 (sRGB, D65)."""
    pixel = np.array([[[rgb[2], rgb[1], rgb[0]]]], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_BGR2LAB)[0, 0], np.float64)


def bgr_of_lab(lab: Floats) -> NDArray[np.float32]:
    """Blue, green and red 0..1 (..., 3) of colours in ``LAB_SCALE``, as the networks give them."""
    plain = (np.asarray(lab) * LAB_SCALE + [50, 0, 0]).astype(np.float32).reshape(1, -1, 3)
    bgr = np.clip(cv2.cvtColor(plain, cv2.COLOR_LAB2BGR), 0, 1)
    return np.asarray(bgr.reshape(np.shape(lab)), np.float32)


def softmax(scores: NDArray[np.floating]) -> Floats:
    """Probabilities along the last axis."""
    shifted = np.asarray(scores, np.float64)
    shifted = np.exp(shifted - shifted.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def sigmoid(score: float) -> float:
    """The probability (0..1) that a network's score stands for, however large it is."""
    return 0.5 * (1.0 + math.tanh(0.5 * score))
