"""The view: silent in play, and each way of losing the table told for what it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
import pytest

from tests.support.recording import CAMERA as LARGE
from tests.support.recording import felt_svg
from veedor.importing import convert_layout
from vision.layout import Layout
from vision.printed import Luma
from vision.viewcheck import Back, Lost, ViewCheck

LAYOUT = Layout.parse(convert_layout(felt_svg(), "felt.svg"))
CAMERA = LARGE.resized(640, 360)
WRONG = (6.0, 12.0)


@cache
def table(t: float) -> Luma:
    """The felt from the camera, with noise, and an arm that sweeps over it."""
    rng = np.random.default_rng(round(t * 1000))
    picture = np.full((360, 640), 70, np.uint8)
    felt = np.array(LAYOUT.felt.exterior.segmentize(20).coords)
    cv2.fillPoly(picture, [np.round(CAMERA.project(felt)).astype(np.int32)], 105)
    for zone in LAYOUT.zones:
        ring = CAMERA.project(np.array(zone.polygon.exterior.segmentize(10).coords))
        cv2.polylines(picture, [np.round((ring - 0.5) * 16).astype(np.int32)], True, 205, 2, cv2.LINE_AA, 4)
    x = int(100 + 450 * (0.5 + 0.5 * np.sin(t)))
    cv2.ellipse(picture, (x, 325), (55, 210), 15, 0, 360, 150, -1)
    noisy = picture.astype(np.float32) * (1 + 0.03 * np.sin(3 * t)) + rng.normal(0, 2.0, picture.shape)
    return np.asarray(noisy.clip(16, 235), np.uint8)


def moved(dx: float, dy: float) -> Callable[[Luma, float], Luma]:
    shift = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
    return lambda picture, _: np.asarray(
        cv2.warpAffine(picture, shift, (640, 360), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def blurred(size: float) -> Callable[[Luma, float], Luma]:
    return lambda picture, _: np.asarray(cv2.GaussianBlur(picture, (0, 0), size), np.uint8)


def levels(factor: float) -> Callable[[Luma, float], Luma]:
    return lambda picture, _: np.asarray(16 + (picture.astype(np.float32) - 16) * factor, np.uint8)


def cloth(_: Luma, t: float) -> Luma:
    rng = np.random.default_rng(round(t * 1000))
    return np.asarray(90 + rng.integers(0, 6, (360, 640)), np.uint8)


def stopped(_: Luma, t: float) -> Luma:
    del t
    return table(WRONG[0])


def half_hidden(picture: Luma, _: float) -> Luma:
    picture = picture.copy()
    picture[:, :350] = 120
    return picture


def bright(picture: Luma, _: float) -> Luma:
    return np.asarray(np.clip(picture.astype(np.float32) * 0.35 + 170, 0, 255), np.uint8)


def turned(degrees: float, zoom: float) -> Callable[[Luma, float], Luma]:
    matrix = cv2.getRotationMatrix2D((320, 180), -degrees, zoom)
    return lambda picture, _: np.asarray(
        cv2.warpAffine(picture, matrix, (640, 360), borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def watch(change: Callable[[Luma, float], Luma], until: float = 15.0) -> tuple[list[Lost | Back], ViewCheck]:
    check = ViewCheck(CAMERA, LAYOUT)
    news: list[Lost | Back] = []
    for k in range(round(until * 5)):
        t = k / 5
        picture = table(t)
        if WRONG[0] < t < WRONG[1]:
            picture = change(picture, t)
        news += check.update(t, picture)
    return news, check


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (moved(80, 20), "moved"),
        (blurred(2.5), "blurred"),
        (cloth, "covered"),
        (levels(0.04), "dark"),
        (bright, "dazzled"),
        (stopped, "frozen"),
    ],
)
def test_losses_are_told_within_ten_seconds_and_end(
    change: Callable[[Luma, float], Luma], reason: str
) -> None:
    (lost, back), check = watch(change)
    assert isinstance(lost, Lost)
    assert isinstance(back, Back)
    assert lost.reason == reason
    assert lost.t == pytest.approx(WRONG[0], abs=0.6)
    assert lost.t_seen - WRONG[0] < 6.0
    assert back.t == pytest.approx(WRONG[1], abs=0.6)
    assert back.fit is None
    assert not check.suspect


@pytest.mark.parametrize(
    "change",
    [lambda picture, _: picture, blurred(0.8), levels(0.4), half_hidden],
    ids=["nothing", "a little soft", "less light", "half hidden"],
)
def test_play_and_light_are_no_losses(change: Callable[[Luma, float], Luma]) -> None:
    news, check = watch(change)
    assert news == []
    assert not check.suspect


@pytest.mark.parametrize(
    ("change", "far_px"),
    [
        (moved(1, 0), 1.0),
        (moved(3, 0), 3.0),
        (moved(-9, 12), 15.0),
        (moved(45, 20), 49.2),
        (turned(1.0, 1.0), None),
        (turned(-0.5, 1.03), None),
    ],
)
def test_small_moves_are_followed_there_and_back(
    change: Callable[[Luma, float], Luma], far_px: float | None
) -> None:
    (lost, back, lost_again, home), check = watch(change)
    assert isinstance(lost, Lost)
    assert isinstance(back, Back)
    assert lost.reason == "moved"
    assert lost.t == pytest.approx(WRONG[0], abs=0.6)
    assert back.t - WRONG[0] < 4.0
    assert back.fit is not None
    assert back.fit.residual_px < 0.3
    spots = CAMERA.project([zone.centre_mm for zone in LAYOUT.zones])
    if far_px is not None:
        assert back.fit.nudge.far_px(CAMERA, spots) == pytest.approx(far_px, abs=0.15)
    assert isinstance(lost_again, Lost)
    assert isinstance(home, Back)
    assert check.nudge.far_px(CAMERA, spots) < 0.15


def test_nothing_is_concluded_from_a_picture_that_has_just_moved() -> None:
    check = ViewCheck(CAMERA, LAYOUT)
    for k in range(60):
        check.update(k / 10, table(k / 10))
    assert check.sure(5.9, table(5.9))
    check.update(6.0, moved(6, 0)(table(6.0), 6.0))
    assert not check.sure(6.0, moved(6, 0)(table(6.0), 6.0))
    assert check.now == ()


def test_a_loss_to_the_end_is_told_when_it_is_seen() -> None:
    (lost,), check = watch(moved(0, 80), until=11.0)
    assert isinstance(lost, Lost)
    assert check.now == ("moved",)
    assert check.present == lost


def test_a_short_darkness_is_not_told() -> None:
    check = ViewCheck(CAMERA, LAYOUT)
    for k in range(40):
        picture = table(k / 5) if not 20 <= k < 23 else np.full((360, 640), 16, np.uint8)
        assert check.update(k / 5, picture) == ()


def test_pictures_without_noise_are_not_frozen() -> None:
    check = ViewCheck(CAMERA, LAYOUT)
    picture = table(0)
    for k in range(60):
        assert check.update(k / 5, picture) == ()


@pytest.mark.parametrize("change", [moved(10, 0), turned(0.8, 1.0), moved(-6, 5)])
def test_a_camera_moved_before_the_first_picture_is_found(change: Callable[[Luma, float], Luma]) -> None:
    check = ViewCheck(CAMERA, LAYOUT)
    news: list[Lost | Back] = []
    for k in range(40):
        news += check.update(k / 5, change(table(k / 5), 0))
    lost, back = news
    assert isinstance(lost, Lost)
    assert isinstance(back, Back)
    assert (lost.reason, lost.t) == ("moved", 0.0)
    spots = CAMERA.project([zone.centre_mm for zone in LAYOUT.zones])
    marks = np.zeros((360, 640), np.uint8)
    for x, y in spots.astype(int):
        marks[y - 1 : y + 2, x - 1 : x + 2] = 255
    _, _, _, middles = cv2.connectedComponentsWithStats(np.asarray(change(marks, 0) > 100, np.uint8))
    found = check.nudge.px(CAMERA, spots)
    off = np.hypot(*(found[:, None] - (middles[1:] + 0.5)[None]).transpose(2, 0, 1)).min(axis=1)
    assert off.max() < 1.2


def test_another_felt_from_the_start_is_not_followed() -> None:
    check = ViewCheck(CAMERA, LAYOUT)
    for k in range(40):
        check.update(k / 5, moved(40, 30)(table(k / 5), 0))
    assert check.nudge.far_px(CAMERA, CAMERA.project([(500.0, 250.0)])) < 1e-6
