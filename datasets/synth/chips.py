"""Chips: random designs, their face and rim, and columns of them painted in perspective."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np

from datasets.synth.patch import Canvas, Patch, premultiplied
from datasets.synth.raster import Array, Colour, draw_text, ellipse_points, fill_convex, font_names, hsv
from datasets.synth.scene import ChipDesign
from datasets.synth.view import View

STYLES = ("solid", "spots", "double", "stripes", "dice", "quarter")
_SEGMENTS = 48
_LARGE_PX = 256
_HOUSE_COLOURS = {1: (0.0, 0.0, 0.92), 5: (0.0, 0.85, 0.75), 25: (0.39, 0.75, 0.5), 100: (0.0, 0.0, 0.12)}
_HOUSE_COLOURS |= {500: (0.78, 0.6, 0.5), 1000: (0.14, 0.85, 0.9), 10: (0.6, 0.75, 0.7), 2: (0.07, 0.85, 0.9)}
_HOUSE_COLOURS |= {20: (0.92, 0.5, 0.85), 50: (0.07, 0.7, 0.85), 5000: (0.05, 0.5, 0.4), 250: (0.5, 0.5, 0.7)}


def random_design(rng: np.random.Generator, value: int, style: str, house: bool, font: str) -> ChipDesign:
    """One denomination's look; ``house`` keeps near the colours that casinos commonly give the value."""
    if house and value in _HOUSE_COLOURS:
        hue, saturation, level = _HOUSE_COLOURS[value]
        hue += rng.normal(0, 0.015)
        saturation, level = saturation + rng.normal(0, 0.06), level + rng.normal(0, 0.07)
    else:
        hue, saturation, level = rng.random(), rng.choice([0.05, 0.5, 0.75, 0.95]), rng.uniform(0.12, 0.95)
    light = level > 0.6 and saturation < 0.4
    spot = (
        hsv(rng.random(), rng.uniform(0.5, 1), rng.uniform(0.3, 0.8)) if light or rng.random() < 0.3 else None
    )
    white = hsv(0.12, rng.uniform(0, 0.15), rng.uniform(0.8, 0.98))
    pale = rng.random() < 0.7
    inlay = white if pale else hsv(hue + rng.normal(0, 0.1), saturation * 0.8, level * rng.uniform(0.5, 1.2))
    ink = hsv(rng.random(), rng.uniform(0, 1), rng.uniform(0, 0.4)) if pale else white
    plain = rng.random() < 0.22
    if plain:
        inlay = hsv(hue, saturation, level * rng.uniform(0.85, 1.1))
    text = (
        ""
        if plain
        else str(value)
        if rng.random() < 0.8
        else rng.choice(["", f"${value}", f"{value}€", "CASINO"])
    )
    return ChipDesign(
        base=hsv(hue, saturation, level),
        spot=spot if spot is not None else white,
        second=hsv(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.2, 0.95)),
        inlay=inlay,
        ink=ink,
        text=str(text),
        style=style,
        spots=int(rng.choice([3, 4, 6, 6, 8, 8, 12])),
        width=float(rng.uniform(0.2, 0.62)),
        inlay_radius=float(rng.uniform(0.42, 0.72)),
        ring=int(rng.integers(0, 5)),
        wear=float(rng.uniform(0, 0.35)),
        font=font,
    )


def random_set(rng: np.random.Generator, count: int = 7) -> dict[int, ChipDesign]:
    """A house's chips by denomination: one family of looks, now and then with strangers among them."""
    values = [1, 5, 25, 100, 500, 1000] if rng.random() < 0.6 else [2, 5, 10, 20, 50, 100, 250, 1000, 5000]
    style, fonts = str(rng.choice(STYLES)), font_names()
    font, house = str(rng.choice(fonts)), bool(rng.random() < 0.65)
    template = random_design(rng, 5, style, house, font)
    designs = {}
    for value in values[:count]:
        design = random_design(
            rng, value, style if rng.random() < 0.8 else str(rng.choice(STYLES)), house, font
        )
        if rng.random() < 0.7:
            design = _like(design, template)
        designs[value] = design
    return designs


