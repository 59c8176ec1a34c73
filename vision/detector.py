"""Finds cards, stacks, hands, the shoe and markers in a picture: one small network through ONNX Runtime.

What it finds is an oriented box in pixels with a kind and a score. A card's box is the whole card's, also
where another lies over it. Where a thing is on the felt, and what a card says, others find out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, unique
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.weights import Weights

Array = NDArray[Any]
"""A NumPy array; shape and dtype are said where it is used."""

FORMAT = "veedor.detector/1"
"""What the model file says it is: input ``images``, output ``boxes`` as ``models.detector.export`` says."""
DETECTOR = Weights(
    "detector/detector.onnx",
    "finds cards, stacks, hands, the shoe and markers",
    inputs={"images": (None, 3, None, None)},
    outputs={"boxes": (None, None, None)},
    format=FORMAT,
)
WEIGHTS = DETECTOR.path
STRIDE_PX = 32
KNOWN_SIDES_PX = (24.0, 260.0)
"""Long sides of the things that the network knows best, pixels."""
LONG_SIDES_PX = (192, 352, 640, 1024)
"""Long sides at which a photograph of unknown scale is looked at."""
FRAMED_PX, FRAME_PX = 192, 64
"""Long side of a photograph, and the width of the border round it, for the look at what fills all of it."""
_LARGEST_ENLARGEMENT = 2.0
_BORDER = (114, 114, 114)
_MOST = 400
"""Candidates kept for suppression, best first."""


@unique
class Kind(IntEnum):
    """What the detector knows, in the order of the network's outputs."""

    CARD_FACE = 0
    CARD_BACK = 1
    CHIP_STACK = 2
    HAND = 3
    SHOE = 4
    MARKER = 5


CARDS = (Kind.CARD_FACE, Kind.CARD_BACK)


@dataclass(frozen=True, slots=True)
class Detections:
    """What was found in one picture, best first.

    ``kind`` (n,) int8, a ``Kind``; ``quad_px`` (n, 4, 2) float32, corners clockwise as seen in the picture,
    the first side a short one; ``score`` (n,) float32, 0..1. Indexing with a mask (n,) bool, indices or a
    slice gives Detections again.
    """

    kind: Array
    quad_px: Array
    score: Array

    def __post_init__(self) -> None:
        n = len(self.kind)
        if self.kind.shape != (n,) or self.score.shape != (n,) or self.quad_px.shape != (n, 4, 2):
            raise ValueError(
                "detections need kind (n,), quad_px (n, 4, 2) and score (n,), not "
                f"{self.kind.shape}, {self.quad_px.shape} and {self.score.shape}"
            )

    @classmethod
    def none(cls) -> Detections:
        """Nothing found."""
        return cls(np.zeros(0, np.int8), np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

    @classmethod
    def join(cls, parts: Sequence[Detections]) -> Detections:
        """All of several, best first."""
        if not parts:
            return cls.none()
        kind, quad, score = (
            np.concatenate([getattr(p, name) for p in parts]) for name in ("kind", "quad_px", "score")
        )
        return cls(kind, quad, score)[np.argsort(-score, kind="stable")]

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, rows: Array | slice) -> Detections:
        return Detections(self.kind[rows], self.quad_px[rows], self.score[rows])

    def of(self, *kinds: Kind) -> Detections:
        """Only these kinds."""
        return self[np.isin(self.kind, kinds)]

    @property
    def centre_px(self) -> Array:
        """(n, 2) float32: middles of the boxes."""
        return np.asarray(self.quad_px.mean(axis=1))

    @property
    def size_px(self) -> Array:
        """(n, 2) float32: short and long side."""
        sides = np.linalg.norm(np.roll(self.quad_px, -1, axis=1) - self.quad_px, axis=2)
        pairs = np.stack([sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]], axis=1) / 2
        return np.sort(pairs, axis=1)


