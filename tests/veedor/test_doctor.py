"""The doctor: says what is there, and what to do about what is wrong."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest
import yaml

from tests.support import handmade
from veedor.doctor import Check, as_json, examine
from veedor.store import Store


def named(checks: list[Check], name: str) -> Check:
    return next(check for check in checks if check.name.startswith(name))


@pytest.fixture
def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_what_is_installed_is_well(tmp_path: Path, free_port: int) -> None:
    checks = examine(state=tmp_path / "state", port=free_port)
    for name in ("Python", "av", "libGL", "OpenCV", "PyAV", "ONNX Runtime", "state directory", "port"):
        check = named(checks, name)
        assert check.well, check
        assert check.remedy is None
    assert not (tmp_path / "state").exists()
    assert "H.264" in named(checks, "PyAV").name


def test_every_problem_has_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "veedor.sqlite3").write_text("no database" * 200)
    table = handmade.write_table(tmp_path / "table")
    (tmp_path / "table" / handmade.LAYOUT).unlink()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        checks = examine(state=tmp_path, port=port, tables=[table], cameras=[str(tmp_path / "none.mp4")])
    for name in ("state directory", "port", "table", "camera"):
        check = named(checks, name)
        assert not check.well
        assert check.remedy
    document = json.loads(as_json(checks))
    assert (document["format"], document["well"]) == ("veedor.doctor/1", False)


def test_chips_of_almost_one_colour_are_told(tmp_path: Path, free_port: int) -> None:
    table = handmade.write_table(tmp_path / "table")
    document = yaml.safe_load(table.read_text(encoding="utf-8"))
    document["chips"]["set"][:2] = [{"value": 1, "rgb": "#b4141e"}, {"value": 5, "rgb": "#b81620"}]
    table.write_text(yaml.safe_dump(document), encoding="utf-8")
    checks = examine(state=tmp_path / "state", port=free_port, tables=[table])
    found = named(checks, "chips")
    assert (found.well, found.detail) == (False, "of Mesa 4: almost one colour: 1 and 5")
    assert "Enrol" in str(found.remedy)


def test_tables_cameras_and_the_store_are_opened(tmp_path: Path, free_port: int) -> None:
    table = handmade.write_table(tmp_path / "table")
    clip = handmade.write_clip(tmp_path / "clip.mp4", seconds=1)
    Store(tmp_path / "state").close()
    checks = examine(state=tmp_path / "state", port=free_port, tables=[table], cameras=[str(clip)])
    assert named(checks, "table").detail == "Mesa 4: punto_banco, camera main within 0.0 px"
    assert named(checks, "camera").detail == "640 x 360"
    assert named(checks, "state directory").detail.endswith("0 reviews")
