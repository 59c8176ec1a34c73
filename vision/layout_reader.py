"""Gives a drawing's shapes their meaning: zones, lines, the felt's edge; says of each what is wrong.

The attributes are told of in docs/layout.md. Reading goes on after a mistake, so that all are found at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable

import numpy as np
import shapely
from shapely import LineString, MultiLineString, Polygon
from shapely.geometry.base import BaseGeometry

from rules.spots import OFF_TABLE, TABLE, Area, Spot
from vision.errors import LayoutError
from vision.layout import Effect, Layout, Line, Zone
from vision.svg import SHAPES, Drawing, Shape, parse_drawing

ATTRIBUTES = ("data-spot", "data-half-line", "data-line", "data-halves", "data-splits", "data-felt")
"""The attributes that the layout understands."""
_MOST_RINGS = 50
"""A zone is one outline with a few holes; putting many together takes long."""


def read_layout(text: str, name: str) -> tuple[Layout | None, list[str]]:
    """Read a drawing's text: the layout as far as it can be read (None: not at all), and a sentence on each
    thing that is wrong. ``name`` is what messages call it. Never raises."""
    try:
        reader = _Reader(name, parse_drawing(text, name))
    except LayoutError as error:
        return None, [str(error)]
    return reader.layout(), reader.problems


class _Reader:
    """Gives a drawing's shapes their meaning, and notes what is wrong."""

    def __init__(self, name: str, drawing: Drawing) -> None:
        self.name, self.drawing = name, drawing
        self.zones: dict[Spot, Zone] = {}
        self.lines: dict[str, Line] = {}
        self.felt: Polygon | None = None
        self.problems: list[str] = list(drawing.problems)

    def wrong(self, shape: Shape, what: str) -> LayoutError:
        return LayoutError(f"The layout {self.name}: {shape.name} {what}")

    def layout(self) -> Layout | None:
        for shape in self.drawing.shapes:
            self.attempt(self.add_area, shape)
        if not self.zones and not self.problems:
            self.problems.append(
                f"The layout {self.name} has no zones: give each betting box and card place the attribute"
                ' data-spot, such as data-spot="seat 3 punto" or data-spot="hand banca".'
            )
        for shape in self.drawing.shapes:
            self.attempt(self.add_lines, shape)
        self.check_overlaps()
        if not self.zones:
            return None
        return Layout(
            self.name,
            self.drawing.text,
            self.drawing.frame_mm,
            self.felt or shapely.box(*self.drawing.frame_mm),
            tuple(self.zones.values()),
            tuple(self.lines.values()),
            self.drawing.game,
            self.drawing.dealers,
        )

    def attempt(self, add: Callable[[Shape], None], shape: Shape) -> None:
        try:
            add(shape)
        except LayoutError as error:
            self.problems.append(str(error))

    def add_area(self, shape: Shape) -> None:
        self.check_names(shape)
        if "data-felt" in shape.attributes:
            self.add_felt(shape)
        if "data-spot" in shape.attributes:
            self.add_zone(shape)

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
        if len(shape.outlines) > _MOST_RINGS:
            raise self.wrong(
                shape, f"has {len(shape.outlines)} outlines: draw one closed outline for each zone."
            )
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
        self.zones[spot] = Zone(spot, self.polygon(shape), shape.name, bool(shape.id), shape.hidden)

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
        if spot not in self.zones:
            return  # its zone is among the problems
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
                    self.problems.append(
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
