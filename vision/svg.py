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
from vision.layout_names import meaning_of_label
from vision.svgpath import (
    Outline,
    ellipse_outline,
    path_outlines,
    points_outline,
    rect_outline,
)

MAX_BYTES = 8_000_000
_MAX_ELEMENTS = 50_000
_MAX_SHAPES = 3_000
"""More places and lines with a meaning than this has no felt; each takes time to be looked over."""
_MAX_DEPTH = 100
FLATNESS_MM = 0.05
"""How far a flattened curve may be from the drawn one."""

_PX_PER = {"": 1.0, "px": 1.0, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0, "pt": 96 / 72, "pc": 16.0}
_PX_PER["q"] = 96 / 101.6
_FLOAT = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
_LENGTH = re.compile(rf"\s*({_FLOAT})\s*([a-zA-Z%]*)\s*")
_TRANSFORM = re.compile(r"[\s,]*([a-zA-Z]+)\s*\(([^()]*)\)")
SHAPES = frozenset({"rect", "circle", "ellipse", "line", "polyline", "polygon", "path"})
_LABELS = (
    "{http://www.inkscape.org/namespaces/inkscape}label",
    "data-name",  # Illustrator
    "{http://www.serif.com/}id",  # Affinity
)
"""Where drawing programs keep the name that a person gave an object."""
_GEOMETRY = frozenset({"transform", "d", "x", "y", "cx", "cy", "r", "rx", "ry", "width", "height", "points"})
"""Properties that would change a shape if they were written in its style."""
_NOT_DRAWN = frozenset({"defs", "symbol", "clipPath", "mask", "marker", "pattern", "metadata", "style"})


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """One element of the drawing. ``name`` is how a person finds it; ``outlines``, in millimetres, is empty
    for what is no shape; ``tag`` is empty inside definitions, which are not drawn themselves. ``id``: empty
    if it has none; ``hidden``: it is drawn, but not shown."""

    name: str
    tag: str
    attributes: Mapping[str, str]
    outlines: tuple[Outline, ...]
    id: str = ""
    hidden: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A drawing. ``frame_mm``: x0, y0, x1, y1 of the sheet; ``shapes``: what has a meaning; ``game``: which
    game it says it is for; ``problems``: sentences on elements that cannot be read; ``dealers``: how many
    stand at the table."""

    text: str
    frame_mm: tuple[float, float, float, float]
    shapes: tuple[Shape, ...]
    game: str | None = None
    problems: tuple[str, ...] = ()
    dealers: int = 1


def read_text(path: Path) -> str:
    """The drawing's text. Raises LayoutError if it is missing, unreadable, too large or not text."""
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise LayoutError(f"The layout {path} is a folder: give the SVG file itself.")
        if not path.is_file():
            raise LayoutError(f"The layout {path} is not a file: give the SVG file itself.")
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
    except ValueError as error:  # a path that no file can have
        raise LayoutError(f"The layout {str(path)!r} cannot be read ({error}): check the path.") from None


def parse_drawing(text: str, name: str) -> Drawing:
    """Read an SVG's text; ``name`` is what messages call it. Elements that cannot be read are among the
    drawing's problems. Raises LayoutError for what is no drawing, or of no known size."""
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
            " save it again as a plain SVG in UTF-8 (in Illustrator without 'Preserve Illustrator Editing"
            " Capabilities')."
        ) from None
    if _local(root.tag) != "svg":
        raise LayoutError(
            f"The layout {name} is not an SVG drawing: it begins with <{_local(root.tag)}>, not with <svg>."
            " Give the drawing itself."
        )
    scale, frame = _units(root, name)
    matrix = np.diag([scale, scale, 1.0])
    problems: list[str] = []
    shapes: list[Shape] = []
    for shape in _shapes(root, matrix, name, problems):
        shapes.append(shape)
        if len(shapes) > _MAX_SHAPES:
            raise LayoutError(
                f"The layout {name} has more than {_MAX_SHAPES} shapes with data- attributes (the last is"
                f" {shape.name}), and no felt has so many places: leave them only on zones and lines."
            )
    dealers = root.get("data-dealers", "1")
    if dealers not in ("1", "2"):
        problems.append(
            f"The layout {name} has data-dealers={dealers!r} on its <svg>: write 1, or 2 where two dealers"
            " stand side by side."
        )
    two = 2 if dealers == "2" else 1
    return Drawing(text, frame, tuple(shapes), root.get("data-game"), tuple(problems), two)


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
            " numbers. Illustrator leaves sizes out or writes points: add both to the first line and keep"
            " the viewBox."
        )
    return float(found[1]) * _PX_PER[found[2].lower()] / _PX_PER["mm"]


