"""Pictures for printed things and grounds: from a folder of any pictures, or painted where there is none.

What lies beside cards in photographs is mostly printed: newspapers, books, packets, playing-card boxes. A
detector that never saw print takes it for cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from datasets.synth.raster import Array, draw_text, hsv, smooth_noise
from rules.errors import VeedorError

_SUFFIXES = (".jpg", ".jpeg", ".png", ".tga")
_MOST_PX = 700
_LEAST_PX = 48
_WORDS = (
    *(
        "SALE",
        "NEWS",
        "the",
        "of cards",
        "Best",
        "save",
        "10 $",
        "Bicycle",
        "A",
        "K",
        "Q 7",
        "Poker",
        "Casino",
    ),
    *("and then", "No. 9", "free", "open here", "100 %", "made in", "STANDARD", "tribune", "J", "joker"),
)


class PictureError(VeedorError):
    """A folder of pictures that cannot be used."""


@dataclass(frozen=True, slots=True)
class PictureStock:
    """Pictures to print and to lay out: ``paths``, in the order in which they are drawn by number."""

    paths: tuple[Path, ...] = ()

    @classmethod
    def of(cls, folder: Path) -> PictureStock:
        """Every picture below a folder. Raises PictureError where there is none."""
        paths = tuple(sorted(p for p in folder.rglob("*") if p.suffix.lower() in _SUFFIXES))
        if not paths:
            raise PictureError(f"{folder} holds no pictures: name a folder with JPEG, PNG or TGA files.")
        return cls(paths)

    def picture(self, rng: np.random.Generator) -> Array:
        """Some picture (h, w, 3) uint8 BGR in other colours each time; painted where there are no files."""
        for _ in range(8 if self.paths else 0):
            found = _opened(self.paths[int(rng.integers(len(self.paths)))])
            if found is not None:
                return _recoloured(found, rng)
        return painted(rng, 180, 180)


@lru_cache(maxsize=512)
def _opened(path: Path) -> Array | None:
    """A picture of at most 700 px; None where it cannot be opened, is too small or shows nothing."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None or min(image.shape[:2]) < _LEAST_PX or float(image.std()) < 3:
        return None
    shrink = _MOST_PX / max(image.shape[:2])
    if shrink < 1:
        image = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(image)


def _recoloured(image: Array, rng: np.random.Generator) -> Array:
    """The picture turned, mirrored, lighter or darker, and now and then in other hues."""
    out = np.rot90(image, int(rng.integers(4)))
    out = np.ascontiguousarray(out[:, ::-1] if rng.random() < 0.5 else out)
    if rng.random() < 0.35:
        colours = cv2.cvtColor(out, cv2.COLOR_BGR2HSV)
        colours[..., 0] = (colours[..., 0].astype(int) + int(rng.integers(180))) % 180
        out = np.asarray(cv2.cvtColor(colours, cv2.COLOR_HSV2BGR))
    wanted = float(rng.uniform(35, 200))
    gain = float(np.clip(wanted / max(float(out.mean()), 1.0), 0.4, 4.0))
    return np.asarray(cv2.convertScaleAbs(out, alpha=gain, beta=float(rng.normal(0, 8))))


def painted(rng: np.random.Generator, height: int, width: int) -> Array:
    """A picture of nothing in particular: clouds of colour and a few shapes; (height, width, 3) uint8 BGR."""
    clouds = [smooth_noise(rng, height, width, float(rng.uniform(8, 90))) for _ in range(3)]
    tint = np.array(hsv(rng.random(), rng.uniform(0.1, 0.9), rng.uniform(0.3, 0.95)), np.float32)
    out = np.clip(tint + np.stack(clouds, axis=-1) * rng.uniform(10, 90), 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(2, 14))):
        tone = hsv(rng.random(), rng.uniform(0, 1), rng.uniform(0.05, 1))
        x, y = int(rng.uniform(0, width)), int(rng.uniform(0, height))
        r = max(2, int(min(width, height) * rng.uniform(0.03, 0.3)))
        if rng.random() < 0.5:
            axes = (r, max(1, int(r * rng.uniform(0.2, 1))))
            cv2.ellipse(out, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, tone, -1, cv2.LINE_AA)
        else:
            points = np.array([x, y]) + rng.uniform(-r, r, (int(rng.integers(3, 7)), 2))
            cv2.fillPoly(out, [points.astype(np.int32)], tone, cv2.LINE_AA)
    return out


def fitted(picture: Array, height: int, width: int) -> Array:
    """The middle of a picture at exactly a size (height, width, 3)."""
    scale = max(height / picture.shape[0], width / picture.shape[1])
    size = (max(width, round(picture.shape[1] * scale)), max(height, round(picture.shape[0] * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    large = cv2.resize(picture, size, interpolation=way)
    x, y = (size[0] - width) // 2, (size[1] - height) // 2
    return np.ascontiguousarray(large[y : y + height, x : x + width])


def print_on(page: Array, rng: np.random.Generator, stock: PictureStock, ink: tuple[int, int, int]) -> None:
    """Print on a page (h, w, 3) uint8 in place: columns of text, headings, pictures, fields, bars."""
    h, w = page.shape[:2]
    if rng.random() < 0.3:
        margin = int(min(h, w) * float(rng.choice([0, 0, 0.04, 0.09])))
        inner = page[margin : h - margin, margin : w - margin]
        inner[...] = fitted(stock.picture(rng), *inner.shape[:2])
    if rng.random() < 0.6:
        _columns(page, rng, ink)
    for _ in range(int(rng.integers(0, 5))):
        bw, bh = int(rng.uniform(0.12, 0.8) * w), int(rng.uniform(0.08, 0.5) * h)
        x, y = int(rng.uniform(0, max(1, w - bw))), int(rng.uniform(0, max(1, h - bh)))
        field = page[y : y + bh, x : x + bw]
        kind = rng.random()
        if not field.size or min(bh, bw) < 4:
            continue
        if kind < 0.45:
            field[...] = fitted(stock.picture(rng), *field.shape[:2])
        elif kind < 0.6:
            field[...] = hsv(rng.random(), rng.uniform(0, 1), rng.uniform(0.05, 1))
        elif kind < 0.7:
            field[:, rng.random(field.shape[1]) < 0.5] = ink
        else:
            word = str(rng.choice(_WORDS))
            tone = ink if rng.random() < 0.6 else hsv(rng.random(), 0.9, rng.uniform(0.2, 1))
            draw_text(page, word, (x + bw / 2, y + bh / 2), bh * 0.8, tone, fit_px=bw, weight=700)


def _columns(page: Array, rng: np.random.Generator, ink: tuple[int, int, int]) -> None:
    """Lines of words too small to read, in one to three columns."""
    h, w = page.shape[:2]
    columns, pitch = int(rng.integers(1, 4)), int(rng.integers(3, 10))
    thick, top = max(1, round(pitch * rng.uniform(0.3, 0.6))), int(rng.uniform(0.03, 0.4) * h)
    wide = w // columns
    for column in range(columns):
        for y in range(top, int(h * rng.uniform(0.6, 0.97)), pitch):
            x, end = column * wide + 3, (column + 1) * wide - 3
            end = int(x + (end - x) * (1 if rng.random() < 0.8 else rng.uniform(0.2, 0.9)))
            while x < end:
                length = int(rng.uniform(0.8, 4) * pitch)
                page[y : y + thick, x : min(x + length, end)] = ink
                x += length + max(1, pitch // 3)
