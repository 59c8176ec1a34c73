"""Where the base of a stack stands, to a part of a pixel: its outline fitted to the edges in the picture.

The chip reader's network puts a foot to about a pixel, and knows roughly how sure it is. Here the places that
this leaves open are tried one by one: at the right one the near half of the base's circle lies on an edge of
the picture, and so does the far half of the top's, some chips' thicknesses higher. What is likely after that,
and how far apart it lies, is the foot and its error; a stack whose edges cannot be told from the felt keeps
those that it had. Where the same felt is known without the stack, the outline should hold what changed, too
(:mod:`vision.before`); then places are tried that the network took to be out of the question.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.before import change, lifted_by, outlines
from vision.camera import Camera, Floats
from vision.chip_geometry import Image
from vision.patch import Layers, Patch, Window, directions
from vision.rims import RING, crossed, margins

FOOT_AWAY, FOOT_ACROSS = 1.2, 0.7
"""Usual error of the reader's feet, away from the camera and across, by what the reader says it is: measured
by ``tests/bench/feet.py``."""
_NEAR, _FAR = 0.2, -0.2
"""The halves of the base's and the top's outline that are looked at: cosines of the angle from the camera."""
_TOP_SHARE = 0.6
"""What the top's outline counts beside the base's: chips of a stack do not lie exactly on one another."""
_TRUST = 12.0
"""How much likelier a place is whose whole outline lies on edges than one without any, natural logarithm.
Set, like the two below, so that feet lie within their errors as often as they should (docs/decisions.md)."""
_OTHERS, _MOVED, _MOVED_BY_CHANGE = 0.1, 0.3, 0.1
"""Edges may be another thing's: so much of the variance before, and of the square of the way that the foot
was moved, stays in the error; less of the latter where what changed moved it too."""
_WITHIN = 2.8
"""Places are tried within so many usual errors."""
_FAR_SHARE, _FAR_RADII, _REACH_RADII = 0.05, (0.8, 0.3), (1.6, 0.8)
"""With the felt before at hand: in such a part of stacks the foot is another than the reader says, usually so
far off then, away from the camera and across; so far places are tried, in radii."""
_HALOS_PX = (0.0, 1.0, 2.0)
"""Blur, compression and shadow may let what changed reach so far beyond the outline, all round."""
_BESIDE = 1.6
"""So many radii about a place its outline and what is compared with it may reach."""
_CLEARLY = 4.0
"""At least so much must what changed say for the likeliest outline, natural logarithm."""
_UNLIKELY = 11.0
"""Places less likely than the likeliest by this, natural logarithm, are not looked at for edges."""
_FAINT = 10.0
"""A difference in colour that is no edge, levels."""
_ELSEWHERE_MM = 3.0
"""A picture whose foot lies so far from most others' has seen something else."""
_MOST_CHIPS = 12
"""So many heights are tried where the count is not known."""


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """The middle of a stack's base on the felt, and the covariance (2, 2) of that in this picture, mm²."""

    at_mm: tuple[float, float]
    error: Floats


def reader_error(camera: Camera, at_mm: tuple[float, float], spread_mm: float) -> Floats:
    """(2, 2): covariance of a foot as the reader's network gives it, with the spread that it says; longer
    away from the camera than across."""
    away, across = directions(camera, at_mm)
    return np.asarray(
        (FOOT_AWAY * spread_mm) ** 2 * np.outer(away, away)
        + (FOOT_ACROSS * spread_mm) ** 2 * np.outer(across, across)
    )


def find_foot(
    image: Image,
    camera: Camera,
    at_mm: tuple[float, float],
    error: Floats,
    diameter_mm: float,
    heights_mm: Sequence[float],
    empty: Image | None = None,
) -> Foot:
    """The foot of a stack that stands about ``at_mm``, to within ``error`` (2, 2), mm².

    ``image``: uint8 (H, W, 3) BGR, the camera's picture; ``heights_mm``: how high the stack may be;
    ``empty``: the same felt without it.
    """
    radius_mm = diameter_mm / 2
    ways = np.stack(directions(camera, at_mm))
    usual_mm = np.sqrt(np.maximum(1e-6, np.diag(ways @ error @ ways.T)))
    reach_mm = _WITHIN * usual_mm
    if empty is not None:
        reach_mm = np.maximum(np.minimum(reach_mm, 2 * radius_mm), np.multiply(_REACH_RADII, radius_mm))
    patch = Patch.about(camera, at_mm, *margins(camera, at_mm, reach_mm, _BESIDE * radius_mm, heights_mm))
    if patch is None:
        return Foot(at_mm, error)
    tried = _Tried.of(patch, reach_mm)
    log = tried.gauss(usual_mm)
    by_height = np.zeros((len(heights_mm), *log.shape))
    shifts = [patch.lift(height) for height in heights_mm]
    told = False
    if empty is not None:
        says = change(patch, image, empty, radius_mm)
        radii = [(radius_mm + halo * patch.px_mm) / patch.step_mm for halo in _HALOS_PX]
        said = np.max([outlines(says, radius, shifts, tried.window) for radius in radii], axis=0)
        if told := bool(said.max() >= _CLEARLY):
            far = tried.gauss(np.multiply(_FAR_RADII, radius_mm))
            log = np.logaddexp(log + math.log(1 - _FAR_SHARE), far + math.log(_FAR_SHARE))
            by_height = said
    whole = log + by_height.max(axis=0)
    tried, part = tried.only(whole > whole.max() - _UNLIKELY)
    log, by_height = log[part], by_height[:, *part]
    top_mm = radius_mm * patch.scale(float(np.mean(heights_mm)))
    base, top = _edges(patch, patch.sample(patch.cut(image)), (radius_mm, top_mm), shifts, tried.window)
    log = log + _TRUST * base + np.logaddexp.reduce(by_height + _TRUST * _TOP_SHARE * top, axis=0)
    p = np.exp(log - log.max())
    p /= p.sum()
    places = tried.places(patch)
    at = np.einsum("xy,xyi->i", p, places)
    apart = places - at
    moved = at - np.asarray(at_mm)
    left = np.einsum("xy,xyi,xyj->ij", p, apart, apart) + _OTHERS * error
    left += (_MOVED_BY_CHANGE if told else _MOVED) * np.outer(moved, moved)
    return Foot((float(at[0]), float(at[1])), np.asarray(left))


