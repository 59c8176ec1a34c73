"""Busy grounds for photographs: tiles, checks, plaids, keyboards' rows, and pictures laid out as surfaces."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.synth.pictures import PictureStock
from datasets.synth.raster import Array, hsv, smooth_noise


def tiles(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float) -> Array:
    """Tiles, bricks or keys with joints between them (h, w, 3), each with a tone of its own."""
    h, w = size
    across = float(np.exp(rng.uniform(np.log(14), np.log(160)))) * px_per_mm
    down = across * float(rng.choice([1.0, 1.0, 0.5, rng.uniform(0.4, 1.6)]))
    joint = max(1, round(rng.uniform(0.6, 5) * px_per_mm))
    base, seam = hsv(rng.random(), rng.uniform(0, 0.6), rng.uniform(0.1, 0.95)), rng.uniform(0.05, 0.95)
    rows, columns = int(h / down) + 2, int(w / across) + 3
    tone = 1 + rng.uniform(0.01, 0.25) * rng.standard_normal((rows, columns, 1))
    shade = np.array(base)[None, None] * tone + rng.uniform(0, 14) * rng.standard_normal((rows, columns, 3))
    out = np.full((h, w, 3), hsv(rng.random(), rng.uniform(0, 0.3), seam), np.uint8)
    shift = float(rng.choice([0.0, 0.0, 0.5])) * across
    for j in range(rows):
        for i in range(columns):
            x, y = i * across - (shift if j % 2 else 0) - across * 0.5, j * down
            b, g, r = (float(np.clip(v, 0, 255)) for v in shade[j, i])
            low, high = (int(x) + joint, int(y) + joint), (int(x + across) - joint, int(y + down) - joint)
            if high[0] > low[0] and high[1] > low[1]:
                cv2.rectangle(out, low, high, (b, g, r), -1)
    cloud = (
        1
        + 0.08 * smooth_noise(rng, h, w, 60 * px_per_mm)
        + rng.uniform(0, 0.06) * rng.standard_normal((h, w))
    )
    return np.clip(out * cloud[..., None], 0, 255).astype(np.uint8)


def plaid(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float) -> Array:
    """A check or plaid cloth (h, w, 3): bands of colour that cross, with a weave."""
    h, w = size
    base = np.array(hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0.2, 0.95)), np.float32)
    out = np.broadcast_to(base, (h, w, 3)).astype(np.float32)
    period = float(rng.uniform(8, 90)) * px_per_mm
    for _ in range(int(rng.integers(1, 5))):
        tone = np.array(hsv(rng.random(), rng.uniform(0, 1), rng.uniform(0.05, 0.95)), np.float32)
        start, wide, strength = rng.random(), rng.uniform(0.05, 0.6), rng.uniform(0.25, 0.8)
        for length, axis in ((w, 1), (h, 0)):
            if axis == 0 and rng.random() < 0.25:
                continue
            place = (np.arange(length) / period + start) % 1 < wide
            alpha = (place * strength).astype(np.float32)
            alpha = alpha[None, :, None] if axis else alpha[:, None, None]
            out = out * (1 - alpha) + tone * alpha
    fold = 1 + rng.uniform(0.02, 0.3) * smooth_noise(rng, h, w, rng.uniform(25, 160) * px_per_mm)
    weave = 1 + rng.uniform(0, 0.1) * rng.standard_normal((h, w))
    return np.clip(out * (fold * weave)[..., None], 0, 255).astype(np.uint8)


def laid_out(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float, stock: PictureStock) -> Array:
    """A surface made of a picture (h, w, 3): repeated and mirrored, as large as it comes or much larger."""
    h, w = size
    picture = stock.picture(rng)
    wanted = float(np.exp(rng.uniform(np.log(60), np.log(1200)))) * px_per_mm
    scale = wanted / max(picture.shape[:2])
    cell = cv2.resize(
        picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    )
    row = np.concatenate([cell, cell[:, ::-1]], axis=1)
    block = np.concatenate([row, row[::-1]], axis=0)
    across, down = -(-w // block.shape[1]), -(-h // block.shape[0])
    return np.ascontiguousarray(np.tile(block, (down, across, 1))[:h, :w])
