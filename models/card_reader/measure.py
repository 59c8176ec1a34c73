"""Measure the card reader on recorded tables and on photographs (never trained on).

    python -m models.card_reader.measure --tables TABLES --real REAL [--weights FILE]

``TABLES`` holds ``*_labels.json`` with stills and videos, ``REAL`` a ``labels.jsonl`` with photographs.
Cards of recordings are cut by their true corners; photographs have boxes only, so a card that lies askew is
cut badly.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.faces import rectify
from rules.cards import PACK
from vision.card_reader import CLASSES, CardReader, fit

log = logging.getLogger(__name__)
Picture = NDArray[np.uint8]


@dataclass(slots=True)
class Case:
    """One cut card: where it comes from, what it is (a card's name, or a rank alone), and its picture."""

    source: str
    name: str
    truth: str
    face: Picture
    other: Picture | None = None
    """The card cut with its other side up, where a box or a stretched photograph leaves that open: the surer
    reading counts."""


def _cut(picture: Picture, quad: NDArray[np.float32]) -> Picture:
    height = float(np.linalg.norm(quad[1] - quad[2]) + np.linalg.norm(quad[3] - quad[0])) / 2
    size = max(32, round(height))
    return fit(rectify(picture, quad, (size, max(24, round(size * 63 / 88)))))


def table_cases(folder: Path) -> Iterator[Case]:
    """Cards face up and more than 0.6 visible in the stills, and the same ones in the H.264 video."""
    for labels in sorted(folder.glob("*_labels.json")):
        about = json.loads(labels.read_text(encoding="utf-8"))
        stills = {s["frame"]: s for s in about["stills"]}
        video = labels.with_name(labels.name.replace("_labels.json", ".mp4"))
        frames: dict[int, Picture] = {}
        with av.open(str(video), "r") as film:
            for k, frame in enumerate(film.decode(video=0)):
                if k in stills:
                    frames[k] = np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)
        for number, still in stills.items():
            picture = cv2.imread(str(folder / still["image"]))
            for thing in still["objects"]:
                usable = thing["kind"] == "card" and not thing["turning"] and thing["visible"] > 0.6
                if not usable or (thing["face"] == "up" and thing["card"] is None):
                    continue
                quad = np.array(thing["quad_px"], np.float32)
                truth = "back" if thing["face"] == "down" else thing["card"][0] + thing["card"][1].lower()
                name = f"{video.stem}/{number}/{thing['id']}"
                for kind, shown in (("stills", picture), ("video", frames.get(number))):
                    if shown is not None:
                        yield Case(
                            f"{kind} {video.stem}", name, truth, _cut(np.asarray(shown, np.uint8), quad)
                        )


def _box_quad(thing: dict[str, Any]) -> NDArray[np.float32]:
    """The labelled outline as four corners, a short side first."""
    if thing.get("poly"):
        points = np.array(thing["poly"], np.float32).reshape(-1, 2)
        quad = cv2.boxPoints(cv2.minAreaRect(points)).astype(np.float32)
    else:
        x0, y0, x1, y1 = thing["box"]
        quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    if np.linalg.norm(quad[0] - quad[1]) > np.linalg.norm(quad[1] - quad[2]):
        quad = np.roll(quad, -1, axis=0)
    return np.asarray(quad, np.float32)


def real_cases(folder: Path) -> Iterator[Case]:
    """Whole cards in photographs whose box is not much longer than a card (so it lies fairly straight)."""
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        things = [
            o for o in row["objects"] if o.get("covers") == "full-card" and o["cls"] not in ("JOKER", "card")
        ]
        if not things:
            continue
        picture = cv2.imread(str(folder / row["path"]))
        if picture is None:
            continue
        for i, thing in enumerate(things):
            quad = _box_quad(thing)
            ratio = float(np.linalg.norm(quad[0] - quad[1])) / max(
                float(np.linalg.norm(quad[1] - quad[2])), 1.0
            )
            if ratio <= 0.6:
                continue
            truth = thing["cls"].replace("10", "T")
            truth = truth if truth == "back" else truth[0] + truth[1:].lower()
            whole = np.asarray(picture, np.uint8)
            other = _cut(whole, np.roll(quad, -1, axis=0))
            source = f"photo {row['path'].split('/')[1]}"
            yield Case(source, f"{row['path']}#{i}", truth, _cut(whole, quad), other)


@dataclass(slots=True)
class Score:
    """Counts of one source."""

    n: int = 0
    right: int = 0
    sure: int = 0
    sure_wrong: int = 0
    wrong: list[str] = field(default_factory=list)


def measure(reader: CardReader, cases: list[Case]) -> dict[str, Score]:
    """Read every case; a rank alone is right when the rank is."""
    scores: dict[str, Score] = defaultdict(Score)
    p = reader.read(np.stack([case.face for case in cases]))
    q = reader.read(np.stack([case.face if case.other is None else case.other for case in cases]))
    p = np.where(p[:, :52].max(axis=1, keepdims=True) >= q[:, :52].max(axis=1, keepdims=True), p, q)
    for case, row in zip(cases, p, strict=True):
        score = scores[case.source]
        if len(case.truth) == 1:
            ranks = np.array(
                [row[[i for i, c in enumerate(PACK) if c.rank == r]].sum() for r in "A23456789TJQK"]
            )
            said, sure = "A23456789TJQK"[int(ranks.argmax())], float(ranks.max())
        else:
            said, sure = CLASSES[int(row.argmax())], float(row.max())
        score.n += 1
        score.right += said == case.truth
        confident = sure > 0.9 and said != "unreadable"
        score.sure += confident
        score.sure_wrong += confident and said != case.truth
        if said != case.truth:
            score.wrong.append(f"{case.name}: {case.truth} read as {said} ({sure:.2f})")
    return dict(scores)


def main(argv: list[str] | None = None) -> int:
    """Entry point."""
    parser = argparse.ArgumentParser(description="Measure the card reader on recordings and photographs.")
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--real", type=Path)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--list", action="store_true", help="name the cases read wrongly")
    parser.add_argument("--sheet", type=Path, help="write the wrongly read crops to this picture")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    cases = [
        *(table_cases(args.tables) if args.tables else ()),
        *(real_cases(args.real) if args.real else ()),
    ]
    scores = measure(CardReader(args.weights), cases)
    for source, score in sorted(scores.items()):
        log.info(
            "%-26s %4d of %4d right (%.3f); sure of %d, %d of them wrong",
            *(source, score.right, score.n, score.right / score.n, score.sure, score.sure_wrong),
        )
        if args.list:
            for text in score.wrong:
                log.info("    %s", text)
    if args.sheet:
        names = {text.split(": ")[0]: text for score in scores.values() for text in score.wrong}
        _write_sheet(args.sheet, [(case.face, names[case.name]) for case in cases if case.name in names])
    return 0


def _write_sheet(path: Path, wrong: list[tuple[Picture, str]]) -> None:
    tiles = []
    for face, text in wrong[:160]:
        tile = cv2.copyMakeBorder(face, 14, 0, 0, 4, cv2.BORDER_CONSTANT)
        words = text.rsplit(": ", 1)[1].split()
        cv2.putText(tile, f"{words[0]}>{words[3][:4]}{words[4][2:4]}", (0, 11), 0, 0.36, (255, 255, 255), 1)
        tiles.append(tile)
    tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % 16) if tiles else []
    if tiles:
        rows = [np.hstack(tiles[i : i + 16]) for i in range(0, len(tiles), 16)]
        cv2.imwrite(str(path), np.vstack(rows))


if __name__ == "__main__":
    sys.exit(main())
