"""What several cameras say of one card and of one stack, put together."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.cards import PACK, Card
from rules.events import Hand, Owner
from tests.support.felt import CHIPS, Felt
from tests.vision.test_several import ABOVE, OBLIQUE
from vision.card_reader import sum_evidence
from vision.chip_stacks import StackReading, StackScores, decide
from vision.onlookers import agreed_hand
from vision.placing import Placer
from vision.position import CLOTH_MM, fused_place
from vision.shared_chips import SharedEvidence
from vision.tops import GRID_MM, HIGHEST, Tops

CLOTH = CLOTH_MM**2 * np.eye(2)
PLACERS = {
    name: Placer(Felt().layout, camera, 19.75, 3.3)
    for name, camera in (("above", ABOVE), ("oblique", OBLIQUE))
}


def look(**p: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """(54,): a look at a face; what is not named shares the rest."""
    probabilities = np.full(54, (1 - sum(p.values())) / (54 - len(p)), np.float32)
    for name, value in p.items():
        probabilities[PACK.index(Card.parse(name))] = value
    return probabilities


def test_two_cameras_say_more_of_a_card_than_two_frames_of_one() -> None:
    looks = np.stack([look(Kh=0.8, Kd=0.15), look(Kh=0.7, Kd=0.2)])
    one, both = sum_evidence(looks), sum_evidence(looks, cameras=[0, 1])
    assert one.card == both.card == Card.parse("Kh")
    assert both.p > one.p
    assert sum_evidence(looks, cameras=[3, 3]) == one


def test_cameras_that_contradict_each_other_leave_a_card_open() -> None:
    looks = np.stack([look(Kh=0.97), look(Kh=0.97), look(Qs=0.97), look(Qs=0.97)])
    assert sum_evidence(looks, cameras=[0, 0, 1, 1]).p == pytest.approx(0.5, abs=0.01)


def test_the_place_with_the_smaller_error_weighs_more() -> None:
    sharp, blurred = np.diag([1.0, 4.0]) + CLOTH, np.diag([4.0, 1.0]) + CLOTH
    at, error = fused_place([((0.0, 0.0), sharp), ((2.0, 2.0), blurred)])
    assert at == pytest.approx((0.4, 1.6), rel=1e-3)
    assert np.diag(error - CLOTH) == pytest.approx([0.8, 0.8], rel=1e-3)
    assert fused_place([((3.0, 1.0), sharp)])[0] == pytest.approx((3.0, 1.0))


def test_places_that_lie_too_far_apart_leave_the_place_more_open() -> None:
    one = np.eye(2) + CLOTH
    at, error = fused_place([((0.0, 0.0), one), ((12.0, 0.0), one)])
    assert at == pytest.approx((6.0, 0.0))
    assert np.sqrt(np.diag(error)).min() > 3.0


def test_a_place_that_no_camera_sees_is_open() -> None:
    nowhere = np.full((2, 2), np.inf)
    assert np.isinf(fused_place([((1.0, 2.0), nowhere)])[1]).all()
    assert fused_place([((1.0, 2.0), nowhere), ((5.0, 5.0), np.eye(2))])[0] == pytest.approx((5.0, 5.0))


def reading(counts: dict[int, float] | None, chips: dict[int, float], clear: float = 1.0) -> StackReading:
    """A reading: probabilities of counts (None: the side is not seen), of the values of every chip."""
    values = np.log([chips.get(value, 1e-6) for value in CHIPS.values])
    tall = None
    if counts is not None:
        tall = np.full(29, -12.0)
        for count, p in counts.items():
            tall[count] = np.log(p)
    scores = StackScores(
        counts=tall,
        chips=None if counts is None else np.tile(values, (29, 1)),
        top=values,
        clear=clear,
        thickness_px=0.5 if counts is None else 2.5,
        spread_mm=1.0,
        lab=None,
    )
    return decide(CHIPS, (180.0, 440.0), scores)


def evidence(**readings: StackReading) -> SharedEvidence:
    """Three frames of each camera."""
    made = SharedEvidence(CHIPS, PLACERS)
    for camera, each in readings.items():
        for k in range(3):
            made.add_of(camera, each, 1.0 + 0.2 * k)
    return made


SURE = {5: 0.999, 25: 1e-4}


def test_a_count_that_neither_camera_is_sure_of_is_read_by_both() -> None:
    unsure = reading({3: 0.9, 4: 0.1}, SURE)
    assert unsure.count is None
    both = evidence(above=unsure, oblique=unsure).best()
    assert (both.count, both.denominations) == (3, (5, 5, 5))
    assert (
        evidence(above=reading({3: 0.9, 4: 0.1}, SURE), oblique=reading({3: 0.1, 4: 0.9}, SURE)).best().count
        is None
    )


def of_height(chips: int) -> Tops:
    """A picture in which the top's outline lies on edges at one number of chips only."""
    fits = np.full((HIGHEST, 13, 13), 0.5, np.float32)
    fits[chips - 1, 4:9, 4:9] = 0.9
    return Tops((round(180 / GRID_MM) - 6, round(440 / GRID_MM) - 6), fits)


