"""Calibration: the camera, from points of the layout and the pixels where they were seen.

A plane seen once fixes where every millimetre of felt is, but says little of the camera's height and focal
length apart when it looks nearly straight down. So the principal point is taken to be the picture's centre,
pixels square, and focal length and lens are held loosely to what surveillance cameras have; the points
outweigh this wherever they have something to say.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from vision.camera import Camera, Floats
from vision.errors import CalibrationError
from vision.homography import Mask, fit_homography, largest_agreement, roundness
from vision.position import CameraError, camera_error

_USUAL_FOCAL = 1.1
"""Focal length by picture width: 49 degrees across."""
_FOCAL_SPREAD = 0.5
"""Spread of its logarithm: two thirds of cameras have 31 to 74 degrees."""
_K1_SPREAD, _K2_SPREAD = 0.2, 0.1


@dataclass(frozen=True, slots=True)
class Pair:
    """One calibration point: a place on the layout, mm, and the pixel where the camera shows it."""

    mm: tuple[float, float]
    px: tuple[float, float]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Lens:
    """What is known of the lens beforehand; None is found from the points."""

    focal_px: float | None = None
    k1: float | None = None
    k2: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A camera and how well it fits. ``rms_px``: root mean square distance between points and camera;
    ``worst``: the name of the point that fits least, ``worst_px`` away; ``n``: points; ``doubts``: sentences
    on what would make it better; ``error``: what the points leave open of the camera, None: not known."""

    camera: Camera
    rms_px: float
    worst: str
    worst_px: float
    n: int
    doubts: tuple[str, ...] = ()
    error: CameraError | None = None


def calibrate(
    points: Sequence[Pair | tuple[tuple[float, float], tuple[float, float]]],
    width_px: int,
    height_px: int,
    *,
    lens: Lens | Literal["auto"] = "auto",
) -> Calibration:
    """Find the camera that saw these points of the felt. Four are the least; eight or more, up to the corners
    of the picture, are better: only six or more show the lens.

    Raises CalibrationError: too few points, points on one line, mirrored, mistyped or exchanged ones; the
    sentence names the points and says what to do.
    """
    pairs = [p if isinstance(p, Pair) else Pair(p[0], p[1]) for p in points]
    pairs = [p if p.name else Pair(p.mm, p.px, f"point {i}") for i, p in enumerate(pairs, 1)]
    known = Lens() if lens == "auto" else lens
    mm = np.array([p.mm for p in pairs], np.float64).reshape(-1, 2)
    px = np.array([p.px for p in pairs], np.float64).reshape(-1, 2)
    _check_points(pairs, mm, px, width_px, height_px)
    fit = _Fit(mm, px, width_px, height_px, known)
    agreed = largest_agreement(mm, px, 0.015 * fit.diagonal)
    if agreed is None:
        raise CalibrationError(_disagreement(pairs, mm))
    inliers, mirrored = agreed
    if mirrored:
        raise CalibrationError(
            "The calibration points are mirrored: no camera above the table can see them so. On the drawing x"
            " runs to the right and y from the dealer's edge to the players; check that neither is counted"
            " from the wrong side."
        )
    camera = fit.solve(inliers)
    for _ in range(4):
        off = fit.distances(camera)
        now = off < max(fit.tolerance, 5 * _sigma(off[inliers]))
        if now.sum() < 4 or (now == inliers).all():
            break
        inliers = now
        camera = fit.solve(inliers)
    off = fit.distances(camera)
    if not inliers.all() or off.max() > fit.tolerance:
        raise CalibrationError(_culprits(pairs, camera, inliers & (off <= fit.tolerance), off, fit.tolerance))
    worst = int(off.argmax())
    return Calibration(
        camera,
        float(np.sqrt(np.mean(off**2))),
        pairs[worst].name,
        float(off[worst]),
        len(pairs),
        _doubts(px, width_px, height_px, off),
        camera_error(
            camera,
            mm,
            px,
            known_focal=known.focal_px is not None,
            known_k1=known.k1 is not None,
            known_k2=known.k2 is not None,
        ),
    )


def _sigma(off: Floats) -> float:
    return 1.4826 * float(np.median(off)) if len(off) else 0.0


