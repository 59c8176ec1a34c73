"""Labelled pictures for the detector: read, cut and disturbed, so that no two looks at a picture are alike.

A data set is any folder with ``images/**/*.jpg`` and, beside it, ``labels/**/*.txt`` of the same names: one
object a line, ``class x1 y1 x2 y2 x3 y3 x4 y4``, corners as parts of the width and height (they may lie
outside).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.errors import VeedorError

Array = NDArray[Any]

LAST_CARD = 1
CHIP_STACK = 2
_POOL = 256
"""Decoded pictures kept at hand, each cut several times before the next takes its place."""
_LEAST_SEEN = 0.35
"""Objects of which the cut leaves less than this part are not asked for."""
_SIZES_PX = (26.0, 320.0)
"""Range of an object's long side in the cut (half of that for stacks), small ones more often than large ones.
"""
_SCALES = (0.3, 2.2)
_FILLS = 0.1
"""How often a card takes all of the cut, as in a picture of one card that was taken close by."""
_STRETCHED, _MOST_STRETCH = 0.25, 1.75
"""How often, and how much at most, photographs are wider or higher than they were: many sets store squares.
"""


class DataError(VeedorError):
    """A training set that cannot be used."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One picture to learn from: ``image`` (size, size, 3) uint8 BGR, ``kind`` (n,) int64, ``quad_px`` (n, 4,
    2). ``photo``: a photograph, which may be stretched; at a table a card has a card's shape."""

    image: Array
    kind: Array
    quad_px: Array
    photo: bool = False


def find_pictures(folders: list[Path], held_out: bool = False) -> list[Path]:
    """The pictures of data sets, sorted; one in thirty, told by its name, is held out of training."""
    found = sorted(p for f in folders for p in f.glob("images/**/*") if p.suffix in (".jpg", ".jpeg", ".png"))
    return [p for p in found if (crc32(p.name.encode()) % 30 == 0) == held_out and label_path(p).exists()]


def label_path(picture: Path) -> Path:
    """Where a picture's labels are: ``labels`` in place of ``images``, the last folder of that name."""
    parts = list(picture.with_suffix(".txt").parts)
    last = len(parts) - 1 - parts[::-1].index("images")
    return Path(*parts[:last], "labels", *parts[last + 1 :])


def is_photo(picture: Path) -> bool:
    """Whether the truth beside a synthesised picture says that it is a photograph; no where there is none."""
    parts = list(picture.with_suffix(".json").parts)
    last = len(parts) - 1 - parts[::-1].index("images")
    try:
        with Path(*parts[:last], "truth", *parts[last + 1 :]).open("rb") as file:
            return b'"photo":true' in file.read(200)
    except OSError:
        return False


def read_labels(path: Path, width: int, height: int) -> tuple[Array, Array]:
    """Classes (n,) int64 and corners (n, 4, 2) float32 in pixels. Raises DataError where a line is not nine
    numbers."""
    rows = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    try:
        table = np.array([[float(value) for value in row] for row in rows], np.float32).reshape(len(rows), 9)
    except ValueError:
        raise DataError(f"{path} is not a label file: each line has a class and eight numbers.") from None
    return table[:, 0].astype(np.int64), table[:, 1:].reshape(-1, 4, 2) * np.array(
        [width, height], np.float32
    )


def oriented_boxes(kind: Array, quad_px: Array) -> Array:
    """Corners (n, 4, 2) to boxes (n, 5): centre x, y, long side, short side (pixels), angle of the long side.

    The angle is in radians in [-pi/4, 3 pi/4). What is as wide as high and no card, a chip from above say,
    has no long side: its angle is 0.
    """
    sides = np.roll(quad_px, -1, axis=1) - quad_px
    first, second = (sides[:, 0] - sides[:, 2]) / 2, (sides[:, 1] - sides[:, 3]) / 2
    a, b = np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1)
    along = np.where((a >= b)[:, None], first, second)
    long_px, short_px = np.maximum(a, b), np.minimum(a, b)
    angle = (np.arctan2(along[:, 1], along[:, 0]) + np.pi / 4) % np.pi - np.pi / 4
    angle = np.where((kind > LAST_CARD) & (long_px < 1.12 * short_px), 0.0, angle)
    centre = quad_px.mean(axis=1)
    return np.column_stack([centre, long_px, short_px, angle]).astype(np.float32).reshape(-1, 5)


