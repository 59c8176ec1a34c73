"""A calibration saved into a table file: what a technician wrote there stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.recording import write_recording
from veedor.config import read_table_file
from veedor.importing import import_recording
from veedor.table_edit import put_calibration
from veedor.table_file import PointPair, TableFile

POINTS = tuple(
    PointPair(name=f"corner {k}", mm=(100.0 * k, 50.5), px=(12.25 * k, 40.0 + k)) for k in range(6)
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return import_recording(write_recording(tmp_path / "clip"), tmp_path / "table")


def changed(path: Path) -> TableFile:
    file = read_table_file(path)
    camera = file.cameras[0].model_copy(update={"points": POINTS, "image_size": (1920, 1080)})
    return file.model_copy(update={"cameras": (camera, *file.cameras[1:])})


def save(path: Path) -> str:
    wanted = changed(path)
    put_calibration(path, wanted, wanted.cameras[0].id)
    assert read_table_file(path) == wanted
    return path.read_text()


def test_only_the_points_and_the_size_change(path: Path) -> None:
    text = path.read_text().replace("cameras:", "# Hung anew on Monday.\n\ncameras:  # above the float")
    text = text.replace("\nchips:", "\n# Counted by the pit boss.\nchips:")
    path.write_text(text)
    after = save(path)
    for comment in ("# Hung anew on Monday.", "# above the float", "# Counted by the pit boss."):
        assert comment in after
    keep = [line for line in text.splitlines() if "- {name:" not in line and "image_size:" not in line]
    now = [line for line in after.splitlines() if "- {name:" not in line and "image_size:" not in line]
    assert now == keep
    assert "  - {name: corner 2, mm: [200.0, 50.5], px: [24.5, 42.0]}" in after


def test_saving_twice_is_saving_once(path: Path) -> None:
    once = save(path)
    assert save(path) == once


def test_a_file_in_one_line_is_written_anew(path: Path) -> None:
    file = read_table_file(path)
    path.write_text(file.model_dump_json(exclude_none=True))
    save(path)


@pytest.mark.parametrize(
    ("point", "follows"),
    [
        ("      - mm: [1.0, 2.0]\n        px:\n          - 3.0\n          - 4.0  # the last\n", "# the last"),
        ("    - {mm: [1.0, 2.0], px: [3.0, 4.0]}   # set on Monday\n", "# set on Monday"),
        ("      [{mm: [1.0, 2.0], px: [3.0, 4.0]}, {mm: [5.0, 2.0],\n px: [3.0, 9.0]}] # all\n", "# all"),
    ],
)
def test_points_may_be_written_in_any_way(path: Path, point: str, follows: str) -> None:
    lines = path.read_text().splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if "- {name:" in line)
    rest = [line for line in lines[first:] if "- {name:" not in line]
    path.write_text("".join([*lines[:first], point, "      # before what follows\n", *rest]))
    assert len(read_table_file(path).cameras[0].points) >= 1
    after = save(path)
    assert follows in after
    assert "# before what follows" in after


def test_a_camera_without_points_gets_them(path: Path) -> None:
    kept = [line for line in path.read_text().splitlines() if "- {name:" not in line]
    path.write_text("\n".join(kept).replace("points:", "points: []  # not yet") + "\n")
    assert read_table_file(path).cameras[0].points == ()
    after = save(path)
    assert "corner 5" in after
    assert "# not yet" in after
