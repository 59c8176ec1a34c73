"""The watcher on small scripted tables: it tells what happened, when, and by whose hand, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
import pytest

from rules.cards import Face
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipState,
    Event,
    Hand,
    HandContact,
    Owner,
    ShoeExit,
    ViewLost,
)
from tests.support.felt import CardAt, Felt, Reach, StackAt, TrueEyes, dealer, player, watch
from vision.camera import Floats
from vision.eyes import Look
from vision.footprint import Footprint
from vision.source import Frame
from vision.stillness import Picture
from vision.tracking import Sight
from vision.watch import TableWatcher

E = TypeVar("E", bound=Event)
PUNTO_1, PUNTO_2, BANCA_1 = (370.0, 163.0), (300.0, 163.0), (490.0, 163.0)


def at_rate(fps: float, seconds: float) -> list[float]:
    return [k / fps for k in range(round(fps * seconds))]


def of(events: Sequence[Event], kind: type[E]) -> list[E]:
    return [event for event in events if isinstance(event, kind)]


def deal(at: tuple[float, float], t: float) -> list[Reach]:
    """The dealer takes a card from the shoe and lays it down at ``t``."""
    return [dealer((790, 90), t - 0.9, t - 0.8, 0.3), dealer(at, t, t + 0.2, 0.3)]


DEALT = Felt(
    cards=[
        CardAt("Th", PUNTO_1, 2.0, 5.0, Face.DOWN),
        CardAt("Th", PUNTO_1, 5.0, 9.0),
        CardAt("4c", BANCA_1, 3.6, 9.0),
    ],
    arms=[
        *deal(PUNTO_1, 2.0),
        *deal(BANCA_1, 3.6),
        dealer(PUNTO_1, 4.9, 5.2),
        dealer(PUNTO_1, 9.0, 9.1),
        dealer(BANCA_1, 9.0, 9.1),
    ],
)


@pytest.mark.parametrize(
    "times",
    [
        at_rate(10, 13),
        at_rate(25, 13),
        sorted(np.random.default_rng(4).uniform(0, 13, 160).tolist()),
    ],
    ids=["10 fps", "25 fps", "irregular"],
)
def test_cards_are_dealt_turned_and_cleared(times: list[float]) -> None:
    events, _ = watch(DEALT, times)
    placed = of(events, CardPlaced)
    assert [(e.card_id, e.spot, e.face, e.card, e.position) for e in placed] == [
        ("c1", "hand punto", "down", None, 1),
        ("c2", "hand banca", "up", "4c", 1),
    ]
    assert [e.t for e in placed] == pytest.approx([2.0, 3.6], abs=0.3)
    assert all(e.hand == Hand(Owner.DEALER) for e in placed)
    exits = of(events, ShoeExit)
    assert [e.card_id for e in exits] == ["c1", "c2"]
    assert [e.t for e in exits] == pytest.approx([1.2, 2.8], abs=0.4)
    (turned,) = of(events, CardTurned)
    assert (turned.card_id, turned.face, turned.card) == ("c1", "up", "Th")
    assert turned.t == pytest.approx(5.0, abs=0.4)
    cleared = of(events, CardCleared)
    assert sorted(e.card_id for e in cleared) == ["c1", "c2"]
    assert [e.t for e in cleared] == pytest.approx([9.0, 9.0], abs=0.4)
    assert not of(events, CardMoved)
    assert not of(events, CardRead)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


def test_a_contact_names_the_card_or_stack_that_the_fingers_were_on() -> None:
    felt = Felt(
        cards=[CardAt("Th", PUNTO_1, 0.0), CardAt("4c", PUNTO_2, 0.0)],
        stacks=[StackAt((100, 25), (680.0, 440.0), 0, 8.0), StackAt((100,), (180.0, 335.0), 0)],
        arms=[
            dealer(PUNTO_1, 3.0, 3.6),
            player((680.0, 440.0), 8.0, 8.4),
            player((180.0, 450.0), 10.5, 11.0),  # in an empty box
            dealer((430.0, 335.0), 13.0, 13.5),  # his arm over the hands, his fingers beyond them
        ],
    )
    events, _ = watch(felt, at_rate(10, 16))
    named = {card.card: card.card_id for card in of(events, CardPlaced)}
    (stack,) = (e.stacks[0].stack for e in of(events, ChipState) if e.spot == "seat 2 punto" and e.stacks)
    told = [(e.spot, e.hand.owner, e.target) for e in of(events, HandContact)]
    assert ("hand punto", Owner.DEALER, named["Th"]) in told
    assert ("seat 2 punto", Owner.PLAYER, stack) in told
    assert [target for spot, _, target in told if spot == "seat 1 punto"] == [None]
    assert named["4c"] not in [target for *_, target in told]


def test_a_back_that_is_not_recognised_is_known_by_what_it_turns_into() -> None:
    events, _ = watch(DEALT, at_rate(10, 13), knows_backs=False)
    told = {(e.card_id, e.face): e for e in of(events, CardPlaced)}
    (turned,) = of(events, CardTurned)
    placed = told[turned.card_id, "down"]
    assert (placed.spot, turned.card) == ("hand punto", "Th")
    assert (placed.t, turned.t) == pytest.approx((2.0, 5.0), abs=0.4)
    assert len(of(events, CardCleared)) == 2


def test_chips_are_placed_added_to_paid_beside_and_taken() -> None:
    seat_1, beside = (180.0, 440.0), (222.0, 452.0)
    felt = Felt(
        stacks=[
            StackAt((100, 25), (680.0, 440.0), 0, 6.0),
            StackAt((100,), (680.0, 440.0), 6.0),
            StackAt((5, 5), seat_1, 2.0),
            StackAt((5, 1), beside, 8.5),
        ],
        arms=[player(seat_1, 2.0, 2.2), dealer((680, 440), 5.9, 6.1), dealer(beside, 8.5, 8.6)],
    )
    states = of(watch(felt, at_rate(10, 11))[0], ChipState)
    told = [(e.spot, sorted(s.denominations or () for s in e.stacks), e.hand) for e in states]
    assert told == [
        ("seat 2 punto", [(100, 25)], None),
        ("seat 1 punto", [(5, 5)], Hand(Owner.PLAYER, 1)),
        ("seat 2 punto", [(100,)], Hand(Owner.DEALER)),
        ("seat 1 punto", [(5, 1), (5, 5)], Hand(Owner.DEALER)),
    ]
    assert [e.t for e in states] == pytest.approx([0, 2.0, 6.1, 8.5], abs=0.4)
    assert states[0].stacks[0].stack == states[2].stacks[0].stack
    assert [s.line for s in states[3].stacks] == [None, "seat 1 punto:outline"]


def test_a_card_that_a_hand_covers_is_remembered() -> None:
    felt = Felt(
        cards=[CardAt("Th", PUNTO_1, 0), CardAt("9s", BANCA_1, 0)],
        arms=[dealer(PUNTO_1, 2.0, 7.0), dealer(BANCA_1, 3.0, 6.0, 0.2)],
    )
    events, _ = watch(felt, at_rate(10, 9))
    assert {e.card for e in of(events, CardPlaced)} == {"Th", "9s"}
    assert not [e for e in events if isinstance(e, CardCleared | CardMoved | CardTurned)]
    contacts = [e for e in of(events, HandContact) if e.spot == "hand punto"]
    assert [e.hand for e in contacts] == [Hand(Owner.DEALER)]
    assert (contacts[0].t, contacts[0].t_to) == pytest.approx((2.0, 7.0), abs=0.4)


def test_a_card_taken_up_and_put_back_or_nudged_is_the_same_card() -> None:
    nudged, elsewhere = (373.0, 160.0), (310.0, 160.0)
    felt = Felt(
        cards=[
            CardAt("Th", PUNTO_1, 0, 2.0),
            CardAt("Th", nudged, 2.4, 5.0),
            CardAt("Th", elsewhere, 5.0),
        ],
        arms=[dealer(PUNTO_1, 1.9, 2.6), dealer(PUNTO_1, 4.9, 5.1)],
    )
    events, _ = watch(felt, at_rate(10, 8))
    assert [e.card_id for e in of(events, CardPlaced)] == ["c1"]
    assert not of(events, CardCleared)
    (moved,) = of(events, CardMoved)
    assert (moved.card_id, moved.from_spot, moved.to_spot) == ("c1", "hand punto", "hand punto")
    assert moved.at_mm == pytest.approx(elsewhere, abs=1)


def test_a_still_table_costs_and_says_nothing() -> None:
    felt = Felt(
        cards=[CardAt("Th", PUNTO_1, 0)],
        stacks=[StackAt((5, 5), (180.0, 440.0), 0)],
        noise=5.0,
        drift_per_s=-0.02,
    )
    events, eyes = watch(felt, at_rate(10, 20))
    assert [event.kind for event in events] == ["card_placed", "chip_state"]
    assert eyes.looks <= 4


def test_an_arm_whose_sleeve_cannot_be_seen_over_the_card_below_takes_nothing_away() -> None:
    white = Reach((400, -80), (360, 260), 2.0, 4.0, 0.5, sleeve=(238, 238, 238))
    felt = Felt(cards=[CardAt("Th", PUNTO_1, 0)], arms=[white])
    events, _ = watch(felt, at_rate(10, 7))
    assert not [e for e in events if isinstance(e, CardCleared | CardTurned | CardMoved)]
    assert [e.card for e in of(events, CardPlaced)] == ["Th"]


def test_a_dealers_hand_that_was_there_from_the_start_uncovers_what_lies_there() -> None:
    felt = Felt(cards=[CardAt("Th", PUNTO_1, 0)], arms=[dealer(PUNTO_1, -1.0, 3.0)])
    (placed,) = of(watch(felt, at_rate(10, 7))[0], CardPlaced)
    assert (placed.card, placed.spot) == ("Th", "hand punto")


def test_a_card_beside_the_hands_that_is_made_out_late_but_lay_there_from_the_start_is_in_no_play() -> None:
    class Late(TrueEyes):
        def look(self, image: Picture, region_px: tuple[int, int, int, int] | None) -> Look:
            del region_px
            look = TrueEyes.look(self, image, None)
            return look if self.looks > 4 else Look((), ())

    at_the_shoe = (735.0, 95.0)
    felt = Felt(cards=[CardAt("Th", at_the_shoe, 0.1, face=Face.DOWN)], arms=[dealer(BANCA_1, 2.0, 2.4)])
    events, eyes = watch(felt, at_rate(10, 8), eyes=Late(felt))
    assert eyes.looks > 4
    assert not of(events, CardPlaced)


def test_a_card_that_comes_is_named_by_the_reading_of_the_look_that_found_it() -> None:
    class Reading(TrueEyes):
        def look(self, image: Picture, region_px: tuple[int, int, int, int] | None) -> Look:
            sights = TrueEyes.look(self, image, region_px).sights
            looks = TrueEyes.faces(self, image, sights)
            return Look(tuple(replace(s, look=one) for s, one in zip(sights, looks, strict=True)), ())

        def faces(self, image: Picture, sights: Sequence[Sight]) -> list[Floats]:
            del image
            return [np.full(54, 1 / 54) for _ in sights]

    felt = Felt(cards=DEALT.cards[2:], arms=DEALT.arms[2:4])
    (placed,) = of(watch(felt, at_rate(10, 6), eyes=Reading(felt))[0], CardPlaced)
    assert placed.card == "4c"


def test_a_card_known_by_its_shape_once_is_looked_for_where_it_was() -> None:
    class Guessing(TrueEyes):
        guessed: bool = False

        def look(self, image: Picture, region_px: tuple[int, int, int, int] | None) -> Look:
            del image, region_px
            return Look((), ())

        def guess(self, image: Picture, part: Footprint) -> Sight | None:
            if self.guessed or part.area_px < 200:
                return None
            self.guessed = True
            return next(iter(TrueEyes.look(self, image, None).sights), None)

        def again(self, image: Picture, sight: Sight) -> Sight | None:
            return sight if TrueEyes.look(self, image, None).sights else None

    felt = Felt(cards=[CardAt("Th", PUNTO_1, 2.0, 6.0)])
    events, _ = watch(felt, at_rate(10, 10), eyes=Guessing(felt))
    assert [(e.spot, e.card) for e in of(events, CardPlaced)] == [("hand punto", "Th")]
    assert len(of(events, CardCleared)) == 1


def test_what_is_covered_to_the_end_and_gaps_are_said() -> None:
    felt = Felt(arms=[player((180, 390), 4.0, 99.0)])
    times = [t for t in at_rate(10, 8) if not 1.0 < t < 3.0]
    events, _ = watch(felt, times)
    lost = [(e.reason, e.spot, round(e.t, 1), e.t_to) for e in of(events, ViewLost)]
    assert ("gap", None, 1.0, 3.0) in lost
    assert [(reason, spot, t_to) for reason, spot, _, t_to in lost[1:]] == [("covered", "seat 1 punto", None)]


def test_a_picture_of_another_size_is_refused() -> None:
    watcher = TableWatcher(TrueEyes(Felt()), "test camera")
    with pytest.raises(ValueError, match="320 x 200 pixels, the camera was calibrated for 640 x 400"):
        watcher.frame(Frame(0.0, 0, np.zeros((200, 320, 3), np.uint8)))
