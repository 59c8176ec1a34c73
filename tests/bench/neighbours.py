"""Stacks that stand close together: is each told once?

    python -m tests.bench.neighbours [TABLES [NEAR_MM FAR_MM]]

On rendered tables up to 16 boxes hold two stacks of 1 to 15 chips each, whose middles are so far apart (chips
are 39.5 mm wide); one look at each table's picture is compared with what stands there.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace

import numpy as np
from rich.console import Console

from datasets.synth.clip import Production, Shoot
from datasets.synth.demo import chip_names
from datasets.synth.movie import Filmer
from datasets.synth.scene import ChipItem
from tests.bench.errors import CLEAN, production_of
from vision.camera import Floats
from vision.card_reader import CardReader
from vision.chip_set import ChipColour, ChipSet
from vision.chips import ChipReader
from vision.detector import Detector
from vision.layout import Layout
from vision.looking import TableEyes
from vision.tracking import Family

_DIAMETER_MM, _HEIGHT_MM = 39.5, 3.3
_BOXES, _MOST = 16, 15
_OWN_MM = 45.0
"""A stack told farther from every true one is none."""


def pairs(production: Production, near_mm: float, far_mm: float, rng: np.random.Generator) -> list[ChipItem]:
    """Two stacks in each of some boxes."""
    boxes = list(production.session.geometry.bets.values())
    values = list(production.designs)
    stacks = []
    for number in rng.permutation(len(boxes))[:_BOXES]:
        box = boxes[int(number)]
        angle, apart = rng.uniform(0, 2 * np.pi), rng.uniform(near_mm, far_mm)
        beside = (box.x_mm + apart * np.cos(angle), box.y_mm + apart * np.sin(angle))
        for x, y in ((box.x_mm, box.y_mm), beside):
            count = int(rng.integers(1, _MOST + 1))
            pile = tuple(int(rng.choice(values)) for _ in range(count))
            lying = [(*rng.normal(0, 0.5, 2).tolist(), float(rng.uniform(0, 360))) for _ in pile]
            stacks.append(ChipItem(pile, float(x), float(y), tuple((a, b, c) for a, b, c in lying)))
    return stacks


def told(true_mm: Floats, seen_mm: Floats) -> Counter[str]:
    """How often each of the true places (n, 2) is told, of all that was seen (m, 2)."""
    away = np.linalg.norm(seen_mm[:, None] - true_mm[None], axis=2)
    nearest, own = away.argmin(axis=1), away.min(axis=1) < _OWN_MM
    times = np.bincount(nearest[own], minlength=len(true_mm))
    return Counter(
        stacks=len(true_mm),
        once=int((times == 1).sum()),
        missed=int((times == 0).sum()),
        twice=int((times > 1).sum()),
        false=int((~own).sum()),
    )


def main(tables: int, near_mm: float, far_mm: float) -> None:
    """Look at so many tables and say how often stacks are told."""
    detector, faces = Detector(threads=1), CardReader(threads=1)
    colours = tuple(ChipColour(value, name) for value, name in sorted(chip_names().items()))
    chips = ChipReader(ChipSet(_DIAMETER_MM, _HEIGHT_MM, colours))
    total: Counter[str] = Counter()
    for seed in range(1, tables + 1):
        production = production_of(CLEAN, 90_000 + seed)
        shoot = Shoot(production)
        stacks = pairs(production, near_mm, far_mm, np.random.default_rng([seed, 43]))
        scene = replace(shoot.scene(0.0), cards=(), chips=tuple(stacks), arms=())
        picture = Filmer(shoot.assets, production.camera, production.optics, seed).frame(scene)
        layout = Layout.parse(production.drawing.to_svg(), "bench")
        eyes = TableEyes(layout, production.camera, detector, faces, chips)
        seen = [sight.at_mm for sight in eyes.look(picture, None).sights if sight.family is Family.STACK]
        true = np.array([(stack.x_mm, stack.y_mm) for stack in stacks])
        total += told(true, np.array(seen, np.float64).reshape(-1, 2))
    Console(highlight=False).print(
        f"{tables} tables, pairs {near_mm:g} to {far_mm:g} mm apart: of {total['stacks']} stacks"
        f" {total['once']} told once, {total['twice']} more than once, {total['missed']} missed;"
        f" {total['false']} told where none stands"
    )


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:]]
    count, nearest_mm, farthest_mm = (*given, *(24.0, 40.0, 52.0)[len(given) :])
    main(int(count), nearest_mm, farthest_mm)
