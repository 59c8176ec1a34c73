"""Measure the detector: ``python -m models.detector.measure --recordings DIR --photographs DIR --set DIR``.

Pictures that it was not trained on, in three forms: stills of recordings (``*_labels.json``), photographs
(``labels.jsonl``), and the held-out part of a synthesised set. Recall and precision per source and kind;
nothing here is ever learned from.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.detector.data import Array, find_pictures, label_path, read_labels
from vision.detector import CARDS, Detections, Detector, Kind
from vision.quads import refine

log = logging.getLogger("models.detector")

LEAST_VISIBLE = 0.5
"""Objects of which less is seen are neither asked for nor held against a detection."""


@dataclass(slots=True)
class Tally:
    """Counts of one kind of thing in one source. ``overlap`` holds the IoU of each pair found."""

    wanted: int = 0
    found: int = 0
    near: int = 0
    """Wanted things with a detection's middle within a third of their short side."""
    false: int = 0
    overlap: list[float] = field(default_factory=list)

    def line(self, name: str) -> str:
        """A row for people."""
        recall = self.found / self.wanted if self.wanted else float("nan")
        near = self.near / self.wanted if self.wanted else float("nan")
        precision = self.found / max(1, self.found + self.false)
        iou = float(np.mean(self.overlap)) if self.overlap else float("nan")
        return (
            f"{name:34s} n {self.wanted:5d}  recall {recall:.3f}  by middle {near:.3f}  "
            f"precision {precision:.3f}  mean IoU {iou:.3f}"
        )


@dataclass(frozen=True, slots=True)
class Truth:
    """What a picture shows. ``groups`` (n,) int 0 card, 1 stack; ``quads`` (n, 4, 2); ``asked`` (n,) bool.

    ``upright``: the truth has upright boxes only, so that detections are compared by theirs.
    """

    source: str
    image: Path
    groups: Array
    quads: Array
    asked: Array
    upright: bool


GROUPS = ("cards", "stacks")


def recordings(folder: Path) -> Iterator[Truth]:
    """Stills of recordings."""
    for path in sorted(folder.glob("*_labels.json")):
        for still in json.loads(path.read_text(encoding="utf-8"))["stills"]:
            groups, quads, asked = [], [], []
            for thing in still["objects"]:
                card = thing["kind"] == "card"
                groups.append(0 if card else 1)
                quads.append(np.array(thing["quad_px"]) if card else box_corners(thing["box_px"]))
                asked.append(thing["visible"] > LEAST_VISIBLE and not thing["moving"])
            yield Truth(
                path.name.removesuffix("_labels.json"),
                folder / still["image"],
                *_stacked(groups, quads, asked),
                False,
            )


def photographs(folder: Path) -> Iterator[Truth]:
    """Photographs with boxes round whole cards or stacks."""
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        whole = [o for o in row["objects"] if o.get("covers") in ("full-card", "stack", "chip")]
        if not whole:
            continue
        groups = [0 if o["covers"] == "full-card" else 1 for o in whole]
        quads = [box_corners(o["box"]) for o in whole]
        yield Truth(row["source"], folder / row["path"], *_stacked(groups, quads, [True] * len(whole)), True)


def synthesised(folder: Path) -> Iterator[Truth]:
    """The held-out pictures of a training set."""
    for path in find_pictures([folder], held_out=True):
        image = cv2.imread(str(path))
        if image is None:
            continue
        kind, quads = read_labels(label_path(path), image.shape[1], image.shape[0])
        some = kind <= Kind.CHIP_STACK
        groups = (kind[some] == Kind.CHIP_STACK).astype(int)
        yield Truth("held out", path, groups, quads[some], np.ones(len(groups), bool), False)


def box_corners(box: list[float]) -> Array:
    """x0, y0, x1, y1 as corners (4, 2)."""
    x0, y0, x1, y1 = box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


def _stacked(groups: list[int], quads: list[Array], asked: list[bool]) -> tuple[Array, Array, Array]:
    return np.array(groups, int), np.array(quads, np.float32).reshape(-1, 4, 2), np.array(asked, bool)


