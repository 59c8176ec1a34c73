"""Two boxes round one pile are one stack; two stacks that touch stay two."""

from __future__ import annotations

import numpy as np
import pytest

from rules.spots import TABLE
from vision.footprint import Footprint
from vision.piles import each_once
from vision.tracking import Family, Sight


def pile(x_mm: float, score: float) -> Sight:
    place = Footprint(0, 0, np.ones((2, 2), np.bool_), (10, 10))
    return Sight(Family.STACK, TABLE, (x_mm, 100.0), np.zeros((4, 2)), score, place)


@pytest.mark.parametrize(
    ("places", "kept"),
    [
        ([(0.0, 0.8), (4.0, 0.6)], [0.0]),
        ([(0.0, 0.6), (20.0, 0.8)], [20.0]),
        ([(0.0, 0.8), (39.5, 0.6)], [0.0, 39.5]),
        ([(0.0, 0.8), (29.5, 0.6)], [0.0, 29.5]),  # they touch, and a foot is wrong by 10 mm
        ([(0.0, 0.5), (18.0, 0.9), (36.0, 0.6)], [18.0]),  # both stand where the surest does
        ([(0.0, 0.5), (20.0, 0.6), (40.0, 0.9)], [0.0, 40.0]),  # what is dropped drops no other
        ([], []),
    ],
    ids=["twice", "the surer", "touching", "badly placed", "around", "a row", "none"],
)
def test_a_pile_found_twice_is_one(places: list[tuple[float, float]], kept: list[float]) -> None:
    found = each_once([pile(x_mm, score) for x_mm, score in places], 39.5)
    assert [sight.at_mm[0] for sight in found] == kept
