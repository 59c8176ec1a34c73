"""The same through pixels: shipped felts painted with stacks of chips, seen by a camera, found by the eyes.

`python -m tests.bench.pixels 2` paints each drawing from that many of the five sides (`python -m
tests.bench.pixels 5 1920 5000`: 1920 px wide, with other seeds). The camera is calibrated by clicked points
and refined by the lines in the picture; each stack is found by the detector, its foot by the chip reader, its
outline and what it changed of the felt before; then it is placed as in play. Spots are counted of bases 4 mm
clear of every place where the spot would be another, and so are lines, of every line's edge, too. Last come
the errors of position by side.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import cv2
import numpy as np
import shapely
from rich.console import Console
from rich.table import Table

from datasets.decks import drawn_deck
from datasets.layouts import path_of, shipped
from datasets.staged.film import cloth_of
from datasets.synth.card_textures import CardTextures
from datasets.synth.chips import random_set
from datasets.synth.optics import expose, lit, metered, random_optics
from datasets.synth.render import render
from datasets.synth.sample import random_light
from datasets.synth.scene import ChipItem, Scene
from datasets.synth.stages import Assets
from tests.bench.placing import (
    CHIP_MM,
    CLEAR_MM,
    RADIUS_MM,
    VIEWS,
    Result,
    bets_about_lines,
    bets_in_boxes,
    calibrated,
    plays_of,
    spots_of,
    summed,
    view_of,
)
from vision.camera import Camera, Floats
from vision.card_reader import CardReader
from vision.chip_colours import COLOUR_NAMES
from vision.chip_geometry import Image
from vision.chip_set import ChipColour, ChipSet
from vision.chips import ChipReader
from vision.detector import Detector
from vision.eyes import Place
from vision.layout import Effect, Layout, takes_bets
from vision.looking import TableEyes
from vision.noticing import Noticer
from vision.stillness import Stillness
from vision.tracking import Family, Sight

_STACKS = 14
_EXPOSURE = 0.03
"""By how much the exposure of two pictures differs, usually, natural logarithm."""
_FOUND = 0.2
"""A changed place is looked at once more unless so much of it was found; of what is found then, as much must
have changed."""
_NEAR_MM = 40.0
"""A stack found farther from the true one is another, or none."""


def felt_of(layout: Layout, rng: np.random.Generator) -> Assets:
    """The drawing as cloth, and a house's chips."""
    return Assets(cloth_of(layout, rng), CardTextures(drawn_deck(1)), random_set(rng))


def places(layout: Layout, rng: np.random.Generator) -> list[Floats]:
    """Where the stacks stand: in boxes and about lines, none nearer to another than two chips."""
    wanted = list(bets_in_boxes(layout, rng, _STACKS))
    if layout.lines:
        wanted += [at for _, at, _ in bets_about_lines(layout, rng, _STACKS)]
    kept: list[Floats] = []
    for at in wanted:
        place = layout.place((float(at[0]), float(at[1])), RADIUS_MM)
        if takes_bets(place.spot) and all(np.hypot(*(at - other)) > 4.2 * RADIUS_MM for other in kept):
            kept.append(at)
    return kept


def pictures(
    layout: Layout, camera: Camera, stacks: list[Floats], rng: np.random.Generator
) -> tuple[Image, Image]:
    """The camera's picture of these stacks on the felt, and one of the felt before they came: of the same
    camera and light, with a noise and an exposure of its own."""
    assets = felt_of(layout, rng)
    values = list(assets.designs)
    chips = []
    for at in stacks:
        count = int(rng.integers(1, 8))
        shifts = rng.normal(0, 0.4, (count, 2))
        shifts[0] = 0.0
        off = tuple((float(dx), float(dy), float(rng.uniform(0, 360))) for dx, dy in shifts)
        value = values[int(rng.integers(len(values)))]
        chips.append(ChipItem((value,) * count, float(at[0]), float(at[1]), off))
    light = replace(random_light(rng), spots=())
    seen = render(Scene(chips=tuple(chips), light=light), assets, camera)
    clean = lit(seen.image, light)
    optics = replace(metered(random_optics(rng), clean, rng), motion_px=0.0, motion_deg=0.0)
    image = np.asarray(expose(clean, optics, rng), np.uint8)
    own = rng.spawn(1)[0]  # so that the pictures of a seed stay what they were
    dim = float(np.exp(own.normal(0, _EXPOSURE)))
    gain = (optics.gain[0] * dim, optics.gain[1] * dim, optics.gain[2] * dim)
    empty = lit(render(Scene(light=light), assets, camera).image, light)
    return image, np.asarray(expose(empty, replace(optics, gain=gain), own), np.uint8)


