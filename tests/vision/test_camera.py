"""The camera model: forwards, backwards, and what it says about chips."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.camera import Camera, Floats, undistorted_radius
from vision.chip_geometry import stack_frame

tilts = st.floats(0, 70)
azimuths = st.floats(-180, 180)


def view(tilt: float = 30, azimuth: float = 0, roll: float = 0, k1: float = 0, k2: float = 0) -> Camera:
    return Camera.looking_at(
        (850, 300),
        distance_mm=2300,
        tilt_deg=tilt,
        azimuth_deg=azimuth,
        roll_deg=roll,
        focal_px=1500,
        size_px=(1280, 720),
        k1=k1,
        k2=k2,
    )


@settings(deadline=None)
@given(
    tilts,
    azimuths,
    st.floats(-20, 20),
    st.floats(-0.35, 0.3),
    st.floats(-0.05, 0.1),
    st.floats(1, 1279),
    st.floats(1, 719),
    st.floats(0, 80),
)
def test_project_and_felt_point_are_inverse(
    tilt: float, azimuth: float, roll: float, k1: float, k2: float, x: float, y: float, height: float
) -> None:
    camera = view(tilt, azimuth, roll, k1, k2)
    point = camera.felt_point(np.array([[x, y]]), height)
    if np.isnan(point).any() or np.abs(point).max() > 1e5:
        return  # looks past the felt
    again = camera.project(np.array([[*point[0], height]]))
    assert again[0] == pytest.approx([x, y], abs=1e-4)


def test_projects_as_the_model_is_written() -> None:
    camera = view(tilt=40, azimuth=25, roll=3, k1=-0.1, k2=0.02)
    xyz = np.array([120.0, 510.0, 30.0])
    x, y, z = camera.rotation @ xyz + camera.translation_mm
    u, v = x / z, y / z
    r2 = u * u + v * v
    lens = 1 + camera.k1 * r2 + camera.k2 * r2 * r2
    expected = camera.matrix @ np.array([u * lens, v * lens, 1.0])
    assert camera.project(xyz[None])[0] == pytest.approx(expected[:2], abs=1e-9)


@pytest.mark.parametrize(("tilt", "azimuth"), [(0, 0), (10, 0), (45, 18), (60, -140)])
def test_looking_at(tilt: float, azimuth: float) -> None:
    camera = view(tilt, azimuth)
    assert np.linalg.det(camera.rotation) == pytest.approx(-1)
    assert camera.project(np.array([[850.0, 300.0, 0.0]]))[0] == pytest.approx([640, 360])
    assert camera.tilt_deg == pytest.approx(tilt, abs=1e-5)
    assert np.linalg.norm(camera.centre_mm - [850, 300, 0]) == pytest.approx(2300)


def test_a_camera_of_the_players_side_has_the_dealer_on_top() -> None:
    px = view(tilt=30).project(np.array([[850.0, 0, 0], [850, 600, 0], [400, 300, 0], [1300, 300, 0]]))
    assert px[0, 1] < px[1, 1]
    assert px[2, 0] < px[3, 0]


def test_chip_thickness_grows_with_the_tilt() -> None:
    here = np.array([[850.0, 300.0]])
    seen = [view(tilt).chip_thickness_px(here, 3.3)[0] for tilt in (0, 20, 45, 60)]
    assert seen[0] == pytest.approx(0, abs=1e-9)
    assert seen == sorted(seen)
    expected = 1500 / 2300 * 3.3 * math.sin(math.radians(45))
    assert seen[2] == pytest.approx(expected, rel=0.01)


def test_up_is_away_from_the_point_below_the_camera() -> None:
    camera = view(tilt=0)
    up = camera.up_px(np.array([[1200.0, 300.0], [850.0, 300.0], [850.0, 0.0]]))
    assert up == pytest.approx(np.array([[1, 0], [0, 0], [0, -1]]), abs=1e-6)


def test_scale_of_the_felt() -> None:
    assert view(tilt=0).px_per_mm(np.array([[850.0, 300.0]]))[0] == pytest.approx(1500 / 2300, rel=1e-6)


def test_homography_agrees_with_a_straight_lens() -> None:
    camera = view(tilt=35, azimuth=70, roll=4)
    points = np.array([[100.0, 200.0], [1500.0, 600.0], [850.0, -40.0]])
    mapped = np.c_[points, np.ones(3)] @ camera.felt_homography().T
    assert mapped[:, :2] / mapped[:, 2:] == pytest.approx(camera.project(points), abs=1e-6)


def test_rectified_view_shows_the_felt_from_above() -> None:
    camera = view(tilt=40, azimuth=30, k1=-0.1)
    picture = np.zeros((720, 1280), np.uint8)
    corners = camera.project(np.array([[800.0, 250], [900, 250], [900, 350], [800, 350]]))
    cv2.fillPoly(picture, [np.round((corners - 0.5) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    maps = camera.rectified_map((750, 200, 950, 400), 1.0)
    seen = cv2.remap(picture, *maps, interpolation=cv2.INTER_LINEAR)
    assert seen.shape == (200, 200)
    rows, columns = np.nonzero(seen > 127)
    assert (columns.min(), columns.max(), rows.min(), rows.max()) == pytest.approx((50, 149, 50, 149), abs=2)


def test_what_the_camera_does_not_see() -> None:
    camera = view(tilt=60)
    behind = np.array([[850.0, 9000.0, 4000.0]])
    assert np.isnan(camera.project(behind)).all()
    assert np.isnan(camera.felt_point(np.array([[640.0, -2000.0]]))).all()
    assert list(camera.in_view(np.array([[850.0, 300.0], [-9000.0, 300.0]]))) == [True, False]
    map_x, _ = camera.rectified_map((-20000, 0, -19990, 10), 1.0)
    assert (map_x == -1).all()


def test_strong_barrel_folds_to_nan_instead_of_a_wrong_point() -> None:
    assert np.isnan(undistorted_radius(np.array([3.0]), -0.3, 0.0)).all()
    before = undistorted_radius(np.array([0.0, 0.2]), -0.3, 0.0)
    assert before * (1 - 0.3 * before**2) == pytest.approx([0.0, 0.2], abs=1e-12)


@pytest.mark.parametrize(
    ("k1", "k2"), [(0.28, 3e-240), (-0.2, 1e-300), (1e-300, -0.02), (-1e-200, 0.0), (0.0, -0.1)]
)
def test_coefficients_of_any_size(k1: float, k2: float) -> None:
    before = np.array([0.0, 0.1, 0.5])
    after = before * (1 + k1 * before**2 + k2 * before**4)
    assert undistorted_radius(after, k1, k2) == pytest.approx(before, abs=1e-9)


def test_resized() -> None:
    camera = view(tilt=30, k1=-0.05)
    point = np.array([[400.0, 500.0, 10.0]])
    assert camera.resized(640, 360).project(point) == pytest.approx(camera.project(point) / 2)


@pytest.mark.parametrize(
    "change",
    [
        {"rotation": np.eye(3)},
        {"rotation": np.diag([1.0, 1.0, -2.0])},
        {"translation_mm": np.zeros(2)},
        {"matrix": np.full((3, 3), np.nan)},
    ],
)
def test_refuses_what_is_no_camera(change: dict[str, Floats]) -> None:
    parts = {
        "matrix": np.eye(3),
        "rotation": np.diag([1.0, 1.0, -1.0]),
        "translation_mm": np.zeros(3),
    } | change
    with pytest.raises(ValueError, match="camera"):
        Camera(parts["matrix"], parts["rotation"], parts["translation_mm"], 0, 0, 10, 10)


@pytest.mark.parametrize("k1", [0.0, -0.11])
def test_levels_over_places_are_seen_where_their_points_are(k1: float) -> None:
    camera = Camera.looking_at(
        (0, 0), distance_mm=1500, tilt_deg=50, azimuth_deg=20, focal_px=1400, size_px=(640, 480), k1=k1
    )
    ring, levels = np.array([[0.0, 10.0], [30.0, -20.0], [5.0, 5.0]]), (0.0, 3.3, 40.0)
    points = np.array([[x, y, z] for z in levels for x, y in ring])
    assert camera.project_levels(ring, levels) == pytest.approx(camera.project(points), abs=1e-9)


def test_a_stack_on_a_felt_that_is_seen_edge_on_has_no_frame() -> None:
    camera = Camera(
        matrix=np.array([[900.0, 0, 320], [0, 900, 240], [0, 0, 1]]),
        rotation=np.array([[-1.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
        translation_mm=np.array([0.0, 0, 800]),
        k1=0.0,
        k2=0.0,
        width_px=640,
        height_px=480,
    )
    assert stack_frame(camera, (0.0, 0.0), 39.5, 3.3) is None
