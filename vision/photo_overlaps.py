"""What is no card of its own in a photograph, told by what else was read there.

A figure is found in parts where it is large or strange, and a place between cards that lie edge to edge
looks like a card. Both are told only once faces are read: a card whose face is read surely is no table of
cards, and where whole faces are seen there is nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

_INSIDE = 0.85
_SMALL = 0.5
"""A card that lies in another one to the first part, and is smaller than the second part of it, is a part of
it: the cards of one photograph are about as large as each other."""
_SEVERAL = 3
_GRID_PX = 96


def inside(quads: Array, whole: Array) -> Array:
    """Rows (m,) of quadrilaterals (n, 4, 2) that lie in a much larger one (4, 2)."""
    if not len(quads):
        return np.zeros(0, int)
    area = np.array([cv2.contourArea(np.asarray(q, np.float32)) for q in quads])
    small = area < _SMALL * cv2.contourArea(np.asarray(whole, np.float32))
    rows = [i for i in np.flatnonzero(small) if _common(quads[i], whole) > _INSIDE * area[i]]
    return np.array(rows, int)


def holding(quads: Array) -> Array:
    """Mask (n,) of the quadrilaterals (n, 4, 2) in which several much smaller ones lie."""
    return np.array([len(inside(quads, whole)) >= _SEVERAL for whole in quads], bool)


def covered(quad: Array, others: Sequence[Array]) -> float:
    """Which part of a quadrilateral (4, 2) lies under any of the others, 0..1, to about a hundredth."""
    low = quad.min(axis=0)
    longest = float(np.ptp(quad, axis=0).max())
    scale = _GRID_PX / (longest + 1e-6)
    mine = np.zeros((_GRID_PX + 1, _GRID_PX + 1), np.uint8)
    cv2.fillConvexPoly(mine, np.round((quad - low) * scale).astype(np.int32), 1)
    theirs = np.zeros_like(mine)
    for other in others:
        cv2.fillConvexPoly(theirs, np.round((other - low) * scale).astype(np.int32), 1)
    return float((mine & theirs).sum() / mine.sum())


def _common(a: Array, b: Array) -> float:
    return float(cv2.intersectConvexConvex(np.asarray(a, np.float32), np.asarray(b, np.float32))[0])
