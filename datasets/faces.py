"""Rectified card faces as a surveillance camera gives them, for training and validating the card reader.

A crop is made the way the running system makes one: a textured card lies among others on a surface, is seen
by a camera from some side and distance, passes its lens, sensor and codec, and is cut out by a quadrilateral
that is not quite right. Everything follows from a seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import faces_camera as camera
from datasets.decks import Deck
from datasets.faces_clutter import cover_with_card, cover_with_chip, cover_with_hand, surface
from rules.cards import PACK
from vision.card_reader import CLASSES, INPUT_PX, fit

Picture = NDArray[np.uint8]
BACK, UNREADABLE = CLASSES.index("back"), CLASSES.index("unreadable")
TEXTURE_PX = (168, 120)
"""Height and width of a texture, whatever the pack's own ratio."""
BACKS = 8
PATCHES_PX = (80, 112, 168)
"""Sides of the camera patches; a patch holds a card of up to about two thirds of its side."""
STILL_PX = 244
"""Side of a patch of a photograph: its cards are larger than what the reader takes in."""
STILLS = 0.4
"""Part of the batches that are photographs: sharp, evenly lit, cut by the picture's edge at times."""


@dataclass(frozen=True, slots=True)
class FaceBank:
    """Textures of many packs.

    ``textures`` (packs, 52 + 8, 168, 120, 4) uint8 BGRA: the faces in ``PACK``'s order, then backs;
    ``ratio`` (packs,) width over height; ``names`` and ``indices`` (packs,).
    """

    textures: NDArray[np.uint8]
    ratio: NDArray[np.float32]
    names: tuple[str, ...]
    indices: tuple[bool, ...]


def textures_of(deck: Deck, seed: int = 0) -> tuple[NDArray[np.uint8], float]:
    """A pack's faces and 8 backs as (60, 168, 120, 4) uint8 BGRA, and its width over its height."""
    height, width = TEXTURE_PX
    rng = np.random.default_rng(seed)
    faces = [deck.face(card, 2 * height) for card in PACK]
    ratio = float(np.median([face.shape[1] / face.shape[0] for face in faces]))
    backs = [deck.back(0 if k == 0 else int(rng.integers(1, 1 << 30)), 2 * height) for k in range(BACKS)]
    sized = [cv2.resize(p, (width, height), interpolation=cv2.INTER_AREA) for p in (*faces, *backs)]
    return np.stack(sized), ratio


@dataclass(frozen=True, slots=True)
class View:
    """One card before a camera, not yet compressed."""

    patch: Picture
    """(side, side, 3) what the camera sees."""
    quad_px: NDArray[np.float32]
    """(4, 2) the corners by which it is cut out, first the one that becomes the top left."""
    label: int
    card_px: float
    """The card's height in the picture: the mean of its long sides."""
    visible: float


def _pose(side: int, height_px: float, ratio: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Corners of a card seen from some side: (4, 2) px, clockwise from the face's top left."""
    tilt = np.radians(float(rng.uniform(0, 62)) * float(rng.random() ** 0.5))
    spin, heading = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.35, 0.35))
    w, h = ratio / 2, 0.5
    flat = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    turn = np.array([[np.cos(spin), -np.sin(spin)], [np.sin(spin), np.cos(spin)]])
    flat = flat @ turn.T
    distance = float(rng.uniform(5, 25))
    depth = distance + flat[:, 1] * np.sin(tilt)
    seen = np.stack([flat[:, 0], flat[:, 1] * np.cos(tilt)], axis=1) * (distance / depth)[:, None]
    roll = np.array([[np.cos(heading), -np.sin(heading)], [np.sin(heading), np.cos(heading)]])
    seen = seen @ roll.T
    longs = (np.linalg.norm(seen[1] - seen[2]) + np.linalg.norm(seen[3] - seen[0])) / 2
    # A card seen flat loses height; ``height_px`` stays its measure, so long as the patch holds it.
    scale = min(height_px / longs, 0.92 * side / float(np.ptp(seen, axis=0).max()))
    at = side / 2 + rng.uniform(-0.03, 0.03, 2) * side
    return np.asarray(seen * scale + at, np.float32)