def _like(design: ChipDesign, template: ChipDesign) -> ChipDesign:
    return ChipDesign(
        design.base, design.spot, design.second, design.inlay, design.ink, design.text, template.style,
        template.spots, template.width, template.inlay_radius, template.ring, design.wear, template.font,
    )  # fmt: skip


@lru_cache(maxsize=512)
def rim_colours(design: ChipDesign, count: int) -> Array:
    """Colours round the rim, float32 (count, 3), BGR."""
    angle = (np.arange(count) + 0.5) / count
    phase = angle * design.spots % 1.0
    colours = np.tile(np.array(design.base, np.float32), (count, 1))
    centre = np.abs(phase - 0.5) * 2
    if design.style in ("spots", "dice"):
        colours[centre < design.width] = design.spot
        if design.style == "dice":
            colours[centre < design.width * 0.35] = design.second
    elif design.style == "double":
        colours[centre < design.width] = design.spot
        colours[centre < design.width / 3] = design.base
    elif design.style == "stripes":
        colours[(angle * design.spots * 4 % 1.0) < design.width] = design.spot
    elif design.style == "quarter":
        colours[(phase < 0.5)] = design.spot
        colours[(phase < 0.25)] = design.second
    return colours


@lru_cache(maxsize=256)
def face_texture(design: ChipDesign, size: int) -> Array:
    """The face, premultiplied BGRA uint8 (size, size), its disc touching the edges."""
    if size < _LARGE_PX:
        return np.asarray(
            cv2.resize(face_texture(design, _LARGE_PX), (size, size), interpolation=cv2.INTER_AREA)
        )
    big = size + size // 2
    c = big / 2
    image = np.zeros((big, big, 4), np.uint8)
    count = 192
    rim = rim_colours(design, count)
    outer = ellipse_points((c, c), c - 1, c - 1, count)
    for i in range(count):
        wedge = np.array([(c, c), outer[i], outer[(i + 1) % count]])
        fill_convex(image, wedge, (*[int(v) for v in rim[i]], 255))
    depth = 0.80 if design.style != "quarter" else design.inlay_radius
    if design.style == "dice":
        _pips(image, design, c)
    _disc(image, c, c * max(depth, design.inlay_radius), design.base)
    groove = (int(design.base[0] * 0.72), int(design.base[1] * 0.72), int(design.base[2] * 0.72))
    _disc(image, c, c * design.inlay_radius * 1.05, groove)
    _ring(image, design, c, (depth + design.inlay_radius) / 2)
    _disc(image, c, c * design.inlay_radius, design.inlay)
    if design.text:
        reach = c * design.inlay_radius
        bgr = np.ascontiguousarray(image[:, :, :3])
        size_px = reach * (1.25 if len(design.text) < 3 else 0.85)
        draw_text(bgr, design.text, (c, c), size_px, design.ink, design.font, 0, 700, fit_px=reach * 1.6)
        image[:, :, :3] = bgr
    if design.wear > 0.05:
        rng = np.random.default_rng(abs(hash(design.base)) % 65536)
        dirt = cv2.GaussianBlur(rng.random((big, big)).astype(np.float32), (0, 0), big / 40)
        dirt = (dirt - dirt.mean()) / max(float(dirt.std()), 1e-6)
        gain = 1 - design.wear * np.clip(dirt, 0, 2)[:, :, None] * 0.25
        image[:, :, :3] = np.clip(image[:, :, :3] * gain, 0, 255)
    disc = np.zeros((big, big), np.uint8)
    fill_convex(disc, outer, 255, smooth=True)
    image[:, :, 3] = disc
    return np.asarray(cv2.resize(premultiplied(image), (size, size), interpolation=cv2.INTER_AREA))


def _disc(image: Array, centre: float, radius: float, colour: Colour) -> None:
    fill_convex(image, ellipse_points((centre, centre), radius, radius, 96), (*colour, 255))


