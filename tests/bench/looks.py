"""What one look costs: a whole 1280 x 720 table with 12 cards and 15 stacks, and one changed place of it.

``python -m tests.bench.looks [SCENES]`` renders tables and prints medians in processor milliseconds: finding
(the detector, and fitting what it found to the felt), reading faces, reading stacks, placing their feet. What
passes until all of it is done is in milliseconds by the clock, with two threads: for a machine that is idle.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from datasets.synth.clip import Shoot
from datasets.synth.demo import chip_names
from datasets.synth.movie import Filmer
from datasets.synth.raster import Array
from datasets.synth.scene import CardItem, ChipItem
from tests.bench.cards import lay
from tests.bench.errors import CLEAN, production_of
from vision.camera import Camera
from vision.card_reader import CardReader
from vision.chip_set import ChipColour, ChipSet
from vision.chips import ChipReader
from vision.crew import THREADS
from vision.detector import Detector
from vision.eyes import Place
from vision.layout import Layout
from vision.looking import TableEyes
from vision.tracking import Family, Sight

_CARDS, _STACKS, _AROUND_PX = 12, 15, 90


@dataclass(frozen=True, slots=True)
class Laden:
    """A picture of a laden table, and what is needed to look at it."""

    picture: Array
    layout: Layout
    camera: Camera
    chips: ChipSet


def laden(seed: int) -> Laden:
    """A table with cards and stacks, by seed."""
    production = production_of(CLEAN, 80_000 + seed)
    rng = np.random.default_rng([seed, 41])
    shoot = Shoot(production)
    cards = lay(rng, production.session.geometry)
    cards += tuple(_copied(cards, k) for k in range(_CARDS - len(cards)))
    boxes = list(production.session.geometry.bets.values())
    chips = []
    for number in rng.permutation(len(boxes))[:_STACKS]:
        box, values = boxes[int(number)], list(production.designs)
        pile = tuple(int(rng.choice(values)) for _ in range(int(rng.integers(1, 9))))
        lying = tuple(
            (float(rng.normal(0, 0.5)), float(rng.normal(0, 0.5)), float(rng.uniform(0, 360))) for _ in pile
        )
        chips.append(ChipItem(pile, box.x_mm, box.y_mm, lying, name=f"stack {number}"))
    scene = replace(shoot.scene(0.0), cards=cards, chips=tuple(chips), arms=())
    picture = Filmer(shoot.assets, production.camera, production.optics, seed).frame(scene)
    house = ChipSet(39.5, 3.3, tuple(ChipColour(value, name) for value, name in sorted(chip_names().items())))
    return Laden(picture, Layout.parse(production.drawing.to_svg(), "laden table"), production.camera, house)


def _copied(cards: tuple[CardItem, ...], k: int) -> CardItem:
    """One more card, in a row behind the players' boxes' side of the hands."""
    return replace(cards[k], x_mm=500.0 + 80 * k, y_mm=640.0, name=f"more {k}")


def spent_ms(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Processor time of one call, or what passes by another clock."""
    begun = clock()
    work()
    return 1000 * (clock() - begun)


def costs(table: Laden) -> dict[str, float]:
    """Milliseconds by stage."""
    detector, faces, chips = Detector(threads=1), CardReader(threads=1), ChipReader(table.chips)
    eyes = TableEyes(table.layout, table.camera, detector, faces, chips)
    image = table.picture
    sights = eyes.look(image, None).sights
    cards = [sight for sight in sights if sight.family is Family.CARD]
    stacks = [sight for sight in sights if sight.family is Family.STACK]

    def part(sight: Sight) -> tuple[int, int, int, int]:
        x, y = sight.quad_px.mean(axis=0)
        reach = _AROUND_PX
        return round(x) - reach, round(y) - reach, round(x) + reach, round(y) + reach

    region = part(cards[0])
    places = [Place(stack.at_mm) for stack in stacks]
    both = TableEyes(
        table.layout, table.camera, Detector(threads=THREADS), CardReader(threads=THREADS), chips
    )

    def everything() -> None:
        both.look(image, None)
        both.stacks(image, places)

    everything()
    return {
        "cards found": len(cards),
        "stacks found": len(stacks),
        "detector, whole picture": spent_ms(lambda: detector.detect(image, eyes.whole_scale)),
        "look, whole picture": spent_ms(lambda: eyes.look(image, None)),
        "faces of all cards": spent_ms(lambda: eyes.faces(image, cards)),
        "all stacks, without their feet": spent_ms(
            lambda: [chips.read(image, table.camera, stack.at_mm) for stack in stacks]
        ),
        "all stacks": spent_ms(lambda: eyes.stacks(image, places)),
        "look and all stacks, by the clock": spent_ms(everything, time.perf_counter),
        "look at one changed place": spent_ms(lambda: eyes.look(image, region)),
        "face of its card": spent_ms(lambda: eyes.faces(image, cards[:1])),
        "one stack": spent_ms(lambda: eyes.stacks(image, places[:1])),
    }


def main(scenes: int = 9) -> None:
    """Measure, and print medians."""
    cv2.setNumThreads(1)
    rows = [costs(laden(seed)) for seed in range(1, scenes + 1)]
    table = Table("what", "median", "most")
    for name in rows[0]:
        values = [row[name] for row in rows]
        unit = "" if name.endswith("found") else " ms"
        table.add_row(name, f"{np.median(values):.0f}{unit}", f"{max(values):.0f}{unit}")
    Console(highlight=False).print(table)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
