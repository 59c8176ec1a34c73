"""The printed lines of a felt as one camera shows them: points along them, and the picture across them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import LineString, MultiLineString

from vision.camera import Camera, Floats
from vision.layout import Layout

Luma = NDArray[np.uint8]
"""(H, W) brightness."""
Profiles = NDArray[np.float32]
"""(n, m): the picture at m steps across each of n points."""

_SPACING_PX = 5.0
_CORNER_PX = 3.0
"""Nearer to a corner the other side disturbs."""
_STRAIGHT = 0.94
"""Cosine of the bend at a corner: less is part of a curve."""
_MARGIN_PX = 3.0
_MOST = 480


@dataclass(frozen=True, slots=True, eq=False)
class PrintedLines:
    """Points along the printed lines, struct of arrays. ``at_mm`` (n, 2); ``across_mm`` (n, 2): unit normals
    on the felt; ``px`` (n, 2), ``across_px`` (n, 2): the same in the picture, unit; ``px_per_mm`` (n,): by
    how many pixels the line moves across itself for a millimetre on the felt; ``path`` (n,): which line."""

    at_mm: Floats
    across_mm: Floats
    px: Floats
    across_px: Floats
    px_per_mm: Floats
    path: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.px)

    @classmethod
    def of(cls, layout: Layout, camera: Camera, spacing_px: float = _SPACING_PX, most: int = _MOST) -> Self:
        """Every point in view, spread evenly along the lines in the picture, ``most`` at the most."""
        at: list[Floats] = []
        along: list[Floats] = []
        path: list[int] = []
        for number, chain in enumerate(_rings(layout)):
            points, ways = _spread(chain, camera, spacing_px)
            at.append(points)
            along.append(ways)
            path += [number] * len(points)
        at_mm = np.concatenate([np.zeros((0, 2)), *at])
        along_mm = np.concatenate([np.zeros((0, 2)), *along])
        across_mm = np.stack([-along_mm[:, 1], along_mm[:, 0]], axis=1)
        slopes = camera.felt_slopes(at_mm) if len(at_mm) else np.zeros((0, 2, 2))
        along_px = np.einsum("nij,nj->ni", slopes, along_mm)
        length = np.hypot(*along_px.T)
        across_px = np.stack([-along_px[:, 1], along_px[:, 0]], axis=1) / np.maximum(length, 1e-9)[:, None]
        moved = np.einsum("ni,nij,nj->n", across_px, slopes, across_mm)
        whole = cls(
            at_mm,
            np.where(moved[:, None] < 0, -across_mm, across_mm),
            camera.project(at_mm),
            across_px,
            np.abs(moved),
            np.array(path, np.int64),
        )
        good = camera.in_view(at_mm, _MARGIN_PX) & np.isfinite(across_px).all(axis=1) & (length > 1e-3)
        kept = np.flatnonzero(good)
        if len(kept) > most:
            kept = kept[np.linspace(0, len(kept) - 1, most).round().astype(int)]
        return whole.only(kept)

    def only(self, which: NDArray[np.int64] | NDArray[np.bool_]) -> Self:
        """Some of the points."""
        return type(self)(
            self.at_mm[which],
            self.across_mm[which],
            self.px[which],
            self.across_px[which],
            self.px_per_mm[which],
            self.path[which],
        )


def _rings(layout: Layout) -> list[Floats]:
    """The lines that the drawing shows as chains of points (n, 2), mm."""
    rings: list[LineString | MultiLineString] = [
        LineString(ring.coords)
        for zone in layout.zones
        if not zone.hidden
        for ring in (zone.polygon.exterior, *zone.polygon.interiors)
    ]
    rings += [line.path for line in layout.lines if not line.id.endswith(":outline")]
    pieces = [piece for ring in rings for piece in ([ring] if isinstance(ring, LineString) else ring.geoms)]
    return [np.asarray(piece.coords, np.float64)[:, :2] for piece in pieces]


def _spread(chain: Floats, camera: Camera, spacing_px: float) -> tuple[Floats, Floats]:
    """Points (n, 2) along a chain, mm, so many pixels apart and off its corners, and its directions there."""
    ways = np.diff(chain, axis=0)
    lengths = np.hypot(*ways.T)
    kept = lengths > 1e-6
    starts, ways, lengths = chain[:-1][kept], ways[kept] / lengths[kept, None], lengths[kept]
    scale = camera.px_per_mm(chain)
    scale = scale[np.isfinite(scale)]
    if not len(lengths) or not len(scale):
        return np.zeros((0, 2)), np.zeros((0, 2))
    ends = np.cumsum(lengths)
    px_per_mm = max(1e-3, float(np.median(scale)))
    count = max(1, int(ends[-1] * px_per_mm / spacing_px))
    along = (np.arange(count) + 0.5) / count * ends[-1]
    piece = np.searchsorted(ends, along).clip(0, len(ends) - 1)
    bend = np.einsum("ij,ij->i", ways, np.roll(ways, 1, axis=0)) < _STRAIGHT
    corners = np.concatenate([(ends - lengths)[bend], [ends[-1]]])
    clear = np.abs(along[:, None] - corners).min(axis=1) * px_per_mm > _CORNER_PX
    piece, along = piece[clear], along[clear]
    return starts[piece] + (along - (ends - lengths)[piece])[:, None] * ways[piece], ways[piece]


def across(picture: Luma, px: Floats, across_px: Floats, steps_px: Floats) -> Profiles:
    """(n, m): the picture at ``steps_px`` (m,), or (n, m), across each point (n, 2); the edge's value beyond
    the edge."""
    points = px[:, None, :] + np.atleast_2d(steps_px)[..., None] * across_px[:, None, :] - 0.5
    points = np.nan_to_num(points, nan=-1e4).clip(-2.0, 30000.0).astype(np.float32)
    seen = cv2.remap(
        picture,
        np.ascontiguousarray(points[..., 0]),
        np.ascontiguousarray(points[..., 1]),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(seen, np.float32)
