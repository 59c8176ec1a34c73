"""A camera that was nudged: its pictures turned back, what was lost told, what left the picture said."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.events import Event, ViewBack, ViewLost
from tests.support.drawn_felt import drawn_felt
from tests.support.felt import Felt
from vision.source import Frame
from vision.steady import Steady, moves_of, steadied
from vision.telling import Teller

Image = NDArray[np.uint8]
FELT = Felt()
CAMERA, LAYOUT = FELT.camera, FELT.layout
MOVED_T = 5.0


def turned(degrees: float, right_px: float, down_px: float) -> Callable[[Image], Image]:
    matrix = cv2.getRotationMatrix2D((CAMERA.width_px / 2, CAMERA.height_px / 2), -degrees, 1.0)
    matrix[:, 2] += np.array([right_px, down_px])
    size = (CAMERA.width_px, CAMERA.height_px)
    return lambda image: np.asarray(cv2.warpAffine(image, matrix, size), np.uint8)


def seen(move: Callable[[Image], Image]) -> tuple[list[Frame], list[Event], list[Image | None]]:
    teller = Teller("camera 1")
    steady = Steady(CAMERA, LAYOUT, teller)
    frames, events, shown = [], [], []
    for k in range(48):
        t = k / 5
        image = drawn_felt(CAMERA, LAYOUT, seed=k % 7)
        frames.append(Frame(t, k, move(image) if t >= MOVED_T else image))
        teller.t_picture = t
        shown.append(steady.picture(frames[-1]))
        events += teller.take()
    return frames, events, shown


def test_pictures_are_turned_back_and_evidence_too() -> None:
    frames, events, shown = seen(turned(1.0, 7.0, -4.0))
    lost, back = events
    assert isinstance(lost, ViewLost)
    assert isinstance(back, ViewBack)
    assert (lost.reason, back.lost) == ("moved", lost.seq)
    assert lost.evidence is not None
    assert MOVED_T - 0.1 < lost.t < MOVED_T + 0.5 < lost.evidence.t < back.t + 0.1 < MOVED_T + 4
    assert back.realigned is not None
    assert back.realigned.turn_deg == pytest.approx(1.0, abs=0.05)
    assert back.realigned.zoom == pytest.approx(1.0, abs=0.002)
    assert back.realigned.residual_mm < 0.5
    assert any(picture is None for picture in shown)
    straight, last = drawn_felt(CAMERA, LAYOUT, seed=47 % 7), shown[-1]
    assert last is not None
    inner = np.s_[20:-20, 20:-20]
    assert np.abs(last[inner].astype(int) - straight[inner]).mean() < 2.5
    again = list(steadied(frames, CAMERA, moves_of(events, "camera 1")))[-1].image
    assert np.abs(again[inner].astype(int) - straight[inner]).mean() < 2.5


def test_what_left_the_picture_is_said() -> None:
    _, events, _ = seen(turned(0.0, -45.0, 0.0))
    near_edge = {str(z.spot) for z in LAYOUT.zones if CAMERA.project(z.corners_mm)[:, 0].min() < 45}
    gone = {e.spot for e in events if isinstance(e, ViewLost) and e.spot is not None}
    assert gone == {spot for spot in near_edge if spot.startswith(("seat", "hand"))}


def test_a_camera_that_hangs_still_is_passed_on_untouched() -> None:
    frames, events, shown = seen(lambda image: image)
    assert events == []
    assert all(picture is frame.image for picture, frame in zip(shown, frames, strict=True))
