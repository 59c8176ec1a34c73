"""Card artwork: drawn packs, backs, and the erasing of indices."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.decks import (
    Deck,
    DeckError,
    PackagedDeck,
    Picture,
    drawn_deck,
    erase_corners,
    load_packaged,
    random_deck,
    without_indices,
)
from datasets.decks_drawn import deck_style, unusual_style
from datasets.decks_fetch import PACKS
from datasets.decks_pips import OLD_ROWS
from rules.cards import PACK, Card

FACES = ("As", "2h", "7d", "Tc", "Jh", "Qs", "Kd")


def _corner_ink(face: Picture) -> float:
    """Share of dark or saturated pixels in the top left corner, inside the card."""
    h, w = face.shape[:2]
    part = face[h // 40 : h // 5, w // 30 : w // 7].astype(np.int16)
    solid = part[..., 3] > 250
    paper = np.median(part[solid][:, :3], axis=0)
    differs: float = float(np.mean(np.abs(part[..., :3] - paper).max(axis=2)[solid] > 60))
    return differs


@pytest.mark.parametrize("name", FACES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_drawn_face_is_a_card_with_rounded_transparent_corners(seed: int, name: str) -> None:
    face = drawn_deck(seed).face(Card.parse(name), 160)
    assert face.dtype == np.uint8
    assert face.shape[0] == 160
    assert face.shape[2] == 4
    assert 0.62 < face.shape[1] / 160 < 0.75
    assert face[0, 0, 3] < 64
    assert face[80, face.shape[1] // 2, 3] == 255


def test_the_same_seed_draws_the_same_pack() -> None:
    card = Card.parse("Kh")
    assert np.array_equal(drawn_deck(5).face(card, 120), drawn_deck(5).face(card, 120))
    assert not np.array_equal(drawn_deck(5).face(card, 120), drawn_deck(6).face(card, 120))


@pytest.mark.parametrize("seed", range(4))
def test_the_52_faces_of_a_pack_without_indices_all_differ(seed: int) -> None:
    deck = drawn_deck(seed, indices=False)
    assert not deck.indices
    seen = {deck.face(card, 64).tobytes() for card in PACK}
    assert len(seen) == 52


@pytest.mark.parametrize("seed", range(6))
def test_indices_are_in_the_corner_or_not_at_all(seed: int) -> None:
    card = Card.parse("3c")
    full = drawn_deck(seed, fonts=(), indices=True)
    bare = without_indices(full)
    assert full.indices
    assert not bare.indices
    assert _corner_ink(full.face(card, 200)) > _corner_ink(bare.face(card, 200)) + 0.015


def test_erasing_takes_the_corner_marks_and_leaves_the_middle() -> None:
    face = np.full((200, 140, 4), 255, np.uint8)
    cv2.rectangle(face, (6, 8), (16, 30), (0, 0, 0, 255), -1)
    cv2.rectangle(face, (124, 170), (134, 192), (0, 0, 0, 255), -1)
    cv2.circle(face, (50, 40), 12, (0, 0, 255, 255), -1)
    out = erase_corners(face, (0.165, 0.27))
    assert out[:60, :30, :3].min() == 255
    assert out[150:, 110:, :3].min() == 255
    assert np.array_equal(out[20:60, 35:65], face[20:60, 35:65])


@pytest.mark.parametrize("count", sorted(OLD_ROWS))
def test_pips_laid_in_another_way_are_as_many_and_apart(count: int) -> None:
    for places in OLD_ROWS[count]:
        assert len(set(places)) == len(places) == count
        apart = np.array(places)[:, None] - np.array(places)
        assert np.hypot(*np.moveaxis(apart, 2, 0))[~np.eye(count, dtype=bool)].min() > 0.3


def test_an_unusual_pack_differs_from_the_usual_one_of_its_seed_and_keeps_its_figures() -> None:
    usual, unusual = deck_style(50_003, (), True), unusual_style(50_003, (), True)
    assert usual != unusual
    assert usual.court == unusual.court
    assert {unusual_style(seed, (), True).letters for seed in range(40)} == {"en", "fr", "de", "it"}


def test_backs_repeat_by_variant() -> None:
    deck = drawn_deck(9)
    assert np.array_equal(deck.back(4, 90), deck.back(4, 90))
    assert len({deck.back(v, 90).tobytes() for v in range(8)}) == 8


def _packaged(folder: Path, corner: list[float] | None) -> None:
    folder.mkdir()
    source = drawn_deck(3, indices=True)
    for card in PACK:
        cv2.imwrite(str(folder / f"{card}.png"), source.face(card, 80))
    about = {"name": "x", "licence": "CC0-1.0", "source": "debian:x", "indices": True, "index_corner": corner}
    (folder / "deck.json").write_text(json.dumps(about), encoding="utf-8")


def test_a_fetched_pack_is_read_and_scaled(tmp_path: Path) -> None:
    _packaged(tmp_path / "x", [0.2, 0.3])
    (deck,) = load_packaged(tmp_path)
    assert deck.licence == "CC0-1.0"
    assert deck.face(Card.parse("7h"), 48).shape[0] == 48
    assert deck.back(0, 48).shape[0] == 48
    bare: Deck = without_indices(deck)
    assert not bare.indices
    assert bare.name == "x-noidx"
    assert bare.face(Card.parse("7h"), 48).shape == deck.face(Card.parse("7h"), 48).shape
    decks = [random_deck(np.random.default_rng(i), (deck,)) for i in range(30)]
    assert {d.indices for d in decks} == {True, False}
    assert {d.source for d in decks} == {"veedor", "debian:x"}


def test_a_broken_or_missing_pack_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="holds no fetched packs: run"):
        load_packaged(tmp_path)
    _packaged(tmp_path / "x", None)
    with pytest.raises(DeckError, match="take another pack"):
        without_indices(PackagedDeck.load(tmp_path / "x"))
    (tmp_path / "x" / "Ks.png").unlink()
    with pytest.raises(DeckError, match="lacks the faces Ks"):
        load_packaged(tmp_path)
    (tmp_path / "x" / "deck.json").write_text("{", encoding="utf-8")
    with pytest.raises(DeckError, match="is not a fetched pack"):
        load_packaged(tmp_path)


def test_no_reserved_artwork_is_fetched() -> None:
    reserved = ("paris", "tigullio", "bellot", "dondorf", "nicu", "goodall", "aguilar", "gnome")
    for pack in PACKS:
        assert not any(word in f"{pack.name} {pack.package} {pack.path}".lower() for word in reserved)
        assert pack.licence