def overlap(a: Array, b: Array) -> float:
    """Common area of two convex quadrilaterals (4, 2) as a part of their union."""
    common, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    union = cv2.contourArea(a.astype(np.float32)) + cv2.contourArea(b.astype(np.float32)) - common
    return float(common / union) if union > 0 else 0.0


def _upright(quads: Array) -> Array:
    return np.array([box_corners([*q.min(axis=0), *q.max(axis=0)]) for q in quads]).reshape(-1, 4, 2)


def compare(truth: Truth, found: Detections, tallies: dict[str, Tally], least_iou: float = 0.5) -> None:
    """Pair what was found with what is there, best score first, and count."""
    for group, name in enumerate(GROUPS):
        kinds = CARDS if group == 0 else (Kind.CHIP_STACK,)
        mine = found.of(*kinds)
        quads = _upright(mine.quad_px) if truth.upright else mine.quad_px
        wanted = np.flatnonzero(truth.groups == group)
        tally = tallies.setdefault(f"{truth.source} {name}", Tally())
        tally.wanted += int(truth.asked[wanted].sum())
        free = set(wanted.tolist())
        for quad in quads:
            ious = {i: overlap(quad, truth.quads[i]) for i in free}
            # A hidden card under a visible one is not what the detection is about.
            ious = {i: v + 0.01 * bool(truth.asked[i]) for i, v in ious.items()}
            best = max(ious, key=lambda i: ious[i], default=None)
            if best is not None and ious[best] >= least_iou:
                free.discard(best)
                if truth.asked[best]:
                    tally.found += 1
                    tally.overlap.append(min(1.0, ious[best]))
            elif not any(overlap(quad, truth.quads[i]) >= least_iou for i in wanted if not truth.asked[i]):
                tally.false += 1
        for i in wanted[truth.asked[wanted]]:
            sides = np.linalg.norm(np.roll(truth.quads[i], -1, axis=0) - truth.quads[i], axis=1)
            gaps = np.linalg.norm(mine.centre_px - truth.quads[i].mean(axis=0), axis=1)
            tally.near += bool((gaps < sides.min() / 3).any())


def run(
    detector: Detector,
    truths: Iterator[Truth],
    tallies: dict[str, Tally],
    every: int = 1,
    whole: bool = False,
) -> None:
    """Detect in every n-th picture and count. ``whole``: photographs, whose scale is unknown."""
    for truth in islice(truths, 0, None, every):
        image: Any = cv2.imread(str(truth.image))
        if image is None:
            log.warning("%s cannot be read", truth.image)
            continue
        found = detector.detect_multiscale(image) if whole else detector.detect(image)
        quads = [
            refine(image, q) if k in CARDS else q for q, k in zip(found.quad_px, found.kind, strict=True)
        ]
        refined = np.array(quads, np.float32).reshape(-1, 4, 2)
        compare(truth, Detections(found.kind, refined, found.score), tallies)


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, help="ONNX file; the product's own by default")
    parser.add_argument("--recordings", type=Path, help="folder with *_labels.json")
    parser.add_argument("--photographs", type=Path, help="folder with labels.jsonl")
    parser.add_argument("--set", type=Path, help="folder of a synthesised set")
    parser.add_argument("--least-score", type=float, default=0.4)
    parser.add_argument("--every", type=int, default=1, help="take every n-th picture only")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    detector = Detector(given.model, given.threads, given.least_score)
    tallies: dict[str, Tally] = {}
    if given.recordings:
        run(detector, recordings(given.recordings), tallies, given.every)
    if given.photographs:
        run(detector, photographs(given.photographs), tallies, given.every, whole=True)
    if given.set:
        run(detector, synthesised(given.set), tallies, given.every)
    for name, tally in sorted(tallies.items()):
        if tally.wanted or tally.false:
            log.info(tally.line(name))


if __name__ == "__main__":
    main()
