"""Cards and other flat things: textured rectangles in space with a soft shadow at their edge."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.synth.card_textures import CardTextures
from datasets.synth.chips import clip_outside
from datasets.synth.patch import Canvas, Patch, premultiplied
from datasets.synth.pictures import PictureStock, print_on
from datasets.synth.raster import Array, Colour, draw_text, fill_convex
from datasets.synth.scene import CARD_HEIGHT_MM, CARD_WIDTH_MM, CardItem, PropItem, PropKind
from rules.cards import Face


def card_axes(item: CardItem) -> tuple[Array, Array, Array]:
    """Unit vectors of a card in the layout frame: to its right, to its bottom, out of its face."""
    a, turn, pitch = np.deg2rad([item.rot_deg, item.turn_deg, item.pitch_deg])
    flat_right, down = np.array([np.cos(a), np.sin(a), 0.0]), np.array([-np.sin(a), np.cos(a), 0.0])
    up = np.array([0, 0, 1.0])
    down, lifted = down * np.cos(pitch) - up * np.sin(pitch), up * np.cos(pitch) + down * np.sin(pitch)
    right = flat_right * np.cos(turn) + lifted * np.sin(turn)
    normal = lifted * np.cos(turn) - flat_right * np.sin(turn)
    return right, down, normal


def card_corners(item: CardItem) -> Array:
    """The corners (4, 3) mm, clockwise from the face's top left as the face is seen."""
    right, down, _ = card_axes(item)
    w, h = CARD_WIDTH_MM * item.size / 2, CARD_HEIGHT_MM * item.size / 2
    centre = np.array([item.x_mm, item.y_mm, item.z_mm])
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    corners = centre + signs[:, :1] * w * right + signs[:, 1:] * h * down
    sunk = min(0.0, float(corners[:, 2].min()) - 0.15)
    return np.asarray(corners - np.array([0, 0, sunk]))


def seen_side(item: CardItem, eye_mm: Array) -> Face:
    """Which side of the card a camera at ``eye_mm`` looks at."""
    _, _, normal = card_axes(item)
    towards = float(normal @ (eye_mm - card_corners(item).mean(axis=0)))
    return Face.UP if towards > 0 and item.card is not None else Face.DOWN


def visible_quad(item: CardItem, eye_mm: Array) -> Array:
    """The corners (4, 3) mm clockwise from the top left of the side that is seen."""
    corners = card_corners(item)
    return (
        corners
        if seen_side(item, eye_mm) is Face.UP or (item.card is None and item.turn_deg == 0)
        else corners[[1, 0, 3, 2]]
    )


def paint_card(canvas: Canvas, textures: CardTextures, item: CardItem, obj: int, shadow: float) -> None:
    """Paint a card with its contact shadow; its object id in the canvas is ``obj``."""
    view = canvas.view
    corners = visible_quad(item, view.eye_mm)
    if view.to_camera(corners)[:, 2].min() < 30:
        return
    quad = view.project(corners)
    canvas.area[obj] = float(cv2.contourArea(quad.astype(np.float32))) * 0.985
    if clip_outside(quad, canvas):
        return
    side = seen_side(item, view.eye_mm)
    height = float(max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1])))
    texture = textures.picture(item, side, height * 0.8)
    lift = float(corners[:, 2].mean())
    if shadow > 0 and item.z_mm < 40:
        contact_shadow(canvas, quad, shadow, view.px_per_mm(corners[0]) * (0.9 + lift * 0.35))
    patch = Patch(quad, 2.0 if height < 70 else 1.0)
    h, w = texture.shape[:2]
    gain = 0.93 + 0.07 * abs(float(card_axes(item)[2][2]))
    patch.warp(texture, _from_corners(w, h, quad), gain)
    canvas.lay(patch.reduced(), patch.corner, obj)


def _from_corners(w: int, h: int, quad: Array) -> Array:
    source = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(source, quad.astype(np.float32)))


def contact_shadow(canvas: Canvas, quad: Array, strength: float, spread_px: float) -> None:
    """Darken the ground close to what lies on a quadrilateral (4, 2) of canvas pixels."""
    spread = float(np.clip(spread_px, 0.6, 14))
    margin = int(spread * 3) + 2
    low = np.floor(quad.min(axis=0)).astype(int) - margin
    high = np.ceil(quad.max(axis=0)).astype(int) + margin
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    fill_convex(mask, quad - low + [spread * 0.4, spread * 0.6], 255)
    n = 2 * round(spread * 1.6) + 1
    mask = cv2.stackBlur(mask, (n, n))
    canvas.darken(mask, (int(low[0]), int(low[1])), strength * 0.9)


