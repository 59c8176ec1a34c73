"""The felt about a place, straightened."""

from __future__ import annotations

import numpy as np
import pytest

from vision.camera import Camera
from vision.patch import Patch, directions, shifted

SIZE_PX = (640, 400)


def view(tilt_deg: float) -> Camera:
    return Camera.looking_at(
        (0, 0), distance_mm=1800, tilt_deg=tilt_deg, azimuth_deg=25, focal_px=1500, size_px=SIZE_PX, k1=-0.08
    )


@pytest.mark.parametrize("tilt_deg", [3.0, 45.0])
def test_points_of_the_grid_are_where_the_camera_shows_them(tilt_deg: float) -> None:
    camera = view(tilt_deg)
    patch = Patch.about(camera, (20.0, -30.0), 40.0, 70.0, 35.0)
    assert patch is not None
    x, y = np.meshgrid(np.arange(SIZE_PX[0]) + 0.5, np.arange(SIZE_PX[1]) + 0.5)
    picture = np.stack([x, y, x + y], axis=-1).astype(np.float32)
    x0, y0, x1, y1 = patch.part
    seen = patch.sample(picture[y0:y1, x0:x1])
    for row, column in ((0, 0), (patch.row, patch.column), (seen.shape[1] - 1, 3)):
        along = (row - patch.row) * patch.away + (column - patch.column) * patch.across
        px = camera.project((patch.about_mm + patch.step_mm * along)[None])[0]
        assert seen[:2, row, column] == pytest.approx(px, abs=0.06)


@pytest.mark.parametrize("height_mm", [3.3, 40.0])
def test_what_is_high_seems_farther_away(height_mm: float) -> None:
    camera, at = view(40.0), (-60.0, 45.0)
    patch = Patch.about(camera, at, 30.0, 60.0, 30.0)
    assert patch is not None
    seems = camera.felt_point(camera.project(np.array([[*at, height_mm]])))[0] - np.asarray(at)
    assert patch.lift(height_mm) * patch.step_mm == pytest.approx(seems @ directions(camera, at)[0], rel=1e-3)
    assert abs(seems @ patch.across) < 0.01


def test_layers_are_shifted_by_parts_of_a_step() -> None:
    rows, columns = np.mgrid[0:20, 0:30].astype(np.float32)
    part = shifted(np.stack([rows, columns]), -2.25, 3.5, (5, 9, 4, 10))
    assert part.shape == (2, 4, 6)
    assert part[:, 0, 0] == pytest.approx([5 - 2.25, 4 + 3.5])


def test_a_place_beside_the_picture_has_no_patch() -> None:
    assert Patch.about(view(40.0), (5000.0, 5000.0), 30.0, 60.0, 30.0) is None
