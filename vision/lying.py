"""Where found cards lie on the felt: fitted to the edges of the picture, all cards of a look at once.

A box may be slanted, where a hand or a neighbour disturbs the view; cards mostly lie square to the table. So
for each card three ways of lying are tried, and the one that has edges in the picture is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.camera import Camera
from vision.edges import changing
from vision.quads import CARD_SIZE_MM, Array, refine_all
from vision.stillness import Picture

_ASTRAY_MM = 25.0
"""Edges found so far from the middle of the box are another thing's."""
_CLEAR_FIT = 0.93
"""Edges so complete need no other way of lying to be tried."""
_EDGE_LEVELS = 16.0
_MISFIT_MM = 14.0
"""A detected card whose corners lie farther from a card's on the felt is none that lies flat."""
_SQUARE_DEG = (0.0, 90.0)
_T = np.linspace(0.12, 0.88, 20)
"""Where along a card's sides an edge is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """Where cards lie. ``at_mm`` (n, 2): their middles in the layout frame; ``rot_deg`` (n,): clockwise on
    the drawing from "top to the dealer", 0 up to 180, as both ends of a card look alike; ``quad_px`` (n, 4,
    2) float32: their exact corners in the picture, clockwise from the left one of the top edge;
    ``residual_mm`` (n,): how far the detected corners lay from the card's, root of the mean square, infinite
    for what is not on the felt, of which nothing is known; ``fit`` (n,): the part of their sides along which
    the picture has an edge, a little less where corners lay off."""

    at_mm: Array
    rot_deg: Array
    quad_px: Array
    residual_mm: Array
    fit: Array

    @classmethod
    def none(cls, n: int) -> Lying:
        """Of ``n`` cards nothing is known."""
        nowhere = np.zeros((n, 4, 2), np.float32)
        return cls(np.zeros((n, 2)), np.zeros(n), nowhere, np.full(n, np.inf), np.zeros(n))

    def take(self, rows: Array, other: Lying, which: Array) -> None:
        """Put the cards ``which`` (k,) of another in the place of ``rows`` (k,)."""
        for mine, its in (
            (self.at_mm, other.at_mm),
            (self.rot_deg, other.rot_deg),
            (self.quad_px, other.quad_px),
            (self.residual_mm, other.residual_mm),
            (self.fit, other.fit),
        ):
            mine[rows] = its[which]


def lying_cards(
    image: Picture, camera: Camera, boxes_px: Array, card_size_mm: tuple[float, float] = CARD_SIZE_MM
) -> Lying:
    """Where the cards lie that a detector found: boxes (n, 4, 2). ``image``: (H, W, 3) uint8 BGR, the
    camera's picture. ``fit`` is 0 of what is no card that lies flat on the felt."""
    boxes = np.asarray(boxes_px, np.float64)
    best = Lying.none(len(boxes))
    middles = camera.felt_point(boxes.mean(axis=1))
    on_felt = np.isfinite(middles).all(axis=1)
    for way in (None, *_SQUARE_DEG):
        rows = np.flatnonzero(on_felt & (best.fit <= _CLEAR_FIT))
        starts = boxes[rows] if way is None else _square(camera, middles[rows], way, card_size_mm)
        shown = np.isfinite(starts).all(axis=(1, 2))
        rows, starts = rows[shown], starts[shown]
        if not len(rows):
            continue
        for corners in (refine_all(image, starts), starts):
            tried = fit_cards(image, camera, corners, card_size_mm)
            off = np.hypot(*(tried.at_mm - middles[rows]).T) > _ASTRAY_MM
            better = (tried.residual_mm <= _MISFIT_MM) & ~off & (tried.fit > best.fit[rows])
            best.take(rows[better], tried, np.flatnonzero(better))
    return best


def fit_cards(
    image: Picture,
    camera: Camera,
    quads_px: Array,
    card_size_mm: tuple[float, float] = CARD_SIZE_MM,
    height_mm: float = 0.3,
) -> Lying:
    """The cards of exact size on the felt that fit detected corners (n, 4, 2) best, in their order.

    ``height_mm``: their upper sides' height over the felt.
    """
    result = Lying.none(len(quads_px))
    quads = np.asarray(quads_px, np.float64).reshape(-1, 2)
    felt = camera.felt_point(quads, height_mm).reshape(-1, 4, 2)
    seen = np.flatnonzero(np.isfinite(felt).all(axis=(1, 2)))
    if not len(seen):
        return result
    felt = felt[seen]
    width, height = card_size_mm
    shape = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    centre = felt.mean(axis=1)
    # The felt's axes run clockwise as the picture's do, so corners correspond by turning the list only.
    corners = np.stack([np.roll(felt, -shift, axis=1) for shift in range(4)], axis=1) - centre[:, None, None]
    cosine = (shape * corners).sum(axis=(2, 3))
    sine = (shape[:, 0] * corners[..., 1] - shape[:, 1] * corners[..., 0]).sum(axis=2)
    angle = np.arctan2(sine, cosine)
    c, s = np.cos(angle), np.sin(angle)
    placed = shape @ np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=-2)
    residual = np.sqrt(((placed - corners) ** 2).sum(axis=3).mean(axis=2))
    rows = np.arange(len(seen))
    best = np.zeros(len(seen), int)
    for shift in range(1, 4):  # halfway round is as good but for rounding: then the first is taken
        best[residual[:, shift] < residual[rows, best] - 1e-9] = shift
    degrees = np.degrees(angle[rows, best]) % 360
    placed = placed[rows, best]
    over = degrees >= 180
    degrees[over] -= 180
    placed[over] = np.roll(placed[over], 2, axis=1)
    points = np.concatenate([placed + centre[:, None], np.full((len(seen), 4, 1), height_mm)], axis=2)
    exact = camera.project(points.reshape(-1, 3)).reshape(-1, 4, 2).astype(np.float32)
    off = residual[rows, best]
    result.take(seen, Lying(centre, degrees, exact, off, edge_support(image, exact) - 0.01 * off), rows)
    return result


def edge_support(image: Picture, quads_px: Array) -> Array:
    """(n,): the part of each quadrilateral's (n, 4, 2) sides along which the picture changes from inside to
    outside."""
    quads = np.asarray(quads_px, np.float64)
    sides = np.roll(quads, -1, axis=1) - quads
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    shortest = lengths.min(axis=1)
    step = np.maximum(1.5, 0.04 * shortest)[:, None, None]
    along = quads[:, :, None] + _T[:, None] * sides[:, :, None]
    out = np.stack([sides[..., 1], -sides[..., 0]], axis=-1) / np.maximum(lengths, 1e-6)[..., None]
    inward = (out * (quads.mean(axis=1, keepdims=True) - quads)).sum(axis=(1, 2)) > 0
    out = (step * np.where(inward[:, None, None], -out, out))[:, :, None]
    inner, outer = ((along + way * out).reshape(len(quads), -1, 2) for way in (-1, 1))
    support = np.zeros(len(quads))
    for row in np.flatnonzero(shortest >= 6):
        support[row] = changing(image, inner[row], outer[row], _EDGE_LEVELS)
    return support


def _square(camera: Camera, middles_mm: Array, angle_deg: float, card_size_mm: tuple[float, float]) -> Array:
    """(n, 4, 2): the corners in the picture of cards at places (n, 2), turned by an angle, clockwise."""
    angle = np.deg2rad(angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    half = np.array(card_size_mm) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return camera.project((corners @ turn.T + middles_mm[:, None]).reshape(-1, 2)).reshape(-1, 4, 2)
