"""Importing a recording: what is taken from its truth, what never is, and what is said of foreign files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rules.cards import Face
from rules.errors import VeedorError
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.spots import Spot, bet_spot, hand_spot
from tests.support.recording import CAMERA, felt_svg, truth, write_recording
from veedor.config import load_table
from veedor.importing import convert_layout, import_recording, zone_spot
from vision.layout import Layout


def test_takes_what_a_technician_knows(tmp_path: Path) -> None:
    table = load_table(import_recording(write_recording(tmp_path / "clip"), tmp_path / "out"))
    assert table.name == "clip_7"
    assert table.profile.title == "andorra_2016/mini"
    assert table.profile.half_lines == {"punto", "banca"}
    assert isinstance(table.profile, PuntoBancoProfile)
    assert table.profile.initial_face is Face.UP
    assert table.profile.rounding.unit == 5
    assert table.layout.seats == (1, 2, 3)
    assert (table.chips.diameter_mm, table.chips.height_mm, table.chips.values) == (40.0, 3.5, (5, 25, 100))
    assert table.chips.chips[2].rgb == (16, 16, 24)
    assert (table.deck.indices, table.deck.size_mm) == (False, (58.0, 89.0))
    felt = np.array([[500.0, 250.0], [200.0, 400.0]])
    assert table.camera().camera.project(felt) == pytest.approx(CAMERA.project(felt), abs=0.5)


def test_takes_nothing_that_only_the_truth_knows(tmp_path: Path) -> None:
    target = import_recording(write_recording(tmp_path / "clip"), tmp_path / "out")
    written = "".join(file.read_text() for file in sorted(tmp_path.joinpath("out").iterdir()))
    for secret in ("TD", "12345", "54321", "underpaid", "chips_placed", "tilt", "secret-deck"):
        assert secret not in written
    assert str(round(float(CAMERA.translation_mm[2]), 2)) not in written
    assert target.name == "table.yaml"
    other = write_recording(tmp_path / "clip", round={}, error=None, events=[])
    again = import_recording(other, tmp_path / "again")
    assert again.read_bytes() == target.read_bytes()


@pytest.mark.parametrize(
    ("seats", "variant"),
    [(1, "mini"), (7, "mini"), (8, "midi"), (9, "midi"), (10, "full")],
)
def test_the_kind_of_table_follows_its_seats(tmp_path: Path, seats: int, variant: str) -> None:
    clip = write_recording(tmp_path / "clip", felt_svg(seats))
    assert load_table(import_recording(clip, tmp_path / "out")).profile.variant == variant


def test_drawings_without_marked_lines_have_them_on_punto_and_banca() -> None:
    layout = Layout.parse(convert_layout(felt_svg(half_lines=False), "felt.svg"))
    assert {line.id for line in layout.lines} == {
        f"seat {seat} {bet}:outline" for seat in (1, 2, 3) for bet in ("punto", "banca")
    }


def test_a_drawing_with_spots_is_left_as_it_is() -> None:
    ours = convert_layout(felt_svg(), "felt.svg")
    assert convert_layout(ours, "felt.svg") == ours
    assert Layout.parse(ours).zone(hand_spot("banca")) is not None


@pytest.mark.parametrize(
    ("zone", "spot"),
    [
        ("seat3-punto", bet_spot(3, "punto")),
        ("Seat_12_empate", bet_spot(12, "empate")),
        ("cards-banca", hand_spot("banca")),
        ("discard", Spot.parse("discard")),
        ("shoe", Spot.parse("shoe")),
        ("seat3-number", None),
        ("path4711", None),
        ("", None),
    ],
)
def test_zone_ids(zone: str, spot: Spot | None) -> None:
    assert zone_spot(zone) == spot


def test_points_beyond_the_picture_are_left_out(tmp_path: Path) -> None:
    points = truth()["camera"]["correspondences"]
    beyond = {"point": "far", "mm": [0, 0], "px": [-40.0, 12.0]}
    clip = write_recording(tmp_path / "clip", camera={"correspondences": [*points, beyond]})
    assert load_table(import_recording(clip, tmp_path / "out")).cameras[0].calibration.n == len(points)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"camera": {"correspondences": []}}, "4 are the least"),
        ({"camera": {}}, "camera.correspondences is wrong"),
        ({"camera": {"correspondences": [{"mm": [1], "px": [2, 3]}]}}, "camera.correspondences.0.mm"),
        ({"image_size": "large"}, "image_size is wrong"),
        ({"layout": "none.svg"}, "none.svg does not exist"),
        ({"deal_style": "sideways"}, "deal_style is wrong"),
        ({"chips": {"set": [{"value": 0, "colour": "red"}]}}, "value"),
        ({"chips": {"set": [{"value": 5, "colour": "red"}, {"value": 5, "colour": "blue"}]}}, "twice"),
        ({"chips": {"set": []}}, "set is"),
    ],
)
def test_a_truth_that_gives_no_table(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    with pytest.raises(VeedorError, match=words) as caught:
        import_recording(write_recording(tmp_path / "clip", **changes), tmp_path / "out")
    assert str(caught.value).endswith(".")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "not JSON: line 1"),
        ("[]", "not a recording's truth file"),
        ('{"video": "a.mp4", "image_size": [1, 2], "stills": {}}', "NAME_labels.json"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_foreign_files(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "foreign.json"
    path.write_text(content)
    with pytest.raises(VeedorError, match=words):
        import_recording(path, tmp_path / "out")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(VeedorError, match="does not exist"):
        import_recording(tmp_path / "none.json", tmp_path / "out")
    with pytest.raises(VeedorError, match="is a folder"):
        import_recording(tmp_path, tmp_path / "out")
    (tmp_path / "clip.mp4").write_bytes(b"\x00\x00\x00\x18ftyp\xff\xfe")
    with pytest.raises(VeedorError, match="not the video"):
        import_recording(tmp_path / "clip.mp4", tmp_path / "out")


def test_an_earlier_table_is_kept(tmp_path: Path) -> None:
    clip = write_recording(tmp_path / "clip")
    target = import_recording(clip, tmp_path / "out")
    edited = target.read_text().replace("clip_7", "table four")
    target.write_text(edited)
    import_recording(clip, tmp_path / "out")
    assert (tmp_path / "out" / "table.yaml.old").read_text() == edited
    assert load_table(target).name == "clip_7"


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(VeedorError, match="is a file"):
        import_recording(write_recording(tmp_path / "clip"), tmp_path / "out")
    assert (tmp_path / "out").read_text() == "mine"