def seen_part(quad_px: Array, width: int, height: int) -> float:
    """Which part of a quadrilateral (4, 2) lies inside a picture, 0..1."""
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    whole = cv2.contourArea(quad_px.astype(np.float32))
    if whole < 1:
        return 0.0
    inside, _ = cv2.intersectConvexConvex(cv2.convexHull(quad_px.astype(np.float32)), frame)
    return float(inside / whole)


class Pictures:
    """Endless disturbed cuts from data sets. The folders may grow while it runs: call ``rescan``."""

    def __init__(self, folders: list[Path], size_px: int, seed: int) -> None:
        self.folders, self.size_px = folders, size_px
        self.mosaic = 0.2
        """Probability of a sample put together from four pictures."""
        self._rng = np.random.default_rng(seed)
        self._pool: list[Sample] = []
        self.paths: list[Path] = []
        self._queue: list[Path] = []
        self.rescan()
        if not self.paths:
            raise DataError(
                f"There are no labelled pictures in {', '.join(map(str, folders))}: write some first "
                "with 'python -m datasets.synth.training --out FOLDER'."
            )

    def rescan(self) -> int:
        """Look again what the folders hold; the number of pictures."""
        known = set(self.paths)
        self.paths = find_pictures(self.folders)
        fresh = [p for p in self.paths if p not in known]
        self._queue = [*(fresh[i] for i in self._rng.permutation(len(fresh))), *self._queue]
        return len(self.paths)

    def __iter__(self) -> Iterator[Sample]:
        while True:
            yield self.sample()

    def sample(self) -> Sample:
        """The next cut, (size_px, size_px)."""
        size = self.size_px
        if self._rng.random() >= self.mosaic:
            joined = self._cut(size, size)
        else:
            x, y = (int(v) for v in self._rng.uniform(0.35, 0.65, 2) * size)
            image = np.empty((size, size, 3), np.uint8)
            kinds, quads = [], []
            for x0, y0, x1, y1 in ((0, 0, x, y), (x, 0, size, y), (0, y, x, size), (x, y, size, size)):
                tile = self._cut(x1 - x0, y1 - y0)
                image[y0:y1, x0:x1] = tile.image
                kinds.append(tile.kind)
                quads.append(tile.quad_px + np.array([x0, y0], np.float32))
            joined = Sample(image, np.concatenate(kinds), np.concatenate(quads))
        return Sample(disturb(joined.image, self._rng), joined.kind, joined.quad_px)

    def _cut(self, width: int, height: int) -> Sample:
        source = self._take()
        return cut(source, width, height, self._rng)

    def _take(self) -> Sample:
        wanted = min(_POOL, len(self.paths))
        if len(self._pool) < wanted:
            self._pool.append(self._decode())
            return self._pool[-1]
        place = int(self._rng.integers(len(self._pool)))
        if self._rng.random() < 0.3:
            self._pool[place] = self._decode()
        return self._pool[place]

    def _decode(self) -> Sample:
        if not self._queue:
            self._queue = [self.paths[i] for i in self._rng.permutation(len(self.paths))]
        path = self._queue.pop(0)
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            raise DataError(f"{path} cannot be read as a picture: write the data set again.")
        kind, quad = read_labels(label_path(path), image.shape[1], image.shape[0])
        return Sample(image, kind, quad, is_photo(path))


