"""Indices of a rectified face: where they are cut, and what they add to the reading of the whole face."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import PACK
from vision.corners import CROP_PX, NO_INDEX
from vision.indices import corner_frames, cut_indices, read_indices, with_indices

Array = NDArray[Any]
JACK, QUEEN, SIX = 10, 11, 5
BACK, UNREADABLE = len(PACK), len(PACK) + 1


def face(name: int, p: float) -> Array:
    """A reading (1, 54): a class, what is left unreadable."""
    out = np.zeros((1, len(PACK) + 2), np.float32)
    out[0, name] += p
    out[0, UNREADABLE] += 1 - p
    return out


def indices(*said: tuple[int, float]) -> Array:
    """Readings (1, 4, 53) of corners; corners not named show no index."""
    out = np.zeros((1, 4, NO_INDEX + 1), np.float32)
    out[:, :, NO_INDEX] = 1
    for corner, (name, p) in enumerate(said):
        out[0, 2 * corner] = 0
        out[0, 2 * corner, name] = p
        out[0, 2 * corner, NO_INDEX] = 1 - p
    return out


@pytest.mark.parametrize(
    ("whole", "corners", "expected"),
    [
        (face(JACK, 0.9), indices(), JACK),
        (face(JACK, 0.7), indices((QUEEN, 0.98), (QUEEN, 0.97)), QUEEN),
        (face(JACK, 0.05), indices((QUEEN, 0.95), (QUEEN, 0.95)), QUEEN),
        (face(SIX, 0.95), indices((QUEEN, 0.55)), SIX),
        (face(BACK, 0.97), indices((SIX, 0.6)), BACK),
        (face(UNREADABLE, 1.0), indices(), UNREADABLE),
    ],
    ids=["no index", "figure outvoted", "unknown figure", "doubtful index", "back", "nothing"],
)
def test_indices_join_the_face(whole: Array, corners: Array, expected: int) -> None:
    joined = with_indices(whole, corners)
    assert int(joined[0].argmax()) == expected
    assert float(joined[0].sum()) == pytest.approx(1, abs=1e-5)


def test_corners_that_contradict_each_other_change_nothing() -> None:
    joined = with_indices(face(JACK, 0.3), indices((QUEEN, 0.9), (SIX, 0.9)))
    assert np.allclose(joined, face(JACK, 0.3), atol=1e-5)


def test_each_corner_is_cut_upright() -> None:
    faces = np.zeros((2, 112, 80, 3), np.uint8)
    for y, x, value in ((0, 0, 60), (0, 40, 120), (56, 40, 180), (56, 0, 240)):
        faces[:, y : y + 56, x : x + 40] = value
    crops = cut_indices(faces)
    assert crops.shape == (8, *CROP_PX, 3)
    middles = [int(crop[20, CROP_PX[1] // 2, 0]) for crop in crops]
    assert middles == [60, 120, 180, 240] * 2
    assert corner_frames(112, 80).shape == (4, 6)


@pytest.mark.parametrize(
    ("said", "looked_at"),
    [((QUEEN, QUEEN), 2), ((QUEEN, SIX), 4), ((QUEEN, NO_INDEX), 4), ((NO_INDEX, NO_INDEX), 4)],
    ids=["agree", "contradict", "one", "none"],
)
def test_the_other_corners_are_read_where_the_usual_ones_do_not_agree(
    said: tuple[int, int], looked_at: int
) -> None:
    asked: list[int] = []

    def read(crops: NDArray[np.uint8]) -> Array:
        asked.append(len(crops))
        names = said if len(asked) == 1 else (JACK, JACK)
        out = np.zeros((len(crops), NO_INDEX + 1), np.float32)
        out[[0, 1], list(names)] = 1
        return out

    seen = read_indices(np.zeros((1, 112, 80, 3), np.uint8), read)
    others = JACK if looked_at == 4 else NO_INDEX
    assert seen.argmax(axis=2).tolist() == [[said[0], others, said[1], others]]
    assert sum(asked) == looked_at
