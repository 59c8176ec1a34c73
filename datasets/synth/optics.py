"""From a clean picture to what a camera delivers: light falloff, blur, exposure, noise, compression."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets.synth.raster import Array, gauss
from datasets.synth.scene import Light


@dataclass(frozen=True, slots=True)
class Optics:
    """A camera's character. Sigmas in pixels, noise in grey levels."""

    defocus_px: float = 0.5
    motion_px: float = 0.0
    motion_deg: float = 0.0
    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Exposure and white balance, per channel (blue, green, red)."""
    gamma: float = 1.0
    contrast: float = 1.0
    saturation: float = 1.0
    noise: float = 2.0
    noise_grain_px: float = 0.0
    sharpen: float = 0.0
    rescale: float = 1.0
    """The picture was stored at this part of its size, then enlarged."""
    local_contrast: float = 0.0
    """How much a telephone's tone mapping evens out, 0..1."""
    jpeg: int = 90
    """JPEG quality; 0 = none."""


def random_optics(rng: np.random.Generator, photo: bool = False) -> Optics:
    """From clean to poor, as surveillance and telephones are."""
    bad = rng.random() ** 1.6
    exposure = float(np.exp(rng.normal(0.06 if photo else 0.02, 0.16)))
    warm = rng.normal(0, 0.09)
    tint = rng.normal(0, 0.03)
    return Optics(
        defocus_px=float(rng.uniform(0.2, 0.6 + 1.2 * bad)),
        motion_px=float(rng.uniform(1, 6)) if rng.random() < 0.12 else 0.0,
        motion_deg=float(rng.uniform(0, 180)),
        gain=(exposure * (1 - warm), exposure * (1 + tint), exposure * (1 + warm)),
        gamma=float(np.exp(rng.normal(0, 0.16))),
        contrast=float(rng.uniform(0.7, 1.25)),
        saturation=0.0 if rng.random() < 0.04 else float(rng.uniform(0.55, 1.35)),
        noise=float(rng.uniform(0.5, 3 + 11 * bad)),
        noise_grain_px=float(rng.choice([0.0, 0.0, 0.6, 1.0])),
        sharpen=float(rng.choice([0.0, 0.0, rng.uniform(0.2, 1.4)])),
        rescale=float(rng.uniform(0.55, 0.95)) if rng.random() < 0.2 else 1.0,
        local_contrast=float(rng.uniform(0.3, 1.0)) if rng.random() < (0.15 if photo else 0.04) else 0.0,
        jpeg=int(rng.integers(28, 96)) if rng.random() < 0.85 else 0,
    )


def metered(optics: Optics, image: Array, rng: np.random.Generator) -> Optics:
    """The optics with the gain that a camera's meter would choose for the picture, more or less well."""
    mean = float(image[::8, ::8].mean())
    target = float(np.exp(rng.normal(np.log(95), 0.3)))
    gain = float(np.clip(target / max(mean, 1.0), 0.45, 2.6)) ** 0.75
    b, g, r = optics.gain
    return replace(optics, gain=(b * gain, g * gain, r * gain))


def light_map(light: Light, height: int, width: int) -> Array:
    """Gain and glare of a light over a picture: float32 (height, width, 2)."""
    n = 48
    y, x = (np.mgrid[0:n, 0:n].astype(np.float32) + 0.5) / n - 0.5
    a = np.deg2rad(light.gradient_deg)
    level = 1 + light.gradient * 2 * (x * np.cos(a) + y * np.sin(a)) - light.vignette * 1.6 * (x * x + y * y)
    glare = np.zeros_like(level)
    for gx, gy, radius, strength in light.spots:
        d2 = ((x + 0.5 - gx) ** 2 + (y + 0.5 - gy) ** 2) / max(radius, 1e-3) ** 2
        glare += strength * np.exp(-d2)
    both = np.stack([np.clip(level, 0.1, 2), np.clip(glare, 0, 0.92)], axis=-1).astype(np.float32)
    return np.asarray(cv2.resize(both, (width, height), interpolation=cv2.INTER_LINEAR))


