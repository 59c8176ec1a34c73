"""Reading a drawing safely: an SVG's shapes that carry ``data-`` attributes, as outlines in millimetres.

No entities, no external references, bounded size. The frame is the drawing's own axes, scaled to millimetres:
user coordinate 0 stays 0, x to the right, y down.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from vision.camera import Floats
from vision.errors import LayoutError
from vision.svgpath import (
    Outline,
    ellipse_outline,
    path_outlines,
    points_outline,
    rect_outline,
)

MAX_BYTES = 8_000_000
_MAX_ELEMENTS = 50_000
_MAX_DEPTH = 100
FLATNESS_MM = 0.05
"""How far a flattened curve may be from the drawn one."""

_PX_PER = {"": 1.0, "px": 1.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "pc": 16.0}
_PX_PER["q"] = 96 / 101.6
_FLOAT = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LENGTH = re.compile(rf"\s*({_FLOAT})\s*([a-zA-Z%]*)\s*")
_TRANSFORM = re.compile(r"[\s,]*([a-zA-Z]+)\s*\(([^()]*)\)")
SHAPES = frozenset({"rect", "circle", "ellipse", "line", "polyline", "polygon", "path"})
_NOT_DRAWN = frozenset({"defs", "symbol", "clipPath", "mask", "marker", "pattern", "metadata", "style"})


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One element of the drawing. ``name`` is how a person finds it; ``outlines``, in millimetres, is empty
    for what is no shape; ``tag`` is empty inside definitions, which are not drawn themselves."""

    name: str
    tag: str
    attributes: Mapping[str, str]
    outlines: tuple[Outline, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A drawing. ``frame_mm``: x0, y0, x1, y1 of the sheet; ``shapes``: what has data- attributes."""

    text: str
    frame_mm: tuple[float, float, float, float]
    shapes: tuple[Shape, ...]


def read_text(path: Path) -> str:
    """The drawing's text. Raises LayoutError if it is missing, unreadable, too large or not text."""
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise LayoutError(f"The layout {path} is a folder: give the SVG file itself.")
        if size > MAX_BYTES:
            raise LayoutError(
                f"The layout {path} has {size / 1e6:.1f} MB, more than the {MAX_BYTES / 1e6:.0f} MB a drawing"
                " may have: remove embedded pictures and save it again."
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise LayoutError(f"The layout {path} is not UTF-8 text: save it as a plain SVG in UTF-8.") from None
    except FileNotFoundError:
        raise LayoutError(f"The layout {path} does not exist: check the path in the table file.") from None
    except OSError as error:
        raise LayoutError(f"The layout {path} cannot be read ({error.strerror}): check its rights.") from None


def parse_drawing(text: str, name: str) -> Drawing:
    """Read an SVG's text; ``name`` is what messages call it. Raises LayoutError."""
    try:
        root = fromstring(text)
    except ParseError as error:
        line, column = error.position
        raise LayoutError(
            f"The layout {name} is not an SVG drawing: the XML breaks at line {line}, column {column + 1}."
            " Save it again as a plain SVG."
        ) from None
    except (DefusedXmlException, ValueError):
        raise LayoutError(
            f"The layout {name} uses XML entities or an encoding that is refused for safety:"
            " save it again as a plain SVG in UTF-8."
        ) from None
    if _local(root.tag) != "svg":
        raise LayoutError(
            f"The layout {name} is not an SVG drawing: it begins with <{_local(root.tag)}>, not with <svg>."
            " Give the drawing itself."
        )
    scale, frame = _units(root, name)
    matrix = np.diag([scale, scale, 1.0])
    return Drawing(text, frame, tuple(_shapes(root, matrix, name)))


def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _units(root: Element, name: str) -> tuple[float, tuple[float, float, float, float]]:
    """Millimetres per user unit and the sheet in millimetres, from width, height and viewBox."""
    size = [_physical(root, side, name) for side in ("width", "height")]
    if not all(200 <= side <= 20_000 for side in size):
        raise LayoutError(
            f"The layout {name} is {size[0]:g} by {size[1]:g} mm, which no table is: correct the width and"
            " height of the <svg> element."
        )
    box = root.get("viewBox")
    if box is None:
        return 1 / _PX_PER["mm"], (0.0, 0.0, size[0], size[1])
    numbers = [float(n) for n in re.split(r"[\s,]+", box.strip()) if re.fullmatch(_FLOAT, n)]
    if len(numbers) != 4 or numbers[2] <= 0 or numbers[3] <= 0:
        raise LayoutError(
            f"The layout {name} has the viewBox {box!r}: correct it to the form 'x y width height'."
        )
    x, y, width, height = numbers
    scale = size[0] / width
    if abs(size[1] / height / scale - 1) > 0.002:
        raise LayoutError(
            f"The layout {name} has another shape than its viewBox: {size[0]:g} x {size[1]:g} mm against"
            f" {width:g} x {height:g}. Make both the same shape, so that a unit is as long across as down."
        )
    return scale, (x * scale, y * scale, (x + width) * scale, (y + height) * scale)


def _physical(root: Element, side: str, name: str) -> float:
    """The width or height of the sheet, mm."""
    found = _LENGTH.fullmatch(root.get(side, ""))
    if not found or found[2].lower() not in _PX_PER or found[2] in ("", "px"):
        raise LayoutError(
            f"The layout {name} does not say how large the table is: give the <svg> element a {side} in"
            f' millimetres, such as {side}="1700mm" (it has {root.get(side)!r}), and a viewBox in the same'
            " numbers."
        )
    return float(found[1]) * _PX_PER[found[2].lower()] / _PX_PER["mm"]


def _shapes(root: Element, matrix: Floats, name: str) -> Iterator[Shape]:
    counts: dict[str, int] = {}
    waiting: list[tuple[Element, Floats, int, bool]] = [(root, matrix, 0, True)]
    seen = 0
    while waiting:
        element, outer, depth, drawn = waiting.pop()
        seen += 1
        if seen > _MAX_ELEMENTS or depth > _MAX_DEPTH:
            raise LayoutError(
                f"The layout {name} has more than {_MAX_ELEMENTS} elements or more than {_MAX_DEPTH} levels:"
                " simplify the drawing."
            )
        tag = _local(element.tag)
        counts[tag] = counts.get(tag, 0) + 1
        called = f"<{tag}> {element.get('id')!r}" if element.get("id") else f"<{tag}> number {counts[tag]}"
        data = {key: value for key, value in element.attrib.items() if key.startswith("data-")}
        try:
            inner = outer if element is root else outer @ _transform(element)
            if data and element is not root:
                outlines = tuple(_outlines(element, tag, inner)) if drawn and tag in SHAPES else ()
                yield Shape(called, tag if drawn else "", data, outlines)
        except ValueError as error:
            raise LayoutError(
                f"The layout {name}: {called} cannot be read, {error}. Draw it again."
            ) from None
        children = [child for child in element if isinstance(child.tag, str)]
        drawn = drawn and tag not in _NOT_DRAWN
        waiting += [(child, inner, depth + 1, drawn) for child in reversed(children)]


def _number(element: Element, key: str, default: float = 0.0) -> float:
    text = element.get(key)
    if text is None or text.strip() == "auto":
        return default
    found = _LENGTH.fullmatch(text)
    if not found or found[2].lower() not in _PX_PER:
        raise ValueError(f"its {key} is {text!r}, which is not a length")
    return float(found[1]) * _PX_PER[found[2].lower()]


def _outlines(element: Element, tag: str, matrix: Floats) -> Iterator[Outline]:
    stretch = float(np.linalg.norm(matrix[:2, :2], 2))
    tolerance = FLATNESS_MM / stretch if stretch > 0 else FLATNESS_MM
    for outline in _user_outlines(element, tag, tolerance):
        points = outline.points @ matrix[:2, :2].T + matrix[:2, 2]
        if not np.isfinite(points).all() or np.abs(points).max() > 1e6:
            raise ValueError("it lies kilometres away from the table")
        yield Outline(points, outline.closed)


def _user_outlines(element: Element, tag: str, tolerance: float) -> list[Outline]:
    """A shape's outlines in its own units."""

    def number(key: str, default: float = 0.0) -> float:
        return _number(element, key, default)

    if tag == "rect":
        rx, ry = element.get("rx"), element.get("ry")
        round_x = number("rx" if rx is not None else "ry")
        round_y = number("ry" if ry is not None else "rx")
        return rect_outline(
            number("x"), number("y"), number("width"), number("height"), round_x, round_y, tolerance
        )
    if tag in ("circle", "ellipse"):
        rx_, ry_ = (number("r"), number("r")) if tag == "circle" else (number("rx"), number("ry"))
        return ellipse_outline(number("cx"), number("cy"), rx_, ry_, tolerance)
    if tag == "line":
        ends = np.array([[number("x1"), number("y1")], [number("x2"), number("y2")]])
        return [Outline(ends, closed=False)]
    if tag == "path":
        return path_outlines(element.get("d", ""), tolerance)
    return points_outline(element.get("points", ""), closed=tag == "polygon")


def _transform(element: Element) -> Floats:
    """The 3x3 matrix of an element's transform attribute (and of a nested svg's or use's x and y)."""
    text = element.get("transform", "")
    if "transform" in element.get("style", ""):
        raise ValueError("its transform is written in its style: write it in the transform attribute")
    matrix = np.eye(3)
    place = 0
    while text[place:].strip(" \t\r\n,"):
        found = _TRANSFORM.match(text, place)
        if not found:
            raise ValueError(f"its transform {text!r} is not one")
        place = found.end()
        try:
            values = [float(v) for v in re.split(r"[\s,]+", found[2].strip())]
        except ValueError:
            raise ValueError(f"its transform {found[0].strip()!r} has no numbers") from None
        matrix = matrix @ _one_transform(found[1], values)
    if _local(element.tag) == "svg":
        if element.get("viewBox"):
            raise ValueError("an <svg> inside the drawing has its own viewBox: ungroup it")
        matrix = matrix @ _one_transform("translate", [_number(element, "x"), _number(element, "y")])
    return np.asarray(matrix)


def _one_transform(kind: str, v: list[float]) -> Floats:
    match kind, len(v):
        case "matrix", 6:
            return np.array([[v[0], v[2], v[4]], [v[1], v[3], v[5]], [0, 0, 1.0]])
        case "translate", 1 | 2:
            return np.array([[1, 0, v[0]], [0, 1, v[1] if len(v) > 1 else 0.0], [0, 0, 1.0]])
        case "scale", 1 | 2:
            return np.diag([v[0], v[-1], 1.0])
        case "rotate", 1 | 3:
            c, s = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
            x, y = v[1:] if len(v) == 3 else (0.0, 0.0)
            return np.array([[c, -s, x - c * x + s * y], [s, c, y - s * x - c * y], [0, 0, 1.0]])
        case "skewX", 1:
            return np.array([[1, math.tan(math.radians(v[0])), 0], [0, 1, 0], [0, 0, 1.0]])
        case "skewY", 1:
            return np.array([[1, 0, 0], [math.tan(math.radians(v[0])), 1, 0], [0, 0, 1.0]])
    raise ValueError(f"its transform {kind}({', '.join(f'{x:g}' for x in v)}) is not one")