class Detector:
    """The network. Made once, used for every picture; not to be shared between threads.

    ``path``: an ONNX file written by ``models.detector.export``; the product's own by default. ``threads``:
    the processor cores that it may use. Raises ModelError when the file is missing or another kind of model.
    """

    def __init__(self, path: Path | None = None, threads: int = 2, least_score: float = 0.3) -> None:
        self.path = WEIGHTS if path is None else path
        self.least_score = least_score
        """Boxes with a lower score are not reported."""
        self._session = DETECTOR.open(threads, self.path)

    def detect(
        self, image: Array, scale: float = 1.0, region: tuple[int, int, int, int] | None = None
    ) -> Detections:
        """What is in a picture (H, W, 3) uint8 BGR, looked at ``scale`` times its size; boxes in its own
        pixels.

        ``region`` (x0, y0, x1, y1) pixels looks at a part only; boxes are still counted from the whole
        picture's corner. The network knows things whose long side is 25 to 320 pixels after scaling. Raises
        ValueError for another shape or dtype, or a scale that is not positive.
        """
        _check(image)
        if not scale > 0:
            raise ValueError(f"scale must be positive, not {scale}")
        x0, y0, x1, y1 = region if region is not None else (0, 0, image.shape[1], image.shape[0])
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(image.shape[1], x1), min(image.shape[0], y1)
        if x1 <= x0 or y1 <= y0:
            return Detections.none()
        part = image[y0:y1, x0:x1]
        found = suppress(self._candidates(part, scale, self.least_score))
        return Detections(found.kind, found.quad_px + np.array([x0, y0], np.float32), found.score)

    def detect_multiscale(
        self,
        image: Array,
        long_sides_px: Sequence[int] = LONG_SIDES_PX,
        least_score: float | None = None,
        undecided: bool = False,
    ) -> Detections:
        """What is in a photograph of which nobody knows how large things are: several looks, joined.

        Boxes far smaller than a card in which they lie are parts of its picture, not things: they are
        dropped. ``least_score``: another than the detector's own, for this picture. ``undecided``: a large
        card in which several small ones were found, a figure in parts or a table full of cards, is given
        beside them, for who can read its face. Raises ValueError for another shape or dtype.
        """
        _check(image)
        least = self.least_score if least_score is None else least_score
        largest = max(image.shape[:2])
        scales = sorted({min(side / largest, _LARGEST_ENLARGEMENT) for side in long_sides_px})
        looks = []
        for scale in scales:
            look = self._candidates(image, scale, least)
            long_px = look.size_px[:, 1] * scale
            # What another look sees at a size that the network knows better is left to that one.
            small, large = long_px < KNOWN_SIDES_PX[0], long_px > KNOWN_SIDES_PX[1]
            looks.append(look[~(small & (scale < scales[-1])) & ~(large & (scale > scales[0]))])
        looks.append(self._filling(image, least))
        joined = Detections.join(looks)
        alive, wholes = _ones_and_parts(joined)
        found = _without_parts(suppress(joined[alive]))
        return Detections.join([found, suppress(joined[wholes])]) if undecided else found

    def _filling(self, image: Array, least_score: float) -> Detections:
        """What is longer than half of the picture, seen with a border round it: a card has its edges then."""
        scale = FRAMED_PX / max(image.shape[:2])
        way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        if scale * min(image.shape[:2]) < 1:
            return Detections.none()  # so thin a strip holds no whole card
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=way)
        framed = cv2.copyMakeBorder(
            small, FRAME_PX, FRAME_PX, FRAME_PX, FRAME_PX, cv2.BORDER_CONSTANT, value=_BORDER
        )
        look = self._candidates(framed, 1.0, least_score)
        look = look[look.size_px[:, 1] > FRAMED_PX / 2]
        scales = np.array([small.shape[1] / image.shape[1], small.shape[0] / image.shape[0]])
        quads = (look.quad_px - FRAME_PX) / scales
        return Detections(look.kind, quads.astype(np.float32), look.score)

    def _candidates(self, image: Array, scale: float, least_score: float) -> Detections:
        """Every box above a least score, best first, before suppression."""
        h, w = image.shape[:2]
        width, height = max(1, round(w * scale)), max(1, round(h * scale))
        if (width, height) != (w, h):
            way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
            image = cv2.resize(image, (width, height), interpolation=way)
        right, below = -width % STRIDE_PX, -height % STRIDE_PX
        if right or below:
            image = cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_CONSTANT, value=_BORDER)
        blob = cv2.dnn.blobFromImage(image, 1 / 255, swapRB=True)
        table = self._session.run(["boxes"], {"images": blob})[0][0]
        scores = table[4:-1]
        kind = scores.argmax(axis=0)
        score = scores[kind, np.arange(scores.shape[1])]
        rows = np.flatnonzero(score >= least_score)
        rows = rows[np.argsort(-score[rows], kind="stable")][:_MOST]
        quads = corners(table[:4, rows].T, table[-1, rows]) * np.array([w / width, h / height], np.float32)
        return Detections(
            kind[rows].astype(np.int8), quads.astype(np.float32), score[rows].astype(np.float32)
        )


