"""``veedor admit``: what cameras see of each spot, and which rules that allows to judge."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer.testing import CliRunner

from tests.support.recording import write_recording
from veedor.admitting import Admission, admit
from veedor.cli import app
from veedor.config import Table, load_table, read_table_file
from veedor.importing import import_recording
from veedor.table_file import PointPair, dump
from vision.camera import Camera

RUN = CliRunner()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("admit")
    return load_table(import_recording(write_recording(folder / "clip"), folder / "table"))


def seen_by(
    table: Table, width_px: int, *, tilt_deg: float, across: float = 1.2, shift: float = 0.0
) -> Admission:
    """The test of the same table under another camera; ``across``: how much it shows, by the felt's width."""
    x0, y0, x1, y1 = table.layout.felt.bounds
    camera = Camera.looking_at(
        ((x0 + x1) / 2 + shift * (x1 - x0), (y0 + y1) / 2),
        distance_mm=2200,
        tilt_deg=tilt_deg,
        focal_px=width_px * 2200 / (across * (x1 - x0)),
        size_px=(width_px, round(width_px * 0.7)),
    )
    mm = np.concatenate([zone.corners_mm[:4] for zone in table.layout.zones])
    mm = mm[camera.in_view(mm)]
    points = tuple(
        PointPair(mm=(float(a[0]), float(a[1])), px=(float(b[0]), float(b[1])))
        for a, b in zip(mm, camera.project(mm), strict=True)
    )
    file = read_table_file(table.path)
    size = (camera.width_px, camera.height_px)
    part = file.cameras[0].model_copy(update={"points": points, "image_size": size, "lens": None})
    beside = table.path.with_name("other.yaml")
    dump(file.model_copy(update={"cameras": (part,)}), beside)
    return admit(load_table(beside))


def able(found: Admission) -> set[str]:
    return {rule.rule for rule in found.rules if rule.can}


def test_more_pixels_judge_more(table: Table) -> None:
    sharp, coarse = (seen_by(table, width, tilt_deg=40) for width in (3200, 400))
    assert all(spot.grade == "good" for spot in sharp.spots), sharp.spots
    assert able(coarse) < able(sharp)
    assert "PB-AND-PAY-01" in able(sharp) - able(coarse)
    card = {spot.spot: spot.card_px for spot in sharp.spots}["hand punto"]
    assert 60 < card < 160
    for one, other in zip(sharp.spots, coarse.spots, strict=True):
        assert one.card_px == pytest.approx(8 * other.card_px, rel=0.15)
        if one.error_mm is not None and other.error_mm is not None:
            assert one.error_mm < other.error_mm


def test_from_straight_above_no_stack_is_counted(table: Table) -> None:
    above = seen_by(table, 3200, tilt_deg=0)
    middle = min((s for s in above.spots if s.bets), key=lambda spot: spot.thick_px)
    assert middle.thick_px < 1.5
    assert middle.grade == "limited"
    paying = next(rule for rule in above.rules if rule.rule == "PB-AND-PAY-01")
    assert not paying.can
    assert "chips thinner than 1.5 px" in (paying.why or "")


def test_what_is_out_of_the_picture_is_blind(table: Table) -> None:
    aside = seen_by(table, 1600, tilt_deg=20, across=0.8, shift=0.45)
    blind = [spot for spot in aside.spots if spot.seen < 0.5]
    assert blind
    assert all(spot.grade == "blind" for spot in blind)
    assert any("out of the picture" in (rule.why or "") for rule in aside.rules)


def test_a_dark_picture_and_a_dazzled_spot_are_told(table: Table) -> None:
    camera = table.camera().camera
    image = np.zeros((camera.height_px, camera.width_px, 3), np.uint8)
    assert {spot.light for spot in admit(table, image).spots if spot.seen > 0} == {"dark"}
    image[:] = 90
    zone = table.layout.zones[0]
    cv2.fillPoly(image, [camera.project(zone.corners_mm).astype(np.int32)], (255, 255, 255))
    found = {spot.spot: spot.light for spot in admit(table, image).spots}
    assert found[str(zone.spot)] == "glare"
    assert list(found.values()).count("glare") == 1


def test_the_command(table: Table, tmp_path: Path) -> None:
    out = tmp_path / "spots.png"
    told = RUN.invoke(app, ["admit", str(table.path), "--out", str(out)], env={"COLUMNS": "160"})
    assert told.exit_code == 0, told.output
    assert "rules can be judged at" in told.output
    picture = cv2.imread(str(out))
    assert picture is not None
    assert picture.std() > 5
    document = json.loads(RUN.invoke(app, ["admit", str(table.path), "--json"]).output)
    assert document["format"] == "veedor.admission/1"
    assert {spot["spot"] for spot in document["spots"]} == {str(zone.spot) for zone in table.layout.zones}
