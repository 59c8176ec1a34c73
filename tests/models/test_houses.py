"""Houses made up for training: what the chip reader is told of them fits the chips that lie there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.chip_reader.houses import ABSENT, CHIPS, HIDDEN, house_of, houses, lights_of
from models.chip_reader.scenes import UNNAMED, named_colour
from vision.chip_colours import COLOUR_NAMES, TYPICAL
from vision.chip_geometry import ROWS_BELOW, ROWS_PER_CHIP, SIDE_SHAPE
from vision.chip_set import EXACT_SPREAD, SEEN_SPREAD

RED, BLUE, WHITE = (COLOUR_NAMES.index(name) for name in ("red", "blue", "white"))


def colours(names: list[int], seed: int) -> NDArray[np.float32]:
    """A colour (n, 3) for each chip, the same for the same name."""
    rng = np.random.default_rng(seed)
    own = {name: named_colour(rng, COLOUR_NAMES[name]) for name in sorted(set(names))}
    return np.array([own[name] for name in names])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(0, len(COLOUR_NAMES) - 1), min_size=1, max_size=9), st.integers(0, 10_000))
def test_each_chip_is_the_one_of_its_house_that_looks_like_it(names: list[int], seed: int) -> None:
    bgr = colours(names, seed)
    palette, entry = house_of(np.random.default_rng(seed), np.array(names), bgr)
    there = palette[:, 3] != ABSENT
    for name, colour, own in zip(names, bgr, entry.tolist(), strict=True):
        if own == CHIPS:
            continue
        assert there[own]
        if palette[own, 3] == np.float32(EXACT_SPREAD):
            assert np.abs(palette[own, :3] - colour).max() < 0.15
        else:
            assert (
                palette[own].tolist()
                == np.concatenate(TYPICAL[COLOUR_NAMES[name]]).astype(np.float32).tolist()
            )
    assert len({(n, e) for n, e in zip(names, entry.tolist(), strict=True)}) == len(set(names))


def test_a_chip_that_the_house_lacks_is_none_of_its() -> None:
    lacking = 0
    for seed in range(300):
        palette, entry = house_of(
            np.random.default_rng(seed), np.array([RED, BLUE]), colours([RED, BLUE], seed)
        )
        for own, name in zip(entry.tolist(), ("red", "blue"), strict=True):
            if own == CHIPS:
                lacking += 1
                typical = np.array(TYPICAL[name][0], np.float32)
                assert not any(np.array_equal(typical, chip[:3]) for chip in palette if chip[3] != ABSENT)
    assert 5 < lacking < 60


def test_a_chip_without_a_name_has_its_house_told_by_colours() -> None:
    bgr = np.array([[0.3, 0.6, 0.55], [0.1, 0.1, 0.7]], np.float32)
    for seed in range(40):
        palette, _ = house_of(np.random.default_rng(seed), np.array([UNNAMED, RED]), bgr)
        assert set(palette[palette[:, 3] != ABSENT, 3].tolist()) == {float(np.float32(EXACT_SPREAD))}


def test_what_was_enrolled_is_told_as_it_looks_in_the_tables_light() -> None:
    bgr = colours([RED, BLUE, WHITE], 5)
    light = np.array([0.5, 0.7, 0.9])
    seen = 0
    for seed in range(60):
        palette, entry = house_of(np.random.default_rng(seed), np.array([RED, BLUE, WHITE]), bgr, light)
        told = palette[palette[:, 3] != ABSENT]
        if told[0, 3] != np.float32(SEEN_SPREAD):
            continue
        seen += 1
        for colour, own in zip(bgr, entry.tolist(), strict=True):
            if own != CHIPS:
                assert palette[own, :3] == pytest.approx(colour * light, abs=0.25)
    assert 5 < seen < 35


def test_the_light_is_read_off_the_bands_where_the_chips_lie() -> None:
    sides = np.zeros((2, *SIDE_SHAPE, 3), np.uint8)
    bgr = np.array([[[0.2, 0.4, 0.8], [0.6, 0.2, 0.2]]] * 2)
    light, offset = np.array([0.5, 0.8, 1.0]), np.array([0.0, 1.0])
    for side, chips in zip(sides, (0, 1), strict=True):
        for level, colour in enumerate(bgr[0]):
            row = ROWS_BELOW + ROWS_PER_CHIP * (level + chips)
            side[SIDE_SHAPE[0] - row - ROWS_PER_CHIP : SIDE_SHAPE[0] - row] = np.round(255 * colour * light)
    assert lights_of(sides, offset, bgr, np.array([2, 2])) == pytest.approx(np.tile(light, (2, 1)), abs=0.02)


def test_bare_felt_has_a_house_and_no_chips() -> None:
    names, bgr = np.full((2, 4), HIDDEN), np.zeros((2, 4, 3))
    names[1, :2] = RED
    palettes, entries = houses(np.random.default_rng(0), names, bgr, np.array([0, 2]))
    assert (palettes[:, :, 3] != ABSENT).any(axis=1).all()
    assert entries[0].tolist() == [HIDDEN] * 4
    assert entries[1, 0] == entries[1, 1] != HIDDEN
    assert entries[1, 2:].tolist() == [HIDDEN] * 2
