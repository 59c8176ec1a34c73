"""The layout: a drawing of the felt in millimetres that *is* the table's geometry.

Attributes on its shapes say what they mean (docs/layout.md): ``data-spot`` makes a shape a zone,
``data-half-line="outline"`` makes the sides of that zone halve a bet, and ``data-line`` with ``data-halves``
or ``data-splits`` makes a drawn line one that halves a bet or splits it between two zones. ``data-felt``
marks the felt's edge. The dealer stands at the smallest y.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely import LineString, MultiLineString, Point, Polygon

from rules.spots import OFF_TABLE, TABLE, Area, Spot
from vision.camera import Floats
from vision.errors import LayoutError
from vision.svg import read_text

MARKERS = frozenset({"button", "shoe"})
"""Places of a seat that are no bets: where the button lies, where a player has the shoe."""


def is_marker(spot: Spot) -> bool:
    """Whether it is a place for a marker: chips that lie there are not at it, but on the felt."""
    return spot.area is Area.BET and spot.bet in MARKERS


def takes_bets(spot: Spot) -> bool:
    """Whether chips at a spot are a bet."""
    return spot.area is Area.BET and spot.bet not in MARKERS


HOLDS = frozenset({Area.BANK, Area.GARAGE, Area.POT})
"""Places other than bets whose chips play: a banker's stake and what he keeps out of it, the pot."""


def holds_chips(spot: Spot) -> bool:
    """Whether the chips at a spot are told of: they are a bet, or play as a banker's or the pot."""
    return takes_bets(spot) or spot.area in HOLDS


@unique
class Effect(StrEnum):
    """What a line does to a bet whose base lies on it."""

    HALVES = "halves"
    """The bet plays for half."""
    SPLITS = "splits"
    """The bet plays half and half on two spots."""


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A shape that is a spot. ``polygon``: millimetres; ``element``: what the drawing calls it; ``has_id``:
    whether by an id; ``hidden``: it is not shown."""

    spot: Spot
    polygon: Polygon
    element: str
    has_id: bool = True
    hidden: bool = False

    @property
    def centre_mm(self) -> tuple[float, float]:
        """A point well inside the zone: its centroid, unless the shape is hollow there."""
        centre = self.polygon.centroid
        inside = centre if self.polygon.contains(centre) else self.polygon.representative_point()
        return inside.x, inside.y

    @property
    def corners_mm(self) -> Floats:
        """(n, 2): the outer outline's points in the drawing's order, each once."""
        return np.asarray(self.polygon.exterior.coords)[:-1]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line with a meaning. ``id``: ``<spot>:outline`` for a zone's sides, else what the drawing calls it.

    ``spots``: the one spot whose bets it halves, or the two between which it splits. ``path``: the drawn
    stroke's middle, millimetres.
    """

    id: str
    effect: Effect
    spots: tuple[Spot, ...]
    path: LineString | MultiLineString


@dataclass(frozen=True, slots=True)
class Place:
    """Where a stack stands: its spot, and the id of the line its base lies on, if one acts on that spot."""

    spot: Spot
    line: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A table's geometry. ``frame_mm``: x0, y0, x1, y1 of the sheet that ``svg`` shows; ``felt``: the felt's
    edge, millimetres; ``game``: which game the drawing says it is for; ``dealers``: how many stand
    side by side at the dealers' edge. Zones and lines are in its order."""

    name: str
    svg: str
    frame_mm: tuple[float, float, float, float]
    felt: Polygon
    zones: tuple[Zone, ...]
    lines: tuple[Line, ...]
    game: str | None = None
    dealers: int = 1

    @classmethod
    def read(cls, path: Path | str) -> Layout:
        """Read a drawing. Raises LayoutError, a sentence naming the file, the element and the remedy."""
        return cls.parse(read_text(Path(path)), str(path))

    @classmethod
    def parse(cls, text: str, name: str = "drawing") -> Layout:
        """Read a drawing's text; ``name`` is what messages call it. Raises LayoutError."""
        from vision.layout_reader import read_layout  # it makes layouts, so it knows this module

        layout, problems = read_layout(text, name)
        if layout is None or problems:
            raise LayoutError(problems[0])
        return layout

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have a betting box or a place for a marker, in order."""
        return tuple(sorted({zone.spot.seat for zone in self.zones if zone.spot.seat is not None}))

    @property
    def dealer_edge_mm(self) -> float:
        """The y of the dealer's edge of the felt: the smallest."""
        return float(self.felt.bounds[1])

    def zone(self, spot: Spot) -> Zone | None:
        """The zone of a spot, or None if the drawing has none."""
        return next((zone for zone in self.zones if zone.spot == spot), None)

    def line(self, line_id: str) -> Line | None:
        """The line with this id, or None."""
        return next((line for line in self.lines if line.id == line_id), None)

    def spot_at(self, xy_mm: tuple[float, float], *, chips: bool = False) -> Spot:
        """The spot at a point: the smallest zone it lies in (edges included), else ``table`` on the felt,
        else ``off table``. ``chips``: for chips, which are never at a place for markers."""
        point = Point(xy_mm)
        covering = shapely.covers(
            [zone.polygon for zone in self.zones], point
        )  # at once: a tenth of the time
        inside = [self.zones[number] for number in np.flatnonzero(covering)]
        inside = [zone for zone in inside if not (chips and is_marker(zone.spot))]
        if inside:
            return min(inside, key=lambda zone: zone.polygon.area).spot
        return TABLE if self.felt.covers(point) else OFF_TABLE

    def line_under(
        self, xy_mm: tuple[float, float], radius_mm: float, spot: Spot | None = None
    ) -> str | None:
        """The id of the line on which a base lies: the disc of this radius at a point crosses its middle.

        ``spot``: only lines that act on bets there. Of several, the one nearest to the point; None if none.
        """
        point = Point(xy_mm)
        near = [
            (line.path.distance(point), number, line.id)
            for number, line in enumerate(self.lines)
            if spot is None or spot in line.spots
        ]
        distance, _, line_id = min(near, default=(np.inf, 0, None))
        return line_id if distance < radius_mm else None

    def place(self, xy_mm: tuple[float, float], radius_mm: float) -> Place:
        """Where a stack whose base has this radius stands.

        Its spot is the zone its centre lies in, places for markers left aside. A stack whose centre lies
        outside every zone but whose base crosses the outline of a betting box belongs to that box (the
        nearest of several).
        """
        spot = self.spot_at(xy_mm, chips=True)
        if spot.area in (Area.TABLE, Area.OFF_TABLE):
            point = Point(xy_mm)
            boxes = [zone for zone in self.zones if takes_bets(zone.spot)]
            if boxes:
                distances = shapely.distance([zone.polygon for zone in boxes], point)
                nearest = int(np.argmin(distances))
                if distances[nearest] < radius_mm:
                    spot = boxes[nearest].spot
        return Place(spot, self.line_under(xy_mm, radius_mm, spot))

    def on_felt(self, xy_mm: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(n,): whether each of (n, 2) points lies on the felt."""
        points = np.asarray(xy_mm, np.float64)
        return np.asarray(shapely.contains_xy(self.felt, points[:, 0], points[:, 1]))