def paint_flat_prop(canvas: Canvas, item: PropItem, obj: int, stock: PictureStock) -> None:
    """Paint a button, cut card, lammer, paddle, telephone, sheet of paper or anything printed."""
    texture = _prop_texture(item, stock)
    view = canvas.view
    a = np.deg2rad(item.rot_deg)
    right, down = np.array([np.cos(a), np.sin(a), 0.0]), np.array([-np.sin(a), np.cos(a), 0.0])
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float)
    base = np.array([item.x_mm, item.y_mm, 0.0])
    rect = signs[:, :1] * item.width_mm / 2 * right + signs[:, 1:] * item.depth_mm / 2 * down
    top = base + rect + [0, 0, item.height_mm]
    if view.to_camera(top)[:, 2].min() < 30:
        return
    quad, ground = view.project(top), view.project(base + rect)
    everything = np.concatenate([quad, ground])
    if clip_outside(everything, canvas):
        canvas.area[obj] = 1e9
        return
    contact_shadow(canvas, ground, 0.4, view.px_per_mm(base) * 1.2)
    patch = Patch(everything, 1.0)
    h, w = texture.shape[:2]
    steps = max(1, min(6, int(np.linalg.norm(quad - ground, axis=1).max() / 1.5)))
    for share in np.linspace(0, 1, steps, endpoint=False):
        patch.warp(texture, _from_corners(w, h, ground + (quad - ground) * share), 0.6)
    patch.warp(texture, _from_corners(w, h, quad))
    layer = patch.reduced()
    canvas.area[obj] = float(np.count_nonzero(layer[..., 3] > 127))
    canvas.lay(layer, patch.corner, obj)


def _prop_texture(item: PropItem, stock: PictureStock) -> Array:
    scale = (420 if item.kind is PropKind.PRINT else 200) / max(item.width_mm, item.depth_mm)
    w, h = max(8, round(item.width_mm * scale)), max(8, round(item.depth_mm * scale))
    image = np.zeros((h, w, 4), np.uint8)
    rng = np.random.default_rng(item.seed)
    if item.kind in (PropKind.BUTTON, PropKind.LAMMER):
        _round(image, item.colour, 0.5)
        _round(image, item.second, 0.42)
        _round(image, item.colour, 0.37)
    else:
        image[...] = (*item.colour, 255)
    if item.kind is PropKind.COIN:
        image[...] = 0
        _round(image, item.colour, 0.49)
        _round(image, item.second, 0.43)
        _round(image, item.colour, 0.41)
    if item.kind in (PropKind.SHEET, PropKind.BOX):
        _printed(image, item, rng)
    if item.kind is PropKind.PRINT:
        page = np.ascontiguousarray(image[..., :3])
        print_on(page, rng, stock, item.second)
        image[..., :3] = page
    if item.kind is PropKind.PHONE:
        margin = max(3, round(w * 0.05))
        image[margin * 2 : h - margin * 2, margin : w - margin, :3] = item.second
    if item.kind is PropKind.PAPER:
        for row in range(8, h - 8, 9):
            end = int(rng.uniform(0.3, 0.95) * w)
            image[row : row + 2, 8:end, :3] = item.second
    if item.kind is PropKind.PADDLE:
        image[: h // 8, :, :3] = item.second
        image[-h // 8 :, :, :3] = item.second
    if item.text:
        bgr = np.ascontiguousarray(image[..., :3])
        draw_text(bgr, item.text, (w / 2, h / 2), min(w, h) * 0.4, item.second, fit_px=w * 0.75, weight=700)
        image[..., :3] = bgr
    return premultiplied(image)


def _printed(image: Array, item: PropItem, rng: np.random.Generator) -> None:
    """Some of what is printed on packets, tickets and photographs: fields, bars, blots."""
    h, w = image.shape[:2]
    for _ in range(int(rng.integers(0, 6))):
        x0, y0 = int(rng.uniform(0, 0.8) * w), int(rng.uniform(0, 0.8) * h)
        x1, y1 = x0 + int(rng.uniform(0.05, 0.7) * w), y0 + int(rng.uniform(0.03, 0.4) * h)
        tone = item.second if rng.random() < 0.5 else tuple(int(v) for v in rng.integers(0, 255, 3))
        if rng.random() < 0.6:
            cv2.rectangle(image, (x0, y0), (x1, y1), (*tone, 255), -1)
        else:
            cv2.circle(image, (x0, y0), max(2, (x1 - x0) // 3), (*tone, 255), -1, cv2.LINE_AA)


def _round(image: Array, colour: Colour, part: float) -> None:
    h, w = image.shape[:2]
    cv2.ellipse(
        image, (w // 2, h // 2), (int(w * part), int(h * part)), 0, 0, 360, (*colour, 255), -1, cv2.LINE_AA
    )
