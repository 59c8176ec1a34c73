"""Which of the cards and chips that were seen are those of the labels.

Labels are upright boxes round what is visible of a card: they end where another card hides it and at the
picture's edge. The product outlines whole cards. So a seen card is compared by its box inside the picture
and, where that is less alike, by the box round what the other seen cards leave of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

FOUND_IOU = 0.5
"""Overlap (intersection over union of boxes) from which an object counts as found."""
_GRID_PX = 400
"""Long side of the grid on which visible parts are counted."""

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels."""
Outline = tuple[tuple[float, float], ...]
"""Corners in pixels."""


def overlaps(a: Sequence[Box], b: Sequence[Box]) -> NDArray[np.float64]:
    """Intersection over union of every box of ``a`` with every box of ``b``: (len(a), len(b))."""
    left, right = np.array(a, dtype=float).reshape(-1, 1, 4), np.array(b, dtype=float).reshape(1, -1, 4)
    low, high = np.maximum(left[..., :2], right[..., :2]), np.minimum(left[..., 2:], right[..., 2:])
    both = np.prod(np.clip(high - low, 0, None), axis=-1)
    areas = np.prod(left[..., 2:] - left[..., :2], axis=-1) + np.prod(
        right[..., 2:] - right[..., :2], axis=-1
    )
    shares: NDArray[np.float64] = both / np.maximum(areas - both, 1e-9)
    return shares


def match(labels: Sequence[Box], seen: Sequence[Box], at_least: float = FOUND_IOU) -> dict[int, int]:
    """Pair labels with what was seen, best overlap first, each used once: label index to seen index."""
    return paired(overlaps(labels, seen), at_least)


def paired(shares: NDArray[np.float64], at_least: float = FOUND_IOU) -> dict[int, int]:
    """Pairs of rows and columns by their shares (n, m), the largest first, each used once."""
    pairs: dict[int, int] = {}
    for flat in np.argsort(-shares, axis=None):
        i, j = (int(k) for k in np.unravel_index(flat, shares.shape))
        if shares[i, j] < at_least:
            break
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    return pairs


def match_outlines(
    labels: Sequence[Box], seen: Sequence[Outline], size_px: tuple[int, int]
) -> dict[int, int]:
    """Pair labelled boxes with outlined cards in a picture of ``size_px`` (width, height)."""
    if not labels or not seen:
        return {}
    whole = [_inside(box_round(outline), size_px) for outline in seen]
    shares = np.maximum(overlaps(labels, whole), overlaps(labels, visible_boxes(seen, size_px)))
    return paired(shares)


def box_round(outline: Outline) -> Box:
    """The upright box round an outline."""
    xs, ys = zip(*outline, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _inside(box: Box, size_px: tuple[int, int]) -> Box:
    width, height = size_px
    x0, y0, x1, y1 = box
    return max(0.0, x0), max(0.0, y0), min(float(width), x1), min(float(height), y1)


def visible_boxes(outlines: Sequence[Outline], size_px: tuple[int, int]) -> list[Box]:
    """The box round what no other outline covers of each; an empty one at (0, 0) where nothing is left."""
    scale = min(1.0, _GRID_PX / max(size_px))
    width, height = (max(1, round(side * scale)) for side in size_px)
    count = np.zeros((height, width), np.uint8)
    masks = []
    for outline in outlines:
        mask = np.zeros((height, width), np.uint8)
        cv2.fillPoly(mask, [np.round(np.array(outline) * scale).astype(np.int32)], 1)
        masks.append(mask)
        count += mask
    boxes: list[Box] = []
    for mask in masks:
        x, y, w, h = cv2.boundingRect(((mask > 0) & (count == 1)).astype(np.uint8))
        boxes.append((x / scale, y / scale, (x + w) / scale, (y + h) / scale))
    return boxes
