"""How far off a place on the felt may be, from the calibration, the pixels, and the height of what was seen.

All errors are covariances in square millimetres on the felt. The calibration's is that of its least squares:
what the points, their scatter, and what is known of lenses beforehand leave open, carried to any place; it
grows away from the points and towards the far side of an oblique view.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from vision.camera import Camera, Floats

CLOTH_MM = 0.7
"""How far the printed cloth lies from its drawing, usually (mm): stretched, printed, laid."""
_CLICK = 0.0008
"""How exactly calibration points are set, before they show it, by picture width: a pixel in 1280."""
_CLICK_WEIGHT = 4.0
"""So many residuals is that belief worth."""
_FOCAL_SPREAD, _K1_SPREAD, _K2_SPREAD = 0.5, 0.2, 0.1
"""What is known beforehand: of the focal length's logarithm, and of the lens."""
_KNOWN = 1e-4
_STEPS = np.array([1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5])


@dataclass(frozen=True, slots=True, eq=False)
class CameraError:
    """What a calibration leaves open of its camera. ``spread`` (9, 9): covariance of the turn about
    ``middle_mm`` (3), the shift by the camera's distance (3), the focal length's logarithm, k1 and k2."""

    spread: Floats
    middle_mm: tuple[float, float]

    def on_felt(self, camera: Camera, at_mm: tuple[float, float]) -> Floats:
        """(2, 2): covariance of where a pixel is put on the felt, about a place; ``camera``: the calibrated
        one, at any size of its picture. Infinite where the camera does not see."""
        place = np.asarray([at_mm], np.float64)
        to_px = _slope(camera, place, self.middle_mm)[:, 0]
        per_mm = felt_jacobian(camera, at_mm)
        if per_mm is None or not np.isfinite(to_px).all():
            return np.full((2, 2), np.inf)
        to_mm = -np.linalg.solve(per_mm, to_px.T)
        return np.asarray(to_mm @ self.spread @ to_mm.T)


def camera_error(
    camera: Camera,
    points_mm: ArrayLike,
    points_px: ArrayLike,
    *,
    known_focal: bool = False,
    known_k1: bool = False,
    known_k2: bool = False,
) -> CameraError:
    """What matched points (n, 2), mm and px, leave open of the camera that fits them."""
    mm, px = np.asarray(points_mm, np.float64), np.asarray(points_px, np.float64)
    middle = (float(mm[:, 0].mean()), float(mm[:, 1].mean()))
    slope = _slope(camera, mm, middle).reshape(9, -1)
    off = np.nan_to_num(camera.project(mm) - px).ravel()
    click = _CLICK * camera.width_px
    free = max(0.0, off.size - 7.0)
    noise = (float(off @ off) + _CLICK_WEIGHT * click**2) / (free + _CLICK_WEIGHT)
    prior = np.array(
        [
            *([0.0] * 6),
            1 / (_KNOWN if known_focal else _FOCAL_SPREAD) ** 2,
            1 / (_KNOWN if known_k1 else _K1_SPREAD) ** 2,
            1 / (_KNOWN if known_k2 else _K2_SPREAD) ** 2,
        ]
    )
    information = np.nan_to_num(slope) @ np.nan_to_num(slope).T / noise + np.diag(prior)
    scale = 1 / np.sqrt(np.maximum(np.diag(information), 1e-12))
    balanced = information * scale[:, None] * scale
    return CameraError(np.asarray(np.linalg.pinv(balanced, 1e-13) * scale[:, None] * scale), middle)


def felt_jacobian(camera: Camera, at_mm: tuple[float, float]) -> Floats | None:
    """(2, 2): change of the pixel (rows) with x and y of the felt (columns), per mm; None where not seen."""
    x, y = at_mm
    px = camera.project(np.array([[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]]))
    jacobian = np.stack([px[1] - px[0], px[3] - px[2]], axis=1) / 2
    if not np.isfinite(jacobian).all() or abs(np.linalg.det(jacobian)) < 1e-9:
        return None
    return np.asarray(jacobian)