def lay(canvas: NDArray[np.float32], texture: Picture, quad: NDArray[np.float32]) -> NDArray[np.float32]:
    """Blend a texture onto a canvas (side, side, 3) by its corners; returns the alpha (side, side)."""
    side = canvas.shape[0]
    total = np.zeros((side, side), np.float32)
    x0, y0 = (int(v) for v in np.clip(np.floor(quad.min(axis=0)) - 1, 0, side))
    x1, y1 = (int(v) for v in np.clip(np.ceil(quad.max(axis=0)) + 1, 0, side))
    if x1 - x0 < 2 or y1 - y0 < 2:
        return total
    height, width = texture.shape[:2]
    longs = float(np.linalg.norm(quad[1] - quad[2]) + np.linalg.norm(quad[3] - quad[0])) / 2
    shrink = max(1.0, height / max(longs * 1.1, 8))
    size = (max(8, round(width / shrink)), max(8, round(height / shrink)))
    small = cv2.resize(texture, size, interpolation=cv2.INTER_AREA) if shrink > 1.05 else texture
    sh, sw = small.shape[:2]
    plane = np.array([[0, 0], [sw, 0], [sw, sh], [0, sh]], np.float32)
    matrix = cv2.getPerspectiveTransform(plane, (quad - (x0, y0)).astype(np.float32))
    warped = cv2.warpPerspective(small, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR).astype(np.float32)
    alpha = warped[..., 3:] * np.float32(1 / 255)
    part = canvas[y0:y1, x0:x1]
    part += alpha * (warped[..., :3] - part)
    total[y0:y1, x0:x1] = alpha[..., 0]
    return total


def _inside(quad: NDArray[np.float32], side: int) -> NDArray[np.float32]:
    mask = np.zeros((side, side), np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    return np.asarray(mask / 255, np.float32)


def _cut_off(
    canvas: NDArray[np.float32], quad: NDArray[np.float32], depth: float, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Blacken all beyond an edge that takes ``depth`` of the card off; returns what is gone (side, side)."""
    side = canvas.shape[0]
    angle = float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.cos(angle), np.sin(angle)], np.float32)
    reach = quad @ way
    limit = float(reach.max() - depth * np.ptp(reach))
    ys, xs = np.mgrid[:side, :side].astype(np.float32)
    gone = np.asarray(xs * way[0] + ys * way[1] > limit, np.float32)
    canvas *= 1 - gone[..., None]
    return gone


def _loose(quad: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """The quadrilateral as a detector or a tracker would give it: up to about 6 % of the side off."""
    sides = (np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[1])) / 2
    size = float(sides) * float(rng.choice([0.006, 0.016, 0.03], p=[0.4, 0.4, 0.2]))
    middle = quad.mean(axis=0)
    grow = 1 + float(rng.normal(0, 0.016)) + float(rng.random() < 0.1) * float(rng.uniform(0, 0.07))
    turn = np.radians(float(rng.normal(0, 1.1 if rng.random() < 0.85 else 5.0)))
    c, s = np.cos(turn), np.sin(turn)
    moved = (quad - middle) @ np.array([[c, s], [-s, c]]) * grow + middle
    moved = moved + rng.normal(0, size, 2) + rng.normal(0, size * 0.7, (4, 2))
    return np.asarray(moved, np.float32)


def _covered(
    bank: FaceBank,
    pack: int,
    canvas: NDArray[np.float32],
    quad: NDArray[np.float32],
    deep: bool,
    rng: np.random.Generator,
) -> NDArray[np.float32]:
    """Cover a card with cards, fingers or chips, ``deep`` until little is left; gives what is hidden."""
    covers = int(rng.choice([0, 1, 2], p=[0.6, 0.33, 0.07])) if not deep else int(rng.integers(1, 4))
    covered = np.zeros(canvas.shape[:2], np.float32)
    for _ in range(covers):
        what = rng.random()
        depth = float(rng.uniform(0.03, 0.5)) if not deep else float(rng.uniform(0.5, 1.05))
        if what < 0.5:
            texture = bank.textures[pack, int(rng.integers(60))]
            over = cover_with_card(quad, depth, rng)
            covered = np.maximum(covered, lay(canvas, texture, over))
        elif what < 0.8:
            covered = np.maximum(covered, cover_with_hand(canvas, quad, depth, rng))
        else:
            covered = np.maximum(covered, cover_with_chip(canvas, quad, depth, rng))
    return covered


def view(bank: FaceBank, side: int, rng: np.random.Generator, packs: Sequence[int] | None = None) -> View:
    """One random view from the bank's packs (or from ``packs`` only) in a patch of ``side`` pixels."""
    choice = range(len(bank.names)) if packs is None else packs
    pack = int(choice[int(rng.integers(len(choice)))])
    kind = rng.random()
    label = int(rng.integers(52)) if kind < 0.86 else (BACK if kind < 0.93 else UNREADABLE)
    largest = side * 0.66
    smallest = {80: 33.0, 112: 48.0, STILL_PX: 84.0}.get(side, 70.0)
    height_px = float(np.exp(rng.uniform(np.log(smallest), np.log(largest))))
    canvas = surface(side, height_px, rng)
    quad = _pose(side, height_px, float(bank.ratio[pack]), rng)
    for _ in range(int(rng.integers(0, 3))):  # neighbours that lie beside or below
        other = quad + rng.normal(0, 0.55 * height_px, 2).astype(np.float32)
        lay(canvas, bank.textures[pack, int(rng.integers(60))], other)
    shown = label if label < 52 else 52 + int(rng.integers(BACKS))
    if label == UNREADABLE:
        shown = int(rng.integers(60))
    nothing = label == UNREADABLE and rng.random() < 0.45
    seen = _inside(quad, side)
    if not nothing:
        if rng.random() < 0.5:  # the card's own shadow on the cloth
            shadow = _inside(quad + rng.normal(0, 0.03 * height_px, 2).astype(np.float32), side)
            canvas *= 1 - 0.45 * cv2.GaussianBlur(shadow, (0, 0), 1 + 0.02 * height_px)[..., None]
        lay(canvas, bank.textures[pack, shown], quad)
    covered = _covered(bank, pack, canvas, quad, label == UNREADABLE, rng)
    if side == STILL_PX and rng.random() < 0.12:  # the picture ends within the card
        covered = np.maximum(covered, _cut_off(canvas, quad, float(rng.uniform(0.05, 0.55)), rng))
    visible = float((seen * (1 - covered)).sum() / max(float(seen.sum()), 1.0))
    if label == UNREADABLE and not nothing and visible > 0.25:
        label = shown if shown < 52 else BACK
    if label != UNREADABLE and visible < 0.22:
        label = UNREADABLE
    cut = _loose(quad, rng)
    if nothing and rng.random() < 0.5:  # a quadrilateral that has slid off its card
        lay(canvas, bank.textures[pack, shown], quad)
        slide = (quad[2] - quad[0]) * float(rng.choice([-1, 1])) * float(rng.uniform(0.55, 0.9))
        cut = cut + slide.astype(np.float32)
    if rng.random() < 0.5:
        cut = np.roll(cut, 2, axis=0)
    longs = (np.linalg.norm(quad[1] - quad[2]) + np.linalg.norm(quad[3] - quad[0])) / 2
    return View(_seen_by_camera(canvas, height_px, rng), cut, label, float(longs), visible)


def _seen_by_camera(canvas: NDArray[np.float32], height_px: float, rng: np.random.Generator) -> Picture:
    """A canvas (side, side, 3) as a surveillance camera gives it or, where it is large, a photographer."""
    if canvas.shape[0] < STILL_PX:
        return camera.sensor(camera.blur(camera.light(canvas, rng), height_px, rng), rng)
    lit = (camera.light if rng.random() < 0.35 else camera.still_light)(canvas, rng)
    if rng.random() < 0.7:
        lit = cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.3, 1.6))).astype(np.float32)
    picture = camera.sensor(lit, rng)
    return camera.specks(picture, rng) if rng.random() < 0.12 else picture


