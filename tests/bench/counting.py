"""Stacks counted by two cameras against one: the same painted stacks, seen from straight above and obliquely.

`python -m tests.bench.counting 12` paints that many tables of some 12 stacks, 1 to 12 chips high and up to
some millimetres out of line, and counts what the oblique camera alone is sure of, and what both together are.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace

import numpy as np
from rich.console import Console
from rich.table import Table

from datasets.simulator_table import arc_geometry
from datasets.synth.house import house_drawing
from datasets.synth.optics import expose, lit, metered, random_optics
from datasets.synth.render import render
from datasets.synth.sample import random_light
from datasets.synth.scene import ChipItem, Scene
from tests.bench.pixels import felt_of
from tests.bench.placing import CHIP_MM, RADIUS_MM, bets_in_boxes, calibrated
from tests.bench.several import ABOVE, OBLIQUE, cameras
from vision.camera import Floats
from vision.card_reader import CardReader
from vision.chip_colours import COLOUR_NAMES
from vision.chip_set import ChipColour, ChipSet
from vision.chips import ChipReader
from vision.detector import Detector
from vision.eyes import Place
from vision.layout import Layout
from vision.looking import TableEyes
from vision.shared_chips import SharedEvidence
from vision.tracking import Family

_NEAR_MM = 15.0
_STACKS, _TALLEST = 30, 12
HOUSE = ChipSet(
    2 * RADIUS_MM, CHIP_MM, tuple(ChipColour(k + 1, colour) for k, colour in enumerate(COLOUR_NAMES))
)


@dataclass(slots=True)
class Counted:
    """How many stacks were counted right, wrongly, or left open."""

    right: int = 0
    wrong: int = 0
    undetermined: int = 0

    def take(self, count: int | None, truth: int) -> None:
        """One more stack."""
        self.right += count == truth
        self.wrong += count not in (None, truth)
        self.undetermined += count is None


def painted(
    layout: Layout, values: list[int], rng: np.random.Generator
) -> tuple[list[tuple[Floats, int]], list[ChipItem]]:
    """Stacks in boxes: where and how many chips, and as they are painted, of one or two colours."""
    truth: list[tuple[Floats, int]] = []
    items = []
    for at in bets_in_boxes(layout, rng, _STACKS):
        if any(np.hypot(*(at - other)) <= 4.2 * RADIUS_MM for other, _ in truth):
            continue
        count = int(rng.integers(1, _TALLEST + 1))
        off = rng.normal(0, rng.uniform(0.2, 1.2), (count, 2))
        off[0] = 0.0
        turn = rng.uniform(0, 360, count)
        low, high = (values[int(k)] for k in rng.integers(len(values), size=2))
        below = int(rng.integers(0, count + 1))
        chips = (low,) * below + (high,) * (count - below)
        places = tuple((float(x), float(y), float(angle)) for (x, y), angle in zip(off, turn, strict=True))
        items.append(ChipItem(chips, float(at[0]), float(at[1]), places))
        truth.append((at, count))
    return truth, items


def measure(seed: int, networks: tuple[Detector, CardReader], counted: dict[str, Counted]) -> None:
    """One table: counted by the oblique camera, and by both."""
    rng = np.random.default_rng((17, seed))
    drawing, _ = house_drawing(arc_geometry(seats=4))
    layout = Layout.parse(drawing.to_svg(), "a table")
    assets = felt_of(layout, rng)
    truth, items = painted(layout, list(assets.designs), rng)
    light = replace(random_light(rng), spots=())
    placers, found = {}, {}
    for name, camera in cameras().items():
        seen = render(Scene(chips=tuple(items), light=light), assets, camera)
        clean = lit(seen.image, light)
        optics = replace(metered(random_optics(rng), clean, rng), motion_px=0.0, motion_deg=0.0)
        image = np.asarray(expose(clean, optics, rng), np.uint8)
        placers[name] = calibrated(camera, layout, rng, picture=image)
        eyes = TableEyes(layout, placers[name].camera, *networks, ChipReader(HOUSE), tops=True)
        stacks = [each for each in eyes.look(image, None).sights if each.family is Family.STACK]
        found[name] = eyes.stacks(image, [Place(each.at_mm) for each in stacks])
    for at, count in truth:
        both = SharedEvidence(HOUSE, placers)
        for name, readings in found.items():
            near = [each for each in readings if np.hypot(*(at - each.at_mm)) < _NEAR_MM]
            if near:
                best = min(near, key=lambda each: float(np.hypot(*(at - each.at_mm))))
                both.add_of(name, best, 0.0)
                if name == OBLIQUE:
                    counted[OBLIQUE].take(best.count, count)
        if both.looks_of(ABOVE) and both.looks_of(OBLIQUE):
            counted["both"].take(both.best().count, count)


def main(tables: int = 12, seed: int = 300) -> None:
    """Measure, and print the table."""
    networks = (Detector(threads=1), CardReader(threads=1))
    counted = {name: Counted() for name in (OBLIQUE, "both")}
    for number in range(seed, seed + tables):
        measure(number, networks, counted)
    table = Table("cameras", "stacks", "counted right", "wrong", "left open")
    for name, each in counted.items():
        total = each.right + each.wrong + each.undetermined
        table.add_row(name, f"{total}", f"{each.right}", f"{each.wrong}", f"{each.undetermined}")
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
