"""The printed felt as a drawing in millimetres: shapes that are written as SVG, read from it and painted.

Only what layouts use is understood: rect, polygon, polyline, line, circle, ellipse, text; groups and
``rotate`` / ``translate`` transforms. Anything else in a file is left out of the painted felt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

import cv2
import numpy as np
from defusedxml import ElementTree

from datasets.synth.raster import Array, Colour, draw_text, ellipse_points, fill_convex, font_names

_NAMES = {"white": (255, 255, 255), "black": (0, 0, 0), "red": (0, 0, 255), "yellow": (0, 255, 255)}


@dataclass(frozen=True, slots=True)
class Shape:
    """A polygon or polyline, points (x, y) mm. ``kind`` is the SVG element it is written as."""

    points: tuple[tuple[float, float], ...]
    stroke: Colour | None = None
    width_mm: float = 0.0
    fill: Colour | None = None
    closed: bool = True
    ident: str = ""
    data: tuple[tuple[str, str], ...] = ()
    """``data-`` attributes: name without the prefix, value."""


@dataclass(frozen=True, slots=True)
class Words:
    """A line of text centred on (x, y)."""

    text: str
    x_mm: float
    y_mm: float
    size_mm: float
    colour: Colour
    font: str = "sans"
    rot_deg: float = 0.0
    weight: int = 400


@dataclass(frozen=True, slots=True)
class Drawing:
    """A felt: its rectangle (x, y, width, height mm), its colour, shapes and words in painting order."""

    box_mm: tuple[float, float, float, float]
    cloth: Colour
    shapes: tuple[Shape, ...] = ()
    words: tuple[Words, ...] = field(default=())

    def to_svg(self) -> str:
        """The drawing as an SVG document in millimetres."""
        x, y, w, h = self.box_mm
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}mm" height="{h}mm" '
            f'viewBox="{x} {y} {w} {h}">',
            f'<rect id="felt" x="{x}" y="{y}" width="{w}" height="{h}" fill="{_hex(self.cloth)}"/>',
        ]
        for shape in self.shapes:
            tag = "polygon" if shape.closed else "polyline"
            points = " ".join(f"{px:.2f},{py:.2f}" for px, py in shape.points)
            ident = f" id={quoteattr(shape.ident)}" if shape.ident else ""
            data = "".join(f" data-{name}={quoteattr(value)}" for name, value in shape.data)
            fill = _hex(shape.fill) if shape.fill else "none"
            ink = (
                f' stroke="{_hex(shape.stroke)}" stroke-width="{shape.width_mm:.1f}"' if shape.stroke else ""
            )
            lines.append(f'<{tag}{ident} points="{points}" fill="{fill}"{ink}{data}/>')
        for words in self.words:
            base = words.y_mm + words.size_mm * 0.36
            lines.append(
                f'<text x="{words.x_mm:.2f}" y="{base:.2f}" text-anchor="middle" '
                f'font-size="{words.size_mm:.1f}" '
                f'transform="rotate({words.rot_deg:.2f} {words.x_mm:.2f} {words.y_mm:.2f})" '
                f'fill="{_hex(words.colour)}">{escape(words.text)}</text>'
            )
        return "\n".join([*lines, "</svg>", ""])

    def paint(
        self, image: Array, origin_mm: tuple[float, float], px_per_mm: float, weight: float = 1.0
    ) -> None:
        """Print the drawing onto a cloth's picture in place; ``weight`` below 1 lets the cloth through."""
        target = image if weight >= 1 else image.copy()
        for shape in self.shapes:
            points = (np.array(shape.points) - origin_mm) * px_per_mm
            if shape.fill is not None and shape.closed:
                fixed = np.round((points - 0.5) * 16).astype(np.int32)
                cv2.fillPoly(target, [fixed], shape.fill, cv2.LINE_AA, 4)
            if shape.stroke is not None:
                _line(target, points, shape.stroke, shape.width_mm * px_per_mm, shape.closed)
        for words in self.words:
            at = ((words.x_mm - origin_mm[0]) * px_per_mm, (words.y_mm - origin_mm[1]) * px_per_mm)
            size = words.size_mm * px_per_mm
            draw_text(target, words.text, at, size, words.colour, words.font, words.rot_deg, words.weight)
        if weight < 1:
            image[:] = cv2.addWeighted(target, weight, image, 1 - weight, 0)


