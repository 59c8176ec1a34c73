"""The full picture of the empty felt: learned away from what lies there, used where it is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tests.support.felt import Felt, StackAt, TrueEyes, watch
from vision.bare import EmptyFelt
from vision.chip_stacks import StackReading
from vision.footprint import Footprint
from vision.stillness import Picture

SHAPE = (60, 80)
PX_PER_MM = 0.2


def place(x: int, y: int) -> Footprint:
    return Footprint(x, y, np.ones((8, 8), np.bool_), SHAPE)


def full(level: int) -> Picture:
    return np.full((3 * SHAPE[0], 3 * SHAPE[1], 3), level, np.uint8)


def test_felt_is_known_once_it_was_seen_free_and_never_near_things() -> None:
    felt = EmptyFelt(SHAPE, PX_PER_MM)
    assert felt.about(place(20, 20)) is None
    free = np.ones(SHAPE, np.bool_)
    free[20:30, 10:20] = False  # a stack
    felt.learn(full(90), free)
    assert felt.about(place(12, 22)) is None
    assert felt.about(place(24, 22)) is None  # too near to it
    assert felt.about(place(60, 30)) is not None


def test_what_was_learned_stays_while_something_lies_there() -> None:
    felt = EmptyFelt(SHAPE, PX_PER_MM)
    felt.learn(full(90), np.ones(SHAPE, np.bool_))
    free = np.ones(SHAPE, np.bool_)
    free[20:30, 10:20] = False
    felt.learn(full(200), free)
    seen = felt.about(place(12, 22))
    assert seen is not None
    assert (seen[60:90, 30:60] == 90).all()
    assert (seen[150:, 200:] == 200).all()


def test_single_pixels_that_flicker_do_not_keep_the_felt_from_being_learned() -> None:
    felt = EmptyFelt(SHAPE, PX_PER_MM)
    free = np.ones(SHAPE, np.bool_)
    free[30, 40] = False
    felt.learn(full(90), free)
    assert felt.about(place(36, 26)) is not None


def test_a_picture_of_another_size_begins_anew() -> None:
    felt = EmptyFelt(SHAPE, PX_PER_MM)
    felt.learn(full(90), np.ones(SHAPE, np.bool_))
    free = np.zeros(SHAPE, np.bool_)
    free[:, 60:] = True
    felt.learn(np.full((4 * SHAPE[0], 4 * SHAPE[1], 3), 50, np.uint8), free)
    assert felt.about(place(10, 20)) is None


def test_a_watch_reads_a_stack_beside_the_felt_before_it_if_it_was_seen() -> None:
    known: dict[tuple[float, float], list[bool]] = {}

    @dataclass(slots=True)
    class Comparing(TrueEyes):
        def stack(
            self, image: Picture, at_mm: tuple[float, float], empty: Picture | None = None
        ) -> StackReading:
            known.setdefault(at_mm, []).append(empty is not None)
            return TrueEyes.stack(self, image, at_mm, empty)

    there, later = (180.0, 445.0), (660.0, 445.0)
    felt = Felt(stacks=[StackAt((5, 5), there, 0.0), StackAt((5,), later, 5.0)])
    watch(felt, [k / 10 for k in range(90)], eyes=Comparing(felt))
    assert set(known[there]) == {False}
    assert set(known[later]) == {True}
