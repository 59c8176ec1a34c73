"""Single corner indices as a photograph shows them, straight from packs' textures, for learning to read them.

Much cheaper than whole scenes, and as varied: what lies under and upon the corner is drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import TEXTURE_PX
from datasets.faces_camera import moved
from vision.corners import CROP_PX, NO_INDEX, crop_matrix

Array = NDArray[Any]

NOTHING = 0.25
"""Part of the crops that show no index."""


def frame_at(corner: int) -> Array:
    """The frame (6,) of a texture's index: corner 0 top left, 1 top right, 2 bottom right, 3 bottom left."""
    height, width = TEXTURE_PX
    x, y = 0.11 * width, 0.16 * height
    u, v = np.array([width, 0.0]), np.array([0.0, height])
    if corner in (2, 3):
        u, v = -u, -v
    at = {0: (x, y), 1: (width - x, y), 2: (width - x, height - y), 3: (x, height - y)}[corner]
    return np.concatenate([at, u, v])


def shaken(frame: Array, rng: np.random.Generator, much: float = 1.0) -> Array:
    """A frame (6,) as a finder or a box gives it: somewhat off."""
    u, v = frame[2:4].astype(np.float64), frame[4:6].astype(np.float64)
    dx, dy = rng.normal(0, 0.016 * much, 2)
    turn = _turn(rng.normal(0, 4.0 * much))
    # Of a card in a fan only a strip shows, so its width is guessed worse than its height.
    sizes = np.exp(rng.normal(0, 0.07 * much)) * np.exp(rng.normal(0, (0.08 * much, 0.05 * much)))
    slant = rng.normal(0, 0.05 * much)
    at = frame[:2] + dx * u * 1.4 + dy * v
    return np.concatenate([at, turn @ u * sizes[0] + slant * v * 0.7, turn @ v * sizes[1]])


def _turn(degrees: float) -> Array:
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s], [s, c]])


def _elsewhere(frame: Array, rng: np.random.Generator) -> Array:
    """A frame that shows no index, or not one that stands upright."""
    out = frame.copy()
    if rng.random() < 0.5:
        turn = _turn(float(rng.choice([90, 180, 270, 135, 225])) + rng.normal(0, 12))
        out[2:4], out[4:6] = turn @ out[2:4], turn @ out[4:6]
    else:
        away = rng.uniform([0.15, 0.2], [0.75, 0.8])
        if rng.random() < 0.4:
            away[0] *= 0.0
        out[:2] += away[0] * out[2:4] + away[1] * out[4:6]
    return out


