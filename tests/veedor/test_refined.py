"""``veedor calibrate`` and a review that refine by the printed lines, and refuse another felt's drawing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from rules.errors import VeedorError
from tests.support.drawn_felt import drawn_felt
from tests.support.recording import CAMERA, write_recording
from veedor.cli import app
from veedor.config import load_table, read_table_file
from veedor.corners import corners_of
from veedor.importing import import_recording
from veedor.refined import refined_table

RUN = CliRunner()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table with a picture of its felt beside it, still.png."""
    path = import_recording(write_recording(tmp_path / "clip"), tmp_path / "table")
    picture = drawn_felt(CAMERA, load_table(path).layout)
    cv2.imwrite(str(path.parent / "still.png"), picture)
    return path


def off_mm(path: Path) -> float:
    table = load_table(path)
    spots = np.array([zone.centre_mm for zone in table.layout.zones])
    found = table.camera().camera.felt_point(CAMERA.project(spots))
    return float(np.sqrt(np.mean(np.sum((found - spots) ** 2, axis=1))))


def set_roughly(path: Path) -> Path:
    rng = np.random.default_rng(6)
    corners = [c for c in corners_of(load_table(path).layout) if CAMERA.in_view([c.mm], 10)[0]][::5][:10]
    px = CAMERA.project([c.mm for c in corners]) + rng.normal(0, 2.0, (len(corners), 2))
    file = path.parent / "points.json"
    file.write_text(
        json.dumps([{"corner": c.name, "px": p.tolist()} for c, p in zip(corners, px, strict=True)])
    )
    return file


def test_calibrating_keeps_what_the_printed_lines_say(table: Path) -> None:
    run = ["calibrate", str(table), "--picture", str(table.parent / "still.png")]
    run += ["--points", str(set_roughly(table))]
    rough = RUN.invoke(app, [*run, "--no-refine"], env={"COLUMNS": "200"})
    assert rough.exit_code == 0, rough.output
    before = off_mm(table)
    done = RUN.invoke(app, run, env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    assert "refined by them" in done.output
    assert off_mm(table) < 0.5 < before
    points = read_table_file(table).cameras[0].points
    assert points[0].name == "printed line 1"


def test_a_review_refines_when_asked(table: Path) -> None:
    still = str(table.parent / "still.png")
    run = ["calibrate", str(table), "--picture", still, "--points", str(set_roughly(table)), "--no-refine"]
    assert RUN.invoke(app, run).exit_code == 0
    refined, (said,) = refined_table(load_table(table), {None: still})
    spots = np.array([zone.centre_mm for zone in refined.layout.zones])
    off = np.hypot(*(refined.camera().camera.felt_point(CAMERA.project(spots)) - spots).T)
    assert off.max() < 1.0
    assert said.startswith("Camera ")
    assert "% of the drawing's lines are where the points put them" in said


def test_another_felts_drawing_is_refused_and_nothing_written(table: Path) -> None:
    layout = load_table(table).layout
    other = layout.svg.replace('width="80" height="80"', 'width="52" height="61"')
    for y, elsewhere in (("240", "225"), ("335", "305"), ("430", "398"), ("60", "78")):
        other = other.replace(f'y="{y}"', f'y="{elsewhere}"')
    other = re.sub(r'x="(\d+\.\d+)"', lambda found: f'x="{float(found[1]) + 17}"', other)
    (table.parent / read_table_file(table).layout).write_text(other)
    kept = table.read_bytes()
    run = ["calibrate", str(table), "--picture", str(table.parent / "still.png")]
    failed = RUN.invoke(app, run)
    assert isinstance(failed.exception, VeedorError)
    assert "does not fit this picture: of its lines" in str(failed.exception)
    assert table.read_bytes() == kept
