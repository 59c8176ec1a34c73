"""Two cameras over one table: a rule can be judged if, for each thing it needs, one of them suffices."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.recording import write_recording
from veedor.admitting import Admission, admit
from veedor.config import Table, load_table, read_table_file
from veedor.importing import import_recording
from veedor.table_file import CameraPart, PointPair, dump
from vision.camera import Camera


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("admit")
    return load_table(import_recording(write_recording(folder / "clip"), folder / "table"))


def seen_by(table: Table, *names: str) -> Admission:
    """The test of a table under some of these cameras; ``aside`` sees only its right half."""
    x0, y0, x1, y1 = table.layout.felt.bounds
    middle, right = ((x0 + x1) / 2, (y0 + y1) / 2), (x1 + 0.1 * (x1 - x0), (y0 + y1) / 2)
    views = {"above": (middle, 2.0, 2100), "oblique": (middle, 52.0, 1900), "aside": (right, 45.0, 3600)}
    parts = []
    for name in names:
        target, tilt_deg, focal_px = views[name]
        camera = Camera.looking_at(
            target, distance_mm=2200, tilt_deg=tilt_deg, focal_px=focal_px, size_px=(1920, 1080), k1=-0.04
        )
        xs, ys = np.meshgrid(np.linspace(x0, x1, 9), np.linspace(y0, y1, 7))
        places = np.stack([xs.ravel(), ys.ravel()], axis=1)
        points = [
            PointPair(mm=(float(x), float(y)), px=(float(u), float(v)))
            for (x, y), (u, v) in zip(places, camera.project(places), strict=True)
            if 0 < u < 1920 and 0 < v < 1080
        ]
        parts.append(CameraPart(id=name, image_size=(1920, 1080), points=tuple(points)))
    path = table.path.parent / f"{'-'.join(names)}.yaml"
    dump(read_table_file(table.path).model_copy(update={"cameras": tuple(parts)}), path)
    return admit(load_table(path))


def able(found: Admission) -> set[str]:
    return {rule.rule for rule in found.rules if rule.can}


def test_each_need_may_be_met_by_another_camera(table: Table) -> None:
    above, oblique, both = (
        seen_by(table, "above"),
        seen_by(table, "oblique"),
        seen_by(table, "above", "oblique"),
    )
    assert able(above) | able(oblique) <= able(both)
    assert "PB-AND-PAY-01" not in able(above)
    assert "PB-AND-PAY-01" in able(both)
    for one, other, spot in zip(above.spots, oblique.spots, both.spots, strict=True):
        assert spot.thick_px == max(one.thick_px, other.thick_px)
        assert spot.card_px == max(one.card_px, other.card_px)
        if spot.bets:
            assert spot.error_mm is not None
            assert spot.error_mm < min(one.error_mm or 99, other.error_mm or 99)
            assert spot.camera == "above, oblique"


def test_a_camera_that_does_not_see_a_spot_takes_nothing_from_it(table: Table) -> None:
    oblique, both = seen_by(table, "oblique"), seen_by(table, "oblique", "aside")
    assert able(both) == able(oblique)
    unseen = {spot.spot for spot in both.spots if "," not in spot.camera}
    assert unseen
    for one, spot in zip(oblique.spots, both.spots, strict=True):
        if spot.spot in unseen:
            assert spot == one
