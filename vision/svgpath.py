"""Outlines of SVG shapes as points: paths with every command, arcs and curves flattened to a tolerance.

After the SVG 1.1 specification, chapters 8 (paths), 9 (basic shapes) and appendix F.6 (elliptical arcs).
Raises ValueError, saying what cannot be read, for anything malformed.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from vision.camera import Floats

_NUMBER = re.compile(r"[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_MOST = 1e9
"""The largest number a path may hold: what is beyond cannot be reckoned with."""
_FLAG = re.compile(r"[\s,]*([01])")
_COMMAND = re.compile(r"[\s,]*([MmZzLlHhVvCcSsQqTtAa])")
_END = re.compile(r"[\s,]*\Z")
_MAX_POINTS = 20_000
"""What a shape may have when it is flattened: the most elaborate felt has some hundred."""
_MAX_PIECES = 720


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """One subpath: ``points`` (n, 2) in the shape's own units, and whether it was closed."""

    points: Floats
    closed: bool


class _Pen:
    """Draws subpaths, flattening as it goes. ``tolerance`` is in the shape's own units."""

    def __init__(self, tolerance: float) -> None:
        self.tolerance = tolerance
        self.done: list[Outline] = []
        self.open: list[complex] = []
        self.at = 0j
        self.drawn = 0

    def move(self, to: complex) -> None:
        self.finish(closed=False)
        self.at, self.open = to, [to]

    def line(self, to: complex) -> None:
        self._add([to])

    def _add(self, points: list[complex]) -> None:
        if not self.open:
            self.open = [self.at]
        self.open += points
        self.at = points[-1]
        self.drawn += len(points)
        if self.drawn > _MAX_POINTS:
            raise ValueError(f"it has more than {_MAX_POINTS} points, more than any outline needs")

    def _pieces(self, bend: float) -> int:
        return max(1, min(_MAX_PIECES, math.ceil(math.sqrt(bend / self.tolerance))))

    def quadratic(self, c: complex, to: complex) -> None:
        start = self.at
        n = self._pieces(0.25 * abs(start - 2 * c + to))
        steps = [i / n for i in range(1, n + 1)]
        self._add([(1 - s) ** 2 * start + 2 * s * (1 - s) * c + s * s * to for s in steps])

    def cubic(self, c: complex, d: complex, to: complex) -> None:
        start = self.at
        n = self._pieces(0.75 * max(abs(start - 2 * c + d), abs(c - 2 * d + to)))
        steps = [i / n for i in range(1, n + 1)]
        self._add(
            [
                (1 - s) ** 3 * start + 3 * s * (1 - s) ** 2 * c + 3 * s * s * (1 - s) * d + s**3 * to
                for s in steps
            ]
        )

    def arc(self, rx: float, ry: float, turn_deg: float, large: bool, sweep: bool, to: complex) -> None:
        start, rx, ry = self.at, abs(rx), abs(ry)
        if start == to:
            return
        if rx == 0 or ry == 0:
            self.line(to)
            return
        turn = complex(math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg)))
        half = (start - to) / 2 * turn.conjugate()
        stretch = (half.real / rx) ** 2 + (half.imag / ry) ** 2
        if stretch > 1:
            rx, ry = rx * math.sqrt(stretch), ry * math.sqrt(stretch)
        unit = complex(half.real / rx, half.imag / ry)
        if abs(unit) < 1e-9:  # so large an arc is straight
            self.line(to)
            return
        reach = math.sqrt(max(0.0, 1 / abs(unit) ** 2 - 1)) * (-1 if large == sweep else 1)
        middle = unit * -1j * reach  # centre on the unit circle's scale, relative to the chord's middle
        first, last = unit - middle, -unit - middle
        angle = math.atan2(first.imag, first.real)
        span = math.atan2(last.imag, last.real) - angle
        if sweep and span < 0:
            span += 2 * math.pi
        elif not sweep and span > 0:
            span -= 2 * math.pi
        piece = 2 * math.acos(max(0.0, 1 - self.tolerance / max(rx, ry, self.tolerance)))
        n = max(1, min(_MAX_PIECES, math.ceil(abs(span) / max(piece, 1e-3))))
        centre = (start + to) / 2 + complex(middle.real * rx, middle.imag * ry) * turn
        points = []
        for i in range(1, n):
            a = angle + span * i / n
            points.append(centre + complex(rx * math.cos(a), ry * math.sin(a)) * turn)
        self._add([*points, to])

    def finish(self, *, closed: bool) -> None:
        points = self.open
        if closed and len(points) > 1 and abs(points[0] - points[-1]) < 1e-9:
            points = points[:-1]
        if len(points) > 1:
            self.done.append(Outline(np.array([[p.real, p.imag] for p in points]), closed))
        if self.open and closed:
            self.at = self.open[0]
        self.open = []


