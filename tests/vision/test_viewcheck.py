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
from vision.viewcheck import Lost, Luma, ViewCheck

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


def watch(change: Callable[[Luma, float], Luma], until: float = 15.0) -> tuple[list[Lost], ViewCheck]:
    check = ViewCheck(CAMERA, LAYOUT)
    lost: list[Lost] = []
    for k in range(round(until * 5)):
        t = k / 5
        picture = table(t)
        if WRONG[0] < t < WRONG[1]:
            picture = change(picture, t)
        lost += check.update(t, picture)
    return lost, check


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda picture, _: picture, None),
        (moved(3, 0), None),
        (moved(7, 0), "moved"),
        (moved(-9, 12), "moved"),
        (moved(45, 20), "moved"),
        (blurred(2.5), "blurred"),
        (cloth, "covered"),
        (levels(0.04), "dark"),
        (levels(0.4), None),
        (half_hidden, None),
        (stopped, "frozen"),
    ],
)
def test_losses(change: Callable[[Luma, float], Luma], reason: str | None) -> None:
    lost, check = watch(change)
    lost += check.finish()
    if reason is None:
        assert lost == []
        return
    assert [loss.reason for loss in lost] == [reason]
    assert lost[0].t == pytest.approx(WRONG[0], abs=0.6)
    assert lost[0].t_to == pytest.approx(WRONG[1], abs=0.6)


def test_a_loss_to_the_end_is_told_at_the_end() -> None:
    lost, check = watch(moved(0, 14), until=10.0)
    assert lost == []
    assert check.now == ("moved",)
    (loss,) = check.finish()
    assert (loss.reason, loss.t_to) == ("moved", None)


def test_a_calibration_of_another_picture_is_seen_from_the_start() -> None:
    check = ViewCheck(CAMERA, LAYOUT)
    for k in range(20):
        check.update(k / 5, moved(10, 0)(table(k / 5), 0))
    assert check.now == ("moved",)


def test_a_short_darkness_is_not_told() -> None:
    check = ViewCheck(CAMERA, LAYOUT)
    for k in range(40):
        picture = table(k / 5) if not 20 <= k < 23 else np.full((360, 640), 16, np.uint8)
        assert check.update(k / 5, picture) == ()
    assert check.finish() == ()


def test_pictures_without_noise_are_not_frozen() -> None:
    check = ViewCheck(CAMERA, LAYOUT)
    picture = table(0)
    for k in range(60):
        check.update(k / 5, picture)
    assert check.finish() == ()
