"""Rounded bodies: tapered capsules melted together and shaded. Arms, hands and torsos are made of them.

A capsule is drawn as it looks from the camera: at each pixel the swept sphere whose middle is nearest. Seen
end-on this is not exact, at a gaming table's distances it is close, and it needs one pass per capsule.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from datasets.synth.patch import Canvas
from datasets.synth.raster import Array, Colour, smooth_noise
from datasets.synth.view import View

_LONGEST_PX = 420
_HUGE_PX = 6000


@dataclass(frozen=True, slots=True)
class Surface:
    """What a capsule is covered with. ``folds`` wrinkles cloth; ``gloss`` is the highlight's strength."""

    colour: Colour
    melt_mm: float = 4.0
    """How far it runs together with neighbours of the same surface."""
    folds: float = 0.0
    gloss: float = 0.1
    warm: float = 0.0
    """Redness in the shade, for skin."""


@dataclass(frozen=True, slots=True)
class Limb:
    """One capsule from ``start`` to ``end`` (x, y, z mm), its radii, surface (an index) and object mark."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    start_mm: float
    end_mm: float
    surface: int
    mark: int = 0
    nail: tuple[float, float, float] | None = None
    """Direction of the fingernail on its end, for fingertips."""


@dataclass(slots=True)
class _Field:
    """What is in front at each pixel of a patch; struct of arrays (h, w)."""

    depth: Array
    normal: Array
    crease: Array
    surface: Array
    mark: Array
    nail: Array


def paint_limbs(
    canvas: Canvas,
    limbs: list[Limb],
    surfaces: list[Surface],
    marks: tuple[int, ...],
    to_light: Array,
    seed: int,
) -> None:
    """Paint capsules onto the canvas. ``marks``: the object id of each mark number."""
    view = canvas.view
    starts, ends = np.array([limb.start for limb in limbs]), np.array([limb.end for limb in limbs])
    cam = np.stack([view.to_camera(starts), view.to_camera(ends)], axis=1)
    if cam[:, :, 2].min() < 40:
        keep = cam[:, :, 2].min(axis=1) >= 40
        limbs, cam = [limb for limb, k in zip(limbs, keep, strict=True) if k], cam[keep]
        if not limbs:
            return
    focal = float(view.matrix[0, 0])
    radii = np.array([(limb.start_mm, limb.end_mm) for limb in limbs]) * focal / cam[:, :, 2]
    px = (cam @ view.matrix.T)[:, :, :2] / cam[:, :, 2:]
    inside = (px + radii[..., None] > 0).all(-1) & (px - radii[..., None] < (view.width, view.height)).all(-1)
    low = np.maximum((px - radii[..., None]).reshape(-1, 2).min(axis=0), (-60, -60))
    high = np.minimum((px + radii[..., None]).reshape(-1, 2).max(axis=0), (view.width + 60, view.height + 60))
    if (high - low).min() < 2 or (not inside.any() and (high - low).max() > _HUGE_PX):
        return
    corner = np.floor(low).astype(int) - 1
    size = np.ceil(high).astype(int) + 1 - corner
    zoom = min(0.75, _LONGEST_PX / max(size))
    shape = (max(2, round(size[1] * zoom)), max(2, round(size[0] * zoom)))
    field = _Field(
        np.full(shape, np.inf, np.float32), np.zeros((*shape, 3), np.float32), np.zeros(shape, np.float32),
        np.full(shape, -1, np.int8), np.zeros(shape, np.int8), np.zeros(shape, np.float32),
    )  # fmt: skip
    for limb, ends_px, ends_radius, ends_cam in zip(limbs, px, radii, cam, strict=True):
        nail = None if limb.nail is None else view.rotation @ np.asarray(limb.nail)
        _stamp(field, limb, (ends_px - corner) * zoom, ends_radius * zoom, ends_cam[:, 2], surfaces, nail)
    _sink(field, view, corner, zoom)
    if not (field.surface >= 0).any():
        return
    per_mm = zoom * focal / float(np.median(cam[:, :, 2]))
    layer = _shade(field, surfaces, view.rotation @ to_light, seed, per_mm)
    whole = (int(size[0]), int(size[1]))
    smooth = cv2.resize(layer, whole, interpolation=cv2.INTER_LINEAR)
    depth = cv2.resize(
        np.where(np.isfinite(field.depth), field.depth, 1e9), whole, interpolation=cv2.INTER_NEAREST
    )
    mark = cv2.resize(field.mark.astype(np.uint8), whole, interpolation=cv2.INTER_NEAREST)
    number = np.asarray((marks[0], *marks), np.int16)
    # The outline is a little wider after enlarging: there the neighbouring pixel's mark holds.
    ids = number[np.where(mark == 0, cv2.dilate(mark, np.ones((5, 5), np.uint8)), mark)]
    solid = smooth[:, :, 3] > 127
    for obj in set(marks):
        canvas.area[obj] = canvas.area.get(obj, 0) + float(np.count_nonzero(solid & (ids == obj)))
    spread = cv2.erode(depth, np.ones((3, 3), np.uint8))
    canvas.lay(smooth, (int(corner[0]), int(corner[1])), 0, depth=spread, marks=ids)


def _sink(field: _Field, view: View, corner: Array, zoom: float) -> None:
    """Take away what lies below the felt's plane, which hides it."""
    back = np.linalg.inv(view.plane(np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0])))[2]
    h, w = field.depth.shape
    x = (np.arange(w, dtype=np.float64) + 0.5) / zoom + corner[0]
    y = (np.arange(h, dtype=np.float64) + 0.5) / zoom + corner[1]
    nearness = back[0] * x[None, :] + back[1] * y[:, None] + back[2]
    field.surface[(field.depth * nearness > 1.0 + 3.0 * nearness) & (nearness > 0)] = -1


