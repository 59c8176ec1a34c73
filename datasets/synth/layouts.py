"""Random gaming table layouts: arcs of boxes, grids and ovals with words in several languages and fonts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.synth.drawing import Drawing, Shape, Words
from datasets.synth.raster import Array, Colour, ellipse_points, font_names, hsv

_BETS = (
    (("punto", "PUNTO"), ("banca", "BANCA"), ("empate", "EMPATE 8:1")),
    (("punto", "PLAYER"), ("banca", "BANKER"), ("empate", "TIE")),
    (("punto", "JUGADOR"), ("banca", "BANCA"), ("empate", "EMPATE PAGA 8 A 1")),
    (("punto", "PONTE"), ("banca", "BANQUE"), ("empate", "ÉGALITÉ")),
    (("punto", "P"), ("banca", "B"), ("empate", "E")),
)
_CARD_BETS = (
    "ANTE",
    "BET",
    "RAISE",
    "PAIR PLUS",
    "BLACK JACK",
    "INSURANCE",
    "PAREJA",
    "APUESTA",
    "MISE",
    "BONUS",
)
_LINES = (
    "EMPATE PAGA 8 A 1", "BANCA PAGA 19 A 20", "BLACK JACK PAYS 3 TO 2", "DEALER MUST STAND ON ALL 17s",
    "INSURANCE PAYS 2 TO 1", "LA BANCA PLANTA EN 17", "MINIMO 10 - MAXIMO 500", "TIE PAYS 8 TO 1",
    "NO MORE BETS", "CASINO", "RIEN NE VA PLUS",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Zone:
    """A place of the layout: its spot, middle, turn and size."""

    spot: str
    x_mm: float
    y_mm: float
    rot_deg: float
    width_mm: float
    depth_mm: float


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A drawing, the felt's outline (n, 2) mm, and the places of bets, hands, shoe, float and discards."""

    drawing: Drawing
    edge_mm: Array
    bets: tuple[Zone, ...]
    hands: tuple[Zone, ...]
    shoe: Zone
    discard: Zone
    float_tray: Zone


