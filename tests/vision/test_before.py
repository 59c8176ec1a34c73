"""Feet told by what a stack changed of the felt before, on small pictures drawn from their truth."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from vision.before import Change, change, lifted_by, outlines
from vision.camera import Camera, Floats
from vision.chip_geometry import Image
from vision.foot import Heights, find_foot, heights, reader_error
from vision.patch import Patch, directions

RADIUS_MM, CHIP_MM = 20.0, 3.3
SIZE_PX = (480, 320)
AT = np.array([13.0, -8.0])
CAMERA = Camera.looking_at(
    (0, 0), distance_mm=1500, tilt_deg=45, azimuth_deg=20, focal_px=1400, size_px=SIZE_PX
)
AWAY = directions(CAMERA, (float(AT[0]), float(AT[1])))[0]
FELT, PRINT = (60, 110, 40), (200, 220, 210)


@dataclass(frozen=True, slots=True)
class Look:
    """How the stack looks: colours of its side and top, a shadow's reach toward the camera (mm), exposure."""

    side: tuple[int, int, int]
    top: tuple[int, int, int]
    shadow_mm: float = 0.0
    exposure: float = 1.0


def circle(about_mm: Floats, radius_mm: float, height_mm: float = 0.0) -> Floats:
    angles = np.arange(90) * np.pi / 45
    rim = about_mm + radius_mm * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return CAMERA.project(np.column_stack([rim, np.full(90, height_mm)]))


