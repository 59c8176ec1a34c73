"""Where cards and chips are laid on a drawn felt: cards in rows, chips clear of one another."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import numpy as np
import shapely
from shapely import LineString, MultiLineString, Point

from datasets.simulator_table import CHIP_DIAMETER_MM, Zone, rectangle
from rules.spots import FLOAT, Area, Spot
from vision.layout import Layout, Line, takes_bets

At = tuple[float, float]

CARD_MM = (63.0, 88.0)
_RADIUS_MM = CHIP_DIAMETER_MM / 2
_GAP_MM = 6.0
"""Between cards that lie side by side."""
_FREE_MM = 5.0
"""Chips that are put into a box keep so far from its outline, and from one another."""
_ON_LINE_MM = 6.0
"""So far from a line's middle lies the middle of chips that are put on it, at most."""
_TRIES = 240
_ANYWHERE, _FREE_PLACE_MM = frozenset({Area.BURN, Area.DECK}), (150.0, 110.0)
_LONG = 7.0
"""A place for so many cards is a row."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """Where one card lies: its middle, and its turn as on the drawing."""

    at_mm: At
    angle_deg: float


@dataclass
class Places:
    """A felt's places. ``taken``: where stacks stand, by name; kept by whoever puts and lifts them."""

    layout: Layout
    rng: random.Random
    taken: dict[str, At] = field(default_factory=dict)

    def zone(self, spot: Spot) -> Zone:
        """The rectangle round a place; burned cards and the pack lie anywhere if none is drawn for them.
        Raises ValueError if the drawing has none of another kind."""
        zone = self.layout.zone(spot)
        if zone is None and spot.area in _ANYWHERE:
            return Zone(spot, *self.centre_or_free(spot, _FREE_PLACE_MM, 0.6), 0.0, *_FREE_PLACE_MM)
        if zone is None:
            raise ValueError(f"{self.layout.name} has no place {spot}")
        return rectangle(spot, zone.corners_mm.tolist())

    def card(self, spot: Spot, position: int, count: int, *, third_across: bool = False) -> CardPlace:
        """Where the card at a position (from 1) of ``count`` lies: side by side along the place's longer
        side, pushed together where they need more room than there is (the first lowest).

        ``third_across``: a third card lies crosswise, as in baccarat.
        """
        zone = self.zone(spot)
        turn = 0.0 if zone.width_mm >= zone.depth_mm or count == 1 else 90.0
        width, room = CARD_MM[0], max(zone.width_mm, zone.depth_mm) - 12.0
        wide = [CARD_MM[1] if third_across and n == 3 else width for n in range(1, count + 1)]
        gap = min(_GAP_MM, (room - sum(wide)) / max(count - 1, 1))
        start = -(sum(wide) + gap * (count - 1)) / 2
        if room > _LONG * width:
            start = -room / 2  # a long row is begun at its end, however many cards will come
        along = start + sum(wide[: position - 1]) + gap * (position - 1) + wide[position - 1] / 2
        shake = (self.rng.uniform(-1.5, 1.5), self.rng.uniform(-2.5, 2.5))
        crosswise = 90.0 if third_across and position == 3 else 0.0
        at = zone.at(along + shake[0], shake[1]) if turn == 0.0 else zone.at(shake[0], along + shake[1])
        return CardPlace(at, zone.rot_deg + turn + crosswise + self.rng.uniform(-1.5, 1.5))

    def overlaps(self, spot: Spot, count: int) -> bool:
        """Whether so many cards lie on one another there."""
        zone = self.zone(spot)
        return count * CARD_MM[0] > max(zone.width_mm, zone.depth_mm) - 12.0

    def chips(self, spot: Spot, line: str | None, beside: list[At]) -> At:
        """Where chips are put at a spot: on the line named, else inside, clear of all that stands; where
        chips stand there, next to them (``beside``)."""
        if line is not None:
            return self._on_line(self._line(spot, line), spot)
        if beside:
            return self._next_to(spot, beside)
        return self._inside(spot)

    def _line(self, spot: Spot, name: str) -> Line:
        """The line with this name, or the one at the spot with the same meaning (``...:half``)."""
        exact = self.layout.line(name)
        if exact is not None:
            return exact
        effect = name.rpartition(":")[2]
        for line in self.layout.lines:
            if spot in line.spots and line.id.rpartition(":")[2] == effect:
                return line
        raise ValueError(f"{self.layout.name} has no line {name!r} at {spot}")

    def _on_line(self, line: Line, spot: Spot) -> At:
        path = line.path
        longest = max(path.geoms, key=lambda part: part.length) if isinstance(path, MultiLineString) else path
        fits = [
            at
            for at in (self._about(longest) for _ in range(_TRIES))
            if self.layout.place(at, _RADIUS_MM).line == line.id and self._clearance(at) > 2 * _FREE_MM
        ]
        own = [at for at in fits if self.layout.place(at, _RADIUS_MM).spot == spot]
        if not fits:
            raise ValueError(f"there is no room for chips on {line.id}")
        return (own or fits)[0]

    def _about(self, path: LineString) -> At:
        along = self.rng.uniform(0.25, 0.75) * path.length
        here, ahead = path.interpolate(along), path.interpolate(along + 1.0)
        dx, dy = ahead.x - here.x, ahead.y - here.y
        long, off = math.hypot(dx, dy) or 1.0, self.rng.uniform(-_ON_LINE_MM, _ON_LINE_MM)
        return here.x - dy / long * off, here.y + dx / long * off

    def _inside(self, spot: Spot) -> At:
        zone = self.layout.zone(spot)
        if zone is None:
            raise ValueError(f"{self.layout.name} has no place {spot}")
        inner = zone.polygon.buffer(-(_RADIUS_MM + _FREE_MM))
        if inner.is_empty:
            return zone.centre_mm
        x0, y0, x1, y1 = inner.bounds
        middle = zone.centre_mm
        best, best_score = middle, -math.inf
        for _ in range(_TRIES):
            at = (self.rng.uniform(x0, x1), self.rng.uniform(y0, y1))
            if not inner.contains(Point(at)):
                continue
            near = math.dist(at, middle) / max(x1 - x0, y1 - y0, 1.0)
            score = min(self._clearance(at), 30.0) - 12.0 * near - self._on_a_line(at)
            if score > best_score:
                best, best_score = at, score
        return best

    def _next_to(self, spot: Spot, beside: list[At]) -> At:
        """Next to chips that stand there: clear of all, as far inside as can be, off every line and box."""
        zone = self.layout.zone(spot)
        best, best_score = beside[0], -math.inf
        for _ in range(_TRIES):
            x, y = self.rng.choice(beside)
            angle, reach = self.rng.uniform(0, 2 * math.pi), CHIP_DIAMETER_MM + self.rng.uniform(4.0, 12.0)
            at = (x + reach * math.cos(angle), y + reach * math.sin(angle))
            point = Point(at)
            inside = 0.0
            if zone is not None:
                out = zone.polygon.distance(point)
                inside = -out if out else min(zone.polygon.exterior.distance(point), 25.0)
            others = min(
                (
                    other.polygon.distance(point)
                    for other in self.layout.zones
                    if other.spot != spot and (takes_bets(other.spot) or other.spot.area is Area.HAND)
                ),
                default=100.0,
            )
            score = 100.0 * min(self._clearance(at) - 3.0, 0.0) + 20.0 * min(others - 21.0, 0.0) + inside
            score -= self._on_a_line(at)
            if score > best_score:
                best, best_score = at, score
        return best

    def _on_a_line(self, at: At) -> float:
        return 40.0 if self.layout.place(at, _RADIUS_MM + 2.0).line is not None else 0.0

    def _clearance(self, at: At) -> float:
        """From a stack's edge there to the nearest stack's, mm."""
        return min((math.dist(at, other) for other in self.taken.values()), default=1e3) - CHIP_DIAMETER_MM

    # the edge -----------------------------------------------------------------------------------------------

    def from_outside(self, at: At) -> At:
        """Where a player's hand comes from: beyond the felt's nearest edge that is not the dealers'."""
        felt = self.layout.felt
        x0, y0, x1, y1 = felt.bounds
        ring = np.asarray(felt.exterior.segmentize(20.0).coords)
        middle = (x0 + x1) / 2
        dealers = (ring[:, 1] < y0 + 0.3 * (y1 - y0)) & (np.abs(ring[:, 0] - middle) < 0.36 * (x1 - x0))
        ring = ring[~dealers]
        edge = ring[int(np.hypot(ring[:, 0] - at[0], ring[:, 1] - at[1]).argmin())]
        away = edge - np.asarray(at)
        away /= max(float(np.hypot(*away)), 1.0)
        return float(edge[0] + 40.0 * away[0]), float(edge[1] + 40.0 * away[1])

    def centre_or_free(self, spot: Spot, size_mm: tuple[float, float], where: float) -> At:
        """The middle of a place or, where the drawing has none, of a rectangle (width, depth) near the
        dealers' edge in which nothing is drawn, as near as can be to this part of the felt's width."""
        zone = self.layout.zone(spot)
        if zone is not None:
            return zone.centre_mm
        x0, y0, x1, _ = self.layout.felt.bounds
        y = y0 + 40.0 + size_mm[1] / 2
        zones = shapely.unary_union([zone.polygon for zone in self.layout.zones])
        wanted = x0 + where * (x1 - x0)
        for off in sorted(np.arange(x0 + 150.0, x1 - 150.0, 20.0), key=lambda x: abs(x - wanted)):
            box = shapely.box(
                off - size_mm[0] / 2, y - size_mm[1] / 2, off + size_mm[0] / 2, y + size_mm[1] / 2
            )
            if self.layout.felt.contains(box) and not zones.intersects(box):
                return float(off), y
        return wanted, y

    @property
    def float_mm(self) -> At:
        """The middle of the dealers' chips."""
        return self.centre_or_free(FLOAT, (440.0, 70.0), 0.5)