def _shapes(root: Element, matrix: Floats, name: str, problems: list[str]) -> Iterator[Shape]:
    counts: dict[str, int] = {}
    waiting: list[tuple[Element, Floats, int, bool, bool]] = [(root, matrix, 0, True, False)]
    seen = 0
    while waiting:
        element, outer, depth, drawn, hidden = waiting.pop()
        seen += 1
        if seen > _MAX_ELEMENTS or depth > _MAX_DEPTH:
            raise LayoutError(
                f"The layout {name} has more than {_MAX_ELEMENTS} elements or more than {_MAX_DEPTH} levels:"
                " simplify the drawing."
            )
        tag = _local(element.tag)
        counts[tag] = counts.get(tag, 0) + 1
        ident = element.get("id", "")
        called = f"<{tag}> {ident!r}" if ident else f"<{tag}> number {counts[tag]}"
        data = {} if element is root else _meaning(element, tag)
        style = _style(element)
        hidden = hidden or "none" in (style.get("display"), element.get("display"))
        shape: Shape | None = None
        try:
            if tag == "style" and re.search(r"[{;\s]transform\s*:", element.text or ""):
                raise ValueError("it moves things with transform: write that in the shapes' own transform")
            inner = outer if element is root else outer @ _transform(element, style)
            if data:
                if moved := sorted(_GEOMETRY & style.keys()):
                    raise ValueError(f"its {moved[0]} is written in its style: write it as an attribute")
                outlines = tuple(_outlines(element, tag, inner)) if drawn and tag in SHAPES else ()
                shape = Shape(called, tag if drawn else "", data, outlines, ident, hidden)
        except ValueError as error:
            problems.append(f"The layout {name}: {called} cannot be read, {error}. Draw it again.")
            continue
        if shape is not None:
            yield shape
        children = [child for child in element if isinstance(child.tag, str)]
        drawn = drawn and tag not in _NOT_DRAWN
        waiting += [(child, inner, depth + 1, drawn, hidden) for child in reversed(children)]


def _meaning(element: Element, tag: str) -> dict[str, str]:
    """What an element's ``data-`` attributes say; without any, what the name says that it was given."""
    data = {
        key: value for key, value in element.attrib.items() if key.startswith("data-") and key not in _LABELS
    }
    if not data and tag in SHAPES:
        for key in _LABELS:
            if label := element.get(key):
                return meaning_of_label(label)
    return data


def _style(element: Element) -> dict[str, str]:
    """The declarations of an element's style attribute."""
    pairs = (part.partition(":") for part in element.get("style", "").split(";"))
    return {key.strip().lower(): value.strip() for key, _, value in pairs if value.strip()}


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


def _transform(element: Element, style: Mapping[str, str]) -> Floats:
    """The 3x3 matrix of an element's transform attribute (and of a nested svg's or use's x and y)."""
    text = element.get("transform", "")
    if style.get("transform", "none") != "none":
        raise ValueError("its transform is written in its style: write it in the transform attribute")
    if text and (element.get("transform-origin") or "transform-origin" in style):
        raise ValueError("its transform has an origin of its own: ungroup it, so that its points are moved")
    matrix = np.eye(3)
    place = 0
    text = text.rstrip(" \t\r\n,")
    while place < len(text):
        found = _TRANSFORM.match(text, place)
        if not found:
            raise ValueError(f"its transform {text[:60]!r} is not one")
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
