"""Change, stillness and the moment of a change in small pictures."""

from __future__ import annotations

import numpy as np
import pytest

from vision.stillness import Picture, Stillness, light_free_distance

SHAPE = (60, 80)
PLACE = np.zeros(SHAPE, np.bool_)
PLACE[20:40, 30:50] = True


def felt(t: float, noise: float = 2.0, light: float = 1.0) -> Picture:
    rng = np.random.default_rng(round(t * 1000))
    base = np.full((*SHAPE, 3), (60, 110, 50), np.float64) * light
    return np.clip(base + rng.normal(0, noise, base.shape), 0, 255).astype(np.uint8)


def with_card(picture: Picture, colour: tuple[int, int, int] = (230, 230, 235)) -> Picture:
    picture = picture.copy()
    picture[PLACE] = colour
    return picture


@pytest.mark.parametrize("step_s", [0.1, 0.04, 0.2])
def test_a_thing_that_comes_is_foreground_then_still_and_its_moment_is_found(step_s: float) -> None:
    still = Stillness()
    for t in np.arange(0, 4, step_s):
        covered = 1.9 <= t < 2.6
        picture = with_card(felt(t)) if t >= 2 else felt(t)
        if covered:  # a hand over half of the place
            picture[20:40, 30:42] = (110, 150, 200)
        still.update(float(t), picture)
        if t == 2.0:
            assert not still.still[PLACE].any()
    assert still.foreground[PLACE].all()
    assert not still.foreground[~PLACE].any()
    assert still.still[PLACE].all()
    former = still.settled
    moments = still.moments(PLACE, former)
    assert moments.first_new == pytest.approx(2.0, abs=2 * step_s)
    assert moments.last_old == pytest.approx(2.0, abs=2 * step_s)
    still.settle(PLACE)
    assert not still.foreground.any()


def test_light_is_no_change() -> None:
    still = Stillness()
    for t in np.arange(0, 6, 0.1):
        picture = felt(float(t), noise=4.0, light=1 + 0.03 * np.sin(7 * t) - 0.05 * t)
        if t > 2:  # a shadow
            picture[:, :30] = (picture[:, :30] * 0.7).astype(np.uint8)
        still.update(float(t), picture)
        assert still.foreground.mean() < 0.002


def test_noise_raises_the_threshold() -> None:
    quiet, loud = Stillness(), Stillness()
    for t in np.arange(0, 5, 0.1):
        quiet.update(float(t), felt(float(t), noise=1))
        loud.update(float(t), felt(float(t), noise=9))
    assert quiet.threshold < loud.threshold
    assert loud.foreground.mean() < 0.01
    assert loud.still.mean() > 0.98


@pytest.mark.parametrize(
    ("colour", "differs"),
    [((60, 110, 50), False), ((40, 74, 33), False), ((30, 30, 30), True), ((240, 240, 240), True)],
    ids=["the same", "in shadow", "a black chip", "a card"],
)
def test_what_light_cannot_do_is_a_difference(colour: tuple[int, int, int], differs: bool) -> None:
    picture = np.full((1, 1, 3), colour, np.uint8)
    reference = np.full((1, 1, 3), (60, 110, 50), np.uint8)
    assert (float(light_free_distance(picture, reference)[0, 0]) > 15) == differs
