"""The painting surface: the canvas with its object ids and depths, and enlarged patches laid onto it."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.synth.raster import Array
from datasets.synth.view import View

_LONGEST_PX = 2400


class Canvas:
    """A view's picture in the making.

    ``bgr`` uint8 (h, w, 3); ``ids`` int16 (h, w), 0 = no object; ``depth`` float32 (h, w), millimetres along
    the view of what stands or floats there, infinite for what is flat. ``area`` has, per object id, its full
    number of canvas pixels, hidden and outside ones included. ``touched``: the box painted since it was None.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.bgr: Array = np.zeros((view.height, view.width, 3), np.uint8)
        self.ids: Array = np.zeros((view.height, view.width), np.int16)
        self.depth: Array = np.full((view.height, view.width), np.inf, np.float32)
        self.area: dict[int, float] = {}
        self.touched: tuple[int, int, int, int] | None = None

    def lay(
        self,
        layer: Array,
        corner: tuple[int, int],
        obj: int,
        depth: Array | float | None = None,
        marks: Array | None = None,
    ) -> None:
        """Composite a premultiplied BGRA uint8 layer with its top-left at ``corner`` (canvas pixels).

        ``depth``: millimetres, a number or (h, w); the layer then hides behind what is nearer.
        ``marks``: object id per pixel instead of ``obj``.
        """
        x0, y0 = corner
        h, w = layer.shape[:2]
        cx0, cy0 = max(0, x0), max(0, y0)
        cx1, cy1 = min(self.bgr.shape[1], x0 + w), min(self.bgr.shape[0], y0 + h)
        if cx1 <= cx0 or cy1 <= cy0:
            return
        self._touch((cx0, cy0, cx1, cy1))
        inner = (slice(cy0 - y0, cy1 - y0), slice(cx0 - x0, cx1 - x0))
        outer = (slice(cy0, cy1), slice(cx0, cx1))
        part = layer[inner]
        alpha = part[:, :, 3]
        near = None if depth is None else depth if isinstance(depth, float) else depth[inner]
        if near is not None:
            shown = near <= self.depth[outer] + 1.0
            if not shown.all():
                part = part * shown[:, :, None].astype(np.uint8)
                alpha = part[:, :, 3]
        keep = cv2.bitwise_not(alpha)
        under = cv2.multiply(self.bgr[outer], cv2.merge([keep, keep, keep]), scale=1 / 255)
        self.bgr[outer] = cv2.add(under, np.ascontiguousarray(part[:, :, :3]))
        solid = alpha > 127
        target = self.ids[outer]
        if marks is None:
            target[solid] = obj
        else:
            target[solid] = marks[inner][solid]
        if near is not None:
            levels = self.depth[outer]
            levels[solid] = near if isinstance(near, float) else near[solid]

    def _touch(self, box: tuple[int, int, int, int]) -> None:
        old = self.touched
        self.touched = box if old is None else joined(old, box)

    def darken(self, mask: Array, corner: tuple[int, int], strength: float) -> None:
        """Multiply the canvas by 1 - strength x mask; mask uint8 (h, w) with its top-left at ``corner``."""
        x0, y0 = corner
        h, w = mask.shape
        cx0, cy0 = max(0, x0), max(0, y0)
        cx1, cy1 = min(self.bgr.shape[1], x0 + w), min(self.bgr.shape[0], y0 + h)
        if cx1 <= cx0 or cy1 <= cy0:
            return
        self._touch((cx0, cy0, cx1, cy1))
        part = mask[cy0 - y0 : cy1 - y0, cx0 - x0 : cx1 - x0]
        keep = cv2.convertScaleAbs(part, alpha=-strength, beta=255.0)
        view = self.bgr[cy0:cy1, cx0:cx1]
        view[:] = cv2.multiply(view, cv2.merge([keep, keep, keep]), scale=1 / 255)


def joined(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """The box round two boxes (x0, y0, x1, y1)."""
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


class Patch:
    """A premultiplied BGRA picture of one object, ``zoom`` times the canvas's scale."""

    def __init__(self, outline_px: Array, zoom: float) -> None:
        """``outline_px``: canvas points (n, 2) that the object stays within."""
        low, high = np.floor(outline_px.min(axis=0)) - 2, np.ceil(outline_px.max(axis=0)) + 2
        self.corner = (int(low[0]), int(low[1]))
        self.size = (max(1, int(high[0] - low[0])), max(1, int(high[1] - low[1])))
        self.zoom = min(zoom, _LONGEST_PX / max(self.size))
        self.bgra: Array = np.zeros(
            (max(1, round(self.size[1] * self.zoom)), max(1, round(self.size[0] * self.zoom)), 4), np.uint8
        )

    def points(self, canvas_px: Array) -> Array:
        """Canvas points in this patch's pixels."""
        return np.asarray((canvas_px - np.asarray(self.corner)) * self.zoom)

    def warp(self, texture: Array, to_canvas: Array, gain: float = 1.0) -> None:
        """Lay a premultiplied BGRA texture by a homography from its pixels to the canvas (centres at 0.5)."""
        shift = np.array([[1, 0, -self.corner[0]], [0, 1, -self.corner[1]], [0, 0, 1.0]])
        zoom = np.diag([self.zoom, self.zoom, 1.0])
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
        matrix = np.linalg.inv(half) @ zoom @ shift @ to_canvas @ half
        low, high = self._reach(texture, matrix)
        if high[0] <= low[0] or high[1] <= low[1]:
            return
        matrix = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ matrix
        over = cv2.warpPerspective(
            texture, matrix, (high[0] - low[0], high[1] - low[1]), flags=cv2.INTER_LINEAR
        )
        if gain != 1.0:
            over = cv2.multiply(over, np.array([gain, gain, gain, 1.0]))
        part = self.bgra[low[1] : high[1], low[0] : high[0]]
        keep = cv2.bitwise_not(over[:, :, 3])
        under = cv2.multiply(part, cv2.merge([keep, keep, keep, keep]), scale=1 / 255)
        part[:] = cv2.add(under, over)

    def _reach(self, texture: Array, matrix: Array) -> tuple[tuple[int, int], tuple[int, int]]:
        """The part of the patch (low and high corners) that a texture falls on."""
        h, w = texture.shape[:2]
        corners = np.array([(0, 0, 1.0), (w, 0, 1.0), (w, h, 1.0), (0, h, 1.0)]) @ matrix.T
        points = corners[:, :2] / corners[:, 2:]
        low, high = np.floor(points.min(axis=0)) - 2, np.ceil(points.max(axis=0)) + 2
        rows, columns = self.bgra.shape[:2]
        return (max(0, int(low[0])), max(0, int(low[1]))), (
            min(columns, int(high[0])),
            min(rows, int(high[1])),
        )

    def reduced(self) -> Array:
        """The patch at the canvas's scale, premultiplied BGRA."""
        if self.zoom == 1.0:
            return self.bgra
        way = cv2.INTER_AREA if self.zoom > 1 else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(self.bgra, self.size, interpolation=way))


def premultiplied(bgra: Array) -> Array:
    """A BGRA uint8 picture with its colours multiplied by its alpha."""
    out = bgra.copy()
    out[:, :, :3] = (bgra[:, :, :3].astype(np.uint16) * bgra[:, :, 3:].astype(np.uint16) + 127) // 255
    return out
