"""The stages of painting a scene: what lies and stands still, then what moves over it with its shadow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np

from datasets.synth.card_textures import CardTextures
from datasets.synth.chips import paint_column
from datasets.synth.flat import card_corners, paint_card, paint_flat_prop
from datasets.synth.ground import Ground
from datasets.synth.hands import arm_limbs, body_limbs
from datasets.synth.labels import CHIP_RADIUS_MM, chip_centres
from datasets.synth.limbs import Limb, limb_shadow, paint_limbs
from datasets.synth.packets import paint_packet
from datasets.synth.patch import Canvas
from datasets.synth.pictures import PictureStock
from datasets.synth.raster import Array, ellipse_points, fill_convex
from datasets.synth.scene import ChipDesign, ChipItem, Light, PropItem, PropKind, Scene
from datasets.synth.standing import box_faces, paint_float, paint_glass, paint_shoe
from datasets.synth.view import View

_FLAT = {PropKind.BUTTON, PropKind.CUT_CARD, PropKind.PADDLE, PropKind.LAMMER, PropKind.PHONE, PropKind.PAPER}
_FLAT |= {PropKind.COIN, PropKind.SHEET, PropKind.BOX, PropKind.PRINT}
_SOLID = {PropKind.GLASS, PropKind.DISCARD_TRAY, PropKind.PACKET}
MARKERS = {PropKind.BUTTON, PropKind.CUT_CARD, PropKind.PADDLE, PropKind.LAMMER}
_SHADOW_STEP = 4


@dataclass(frozen=True, slots=True, eq=False)
class Assets:
    """What a table's pictures share: the printed felt, the deck, the house's chips, pictures to print."""

    ground: Ground
    textures: CardTextures
    designs: Mapping[int, ChipDesign]
    stock: PictureStock = field(default_factory=PictureStock)


def light_direction(light: Light) -> Array:
    """Unit vector to the key light in the layout frame."""
    a, e = np.deg2rad(light.azimuth_deg), np.deg2rad(light.elevation_deg)
    return np.array([np.cos(a) * np.cos(e), np.sin(a) * np.cos(e), np.sin(e)])


def paint_still(canvas: Canvas, scene: Scene, assets: Assets, numbers: Numbers) -> None:
    """Ground, cards and chips that lie, and everything that stands; not what is held."""
    assets.ground.paint(canvas)
    for prop in scene.props:
        if prop.kind in _FLAT:
            paint_flat_prop(canvas, prop, numbers.of(prop), assets.stock)
        elif prop.kind is PropKind.PACK:
            _paint_packet(canvas, scene, assets, prop, numbers)
    for card in scene.cards:
        if not card.held:
            paint_card(canvas, assets.textures, card, numbers.of(card), scene.light.shadow)
    _paint_standing(canvas, scene, assets, numbers, light_direction(scene.light))


def paint_moving(canvas: Canvas, scene: Scene, assets: Assets, numbers: Numbers) -> None:
    """Arms and what is held, with their shadows, over a painted still."""
    to_light = light_direction(scene.light)
    limbs = [(arm, *arm_limbs(arm)) for arm in scene.arms]
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


class Numbers:
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


def _paint_standing(canvas: Canvas, scene: Scene, assets: Assets, numbers: Numbers, to_light: Array) -> None:
    view = canvas.view
    if scene.float_tray is not None:
        paint_float(canvas, scene.float_tray, assets.designs, numbers.of(scene.float_tray), to_light)
    standing: list[tuple[float, object]] = []
    standing += [(_distance(view, chip.x_mm, chip.y_mm), chip) for chip in scene.chips if not chip.held]
    solids = [prop for prop in scene.props if prop.kind in _SOLID]
    standing += [(_distance(view, prop.x_mm, prop.y_mm), prop) for prop in solids]
    if scene.shoe is not None:
        standing.append((_distance(view, scene.shoe.x_mm, scene.shoe.y_mm), scene.shoe))
    _ground_shadows(canvas, scene, to_light)
    for _, item in sorted(standing, key=lambda pair: -pair[0]):
        if isinstance(item, ChipItem):
            _paint_chips(canvas, item, assets, numbers.of(item), to_light)
        elif isinstance(item, PropItem) and item.kind is PropKind.PACKET:
            _paint_packet(canvas, scene, assets, item, numbers)
        elif isinstance(item, PropItem):
            paint_glass(canvas, item, numbers.of(item), to_light)
        elif scene.shoe is not None:
            paint_shoe(canvas, scene.shoe, assets.textures, numbers.of(scene.shoe), to_light)
    for body in [prop for prop in scene.props if prop.kind is PropKind.BODY]:
        parts, surfaces = body_limbs(body)
        paint_limbs(canvas, parts, surfaces, (numbers.of(body), numbers.of(body)), to_light, body.seed)


def _paint_packet(canvas: Canvas, scene: Scene, assets: Assets, item: PropItem, numbers: Numbers) -> None:
    to_light = light_direction(scene.light)
    paint_packet(canvas, item, numbers.of(item), assets.textures, assets.stock, to_light)


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
    for p in (p for p in scene.props if p.kind is PropKind.PACKET):
        top = box_faces(np.zeros(3), p.rot_deg, (p.width_mm, p.depth_mm, 0.0))[0][0][:, :2]
        base = top + np.array([p.x_mm, p.y_mm])
        hull = cv2.convexHull(np.concatenate([base, base - slope * p.height_mm]).astype(np.float32))
        outlines.append(hull[:, 0])
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
    soft_darken(canvas, mask, 3.0 + 14 * scene.light.softness, scene.light.shadow)


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
    soft_darken(canvas, low, 4 + 30 * scene.light.softness, scene.light.shadow * 0.9)
    soft_darken(canvas, high, 22 + 90 * scene.light.softness, scene.light.shadow * 0.75)


def soft_darken(canvas: Canvas, mask: Array, spread_mm: float, strength: float) -> None:
    """Lay a shadow on the canvas: its mask (a quarter of the canvas's scale), blur and darkness 0..1."""
    if not mask.any():
        return
    view = canvas.view
    depth = max(float(np.linalg.norm(view.eye_mm)) * 0.5, float(view.eye_mm[2]), 100.0)
    sigma = max(0.6, spread_mm * float(view.matrix[0, 0]) / depth / _SHADOW_STEP)
    soft = _blurred(mask, min(sigma, 40.0))
    x, y, w, h = cv2.boundingRect(soft)
    if w == 0 or h == 0:  # a speck that the blur has dissolved
        return
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
