"""Whose arm it is, told by the side it comes in from, and what its hand is at."""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
import pytest

from rules.events import Hand, Owner
from tests.support.felt import DRAWING, SIZE_PX
from vision.camera import Camera
from vision.footprint import Footprint, Mask
from vision.hands import ArmFinder, Sides
from vision.layout import Layout

LAYOUT = Layout.parse(DRAWING, "test table")
SMALL = (SIZE_PX[0] // 2, SIZE_PX[1] // 2)


def camera(azimuth_deg: float = 0.0, tilt_deg: float = 20.0) -> Camera:
    return Camera.looking_at(
        (450, 280), distance_mm=1500, tilt_deg=tilt_deg, azimuth_deg=azimuth_deg, focal_px=475, size_px=SMALL
    )


def arm(seen: Camera, way_in: tuple[float, float], tip: tuple[float, float], width_mm: float = 70) -> Mask:
    """The mask of a straight arm from beyond the table's edge to its fingertips."""
    ends = seen.project(np.array([way_in, tip]))
    canvas = np.zeros((SMALL[1], SMALL[0]), np.uint8)
    scale = float(seen.px_per_mm(np.array([[450.0, 280.0]]))[0])
    a, b = (tuple(int(value) for value in point) for point in ends)
    cv2.line(canvas, a, b, 1, max(1, round(width_mm * scale)))
    return canvas.astype(np.bool_)


@pytest.mark.parametrize(
    ("way_in", "tip", "owner"),
    [
        ((300, -150), (300, 160), Hand(Owner.DEALER)),
        ((800, -150), (180, 440), Hand(Owner.DEALER)),
        ((180, 700), (180, 440), Hand(Owner.PLAYER, 1)),
        ((-150, 450), (180, 330), Hand(Owner.PLAYER, 1)),
        ((700, 700), (680, 440), Hand(Owner.PLAYER, 2)),
        ((1000, 400), (680, 330), Hand(Owner.PLAYER, 2)),
    ],
)
@pytest.mark.parametrize("azimuth_deg", [0.0, 35.0, -120.0, 180.0], ids="azimuth {}".format)
def test_the_side_an_arm_comes_in_from_tells_its_owner(
    way_in: tuple[float, float], tip: tuple[float, float], owner: Hand, azimuth_deg: float
) -> None:
    seen = camera(azimuth_deg)
    mask = arm(seen, way_in, tip)
    (found,) = ArmFinder(seen, Sides.of(LAYOUT)).find(0.0, mask, ~mask).arms
    assert found.hand == owner
    assert found.tip_mm == pytest.approx(tip, abs=60)


def test_two_arms_that_touch_are_two_owners() -> None:
    seen = camera()
    mask = arm(seen, (180, 700), (180, 330)) | arm(seen, (180, -150), (180, 350))
    arms = ArmFinder(seen, Sides.of(LAYOUT)).find(0.0, mask, ~mask).arms
    assert {found.hand for found in arms} == {Hand(Owner.PLAYER, 1), Hand(Owner.DEALER)}


def test_what_lies_on_the_felt_is_no_arm() -> None:
    seen = camera()
    card = Footprint.of(
        seen.project(np.array([[300, 100], [363, 100], [363, 188], [300, 188.0]])), SMALL[::-1]
    )
    finder = ArmFinder(seen, Sides.of(LAYOUT))
    still = finder.find(0.0, card.whole(), np.ones(SMALL[::-1], np.bool_))
    assert not still.arms
    assert not still.mask.any()


def test_who_was_last_at_a_place_and_until_when() -> None:
    seen = camera()
    box = Footprint.of(seen.project(LAYOUT.zones[0].corners_mm), SMALL[::-1]).whole()
    finder = ArmFinder(seen, Sides.of(LAYOUT))
    nothing = np.zeros(SMALL[::-1], np.bool_)
    for t, mask in (
        (1.0, arm(seen, (180, 700), (180, 440))),
        (2.0, arm(seen, (180, 700), (180, 440))),
        (3.0, nothing),
        (4.0, arm(seen, (180, -150), (180, 440))),
        (5.0, nothing),
    ):
        finder.find(t, mask, ~mask)
    assert finder.last_at(box, 0.0, 3.0) == Hand(Owner.PLAYER, 1)
    assert finder.last_at(box, 3.5, 6.0) == Hand(Owner.DEALER)
    assert finder.last_at(box, 4.5, 6.0) is None
    assert finder.left_at(box, 0.0, 3.5) == 2.0
    assert finder.left_at(box, 0.0, 6.0) == 4.0


@pytest.mark.parametrize(("x", "side"), [(150, "right"), (760, "left")])
@pytest.mark.parametrize("azimuth_deg", [0.0, 180.0], ids="azimuth {}".format)
def test_of_two_dealers_the_side_tells_which(
    x: float, side: Literal["left", "right"], azimuth_deg: float
) -> None:
    two = Layout.parse(DRAWING.replace("<svg ", '<svg data-dealers="2" ', 1), "two dealers")
    seen = camera(azimuth_deg)
    mask = arm(seen, (x, -150), (x, 150))
    (found,) = ArmFinder(seen, Sides.of(two)).find(0.0, mask, ~mask).arms
    assert found.hand == Hand(Owner.DEALER, side=side)
