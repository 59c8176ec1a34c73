"""A calibration refined by itself: camera and lens are moved until the drawing lies on the printed lines.

Across each point of a line the print is sought as a stroke, brighter or darker than the cloth on both sides.
All strokes found, with the points set by hand, give the camera by least squares; since straight lines of the
drawing stay straight on the felt, how they bend in the picture gives the lens. Half of the lines check what
the other half gives: a camera that does not lie better on lines that it was not made from is not taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from vision.calibration import Calibration, Lens, Pair, calibrate
from vision.camera import Camera, Floats
from vision.errors import CalibrationError
from vision.layout import Layout
from vision.position import changed_camera
from vision.printed import Luma, PrintedLines, Profiles, across

Mask = NDArray[np.bool_]

_SPACING_PX, _MOST = 8.0, 900
_STEP_MM = 0.5
_STROKES_MM = (2.0, 3.0, 4.5, 6.5)
"""How wide printed lines are."""
_REACHES_MM = (20.0, 10.0, 5.0, 4.0)
_LEAST_LEVELS = 4.0
_ON_MM = 2.5
"""A stroke so near to where the drawing puts it is that line."""
_SIGMA_PX, _CLICK_PX = 0.5, 1.0
"""Usual errors of a stroke, and of a point set by hand (in a picture 1280 wide)."""
_FOCAL_SPREAD, _K1_SPREAD, _K2_SPREAD = 0.5, 0.2, 0.1
_FEWEST, _ANY = 60, 0.12
"""With fewer points of lines, or strokes near fewer of them, nothing can be said."""
_BETTER = 0.97
_BELONGS, _BY_CHANCE = 0.4, 1.6
"""The drawing is this felt's if so many of its lines are there, and so many times more than beside them."""
_ASIDE_MM = ((31.0, 13.0), (-29.0, 17.0), (23.0, -37.0), (-19.0, -27.0), (43.0, 5.0), (-7.0, 41.0))
_POINTS = 24


@dataclass(frozen=True, slots=True, eq=False)
class Refined:
    """What the printed lines say of a calibration. ``better``: whether ``calibration`` is a refined one, else
    it is the one that was given. ``before_mm``, ``after_mm``: how far the lines lie from where the camera
    shows the drawing, root mean square. ``found``: the part of the drawing's lines that is there; ``chance``:
    of the same lines laid beside. ``points``: places of the drawing where the refined camera shows them."""

    calibration: Calibration
    better: bool
    before_mm: float
    after_mm: float
    found: float
    chance: float
    points: tuple[Pair, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Strokes:
    """Where the picture has a stroke at each line point: ``px`` (n, 2), ``off_mm`` (n,) across the line from
    where the camera shows it, and whether there is one."""

    px: Floats
    off_mm: Floats
    there: Mask


def refine(
    picture: Luma, start: Calibration, points: Sequence[Pair], layout: Layout, lens: Lens | None = None
) -> Refined:
    """Refine a calibration on a picture (H, W), of the camera's size, of the felt with little on it.

    ``points``: those it was made from; ``lens``: what is known of it. Never worse than ``start``. Raises
    CalibrationError if the lines in the picture are not the drawing's, or the picture has another size; if it
    shows none at all, nothing is changed, and both distances are NaN.
    """
    camera = start.camera
    if picture.shape != (camera.height_px, camera.width_px):
        raise CalibrationError(
            f"The picture has {picture.shape[1]} x {picture.shape[0]} pixels, but the camera was calibrated"
            f" for {camera.width_px} x {camera.height_px}: give a picture of that size."
        )
    known = lens or Lens()
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)
    lines = PrintedLines.of(layout, camera, _SPACING_PX, _MOST)
    if len(lines) < _FEWEST or find_strokes(soft, lines, _REACHES_MM[0], np.zeros(2)).there.mean() < _ANY:
        return Refined(start, False, float("nan"), float("nan"), 0.0, 0.0)
    whole = fitted(soft, camera, points, layout, known)
    found, chance = _belongs(soft, whole, layout)
    if not belongs(found, chance):
        raise CalibrationError(
            f"The drawing {layout.name} does not fit this picture: of its lines {100 * found:.0f} % are"
            f" printed where the points put them, and by chance it would be {100 * chance:.0f} %. Give the"
            " drawing that this felt was printed from, set the points again, or give a picture in which the"
            " lines are seen."
        )
    halves = [fitted(soft, camera, points, layout, known, part) for part in (0, 1)]
    before, after = _judged(soft, camera, halves, whole, layout)
    kept = Refined(start, False, before, before, found, chance)
    if not after < _BETTER * before or _far_from(whole, points):
        return kept
    places = _places(soft, whole, layout)
    try:
        refined = calibrate(places, camera.width_px, camera.height_px, lens=known)
    except CalibrationError:
        return kept
    off = np.hypot(
        *(refined.camera.project([p.mm for p in places]) - whole.project([p.mm for p in places])).T
    )
    if off.max() > 0.5 * _SIGMA_PX * max(1.0, camera.width_px / 1280):
        return kept
    return Refined(refined, True, before, after, found, chance, places)