class _Scanner:
    """Reads a path's text from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    def _take(self, pattern: re.Pattern[str], what: str) -> str:
        found = pattern.match(self.text, self.place)
        if not found:
            rest = self.text[self.place : self.place + 12].strip() or "its end"
            raise ValueError(f"its path has no {what} at {rest!r}")
        self.place = found.end()
        return found[1]

    def number(self) -> float:
        value = float(self._take(_NUMBER, "number"))
        if not abs(value) <= _MOST:
            raise ValueError("its path has a number that is too large")
        return value

    def flag(self) -> bool:
        return self._take(_FLAG, "arc flag (0 or 1)") == "1"

    def point(self, origin: complex) -> complex:
        return origin + complex(self.number(), self.number())

    def command(self) -> str:
        return self._take(_COMMAND, "command")

    def more_numbers(self) -> bool:
        return _NUMBER.match(self.text, self.place) is not None

    def at_end(self) -> bool:
        return _END.match(self.text, self.place) is not None


def path_outlines(text: str, tolerance: float) -> list[Outline]:
    """The subpaths of a ``d`` attribute."""
    scan, pen = _Scanner(text), _Pen(tolerance)
    last, control = "", 0j
    while not scan.at_end():
        command = scan.command()
        if not last and command not in "Mm":
            raise ValueError("its path does not begin with M")
        while True:
            control = _draw(command, scan, pen, control if last.upper() in _KIN[command.upper()] else pen.at)
            last = command
            if command in "Zz" or not scan.more_numbers():
                break
            command = {"M": "L", "m": "l"}.get(command, command)
    pen.finish(closed=False)
    return pen.done


_KIN = dict.fromkeys("MZLHVCQA", "") | {"S": "CS", "T": "QT"}
"""The commands whose last control point a smooth command mirrors."""


def _draw(command: str, scan: _Scanner, pen: _Pen, control: complex) -> complex:
    """One command's worth of numbers; returns the control point for a smooth command to mirror."""
    origin = pen.at if command.islower() else 0j
    match command.upper():
        case "M":
            pen.move(scan.point(origin))
        case "Z":
            pen.finish(closed=True)
        case "L":
            pen.line(scan.point(origin))
        case "H":
            pen.line(complex(origin.real + scan.number(), pen.at.imag))
        case "V":
            pen.line(complex(pen.at.real, origin.imag + scan.number()))
        case "C":
            c, control = scan.point(origin), scan.point(origin)
            pen.cubic(c, control, scan.point(origin))
            return control
        case "S":
            c, control = 2 * pen.at - control, scan.point(origin)
            pen.cubic(c, control, scan.point(origin))
            return control
        case "Q":
            control = scan.point(origin)
            pen.quadratic(control, scan.point(origin))
            return control
        case "T":
            control = 2 * pen.at - control
            pen.quadratic(control, scan.point(origin))
            return control
        case "A":
            rx, ry, turn = scan.number(), scan.number(), scan.number()
            large, sweep = scan.flag(), scan.flag()
            pen.arc(rx, ry, turn, large, sweep, scan.point(origin))
    return pen.at


def points_outline(text: str, *, closed: bool) -> list[Outline]:
    """The outline of a polygon's or polyline's ``points``."""
    scan, points = _Scanner(text), []
    while not scan.at_end():
        points.append(scan.point(0j))
        if len(points) > _MAX_POINTS:
            raise ValueError(f"it has more than {_MAX_POINTS} points, more than any outline needs")
    if closed and len(points) > 1 and points[0] == points[-1]:
        points.pop()
    if len(points) < 2:
        raise ValueError("it has fewer than two points")
    return [Outline(np.array([[p.real, p.imag] for p in points]), closed)]


def rect_outline(
    x: float, y: float, width: float, height: float, rx: float, ry: float, tolerance: float
) -> list[Outline]:
    """The outline of a rectangle with rounded corners (radii 0 = sharp), from its top left clockwise."""
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    if rx <= 0 or ry <= 0:
        corners = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
        return [Outline(np.array(corners), closed=True)]
    pen = _Pen(tolerance)
    pen.move(complex(x + rx, y))
    for to, corner in (
        (complex(x + width - rx, y), complex(x + width, y + ry)),
        (complex(x + width, y + height - ry), complex(x + width - rx, y + height)),
        (complex(x + rx, y + height), complex(x, y + height - ry)),
        (complex(x, y + ry), complex(x + rx, y)),
    ):
        pen.line(to)
        pen.arc(rx, ry, 0, False, True, corner)
    pen.finish(closed=True)
    return pen.done


def ellipse_outline(cx: float, cy: float, rx: float, ry: float, tolerance: float) -> list[Outline]:
    """The outline of an ellipse, clockwise on the drawing from its rightmost point."""
    pen = _Pen(tolerance)
    pen.move(complex(cx + rx, cy))
    pen.arc(rx, ry, 0, False, True, complex(cx - rx, cy))
    pen.arc(rx, ry, 0, False, True, complex(cx + rx, cy))
    pen.finish(closed=True)
    return pen.done