class _Fit:
    """The least-squares problem for one picture's points."""

    def __init__(self, mm: Floats, px: Floats, width_px: int, height_px: int, lens: Lens) -> None:
        self.mm, self.px, self.lens = mm, px, lens
        self.size = (width_px, height_px)
        self.diagonal = float(np.hypot(width_px, height_px))
        self.tolerance = max(4.0, 0.0055 * self.diagonal)
        """Pixels: 8 in a picture of 1280 x 720. No one clicks that far off by hand."""

    def distances(self, camera: Camera) -> Floats:
        """(n,): how far the camera shows each point from its pixel; large if it cannot show it."""
        off = np.linalg.norm(camera.project(self.mm) - self.px, axis=1)
        return np.asarray(np.nan_to_num(off, nan=10 * self.diagonal))

    def solve(self, use: Mask) -> Camera:
        """The most likely camera for the points ``use`` (n,)."""
        mm, px = self.mm[use], self.px[use]
        homography = fit_homography(mm, px)
        if homography is None:
            raise CalibrationError(_LINE)
        noise = 0.5
        starts = sorted(
            self._starts(homography, mm), key=lambda camera: float(np.sum(self.distances(camera)[use] ** 2))
        )
        best = min((self._refine(mm, px, start, noise) for start in starts[:2]), key=lambda found: found[1])[
            0
        ]
        for _ in range(2):
            rest = np.nan_to_num(best.project(mm) - px, nan=10 * self.diagonal)  # points behind the camera
            free = max(1.0, rest.size - 7.0)
            noise = float(np.clip(np.sqrt(np.sum(rest**2) / free), 0.05, 5.0))
            best = self._refine(mm, px, best, noise)[0]
        return best

    def _starts(self, homography: Floats, mm: Floats) -> list[Camera]:
        """Cameras of several focal lengths that see the plane about so."""
        width, height = self.size
        focals = [width * f for f in (0.5, 0.8, 1.2, 1.8, 3.0)]
        if self.lens.focal_px:
            focals = [self.lens.focal_px]
        return [_pose(homography, focal, width, height, mm) for focal in focals]

    def _refine(self, mm: Floats, px: Floats, start: Camera, noise: float) -> tuple[Camera, float]:
        width = self.size[0]
        free_k1 = self.lens.k1 is None and len(mm) >= 6
        free_k2 = self.lens.k2 is None and len(mm) >= 8
        scale = float(np.linalg.norm(start.translation_mm))

        def build(x: Floats) -> Camera:
            turn = Rotation.from_rotvec(x[:3]).as_matrix()
            focal = self.lens.focal_px or float(np.exp(np.clip(x[6], -2, 3))) * width
            matrix = np.array([[focal, 0, self.size[0] / 2], [0, focal, self.size[1] / 2], [0, 0, 1.0]])
            # the pose turns about the middle of the points, so that turn and shift stay independent
            middle = np.array([*mm.mean(axis=0), 0.0])
            seen = start.rotation @ middle + start.translation_mm
            rotation = turn @ start.rotation
            shift = seen + scale * x[3:6] - rotation @ middle
            k1 = float(x[7]) if free_k1 else (self.lens.k1 or 0.0)
            k2 = float(x[8]) if free_k2 else (self.lens.k2 or 0.0)
            return Camera(matrix, rotation, shift, k1, k2, *self.size)

        def wrong(x: Floats) -> Floats:
            rest = (build(x).project(mm) - px) / noise
            rest = np.nan_to_num(rest, nan=10 * self.diagonal / noise)
            prior = np.array(
                [
                    (x[6] - np.log(_USUAL_FOCAL)) / _FOCAL_SPREAD,
                    x[7] / _K1_SPREAD,
                    x[8] / _K2_SPREAD,
                ]
            )
            return np.concatenate([rest.ravel(), prior])

        first = np.zeros(9)
        first[6] = np.log(start.matrix[0, 0] / width)
        first[7], first[8] = start.k1, start.k2
        found = least_squares(wrong, first, method="trf", x_scale="jac", max_nfev=200)
        return build(found.x), float(found.cost)


def _pose(homography: Floats, focal: float, width: int, height: int, mm: Floats) -> Camera:
    """The camera of this focal length whose view of the felt is nearest to a homography."""
    matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1.0]])
    columns = np.linalg.solve(matrix, homography)
    columns /= np.sqrt(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1]))
    if (np.c_[mm, np.ones(len(mm))] @ columns[2]).mean() < 0:
        columns = -columns
    axes = np.stack([columns[:, 0], columns[:, 1], -np.cross(columns[:, 0], columns[:, 1])], axis=1)
    u, _, v = np.linalg.svd(axes)
    rotation = u @ v
    if np.linalg.det(rotation) > 0:
        rotation = u @ np.diag([1.0, 1.0, -1.0]) @ v
    return Camera(matrix, rotation, columns[:, 2], 0.0, 0.0, width, height)


_LINE = (
    "The calibration points lie on one line, which leaves the camera's view of the felt open: add points on"
    " other parts of the layout, best near the four corners of the picture."
)


