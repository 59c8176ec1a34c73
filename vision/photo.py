"""Reads one still photograph from any camera: which cards and chips are on it, and where.

Nothing is known of the camera, so places are pixels and the scale is found by looking at several. A card's
face is cut out straight in every way in which it may lie, and the reading that is surest is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Face
from vision.corners import Corners
from vision.detector import CARDS, Detections, Kind, suppress
from vision.photo_corners import LoneCard, belonging, lone_cards, overlap, own_indices
from vision.photo_faces import (
    CONFIRMED_SCORE,
    LEAST_SCORE,
    SURE_FACE,
    Looks,
    attempts_of,
    decide,
    surest_name,
)
from vision.photo_overlaps import covered, holding, inside
from vision.photo_reading import BACK, UNREADABLE, Array, PhotoCard, PhotoChips, PhotoReading, as_points
from vision.quads import PHOTO_SLANTS_DEG, refine

_MOST_NAMED_PARTS = 0.25
"""Share of the cards in a large one that may have a sure name where the large one is the card."""
_SURE_BETWEEN, _MOST_COVERED = 0.9, 0.6
"""A face named less surely than the first, of which more than the second part lies where clear faces are, is
none."""
_SAME_CARD, _SAME_UNREAD = 0.1, 0.35
"""Overlap from which a card known by its index is one that was found: of the same name, or not read."""


class Finding(Protocol):
    """Finds cards and stacks at any scale; ``vision.detector.Detector`` is one."""

    def detect_multiscale(
        self, image: Array, *, least_score: float | None = None, undecided: bool = False
    ) -> Detections:
        """What is in a picture (H, W, 3) uint8 BGR; ``undecided``: what is one card or several is given as
        both."""


class CardReading(Protocol):
    """Names rectified faces; ``vision.card_reader.CardReader`` is one."""

    def read(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(n, H, W, 3) uint8 BGR to probabilities (n, 54): 52 cards as in ``PACK``, a back, unreadable."""


class CornerReading(Protocol):
    """Finds and reads corner indices; ``vision.corners.CornerReader`` is one."""

    def find(self, image: Array) -> Corners:
        """The indices in a picture (H, W, 3) uint8 BGR."""


@dataclass(frozen=True, slots=True)
class StackInPhoto:
    """What a reader says of one stack: denominations bottom to top, each None where not readable."""

    denominations: tuple[int | None, ...] | None
    count: int | None
    value: int | None
    p: float


class StackReading(Protocol):
    """Reads a stack in a picture of an unknown camera."""

    def read_stack(self, image: Array, box_px: tuple[float, float, float, float]) -> StackInPhoto:
        """The stack in a box x0, y0, x1, y1 (pixels) of a picture (H, W, 3) uint8 BGR."""


def read_photo(
    image: Array,
    detector: Finding,
    card_reader: CardReading,
    chip_reader: StackReading | None = None,
    corner_reader: CornerReading | None = None,
) -> PhotoReading:
    """Find and name cards and chips in a photograph (H, W, 3) uint8 BGR of unknown scale.

    Without ``chip_reader`` stacks are found, not read: their denominations, count and value are None. Without
    ``corner_reader`` cards of which only an index shows are not found.
    """
    found = detector.detect_multiscale(image, least_score=CONFIRMED_SCORE, undecided=True)
    corners = Corners.none() if corner_reader is None else corner_reader.find(image)
    stacks = found.of(Kind.CHIP_STACK)
    sure = stacks.quad_px[stacks.score >= LEAST_SCORE]
    cards = [
        card
        for card in _read_cards(image, found.of(*CARDS), card_reader, corners)
        if not (_is_unnamed(card) and _is_part(card, list(sure)))  # a mark on a chip's edge
    ]
    chips = [
        _read_stack(image, quad, float(score), chip_reader)
        for quad, score in zip(stacks.quad_px, stacks.score, strict=True)
        if score >= LEAST_SCORE
    ]
    return PhotoReading(
        tuple(sorted(cards, key=lambda c: (c.quad_px[0][1], c.quad_px[0][0]))),
        tuple(sorted(chips, key=lambda c: (c.box_px[1], c.box_px[0]))),
    )


def _read_stack(image: Array, quad: Array, score: float, reader: StackReading | None) -> PhotoChips:
    low, high = quad.min(axis=0), quad.max(axis=0)
    box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    if reader is None:
        return PhotoChips(box, None, None, None, score)
    read = reader.read_stack(image, box)
    return PhotoChips(box, read.denominations, read.count, read.value, min(score, read.p))


