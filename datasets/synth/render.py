"""A scene to a picture with labels: back to front onto a canvas that keeps which object each pixel shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.synth.chips import paint_column
from datasets.synth.flat import CardTextures, card_corners, paint_card, paint_flat_prop
from datasets.synth.ground import Ground
from datasets.synth.hands import arm_limbs
from datasets.synth.labels import (
    CHIP_RADIUS_MM,
    Box,
    Labels,
    ThingLabel,
    card_label,
    chip_centres,
    chip_label,
    hand_label,
    union,
)
from datasets.synth.limbs import Limb, Surface, limb_shadow, paint_limbs
from datasets.synth.patch import Canvas
from datasets.synth.raster import Array, ellipse_points, fill_convex
from datasets.synth.scene import ArmItem, ChipDesign, ChipItem, Light, PropItem, PropKind, Scene
from datasets.synth.standing import paint_float, paint_glass, paint_shoe
from datasets.synth.view import SCALE, View
from vision.camera import Camera

_FLAT = {PropKind.BUTTON, PropKind.CUT_CARD, PropKind.PADDLE, PropKind.LAMMER, PropKind.PHONE, PropKind.PAPER}
MARKERS = {PropKind.BUTTON, PropKind.CUT_CARD, PropKind.PADDLE, PropKind.LAMMER}
_SHADOW_STEP = 4


@dataclass(frozen=True, slots=True, eq=False)
class Assets:
    """What a table's pictures share: the printed felt, the deck, the house's chips."""

    ground: Ground
    textures: CardTextures
    designs: Mapping[int, ChipDesign]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A clean picture (height, width, 3) uint8 BGR and its labels; ``ids`` int16: object number per pixel."""

    image: Array
    ids: Array
    labels: Labels
    camera: Camera


def light_direction(light: Light) -> Array:
    """Unit vector to the key light in the layout frame."""
    a, e = np.deg2rad(light.azimuth_deg), np.deg2rad(light.elevation_deg)
    return np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])


def render(scene: Scene, assets: Assets, camera: Camera) -> Picture:
    """The picture that a perfect sensor would take of the scene, with exact labels."""
    canvas = Canvas(View(camera))
    numbers = _Numbers()
    assets.ground.paint(canvas)
    to_light = light_direction(scene.light)
    for prop in scene.props:
        if prop.kind in _FLAT:
            paint_flat_prop(canvas, prop, numbers.of(prop))
    for card in scene.cards:
        if not card.held:
            paint_card(canvas, assets.textures, card, numbers.of(card), scene.light.shadow)
    limbs = [(arm, *arm_limbs(arm)) for arm in scene.arms]
    _paint_standing(canvas, scene, assets, numbers, to_light)
    _cast(canvas, scene, [limb for _, parts, _ in limbs for limb in parts], to_light)
    for card in scene.cards:
        if card.held:
            paint_card(canvas, assets.textures, card, numbers.of(card), 0.0)
    for chip in scene.chips:
        if chip.held:
            _paint_chips(canvas, chip, assets, numbers.of(chip), to_light)
    for arm, parts, surfaces in limbs:
        marks = (numbers.of(arm), numbers.of(arm, "arm"))
        paint_limbs(canvas, parts, surfaces, marks, to_light, arm.seed)
    return _finish(canvas, scene, assets, numbers)


