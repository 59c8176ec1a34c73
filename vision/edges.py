"""Whether a picture changes across a line: what is seen just inside of it and just outside."""

from __future__ import annotations

import cv2
import numpy as np

from vision.camera import Floats
from vision.chip_geometry import Image


def changing(image: Image, inside_px: Floats, outside_px: Floats, levels: float) -> float:
    """The part of pairs of points (n, 2) each between which a colour changes by more than so many levels; 0
    where the picture (H, W, 3), uint8 BGR, shows hardly anything of them."""
    points = np.stack([inside_px, outside_px])
    low = np.floor(points.min(axis=(0, 1)) - 3).astype(int).clip(0, None)
    high = np.ceil(points.max(axis=(0, 1)) + 4).astype(int).clip(None, image.shape[1::-1])
    if (high - low < 4).any():
        return 0.0
    part = cv2.GaussianBlur(image[low[1] : high[1], low[0] : high[0]], (3, 3), 0)
    x, y = np.moveaxis(points - low - 0.5, -1, 0).astype(np.float32)
    seen = cv2.remap(part, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.int16)
    return float((np.abs(seen[0] - seen[1]).max(axis=1) > levels).mean())
