"""Reads one still photograph from any camera: which cards and chips are on it, and where.

Nothing is known of the camera, so places are pixels and the scale is found by looking at several. A card's
face is cut out straight in every way in which it may lie, and the reading that is surest is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Face
from vision.corners import Corners
from vision.detector import CARDS, Detections, Kind, suppress
from vision.photo_corners import LoneCard, belonging, is_clear, joined, lone_cards, overlap, own_indices
from vision.photo_overlaps import covered, holding, inside
from vision.quads import PHOTO_SLANTS_DEG, rectify, refine

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

Point = tuple[float, float]

UNREADABLE = "??"
BACK = "back"
LEAST_SURE = 0.5
"""A face named with less than this probability is given as not readable."""
_BACK_CLASS = len(PACK)
_FACE_PX = (80, 112)
_LEAST_SCORE, _CONFIRMED_SCORE = 0.4, 0.2
"""What a box needs to be a card by itself, and what it needs where the reader is sure of its face."""
_UNREAD_SCORE = 0.55
"""What it needs where neither face nor back is recognised: below, two in three are print and flat boxes."""
_SURE_FACE = 0.8
_MOST_NAMED_PARTS = 0.25
"""Share of the cards in a large one that may have a sure name where the large one is the card."""
_SURE_BETWEEN, _MOST_COVERED = 0.9, 0.6
"""A face named less surely than the first, of which more than the second part lies where clear faces are, is
none."""
_SAME_CARD, _SAME_UNREAD = 0.1, 0.35
"""Overlap from which a card known by its index is one that was found: of the same name, or not read."""
_SQUARE = 1.7
"""Cards that look less long than this may lie either way, in a stretched photograph: both are tried."""


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


@dataclass(frozen=True, slots=True)
class PhotoCard:
    """One card: its name as in ``Th``, ``??`` where the face is not readable, or ``back``."""

    card: str
    p: float
    """How sure the name is; of what has none, how sure it is that a card is there."""
    quad_px: tuple[Point, Point, Point, Point]
    """Corners in pixels, clockwise from the top left of the side that is seen."""
    face: Face


@dataclass(frozen=True, slots=True)
class PhotoChips:
    """One stack of chips, or a single chip. ``p``: how sure it is that it is there and read right."""

    box_px: tuple[float, float, float, float]
    """x0, y0, x1, y1."""
    denominations: tuple[int | None, ...] | None
    count: int | None
    value: int | None
    p: float


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """What is on a photograph; cards and chips from the top of the picture to the bottom."""

    cards: tuple[PhotoCard, ...]
    chips: tuple[PhotoChips, ...]

    def as_json(self) -> dict[str, object]:
        """The published form ``veedor.read/1``."""
        return {
            "format": "veedor.read/1",
            "cards": [
                {
                    "card": c.card,
                    "p": round(c.p, 4),
                    "quad": [[round(x, 1), round(y, 1)] for x, y in c.quad_px],
                    "face": c.face.value,
                }
                for c in self.cards
            ],
            "chips": [
                {
                    "box": [round(v, 1) for v in c.box_px],
                    "denominations": None if c.denominations is None else list(c.denominations),
                    "count": c.count,
                    "value": c.value,
                    "p": round(c.p, 4),
                }
                for c in self.chips
            ],
        }


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
    found = detector.detect_multiscale(image, least_score=_CONFIRMED_SCORE, undecided=True)
    corners = Corners.none() if corner_reader is None else corner_reader.find(image)
    stacks = found.of(Kind.CHIP_STACK)
    sure = stacks.quad_px[stacks.score >= _LEAST_SCORE]
    cards = [
        card
        for card in _read_cards(image, found.of(*CARDS), card_reader, corners)
        if not (_is_unnamed(card) and _is_part(card, list(sure)))  # a mark on a chip's edge
    ]
    chips = [
        _read_stack(image, quad, float(score), chip_reader)
        for quad, score in zip(stacks.quad_px, stacks.score, strict=True)
        if score >= _LEAST_SCORE
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


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One way to cut out a card: ``quad`` (4, 2) as if its first corner were the face's top left."""

    row: int
    quad: Array
    face: Array


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
            for attempt in _attempts(image, row, (refined[row], found.quad_px[row]))
        ]
        read = reader.read(np.stack([a.face for a in attempts]))
        mine = [[i for i, a in enumerate(attempts) if a.row == row] for row in range(len(found))]
        named = np.array([_named(read, rows) for rows in mine])
        parts: set[int] = set()
        for row in np.argsort(~wholes, kind="stable"):
            if row in parts:
                continue
            indices = max((belonging(quad, corners) for quad in (refined[row], found.quad_px[row])), key=len)
            looks = _Looks(attempts, read, mine[row], corners, [i for i in indices if i not in taken])
            card, clear = _decide(looks, Kind(int(found.kind[row])), float(found.score[row]))
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


def _named(read: Array, rows: list[int]) -> float:
    """How sure the surest name of a card's attempts is."""
    return max(
        float(((read[i] + read[j]) / 2)[:_BACK_CLASS].max())
        for i, j in zip(rows[::2], rows[1::2], strict=True)
    )


def _is_one(card: PhotoCard, inner: Array) -> bool:
    """Whether a large card in which small ones were found is one: it has a face, and they have none."""
    return (
        card.face is Face.UP
        and card.card != UNREADABLE
        and card.p >= _SURE_FACE
        and float((inner >= _SURE_FACE).mean()) <= _MOST_NAMED_PARTS
    )