def test_a_count_that_one_camera_is_not_sure_of_is_read_by_its_height_in_both() -> None:
    side, above = reading({3: 0.8, 4: 0.2}, SURE), reading(None, SURE)
    assert evidence(above=above, oblique=side).best().count is None
    three, four = (
        evidence(
            above=replace(above, tops=of_height(n), foot=0.5 * np.eye(2)),
            oblique=replace(side, tops=of_height(n), foot=0.5 * np.eye(2)),
        ).best()
        for n in (3, 4)
    )
    assert (three.count, three.denominations) == (3, (5, 5, 5))
    assert four.count == 4
    alone = evidence(oblique=replace(side, tops=of_height(3), foot=0.5 * np.eye(2)))
    assert alone.best().count is None


def test_cameras_that_look_from_one_side_tell_no_height() -> None:
    placers = dict.fromkeys(("left", "right"), PLACERS["oblique"])
    made = SharedEvidence(CHIPS, placers)
    for name in placers:
        side = replace(reading({3: 0.6, 4: 0.4}, SURE), tops=of_height(4), foot=0.5 * np.eye(2))
        made.add_of(name, side, 1.0)
    scores = made.best().scores
    assert scores is not None
    assert scores.counts is not None
    assert int(scores.counts.argmax()) == 3


def test_a_camera_that_does_not_see_the_side_says_nothing_of_the_count() -> None:
    top_only, side = reading(None, {25: 0.999}), reading({3: 0.999}, {25: 0.9, 5: 0.1})
    both = evidence(above=top_only, oblique=side).best()
    assert both.count == 3
    assert both.denominations is not None
    assert both.denominations[-1] == 25
    assert evidence(above=top_only).best().count is None


def test_a_camera_to_which_a_stack_is_hidden_has_no_say() -> None:
    hidden, side = reading({7: 0.999}, SURE, clear=0.2), reading({3: 0.999}, SURE)
    assert evidence(above=hidden, oblique=side).best().count == 3


def test_what_was_read_before_a_change_counts_no_more() -> None:
    made = evidence(above=reading({3: 0.999}, SURE))
    made.add_of("oblique", reading({4: 0.999}, SURE), 5.0)
    made.anew(4.0)
    assert made.best().count == 4
    assert (made.looks_of("above"), made.looks_of("oblique"), len(made)) == (0, 1, 1)


def test_whose_hand_it_was() -> None:
    dealer, seat_1, unknown = Hand(Owner.DEALER), Hand(Owner.PLAYER, 1), Hand(Owner.UNKNOWN)
    assert agreed_hand([None, dealer, unknown]) == dealer
    assert agreed_hand([seat_1, Hand(Owner.PLAYER, 2)]) == seat_1
    assert agreed_hand([dealer, seat_1]) == unknown
    assert agreed_hand([None, unknown]) == unknown
    assert agreed_hand([None]) is None
