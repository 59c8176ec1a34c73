"""The printed layout of a simulated table: the simulator's places as a house would draw them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.simulator_table import TableGeometry, Zone
from datasets.synth.drawing import Drawing, Shape, Words
from datasets.synth.raster import Array, Colour, ellipse_points
from rules.spots import Spot

_INK: Colour = (208, 226, 233)
_GOLD: Colour = (90, 180, 216)


@dataclass(frozen=True, slots=True)
class Print:
    """How a layout is printed. ``labels``: the word in each bet's box."""

    cloth: Colour = (74, 64, 20)
    ink: Colour = _INK
    second: Colour = _GOLD
    font: str = "sans"
    weight: int = 500
    line_mm: float = 4.0
    labels: tuple[tuple[str, str], ...] = (("punto", "PUNTO"), ("banca", "BANCA"), ("empate", "EMPATE 8:1"))
    slogan: str = "EMPATE PAGA 8 A 1  ·  BANCA PAGA 19 A 20"


def felt_edge(geometry: TableGeometry, margin_mm: float = 105.0) -> Array:
    """A half-moon felt round a table's places, (n, 2) mm; the dealer's edge is straight, at y = -45."""
    corners = np.array([corner for zone in geometry.bets.values() for corner in zone.corners()])
    middle = float(np.mean(corners[:, 0]))
    sides = [geometry.discard_mm[0] - 95, geometry.shoe_mm[0] + 150]
    half = max(
        float(np.abs(corners[:, 0] - middle).max()) + margin_mm, *(abs(side - middle) for side in sides)
    )
    far = float(corners[:, 1].max()) + margin_mm
    a = np.linspace(0, np.pi, 64)
    x = middle + half * np.sign(np.cos(a)) * np.abs(np.cos(a)) ** 0.72
    return np.stack([x, -45 + (far + 45) * np.sin(a) ** 0.72], axis=1)


def house_drawing(geometry: TableGeometry, look: Print = Print()) -> tuple[Drawing, Array]:
    """The layout, with the attributes that ``vision.layout`` reads, and the felt's edge (n, 2) mm."""
    edge = felt_edge(geometry)
    shapes = [Shape(_pairs(edge), None, 0.0, look.cloth, ident="felt-edge", data=(("felt", "edge"),))]
    words: list[Words] = []
    labels = dict(look.labels)
    for spot, zone in geometry.bets.items():
        bet = spot.bet or ""
        ink = look.ink if bet in geometry.half_lines else look.second
        half = (("half-line", "outline"),) if bet in geometry.half_lines else ()
        shapes.append(_box(zone, ink, look.line_mm, (("spot", str(spot)), *half)))
        text = labels.get(bet, bet.upper())
        letter = min(zone.depth_mm * 0.26, zone.width_mm * 1.25 / max(len(text), 1))
        words.append(Words(text, zone.x_mm, zone.y_mm, letter, ink, look.font, zone.rot_deg, look.weight))
    for seat in geometry.seats:
        zone = _outermost(geometry, seat)
        x, y = zone.at(0.0, zone.depth_mm / 2 + 30)
        words.append(Words(str(seat), x, y, 22, look.second, look.font, zone.rot_deg, look.weight))
        shapes.append(Shape(_pairs(ellipse_points((x, y), 17, 17, 40)), look.second, 2.5))
    for hand, zone in geometry.hands.items():
        shapes.append(_box(zone, look.second, look.line_mm, (("spot", str(zone.spot)),)))
        below = zone.y_mm + zone.depth_mm / 2 + 20
        words.append(Words(hand.upper(), zone.x_mm, below, 22, look.second, look.font, 0.0, look.weight))
    pile = Zone(Spot.parse("discard"), *geometry.discard_mm, 0.0, 140.0, 104.0)
    shapes.append(_box(pile, look.second, look.line_mm, (("spot", "discard"),)))
    hands = list(geometry.hands.values())
    below = max(zone.y_mm + zone.depth_mm / 2 for zone in hands) + 55
    middle = sum(zone.x_mm for zone in hands) / len(hands)
    words.append(Words(look.slogan, middle, below, 17, look.ink, look.font, 0.0, look.weight))
    low, high = edge.min(axis=0) - 20, edge.max(axis=0) + 20
    box = tuple(round(float(v), 1) for v in (*low, *(high - low)))
    return Drawing((box[0], box[1], box[2], box[3]), look.cloth, tuple(shapes), tuple(words)), edge


def _outermost(geometry: TableGeometry, seat: int) -> Zone:
    return max(
        (zone for spot, zone in geometry.bets.items() if spot.seat == seat),
        key=lambda zone: _far(geometry, zone),
    )


def _far(geometry: TableGeometry, zone: Zone) -> float:
    return float(np.hypot(zone.x_mm - geometry.float_mm[0], zone.y_mm - geometry.float_mm[1]))


def _box(zone: Zone, ink: Colour, line_mm: float, data: tuple[tuple[str, str], ...]) -> Shape:
    return Shape(zone.corners(), ink, line_mm, ident=str(zone.spot).replace(" ", "-"), data=data)


def _pairs(points: Array) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)