def found_stacks(eyes: TableEyes, image: Image, bare: Image | None) -> list[Sight]:
    """The stacks that are found in a picture; with one of the felt before, also in the surroundings of what
    changed, as a watch looks."""
    found = [sight for sight in eyes.look(image, None).sights if sight.family is Family.STACK]
    if bare is None:
        return found
    size = (eyes.small.width_px, eyes.small.height_px)
    still = Stillness()
    for t, picture in ((0.0, bare), (0.1, image), (1.0, image)):
        still.update(t, np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8))
    middle = np.mean(np.asarray(eyes.layout.felt.exterior.coords)[:-1], axis=0)[None]
    noticer = Noticer(still, size[::-1], float(eyes.small.px_per_mm(middle)[0]))
    known = np.zeros(size[::-1], np.bool_)
    for sight in found:
        sight.footprint.mark(known)
    for part in noticer.due(1.0, np.zeros(size[::-1], np.bool_)):
        if part.share(known) >= _FOUND:
            continue
        x0, y0, x1, y1 = (round(eyes.camera.width_px / size[0] * each) for each in noticer.regions([part])[0])
        for sight in eyes.look(image, (x0, y0, x1, y1)).sights:
            if sight.family is Family.STACK and sight.footprint.share(still.foreground & ~known) >= _FOUND:
                found.append(sight)
                sight.footprint.mark(known)
        guess = eyes.guess(image, part) if part.share(known) < _FOUND else None
        if guess is not None and guess.family is Family.STACK:
            found.append(guess)
            guess.footprint.mark(known)
    return found


def spot_clear_mm(layout: Layout, at: Floats) -> float:
    """How far a base would have to move to stand in another spot, or no more between the same two."""
    point = shapely.Point(at)
    edges = [float(zone.polygon.boundary.distance(point)) for zone in layout.zones]
    off = {line: float(line.path.distance(point)) for line in layout.lines}
    edges += [abs(each - RADIUS_MM) for line, each in off.items() if line.effect is Effect.SPLITS]
    nearest = sorted(off.items(), key=lambda each: each[1])[:2]
    both = len(nearest) == 2 and nearest[1][1] < RADIUS_MM + CLEAR_MM
    if both and Effect.SPLITS in {line.effect for line, _ in nearest}:  # of two lines, the nearer one counts
        edges.append((nearest[1][1] - nearest[0][1]) / 2)
    if not any(zone.polygon.covers(point) for zone in layout.zones):  # it is of the box that its base touches
        beside = sorted(zone.polygon.distance(point) for zone in layout.zones if takes_bets(zone.spot))[:2]
        edges += [abs(each - RADIUS_MM) for each in beside]
        if len(beside) == 2 and beside[0] < RADIUS_MM:
            edges.append((beside[1] - beside[0]) / 2)
    return min(edges)


