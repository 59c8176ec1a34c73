"""Fans, rows, piles and single cards in photographs, for learning to find and read corner indices.

A corner is known by the card it belongs to: where its index is, and how the card's short and long side run
from there in the picture. Everything follows from a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import faces_camera as camera
from datasets.faces import BACKS, FaceBank, lay
from datasets.faces_clutter import cover_with_chip, cover_with_hand, surface
from rules.cards import PACK, Rank
from vision.corners import INDEX_AT

Floats = NDArray[np.float32]

SCENE_PX = 256
"""Side of a scene."""
CARD_PX = (70.0, 205.0)
"""Heights of the cards in a scene; larger and smaller ones are looked at in a scaled picture."""
_INDEX_SHARE = (0.03, 0.19, 0.03, 0.29)
"""The part of a card that an index takes: from and to, across and down."""
_LEAST_WIDE = 0.1
"""Where the narrowest indices end, across."""
_WHOLE, _SOME = 0.8, 0.4
"""Visible parts of an index from which it can be read, and up to which nobody should see one."""


@dataclass(frozen=True, slots=True)
class CornerScene:
    """A scene (256, 256, 3) uint8 BGR and its corners: ``frame`` (n, 6) float32: where the index is (x, y),
    the card's short side and its long side from there as vectors, px; ``label`` (n,) int64 into ``PACK``, -1
    where the index is partly hidden or may not be one."""

    image: NDArray[np.uint8]
    frame: Floats
    label: NDArray[np.int64]


def index_corners(bank: FaceBank) -> tuple[int, ...]:
    """How many corners of each pack's cards bear an index: 4, 2, or 0 where none is to be seen.

    Told by where twos differ from threes: nowhere but at their indices and in the middle.
    """
    two, three = ([i for i, card in enumerate(PACK) if card.rank is rank] for rank in (Rank.TWO, Rank.THREE))
    x0, x1, y0, y1 = _INDEX_SHARE
    counts = []
    for pack, has in enumerate(bank.indices):
        faces = bank.textures[pack, :, :, :, :3].astype(np.float32).mean(axis=-1)
        differ = np.abs(faces[two] - faces[three]).max(axis=0)
        h, w = differ.shape
        rows = differ[int(y0 * h) : int(y1 * h)]
        left = float((rows[:, int(x0 * w) : int(x1 * w)] > 40).mean())
        right = float((rows[:, w - int(x1 * w) : w - int(x0 * w)] > 40).mean())
        counts.append(0 if not has or left < 0.008 else 4 if right > 0.5 * left else 2)
    return tuple(counts)


def index_ends(bank: FaceBank) -> tuple[float, ...]:
    """How far from its card's side each pack's indices reach, as a share of the short side: in a tight fan a
    card shows hardly more. Told by where twos differ from fours and from sevens."""
    two, four, seven = (
        [i for i, card in enumerate(PACK) if card.rank is rank] for rank in (Rank.TWO, Rank.FOUR, Rank.SEVEN)
    )
    x1, y0, y1 = _INDEX_SHARE[1:]
    ends = []
    for textures in bank.textures:
        faces = textures[..., :3].astype(np.float32).mean(axis=-1)
        h, w = faces.shape[1:]
        corner = faces[:, int(y0 * h) : int(0.6 * y1 * h), : int(x1 * w)]
        differ = np.maximum(np.abs(corner[two] - corner[four]), np.abs(corner[two] - corner[seven]))
        columns = np.flatnonzero((differ.max(axis=0) > 40).any(axis=0))
        # What begins after a gap are pips.
        gaps = np.flatnonzero(np.diff(columns) > 0.012 * w)
        last = columns[gaps[0]] if len(gaps) else columns[-1] if len(columns) else x1 * w
        ends.append(float(np.clip((last + 2) / w, _LEAST_WIDE, x1)))
    return tuple(ends)


def _arranged(height: float, ratio: float, rng: np.random.Generator) -> list[Floats]:
    """Corners (4, 2) of cards that lie in a fan, a row, a column, a heap or apart, in drawing order."""
    w, h = ratio * height / 2, height / 2
    card = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], np.float32)
    kind = rng.random()
    quads: list[NDArray[Any]] = []
    if kind < 0.42:
        n, pivot = int(rng.integers(3, 12)), height * float(rng.uniform(0.5, 2.2))
        step = np.radians(float(rng.uniform(4, 15)))
        if rng.random() < 0.5:  # held in a hand: little more than the index of each card shows
            step = 2 * w * float(rng.uniform(0.13, 0.3)) / (pivot + 0.8 * h)
        step *= float(rng.choice([1, -1], p=[0.8, 0.2]))
        for k in range(n):
            angle = step * (k - n / 2) + float(rng.normal(0, 0.02))
            quads.append((card - (0, pivot)) @ _turn(angle) + (0, pivot))
    elif kind < 0.62:
        n, pitch = (
            int(rng.integers(2, 10)),
            float(rng.choice((rng.uniform(0.13, 0.3), rng.uniform(0.13, 0.6)))) * 2 * w,
        )
        pitch *= float(rng.choice([1, -1], p=[0.75, 0.25]))
        for k in range(n):
            wobble = _turn(float(rng.normal(0, 0.05)))
            quads.append(card @ wobble + (pitch * (k - n / 2), float(rng.normal(0, 0.02)) * height))
    elif kind < 0.73:
        n, pitch = int(rng.integers(2, 7)), float(rng.uniform(0.18, 0.6)) * height
        for k in range(n):
            quads.append(
                card @ _turn(float(rng.normal(0, 0.05)))
                + (float(rng.normal(0, 0.04)) * height, pitch * (k - n / 2))
            )
    elif kind < 0.88:
        for _ in range(int(rng.integers(2, 7))):
            spin = _turn(float(rng.uniform(0, 2 * np.pi)))
            quads.append(card @ spin + rng.normal(0, 0.5 * height, 2))
    else:
        for _ in range(int(rng.integers(1, 3))):
            quads.append(card @ _turn(float(rng.uniform(0, 6.3))) + rng.normal(0, 0.4 * height, 2))
    spin = _turn(float(rng.uniform(0, 2 * np.pi)))
    at = rng.normal(0, 0.22 * SCENE_PX, 2)
    return [np.asarray(quad @ spin + at, np.float32) for quad in quads]


def _turn(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s], [-s, c]], np.float32)


def _tilted(quads: Sequence[Floats], rng: np.random.Generator) -> list[Floats]:
    """The cards seen from some side: flat points (4, 2) round the origin to places in the scene."""
    tilt = np.radians(float(rng.uniform(0, 60)) * float(rng.random() ** 0.7))
    away = float(rng.uniform(3.5, 12)) * SCENE_PX
    spin = _turn(float(rng.uniform(0, 2 * np.pi)))
    # Many pictures were once scaled to a square: things are narrower or flatter than they were.
    stretch = np.exp(np.array((1, -1)) * float(rng.normal(0, 0.22) if rng.random() < 0.4 else 0))
    seen = []
    for quad in quads:
        flat = quad @ spin
        depth = away + flat[:, 1] * np.sin(tilt)
        place = np.stack([flat[:, 0], flat[:, 1] * np.cos(tilt)], axis=1) * (away / depth)[:, None]
        seen.append(np.asarray(place @ spin.T * stretch + SCENE_PX / 2, np.float32))
    return seen


def _clutter(canvas: Floats, rng: np.random.Generator) -> None:
    """Letters and figures that belong to no card."""
    for _ in range(int(rng.integers(0, 7)) if rng.random() < 0.35 else 0):
        text = str(rng.choice(list("AKQJ2345678910abcdehost$%&")))
        at = tuple(int(v) for v in rng.uniform(0, SCENE_PX, 2))
        mask = np.zeros((SCENE_PX, SCENE_PX), np.uint8)
        size, face = float(rng.uniform(0.4, 2.2)), int(rng.integers(0, 8))
        cv2.putText(mask, text, at, face, size, 255, int(rng.integers(1, 4)), cv2.LINE_AA)
        canvas += (mask / np.float32(255))[..., None] * (rng.uniform(0, 255, 3).astype(np.float32) - canvas)


def frames_of(quad: Floats, corners: int) -> list[Floats]:
    """The frames (6,) of a card's indices: where they are, and its sides from there."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, quad)
    found = []
    for k in range(4):
        if corners < 4 and k in (1, 3):
            continue
        mirrored, down = bool(k & 1), k >= 2
        x, y = INDEX_AT
        x = 1 - x if mirrored else x
        points = np.array([[x, y], [x + 0.1, y], [x, y + 0.1]], np.float32)
        if down:
            points = 1 - points
        place = cv2.perspectiveTransform(points[None], matrix)[0]
        found.append(np.concatenate([place[0], (place[1] - place[0]) * 10, (place[2] - place[0]) * 10]))
    return found


