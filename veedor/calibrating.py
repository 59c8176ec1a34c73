"""Calibrating one camera: points to a camera, how well it fits in millimetres, and into the table file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from shapely import LineString, MultiLineString

from rules.errors import VeedorError
from veedor.config import place_of
from veedor.corners import Corner, corner_named
from veedor.photographs import load
from veedor.table_edit import put_calibration
from veedor.table_file import CameraPart, PointPair, TableFile
from vision.address import masked
from vision.calibration import Calibration, Lens, Pair, calibrate
from vision.camera import Camera, Floats
from vision.clock import AnomalyKind
from vision.errors import CalibrationError
from vision.layout import Layout
from vision.source import open_source

Image = NDArray[np.uint8]
"""(H, W, 3) uint8, blue green red."""

GOOD_MM, USABLE_MM = 1.5, 4.0
"""Residuals (root mean square, mm): up to which lines are told well, up to which boxes are."""
_STANDS_OUT, _WORTH_MM = 4.0, 2.0
"""A point is named that lies so many times as far off as the others fit without it, and at least so far."""
_CLEARLY = 1.7
"""Without the wrong point the others fit by so much better than without any other."""
_SUSPECTS = 8
_CLICK = 0.0008
"""How exactly points are set at best, by picture width."""
_MOST_POINTS = 400
_PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp"}
_STEP_MM = 25.0
_UNEVEN = 3.0
"""A pause so many times as long as usual is said."""
_RATE_S = 4.0


@dataclass(frozen=True, slots=True)
class Residual:
    """How far one point lies from where the camera shows its corner; ``mm`` on the felt, None past it."""

    name: str
    px: float
    mm: float | None


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A solved camera. ``rms_mm``, ``residuals``: how well its points fit; ``advice``: sentences on what to
    do, the most urgent first; ``good``: whether nothing has to be done; ``lens``: whether the points show it;
    ``open_mm``: how far off the points leave a spot's middle, usually, at the worst spot in view."""

    calibration: Calibration
    points: tuple[Pair, ...]
    residuals: tuple[Residual, ...]
    rms_mm: float
    advice: tuple[str, ...]
    good: bool
    lens: bool
    open_mm: float


def still_of(place: str) -> Image:
    """A camera's picture: a photograph, or the first picture of a recording or of a camera (rtsp://).

    Raises VeedorError for what shows nothing.
    """
    if Path(place).suffix.lower() in _PICTURES and "://" not in place:
        return load(Path(place))
    with open_source(place, accept_cut_off=True) as source:
        for frame in source:
            return frame.image
    raise VeedorError(f"{masked(place)} holds no picture: give a photograph of the table or a recording.")


def picture_place(part: CameraPart, table: Path, given: str | None) -> str | None:
    """Where a camera's picture is to be taken from: as ``given``, else its source in the table file; None if
    it has none."""
    return given or (None if part.source is None else place_of(part.source, table))


@dataclass(frozen=True, slots=True)
class Pace:
    """The clock of a recording's or camera's first seconds. ``fps``: pictures a second; ``odd``: what is odd
    about the clock, in words."""

    fps: float | None
    odd: tuple[str, ...] = ()


def pace_of(place: str) -> Pace | None:
    """How a recording's or camera's pictures follow one another; None for a photograph."""
    if Path(place).suffix.lower() in _PICTURES and "://" not in place:
        return None
    times: list[float] = []
    with open_source(place, accept_cut_off=True) as source:
        for frame in source:
            times.append(frame.t)
            if frame.t > _RATE_S:
                break
        odd = [str(anomaly) for anomaly in source.anomalies if anomaly.kind is not AnomalyKind.CUT_OFF]
    steps = np.diff(times)
    if len(steps) > 4 and (longest := float(steps.max())) > _UNEVEN * float(np.median(steps)):
        odd.append(f"up to {longest:.2f} s between two pictures, {float(np.median(steps)):.2f} s usually")
    fps = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else None
    return Pace(fps, tuple(odd))


