"""Where a camera hangs that was moved between its calibration and the first picture there is of it."""

from __future__ import annotations

import cv2
import numpy as np
from scipy.spatial.transform import Rotation

from vision.calibration import Lens
from vision.camera import Camera, Floats
from vision.layout import Layout
from vision.nudge import Nudge
from vision.printed import Luma
from vision.refining import belonging, belongs, fitted


def found_astray(picture: Luma, camera: Camera, layout: Layout, off_px: Floats) -> Nudge | None:
    """The nudge since ``camera`` was calibrated, by the printed lines in a picture (H, W) of its size;
    ``off_px`` (2,): how far they lie beside, roughly. None if they cannot be found surely."""
    focal = float(camera.matrix[0, 0])
    swing = Rotation.from_rotvec([-off_px[1] / focal, off_px[0] / focal, 0.0]).as_matrix()
    start = Camera(
        camera.matrix,
        swing @ camera.rotation,
        swing @ camera.translation_mm,
        camera.k1,
        camera.k2,
        camera.width_px,
        camera.height_px,
    )
    lens = Lens(focal_px=focal, k1=camera.k1, k2=camera.k2)
    now = fitted(np.asarray(cv2.GaussianBlur(picture, (3, 3), 0.5), np.uint8), start, (), layout, lens)
    if not belongs(*belonging(picture, now, layout)):
        return None
    matrix = _felt(now) @ np.linalg.inv(_felt(camera))
    return Nudge(np.asarray(matrix / matrix[2, 2]))


def _felt(camera: Camera) -> Floats:
    """(3, 3): places on the felt [x, y, 1] to view directions."""
    return np.stack([camera.rotation[:, 0], camera.rotation[:, 1], camera.translation_mm], axis=1)