def _check_points(pairs: list[Pair], mm: Floats, px: Floats, width: int, height: int) -> None:
    if len(pairs) < 4:
        raise CalibrationError(
            f"There are {len(pairs)} calibration points, and 4 are the least: add more, best 8 or more spread"
            " over the whole picture."
        )
    for pair in pairs:
        if not np.isfinite([*pair.mm, *pair.px]).all():
            raise CalibrationError(
                f"The calibration point {pair.name} has a number that is none: correct it."
            )
        margin = 0.1 * max(width, height)
        x, y = pair.px
        if not (-margin <= x <= width + margin and -margin <= y <= height + margin):
            raise CalibrationError(
                f"The calibration point {pair.name} has the pixel ({x:g}, {y:g}), outside the picture of"
                f" {width} x {height}: correct it, or the image size of the camera."
            )
    for i, j in itertools.combinations(range(len(pairs)), 2):
        same_mm, same_px = np.hypot(*(mm[i] - mm[j])) < 0.5, np.hypot(*(px[i] - px[j])) < 0.25
        if same_mm != same_px and (same_px or np.hypot(*(px[i] - px[j])) > 4):
            where = "place on the layout but different pixels" if same_mm else "pixel but different places"
            raise CalibrationError(
                f"The calibration points {pairs[i].name} and {pairs[j].name} have the same {where}:"
                " correct one."
            )
    if len({(round(x, 1), round(y, 1)) for x, y in mm}) < 4:
        raise CalibrationError(
            "There are fewer than 4 different calibration points: add more, spread over the whole picture."
        )
    if roundness(mm) < 0.02 or roundness(px) < 0.01:
        raise CalibrationError(_LINE)


def _disagreement(pairs: list[Pair], mm: Floats) -> str:
    """No four points can be seen so by a camera: which to look at."""
    if roundness(mm) < 0.06:
        return _LINE
    names = ", ".join(pair.name for pair in pairs) if len(pairs) <= 6 else f"all {len(pairs)}"
    return (
        f"No camera can see the calibration points so ({names}): two are exchanged, or three of them lie on"
        " one line. Go round the points once more, and add some, so that a wrong one can be told from the"
        " right ones."
    )


def _culprits(pairs: list[Pair], camera: Camera, good: Mask, off: Floats, tolerance: float) -> str:
    """Which points are wrong, and how, given the camera of the others."""
    bad = [int(i) for i in np.argsort(-off) if not good[i]]
    n = len(pairs)
    if n < 8 and (n < 6 or len(bad) > 1):
        suspect = pairs[int(off.argmax())].name
        return (
            f"The {n} calibration points do not fit one camera: {suspect} is off by {off.max():.0f} pixels."
            f" Check {suspect} first, then the others; with 8 or more points the wrong one can be named."
        )
    if len(bad) > n - 6:
        return (
            f"{len(bad)} of the {n} calibration points do not fit the camera that the others give: check that"
            " they are of this layout and of this camera's picture, and that the image size is right."
        )
    shown = camera.project(np.array([pairs[i].mm for i in bad]))
    for a, b in itertools.combinations(range(len(bad)), 2):
        i, j = bad[a], bad[b]
        if max(np.hypot(*(shown[a] - pairs[j].px)), np.hypot(*(shown[b] - pairs[i].px))) < tolerance:
            return (
                f"The calibration points {pairs[i].name} and {pairs[j].name} are exchanged: each has the"
                " other's pixel. Exchange the two pixels."
            )
    first = pairs[bad[0]]
    x, y = shown[0]
    hint = " Its two numbers are exchanged." if np.hypot(x - first.px[1], y - first.px[0]) < tolerance else ""
    others = f" Also wrong: {', '.join(pairs[i].name for i in bad[1:])}." if len(bad) > 1 else ""
    seen = f"({x:.0f}, {y:.0f})" if np.isfinite(x) else "outside the picture"
    return (
        f"The calibration point {first.name} does not fit the others: its pixel is ({first.px[0]:g},"
        f" {first.px[1]:g}), and they put it at {seen}.{hint} Correct it, or its place on the layout"
        f" ({first.mm[0]:g}, {first.mm[1]:g}) mm.{others}"
    )


def _doubts(px: Floats, width: int, height: int, off: Floats) -> tuple[str, ...]:
    found = []
    spread = np.ptp(px, axis=0) / [width, height]
    if len(px) < 8:
        found.append(
            f"There are only {len(px)} calibration points: with 8 or more the lens is found and a mistake is"
            " named."
        )
    if spread.min() < 0.4:
        found.append(
            "The calibration points cover only a part of the picture: add some near its edges, else the lens"
            " and the far parts of the felt are guessed."
        )
    if off.max() > 3 * 0.001 * width and off.max() > 2.5:
        found.append("The calibration points fit only roughly: measure the worst ones again.")
    return tuple(found)