def _line(image: Array, points: Array, colour: Colour, width_px: float, closed: bool) -> None:
    """A line of a width that need not be whole pixels: one quadrilateral per side, discs at the corners."""
    pairs = zip(points, np.roll(points, -1, axis=0), strict=True)
    for i, (a, b) in enumerate(pairs):
        if not closed and i == len(points) - 1:
            break
        step = b - a
        length = float(np.hypot(*step))
        if length < 1e-6:
            continue
        across = np.array([-step[1], step[0]]) / length * width_px / 2
        fill_convex(image, np.array([a + across, b + across, b - across, a - across]), colour, smooth=True)
    if width_px > 2.5:
        for point in points:
            corner = ellipse_points((point[0], point[1]), width_px / 2, width_px / 2, 12)
            fill_convex(image, corner, colour, smooth=True)


def _hex(colour: Colour) -> str:
    return f"#{colour[2]:02x}{colour[1]:02x}{colour[0]:02x}"


def _colour(text: str | None) -> Colour | None:
    if text is None or text == "none":
        return None
    if found := re.fullmatch(r"#([0-9a-fA-F]{6})", text.strip()):
        value = int(found[1], 16)
        return value & 255, value >> 8 & 255, value >> 16
    return _NAMES.get(text.strip(), (128, 128, 128))


def read_drawing(path: Path, seed: int = 0) -> Drawing:
    """Read a layout drawing for painting, its words in a font of this machine picked by ``seed``."""
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    box = tuple(float(v) for v in re.split(r"[ ,]+", root.get("viewBox", "0 0 1000 600").strip()))
    shapes: list[Shape] = []
    words: list[Words] = []
    cloth: list[Colour] = []
    _walk(root, np.eye(3), shapes, words, cloth)
    fonts = font_names()
    font = fonts[seed % len(fonts)]
    words = [Words(w.text, w.x_mm, w.y_mm, w.size_mm, w.colour, font, w.rot_deg, w.weight) for w in words]
    felt = cloth[0] if cloth else (40, 80, 20)
    return Drawing((box[0], box[1], box[2], box[3]), felt, tuple(shapes), tuple(words))


def _walk(node: Element, outer: Array, shapes: list[Shape], words: list[Words], cloth: list[Colour]) -> None:
    move = outer @ _transform(node.get("transform", ""))
    tag = str(node.tag).rsplit("}", 1)[-1]
    if tag == "rect" and node.get("id") == "felt":
        cloth.append(_colour(node.get("fill")) or (40, 80, 20))
    elif (points := _outline(tag, node)) is not None:
        flat = (np.c_[points, np.ones(len(points))] @ move.T)[:, :2]
        fill = _colour(node.get("fill", "none"))
        ink = _colour(node.get("stroke"))
        corners = tuple((float(x), float(y)) for x, y in flat)
        shapes.append(
            Shape(corners, ink, float(node.get("stroke-width", 1)), fill, tag not in ("polyline", "line"))
        )
    elif tag == "text" and node.text:
        size = float(re.sub(r"[a-z]+$", "", node.get("font-size", "20")))
        at = move @ np.array([float(node.get("x", 0)), float(node.get("y", 0)) - size * 0.36, 1.0])
        angle = float(np.degrees(np.arctan2(move[1, 0], move[0, 0])))
        weight = 700 if node.get("font-weight") == "bold" else 400
        ink = _colour(node.get("fill")) or (255, 255, 255)
        words.append(Words(node.text, float(at[0]), float(at[1]), size, ink, "sans", angle, weight))
    for child in node:
        _walk(child, move, shapes, words, cloth)


def _outline(tag: str, node: Element) -> Array | None:
    def number(name: str) -> float:
        return float(node.get(name, 0))

    if tag == "rect":
        x, y, w, h = number("x"), number("y"), number("width"), number("height")
        return np.array([(x, y), (x + w, y), (x + w, y + h), (x, y + h)])
    if tag in ("polygon", "polyline"):
        values = [float(v) for v in re.split(r"[ ,\n]+", node.get("points", "").strip()) if v]
        return np.array(values).reshape(-1, 2) if len(values) >= 4 else None
    if tag == "line":
        return np.array([(number("x1"), number("y1")), (number("x2"), number("y2"))])
    if tag == "circle":
        return ellipse_points((number("cx"), number("cy")), number("r"), number("r"), 72)
    if tag == "ellipse":
        return ellipse_points((number("cx"), number("cy")), number("rx"), number("ry"), 72)
    return None


def _transform(text: str) -> Array:
    out = np.eye(3)
    for name, inner in re.findall(r"(\w+)\(([^)]*)\)", text):
        values = [float(v) for v in re.split(r"[ ,]+", inner.strip())]
        step = np.eye(3)
        if name == "translate":
            step[:2, 2] = [*values, 0.0][:2]
        elif name == "rotate":
            angle = np.deg2rad(values[0])
            c, s = np.cos(angle), np.sin(angle)
            step[:2, :2] = [[c, -s], [s, c]]
            if len(values) == 3:
                centre = np.array(values[1:])
                step[:2, 2] = centre - step[:2, :2] @ centre
        out = out @ step
    return out
