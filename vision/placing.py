"""Where a bet lies: its base's circle against zones and lines, each place with its probability.

A stack stands where the middle of its base is, and lies on a line if its base crosses the middle of the
stroke (docs/layout.md). Its middle is known only to within a covariance; the places that this leaves open
are weighed by how much of it lies in each. What is not sure is said to be too close to call, never guessed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely
from shapely import Point
from shapely.geometry.base import BaseGeometry

from rules.spots import OFF_TABLE, TABLE, Spot
from vision.camera import Camera, Floats
from vision.foot import reader_error
from vision.layout import Layout, Line, Place, is_marker, takes_bets
from vision.position import CameraError, height_error, pixel_error, total_error

SURE = 0.97
"""A place that is less likely than this is too close to call."""
WORTH_SAYING = 0.01
"""Places that are less likely than this are not named."""
HEIGHT_CHIPS = 0.15
"""A foot is put too high or too low by so much of a chip's thickness, usually."""
DETECTED_PX = 2.5
"""Usual error of a foot that was only detected, pixels each way."""
_RINGS, _RAYS = 24, 20
_TAIL = 3.2
"""Usual errors within which nearly all of a round Gaussian lies: all but 0.6 %."""
_UNKNOWN_MM = 1000.0
"""A place that the camera does not see may be anywhere."""


@dataclass(frozen=True, slots=True)
class Chance:
    """One place where a stack may stand, and how likely."""

    place: Place
    p: float


@dataclass(frozen=True, slots=True)
class Placing:
    """Where a stack stands: the likeliest place first. ``error_mm``: usual distance from the true middle."""

    chances: tuple[Chance, ...]
    error_mm: float

    @property
    def place(self) -> Place:
        """The likeliest place."""
        return self.chances[0].place

    @property
    def p(self) -> float:
        """How likely that is."""
        return self.chances[0].p

    @property
    def sure(self) -> bool:
        """Whether it is not too close to call."""
        return self.p >= SURE

    @property
    def elsewhere(self) -> tuple[Chance, ...]:
        """The other places that are worth saying, if it is too close to call."""
        if self.sure:
            return ()
        return tuple(chance for chance in self.chances[1:] if chance.p >= WORTH_SAYING)


def _cloud() -> Floats:
    """(n, 2): points each of which stands for as much of a round Gaussian."""
    radii = np.sqrt(-2 * np.log(1 - (np.arange(_RINGS) + 0.5) / _RINGS))
    angles = 2 * np.pi * (0.37 + np.arange(_RAYS)[None, :] + 0.5 * (np.arange(_RINGS)[:, None] % 2)) / _RAYS
    ring = radii[:, None]
    return np.stack([ring * np.cos(angles), ring * np.sin(angles)], axis=-1).reshape(-1, 2)


_CLOUD = _cloud()


def place_stack(
    layout: Layout,
    at_mm: tuple[float, float],
    error: Floats,
    radius_mm: float,
    reach_mm: float | None = None,
) -> Placing:
    """Where a stack stands whose base's middle was found at a place. ``error`` (2, 2): covariance, mm²;
    ``radius_mm``: of the base; ``reach_mm``: a stack outside all zones belongs to the nearest box if that is
    within this distance of its middle (left out: the radius)."""
    values, axes = np.linalg.eigh(np.clip(np.nan_to_num(error, posinf=_UNKNOWN_MM**2), -1e9, 1e9))
    size = np.sqrt(np.clip(values, 0.0, _UNKNOWN_MM**2))
    error_mm = float(math.sqrt(float((size**2).sum())))
    reach = radius_mm if reach_mm is None else reach_mm
    near = _Near.of(layout, at_mm, max(reach, radius_mm) + _TAIL * float(size.max()) + 1.0)
    if near.margin(radius_mm, reach) > _TAIL * size.max():
        return Placing((Chance(near.places(np.asarray([at_mm]), radius_mm, reach)[0][0], 1.0),), error_mm)
    points = np.asarray(at_mm) + (_CLOUD * size) @ axes.T
    found = near.places(points, radius_mm, reach)
    order = sorted(found, key=lambda each: (-each[1], str(each[0].spot), each[0].line or ""))
    return Placing(tuple(Chance(place, count / len(points)) for place, count in order), error_mm)


@lru_cache(maxsize=8)
def _trees(layout: Layout) -> tuple[shapely.STRtree, shapely.STRtree]:
    """Indices of the zones and of the lines."""
    zones = shapely.STRtree([zone.polygon for zone in layout.zones])
    return zones, shapely.STRtree([line.path for line in layout.lines])


