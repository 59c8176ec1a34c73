"""Photographs' scenes: unusual packs, spreads, printed things and grounds, each by its seed alone."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.decks import drawn_deck
from datasets.decks_backs import ORNATE_FROM
from datasets.synth.card_textures import PICTURE_BACKS, CardLook, CardTextures
from datasets.synth.cloths import laid_out, plaid, tiles
from datasets.synth.pictures import PictureError, PictureStock, fitted, print_on
from datasets.synth.raster import Array
from datasets.synth.sample import photo_scene, random_surface
from datasets.synth.scene import CardItem, PropKind
from datasets.synth.spreads import printed, spread
from rules.cards import Card, Face


def _stock(folder: Path) -> PictureStock:
    ramp = np.linspace(0, 255, 90, dtype=np.uint8)
    cv2.imwrite(str(folder / "ramp.png"), np.dstack([np.tile(ramp, (80, 1))] * 3))
    (folder / "broken.jpg").write_bytes(b"no picture")
    return PictureStock.of(folder)


def test_a_folder_without_pictures_is_named(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="holds no pictures"):
        PictureStock.of(tmp_path)


def test_what_cannot_be_opened_is_passed_over(tmp_path: Path) -> None:
    stock = _stock(tmp_path)
    pictures = [stock.picture(np.random.default_rng(seed)) for seed in range(6)]
    assert all(p.dtype == np.uint8 and p.ndim == 3 and p.std() > 0 for p in pictures)


@pytest.mark.parametrize(("height", "width"), [(10, 90), (90, 10), (33, 33)])
def test_pictures_fit_what_they_are_printed_on(height: int, width: int) -> None:
    assert fitted(np.zeros((50, 80, 3), np.uint8), height, width).shape == (height, width, 3)


@pytest.mark.parametrize("make", [tiles, plaid])
def test_grounds_follow_their_seed(make: object) -> None:
    assert callable(make)
    first, again, other = (make(np.random.default_rng(seed), (120, 160), 1.0) for seed in (1, 1, 2))
    assert first.shape == (120, 160, 3)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_ground_may_be_a_picture(tmp_path: Path) -> None:
    stock = _stock(tmp_path)
    assert laid_out(np.random.default_rng(3), (200, 140), 1.0, stock).shape == (200, 140, 3)


def _picture(look: CardLook, back: int = 0, face: Face = Face.UP) -> Array:
    textures = CardTextures(drawn_deck(5, indices=True), look)
    return textures.picture(CardItem(Card.parse("7h"), 0, 0, back=back), face, 200)


def test_paper_and_strange_figures_change_a_face() -> None:
    plain = _picture(CardLook()).astype(float)
    gold = _picture(CardLook(paper=(0.4, 0.8, 0.95), foil=0.4, seed=1)).astype(float)
    odd = _picture(CardLook(odd=1.0, seed=2)).astype(float)
    assert gold[..., 0].mean() < 0.6 * plain[..., 0].mean()
    assert np.abs(odd - plain).mean() > 3
    assert np.array_equal(odd[..., 3], plain[..., 3])


@pytest.mark.parametrize("back", [3, ORNATE_FROM + 7, PICTURE_BACKS + 9])
def test_backs_look_the_same_every_time(back: int) -> None:
    first, again, other = (_picture(CardLook(), b, Face.DOWN) for b in (back, back, back + 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_spreads_show_many_cards_and_hands_hold_them() -> None:
    kit = random_surface(np.random.default_rng(1), drawn_deck(2))
    spreads = [spread(np.random.default_rng(seed), kit, 0, 0, 1.0) for seed in range(40)]
    assert max(len(cards) for cards, _ in spreads) >= 12
    held = [(cards, arms) for cards, arms in spreads if arms]
    assert held
    assert all(card.held and card.z_mm > 20 for cards, _ in held for card in cards)


def test_printed_things_are_printed() -> None:
    rng = np.random.default_rng(4)
    assert {printed(rng, 0, 0).kind for _ in range(5)} == {PropKind.PRINT}
    page = np.full((120, 90, 3), 250, np.uint8)
    print_on(page, np.random.default_rng(2), PictureStock(), (0, 0, 0))
    assert page.std() > 5


def test_a_photographs_scene_follows_its_seed() -> None:
    kit = random_surface(np.random.default_rng(6), drawn_deck(2))
    assert photo_scene(np.random.default_rng(8), kit) == photo_scene(np.random.default_rng(8), kit)
