"""The synthesiser: the same seed gives the same picture, and its labels lie where things are painted."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.decks import drawn_deck
from datasets.synth.arrange import random_stack
from datasets.synth.card_textures import CardTextures
from datasets.synth.ground import Ground
from datasets.synth.patch import Canvas
from datasets.synth.render import render
from datasets.synth.sample import random_surface
from datasets.synth.scene import CardItem, ChipDesign, ChipItem, Light, Scene
from datasets.synth.stages import Assets, soft_darken
from datasets.synth.training import CLASSES, clipped, kit_of, make_kit, make_sample, prepare, targets, write
from datasets.synth.view import View
from rules.cards import Card, Face
from vision.camera import Camera

_CHIP = ChipDesign(
    (40, 40, 200),
    (240, 240, 240),
    (0, 0, 0),
    (250, 250, 250),
    (0, 0, 0),
    "5",
    "spots",
    6,
    0.4,
    0.6,
    0,
    0.0,
    "sans",
)


def _assets() -> Assets:
    felt = np.full((600, 600, 3), (40, 90, 30), np.uint8)
    ground = Ground(felt, (-300.0, -300.0), 1.0, (20, 20, 20))
    return Assets(ground, CardTextures(drawn_deck(1)), {5: _CHIP, 25: _CHIP})


def _camera(tilt: float, k1: float = 0.0) -> Camera:
    return Camera.looking_at(
        (0, 0), distance_mm=900, tilt_deg=tilt, azimuth_deg=20, focal_px=900, size_px=(480, 360), k1=k1
    )


_DARK = Light(shadow=0.0, gradient=0.0, vignette=0.0)


@pytest.mark.parametrize(("tilt", "k1"), [(0.0, 0.0), (40.0, 0.0), (35.0, -0.2), (60.0, 0.1)])
def test_card_label_lies_on_its_pixels(tilt: float, k1: float) -> None:
    scene = Scene((CardItem(Card.parse("Th"), 20, -10, 33),), light=_DARK)
    picture = render(scene, _assets(), _camera(tilt, k1))
    (card,) = picture.labels.cards
    assert (card.card, card.face) == ("Th", Face.UP)
    assert card.visible > 0.97
    painted = (picture.ids > 0).astype(np.uint8)
    inside = np.zeros_like(painted)
    quad = np.round((np.array(card.quad_px) - 0.5) * 16).astype(np.int32)
    cv2.fillPoly(inside, [quad], 1, cv2.LINE_8, 4)
    assert np.count_nonzero(painted & inside) > 0.94 * max(painted.sum(), inside.sum())
    outline = cv2.moments(np.array(card.quad_px, np.float32))
    middle = np.array([outline["m01"], outline["m10"]]) / outline["m00"]
    assert np.abs(np.argwhere(painted).mean(axis=0) + 0.5 - middle).max() < 0.35
    white = (picture.image.min(axis=2) > 120).astype(np.uint8)
    assert np.count_nonzero(white & ~inside & 1) < 0.03 * inside.sum()


@pytest.mark.parametrize("turn", [0.0, 180.0])
def test_side_follows_the_turn(turn: float) -> None:
    picture = render(Scene((CardItem(Card.parse("As"), 0, 0, turn_deg=turn),)), _assets(), _camera(10))
    assert picture.labels.cards[0].face is (Face.UP if turn == 0 else Face.DOWN)


def test_a_speck_of_shadow_is_no_trouble() -> None:
    still = Canvas(View(_camera(0)))
    mask = np.zeros((40, 40), np.uint8)
    mask[0, 0] = 1
    soft_darken(still, mask, 60.0, 0.5)
    assert not still.bgr.any()


def test_visible_part_is_counted() -> None:
    under = CardItem(Card.parse("2c"), 0, 0)
    over = CardItem(Card.parse("3d"), 31.5, 0, z_mm=0.7)
    picture = render(Scene((under, over), light=_DARK), _assets(), _camera(0))
    assert picture.labels.cards[0].visible == pytest.approx(0.5, abs=0.04)
    assert picture.labels.cards[1].visible > 0.97


@pytest.mark.parametrize("tilt", [0.0, 45.0])
def test_pile_label_bounds_its_pixels(tilt: float) -> None:
    pile = ChipItem((5, 5, 25), 0, 0, ((0, 0, 0), (0, 0, 40), (0, 0, 80)))
    picture = render(Scene(chips=(pile,), light=_DARK), _assets(), _camera(tilt))
    (chip,) = picture.labels.chips
    rows, columns = np.nonzero(picture.ids)
    seen = np.array([columns.min(), rows.min(), columns.max() + 1, rows.max() + 1])
    assert np.abs(seen - np.array(chip.box_px)).max() < 2.0
    assert chip.visible > 0.97
    if tilt:
        assert chip.chip_height_px * 3 == pytest.approx(
            np.linalg.norm(np.subtract(chip.base_px, chip.top_px)), rel=0.01
        )


def test_same_seed_same_picture_and_files(tmp_path: Path) -> None:
    number = 31
    wanted, photo = kit_of(7, number, 0.3)
    first, second = (make_sample(7, number, make_kit(wanted, photo), photo, 320) for _ in range(2))
    assert np.array_equal(first.image, second.image)
    assert first.picture.labels == second.picture.labels
    prepare(tmp_path, "train")
    write(tmp_path, "train", number, first)
    for line in (tmp_path / "labels/train/000031.txt").read_text().splitlines():
        cls, *corners = line.split()
        assert int(cls) < len(CLASSES)
        assert len(corners) == 8


def test_targets_drop_what_is_hidden() -> None:
    under = CardItem(Card.parse("2c"), 0, 0)
    over = CardItem(Card.parse("3d"), 3, 2, z_mm=0.7)
    picture = render(Scene((under, over), light=_DARK), _assets(), _camera(0))
    assert [target.cls for target in targets(picture.labels, (480, 360))] == [0]


def test_targets_may_be_cut_at_the_edges() -> None:
    picture = render(Scene((CardItem(Card.parse("2c"), 240, 0),), light=_DARK), _assets(), _camera(0))
    whole, cut = (targets(picture.labels, (480, 360), cut)[0] for cut in (False, True))
    assert max(x for x, _ in whole.corners) > 1.02
    assert max(x for x, _ in cut.corners) < max(x for x, _ in whole.corners)


@pytest.mark.parametrize(
    ("quad", "expected"),
    [
        ([(10, 10), (50, 10), (50, 50), (10, 50)], [(10, 10), (50, 10), (50, 50), (10, 50)]),
        ([(-20, 10), (40, 10), (40, 50), (-20, 50)], [(0, 10), (40, 10), (40, 50), (0, 50)]),
        ([(-90, 10), (-40, 10), (-40, 50), (-90, 50)], None),
    ],
)
def test_clipping_at_the_edge(quad: list[tuple[int, int]], expected: list[tuple[int, int]] | None) -> None:
    cut = clipped(np.array(quad, float), 100, 100)
    if expected is None:
        assert cut is None
    else:
        assert cut is not None
        assert np.allclose(cut, expected)


def test_random_stack_uses_the_house_chips() -> None:
    rng = np.random.default_rng(4)
    kit = random_surface(rng, drawn_deck(2))
    stack = random_stack(rng, kit, 0, 0)
    assert set(stack.denominations) <= set(kit.assets.designs)
    assert len(stack.offsets) == len(stack.denominations)