def _stamp(
    field: _Field,
    limb: Limb,
    ends: Array,
    radius: Array,
    depth: Array,
    surfaces: list[Surface],
    nail: Array | None,
) -> None:
    h, w = field.depth.shape
    reach = float(radius.max()) + 1
    x0, y0 = (max(0, int(v)) for v in np.floor(ends.min(axis=0) - reach))
    x1, y1 = min(w, int(np.ceil(ends[:, 0].max() + reach))), min(h, int(np.ceil(ends[:, 1].max() + reach)))
    if x1 <= x0 or y1 <= y0:
        return
    dx = (np.arange(x0, x1, dtype=np.float32) + 0.5 - ends[0, 0])[None, :]
    dy = (np.arange(y0, y1, dtype=np.float32) + 0.5 - ends[0, 1])[:, None]
    vx, vy = (float(v) for v in ends[1] - ends[0])
    along = np.clip((dx * vx + dy * vy) / max(vx * vx + vy * vy, 1e-6), 0, 1).astype(np.float32)
    r = np.float32(radius[0]) + np.float32(radius[1] - radius[0]) * along
    ox, oy = dx - along * np.float32(vx), dy - along * np.float32(vy)
    bulge2 = r * r - ox * ox - oy * oy
    inside = bulge2 > 0
    if not inside.any():
        return
    bulge = np.sqrt(np.maximum(bulge2, 0))
    mm = np.float32(limb.start_mm) + np.float32(limb.end_mm - limb.start_mm) * along
    z = np.float32(depth[0]) + np.float32(depth[1] - depth[0]) * along - bulge / r * mm
    box = (slice(y0, y1), slice(x0, x1))
    here, kind = field.depth[box], field.surface[box]
    melt = surfaces[limb.surface].melt_mm
    same = kind == limb.surface
    gap = np.where(np.isfinite(here), here - z, 1e6)
    weight = np.where(same, np.clip(0.5 + 0.5 * gap / melt, 0, 1), (gap > 0).astype(np.float32))
    weight = np.where(inside, weight, 0).astype(np.float32)
    mixed = weight * (1 - weight)
    field.depth[box] = np.where(
        weight <= 0, here, np.where(weight >= 1, z, here - gap * weight - melt * mixed)
    ).astype(np.float32)
    normal = np.stack([ox / r, oy / r, -bulge / r], axis=-1)
    old = field.normal[box]
    field.normal[box] = old + (normal - old) * weight[..., None]
    field.crease[box] = field.crease[box] * (1 - weight) + mixed
    won = weight > 0.5
    kind[won] = limb.surface
    field.mark[box][won] = limb.mark + 1
    tint = field.nail[box]
    tint *= 1 - weight
    if nail is not None:
        faces = normal @ nail.astype(np.float32)
        sits = (faces > 0.72) & (along > 0.42) & won
        tint[sits] = 1.0


