"""Chips in places of their own size: found where the drawing says, and not where a ring is empty."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.layouts import path_of
from datasets.synth.optics import Optics, expose
from datasets.synth.render import render
from datasets.synth.scene import ChipItem, Light, Scene
from tests.bench.pixels import felt_of
from tests.bench.placing import view_of
from vision.camera import Camera
from vision.chip_geometry import Image
from vision.chip_set import ChipColour, ChipSet
from vision.chips import ChipReader
from vision.layout import Layout
from vision.tight_places import stacks_in, tight_places

LAYOUT = Layout.read(path_of("trijoker"))
TIGHT = tight_places(LAYOUT, 39.5)
FULL = TIGHT[3:12]


@pytest.fixture(scope="module")
def seen() -> tuple[Image, Camera, ChipReader]:
    """Single chips and stacks of two in nine of the rings, from 50 degrees."""
    rng = np.random.default_rng(4)
    assets, camera = felt_of(LAYOUT, rng), view_of(LAYOUT, 50.0, 5.0, 1920)
    values = list(assets.designs)
    chips = []
    for number, zone in enumerate(FULL):
        pile = (values[number % len(values)],) * (1 + number % 2)
        turns = tuple((0.0, 0.0, float(rng.uniform(0, 360))) for _ in pile)
        x, y = zone.centre_mm + rng.normal(0, 2, 2)
        chips.append(ChipItem(pile, float(x), float(y), turns))
    clean = render(Scene(chips=tuple(chips), light=Light()), assets, camera).image
    image = np.asarray(expose(clean, Optics(noise=3.0), rng), np.uint8)
    house = ChipSet(
        39.5,
        3.3,
        tuple(ChipColour(v, rgb=(d.base[2], d.base[1], d.base[0])) for v, d in assets.designs.items()),
    )
    return image, camera, ChipReader(house)


def test_rings_are_tight_and_boxes_are_not() -> None:
    assert len(TIGHT) == 21
    assert tight_places(Layout.read(path_of("punto_banco_mini")), 39.5) == []


def test_chips_in_rings_are_found_and_empty_rings_are_not(seen: tuple[Image, Camera, ChipReader]) -> None:
    image, camera, reader = seen
    found = stacks_in(image, camera, reader, TIGHT, [])
    where = [
        min(range(len(TIGHT)), key=lambda n: np.hypot(*np.subtract(TIGHT[n].centre_mm, at))) for at in found
    ]
    assert set(where) <= set(range(3, 12))
    assert len(where) >= 8


def test_places_of_known_stacks_are_not_looked_into(seen: tuple[Image, Camera, ChipReader]) -> None:
    image, camera, reader = seen
    known = [zone.centre_mm for zone in FULL]
    assert stacks_in(image, camera, reader, TIGHT, known) == []


def test_from_straight_above_print_is_not_taken_for_chips() -> None:
    rng = np.random.default_rng(5)
    camera = view_of(LAYOUT, 3.0, 0.0, 1280)
    image = render(Scene(light=Light()), felt_of(LAYOUT, rng), camera).image
    reader = ChipReader(ChipSet(39.5, 3.3, (ChipColour(5, "red"), ChipColour(10, "blue"))))
    assert stacks_in(image, camera, reader, TIGHT, []) == []