def _read_cards(image: Array, found: Detections, reader: CardReading, corners: Corners) -> list[PhotoCard]:
    cards: list[PhotoCard] = []
    clear_quads: list[Array] = []
    taken: set[int] = set()
    at_other: set[int] = set()
    if len(found):
        refined = np.stack([refine(image, quad, PHOTO_SLANTS_DEG) for quad in found.quad_px])
        wholes = holding(found.quad_px)
        kept = _same_card_once(Detections(found.kind, refined, found.score), wholes)
        found, refined, wholes = found[kept], refined[kept], wholes[kept]
        attempts = [
            attempt
            for row in range(len(found))
            for attempt in attempts_of(image, row, (refined[row], found.quad_px[row]))
        ]
        read = reader.read(np.stack([a.face for a in attempts]))
        mine = [[i for i, a in enumerate(attempts) if a.row == row] for row in range(len(found))]
        named = np.array([surest_name(read, rows) for rows in mine])
        parts: set[int] = set()
        for row in np.argsort(~wholes, kind="stable"):
            if row in parts:
                continue
            indices = max((belonging(quad, corners) for quad in (refined[row], found.quad_px[row])), key=len)
            looks = Looks(attempts, read, mine[row], corners, [i for i in indices if i not in taken])
            card, clear = decide(looks, Kind(int(found.kind[row])), float(found.score[row]))
            if card is None:
                continue
            if wholes[row]:
                inner = inside(found.quad_px, found.quad_px[row])
                if not _is_one(card, named[inner]):
                    continue
                parts |= set(inner.tolist())
            cards.append(card)
            if clear:
                clear_quads.append(np.array(card.quad_px))
            own = set(own_indices(looks.indices, corners, card.card, np.array(card.quad_px), clear))
            taken |= own
            at_other |= set(looks.indices) - own
    cards = _with_lone(cards, lone_cards(corners, taken, frozenset(at_other - taken)))
    return [card for card in cards if not _is_no_card(card, cards, clear_quads)]


def _is_one(card: PhotoCard, inner: Array) -> bool:
    """Whether a large card in which small ones were found is one: it has a face, and they have none."""
    return (
        card.face is Face.UP
        and card.card != UNREADABLE
        and card.p >= SURE_FACE
        and float((inner >= SURE_FACE).mean()) <= _MOST_NAMED_PARTS
    )


def _is_no_card(card: PhotoCard, cards: list[PhotoCard], clear_quads: list[Array]) -> bool:
    """Whether a card is only a part of another one's picture, or a place between cards that are whole."""
    if _is_unnamed(card):
        return _is_part(card, [np.array(c.quad_px) for c in cards if not _is_unnamed(c) and c.p >= SURE_FACE])
    quad = np.array(card.quad_px)
    others = [other for other in clear_quads if not np.array_equal(other, quad)]
    return card.p < _SURE_BETWEEN and covered(quad, others) > _MOST_COVERED


def _is_unnamed(card: PhotoCard) -> bool:
    return card.card in (UNREADABLE, BACK)


def _is_part(card: PhotoCard, wholes: Sequence[Array]) -> bool:
    """Whether a card lies in something much larger than it, so that it is only printed on that."""
    quad = np.array(card.quad_px)[None]
    return any(len(inside(quad, whole)) for whole in wholes)


def _with_lone(cards: list[PhotoCard], lone: list[LoneCard]) -> list[PhotoCard]:
    """Found cards, and those of which an index alone shows where no found card is the same."""
    out = list(cards)
    for card in lone:
        name = str(PACK[card.name])
        near = [(overlap(np.array(c.quad_px), card.quad), c) for c in out]
        if any(c.card == name and share > _SAME_CARD for share, c in near):
            continue
        gone = [c for share, c in near if c.card == UNREADABLE and share > _SAME_UNREAD]
        out = [c for c in out if c not in gone]
        out.append(PhotoCard(name, card.p, as_points(card.quad), Face.UP))
    return out


def _same_card_once(found: Detections, wholes: Array) -> Array:
    """Rows (m,) of boxes that are still different cards after their corners were found; ``wholes`` (n,):
    those that may hold others."""
    places = Detections(np.zeros(len(found), np.int8), found.quad_px, found.score)
    once = suppress(places[~wholes], most_iou=0.5)
    return np.flatnonzero(
        [
            whole or (once.quad_px == quad).all(axis=(1, 2)).any()
            for whole, quad in zip(wholes, found.quad_px, strict=True)
        ]
    )
