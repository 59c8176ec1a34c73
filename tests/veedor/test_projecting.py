"""From the felt to the picture: lines bend with the lens, a bet's base and doubt lie where it stands."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, Polygon

from datasets.layouts import path_of
from rules.events import ChipState, Realignment, Stack, ViewBack, ViewLost
from rules.journal import Header, Journal
from veedor.projecting import base_ring, make_felt, make_overlay
from vision.camera import Camera
from vision.layout import Layout
from vision.nudge import Nudge

LAYOUT = Layout.read(path_of("punto_banco_mini_half_lines"))
CAMERA = Camera.looking_at(
    (850, 370), distance_mm=2400, tilt_deg=40, azimuth_deg=12, focal_px=1500, size_px=(1280, 720), k1=-0.12
)


def journal(*stacks: Stack) -> Journal:
    return Journal(Header("t", "punto_banco"), (ChipState(seq=1, t=1.0, spot="seat 3 punto", stacks=stacks),))


def test_lines_are_drawn_as_the_lens_bends_them() -> None:
    overlay = make_overlay(journal(), "main", CAMERA, LAYOUT)
    assert {line.id for line in overlay.lines} == {line.id for line in LAYOUT.lines}
    for drawn, line in zip(overlay.lines, LAYOUT.lines, strict=True):
        for path in drawn.paths:
            back = CAMERA.felt_point(np.asarray(path))
            assert max(line.path.distance(Point(at)) for at in back) < 0.2
    assert any(len(path) > 4 for line in overlay.lines for path in line.paths)


def test_a_bets_doubt_lies_round_its_base() -> None:
    at = LAYOUT.zones[0].centre_mm
    known = Stack("s1", None, 3, at, error_mm=2.0)
    marks = make_overlay(
        journal(known, replace(known, stack="s2", error_mm=None)), "main", CAMERA, LAYOUT
    ).marks
    base, doubt = (Polygon(CAMERA.felt_point(np.asarray(ring))) for ring in (marks[0].base, marks[0].doubt))
    assert base.area == pytest.approx(np.pi * 19.75**2, rel=0.02)
    assert doubt.contains(base)
    assert base.centroid.distance(Point(at)) < 0.3
    # 2 mm in all directions together, and 95 of 100 places: between 2 and 5 mm beyond the base each way
    away = [base.exterior.distance(Point(point)) for point in doubt.exterior.coords]
    assert 1.0 < min(away) <= max(away) < 5.2
    assert marks[1].base
    assert marks[1].doubt == ()


def test_an_errors_ring_is_longer_where_the_error_is() -> None:
    ring = base_ring((0.0, 0.0), 10.0, np.diag([4.0, 0.25]))
    assert np.abs(ring).max(axis=0) == pytest.approx((10 + 2.45 * 2, 10 + 2.45 * 0.5), abs=0.01)


def test_what_lies_behind_the_camera_is_left_out() -> None:
    beside = Camera.looking_at(
        (850, 370), distance_mm=500, tilt_deg=80, azimuth_deg=0, focal_px=900, size_px=(1280, 720)
    )
    overlay = make_overlay(journal(), "main", beside, LAYOUT)
    points = [point for line in overlay.lines for path in line.paths for point in path]
    assert np.isfinite(points).all()


def test_the_felt_keeps_its_zones_and_lines() -> None:
    felt = make_felt(LAYOUT, 39.5, {5: "#b3302b"})
    assert [zone.spot for zone in felt.zones] == [str(zone.spot) for zone in LAYOUT.zones]
    assert {line.effect for line in felt.lines} == {"halves"}
    assert sum(zone.bets for zone in felt.zones) == sum(zone.spot.bet is not None for zone in LAYOUT.zones)


def test_a_moved_cameras_overlay_follows_it() -> None:
    turn = np.radians(1.5)
    view = (np.cos(turn), -np.sin(turn), 0.02, np.sin(turn), np.cos(turn), -0.01, 0.004, -0.006, 1.0)
    moved = Realignment(view=view, shift_px=40.0, turn_deg=1.5, zoom=1.0, residual_mm=0.2)
    events = (
        ViewLost(seq=1, t=3.0, reason="moved", camera="main"),
        ViewBack(seq=2, t=5.5, lost=1, realigned=moved),
        ViewLost(seq=3, t=6.0, reason="moved", camera="beside"),
        ViewBack(seq=4, t=9.0, lost=3, realigned=moved),
    )
    overlay = make_overlay(Journal(Header("t", "punto_banco"), events), "main", CAMERA, LAYOUT)
    (shift,) = overlay.shifts  # the other camera's move is not this one's
    assert shift.t == 5.5
    grid = np.asarray(shift.points).reshape(shift.rows, shift.columns, 2)
    felt = np.concatenate([CAMERA.project(zone.corners_mm) for zone in LAYOUT.zones])
    inside = felt[((felt >= 0) & (felt < (CAMERA.width_px, CAMERA.height_px))).all(axis=1)]
    right = Nudge(np.reshape(view, (3, 3))).px(CAMERA, inside)
    at = inside / (CAMERA.width_px, CAMERA.height_px) * (shift.columns - 1, shift.rows - 1)
    cell = np.floor(at).astype(int)
    u, v = (at - cell).T[..., None]
    x, y = cell.T
    drawn = (1 - v) * ((1 - u) * grid[y, x] + u * grid[y, x + 1])
    drawn += v * ((1 - u) * grid[y + 1, x] + u * grid[y + 1, x + 1])
    assert np.hypot(*(inside - right).T).min() > 10
    assert np.hypot(*(drawn - right).T).max() < 0.1
