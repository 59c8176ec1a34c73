"""What is known of each object in a synthesised picture, in the camera's pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from datasets.synth.chips import circle_mm
from datasets.synth.flat import seen_side, visible_quad
from datasets.synth.raster import Array
from datasets.synth.scene import ArmItem, CardItem, ChipDesign, ChipItem
from rules.cards import Face
from vision.camera import Camera

CHIP_RADIUS_MM, CHIP_HEIGHT_MM = 19.75, 3.3

Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in pixels."""


@dataclass(frozen=True, slots=True)
class CardLabel:
    """A card. ``quad_px`` (4, 2): clockwise from the top left of the side that is seen."""

    name: str
    card: str | None
    face: Face
    quad_px: tuple[tuple[float, float], ...]
    visible: float
    held: bool
    turning: bool


@dataclass(frozen=True, slots=True)
class ChipLabel:
    """A pile. ``box_px``: all of it, hidden parts included. ``quad_px`` (4, 2): the rectangle round it along
    its axis where it is tall enough to have one, else the box. Base and top are the axis's ends."""

    name: str
    denominations: tuple[int, ...]
    box_px: Box
    quad_px: tuple[tuple[float, float], ...]
    base_px: tuple[float, float]
    top_px: tuple[float, float]
    chip_height_px: float
    """How far apart neighbouring chips appear along the axis."""
    chip_colours: tuple[tuple[int, int, int], ...]
    """Base colour (blue, green, red) of each chip before light, bottom to top."""
    visible: float
    held: bool


@dataclass(frozen=True, slots=True)
class HandLabel:
    """A hand. ``box_px``: what is seen of fingers and palm (None: nothing); ``arm_box_px``: forearm too."""

    name: str
    dealer: bool
    box_px: Box | None
    arm_box_px: Box | None
    tip_px: tuple[float, float]
    visible: float


@dataclass(frozen=True, slots=True)
class ThingLabel:
    """A shoe or marker by kind; ``box_px``: what is seen of it."""

    kind: str
    box_px: Box | None
    visible: float


@dataclass(frozen=True, slots=True)
class Labels:
    """All labels of a picture."""

    cards: tuple[CardLabel, ...]
    chips: tuple[ChipLabel, ...]
    hands: tuple[HandLabel, ...]
    things: tuple[ThingLabel, ...]


def point(row: Array) -> tuple[float, float]:
    """A row of two numbers as a pair, rounded to a thousandth of a pixel."""
    return round(float(row[0]), 3), round(float(row[1]), 3)


def card_label(item: CardItem, camera: Camera, eye_mm: Array, visible: float) -> CardLabel:
    """The label of a card whose visible part is known."""
    quad = camera.project(visible_quad(item, eye_mm))
    side = seen_side(item, eye_mm)
    turned = abs((item.turn_deg + 180) % 360 - 180)
    turning = 5 < turned < 175
    name = str(item.card) if item.card is not None else None
    return CardLabel(item.name, name, side, tuple(point(p) for p in quad), visible, item.held, turning)


def chip_centres(item: ChipItem) -> tuple[Array, Array]:
    """Middles of the chips' bottoms (n, 3) mm and their turns (n,) degrees."""
    offsets = np.array(item.offsets, np.float64).reshape(-1, 3)
    heights = item.z_mm + np.arange(len(offsets)) * CHIP_HEIGHT_MM
    centres = np.stack([item.x_mm + offsets[:, 0], item.y_mm + offsets[:, 1], heights], axis=1)
    return centres, offsets[:, 2]


def chip_label(
    item: ChipItem, designs: Mapping[int, ChipDesign], camera: Camera, visible: float
) -> ChipLabel:
    """The label of a pile whose visible part is known."""
    centres, _ = chip_centres(item)
    e1, e2, up = np.eye(3)
    ends = np.concatenate([centres, centres + up * CHIP_HEIGHT_MM])
    rim = camera.project(circle_mm(ends, e1, e2, CHIP_RADIUS_MM, 48).reshape(-1, 3))
    low, high = rim.min(axis=0), rim.max(axis=0)
    height = len(centres) * CHIP_HEIGHT_MM
    axis = np.array([(item.x_mm, item.y_mm, item.z_mm), (item.x_mm, item.y_mm, item.z_mm + height)])
    base, top = camera.project(axis)
    box = (*point(low), *point(high))
    colours = tuple(designs[value].base for value in item.denominations)
    step = float(np.linalg.norm(top - base)) / len(centres)
    return ChipLabel(
        item.name,
        item.denominations,
        box,
        _along(rim, base, top),
        point(base),
        point(top),
        round(step, 3),
        colours,
        visible,
        item.held,
    )


def _along(rim: Array, base: Array, top: Array) -> tuple[tuple[float, float], ...]:
    """The rectangle round points (n, 2), along base to top where that is longer than a third of the width."""
    step = top - base
    length = float(np.linalg.norm(step))
    up = step / max(length, 1e-9)
    frame = np.stack([np.array([-up[1], up[0]]), up])
    low, high = (rim @ frame.T).min(axis=0), (rim @ frame.T).max(axis=0)
    if length < 0.33 * (high[0] - low[0]):
        frame = np.eye(2)
        low, high = rim.min(axis=0), rim.max(axis=0)
    corners = np.array([(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]) @ frame
    return tuple(point(corner) for corner in corners)


def hand_label(item: ArmItem, camera: Camera, hand: Box | None, arm: Box | None, visible: float) -> HandLabel:
    """The label of a hand whose visible pixels' boxes are known."""
    tip = camera.project(np.array([[item.x_mm, item.y_mm, item.z_mm]]))[0]
    return HandLabel(item.name, item.dealer, hand, arm, point(tip), visible)


def union(a: Box | None, b: Box | None) -> Box | None:
    """The box round two boxes."""
    if a is None or b is None:
        return a if b is None else b
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])
