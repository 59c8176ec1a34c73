"""One camera of one table on the calibration page: what the page's drags become."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from dashboards.calibration import CornerOut, FitOut, PointIn, ResidualOut, StartOut
from rules.errors import VeedorError
from veedor.calibrating import (
    Solution,
    camera_part,
    lens_at,
    outlines,
    picture_place,
    points_at,
    seen_pieces,
    solve,
    still_of,
    write_points,
)
from veedor.config import read_table_file
from veedor.corners import Corner, corner_named, corners_of
from veedor.refined import refined
from vision.calibration import Pair
from vision.camera import Floats
from vision.errors import CalibrationError
from vision.homography import fit_homography
from vision.layout import Layout


class NoPictureError(VeedorError):
    """There is no picture of the camera to be calibrated."""


_SAME_MM = 3.0
_ROOM = 0.8
"""So much of the picture the drawing fills before anything is known."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationBench:
    """A camera of the table file ``path`` with its picture; :class:`dashboards.calibration.Bench`."""

    key: str
    table: str
    camera: str
    path: Path
    layout: Layout
    corners: tuple[Corner, ...]
    first: tuple[PointIn, ...]
    jpeg: bytes
    width_px: int
    height_px: int

    def still(self) -> bytes:
        """The camera's picture, JPEG."""
        return self.jpeg

    def start(self) -> StartOut:
        """The points that the table file had, and how they fit."""
        first = list(self.first)
        return StartOut(width_px=self.width_px, height_px=self.height_px, points=first, fit=self.fit(first))

    def fit(self, points: list[PointIn]) -> FitOut:
        """How the drawing lies with these points: as a camera sees it, or roughly while there is none.

        Raises VeedorError for a corner that there is not.
        """
        pairs = self._pairs(points)
        if len(pairs) < 4:
            missing = 4 - len(pairs)
            return self._rough(pairs, f"{missing} more corner{'s' if missing > 1 else ''} to go.")
        try:
            return self._fitted(self._solved(pairs))
        except CalibrationError as error:
            return self._rough(pairs, str(error))

    def save(self, points: list[PointIn]) -> str:
        """Write the points into the table file as it is now, refined by the printed lines.

        Raises VeedorError, the file then unchanged: also for a drawing that is not this felt's.
        """
        file = read_table_file(self.path)
        part = camera_part(file, self.path, self.camera)
        first = self._solved(self._pairs(points))
        image = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        picture = np.asarray(image, np.uint8)
        solution, said = refined(first, picture, self.layout, lens_at(part, self.width_px))
        write_points(self.path, file, part.id, solution.points, self.width_px, self.height_px)
        count = len(solution.points)
        return f"{count} points written to {self.path}, residual {solution.rms_mm:.2f} mm. {said}"

    def _pairs(self, points: list[PointIn]) -> list[Pair]:
        corners = [(corner_named(self.corners, point.corner), point.px) for point in points]
        return [Pair(corner.mm, px, corner.name) for corner, px in corners]

    def _solved(self, pairs: list[Pair]) -> Solution:
        part = camera_part(read_table_file(self.path), self.path, self.camera)
        return solve(pairs, self.width_px, self.height_px, self.layout, lens_at(part, self.width_px))

    def _fitted(self, solution: Solution) -> FitOut:
        camera = solution.calibration.camera
        chains = [piece for chain in outlines(self.layout) for piece in seen_pieces(camera, chain)]
        residuals = [ResidualOut(corner=r.name, mm=r.mm, px=r.px) for r in solution.residuals]
        return FitOut(
            solved=True,
            good=solution.good,
            says=list(solution.advice),
            rms_mm=solution.rms_mm,
            open_mm=solution.open_mm,
            residuals=residuals,
            outlines=[_chain(chain) for chain in chains],
            corners=self._shown(camera.project([corner.mm for corner in self.corners])),
        )

    def _rough(self, pairs: list[Pair], says: str) -> FitOut:
        put = _roughly(pairs, self.layout, self.width_px, self.height_px)
        return FitOut(
            solved=False,
            good=False,
            says=[says],
            outlines=[_chain(put(chain)) for chain in outlines(self.layout)],
            corners=self._shown(put(np.array([corner.mm for corner in self.corners]))),
        )

    def _shown(self, px: Floats) -> list[CornerOut]:
        inside = np.all((px >= 0) & (px <= [self.width_px, self.height_px]), axis=1).tolist()
        return [
            CornerOut(name=corner.name, px=(round(float(x), 2), round(float(y), 2)))
            for corner, (x, y), kept in zip(self.corners, px, inside, strict=True)
            if kept
        ]


