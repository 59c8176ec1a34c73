"""What the networks are told of a house, and what is made of what they say of its chips."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Floats
from vision.chip_colours import TYPICAL, lab_of_rgb
from vision.chip_set import EXACT_SPREAD, SEEN_SPREAD, ChipColour, ChipSet, joined, palette_of, value_scores

RGB = (200, 25, 30)


def told(chip: ChipColour, seen: dict[int, Floats] | None = None) -> list[float]:
    """What is told of one chip: its colour and how far it may be from that."""
    return [float(x) for x in palette_of(ChipSet(39.5, 3.3, (chip,)), seen or {})[0]]


@pytest.mark.parametrize(
    ("chip", "seen", "bgr", "spread"),
    [
        (ChipColour(5, "red"), {}, TYPICAL["red"][0], TYPICAL["red"][1]),
        (ChipColour(5, "crimson"), {}, TYPICAL["red"][0], TYPICAL["red"][1]),
        (ChipColour(5, rgb=RGB), {}, (30 / 255, 25 / 255, 200 / 255), (EXACT_SPREAD,) * 3),
        (ChipColour(5, "red", rgb=RGB), {}, (30 / 255, 25 / 255, 200 / 255), (EXACT_SPREAD,) * 3),
        (
            ChipColour(5, lab=tuple((lab_of_rgb(RGB) - [50, 0, 0]) / 25)),
            {},
            (30 / 255, 25 / 255, 200 / 255),
            (EXACT_SPREAD,) * 3,
        ),
        (ChipColour(5, "red"), {5: np.array([0.1, 0.2, 0.3])}, (0.1, 0.2, 0.3), (SEEN_SPREAD,) * 3),
        (ChipColour(5, "red"), {25: np.array([0.1, 0.2, 0.3])}, TYPICAL["red"][0], TYPICAL["red"][1]),
    ],
    ids=["name", "synonym", "rgb", "rgb over name", "lab", "enrolled", "another enrolled"],
)
def test_a_chip_is_told_by_the_best_that_is_known_of_it(
    chip: ChipColour, seen: dict[int, Floats], bgr: tuple[float, ...], spread: tuple[float, ...]
) -> None:
    assert told(chip, seen) == pytest.approx([*bgr, *spread], abs=0.01)


def test_chips_keep_the_houses_order() -> None:
    house = ChipSet(39.5, 3.3, (ChipColour(100, "black"), ChipColour(5, "red")))
    assert palette_of(house)[:, :3] == pytest.approx(np.array([TYPICAL["black"][0], TYPICAL["red"][0]]))


@pytest.mark.parametrize(
    ("logits", "best", "least", "most"),
    [
        ([8.0, 0.0, 0.0, 0.0], 0, 0.99, 1.0),
        ([3.0, 2.5, 0.0, 0.0], 0, 0.5, 0.7),
        ([1.0, 0.0, 0.0, 6.0], 0, 0.0, 0.15),
    ],
    ids=["sure", "one of two", "none of them"],
)
def test_what_is_missing_to_one_is_that_it_is_none(
    logits: list[float], best: int, least: float, most: float
) -> None:
    p = np.exp(value_scores(np.array([logits, logits])))
    assert p.shape == (3,)
    assert int(p.argmax()) == best
    assert least <= p[best] <= most
    assert p.sum() <= 1 + 1e-6


def test_looks_that_differ_make_less_sure() -> None:
    one, other = [6.0, 0.0, 0.0], [0.0, 6.0, 0.0]
    assert np.exp(value_scores(np.array([one, one])))[0] > 0.95
    assert np.exp(value_scores(np.array([one, other]))).max() < 0.6


def test_looks_that_agree_are_surer_together_and_none_of_them_stays_none() -> None:
    sure, unsure = np.log([0.9, 0.05, 0.04]), np.log([0.7, 0.1, 0.1])
    together = np.exp(joined(np.stack([sure, unsure]), 1.0))
    assert together[0] > 0.95
    nothing = np.log([0.1, 0.02, 0.01])
    assert np.exp(joined(np.stack([nothing, nothing]), 0.5)).sum() == pytest.approx(0.13, abs=0.01)
