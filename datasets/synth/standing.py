"""What stands on the table: the shoe, the chip tray, glasses, the discard tray."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from datasets.synth.card_textures import CardTextures
from datasets.synth.chips import circle_mm, clip_outside, paint_column
from datasets.synth.patch import Canvas, Patch, premultiplied
from datasets.synth.raster import Array, Colour
from datasets.synth.scene import (
    CARD_HEIGHT_MM,
    CARD_WIDTH_MM,
    CardItem,
    ChipDesign,
    FloatItem,
    PropItem,
    ShoeItem,
)
from rules.cards import Face


def box_faces(
    centre: Array, rot_deg: float, size_mm: tuple[float, float, float]
) -> list[tuple[Array, Array]]:
    """The top and four sides of a box on the felt: corners (4, 3) and outward normal of each."""
    a = np.deg2rad(rot_deg)
    right, down, up = (
        np.array([np.cos(a), np.sin(a), 0]),
        np.array([-np.sin(a), np.cos(a), 0]),
        np.array([0, 0, 1.0]),
    )
    w, d, h = size_mm[0] / 2, size_mm[1] / 2, size_mm[2]
    base = [centre + sx * w * right + sy * d * down for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    top = [p + h * up for p in base]
    faces = [(np.array(top), up)]
    for i, normal in enumerate((-down, right, down, -right)):
        j = (i + 1) % 4
        faces.append((np.array([top[i], top[j], base[j], base[i]]), normal))
    return faces


def paint_faces(
    canvas: Canvas,
    faces: list[tuple[Array, Array]],
    colour: Colour,
    obj: int,
    to_light: Array,
    gloss: float = 0.15,
) -> Patch | None:
    """Paint flat faces (convex, outward normals) of a solid; gives the patch before it is laid, or None."""
    view = canvas.view
    points = np.concatenate([corners for corners, _ in faces])
    if view.to_camera(points)[:, 2].min() < 30 or clip_outside(view.project(points), canvas):
        canvas.area[obj] = canvas.area.get(obj, 0) + 1e9
        return None
    patch = Patch(view.project(points), 1.0)
    for corners, normal in sorted(faces, key=lambda f: -float(view.to_camera(f[0].mean(axis=0)[None])[0, 2])):
        if float(normal @ (view.eye_mm - corners[0])) <= 0:
            continue
        level = 0.45 + 0.55 * max(0.0, float(normal @ to_light)) + gloss * max(0.0, float(normal[2]))
        tone = np.clip(np.array(colour) * level, 0, 255)
        fixed = np.round((patch.points(view.project(corners)) - 0.5) * 16).astype(np.int32)
        b, g, r = (float(v) for v in tone)
        cv2.fillConvexPoly(patch.bgra, fixed, (b, g, r, 255), cv2.LINE_8, 4)
        edge = np.clip(tone * 1.35 + 10, 0, 255)
        b, g, r = (float(v) for v in edge)
        cv2.polylines(patch.bgra, [fixed], True, (b, g, r, 255), 1, cv2.LINE_8, 4)
    return patch


def lay_patch(canvas: Canvas, patch: Patch, obj: int, at_mm: Array) -> None:
    """Lay a finished patch of a standing thing whose depth is that of ``at_mm``."""
    layer = patch.reduced()
    canvas.area[obj] = canvas.area.get(obj, 0) + float(np.count_nonzero(layer[..., 3] > 127))
    canvas.lay(layer, patch.corner, obj, depth=float(canvas.view.to_camera(at_mm[None])[0, 2]))


def paint_shoe(canvas: Canvas, shoe: ShoeItem, textures: CardTextures, obj: int, to_light: Array) -> None:
    """The shoe: a low box whose sloping front shows the top card's back."""
    a = np.deg2rad(shoe.rot_deg)
    away = np.array([np.cos(a), np.sin(a), 0.0])
    across = np.array([-np.sin(a), np.cos(a), 0.0])
    up = np.array([0, 0, 1.0])
    mouth = np.array([shoe.x_mm, shoe.y_mm, 0.0])
    w = shoe.width_mm / 2
    slope_len = min(95.0, shoe.length_mm * 0.4)

    def at(along: float, side: float, height: float) -> Array:
        return mouth + away * along + across * side + up * height

    h0, h1 = shoe.front_mm, shoe.height_mm
    slope = [at(0, -w, h0), at(0, w, h0), at(slope_len, w, h1), at(slope_len, -w, h1)]
    tail = shoe.height_mm * 0.75
    top = [
        at(slope_len, -w, h1),
        at(slope_len, w, h1),
        at(shoe.length_mm, w, tail),
        at(shoe.length_mm, -w, tail),
    ]
    faces = [(np.array(top), up), (np.array(slope), _normal(slope, up - away))]
    for side in (-w, w):
        outline = [
            at(0, side, 0), at(0, side, h0), at(slope_len, side, h1), at(shoe.length_mm, side, tail),
            at(shoe.length_mm, side, 0),
        ]  # fmt: skip
        faces.append((np.array(outline), across * np.sign(side)))
    faces.append((np.array([at(0, -w, h0), at(0, w, h0), at(0, w, 0), at(0, -w, 0)]), -away))
    end = [at(shoe.length_mm, s, h) for s, h in ((-w, tail), (w, tail), (w, 0), (-w, 0))]
    faces.append((np.array(end), away))
    patch = paint_faces(canvas, faces, shoe.colour, obj, to_light)
    if patch is None:
        return
    lean = np.array(slope[3]) - np.array(slope[0])
    lean /= np.linalg.norm(lean)
    normal = _normal(slope, up - away)
    if float(normal @ (canvas.view.eye_mm - slope[0])) > 0:
        middle = np.mean(slope, axis=0) - lean * 2 + normal * 0.5
        half_w, half_h = CARD_WIDTH_MM / 2, min(CARD_HEIGHT_MM / 2, slope_len * 0.46)
        corners = np.array(
            [
                middle + sx * half_w * across + sy * half_h * lean
                for sx, sy in ((-1, 1), (1, 1), (1, -1), (-1, -1))
            ]
        )
        quad = canvas.view.project(corners)
        item = CardItem(None, 0, 0, back=shoe.back)
        picture = textures.picture(item, Face.DOWN, float(np.linalg.norm(quad[3] - quad[0])))
        h, w_px = picture.shape[:2]
        source = np.array([(0, 0), (w_px, 0), (w_px, h), (0, h)], np.float32)
        patch.warp(picture, cv2.getPerspectiveTransform(source, quad.astype(np.float32)), 0.9)
    lay_patch(canvas, patch, obj, mouth + away * slope_len)


