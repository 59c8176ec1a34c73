"""What the calibration page asks of the server, and what is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from dashboards.app import create_app
from tests.support.recording import write_recording
from veedor.bench import CalibrationBench, bench_of
from veedor.config import load_table
from veedor.importing import import_recording
from veedor.store import Store


@pytest.fixture
def bench(tmp_path: Path) -> CalibrationBench:
    table = import_recording(write_recording(tmp_path / "clip"), tmp_path / "table")
    camera = load_table(table).camera().camera
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((camera.height_px, camera.width_px, 3), np.uint8))
    return bench_of(table, str(tmp_path / "a.png"))


@pytest.fixture
def client(bench: CalibrationBench, tmp_path: Path) -> Iterator[TestClient]:
    store = Store(tmp_path / "state")
    app = create_app(store, [dataclasses.replace(bench, key="mesa")])
    with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as client:
        yield client
    store.close()


def test_it_begins_with_the_points_of_the_file(client: TestClient) -> None:
    assert "Calibrate" in client.get("/calibrate/mesa").text
    start = client.get("/api/calibrate/mesa").json()
    assert start["fit"]["solved"]
    assert len(start["points"]) == len(start["fit"]["residuals"]) >= 4
    assert start["fit"]["rms_mm"] < 2
    assert client.get("/api/calibrate/mesa/still.jpg").content[:2] == b"\xff\xd8"


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_with_few_points_the_drawing_follows_roughly(client: TestClient, count: int) -> None:
    points = client.get("/api/calibrate/mesa").json()["points"]
    points = (points[:2] + points[-1:])[:count]
    fit = client.post("/api/calibrate/mesa/fit", json={"points": points}).json()
    assert not fit["solved"]
    shown = {corner["name"]: corner["px"] for corner in fit["corners"]}
    for point in points:  # it goes through what was placed: exactly up to two points, then nearly
        assert np.hypot(*np.subtract(shown[point["corner"]], point["px"])) < 1.0
    refused = client.post("/api/calibrate/mesa/points", json={"points": points})
    assert "4 are the least" in refused.json()["detail"]


def test_what_is_refused(client: TestClient, bench: CalibrationBench) -> None:
    before = bench.path.read_bytes()
    assert client.get("/calibrate/other").status_code == 404
    form = client.post("/api/calibrate/mesa/points", content='{"points": []}')
    assert form.status_code == 415
    unknown = {"points": [{"corner": "nowhere", "px": [1, 2]}]}
    assert "no corner 'nowhere'" in client.post("/api/calibrate/mesa/fit", json=unknown).json()["detail"]
    points = client.get("/api/calibrate/mesa").json()["points"]
    mixed = [{"corner": p["corner"], "px": [bench.width_px - p["px"][0], p["px"][1]]} for p in points]
    fit = client.post("/api/calibrate/mesa/fit", json={"points": mixed}).json()
    assert not fit["solved"]
    assert client.post("/api/calibrate/mesa/points", json={"points": mixed}).status_code >= 400
    assert bench.path.read_bytes() == before
