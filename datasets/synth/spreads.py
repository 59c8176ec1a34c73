"""Many cards at once, as in photographs: fans lying and held, grids, ribbons, heaps, cards edge to edge;
packs, boxes and what is printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.synth.arrange import Kit, random_card
from datasets.synth.people import random_arm
from datasets.synth.raster import hsv
from datasets.synth.scene import ArmItem, CardItem, Pose, PropItem, PropKind

_KINDS = ("fan", "held fan", "grid", "ribbon", "heap", "abreast")
_SHARES = (0.22, 0.12, 0.22, 0.12, 0.14, 0.18)
_PACKET_COLOURS = ((0.0, 0.8), (0.61, 0.85), (0.33, 0.7), (0.12, 0.75), (0.0, 0.0))
"""Hue and saturation of most tuck boxes: red, blue, green, gold, black or white."""


def spread(
    rng: np.random.Generator, kit: Kit, x: float, y: float, face_up: float
) -> tuple[list[CardItem], list[ArmItem]]:
    """One spread round a place, and the hand that holds it, if one does. ``face_up``: share of the faces."""
    kind = str(rng.choice(_KINDS, p=_SHARES))
    rot = float(rng.choice([0.0, 90.0, 180.0, rng.uniform(0, 360)]) + rng.normal(0, 5))
    up = bool(rng.random() < face_up)
    if kind == "grid":
        return _grid(rng, kit, x, y, rot, face_up), []
    if kind == "abreast":
        return _abreast(rng, kit, x, y, rot, face_up), []
    if kind == "ribbon":
        return _ribbon(rng, kit, x, y, rot, up), []
    if kind == "heap":
        count, wide = int(rng.integers(6, 22)), float(rng.uniform(40, 130))
        places = np.array([x, y]) + rng.normal(0, wide, (count, 2))
        turns = rng.uniform(0, 360, count) if rng.random() < 0.7 else rot + rng.normal(0, 12, count)
        return [
            random_card(rng, kit, place[0], place[1], turn, bool(rng.random() < face_up), i)
            for i, (place, turn) in enumerate(zip(places, turns, strict=True))
        ], []
    return _fan(rng, kit, x, y, rot, up, kind == "held fan")


def _fan(
    rng: np.random.Generator, kit: Kit, x: float, y: float, rot: float, up: bool, in_hand: bool
) -> tuple[list[CardItem], list[ArmItem]]:
    """Five to thirteen cards round one point below them; held, they are above the surface on an arm's end."""
    count = int(rng.integers(5, 14))
    step = float(rng.uniform(4, 16)) * float(rng.choice([1, -1], p=[0.85, 0.15]))
    reach = float(rng.uniform(60, 150))
    height = float(rng.uniform(60, 200)) if in_hand else 0.3
    cards = []
    for i in range(count):
        turn = rot + step * (i - (count - 1) / 2) + float(rng.normal(0, 1.5))
        a = np.deg2rad(turn)
        off = float(rng.normal(0, 2.5))
        here = np.array([x, y]) + (reach + off) * np.array([np.sin(a), -np.cos(a)])
        card = random_card(rng, kit, here[0], here[1], turn, up, i)
        flat = replace(card, z_mm=height + 0.35 * i, pitch_deg=0.0, held=in_hand)
        cards.append(flat)
    if not in_hand:
        return cards, []
    a = np.deg2rad(rot)
    grip = np.array([x, y]) + (reach - 30) * np.array([np.sin(a), -np.cos(a)])
    arm = replace(
        random_arm(rng, (0.0, 0.0)), x_mm=float(grip[0]), y_mm=float(grip[1]), z_mm=height + 12,
        heading_deg=rot + 90 + float(rng.normal(0, 18)), pose=Pose.PINCH if rng.random() < 0.5 else Pose.GRIP,
    )  # fmt: skip
    return cards, [arm]


def _grid(
    rng: np.random.Generator, kit: Kit, x: float, y: float, rot: float, face_up: float
) -> list[CardItem]:
    """Rows and columns, all one way up or mixed, as near as touching."""
    columns, rows = int(rng.integers(2, 8)), int(rng.integers(1, 6))
    gap_x, gap_y = 63 + float(rng.uniform(-1, 40)), 88 + float(rng.uniform(-1, 40))
    mess = float(rng.choice([0.5, 2.0, 6.0]))
    a = np.deg2rad(rot)
    right, down = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    mixed = rng.random() < 0.25
    whole = bool(rng.random() < face_up)
    cards = []
    for j in range(rows):
        for i in range(columns):
            if rng.random() < 0.06:
                continue
            at = (
                np.array([x, y])
                + right * (i - (columns - 1) / 2) * gap_x
                + down * (j - (rows - 1) / 2) * gap_y
            )
            at = at + rng.normal(0, mess, 2)
            shown = bool(rng.random() < face_up) if mixed else whole
            turn = rot + float(rng.normal(0, mess * 0.8)) + (180 if rng.random() < 0.3 else 0)
            cards.append(random_card(rng, kit, at[0], at[1], turn, shown, 0))
    return cards


