"""What the renderer knows of a camera: exact projection of planes to an enlarged picture without distortion.

Everything is painted on a *canvas*: the pinhole picture, ``SCALE`` times as large, a little wider than the
final one. ``develop`` takes it through the lens and down to the camera's pixels.
"""

from __future__ import annotations

import cv2
import numpy as np

from datasets.synth.raster import Array
from vision.camera import Camera, undistorted_radius

SCALE = 2
"""Canvas pixels per camera pixel, along each axis."""
_CELL = 16


Box = tuple[int, int, int, int]


class View:
    """A camera's canvas. ``width``, ``height`` are the canvas's size in its own pixels."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self._maps: tuple[Array, Array] | None = None
        self.rotation = np.asarray(camera.rotation, np.float64)
        self.translation = np.asarray(camera.translation_mm, np.float64).reshape(3)
        k = np.asarray(camera.matrix, np.float64)
        self._nodes = self._lens_nodes()
        inner = self._nodes[1:-1, 1:-1].reshape(-1, 2)
        low, high = np.floor(inner.min(axis=0) - 2), np.ceil(inner.max(axis=0) + 2)
        self.origin = low
        self.matrix = np.array([[SCALE, 0, -low[0]], [0, SCALE, -low[1]], [0, 0, 1.0]]) @ k
        self.width, self.height = int(high[0] - low[0]), int(high[1] - low[1])
        self.eye_mm = -self.rotation.T @ self.translation

    def _lens_nodes(self) -> Array:
        """Canvas positions (before the shift to the origin) of the middles of cells laid over the picture.

        Two cells stand over on each side, so that the map can be enlarged smoothly up to the edges.
        """
        x = (np.arange(-2, -(-self.camera.width_px // _CELL) + 2) + 0.5) * _CELL
        y = (np.arange(-2, -(-self.camera.height_px // _CELL) + 2) + 0.5) * _CELL
        return self._before_lens(np.stack(np.meshgrid(x, y), axis=-1))

    def _before_lens(self, picture_px: Array) -> Array:
        """Camera pixels (..., 2) to canvas pixels before the shift to the origin."""
        k = np.asarray(self.camera.matrix, np.float64)
        plane = (picture_px - k[:2, 2]) / k[[0, 1], [0, 1]]
        radius = np.maximum(np.linalg.norm(plane, axis=-1), 1e-9)
        plane = plane * (undistorted_radius(radius, self.camera.k1, self.camera.k2) / radius)[..., None]
        return np.asarray((plane * k[[0, 1], [0, 1]] + k[:2, 2]) * SCALE)

    @property
    def straight(self) -> bool:
        """Whether the lens bends nothing, so that the canvas only has to be reduced."""
        return bool(self.camera.k1 == 0 and self.camera.k2 == 0)

    def to_camera(self, points_mm: Array) -> Array:
        """Layout points (n, 3) in the camera's axes (n, 3), millimetres, z along the view."""
        return np.asarray(points_mm, np.float64) @ self.rotation.T + self.translation

    def project(self, points_mm: Array) -> Array:
        """Layout points (n, 3) to canvas pixels (n, 2)."""
        image = self.to_camera(points_mm) @ self.matrix.T
        return np.asarray(image[:, :2] / np.maximum(image[:, 2:], 1e-6))

    def plane(self, origin_mm: Array, u: Array, v: Array) -> Array:
        """Homography (3, 3) from plane coordinates (a, b), the point origin + a u + b v, to canvas pixels."""
        columns = np.stack(
            [self.rotation @ u, self.rotation @ v, self.rotation @ origin_mm + self.translation], axis=1
        )
        return np.asarray(self.matrix @ columns)

    def px_per_mm(self, point_mm: Array) -> float:
        """Canvas pixels per millimetre across the view at a point."""
        depth = float(self.to_camera(np.asarray(point_mm, np.float64)[None])[0, 2])
        return float(self.matrix[0, 0]) / max(depth, 1.0)

    def frame_mask(self) -> Array:
        """The canvas pixels that the camera's picture shows, bool (height, width)."""
        w, h = self.camera.width_px, self.camera.height_px
        side = np.linspace(0, 1, 33)[:-1]
        border = np.concatenate(
            [
                np.stack([side * w, 0 * side], axis=1),
                np.stack([w + 0 * side, side * h], axis=1),
                np.stack([w - side * w, h + 0 * side], axis=1),
                np.stack([0 * side, h - side * h], axis=1),
            ]
        )
        points = self._before_lens(border) - self.origin
        mask = np.zeros((self.height, self.width), np.uint8)
        cv2.fillPoly(mask, [np.round((points - 0.5) * 16).astype(np.int32)], 1, cv2.LINE_8, 4)
        return mask.astype(bool)

    def develop(self, canvas: Array, linear: bool = True) -> Array:
        """The camera's picture (height_px, width_px[, 3]); ``linear=False`` takes the nearest pixel."""
        w, h = self.camera.width_px, self.camera.height_px
        way = cv2.INTER_LINEAR if linear else cv2.INTER_NEAREST
        if self.straight:
            x, y = round(-self.origin[0]), round(-self.origin[1])
            flat = canvas[y : y + h * SCALE, x : x + w * SCALE]
        else:
            flat = cv2.remap(
                canvas, *self._lens_map(linear), interpolation=way, borderMode=cv2.BORDER_REPLICATE
            )
        if linear:
            return np.asarray(cv2.resize(flat, (w, h), interpolation=cv2.INTER_AREA))
        return np.asarray(flat[SCALE // 2 :: SCALE, SCALE // 2 :: SCALE] if self.straight else flat)

    def develop_part(self, canvas: Array, part: Box, image: Array) -> Box | None:
        """Renew in ``image`` what the canvas box (x0, y0, x1, y1) shows; the box renewed, or None."""
        w, h = self.camera.width_px, self.camera.height_px
        corners = np.array([(x, y) for x in part[0::2] for y in part[1::2]], np.float64)
        if self.straight:
            corners += self.origin
            box = _bounds(corners / SCALE, w, h, 1)
        else:
            box = self._shown_box(part)
        if box is None:
            return None
        x0, y0, x1, y1 = box
        size = (x1 - x0, y1 - y0)
        if self.straight:
            ox, oy = round(-self.origin[0]), round(-self.origin[1])
            flat = canvas[oy + y0 * SCALE : oy + y1 * SCALE, ox + x0 * SCALE : ox + x1 * SCALE]
        else:
            if self._maps is None:
                self._maps = self._lens_map(True)
            rows, columns = slice(y0 * SCALE, y1 * SCALE), slice(x0 * SCALE, x1 * SCALE)
            maps = (self._maps[0][rows, columns], self._maps[1][rows, columns])
            flat = cv2.remap(canvas, *maps, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        image[y0:y1, x0:x1] = cv2.resize(flat, size, interpolation=cv2.INTER_AREA)
        return box

    def _shown_box(self, part: Box) -> Box | None:
        """The camera's box round a canvas box, through the lens."""
        side = np.linspace(0, 1, 9)
        x = part[0] + (part[2] - part[0]) * side
        y = part[1] + (part[3] - part[1]) * side
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2) + self.origin
        k = np.asarray(self.camera.matrix, np.float64)
        plane = (grid / SCALE - k[:2, 2]) / k[[0, 1], [0, 1]]
        r2 = (plane**2).sum(axis=1, keepdims=True)
        bent = plane * (1 + self.camera.k1 * r2 + self.camera.k2 * r2 * r2)
        return _bounds(bent * k[[0, 1], [0, 1]] + k[:2, 2], self.camera.width_px, self.camera.height_px, 3)

    def _lens_map(self, linear: bool) -> tuple[Array, Array]:
        scale = SCALE if linear else 1
        w, h = self.camera.width_px * scale, self.camera.height_px * scale
        nodes = (self._nodes - self.origin - 0.5).astype(np.float32)
        cell = _CELL * scale
        size = (nodes.shape[1] * cell, nodes.shape[0] * cell)
        maps = cv2.resize(nodes, size, interpolation=cv2.INTER_LINEAR)[
            2 * cell : 2 * cell + h, 2 * cell : 2 * cell + w
        ]
        return np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])


def _bounds(points: Array, w: int, h: int, margin: int) -> Box | None:
    low, high = np.floor(points.min(axis=0)) - margin, np.ceil(points.max(axis=0)) + margin
    x0, y0, x1, y1 = max(0, int(low[0])), max(0, int(low[1])), min(w, int(high[0])), min(h, int(high[1]))
    return (x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None
