"""Names one card of a photograph by all the ways in which it may lie: its face cut out straight in each, and
the indices at its corners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rules.cards import PACK, Face
from vision.corners import Corners
from vision.detector import Kind
from vision.photo_corners import is_clear, joined
from vision.photo_reading import BACK, UNREADABLE, Array, PhotoCard, as_points
from vision.quads import rectify

LEAST_SURE = 0.5
"""A face named with less than this probability is given as not readable."""
_BACK_CLASS = len(PACK)
_FACE_PX = (80, 112)
LEAST_SCORE, CONFIRMED_SCORE = 0.4, 0.2
"""What a box needs to be a card by itself, and what it needs where the reader is sure of its face."""
_UNREAD_SCORE = 0.55
"""What it needs where neither face nor back is recognised: below, two in three are print and flat boxes."""
SURE_FACE = 0.8
_SQUARE = 1.7
"""Cards that look less long than this may lie either way, in a stretched photograph: both are tried."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way to cut out a card: ``quad`` (4, 2) as if its first corner were the face's top left."""

    row: int
    quad: Array
    face: Array


def surest_name(read: Array, rows: list[int]) -> float:
    """How sure the surest name of a card's attempts is."""
    return max(
        float(((read[i] + read[j]) / 2)[:_BACK_CLASS].max())
        for i, j in zip(rows[::2], rows[1::2], strict=True)
    )


def attempts_of(image: Array, row: int, quads: Sequence[Array]) -> list[Attempt]:
    """Every way in which the card may lie, pairs of head up and head down next to each other."""
    ways = []
    for quad in quads:
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        across, along = sides[0] + sides[2], sides[1] + sides[3]
        first = 0 if along >= across else 1
        turns = [first] if max(along, across) >= _SQUARE * min(along, across) else [first, 1 - first]
        for turn in (t + half for t in turns for half in (0, 2)):
            laid = np.roll(quad, -turn, axis=0)
            ways.append(Attempt(row, laid, rectify(image, laid, _FACE_PX)))
    return ways


@dataclass(frozen=True, slots=True)
class Looks:
    """All that was seen of one card: its attempts' numbers, and the indices at its corners."""

    attempts: list[Attempt]
    read: Array
    mine: list[int]
    corners: Corners
    indices: list[int]


def decide(looks: Looks, kind: Kind, score: float) -> tuple[PhotoCard | None, bool]:
    """The surest reading of a card, and whether its face alone is clear; None where neither box nor face is
    sure enough that there is one."""
    read, mine = looks.read, looks.mine
    pairs = [(i, j, (read[i] + read[j]) / 2) for i, j in zip(mine[::2], mine[1::2], strict=True)]
    up, down, mean = max(pairs, key=lambda pair: float(pair[2][:_BACK_CLASS].max()))
    named = joined(mean, looks.corners, looks.indices)
    best = int(named.argmax())
    p = float(named[best])
    if score < LEAST_SCORE and p < SURE_FACE:
        return None, False
    quad = looks.attempts[up if read[up][best] >= read[down][best] else down].quad
    corners = as_points(quad)
    backs = max(float(m[_BACK_CLASS]) for _, _, m in pairs)
    if kind is Kind.CARD_BACK and (p < SURE_FACE or backs > p):
        return PhotoCard(BACK, max(score, backs), corners, Face.DOWN), False
    if p >= LEAST_SURE:
        return PhotoCard(str(PACK[best]), p, corners, Face.UP), is_clear(mean)
    if backs > SURE_FACE:
        return PhotoCard(BACK, backs, corners, Face.DOWN), False
    if score < _UNREAD_SCORE:
        return None, False
    return PhotoCard(UNREADABLE, score, corners, Face.UP), False
