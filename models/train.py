"""`make train`: every network from nothing but this project, one after the other.

    python -m models.train                # the recipe of the model cards: hours on two cores
    python -m models.train --small        # minutes: the same steps on little data, to see that it works

The small training needs no download, and leaves the networks that are in use as they are: its weights, and
what they score, are in ``out/train-small``. The full one puts its weights in use (``models.adopt``).
"""

from __future__ import annotations

import argparse
import logging
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)
Step = tuple[str, ...]
"""A module and its arguments."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is made and how long is trained (minutes of wall time).

    ``pictures`` of tables, ``packs`` of cards (0: all), ``crops`` of faces a file and ``files`` of them,
    ``scenes`` of fans, ``stacks`` of chips by themselves and ``chip_tables`` with many; ``trials``: what
    the result is tried on.
    """

    fetched: bool
    pictures: int
    detector_min: float
    packs: int
    crops: int
    files: int
    faces_min: float
    scenes: int
    corners_min: float
    stacks: int
    chip_tables: int
    side_min: float
    place_min: float
    trials: int


_GENTLE: Step = ("--workers", "1", "--batch", "4", "--size", "320")
"""A small training looks at the clock after every few pictures."""

FULL = Budget(
    fetched=True,
    pictures=12_000,
    detector_min=180,
    packs=0,
    crops=4096,
    files=140,
    faces_min=80,
    scenes=6000,
    corners_min=40,
    stacks=20_000,
    chip_tables=600,
    side_min=60,
    place_min=40,
    trials=100,
)
SMALL = Budget(
    fetched=False,
    pictures=300,
    detector_min=5,
    packs=6,
    crops=1024,
    files=4,
    faces_min=4,
    scenes=150,
    corners_min=0.7,
    stacks=1200,
    chip_tables=40,
    side_min=2,
    place_min=0.5,
    trials=24,
)


def scaled(budget: Budget, share: float) -> Budget:
    """A budget of which only a share is spent."""

    def less(number: int, least: int) -> int:
        return max(least, round(number * share))

    return Budget(
        budget.fetched,
        less(budget.pictures, 12),
        budget.detector_min * share,
        budget.packs and less(budget.packs, 3),
        less(budget.crops, 128),
        less(budget.files, 1),
        budget.faces_min * share,
        less(budget.scenes, 20),
        budget.corners_min * share,
        less(budget.stacks, 600),
        less(budget.chip_tables, 21),
        budget.side_min * share,
        budget.place_min * share,
        less(budget.trials, 6),
    )


def steps(budget: Budget, out: Path, weights: Path) -> Iterator[Step]:
    """The steps in the order in which they need one another; the weights go below ``weights``."""
    decks = ("--decks", f"{out}/decks") if budget.fetched else ()
    cards, tables = f"{out}/cards", f"{out}/tables"
    held_out = max(8, budget.trials)
    if budget.fetched:
        yield ("datasets.decks_fetch", "--out", f"{out}/decks")
    yield (
        *("datasets.synth.training", "--out", tables, "--seed", "1", "--count", str(budget.pictures)),
        *("--photos", "0.6"),
        *decks,
    )
    yield (
        *("datasets.synth.training", "--out", tables, "--seed", "2", "--count", str(held_out)),
        *("--split", "val", *decks),
    )
    yield (
        *("models.detector.train", "--data", tables, "--out", f"{out}/detector"),
        *("--minutes", f"{budget.detector_min:g}"),
        *(() if budget.fetched else _GENTLE),
    )
    yield ("models.detector.export", f"{out}/detector/last.pt", "--out", f"{weights}/detector/detector.onnx")
    yield ("models.card_reader.data", "bank", "--work", cards, "--packs", str(budget.packs), *decks)
    yield ("models.card_reader.data", "valid", "--work", cards, "--count", str(min(1024, budget.crops)))
    yield (
        *("models.card_reader.data", "crops", "--work", cards, "--shards", str(budget.files)),
        *("--keep", str(budget.files), "--size", str(budget.crops)),
    )
    yield ("models.card_reader.train", "--work", cards, "--minutes", f"{budget.faces_min:g}")
    yield (
        *("models.card_reader.export", "--weights", f"{cards}/reader.pt", "--report", f"{cards}/report.json"),
        *("--out", f"{weights}/card_reader/card_reader.onnx"),
    )
    yield (
        *("models.card_reader.corner_data", "--work", cards, "--scenes", str(budget.scenes)),
        *("--each", str(min(500, budget.scenes))),
    )
    for what in ("finder", "reader"):
        yield (
            *("models.card_reader.corner_train", what, "--work", cards),
            *("--minutes", f"{budget.corners_min:g}", "--out", f"{weights}/card_reader/corner_{what}.onnx"),
        )
    chips = ("models.chip_reader.data", "--out", f"{out}/chips")
    yield (*chips, "--scenes", str(budget.stacks), "--seed", "1")
    yield (*chips, "--tables", str(budget.chip_tables), "--seed", "2")
    for net, minutes in (("side", budget.side_min), ("place", budget.place_min)):
        yield (
            *("models.chip_reader.train", "--data", f"{out}/chips", "--net", net),
            *("--minutes", f"{minutes:g}", "--held-out", "1", "--out", f"{weights}/chip_reader"),
        )
    yield ("models.trial", "--weights", str(weights), "--pictures", tables, "--count", str(budget.trials))


def main(argv: list[str] | None = None) -> int:
    """Run the steps in order; stop at the first that fails, and say which."""
    parser = argparse.ArgumentParser(description="Train every network.")
    parser.add_argument("--small", action="store_true", help="minutes: little data, nothing is put in use")
    parser.add_argument("--share", type=float, default=1.0, help="spend only this share of the time and data")
    parser.add_argument("--out", type=Path, help="folder for data, checkpoints and weights")
    parser.add_argument("--begin", type=int, default=1, help="go on with this step of an earlier run")
    parser.add_argument("--keep", action="store_true", help="do not put the weights in use")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    out: Path = args.out or Path("out/train-small" if args.small else "out/train")
    weights = out / "weights"
    for room in ("detector", "card_reader", "chip_reader"):
        (weights / room).mkdir(parents=True, exist_ok=True)
    budget = scaled(SMALL if args.small else FULL, args.share)
    plan = list(steps(budget, out, weights))
    if not args.small and not args.keep:
        plan.append(("models.adopt", str(weights)))
    for number, step in enumerate(plan, 1):
        if number < args.begin:
            continue
        log.info("step %d of %d: %s", number, len(plan), " ".join(step))
        done = subprocess.run([sys.executable, "-m", *step], check=False)
        if done.returncode:
            log.error("step %d, %s, failed; put it right and go on with --begin %d", number, step[0], number)
            return done.returncode
    log.info("done; the weights are in %s", weights)
    return 0


if __name__ == "__main__":
    sys.exit(main())
