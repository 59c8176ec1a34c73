"""Random tables, scenes and cameras from a generator: what the training pictures are drawn from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.decks import Deck
from datasets.synth.chips import random_set
from datasets.synth.flat import CardTextures
from datasets.synth.ground import photo_ground, table_ground
from datasets.synth.layouts import TableLayout, Zone, random_layout
from datasets.synth.people import random_arm, random_body
from datasets.synth.raster import Colour, hsv
from datasets.synth.scene import (
    ArmItem,
    CardItem,
    ChipItem,
    FloatItem,
    Light,
    PropItem,
    PropKind,
    Scene,
    ShoeItem,
)
from datasets.synth.stages import Assets
from rules.cards import PACK, Card

_MARKER_SIZES = {
    PropKind.BUTTON: (50, 50, 6), PropKind.LAMMER: (32, 32, 4), PropKind.CUT_CARD: (63, 88, 0.6),
    PropKind.PADDLE: (40, 190, 5), PropKind.PHONE: (74, 150, 9), PropKind.PAPER: (90, 130, 0.3),
}  # fmt: skip
_MARKER_WORDS = ("DEALER", "D", "OFF", "ON", "BANCA", "PUNTO", "RESERVED", "BANKER", "PLAYER", "10", "")


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """One table, or one surface for photographs (``layout`` None), with what lies on it."""

    assets: Assets
    layout: TableLayout | None
    shoe_colour: Colour
    backs: tuple[int, ...]
    values: tuple[int, ...]


def random_table(rng: np.random.Generator, deck: Deck) -> Kit:
    """A table with its felt painted; takes most of a second, so make many pictures with each."""
    layout = random_layout(rng)
    ground = table_ground(rng, layout.drawing, layout.edge_mm, float(rng.uniform(1.3, 1.8)))
    return _kit(rng, Assets(ground, CardTextures(deck), random_set(rng)), layout)


def random_surface(rng: np.random.Generator, deck: Deck) -> Kit:
    """A domestic surface for close photographs."""
    return _kit(rng, Assets(photo_ground(rng), CardTextures(deck), random_set(rng)), None)


def _kit(rng: np.random.Generator, assets: Assets, layout: TableLayout | None) -> Kit:
    shoe = hsv(rng.random(), rng.choice([0.0, 0.1, 0.6]), rng.choice([0.1, 0.18, 0.5, 0.8]))
    backs = tuple(int(b) for b in rng.integers(0, 60, int(rng.integers(1, 3))))
    return Kit(assets, layout, shoe, backs, tuple(assets.designs))


def random_light(rng: np.random.Generator) -> Light:
    """Key light, shadows, falloff and, now and then, glare."""
    spots = tuple(
        (
            float(rng.random()),
            float(rng.random()),
            float(rng.uniform(0.02, 0.25)),
            float(rng.uniform(0.1, 0.7)),
        )
        for _ in range(int(rng.choice([0, 0, 0, 1, 2])))
    )
    return Light(
        azimuth_deg=float(rng.uniform(0, 360)),
        elevation_deg=float(rng.uniform(35, 88)),
        softness=float(rng.uniform(0.02, 0.8)),
        shadow=float(rng.uniform(0.12, 0.7)),
        gradient=float(rng.uniform(0, 0.45)),
        gradient_deg=float(rng.uniform(0, 360)),
        vignette=float(rng.uniform(0, 0.5)),
        spots=spots,
    )


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


def _card(
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
        items.append(_card(rng, kit, here[0], here[1], turn, bool(shown), i))
    return items


def _in_zone(rng: np.random.Generator, zone: Zone) -> tuple[float, float]:
    """A place in a box, on its outline, or near it."""
    a = np.deg2rad(zone.rot_deg)
    u, v = rng.uniform(-0.5, 0.5, 2)
    if rng.random() < 0.25:
        u = float(rng.choice([-0.5, 0.5])) + float(rng.normal(0, 0.05))
    x = zone.x_mm + u * zone.width_mm * np.cos(a) - v * zone.depth_mm * np.sin(a)
    y = zone.y_mm + u * zone.width_mm * np.sin(a) + v * zone.depth_mm * np.cos(a)
    return float(x), float(y)


def marker(rng: np.random.Generator, x: float, y: float, clutter: bool = False) -> PropItem:
    """A button, cut card, lammer or paddle; with ``clutter`` a telephone, paper or a glass."""
    kinds = [PropKind.PHONE, PropKind.PAPER, PropKind.GLASS] if clutter else list(_MARKER_SIZES)[:4]
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
    w, d, h = _MARKER_SIZES[kind]
    s = rng.uniform(0.8, 1.3)
    base = hsv(rng.random(), rng.choice([0.0, 0.9]), rng.uniform(0.1, 1))
    if kind is PropKind.PAPER:
        base = hsv(0.12, rng.uniform(0, 0.2), rng.uniform(0.8, 1))
        s = rng.uniform(0.6, 2.0)
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


def table_scene(rng: np.random.Generator, kit: Kit) -> Scene:
    """What a table may look like at one moment of some game."""
    assert kit.layout is not None
    layout = kit.layout
    cards: list[CardItem] = []
    chips: list[ChipItem] = []
    props: list[PropItem] = []
    felt_w, felt_h = layout.drawing.box_mm[2], layout.drawing.box_mm[3] - 60
    for zone in layout.hands:
        if rng.random() < 0.85:
            x, y = zone.x_mm - zone.width_mm * 0.3, zone.y_mm + rng.normal(0, 12)
            cards += card_group(rng, kit, float(x + rng.normal(0, 20)), float(y), 0.8)
    share = float(rng.choice([0.1, 0.3, 0.6]))
    for zone in layout.bets:
        if rng.random() < share:
            x, y = _in_zone(rng, zone)
            chips.append(random_stack(rng, kit, x, y, int(rng.choice([4, 8, 20]))))
            if rng.random() < 0.25:
                a, gap = rng.uniform(0, 2 * np.pi), rng.uniform(40, 55)
                chips.append(
                    random_stack(rng, kit, float(x + np.cos(a) * gap), float(y + np.sin(a) * gap), 8)
                )
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(0.08, 0.92) * felt_w, rng.uniform(0.15, 0.9) * felt_h
        cards += card_group(rng, kit, float(x), float(y))
    for _ in range(int(rng.integers(0, 6))):
        x, y = rng.uniform(0.05, 0.95) * felt_w, rng.uniform(0.15, 0.97) * felt_h
        chips.append(random_stack(rng, kit, float(x), float(y), 20))
    for _ in range(int(rng.integers(0, 4))):
        x, y = rng.uniform(0.05, 0.95) * felt_w, rng.uniform(0.1, 0.97) * felt_h
        props.append(marker(rng, float(x), float(y), bool(rng.random() < 0.45)))
    if rng.random() < 0.7:
        pile = [
            _card(
                rng,
                kit,
                *(layout.discard.x_mm + rng.normal(0, 3), layout.discard.y_mm + rng.normal(0, 3)),
                90 + rng.normal(0, 4),
                False,
                i,
            )
            for i in range(int(rng.integers(1, 8)))
        ]
        cards += pile
    arms = [
        random_arm(rng, (felt_w, felt_h))
        for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.25, 0.35, 0.3, 0.1])))
    ]
    held_cards, held_chips = _held(rng, kit, arms)
    bodies = [random_body(rng, (felt_w, felt_h), True)] if rng.random() < 0.5 else []
    bodies += [random_body(rng, (felt_w, felt_h), False) for _ in range(int(rng.choice([0, 0, 1, 2, 4])))]
    chips = _apart(chips)
    return Scene(
        tuple(cards + held_cards), tuple(chips + held_chips), tuple(arms), tuple(props + bodies),
        _shoe(rng, kit, layout) if rng.random() < 0.8 else None,
        _tray(rng, kit, layout) if rng.random() < 0.85 else None, random_light(rng),
    )  # fmt: skip


def _held(rng: np.random.Generator, kit: Kit, arms: list[ArmItem]) -> tuple[list[CardItem], list[ChipItem]]:
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


def _apart(chips: list[ChipItem]) -> list[ChipItem]:
    """Drop piles that would stand in one another."""
    kept: list[ChipItem] = []
    for chip in chips:
        if all((chip.x_mm - k.x_mm) ** 2 + (chip.y_mm - k.y_mm) ** 2 > 39.5**2 for k in kept):
            kept.append(chip)
    return kept


def _shoe(rng: np.random.Generator, kit: Kit, layout: TableLayout) -> ShoeItem:
    outward = 0.0 if layout.shoe.x_mm > layout.drawing.box_mm[2] / 2 else 180.0
    return ShoeItem(
        layout.shoe.x_mm, layout.shoe.y_mm, outward + float(rng.normal(0, 22)), float(rng.uniform(190, 340)),
        float(rng.uniform(78, 120)), float(rng.uniform(70, 125)), float(rng.uniform(5, 35)),
        kit.shoe_colour, kit.backs[0],
    )  # fmt: skip


def _tray(rng: np.random.Generator, kit: Kit, layout: TableLayout) -> FloatItem:
    tubes = int(rng.integers(6, 14))
    values = np.sort(rng.choice(kit.values, tubes))[:: int(rng.choice([1, -1]))]
    depth = layout.float_tray.depth_mm
    rows = tuple((int(v), int(rng.integers(0, int(depth / 3.3)))) for v in values)
    colour = hsv(rng.random(), rng.uniform(0, 0.4), rng.uniform(0.05, 0.4))
    return FloatItem(
        layout.float_tray.x_mm, layout.float_tray.y_mm, 42.0, depth, rows, colour, int(rng.integers(9999))
    )


def photo_scene(rng: np.random.Generator, kit: Kit) -> Scene:
    """Cards and chips on a domestic surface, near the origin."""
    cards: list[CardItem] = []
    chips: list[ChipItem] = []
    mode = str(rng.choice(["cards", "chips", "both"], p=[0.55, 0.2, 0.25]))
    if mode != "chips":
        for _ in range(int(rng.choice([1, 1, 2, 3, 5]))):
            spread = rng.uniform(10, 130)
            cards += card_group(rng, kit, float(rng.normal(0, spread)), float(rng.normal(0, spread)), 0.88)
    if mode != "cards":
        for _ in range(int(rng.integers(1, 12))):
            chips.append(
                random_stack(
                    rng,
                    kit,
                    float(rng.normal(0, 90)),
                    float(rng.normal(0, 70)),
                    int(rng.choice([1, 6, 20, 30])),
                )
            )
    if not cards and not chips:
        cards = card_group(rng, kit, 0.0, 0.0)
    props = [
        marker(rng, float(rng.normal(0, 200)), float(rng.normal(0, 200)), bool(rng.random() < 0.7))
        for _ in range(int(rng.choice([0, 0, 1, 2])))
    ]
    arms = []
    if rng.random() < 0.25:
        arms = [random_arm(rng, (0.0, 0.0))]
    held_cards, held_chips = _held(rng, kit, arms)
    return Scene(
        tuple(cards + held_cards),
        tuple(_apart(chips) + held_chips),
        tuple(arms),
        tuple(props),
        None,
        None,
        random_light(rng),
    )
