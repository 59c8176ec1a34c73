"""The card reader: its weights on packs they have not seen, its errors, and evidence summed over frames."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.decks import Picture, drawn_deck
from rules.cards import PACK, Card
from vision.card_reader import CLASSES, INPUT_PX, CardReader, Identity, few, fit, sum_evidence
from vision.errors import ModelError

UNSEEN = 5_000_000
"""Seeds of drawn packs far from those trained on."""


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return CardReader()


def _faces(seed: int, indices: bool, height_px: int = 112) -> Picture:
    """The 52 faces of an unseen pack on cloth, (52, h, w, 3)."""
    deck = drawn_deck(seed, indices=indices)
    out = []
    for card in PACK:
        face = cv2.resize(
            deck.face(card, 224), (round(height_px * 80 / 112), height_px), interpolation=cv2.INTER_AREA
        )
        alpha = face[..., 3:].astype(np.float32) / 255
        out.append((face[..., :3] * alpha + np.array([60, 110, 40]) * (1 - alpha)).astype(np.uint8))
    return np.stack(out)


def _right(p: NDArray[np.float32]) -> float:
    return float((p.argmax(axis=1) == np.arange(52)).mean())


def test_the_classes_are_the_pack_a_back_and_nothing() -> None:
    assert len(CLASSES) == 54
    assert CLASSES[:52] == tuple(str(card) for card in PACK)
    assert CLASSES[52:] == ("back", "unreadable")


@pytest.mark.parametrize("indices", [True, False])
def test_unseen_packs_are_read_upright_and_upside_down(reader: CardReader, indices: bool) -> None:
    upright = np.concatenate([_faces(UNSEEN + k, indices) for k in range(5)])
    turned = np.ascontiguousarray(upright[:, ::-1, ::-1])
    for faces in (upright, turned):
        p = reader.read(faces).reshape(5, 52, 54)
        assert np.median([_right(deck) for deck in p]) > 0.8


def test_small_faces_are_read(reader: CardReader) -> None:
    assert _right(reader.read(_faces(UNSEEN + 7, True, height_px=56))) > 0.7


def test_probabilities_sum_to_one_whatever_the_size_and_number(reader: CardReader) -> None:
    rng = np.random.default_rng(0)
    for shape in ((1, 40, 30, 3), (70, 112, 80, 3), (2, 400, 290, 3)):
        p = reader.read(rng.integers(0, 256, shape).astype(np.uint8))
        assert p.shape == (shape[0], 54)
        assert p.dtype == np.float32
        assert np.allclose(p.sum(axis=1), 1, atol=1e-4)
    assert reader.read(np.zeros((0, 112, 80, 3), np.uint8)).shape == (0, 54)


def test_batches_and_single_faces_agree(reader: CardReader) -> None:
    faces = _faces(UNSEEN, True)[:5]
    one_by_one = np.concatenate([reader.read(face[None]) for face in faces])
    assert np.allclose(reader.read(faces), one_by_one, atol=1e-4)


def test_cloth_is_no_card_and_a_back_is_a_back(reader: CardReader) -> None:
    rng = np.random.default_rng(1)
    cloth = np.clip(rng.normal((50, 110, 40), 6, (4, 112, 80, 3)), 0, 255).astype(np.uint8)
    assert reader.read(cloth)[:, :52].max() < 0.5
    backs = np.stack(
        [fit(np.ascontiguousarray(drawn_deck(UNSEEN).back(700 + k, 224)[..., :3])) for k in range(8)]
    )
    assert (reader.read(backs).argmax(axis=1) == CLASSES.index("back")).mean() >= 0.75


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        (np.zeros((112, 80, 3), np.uint8), "must be"),
        (np.zeros((1, 112, 80, 3), np.float32), "float32"),
        (np.zeros((1, 112, 80), np.uint8), "must be"),
    ],
)
def test_wrong_pictures_are_refused(reader: CardReader, faces: Picture, expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        reader.read(faces)


def test_missing_and_foreign_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="are missing: put the file back"):
        CardReader(tmp_path / "none.onnx")
    (tmp_path / "broken.onnx").write_bytes(b"no model at all")
    with pytest.raises(ModelError, match="is not a readable ONNX model"):
        CardReader(tmp_path / "broken.onnx")


def test_fit_averages_when_it_shrinks() -> None:
    stripes = np.zeros((224, 160, 3), np.uint8)
    stripes[::2] = 200
    assert fit(stripes).shape == (*INPUT_PX, 3)
    assert 95 <= fit(stripes).min() <= fit(stripes).max() <= 105


def _reading(**shares: float) -> list[float]:
    """A row of 54 probabilities: those named, the rest spread evenly. Cards are written like ``Th``."""
    row = np.full(54, (1 - sum(shares.values())) / (54 - len(shares)))
    for name, p in shares.items():
        row[CLASSES.index(name)] = p
    return [float(v) for v in row]


@pytest.mark.parametrize(
    ("rows", "card", "low", "high"),
    [
        ([_reading(Th=0.9)], "Th", 0.8, 0.99),
        ([_reading(Th=0.9)] * 5, "Th", 0.99, 1.0),
        ([_reading(Th=0.9)] * 4 + [_reading(As=0.999)], "Th", 0.9, 1.0),
        ([_reading(Th=0.5, Td=0.4)] * 6, "Th", 0.5, 0.9),
        ([_reading(Th=0.9)] * 2 + [_reading(unreadable=0.99)] * 20, "Th", 0.85, 1.0),
        ([_reading(Th=0.9)] * 2 + [_reading(back=0.99)] * 20, "Th", 0.85, 1.0),
        ([_reading(unreadable=0.97)] * 3, None, 0.0, 0.0),
        ([_reading(back=0.99)] * 8, None, 0.0, 0.0),
    ],
)
def test_evidence_adds_up_over_frames(
    rows: list[list[float]], card: str | None, low: float, high: float
) -> None:
    said = sum_evidence(np.array(rows, np.float32))
    assert said.card == (None if card is None else Card.parse(card))
    assert low <= said.p <= high


def test_more_frames_never_say_less_and_doubtful_frames_weigh_less() -> None:
    rows = np.array([_reading(Th=0.6)] * 8, np.float32)
    ps = [sum_evidence(rows[:n]).p for n in range(1, 9)]
    assert ps == sorted(ps)
    mixed = np.array([_reading(Th=0.9), _reading(As=0.95)], np.float32)
    assert sum_evidence(mixed, np.array([1.0, 0.2], np.float32)).card == Card.parse("Th")


def test_no_readings_are_no_card() -> None:
    assert sum_evidence(np.zeros((0, 54), np.float32)) == Identity(None, 0.0)
    with pytest.raises(ValueError, match="readings must be"):
        sum_evidence(np.zeros((3, 52), np.float32))


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ({"Kh": 0.39, "Jh": 0.38, "Qh": 0.18}, ("Kh", "Jh", "Qh")),
        ({"Th": 0.99}, ("Th",)),
        ({str(card): 1 / 52 for card in PACK}, ()),
        ({"Kh": 0.05, "unreadable": 0.95}, ()),
    ],
    ids=["a figure", "one card", "anything", "hardly seen"],
)
def test_the_few_that_a_card_may_be(shares: dict[str, float], told: tuple[str, ...]) -> None:
    row = np.zeros(len(CLASSES), np.float32)
    for name, share in shares.items():
        row[CLASSES.index(name)] = share
    assert few([row, row, row]) == told
