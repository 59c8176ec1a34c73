"""Scenes for training the corner finder and the corner reader, from the banks of ``models.card_reader.data``.

python -m models.card_reader.corner_data --work WORK --scenes 6000
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

import cv2
import numpy as np

from datasets.faces_corners import corner_scenes, index_corners
from models.card_reader.data import Banks, read_banks

log = logging.getLogger(__name__)
SHARD = 500


def usable(banks: Banks) -> list[int]:
    """Pack numbers, each as often as its weight; those whose indices are not where indices belong left out,
    and of those without indices one in three."""
    corners = index_corners(banks.bank)
    return [pack for pack in banks.draw if corners[pack] or (not banks.bank.indices[pack] and pack % 3 == 0)]


def write_scenes(banks: list[Path], out: Path, first: int, shards: int, each: int = SHARD) -> None:
    """Write ``shards`` files of ``each`` scenes; ``first`` sets their seeds. Those already there are kept."""
    known = read_banks(banks)
    packs = usable(known)
    log.info("%d packs", len(set(packs)))
    out.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + shards):
        path = out / f"{number:05d}.npz"
        if path.exists():
            continue
        scenes = corner_scenes(known.bank, packs, number, each)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez(
                file,
                images=np.stack([s.image for s in scenes]),
                scene=np.repeat(np.arange(len(scenes)), [len(s.label) for s in scenes]),
                frame=np.concatenate([s.frame for s in scenes]),
                label=np.concatenate([s.label for s in scenes]),
            )
        part.rename(path)
        log.info("scenes %d", number)


def main(argv: list[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description="Make scenes for the corner finder and the corner reader.")
    parser.add_argument("--work", type=Path, required=True, help="folder with banks of textures")
    parser.add_argument("--scenes", type=int, default=6000)
    parser.add_argument("--each", type=int, default=SHARD, help="scenes a file")
    parser.add_argument("--first", type=int, default=0, help="number of the first file: sets its seeds")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    cv2.setNumThreads(1)
    write_scenes([args.work / "valid_bank.npy"], args.work / "scenes_valid", 1_000_000, 1, args.each)
    shards = -(-args.scenes // args.each)
    write_scenes(sorted(args.work.glob("bank_*.npy")), args.work / "scenes", args.first, shards, args.each)
    return 0


if __name__ == "__main__":
    sys.exit(main())
