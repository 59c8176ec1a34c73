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
_OPEN, _WIDEST = 0.24, 0.36
"""A foot whose usual error away from the camera is so many diameters is not told by edges alone: they may be
the top's. No error is taken to be larger than the second."""
_BESIDE = 1.6
"""So many radii about a place its outline and what is compared with it may reach."""
_CLEARLY = 4.0
"""At least so much must what changed say for the likeliest outline, natural logarithm."""
_UNLIKELY = 16.0
"""Places less likely than the likeliest by this, natural logarithm, are not looked at for edges."""
_FAINT = 10.0
"""A difference in colour that is no edge, levels."""
_ELSEWHERE_MM = 3.0
"""A picture whose foot lies so far from most others' has seen something else."""
_MOST_CHIPS = 12
"""So many heights are tried where the count is not known."""
_RARE, _NEVER, _TRIED_CHIPS = -5.0, -8.0, 8
"""Heights whose log probability is less than the first are tried up to so many chips only, where what changed
can tell of them; none is less likely than the second."""


@dataclass(frozen=True, slots=True)
class Trust:
    """How much likelier, natural logarithm, a foot is whose whole outline lies on edges: of its base's near
    half and its top's far half, in the picture and in what is ``new`` in it; and how much a count's log
    probability counts."""

    base: float
    top: float
    base_new: float
    top_new: float
    count: float


_CHANGED = Trust(base=6.2, top=14.1, base_new=6.5, top_new=6.4, count=1.0)
"""Where the felt before is at hand: the likeliest for the stacks of :mod:`vision.before`, like the next."""
_FAR_SHARE, _FAR_MM, _FAR_ACROSS, _REACH_RADII = 0.05, 30.0, (2.0, 0.3), (1.6, 0.8)
"""In such a part of stacks, before edges and changes are looked at, the reader took another thing for the
foot, mostly the top: so far off, usually, away from the camera; across it is so many times his error and so
many millimetres; and his count says nothing. So far places are tried, in radii."""


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """The middle of a stack's base on the felt, and the covariance (2, 2) of that in this picture, mm²."""

    at_mm: tuple[float, float]
    error: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Heights:
    """How high a stack may be: ``mm``, and ``log`` (n,), the log probability of each."""

    mm: tuple[float, ...]
    log: Floats


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
    high: Heights,
    empty: Image | None = None,
) -> Foot:
    """The foot of a stack that stands about ``at_mm``, to within ``error`` (2, 2), mm².

    ``image``: uint8 (H, W, 3) BGR, the camera's picture; ``high``: how high the stack may be;
    ``empty``: the same felt without it.
    """
    radius_mm = diameter_mm / 2
    ways = np.stack(directions(camera, at_mm))
    usual_mm = np.sqrt(np.maximum(1e-6, np.diag(ways @ error @ ways.T)))
    usual_mm = np.minimum(usual_mm, _WIDEST * diameter_mm)
    reach_mm = _WITHIN * usual_mm
    if empty is not None:
        reach_mm = np.maximum(np.minimum(reach_mm, 2 * radius_mm), np.multiply(_REACH_RADII, radius_mm))
    levels = high.mm
    patch = Patch.about(camera, at_mm, *margins(camera, at_mm, reach_mm, _BESIDE * radius_mm, levels))
    if patch is None:
        return Foot(at_mm, error)
    tried = _Tried.of(patch, reach_mm)
    shifts = [patch.lift(height) for height in levels]
    told = None if empty is None else change(patch, image, empty, radius_mm)
    log = tried.gauss(usual_mm) + np.where(high.log > _RARE, 0.0, -np.inf)[:, None, None]
    if told is not None:
        said = outlines(told[0], patch, radius_mm, levels, tried.window)
        if said.max() < _CLEARLY:
            told = None
        else:
            log = said + _as_changed(tried, usual_mm, high)
    if told is None and usual_mm[0] > _OPEN * diameter_mm:
        return Foot(at_mm, error)
    whole = log.max(axis=0)
    tried, part = tried.only(whole > whole.max() - _UNLIKELY)
    log = log[:, *part]
    radii_mm = radius_mm, radius_mm * patch.scale(float(np.mean(levels)))
    base, top = _edges(patch, patch.sample(patch.cut(image)), radii_mm, shifts, tried.window)
    if told is None:
        edges = _TRUST * base + _TRUST * _TOP_SHARE * top
    else:
        new = _edges(patch, told[1], radii_mm, shifts, tried.window)
        edges = _CHANGED.base * base + _CHANGED.base_new * new[0]
        edges = edges + _CHANGED.top * top + _CHANGED.top_new * new[1]
    log = np.logaddexp.reduce(log + edges, axis=0)
    p = np.exp(log - log.max())
    p /= p.sum()
    places = tried.places(patch)
    at = np.einsum("xy,xyi->i", p, places)
    apart = places - at
    moved = at - np.asarray(at_mm)
    left = np.einsum("xy,xyi,xyj->ij", p, apart, apart) + _OTHERS * error
    left += (_MOVED if told is None else _MOVED_BY_CHANGE) * np.outer(moved, moved)
    return Foot((float(at[0]), float(at[1])), np.asarray(left))


def _as_changed(tried: _Tried, usual_mm: Floats, high: Heights) -> Floats:
    """(heights, rows, columns): log probability of each place and height, with what the reader says of it,
    before what changed is asked."""
    near = tried.gauss(usual_mm) + math.log(1 - _FAR_SHARE)
    across_mm = _FAR_ACROSS[0] * usual_mm[1] + _FAR_ACROSS[1]
    far = tried.gauss(np.array([_FAR_MM, across_mm])) + math.log(_FAR_SHARE / _TRIED_CHIPS)
    return np.asarray(np.logaddexp(near + _CHANGED.count * high.log[:, None, None], far))


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


def heights(counts: Floats | None, chip_mm: float) -> Heights:
    """How high a stack may be, by the log probabilities (n,) of so many chips, from 0 on; None: they are not
    known."""
    if counts is None:
        every = range(1, _MOST_CHIPS + 1)
        return Heights(tuple(n * chip_mm for n in every), np.full(_MOST_CHIPS, -math.log(_MOST_CHIPS)))
    log = np.maximum(counts[1:] - np.logaddexp.reduce(counts[1:]), _NEVER)
    tried = [n for n in range(len(log)) if n < _TRIED_CHIPS or log[n] > _RARE]
    return Heights(tuple((n + 1) * chip_mm for n in tried), np.asarray(log[tried], np.float64))


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
        """(rows, columns): log likelihood of each place, by usual errors (2,) away and across."""
        away, across = self.u_mm[:, None] / usual_mm[0], self.v_mm[None, :] / usual_mm[1]
        return np.asarray(-0.5 * (away**2 + across**2) - math.log(usual_mm[0] * usual_mm[1]))

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
