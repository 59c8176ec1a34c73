"""Writes training examples: views of random stacks exactly as the reader cuts them, with their labels.

python -m models.chip_reader.data --out FOLDER --scenes 20000 --seed 1
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_reader.render import random_sample
from models.chip_reader.scenes import Sample
from vision.chip_colours import LAB_SCALE, lab_of_rgb
from vision.chip_geometry import PLACE_SHAPE, SIDE_SHAPE, geometry_inputs, place_view, side_view, stack_frame

MAX_CHIPS = 24
COUNTABLE_PX = 1.3
"""Thinner chips are not shown to the counting network."""

VIEW = np.dtype(
    [
        ("place", np.uint8, (*PLACE_SHAPE, 3)),
        ("side", np.uint8, (*SIDE_SHAPE, 3)),
        ("place_geometry", np.float32, (4,)),
        ("side_geometry", np.float32, (4,)),
        ("foot", np.float32, (2,)),
        ("count", np.int16),
        ("names", np.int8, (MAX_CHIPS,)),
        ("lab", np.float32, (MAX_CHIPS, 3)),
        ("offset", np.float32),
        ("side_seen", np.float32),
        ("top_seen", np.float32),
        ("countable", np.bool_),
    ]
)


def _jittered(
    rng: np.random.Generator, sample: Sample, sizes: list[float], odds: list[float], wide: float = 1.0
) -> tuple[float, float]:
    foot = sample.pile.centres_mm[0]
    at = (float(foot[0]), float(foot[1]))
    frame = stack_frame(sample.camera, at, sample.diameter_mm, sample.height_mm)
    sigma = float(rng.choice(sizes, p=odds))
    if frame is None:
        return at
    depth = rng.normal(0, sigma) / max(frame.squash, 0.3)
    shift = rng.normal(0, sigma * wide) * frame.across_mm + depth * frame.away_mm
    return float(foot[0] + shift[0]), float(foot[1] + shift[1])


def views_of(rng: np.random.Generator, sample: Sample) -> NDArray[np.void]:
    """One record a picture, structured dtype ``VIEW``."""
    out = np.zeros(len(sample.images), VIEW)
    foot, radius = sample.pile.centres_mm[0], sample.diameter_mm / 2
    size = (sample.diameter_mm, sample.height_mm)
    for record, image in zip(out, sample.images, strict=True):
        at = _jittered(rng, sample, [1.0, 4.0, 9.0], [0.5, 0.35, 0.15])
        frame = stack_frame(sample.camera, at, *size)
        near = _jittered(rng, sample, [0.6, 1.4, 3.0], [0.45, 0.35, 0.2], wide=0.6)
        near_frame = stack_frame(sample.camera, near, *size)
        if frame is None or near_frame is None:
            continue
        away = np.array([foot[0] - at[0], foot[1] - at[1]])
        deep = np.array([foot[0] - near[0], foot[1] - near[1]]) @ near_frame.away_mm
        record["offset"] = deep / max(near_frame.rise, 0.2) / sample.height_mm
        record["place"] = place_view(image, frame)
        record["place_geometry"] = geometry_inputs(frame)
        record["foot"] = [
            away @ frame.across_mm / radius,
            away @ frame.away_mm * frame.squash / radius,
        ]
        record["countable"] = near_frame.thickness_px >= COUNTABLE_PX
        record["side_geometry"] = geometry_inputs(near_frame)
        if record["countable"]:
            record["side"] = side_view(image, sample.camera, near, near_frame, *size)
        count = 0 if sample.empty else len(sample.pile.turns)
        record["count"] = count
        record["names"] = -1
        if count == 0:
            continue
        record["names"][:count] = [d.name for d in sample.pile.designs[:count]]
        record["lab"][:count] = [
            (lab_of_rgb(np.round(d.body[::-1] * 255).astype(int).tolist()) - [50, 0, 0]) / LAB_SCALE
            for d in sample.pile.designs[:count]
        ]
        record["side_seen"] = sample.side_seen
        record["top_seen"] = sample.top_seen
    return out


def main() -> None:
    """Write shards of 500 scenes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    for start in range(0, options.scenes, 500):
        records = []
        for i in range(start, min(start + 500, options.scenes)):
            rng = np.random.default_rng((options.seed, i))
            sample = random_sample(rng, countable=i % 6 != 0)
            records.append(views_of(rng, sample))
        shard = options.out / f"{options.seed}_{start:06d}.npy"
        partial = shard.with_suffix(".partial")
        with partial.open("wb") as file:
            np.save(file, np.concatenate(records))
        partial.rename(shard)  # a training that is running takes up whole shards only


if __name__ == "__main__":
    main()
