"""The views of a stack, checked against stacks cast by the training renderer's exact rays."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Camera
from vision.chip_geometry import (
    LEVELS_BELOW,
    PLACE_FOOT,
    PLACE_RADIUS_PX,
    ROWS_PER_CHIP,
    SIDE_SHAPE,
    foot_of_box,
    offset_mm,
    place_view,
    side_view,
    stack_frame,
)

DIAMETER, HEIGHT = 39.5, 3.3


def camera(tilt: float, azimuth: float = 20.0, roll: float = 4.0, focal: float = 2300.0) -> Camera:
    return Camera.looking_at(
        (850, 350),
        distance_mm=2500,
        tilt_deg=tilt,
        azimuth_deg=azimuth,
        roll_deg=roll,
        focal_px=focal,
        size_px=(1280, 720),
        k1=-0.05,
    )


def painted(view: Camera, at: tuple[float, float], count: int) -> np.ndarray:
    """A picture with each pixel of the near side of a stack coloured by the chip it belongs to."""
    image = np.zeros((view.height_px, view.width_px, 3), np.uint8)
    angle = np.linspace(0, 2 * np.pi, 1440, endpoint=False)
    ring = DIAMETER / 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + at
    for z in np.arange(0, count * HEIGHT, 0.2):
        px = np.floor(view.project(np.column_stack([ring, np.full(len(ring), z)]))).astype(int)
        image[px[:, 1], px[:, 0]] = 10 * (int(z / HEIGHT) + 1)
    return image


@pytest.mark.parametrize(("tilt", "azimuth"), [(35, 0), (45, 70), (60, -150), (65, 20)])
def test_each_chip_is_a_band_of_the_side_view(tilt: float, azimuth: float) -> None:
    view, at, count = camera(tilt, azimuth, focal=9000), (845.0, 352.0), 6
    frame = stack_frame(view, at, DIAMETER, HEIGHT)
    assert frame is not None
    side = side_view(painted(view, at, count), view, at, frame, DIAMETER, HEIGHT)
    assert side.shape == (*SIDE_SHAPE, 3)
    middle = side[:, SIDE_SHAPE[1] // 2, 0].astype(int)
    for chip in range(count):
        row = SIDE_SHAPE[0] - (LEVELS_BELOW + chip) * ROWS_PER_CHIP - ROWS_PER_CHIP // 2
        assert abs(middle[row] - 10 * (chip + 1)) <= 4, chip
    assert middle[SIDE_SHAPE[0] - ROWS_PER_CHIP] == 0, "below the felt there is no chip"


@pytest.mark.parametrize("tilt", [0.0, 10.0, 45.0, 65.0])
def test_a_shift_in_the_place_view_is_the_shift_on_the_felt(tilt: float) -> None:
    view, at = camera(tilt), (700.0, 420.0)
    frame = stack_frame(view, at, DIAMETER, HEIGHT)
    assert frame is not None
    moved = (at[0] + 4.0, at[1] - 3.0)
    to = view.project(np.array([moved]))[0] - frame.foot_px
    up = frame.away_px / frame.squash
    across, rise = np.linalg.solve(np.stack([frame.across_px, up], axis=1), to)
    assert offset_mm(frame, across, rise, DIAMETER / 2) == pytest.approx((4.0, -3.0), abs=0.05)


def test_the_place_view_is_centred_upright_and_to_scale() -> None:
    view, at = camera(50, roll=30), (850.0, 350.0)
    frame = stack_frame(view, at, DIAMETER, HEIGHT)
    assert frame is not None
    image = np.zeros((720, 1280, 3), np.uint8)
    foot = np.floor(frame.foot_px).astype(int)
    image[foot[1] - 1 : foot[1] + 2, foot[0] - 1 : foot[0] + 2] = 200
    above = np.floor(view.project(np.array([[*at, 30.0]]))[0]).astype(int)
    image[above[1] - 1 : above[1] + 2, above[0] - 1 : above[0] + 2, 1] = 100
    seen = place_view(image, frame)
    rows, columns = np.nonzero(seen[:, :, 2] > 60)
    assert (rows.mean() + 0.5, columns.mean() + 0.5) == pytest.approx(PLACE_FOOT, abs=0.8)
    rows, columns = np.nonzero((seen[:, :, 1] > 30) & (seen[:, :, 2] == 0))
    length = np.hypot(*(above - foot)) / frame.radius_px * PLACE_RADIUS_PX
    assert columns.mean() + 0.5 == pytest.approx(PLACE_FOOT[1], abs=1.0), "a stack grows straight up"
    assert PLACE_FOOT[0] - rows.mean() - 0.5 == pytest.approx(length, abs=1.5)


@pytest.mark.parametrize("tilt", [5.0, 30.0, 45.0, 65.0])
@pytest.mark.parametrize("count", [1, 7, 18])
def test_the_foot_is_found_from_a_box(tilt: float, count: int) -> None:
    view, at = camera(tilt), np.array([760.0, 410.0])
    angle = np.linspace(0, 2 * np.pi, 90)
    ring = DIAMETER / 2 * np.stack([np.cos(angle), np.sin(angle)], axis=1) + at
    points = np.concatenate([np.column_stack([ring, np.full(90, z)]) for z in (0, count * HEIGHT)])
    px = view.project(points)
    box = (*px.min(axis=0), *px.max(axis=0))
    found = foot_of_box(view, box, DIAMETER, HEIGHT)
    assert found is not None
    assert np.hypot(*(found - at)) < 3.0


def test_a_box_past_the_horizon_has_no_foot() -> None:
    view = camera(88)
    assert foot_of_box(view, (600, 0, 640, 20), DIAMETER, HEIGHT) is None


def test_thickness_agrees_with_the_camera() -> None:
    view = camera(45)
    frame = stack_frame(view, (850, 350), DIAMETER, HEIGHT)
    assert frame is not None
    assert frame.thickness_px == pytest.approx(float(view.chip_thickness_px([[850, 350]], HEIGHT)[0]))
