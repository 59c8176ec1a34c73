"""Writes training examples: views of random stacks exactly as the reader cuts them, with their labels.

    python -m models.chip_reader.data --out FOLDER --scenes 20000 --seed 1
    python -m models.chip_reader.data --out FOLDER --tables 800 --seed 2

Close-ups of one stack each (``render``), or stacks on whole tables (``tables``), drawn by another renderer.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from models.chip_reader.render import random_sample
from models.chip_reader.seen_stack import SeenStack
from models.chip_reader.tables import table_stacks
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
    rng: np.random.Generator, stack: SeenStack, sizes: list[float], odds: list[float], wide: float = 1.0
) -> tuple[float, float]:
    foot = stack.foot_mm
    at = (float(foot[0]), float(foot[1]))
    frame = stack_frame(stack.camera, at, stack.diameter_mm, stack.height_mm)
    sigma = float(rng.choice(sizes, p=odds))
    if frame is None:
        return at
    depth = rng.normal(0, sigma) / max(frame.squash, 0.3)
    shift = rng.normal(0, sigma * wide) * frame.across_mm + depth * frame.away_mm
    return float(foot[0] + shift[0]), float(foot[1] + shift[1])


def views_of(rng: np.random.Generator, stack: SeenStack) -> NDArray[np.void]:
    """One record a picture, structured dtype ``VIEW``."""
    out = np.zeros(len(stack.images), VIEW)
    foot, radius = stack.foot_mm, stack.diameter_mm / 2
    size = (stack.diameter_mm, stack.height_mm)
    for record, image in zip(out, stack.images, strict=True):
        at = _jittered(rng, stack, [1.0, 4.0, 9.0], [0.5, 0.35, 0.15])
        frame = stack_frame(stack.camera, at, *size)
        near = _jittered(rng, stack, [0.6, 1.4, 3.0], [0.45, 0.35, 0.2], wide=0.6)
        near_frame = stack_frame(stack.camera, near, *size)
        if frame is None or near_frame is None:
            continue
        away = np.array([foot[0] - at[0], foot[1] - at[1]])
        deep = np.array([foot[0] - near[0], foot[1] - near[1]]) @ near_frame.away_mm
        record["offset"] = deep / max(near_frame.rise, 0.2) / stack.height_mm
        record["place"] = place_view(image, frame)
        record["place_geometry"] = geometry_inputs(frame)
        record["foot"] = [
            away @ frame.across_mm / radius,
            away @ frame.away_mm * frame.squash / radius,
        ]
        record["countable"] = near_frame.thickness_px >= COUNTABLE_PX
        record["side_geometry"] = geometry_inputs(near_frame)
        if record["countable"]:
            record["side"] = side_view(image, stack.camera, near, near_frame, *size)
        count = len(stack.names)
        record["count"] = count
        record["names"] = -1
        if count == 0:
            continue
        record["names"][:count] = stack.names
        record["lab"][:count] = [
            (lab_of_rgb(np.round(body[::-1] * 255).astype(int).tolist()) - [50, 0, 0]) / LAB_SCALE
            for body in stack.bodies
        ]
        record["side_seen"] = stack.side_seen
        record["top_seen"] = stack.top_seen
    return out


def close_up(seed: int, number: int) -> NDArray[np.void]:
    """The records of one close-up."""
    rng = np.random.default_rng((seed, number))
    return views_of(rng, random_sample(rng, countable=number % 6 != 0).stack())


def table(seed: int, number: int) -> NDArray[np.void]:
    """The records of one table's stacks, perhaps none."""
    rng = np.random.default_rng((seed, number))
    views = [views_of(rng, stack) for stack in table_stacks(rng, seed, number)]
    return np.concatenate([np.zeros(0, VIEW), *views])


def main() -> None:
    """Write shards of 500 scenes, or of 20 tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--scenes", type=int, default=20_000)
    parser.add_argument(
        "--tables", type=int, help="so many tables with some 50 to 90 views each, no close-ups"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    made, many, each = (
        (table, options.tables, 20) if options.tables is not None else (close_up, options.scenes, 500)
    )
    for start in track(range(0, many, each), "shards"):
        shard = options.out / f"{options.seed}_{start:06d}.npy"
        if shard.is_file():
            continue
        records = [made(options.seed, number) for number in range(start, min(start + each, many))]
        partial = shard.with_suffix(".partial")
        with partial.open("wb") as file:
            np.save(file, np.concatenate(records))
        partial.rename(shard)  # a training that is running takes up whole shards only


if __name__ == "__main__":
    main()
