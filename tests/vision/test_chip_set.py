"""A house's colours: a chip of another colour is none of them, however sure the reader is of what it sees."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Floats
from vision.chip_colours import COLOUR_NAMES
from vision.chip_set import ChipColour, ChipSet, joined, value_scores

HOUSE = ChipSet(39.5, 3.3, (ChipColour(5, "red"), ChipColour(25, "green"), ChipColour(100, "black")))
LAB = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def seen(**shares: float) -> Floats:
    """Logits of a colour seen as so much of each name."""
    rest = (1 - sum(shares.values())) / (len(COLOUR_NAMES) - len(shares))
    return np.asarray(np.log([shares.get(name, rest) for name in COLOUR_NAMES]), float)


@pytest.mark.parametrize(
    ("names", "least", "most"),
    [
        (seen(red=0.99), 0.97, 1.0),
        (seen(red=0.85, orange=0.1), 0.8, 0.99),
        (seen(orange=0.97, red=0.02), 0.0, 0.6),
        (seen(orange=0.998, red=0.001), 0.0, 0.1),
    ],
)
def test_a_colour_that_is_none_of_the_houses_is_not_taken_for_the_nearest(
    names: Floats, least: float, most: float
) -> None:
    p = np.exp(value_scores(HOUSE, names, LAB))
    assert int(p.argmax()) == 0
    assert least <= p[0] <= most
    assert p.sum() <= 1 + 1e-6


def test_a_house_of_every_colour_has_no_strangers() -> None:
    house = ChipSet(39.5, 3.3, tuple(ChipColour(k + 1, name) for k, name in enumerate(COLOUR_NAMES)))
    assert np.exp(value_scores(house, seen(orange=0.9), LAB)).sum() == pytest.approx(1, abs=1e-3)


def test_looks_that_agree_are_surer_together_and_none_of_them_stays_none() -> None:
    sure, unsure = np.log([0.9, 0.05, 0.04]), np.log([0.7, 0.1, 0.1])
    together = np.exp(joined(np.stack([sure, unsure]), 1.0))
    assert together[0] > 0.95
    nothing = np.log([0.1, 0.02, 0.01])
    assert np.exp(joined(np.stack([nothing, nothing]), 0.5)).sum() == pytest.approx(0.13, abs=0.01)
