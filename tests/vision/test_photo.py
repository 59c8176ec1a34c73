"""Reading a photograph: how a card lies, backs, unreadable faces, stacks, and the picture drawn."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import PACK, Face
from tests.support.photographs import FELT, NINE, ColourReader, Finder, scene
from vision.detector import Kind
from vision.photo import StackInPhoto, read_photo
from vision.photo_reading import PhotoCard, PhotoChips, PhotoReading, annotate

Array = NDArray[Any]


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("upside_down", [False, True])
def test_corners_start_at_the_top_left_of_the_face(turn: int, upside_down: bool) -> None:
    colours = ((40, 40, 220), (220, 40, 40)) if upside_down else ((220, 40, 40), (40, 40, 220))
    image = scene(NINE, *colours)
    reading = read_photo(image, Finder((Kind.CARD_FACE, np.roll(NINE, turn, axis=0), 0.9)), ColourReader())
    (card,) = reading.cards
    assert (card.card, card.face) == (str(PACK[0]), Face.UP)
    expected = np.roll(NINE, 2, axis=0) if upside_down else NINE
    assert np.array(card.quad_px) == pytest.approx(expected, abs=2)


@pytest.mark.parametrize(
    ("kind", "score", "top", "bottom", "expected"),
    [
        (
            Kind.CARD_FACE,
            0.9,
            (220, 40, 40),
            (40, 40, 220),
            (str(PACK[0]), Face.UP),
        ),
        (Kind.CARD_FACE, 0.9, (90, 90, 90), (200, 90, 200), ("??", Face.UP)),
        (Kind.CARD_BACK, 0.9, (90, 90, 90), (200, 90, 200), ("back", Face.DOWN)),
        (Kind.CARD_FACE, 0.9, (220, 40, 40), (220, 40, 40), ("back", Face.DOWN)),
        (Kind.CARD_BACK, 0.9, (220, 40, 40), (40, 40, 220), (str(PACK[0]), Face.UP)),
        (Kind.CARD_FACE, 0.3, (220, 40, 40), (40, 40, 220), (str(PACK[0]), Face.UP)),
        (Kind.CARD_FACE, 0.3, (90, 90, 90), (200, 90, 200), None),
        (Kind.CARD_FACE, 0.5, (90, 90, 90), (200, 90, 200), None),
        (Kind.CARD_FACE, 0.5, (220, 40, 40), (40, 40, 220), (str(PACK[0]), Face.UP)),
    ],
)
def test_box_and_face_decide_together(
    kind: Kind,
    score: float,
    top: tuple[int, int, int],
    bottom: tuple[int, int, int],
    expected: tuple[str, Face] | None,
) -> None:
    reading = read_photo(scene(NINE, top, bottom), Finder((kind, NINE, score)), ColourReader())
    assert [(c.card, c.face) for c in reading.cards] == ([] if expected is None else [expected])
    assert all(0 < c.p <= 1 for c in reading.cards)


def test_a_foreshortened_card_is_tried_both_ways() -> None:
    quad = np.array([[60, 90], [140, 90], [140, 160], [60, 160]], np.float32)
    reading = read_photo(scene(quad), Finder((Kind.CARD_FACE, quad, 0.9)), ColourReader())
    assert [c.card for c in reading.cards] == [str(PACK[0])]
    assert np.array(reading.cards[0].quad_px) == pytest.approx(quad, abs=2)


def test_two_boxes_of_one_card_give_one_card() -> None:
    finder = Finder((Kind.CARD_FACE, NINE + 2, 0.9), (Kind.CARD_BACK, NINE - 3, 0.6))
    assert len(read_photo(scene(), finder, ColourReader()).cards) == 1


class Stacks:
    """Reads every stack as two fives under a chip that it cannot make out."""

    def read_stack(self, image: Array, box_px: tuple[float, float, float, float]) -> StackInPhoto:
        assert image.ndim == 3
        assert box_px[2] > box_px[0]
        return StackInPhoto((5, 5, None), 3, None, 0.7)


def test_stacks_are_found_and_read_where_there_is_a_reader() -> None:
    box = np.array([[10, 20], [50, 20], [50, 70], [10, 70]], np.float32)
    finder = Finder((Kind.CHIP_STACK, box, 0.8), (Kind.CHIP_STACK, box + 100, 0.3), (Kind.HAND, box, 0.9))
    image = np.full((220, 260, 3), FELT, np.uint8)
    found = read_photo(image, finder, ColourReader()).chips
    assert [(c.box_px, c.denominations, c.count, c.value) for c in found] == [
        ((10, 20, 50, 70), None, None, None)
    ]
    assert found[0].p == pytest.approx(0.8)
    read = read_photo(image, finder, ColourReader(), Stacks()).chips
    assert [(c.denominations, c.count, c.value, c.p) for c in read] == [((5, 5, None), 3, None, 0.7)]


def test_the_published_form() -> None:
    reading = PhotoReading(
        (PhotoCard("Th", 0.98765, ((0.12, 0), (63, 0), (63, 88), (0, 88)), Face.UP),),
        (PhotoChips((1, 2, 3, 4), (5, None), 2, None, 0.5),),
    )
    assert json.loads(json.dumps(reading.as_json())) == {
        "format": "veedor.read/1",
        "cards": [{"card": "Th", "p": 0.9877, "quad": [[0.1, 0], [63, 0], [63, 88], [0, 88]], "face": "up"}],
        "chips": [{"box": [1, 2, 3, 4], "denominations": [5, None], "count": 2, "value": None, "p": 0.5}],
    }


def test_nothing_found_is_no_error() -> None:
    image = np.full((50, 60, 3), FELT, np.uint8)
    reading = read_photo(image, Finder(), ColourReader())
    assert reading == PhotoReading((), ())
    assert (annotate(image, reading) == image).all()


def test_the_annotated_picture_is_a_copy_with_marks_on_it() -> None:
    image = scene()
    before = image.copy()
    reading = read_photo(image, Finder((Kind.CARD_FACE, NINE, 0.9)), ColourReader())
    drawn = annotate(image, reading)
    assert drawn.shape == image.shape
    assert (image == before).all()
    changed = (drawn != image).any(axis=2)
    assert changed[55:155, 55:130].mean() > 0.05
    assert changed[:, 180:].mean() == 0
