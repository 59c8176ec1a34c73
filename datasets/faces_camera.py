"""What a camera does to a picture of a card: light, lens, sensor, and the codec of a recorder.

All functions take and give (h, w, 3) uint8 BGR pictures unless they say otherwise.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

import av
import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]


def light(picture: Floats, rng: np.random.Generator) -> Floats:
    """Warm, cold, dim, uneven light and glare on a picture of float32 0..255; may leave that range."""
    h, w = picture.shape[:2]
    warmth = float(rng.normal(0, 0.14))
    tint = float(rng.normal(0, 0.05))
    gains = np.array([1 - warmth, 1 + tint, 1 + warmth], np.float32)
    ys, xs = np.arange(h, dtype=np.float32)[:, None] / h, np.arange(w, dtype=np.float32)[None] / w
    exposure = float(
        rng.choice(
            [rng.uniform(0.75, 1.15), rng.uniform(0.3, 0.8), rng.uniform(1.1, 1.5)], p=[0.6, 0.28, 0.12]
        )
    )
    out = picture * (gains * exposure)
    if rng.random() < 0.5:  # light falls off across the card
        angle, depth = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0.05, 0.45))
        ramp = ((xs - 0.5) * np.float32(np.cos(angle)) + (ys - 0.5) * np.float32(np.sin(angle))) * (2 * depth)
        out *= (1 + ramp)[..., None]
    if rng.random() < 0.3:  # the shadow of an arm or a lamp's edge
        angle, at = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(-0.3, 0.3))
        soft = float(rng.uniform(0.01, 0.2))
        side = (xs - 0.5) * np.float32(np.cos(angle)) + (ys - 0.5) * np.float32(np.sin(angle)) - at
        shade = 1 - float(rng.uniform(0.2, 0.6)) / (1 + np.exp(-np.clip(side / soft, -30, 30)))
        out *= shade[..., None]
    if rng.random() < 0.16:  # a lamp mirrored in the varnish
        cx, cy = float(rng.uniform(0.2, 0.8)), float(rng.uniform(0.2, 0.8))
        rx, ry = float(rng.uniform(0.05, 0.35)), float(rng.uniform(0.05, 0.35))
        spot = np.exp(-(((xs - cx) / rx) ** 2 + ((ys - cy) / ry) ** 2))
        out += spot[..., None] * float(rng.uniform(40, 220))
    gamma = float(np.exp(rng.normal(0, 0.22)))
    out = cv2.pow(np.clip(out, 0, 400) * np.float32(1 / 255), gamma)
    contrast, lift = float(rng.uniform(0.7, 1.1)), float(rng.uniform(0, 26)) * float(rng.random() < 0.5)
    return cast(Floats, (out * (255 * contrast) + lift).astype(np.float32))


def blur(picture: Floats, card_px: float, rng: np.random.Generator) -> Floats:
    """Defocus and motion, mostly slight; ``card_px`` is the card's height in pixels."""
    out = picture
    if rng.random() < 0.75:
        sigma = float(rng.gamma(1.6, 0.0045)) * card_px + float(rng.uniform(0.2, 0.75))
        out = cv2.GaussianBlur(out, (0, 0), sigma).astype(np.float32)
    if rng.random() < 0.22:
        out = moved(out, max(1.0, float(rng.gamma(1.5, 0.025)) * card_px), rng)
    return out


def moved(picture: Floats, length_px: float, rng: np.random.Generator) -> Floats:
    """A picture blurred by a movement in some direction."""
    n = int(length_px) | 1
    kernel = np.zeros((n, n), np.float32)
    kernel[n // 2] = 1
    turn = cv2.getRotationMatrix2D((n / 2 - 0.5, n / 2 - 0.5), float(rng.uniform(0, 180)), 1)
    kernel = cv2.warpAffine(kernel, turn, (n, n)).astype(np.float32)
    return cv2.filter2D(picture, -1, kernel / max(float(kernel.sum()), 1e-6)).astype(np.float32)


def still_light(picture: Floats, rng: np.random.Generator) -> Floats:
    """The light of a photograph that somebody took care of: (h, w, 3) float32 0..255 to the same."""
    h, w = picture.shape[:2]
    warmth, tint = float(rng.normal(0, 0.12)), float(rng.normal(0, 0.04))
    gains = np.array([1 - warmth, 1 + tint, 1 + warmth], np.float32)
    angle, depth = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(0, 0.5))
    ys, xs = np.arange(h, dtype=np.float32)[:, None] / h - 0.5, np.arange(w, dtype=np.float32)[None] / w - 0.5
    ramp = (xs * np.float32(np.cos(angle)) + ys * np.float32(np.sin(angle))) * depth
    out = picture * (gains * float(rng.uniform(0.6, 1.12))) * (1 + ramp)[..., None]
    gamma, contrast = float(np.exp(rng.normal(0, 0.2))), float(rng.uniform(0.8, 1.15))
    out = cv2.pow(np.clip(out, 0, 300) * np.float32(1 / 255), gamma)
    return cast(Floats, ((out - 0.5) * (255 * contrast) + 127.5).astype(np.float32))