def solve(
    points: Sequence[Pair], width_px: int, height_px: int, layout: Layout, lens: Lens | None = None
) -> Solution:
    """The camera of these points. Raises CalibrationError, naming the point that fits least."""
    x0, y0, x1, y1 = layout.frame_mm
    for pair in points:
        if not (x0 - 1 <= pair.mm[0] <= x1 + 1 and y0 - 1 <= pair.mm[1] <= y1 + 1):
            raise CalibrationError(
                f"The calibration point {pair.name} has the place ({pair.mm[0]:g}, {pair.mm[1]:g}) mm, which"
                f" is not on the drawing ({x0:g} to {x1:g}, {y0:g} to {y1:g} mm): correct it, or give the"
                " table its own drawing."
            )
    known = lens or Lens()
    found = calibrate(points, width_px, height_px, lens=known)
    residuals = _residuals(found.camera, points)
    off = [rest.mm for rest in residuals if rest.mm is not None]
    rms = float(np.sqrt(np.mean(np.square(off)))) if off else float("nan")
    odd = _standing_out(points, found, width_px, height_px, known)
    advice = list(filter(None, [odd, _on_size(rms), *found.doubts]))
    good = rms <= GOOD_MM and odd is None
    return Solution(
        found, tuple(points), residuals, rms, tuple(advice), good, len(points) >= 6, _left_open(found, layout)
    )


def _left_open(found: Calibration, layout: Layout) -> float:
    if found.error is None:
        return float("inf")
    spots = [zone.centre_mm for zone in layout.zones]
    inside = (
        [at for at, seen in zip(spots, found.camera.in_view(spots), strict=True) if seen] if spots else []
    )
    return max(
        (float(np.sqrt(np.trace(found.error.on_felt(found.camera, at)))) for at in inside), default=0.0
    )


def _residuals(camera: Camera, points: Sequence[Pair]) -> tuple[Residual, ...]:
    mm, px = np.array([p.mm for p in points]), np.array([p.px for p in points])
    off_px = np.hypot(*(camera.project(mm) - px).T)
    off_mm = np.hypot(*(camera.felt_point(px) - mm).T)
    return tuple(
        Residual(pair.name, float(a), float(b) if np.isfinite(b) else None)
        for pair, a, b in zip(points, off_px, off_mm, strict=True)
    )


def _on_size(rms_mm: float) -> str | None:
    if rms_mm <= GOOD_MM:
        return None
    if rms_mm <= USABLE_MM:
        return (
            f"The points fit to {rms_mm:.1f} mm: boxes are told, but bets near a line will be too close to"
            " call. Set the worst points again, closer to the corners, and add some."
        )
    return (
        f"The points fit only to {rms_mm:.1f} mm, which is too rough to tell bets on lines: set the worst"
        " points again, and check that the drawing is the one this felt was printed from."
    )


def _standing_out(
    points: Sequence[Pair], found: Calibration, width_px: int, height_px: int, lens: Lens
) -> str | None:
    """The one point that the others contradict, though all together are still within what is accepted.

    Told only from seven points on: fewer say too little of the camera without one of them.
    """
    if len(points) < 7:
        return None
    off = np.hypot(*(found.camera.project([p.mm for p in points]) - [p.px for p in points]).T)
    fits: list[tuple[float, int, Calibration]] = []
    n = 2 * (len(points) - 1)
    spread = float(np.sqrt(n / max(n - 9, 1)))  # a camera's nine numbers take up so much of the scatter
    for i in np.argsort(-off)[:_SUSPECTS].tolist():
        try:
            rest = calibrate([p for k, p in enumerate(points) if k != i], width_px, height_px, lens=lens)
        except CalibrationError:
            continue
        fits.append((max(rest.rms_px * spread, 0.15), i, rest))
    fits.sort(key=lambda fit: fit[0])
    if not fits:
        return None
    best, worst, without = fits[0]
    odd = points[worst]
    (apart,) = _residuals(without.camera, [odd])
    shown = without.camera.project([odd.mm])[0]
    if apart.mm is None or apart.mm < _WORTH_MM or apart.px < _STANDS_OUT * max(best, _CLICK * width_px):
        return None
    alike = [points[i].name for rms, i, _ in fits[1:] if rms < _CLEARLY * best]
    if alike:  # without either of them the others fit: which it is cannot be told
        return (
            f"One of {', '.join([odd.name, *alike])} does not fit the others: check these first, and add"
            " points, so that the wrong one can be told."
        )
    return (
        f"{odd.name} does not fit the others: they put it {apart.mm:.1f} mm away, at ({shown[0]:.1f},"
        f" {shown[1]:.1f}) px instead of ({odd.px[0]:.1f}, {odd.px[1]:.1f}). Set it again, or leave it out."
    )


