"""What a half-read stack may be: few contents with what they weigh, or nothing."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from vision.camera import Floats
from vision.chip_amounts import CLAIM, MAX_COUNT, contents, may_be
from vision.chip_set import ChipColour, ChipSet
from vision.chip_stacks import StackReading, StackScores, decide
from vision.chips import COUNTS

HOUSE = ChipSet(
    39.0, 3.3, tuple(ChipColour(v, name) for v, name in ((5, "red"), (25, "green"), (100, "black")))
)
RED, GREEN, BLACK = range(3)


def logs(probabilities: Floats) -> Floats:
    return np.log(probabilities + 1e-9)


def scores(counts: dict[int, float], levels: list[dict[int, float]], clear: float = 1.0) -> StackScores:
    """A stack's scores; the rest of each probability goes to the other counts (values) alike."""
    count = np.full(COUNTS, (1 - sum(counts.values())) / COUNTS)
    for number, p in counts.items():
        count[number] = p
    chips = np.full((COUNTS, 3), 1e-6)
    for level, values in enumerate(levels):
        for value, p in values.items():
            chips[level, value] = p
    top = np.array([0.34, 0.33, 0.33])
    return StackScores(logs(count), logs(chips), logs(top), clear, 3.0, 1.0, None, None, 1.5)


def told(seen: StackScores) -> dict[tuple[int, ...], float]:
    reading = StackReading((0.0, 0.0), None, None, None, "not sure", 0.0, seen)
    return {chips.denominations: chips.p for chips in may_be(HOUSE, reading)}


SURE = {RED: 0.9998}


def test_one_chip_more_or_less() -> None:
    found = told(scores({2: 0.6, 3: 0.3999}, [SURE] * 4))
    assert list(found) == [(5, 5), (5, 5, 5)]
    assert math.isclose(sum(found.values()), CLAIM, abs_tol=1e-3)


def test_a_colour_between_two_values_for_one_chip_or_for_all_that_look_alike() -> None:
    found = told(scores({2: 0.9999}, [{RED: 0.7, GREEN: 0.2999}] * 2))
    assert set(found) == {(5, 5), (25, 5), (25, 25)}
    assert found[25, 25] > 0.3**2
    assert found[5, 5] > found[25, 5] > found[25, 25]


def test_chips_in_another_order_are_the_same_content() -> None:
    either = {RED: 0.5, GREEN: 0.4999}
    assert set(told(scores({2: 0.9999}, [either, either]))) == {(5, 5), (25, 5), (25, 25)}


@pytest.mark.parametrize(
    "seen",
    [
        scores({2: 0.9999}, [SURE] * 2, clear=0.3),
        scores({2: 0.5}, [SURE] * 4),
        scores({2: 0.9999}, [{RED: 0.5}] * 2),
        scores({MAX_COUNT + 1: 0.9999}, [SURE] * (MAX_COUNT + 1)),
        replace(scores({2: 0.9999}, [SURE] * 2), strange=np.full(COUNTS, 3.0)),
        replace(scores({2: 0.9999}, [SURE] * 2), counts=None, chips=None),
    ],
    ids=["hidden", "any count", "none of the house's", "tall", "unlike any enrolled", "too thin"],
)
def test_nothing_is_said_where_it_may_be_much_else(seen: StackScores) -> None:
    assert told(seen) == {}


def test_a_stack_that_is_read_has_no_doubt() -> None:
    reading = decide(HOUSE, (0.0, 0.0), scores({2: 0.9999}, [SURE] * 2))
    assert reading.denominations == (5, 5)
    assert may_be(HOUSE, reading) == ()


def test_all_that_is_likely_is_reckoned_with() -> None:
    seen = scores({2: 0.6, 3: 0.3999}, [{RED: 0.5, GREEN: 0.3, BLACK: 0.1999}] * 4)
    assert sum(contents(seen).values()) == pytest.approx(1, abs=0.02)
