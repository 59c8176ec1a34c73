"""Parts of a figure, tables full of cards, and places between cards, told once faces are read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import PACK
from tests.support.photographs import NINE, ColourReader, Finder, scene
from vision.detector import Kind
from vision.photo import read_photo
from vision.photo_overlaps import covered, holding, inside

Array = NDArray[Any]

BLUE, RED, GREY = (220, 40, 40), (40, 40, 220), (90, 90, 90)


def box(x: float, y: float, width: float, height: float) -> Array:
    """An upright box about a middle, (4, 2)."""
    w, h = width / 2, height / 2
    return np.array([[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h]], np.float32)


LARGE = box(100, 100, 126, 176)
PARTS = [box(x, y, 30, 42) for x, y in ((70, 60), (130, 60), (70, 140), (130, 140))]


def test_small_quadrilaterals_lie_in_a_large_one() -> None:
    beside, as_large = box(165, 100, 30, 42), box(101, 99, 120, 170)
    quads = np.stack([*PARTS, beside, as_large, LARGE])
    assert inside(quads, LARGE).tolist() == [0, 1, 2, 3]
    assert holding(quads).tolist() == [False] * 5 + [True, True]
    assert inside(np.zeros((0, 4, 2)), LARGE).tolist() == []


@pytest.mark.parametrize(
    ("others", "share"),
    [
        ([], 0.0),
        ([LARGE], 1.0),
        ([box(85, 100, 30, 400)], 0.5),
        ([box(85, 100, 30, 400), box(115, 100, 30, 400)], 1.0),
        ([box(300, 300, 9, 9)], 0.0),
    ],
)
def test_how_much_is_covered(others: list[Array], share: float) -> None:
    assert covered(box(100, 100, 60, 80), others) == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize("kind", [Kind.CARD_BACK, Kind.CARD_FACE])
@pytest.mark.parametrize("count", [1, 4])
def test_what_lies_in_a_card_whose_face_is_read_is_its_picture(kind: Kind, count: int) -> None:
    middle = NINE.mean(axis=0)
    parts = [box(middle[0] + dx, middle[1] + dy, 18, 24) for dx in (-12, 12) for dy in (-20, 20)][:count]
    finder = Finder((Kind.CARD_FACE, NINE, 0.5), *((kind, part, 0.9) for part in parts))
    (card,) = read_photo(scene(NINE), finder, ColourReader()).cards
    assert card.card == str(PACK[0])


def test_a_table_of_cards_is_no_card() -> None:
    middle = NINE.mean(axis=0)
    parts = [box(middle[0] + dx, middle[1] + dy, 20, 28) for dx in (-14, 14) for dy in (-20, 20)]
    finder = Finder((Kind.CARD_FACE, NINE, 0.9), *((Kind.CARD_BACK, part, 0.8) for part in parts))
    cards = read_photo(scene(NINE, GREY, (200, 90, 200)), finder, ColourReader()).cards
    assert [card.card for card in cards] == ["back"] * 4


@pytest.mark.parametrize(("size", "kept"), [((24.0, 18.0), 0), ((63.0, 88.0), 1)])
def test_a_mark_on_a_chips_edge_is_no_card(size: tuple[float, float], kept: int) -> None:
    middle = NINE.mean(axis=0)
    chip, mark = box(middle[0], middle[1], 100, 100), box(middle[0], middle[1] - 30, *size)
    finder = Finder((Kind.CHIP_STACK, chip, 0.9), (Kind.CARD_BACK, mark, 0.8))
    reading = read_photo(scene(NINE, GREY, (200, 90, 200)), finder, ColourReader())
    assert len(reading.chips) == 1
    assert len(reading.cards) == kept


class SurePlaces:
    """Reads every face as one card: surely where its middle is red, else less so."""

    def read(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        answers = np.zeros((len(faces), len(PACK) + 2), np.float32)
        for face, answer in zip(faces, answers, strict=True):
            h, w = face.shape[0] // 2, face.shape[1] // 2
            blue, _, red = face[h - 3 : h + 3, w - 3 : w + 3].reshape(-1, 3).mean(axis=0)
            whole = bool(red > 150 and blue < 120)
            answer[1] = 0.98 if whole else 0.6
            answer[len(PACK) + 1] = 1 - answer[1]
        return answers


def test_a_place_between_whole_cards_is_no_card() -> None:
    image = np.full((220, 260, 3), (60, 100, 20), np.uint8)
    cards = [box(60, 70, 63, 88), box(60, 158, 63, 88)]
    for card in cards:
        x0, y0, x1, y1 = (round(float(v)) for v in (*card[0], *card[2]))
        image[y0:y1, x0:x1] = 245
        image[y0 + 9 : y1 - 9, x0 + 9 : x1 - 9] = RED
    between = box(60, 114, 60, 84)
    finder = Finder(*((Kind.CARD_FACE, card, 0.9) for card in cards), (Kind.CARD_FACE, between, 0.6))
    found = read_photo(image, finder, SurePlaces()).cards
    middles = sorted(float(np.array(card.quad_px)[:, 1].mean()) for card in found)
    assert middles == pytest.approx([70, 158], abs=8)