class _Numbers:
    """Object numbers, from 1, by identity of the scene's items."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], int] = {}

    def of(self, item: object, part: str = "") -> int:
        return self._known.setdefault((id(item), part), len(self._known) + 1)


def _paint_chips(canvas: Canvas, chip: ChipItem, assets: Assets, obj: int, to_light: Array) -> None:
    centres, turns = chip_centres(chip)
    designs = [assets.designs[value] for value in chip.denominations]
    up = np.array([0.0, 0.0, 1.0])
    if canvas.view.to_camera(centres)[:, 2].min() > 60:
        paint_column(canvas, designs, centres, turns, up, obj, to_light)


def _paint_standing(canvas: Canvas, scene: Scene, assets: Assets, numbers: _Numbers, to_light: Array) -> None:
    view = canvas.view
    if scene.float_tray is not None:
        paint_float(canvas, scene.float_tray, assets.designs, numbers.of(scene.float_tray), to_light)
    standing: list[tuple[float, object]] = []
    standing += [(_distance(view, chip.x_mm, chip.y_mm), chip) for chip in scene.chips if not chip.held]
    solids = [prop for prop in scene.props if prop.kind not in _FLAT and prop.kind is not PropKind.BODY]
    standing += [(_distance(view, prop.x_mm, prop.y_mm), prop) for prop in solids]
    if scene.shoe is not None:
        standing.append((_distance(view, scene.shoe.x_mm, scene.shoe.y_mm), scene.shoe))
    _ground_shadows(canvas, scene, to_light)
    for _, item in sorted(standing, key=lambda pair: -pair[0]):
        if isinstance(item, ChipItem):
            _paint_chips(canvas, item, assets, numbers.of(item), to_light)
        elif isinstance(item, PropItem):
            paint_glass(canvas, item, numbers.of(item), to_light)
        elif scene.shoe is not None:
            paint_shoe(canvas, scene.shoe, assets.textures, numbers.of(scene.shoe), to_light)
    for body in [prop for prop in scene.props if prop.kind is PropKind.BODY]:
        parts, surfaces = body_limbs(body)
        paint_limbs(canvas, parts, surfaces, (numbers.of(body), numbers.of(body)), to_light, body.seed)


def _distance(view: View, x: float, y: float) -> float:
    return float(np.hypot(view.eye_mm[0] - x, view.eye_mm[1] - y))


def _to_shadow(view: View, outline_mm: Array) -> Array:
    points = np.c_[outline_mm, np.zeros(len(outline_mm))]
    return np.asarray(view.project(points) / _SHADOW_STEP)


def _ground_shadows(canvas: Canvas, scene: Scene, to_light: Array) -> None:
    """What chips, glasses and the shoe cast on felt and cards."""
    view = canvas.view
    mask = np.zeros((view.height // _SHADOW_STEP + 1, view.width // _SHADOW_STEP + 1), np.uint8)
    slope = to_light[:2] / max(float(to_light[2]), 0.3)
    solids = [
        (c.x_mm, c.y_mm, CHIP_RADIUS_MM, len(c.denominations) * 3.3 + c.z_mm)
        for c in scene.chips
        if not c.held
    ]
    solids += [(p.x_mm, p.y_mm, p.width_mm / 2, p.height_mm) for p in scene.props if p.kind is PropKind.GLASS]
    outlines = []
    for x, y, r, h in solids:
        ring = ellipse_points((x, y), r + 1, r + 1, 24)
        outlines.append(cv2.convexHull(np.concatenate([ring, ring - slope * h]).astype(np.float32))[:, 0])
    if scene.shoe is not None:
        s = scene.shoe
        a = np.deg2rad(s.rot_deg)
        away, across = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)]) * s.width_mm / 2
        corner = np.array([s.x_mm, s.y_mm])
        base = np.array(
            [
                corner - across,
                corner + across,
                corner + away * s.length_mm + across,
                corner + away * s.length_mm - across,
            ]
        )
        outlines.append(
            cv2.convexHull(np.concatenate([base, base - slope * s.height_mm]).astype(np.float32))[:, 0]
        )
    for outline in outlines:
        fill_convex(mask, _to_shadow(view, outline), 255)
    _soft_darken(canvas, mask, 3.0 + 14 * scene.light.softness, scene.light.shadow)


def _cast(canvas: Canvas, scene: Scene, limbs: list[Limb], to_light: Array) -> None:
    """What arms and held things cast on everything below them, softer from higher up."""
    view = canvas.view
    shape = (view.height // _SHADOW_STEP + 1, view.width // _SHADOW_STEP + 1)
    low, high = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for limb in limbs:
        outline, height = limb_shadow(limb, to_light)
        if height < 400 and view.to_camera(np.c_[outline, np.zeros(len(outline))])[:, 2].min() > 60:
            fill_convex(low if height < 45 else high, _to_shadow(view, outline), 255)
    slope = to_light[:2] / max(float(to_light[2]), 0.3)
    for card in scene.cards:
        if card.held:
            corners = card_corners(card)
            fill_convex(low, _to_shadow(view, corners[:, :2] - slope * corners[:, 2:]), 255)
    _soft_darken(canvas, low, 4 + 30 * scene.light.softness, scene.light.shadow * 0.9)
    _soft_darken(canvas, high, 22 + 90 * scene.light.softness, scene.light.shadow * 0.75)


def _soft_darken(canvas: Canvas, mask: Array, spread_mm: float, strength: float) -> None:
    if not mask.any():
        return
    view = canvas.view
    depth = max(float(np.linalg.norm(view.eye_mm)) * 0.5, float(view.eye_mm[2]), 100.0)
    sigma = max(0.6, spread_mm * float(view.matrix[0, 0]) / depth / _SHADOW_STEP)
    soft = _blurred(mask, min(sigma, 40.0))
    x, y, w, h = cv2.boundingRect(soft)
    part = soft[y : y + h, x : x + w]
    big = cv2.resize(part, (w * _SHADOW_STEP, h * _SHADOW_STEP), interpolation=cv2.INTER_LINEAR)
    canvas.darken(big, (x * _SHADOW_STEP, y * _SHADOW_STEP), strength)


def _blurred(mask: Array, sigma: float) -> Array:
    """A Gaussian blur, wide ones by way of a smaller picture."""
    if sigma < 6:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma))
    h, w = mask.shape
    small = cv2.resize(mask, (max(1, w // 4), max(1, h // 4)), interpolation=cv2.INTER_AREA)
    return np.asarray(
        cv2.resize(cv2.GaussianBlur(small, (0, 0), sigma / 4), (w, h), interpolation=cv2.INTER_LINEAR)
    )


def body_limbs(prop: PropItem) -> tuple[list[Limb], list[Surface]]:
    """A seated or standing person: torso, shoulders, head; ``rot_deg`` is where the person looks."""
    a = np.deg2rad(prop.rot_deg)
    across, front = np.array([-np.sin(a), np.cos(a), 0.0]), np.array([np.cos(a), np.sin(a), 0.0])
    base = np.array([prop.x_mm, prop.y_mm, -30.0])
    top = base + np.array([0, 0, 30 + prop.height_mm])

    def limb(p: Array, q: Array, r0: float, r1: float, surface: int) -> Limb:
        return Limb(
            (float(p[0]), float(p[1]), float(p[2])), (float(q[0]), float(q[1]), float(q[2])), r0, r1, surface
        )

    half, up = prop.width_mm / 2, np.array([0, 0, 1.0])
    parts = [
        limb(base + across * s * half * 0.45, top + across * s * half * 0.45, half * 0.55, half * 0.5, 0)
        for s in (-1.0, 0.0, 1.0)
    ]
    parts.append(limb(top - across * half * 0.8, top + across * half * 0.8, 75, 75, 0))
    neck = top + np.array([0, 0, 110.0])
    parts.append(limb(top, neck, 55, 50, 1))
    parts.append(limb(neck + up * 40, neck + front * 20 + up * 105, 72, 80, 1))
    parts.append(limb(neck - front * 14 + up * 80, neck + up * 140, 88, 82, 2))
    hair = (20 + prop.seed % 60, 25 + prop.seed % 50, 30 + prop.seed % 70)
    surfaces = [
        Surface(prop.colour, melt_mm=40, folds=0.12, gloss=0.02),
        Surface(prop.second, melt_mm=20, gloss=0.1, warm=0.6),
        Surface(hair, melt_mm=10, folds=0.25, gloss=0.08),
    ]
    return parts, surfaces


def _finish(canvas: Canvas, scene: Scene, assets: Assets, numbers: _Numbers) -> Picture:
    view = canvas.view
    image = view.develop(canvas.bgr)
    ids = np.ascontiguousarray(view.develop(canvas.ids, linear=False))
    frame = view.frame_mask()
    counts = np.bincount(canvas.ids[frame].ravel(), minlength=1)
    boxes = _boxes(ids)

    def visible(item: object, part: str = "") -> float:
        number = numbers.of(item, part)
        seen = float(counts[number]) if number < len(counts) else 0.0
        return round(min(1.0, seen / max(canvas.area.get(number, 1e9), 1.0)), 3)

    camera, eye = view.camera, view.eye_mm
    cards = tuple(
        card_label(card, camera, eye, visible(card))
        for card in scene.cards
        if view.to_camera(card_corners(card))[:, 2].min() > 30
    )
    chips = tuple(chip_label(chip, assets.designs, camera, visible(chip)) for chip in scene.chips)
    hands = tuple(
        hand_label(arm, camera, *_arm_boxes(arm, numbers, boxes), visible(arm)) for arm in scene.arms
    )
    things = [
        ThingLabel(prop.kind.value, boxes.get(numbers.of(prop)), visible(prop))
        for prop in scene.props
        if prop.kind in MARKERS
    ]
    if scene.shoe is not None:
        things.append(ThingLabel("shoe", boxes.get(numbers.of(scene.shoe)), visible(scene.shoe)))
    return Picture(image, ids, Labels(cards, chips, hands, tuple(things)), camera)


def _arm_boxes(arm: ArmItem, numbers: _Numbers, boxes: dict[int, Box]) -> tuple[Box | None, Box | None]:
    hand = boxes.get(numbers.of(arm))
    return hand, union(hand, boxes.get(numbers.of(arm, "arm")))


def _boxes(ids: Array) -> dict[int, Box]:
    """Boxes (x0, y0, x1, y1) of the visible pixels of each object."""
    found = {}
    for number in np.flatnonzero(np.bincount(ids.ravel()))[1:]:
        x, y, w, h = cv2.boundingRect((ids == number).astype(np.uint8))
        found[int(number)] = (float(x), float(y), float(x + w), float(y + h))
    return found


__all__ = ["SCALE", "Assets", "Picture", "light_direction", "render"]
