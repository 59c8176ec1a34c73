"""Stacks on whole tables for training the chip reader, drawn by ``datasets.synth``.

``render`` casts rays at one stack; this renderer paints columns of chips onto printed felts, with other
edges, seams, shadows and cameras. What a network learns of the one's ways of drawing does not help it with
the other's, so what it learns of both is more likely to be about chips.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from datasets.decks import drawn_deck
from datasets.synth.arrange import Kit, card_group, marker
from datasets.synth.chips import random_set
from datasets.synth.labels import CHIP_HEIGHT_MM, CHIP_RADIUS_MM
from datasets.synth.optics import expose, lit, metered, random_optics
from datasets.synth.patch import Canvas
from datasets.synth.people import random_arm
from datasets.synth.sample import random_light, random_table
from datasets.synth.scene import ArmItem, CardItem, ChipDesign, ChipItem, PropItem, Scene
from datasets.synth.stages import Numbers, paint_moving, paint_still
from datasets.synth.view import View
from models.chip_reader.render import filmed
from models.chip_reader.scenes import UNNAMED, random_shifts
from models.chip_reader.seen_stack import Image, SeenStack
from vision.camera import Camera
from vision.chip_colours import COLOUR_NAMES, TYPICAL
from vision.chip_geometry import FRONT, ROWS_BELOW, ROWS_PER_CHIP, side_view, stack_frame

_TABLES_A_FELT = 8
_SIZE_PX = (1280, 800)
_MOST, _TRIES = 40, 160
_EMPTY = 0.06
_MARGIN_RADII = 3.0
_NAMED_WITHIN, _NAMED_BEFORE = 2.2, 1.3
"""A colour is called by a name if it is within so many of its spreads, and any other name so much farther."""


@lru_cache(maxsize=2)
def _felt(seed: int, number: int) -> Kit:
    return random_table(np.random.default_rng((seed, number, 1)), drawn_deck(number % 4))


def table_stacks(rng: np.random.Generator, seed: int, number: int) -> list[SeenStack]:
    """The stacks of one random table in two pictures, and some places without one.

    ``seed``, ``number``: of the table; some that follow one another share a felt, which is slow to draw.
    """
    felt = _felt(seed, number // _TABLES_A_FELT)
    seam = float(rng.uniform(0.3, 1.0))
    designs = {value: replace(design, seam=seam) for value, design in random_set(rng).items()}
    kit = replace(felt, assets=replace(felt.assets, designs=designs), values=tuple(designs))
    camera = _camera(rng, kit)
    places = _places(rng, kit, camera)
    bare = int(rng.binomial(len(places), _EMPTY))
    chips = [_stack(rng, kit, at) for at in places[bare:]]
    cards, props, arms = _others(rng, kit, places)
    light = random_light(rng)
    scene = Scene(tuple(cards), tuple(chips), tuple(arms), tuple(props), light=light)
    canvas, numbers = Canvas(View(camera)), Numbers()
    paint_still(canvas, scene, kit.assets, numbers)
    paint_moving(canvas, scene, kit.assets, numbers)
    clean = lit(canvas.view.develop(canvas.bgr), light)
    images = tuple(_picture(rng, clean) for _ in range(2))
    ids = canvas.view.develop(canvas.ids, linear=False)
    out = [_bare(images, camera, at) for at in places[:bare]]
    return out + [_seen(images, camera, chip, designs, ids == numbers.of(chip)) for chip in chips]


def _camera(rng: np.random.Generator, kit: Kit) -> Camera:
    """A camera that sees a part of the felt, its chips about 1.4 to 4.5 px thick."""
    assert kit.layout is not None
    x, y, width, height = kit.layout.drawing.box_mm
    tilt, distance = rng.uniform(24, 66), rng.uniform(1100, 3800)
    thick_px = math.exp(rng.uniform(math.log(1.4), math.log(4.5)))
    radius_px = min(40.0, 6 * thick_px / math.sin(math.radians(tilt)))
    at = rng.uniform(0.2, 0.8, 2)
    return Camera.looking_at(
        (float(x + at[0] * width), float(y + at[1] * height)),
        distance_mm=distance, tilt_deg=tilt, azimuth_deg=rng.uniform(0, 360), roll_deg=rng.normal(0, 5),
        focal_px=radius_px * distance / CHIP_RADIUS_MM, size_px=_SIZE_PX,
    )  # fmt: skip


def _places(rng: np.random.Generator, kit: Kit, camera: Camera) -> list[tuple[float, float]]:
    """Where stacks may stand: in the boxes and anywhere else, some close to each other."""
    assert kit.layout is not None
    x, y, width, height = kit.layout.drawing.box_mm
    tried = np.array([x, y]) + rng.uniform(0.04, 0.96, (_TRIES, 2)) * (width, height)
    boxes = [zone for zone in kit.layout.bets if rng.random() < 0.5]
    near = np.array([(zone.x_mm, zone.y_mm) for zone in boxes]).reshape(-1, 2)
    tried = np.concatenate([near + rng.normal(0, 12, near.shape), tried])
    foot_px = camera.project(np.pad(tried, ((0, 0), (0, 1))))
    top_px = camera.project(np.pad(tried, ((0, 0), (0, 1)), constant_values=20 * CHIP_HEIGHT_MM))
    margin = _MARGIN_RADII * CHIP_RADIUS_MM * camera.px_per_mm(tried)
    ends = np.stack([foot_px, top_px])
    room = np.minimum(ends, np.array(_SIZE_PX) - ends).min(axis=(0, 2)) > margin
    apart_mm = 2 * CHIP_RADIUS_MM + rng.choice([1.5, 8.0, 20.0, 50.0], len(tried))
    kept: list[NDArray[np.float64]] = []
    for at, apart in zip(tried[room], apart_mm[room], strict=True):
        if len(kept) < _MOST and all(np.hypot(*(at - other)) > apart for other in kept):
            kept.append(at)
    return [(float(at[0]), float(at[1])) for at in kept]


def _stack(rng: np.random.Generator, kit: Kit, at: tuple[float, float]) -> ChipItem:
    count = int(rng.integers(1, [7, 13, 23][int(rng.choice(3, p=[0.4, 0.4, 0.2]))]))
    kind = rng.random()
    if kind < 0.35:
        values = [int(rng.choice(kit.values))] * count
    else:  # in blocks, the largest lowest or in any order, or mixed
        few = rng.permutation(kit.values)[: int(rng.integers(2, 5))]
        values = [int(v) for v in rng.choice(few, count)]
        if kind < 0.75:
            order = {int(v): place for place, v in enumerate(sorted(few)[::-1] if kind < 0.55 else few)}
            values.sort(key=lambda value: order[value])
    shifts = random_shifts(rng, count)
    shifts -= shifts[0]
    turns = rng.uniform(0, 360, count)
    places = tuple((float(x), float(y), float(turn)) for (x, y), turn in zip(shifts, turns, strict=True))
    return ChipItem(tuple(values), *at, places)


def _others(
    rng: np.random.Generator, kit: Kit, places: list[tuple[float, float]]
) -> tuple[list[CardItem], list[PropItem], list[ArmItem]]:
    """Cards and markers about the stacks, and now and then arms over them."""
    cards: list[CardItem] = []
    props, arms = [], []
    for _ in range(int(rng.integers(0, 5)) if places else 0):
        x, y = np.array(places[int(rng.integers(len(places)))]) + rng.normal(0, 60, 2)
        cards += card_group(rng, kit, float(x), float(y))
    for _ in range(int(rng.integers(0, 3)) if places else 0):
        x, y = np.array(places[int(rng.integers(len(places)))]) + rng.normal(0, 50, 2)
        props.append(marker(rng, float(x), float(y)))
    for _ in range(int(rng.choice([0, 1, 2, 4], p=[0.6, 0.2, 0.1, 0.1])) if places else 0):
        x, y = np.array(places[int(rng.integers(len(places)))]) + rng.normal(0, 35, 2)
        arms.append(replace(random_arm(rng, (0.0, 0.0)), x_mm=float(x), y_mm=float(y)))
    return cards, props, arms


def _picture(rng: np.random.Generator, clean: Image) -> Image:
    """What some camera makes of a clean picture; films' compression in a part of them."""
    optics = metered(random_optics(rng), clean, rng)
    if rng.random() < 0.9:  # chips stand still
        optics = replace(optics, motion_px=0.0)
    image = np.asarray(expose(clean, optics, rng), np.uint8)
    return filmed(rng, image) if rng.random() < 0.35 else image


