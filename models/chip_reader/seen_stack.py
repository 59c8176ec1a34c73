"""What is known of a stack in a picture, whichever renderer drew it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.camera import Camera

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class SeenStack:
    """Pictures (H, W, 3) BGR of a stack by one camera, and their truth.

    ``foot_mm`` (2,): the middle of the lowest chip. ``names`` (n,): each chip's colour by its place in
    ``COLOUR_NAMES``, from the lowest, ``UNNAMED`` without one; ``bodies`` (n, 3): its colour, BGR 0..1; both
    empty where no stack is. ``side_seen``, ``top_seen``: parts of the near side and of the top not hidden.
    """

    images: tuple[Image, ...]
    camera: Camera
    foot_mm: NDArray[np.float64]
    diameter_mm: float
    height_mm: float
    names: tuple[int, ...]
    bodies: NDArray[np.float32]
    side_seen: float
    top_seen: float
