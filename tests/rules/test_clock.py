"""Moments as people read them."""

from __future__ import annotations

import pytest

from rules.clock import clock


@pytest.mark.parametrize(
    ("t", "shown"),
    [
        (0.0, "0:00.0"),
        (59.96, "1:00.0"),
        (72.34, "1:12.3"),
        (3671.0, "1:01:11.0"),
        (-1.0, "0:00.0"),
        (-1e308, "0:00.0"),
        (1e308, "277777:46:40.0"),
        (float("inf"), "277777:46:40.0"),
    ],
)
def test_the_clock(t: float, shown: str) -> None:
    assert clock(t) == shown