class _PointIn(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)

    name: str | None = Field(default=None, max_length=120)
    corner: str | None = Field(default=None, max_length=120)
    mm: tuple[float, float] | None = None
    px: tuple[float, float]


class _PointsIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    points: list[_PointIn] = Field(max_length=_MOST_POINTS)


def read_points(path: Path, corners: tuple[Corner, ...]) -> tuple[Pair, ...]:
    """The points of a JSON file: a list of ``{"corner": NAME or "mm": [x, y], "px": [x, y]}``.

    Raises VeedorError naming the file, the point and the remedy.
    """
    try:
        if path.stat().st_size > 1_000_000:
            raise VeedorError(f"The points file {path} is larger than 1 MB: it is none.")
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise VeedorError(
            f"The points file {path} cannot be read ({error.strerror}): check the path."
        ) from None
    except RecursionError:
        raise VeedorError(
            f"The points file {path} has lists within lists, too deep to be read: write one list of points."
        ) from None
    except ValueError as error:
        raise VeedorError(
            f"The points file {path} is not JSON ({str(error)[:120]}): write a list such as"
            ' [{"corner": "felt, top left", "px": [120, 80]}, ...].'
        ) from None
    wrapped = content if isinstance(content, dict) else {"points": content}
    try:
        parts = _PointsIn.model_validate(wrapped).points
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(step) for step in first["loc"])
        raise VeedorError(
            f"The points file {path} has something wrong at {where}: {first['msg']}. Each point is"
            ' {"corner": NAME or "mm": [x, y], "px": [x, y]}.'
        ) from None
    return tuple(_pair(path, part, number, corners) for number, part in enumerate(parts, 1))


def _pair(path: Path, part: _PointIn, number: int, corners: tuple[Corner, ...]) -> Pair:
    if (part.mm is None) == (part.corner is None):
        raise VeedorError(
            f"The points file {path}: point {number} needs either a corner's name or its mm, and not both."
        )
    if part.mm is not None:
        return Pair(part.mm, part.px, part.name or f"point {number}")
    corner = corner_named(corners, part.corner or "")
    return Pair(corner.mm, part.px, part.name or corner.name)


def camera_part(file: TableFile, path: Path, camera_id: str | None) -> CameraPart:
    """A camera's part of a table file; the first if none is named. Raises VeedorError for an unknown one."""
    if camera_id is None:
        return file.cameras[0]
    for part in file.cameras:
        if part.id == camera_id:
            return part
    known = ", ".join(part.id for part in file.cameras)
    raise VeedorError(f"The table file {path} has no camera {camera_id!r}: it has {known}.")


def points_at(part: CameraPart, width_px: int, height_px: int) -> tuple[Pair, ...]:
    """The points that the file has for a camera, at the size of a picture. Raises VeedorError if its shape is
    another."""
    own_width, own_height = part.image_size
    if part.points and abs(width_px / height_px / (own_width / own_height) - 1) > 0.005:
        raise VeedorError(
            f"The picture is {width_px} x {height_px}, and camera {part.id} has its points on {own_width} x"
            f" {own_height}, another shape: give a picture of that shape, or new points with --points."
        )
    scale = width_px / own_width, height_px / own_height
    return tuple(
        Pair(point.mm, (point.px[0] * scale[0], point.px[1] * scale[1]), point.name or f"point {number}")
        for number, point in enumerate(part.points, 1)
    )


