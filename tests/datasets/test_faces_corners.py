"""Scenes with corner indices: the same for a seed, labelled where an index really is."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.decks import drawn_deck
from datasets.decks_drawn import deck_style
from datasets.faces import FaceBank, textures_of
from datasets.faces_corners import SCENE_PX, corner_scenes, frames_of, index_corners, index_ends
from vision.corners import INDEX_AT, card_quad, cut_corner


@pytest.fixture(scope="module")
def bank() -> FaceBank:
    wanted = {corners: seed for seed in range(60) for corners in [_corners(seed)]}
    decks = [drawn_deck(wanted[2], (), indices=True), drawn_deck(wanted[4], (), indices=True)]
    decks.append(drawn_deck(0, (), indices=False))
    textures, ratios = zip(*(textures_of(deck) for deck in decks), strict=True)
    return FaceBank(
        np.stack(textures),
        np.array(ratios, np.float32),
        tuple(deck.name for deck in decks),
        tuple(deck.indices for deck in decks),
    )


def _corners(seed: int) -> int:
    return deck_style(seed, (), indices=True).index_corners


def test_corners_with_an_index_are_told_by_the_faces(bank: FaceBank) -> None:
    assert index_corners(bank) == (2, 4, 0)


def test_indices_end_where_the_pips_of_their_card_begin(bank: FaceBank) -> None:
    blank = np.full((1, 60, 168, 120, 4), 255, np.uint8)
    for card, high in ((1, 20), (3, 30), (6, 40)):  # the ace comes first: a two, a four and a seven
        for suit in range(4):
            blank[0, 13 * suit + card, 8:high, 6:14, :3] = 0
            blank[0, 13 * suit + card, 8 : high - 4, 20:, :3] = 90
    drawn = FaceBank(blank, bank.ratio[:1], ("blank",), (True,))
    assert index_ends(drawn) == pytest.approx((15 / 120,), abs=0.01)
    assert all(0.1 <= end <= 0.19 for end in index_ends(bank))


def test_a_seed_gives_the_same_scenes(bank: FaceBank) -> None:
    one, two = (corner_scenes(bank, [0, 1, 2], 7, 2) for _ in range(2))
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a.image, b.image)
        assert np.array_equal(a.frame, b.frame)
        assert np.array_equal(a.label, b.label)


def test_frames_are_those_of_cards_in_the_scene(bank: FaceBank) -> None:
    scenes = corner_scenes(bank, [0, 1], 3, 12)
    frames = np.concatenate([s.frame for s in scenes if len(s.label)])
    assert len(frames) > 20
    assert ((frames[:, :2] > -20) & (frames[:, :2] < SCENE_PX + 20)).all()
    for frame in frames:
        quad = card_quad(frame)
        place = quad[0] + INDEX_AT[0] * frame[2:4] + INDEX_AT[1] * frame[4:6]
        assert np.allclose(place, frame[:2], atol=1e-3)
        turned = frame[2] * frame[5] - frame[3] * frame[4]
        assert turned > 0, "a card's sides run clockwise, or its index would be mirrored"


def test_a_pack_without_indices_has_no_corners(bank: FaceBank) -> None:
    assert all(len(s.label) == 0 for s in corner_scenes(bank, [2], 5, 4))


def test_what_a_frame_shows_of_a_pack_with_two_indices_is_an_index(bank: FaceBank) -> None:
    """Cut from the face itself, both corners of a two show much the same: rank and sign, either end up."""
    two = bank.textures[0, 1, :, :, :3]
    h, w = two.shape[:2]
    quad = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    first, second = (cut_corner(two, frame) for frame in frames_of(quad, 2))
    assert first.std() > 20
    assert np.abs(first.astype(int) - second.astype(int)).mean() < 8