def measure(
    name: str, view: str, seed: int, width_px: int, networks: tuple[Detector, CardReader], *, watched: bool
) -> tuple[Result, int]:
    """One felt from one side, ``watched`` since before the stacks came or not; how many were not found."""
    rng = np.random.default_rng((9, seed))
    layout = Layout.read(path_of(name))
    camera = view_of(layout, *VIEWS[view], width_px)
    stacks = places(layout, rng)
    image, bare = pictures(layout, camera, stacks, rng)
    placer = calibrated(camera, layout, rng, picture=image)
    house = ChipSet(
        2 * RADIUS_MM, CHIP_MM, tuple(ChipColour(k + 1, colour) for k, colour in enumerate(COLOUR_NAMES))
    )
    eyes = TableEyes(layout, placer.camera, *networks, ChipReader(house))
    found = [sight.at_mm for sight in found_stacks(eyes, image, bare if watched else None)]
    result, missed = Result(), 0
    for at in stacks:
        near = [where for where in found if np.hypot(*(at - where)) < _NEAR_MM]
        if not near:
            missed += 1
            continue
        where = min(near, key=lambda where: float(np.hypot(*(at - where))))
        (reading,) = eyes.stacks(image, [Place(where, bare if watched else None)])
        if reading.scores is None:
            missed += 1
            continue
        result.spots.off_mm.append(float(np.hypot(*(at - reading.at_mm))))
        placing = placer.place(reading.at_mm, spread_mm=reading.scores.spread_mm, foot=reading.foot)
        truth = layout.place((float(at[0]), float(at[1])), RADIUS_MM)
        if spot_clear_mm(layout, at) >= CLEAR_MM:
            result.spots.count(summed(placing, lambda p: spots_of(layout, p)), spots_of(layout, truth))
        if layout.lines:
            edge = min(abs(float(e.path.distance(shapely.Point(at))) - RADIUS_MM) for e in layout.lines)
            clear = min(edge, spot_clear_mm(layout, at))  # what a bet plays depends on its spot, too
            tally = result.clear if clear >= CLEAR_MM else result.close
            tally.count(summed(placing, lambda p: plays_of(layout, p)), plays_of(layout, truth))
    return result, missed


def main(views: int = 2, width_px: int = 1920, seed: int = 0, watched: int = 1) -> None:
    """Measure, and print the table; with 0 at the end as if the stacks had been there from the beginning."""
    networks = (Detector(threads=1), CardReader(threads=1))
    table = Table(
        "felt", "view", "found", "spot r/u/w", "line, clear r/u/w", "line, close r/u/w", "mm: median", "95 %"
    )
    total, found, missed = Result(), 0, 0
    sides = {view: (Result(), 0) for view in VIEWS}
    for n, name in enumerate(shipped()):
        for k in range(views):
            view = list(VIEWS)[(n + k) % len(VIEWS)]
            one, lost = measure(name, view, seed + 10 * n + k, width_px, networks, watched=bool(watched))
            seen = len(one.spots.off_mm)
            table.add_row(name, view, f"{seen} of {seen + lost}", *_row(one))
            for mine, part in ((total.spots, one.spots), (total.clear, one.clear), (total.close, one.close)):
                mine.add(part)
            found, missed = found + seen, missed + lost
            side, gone = sides[view]
            for mine, part in ((side.spots, one.spots), (side.clear, one.clear), (side.close, one.close)):
                mine.add(part)
            sides[view] = side, gone + lost
            Console(highlight=False, stderr=True).print(name, view, *_row(one))
    table.add_section()
    for view, (side, gone) in sides.items():
        seen = len(side.spots.off_mm)
        table.add_row("all", view, f"{seen} of {seen + gone}", *_row(side))
    table.add_section()
    table.add_row(f"all, {width_px} px wide", "", f"{found} of {found + missed}", *_row(total))
    Console(highlight=False).print(table)


def _row(result: Result) -> list[str]:
    tallies = [
        f"{t.right}/{t.undetermined}/{t.wrong}" if t.n else ""
        for t in (result.spots, result.clear, result.close)
    ]
    off = result.spots.off_mm or [float("nan")]
    return [*tallies, f"{np.median(off):.1f}", f"{np.percentile(off, 95):.1f}"]


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
