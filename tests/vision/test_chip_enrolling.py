"""Enrolled chips: told apart by what was seen of them, and strangers said to be unknown."""

from __future__ import annotations

import re

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import Floats
from vision.chip_colours import COLOUR_NAMES
from vision.chip_enrolling import ChipView, EnrolledChips, described, enrol_chips, mixed
from vision.chip_geometry import LEVELS, LEVELS_BELOW, ROWS_BELOW, ROWS_PER_CHIP, SIDE_SHAPE
from vision.chip_set import ChipColour, ChipSet
from vision.chip_stacks import StackScores, decide
from vision.errors import ChipError
from vision.stack_evidence import StackEvidence

COUNTS = LEVELS - LEVELS_BELOW
HOUSE = ChipSet(39.5, 3.3, (ChipColour(1, "white"), ChipColour(5, "red"), ChipColour(25, "green")))
PAINT = {1: (215, 220, 222), 5: (45, 40, 180), 25: (70, 130, 50), 0: (170, 60, 40), -5: (45, 40, 180)}
SPOTS = {1: (40, 40, 190), 5: (230, 230, 230), 25: (230, 230, 230), 0: (230, 230, 230), -5: (20, 20, 20)}
GEOMETRY = np.array([0.75, 0.8, 0.7, 0.5])

Image = NDArray[np.uint8]


def _side(chips: tuple[int, ...], seed: int) -> Image:
    """An unrolled side of striped chips on green felt, with noise and some blur."""
    rng = np.random.default_rng(seed)
    rows = np.full((*SIDE_SHAPE, 3), (60, 90, 30), np.float32)
    for level, chip in enumerate(chips):
        at = ROWS_BELOW + level * ROWS_PER_CHIP
        spot = (np.arange(SIDE_SHAPE[1]) + int(rng.integers(20))) % 20 < 6
        rows[at : at + ROWS_PER_CHIP] = np.where(spot[:, None], SPOTS[chip], PAINT[chip])
    soft = cv2.GaussianBlur(rows, (1, 5), sigmaX=0.01, sigmaY=0.8)
    lit = soft * rng.uniform(0.93, 1.07) + rng.normal(0, 5, soft.shape)
    return np.asarray(np.clip(lit[::-1], 0, 255), np.uint8)


def _see(side: Image, _geometry: Floats) -> tuple[Floats, Floats]:
    """A network that sees the middle of each band, and no colour's name."""
    bands = cv2.cvtColor(side[::-1].astype(np.float32) / 255, cv2.COLOR_BGR2LAB)[ROWS_BELOW:]
    lab = np.median(bands.reshape(COUNTS, -1, 3), axis=1)
    return np.zeros((COUNTS, len(COLOUR_NAMES))), (lab - [50, 0, 0]) / 25


@pytest.fixture(scope="module")
def enrolled() -> EnrolledChips:
    views = [
        ChipView(value, _side((value,) * count, 10 * value + count), count, GEOMETRY)
        for value in HOUSE.values
        for count in (4, 6)
    ]
    return enrol_chips(views, _see)


def _scores(chips: tuple[int, ...], enrolled: EnrolledChips, seed: int) -> StackScores:
    side = _side(chips, seed)
    general = np.full((COUNTS, len(HOUSE.chips)), -np.log(3.0))
    told, strange = enrolled.told(general, HOUSE.values, side, *_see(side, GEOMETRY))
    counts = np.full(COUNTS, np.log(1e-5))
    counts[len(chips)] = np.log(0.999)
    top = np.log(np.full(3, 1 / 3))
    return StackScores(counts, told, top, 0.99, 3.0, 0.5, None, strange)


@pytest.mark.parametrize("chips", [(1, 1, 5, 25, 5), (25,) * 6, (5, 1, 25), (5, 5, 1, 1, 25, 25)])
def test_chips_are_named_by_their_views(chips: tuple[int, ...], enrolled: EnrolledChips) -> None:
    scores = _scores(chips, enrolled, sum(chips))
    assert scores.chips is not None
    assert tuple(HOUSE.values[i] for i in scores.chips[: len(chips)].argmax(axis=1)) == chips
    assert scores.strange is not None
    assert (scores.strange[: len(chips)] < 2).mean() >= 0.8


@pytest.mark.parametrize("stranger", [0, -5], ids=["another colour", "other edge spots"])
def test_a_chip_unlike_every_enrolled_one_is_unknown(stranger: int, enrolled: EnrolledChips) -> None:
    scores = _scores((5, 5, stranger, stranger, 5), enrolled, 7)
    reading = decide(HOUSE, (0.0, 0.0), scores)
    assert set(reading.unknown) & {3, 4}
    assert reading.denominations is not None
    assert reading.denominations[2:4] == (None, None)
    assert reading.unread is not None
    assert re.match(r"unknown chip: chips? \d", reading.unread)
    assert reading.count == 5


def test_a_house_chip_that_was_not_enrolled_is_not_unknown() -> None:
    """Only the red ones were: a green chip is read as without, what looks like red and is none is unknown."""
    part = enrol_chips([ChipView(5, _side((5,) * n, n), n, GEOMETRY) for n in (4, 6)], _see)
    side = _side((5, 25, 25, -5, 5), 7)
    general = np.log(np.full((COUNTS, 3), 0.005))
    general[range(5), [1, 2, 2, 1, 1]] = np.log(0.99)
    told, strange = part.told(general, HOUSE.values, side, *_see(side, GEOMETRY))
    assert told[:5].argmax(axis=1).tolist() == [1, 2, 2, 1, 1]
    assert (strange[1:3] == 0).all()
    assert strange[3] > 1


def test_frames_together_say_the_same(enrolled: EnrolledChips) -> None:
    evidence = StackEvidence(HOUSE)
    for seed in range(3):
        evidence.add(decide(HOUSE, (0.0, 0.0), _scores((5, 5, 0, 0, 5), enrolled, seed)))
    assert 3 in evidence.best().unknown or 4 in evidence.best().unknown


def test_without_enrolment_nothing_is_unknown(enrolled: EnrolledChips) -> None:
    scores = _scores((0, 0), enrolled, 1)
    plain = StackScores(scores.counts, scores.chips, scores.top, 0.99, 3.0, 0.5, None)
    assert decide(HOUSE, (0.0, 0.0), plain).unknown == ()


def test_mixed_stacks_are_made_of_enrolled_bands() -> None:
    rng = np.random.default_rng(0)
    views = [ChipView(v, _side((v,) * 5, v), 5, GEOMETRY) for v in HOUSE.values]
    seen = set()
    for _ in range(20):
        side, values, geometry = mixed(views, rng)
        assert side.shape == (*SIDE_SHAPE, 3)
        assert (geometry == GEOMETRY).all()
        assert set(values) <= set(HOUSE.values)
        assert described(side, *_see(side, geometry)).shape == (COUNTS, 9 + len(COLOUR_NAMES) + 3)
        seen.add(len(set(values)))
    assert {1, 2} <= seen


def test_nothing_seen_is_nothing_learned() -> None:
    with pytest.raises(ChipError, match="take a clearer picture"):
        enrol_chips([], _see)
    with pytest.raises(ChipError, match="no side of a stack"):
        ChipView(5, np.zeros((3, 3, 3), np.uint8), 4, GEOMETRY)
