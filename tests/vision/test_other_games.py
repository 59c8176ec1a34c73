"""What other games than mini punto banco need: fans of backs, a banker's chips, whose the shoe is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.cards import Face
from rules.events import CardPlaced, CardTurned, ChipState, Event, Owner, ViewBack, ViewLost
from rules.spots import Area, Spot, hand_spot
from tests.support.felt import CHIPS, DRAWING
from vision.camera import Camera
from vision.card_events import CardEvents
from vision.chip_events import ChipEvents
from vision.eyes import Shoe
from vision.footprint import Footprint
from vision.hands import Sides
from vision.layout import Layout, holds_chips
from vision.shoes import Shoes
from vision.telling import Teller
from vision.tracking import Family, Sight, Thing

SHAPE = (150, 300)
HAND = hand_spot("seat_3")


def _back(number: int, left_px: float, spot: Spot = HAND) -> Thing:
    quad = np.array([[0, 30], [60, 30], [60, 115], [0, 115]], np.float64)
    quad[:, 0] += left_px
    place = Footprint.of(quad, SHAPE)
    at = (300.0 + left_px, 200.0)
    return Thing(number, Sight(Family.CARD, spot, at, quad, 0.8, place, Face.DOWN))


def _told(lefts_px: tuple[float, ...], *, then_up: float | None = None, gone: bool = False) -> list[Event]:
    teller = Teller("camera 1")
    cards: CardEvents[str] = CardEvents(teller, lambda looks: (looks[-1], 0.99), lambda _a, _b: None)
    things = [_back(number, left) for number, left in enumerate(lefts_px)]
    for number, thing in enumerate(things):
        cards.came(thing, 5.0 + number, None, [], False)
    if then_up is not None:
        shown = _back(9, then_up)
        shown.sight = replace(shown.sight, face=Face.UP)
        cards.came(shown, 20.0, None, ["Kh"], False)
        things.append(shown)
    if gone:
        for thing in things:
            cards.went(thing, 30.0, None)
        cards.passed(40.0)
    return teller.take()


@pytest.mark.parametrize(
    ("lefts_px", "fan"), [((10, 80, 150), False), ((10, 45, 80), True)], ids=["apart", "on each other"]
)
def test_how_many_backs_lie_on_each_other_is_not_seen(lefts_px: tuple[float, ...], fan: bool) -> None:
    lost = [event for event in _told(lefts_px) if isinstance(event, ViewLost)]
    assert [(event.spot, event.t, event.reason) for event in lost] == [(str(HAND), 6.0, "covered")] * fan


def test_a_place_is_seen_again_once_its_backs_are_away() -> None:
    events = _told((10, 45), gone=True)
    (lost,) = (event for event in events if isinstance(event, ViewLost))
    assert [event.lost for event in events if isinstance(event, ViewBack)] == [lost.seq]


def test_a_face_that_comes_out_of_a_fan_lay_in_it_face_down() -> None:
    events = _told((10, 45), then_up=120.0)
    placed = [event for event in events if isinstance(event, CardPlaced)]
    (turned,) = (event for event in events if isinstance(event, CardTurned))
    assert [(event.t, event.face, event.card) for event in placed[2:]] == [(6.0, "down", None)]
    assert (turned.card_id, turned.t, turned.card) == (placed[2].card_id, 20.0, "Kh")


def _layout(*shapes: str) -> Layout:
    return Layout.parse(DRAWING.removesuffix("</svg>\n").removesuffix("</svg>") + "".join(shapes) + "</svg>")


@pytest.mark.parametrize("spot", ["bank", "garage", "pot"])
def test_the_chips_of_the_bank_and_the_pot_are_told(spot: str) -> None:
    layout = _layout(f'<rect id="x" x="270" y="300" width="160" height="90" data-spot="{spot}"/>')
    teller = Teller("camera 1")
    chips = ChipEvents(teller, layout, CHIPS)
    at = (350.0, 345.0)
    stack = Sight(
        Family.STACK, Spot.parse(spot), at, np.zeros((4, 2)), 0.9, Footprint.of([[0, 0]] * 3, SHAPE)
    )
    chips.came(Thing(1, stack), 5.0, 5.0, None)
    chips.finish()
    (told,) = (event for event in teller.take() if isinstance(event, ChipState))
    assert (told.spot, len(told.stacks)) == (spot, 1)
    assert not holds_chips(Spot(Area.TIPS))


def test_the_shoe_is_told_at_the_place_where_it_stands() -> None:
    seats = {1: (60.0, 470.0), 2: (820.0, 470.0)}
    drawn = (
        f'<rect id="s{seat}" x="{x - 55}" y="{y - 40}" width="110" height="80" data-spot="seat {seat} shoe"/>'
        for seat, (x, y) in seats.items()
    )
    camera = Camera.looking_at((450, 280), distance_mm=1500, tilt_deg=40, focal_px=475, size_px=(320, 200))
    shoes = Shoes(camera, _layout(*drawn))

    def found(seat: int) -> list[Shoe]:
        x, y = seats[seat]
        box = [(x + dx, y + dy, z) for dx in (-50, 50) for dy in (-40, 60) for z in (0, 90)]
        return [Shoe(Footprint.of(camera.project(np.array(box)), (200, 320)), 0.8)]

    told = [shoes.see(found(seat)) for seat in (1, 1, 1, 2, 1, 2, 2)]
    assert [None if one is None else str(one[0]) for one in told] == [
        None, "seat 1 shoe", None, None, None, None, "seat 2 shoe",
    ]  # fmt: skip


def test_where_bets_lie_in_lettered_boxes_only_other_arms_are_players() -> None:
    lettered = Layout.parse(DRAWING.replace("seat 1 ", "box a ").replace("seat 2 ", "box b "))
    sides = Sides.of(lettered)
    tip = np.array([400.0, 250.0])
    assert sides.owner(np.array([450.0, 0.0]), tip).owner is Owner.DEALER
    assert sides.owner(np.array([0.0, 240.0]), tip).owner is Owner.UNKNOWN
    assert sides.owner(np.array([450.0, 560.0]), tip).owner is Owner.PLAYER
