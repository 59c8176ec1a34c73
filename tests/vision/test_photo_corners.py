"""Indices and faces together: what belongs to a card, what it adds, and cards seen by an index alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import PACK
from vision.corners import INDEX_AT, NO_INDEX, Corners, card_quad, cut_corner
from vision.photo_corners import belonging, joined, lone_cards, overlap, own_indices

Array = NDArray[Any]
CARD = np.array([[100, 50], [172, 50], [172, 150], [100, 150]], np.float32)
"""An upright card, 72 by 100 pixels."""
U, V = (72.0, 0.0), (0.0, 100.0)


def at(x: float, y: float, u: tuple[float, float] = U, v: tuple[float, float] = V) -> tuple[float, ...]:
    return (x, y, *u, *v)


TOP_LEFT = at(100 + 72 * INDEX_AT[0], 50 + 100 * INDEX_AT[1])
BOTTOM_RIGHT = at(172 - 72 * INDEX_AT[0], 150 - 100 * INDEX_AT[1], (-72.0, 0.0), (0.0, -100.0))


def corners(*rows: tuple[tuple[float, ...], int, float]) -> Corners:
    """Indices from frame, name and probability; what is left goes to no index."""
    read = np.zeros((len(rows), NO_INDEX + 1), np.float32)
    for row, (_, name, p) in zip(read, rows, strict=True):
        row[name] = p
        row[NO_INDEX] += 1 - p
    frames = np.array([row[0] for row in rows], np.float32).reshape(-1, 6)
    return Corners(frames, np.full(len(rows), 0.9, np.float32), read)


def face(name: int, p: float, unreadable: float = 0.0) -> Array:
    out = np.full(len(PACK) + 2, (1 - p - unreadable) / 51)
    out[name], out[-2], out[-1] = p, 0, unreadable
    return out


@pytest.mark.parametrize(
    ("frame", "belongs"),
    [
        (TOP_LEFT, True),
        (BOTTOM_RIGHT, True),
        (at(TOP_LEFT[0], TOP_LEFT[1], (-72.0, 0.0), (0.0, -100.0)), False),
        (at(136, 100), False),
        (at(90, 60), False),
    ],
    ids=["top left", "bottom right", "upside down", "middle", "beside"],
)
def test_an_index_belongs_to_the_card_at_whose_corner_it_stands(
    frame: tuple[float, ...], belongs: bool
) -> None:
    assert belonging(CARD, corners((frame, 5, 0.9))) == ([0] if belongs else [])


def test_a_card_given_from_another_corner_has_the_same_indices() -> None:
    found = corners((TOP_LEFT, 5, 0.9), (BOTTOM_RIGHT, 5, 0.8))
    for shift in range(4):
        assert belonging(np.roll(CARD, shift, axis=0), found) == [0, 1]


def test_an_index_outweighs_an_unknown_figure() -> None:
    jack, queen = 10, 11
    named = joined(face(queen, 0.7), corners((TOP_LEFT, jack, 0.97)), [0])
    assert int(named.argmax()) == jack


def test_face_and_index_that_agree_are_surer_than_either() -> None:
    named = joined(face(3, 0.6), corners((TOP_LEFT, 3, 0.7)), [0])
    assert int(named.argmax()) == 3
    assert float(named.max()) > 0.6


def test_without_an_index_the_face_stands_alone() -> None:
    alone = face(8, 0.5, unreadable=0.3)
    assert np.allclose(joined(alone, Corners.none(), []), alone[: len(PACK)])


def test_two_indices_of_one_card_are_one_card() -> None:
    (card,) = lone_cards(corners((TOP_LEFT, 20, 0.95), (BOTTOM_RIGHT, 20, 0.9)), set())
    assert card.name == 20
    assert overlap(card.quad, CARD) > 0.95


def test_a_fan_gives_each_of_its_cards() -> None:
    fan = corners(*((at(TOP_LEFT[0] + 14 * k, TOP_LEFT[1]), k, 0.95) for k in range(5)))
    assert sorted(card.name for card in lone_cards(fan, set())) == [0, 1, 2, 3, 4]


def test_an_index_that_is_hardly_read_or_taken_makes_no_card() -> None:
    assert lone_cards(corners((TOP_LEFT, 4, 0.5)), set()) == []
    assert lone_cards(corners((TOP_LEFT, 4, 0.95)), {0}) == []


@pytest.mark.parametrize(("heat", "p", "cards"), [(0.3, 0.8, 0), (0.3, 0.95, 1), (0.5, 0.8, 1)])
def test_an_index_that_the_finder_hardly_sees_must_be_read_surely(heat: float, p: float, cards: int) -> None:
    found = corners((TOP_LEFT, 4, p))
    faint = Corners(found.frame, np.full(1, heat, np.float32), found.read)
    assert len(lone_cards(faint, set())) == cards


@pytest.mark.parametrize(("p", "cards"), [(0.75, 0), (0.95, 1)])
def test_an_index_at_another_card_must_be_read_more_surely(p: float, cards: int) -> None:
    found = corners((TOP_LEFT, 4, p))
    assert len(lone_cards(found, set())) == 1
    assert len(lone_cards(found, set(), frozenset({0}))) == cards


SHIFTED = at(TOP_LEFT[0] + 40, TOP_LEFT[1])
"""An index as the next card of a fan has it: its card lies 40 px to the right."""


@pytest.mark.parametrize(
    ("rows", "clear", "own"),
    [
        ([(TOP_LEFT, 3, 0.9)], False, [0]),
        ([(TOP_LEFT, 9, 0.9)], False, []),
        ([(TOP_LEFT, 9, 0.9)], True, [0]),
        ([(TOP_LEFT, 9, 0.99)], True, []),
        ([(TOP_LEFT, 9, 0.9), (BOTTOM_RIGHT, 9, 0.9)], False, [0, 1]),
        ([(TOP_LEFT, 9, 0.9), (BOTTOM_RIGHT, 3, 0.9)], False, [0, 1]),
        ([(TOP_LEFT, 9, 0.99), (BOTTOM_RIGHT, 3, 0.9)], False, [1]),
        ([(SHIFTED, 9, 0.9), (BOTTOM_RIGHT, 3, 0.9)], False, [1]),
    ],
    ids=[
        *("says it", "another's", "clear face", "surely another's", "both ends", "misread end"),
        *("surely another's at an end", "next of a fan"),
    ],
)
def test_whose_index_it_is(
    rows: list[tuple[tuple[float, ...], int, float]], clear: bool, own: list[int]
) -> None:
    found = corners(*rows)
    assert own_indices(list(range(len(rows))), found, str(PACK[3]), CARD, clear) == own


@pytest.mark.parametrize(
    ("p_face", "p_index", "heard"),
    [(0.95, 0.9, False), (0.6, 0.9, True), (0.6, 0.3, False)],
    ids=["clear face", "doubtful face", "doubtful indices"],
)
def test_two_indices_against_a_face(p_face: float, p_index: float, heard: bool) -> None:
    seven, eight = 6, 7
    named = joined(
        face(seven, p_face), corners((TOP_LEFT, eight, p_index), (BOTTOM_RIGHT, eight, p_index)), [0, 1]
    )
    assert int(named.argmax()) == (eight if heard else seven)


def test_an_index_is_cut_out_upright() -> None:
    image = np.zeros((200, 300, 3), np.uint8)
    image[50:150, 100:172] = 90
    image[58:70, 104:112] = 250
    turned = np.ascontiguousarray(np.rot90(image))  # a quarter to the left: (x, y) to (y, 299 - x)
    straight = cut_corner(image, np.array(TOP_LEFT))
    frame = np.array([TOP_LEFT[1], 299 - TOP_LEFT[0], U[1], -U[0], V[1], -V[0]])
    assert np.abs(straight.astype(int) - cut_corner(turned, frame)).mean() < 25
    assert straight[:, :18].mean() > straight[:, 18:].mean()
    assert np.allclose(card_quad(np.array(TOP_LEFT)), CARD, atol=1e-3)
