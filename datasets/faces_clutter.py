"""What lies under, beside and upon a card: cloths, wood, chips, fingers.

Canvases are (side, side, 3) float32 BGR 0..255 and are drawn on in place.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_CLOTHS = (
    (40, 95, 20),
    (70, 120, 40),
    (110, 60, 20),
    (40, 30, 140),
    (60, 20, 90),
    (35, 35, 35),
    (90, 100, 30),
)
_SKINS = ((140, 170, 225), (110, 145, 205), (80, 115, 180), (60, 85, 140), (45, 60, 95), (165, 190, 235))
_CHIPS = (
    *((235, 235, 235), (40, 40, 200), (50, 130, 30), (30, 30, 30), (130, 40, 110), (40, 200, 230)),
    *((180, 80, 30), (60, 120, 230), (160, 160, 160), (170, 130, 240)),
)


def surface(side: int, card_px: float, rng: np.random.Generator) -> Floats:
    """A cloth, a table top or a cluttered ground: (side, side, 3) float32."""
    if rng.random() < 0.65:
        base = np.array(_CLOTHS[int(rng.integers(len(_CLOTHS)))], np.float32) * float(rng.uniform(0.5, 1.5))
        base = base + rng.normal(0, 12, 3).astype(np.float32)
    else:
        base = rng.uniform(10, 245, 3).astype(np.float32)
    canvas = np.full((side, side, 3), np.clip(base, 0, 255), np.float32)
    cells = int(rng.integers(2, 24))
    coarse = rng.normal(0, float(rng.uniform(0, 14)), (cells, cells, 1)).astype(np.float32)
    canvas += cv2.resize(coarse, (side, side), interpolation=cv2.INTER_CUBIC)[..., None]
    canvas += rng.normal(0, float(rng.uniform(0, 7)), (side, side, 1)).astype(np.float32)
    if rng.random() < 0.2:  # grain of wood or a woven stripe
        grain = rng.normal(0, float(rng.uniform(5, 25)), (side, 1, 1)).astype(np.float32)
        stripes = np.broadcast_to(grain, (side, side, 1)).astype(np.float32)
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 180)), 1.6)
        canvas += cv2.warpAffine(stripes, turn, (side, side), borderMode=cv2.BORDER_REFLECT)[..., None]
    for _ in range(int(rng.integers(0, 5))):  # printed lines, letters, edges
        a, b = (tuple(int(v) for v in rng.uniform(0, side, 2)) for _ in range(2))
        ink = tuple(float(v) for v in (rng.uniform(0, 255, 3) if rng.random() < 0.4 else (210, 225, 230)))
        thick = max(1, round(card_px * float(rng.uniform(0.01, 0.08))))
        if rng.random() < 0.7:
            cv2.line(canvas, a, b, ink, thick, cv2.LINE_AA)
        else:
            cv2.circle(
                canvas, a, max(2, round(card_px * float(rng.uniform(0.1, 0.6)))), ink, thick, cv2.LINE_AA
            )
    return np.asarray(canvas, np.float32)


def _toward(quad: Floats, depth: float, rng: np.random.Generator) -> tuple[Floats, Floats, float]:
    """A point on the far edge of what a cover of ``depth`` (share of the card) hides, and its direction.

    Returns the tip, the unit direction from outside to inside and the card's size in pixels.
    """
    middle = quad.mean(axis=0)
    angle = float(rng.uniform(0, 2 * np.pi))
    inward = np.array([np.cos(angle), np.sin(angle)], np.float32)
    reach = np.abs((quad - middle) @ inward).max()
    aside = np.array([-inward[1], inward[0]], np.float32)
    width = np.abs((quad - middle) @ aside).max()
    tip = middle - inward * reach + inward * 2 * reach * depth + aside * width * float(rng.uniform(-0.8, 0.8))
    return np.asarray(tip, np.float32), inward, float(np.linalg.norm(quad[1] - quad[2]))


def cover_with_card(quad: Floats, depth: float, rng: np.random.Generator) -> Floats:
    """Corners (4, 2) of another card that lies over about ``depth`` of this one, straight or askew."""
    edges = (quad[1] - quad[0], quad[3] - quad[0])
    along = edges[int(rng.integers(2))]
    shift = along * (1 - depth) * float(rng.choice([-1, 1]))
    across = edges[0] if along is edges[1] else edges[1]
    shift = shift + across * float(
        rng.choice([0, rng.normal(0, 0.12), rng.uniform(-0.6, 0.6)], p=[0.3, 0.4, 0.3])
    )
    turn = np.radians(float(rng.choice([rng.normal(0, 4), rng.normal(0, 25), 90], p=[0.6, 0.25, 0.15])))
    c, s = np.cos(turn), np.sin(turn)
    middle = quad.mean(axis=0)
    turned = (quad - middle) @ np.array([[c, s], [-s, c]], np.float32)
    return np.asarray(turned + middle + shift, np.float32)


def _paint(canvas: Floats, mask: NDArray[np.uint8], colour: Floats) -> Floats:
    alpha = cv2.GaussianBlur(mask, (0, 0), 0.6).astype(np.float32) / 255
    shadow = cv2.GaussianBlur(alpha, (0, 0), canvas.shape[0] * 0.02)
    canvas *= (1 - 0.4 * shadow)[..., None]
    canvas *= (1 - alpha)[..., None]
    canvas += alpha[..., None] * colour
    return np.asarray(alpha, np.float32)


def cover_with_hand(canvas: Floats, quad: Floats, depth: float, rng: np.random.Generator) -> Floats:
    """One to four fingers (sometimes with a cuff) reaching over the card; returns the alpha (side, side)."""
    side = canvas.shape[0]
    tip, inward, size = _toward(quad, depth, rng)
    aside = np.array([-inward[1], inward[0]], np.float32)
    skin = np.array(_SKINS[int(rng.integers(len(_SKINS)))], np.float32) * float(rng.uniform(0.75, 1.1))
    mask = np.zeros((side, side), np.uint8)
    thick = size * float(rng.uniform(0.13, 0.22))
    fingers = int(rng.integers(1, 5))
    for k in range(fingers):
        end = (
            tip
            + aside * thick * 1.15 * (k - (fingers - 1) / 2)
            - inward * size * float(rng.uniform(0, 0.2)) * (k > 0)
        )
        root = end - inward * size * 1.6 + aside * float(rng.normal(0, 0.1)) * size
        points = [tuple(round(float(v)) for v in p) for p in (end, root)]
        cv2.line(
            mask, points[0], points[1], 255, max(2, round(thick * float(rng.uniform(0.8, 1.1)))), cv2.LINE_AA
        )
    shade = rng.normal(0, 8, (4, 4, 1)).astype(np.float32)
    tone = cv2.resize(shade, (side, side), interpolation=cv2.INTER_CUBIC)[..., None] + skin
    alpha = _paint(canvas, mask, tone.astype(np.float32))
    if rng.random() < 0.6:  # a nail
        nail = tip + inward * thick * 0.1
        cv2.circle(
            canvas,
            tuple(round(float(v)) for v in nail),
            max(1, round(thick * 0.22)),
            tuple(float(v) for v in skin * 1.12),
            -1,
            cv2.LINE_AA,
        )
    return alpha


def cover_with_chip(canvas: Floats, quad: Floats, depth: float, rng: np.random.Generator) -> Floats:
    """A chip or a low stack that overlaps the card; returns the alpha (side, side)."""
    side = canvas.shape[0]
    tip, inward, size = _toward(quad, depth, rng)
    radius = size * 19.75 / 88 * float(rng.uniform(0.9, 1.1))
    at = tip - inward * radius
    flat = float(rng.uniform(0.5, 1.0))
    colour = np.array(_CHIPS[int(rng.integers(len(_CHIPS)))], np.float32)
    total = np.zeros((side, side), np.float32)
    for level in range(int(rng.integers(1, 5))):
        centre = (round(float(at[0])), round(float(at[1]) - level * radius * 0.16))
        axes = (max(2, round(radius)), max(2, round(radius * flat)))
        mask = np.zeros((side, side), np.uint8)
        cv2.ellipse(mask, centre, axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
        total = np.maximum(total, _paint(canvas, mask, colour * float(rng.uniform(0.85, 1.05))))
        start = float(rng.uniform(0, 60))
        spots = tuple(float(v) for v in _CHIPS[int(rng.integers(len(_CHIPS)))])
        for k in range(6):
            cv2.ellipse(
                canvas,
                centre,
                axes,
                0,
                start + 60 * k,
                start + 60 * k + 22,
                spots,
                max(1, round(radius * 0.2)),
                cv2.LINE_AA,
            )
        inner = (max(1, round(radius * 0.6)), max(1, round(radius * 0.6 * flat)))
        cv2.ellipse(
            canvas,
            centre,
            inner,
            0,
            0,
            360,
            tuple(float(v) for v in 255 - colour * 0.3),
            max(1, round(radius * 0.05)),
            cv2.LINE_AA,
        )
    return total
