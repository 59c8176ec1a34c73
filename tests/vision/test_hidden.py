"""A hand's place of which a part is hidden for long is told; cards, chips, arms and light are no matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from rules.events import Event, ViewBack, ViewLost
from tests.support.felt import CardAt, Felt, StackAt, TrueEyes, card_corners, dealer
from vision.hidden import HiddenPlaces
from vision.source import Frame
from vision.stillness import Picture
from vision.watch import TableWatcher

HANDS = ("hand punto", "hand banca")
Paint = Callable[[Felt, Picture, float], None]


@dataclass(slots=True)
class Behind(Felt):
    """A felt before which something stands."""

    paint: Paint = field(default=lambda *_: None)

    def picture(self, t: float) -> Picture:
        image = Felt.picture(self, t)
        self.paint(self, image, t)
        return image


def body(x0_mm: float, until: float = 1e9) -> Paint:
    """Somebody in black at the dealer's side, 125 mm wide."""

    def paint(felt: Felt, image: Picture, t: float) -> None:
        if t < until:
            corners = np.array([(x0_mm, -60), (x0_mm + 125, -60), (x0_mm + 125, 190), (x0_mm, 190)], float)
            cv2.fillPoly(image, [np.round(felt.camera.project(corners)).astype(np.int32)], (30, 26, 28))

    return paint


def lamp(felt: Felt, image: Picture, t: float) -> None:
    """Half of the table lies in the light."""
    del felt, t
    half = image[:, : image.shape[1] // 2]
    half[:] = np.clip(half.astype(np.float32) * 1.25, 0, 255).astype(np.uint8)


def told(felt: Felt, seconds: float = 12.0) -> list[Event]:
    eyes, events = TrueEyes(felt), list[Event]()
    watcher = TableWatcher(eyes)
    for number in range(round(seconds * 10)):
        eyes.t = number / 10
        events += watcher.frame(Frame(eyes.t, number, felt.picture(eyes.t)))
    return [e for e in events + watcher.finish() if isinstance(e, ViewLost | ViewBack)]


def test_a_body_before_a_hands_place_hides_it_from_the_start() -> None:
    (lost,) = told(Behind(paint=body(305.0)))
    assert isinstance(lost, ViewLost)
    assert (lost.spot, lost.reason, lost.t_to) == ("hand punto", "covered", None)
    assert lost.t < 1.5


def test_when_it_leaves_the_place_is_seen_again() -> None:
    lost, back = told(Behind(paint=body(305.0, until=7.0)))
    assert isinstance(lost, ViewLost)
    assert isinstance(back, ViewBack)
    assert (lost.spot, back.lost) == ("hand punto", lost.seq)
    assert 7.0 <= back.t < 10.0


def test_what_hides_it_only_to_the_end_is_told_at_the_end() -> None:
    lost = told(Behind(paint=body(305.0)), seconds=3.0)
    assert [getattr(event, "spot", None) for event in lost] == ["hand punto"]


@pytest.mark.parametrize(
    "felt",
    [
        Behind(),
        Behind(cards=[CardAt("Th", (415.0, 163.0), 0), CardAt("9s", (170.0, 163.0), 0, angle_deg=90)]),
        Behind(stacks=[StackAt((5, 5, 25), (250.0, 226.0), 0), StackAt((5,), (300.0, 226.0), 0)]),
        Behind(arms=[dealer((300, 150), 1.0, 9.0)]),
        Behind(paint=lamp),
        Behind(paint=body(760.0)),
    ],
    ids=[
        "nothing",
        "cards on its outline",
        "chips on its outline",
        "a resting arm",
        "a lamp",
        "a body beside it",
    ],
)
def test_nothing_else_does(felt: Felt) -> None:
    assert not [e for e in told(felt) if e.kind == "view_lost" and getattr(e, "spot", None) in HANDS]


def test_a_card_that_nobody_knows_of_hides_nothing_within_the_outline() -> None:
    felt = Felt()
    image = felt.picture(0.0)
    corners = felt.camera.project(card_corners(CardAt("Th", (300.0, 163.0), 0)))
    cv2.fillPoly(image, [corners.astype(np.int32)], (240, 240, 240))
    places = HiddenPlaces(felt.camera, felt.layout)
    nothing = np.zeros((image.shape[0] // 2, image.shape[1] // 2), np.bool_)
    assert not [change for t in range(8) for change in places.look(float(t), image, nothing)]
