"""The corners of a drawing by name: what a technician can point at on the felt and in the picture.

``seat 3 punto, top left`` is as on the drawing, the dealer on top. Where boxes touch, the shared corner has
the name of the first.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import Polygon

from rules.errors import VeedorError
from vision.camera import Floats
from vision.layout import Layout

_SAME_MM = 3.0
"""Corners nearer than this are one."""
_STRAIGHT_MM = 0.6
"""How far an outline may leave its corners' polygon and still count as straight."""
_TURN_DEG = 25.0
"""An outline that turns by less has no corner there."""
_MOST_CORNERS = 8
"""An outline with more is round, and offers its four ends."""


@dataclass(frozen=True, slots=True)
class Corner:
    """One corner of the drawing, ``mm`` on the layout."""

    name: str
    mm: tuple[float, float]


def corners_of(layout: Layout) -> tuple[Corner, ...]:
    """The drawing's corners in its order, the felt's last; each place once, each name once."""
    found: list[Corner] = []
    shapes = [(str(zone.spot), zone.polygon) for zone in layout.zones] + [("felt", layout.felt)]
    names: set[str] = set()
    for shape, polygon in shapes:
        for name, (x, y) in _of_shape(shape, polygon):
            if any(np.hypot(x - other.mm[0], y - other.mm[1]) < _SAME_MM for other in found):
                continue
            number, unique = 2, name
            while unique in names:
                unique, number = f"{name} {number}", number + 1
            names.add(unique)
            found.append(Corner(unique, (round(x, 2), round(y, 2))))
    return tuple(found)


def corner_named(corners: tuple[Corner, ...], name: str) -> Corner:
    """A corner by its name. Raises VeedorError with the nearest right one."""
    for corner in corners:
        if corner.name == name:
            return corner
    close = difflib.get_close_matches(name, [corner.name for corner in corners], 1, 0.4)
    hint = f"did you mean {close[0]!r}?" if close else "veedor calibrate --corners lists them."
    raise VeedorError(f"The drawing has no corner {name!r}: {hint}")


def _of_shape(shape: str, polygon: Polygon) -> Iterator[tuple[str, tuple[float, float]]]:
    points = _turns(polygon)
    middle = polygon.centroid
    if 3 <= len(points) <= _MOST_CORNERS:
        if len(points) == 4:
            for name, (x, y) in zip(_turned(points), points, strict=True):
                yield f"{shape}, {name}", (float(x), float(y))
            return
        size = np.ptp(points, axis=0)
        for x, y in points:
            yield f"{shape}, {_side(x - middle.x, y - middle.y, size)}", (float(x), float(y))
        return
    outline = np.asarray(polygon.exterior.coords)[:-1]
    for name, at in (
        ("top", outline[outline[:, 1].argmin()]),
        ("right", outline[outline[:, 0].argmax()]),
        ("bottom", outline[outline[:, 1].argmax()]),
        ("left", outline[outline[:, 0].argmin()]),
    ):
        yield f"{shape}, {name}", (float(at[0]), float(at[1]))


def _turns(polygon: Polygon) -> Floats:
    """(n, 2): where the outline turns sharply."""
    points = np.asarray(shapely.simplify(polygon.exterior, _STRAIGHT_MM).coords)[:-1]
    before, after = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    turn = np.degrees(np.abs(np.arctan2(cross, (before * after).sum(axis=1))))
    return np.asarray(points[turn > _TURN_DEG])


def _turned(points: Floats) -> list[str]:
    """What the four corners of a box are called, however it is turned."""
    angle = np.degrees(np.arctan2(*(points - points.mean(axis=0)).T[::-1]))
    clockwise = np.argsort(angle)
    off = (angle[clockwise] - [-135, -45, 45, 135] + 180) % 360 - 180
    mean = float(np.degrees(np.angle(np.exp(1j * np.radians(off)).mean())))
    first = round(mean / 90)  # so many quarters beyond where they would stand upright
    names = ["top left", "top right", "bottom right", "bottom left"]
    order = {int(corner): names[(place + first) % 4] for place, corner in enumerate(clockwise)}
    return [order[i] for i in range(4)]


def _side(dx: float, dy: float, size: Floats) -> str:
    """Which corner it is, seen from the shape's middle; a corner on an axis is only left, top, ..."""
    words = []
    if abs(dy) > 0.08 * size[1]:
        words.append("top" if dy < 0 else "bottom")
    if abs(dx) > 0.08 * size[0]:
        words.append("left" if dx < 0 else "right")
    return " ".join(words) or "middle"
