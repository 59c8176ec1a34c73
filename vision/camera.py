"""The camera: an exact model of where a point of the table appears in the picture, and back.

The layout frame is millimetres, x to the right and y from the dealer's edge to the players on the drawing, z
up from the felt. It is left-handed, so a camera's rotation has determinant -1. Pixels are counted from the
top left corner of the picture; a pixel's centre lies at +0.5. The lens is radial:

    x_cam = R [x, y, z] + t;  u = X/Z, v = Y/Z;  r2 = u2 + v2
    (u, v) *= 1 + k1 r2 + k2 r2^2;  px = K [u, v, 1]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
"""An array of float64; the shape is said where it is used."""


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """One calibrated camera.

    ``matrix`` (3, 3): focal lengths and principal point, pixels. ``rotation`` (3, 3), determinant -1, and
    ``translation_mm`` (3,): the layout frame to the camera's axes (x right, y down, z along the view).
    ``k1``, ``k2``: the lens. ``width_px``, ``height_px``: the picture. Raises ValueError for other shapes or
    a rotation that is none.
    """

    matrix: Floats
    rotation: Floats
    translation_mm: Floats
    k1: float
    k2: float
    width_px: int
    height_px: int

    def __post_init__(self) -> None:
        for name, shape in (("matrix", (3, 3)), ("rotation", (3, 3)), ("translation_mm", (3,))):
            value = np.array(getattr(self, name), np.float64)
            if value.shape != shape or not np.isfinite(value).all():
                raise ValueError(f"camera {name} must be finite numbers of shape {shape}, not {value.shape}")
            value.setflags(write=False)
            object.__setattr__(self, name, value)
        if not np.allclose(self.rotation @ self.rotation.T, np.eye(3), atol=1e-6):
            raise ValueError("camera rotation is not a rotation: its rows are not orthonormal")
        if np.linalg.det(self.rotation) > 0:
            raise ValueError(
                "camera rotation has determinant +1; the layout frame is left-handed, so it is -1"
            )

    @classmethod
    def looking_at(
        cls,
        target_mm: tuple[float, float],
        *,
        distance_mm: float,
        tilt_deg: float,
        azimuth_deg: float = 0.0,
        roll_deg: float = 0.0,
        focal_px: float,
        size_px: tuple[int, int],
        k1: float = 0.0,
        k2: float = 0.0,
    ) -> Camera:
        """A camera that looks at a point of the felt. ``tilt_deg``: 0 = straight down, 90 = along the felt;
        ``azimuth_deg``: 0 = from the players' side, 90 = from large x; ``roll_deg``: turns the picture."""
        tilt, azimuth, roll = (math.radians(a) for a in (tilt_deg, azimuth_deg, roll_deg))
        away = np.array(
            [
                math.sin(tilt) * math.sin(azimuth),
                math.sin(tilt) * math.cos(azimuth),
                math.cos(tilt),
            ]
        )
        right = np.array([math.cos(azimuth), -math.sin(azimuth), 0.0])
        forward = -away
        down = np.cross(right, forward)  # left-handed frame: this is the mirrored product
        rotation = np.stack([right, down, forward])
        turn = np.array(
            [[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1.0]]
        )
        rotation = turn @ rotation
        centre = np.array([*target_mm, 0.0]) + distance_mm * away
        matrix = np.array([[focal_px, 0, size_px[0] / 2], [0, focal_px, size_px[1] / 2], [0, 0, 1.0]])
        return cls(matrix, rotation, -rotation @ centre, k1, k2, *size_px)

    @property
    def centre_mm(self) -> Floats:
        """(3,): where the camera hangs, in the layout frame."""
        return np.asarray(-self.rotation.T @ self.translation_mm)

    @property
    def tilt_deg(self) -> float:
        """Angle between the view and straight down."""
        return math.degrees(math.acos(max(-1.0, min(1.0, -float(self.rotation[2, 2])))))

    def project(self, points_mm: ArrayLike) -> Floats:
        """Layout points (n, 3), or (n, 2) on the felt, to pixels (n, 2).

        NaN for what the lens cannot show: behind the camera, or past the radius where the lens polynomial
        folds back.
        """
        points = np.asarray(points_mm, np.float64)
        if points.ndim != 2 or points.shape[1] not in (2, 3):
            raise ValueError(f"points must have shape (n, 3) or (n, 2), not {points.shape}")
        return self._in_picture(
            *(self.rotation[:, : points.shape[1]] @ points.T + self.translation_mm[:, None])
        )

    def project_levels(self, ring_mm: ArrayLike, levels_mm: ArrayLike) -> Floats:
        """The points over each of (n, 2) places on the felt at each of (m,) heights, to pixels (m * n, 2),
        height by height: what :meth:`project` gives, in much less time."""
        ring, levels = np.asarray(ring_mm, np.float64), np.asarray(levels_mm, np.float64)
        around = self.rotation[:, :2] @ ring.T + self.translation_mm[:, None]
        seen = around[:, None] + self.rotation[:, 2, None, None] * levels[:, None]
        return self._in_picture(*seen.reshape(3, -1))

    def _in_picture(self, x: Floats, y: Floats, z: Floats) -> Floats:
        """Points in the camera's axes, each coordinate (n,), to pixels (n, 2)."""
        depth = np.where(z > 1e-6, z, np.nan)
        return self._through_lens(x / depth, y / depth)

    def _through_lens(self, u: Floats, v: Floats) -> Floats:
        """View directions, each coordinate (n,), to pixels (n, 2)."""
        (fx, skew, cx), (shear, fy, cy) = self.matrix[:2].tolist()
        if self.k1 or self.k2:
            r2 = u * u + v * v
            factor = 1 + r2 * (self.k1 + self.k2 * r2)
            factor[r2 > _fold(self.k1, self.k2) ** 2] = np.nan
            u, v = u * factor, v * factor
        px = np.empty(
            (2, len(u))
        )  # coordinates lie together: along the short axis all takes many times as long
        px[0] = fx * u + cx
        px[1] = fy * v + cy
        if skew or shear:
            px += np.stack([skew * v, shear * u])
        return px.T

    def shown(self, rays: ArrayLike) -> Floats:
        """View directions (n, 2), X/Z and Y/Z in the camera's axes, to pixels (n, 2); NaN for what the lens
        cannot show."""
        return self._through_lens(*np.asarray(rays, np.float64).T)

    def rays(self, points_px: ArrayLike) -> Floats:
        """Pixels (n, 2) to undistorted view directions (n, 2): X/Z and Y/Z in the camera's axes, or NaN."""
        points = np.asarray(points_px, np.float64)
        if points.ndim != 2 or points.shape[1] != 2:
            raise ValueError(f"pixels must have shape (n, 2), not {points.shape}")
        (fx, skew, cx), (shear, fy, cy) = self.matrix[:2].tolist()
        x, y = points[:, 0] - cx, points[:, 1] - cy
        plane = np.stack([fy * x - skew * y, fx * y - shear * x]) / (fx * fy - skew * shear)
        if self.k1 or self.k2:
            radius = np.hypot(*plane)
            straight = undistorted_radius(radius, self.k1, self.k2)
            plane *= np.divide(straight, radius, out=np.ones_like(radius), where=radius > 0)
        return np.asarray(plane.T)

    def felt_point(self, points_px: ArrayLike, height_mm: float = 0.0) -> Floats:
        """Pixels (n, 2) to the layout point (n, 2), mm, seen there at a height above the felt; NaN for pixels
        that look past the felt (at or above the horizon)."""
        directions = self.rotation[:2].T @ self.rays(points_px).T + self.rotation[2][:, None]
        centre = self.centre_mm
        drop = directions[2]
        down = np.where(drop * (height_mm - centre[2]) > 1e-9, drop, np.nan)
        reach = (height_mm - centre[2]) / down
        return np.asarray((centre[:2, None] + directions[:2] * reach).T)

    def px_per_mm(self, xy_mm: ArrayLike) -> Floats:
        """Pixels per millimetre of felt at (n, 2) points: (n,), the root of a square millimetre's area."""
        jacobian = self.felt_slopes(xy_mm)
        return np.asarray(np.sqrt(np.abs(np.linalg.det(jacobian))))

    def felt_slopes(self, at_mm: ArrayLike) -> Floats:
        """(n, 2, 2): change of the pixel (rows) with the felt's x and y (columns), per mm, at (n, 2)."""
        xy_mm = np.asarray(at_mm, np.float64)
        step = np.array([[0.5, 0.0], [0.0, 0.5]])
        columns = [self.project(xy_mm + s) - self.project(xy_mm - s) for s in step]
        return np.stack(columns, axis=-1)

    def chip_thickness_px(self, xy_mm: ArrayLike, thickness_mm: float) -> Floats:
        """How thick one chip lying at (n, 2) felt points looks: (n,) pixels from its foot to its top.

        Straight below the camera it is 0: there a stack's chips cannot be counted.
        """
        return np.asarray(np.linalg.norm(self._rise(xy_mm, thickness_mm), axis=1))

    def up_px(self, xy_mm: ArrayLike) -> Floats:
        """(n, 2) unit vectors: the way a thing grows in the picture as it rises from the felt at (n, 2)
        points; (0, 0) where the camera looks straight down at it."""
        rise = self._rise(xy_mm, 1.0)
        length = np.linalg.norm(rise, axis=1, keepdims=True)
        return np.asarray(np.divide(rise, length, out=np.zeros_like(rise), where=length > 1e-9))

    def _rise(self, xy_mm: ArrayLike, height_mm: float) -> Floats:
        foot = np.asarray(xy_mm, np.float64)
        top = np.concatenate([foot, np.full((len(foot), 1), height_mm)], axis=1)
        return np.asarray(self.project(top) - self.project(foot))

    def felt_homography(self) -> Floats:
        """(3, 3): felt millimetres [x, y, 1] to pixels. Exact for a straight lens only (k1 = k2 = 0)."""
        columns = np.stack([self.rotation[:, 0], self.rotation[:, 1], self.translation_mm], axis=1)
        homography = self.matrix @ columns
        return np.asarray(homography / homography[2, 2])

    def in_view(self, points_mm: ArrayLike, margin_px: float = 0.0) -> NDArray[np.bool_]:
        """(n,): whether each layout point (n, 3) or (n, 2) is in the picture, ``margin_px`` off its edge."""
        px = np.nan_to_num(self.project(points_mm), nan=-1e9)
        size = np.array([self.width_px, self.height_px])
        return np.asarray(((px >= margin_px) & (px <= size - margin_px)).all(axis=1))

    def rectified_map(
        self, region_mm: tuple[float, float, float, float], px_per_mm: float, height_mm: float = 0.0
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Maps for ``cv2.remap`` that give the view of a region from straight above.

        ``region_mm``: x0, y0, x1, y1; the result has (x1-x0) * px_per_mm columns and (y1-y0) * px_per_mm rows
        (rounded), x to the right and y down as on the drawing. ``height_mm``: the plane looked at. What the
        camera does not see maps to -1, outside the picture.
        """
        x0, y0, x1, y1 = region_mm
        columns, rows = max(1, round((x1 - x0) * px_per_mm)), max(1, round((y1 - y0) * px_per_mm))
        xs = x0 + (np.arange(columns) + 0.5) / px_per_mm
        ys = y0 + (np.arange(rows) + 0.5) / px_per_mm
        grid = np.stack([*np.meshgrid(xs, ys), np.full((rows, columns), height_mm)], axis=-1)
        px = self.project(grid.reshape(-1, 3)) - 0.5  # cv2 counts from the middle of the first pixel
        maps = np.nan_to_num(px, nan=-1.0).clip(-1.0, 32000.0).astype(np.float32).reshape(rows, columns, 2)
        return np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])

    def resized(self, width_px: int, height_px: int) -> Camera:
        """The same camera with its picture scaled to another size."""
        scale = np.diag([width_px / self.width_px, height_px / self.height_px, 1.0])
        return Camera(
            scale @ self.matrix, self.rotation, self.translation_mm, self.k1, self.k2, width_px, height_px
        )


_WIDEST = 50.0
"""A lens with distortion shows nothing past this radius (X/Z units): 89 degrees off its axis."""


@lru_cache(maxsize=256)
def _fold(k1: float, k2: float) -> float:
    """The radius (X/Z units) up to which the lens polynomial grows; infinite for a straight lens."""
    if k1 == 0 and k2 == 0:
        return math.inf
    spread = 9 * k1 * k1 - 20 * k2
    if spread < 0:
        return _WIDEST
    # the roots of 1 + 3 k1 s + 5 k2 s^2 = 0 in s = r^2, in the form that loses no digits
    half = -(3 * k1 + math.copysign(math.sqrt(spread), k1)) / 2
    roots = [1 / half] if half else []
    if k2:
        roots.append(half / (5 * k2))
    return min(_WIDEST, math.sqrt(min((root for root in roots if root > 0), default=math.inf)))


def undistorted_radius(radius: ArrayLike, k1: float, k2: float) -> Floats:
    """Radius before the lens from the radius (n,) after it, both in units of the focal length.

    Newton's steps kept inside a bracket, exact to 1e-12; NaN past the largest radius that the lens can show.
    """
    after = np.asarray(radius, np.float64)
    if k1 == 0 and k2 == 0:
        return after.copy()

    def lens(r: Floats) -> Floats:
        r2 = r * r
        return np.asarray(r * (1 + k1 * r2 + k2 * r2 * r2))

    high = np.full_like(after, _fold(k1, k2))
    after = np.where(after <= lens(high), after, np.nan)
    low = np.zeros_like(after)
    r = np.minimum(after, high)
    for _ in range(60):
        r2 = r * r
        value = r * (1 + r2 * (k1 + k2 * r2)) - after
        low, high = np.where(value < 0, r, low), np.where(value > 0, r, high)
        step = r - value / np.maximum(1 + r2 * (3 * k1 + 5 * k2 * r2), 1e-9)
        better = np.where((step >= low) & (step <= high), step, (low + high) / 2)
        done = not (np.abs(better - r) > 1e-13 * (1 + r)).any()  # of what is NaN nothing is left to be done
        r = better
        if done:
            break
    return np.where(np.isnan(after), np.nan, r)
