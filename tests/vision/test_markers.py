"""Cut cards and buttons: told as what they are, not as cards and bets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.decks import drawn_deck
from rules.cards import Face
from rules.events import CardPlaced, CardRead, CutCardSeen, MarkerSeen
from rules.spots import TABLE, Spot, bet_spot, hand_spot
from tests.support.felt import CHIPS, DRAWING
from vision.card_events import CardEvents
from vision.chip_events import ChipEvents
from vision.footprint import Footprint
from vision.layout import Layout
from vision.markers import plain_tint
from vision.telling import Teller
from vision.tracking import Family, Sight, Thing

QUAD = np.array([[40, 30], [104, 30], [104, 118], [40, 118]], np.float64)


def _lying(card: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A card's picture (88, 64, 3) on green felt, with noise."""
    picture = np.full((150, 150, 3), (60, 100, 40), np.float64)
    picture[30:118, 40:104] = card
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.8) + np.random.default_rng(0).normal(0, 4, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("colour", "plain"),
    [((30, 30, 200), True), ((20, 190, 230), True), ((235, 235, 235), False), ((60, 60, 60), False)],
    ids=["red", "yellow", "white", "grey"],
)
def test_one_strong_colour_is_a_cut_cards(colour: tuple[int, int, int], plain: bool) -> None:
    card = np.full((88, 64, 3), colour, np.uint8)
    assert (plain_tint(_lying(card), QUAD) is not None) is plain


@pytest.mark.parametrize("border_px", [3, 5])
def test_a_plain_back_in_a_white_border_is_none(border_px: int) -> None:
    back = np.full((88, 64, 3), 235, np.uint8)
    back[border_px:-border_px, border_px:-border_px] = (30, 30, 170)
    assert plain_tint(_lying(back), QUAD) is None


def test_a_printed_back_is_none() -> None:
    striped = np.full((88, 64, 3), (150, 40, 30), np.uint8)
    striped[np.arange(88) % 12 < 5] = 230
    assert plain_tint(_lying(striped), QUAD) is None
    backs = [drawn_deck(1, indices=True).back(k, 88)[..., :3] for k in range(6)]
    assert all(
        plain_tint(_lying(cv2.resize(back, (64, 88)).astype(np.uint8)), QUAD) is None for back in backs
    )


def test_a_back_whose_print_is_seen_only_from_near_is_none() -> None:
    rows, columns = np.mgrid[:88, :64]
    card = np.where(((rows + columns) % 6 < 3)[..., None], (40, 30, 190), (95, 85, 235)).astype(np.uint8)
    assert plain_tint(_lying(card), QUAD) is None


RED, BLUE = np.array([45.0, 60.0, 40.0]), np.array([30.0, 20.0, -60.0])


def _thing(
    family: Family, spot: Spot, tint: NDArray[np.float64] | None = None, number: int = 1, x_mm: float = 300.0
) -> Thing:
    face = Face.DOWN if family is Family.CARD else None
    place = Footprint.of(QUAD, (150, 150))
    return Thing(number, Sight(family, spot, (x_mm, 200.0), QUAD, 0.8, place, face, tint=tint))


@pytest.mark.parametrize(
    ("spot", "plain", "told"),
    [
        (TABLE, True, CutCardSeen),
        (bet_spot(2, "punto"), True, CutCardSeen),
        (TABLE, False, CardPlaced),
        (hand_spot("banca"), True, CardPlaced),
    ],
    ids=["on the felt", "in a box", "patterned", "in a hand"],
)
def test_a_plain_card_outside_the_hands_is_the_cut_card(spot: Spot, plain: bool, told: type) -> None:
    teller = Teller("camera 1")
    events: CardEvents[object] = CardEvents(teller, lambda _looks: (None, 0.0), lambda _a, _b: None)
    events.came(_thing(Family.CARD, spot, RED if plain else None), 5.0, None, [], False)
    (event,) = teller.take()
    assert isinstance(event, told)
    if isinstance(event, CutCardSeen):
        assert (event.spot, event.t, event.p) == (str(spot), 5.0, 0.8)
        assert event.evidence is not None


@pytest.mark.parametrize(
    ("tints", "lifted", "told"),
    [
        ((RED, RED + 5.0), False, [CutCardSeen, CardPlaced]),
        ((RED, BLUE), False, [CutCardSeen, CutCardSeen]),
        ((RED, RED + 5.0), True, [CutCardSeen, CutCardSeen]),
    ],
    ids=["two of a colour", "two colours", "one laid twice"],
)
def test_of_two_of_a_colour_none_is_the_cut_card(
    tints: Sequence[NDArray[np.float64]], lifted: bool, told: list[type]
) -> None:
    teller = Teller("camera 1")
    events: CardEvents[object] = CardEvents(teller, lambda _looks: (None, 0.0), lambda _a, _b: None)
    for number, tint in enumerate(tints):
        thing = _thing(Family.CARD, TABLE, tint, number, 300.0 + 100 * number)
        events.came(thing, 5.0 + number, None, [], False)
        if lifted:
            events.went(thing, 5.5 + number, None)
    assert [type(event) for event in teller.take()] == told


def test_a_back_of_one_colour_beside_the_hands_is_known_by_those_in_the_hands() -> None:
    teller = Teller("camera 1")
    events: CardEvents[object] = CardEvents(teller, lambda _looks: (None, 0.0), lambda _a, _b: None)
    for number, spot in enumerate((hand_spot("punto"), TABLE)):
        events.came(_thing(Family.CARD, spot, RED, number), 5.0 + number, None, [], False)
    assert [type(event) for event in teller.take()] == [CardPlaced, CardPlaced]


def test_the_few_that_a_card_may_be_are_told_once_while_it_has_no_name() -> None:
    sure = (0.4,) * 6 + (0.95,)
    teller = Teller("camera 1")
    events: CardEvents[int] = CardEvents(
        teller, lambda looks: ("Kh", sure[len(looks) - 1]), lambda _a, _b: None, lambda _looks: ("Kh", "Jh")
    )
    thing = _thing(Family.CARD, hand_spot("punto"))
    thing.sight = replace(thing.sight, face=Face.UP)
    events.came(thing, 5.0, None, [], False)
    for look in range(7):
        events.read(thing, look, 6.0 + look)
    told = [(e.t, e.card, e.may_be) for e in teller.take() if isinstance(e, CardRead)]
    assert told == [(8.0, None, ("Kh", "Jh")), (12.0, "Kh", ())]


BUTTON = '<rect id="d1" x="250" y="150" width="100" height="100" data-spot="seat 1 button"/></svg>'


def test_what_lies_at_a_seats_button_is_a_button_and_no_bet() -> None:
    layout = Layout.parse(DRAWING.replace("</svg>", BUTTON), "felt")
    assert str(layout.spot_at((300.0, 200.0))) in ("seat 1 button", "hand punto")
    layout = Layout.parse(
        DRAWING.replace("</svg>", BUTTON).replace('id="hp" x="170"', 'id="hp" x="400"'), "felt"
    )
    teller = Teller("camera 1")
    chips = ChipEvents(teller, layout, CHIPS)
    chips.came(_thing(Family.STACK, bet_spot(1, "button")), 3.0, 3.1, None)
    (event,) = teller.take()
    assert isinstance(event, MarkerSeen)
    assert (event.marker, event.spot, event.at_mm) == ("button", "seat 1 button", (300.0, 200.0))
    assert not chips.wants_reading(_thing(Family.STACK, bet_spot(1, "button")))