def _warped(texture: Array, frame: Array) -> Array:
    """A texture (168, 120, 4) as the crop of a frame sees it: float32 (56, 36, 4)."""
    size = (CROP_PX[1], CROP_PX[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(texture, crop_matrix(frame), size, flags=flags), np.float32)


def _lay(crop: Array, over: Array, shade: float, inks: Array | None) -> None:
    alpha = over[..., 3:] / 255
    if shade > 0:
        crop *= 1 - shade * cv2.blur(alpha[..., 0], (5, 5))[..., None]
    shown = over[..., :3]
    if inks is not None:
        # Red is an ink as black is, so the darkest of the three says how much of it there is.
        paper = np.clip((shown.min(axis=2, keepdims=True) - 40) / 180, 0, 1)
        shown = inks[1] + paper * (inks[0] - inks[1])
    crop += alpha * (shown - crop)


def index_crops(
    textures: Array,
    corners: Sequence[int],
    packs: Sequence[int],
    rng: np.random.Generator,
    count: int,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """``count`` crops (n, 56, 36, 3) uint8 BGR and labels (n,): 52 cards as in ``PACK``, 52 for no index.

    ``textures`` (packs, 60, 168, 120, 4) uint8; ``corners``: how many corners bear an index.
    """
    crops = np.empty((count, *CROP_PX, 3), np.uint8)
    labels = np.empty(count, np.int64)
    for n in range(count):
        pack = int(packs[int(rng.integers(len(packs)))])
        card = int(rng.integers(52))
        corner = int(rng.integers(4)) if corners[pack] == 4 else int(rng.choice([0, 2]))
        frame = shaken(frame_at(corner), rng, float(rng.choice([0.6, 1.3, 2.0])))
        labels[n] = card
        if rng.random() < NOTHING or not corners[pack]:
            # The bare corner of a pack without indices is what is most easily mistaken for one.
            bare = not corners[pack] and rng.random() < 0.8
            frame, labels[n] = frame if bare else _elsewhere(frame, rng), NO_INDEX
            if rng.random() < 0.15:
                card = 52 + int(rng.integers(8))
        end = -1.0 if corner in (2, 3) else 1.0
        off = np.concatenate([frame[:2] - frame_at(corner)[:2], frame[2:]]) * end
        inks = _foil(rng) if rng.random() < _FOIL else None
        crop = np.empty((*CROP_PX, 3), np.float32)
        crop[:] = rng.uniform(0, 255, 3)
        # How far the cards of a fan held in a hand are apart, as a share of a card's width.
        fan = float(rng.uniform(0.16, 0.38)) if rng.random() < 0.5 else None
        if rng.random() < 0.6:  # another card below
            gone = rng.normal(0, 0.4, 2) if fan is None else np.array((fan, float(rng.normal(0, 0.02))))
            _lay(crop, _other(textures[pack], off, gone, rng), 0.0, inks)
        _lay(crop, _warped(textures[pack][card], frame), float(rng.uniform(0, 0.5)), inks)
        if rng.random() < (0.8 if fan is not None else 0.35):  # another card above
            share = float(rng.uniform(0.2, 0.8)) if fan is None else fan
            right = fan is not None or rng.random() < 0.6
            gone = np.array((-share, float(rng.normal(0, 0.02))))
            if not right:
                gone = np.array((float(rng.normal(0, 0.3)), -share - 0.12))
            _lay(crop, _other(textures[pack], off, gone, rng), 0.4, inks)
        crops[n] = _photographed(crop, rng)
    return crops, labels


def _other(textures: Array, off: Array, gone: Array, rng: np.random.Generator) -> Array:
    """Another card of the pack (60, 168, 120, 4) as a crop sees it whose frame (6,) is ``off`` from a place
    where an index is; the other card lies ``-gone`` from there, in shares of its sides."""
    at = frame_at(0)
    # A point further along the other card is a point less far along this one.
    at[:2] += off[:2] + gone * at[[2, 5]]
    at[2:] = off[2:]
    return _warped(textures[int(rng.integers(len(textures)))], shaken(at, rng))


_FOIL = 0.08
"""Part of the crops whose cards are printed in one ink on dark or coloured paper."""


def _foil(rng: np.random.Generator) -> Array:
    """Paper and ink (2, 3) float32 BGR of a pack that has one ink only: gold on black and its like."""
    paper = rng.uniform(0, 60, 3) if rng.random() < 0.7 else rng.uniform((60, 120, 150), (140, 190, 220))
    ink = rng.uniform((40, 110, 150), (150, 210, 250)) if paper.mean() < 70 else rng.uniform(0, 70, 3)
    return np.stack([paper, ink]).astype(np.float32)


def _photographed(crop: Array, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Light, blur, noise, sharpening and compression on a crop of float32 0..255."""
    gains = rng.normal(1, 0.1, 3) * float(rng.uniform(0.4, 1.15))
    out = (
        cv2.pow(np.clip(crop * gains.astype(np.float32), 0, 300) / 255, float(np.exp(rng.normal(0, 0.22))))
        * 255
    )
    out = (out - 128) * float(rng.uniform(0.7, 1.15)) + 128
    if rng.random() < 0.3:
        out = out + _slope(rng) * float(rng.uniform(20, 110))
    if rng.random() < 0.1:
        out = np.repeat(out.mean(axis=2, keepdims=True), 3, axis=2)
    if rng.random() < 0.8:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.gamma(2.0, 0.42)) + 0.15)
    if rng.random() < 0.12:
        out = moved(out.astype(np.float32), float(rng.uniform(1.5, 6)), rng)
    if rng.random() < 0.6:
        noise = rng.standard_normal(out.shape, np.float32) * float(rng.gamma(1.3, 4.0))
        out = out + noise
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(out.astype(np.float32), (0, 0), float(rng.uniform(0.7, 1.8)))
        out = out + (out - soft) * float(rng.uniform(0.3, 1.4))
    picture = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 95))])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(_beyond_edge(picture, rng) if rng.random() < 0.06 else picture, np.uint8)


def _slope(rng: np.random.Generator) -> Array:
    """Light that grows across a crop, or falls on a part of it: float32 (56, 36, 1) in -1..1."""
    height, width = CROP_PX
    angle = float(rng.uniform(0, 2 * np.pi))
    ys, xs = np.mgrid[:height, :width] / max(CROP_PX) - 0.5
    along = (np.cos(angle) * xs + np.sin(angle) * ys + float(rng.normal(0, 0.2))) * float(rng.uniform(1, 12))
    return np.asarray(np.clip(along, -1, 1), np.float32)[..., None]


def _beyond_edge(crop: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A crop that reaches over an edge of the picture: what is beyond repeats the last pixels."""
    width = CROP_PX[1]
    if rng.random() < 0.5:
        cut = int(rng.integers(1, 8))
        left = rng.random() < 0.6
        inner = crop[:, cut:] if left else crop[:, : width - cut]
        sides = (0, 0, cut, 0) if left else (0, 0, 0, cut)
    else:
        cut = int(rng.integers(1, 10))
        inner, sides = crop[cut:], (cut, 0, 0, 0)
    return np.asarray(cv2.copyMakeBorder(inner, *sides, cv2.BORDER_REPLICATE), np.uint8)
