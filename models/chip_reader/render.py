"""Ray-casts one training scene: felt, piles, shadows, hands, then the camera's chain down to 8 bits."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from models.chip_reader.scenes import (
    Array,
    Design,
    Pile,
    Sample,
    any_colour,
    named_colour,
    random_design,
    random_family,
    random_names,
    random_pile,
)
from vision.camera import Camera

PICTURES = 2
"""Pictures of one scene, each through another camera chain and light."""
_FELT, _SIDE, _TOP, _OTHER = 0, 1, 2, 3


def random_camera(
    rng: np.random.Generator, diameter_mm: float, countable: bool
) -> tuple[Camera, NDArray[np.float64]]:
    """A close-up camera, its picture just large enough for a pile, and where on the felt it looks (mm)."""
    radius_px = float(np.exp(rng.uniform(math.log(9), math.log(36))))
    tilt = rng.uniform(28, 66) if countable else rng.uniform(0, 42)
    if countable:  # chips about 1.4 to 4.5 px thick: a chip's radius is some six thicknesses
        thick_px = math.exp(rng.uniform(math.log(1.4), math.log(4.5)))
        radius_px = min(40.0, 6 * thick_px / math.sin(math.radians(tilt)))
    distance = rng.uniform(1100, 3800)
    focal = radius_px * distance / (diameter_mm / 2)
    aside = rng.uniform(-0.28, 0.28, 2) * distance * np.array([1.0, 0.6])
    base = Camera.looking_at(
        (float(aside[0]), float(aside[1])),
        distance_mm=distance,
        tilt_deg=tilt,
        azimuth_deg=rng.uniform(0, 360),
        roll_deg=rng.normal(0, 6),
        focal_px=focal,
        size_px=(64, 64),
    )
    at = rng.uniform(-5, 5, 2)
    width, height = math.ceil(6.8 * radius_px), math.ceil(7.4 * radius_px)
    foot = base.project(at[None])[0]
    matrix = base.matrix.copy()
    matrix[:2, 2] += np.array([width / 2, height * 0.65]) - foot + rng.uniform(-0.5, 0.5, 2)
    return Camera(matrix, base.rotation, base.translation_mm, 0.0, 0.0, width, height), at


def random_sample(rng: np.random.Generator, countable: bool) -> Sample:
    """One close-up. ``countable``: seen from a tilt at which the chips of a stack can be told apart."""
    diameter = float(rng.choice([39.0, 39.5, 40.0, rng.uniform(36, 48)]))
    height = float(rng.choice([3.3, 3.3, rng.uniform(2.8, 3.7)]))
    camera, at = random_camera(rng, diameter, countable)
    family = random_family(rng)
    house = [random_design(rng, name, family) for name in random_names(rng)]
    count = int(rng.integers(1, [7, 13, 23][int(rng.choice(3, p=[0.35, 0.4, 0.25]))]))
    target = random_pile(rng, house, at, count)
    empty = bool(rng.random() < 0.05)
    piles = [] if empty else [(target, True)]
    for _ in range(int(rng.choice([0, 0, 1, 1, 2]))):
        angle, gap = rng.uniform(0, 2 * np.pi), diameter * rng.uniform(1.0, 1.9) + 1.5
        beside = at + gap * np.array([math.cos(angle), math.sin(angle)])
        others = [p.centres_mm[0] for p, _ in piles] + [at]
        if all(np.hypot(*(beside - p)) > diameter * 0.98 for p in others):
            piles.append((random_pile(rng, house, beside, int(rng.integers(1, 13))), False))
    scale = int(np.clip(math.ceil(40 / _radius_px(camera, at, diameter)), 2, 4))
    canvas = _Canvas(rng, camera, scale, diameter, height)
    canvas.felt(at)
    for pile, _ in piles:
        canvas.shadow(pile)
    canvas.enlarge()
    centre = camera.centre_mm[:2]
    piles.sort(key=lambda item: -float(np.hypot(*(item[0].centres_mm[0] - centre))))
    full = (1, 1)
    for pile, wanted in piles:
        canvas.pile(pile, wanted)
        if wanted:
            full = canvas.seen()
    if rng.random() < 0.15:
        canvas.hand(at)
    seen = canvas.seen()
    return Sample(
        images=tuple(canvas.develop() for _ in range(PICTURES)),
        camera=camera,
        pile=target,
        diameter_mm=diameter,
        height_mm=height,
        empty=empty,
        side_seen=seen[0] / max(full[0], 1),
        top_seen=seen[1] / max(full[1], 1),
    )


def _radius_px(camera: Camera, at: NDArray[np.float64], diameter: float) -> float:
    return float(camera.px_per_mm(at[None])[0]) * diameter / 2


class _Canvas:
    def __init__(
        self, rng: np.random.Generator, camera: Camera, scale: int, diameter: float, height: float
    ) -> None:
        self.rng, self.scale, self.radius, self.thick = rng, scale, diameter / 2, height
        self.size = (camera.width_px, camera.height_px)
        self.small = camera
        self.ground: Array = np.zeros((*self.size[::-1], 3), np.float32)
        self.camera = camera.resized(camera.width_px * scale, camera.height_px * scale)
        self.shape = (self.camera.height_px, self.camera.width_px)
        self.bgr: Array = np.zeros((*self.shape, 3), np.float32)
        self.ids: NDArray[np.uint8] = np.zeros(self.shape, np.uint8)
        elevation, azimuth = math.radians(rng.uniform(35, 88)), rng.uniform(0, 2 * math.pi)
        self.light = np.array(
            [
                math.cos(elevation) * math.cos(azimuth),
                math.cos(elevation) * math.sin(azimuth),
                math.sin(elevation),
            ]
        )
        self.ambient = rng.uniform(0.3, 0.75)
        self.side_ambient = self.ambient * rng.uniform(0.55, 1.0)
        self.ao = rng.uniform(0.0, 0.5)
        self.bevel = rng.uniform(-0.25, 0.5) * (rng.random() < 0.75)
        self.gloss = rng.uniform(0, 0.5) * (rng.random() < 0.4)
        self.other, self.two = rng.uniform(0, 2 * math.pi), bool(rng.random() < 0.35)

    def felt(self, at: NDArray[np.float64]) -> None:
        rng = self.rng
        name = str(rng.choice(["green", "green", "blue", "blue", "red", "purple", "brown", "black", "grey"]))
        base = (named_colour(rng, name) if rng.random() < 0.7 else any_colour(rng)) * rng.uniform(0.35, 1.0)
        w, h = self.size
        bright = self.ambient + (1 - self.ambient) * self.light[2]
        self.ground[:] = base * bright
        if rng.random() < 0.2:
            self._printed(at, any_colour(rng) * bright)
        ink = named_colour(rng, str(rng.choice(["white", "white", "yellow", "black", "red"])))
        px = float(self.small.px_per_mm(at[None])[0])
        for _ in range(int(rng.choice([0, 1, 1, 2, 3]))):
            ends = at + rng.normal(0, 26, 2) + np.outer([-1, 1], rng.normal(0, 80, 2))
            a, b = (tuple(int(v) for v in p) for p in self.small.project(ends))
            cv2.line(self.ground, a, b, ink.tolist(), max(1, round(px * rng.uniform(2, 7))), cv2.LINE_AA)
        if rng.random() < 0.4:
            foot = self.small.project((at + rng.normal(0, 30, 2))[None])[0]
            text = str(rng.choice(["PUNTO", "BANCA", "TIE 8:1", "EMPATE", "4", "PLAYER", "19/20"]))
            size = px * rng.uniform(12, 30) / 22
            layer = np.zeros((h, w), np.uint8)
            wide = max(1, round(size * rng.uniform(1.5, 4)))
            font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
            (tw, _), _ = cv2.getTextSize(text, font, size, wide)
            at_px = (int(foot[0] - tw / 2), int(foot[1]))
            cv2.putText(layer, text, at_px, font, size, 255, wide, cv2.LINE_AA)
            turn = cv2.getRotationMatrix2D(tuple(float(v) for v in foot), rng.uniform(0, 360), 1.0)
            alpha = cv2.warpAffine(layer, turn, (w, h)).astype(np.float32)[..., None] / 255
            self.ground += alpha * (ink - self.ground)
        if rng.random() < 0.12:
            corner = at + rng.choice([-1, 1], 2) * rng.uniform(25, 60, 2)
            angle = rng.uniform(0, math.pi)
            u, v = np.array([math.cos(angle), math.sin(angle)]), np.array([-math.sin(angle), math.cos(angle)])
            quad = corner + np.array([[0, 0], [63, 0], [63, 88], [0, 88]]) @ np.array([u, v])
            points = np.round(self.small.project(quad)).astype(np.int32)
            cv2.fillConvexPoly(self.ground, points, (0.9, 0.93, 0.95), cv2.LINE_AA)
        grain = rng.normal(0, rng.uniform(0.01, 0.08), (h // 2 + 1, w // 2 + 1)).astype(np.float32)
        self.ground *= 1 + cv2.resize(grain, (w, h), interpolation=cv2.INTER_LINEAR)[..., None]

    def _printed(self, at: NDArray[np.float64], colour: Array) -> None:
        """A large printed shape, filled or not, that the pile may stand on or across."""
        rng = self.rng
        middle, half = at + rng.normal(0, 45, 2), rng.uniform(25, 90, 2)
        angle = np.arange(40) * (2 * np.pi / 40) + rng.uniform(0, np.pi)
        ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        if rng.random() < 0.4:
            ring = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        turn = rng.uniform(0, np.pi)
        across = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        points = np.round(self.small.project(middle + (ring * half) @ across)).astype(np.int32)
        if rng.random() < 0.6:
            cv2.fillPoly(self.ground, [points], colour.tolist(), cv2.LINE_AA)
        if rng.random() < 0.6:
            rim = any_colour(rng).tolist()
            cv2.polylines(self.ground, [points], True, rim, int(rng.integers(1, 5)), cv2.LINE_AA)

    def shadow(self, pile: Pile) -> None:
        rng = self.rng
        height = self.thick * len(pile.turns)
        reach = -self.light[:2] / max(self.light[2], 0.5) * height
        angle = np.arange(32) * (2 * np.pi / 32)
        ring = self.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        second = -np.array([math.cos(self.other), math.sin(self.other)]) * rng.uniform(0, 0.9) * height
        casts = [(1.0, reach, rng.uniform(0.1, 0.7), 3.0), (1.04, 0 * reach, rng.uniform(0, 0.45), 1.2)]
        if self.two:
            casts.append((1.0, second, rng.uniform(0.05, 0.4), 3.0))
        for grow, shift, dark, blur in casts:
            points = np.concatenate(
                [end + ring * grow for end in (pile.centres_mm[0], pile.centres_mm[-1] + shift)]
            )
            hull = cv2.convexHull(np.round(self.small.project(points)).astype(np.int32))
            mask = np.zeros(self.size[::-1], np.float32)
            cv2.fillConvexPoly(mask, hull, 1.0, cv2.LINE_AA)
            mask = cv2.GaussianBlur(mask, (0, 0), blur * rng.uniform(0.2, 1.6))
            self.ground *= 1 - dark * mask[..., None]

    def enlarge(self) -> None:
        """From the felt to the finer grid on which the chips are cast."""
        cv2.resize(self.ground, self.shape[::-1], dst=self.bgr, interpolation=cv2.INTER_LINEAR)

    def pile(self, pile: Pile, wanted: bool) -> None:
        count = len(pile.turns)
        for i in range(count):
            self._chip(pile.designs[i], pile.centres_mm[i], i, float(pile.turns[i]), wanted, i == count - 1)

    def _chip(
        self, design: Design, centre: NDArray[np.float64], level: int, turn: float, wanted: bool, last: bool
    ) -> None:
        r, t, z0 = self.radius, self.thick, level * self.thick
        points = np.array([[0, 0, 0], [-9, 0, 0], [9, 0, 0], [0, -9, 0], [0, 9, 0], [0, 0, t]], np.float64)
        px = self.camera.project(points + np.array([centre[0], centre[1], z0]))
        jacobian = np.stack([px[2] - px[1], px[4] - px[3]], axis=1) / 18
        rise = (px[5] - px[0]) / t
        spread = np.sqrt((jacobian**2).sum(axis=1)) * r
        low = np.floor(np.minimum(px[0], px[5]) - spread - 1).astype(int).clip(0)
        high = np.ceil(np.maximum(px[0], px[5]) + spread + 1).astype(int)
        high = np.minimum(high, self.shape[::-1])
        if (high <= low).any():
            return
        inverse = np.linalg.inv(jacobian)
        w = (inverse @ rise).astype(np.float32)
        xs = np.arange(low[0], high[0], dtype=np.float32) + np.float32(0.5 - px[0, 0])
        ys = np.arange(low[1], high[1], dtype=np.float32) + np.float32(0.5 - px[0, 1])
        inv = inverse.astype(np.float32)
        qx = inv[0, 0] * xs[None, :] + inv[0, 1] * ys[:, None]
        qy = inv[1, 0] * xs[None, :] + inv[1, 1] * ys[:, None]
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        target, ids = self.bgr[window], self.ids[window]
        tx, ty = qx - w[0] * t, qy - w[1] * t
        reach = tx * tx + ty * ty
        top = reach <= r * r
        a = max(float(w @ w), 1e-9)
        b = qx * w[0] + qy * w[1]
        disc = b * b - a * (qx * qx + qy * qy - r * r)
        z = (b + np.sqrt(np.maximum(disc, 0))) / a
        side = (disc >= 0) & (z >= 0) & (z <= t) & ~top
        target[side] = self._side(
            design, turn, z0, z[side], qx[side] - w[0] * z[side], qy[side] - w[1] * z[side]
        )
        shown = top if last else top & (reach > (r - 9) ** 2)  # the next chip hides the rest
        target[shown] = self._top(design, turn, tx[shown], ty[shown], last)
        ids[side] = _SIDE if wanted else _OTHER
        ids[top] = (_TOP if last else _SIDE) if wanted else _OTHER

    def _rim(self, design: Design, turn: float, x: Array, y: Array) -> Array:
        angle = (np.arctan2(y, x) + turn) / (2 * np.pi) % 1
        return np.asarray(design.rim[(angle * 256).astype(np.int32) & 255])

    def _side(self, design: Design, turn: float, z0: float, z: Array, x: Array, y: Array) -> Array:
        part = z / self.thick
        colour = self._rim(design, turn, x, y)
        if design.side_stripe:
            low, high, stripe = design.side_stripe
            colour[(part > low) & (part < high)] = stripe
        facing = (x * self.light[0] + y * self.light[1]) / self.radius
        shade = self.side_ambient + (1 - self.ambient) * np.maximum(facing, 0)
        shade = shade * (1 - self.ao * np.exp(-(z0 + z) / 6.0))
        shade = shade * (1 - self.bevel * (np.minimum(part, 1 - part) < 0.12))
        out = colour * shade[:, None]
        if self.gloss:
            out = out + self.gloss * np.maximum(facing, 0)[:, None] ** 12
        return np.asarray(out, np.float32)

    def _top(self, design: Design, turn: float, x: Array, y: Array, last: bool) -> Array:
        shade = self.ambient + (1 - self.ambient) * self.light[2]
        if not last:  # only a ledge of it shows beside the next chip
            return np.asarray(self._rim(design, turn, x, y) * shade, np.float32)
        c, s = math.cos(turn), math.sin(turn)
        u, v = (c * x - s * y) / self.radius, (s * x + c * y) / self.radius
        out = design.face[
            np.clip((v + 1) * 48, 0, 95).astype(np.int32), np.clip((u + 1) * 48, 0, 95).astype(np.int32)
        ]
        distance = np.sqrt(u * u + v * v)
        rim = distance > design.rim_from
        out[rim] = self._rim(design, turn, x[rim], y[rim])
        shading = np.where(distance > 0.97, shade * (1 - 0.5 * self.bevel), shade)
        out = out * shading[:, None]
        if self.gloss:
            at = self.rng.normal(0, 0.5, 2)
            out = out + self.gloss * np.exp(-((u - at[0]) ** 2 + (v - at[1]) ** 2) / 0.15)[:, None]
        return np.asarray(out, np.float32)

    def seen(self) -> tuple[int, int]:
        return int((self.ids == _SIDE).sum()), int((self.ids == _TOP).sum())

    def hand(self, at: NDArray[np.float64]) -> None:
        """A hand over the scene: a palm and fingers as thick rounded strokes."""
        rng, s = self.rng, self.scale
        radius = _radius_px(self.camera, at, 2 * self.radius)
        foot = self.camera.project(at[None])[0]
        tip = foot + rng.normal(0, 1.6, 2) * radius - [0, radius]
        heading = rng.uniform(0, 2 * math.pi)
        skin = np.array([rng.uniform(0.3, 0.6), rng.uniform(0.42, 0.7), rng.uniform(0.55, 0.95)], np.float32)
        mask = np.zeros(self.shape, np.float32)
        out = np.array([math.cos(heading), math.sin(heading)])
        cross = np.array([-out[1], out[0]])
        for k in range(int(rng.integers(2, 5))):
            a = tip + cross * (k - 1.5) * radius * 0.75 + out * rng.uniform(0, 0.7) * radius
            b = a + out * radius * 6
            points = [tuple(int(v) for v in p) for p in (a, b)]
            cv2.line(mask, points[0], points[1], 1.0, max(2, round(radius * 0.75)), cv2.LINE_AA)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.5 * s), np.float32)
        shade = cv2.resize(rng.uniform(0.5, 1.0, (4, 4)).astype(np.float32), self.shape[::-1])
        self.bgr += mask[..., None] * (skin * shade[..., None] - self.bgr)
        self.ids[mask > 0.5] = _OTHER

    def develop(self) -> NDArray[np.uint8]:
        """The camera's 8-bit picture: a good camera's in two of five, any camera's in the rest."""
        rng = self.rng
        calm = bool(rng.random() < 0.4)
        picture = cv2.resize(self.bgr, self.size, interpolation=cv2.INTER_AREA)
        uneven = cv2.resize(rng.uniform(0.75, 1.1, (3, 3)).astype(np.float32), self.size)
        picture = picture * uneven[..., None] ** rng.uniform(0, 1)
        warm = rng.uniform(0.68, 1.0) if rng.random() < 0.6 and not calm else rng.uniform(0.9, 1.1)
        picture = picture * np.array([warm, (1 + warm) / 2 * rng.uniform(0.95, 1.04), 1.0], np.float32)
        light = rng.uniform(0.75, 1.5) if rng.random() < 0.8 or calm else rng.uniform(0.3, 2.0)
        picture = np.clip(picture * light, 0, 1) ** rng.uniform(0.6, 1.15)
        grey = ((picture[..., 0] + picture[..., 1] + picture[..., 2]) / 3)[..., None]
        strong = float(rng.choice([rng.uniform(0.6, 1.15), rng.uniform(1.1, 1.9), 0.0], p=[0.83, 0.15, 0.02]))
        picture = grey + (picture - grey) * (strong if not calm else rng.uniform(0.85, 1.1))
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 0.95))
        if rng.random() < 0.35:
            soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
            picture = picture + rng.uniform(0.2, 0.9) * (picture - soft)
        picture = picture * 255 + rng.normal(0, rng.uniform(0.3, 2 if calm else 5), picture.shape)
        out = np.clip(picture + 0.5, 0, 255).astype(np.uint8)
        if rng.random() < 0.85:
            out = _compressed(out, int(rng.integers(75 if calm else 38, 97)))
        if rng.random() < (0.2 if calm else 0.45):
            out = filmed(rng, out)
        return np.asarray(out, np.uint8)


def _compressed(picture: NDArray[np.uint8], quality: int) -> NDArray[np.uint8]:
    code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


def filmed(rng: np.random.Generator, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """As a video codec leaves a picture: coarse, its blocks smoothed, fine grain gone, new noise on top."""
    if rng.random() < 0.3:  # scaled between sensor and file
        h, w = picture.shape[:2]
        part = rng.uniform(0.75, 1.3)
        small = cv2.resize(picture, (round(w * part), round(h * part)), interpolation=cv2.INTER_AREA)
        picture = np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), np.uint8)
    picture = _compressed(picture, int(rng.integers(25, 70)))
    smooth = cv2.bilateralFilter(picture, 5, rng.uniform(6, 28), rng.uniform(0.7, 1.6))
    if rng.random() < 0.5:
        smooth = _compressed(np.asarray(smooth, np.uint8), int(rng.integers(60, 95)))
    return np.asarray(smooth, np.uint8)
