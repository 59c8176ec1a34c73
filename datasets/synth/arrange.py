"""Random groups of things: piles of chips, cards as they lie together, clutter, what hands hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.synth.layouts import TableLayout
from datasets.synth.raster import Colour, hsv
from datasets.synth.scene import ArmItem, CardItem, ChipItem, PropItem, PropKind
from datasets.synth.stages import Assets
from rules.cards import PACK, Card

_MARKER_SIZES = {
    PropKind.BUTTON: (50, 50, 6), PropKind.LAMMER: (32, 32, 4), PropKind.CUT_CARD: (63, 88, 0.6),
    PropKind.PADDLE: (40, 190, 5), PropKind.PHONE: (74, 150, 9), PropKind.PAPER: (90, 130, 0.3),
    PropKind.COIN: (24, 24, 2), PropKind.SHEET: (60, 85, 0.3), PropKind.BOX: (90, 130, 22),
}  # fmt: skip
_CLUTTER = [PropKind.PHONE, PropKind.PAPER, PropKind.GLASS, PropKind.COIN, PropKind.SHEET, PropKind.BOX]
_MARKER_WORDS = ("DEALER", "D", "OFF", "ON", "BANCA", "PUNTO", "RESERVED", "BANKER", "PLAYER", "10", "")


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """One table, or one surface for photographs (``layout`` None), with what lies on it."""

    assets: Assets
    layout: TableLayout | None
    shoe_colour: Colour
    backs: tuple[int, ...]
    values: tuple[int, ...]


def random_stack(rng: np.random.Generator, kit: Kit, x: float, y: float, most: int = 20) -> ChipItem:
    """A pile of one to ``most`` chips, tidy or not, of one value or several."""
    count = 1 + int(rng.beta(0.8, 2.6) * most)
    style = rng.random()
    if style < 0.35:
        values = [int(rng.choice(kit.values))] * count
    elif style < 0.75:
        few = rng.choice(kit.values, min(int(rng.integers(1, 4)), len(kit.values)), replace=False)
        values = sorted((int(v) for v in rng.choice(few, count)), reverse=True)
    else:
        values = [int(v) for v in rng.choice(kit.values, count)]
    mess = float(rng.choice([0.15, 0.5, 1.2, 2.2], p=[0.3, 0.4, 0.2, 0.1]))
    lean = rng.normal(0, 0.06 * mess, 2)
    offsets = tuple(
        (
            float(rng.normal(0, mess) + lean[0] * i),
            float(rng.normal(0, mess) + lean[1] * i),
            float(rng.uniform(0, 360)),
        )
        for i in range(count)
    )
    return ChipItem(tuple(values), x, y, offsets)


def random_card(
    rng: np.random.Generator, kit: Kit, x: float, y: float, rot: float, up: bool, layer: int = 0
) -> CardItem:
    card: Card = PACK[int(rng.integers(52))]
    pitch = float(np.clip(rng.normal(0, 1.2), -3, 3)) if rng.random() < 0.3 else 0.0
    turn = float(rng.normal(0, 1.5)) if rng.random() < 0.3 else 0.0
    return CardItem(
        card,
        float(x),
        float(y),
        float(rot),
        0.3 + 0.35 * layer,
        (0.0 if up else 180.0) + turn,
        pitch,
        int(rng.choice(kit.backs)),
    )


def card_group(
    rng: np.random.Generator, kit: Kit, x: float, y: float, face_up: float = 0.75
) -> list[CardItem]:
    """Cards as they are found together: a hand side by side, a fan, a spread, a heap, a pile of backs."""
    kind = str(
        rng.choice(["row", "fan", "overlap", "heap", "pile", "single"], p=[0.28, 0.14, 0.2, 0.12, 0.08, 0.18])
    )
    rot = float(rng.choice([0.0, 90.0, 180.0, rng.uniform(0, 360)]) + rng.normal(0, 4))
    a = np.deg2rad(rot)
    right, down = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    at = np.array([x, y])
    up = rng.random() < face_up
    items = []
    count = {"row": 3, "fan": 6, "overlap": 5, "heap": 7, "pile": 5, "single": 1}[kind]
    count = int(rng.integers(1, count + 1))
    for i in range(count):
        here, turn, shown = at, rot + float(rng.normal(0, 2)), up
        if kind == "row":
            here = at + right * i * rng.uniform(64, 76)
            if i == 2 and rng.random() < 0.6:
                turn += 90
                here = here + right * 14
            shown = up if rng.random() < 0.85 else not up
        elif kind == "fan":
            turn = rot + (i - count / 2) * rng.uniform(7, 24)
            b = np.deg2rad(turn)
            here = at + 70 * np.array([np.sin(b), -np.cos(b)])
        elif kind == "overlap":
            here = at + (right * rng.uniform(12, 40) + down * rng.uniform(-20, 30)) * i
        elif kind == "heap":
            here, turn = at + rng.normal(0, 45, 2), float(rng.uniform(0, 360))
            shown = rng.random() < face_up
        elif kind == "pile":
            here, turn = at + rng.normal(0, 2.5, 2), rot + float(rng.normal(0, 3))
            shown = up and rng.random() < 0.3
        items.append(random_card(rng, kit, here[0], here[1], turn, bool(shown), i))
    return items


def marker(rng: np.random.Generator, x: float, y: float, clutter: bool = False) -> PropItem:
    """A button, cut card, lammer or paddle; with ``clutter`` a telephone, paper or a glass."""
    kinds = _CLUTTER if clutter else list(_MARKER_SIZES)[:4]
    kind = kinds[int(rng.integers(len(kinds)))]
    if kind is PropKind.GLASS:
        width = rng.uniform(55, 90)
        tone, drink = (
            hsv(0.6, 0.1, 0.9),
            hsv(rng.uniform(0, 0.15), rng.uniform(0.2, 1), rng.uniform(0.2, 0.9)),
        )
        return PropItem(
            kind, x, y, 0, width, width, rng.uniform(60, 150), tone, drink, seed=int(rng.integers(9999))
        )
    w, d, h = (float(v) for v in _MARKER_SIZES[kind])
    s = rng.uniform(0.8, 1.3)
    base = hsv(rng.random(), rng.choice([0.0, 0.9]), rng.uniform(0.1, 1))
    if kind is PropKind.PAPER:
        base = hsv(0.12, rng.uniform(0, 0.2), rng.uniform(0.8, 1))
        s = rng.uniform(0.6, 2.0)
    if kind is PropKind.CUT_CARD:
        base = hsv(rng.random(), rng.uniform(0.75, 1), rng.uniform(0.5, 1))
    if kind is PropKind.COIN:
        base = hsv(rng.choice([0.1, 0.13, 0.6]), rng.uniform(0.05, 0.6), rng.uniform(0.4, 0.85))
    if kind in (PropKind.SHEET, PropKind.BOX):
        s = rng.uniform(0.6, 1.6)
        w, d, h = w * rng.uniform(0.6, 1.6), d * rng.uniform(0.6, 1.4), h * rng.uniform(0.3, 1.6)
        if rng.random() < 0.5:
            base = hsv(0.12, rng.uniform(0, 0.15), rng.uniform(0.75, 1))
    if kind is PropKind.PHONE:
        base = hsv(rng.random(), 0.1, rng.uniform(0.02, 0.3))
    second = (
        hsv(rng.random(), rng.uniform(0, 1), rng.uniform(0, 1)) if sum(base) > 300 else hsv(0.1, 0.1, 0.95)
    )
    text = (
        str(rng.choice(_MARKER_WORDS)) if kind in (PropKind.BUTTON, PropKind.LAMMER, PropKind.PADDLE) else ""
    )
    return PropItem(
        kind, x, y, float(rng.uniform(0, 360)), w * s, d * s, h, base, second, text, int(rng.integers(9999))
    )


def held(rng: np.random.Generator, kit: Kit, arms: list[ArmItem]) -> tuple[list[CardItem], list[ChipItem]]:
    cards, chips = [], []
    for arm in arms:
        roll = rng.random()
        z = float(arm.z_mm)
        if roll < 0.3:
            rot = float(arm.heading_deg - 90 + rng.normal(0, 25))
            turn = float(rng.choice([0.0, 180.0, rng.uniform(0, 180)], p=[0.4, 0.4, 0.2]))
            reach = rng.uniform(10, 35)
            a = np.deg2rad(arm.heading_deg)
            cards.append(
                CardItem(
                    PACK[int(rng.integers(52))],
                    float(arm.x_mm - np.cos(a) * reach), float(arm.y_mm - np.sin(a) * reach), rot,
                    max(z - 6, 1.0), turn, float(rng.normal(0, 8)), int(rng.choice(kit.backs)), held=True,
                )
            )  # fmt: skip
        elif roll < 0.5:
            stack = random_stack(rng, kit, float(arm.x_mm), float(arm.y_mm), 6)
            drop = max(0.0, z - 3.3 * len(stack.denominations) * 0.8)
            chips.append(
                ChipItem(stack.denominations, stack.x_mm, stack.y_mm, stack.offsets, drop, held=True)
            )
    return cards, chips


def apart(chips: list[ChipItem]) -> list[ChipItem]:
    """Drop piles that would stand in one another."""
    kept: list[ChipItem] = []
    for chip in chips:
        if all((chip.x_mm - k.x_mm) ** 2 + (chip.y_mm - k.y_mm) ** 2 > 39.5**2 for k in kept):
            kept.append(chip)
    return kept