def lens_at(part: CameraPart, width_px: int) -> Lens:
    """What the file knows of a camera's lens, at the width of a picture."""
    if part.lens is None:
        return Lens()
    focal = part.lens.focal_px
    return Lens(None if focal is None else focal * width_px / part.image_size[0], part.lens.k1, part.lens.k2)


def write_points(
    path: Path, file: TableFile, camera_id: str, points: Sequence[Pair], width_px: int, height_px: int
) -> None:
    """Put a camera's points into the table file, complete or not at all, and its comments kept. Raises
    VeedorError."""
    pairs = tuple(
        PointPair(
            name=pair.name[:120] or None,
            mm=(round(pair.mm[0], 2), round(pair.mm[1], 2)),
            px=(round(pair.px[0], 2), round(pair.px[1], 2)),
        )
        for pair in points
    )
    cameras = []
    for part in file.cameras:
        change: dict[str, Any] = {}
        if part.id == camera_id:
            change = {"points": pairs, "image_size": (width_px, height_px)}
            if part.lens is not None and part.lens.focal_px is not None:
                focal = round(part.lens.focal_px * width_px / part.image_size[0], 2)
                change["lens"] = part.lens.model_copy(update={"focal_px": focal})
        cameras.append(part.model_copy(update=change))
    put_calibration(path, file.model_copy(update={"cameras": tuple(cameras)}), camera_id)


def outlines(layout: Layout) -> list[Floats]:
    """The drawing's lines as chains of points (n, 2), mm, close enough that a lens may bend them."""
    rings: list[LineString | MultiLineString] = [
        LineString(ring.coords)
        for polygon in (layout.felt, *(zone.polygon for zone in layout.zones))
        for ring in (polygon.exterior, *polygon.interiors)
    ]
    rings += [line.path for line in layout.lines if not line.id.endswith(":outline")]
    pieces = [piece for ring in rings for piece in ([ring] if isinstance(ring, LineString) else ring.geoms)]
    return [np.asarray(piece.segmentize(_STEP_MM).coords)[:, :2] for piece in pieces]


def drawn(image: Image, solution: Solution, layout: Layout) -> Image:
    """The picture with the drawing over it where the camera sees it, and how far its points are off."""
    picture = image.copy()
    thick = max(1, round(image.shape[1] / 1000))
    for chain in outlines(layout):
        for piece in seen_pieces(solution.calibration.camera, chain):
            cv2.polylines(
                picture, [np.round(piece * 8).astype(np.int32)], False, (255, 230, 90), thick, 16, 3
            )
    size = image.shape[1] / 2600
    for pair, rest in zip(solution.points, solution.residuals, strict=True):
        at = round(pair.px[0]), round(pair.px[1])
        bad = rest.mm is None or rest.mm > USABLE_MM
        colour = (60, 60, 255) if bad else (80, 255, 80)
        cv2.drawMarker(picture, at, colour, cv2.MARKER_CROSS, 12 * thick, thick, cv2.LINE_AA)
        text = "?" if rest.mm is None else f"{rest.mm:.1f}"
        place = at[0] + 7 * thick, at[1] - 5 * thick
        cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, (0, 0, 0), 3 * thick, cv2.LINE_AA)
        cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)
    return picture


def seen_pieces(camera: Camera, chain_mm: Floats) -> list[Floats]:
    """A chain of points in the picture, in pixels, broken where the camera does not see it."""
    px = camera.project(chain_mm)
    reach = 3 * max(camera.width_px, camera.height_px)
    fine = np.isfinite(px).all(axis=1) & (np.abs(np.nan_to_num(px)) < reach).all(axis=1)
    breaks = np.flatnonzero(np.diff(fine.astype(np.int8)))
    return [
        piece
        for piece, kept in zip(np.split(px, breaks + 1), np.split(fine, breaks + 1), strict=True)
        if kept.all() and len(piece) > 1
    ]
