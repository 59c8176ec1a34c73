"""A calibration refined by the printed lines: nearer to the truth, never farther, and no other felt's."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from datasets.layouts import path_of
from tests.support.drawn_felt import drawn_felt
from vision.calibration import Calibration, Pair, calibrate
from vision.camera import Camera, Floats
from vision.errors import CalibrationError
from vision.layout import Layout
from vision.printed import Luma
from vision.refining import belonging, refine

LAYOUT = Layout.read(path_of("punto_banco_mini"))
_X0, _Y0, _X1, _Y1 = LAYOUT.felt.bounds
CAMERA = Camera.looking_at(
    ((_X0 + _X1) / 2, (_Y0 + _Y1) / 2),
    distance_mm=2100,
    tilt_deg=32,
    azimuth_deg=12,
    focal_px=1150,
    size_px=(1280, 720),
    k1=-0.09,
)
CORNERS = np.concatenate([zone.corners_mm for zone in LAYOUT.zones])


@cache
def felt(seed: int = 1, arms: int = 0) -> Luma:
    picture = drawn_felt(CAMERA, LAYOUT, seed, arms=arms)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def clicked(count: int, noise_px: float, seed: int) -> tuple[list[Pair], Calibration]:
    """Corners spread over the picture, as they are set by hand."""
    rng = np.random.default_rng(seed)
    inside = CORNERS[CAMERA.in_view(CORNERS, 8)]
    px = CAMERA.project(inside)
    chosen = [int(px.sum(axis=1).argmin())]
    while len(chosen) < count:
        chosen.append(int(np.min([np.hypot(*(px - px[i]).T) for i in chosen], axis=0).argmax()))
    pairs = [
        Pair((float(m[0]), float(m[1])), (float(p[0]), float(p[1])), f"corner {i}")
        for i, (m, p) in enumerate(
            zip(inside[chosen], px[chosen] + rng.normal(0, noise_px, (count, 2)), strict=True)
        )
    ]
    return pairs, calibrate(pairs, CAMERA.width_px, CAMERA.height_px)


def off_mm(camera: Camera) -> Floats:
    inside = CORNERS[CAMERA.in_view(CORNERS)]
    return np.asarray(np.hypot(*(camera.felt_point(CAMERA.project(inside)) - inside).T))


@pytest.mark.parametrize(("count", "noise_px", "arms"), [(4, 0.8, 0), (6, 1.5, 0), (14, 2.5, 3)])
def test_lines_put_right_what_hands_set_roughly(count: int, noise_px: float, arms: int) -> None:
    pairs, start = clicked(count, noise_px, seed=count)
    found = refine(felt(arms=arms), start, pairs, LAYOUT)
    assert found.better
    assert found.after_mm < found.before_mm
    before, after = off_mm(start.camera), off_mm(found.calibration.camera)
    assert np.sqrt(np.mean(after**2)) < 0.4 < np.sqrt(np.mean(before**2))
    assert after.max() < 1.2
    assert found.calibration.camera.k1 == pytest.approx(CAMERA.k1, abs=0.02)
    assert found.found > 2 * found.chance
    assert len(found.points) >= 12


def test_what_is_right_stays() -> None:
    pairs, start = clicked(14, 0.0, seed=2)
    found = refine(felt(), start, pairs, LAYOUT)
    assert off_mm(found.calibration.camera).max() < 0.6
    if not found.better:
        assert found.calibration is start


@pytest.mark.parametrize("other", ["punto_banco_midi", "trijoker", "trente_et_quarante"])
def test_a_drawing_of_another_felt_is_refused(other: str) -> None:
    pairs, start = clicked(14, 0.5, seed=3)
    with pytest.raises(CalibrationError, match="does not fit this picture: of its lines"):
        refine(felt(), start, pairs, Layout.read(path_of(other)))


def test_a_picture_without_lines_changes_nothing() -> None:
    pairs, start = clicked(8, 0.5, seed=4)
    found = refine(np.full((720, 1280), 70, np.uint8), start, pairs, LAYOUT)
    assert found.calibration is start
    assert np.isnan(found.before_mm)


def test_a_picture_of_another_size_is_refused() -> None:
    pairs, start = clicked(8, 0.5, seed=4)
    with pytest.raises(
        CalibrationError, match="640 x 360 pixels, but the camera was calibrated for 1280 x 720"
    ):
        refine(felt()[::2, ::2], start, pairs, LAYOUT)


def test_a_drawing_belongs_where_its_lines_are_printed() -> None:
    there, chance = belonging(felt(), CAMERA, LAYOUT)
    assert there > 0.8 > 3 * chance