def _chain(px: Floats) -> list[tuple[float, float]]:
    return [(round(float(x), 1), round(float(y), 1)) for x, y in px]


def _roughly(pairs: list[Pair], layout: Layout, width_px: int, height_px: int) -> Callable[[Floats], Floats]:
    """Millimetres (n, 2) to pixels while no camera is known: by as many points as there are, moved, then
    turned and sized, then sheared, then as a plane seen from anywhere."""
    x0, y0, x1, y1 = layout.felt.bounds
    scale = _ROOM * min(width_px / (x1 - x0), height_px / (y1 - y0))
    middle_mm, middle_px = np.array([x0 + x1, y0 + y1]) / 2, np.array([width_px, height_px]) / 2
    mm, px = np.array([p.mm for p in pairs]).reshape(-1, 2), np.array([p.px for p in pairs]).reshape(-1, 2)
    if len(pairs) >= 4 and (plane := fit_homography(mm, px)) is not None:
        homography = plane

        def through(at: Floats) -> Floats:
            seen = np.c_[at, np.ones(len(at))] @ homography.T
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(np.nan_to_num(seen[:, :2] / seen[:, 2:], posinf=0.0, neginf=0.0)).clip(
                    -20 * width_px, 20 * width_px
                )

        return through
    turn = scale * np.eye(2)
    if len(pairs) == 1:
        middle_mm, middle_px = mm[0], px[0]
    elif len(pairs) >= 2:
        middle_mm, middle_px = mm.mean(axis=0), px.mean(axis=0)
        a, b = (mm - middle_mm) @ [1, 1j], (px - middle_px) @ [1, 1j]
        ratio = complex(np.vdot(a, b) / max(float(np.vdot(a, a).real), 1e-9))
        turn = np.array([[ratio.real, -ratio.imag], [ratio.imag, ratio.real]])
        if len(pairs) >= 3 and np.linalg.matrix_rank(mm - middle_mm, tol=20.0) == 2:
            turn = np.linalg.lstsq(mm - middle_mm, px - middle_px, rcond=None)[0].T
    return lambda at: np.asarray((at - middle_mm) @ turn.T + middle_px)


def page_key(name: str) -> str:
    """A table's name in addresses."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "table"


def bench_of(table: Path, picture: str | None, camera_id: str | None = None) -> CalibrationBench:
    """A camera's bench from its table file; without a picture, one is taken from the camera's source.

    Raises VeedorError for a table, drawing or picture that cannot be used, NoPictureError if there is none.
    """
    file = read_table_file(table)
    layout = Layout.read(table.parent / file.layout)
    part = camera_part(file, table, camera_id)
    place = picture_place(part, table, picture)
    if place is None:
        raise NoPictureError(
            f"The table file {table} does not say where its camera {part.id!r} is watched (source): give a"
            " picture of it with --picture FRAME.jpg, a photograph or a recording."
        )
    image = still_of(place)
    height, width = image.shape[:2]
    corners = list(corners_of(layout))
    first: list[PointIn] = []
    for number, pair in enumerate(points_at(part, width, height), 1):
        near = min(corners, key=lambda corner: np.hypot(*np.subtract(corner.mm, pair.mm)))
        if np.hypot(*np.subtract(near.mm, pair.mm)) > _SAME_MM:  # a place of its own
            names = {corner.name for corner in corners}
            near = Corner(pair.name if pair.name not in names else f"{pair.name} ({number})", pair.mm)
            corners.append(near)
        if near.name not in {point.corner for point in first}:
            first.append(PointIn(corner=near.name, px=pair.px))
    _, coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 93])
    return CalibrationBench(
        page_key(file.name),
        file.name,
        part.id,
        table,
        layout,
        tuple(corners),
        tuple(first),
        coded.tobytes(),
        width,
        height,
    )