def belonging(picture: Luma, camera: Camera, layout: Layout) -> tuple[float, float]:
    """The part of the drawing's lines that is printed where the camera shows it, and the same by chance."""
    return _belongs(np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8), camera, layout)


def belongs(found: float, chance: float) -> bool:
    """Whether so many lines, against so many by chance, make a drawing this felt's."""
    return found >= max(_BELONGS, _BY_CHANCE * chance)


def fitted(
    picture: Luma,
    start: Camera,
    points: Sequence[Pair],
    layout: Layout,
    lens: Lens,
    half: int | None = None,
) -> Camera:
    """The camera near ``start`` that lies best on all lines of a picture (H, W), or on one half of them."""
    camera = start
    for reach in _REACHES_MM:
        lines = PrintedLines.of(layout, camera, _SPACING_PX, _MOST)
        strokes = find_strokes(picture, lines, reach, np.zeros(2))
        use = strokes.there if half is None else strokes.there & (lines.path % 2 == half)
        if use.sum() < _FEWEST:
            return camera
        camera = _solved(camera, lines.only(use), strokes.px[use], points, lens, reach)
    return camera


def _solved(
    start: Camera, lines: PrintedLines, seen_px: Floats, points: Sequence[Pair], lens: Lens, reach_mm: float
) -> Camera:
    """Least squares over strokes across their lines, points set by hand, and what lenses are like."""
    middle = (float(lines.at_mm[:, 0].mean()), float(lines.at_mm[:, 1].mean()))
    mm, px = np.array([p.mm for p in points]).reshape(-1, 2), np.array([p.px for p in points]).reshape(-1, 2)
    scale = max(1.0, start.width_px / 1280)
    free = np.array([True] * 6 + [lens.focal_px is None, lens.k1 is None, lens.k2 is None])
    across_px = lines.across_px
    # Strokes far off are doubtful: their pull ends where the reach of this round does, more or less.
    soft = max(2.0, 0.25 * reach_mm * float(np.median(lines.px_per_mm)) / _SIGMA_PX)

    def built(x: Floats) -> Camera:
        change = np.zeros(9)
        change[free] = x
        return changed_camera(start, change, middle)

    def wrong(x: Floats) -> Floats:
        camera = built(x)
        off = np.einsum("ij,ij->i", camera.project(lines.at_mm) - seen_px, across_px) / (_SIGMA_PX * scale)
        off = soft * np.arctan(np.nan_to_num(off, nan=1e3) / soft)
        clicks = np.nan_to_num(camera.project(mm) - px, nan=1e3).ravel() / (_CLICK_PX * scale)
        clicks = 3 * np.arctan(clicks / 3)
        beliefs = np.array(
            [
                np.log(camera.matrix[0, 0] / camera.width_px / 1.1) / _FOCAL_SPREAD,
                camera.k1 / _K1_SPREAD,
                camera.k2 / _K2_SPREAD,
            ]
        )
        return np.concatenate([off, clicks, beliefs])

    found = least_squares(wrong, np.zeros(int(free.sum())), x_scale="jac", max_nfev=30)
    return built(found.x)


def find_strokes(picture: Luma, lines: PrintedLines, reach_mm: float, beside_px: Floats) -> Strokes:
    """The stroke nearest to each line point, of those that stand out, within a reach; ``beside_px``: how the
    whole drawing is laid beside its place."""
    best: tuple[float, Strokes] | None = None
    half = int(np.ceil((reach_mm + 1.5 * max(_STROKES_MM)) / _STEP_MM))
    steps_mm = np.arange(-half, half + 1) * _STEP_MM
    px = lines.px + beside_px
    seen = across(picture, px, lines.across_px, steps_mm[None] * lines.px_per_mm[:, None])
    inside = np.abs(steps_mm) <= reach_mm
    near = np.exp(-0.5 * (steps_mm[inside] / (0.6 * reach_mm)) ** 2)
    for stroke_mm in _STROKES_MM:
        response = _ridge(seen, max(1, round(stroke_mm / _STEP_MM)))[:, inside]
        weighted = response * near
        at = weighted.argmax(axis=1).clip(1, response.shape[1] - 2)
        rows = np.arange(len(at))
        before, here, after = response[rows, at - 1], response[rows, at], response[rows, at + 1]
        bend = before - 2 * here + after
        peak = np.where(bend < -1e-6, 0.5 * (before - after) / np.where(bend < -1e-6, bend, -1.0), 0.0)
        off_mm = steps_mm[inside][at] + _STEP_MM * peak.clip(-1, 1)
        noise = 1.4826 * np.median(np.abs(response), axis=1)
        there = here > np.maximum(_LEAST_LEVELS, 2.5 * noise)
        found = Strokes(px + (off_mm * lines.px_per_mm)[:, None] * lines.across_px, off_mm, there)
        score = float(here[there].sum())
        if best is None or score > best[0]:
            best = score, found
    assert best is not None
    return best[1]