def _pips(image: Array, design: ChipDesign, c: float) -> None:
    """Dice points on the rim, beside the spots."""
    rng = np.random.default_rng(design.spots)
    for i in range(design.spots * 2):
        angle = np.pi * (i + 0.5) / design.spots
        for _ in range(int(rng.integers(1, 6))):
            at, r = angle + rng.uniform(-0.09, 0.09), c * rng.uniform(0.82, 0.94)
            dot = ellipse_points((c + r * np.cos(at), c + r * np.sin(at)), c * 0.018, c * 0.018, 8)
            fill_convex(image, dot, (*design.second, 255))


def _ring(image: Array, design: ChipDesign, c: float, radius: float) -> None:
    count = {1: 96, 2: design.spots * 3, 3: design.spots * 2, 4: design.spots}.get(design.ring, 0)
    for i in range(count):
        angle = 2 * np.pi * i / count
        at = (c + c * radius * np.cos(angle), c + c * radius * np.sin(angle))
        across = c * {1: 0.035, 2: 0.04, 3: 0.05, 4: 0.07}[design.ring]
        fill_convex(
            image, ellipse_points(at, across, across, 4 if design.ring == 4 else 12), (*design.spot, 255)
        )


def circle_mm(centre: Array, e1: Array, e2: Array, radius: float, count: int = _SEGMENTS) -> Array:
    """Points on a circle in space, (..., count, 3), for centres (..., 3)."""
    angle = np.arange(count) * (2 * np.pi / count)
    ring = np.cos(angle)[:, None] * e1 + np.sin(angle)[:, None] * e2
    return np.asarray(np.asarray(centre)[..., None, :] + radius * ring)


def column_outline(view: View, centres: Array, axis: Array, radius: float, thickness: float) -> Array:
    """Canvas points (m, 2) that bound a column of chips with bottom ``centres`` (n, 3)."""
    e1, e2 = _across(axis)
    ends = np.concatenate([centres, centres + axis * thickness])
    return view.project(circle_mm(ends, e1, e2, radius, 32).reshape(-1, 3))


def _across(axis: Array) -> tuple[Array, Array]:
    if abs(axis[2]) > 0.9:
        return np.array([1.0, 0, 0]), np.array([0, 1.0, 0])
    e1 = np.cross(axis, [0, 0, 1.0])
    e1 /= np.linalg.norm(e1)
    return e1, np.cross(axis, e1)


