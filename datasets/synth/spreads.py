"""Many cards at once, as in photographs: fans lying and held, grids, ribbons, heaps; and what is printed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.synth.arrange import Kit, random_card
from datasets.synth.people import random_arm
from datasets.synth.raster import hsv
from datasets.synth.scene import ArmItem, CardItem, Pose, PropItem, PropKind

_KINDS = ("fan", "held fan", "grid", "ribbon", "heap")
_SHARES = (0.26, 0.14, 0.3, 0.14, 0.16)


def spread(
    rng: np.random.Generator, kit: Kit, x: float, y: float, face_up: float
) -> tuple[list[CardItem], list[ArmItem]]:
    """One spread round a place, and the hand that holds it, if one does. ``face_up``: share of the faces."""
    kind = str(rng.choice(_KINDS, p=_SHARES))
    rot = float(rng.choice([0.0, 90.0, 180.0, rng.uniform(0, 360)]) + rng.normal(0, 5))
    up = bool(rng.random() < face_up)
    if kind == "grid":
        return _grid(rng, kit, x, y, rot, face_up), []
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
