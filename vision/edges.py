"""Whether a picture changes across a line: what is seen just inside of it and just outside."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.camera import Floats
from vision.chip_geometry import Image


def changing(image: Image, inside_px: Floats, outside_px: Floats, levels: float) -> float:
    """The part of pairs of points (n, 2) each between which a colour changes by more than so many levels; 0
    where the picture (H, W, 3), uint8 BGR, shows hardly anything of them."""
    points = np.concatenate([inside_px, outside_px]).T
    if not np.isfinite(points).all():
        return 0.0
    (x0, x1), (y0, y1) = (
        (max(0, math.floor(each.min() - 3)), min(size, math.ceil(each.max() + 4)))
        for each, size in zip(points, image.shape[1::-1], strict=True)
    )
    if x1 - x0 < 4 or y1 - y0 < 4:
        return 0.0
    part = cv2.GaussianBlur(image[y0:y1, x0:x1], (3, 3), 0)
    x, y = (
        (each - begin - 0.5).astype(np.float32)[None] for each, begin in zip(points, (x0, y0), strict=True)
    )
    seen = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0].astype(np.int16)
    inside, outside = np.split(seen, 2)
    return float((np.abs(inside - outside) > levels).any(axis=1).mean())
