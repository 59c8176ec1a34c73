"""The layout: a drawing of the felt in millimetres that *is* the table's geometry.

Attributes on its shapes say what they mean (docs/layout.md): ``data-spot`` makes a shape a zone,
``data-half-line="outline"`` makes the sides of that zone halve a bet, and ``data-line`` with ``data-halves``
or ``data-splits`` makes a drawn line one that halves a bet or splits it between two zones. ``data-felt``
marks the felt's edge. The dealer stands at the smallest y.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import ArrayLike
from shapely import LineString, MultiLineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.spots import OFF_TABLE, TABLE, Area, Spot
from vision.camera import Floats
from vision.errors import LayoutError
from vision.svg import SHAPES, Drawing, Shape, parse_drawing, read_text

ATTRIBUTES = ("data-spot", "data-half-line", "data-line", "data-halves", "data-splits", "data-felt")
"""The attributes that the layout understands."""


@unique
class Effect(StrEnum):
    """What a line does to a bet whose base lies on it."""

    HALVES = "halves"
    """The bet plays for half."""
    SPLITS = "splits"
    """The bet plays half and half on two spots."""


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A shape that is a spot. ``polygon``: millimetres; ``element``: what the drawing calls it."""

    spot: Spot
    polygon: Polygon
    element: str

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
    edge, millimetres. Zones and lines are in the drawing's order."""

    name: str
    svg: str
    frame_mm: tuple[float, float, float, float]
    felt: Polygon
    zones: tuple[Zone, ...]
    lines: tuple[Line, ...]

    @classmethod
    def read(cls, path: Path | str) -> Layout:
        """Read a drawing. Raises LayoutError, a sentence naming the file, the element and the remedy."""
        return cls.parse(read_text(Path(path)), str(path))

    @classmethod
    def parse(cls, text: str, name: str = "drawing") -> Layout:
        """Read a drawing's text; ``name`` is what messages call it. Raises LayoutError."""
        return _Reader(name, parse_drawing(text, name)).layout()

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have a betting box, in order."""
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

    def spot_at(self, xy_mm: tuple[float, float]) -> Spot:
        """The spot at a point: the smallest zone it lies in (edges included), else ``table`` on the felt,
        else ``off table``."""
        point = Point(xy_mm)
        inside = [zone for zone in self.zones if zone.polygon.covers(point)]
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

        Its spot is the zone its centre lies in. A stack whose centre lies outside every zone but whose base
        crosses the outline of a betting box belongs to that box (the nearest of several).
        """
        spot = self.spot_at(xy_mm)
        if spot.area in (Area.TABLE, Area.OFF_TABLE):
            point = Point(xy_mm)
            boxes = [
                (zone.polygon.distance(point), number, zone.spot)
                for number, zone in enumerate(self.zones)
                if zone.spot.area is Area.BET
            ]
            distance, _, box = min(boxes, default=(np.inf, 0, spot))
            if distance < radius_mm:
                spot = box
        return Place(spot, self.line_under(xy_mm, radius_mm, spot))

    def on_felt(self, xy_mm: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(n,): whether each of (n, 2) points lies on the felt."""
        points = np.asarray(xy_mm, np.float64)
        return np.asarray(shapely.contains_xy(self.felt, points[:, 0], points[:, 1]))


class _Reader:
    """Gives a drawing's shapes their meaning."""

    def __init__(self, name: str, drawing: Drawing) -> None:
        self.name, self.drawing = name, drawing
        self.zones: dict[Spot, Zone] = {}
        self.lines: dict[str, Line] = {}
        self.felt: Polygon | None = None

    def wrong(self, shape: Shape, what: str) -> LayoutError:
        return LayoutError(f"The layout {self.name}: {shape.name} {what}")

    def layout(self) -> Layout:
        for shape in self.drawing.shapes:
            self.check_names(shape)
            if "data-felt" in shape.attributes:
                self.add_felt(shape)
            if "data-spot" in shape.attributes:
                self.add_zone(shape)
        if not self.zones:
            raise LayoutError(
                f"The layout {self.name} has no zones: give each betting box and card place the attribute"
                ' data-spot, such as data-spot="seat 3 punto" or data-spot="hand banca".'
            )
        for shape in self.drawing.shapes:
            self.add_lines(shape)
        self.check_overlaps()
        felt = self.felt or shapely.box(*self.drawing.frame_mm)
        return Layout(
            self.name,
            self.drawing.text,
            self.drawing.frame_mm,
            felt,
            tuple(self.zones.values()),
            tuple(self.lines.values()),
        )

    def check_names(self, shape: Shape) -> None:
        known = set(shape.attributes) & set(ATTRIBUTES)
        for key in shape.attributes.keys() - known:
            if close := difflib.get_close_matches(key, ATTRIBUTES, 1, 0.8):
                raise self.wrong(shape, f"has the unknown attribute {key}: write {close[0]}.")
        if known and not shape.outlines:
            if not shape.tag:
                raise self.wrong(
                    shape, "is inside <defs> or the like and is not drawn: move it into the drawing."
                )
            if shape.tag in SHAPES:
                raise self.wrong(shape, "is empty: draw it, or remove its data- attributes.")
            raise self.wrong(
                shape,
                f"cannot be a zone or a line: put {min(known)} on a rect, polygon, path, circle or ellipse"
                " (ungroup a group, unlink a clone).",
            )

    def polygon(self, shape: Shape) -> Polygon:
        """The area that a shape encloses. Holes are where its outlines lie within each other."""
        if shape.tag == "line":
            raise self.wrong(shape, "is a single line and encloses nothing: draw the zone's whole outline.")
        area: BaseGeometry = Polygon()
        for outline in shape.outlines:
            if len(outline.points) < 3:
                continue
            ring = Polygon(outline.points)
            if ring.convex_hull.area < 1e-6:
                continue
            if not ring.is_valid:
                cross = shapely.is_valid_reason(ring).rpartition("[")[2].rstrip("]").split()
                where = " near ({:.0f}, {:.0f}) mm".format(*map(float, cross[:2])) if len(cross) >= 2 else ""
                raise self.wrong(shape, f"crosses itself{where}: draw its corners in order around it.")
            area = area.symmetric_difference(ring)
        if not isinstance(area, Polygon) or area.area <= 0:
            pieces = "encloses nothing" if area.area <= 0 else "falls into several pieces"
            raise self.wrong(shape, f"{pieces}: draw one closed outline for each zone.")
        if len(shape.outlines) == 1:
            return Polygon(shape.outlines[0].points)  # keeps the drawing's order of corners
        return area

    def spot(self, shape: Shape, attribute: str, text: str) -> Spot:
        try:
            return Spot.parse(text.strip())
        except ValueError as error:
            raise self.wrong(shape, f"has {attribute}={text!r}, but {error}.") from None

    def add_felt(self, shape: Shape) -> None:
        if self.felt is not None:
            raise self.wrong(shape, "is a second shape with data-felt: keep one, the felt's edge.")
        self.felt = self.polygon(shape)

    def add_zone(self, shape: Shape) -> None:
        spot = self.spot(shape, "data-spot", shape.attributes["data-spot"])
        if spot in self.zones:
            raise self.wrong(
                shape,
                f"is {spot} a second time, after {self.zones[spot].element}: a spot has one zone, so correct"
                " one of the two.",
            )
        if spot in (TABLE, OFF_TABLE):
            raise self.wrong(
                shape, f"cannot be the spot {str(spot)!r}: mark the felt's edge with data-felt instead."
            )
        self.zones[spot] = Zone(spot, self.polygon(shape), shape.name)

    def add_lines(self, shape: Shape) -> None:
        half = shape.attributes.get("data-half-line")
        if half is not None:
            self.add_outline(shape, half)
        halves, splits = (shape.attributes.get(key) for key in ("data-halves", "data-splits"))
        line_id = shape.attributes.get("data-line")
        if line_id is None:
            if halves is not None or splits is not None:
                raise self.wrong(shape, "has no data-line: give the line an id of its own with data-line.")
            return
        if not line_id.strip():
            raise self.wrong(shape, "has an empty data-line: give the line an id of its own.")
        if line_id in self.lines:
            raise self.wrong(
                shape, f"is the line {line_id!r} a second time: give each line another data-line."
            )
        if (halves is None) == (splits is None):
            raise self.wrong(shape, "needs either data-halves or data-splits, to say what the line does.")
        attribute, text = ("data-halves", halves) if halves is not None else ("data-splits", splits or "")
        spots = tuple(self.spot(shape, attribute, part) for part in (text or "").split("|"))
        for spot in spots:
            if spot not in self.zones:
                raise self.wrong(
                    shape, f"speaks of {spot}, which no zone is: draw that zone or correct {attribute}."
                )
        wanted = 1 if halves is not None else 2
        if len(set(spots)) != wanted:
            form = "one spot" if wanted == 1 else "two spots, 'spot a|spot b'"
            raise self.wrong(shape, f"has {attribute}={text!r}: name {form}.")
        effect = Effect.HALVES if halves is not None else Effect.SPLITS
        self.lines[line_id] = Line(line_id, effect, spots, _stroke(shape))

    def add_outline(self, shape: Shape, value: str) -> None:
        if value != "outline":
            raise self.wrong(
                shape,
                f'has data-half-line={value!r}: the only value is "outline"; other lines use data-line.',
            )
        if "data-spot" not in shape.attributes:
            raise self.wrong(
                shape, "has data-half-line but no data-spot: say which spot's bets its sides halve."
            )
        spot = self.spot(shape, "data-spot", shape.attributes["data-spot"])
        line_id = f"{spot}:outline"
        path = LineString(self.zones[spot].polygon.exterior.coords)
        self.lines[line_id] = Line(line_id, Effect.HALVES, (spot,), path)

    def check_overlaps(self) -> None:
        boxes = [zone for zone in self.zones.values() if zone.spot.area is Area.BET]
        tree = shapely.STRtree([zone.polygon for zone in boxes])
        for i, zone in enumerate(boxes):
            for j in tree.query(zone.polygon):
                other = boxes[int(j)]
                shared = zone.polygon.intersection(other.polygon).area
                if j > i and shared > 0.05 * min(zone.polygon.area, other.polygon.area):
                    raise LayoutError(
                        f"The layout {self.name}: {zone.element} ({zone.spot}) and {other.element}"
                        f" ({other.spot}) lie over each other, so a bet there would belong to both:"
                        " move them apart."
                    )


def _stroke(shape: Shape) -> LineString | MultiLineString:
    paths = []
    for outline in shape.outlines:
        closing = outline.points[:1] if outline.closed else outline.points[:0]
        paths.append(LineString(np.concatenate([outline.points, closing])))
    return paths[0] if len(paths) == 1 else MultiLineString(paths)
