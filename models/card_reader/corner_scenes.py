"""Scenes with corner indices as files, for ``models.card_reader.corner_train``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Scenes:
    """Scenes in memory: ``images`` (n, 256, 256, 3) uint8; ``scene`` (m,), ``frame`` (m, 6) and ``label``
    (m,) of their corners, as in ``datasets.faces_corners.CornerScene``."""

    images: NDArray[np.uint8]
    scene: NDArray[np.int64]
    frame: NDArray[np.float32]
    label: NDArray[np.int64]


def read_scenes(paths: list[Path]) -> Scenes:
    """Read files of scenes into memory."""
    parts = [dict(np.load(path)) for path in paths]
    starts = np.cumsum([0, *(len(p["images"]) for p in parts)])
    return Scenes(
        np.concatenate([p["images"] for p in parts]),
        np.concatenate([p["scene"] + start for p, start in zip(parts, starts, strict=False)]),
        np.concatenate([p["frame"] for p in parts]),
        np.concatenate([p["label"] for p in parts]),
    )
