"""A hand's place of which a part is hidden for long is told; cards, chips, arms and light are no matter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

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


def wall(x1_mm: float, y1_mm: float) -> Paint:
    """Something black before everything up to here."""

    def paint(felt: Felt, image: Picture, t: float) -> None:
        del t
        corners = np.array([(-300, -300), (x1_mm, -300), (x1_mm, y1_mm), (-300, y1_mm)], float)
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


@pytest.mark.parametrize(
    ("paint", "hidden"),
    [
        (wall(500.0, 900.0), set(HANDS)),
        (wall(430.0, 900.0), {"hand punto"}),
        (wall(1500.0, 240.0), set(HANDS)),
    ],
    ids=["most of the table", "half of it", "the dealer's side"],
)
def test_what_hides_most_of_the_felt_is_not_taken_for_felt(paint: Paint, hidden: set[str]) -> None:
    lost = told(Behind(paint=paint), seconds=6.0)
    assert {getattr(event, "spot", None) for event in lost} == hidden


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


def hides(
    felt: Felt, times: list[float], hidden: list[bool], last: bool = False
) -> list[tuple[str, float, bool]]:
    places, changes = HiddenPlaces(felt.camera, felt.layout), []
    for t, is_hidden in zip(times, hidden, strict=True):
        image = felt.picture(t)
        if is_hidden:
            body(305.0)(felt, image, t)
        nothing = np.zeros((image.shape[0] // 2, image.shape[1] // 2), np.bool_)
        changes += places.look(t, image, nothing, last=last and t == times[-1])
    return [(str(change.spot), change.t, change.hidden) for change in changes]


def test_the_time_in_which_the_view_was_lost_does_not_count() -> None:
    assert hides(Felt(), [0.0, 20.0], [True, True]) == []
    after = [20.0, 21.0, 22.0, 23.0, 24.0]
    assert hides(Felt(), [0.0, *after], [True] * 6) == [("hand punto", 20.0, True)]


@pytest.mark.parametrize(("hidden", "said"), [([True, True], 1), ([False, True], 0)], ids=["two", "one"])
def test_one_look_at_the_end_is_not_enough(hidden: list[bool], said: int) -> None:
    assert len(hides(Felt(), [0.0, 1.0], hidden, last=True)) == said


def test_a_gap_is_as_long_where_some_of_the_outline_is_out_of_view() -> None:
    felt = Felt()
    (middle,) = felt.camera.project(np.array([(295.0, 163.0)]))
    for width_px in (felt.camera.width_px, round(float(middle[0]))):
        camera = replace(felt.camera, width_px=width_px)
        places, changes = HiddenPlaces(camera, felt.layout), []
        for t in range(6):
            image = felt.picture(float(t))
            # Of the outline 35 mm are gone: less than is asked for.
            corners = np.array([(185, 60), (220, 60), (220, 150), (185, 150)], float)
            cv2.fillPoly(image, [np.round(felt.camera.project(corners)).astype(np.int32)], (30, 26, 28))
            nothing = np.zeros((image.shape[0] // 2, width_px // 2), np.bool_)
            changes += places.look(float(t), np.ascontiguousarray(image[:, :width_px]), nothing)
        assert changes == []