def _ridge(seen: Profiles, wide: int) -> Floats:
    """(n, m): by how much a stroke of so many steps stands out from both its sides, at each place."""
    total = np.cumsum(np.pad(seen.astype(np.float64), ((0, 0), (1, 0))), axis=1)
    columns = np.arange(seen.shape[1])
    low = np.asarray(columns - wide / 2 + 0.5, np.float64)
    high = low + wide

    def mean(start: Floats, end: Floats) -> Floats:
        edge = seen.shape[1]
        a, b = np.clip(np.round(start).astype(int), 0, edge - 1), np.clip(np.round(end).astype(int), 1, edge)
        return np.asarray((total[:, b] - total[:, a]) / np.maximum(b - a, 1))

    centre, side = mean(low, high), max(2.0, 0.75 * wide)
    left, right = centre - mean(low - side, low), centre - mean(high, high + side)
    return np.asarray(np.maximum(np.minimum(left, right), np.minimum(-left, -right)).clip(0, None))


def _belongs(picture: Luma, camera: Camera, layout: Layout) -> tuple[float, float]:
    lines = PrintedLines.of(layout, camera, _SPACING_PX, _MOST)
    if len(lines) < _FEWEST:
        return 0.0, 0.0
    scale = float(np.median(lines.px_per_mm))

    def share(beside_mm: tuple[float, float]) -> float:
        strokes = find_strokes(picture, lines, 3 * _ON_MM, scale * np.array(beside_mm))
        return float((strokes.there & (np.abs(strokes.off_mm) < _ON_MM)).mean())

    return share((0.0, 0.0)), float(np.mean([share(aside) for aside in _ASIDE_MM]))


def _judged(
    picture: Luma, old: Camera, halves: list[Camera], whole: Camera, layout: Layout
) -> tuple[float, float]:
    """How far the lines lie from the old camera's, and from those of the half that was made without them."""
    lines = PrintedLines.of(layout, whole, _SPACING_PX, _MOST)
    strokes = find_strokes(picture, lines, _REACHES_MM[-1], np.zeros(2))
    good = strokes.there & (np.abs(strokes.off_mm) < _ON_MM)
    lines, seen_px = lines.only(good), strokes.px[good]

    def off(camera: Camera) -> Floats:
        apart = np.einsum("ij,ij->i", camera.project(lines.at_mm) - seen_px, lines.across_px)
        return np.asarray(np.nan_to_num(apart / lines.px_per_mm, nan=1e3))

    after = np.where(lines.path % 2 == 0, off(halves[1]), off(halves[0]))
    return float(np.sqrt(np.mean(off(old) ** 2))), float(np.sqrt(np.mean(after**2)))


def _far_from(camera: Camera, points: Sequence[Pair]) -> bool:
    """Whether a camera contradicts most of the points that were set by hand."""
    off = np.hypot(*(camera.project([p.mm for p in points]) - [p.px for p in points]).T)
    return bool(np.median(np.nan_to_num(off, nan=1e3)) > 0.0055 * np.hypot(camera.width_px, camera.height_px))


def _places(picture: Luma, camera: Camera, layout: Layout) -> tuple[Pair, ...]:
    """Points of lines that were seen, spread over the picture, as the camera shows them."""
    lines = PrintedLines.of(layout, camera, _SPACING_PX, _MOST)
    strokes = find_strokes(picture, lines, _REACHES_MM[-1], np.zeros(2))
    good = np.flatnonzero(strokes.there & (np.abs(strokes.off_mm) < _ON_MM))
    px = lines.px[good]
    chosen = [int(np.hypot(*(px - px.mean(axis=0)).T).argmax())]
    away = np.hypot(*(px - px[chosen[0]]).T)
    while len(chosen) < min(_POINTS, len(good)):
        chosen.append(int(away.argmax()))
        away = np.minimum(away, np.hypot(*(px - px[chosen[-1]]).T))
    at_mm = np.round(lines.at_mm[good[chosen]], 2)
    shown = camera.project(at_mm)
    return tuple(
        Pair((float(mm[0]), float(mm[1])), (float(p[0]), float(p[1])), f"printed line {number}")
        for number, (mm, p) in enumerate(zip(at_mm, shown, strict=True), 1)
    )
