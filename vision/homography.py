"""Plane to picture: the homography of matched points, and the largest set of points that agree on one."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from vision.camera import Floats

Mask = NDArray[np.bool_]
_MAX_TRIES = 500


def fit_homography(from_xy: Floats, to_xy: Floats) -> Floats | None:
    """(3, 3) least-squares homography of (n, 2) to (n, 2) points, n >= 4; None if they do not fix one."""
    a, shift_a = _normalised(from_xy)
    b, shift_b = _normalised(to_xy)
    rows = np.zeros((2 * len(a), 9))
    rows[0::2, 0:2], rows[0::2, 2] = a, 1
    rows[1::2, 3:5], rows[1::2, 5] = a, 1
    rows[0::2, 6:8], rows[0::2, 8] = -b[:, :1] * a, -b[:, 0]
    rows[1::2, 6:8], rows[1::2, 8] = -b[:, 1:] * a, -b[:, 1]
    _, sizes, basis = np.linalg.svd(rows)
    if sizes[7] < 1e-6 * sizes[0]:
        return None
    found = np.linalg.solve(shift_b, basis[-1].reshape(3, 3)) @ shift_a
    weight = apply_weight(found, from_xy)
    if weight.mean() < 0:
        found = -found
    return np.asarray(found / np.abs(found[2, 2])) if abs(found[2, 2]) > 1e-12 else np.asarray(found)


def _normalised(points: Floats) -> tuple[Floats, Floats]:
    """Points moved and scaled to a unit cloud, and the (3, 3) matrix that did it."""
    middle = points.mean(axis=0)
    size = float(np.sqrt(np.mean(np.sum((points - middle) ** 2, axis=1)) / 2)) or 1.0
    matrix = np.array([[1 / size, 0, -middle[0] / size], [0, 1 / size, -middle[1] / size], [0, 0, 1.0]])
    return (points - middle) / size, matrix


def apply_weight(homography: Floats, points: Floats) -> Floats:
    """(n,): the third homogeneous coordinate of each mapped point; positive = before the camera."""
    return np.asarray(points @ homography[2, :2] + homography[2, 2])


def apply_homography(homography: Floats, points: Floats) -> Floats:
    """(n, 2) points through a homography; infinite for points that map behind."""
    weight = apply_weight(homography, points)
    mapped = points @ homography[:2, :2].T + homography[:2, 2]
    return np.where(weight[:, None] > 1e-9, mapped / np.where(weight > 1e-9, weight, 1)[:, None], np.inf)


def roundness(points: Floats) -> float:
    """How far points (n, 2) are from lying on a line: 0 = on one, 1 = as wide as long."""
    sizes = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return float(sizes[1] / sizes[0]) if len(sizes) > 1 and sizes[0] > 0 else 0.0


def _turn(points: Floats) -> Floats:
    """(4,): twice the signed area of each triangle of 4 points."""
    areas = []
    for i, j, k in itertools.combinations(range(4), 3):
        u, v = points[j] - points[i], points[k] - points[i]
        areas.append(u[0] * v[1] - u[1] * v[0])
    return np.array(areas)


def largest_agreement(from_xy: Floats, to_xy: Floats, within: float) -> tuple[Mask, bool] | None:
    """The largest set of matched points (n, 2) that one camera can have seen, to ``within`` units.

    Tries fours of points (all of them if few, else drawn with a fixed seed). Returns which points agree (n,)
    and whether the picture is mirrored against the plane; None if no four points fix a homography.
    """
    whole = fit_homography(from_xy, to_xy)
    if (
        whole is not None
        and np.linalg.norm(apply_homography(whole, from_xy) - to_xy, axis=1).max() < within / 2
    ):
        return np.ones(len(from_xy), np.bool_), bool(np.linalg.det(whole) < 0)
    best: tuple[int, float, Mask, bool] | None = None
    spread = float(np.ptp(from_xy, axis=0).prod()) or 1.0
    spread_to = float(np.ptp(to_xy, axis=0).prod()) or 1.0
    for four in _fours(len(from_xy)):
        index = np.array(four)
        flat, seen = _turn(from_xy[index]), _turn(to_xy[index])
        if np.abs(flat).min() < 0.01 * spread or np.abs(seen).min() < 0.002 * spread_to:
            continue
        sides = np.sign(flat * seen)
        if abs(sides.sum()) != 4:  # a camera sees every triangle turn the same way
            continue
        homography = fit_homography(from_xy[index], to_xy[index])
        if homography is None:
            continue
        off = np.linalg.norm(apply_homography(homography, from_xy) - to_xy, axis=1)
        agree = off < within
        if agree.sum() < 4:
            continue
        key = (int(agree.sum()), -float(off[agree].sum()))
        if best is None or key > best[:2]:
            best = (*key, agree, bool(sides[0] < 0))
    return None if best is None else (best[2], best[3])


def _fours(count: int) -> list[tuple[int, ...]]:
    if math.comb(count, 4) <= _MAX_TRIES:
        return list(itertools.combinations(range(count), 4))
    rng = np.random.default_rng(4)
    return [tuple(rng.choice(count, 4, replace=False).tolist()) for _ in range(_MAX_TRIES)]
