"""What is on a photograph: the cards and chips that were read, and the picture with them drawn in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import Face

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

Point = tuple[float, float]

UNREADABLE = "??"
BACK = "back"


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """One card: its name as in ``Th``, ``??`` where the face is not readable, or ``back``."""

    card: str
    p: float
    """How sure the name is; of what has none, how sure it is that a card is there."""
    quad_px: tuple[Point, Point, Point, Point]
    """Corners in pixels, clockwise from the top left of the side that is seen."""
    face: Face


@dataclass(frozen=True, slots=True)
class PhotoChips:
    """One stack of chips, or a single chip. ``p``: how sure it is that it is there and read right."""

    box_px: tuple[float, float, float, float]
    """x0, y0, x1, y1."""
    denominations: tuple[int | None, ...] | None
    count: int | None
    value: int | None
    p: float


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """What is on a photograph; cards and chips from the top of the picture to the bottom."""

    cards: tuple[PhotoCard, ...]
    chips: tuple[PhotoChips, ...]

    def as_json(self) -> dict[str, object]:
        """The published form ``veedor.read/1``."""
        return {
            "format": "veedor.read/1",
            "cards": [
                {
                    "card": c.card,
                    "p": round(c.p, 4),
                    "quad": [[round(x, 1), round(y, 1)] for x, y in c.quad_px],
                    "face": c.face.value,
                }
                for c in self.cards
            ],
            "chips": [
                {
                    "box": [round(v, 1) for v in c.box_px],
                    "denominations": None if c.denominations is None else list(c.denominations),
                    "count": c.count,
                    "value": c.value,
                    "p": round(c.p, 4),
                }
                for c in self.chips
            ],
        }


def as_points(quad: Array) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d


_BLUE, _ORANGE, _PURPLE, _GREY = (178, 114, 0), (0, 159, 230), (167, 121, 204), (120, 120, 120)
"""Okabe and Ito's colours, which the colour-blind tell apart: named faces, chips, backs, others."""


def annotate(image: Array, reading: PhotoReading) -> Array:
    """A copy of the picture (H, W, 3) uint8 BGR with outlines, the cards' names and stacks' values."""
    out = np.ascontiguousarray(image.copy())
    size = max(out.shape[:2]) / 1000
    for card in reading.cards:
        colour = _PURPLE if card.card == BACK else _GREY if card.card == UNREADABLE else _BLUE
        _outline(out, np.array(card.quad_px), colour, size)
    for stack in reading.chips:
        x0, y0, x1, y1 = stack.box_px
        _outline(out, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), _ORANGE, size)
    for card in reading.cards:
        colour = _PURPLE if card.card == BACK else _GREY if card.card == UNREADABLE else _BLUE
        _label(out, f"{card.card} {card.p:.0%}", np.array(card.quad_px).mean(axis=0), colour, size)
    for stack in reading.chips:
        x0, y0, x1, _ = stack.box_px
        words = "chips" if stack.count is None else f"{stack.count} chips"
        text = words if stack.value is None else f"{words} = {stack.value}"
        _label(out, text, np.array([(x0 + x1) / 2, y0]), _ORANGE, size)
    return out


def _outline(out: Array, quad: Array, colour: tuple[int, int, int], size: float) -> None:
    points = [np.round(quad * 8).astype(np.int32)]
    cv2.polylines(out, points, True, (255, 255, 255), max(3, round(6 * size)), cv2.LINE_AA, 3)
    cv2.polylines(out, points, True, colour, max(1, round(3 * size)), cv2.LINE_AA, 3)


def _label(out: Array, text: str, centre: Array, colour: tuple[int, int, int], size: float) -> None:
    scale, thick = max(0.4, 0.75 * size), max(1, round(1.6 * size))
    (w, h), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    pad = max(2, h // 3)
    x = int(np.clip(centre[0] - w / 2, pad, max(pad, out.shape[1] - w - pad)))
    y = int(np.clip(centre[1] + h / 2, h + pad, max(h + pad, out.shape[0] - base - pad)))
    cv2.rectangle(out, (x - pad, y - h - pad), (x + w + pad, y + pad), (255, 255, 255), -1)
    cv2.rectangle(out, (x - pad, y - h - pad), (x + w + pad, y + pad), colour, max(1, thick))
    cv2.putText(out, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), thick, cv2.LINE_AA)