def _bare(images: tuple[Image, ...], camera: Camera, at: tuple[float, float]) -> SeenStack:
    none = np.zeros((0, 3), np.float32)
    return SeenStack(images, camera, np.array(at), 2 * CHIP_RADIUS_MM, CHIP_HEIGHT_MM, (), none, 1.0, 1.0)


def _seen(
    images: tuple[Image, ...],
    camera: Camera,
    chip: ChipItem,
    designs: Mapping[int, ChipDesign],
    shown: NDArray[np.bool_],
) -> SeenStack:
    """A stack, of which the pixels ``shown`` (H, W) are seen."""
    kinds = [designs[value] for value in chip.denominations]
    bodies = (np.array([kind.base for kind in kinds], np.float32) / 255).astype(np.float32)
    at = (chip.x_mm, chip.y_mm)
    size = (2 * CHIP_RADIUS_MM, CHIP_HEIGHT_MM)
    side = top = 1.0
    frame = stack_frame(camera, at, *size)
    if frame is not None:
        mask = np.repeat(shown[..., None].astype(np.uint8) * 255, 3, axis=2)
        rows = side_view(mask, camera, at, frame, *size)[::-1][ROWS_BELOW:, FRONT, 0]
        side = float((rows[: ROWS_PER_CHIP * len(kinds)] > 100).mean())
        angle = np.arange(16) * (2 * np.pi / 16)
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=1) * CHIP_RADIUS_MM
        last = np.array(at) + np.array(chip.offsets[-1][:2])
        disc = np.concatenate([last + part * ring for part in (0.3, 0.6, 0.9)])
        high = np.full((len(disc), 1), CHIP_HEIGHT_MM * len(kinds))
        px = np.floor(camera.project(np.hstack([disc, high]))).astype(int)
        px = px.clip(0, np.array(shown.shape[::-1]) - 1)
        top = float(shown[px[:, 1], px[:, 0]].mean())
    names = tuple(_name(body) for body in bodies)
    return SeenStack(images, camera, np.array(at), *size, names, bodies, side, top)


def _name(body: NDArray[np.float32]) -> int:
    """The place of a colour's name, BGR 0..1; ``UNNAMED`` where it is none's or between two."""
    off = [float(np.abs((body - mean) / np.array(spread)).max()) for mean, spread in TYPICAL.values()]
    first, second = np.argsort(off)[:2]
    if off[first] > _NAMED_WITHIN or off[second] < _NAMED_BEFORE * off[first]:
        return UNNAMED
    return COLOUR_NAMES.index(list(TYPICAL)[first])
