"""Crops for the card reader: what a camera would give, repeatable from a seed."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets import faces_camera as camera
from datasets.decks import drawn_deck
from datasets.faces import BACK, UNREADABLE, FaceBank, crops, rectify, textures_of, view
from datasets.faces_clutter import cover_with_card, cover_with_chip, cover_with_hand, surface
from vision.card_reader import CLASSES, INPUT_PX


@pytest.fixture(scope="module")
def bank() -> FaceBank:
    decks = (drawn_deck(2, fonts=(), indices=True), drawn_deck(3, fonts=(), indices=False))
    made = [textures_of(deck) for deck in decks]
    return FaceBank(
        np.stack([textures for textures, _ in made]),
        np.array([ratio for _, ratio in made], np.float32),
        tuple(deck.name for deck in decks),
        tuple(deck.indices for deck in decks),
    )


def test_textures_are_the_52_faces_and_backs(bank: FaceBank) -> None:
    assert bank.textures.shape == (2, 60, 168, 120, 4)
    assert len({face.tobytes() for face in bank.textures[0]}) == 60
    assert ((bank.ratio > 0.6) & (bank.ratio < 0.76)).all()


def test_crops_repeat_and_have_the_readers_form(bank: FaceBank) -> None:
    made, again, other = crops(bank, 7, 24), crops(bank, 7, 24), crops(bank, 8, 24)
    assert made.faces.shape == (24, *INPUT_PX, 3)
    assert made.faces.dtype == np.uint8
    assert np.array_equal(made.faces, again.faces)
    assert np.array_equal(made.labels, again.labels)
    assert not np.array_equal(made.faces, other.faces)
    assert ((made.labels >= 0) & (made.labels < len(CLASSES))).all()


def test_all_kinds_of_crops_occur_and_covered_cards_are_unreadable(bank: FaceBank) -> None:
    made = [crops(bank, seed, 64) for seed in range(12)]
    labels = np.concatenate([m.labels for m in made])
    visible = np.concatenate([m.visible for m in made])
    assert (labels < 52).mean() > 0.75
    assert (labels == BACK).sum() > 20
    assert (labels == UNREADABLE).sum() > 20
    assert len(set(labels.tolist())) > 50
    assert visible[labels < 52].min() >= 0.22


def test_only_the_packs_asked_for_are_used(bank: FaceBank) -> None:
    rng = np.random.default_rng(1)
    plain = FaceBank(
        np.stack([bank.textures[0], np.zeros_like(bank.textures[0])]), bank.ratio, bank.names, bank.indices
    )
    for _ in range(6):
        assert view(plain, 112, rng, packs=[0]).card_px > 20


def test_rectify_puts_the_first_corner_at_the_top_left() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    cv2.fillConvexPoly(picture, np.array([[20, 10], [70, 10], [70, 80], [20, 80]]), (90, 90, 90))
    picture[12:22, 22:32] = 255
    quad = np.array([[20, 10], [70, 10], [70, 80], [20, 80]], np.float32)
    upright = rectify(picture, quad, (70, 50))
    turned = rectify(picture, np.roll(quad, 2, axis=0), (70, 50))
    assert upright.shape == (70, 50, 3)
    assert upright[5, 5].min() > 200
    assert upright[60, 40].max() < 120
    assert turned[64, 44].min() > 200


@pytest.mark.parametrize("quality", [20, 60, 95])
def test_jpeg_keeps_size_and_roughly_the_picture(quality: int) -> None:
    picture = np.full((60, 48, 3), 120, np.uint8)
    picture[20:40] = 220
    out = camera.jpeg(picture, quality)
    assert out.shape == picture.shape
    assert np.abs(out.astype(int) - picture).mean() < 12


def test_h264_gives_each_picture_back_in_its_place() -> None:
    pictures = [np.full((48, 48, 3), 10 * k + 20, np.uint8) for k in range(20)]
    out = camera.h264(pictures, 22)
    assert [p.shape for p in out] == [(48, 48, 3)] * 20
    assert [round(float(p[12:36, 12:36].mean()) / 10) for p in out] == [k + 2 for k in range(20)]


@pytest.mark.parametrize("cover", [cover_with_hand, cover_with_chip])
def test_covers_hide_part_of_the_card(cover: Callable[..., NDArray[np.float32]]) -> None:
    rng = np.random.default_rng(4)
    canvas = surface(120, 70, rng)
    before = canvas.copy()
    quad = np.array([[35, 25], [85, 25], [85, 95], [35, 95]], np.float32)
    alpha = cover(canvas, quad, 0.5, rng)
    assert alpha.shape == (120, 120)
    assert 0.02 < alpha[25:95, 35:85].mean() < 1
    assert np.abs(canvas - before)[alpha > 0.9].mean() > 1


def test_a_covering_card_lies_over_the_share_asked_for() -> None:
    quad = np.array([[35, 25], [85, 25], [85, 95], [35, 95]], np.float32)
    rng = np.random.default_rng(0)
    for depth in (0.1, 0.5):
        over = cover_with_card(quad, depth, rng)
        assert np.linalg.norm(over.mean(axis=0) - quad.mean(axis=0)) > (1 - depth) * 45


def test_light_and_sensor_keep_the_form() -> None:
    rng = np.random.default_rng(3)
    picture = np.full((64, 64, 3), 180, np.float32)
    for _ in range(20):
        out = camera.sensor(camera.blur(camera.light(picture.copy(), rng), 50, rng), rng)
        assert out.shape == (64, 64, 3)
        assert out.dtype == np.uint8
