"""Joins what faces and corner indices say of the cards in a photograph.

An index that lies where a found card has its corners is evidence on that card; one that belongs to no found
card is a card of which nothing else shows, as in a fan.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.cards import PACK, Rank
from vision.corners import INDEX_AT, NO_INDEX, Corners, card_quad
from vision.indices import log_mixed

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

LEAST_ALONE, LEAST_AT_OTHER, LEAST_FAINT = 0.6, 0.75, 0.9
"""How surely an index must be read for a card of which nothing else is seen: by itself; where it stands at
the corner of a found card that is another one, since it may be that card's index, misread; and where the
finder hardly sees one."""
_FAINT = 0.35
"""The finder's heat below which it is."""
LEAST_BESIDE = 0.95
"""How surely an index must be read to be heard on a card that was found, if no second one agrees."""
_FACE_WEIGHT, _INDEX_WEIGHT = 1.0, 0.8
"""What a face and an index found in the picture count for: less than in full, as they share their faults."""
_CLEAR, _LEAST_AGREED = 0.9, 0.5
"""A face read more surely than the first is contradicted by no index; two indices that agree against a face
are each read at least as surely as the second."""
_FIGURES = (Rank.JACK, Rank.QUEEN, Rank.KING)
_OFF = (0.16, 0.12)
"""How far from its place an index may lie: shares of the card's short and long side."""
_LEAST_INDEX = 0.35
_SURELY_OTHER = 0.97
"""An index read so surely that it is not taken for a misread one of the card at whose corner it stands."""
_SAME_PLACE, _SAME_QUAD = 0.3, 0.6


@dataclass(frozen=True, slots=True, eq=False)
class LoneCard:
    """A card known by its indices only: ``name`` into ``PACK``, its probability, its whole outline (4, 2)."""

    name: int
    p: float
    quad: Array


def belonging(quad: Array, corners: Corners) -> list[int]:
    """The indices that lie at a corner of the card ``quad`` (4, 2) and stand as that card lies."""
    if not len(corners):
        return []
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    rows: list[int] = []
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    lain = quad if sides[1] + sides[3] >= sides[0] + sides[2] else np.roll(quad, -1, axis=0)
    nearly_square = max(sides) < 1.7 * min(sides)
    for way in (lain, np.roll(lain, -1, axis=0)) if nearly_square else (lain,):
        matrix = cv2.getPerspectiveTransform(np.asarray(way, np.float32), unit)
        place = cv2.perspectiveTransform(corners.frame[None, :, :2], matrix)[0]
        below = cv2.perspectiveTransform((corners.frame[:, :2] + 0.1 * corners.frame[:, 4:6])[None], matrix)[
            0
        ]
        down = (below - place) * 10
        near = np.minimum(place, 1 - place)
        stands = (np.abs(down[:, 0]) < 0.5) & (np.abs(down[:, 1]) > 0.55) & (np.abs(down[:, 1]) < 1.6)
        # An index stands head up at the end of the card that is nearer to it.
        stands &= (down[:, 1] > 0) == (place[:, 1] < 0.5)
        here = (np.abs(near - INDEX_AT) < _OFF).all(axis=1) & stands
        found = [int(i) for i in np.flatnonzero(here) if corners.read[i, NO_INDEX] < 1 - _LEAST_INDEX]
        rows = found if len(found) > len(rows) else rows
    return sorted(rows, key=lambda i: float(corners.read[i, NO_INDEX]))[:2]


def is_clear(face: Array) -> bool:
    """Whether a face (54,) is read so surely that no index contradicts it; figures never are."""
    best = int(face[: len(PACK)].argmax())
    return bool(face[best] > _CLEAR) and PACK[best].rank not in _FIGURES