def cut(source: Sample, width: int, height: int, rng: np.random.Generator) -> Sample:
    """A turned, scaled, slightly tilted window of a picture, usually round one of its objects."""
    h, w = source.image.shape[:2]
    centre = np.array([rng.uniform(0.2, 0.8) * w, rng.uniform(0.2, 0.8) * h])
    scale = float(np.exp(rng.uniform(np.log(0.35), np.log(1.3)))) * max(width, height) / max(w, h) * 1.6
    if len(source.kind) and rng.random() < 0.85:
        chosen = int(rng.integers(len(source.kind)))
        quad = source.quad_px[chosen]
        long_px = float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).max())
        share = 0.5 if source.kind[chosen] == CHIP_STACK else 1.0
        low, high = np.log(_SIZES_PX[0] * share), np.log(min(_SIZES_PX[1] * share, 0.9 * min(width, height)))
        scale = float(np.exp(low + (high - low) * rng.beta(1.2, 1.4))) / max(long_px, 4.0)
        around = 0.4
        if source.kind[chosen] <= LAST_CARD and rng.random() < _FILLS:
            scale = min(width, height) * float(rng.uniform(0.7, 1.15)) / max(long_px, 4.0)
            around = 0.08
        centre = quad.mean(axis=0) + rng.uniform(-around, around, 2) * (width, height) / max(
            scale, _SCALES[0]
        )
    least = max(_SCALES[0], 0.7 * max(width, height) / max(w, h))
    scale = float(np.clip(scale, least, max(_SCALES[1], least)))
    if rng.random() < 0.85:
        centre = _kept_inside(centre, np.array([width, height]) / scale, np.array([w, h]))
    image, quads = source.image, source.quad_px
    if scale < 0.55:
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        shrink = np.array([image.shape[1] / w, image.shape[0] / h])
        quads, centre, scale = quads * shrink, centre * shrink, 1.0
    angle = rng.normal(0, 0.05) + (rng.integers(4) * np.pi / 2 if rng.random() < 0.4 else 0)
    flip = -1.0 if rng.random() < 0.5 else 1.0
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    stretch = float(np.exp(rng.normal(0, 0.08)))
    move = np.array([[c * flip * stretch, -s, 0], [s * flip * stretch, c, 0], [0, 0, 1.0]])
    if source.photo and rng.random() < _STRETCHED:
        wide = float(np.exp(rng.uniform(-1, 1) * np.log(_MOST_STRETCH) / 2))
        move = np.diag([wide, 1 / wide, 1.0]) @ move
    move[:2, 2] = np.array([width, height]) / 2 - move[:2, :2] @ centre
    tilt = np.eye(3)
    tilt[2, :2] = rng.normal(0, 0.08, 2) / max(width, height)
    tilt[:, 2] = [0, 0, 1]
    move = tilt @ move
    border = [int(v) for v in rng.integers(0, 256, 3)]
    edge = cv2.BORDER_REFLECT_101 if not len(quads) else cv2.BORDER_CONSTANT
    picture = cv2.warpPerspective(
        image, move, (width, height), flags=cv2.INTER_LINEAR, borderMode=edge, borderValue=border
    )
    if not len(quads):
        return Sample(picture, source.kind, quads)
    moved = cv2.perspectiveTransform(quads.reshape(-1, 1, 2).astype(np.float32), move).reshape(-1, 4, 2)
    upright = source.kind > LAST_CARD
    moved[upright] = _boxes_round(moved[upright])
    keep = np.array([seen_part(q, width, height) >= _LEAST_SEEN for q in moved], bool)
    return Sample(picture, source.kind[keep], moved[keep].astype(np.float32))


def _boxes_round(quads: Array) -> Array:
    """Upright boxes (n, 4, 2) round quadrilaterals: only cards have boxes that are turned."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    x0, y0, x1, y1 = low[:, 0], low[:, 1], high[:, 0], high[:, 1]
    return np.stack([x0, y0, x1, y0, x1, y1, x0, y1], axis=1).reshape(-1, 4, 2)


def _kept_inside(centre: Array, window: Array, whole: Array) -> Array:
    """Move a window's centre so that it looks at the picture, not beside it; (2,) each, x and y."""
    low, high = np.minimum(window / 2, whole / 2), np.maximum(whole - window / 2, whole / 2)
    return np.clip(centre, low, high)


def disturb(image: Array, rng: np.random.Generator) -> Array:
    """Another light and another camera: exposure, gamma, white balance, hue, blur, noise; (h, w, 3) uint8
    again."""
    ramp = np.arange(256, dtype=np.float32) / 255
    gain = np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.25))
    tables = np.clip(ramp[:, None] ** np.exp(rng.normal(0, 0.25)) * gain + rng.normal(0, 0.03), 0, 1) * 255
    out: Array = cv2.LUT(image, tables.astype(np.uint8)[None])
    if rng.random() < 0.5:
        hsv = cv2.cvtColor(out, cv2.COLOR_BGR2HSV)
        shift, strength = (
            rng.integers(0, 180) if rng.random() < 0.3 else rng.normal(0, 6),
            rng.uniform(0.2, 1.6),
        )
        hue = ((np.arange(256) + shift) % 180).astype(np.uint8)
        saturation = np.clip(np.arange(256) * strength, 0, 255).astype(np.uint8)
        same = np.arange(256, dtype=np.uint8)
        out = cv2.cvtColor(cv2.LUT(hsv, np.stack([hue, saturation, same], axis=-1)[None]), cv2.COLOR_HSV2BGR)
    if rng.random() < 0.15:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.3)))
    elif rng.random() < 0.1:
        out = cv2.addWeighted(out, 1.6, cv2.GaussianBlur(out, (0, 0), 1.5), -0.6, 0)
    if rng.random() < 0.2:
        noise = rng.normal(0, rng.uniform(2, 10), (*out.shape[:2], 1)).astype(np.float32)
        out = np.clip(out + noise, 0, 255).astype(np.uint8)
    return out
