"""How far the probabilities that are given lie from how often they are right.

The expected calibration error: answers in ten bins by their probability, the mean distance between the bin's
mean probability and its share of right answers, weighted by the bin's size (Naeini, Cooper and Hauskrecht,
AAAI 2015).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veedor.score.tally import Figure

_BINS = 10
_DRAWS = 400


def calibration_error(p: Sequence[float], right: Sequence[bool]) -> Figure | None:
    """The expected calibration error, its interval by drawing answers again; None without any."""
    if not p:
        return None
    given, hit = np.array(p, float), np.array(right, float)
    rng = np.random.default_rng(len(p))
    drawn = [_error(given[rows], hit[rows]) for rows in rng.integers(0, len(p), (_DRAWS, len(p)))]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Figure(_error(given, hit), (float(low), float(high)), len(p))


def _error(p: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    number = np.minimum((p * _BINS).astype(int), _BINS - 1)
    gap = np.bincount(number, weights=p - right, minlength=_BINS)
    return float(np.abs(gap).sum() / len(p))
