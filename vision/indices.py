"""What the corner indices of a rectified face add to the reading of the whole face.

Figures of an unknown pack mislead or say nothing; the letter and the sign in the corner say the same on
every pack. So the corners are cut out of the face and read by a network of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK
from vision.corners import INDEX_AT, NO_INDEX, cut_corner

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

FACE_WEIGHT, INDEX_WEIGHT = 1.0, 0.7
"""What the logarithms of a face's and of an index's probabilities count for."""
_MISTAKEN = 0.02
"""Share of readings that may mean something else altogether."""
_LEAST_INDEX, _LEAST_ALONE = 0.4, 0.97
"""How surely an index must be read to be heard: with a second one that says the same, and without."""
_ALONE = 0.9
"""What a single index that no second one confirms counts for, at most."""
_FIRST, _OTHERS = [0, 2], [1, 3]
"""Corners, clockwise from the top left one."""
_BACK, _UNREADABLE = len(PACK), len(PACK) + 1


def corner_frames(height_px: int, width_px: int) -> Array:
    """The frames (4, 6) float32 of the indices of a face that fills a picture: clockwise from top left."""
    x, y = INDEX_AT[0] * width_px, INDEX_AT[1] * height_px
    right, down = (width_px, 0.0), (0.0, height_px)
    left, up = (-width_px, 0.0), (0.0, -height_px)
    return np.array(
        [
            (x, y, *right, *down),
            (width_px - x, y, *right, *down),
            (width_px - x, height_px - y, *left, *up),
            (x, height_px - y, *left, *up),
        ],
        np.float32,
    )


def cut_indices(faces: NDArray[np.uint8], corners: Sequence[int] = range(4)) -> NDArray[np.uint8]:
    """Corners of each face (n, H, W, 3), each upright: (n * corners, 56, 36, 3) uint8."""
    frames = corner_frames(*faces.shape[1:3])[list(corners)]
    return np.stack([cut_corner(face, frame) for face in faces for frame in frames])


def read_indices(faces: NDArray[np.uint8], read: Callable[[NDArray[np.uint8]], Array]) -> Array:
    """What the corners of faces (n, H, W, 3) show: (n, 4, 53). ``read``: names cut corners.

    Most packs have their indices in the two corners that are read first; where these agree the others are not
    looked at, and said to show none.
    """
    seen = np.zeros((len(faces), 4, NO_INDEX + 1), np.float32)
    seen[:, :, NO_INDEX] = 1
    seen[:, _FIRST] = read(cut_indices(faces, _FIRST)).reshape(len(faces), 2, -1)
    first = seen[:, _FIRST, :NO_INDEX]
    heard = (first.max(axis=2) > _LEAST_INDEX).all(axis=1)
    open_ = np.flatnonzero(~heard | (first[:, 0].argmax(axis=1) != first[:, 1].argmax(axis=1)))
    if len(open_):
        others = read(cut_indices(faces[open_], _OTHERS)).reshape(len(open_), 2, -1)
        seen[open_[:, None], _OTHERS] = others
    return seen


def log_mixed(p: Array) -> Array:
    """Logarithm of probabilities (..., 52) that may be mistaken: none is ever ruled out."""
    return np.asarray(np.log((1 - _MISTAKEN) * p + _MISTAKEN / len(PACK)))


def with_indices(faces: Array, indices: Array) -> Array:
    """Readings (n, 54) of faces, joined with those of their corners (n, 4, 53): (n, 54), rows summing to 1.

    Of each face the two corners that say most are heard where they agree, else one that is very sure.
    """
    out = np.array(faces, np.float64)
    best = indices[:, :, :NO_INDEX].max(axis=2)
    names = indices[:, :, :NO_INDEX].argmax(axis=2)
    for row in np.flatnonzero(best.max(axis=1) > _LEAST_INDEX):
        heard = [k for k in np.argsort(-best[row])[:2] if best[row, k] > _LEAST_INDEX]
        agree = len(heard) == 2 and names[row, heard[0]] == names[row, heard[1]]
        if not agree and best[row, heard[0]] < _LEAST_ALONE:
            continue
        heard = heard if agree else heard[:1]
        face = out[row, : len(PACK)]
        readable = float(face.sum())
        score = FACE_WEIGHT * readable * log_mixed(face / max(readable, 1e-9))
        for k in heard:
            there = float(1 - indices[row, k, NO_INDEX])
            score = score + INDEX_WEIGHT * there * log_mixed(indices[row, k, :NO_INDEX] / max(there, 1e-9))
        named = np.exp(score - score.max())
        named /= named.sum()
        sure = 1 - float(np.prod(1 - best[row, heard])) if agree else _ALONE * float(best[row, heard[0]])
        cards = max(readable, sure * (1 - float(out[row, _BACK])))
        rest = max(1 - readable, 1e-9)
        out[row, _BACK:] *= (1 - cards) / rest
        out[row, : len(PACK)] = named * cards
    out /= out.sum(axis=1, keepdims=True)
    return np.asarray(out, np.float32)
