"""How sure a rare event's rate is: the exact interval of Clopper and Pearson (Biometrika 26, 1934, 404-413).

It is never narrower than it says, however few were counted: what is said of a person errs on his side.
"""

from __future__ import annotations

import math

LEVEL = 0.95


def exact_interval(k: int, n: int, level: float = LEVEL) -> tuple[float, float]:
    """The shares that ``k`` of ``n`` leave open, lowest and highest; of nothing, 0 to 1.

    >>> [round(1000 * share, 2) for share in exact_interval(2, 1000)]
    [0.24, 7.21]
    """
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no share")
    if n == 0:
        return 0.0, 1.0
    tail = (1 - level) / 2
    low = 0.0 if k == 0 else _quantile(tail, k, n - k + 1)
    high = 1.0 if k == n else _quantile(1 - tail, k + 1, n - k)
    return low, high


def _quantile(p: float, a: float, b: float) -> float:
    """Where the beta distribution's integral reaches ``p``."""
    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        if _integral(middle, a, b) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _integral(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (DLMF 8.17.22)."""
    if x <= 0.0 or x >= 1.0:
        return min(1.0, max(0.0, x))
    if x > (a + 1) / (a + b + 2):
        return 1 - _integral(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        + a * math.log(x)
        + b * math.log1p(-x)
        - math.log(a)
    )
    return front * _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction 1/(1 + d1/(1 + d2/(1 + ...))), worked out from its front (Lentz's way)."""
    tiny = 1e-300
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, 2000):
        m, odd = divmod(step, 2)
        if odd:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1.0 / (1.0 + term * d or tiny)
        c = 1.0 + term / c or tiny
        value *= c * d
        if abs(c * d - 1.0) < 1e-14:
            break
    return 1 / value