def picture(chips: int, look: Look | None, seed: int) -> Image:
    """The felt, with a printed ring that runs closely before the stack, drawn four times as large."""
    scale = 4
    image = np.full((SIZE_PX[1] * scale, SIZE_PX[0] * scale, 3), FELT, np.uint8)
    ring = (circle(AT - 12.0 * AWAY, RADIUS_MM + 1.0) * scale).round().astype(np.int32)
    cv2.polylines(image, [ring], isClosed=True, color=PRINT, thickness=3 * scale)
    if look is not None:
        body = np.concatenate([circle(AT, RADIUS_MM), circle(AT, RADIUS_MM, chips * CHIP_MM)])
        if look.shadow_mm:
            cast = np.concatenate([circle(AT, RADIUS_MM), circle(AT - look.shadow_mm * AWAY, RADIUS_MM)])
            dark = np.zeros(image.shape[:2], np.uint8)
            cv2.fillConvexPoly(dark, cv2.convexHull((cast * scale).round().astype(np.int32)), 1)
            image[dark > 0] = (0.7 * image[dark > 0]).astype(np.uint8)
        for points, colour in ((body, look.side), (circle(AT, RADIUS_MM, chips * CHIP_MM), look.top)):
            cv2.fillConvexPoly(image, cv2.convexHull((points * scale).round().astype(np.int32)), colour)
    small = cv2.resize(image, SIZE_PX, interpolation=cv2.INTER_AREA).astype(np.float64)
    gain = 1.0 if look is None else look.exposure
    noisy = gain * small + np.random.default_rng(seed).normal(0, 2, small.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


FOUR = Heights((4 * CHIP_MM,), np.zeros(1))
HARDLY_SEEN = (62, 104, 46)
BLUE = Look((120, 60, 30), (190, 110, 70))


def said(patch: Patch, now: Image, before: Image) -> Change:
    told = change(patch, now, before, RADIUS_MM)
    assert told is not None
    return told[0]


@pytest.mark.parametrize(
    "look",
    [
        BLUE,
        Look((120, 60, 30), (190, 110, 70), exposure=0.9),
        Look(HARDLY_SEEN, (230, 230, 230)),
        Look((120, 60, 30), (190, 110, 70), shadow_mm=5.0),
    ],
    ids=["print before it", "another exposure", "side of the felt's colour", "with a shadow"],
)
@pytest.mark.parametrize("chips", [2, 6])
def test_a_foot_put_on_print_before_the_stack_is_put_right_or_said_to_be_open(look: Look, chips: int) -> None:
    given = AT - 11.0 * AWAY
    before = reader_error(CAMERA, (float(given[0]), float(given[1])), 2.0)
    foot = find_foot(
        picture(chips, look, 1),
        CAMERA,
        (float(given[0]), float(given[1])),
        before,
        2 * RADIUS_MM,
        heights(None, CHIP_MM),
        picture(chips, None, 2),
    )
    off = np.asarray(foot.at_mm) - AT
    assert off @ np.linalg.solve(foot.error + 0.5 * np.eye(2), off) < 9.2
    if look.side != HARDLY_SEEN:
        assert np.hypot(*off) < 4.0


@pytest.mark.parametrize("side", [(90, 150, 90), (100, 155, 100)])
def test_a_top_that_is_far_brighter_than_the_side_does_not_take_the_foot_to_it(
    side: tuple[int, int, int],
) -> None:
    given = (float(AT[0]) + 0.5, float(AT[1]) + 0.5)
    foot = find_foot(
        picture(3, Look(side, (250, 250, 250)), 1),
        CAMERA,
        given,
        reader_error(CAMERA, given, 1.3),
        2 * RADIUS_MM,
        heights(None, CHIP_MM),
        picture(3, None, 2),
    )
    assert np.hypot(*(np.asarray(foot.at_mm) - AT)) < 3.0


def test_a_foot_that_the_reader_hardly_knows_is_told_by_what_changed_and_by_edges_alone_it_is_not() -> None:
    given = (float(AT[0]) + 4.0, float(AT[1]) - 5.0)
    before = reader_error(CAMERA, given, 11.0)
    now = picture(4, BLUE, 1)
    alone = find_foot(now, CAMERA, given, before, 2 * RADIUS_MM, FOUR)
    assert alone.at_mm == given
    assert np.trace(alone.error) == pytest.approx(np.trace(before))
    told = find_foot(now, CAMERA, given, before, 2 * RADIUS_MM, FOUR, picture(4, None, 2))
    assert np.hypot(*(np.asarray(told.at_mm) - AT)) < 1.5
    assert np.trace(told.error) < 0.3 * np.trace(before)


def test_a_foot_that_is_right_stays() -> None:
    at = (float(AT[0]) + 0.8, float(AT[1]) - 0.5)
    before = reader_error(CAMERA, at, 1.0)
    foot = find_foot(picture(4, BLUE, 1), CAMERA, at, before, 2 * RADIUS_MM, FOUR, picture(4, None, 2))
    assert np.hypot(*(np.asarray(foot.at_mm) - AT)) < 1.0


def test_felt_that_did_not_change_says_nothing() -> None:
    at, image = (float(AT[0]), float(AT[1])), picture(4, BLUE, 1)
    before = reader_error(CAMERA, at, 1.0)
    alone = find_foot(image, CAMERA, at, before, 2 * RADIUS_MM, FOUR)
    told = find_foot(image, CAMERA, at, before, 2 * RADIUS_MM, FOUR, image)
    assert told.at_mm == pytest.approx(alone.at_mm, abs=0.15)


@pytest.mark.parametrize("share", [0.2, 0.6, 0.9])
def test_what_is_not_known_of_the_felt_before_far_away_changes_nothing(share: float) -> None:
    patch = Patch.about(CAMERA, (float(AT[0]), float(AT[1])), 60.0, 90.0, 45.0)
    assert patch is not None
    now, before = picture(5, None, 1), picture(5, None, 2)
    x0, y0, x1, y1 = patch.part
    known = np.random.default_rng(3).random((SIZE_PX[1], SIZE_PX[0], 1)) >= share
    known[y0:y1, x0:x1] = True
    whole, says = (said(patch, now, empty) for empty in (before, before * known))
    assert np.median(says.disc) == pytest.approx(np.median(whole.disc), abs=0.001)


def test_what_is_not_known_of_the_felt_before_says_nothing() -> None:
    patch = Patch.about(CAMERA, (float(AT[0]), float(AT[1])), 60.0, 90.0, 45.0)
    assert patch is not None
    now, before = picture(5, None, 1), picture(5, None, 2)
    x0, _, x1, _ = patch.part
    before[:, (x0 + x1) // 2 :] = 0
    says = said(patch, now, before)
    assert (says.disc == 0).mean() == pytest.approx(0.5, abs=0.2)
    assert np.median(says.disc[says.disc != 0]) < 0
    assert change(patch, now, np.zeros_like(before), RADIUS_MM) is None


def test_the_likeliest_outline_is_the_stack_s() -> None:
    patch = Patch.about(CAMERA, (float(AT[0]), float(AT[1])), 60.0, 90.0, 45.0)
    assert patch is not None
    says = said(patch, picture(5, BLUE, 1), picture(5, None, 2))
    levels = [n * CHIP_MM for n in range(1, 9)]
    window = patch.row - 20, patch.row + 21, patch.column - 10, patch.column + 11
    found = outlines(says, patch, RADIUS_MM, levels, window)
    number, row, column = np.unravel_index(int(found.argmax()), found.shape)
    assert abs(number + 1 - 5) <= 1
    assert np.hypot(row - 20, column - 10) * patch.step_mm < 2.0


def test_rows_are_lifted_by_parts() -> None:
    rows = np.arange(10.0)[:, None] * np.ones((1, 2))
    assert lifted_by(rows, [0.0, 2.5], 4)[:, :, 0].tolist() == [[0, 1, 2, 3], [2.5, 3.5, 4.5, 5.5]]
