"""``veedor admit``: what cameras see of each spot, and which rules that allows to judge."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from dashboards.app import create_app
from datasets.layouts import path_of
from rules.spots import Area, Spot
from tests.support.recording import write_recording
from veedor.admission_page import examiner_of
from veedor.admitting import Admission, SpotSight, admit, rules_with
from veedor.calibrating import Pace
from veedor.cli import app
from veedor.config import Table, load_table, read_table_file
from veedor.importing import import_recording
from veedor.store import Store
from veedor.table_file import PointPair, ProfilePart, dump
from vision.camera import Camera
from vision.layout import Layout, takes_bets

RUN = CliRunner()


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("admit")
    return load_table(import_recording(write_recording(folder / "clip"), folder / "table"))


def seen_by(
    table: Table, width_px: int, *, tilt_deg: float, across: float = 1.2, shift: float = 0.0
) -> Admission:
    """The test of the same table under another camera; ``across``: how much it shows, by the felt's width."""
    return admit(placed_under(table, table.layout, width_px, tilt_deg, across=across, shift=shift))


def placed_under(
    table: Table,
    layout: Layout,
    width_px: int,
    tilt_deg: float,
    *,
    across: float = 1.2,
    shift: float = 0.0,
    changes: Mapping[str, object] = MappingProxyType({}),
) -> Table:
    """A table with this drawing under another camera, and other changes of its file."""
    x0, y0, x1, y1 = layout.felt.bounds
    camera = Camera.looking_at(
        ((x0 + x1) / 2 + shift * (x1 - x0), (y0 + y1) / 2),
        distance_mm=2200,
        tilt_deg=tilt_deg,
        focal_px=width_px * 2200 / (across * (x1 - x0)),
        size_px=(width_px, round(width_px * 0.7)),
    )
    mm = np.concatenate([zone.corners_mm[:4] for zone in layout.zones])
    mm = mm[camera.in_view(mm)]
    points = tuple(
        PointPair(mm=(float(a[0]), float(a[1])), px=(float(b[0]), float(b[1])))
        for a, b in zip(mm, camera.project(mm), strict=True)
    )
    file = read_table_file(table.path)
    size = (camera.width_px, camera.height_px)
    part = file.cameras[0].model_copy(update={"points": points, "image_size": size, "lens": None})
    beside = table.path.with_name("other.yaml")
    dump(file.model_copy(update={"cameras": (part,), **changes}), beside)
    return load_table(beside)


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


FELTS = {
    "punto_banco_uruguay": ("uruguay_1977", None),
    "chemin_de_fer": ("andorra_2016", None),
    "banque_deux_tableaux": ("andorra_2016", None),
    "no_discard_poker": ("andorra_2016", None),
    "trijoker": ("andorra_2016", None),
    "circle_poker": ("andorra_2016", None),
    "trente_et_quarante": ("spain_1979", None),
}


def of_game(table: Table, felt: str) -> Table:
    """A table of another game."""
    layout = Layout.read(path_of(felt))
    name, variant = FELTS[felt]
    profile = ProfilePart(name=name, variant=variant)
    changes = {"layout": str(path_of(felt)), "game": layout.game, "profile": profile}
    return placed_under(table, layout, 2000, 35, changes=changes)


def sights(table: Table, blind: Callable[[Spot], bool] = lambda _spot: False) -> tuple[SpotSight, ...]:
    """Everything seen perfectly, but for some spots not at all."""
    return tuple(
        SpotSight(
            spot=str(zone.spot),
            camera="main",
            seen=0.0 if blind(zone.spot) else 1.0,
            card_px=80,
            chip_px=60,
            thick_px=4,
            error_mm=0.5,
            too_close=0.1,
            light=None,
            bets=takes_bets(zone.spot),
            hand=zone.spot.area in (Area.HAND, Area.COMMUNITY),
        )
        for zone in table.layout.zones
    )


@pytest.mark.parametrize("felt", FELTS)
def test_every_game_asks_for_what_its_own_rules_see(table: Table, felt: str) -> None:
    other = of_game(table, felt)
    clear = rules_with(other, sights(other))
    assert not any(re.search(r" at \d+ spot", rule.why or "") for rule in clear)
    dark = {rule.rule: rule for rule in rules_with(other, sights(other, lambda _spot: True))}
    for rule in clear:
        assert dark[rule.rule].can == (rule.can and not rule.sees)
    cardless = {r.rule: r for r in rules_with(other, sights(other, lambda spot: spot.area is Area.HAND))}
    for rule in clear:
        assert cardless[rule.rule].can == (rule.can and not {"faces", "cards"} & set(rule.sees)), rule
    assert sum(rule.can for rule in clear) > sum(rule.can for rule in cardless.values()) > 0


def test_a_bank_that_is_not_seen_costs_only_what_needs_it(table: Table) -> None:
    other = of_game(table, "chemin_de_fer")
    clear = rules_with(other, sights(other))
    blind = {r.rule: r for r in rules_with(other, sights(other, lambda spot: spot.area is Area.BANK))}
    lost = {rule.rule for rule in clear if rule.can and not blind[rule.rule].can}
    assert lost == {rule.rule for rule in clear if rule.can and "bank" in rule.sees}
    assert lost


def test_slow_pictures_cost_the_hands(table: Table) -> None:
    quick, slow = ({r.rule: r for r in rules_with(table, sights(table), fps)} for fps in (15.0, 2.0))
    lost = {name for name, rule in quick.items() if rule.can and not slow[name].can}
    assert lost == {name for name, rule in quick.items() if rule.can and "hands" in rule.sees}
    assert lost


def test_a_slow_camera_and_an_uneven_clock_are_told(table: Table) -> None:
    odd = admit(table, pace=Pace(2.0, ("no pictures from 1.00 s to 1.90 s",)))
    assert any("quick hands are missed" in remark for remark in odd.remarks)
    assert odd.clock == ("no pictures from 1.00 s to 1.90 s",)
    assert "The clock: no pictures from 1.00 s to 1.90 s." in odd.remarks


def test_the_page_has_the_test_of_the_file_as_it_is(table: Table, tmp_path: Path) -> None:
    other = placed_under(table, table.layout, 1600, 40)
    camera = other.camera().camera
    still = tmp_path / "still.png"
    cv2.imwrite(str(still), np.full((camera.height_px, camera.width_px, 3), 90, np.uint8))
    examiner = examiner_of(other.path, str(still))
    found = examiner.admission()
    assert {spot.spot for spot in found.spots} == {str(zone.spot) for zone in table.layout.zones}
    assert found.fps is None
    assert examiner.picture()[:2] == b"\xff\xd8"
    before = {spot.spot: spot.card_px for spot in found.spots}
    dump(read_table_file(other.path).model_copy(update={"name": "another"}), other.path)
    os.utime(other.path, ns=(1, 1))
    assert examiner.admission().table == "another"
    assert {spot.spot: spot.card_px for spot in examiner.admission().spots} == before


def test_the_page_needs_no_picture(table: Table, tmp_path: Path) -> None:
    other = placed_under(table, table.layout, 1600, 40)
    store = Store(tmp_path / "state")
    examiner = examiner_of(other.path, None)
    client = TestClient(create_app(store, examiners=[examiner]), base_url="http://127.0.0.1")
    page = client.get(f"/admit/{examiner.key}").text
    assert "without a picture, nothing is known of glare and darkness" in page
    assert "/calibrate/" not in page
    assert client.get(f"/admit/{examiner.key}/picture.jpg").content[:2] == b"\xff\xd8"
    assert f'href="/admit/{examiner.key}"' in client.get("/").text
    store.close()


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
