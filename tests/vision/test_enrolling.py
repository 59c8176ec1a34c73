"""Enrolled packs: read better than unknown ones, and faces without a view as before."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.decks import drawn_deck
from rules.cards import PACK
from vision.card_reader import CLASSES, CardReader
from vision.enrolling import MOST_VIEWS, EnrolledReader, Prototypes, Views, distinct, joined, learn

UNSEEN = 5_000_300
"""The seed of a pack far from those trained on."""
SHOWN = [i for i, card in enumerate(PACK) if str(card)[0] in "JQKA"]

Faces = NDArray[np.uint8]


def _faces() -> Faces:
    """Court cards and aces of an unseen pack without indices, on cloth, (16, 112, 80, 3)."""
    deck = drawn_deck(UNSEEN, indices=False)
    out = []
    for i in SHOWN:
        face = cv2.resize(deck.face(PACK[i], 224), (80, 112), interpolation=cv2.INTER_AREA)
        alpha = face[..., 3:].astype(np.float32) / 255
        out.append((face[..., :3] * alpha + np.array([60, 110, 40]) * (1 - alpha)).astype(np.uint8))
    return np.stack(out)


def _poor(faces: Faces, seed: int) -> Faces:
    """The same faces seen small, dark and noisy, some the other way up."""
    rng = np.random.default_rng(seed)
    out = []
    for face in faces:
        small = cv2.resize(face, (32, 45), interpolation=cv2.INTER_AREA)
        seen = cv2.GaussianBlur(cv2.resize(small, (80, 112)), (0, 0), 1.0).astype(np.float32)
        dark = np.clip(seen * rng.uniform(0.4, 0.8) + rng.normal(0, 9, seen.shape), 0, 255).astype(np.uint8)
        out.append(dark if rng.random() < 0.5 else dark[::-1, ::-1])
    return np.stack(out)


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


@pytest.fixture(scope="module")
def prototypes(reader: CardReader) -> Prototypes:
    return learn(Views(_faces(), np.array(SHOWN)), reader)


def _right(p: NDArray[np.float32]) -> int:
    return int((p.argmax(axis=1) == np.tile(SHOWN, len(p) // len(SHOWN))).sum())


def test_an_enrolled_pack_is_read_better(reader: CardReader, prototypes: Prototypes) -> None:
    poor = np.concatenate([_poor(_faces(), seed) for seed in range(3)])
    general, enrolled = reader.read(poor), EnrolledReader(reader, prototypes).read(poor)
    assert _right(enrolled) > _right(general) + 2
    assert np.allclose(enrolled.sum(axis=1), 1, atol=1e-4)
    assert np.allclose(enrolled[:, -1], general[:, -1], atol=1e-6)
    true = np.tile(SHOWN, 3)
    rows = np.arange(len(poor))
    assert np.log(enrolled[rows, true] + 1e-3).mean() > np.log(general[rows, true] + 1e-3).mean() + 0.05


def test_faces_without_a_view_keep_their_place(prototypes: Prototypes) -> None:
    general = np.full((1, len(CLASSES)), 0.001, np.float32)
    two = CLASSES.index("2c")
    general[0, two] = 1 - general[0].sum() + 0.001
    near_a_king = prototypes.basis @ prototypes.centres[0] + prototypes.mean
    features = (np.maximum(near_a_king, 0) ** 2)[None].astype(np.float32)
    assert joined(general, features, prototypes)[0].argmax() == two


def test_the_same_views_teach_the_same(reader: CardReader) -> None:
    views = Views(_faces()[:3], np.array(SHOWN[:3]))
    one, other = learn(views, reader), learn(views, reader)
    assert (one.centres == other.centres).all()
    assert (one.precision == other.precision).all()


def test_one_face_is_enough(reader: CardReader) -> None:
    only = EnrolledReader(reader, learn(Views(_faces()[:1], np.array(SHOWN[:1])), reader))
    assert only.read(_faces()[:1])[0].argmax() == SHOWN[0]
    assert only.read(np.zeros((0, 112, 80, 3), np.uint8)).shape == (0, 54)


@pytest.mark.parametrize(
    ("faces", "names"),
    [
        (np.zeros((1, 80, 112, 3), np.uint8), [0]),
        (np.zeros((1, 112, 80, 3), np.float32), [0]),
        (np.zeros((2, 112, 80, 3), np.uint8), [0]),
        (np.zeros((1, 112, 80, 3), np.uint8), [53]),
        (np.zeros((0, 112, 80, 3), np.uint8), []),
    ],
)
def test_what_are_no_views_is_refused(faces: Faces, names: list[int]) -> None:
    with pytest.raises(ValueError, match="views"):
        Views(faces, np.array(names, np.int64))


def test_more_views_than_count_are_left() -> None:
    views = Views(np.zeros((9, 112, 80, 3), np.uint8), np.zeros(9, np.int64))
    assert len(views.of(0)) == MOST_VIEWS
    assert len(views.of(1)) == 0


def test_cards_beside_one_another_are_different_ones() -> None:
    read = np.full((4, 54), 1e-4, np.float32)
    read[0, 5], read[0, 6] = 0.6, 0.3
    read[1, 5], read[1, 6] = 0.9, 0.05
    read[2, 52] = read[3, 52] = 0.99
    assert distinct(read).tolist() == [6, 5, 52, 52]
    assert distinct(read, most_alike=2).tolist() == [5, 5, 52, 52]