def _shade(field: _Field, surfaces: list[Surface], light: Array, seed: int, per_mm: float) -> Array:
    h, w = field.depth.shape
    rng = np.random.default_rng(seed)
    noise = smooth_noise(rng, h, w, 5.0)
    folds = cv2.GaussianBlur(
        smooth_noise(rng, h, w, max(4.0, 42.0 * per_mm))
        + 0.5 * smooth_noise(rng, h, w, max(3.0, 15 * per_mm)),
        (0, 0),
        1.0,
    )
    # Skin and cloth lie over the capsules: their bumps are smaller than the bones'.
    soft = cv2.GaussianBlur(field.normal, (0, 0), max(0.5, 4.0 * per_mm))
    nail = cv2.GaussianBlur(field.nail, (0, 0), 0.6)
    solid = field.surface >= 0
    table = np.array([(*s.colour, s.folds, s.gloss, s.warm) for s in surfaces], np.float32)
    cover = table[field.surface[solid]]
    cloth, gloss, warm = cover[:, 3], cover[:, 4], cover[:, 5]
    normal = soft[solid] * np.float32(0.7) + field.normal[solid] * np.float32(0.3)
    normal /= np.maximum(np.sqrt((normal * normal).sum(axis=1, keepdims=True)), 1e-6)
    towards = light.astype(np.float32)
    lit = normal @ towards
    diffuse = 0.42 + 0.5 * np.maximum(lit, 0) + 0.1 * lit - 0.08 * normal[:, 1]
    diffuse += cloth * folds[solid] * 0.24
    diffuse *= 1 - 0.7 * field.crease[solid] * (0.5 + warm)
    diffuse *= 1 + 0.03 * noise[solid]
    facing = np.clip(-normal[:, 2], 0, 1)
    diffuse *= 0.72 + 0.28 * facing
    colour = cover[:, :3] * np.clip(diffuse, 0.05, 1.6)[:, None]
    shade = (np.clip(1 - diffuse, 0, 1) * warm)[:, None]
    colour *= 1 - shade * np.array([0.30, 0.18, 0.0], np.float32)
    half = towards + np.array([0, 0, -1], np.float32)
    half /= max(float(np.linalg.norm(half)), 1e-6)
    shine = np.maximum(normal @ half, 0) ** 18 * gloss * 150
    nails = nail[solid][:, None] * 0.35
    colour += nails * (np.array([190, 190, 225], np.float32) * facing[:, None] - colour) + shine[:, None]
    layer = np.zeros((h, w, 4), np.uint8)
    layer[solid, :3] = np.clip(colour, 0, 255).astype(np.uint8)
    layer[solid, 3] = 255
    return layer


def limb_shadow(limb: Limb, to_light: Array) -> tuple[Array, float]:
    """The outline (n, 2) on the felt that a capsule's shadow has, mm, and the capsule's mean height."""
    slope = to_light[:2] / max(float(to_light[2]), 0.2)
    angle = np.arange(12) * (2 * np.pi / 12)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    start, end = np.asarray(limb.start), np.asarray(limb.end)
    points = np.concatenate(
        [
            start[:2] - slope * start[2] + ring * limb.start_mm,
            end[:2] - slope * end[2] + ring * limb.end_mm,
        ]
    )
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    return np.asarray(hull), float(start[2] + end[2]) / 2


def view_is_behind(view: View, point_mm: Array) -> bool:
    """Whether a layout point lies behind the camera."""
    return bool(view.to_camera(point_mm[None])[0, 2] <= 0)