def _normal(corners: list[Array], towards: Array) -> Array:
    n = np.cross(corners[1] - corners[0], corners[3] - corners[0])
    n = n / np.linalg.norm(n)
    return np.asarray(n if float(n @ towards) > 0 else -n)


def paint_float(
    canvas: Canvas, tray: FloatItem, designs: Mapping[int, ChipDesign], obj: int, to_light: Array
) -> None:
    """The tray with its tubes of chips lying on their edges."""
    width = tray.pitch_mm * len(tray.rows) + 14
    centre = np.array([tray.x_mm, tray.y_mm, 0.0])
    patch = paint_faces(
        canvas, box_faces(centre, 0.0, (width, tray.depth_mm + 16, 9.0)), tray.colour, obj, to_light
    )
    if patch is None:
        return
    layer = patch.reduced()
    canvas.area[obj] = float(np.count_nonzero(layer[..., 3] > 127))
    # An open tray: its walls are low and hide none of its chips.
    canvas.lay(layer, patch.corner, obj)
    rng = np.random.default_rng(tray.seed)
    axis = np.array([0.0, 1.0, 0.0])
    for i, (value, count) in enumerate(tray.rows):
        if count == 0 or value not in designs:
            continue
        x = tray.x_mm + (i - (len(tray.rows) - 1) / 2) * tray.pitch_mm
        y0 = tray.y_mm - tray.depth_mm / 2
        at = np.stack(
            [x + rng.normal(0, 0.3, count), y0 + np.arange(count) * 3.3, 12 + rng.normal(0, 0.3, count)],
            axis=1,
        )
        designs_here = [designs[value]] * count
        paint_column(canvas, designs_here, at, rng.uniform(0, 360, count), axis, obj, to_light)


def paint_glass(canvas: Canvas, item: PropItem, obj: int, to_light: Array) -> None:
    """A tumbler or cup: a translucent or solid cylinder with a drink in it."""
    view = canvas.view
    r, h = item.width_mm / 2, item.height_mm
    base = np.array([item.x_mm, item.y_mm, 0.0])
    up = np.array([0, 0, 1.0])
    e1, e2 = np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    rings = [
        view.project(circle_mm(base + up * z, e1, e2, rr, 40))
        for z, rr in ((0, r * 0.85), (h * 0.65, r * 0.95), (h, r))
    ]
    everything = np.concatenate(rings)
    if view.to_camera((base + up * h)[None])[0, 2] < 80 or clip_outside(everything, canvas):
        canvas.area[obj] = 1e9
        return
    patch = Patch(everything, 1.0)
    opaque = item.seed % 3 == 0
    wall = np.zeros_like(patch.bgra)

    def hull(points: Array, colour: Colour, alpha: int) -> None:
        fixed = np.round((patch.points(cv2.convexHull(points.astype(np.float32))[:, 0]) - 0.5) * 16).astype(
            np.int32
        )
        cv2.fillConvexPoly(wall, fixed, (*colour, alpha), cv2.LINE_8, 4)

    hull(everything, item.colour, 255 if opaque else 70)
    hull(np.concatenate(rings[:2]), item.second if not opaque else item.colour, 255 if opaque else 170)
    hull(rings[1] if not opaque else rings[2], item.second, 220)
    for ring, level in ((rings[2], 255), (rings[0], 120)):
        fixed = np.round((patch.points(ring) - 0.5) * 16).astype(np.int32)
        cv2.polylines(wall, [fixed], True, (level, level, level, 200), 1, cv2.LINE_AA, 4)
    lit = float(0.8 + 0.3 * to_light[2])
    wall[..., :3] = np.clip(wall[..., :3] * lit, 0, 255)
    patch.bgra = premultiplied(wall)
    lay_patch(canvas, patch, obj, base)