def paint_column(
    canvas: Canvas,
    designs: Sequence[ChipDesign],
    centres: Array,
    turns_deg: Array,
    axis: Array,
    obj: int,
    to_light: Array,
    radius: float = 19.75,
    thickness: float = 3.3,
    gain: float = 1.0,
) -> None:
    """Paint chips lying on one another along a unit ``axis``; ``centres`` (n, 3): their bottoms' middles."""
    view = canvas.view
    outline = column_outline(view, centres, axis, radius, thickness)
    if clip_outside(outline, canvas):
        canvas.area[obj] = canvas.area.get(obj, 0) + 1e9
        return
    scale = view.px_per_mm(centres[0])
    patch = Patch(outline, float(np.clip(np.ceil(6 / (scale * thickness)), 1, 3)))
    count = _SEGMENTS if scale * radius > 40 else 32 if scale * radius > 16 else 20
    e1, e2 = _across(axis)
    lower = circle_mm(centres, e1, e2, radius, count)
    upper = lower + axis * thickness
    fixed = patch.points(view.project(np.stack([lower, upper]).reshape(-1, 3))).reshape(
        2, len(designs), count, 2
    )
    corners = np.round((fixed - 0.5) * 16).astype(np.int32)
    following = np.roll(corners, -1, axis=2)
    quads = np.ascontiguousarray(np.stack([corners[0], following[0], following[1], corners[1]], axis=2))
    normals = circle_mm(np.zeros(3), e1, e2, 1.0, count)
    mid = normals + np.roll(normals, -1, axis=0)
    mid /= np.linalg.norm(mid, axis=1, keepdims=True)
    towards = np.einsum("jc,ijc->ij", mid, view.eye_mm - lower) > 0
    shade = (0.5 + 0.5 * np.clip(mid @ to_light, 0, 1) + 0.12 * mid[:, 2]) * gain
    from_top = float(axis @ (view.eye_mm - centres[-1])) > 0
    order = range(len(designs)) if from_top else range(len(designs) - 1, -1, -1)
    last = order[-1]
    kinds = list(dict.fromkeys(designs))
    rims = np.stack([rim_colours(kind, count) for kind in kinds])
    turned = (np.arange(count) - np.round(turns_deg / 360 * count).astype(int)[:, None]) % count
    kind_of = np.array([kinds.index(design) for design in designs])
    tints = np.minimum(rims[kind_of[:, None], turned] * shade[:, None], 255)
    mean = tints.mean(axis=1)
    seams = (mean * np.array([[design.seam] for design in designs])).tolist()
    bevels = np.minimum(mean * 1.25 + 12, 255).tolist()
    for i in order:
        tones = tints[i].tolist()
        for j in np.flatnonzero(towards[i]).tolist():
            b, g, r = tones[j]
            cv2.fillConvexPoly(patch.bgra, quads[i, j], (b, g, r, 255), cv2.LINE_8, 4)
        if designs[i].seam < 1 and patch.zoom * scale * thickness > 4:
            _seam(patch.bgra, corners[0 if from_top else 1, i], towards[i], seams[i])
            if patch.zoom * scale * thickness > 8:
                _seam(patch.bgra, corners[1 if from_top else 0, i], towards[i], bevels[i])
        near = corners[1 if from_top else 0, i]
        level = float(np.clip(0.7 + 0.35 * abs(axis @ to_light), 0, 1.15)) * gain
        if i != last:
            flat = [value * level * 0.8 for value in designs[i].base]
            cv2.fillConvexPoly(patch.bgra, near, (*flat, 255), cv2.LINE_8, 4)
        else:
            cap = centres[i] + (axis * thickness if from_top else 0)
            _cap(patch, view, designs[i], cap, float(turns_deg[i]), (e1, e2), radius, scale, level)
    layer = patch.reduced()
    canvas.area[obj] = canvas.area.get(obj, 0) + float(np.count_nonzero(layer[:, :, 3] > 127))
    depth = float(view.to_camera(centres[len(centres) // 2][None])[0, 2]) - radius * 0.7
    canvas.lay(layer, patch.corner, obj, depth=depth)


def clip_outside(outline: Array, canvas: Canvas) -> bool:
    """Whether canvas points lie all on one outer side of the canvas, or are too large to be sensible."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    outside = high[0] < 0 or high[1] < 0 or low[0] > canvas.bgr.shape[1] or low[1] > canvas.bgr.shape[0]
    return bool(outside or (high - low).max() > 20000)


def _seam(image: Array, ring: Array, shown: Array, colour: list[float]) -> None:
    count = len(ring)
    starts = np.flatnonzero(shown & ~np.roll(shown, 1))
    first = int(starts[0]) if len(starts) else 0
    points = ring[(first + np.arange(int(shown.sum()) + 1)) % count]
    cv2.polylines(image, [points], False, (*colour, 255), 1, cv2.LINE_8, 4)


def _cap(
    patch: Patch, view: View, design: ChipDesign, centre: Array, turn_deg: float, axes: tuple[Array, Array],
    radius: float, scale: float, level: float,
) -> None:  # fmt: skip
    size = int(np.clip(2 ** np.ceil(np.log2(2 * radius * scale * patch.zoom * 0.8)), 32, 512))
    texture = face_texture(design, size)
    angle = np.deg2rad(turn_deg)
    u = axes[0] * np.cos(angle) + axes[1] * np.sin(angle)
    v = axes[1] * np.cos(angle) - axes[0] * np.sin(angle)
    to_canvas = view.plane(centre - radius * (u + v), u, v) @ np.diag(
        [2 * radius / size, 2 * radius / size, 1.0]
    )
    patch.warp(texture, to_canvas, level)
