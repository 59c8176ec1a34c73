"""Calibrations refined by the felt's own printed lines, and told in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np

from veedor.calibrating import Image, Solution, lens_at, points_at, solve, still_of
from veedor.config import Table
from vision.calibration import Lens, calibrate
from vision.layout import Layout
from vision.refining import Refined, refine


def refined(solution: Solution, image: Image, layout: Layout, lens: Lens) -> tuple[Solution, str]:
    """The solution as the printed lines in its picture make it, and what that changed; the same solution if
    nothing got better. Raises CalibrationError for a drawing that is not this felt's."""
    luma = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    found = refine(luma, solution.calibration, solution.points, layout, lens)
    if not found.better:
        return solution, told(found)
    height, width = luma.shape
    return solve(found.points, width, height, layout, lens), told(found)


def told(found: Refined) -> str:
    """What refining came to, for people."""
    if np.isnan(found.before_mm):
        return (
            "The picture shows no printed lines, so the points could be neither checked nor refined by them."
        )
    there = f"{100 * found.found:.0f} % of the drawing's lines are where the points put them"
    if not found.better:
        return f"{there}, {found.before_mm:.2f} mm off (root mean square): no camera fits them better."
    return (
        f"{there}. They lay {found.before_mm:.2f} mm off (root mean square); refined by them, lens and camera"
        f" leave {found.after_mm:.2f} mm, and {len(found.points)} points on printed lines take the place of"
        " those set by hand."
    )


def refined_table(table: Table, videos: Mapping[str | None, str]) -> tuple[Table, list[str]]:
    """The table with its cameras refined on the first picture of their recordings, and what that changed.

    ``videos``: recording by camera (None: the first). Raises VeedorError, as :func:`refined`.
    """
    cameras, says = [], []
    for number, (camera, part) in enumerate(zip(table.cameras, table.file.cameras, strict=True)):
        video = videos.get(camera.id, videos.get(None) if number == 0 else None)
        if video is None:
            cameras.append(camera)
            continue
        image = still_of(video)
        height, width = image.shape[:2]
        lens, points = lens_at(part, width), points_at(part, width, height)
        start = calibrate(points, width, height, lens=lens)
        luma = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
        found = refine(luma, start, points, table.layout, lens)
        cameras.append(replace(camera, calibration=found.calibration) if found.better else camera)
        says.append(f"Camera {camera.id}: {told(found)}")
    return replace(table, cameras=tuple(cameras)), says
