"""Stacks that the detector overlooks, known by the outline of what changed and by what the reader sees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from datasets.decks import drawn_deck
from datasets.synth.card_textures import CardTextures
from datasets.synth.chips import random_set
from datasets.synth.ground import Ground
from datasets.synth.render import render
from datasets.synth.scene import ChipItem, Scene
from datasets.synth.stages import Assets
from vision.camera import Camera
from vision.chip_colours import COLOUR_NAMES
from vision.chip_geometry import Image
from vision.chip_set import ChipColour, ChipSet
from vision.chips import ChipReader
from vision.footprint import Footprint
from vision.guessing import edged, stack_about, stack_in, stack_outline

SIZE_PX, SMALL = (640, 400), (100, 160)
CAMERA = Camera.looking_at(
    (0, 0), distance_mm=1600, tilt_deg=40, azimuth_deg=15, focal_px=1900, size_px=SIZE_PX
)
TO_SMALL = np.array([SMALL[1] / SIZE_PX[0], SMALL[0] / SIZE_PX[1]])
AT, AWAY_FROM_IT = (20.0, -15.0), (-110.0, 60.0)
DIAMETER_MM, CHIP_MM = 39.5, 3.3


@dataclass(frozen=True, slots=True)
class Shape:
    """What changed: the outline of so many chips, ``wide`` times a chip's breadth."""

    chips: int
    wide: float = 1.0


@lru_cache(maxsize=1)
def reader() -> ChipReader:
    return ChipReader(
        ChipSet(DIAMETER_MM, CHIP_MM, tuple(ChipColour(k + 1, name) for k, name in enumerate(COLOUR_NAMES)))
    )


@lru_cache(maxsize=2)
def picture(chips: int) -> Image:
    """A stack of chips, or none, on felt."""
    rng = np.random.default_rng(4)
    cloth = np.clip(rng.normal((50, 95, 40), 3, (500, 600, 3)), 0, 255).astype(np.uint8)
    assets = Assets(
        Ground(cloth, (-300.0, -250.0), 1.0, (50, 95, 40)), CardTextures(drawn_deck(1)), random_set(rng)
    )
    value = next(iter(assets.designs))
    stacks = (ChipItem((value,) * chips, *AT, ((0.0, 0.0, 10.0),) * chips),) if chips else ()
    return np.asarray(
        cv2.GaussianBlur(render(Scene(chips=stacks), assets, CAMERA).image, (3, 3), 0), np.uint8
    )


def changed(shape: Shape, at: tuple[float, float] = AT) -> Footprint:
    outline = stack_outline(CAMERA, at, shape.wide * DIAMETER_MM, shape.chips * CHIP_MM)
    return Footprint.of(outline * TO_SMALL, SMALL)


@pytest.mark.parametrize("shape", [Shape(1), Shape(5), Shape(9)], ids=["one", "as many as there are", "more"])
def test_a_stack_is_known_by_the_outline_of_what_changed(shape: Shape) -> None:
    found = stack_in(picture(5), CAMERA, reader(), changed(shape))
    assert found is not None
    at, outline = found
    assert np.hypot(*np.subtract(at, AT)) < 4.0
    assert Footprint.of(outline * TO_SMALL, SMALL).share(changed(Shape(5)).whole()) > 0.5


@pytest.mark.parametrize(
    ("chips", "part"),
    [
        (5, changed(Shape(5, wide=2.2))),
        (5, changed(Shape(1, wide=0.4))),
        (0, changed(Shape(3))),
        (5, changed(Shape(3), AWAY_FROM_IT)),
        (5, replace(changed(Shape(3)), mask=np.zeros_like(changed(Shape(3)).mask))),
    ],
    ids=["a glass, or a hand", "a crumb", "a shadow on bare felt", "a shadow beside a stack", "nothing"],
)
def test_what_is_no_stack_is_not_taken_for_one(chips: int, part: Footprint) -> None:
    assert stack_in(picture(chips), CAMERA, reader(), part) is None


def test_a_stack_that_was_taken_away_leaves_a_change_but_no_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    outline = stack_outline(CAMERA, AT, DIAMETER_MM, 5 * CHIP_MM)
    assert edged(picture(5), outline) > 0.9
    assert edged(picture(0), outline) < 0.3
    seen = reader().read(picture(5), CAMERA, AT)
    monkeypatch.setattr(ChipReader, "read", lambda *_: seen)  # he sees a stack wherever he looks
    assert stack_about(picture(5), CAMERA, reader(), AT) == seen.at_mm
    assert stack_about(picture(0), CAMERA, reader(), AT) is None


def test_a_stack_is_seen_again_where_it_was_and_nowhere_else() -> None:
    assert stack_about(picture(5), CAMERA, reader(), (AT[0] + 3.0, AT[1])) is not None
    assert stack_about(picture(0), CAMERA, reader(), AT) is None
