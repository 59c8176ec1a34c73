"""How high a stack is, told by two cameras from one place and height at which both see its top."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.test_foot import AT, CHIP_MM, RADIUS_MM, SIZE_PX, picture, view
from vision.camera import Camera
from vision.tops import Tops, counts_by_height, find_tops

ERROR = 0.6 * np.eye(2)
FOOT = (float(AT[0] + 0.4), float(AT[1] - 0.3))


def tops(camera: Camera, chips: int) -> Tops:
    return find_tops(picture(camera, chips), camera, FOOT, 2 * RADIUS_MM, CHIP_MM)


@pytest.mark.parametrize("chips", [1, 2, 5, 9, 14])
def test_two_cameras_that_look_from_different_sides_tell_the_height(chips: int) -> None:
    seen = [tops(view(4.0), chips), tops(view(54.0), chips)]
    told = counts_by_height(seen, FOOT, ERROR, 29)
    assert int(told.argmax()) == chips
    assert np.exp(told).sum() == pytest.approx(1.0)
    alone = counts_by_height(seen[:1], FOOT, ERROR, 29)
    assert told.max() > alone.max() + 0.5  # from above alone, a height is hardly told


def test_cameras_that_find_the_foot_in_different_places_say_nothing() -> None:
    near = tops(view(4.0), 3)
    far = Tops((near.first[0] + 40, near.first[1]), near.fits)
    assert np.ptp(counts_by_height([near, far], FOOT, ERROR, 29)) == 0.0


def test_a_picture_without_edges_says_nothing() -> None:
    camera = view(54.0)
    felt = cv2.resize(np.full((1, 1, 3), (60, 110, 40), np.uint8), SIZE_PX)
    flat = find_tops(np.asarray(felt, np.uint8), camera, FOOT, 2 * RADIUS_MM, CHIP_MM)
    told = counts_by_height([flat, flat], FOOT, ERROR, 29)
    assert np.ptp(told) == pytest.approx(0.0, abs=1e-6)