def _visible(owner: NDArray[np.int16], mine: int, frame: Floats, x1: float) -> float:
    """The part of an index up to ``x1`` across that is seen; 0 where it lies outside of the scene."""
    x0, _, y0, y1 = _INDEX_SHARE
    gx, gy = np.meshgrid(np.linspace(x0, x1, 6) - INDEX_AT[0], np.linspace(y0, y1, 8) - INDEX_AT[1])
    at = frame[:2] + gx.reshape(-1, 1) * frame[2:4] + gy.reshape(-1, 1) * frame[4:6]
    cell = np.floor(at).astype(int)
    inside = ((cell >= 0) & (cell < SCENE_PX)).all(axis=1)
    return float((owner[cell[inside, 1], cell[inside, 0]] == mine).sum()) / len(cell)


def corner_scene(
    bank: FaceBank,
    corners: Sequence[int],
    ends: Sequence[float],
    packs: Sequence[int],
    rng: np.random.Generator,
) -> CornerScene:
    """One scene with cards of one of ``packs``; ``corners`` as from ``index_corners``, ``ends``
    as from ``index_ends``."""
    pack = int(packs[int(rng.integers(len(packs)))])
    height = float(np.exp(rng.uniform(*np.log(CARD_PX))))
    canvas = surface(SCENE_PX, height, rng)
    _clutter(canvas, rng)
    owner = np.full((SCENE_PX, SCENE_PX), -1, np.int16)
    flat = [
        quad
        for _ in range(1 + int(rng.random() < 0.6) + int(height < 110 and rng.random() < 0.6))
        for quad in _arranged(height, float(bank.ratio[pack]), rng)
    ]
    drawn: list[tuple[int, Floats]] = []
    backs = float(rng.choice([0.03, 0.4], p=[0.8, 0.2]))
    for quad in _tilted(flat, rng):
        if (quad.max(axis=0) < 2).any() or (quad.min(axis=0) > SCENE_PX - 2).any():
            continue
        shown = 52 + int(rng.integers(BACKS)) if rng.random() < backs else int(rng.integers(52))
        shadow = np.zeros((SCENE_PX, SCENE_PX), np.float32)
        shift = rng.normal(0, 0.012 * height, 2).astype(np.float32)
        cv2.fillConvexPoly(shadow, np.round((quad + shift) * 16).astype(np.int32), 0.5, cv2.LINE_AA, 4)
        canvas *= 1 - cv2.blur(shadow, (5, 5))[..., None] * float(rng.uniform(0.1, 1))
        lay(canvas, bank.textures[pack, shown], quad)
        cv2.fillConvexPoly(owner, np.round(quad * 16).astype(np.int32), len(drawn), cv2.LINE_8, 4)
        drawn.append((shown, quad))
    for _ in range(int(rng.integers(0, 3)) if drawn and rng.random() < 0.3 else 0):
        quad = drawn[int(rng.integers(len(drawn)))][1]
        cover = cover_with_hand if rng.random() < 0.6 else cover_with_chip
        owner[cover(canvas, quad, float(rng.uniform(0.1, 0.6)), rng) > 0.3] = -1
    frames, labels = [], []
    for mine, (shown, quad) in enumerate(drawn):
        if shown >= 52 or not corners[pack]:
            continue
        for frame in frames_of(quad, corners[pack]):
            seen = _visible(owner, mine, frame, ends[pack])
            if seen > _SOME:
                frames.append(frame)
                labels.append(shown if seen >= _WHOLE else -1)
    return CornerScene(
        _photographed(canvas, height, rng),
        np.array(frames, np.float32).reshape(-1, 6),
        np.array(labels, np.int64),
    )


def _photographed(canvas: Floats, height: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    lit = (camera.light if rng.random() < 0.25 else camera.still_light)(canvas, rng)
    if rng.random() < 0.8:
        sigma = float(rng.uniform(0.3, 1.5)) * max(0.7, height / 140)
        lit = cv2.GaussianBlur(lit, (0, 0), sigma).astype(np.float32)
    if rng.random() < 0.1:
        lit = camera.moved(lit, float(rng.uniform(1.5, 6)), rng)
    image = camera.sensor(lit, rng)
    if rng.random() < 0.15:
        image = camera.specks(image, rng)
    return camera.jpeg(image, int(rng.integers(35, 96))) if rng.random() < 0.75 else image


def corner_scenes(bank: FaceBank, packs: Sequence[int], seed: int, count: int) -> list[CornerScene]:
    """``count`` scenes of a seed; the same arguments give the same scenes."""
    rng = np.random.default_rng((0xC0E2, seed))
    corners, ends = index_corners(bank), index_ends(bank)
    return [corner_scene(bank, corners, ends, packs, rng) for _ in range(count)]