def specks(picture: Picture, rng: np.random.Generator) -> Picture:
    """Single pixels that are black or white: a noise added to many collections of photographs."""
    out = picture.copy()
    hit = rng.random(picture.shape[:2]) < float(rng.uniform(0.002, 0.03))
    out[hit] = rng.choice(np.array([0, 255], np.uint8), int(hit.sum()))[:, None]
    return out


def sensor(picture: Floats, rng: np.random.Generator) -> Picture:
    """Saturation, shot and read noise, sharpening and grey (infrared) pictures; gives uint8."""
    out = np.clip(picture, 0, 255)
    grey = cv2.transform(out, np.full((1, 3), 1 / 3, np.float32))[..., None]
    colour = float(rng.uniform(0.55, 1.35)) if rng.random() > 0.035 else 0.0
    out = grey + (out - grey) * colour
    if rng.random() < 0.25:
        hsv_shift = float(rng.normal(0, 6))
        hsv = cv2.cvtColor(np.clip(out, 0, 255).astype(np.uint8), cv2.COLOR_BGR2HSV)
        hsv[..., 0] = (hsv[..., 0].astype(np.int16) + round(hsv_shift)) % 180
        out = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR).astype(np.float32)
    if rng.random() < 0.75:
        shot, read = float(rng.gamma(1.2, 0.25)), float(rng.gamma(1.3, 2.2))
        noise = rng.standard_normal(out.shape, np.float32) * np.sqrt(
            shot * np.clip(out, 0, 255) * 0.3 + read**2
        )
        if rng.random() < 0.4:  # the camera has smoothed its noise into grain
            noise = cv2.GaussianBlur(noise, (0, 0), float(rng.uniform(0.5, 1.1))) * 1.6
        out = out + noise
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(out.astype(np.float32), (0, 0), float(rng.uniform(0.7, 2.0)))
        out = out + (out - soft) * float(rng.uniform(0.3, 1.6))
    return cast(Picture, np.clip(out, 0, 255).astype(np.uint8))


def jpeg(picture: Picture, quality: int) -> Picture:
    """The picture after JPEG compression."""
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not ok:
        raise ValueError(f"a picture of {picture.shape} cannot be stored as JPEG")
    return cast(Picture, cv2.imdecode(data, cv2.IMREAD_COLOR))


def h264(pictures: Sequence[Picture], crf: int, preset: str = "veryfast") -> list[Picture]:
    """Pictures of one size after H.264, put side by side in a large frame that is shown for three frames.

    ``crf`` 18 (fine) to 38 (crushed); what comes back is the last frame, as a still card in a recording.
    """
    h, w = pictures[0].shape[:2]
    across = max(1, 1280 // w)
    down = -(-len(pictures) // across)
    sheet = np.zeros((down * h + (down * h) % 2, across * w + (across * w) % 2, 3), np.uint8)
    for i, picture in enumerate(pictures):
        y, x = i // across * h, i % across * w
        sheet[y : y + h, x : x + w] = picture
    buffer = io.BytesIO()
    with av.open(buffer, "w", format="mp4") as file:
        stream = cast(Any, file.add_stream("libx264", rate=10))
        stream.width, stream.height, stream.pix_fmt = sheet.shape[1], sheet.shape[0], "yuv420p"
        stream.options = {"crf": str(crf), "preset": preset, "threads": "1"}
        for k in range(3):
            frame = av.VideoFrame.from_ndarray(sheet, format="bgr24")
            frame.pts, frame.time_base = k, Fraction(1, 10)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    buffer.seek(0)
    with av.open(buffer, "r") as film:
        shown = [frame.to_ndarray(format="bgr24") for frame in film.decode(video=0)]
    last = shown[-1]
    return [
        np.ascontiguousarray(last[i // across * h : i // across * h + h, i % across * w : i % across * w + w])
        for i in range(len(pictures))
    ]
