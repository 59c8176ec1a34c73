"""``veedor calibrate``: how a camera's points fit in millimetres, what is wrong, and into the file."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from datasets.layouts import path_of, shipped
from rules.errors import VeedorError
from tests.support.recording import write_recording
from veedor.calibrating import read_points, solve
from veedor.cli import app
from veedor.config import load_table, read_table_file
from veedor.corners import Corner, corner_named, corners_of
from veedor.importing import import_recording
from vision.calibration import Pair
from vision.camera import Camera
from vision.layout import Layout

RUN = CliRunner()
SIZE = (1280, 720)


@pytest.fixture(scope="module")
def layout() -> Layout:
    return Layout.read(path_of("punto_banco_mini"))


@pytest.fixture(scope="module")
def camera(layout: Layout) -> Camera:
    x0, y0, x1, y1 = layout.frame_mm
    return Camera.looking_at(
        ((x0 + x1) / 2, (y0 + y1) / 2),
        distance_mm=1900,
        tilt_deg=35,
        focal_px=1100,
        size_px=SIZE,
        k1=-0.07,
    )


def seen(camera: Camera, corners: tuple[Corner, ...], count: int, noise_px: float = 0.3) -> list[Pair]:
    """Corners spread over the picture, as they are clicked."""
    rng = np.random.default_rng(4)
    inside = [c for c in corners if camera.in_view([c.mm], 10)[0]]
    chosen = [inside[0]]
    while len(chosen) < count:
        away = [min(np.hypot(*np.subtract(c.mm, d.mm)) for d in chosen) for c in inside]
        chosen.append(inside[int(np.argmax(away))])
    px = camera.project([c.mm for c in chosen]) + rng.normal(0, noise_px, (count, 2))
    return [Pair(c.mm, (float(x), float(y)), c.name) for c, (x, y) in zip(chosen, px, strict=True)]


@pytest.mark.parametrize("name", shipped())
def test_every_drawing_has_corners_with_names_of_their_own(name: str) -> None:
    corners = corners_of(Layout.read(path_of(name)))
    assert len(corners) >= 8
    assert len({corner.name for corner in corners}) == len(corners)
    mm = np.array([corner.mm for corner in corners])
    apart = np.hypot(*(mm[:, None] - mm[None]).transpose(2, 0, 1)) + 1e6 * np.eye(len(mm))
    assert apart.min() >= 3.0


def test_a_turned_box_has_its_four_names(layout: Layout) -> None:
    mine = {c.name: c.mm for c in corners_of(layout) if c.name.startswith("seat 1 punto, ")}
    left, right = mine["seat 1 punto, top left"], mine["seat 1 punto, bottom right"]
    assert left[1] < right[1]
    assert len(mine) == 4
    with pytest.raises(VeedorError, match="did you mean 'seat 1 punto, top left'"):
        corner_named(corners_of(layout), "seat 1 punto, topleft")


@pytest.mark.parametrize("count", [4, 6, 12])
def test_good_points_fit_to_a_millimetre(layout: Layout, camera: Camera, count: int) -> None:
    solution = solve(seen(camera, corners_of(layout), count), *SIZE, layout)
    assert solution.good
    assert solution.rms_mm < 1.0
    assert solution.lens == (count >= 6)
    middle = np.array([layout.felt.centroid.coords[0]])
    shown = solution.calibration.camera.felt_point(camera.project(middle))
    assert np.hypot(*(shown - middle)[0]) < (12.0 if count == 4 else 1.5)
    assert 0.1 < solution.open_mm < (40.0 if count == 4 else 5.0)


def test_a_point_that_is_a_little_off_is_named(layout: Layout, camera: Camera) -> None:
    points = seen(camera, corners_of(layout), 12)
    odd = points[5]
    points[5] = Pair(odd.mm, (odd.px[0] + 5, odd.px[1] + 3), odd.name)
    solution = solve(points, *SIZE, layout)
    assert not solution.good
    assert solution.advice[0].startswith(f"{odd.name} does not fit the others")


def test_exchanged_points_and_points_off_the_drawing_are_named(layout: Layout, camera: Camera) -> None:
    points = seen(camera, corners_of(layout), 10)
    a, b = points[2], points[6]
    points[2], points[6] = Pair(a.mm, b.px, a.name), Pair(b.mm, a.px, b.name)
    with pytest.raises(VeedorError, match="exchanged") as told:
        solve(points, *SIZE, layout)
    assert a.name in str(told.value)
    points[2] = Pair((9000.0, 10.0), a.px, "far away")
    with pytest.raises(VeedorError, match=r"far away .* not on the drawing"):
        solve(points, *SIZE, layout)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "too deep to be read"),
        ("[1]", "something wrong at points.0"),
        ('[{"px": [1, 2]}]', "needs either a corner's name or its mm"),
        ('[{"corner": "nowhere", "px": [1, 2]}]', "no corner 'nowhere'"),
        ('[{"mm": [1, 2], "px": [1, 2], "mn": 1}]', "something wrong at points.0.mn"),
        ('[{"mm": [1, NaN], "px": [1, 2]}]', "something wrong"),
    ],
)
def test_points_files_that_are_none(layout: Layout, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "points.json"
    file.write_text(text)
    with pytest.raises(VeedorError, match=said):
        read_points(file, corners_of(layout))


def test_the_command_writes_the_points(tmp_path: Path) -> None:
    table = import_recording(write_recording(tmp_path / "clip"), tmp_path / "table")
    before = load_table(table)
    camera = before.camera().camera
    still = tmp_path / "still.png"
    cv2.imwrite(str(still), np.full((camera.height_px, camera.width_px, 3), 60, np.uint8))
    points = seen(camera, corners_of(before.layout), 8, 0.1)
    file = tmp_path / "points.json"
    file.write_text(json.dumps([{"corner": p.name, "px": p.px} for p in points]))
    run = ["calibrate", str(table), "--picture", str(still), "--points", str(file)]
    old = table.read_bytes()
    assert RUN.invoke(app, [*run, "--dry-run"]).exit_code == 0
    assert table.read_bytes() == old
    result = RUN.invoke(app, [*run, "--out", str(tmp_path / "check.jpg")], env={"COLUMNS": "200"})
    assert result.exit_code == 0, result.output
    assert "8 points fit to 0." in result.output
    written = read_table_file(table).cameras[0].points
    assert [point.name for point in written] == [p.name for p in points]
    assert "# The cameras over the table." in table.read_text()
    after = load_table(table).camera().camera
    place = np.array([before.layout.zones[0].centre_mm])
    assert np.hypot(*(after.project(place) - camera.project(place))[0]) < 1.0
    picture = cv2.imread(str(tmp_path / "check.jpg"))
    assert picture is not None
    assert picture.std() > 5

    file.write_text(json.dumps([{"corner": p.name, "px": p.px} for p in points[:3]]))
    kept = table.read_bytes()
    failed = RUN.invoke(app, run)
    assert "4 are the least" in str(failed.exception)
    assert table.read_bytes() == kept
