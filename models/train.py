"""`make train`: every network from nothing but this project, one after the other; hours on two cores.

Data and checkpoints go to ``out/train``; the weights in ``models/`` are replaced when a network is done.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

OUT = Path("out/train")

STEPS: tuple[tuple[str, ...], ...] = (
    ("datasets.decks_fetch", "--out", f"{OUT}/decks"),
    (
        *("datasets.synth.training", "--out", f"{OUT}/tables", "--count", "12000", "--seed", "1"),
        *("--decks", f"{OUT}/decks"),
    ),
    ("models.detector.train", "--data", f"{OUT}/tables", "--out", f"{OUT}/detector", "--minutes", "180"),
    ("models.detector.export", f"{OUT}/detector/last.pt"),
    ("models.card_reader.data", "bank", "--decks", f"{OUT}/decks", "--work", f"{OUT}/cards"),
    ("models.card_reader.data", "valid", "--work", f"{OUT}/cards"),
    ("models.card_reader.data", "crops", "--work", f"{OUT}/cards", "--shards", "140", "--keep", "140"),
    ("models.card_reader.train", "--work", f"{OUT}/cards", "--minutes", "80"),
    (
        *("models.card_reader.export", "--weights", f"{OUT}/cards/reader.pt"),
        *("--out", "models/card_reader/card_reader.onnx"),
    ),
    ("models.card_reader.corner_data", "--work", f"{OUT}/cards", "--scenes", "6000"),
    (
        *("models.card_reader.corner_train", "finder", "--work", f"{OUT}/cards", "--minutes", "40"),
        *("--out", "models/card_reader/corner_finder.onnx"),
    ),
    (
        *("models.card_reader.corner_train", "reader", "--work", f"{OUT}/cards", "--minutes", "40"),
        *("--out", "models/card_reader/corner_reader.onnx"),
    ),
    ("models.chip_reader.data", "--out", f"{OUT}/chips", "--scenes", "20000", "--seed", "1"),
    ("models.chip_reader.train", "--data", f"{OUT}/chips", "--net", "side", "--minutes", "60"),
    ("models.chip_reader.train", "--data", f"{OUT}/chips", "--net", "place", "--minutes", "40"),
)
"""Each a module and its arguments, in the order they need one another."""


def main() -> int:
    """Run the steps in order; stop at the first that fails."""
    OUT.mkdir(parents=True, exist_ok=True)
    for step in STEPS:
        done = subprocess.run([sys.executable, "-m", *step], check=False)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
