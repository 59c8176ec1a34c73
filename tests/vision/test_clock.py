"""The clock: what becomes of every kind of bad timestamp."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.clock import AnomalyKind, Clock

stamps = st.lists(
    st.one_of(st.none(), st.floats(), st.floats(0, 1000), st.sampled_from([0.0, 0.04, 0.08, 1e9]))
)


@given(stamps, st.one_of(st.none(), st.floats(-1e6, 1e6)), st.one_of(st.none(), st.floats(-1, 100)))
def test_time_always_grows(raw: list[float | None], start: float | None, step: float | None) -> None:
    clock = Clock(start, step)
    times = [clock.tick(stamp) for stamp in raw]
    assert all(math.isfinite(t) and t >= 0 for t in times)
    assert all(later > earlier for earlier, later in pairwise(times))


@given(st.lists(st.floats(0.002, 0.9), min_size=1, max_size=50), st.floats(-1000, 1e6))
def test_good_stamps_are_kept(steps: list[float], start: float) -> None:
    clock = Clock(start, 0.04)
    t = 0.0
    assert clock.tick(start) == 0
    for step in steps:
        t += step
        assert clock.tick(start + t) == pytest.approx(t, abs=1e-6)
    assert clock.anomalies == []


@pytest.mark.parametrize(
    ("raw", "start", "times", "kinds"),
    [
        ([0.08, 0.12, 0.16], 0.08, [0, 0.04, 0.08], []),
        ([0.12, 0.16], 0.08, [0.04, 0.08], []),
        ([-0.004, 0.036], None, [0, 0.04], []),
        ([100.0, 100.04], 0.0, [0, 0.04], []),
        ([None, None, 5.0, 5.04], None, [0, 0.04, 0.08, 0.12], [AnomalyKind.MISSING]),
        ([0, None, 0.08], 0, [0, 0.04, 0.08], [AnomalyKind.MISSING]),
        ([0, 0.04, 0.04, 0.08], 0, [0, 0.04, 0.041, 0.08], [AnomalyKind.DUPLICATE]),
        ([0, 0.04, 0.02, 0.08], 0, [0, 0.04, 0.041, 0.08], [AnomalyKind.BACKWARDS]),
        ([0, 0.04, 7.0, 7.04], 0, [0, 0.04, 7.0, 7.04], [AnomalyKind.GAP]),
        ([50, 50.04, 3, 3.04], 50, [0, 0.04, 0.08, 0.12], [AnomalyKind.BACKWARDS]),
        ([0, 0.04, 1e6, 1e6 + 0.04], 0, [0, 0.04, 0.08, 0.12], [AnomalyKind.JUMP]),
        ([0, math.nan, 0.08], 0, [0, 0.04, 0.08], [AnomalyKind.MISSING]),
    ],
)
def test_outcomes(
    raw: list[float | None], start: float | None, times: list[float], kinds: list[AnomalyKind]
) -> None:
    clock = Clock(start, 0.04)
    assert [clock.tick(stamp) for stamp in raw] == pytest.approx(times, abs=1e-6)
    assert [anomaly.kind for anomaly in clock.anomalies] == kinds
    for anomaly in clock.anomalies:
        assert str(anomaly)
        assert anomaly.view_lost == (anomaly.kind is AnomalyKind.GAP)


def test_stuck_stamps_go_on_at_the_usual_step() -> None:
    clock = Clock(0, 0.04)
    times = [clock.tick(0.0) for _ in range(106)]
    assert times[-1] == pytest.approx(0.005 + 100 * 0.04)
    assert len(clock.anomalies) == 1
    assert clock.anomalies[0].count == 105


@pytest.mark.parametrize("step", [None, 0.0, 1e-90, -1.0, math.nan, math.inf])
def test_a_rate_that_is_none_is_not_believed(step: float | None) -> None:
    clock = Clock(None, step)
    assert [clock.tick(None), clock.tick(0.0), clock.tick(None)] == pytest.approx([0, 0.04, 0.08])


def test_a_slow_camera_has_no_gaps() -> None:
    clock = Clock(0, 2.0)
    for k in range(5):
        clock.tick(2.0 * k)
    assert clock.anomalies == []