def _is_no_card(card: PhotoCard, cards: list[PhotoCard], clear_quads: list[Array]) -> bool:
    """Whether a card is only a part of another one's picture, or a place between cards that are whole."""
    if _is_unnamed(card):
        return _is_part(
            card, [np.array(c.quad_px) for c in cards if not _is_unnamed(c) and c.p >= _SURE_FACE]
        )
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
        out.append(PhotoCard(name, card.p, _as_points(card.quad), Face.UP))
    return out


def _as_points(quad: Array) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d


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


def _attempts(image: Array, row: int, quads: Sequence[Array]) -> list[_Attempt]:
    """Every way in which the card may lie, pairs of head up and head down next to each other."""
    ways = []
    for quad in quads:
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        across, along = sides[0] + sides[2], sides[1] + sides[3]
        first = 0 if along >= across else 1
        turns = [first] if max(along, across) >= _SQUARE * min(along, across) else [first, 1 - first]
        for turn in (t + half for t in turns for half in (0, 2)):
            laid = np.roll(quad, -turn, axis=0)
            ways.append(_Attempt(row, laid, rectify(image, laid, _FACE_PX)))
    return ways


@dataclass(frozen=True, slots=True)
class _Looks:
    """All that was seen of one card: its attempts' numbers, and the indices at its corners."""

    attempts: list[_Attempt]
    read: Array
    mine: list[int]
    corners: Corners
    indices: list[int]


def _decide(looks: _Looks, kind: Kind, score: float) -> tuple[PhotoCard | None, bool]:
    """The surest reading of a card, and whether its face alone is clear; None where neither box nor face is
    sure enough that there is one."""
    read, mine = looks.read, looks.mine
    pairs = [(i, j, (read[i] + read[j]) / 2) for i, j in zip(mine[::2], mine[1::2], strict=True)]
    up, down, mean = max(pairs, key=lambda pair: float(pair[2][:_BACK_CLASS].max()))
    named = joined(mean, looks.corners, looks.indices)
    best = int(named.argmax())
    p = float(named[best])
    if score < _LEAST_SCORE and p < _SURE_FACE:
        return None, False
    quad = looks.attempts[up if read[up][best] >= read[down][best] else down].quad
    corners = _as_points(quad)
    backs = max(float(m[_BACK_CLASS]) for _, _, m in pairs)
    if kind is Kind.CARD_BACK and (p < _SURE_FACE or backs > p):
        return PhotoCard(BACK, max(score, backs), corners, Face.DOWN), False
    if p >= LEAST_SURE:
        return PhotoCard(str(PACK[best]), p, corners, Face.UP), is_clear(mean)
    if backs > _SURE_FACE:
        return PhotoCard(BACK, backs, corners, Face.DOWN), False
    if score < _UNREAD_SCORE:
        return None, False
    return PhotoCard(UNREADABLE, score, corners, Face.UP), False


_BLUE, _ORANGE, _PURPLE, _GREY = (178, 114, 0), (0, 159, 230), (167, 121, 204), (120, 120, 120)
"""Okabe and Ito's colours, which the colour-blind tell apart: named faces, chips, backs, others."""


def annotate(image: Array, reading: PhotoReading) -> Array:
    """A copy of the picture (H, W, 3) uint8 BGR with outlines, the cards' names and stacks' values."""
    out = np.ascontiguousarray(image.copy())
    size = max(out.shape[:2]) / 1000
    for card in reading.cards:
        colour = _PURPLE if card.card == BACK else _GREY if card.card == UNREADABLE else _BLUE
        _outline(out, np.array(card.quad_px), colour, size)
    for stack in reading.chips:
        x0, y0, x1, y1 = stack.box_px
        _outline(out, np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), _ORANGE, size)
    for card in reading.cards:
        colour = _PURPLE if card.card == BACK else _GREY if card.card == UNREADABLE else _BLUE
        _label(out, f"{card.card} {card.p:.0%}", np.array(card.quad_px).mean(axis=0), colour, size)
    for stack in reading.chips:
        x0, y0, x1, _ = stack.box_px
        words = "chips" if stack.count is None else f"{stack.count} chips"
        text = words if stack.value is None else f"{words} = {stack.value}"
        _label(out, text, np.array([(x0 + x1) / 2, y0]), _ORANGE, size)
    return out


def _outline(out: Array, quad: Array, colour: tuple[int, int, int], size: float) -> None:
    points = [np.round(quad * 8).astype(np.int32)]
    cv2.polylines(out, points, True, (255, 255, 255), max(3, round(6 * size)), cv2.LINE_AA, 3)
    cv2.polylines(out, points, True, colour, max(1, round(3 * size)), cv2.LINE_AA, 3)


def _label(out: Array, text: str, centre: Array, colour: tuple[int, int, int], size: float) -> None:
    scale, thick = max(0.4, 0.75 * size), max(1, round(1.6 * size))
    (w, h), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    pad = max(2, h // 3)
    x = int(np.clip(centre[0] - w / 2, pad, max(pad, out.shape[1] - w - pad)))
    y = int(np.clip(centre[1] + h / 2, h + pad, max(h + pad, out.shape[0] - base - pad)))
    cv2.rectangle(out, (x - pad, y - h - pad), (x + w + pad, y + pad), (255, 255, 255), -1)
    cv2.rectangle(out, (x - pad, y - h - pad), (x + w + pad, y + pad), colour, max(1, thick))
    cv2.putText(out, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), thick, cv2.LINE_AA)