def joined(face: Array, corners: Corners, rows: list[int], least_alone: float = LEAST_BESIDE) -> Array:
    """Probabilities (52,) of the cards from a face's (54,) and from its indices; they add up to how surely
    anything is readable.

    Indices are heard where they say what the face says, or where the face is not clear (or a figure, of which
    every pack has its own) and two agree or one is as sure as ``least_alone``: pips are taken for an index at
    times, and an index is cut out less straight than the face.
    """
    readable = float(face[: len(PACK)].sum())
    rows = sorted(rows, key=lambda i: -float(corners.read[i, :NO_INDEX].max()))[:2]
    names = [int(corners.read[i, :NO_INDEX].argmax()) for i in rows]
    best = int(face[: len(PACK)].argmax())
    alike = [i for i, name in zip(rows, names, strict=True) if name == best]
    if alike:
        rows = alike
    elif is_clear(face):
        rows = []
    elif len(set(names)) != 1 or len(rows) < 2 or float(corners.read[rows[1], names[1]]) < _LEAST_AGREED:
        rows = [i for i in rows[:1] if float(corners.read[i, :NO_INDEX].max()) >= least_alone]
    if not rows:
        return np.asarray(face[: len(PACK)])
    score = _FACE_WEIGHT * readable * log_mixed(face[: len(PACK)] / max(readable, 1e-6))
    for i in rows:
        read = corners.read[i]
        there = float(1 - read[NO_INDEX])
        weight = _INDEX_WEIGHT if readable > 0 else 1.0
        score = score + weight * there * log_mixed(read[:NO_INDEX] / max(there, 1e-6))
    posterior = np.exp(score - score.max())
    posterior /= posterior.sum()
    sure = max([readable, *(float(1 - corners.read[i, NO_INDEX]) for i in rows)])
    return np.asarray(posterior * sure)


def own_indices(rows: list[int], corners: Corners, name: str, quad: Array, clear: bool) -> list[int]:
    """Those of the indices at a found card's corners that are its own, whatever they say.

    An index that says another card's name is another card's, of which nothing else shows, as in a fan; but
    the card's own, misread, where both ends say the same, or where it is not read very surely and the card's
    face is ``clear`` or the other end says the card's name and this one stands as if for that same card.
    """
    names = [corners.name(i) for i in rows]
    if len(rows) == 2 and names[0] == names[1]:
        return rows
    known = name in names

    def own(row: int, said: str) -> bool:
        if said == name:
            return True
        if float(corners.read[row, :NO_INDEX].max()) >= _SURELY_OTHER:
            return False
        return clear or (known and overlap(quad, card_quad(corners.frame[row])) > _SAME_QUAD)

    return [i for i, said in zip(rows, names, strict=True) if own(i, said)]


def lone_cards(corners: Corners, taken: set[int], at_other: frozenset[int] = frozenset()) -> list[LoneCard]:
    """The cards of the indices that are no found card's, each once however many of its indices show.

    ``taken``: the indices of found cards; ``at_other``: those that stand at the corner of a found card and do
    not say its name.
    """
    nobody = np.zeros(len(PACK) + 2)
    open_rows = [i for i in range(len(corners)) if i not in taken]
    open_rows.sort(key=lambda i: -float(corners.read[i, :NO_INDEX].max()))
    cards: list[LoneCard] = []
    while open_rows:
        first = open_rows.pop(0)
        quad = card_quad(corners.frame[first])
        name = int(corners.read[first, :NO_INDEX].argmax())
        partner = [
            i
            for i in open_rows
            if int(corners.read[i, :NO_INDEX].argmax()) == name
            and overlap(quad, card_quad(corners.frame[i])) > _SAME_PLACE
        ]
        open_rows = [i for i in open_rows if i not in partner]
        p = joined(nobody, corners, [first, *partner][:2], 0.0)
        least = LEAST_AT_OTHER if at_other.issuperset([first, *partner]) else LEAST_ALONE
        if float(corners.heat[[first, *partner]].max()) < _FAINT:
            least = LEAST_FAINT
        if float(p[name]) >= least:
            cards.append(LoneCard(name, float(p[name]), quad))
    return cards


def overlap(a: Array, b: Array) -> float:
    """Intersection over union of two convex quadrilaterals (4, 2)."""
    common, _ = cv2.intersectConvexConvex(np.asarray(a, np.float32), np.asarray(b, np.float32))
    areas = cv2.contourArea(np.asarray(a, np.float32)) + cv2.contourArea(np.asarray(b, np.float32))
    return float(common / max(areas - common, 1e-6))