@dataclass(frozen=True, slots=True, eq=False)
class _Near:
    """The zones and lines about a place, cut to its surroundings. The smallest zone first, the felt last."""

    at: Point
    spots: list[Spot]
    areas: list[BaseGeometry]
    lines: list[Line]
    paths: list[BaseGeometry]

    @classmethod
    def of(cls, layout: Layout, at_mm: tuple[float, float], within_mm: float) -> _Near:
        """What lies within a distance of a place."""
        x, y = at_mm
        square = (x - within_mm, y - within_mm, x + within_mm, y + within_mm)
        around = shapely.box(*square)
        by_zone, by_line = _trees(layout)
        zones = [layout.zones[i] for i in sorted(by_zone.query(around).tolist())]
        zones = [zone for zone in zones if not is_marker(zone.spot)]
        zones.sort(key=lambda zone: zone.polygon.area)
        lines = [layout.lines[i] for i in sorted(by_line.query(around).tolist())]
        return cls(
            Point(x, y),
            [*(zone.spot for zone in zones), TABLE],
            [*(zone.polygon.intersection(around) for zone in zones), layout.felt.intersection(around)],
            lines,
            [line.path.intersection(around) for line in lines],
        )

    def margin(self, radius_mm: float, reach_mm: float) -> float:
        """How far a base's middle may move before its place can change."""
        margins = [math.inf]
        beside: list[float] = []
        for spot, area in zip(self.spots, self.areas, strict=True):
            if area.is_empty:
                continue
            edge = float(area.boundary.distance(self.at))
            margins.append(edge)
            if takes_bets(spot) and not area.covers(self.at):
                margins.append(abs(edge - reach_mm))
                beside.append(edge)
        off = sorted(float(path.distance(self.at)) for path in self.paths if not path.is_empty)
        margins += [abs(each - radius_mm) for each in off]
        margins += [(far - near) / 2 for near, far in pairwise(off[:2]) if near < radius_mm]
        if not any(area.covers(self.at) for area in self.areas[:-1]):
            nearest = sorted(beside)[:2]  # of two boxes that it may belong to, the nearer one has it
            margins += [(far - near) / 2 for near, far in pairwise(nearest) if near < reach_mm]
        return min(margins)

    def places(self, points_mm: Floats, radius_mm: float, reach_mm: float) -> list[tuple[Place, int]]:
        """The places of bases about (n, 2) points, as :meth:`vision.layout.Layout.place` finds them, and how
        many are at each."""
        points = np.asarray(shapely.points(points_mm))
        spot = np.full(len(points), -1)
        inside = [np.asarray(shapely.covers(area, points)) for area in self.areas]
        for k, within in enumerate(inside[:-1]):
            spot[(spot < 0) & within] = k
        boxes = [
            k
            for k, (name, area) in enumerate(zip(self.spots, self.areas, strict=True))
            if takes_bets(name) and not area.is_empty
        ]
        if boxes and (spot < 0).any():
            away = np.stack([np.asarray(shapely.distance(self.areas[k], points)) for k in boxes])
            nearest = np.asarray(boxes)[away.argmin(axis=0)]
            spot = np.where((spot < 0) & (away.min(axis=0) < reach_mm), nearest, spot)
        spot = np.where((spot < 0) & inside[-1], len(self.spots) - 1, spot)
        best, line = np.full(len(points), radius_mm), np.full(len(points), -1)
        for k, (what, path) in enumerate(zip(self.lines, self.paths, strict=True)):
            acts = np.isin(spot, [i for i, name in enumerate(self.spots) if name in what.spots])
            if path.is_empty or not acts.any():
                continue
            off = np.asarray(shapely.distance(path, points))
            here = acts & (off < best)
            best, line = np.where(here, off, best), np.where(here, k, line)
        pairs, counts = np.unique(np.stack([spot, line]), axis=1, return_counts=True)
        return [
            (
                Place(OFF_TABLE if i < 0 else self.spots[i], None if k < 0 else self.lines[k].id),
                int(count),
            )
            for (i, k), count in zip(pairs.T.tolist(), counts.tolist(), strict=True)
        ]


@dataclass(frozen=True, slots=True, eq=False)
class Placer:
    """Places the stacks that one camera sees. ``error``: what its calibration leaves open, None: not known
    (then only the picture's own errors count)."""

    layout: Layout
    camera: Camera
    radius_mm: float
    chip_mm: float
    error: CameraError | None = None

    def place(
        self,
        at_mm: tuple[float, float],
        *,
        spread_mm: float | None = None,
        foot: Floats | None = None,
        reach_mm: float | None = None,
    ) -> Placing:
        """Where a stack stands whose foot was found at a place: see :meth:`covariance`."""
        error = self.covariance(at_mm, spread_mm, foot)
        return place_stack(self.layout, at_mm, error, self.radius_mm, reach_mm)

    def covariance(
        self, at_mm: tuple[float, float], spread_mm: float | None = None, foot: Floats | None = None
    ) -> Floats:
        """(2, 2): of a stack's foot found at a place, mm². ``foot`` (2, 2): its error in the picture, where
        its outline was fitted; else ``spread_mm``: usual error as the reader's network gives it; neither: it
        was only detected."""
        if foot is not None:
            parts = [foot]
        else:
            seen = (
                pixel_error(self.camera, at_mm, DETECTED_PX)
                if spread_mm is None
                else reader_error(self.camera, at_mm, spread_mm)
            )
            parts = [seen, height_error(self.camera, at_mm, HEIGHT_CHIPS * self.chip_mm)]
        if self.error is not None:
            parts.append(self.error.on_felt(self.camera, at_mm))
        return total_error(parts)