def together(feet: Sequence[Foot]) -> Foot:
    """One foot from several pictures of one camera: the surer ones weigh more, and those that lie elsewhere
    than most count for nothing.

    Pictures of a stack that stands still share what puts a foot wrong (its colours, what is printed beside
    it, the light): of 1.26 mm² variance, 0.01 mm² differed between pictures with noise of their own. So the
    error does not become less by looking again; where they disagree, it is more.
    """
    places = np.array([foot.at_mm for foot in feet])
    middle = np.median(places, axis=0)
    off = np.hypot(*(places - middle).T)
    kept = off <= max(_ELSEWHERE_MM, float(np.median(off)))
    errors = np.array([foot.error for foot, keep in zip(feet, kept, strict=True) if keep])
    weights = 1 / np.maximum(1e-6, np.trace(errors, axis1=1, axis2=2))
    weights /= weights.sum()
    at = weights @ places[kept]
    apart = places[kept] - at
    error = np.tensordot(weights, errors, axes=1) + (weights[:, None] * apart).T @ apart
    return Foot((float(at[0]), float(at[1])), np.asarray(error, np.float64))


def heights(counts: Floats | None, chip_mm: float) -> list[float]:
    """How high a stack may be, mm, by the log probabilities of its counts (n,); None: they are not known."""
    if counts is None:
        return [n * chip_mm for n in range(1, _MOST_CHIPS + 1)]
    likely = [int(n) for n in np.flatnonzero(counts > counts.max() - 4.0) if n > 0]
    return [n * chip_mm for n in (likely or range(1, _MOST_CHIPS + 1))]


@dataclass(frozen=True, slots=True, eq=False)
class _Tried:
    """The places that are tried: a window of a patch, and how far from its middle they are, mm."""

    window: Window
    u_mm: Floats
    v_mm: Floats

    @classmethod
    def of(cls, patch: Patch, reach_mm: Floats) -> _Tried:
        rows, columns = (math.floor(each / patch.step_mm) for each in reach_mm)
        window = patch.row - rows, patch.row + rows + 1, patch.column - columns, patch.column + columns + 1
        u, v = np.arange(-rows, rows + 1), np.arange(-columns, columns + 1)
        return cls(window, u * patch.step_mm, v * patch.step_mm)

    def gauss(self, usual_mm: Floats) -> Floats:
        """(rows, columns): log probability of each place, by usual errors (2,) away and across."""
        log = -0.5 * ((self.u_mm[:, None] / usual_mm[0]) ** 2 + (self.v_mm[None, :] / usual_mm[1]) ** 2)
        return np.asarray(log - math.log(float(np.exp(log).sum())))

    def only(self, likely: NDArray[np.bool_]) -> tuple[_Tried, tuple[slice, slice]]:
        """The part of them that holds the likely ones."""
        rows, columns = np.flatnonzero(likely.any(axis=1)), np.flatnonzero(likely.any(axis=0))
        part = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
        top, _, left, _ = self.window
        window = top + part[0].start, top + part[0].stop, left + part[1].start, left + part[1].stop
        return _Tried(window, self.u_mm[part[0]], self.v_mm[part[1]]), part

    def places(self, patch: Patch) -> Floats:
        """(rows, columns, 2), mm."""
        along = self.u_mm[:, None, None] * patch.away + self.v_mm[None, :, None] * patch.across
        return np.asarray(patch.about_mm + along)


def _edges(
    patch: Patch, layers: Layers, radii_mm: tuple[float, float], shifts: Sequence[float], window: Window
) -> tuple[Floats, Floats]:
    """The part of a stack's outline that lies on edges, 0 to 1: of its base's near half (rows, columns), and
    of its top's far half, by its height (shifts, rows, columns). ``radii_mm``: theirs."""
    top, bottom, left, right = window
    first = math.floor(min(shifts))
    lifted = top + first, bottom + math.ceil(max(shifts)) + 1, left, right
    near = crossed(patch, layers, radii_mm[0], RING[:, 0] < _NEAR, window)
    far = crossed(patch, layers, radii_mm[1], RING[:, 0] > _FAR, lifted)
    edge = max(_FAINT, float(np.percentile(near, 85)))
    base, tops = (np.minimum(each / edge, 1).mean(axis=0, dtype=np.float64) for each in (near, far))
    return base, lifted_by(tops, [shift - first for shift in shifts], len(base))