def _ribbon(rng: np.random.Generator, kit: Kit, x: float, y: float, rot: float, up: bool) -> list[CardItem]:
    """Cards that overlap along a line or an arc, to the side or downwards."""
    count, pitch = int(rng.integers(5, 16)), float(rng.uniform(8, 45))
    bend, lengthwise = float(rng.normal(0, 2.5)), rng.random() < 0.3
    at, cards = np.array([x, y]), []
    for i in range(count):
        turn = rot + bend * i + float(rng.normal(0, 1.5))
        a = np.deg2rad(turn)
        way = np.array([-np.sin(a), np.cos(a)]) if lengthwise else np.array([np.cos(a), np.sin(a)])
        at = at + way * pitch * (1.3 if lengthwise else 1.0)
        cards.append(random_card(rng, kit, at[0], at[1], turn, up, i))
    return cards


def _abreast(
    rng: np.random.Generator, kit: Kit, x: float, y: float, rot: float, face_up: float
) -> list[CardItem]:
    """Two to six cards with their edges parallel and touching, or a little over one another: what is taken
    for one large card, or for a card in the place between two."""
    count, gap = int(rng.integers(2, 7)), float(rng.choice([0.0, rng.uniform(-12, 3)]))
    lengthwise, step = rng.random() < 0.35, float(rng.choice([0.0, 0.0, rng.normal(0, 12)]))
    a = np.deg2rad(rot)
    right, down = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    way, aside, pitch = (down, right, 88 + gap) if lengthwise else (right, down, 63 + gap)
    up, cards = bool(rng.random() < face_up), []
    for i in range(count):
        if rng.random() < 0.06:
            continue
        at = np.array([x, y]) + way * pitch * (i - (count - 1) / 2) + aside * (step * i + rng.normal(0, 0.7))
        turn = rot + float(rng.normal(0, 0.6))
        cards.append(random_card(rng, kit, at[0], at[1], turn, up, i))
    return cards


def packet(rng: np.random.Generator, kit: Kit, x: float, y: float) -> tuple[PropItem, list[CardItem]]:
    """A packet that lies or stands, mostly a pack's tuck box; with cards drawn half out, now and then."""
    long, wide, thin = 90 * rng.uniform(0.97, 1.06), 65 * rng.uniform(0.97, 1.06), rng.uniform(14, 19)
    if rng.random() < 0.2:  # matches, cigarettes, two packs in one box
        long, wide, thin = rng.uniform(45, 110), rng.uniform(35, 90), rng.uniform(10, 38)
    lies = rng.random() < 0.62
    size = (wide, long, thin) if lies else (wide, thin, long) if rng.random() < 0.6 else (long, thin, wide)
    hue, saturation = _PACKET_COLOURS[int(rng.integers(len(_PACKET_COLOURS)))]
    if rng.random() < 0.3:
        hue, saturation = rng.random(), rng.uniform(0.1, 1)
    value = float(rng.choice([0.07, 0.95]) if saturation == 0 else rng.uniform(0.35, 0.95))
    colour = hsv(hue + rng.normal(0, 0.02), saturation, value)
    second = hsv(rng.choice([0.12, rng.random()]), rng.choice([0.0, 0.7]), 0.95 if value < 0.6 else 0.15)
    rot = float(rng.choice([rng.uniform(0, 360), rng.normal(0, 8)]))
    back, seed = int(rng.choice([*kit.backs, int(rng.integers(100, 2000))])), int(rng.integers(1 << 31))
    width, depth, height = (float(v) for v in size)
    item = PropItem(PropKind.PACKET, x, y, rot, width, depth, height, colour, second, "", seed, back)
    if not lies or rng.random() > 0.2:
        return item, []
    a, out = np.deg2rad(rot), float(rng.uniform(15, 70)) * float(rng.choice([1, -1]))
    place = np.array([x, y]) + out * np.array([-np.sin(a), np.cos(a)])
    card = random_card(rng, kit, place[0], place[1], rot + float(rng.normal(0, 1)), bool(rng.random() < 0.5))
    return item, [replace(card, z_mm=thin * 0.55)]


def squared_pack(
    rng: np.random.Generator, kit: Kit, x: float, y: float, up: bool
) -> tuple[PropItem, CardItem]:
    """A pack of eight to sixty cards, and the card that lies on top of it."""
    thick, rot = float(rng.uniform(2.5, 18)), float(rng.uniform(0, 360))
    card = replace(random_card(rng, kit, x, y, rot, up), z_mm=thick + 0.3, pitch_deg=0.0)
    white = (238, 240, 240)
    return PropItem(PropKind.PACK, x, y, rot, 62.5, 87.5, thick, white, white, "", 0), card


def printed(rng: np.random.Generator, x: float, y: float) -> PropItem:
    """A page, a letter, a book, a packet or a playing-card box, from card-sized to a newspaper."""
    near = rng.random() < 0.5
    if near:  # about the size and shape of a card: what is mistaken most easily
        width, depth = 63 * rng.uniform(0.6, 1.8), 88 * rng.uniform(0.6, 1.8)
    else:
        width, depth = rng.uniform(60, 330), rng.uniform(60, 330)
    thick = float(rng.choice([0.3, rng.uniform(2, 35)], p=[0.55, 0.45]))
    white = rng.random() < 0.6
    colour = (
        hsv(0.12, rng.uniform(0, 0.12), rng.uniform(0.7, 1))
        if white
        else hsv(rng.random(), 0.7, rng.random())
    )
    ink = hsv(rng.random(), rng.uniform(0, 0.9), rng.uniform(0, 0.4 if white else 1))
    return PropItem(
        PropKind.PRINT, x, y, float(rng.uniform(0, 360)), float(width), float(depth), thick, colour, ink, "",
        int(rng.integers(1 << 31)),
    )  # fmt: skip
