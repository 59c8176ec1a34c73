"""Where bets lie, measured: every shipped felt from five camera positions, with the errors of real work.

Calibration points are clicked with an error, the lens bends, feet are found with an error in the picture and
their height is a little wrong; then the place is judged as in play. `python -m tests.bench.placing` prints
the table of docs/layout.md: `python -m tests.bench.placing 1920 24 clicked` calibrates by the clicks alone,
without it (as `veedor calibrate` does) the clicks are refined by the lines of the printed felt.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
import shapely
from rich.console import Console
from rich.table import Table

from datasets.layouts import path_of, shipped
from tests.support.drawn_felt import drawn_felt
from vision.calibration import Pair, calibrate
from vision.camera import Camera, Floats
from vision.chip_geometry import Image
from vision.errors import CalibrationError
from vision.foot import FOOT_ACROSS, FOOT_AWAY
from vision.layout import Effect, Layout, Line, Place, takes_bets
from vision.placing import SURE, Placer, Placing
from vision.position import pixel_error
from vision.refining import refine

RADIUS_MM, CHIP_MM = 19.75, 3.3
CLICK_PX, FOOT_PX = 0.7, 0.6
"""Usual errors, each way: of a calibration point set by hand, of a stack's foot found in the picture."""
HEIGHT_CHIPS = 0.15
CLEAR_MM = 4.0
VIEWS = {
    "from above": (3.0, 0.0),
    "players' side, 30": (30.0, 10.0),
    "players' side, 50": (50.0, -15.0),
    "dealer's side, 35": (35.0, 180.0),
    "corner, 45": (45.0, 65.0),
}
"""Tilt and azimuth, degrees."""


Class = tuple[str, ...]
"""What is told apart: spots, or what a bet plays."""


@dataclass(slots=True)
class Tally:
    """How many bets were placed right, wrongly, or called too close; and errors of position, mm."""

    right: int = 0
    wrong: int = 0
    undetermined: int = 0
    off_mm: list[float] = field(default_factory=list)

    @property
    def n(self) -> int:
        """All of them."""
        return self.right + self.wrong + self.undetermined

    def count(self, chances: dict[Class, float], truth: Class) -> None:
        """Take in one bet: how likely each class was found, and the true one."""
        best = max(chances, key=lambda each: chances[each])
        if chances[best] < SURE:
            self.undetermined += 1
        elif best == truth:
            self.right += 1
        else:
            self.wrong += 1

    def add(self, other: Tally) -> None:
        """Take in another tally."""
        self.right += other.right
        self.wrong += other.wrong
        self.undetermined += other.undetermined
        self.off_mm += other.off_mm


@dataclass(slots=True)
class Result:
    """Of one felt from one side: bets in boxes; bets about lines, clear of the boundary and not."""

    spots: Tally = field(default_factory=Tally)
    clear: Tally = field(default_factory=Tally)
    close: Tally = field(default_factory=Tally)


