"""Random tables, scenes and cameras from a generator: what the training pictures are drawn from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.decks import Deck
from datasets.synth.arrange import Kit, apart, card_group, held, marker, random_card, random_stack
from datasets.synth.card_textures import PICTURE_BACKS, CardTextures, random_look
from datasets.synth.chips import random_set
from datasets.synth.ground import photo_ground, table_ground
from datasets.synth.layouts import TableLayout, Zone, random_layout
from datasets.synth.people import random_arm, random_body
from datasets.synth.pictures import PictureStock
from datasets.synth.raster import hsv
from datasets.synth.scene import (
    ArmItem,
    CardItem,
    ChipItem,
    FloatItem,
    Light,
    PropItem,
    Scene,
    ShoeItem,
)
from datasets.synth.spreads import packet, printed, spread, squared_pack
from datasets.synth.stages import Assets


def random_table(rng: np.random.Generator, deck: Deck) -> Kit:
    """A table with its felt painted; takes most of a second, so make many pictures with each."""
    layout = random_layout(rng)
    ground = table_ground(rng, layout.drawing, layout.edge_mm, float(rng.uniform(1.3, 1.8)))
    return _kit(rng, Assets(ground, CardTextures(deck), random_set(rng)), layout)


def random_surface(rng: np.random.Generator, deck: Deck, stock: PictureStock | None = None) -> Kit:
    """A domestic surface for close photographs; ``stock``: pictures for what is printed and for surfaces."""
    stock = PictureStock() if stock is None else stock
    textures = CardTextures(deck, random_look(rng, stock))
    kit = _kit(rng, Assets(photo_ground(rng, stock), textures, random_set(rng), stock), None)
    backs = [int(b) for b in (*rng.integers(0, 60, 1), *rng.integers(100, 2000, 1))]
    backs.append(PICTURE_BACKS + int(rng.integers(100_000)))
    chosen = rng.permutation(backs)[: int(rng.integers(1, 4))]
    return replace(kit, backs=tuple(int(b) for b in chosen))


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


def _in_zone(rng: np.random.Generator, zone: Zone) -> tuple[float, float]:
    """A place in a box, on its outline, or near it."""
    a = np.deg2rad(zone.rot_deg)
    u, v = rng.uniform(-0.5, 0.5, 2)
    if rng.random() < 0.25:
        u = float(rng.choice([-0.5, 0.5])) + float(rng.normal(0, 0.05))
    x = zone.x_mm + u * zone.width_mm * np.cos(a) - v * zone.depth_mm * np.sin(a)
    y = zone.y_mm + u * zone.width_mm * np.sin(a) + v * zone.depth_mm * np.cos(a)
    return float(x), float(y)


def table_scene(rng: np.random.Generator, kit: Kit) -> Scene:
    """What a table may look like at one moment of some game."""
    assert kit.layout is not None
    layout = kit.layout
    cards: list[CardItem] = []
    chips: list[ChipItem] = []
    props: list[PropItem] = []
    if rng.random() < 0.03:
        return Scene(light=random_light(rng))
    felt_w, felt_h = layout.drawing.box_mm[2], layout.drawing.box_mm[3] - 60
    for zone in layout.hands:
        if rng.random() < 0.85:
            x, y = zone.x_mm - zone.width_mm * 0.3, zone.y_mm + rng.normal(0, 12)
            cards += card_group(rng, kit, float(x + rng.normal(0, 20)), float(y), 0.8)
    share = float(rng.choice([0.2, 0.45, 0.75]))
    for zone in layout.bets:
        if rng.random() < share:
            x, y = _in_zone(rng, zone)
            chips.append(random_stack(rng, kit, x, y, int(rng.choice([4, 8, 20]))))
            if rng.random() < 0.25:
                a, gap = rng.uniform(0, 2 * np.pi), rng.uniform(40, 55)
                chips.append(
                    random_stack(rng, kit, float(x + np.cos(a) * gap), float(y + np.sin(a) * gap), 8)
                )
    for _ in range(int(rng.integers(0, 6))):
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
            random_card(
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
        for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.1, 0.3, 0.38, 0.22])))
    ]
    held_cards, held_chips = held(rng, kit, arms)
    bodies = [random_body(rng, (felt_w, felt_h), True)] if rng.random() < 0.5 else []
    bodies += [random_body(rng, (felt_w, felt_h), False) for _ in range(int(rng.choice([0, 0, 1, 2, 4])))]
    chips = apart(chips)
    return Scene(
        tuple(cards + held_cards), tuple(chips + held_chips), tuple(arms), tuple(props + bodies),
        _shoe(rng, kit, layout) if rng.random() < 0.8 else None,
        _tray(rng, kit, layout) if rng.random() < 0.85 else None, random_light(rng),
    )  # fmt: skip


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
    mode = str(rng.choice(["cards", "chips", "both", "none"], p=[0.58, 0.14, 0.2, 0.08]))
    face_up = float(rng.choice([0.95, 0.5, 0.06], p=[0.64, 0.12, 0.24]))
    arms: list[ArmItem] = []
    if mode in ("cards", "both"):
        for _ in range(int(rng.choice([1, 1, 2, 3, 5]))):
            wide = rng.uniform(10, 130)
            cards += card_group(rng, kit, float(rng.normal(0, wide)), float(rng.normal(0, wide)), face_up)
        if rng.random() < 0.42:
            laid, arms = spread(rng, kit, float(rng.normal(0, 60)), float(rng.normal(0, 60)), face_up)
            cards = laid if rng.random() < 0.6 else cards + laid
    if mode in ("chips", "both"):
        spread_x, spread_y = rng.uniform(30, 110), rng.uniform(25, 80)
        for _ in range(int(rng.integers(1, 12))):
            x, y = float(rng.normal(0, spread_x)), float(rng.normal(0, spread_y))
            chips.append(random_stack(rng, kit, x, y, int(rng.choice([1, 6, 20, 30]))))
    props = [
        marker(rng, float(rng.normal(0, 160)), float(rng.normal(0, 160)), bool(rng.random() < 0.8))
        for _ in range(int(rng.choice([0, 0, 1, 2, 5])))
    ]
    if rng.random() < (0.95 if mode == "none" else 0.5):
        for _ in range(int(rng.choice([1, 1, 2, 4]))):
            wide = rng.uniform(30, 220)
            props.append(printed(rng, float(rng.normal(0, wide)), float(rng.normal(0, wide))))
    if rng.random() < (0.5 if mode == "none" else 0.3):
        for _ in range(int(rng.choice([1, 1, 1, 2, 3]))):
            wide = rng.uniform(30, 160)
            box, drawn = packet(rng, kit, float(rng.normal(0, wide)), float(rng.normal(0, wide)))
            props.append(box)
            cards += drawn
    if rng.random() < 0.12:
        place = rng.normal(0, 90, 2)
        pack, top = squared_pack(rng, kit, float(place[0]), float(place[1]), bool(rng.random() < face_up))
        props.append(pack)
        cards.append(top)
    held_cards: list[CardItem] = []
    held_chips: list[ChipItem] = []
    if not arms and rng.random() < 0.35:
        arms = [random_arm(rng, (0.0, 0.0)) for _ in range(int(rng.choice([1, 1, 2])))]
        held_cards, held_chips = held(rng, kit, arms)
    return Scene(
        tuple(cards + held_cards),
        tuple(apart(chips) + held_chips),
        tuple(arms),
        tuple(props),
        None,
        None,
        random_light(rng),
    )