def rectify(patch: Picture, quad_px: NDArray[np.float32], size_px: tuple[int, int]) -> Picture:
    """Cut a card out of a picture by its corners (4, 2), first the top left: (height, width, 3) uint8."""
    height, width = size_px
    plane = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(quad_px, np.float32), plane)
    cut = cv2.warpPerspective(
        patch, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cut, np.uint8)


@dataclass(frozen=True, slots=True)
class Crops:
    """Crops for the reader: ``faces`` (n, 112, 80, 3) uint8 BGR, ``labels`` (n,) int64 into ``CLASSES``,
    ``card_px`` (n,) float32 height of the card in the picture, ``visible`` (n,) float32 share not covered."""

    faces: Picture
    labels: NDArray[np.int64]
    card_px: NDArray[np.float32]
    visible: NDArray[np.float32]


def crops(
    bank: FaceBank,
    seed: int,
    count: int = 64,
    packs: Sequence[int] | None = None,
    stills: float = STILLS,
) -> Crops:
    """A batch of crops that share a distance and a codec. The same arguments give the same crops.

    ``stills``: how likely the batch is of photographs rather than of a surveillance camera's frames.
    """
    rng = np.random.default_rng((0xFACE, seed))
    still = bool(rng.random() < stills)
    side = STILL_PX if still else int(rng.choice(PATCHES_PX, p=[0.42, 0.34, 0.24]))
    views = [view(bank, side, rng, packs) for _ in range(count)]
    patches = [v.patch for v in views]
    codec = rng.random()
    if codec < 0.42 and not still:
        patches = camera.h264(patches, int(rng.integers(18, 37)))
    elif codec < 0.75:
        patches = [camera.jpeg(p, int(rng.integers(45 if still else 22, 96))) for p in patches]
    faces = []
    for v, patch in zip(views, patches, strict=True):
        # The running system cuts at about the size seen and lets the reader scale.
        own = max(40, round(v.card_px * float(rng.uniform(0.9, 1.4))))
        size = INPUT_PX if rng.random() < 0.5 else (own, round(own * float(rng.uniform(0.66, 0.75))))
        faces.append(fit(rectify(patch, v.quad_px, size)))
    return Crops(
        np.stack(faces),
        np.array([v.label for v in views], np.int64),
        np.array([v.card_px for v in views], np.float32),
        np.array([v.visible for v in views], np.float32),
    )