def view_of(layout: Layout, tilt_deg: float, azimuth_deg: float, width_px: int) -> Camera:
    """A camera that sees the whole felt, with a lens."""
    x0, y0, x1, y1 = layout.felt.bounds
    target = ((x0 + x1) / 2, (y0 + y1) / 2)
    size = (width_px, width_px * 9 // 16)
    distance = max(2000.0, 1.25 * (x1 - x0))
    corners = np.asarray(layout.felt.exterior.coords)
    low, high = 0.2 * width_px, 4.0 * width_px
    for _ in range(30):
        focal = (low + high) / 2
        camera = Camera.looking_at(
            target, distance_mm=distance, tilt_deg=tilt_deg, azimuth_deg=azimuth_deg, focal_px=focal,
            size_px=size, k1=-0.08,
        )  # fmt: skip
        if camera.in_view(corners, 0.01 * width_px).all():
            low = focal
        else:
            high = focal
    return Camera.looking_at(
        target, distance_mm=distance, tilt_deg=tilt_deg, azimuth_deg=azimuth_deg, focal_px=low,
        size_px=size, k1=-0.08,
    )  # fmt: skip


def calibrated(
    camera: Camera,
    layout: Layout,
    rng: np.random.Generator,
    points: int = 14,
    picture: Image | None = None,
) -> Placer:
    """The camera as a technician finds it, clicking corners of the drawing spread over the picture; with a
    ``picture`` (H, W, 3) of the felt, refined by its printed lines."""
    corners = np.concatenate([zone.corners_mm for zone in layout.zones])
    chosen = [int(rng.integers(len(corners)))]
    while len(chosen) < points:  # each as far from the others as can be
        away = np.min([np.hypot(*(corners - corners[i]).T) for i in chosen], axis=0)
        chosen.append(int(away.argmax()))
    while True:
        px = camera.project(corners[chosen]) + rng.normal(0, CLICK_PX, (points, 2))
        pairs = [
            Pair((float(m[0]), float(m[1])), (float(p[0]), float(p[1])))
            for m, p in zip(corners[chosen], px, strict=True)
        ]
        try:
            found = calibrate(pairs, camera.width_px, camera.height_px)
            if picture is not None:
                luma = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
                found = refine(luma, found, pairs, layout).calibration
        except CalibrationError:
            continue
        return Placer(layout, found.camera, RADIUS_MM, CHIP_MM, found.error)


def seen_at(
    camera: Camera, placer: Placer, at_mm: Floats, rng: np.random.Generator
) -> tuple[tuple[float, float], float]:
    """Where a stack's foot is found that stands at a place, and the error that the reader claims."""
    height = rng.normal(0, HEIGHT_CHIPS * CHIP_MM)
    px = camera.project(np.array([[*at_mm, height]])) + rng.normal(0, FOOT_PX, (1, 2))
    x, y = placer.camera.felt_point(px)[0]
    size = float(np.sqrt(np.trace(pixel_error(camera, (float(at_mm[0]), float(at_mm[1])), FOOT_PX))))
    return (float(x), float(y)), size / float(np.hypot(FOOT_AWAY, FOOT_ACROSS)) * float(
        rng.lognormal(0, 0.25)
    )


def bets_in_boxes(layout: Layout, rng: np.random.Generator, count: int) -> Iterator[Floats]:
    """Places of bets that a player puts into a box: their middle at least 4 mm inside."""
    boxes = [zone.polygon.buffer(-CLEAR_MM) for zone in layout.zones if takes_bets(zone.spot)]
    boxes = [box for box in boxes if not box.is_empty]
    for _ in range(count):
        box = boxes[int(rng.integers(len(boxes)))]
        x0, y0, x1, y1 = box.bounds
        while True:
            at = rng.uniform((x0, y0), (x1, y1))
            if shapely.contains_xy(box, *at):
                yield at
                break


def bets_about_lines(
    layout: Layout, rng: np.random.Generator, count: int
) -> Iterator[tuple[Line, Floats, float]]:
    """Places of bets near lines: the line, the place, and how far past (or short of) touching it, mm."""
    for _ in range(count):
        line = layout.lines[int(rng.integers(len(layout.lines)))]
        along = rng.uniform(0, line.path.length)
        on = line.path.interpolate(along)
        beside = line.path.interpolate(min(along + 0.5, line.path.length))
        back = line.path.interpolate(max(along - 0.5, 0.0))
        way = np.array([beside.x - back.x, beside.y - back.y])
        side = np.array([-way[1], way[0]]) / np.hypot(*way)
        at = np.array([on.x, on.y]) + side * rng.choice([-1, 1]) * (RADIUS_MM + rng.uniform(-19, 14))
        yield line, at, RADIUS_MM - float(line.path.distance(shapely.Point(at)))


def measure(
    layout: Layout,
    view: tuple[float, float],
    rng: np.random.Generator,
    bets: int,
    width_px: int,
    *,
    refined: bool = False,
) -> Result:
    """One felt from one side."""
    result = Result()
    camera = view_of(layout, *view, width_px)
    picture = drawn_felt(camera, layout, int(rng.integers(1 << 30))) if refined else None
    placer = calibrated(camera, layout, rng, picture=picture)
    for at in bets_in_boxes(layout, rng, bets):
        where, spread = seen_at(camera, placer, at, rng)
        found = placer.place(where, spread_mm=spread)
        truth = layout.place((float(at[0]), float(at[1])), RADIUS_MM)
        result.spots.off_mm.append(float(np.hypot(*(at - where))))
        result.spots.count(summed(found, lambda p: spots_of(layout, p)), spots_of(layout, truth))
    if layout.lines:
        for _, at, past in bets_about_lines(layout, rng, bets):
            where, spread = seen_at(camera, placer, at, rng)
            truth = layout.place((float(at[0]), float(at[1])), RADIUS_MM)
            if not takes_bets(truth.spot):
                continue
            found = placer.place(where, spread_mm=spread)
            edge = min(abs(line_past(layout, truth.line, at)), abs(past))
            tally = result.clear if edge >= CLEAR_MM else result.close
            tally.count(summed(found, lambda p: plays_of(layout, p)), plays_of(layout, truth))
    return result


def summed(found: Placing, class_of: Callable[[Place], Class]) -> dict[Class, float]:
    """How likely each class is."""
    chances: dict[Class, float] = {}
    for chance in found.chances:
        key = class_of(chance.place)
        chances[key] = chances.get(key, 0.0) + chance.p
    return chances


def spots_of(layout: Layout, place: Place) -> Class:
    """The spot, or the two between which the bet is split."""
    line = None if place.line is None else layout.line(place.line)
    if line is not None and line.effect is Effect.SPLITS:
        return tuple(sorted(map(str, line.spots)))
    return (str(place.spot),)


def plays_of(layout: Layout, place: Place) -> Class:
    """What a bet plays by its place: its bet, and what its line does."""
    line = None if place.line is None else layout.line(place.line)
    if line is None:
        return ("whole", place.spot.bet or str(place.spot))
    return (line.effect.value, *sorted(spot.bet or "" for spot in line.spots))


def line_past(layout: Layout, line_id: str | None, at: Floats) -> float:
    """How far a base reaches past the line it lies on; of none: past the nearest (negative: short of it)."""
    point = shapely.Point(at)
    if line_id is not None and (line := layout.line(line_id)) is not None:
        return RADIUS_MM - float(line.path.distance(point))
    return RADIUS_MM - min(float(line.path.distance(point)) for line in layout.lines)


def main(width_px: int = 1920, bets: int = 60, calibration: str = "refined") -> None:
    """Measure all, and print the tables."""
    console = Console(highlight=False)
    views: dict[str, Result] = {name: Result() for name in VIEWS}
    table = Table(
        "felt",
        "spot right",
        "wrong",
        "line, clear: right",
        "wrong",
        "line, close: right",
        "wrong",
        "mm: median",
        "95 %",
    )
    for n, name in enumerate(shipped()):
        layout = Layout.read(path_of(name))
        whole = Result()
        for k, (view, angles) in enumerate(VIEWS.items()):
            one = measure(
                layout,
                angles,
                np.random.default_rng((4, n, k)),
                bets,
                width_px,
                refined=calibration != "clicked",
            )
            for mine, part in zip((whole, views[view]), (one, one), strict=True):
                mine.spots.add(part.spots)
                mine.clear.add(part.clear)
                mine.close.add(part.close)
        table.add_row(name, *row(whole))
    table.add_section()
    total = Result()
    for name, result in views.items():
        table.add_row(name, *row(result))
        total.spots.add(result.spots)
        total.clear.add(result.clear)
        total.close.add(result.close)
    table.add_section()
    table.add_row(f"all, {width_px} px wide", *row(total))
    console.print(table)


def row(result: Result) -> list[str]:
    """A result's figures as cells."""
    cells = []
    for tally in (result.spots, result.clear, result.close):
        if tally.n:
            cells += [
                f"{100 * tally.right / tally.n:.1f} % of {tally.n}",
                f"{100 * tally.wrong / tally.n:.2f} %",
            ]
        else:
            cells += ["", ""]
    off = np.array(result.spots.off_mm)
    return [*cells, f"{np.median(off):.1f}", f"{np.percentile(off, 95):.1f}"]


if __name__ == "__main__":
    given = sys.argv[1:]
    width, number = (int(given[k]) if len(given) > k else usual for k, usual in enumerate((1920, 60)))
    main(width, number, *given[2:3])
