"""What everything lies on: felts, woods, stones, cloths and carpets as textures with their reduced copies."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.synth.cloths import laid_out, plaid, tiles
from datasets.synth.drawing import Drawing
from datasets.synth.patch import Canvas
from datasets.synth.pictures import PictureStock
from datasets.synth.raster import Array, Colour, hsv, smooth_noise


class Ground:
    """A flat picture in the layout frame. ``origin_mm`` is its top-left corner; beyond it is ``beyond``."""

    def __init__(
        self, image: Array, origin_mm: tuple[float, float], px_per_mm: float, beyond: Colour
    ) -> None:
        self.origin_mm, self.px_per_mm, self.beyond = origin_mm, px_per_mm, beyond
        self._levels = [image]
        while min(self._levels[-1].shape[:2]) > 64:
            h, w = self._levels[-1].shape[:2]
            self._levels.append(
                np.asarray(cv2.resize(self._levels[-1], (w // 2, h // 2), interpolation=cv2.INTER_AREA))
            )

    def paint(self, canvas: Canvas) -> None:
        """Fill the canvas with the ground as its view sees it; above the horizon with a dim wall."""
        view = canvas.view
        middle = view.plane(np.zeros(3), np.array([1.0, 0, 0]), np.array([0, 1.0, 0]))
        back = np.linalg.inv(middle)
        centre = np.array([view.width / 2, view.height / 2, 1.0])
        spot = back @ centre
        scale = self._px_per_mm(middle, spot[:2] / spot[2])
        level = int(
            np.clip(
                np.floor(np.log2(max(self.px_per_mm / max(scale, 1e-3), 1.0)) + 0.35),
                0,
                len(self._levels) - 1,
            )
        )
        image = self._levels[level]
        sx = image.shape[1] / self._levels[0].shape[1] * self.px_per_mm
        sy = image.shape[0] / self._levels[0].shape[0] * self.px_per_mm
        # Texture pixel centres stand at +0.5, OpenCV's at whole numbers.
        to_mm = np.array(
            [[1 / sx, 0, self.origin_mm[0] + 0.5 / sx], [0, 1 / sy, self.origin_mm[1] + 0.5 / sy], [0, 0, 1]]
        )
        half = np.array([[1, 0, -0.5], [0, 1, -0.5], [0, 0, 1.0]])
        cv2.warpPerspective(
            image, half @ middle @ to_mm, (view.width, view.height), dst=canvas.bgr,
            flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=self.beyond,
        )  # fmt: skip
        self._wall(canvas, back, float(np.sign(spot[2])))

    @staticmethod
    def _px_per_mm(middle: Array, at_mm: Array) -> float:
        points = (
            np.array([[*at_mm, 1.0], [at_mm[0] + 1, at_mm[1], 1.0], [at_mm[0], at_mm[1] + 1, 1.0]]) @ middle.T
        )
        flat = points[:, :2] / points[:, 2:]
        return float(np.sqrt(np.linalg.norm(flat[1] - flat[0]) * np.linalg.norm(flat[2] - flat[0])))

    def _wall(self, canvas: Canvas, back: Array, sign: float) -> None:
        h, w = canvas.bgr.shape[:2]
        corners = np.array([[0, 0, 1.0], [w, 0, 1.0], [w, h, 1.0], [0, h, 1.0]]) @ back.T
        if (corners[:, 2] * sign > 1e-12).all():
            return
        y, x = np.mgrid[0:h:8, 0:w:8].astype(np.float32)
        level = (back[2, 0] * x + back[2, 1] * y + back[2, 2]) * sign
        far = float(np.abs(back[2, :2]).max()) * 24
        mask = cv2.resize(np.asarray(level - far, np.float32), (w, h), interpolation=cv2.INTER_LINEAR) <= 0
        rng = np.random.default_rng(int(abs(back[2, 2]) * 1e9) % 2**31)
        small = (max(2, h // 4), max(2, w // 4))
        wall = rng.uniform(40, 170) + rng.uniform(5, 60) * smooth_noise(rng, *small, rng.uniform(6, 60))
        wall += rng.uniform(0, 25) * rng.standard_normal(small, np.float32)
        if rng.random() < 0.4:
            wall += rng.uniform(10, 70) * np.sign(smooth_noise(rng, *small, rng.uniform(20, 90)))
        tone = cv2.resize(np.clip(wall, 5, 235), (w, h), interpolation=cv2.INTER_LINEAR)
        tint = np.array(self.beyond, np.float32) / max(max(self.beyond), 1) * 0.5 + 0.5
        canvas.bgr[mask] = (tone[mask][:, None] * tint).astype(np.uint8)


def _grain(rng: np.random.Generator, h: int, w: int) -> Array:
    return rng.standard_normal((h, w), np.float32)


def _toned(base: Colour, gain: Array) -> Array:
    plain = np.maximum(gain, 0, dtype=np.float32)
    return np.asarray(cv2.merge([cv2.convertScaleAbs(plain, alpha=float(c)) for c in base]))


def cloth(rng: np.random.Generator, size: tuple[int, int], colour: Colour, px_per_mm: float) -> Array:
    """Felt or speed cloth (h, w, 3): fibres, a faint weave or a small print, worn and stained places."""
    h, w = size
    gain = (
        1 + 0.05 * smooth_noise(rng, h, w, 220 * px_per_mm) + 0.03 * smooth_noise(rng, h, w, 40 * px_per_mm)
    )
    grain = _grain(rng, h, w)
    fibre = cv2.GaussianBlur(grain, (0, 0), rng.uniform(0.6, 1.5), sigmaY=rng.uniform(0.6, 1.5))
    gain = gain + rng.uniform(0.01, 0.06) * fibre / max(float(fibre.std()), 1e-6)
    if rng.random() < 0.35:
        period = rng.uniform(1.2, 12) * px_per_mm
        wave = (
            np.sin(np.arange(w) * 2 * np.pi / period)[None, :]
            * np.sin(np.arange(h) * 2 * np.pi / period)[:, None]
        )
        gain += wave.astype(np.float32) * rng.uniform(0.01, 0.07)
    return _toned(colour, gain)


def wood(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float) -> Array:
    """Boards (h, w, 3) of pale to dark wood with grain."""
    h, w = size
    hue, level = rng.uniform(0.03, 0.11), rng.uniform(0.2, 0.9)
    base = hsv(hue, rng.uniform(0.2, 0.7), level)
    across = smooth_noise(rng, h, max(2, w // 40), 3 * px_per_mm)
    grain = cv2.resize(across, (w, h), interpolation=cv2.INTER_CUBIC)
    warp = smooth_noise(rng, h, w, 60 * px_per_mm)
    rings = np.sin((np.arange(h)[:, None] / px_per_mm / rng.uniform(1.5, 6)) + 6 * warp)
    gain = (
        1 + rng.uniform(0.05, 0.22) * grain + rng.uniform(0.02, 0.12) * rings.astype(np.float32) + 0.06 * warp
    )
    if rng.random() < 0.5:
        board = rng.uniform(60, 160) * px_per_mm
        gain *= np.repeat(1 + 0.12 * rng.standard_normal(int(h / board) + 1), int(board) + 1)[:h, None]
        lines = (np.arange(h) % int(board)) < max(1, px_per_mm)
        gain[lines] *= 0.5
    out = _toned(base, gain.astype(np.float32))
    return np.ascontiguousarray(out.transpose(1, 0, 2)[:h, :w]) if h == w and rng.random() < 0.5 else out


def stone(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float) -> Array:
    """Marble, granite or plain board (h, w, 3)."""
    h, w = size
    base = hsv(rng.random(), rng.uniform(0, 0.25), rng.choice([0.15, 0.3, 0.6, 0.85, 0.95]))
    turbulence = sum(
        (
            smooth_noise(rng, h, w, cell * px_per_mm) * share
            for cell, share in ((120, 1.0), (45, 0.5), (14, 0.3))
        ),
        start=np.zeros((h, w), np.float32),
    )
    veins = np.exp(-np.abs(turbulence) * rng.uniform(6, 18))
    gain = 1 + rng.uniform(-0.7, 0.7) * veins + 0.06 * turbulence
    speck = _grain(rng, h, w)
    gain += cv2.GaussianBlur(speck, (0, 0), rng.uniform(0.7, 2.5)) * rng.uniform(0, 0.4)
    return _toned(base, gain.astype(np.float32))


def carpet(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float) -> Array:
    """Carpet, towel or a rumpled bed cover (h, w, 3), plain, striped or patterned."""
    h, w = size
    base = hsv(rng.random(), rng.uniform(0.05, 0.8), rng.uniform(0.15, 0.9))
    tuft = _grain(rng, h, w)
    tuft = cv2.GaussianBlur(tuft, (0, 0), rng.uniform(0.7, 2.2) * px_per_mm / 2)
    gain = 1 + tuft / max(float(tuft.std()), 1e-6) * rng.uniform(0.05, 0.28)
    gain = gain + rng.uniform(0.05, 0.25) * smooth_noise(rng, h, w, rng.uniform(30, 150) * px_per_mm)
    out = _toned(base, gain.astype(np.float32))
    if rng.random() < 0.5:
        other = hsv(rng.random(), rng.uniform(0.05, 0.9), rng.uniform(0.1, 0.9))
        field = smooth_noise(rng, h, w, rng.uniform(15, 80) * px_per_mm)
        if rng.random() < 0.5:
            field = np.sin(np.arange(w) / (rng.uniform(3, 30) * px_per_mm))[None, :] + 0 * field
        mask = (field > rng.uniform(-0.2, 0.5)).astype(np.float32)[..., None]
        out = (out * (1 - mask) + _toned(other, gain.astype(np.float32)) * mask).astype(np.uint8)
    return out


def busy(rng: np.random.Generator, size: tuple[int, int], px_per_mm: float) -> Array:
    """Terrazzo, pebbles, leaves, prints (h, w, 3): many small shapes of a few colours on one another."""
    h, w = size
    hue = rng.random()
    base = hsv(hue, rng.uniform(0, 0.6), rng.uniform(0.2, 0.95))
    tones = [hsv(hue + rng.normal(0, 0.15), rng.uniform(0, 0.8), rng.uniform(0.05, 0.95)) for _ in range(5)]
    out = cloth(rng, size, base, px_per_mm)
    large, sides = rng.uniform(1.5, 16) * px_per_mm, int(rng.choice([0, 3, 4, 5, 6]))
    thin, spread = rng.uniform(0.2, 1.0), rng.uniform(0.2, 0.7)
    count = int(min(2600, rng.uniform(0.15, 0.9) * h * w / (large * large * 3)))
    for x, y, turn, grow in zip(
        rng.uniform(0, w, count), rng.uniform(0, h, count), rng.uniform(0, 2 * np.pi, count),
        np.exp(rng.normal(0, spread, count)), strict=True,
    ):  # fmt: skip
        tone = tones[int(rng.integers(len(tones)))]
        r = large * grow
        if sides == 0:
            axes = (max(1, int(r)), max(1, int(r * thin)))
            cv2.ellipse(out, (int(x), int(y)), axes, float(np.rad2deg(turn)), 0, 360, tone, -1, cv2.LINE_AA)
        else:
            a = turn + np.sort(rng.uniform(0, 2 * np.pi, sides))
            points = np.stack([x + r * np.cos(a), y + r * np.sin(a)], axis=1)
            cv2.fillPoly(out, [np.round(points).astype(np.int32)], tone, cv2.LINE_AA)
    return out


def photo_ground(rng: np.random.Generator, stock: PictureStock | None = None) -> Ground:
    """A random surface for close photographs, centred on the origin of the layout frame; of ``stock``'s
    pictures at times."""
    px_per_mm = float(rng.uniform(1.5, 2.8))
    side_mm = 1760 / px_per_mm
    n = round(side_mm * px_per_mm)
    size = (n, n)
    kind = rng.choice(
        ["wood", "stone", "carpet", "cloth", "busy", "tiles", "plaid"],
        p=[0.22, 0.16, 0.16, 0.16, 0.14, 0.08, 0.08],
    )
    if stock is not None and stock.paths and rng.random() < 0.45:
        image = laid_out(rng, size, px_per_mm, stock)
    elif kind == "wood":
        image = wood(rng, size, px_per_mm)
    elif kind == "stone":
        image = stone(rng, size, px_per_mm)
    elif kind == "busy":
        image = busy(rng, size, px_per_mm)
    elif kind == "carpet":
        image = carpet(rng, size, px_per_mm)
    elif kind == "tiles":
        image = tiles(rng, size, px_per_mm)
    elif kind == "plaid":
        image = plaid(rng, size, px_per_mm)
    else:
        image = cloth(rng, size, hsv(rng.random(), rng.uniform(0.1, 0.95), rng.uniform(0.1, 0.95)), px_per_mm)
    mean = image.reshape(-1, 3).mean(axis=0) * rng.uniform(0.3, 0.9)
    return Ground(image, (-side_mm / 2, -side_mm / 2), px_per_mm, (int(mean[0]), int(mean[1]), int(mean[2])))


def table_ground(
    rng: np.random.Generator,
    drawing: Drawing,
    edge_mm: Array,
    px_per_mm: float = 1.6,
    margin_mm: float = 480.0,
) -> Ground:
    """A gaming table seen flat: floor, padded rail and felt with its print.

    ``edge_mm`` (n, 2): the felt's outline, closed; the rail follows it outside.
    """
    x, y, w, h = drawing.box_mm
    origin = (x - margin_mm, y - margin_mm)
    shape = (round((h + 2 * margin_mm) * px_per_mm), round((w + 2 * margin_mm) * px_per_mm))
    floor_colour = hsv(rng.random(), rng.uniform(0.05, 0.7), rng.uniform(0.05, 0.45))
    # Floor and rail are painted at half the size: nobody reads them.
    half = px_per_mm / 2
    small = (shape[0] // 2, shape[1] // 2)
    patterned = rng.random() < 0.5
    floor = carpet(rng, small, half) if patterned else cloth(rng, small, floor_colour, half)
    dim = rng.uniform(0.3, 0.9)
    floor = cv2.convertScaleAbs(floor, alpha=dim)
    mean = floor.reshape(-1, 3).mean(axis=0)
    _rail(rng, floor, np.round((edge_mm - np.array(origin)) * half).astype(np.int32), half)
    image = np.asarray(cv2.resize(floor, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR))
    edge = np.round((edge_mm - np.array(origin)) * px_per_mm).astype(np.int32)
    (x0, y0), (x1, y1) = edge.min(axis=0), edge.max(axis=0)
    felt = cloth(rng, (int(y1 - y0), int(x1 - x0)), drawing.cloth, px_per_mm)
    corner = (origin[0] + float(x0) / px_per_mm, origin[1] + float(y0) / px_per_mm)
    drawing.paint(felt, corner, px_per_mm, float(rng.uniform(0.75, 1.0)))
    mask = np.zeros(felt.shape[:2], np.uint8)
    cv2.fillPoly(mask, [edge - (x0, y0)], 255)
    cv2.copyTo(felt, mask, image[y0:y1, x0:x1])
    return Ground(image, origin, px_per_mm, (int(mean[0]), int(mean[1]), int(mean[2])))


def _rail(rng: np.random.Generator, image: Array, edge: Array, px_per_mm: float) -> None:
    width = rng.uniform(45, 130) * px_per_mm
    colour = np.array(
        hsv(rng.choice([0.02, 0.06, 0.6, 0.0]), rng.uniform(0, 0.6), rng.uniform(0.06, 0.5)), np.float32
    )
    shine = rng.uniform(0.2, 0.9)
    for share in np.linspace(1, 0, 32):
        # From the outside in: a padded half-round, lightest a little inside its middle.
        bright = 0.55 + shine * np.exp(-(((share - 0.55) / 0.22) ** 2))
        tone = np.clip(colour * bright + 60 * shine * np.exp(-(((share - 0.6) / 0.1) ** 2)), 0, 255)
        thickness = max(1, round(2 * width * share))
        b, g, r = (float(v) for v in tone)
        cv2.polylines(image, [edge], True, (b, g, r), thickness, cv2.LINE_AA)
