"""What trained weights can do, in a minute: on pictures, packs and stacks that they were not trained on.

python -m models.trial --weights out/train-small/weights --pictures out/train-small/tables
"""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

import cv2
import numpy as np

from datasets.decks import drawn_deck
from models.chip_reader.render import random_sample
from models.detector.measure import Tally, compare, synthesised
from rules.cards import PACK
from vision.card_reader import FACES, CardReader
from vision.chip_set import ChipColour, ChipSet
from vision.chips import ChipReader
from vision.corners import CORNER_READER
from vision.detector import DETECTOR, Detector
from vision.errors import ModelError
from vision.networks import NETWORKS

log = logging.getLogger(__name__)
_UNSEEN = 7_000_000
_LEAST_SCORE = 0.2


def try_detector(weights: Path, pictures: Path, count: int) -> dict[str, Tally]:
    """Cards and stacks found on synthesised pictures that were held out."""
    detector = Detector(weights / DETECTOR.name, threads=1, least_score=_LEAST_SCORE)
    tallies: dict[str, Tally] = {}
    for truth, _ in zip(synthesised(pictures), range(count), strict=False):
        image = cv2.imread(str(truth.image))
        if image is not None:
            compare(truth, detector.detect(image), tallies)
    return tallies


def try_cards(weights: Path, packs: int) -> tuple[int, int]:
    """How many faces of unseen drawn packs, seen straight, are read right, and of how many."""
    reader = CardReader(weights / FACES.name, corners=weights / CORNER_READER.name)
    right = 0
    for pack in range(packs):
        deck = drawn_deck(_UNSEEN + pack)
        faces = []
        for card in PACK:
            face = deck.face(card, 112)
            alpha = face[..., 3:].astype(np.float32) / 255
            cloth = face[..., :3] * alpha + np.array([60, 110, 40]) * (1 - alpha)
            faces.append(cv2.resize(cloth.astype(np.uint8), (80, 112)))
        read = reader.read(np.stack(faces))
        right += int((read.argmax(axis=1) == np.arange(len(PACK))).sum())
    return right, packs * len(PACK)


def try_chips(weights: Path, stacks: int) -> tuple[int, int]:
    """In how many fresh stacks the likeliest count is the right one, and of how many."""
    house = ChipSet(39.5, 3.3, (ChipColour(1, "white"), ChipColour(5, "red"), ChipColour(25, "green")))
    reader = ChipReader(house, weights / "chip_reader")
    right = tried = 0
    for number in range(stacks):
        sample = random_sample(np.random.default_rng((_UNSEEN, number)), countable=True)
        at = sample.pile.centres_mm[0]
        scores = reader.read(sample.images[0], sample.camera, (float(at[0]), float(at[1]))).scores
        if sample.empty or scores is None or scores.counts is None:
            continue
        tried += 1
        right += int(np.argmax(scores.counts)) == len(sample.pile.turns)
    return right, tried


def main(argv: list[str] | None = None) -> int:
    """Entry point; 1 where a file is missing or is not the network that it has to be."""
    parser = argparse.ArgumentParser(description="Try trained weights.")
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--pictures", type=Path, required=True, help="folder with held-out pictures (val)")
    parser.add_argument("--count", type=int, default=24, help="pictures and stacks; packs are fewer")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cv2.setNumThreads(1)
    try:
        for network in NETWORKS:
            network.open(1, args.weights / network.name)
        log.info("all %d networks open, and take and give what they have to", len(NETWORKS))
        for group, tally in try_detector(args.weights, args.pictures, args.count).items():
            log.info("%s", tally.line(group))
        right, asked = try_cards(args.weights, max(1, args.count // 8))
        log.info("faces of unseen packs read right: %d of %d (guessing: 1 in 52)", right, asked)
        right, asked = try_chips(args.weights, 2 * args.count)
        log.info("stacks counted right: %d of %d", right, asked)
    except ModelError as error:
        log.error("%s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