def _quad(zone: Zone, grow: float = 0.0) -> tuple[tuple[float, float], ...]:
    a = np.deg2rad(zone.rot_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    w, d = zone.width_mm / 2 + grow, zone.depth_mm / 2 + grow
    corners = np.array([(-w, -d), (w, -d), (w, d), (-w, d)]) @ turn.T + (zone.x_mm, zone.y_mm)
    return tuple((float(x), float(y)) for x, y in corners)


def _outline(zone: Zone, kind: str) -> tuple[tuple[float, float], ...]:
    if kind == "round":
        a = np.deg2rad(zone.rot_deg)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        ring = ellipse_points((0, 0), zone.width_mm / 2, zone.depth_mm / 2, 40) @ turn.T + (
            zone.x_mm,
            zone.y_mm,
        )
        return tuple((float(x), float(y)) for x, y in ring)
    return _quad(zone)


def felt_colour(rng: np.random.Generator) -> Colour:
    """Casino greens, blues, reds, and now and then anything."""
    hue = rng.choice(
        [0.38, 0.42, 0.58, 0.62, 0.97, 0.02, 0.78, rng.random()],
        p=[0.22, 0.13, 0.15, 0.08, 0.14, 0.06, 0.06, 0.16],
    )
    return hsv(hue + rng.normal(0, 0.02), rng.uniform(0.35, 1.0), rng.uniform(0.18, 0.75))


def random_layout(rng: np.random.Generator) -> TableLayout:
    """A table of a random game: its size, boxes, words, inks and fonts."""
    width, depth = rng.uniform(1400, 2100), rng.uniform(680, 980)
    kind = str(rng.choice(["baccarat", "cards", "plain"], p=[0.55, 0.35, 0.1]))
    cloth = felt_colour(rng)
    inks = _inks(rng)
    fonts = font_names()
    font, other = str(rng.choice(fonts)), str(rng.choice(fonts))
    centre = (width / 2, float(rng.uniform(-0.25, 0.1) * depth))
    shapes: list[Shape] = []
    words: list[Words] = []
    bets = _arc(rng, kind, (width, depth), centre, inks, font, shapes, words)
    hands = _hands(rng, (width, depth), inks, other, shapes, words)
    tray = Zone(
        "float", width / 2 + rng.normal(0, 60), 20.0, 0.0, rng.uniform(380, 640), rng.uniform(70, 105)
    )
    side = 1.0 if rng.random() < 0.75 else -1.0
    shoe = Zone(
        "shoe", width / 2 + side * width * rng.uniform(0.3, 0.4), rng.uniform(60, 170), 0.0, 90.0, 130.0
    )
    discard = Zone(
        "discard", width / 2 - side * width * rng.uniform(0.28, 0.4), rng.uniform(40, 140), 0.0, 140, 105
    )
    if rng.random() < 0.6:
        shapes.append(Shape(_quad(discard), inks[1], 4.0, ident="discard", data=(("spot", "discard"),)))
    _slogans(rng, (width, depth), centre, inks, other, words)
    if kind == "plain" or rng.random() < 0.15:
        _ornament(rng, (width, depth), inks, shapes)
    drawing = Drawing((0.0, -60.0, float(width), float(depth + 60)), cloth, tuple(shapes), tuple(words))
    return TableLayout(drawing, _edge(rng, width, depth), bets, hands, shoe, discard, tray)


def _inks(rng: np.random.Generator) -> tuple[Colour, Colour, Colour]:
    pale = hsv(0.12, rng.uniform(0, 0.25), rng.uniform(0.75, 1))
    gold = hsv(rng.uniform(0.1, 0.16), rng.uniform(0.4, 0.9), rng.uniform(0.6, 0.95))
    free = hsv(rng.random(), rng.uniform(0.5, 1), rng.uniform(0.5, 1))
    order = [pale, gold, free]
    if rng.random() < 0.4:
        rng.shuffle(order)
    return order[0], order[1], order[2]


def _arc(
    rng: np.random.Generator, kind: str, size: tuple[float, float], centre: tuple[float, float],
    inks: tuple[Colour, Colour, Colour], font: str, shapes: list[Shape], words: list[Words],
) -> tuple[Zone, ...]:  # fmt: skip
    width, depth = size
    seats = int(rng.integers(5, 10))
    bets = _BETS[int(rng.integers(len(_BETS)))] if kind == "baccarat" else _card_bets(rng)
    spread = rng.uniform(100, 150)
    far = depth * rng.uniform(0.86, 0.93) - centre[1]
    box_w, box_d = rng.uniform(75, 140), rng.uniform(62, 105)
    shape_kind = str(rng.choice(["box", "round"], p=[0.75, 0.25]))
    line_mm, squash = rng.uniform(2, 6), min(1.25, (width * 0.44) / far)
    filled = rng.random() < 0.15
    zones: list[Zone] = []
    for seat in range(seats):
        share = seat / (seats - 1) - 0.5
        angle = np.deg2rad(90 - share * spread)
        radius = far - box_d / 2
        for row, (bet, label) in enumerate(bets):
            shrink = 1 - 0.14 * row
            x = centre[0] + np.cos(angle) * radius * squash
            y = centre[1] + np.sin(angle) * radius
            turn = float(90 - np.rad2deg(angle)) * -1.0
            zone = Zone(f"seat {seat + 1} {bet}", float(x), float(y), turn, box_w * shrink, box_d * shrink)
            zones.append(zone)
            ink = inks[min(row, 1)]
            data = [("spot", zone.spot)] + ([("half-line", "outline")] if row < 2 else [])
            fill = inks[2] if filled and row == 0 else None
            shapes.append(
                Shape(
                    _outline(zone, shape_kind),
                    ink,
                    line_mm,
                    fill,
                    ident=zone.spot.replace(" ", "-"),
                    data=tuple(data),
                )
            )
            letter = min(zone.depth_mm * 0.3, zone.width_mm * 1.15 / max(len(label), 1))
            words.append(Words(label, zone.x_mm, zone.y_mm, letter, ink, font, turn, 500))
            radius -= box_d * shrink * rng.uniform(1.15, 1.3)
        if rng.random() < 0.85:
            at = (centre[0] + np.cos(angle) * (far + 32) * squash, centre[1] + np.sin(angle) * (far + 32))
            words.append(Words(str(seat + 1), float(at[0]), float(at[1]), 24, inks[1], font, turn))
            if rng.random() < 0.5:
                ring = ellipse_points((float(at[0]), float(at[1])), 17, 17, 32)
                shapes.append(Shape(tuple((float(a), float(b)) for a, b in ring), inks[1], 2.5))
    return tuple(zones)


def _card_bets(rng: np.random.Generator) -> tuple[tuple[str, str], ...]:
    count = int(rng.integers(1, 4))
    labels = rng.choice(_CARD_BETS, count, replace=False)
    return tuple((str(label).lower().replace(" ", "_"), str(label)) for label in labels)


def _hands(
    rng: np.random.Generator, size: tuple[float, float], inks: tuple[Colour, Colour, Colour], font: str,
    shapes: list[Shape], words: list[Words],
) -> tuple[Zone, ...]:  # fmt: skip
    width, depth = size
    y = depth * rng.uniform(0.2, 0.3)
    box_w, box_d = rng.uniform(180, 300), rng.uniform(105, 150)
    gap = rng.uniform(8, 120)
    labels = (
        [("punto", "PUNTO"), ("banca", "BANCA")] if rng.random() < 0.6 else [("punto", ""), ("banca", "")]
    )
    zones = []
    for side, (hand, label) in zip((-1.0, 1.0), labels, strict=True):
        x = width / 2 + side * (box_w / 2 + gap / 2)
        zone = Zone(f"hand {hand}", float(x), float(y), 0.0, float(box_w), float(box_d))
        zones.append(zone)
        if rng.random() < 0.8:
            shapes.append(
                Shape(_quad(zone), inks[1], 4.0, ident=f"cards-{hand}", data=(("spot", zone.spot),))
            )
        if label:
            below = y + box_d / 2 + 22 if rng.random() < 0.6 else y
            words.append(Words(label, float(x), float(below), rng.uniform(20, 44), inks[1], font))
    return tuple(zones)


def _slogans(
    rng: np.random.Generator, size: tuple[float, float], centre: tuple[float, float],
    inks: tuple[Colour, Colour, Colour], font: str, words: list[Words],
) -> None:  # fmt: skip
    width, depth = size
    for _ in range(int(rng.integers(0, 3))):
        text = str(rng.choice(_LINES))
        letter = float(rng.uniform(16, 40))
        radius = float(rng.uniform(0.35, 0.7)) * depth - centre[1]
        ink = inks[int(rng.integers(3))]
        if rng.random() < 0.5:
            words.append(Words(text, width / 2, centre[1] + radius, letter, ink, font))
            continue
        step = np.rad2deg(letter * 0.75 / radius)
        for i, sign in enumerate(text):
            turn = (i - len(text) / 2) * step
            a = np.deg2rad(90 - turn)
            x, y = centre[0] + radius * np.cos(a), centre[1] + radius * np.sin(a)
            if sign != " ":
                words.append(Words(sign, float(x), float(y), letter, ink, font, -turn))


def _ornament(
    rng: np.random.Generator,
    size: tuple[float, float],
    inks: tuple[Colour, Colour, Colour],
    shapes: list[Shape],
) -> None:
    for _ in range(int(rng.integers(1, 5))):
        at = (float(rng.uniform(0.15, 0.85) * size[0]), float(rng.uniform(0.2, 0.85) * size[1]))
        points = ellipse_points(at, rng.uniform(30, 240), rng.uniform(30, 160), int(rng.choice([4, 6, 48])))
        ring = tuple((float(x), float(y)) for x, y in points)
        shapes.append(
            Shape(
                ring, inks[int(rng.integers(3))], rng.uniform(2, 10), inks[2] if rng.random() < 0.3 else None
            )
        )


def _edge(rng: np.random.Generator, width: float, depth: float) -> Array:
    """Half-moon, oval or rectangle, (n, 2) mm; the dealer's side is y = -40."""
    kind = rng.choice(["moon", "oval", "box"], p=[0.7, 0.15, 0.15])
    grow = rng.uniform(20, 90)
    if kind == "moon":
        bend = rng.uniform(2.0, 3.2)
        a = np.linspace(0, np.pi, 60)
        x = width / 2 + (width / 2 + grow) * np.sign(np.cos(a)) * np.abs(np.cos(a)) ** (2 / bend)
        y = -40 + (depth + 40 + grow) * np.sin(a) ** (2 / bend)
        return np.stack([x, y], axis=1)
    if kind == "oval":
        return ellipse_points((width / 2, depth / 2 - 20), width / 2 + grow, depth / 2 + grow + 20, 72)
    return np.array(
        [(-grow, -40.0), (width + grow, -40.0), (width + grow, depth + grow), (-grow, depth + grow)]
    )