def lit(image: Array, light: Light, gains: Array | None = None, corner: tuple[int, int] = (0, 0)) -> Array:
    """The picture (h, w, 3) uint8 under the light's gradient, vignette and glare.

    ``gains`` is the whole picture's light map where ``image`` is only the part of it at ``corner``.
    """
    h, w = image.shape[:2]
    if gains is None:
        gains = light_map(light, h, w)
    part = gains[corner[1] : corner[1] + h, corner[0] : corner[0] + w]
    gain = np.ascontiguousarray(part[..., 0])
    out = cv2.multiply(image, cv2.merge([gain, gain, gain]), dtype=cv2.CV_8U)
    if light.spots:
        veil = (part[..., 1] * 255).astype(np.uint8)
        over = cv2.merge([veil, veil, veil])
        out = cv2.add(cv2.multiply(out, cv2.bitwise_not(over), scale=1 / 255), over)
    return np.asarray(out)


def expose(image: Array, optics: Optics, rng: np.random.Generator) -> Array:
    """What the camera makes of a clean picture (h, w, 3) uint8, the same size."""
    out = image
    if optics.motion_px > 1:
        out = cv2.filter2D(out, -1, _streak(optics.motion_px, optics.motion_deg))
    if optics.defocus_px > 0.25:
        out = cv2.GaussianBlur(out, (0, 0), optics.defocus_px)
    levels = np.arange(256, dtype=np.float64) / 255
    curves = []
    for gain in optics.gain:
        value = np.clip(levels * gain, 0, None) ** optics.gamma
        value = 0.45 + (value - 0.45) * optics.contrast
        curves.append(np.clip(value, 0, 1) * 255)
    table = np.stack(curves, axis=1).astype(np.uint8)[None]
    out = cv2.LUT(np.ascontiguousarray(out), table)
    if optics.saturation != 1.0:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        out = cv2.addWeighted(out, optics.saturation, grey, 1 - optics.saturation, 0)
    if optics.local_contrast > 0:
        out = _evened(out, optics.local_contrast)
    out = _noisy(out, optics, rng)
    if optics.rescale < 0.99:
        h, w = out.shape[:2]
        small = cv2.resize(
            out, (round(w * optics.rescale), round(h * optics.rescale)), interpolation=cv2.INTER_AREA
        )
        out = cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC)
    if optics.sharpen > 0:
        soft = cv2.GaussianBlur(out, (0, 0), 1.4)
        out = cv2.addWeighted(out, 1 + optics.sharpen, soft, -optics.sharpen, 0)
    if optics.jpeg:
        _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, optics.jpeg])
        out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return np.asarray(out)


def _evened(image: Array, strength: float) -> Array:
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    even = cv2.createCLAHE(2 + 4 * strength, (6, 6)).apply(np.ascontiguousarray(lab[..., 0]))
    lab[..., 0] = cv2.addWeighted(even, strength, np.ascontiguousarray(lab[..., 0]), 1 - strength, 0)
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR))


def _noisy(image: Array, optics: Optics, rng: np.random.Generator) -> Array:
    if optics.noise < 0.3:
        return image
    h, w = image.shape[:2]
    cv2.setRNGSeed(int(rng.integers(2**31)))
    luma = gauss((h, w), optics.noise * 8, np.int16)
    noise = gauss((h, w, 3), optics.noise * 4, np.int16)
    noise = np.asarray(cv2.add(noise, cv2.merge([luma, luma, luma])))
    gain = 1 / 8
    if optics.noise_grain_px > 0:
        noise, gain = np.asarray(cv2.GaussianBlur(noise, (0, 0), optics.noise_grain_px)), 1.6 / 8
    return np.asarray(cv2.addWeighted(image, 1.0, noise, gain, 0, dtype=cv2.CV_8U))


def _streak(length_px: float, angle_deg: float) -> Array:
    n = 2 * int(np.ceil(length_px / 2)) + 3
    kernel = np.zeros((n * 4, n * 4), np.float32)
    a, c = np.deg2rad(angle_deg), n * 2
    reach = np.array([np.cos(a), np.sin(a)]) * length_px * 2
    start, end = (c - reach).astype(int), (c + reach).astype(int)
    cv2.line(kernel, (int(start[0]), int(start[1])), (int(end[0]), int(end[1])), 1.0, 3, cv2.LINE_AA)
    small = cv2.resize(kernel, (n, n), interpolation=cv2.INTER_AREA)
    return np.asarray(small / max(float(small.sum()), 1e-6))
