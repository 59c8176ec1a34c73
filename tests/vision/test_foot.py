"""Feet found to a part of a pixel, on small pictures drawn from their truth."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.camera import Camera, Floats
from vision.chip_geometry import Image
from vision.foot import Foot, Heights, find_foot, heights, reader_error, together

RADIUS_MM, CHIP_MM = 20.0, 3.3
SIZE_PX = (480, 320)
AT = np.array([13.0, -8.0])


def view(tilt_deg: float) -> Camera:
    return Camera.looking_at(
        (0, 0), distance_mm=1500, tilt_deg=tilt_deg, azimuth_deg=20, focal_px=1400, size_px=SIZE_PX
    )


def ring(camera: Camera, height_mm: float) -> Floats:
    angles = np.arange(60) * np.pi / 30
    rim = AT + RADIUS_MM * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return camera.project(np.column_stack([rim, np.full(60, height_mm)]))


def picture(camera: Camera, chips: int, *, faint: bool = False) -> Image:
    """A stack on a green felt with a white line beside it, drawn four times as large and averaged."""
    scale, (width, height) = 4, SIZE_PX
    felt = (60, 110, 40)
    image = np.full((height * scale, width * scale, 3), felt, np.uint8)
    along = camera.project(np.array([[AT[0] - 200, AT[1] + 31, 0.0], [AT[0] + 200, AT[1] + 31, 0.0]]))
    start, end = ((point * scale).round().astype(int).tolist() for point in along)
    cv2.line(image, start, end, (220, 225, 220), 3 * scale)
    side, top = (felt, felt) if faint else ((40, 30, 140), (70, 60, 200))
    body = np.concatenate([ring(camera, 0.0), ring(camera, chips * CHIP_MM)])
    for points, colour in ((body, side), (ring(camera, chips * CHIP_MM), top)):
        cv2.fillConvexPoly(image, cv2.convexHull((points * scale).round().astype(np.int32)), colour)
    small = cv2.resize(image, SIZE_PX, interpolation=cv2.INTER_AREA)
    noisy = small + np.random.default_rng(5).normal(0, 2, small.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


def just(chips: int) -> Heights:
    return Heights((chips * CHIP_MM,), np.zeros(1))


@pytest.mark.parametrize("tilt_deg", [4.0, 35.0, 55.0])
@pytest.mark.parametrize("chips", [1, 6])
@pytest.mark.parametrize("off_mm", [(2.0, -1.5), (-2.5, 1.0)])
def test_a_foot_is_found_from_where_the_reader_put_it(
    tilt_deg: float, chips: int, off_mm: tuple[float, float]
) -> None:
    camera = view(tilt_deg)
    given = (float(AT[0] + off_mm[0]), float(AT[1] + off_mm[1]))
    before = reader_error(camera, given, 2.5)
    foot = find_foot(picture(camera, chips), camera, given, before, 2 * RADIUS_MM, heights(None, CHIP_MM))
    off = np.asarray(foot.at_mm) - AT
    assert np.hypot(*off) < 1.2
    assert off @ np.linalg.solve(foot.error, off) < 6.0
    assert np.trace(foot.error) < 0.7 * np.trace(before)


def test_a_foot_without_edges_stays_and_is_no_surer() -> None:
    camera = view(40.0)
    before = reader_error(camera, (13.5, -8.5), 2.0)
    image = picture(camera, 3, faint=True)
    foot = find_foot(image, camera, (13.5, -8.5), before, 2 * RADIUS_MM, just(3))
    assert foot.at_mm == pytest.approx((13.5, -8.5), abs=1.0)
    assert np.trace(foot.error) > 0.6 * np.trace(before)


def test_a_foot_beside_the_picture_stays() -> None:
    camera, away = view(40.0), (2000.0, 2000.0)
    foot = find_foot(picture(camera, 2), camera, away, np.eye(2), 2 * RADIUS_MM, just(2))
    assert foot.at_mm == pytest.approx(away, abs=2.0)


def test_pictures_of_one_stack_are_no_surer_together_than_the_best_of_them() -> None:
    sure, unsure = 0.5 * np.eye(2), 4.0 * np.eye(2)
    foot = together([Foot((10.0, 0.0), sure), Foot((10.4, 0.0), sure), Foot((11.5, 0.0), unsure)])
    assert foot.at_mm == pytest.approx((10.28, 0.0), abs=0.1)
    assert np.trace(sure) < np.trace(foot.error) < np.trace(unsure)


def test_a_picture_that_saw_something_else_does_not_count() -> None:
    feet = [Foot((10.0 + k / 10, 0.0), np.eye(2)) for k in range(4)]
    foot = together([*feet, Foot((28.0, 3.0), 0.01 * np.eye(2))])
    assert foot.at_mm == pytest.approx((10.15, 0.0))


@pytest.mark.parametrize(
    ("likely", "more"),
    [({3: 0.9, 4: 0.09, 11: 1e-4}, []), ({0: 0.99, 11: 0.2}, [11]), ({0: 1.0}, range(9, 29))],
    ids=["few", "one that is tall", "none"],
)
def test_heights_are_those_of_few_chips_and_of_likely_counts(
    likely: dict[int, float], more: Sequence[int]
) -> None:
    counts = np.full(29, -30.0)
    for count, p in likely.items():
        counts[count] = np.log(p)
    high = heights(counts, CHIP_MM)
    assert high.mm == pytest.approx([n * CHIP_MM for n in (*range(1, 9), *more)])
    assert high.log.min() >= -8.0
    assert np.exp(high.log).sum() == pytest.approx(1.0, abs=0.02)