def corners(boxes: Array, angle: Array) -> Array:
    """Boxes (n, 4), centre x, y, long and short side, and angles (n,) of the long side to corners (n, 4, 2).

    Clockwise as seen in the picture; from the first corner to the second runs a short side.
    """
    c, s = np.cos(angle), np.sin(angle)
    along = np.stack([c, s], axis=1) * boxes[:, 2:3] / 2
    across = np.stack([-s, c], axis=1) * boxes[:, 3:4] / 2
    centre = boxes[:, :2]
    return np.stack(
        [
            centre - along + across,
            centre - along - across,
            centre + along - across,
            centre + along + across,
        ],
        axis=1,
    )


def suppress(found: Detections, most_iou: float = 0.6, most_inside: float = 0.9) -> Detections:
    """Of boxes of one kind that cover the same thing, the best. Faces and backs count as one kind: cards.

    ``most_iou``: overlap (part of the union) up to which two cards may lie on one another; ``most_inside``:
    the part of the smaller box that the larger may cover.
    """
    group = np.where(np.isin(found.kind, CARDS), int(Kind.CARD_FACE), found.kind)
    low, high = found.quad_px.min(axis=1), found.quad_px.max(axis=1)
    area = np.array([cv2.contourArea(q) for q in found.quad_px])
    alive = np.ones(len(found), bool)
    kept = []
    for i in range(len(found)):
        if not alive[i]:
            continue
        kept.append(i)
        near = alive & (group == group[i]) & ((low <= high[i]) & (high >= low[i])).all(axis=1)
        for j in np.flatnonzero(near[i + 1 :]) + i + 1:
            common, _ = cv2.intersectConvexConvex(found.quad_px[i], found.quad_px[j])
            union = area[i] + area[j] - common
            if common > most_iou * union or common > most_inside * min(area[i], area[j]):
                alive[j] = False
    return found[np.array(kept, int)]


def one_or_its_parts(found: Detections, most_part: float = 0.5, several: int = 3) -> Detections:
    """Without small cards inside of a large one, or without the large one where they are several.

    Cards in one photograph are about as large as each other, so that a card in a card is its picture, and a
    card with many in it is a fan or a table.
    """
    return found[_ones_and_parts(found, most_part, several)[0]]


def _ones_and_parts(found: Detections, most_part: float = 0.5, several: int = 3) -> tuple[Array, Array]:
    """Which to keep, and which were dropped as what holds several smaller ones: two masks (n,)."""
    area = np.array([cv2.contourArea(q) for q in found.quad_px])
    cards = np.flatnonzero(np.isin(found.kind, CARDS))
    alive, wholes = np.ones(len(found), bool), np.zeros(len(found), bool)
    for i in cards[np.argsort(-area[cards])]:
        small = [j for j in cards if alive[j] and area[j] < most_part * area[i]]
        inside = [
            j
            for j in small
            if cv2.intersectConvexConvex(found.quad_px[i], found.quad_px[j])[0] > 0.85 * area[j]
        ]
        if not alive[i] or not inside:
            continue
        apart = suppress(found[np.array(inside)], most_iou=0.3)
        if int((apart.score > 0.6 * found.score[i]).sum()) >= several:
            alive[i], wholes[i] = False, True
        elif found.score[i] > 0.6 * found.score[inside].max():
            alive[inside] = False
    return alive, wholes


def _without_parts(found: Detections, least_share: float = 0.2) -> Detections:
    """Without the chips, cards and markers that are only printed on a well found card."""
    area = np.array([cv2.contourArea(q) for q in found.quad_px])
    keep = np.ones(len(found), bool)
    for i in np.flatnonzero(np.isin(found.kind, CARDS) & (found.score >= 0.5)):
        for j in np.flatnonzero(
            (area < least_share * area[i]) & ~np.isin(found.kind, (Kind.HAND, Kind.SHOE))
        ):
            common, _ = cv2.intersectConvexConvex(found.quad_px[i], found.quad_px[j])
            keep[j] &= common < 0.85 * area[j]
    return found[keep]


def _check(image: Array) -> None:
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8 or 0 in image.shape:
        raise ValueError(
            f"a picture must have shape (H, W, 3) and dtype uint8, not {image.shape} {image.dtype}"
        )