def pixel_error(camera: Camera, at_mm: tuple[float, float], px: float) -> Floats:
    """(2, 2): covariance on the felt of a place seen to within so many pixels; infinite where not seen."""
    jacobian = felt_jacobian(camera, at_mm)
    if jacobian is None:
        return np.full((2, 2), np.inf)
    back = np.linalg.inv(jacobian)
    return np.asarray(px * px * back @ back.T)


def height_error(camera: Camera, at_mm: tuple[float, float], height_mm: float) -> Floats:
    """(2, 2): covariance on the felt of a place whose height over it is known to within so much: what rises
    looks as if it moved away from the camera."""
    jacobian = felt_jacobian(camera, at_mm)
    if jacobian is None:
        return np.full((2, 2), np.inf)
    x, y = at_mm
    px = camera.project(np.array([[x, y, 0.0], [x, y, 1.0]]))
    shift = height_mm * np.linalg.solve(jacobian, px[1] - px[0])
    return np.asarray(np.outer(shift, shift))


def total_error(parts: Sequence[Floats]) -> Floats:
    """(2, 2): independent errors together, with the cloth's own."""
    return np.asarray(CLOTH_MM**2 * np.eye(2) + np.sum(np.asarray(parts), axis=0))


def fused_place(
    found: Sequence[tuple[tuple[float, float], Floats]],
) -> tuple[tuple[float, float], Floats]:
    """One place from what several cameras found, each with its covariance (2, 2): those with the smaller
    error weigh more. Where they lie farther apart than their errors allow, the error is that much larger.

    The cloth's own error is in each of them and does not become less by looking twice.
    """
    cloth = CLOTH_MM**2 * np.eye(2)
    usable = [(np.asarray(at), error - cloth) for at, error in found if np.isfinite(error).all()]
    if not usable:
        return found[0][0], np.full((2, 2), np.inf)
    weights = [np.linalg.inv(error + _KNOWN * np.eye(2)) for _, error in usable]
    together = np.linalg.inv(np.sum(weights, axis=0))
    at = together @ np.sum([w @ place for w, (place, _) in zip(weights, usable, strict=True)], axis=0)
    apart = [float((place - at) @ w @ (place - at)) for w, (place, _) in zip(weights, usable, strict=True)]
    free = 2 * (len(usable) - 1)
    wider = max(1.0, sum(apart) / free) if free else 1.0
    return (float(at[0]), float(at[1])), np.asarray(wider * together + cloth)


def _slope(camera: Camera, points_mm: Floats, middle_mm: tuple[float, float]) -> Floats:
    """(9, n, 2): change of the points' pixels with each of the camera's nine numbers."""
    found = np.empty((9, len(points_mm), 2))
    for i, step in enumerate(_STEPS):
        change = np.zeros(9)
        change[i] = step
        plus = changed_camera(camera, change, middle_mm).project(points_mm)
        minus = changed_camera(camera, -change, middle_mm).project(points_mm)
        found[i] = (plus - minus) / (2 * step)
    return found


def changed_camera(camera: Camera, change: Floats, middle_mm: tuple[float, float]) -> Camera:
    """The camera with its nine numbers changed: turn about a point of the felt (3), shift by its distance
    (3), the focal length's logarithm, k1 and k2."""
    middle = np.array([*middle_mm, 0.0])
    turn = Rotation.from_rotvec(change[:3]).as_matrix()
    rotation = turn @ camera.rotation
    seen = camera.rotation @ middle + camera.translation_mm
    distance = float(np.linalg.norm(seen))
    shift = seen + distance * change[3:6] - rotation @ middle
    matrix = camera.matrix.copy()
    matrix[:2, :2] *= float(np.exp(change[6]))
    return Camera(
        matrix,
        rotation,
        shift,
        camera.k1 + float(change[7]),
        camera.k2 + float(change[8]),
        camera.width_px,
        camera.height_px,
    )
