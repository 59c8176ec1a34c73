"""How far off the chip reader's feet are, in millimetres by tilt, and beside what the reader says it is.

Synthetic stacks, other than those it was trained on. `python -m tests.bench.feet` prints a table: the errors
away from the camera and across are what :mod:`vision.placing` reckons with.
"""

from __future__ import annotations

import sys

import numpy as np
from rich.console import Console
from rich.table import Table

from models.chip_reader.render import random_sample
from models.chip_reader.scenes import Sample
from vision.camera import Floats
from vision.chip_colours import COLOUR_NAMES
from vision.chip_set import ChipColour, ChipSet
from vision.chips import ChipReader

_TILTS = ((0, 15), (15, 35), (35, 50), (50, 90))
_GUESS_MM = 4.0


def feet(samples: int, seed: int = 77) -> Floats:
    """(n, 5): tilt (degrees), pixels per mm, error away from the camera and across (mm), claimed error."""
    rows = []
    for number in range(samples):
        rng = np.random.default_rng((seed, number))
        sample: Sample = random_sample(rng, number % 2 == 0)
        if sample.empty:
            continue
        chips = ChipSet(
            sample.diameter_mm,
            sample.height_mm,
            tuple(ChipColour(k + 1, name) for k, name in enumerate(COLOUR_NAMES)),
        )
        true = np.asarray(sample.pile.centres_mm[0])
        x, y = true + rng.normal(0, _GUESS_MM, 2)
        reading = ChipReader(chips).read(sample.images[0], sample.camera, (float(x), float(y)))
        if reading.scores is None or reading.scores.clear < 0.5:
            continue
        off = np.asarray(reading.at_mm) - true
        away = true - sample.camera.centre_mm[:2]
        away = away / max(1e-9, float(np.hypot(*away)))
        px_per_mm = float(sample.camera.px_per_mm(true[None])[0])
        across = float(off @ [-away[1], away[0]])
        rows.append((sample.camera.tilt_deg, px_per_mm, float(off @ away), across, reading.scores.spread_mm))
    return np.array(rows).reshape(-1, 5)


def main(samples: int = 300) -> None:
    """Measure, and print the table."""
    found = feet(samples)
    table = Table("tilt", "n", "px/mm", "mm: median", "95 %", "away / claimed", "across / claimed")
    for low, high in _TILTS:
        rows = found[(found[:, 0] >= low) & (found[:, 0] < high)]
        if not len(rows):
            continue
        off = np.hypot(rows[:, 2], rows[:, 3])
        # the 68th percentile: usual errors, whatever a few stacks taken for their neighbours do
        away, across = (np.percentile(np.abs(rows[:, k]) / rows[:, 4], 68) for k in (2, 3))
        table.add_row(
            f"{low} to {high}",
            str(len(rows)),
            f"{np.median(rows[:, 1]):.2f}",
            f"{np.median(off):.1f}",
            f"{np.percentile(off, 95):.1f}",
            f"{away:.2f}",
            f"{across:.2f}",
        )
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
