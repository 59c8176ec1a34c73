"""The table file: read, written, described, and refused with a sentence when it does not fit."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
import yaml

from rules.errors import VeedorError
from rules.games.punto_banco.profile import PuntoBancoProfile
from tests.support.recording import write_recording
from veedor.config import TableError, load_table, read_table_file
from veedor.importing import import_recording
from veedor.table_file import dump, table_schema

SCHEMA = Path(__file__).parents[2] / "docs" / "table.schema.json"


@pytest.fixture
def table_path(tmp_path: Path) -> Path:
    """A good table file with its drawing."""
    return import_recording(write_recording(tmp_path / "clip"), tmp_path / "table")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_what_is_written_reads_the_same(table_path: Path, tmp_path: Path) -> None:
    file = read_table_file(table_path)
    dump(file, tmp_path / "copy.yaml")
    assert read_table_file(tmp_path / "copy.yaml") == file
    assert (tmp_path / "copy.yaml").read_bytes() == table_path.read_bytes()


def test_every_key_is_explained_in_the_written_file(table_path: Path) -> None:
    lines = table_path.read_text().splitlines()
    for number, line in enumerate(lines):
        if re.match(r"\s*\w+:", line):
            assert lines[number - 1].lstrip().startswith("#")


def test_house_options_reach_the_profile(table_path: Path) -> None:
    edit(
        table_path,
        "    half_lines:",
        "    payouts: {banca: 39/40}\n    limits: {minimum: 10, maximum: 500}\n    half_lines:",
    )
    edit(table_path, "deck:", "deck:\n  packs: 8")
    table = load_table(table_path)
    assert isinstance(table.profile, PuntoBancoProfile)
    assert table.profile.payouts["banca"] == Fraction(39, 40)
    assert table.profile.limits.maximum == 500
    assert (table.profile.packs, table.deck.packs) == (8, 8)


def test_cameras_by_id_and_size(table_path: Path) -> None:
    table = load_table(str(table_path))
    camera = table.camera("camera 1")
    assert table.camera() is camera
    assert camera.fitted(1280, 720) is camera.camera
    assert camera.fitted(640, 360).matrix[0, 0] == pytest.approx(camera.camera.matrix[0, 0] / 2)
    with pytest.raises(TableError, match="another shape"):
        camera.fitted(640, 480)
    with pytest.raises(TableError, match="no camera 'north': it has camera 1"):
        table.camera("north")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            "name: clip_7",
            "name: clip_7\ndealer: Ana",
            ("line 7", "dealer is not a known key", "the keys there"),
        ),
        ("diameter_mm:", "diametre_mm:", ("chips.diametre_mm", "did you mean diameter_mm?")),
        ("id: camera 1", "ident: camera 1", ("cameras[0].ident", "did you mean")),
        ("value: 25, colour", "worth: 25, colour", ("chips.set[1].worth", "not a known key")),
        ("format: veedor.table/1", "format: veedor.table/2", ("veedor.table/2", "veedor.table/1")),
        ("format: veedor.table/1", "version: 1", ("begin it with",)),
        ("game: punto_banco", "game: faro", ('game is "faro"', "punto_banco")),
        ("game: punto_banco", "", ("game is missing", "The game that is played")),
        ("name: andorra_2016", "name: atlantis", ("in profile", "atlantis", "andorra_2016")),
        ("variant: mini", "variant: tiny", ("in profile", "no variant 'tiny'", "mini")),
        ("variant: mini", "", ("variant", "mini")),
        ("layout: layout.svg", "layout: gone.svg", ("gone.svg does not exist",)),
        ("half_lines: [punto, banca]", "half_lines: [punto]", ("half lines on banca", "half_lines")),
        ("half_lines: [punto, banca]", "half_lines: [empate]", ("half_lines is 'empate'", "punto, banca")),
        ("image_size: [1280, 720]", "image_size: [1280]", ("cameras[0].image_size",)),
        ("image_size: [1280, 720]", "image_size: [720, 480]", ("camera 1", "outside the picture")),
        ("value: 25, colour: green", "value: 25, colour: red", ("in chips", "red")),
        ("value: 25, colour: green", "value: 25, colour: plaid", ("in chips", "plaid")),
        ("value: 25, colour: green", "value: 25, rgb: green", ("chips.set[1].rgb",)),
        ("value: 25, colour: green", "value: 2.5, colour: green", ("chips.set[1].value",)),
        ("height_mm: 3.5", "height_mm: 350", ("chips.height_mm is 350", "20 or less", "(mm)")),
        ("indices: false", "indices: maybe", ("deck.indices",)),
        ("variant: mini", "variant: mini\n  variant: midi", ("second time",)),
        ("initial_cards: up", "initial_cards: &x up", ("anchor",)),
        ("initial_cards: up", "initial_cards: " + "[" * 5000, ("parts within parts",)),
        ("initial_cards: up", "initial_cards: 2016-99-99", ("is not YAML that can be read",)),
        ("layout: layout.svg", 'layout: "a\\0b"', ("null byte",)),
        ("  diameter_mm", " diameter_mm", ("is not YAML", "line")),
        ("name: clip_7", "name: [clip_7", ("is not YAML",)),
        ("mm: [60.0, 0.0]", "mm: [60.0, .nan]", ("points[0].mm",)),
        ("unit: 5", "unit: 0.5", ("rounding.unit",)),
        ("unit: 5", "unit: -5", ("rounding.unit", "more than nothing")),
    ],
)
def test_what_is_wrong_is_said(table_path: Path, old: str, new: str, words: tuple[str, ...]) -> None:
    edit(table_path, old, new)
    with pytest.raises(VeedorError) as caught:
        load_table(table_path)
    message = str(caught.value)
    assert str(table_path.parent) in message
    for word in words:
        assert word in message


def test_wrong_points_are_named_with_their_camera(table_path: Path) -> None:
    text = table_path.read_text()
    rows = re.findall(r"- \{name: '?mark:\d+'?, mm: .*?, px: (\[.*?\])\}", text)
    swapped = text.replace(rows[2], "HERE").replace(rows[9], rows[2]).replace("HERE", rows[9])
    table_path.write_text(swapped)
    with pytest.raises(VeedorError, match=r"camera 1: .*mark:[29] and mark:[29] are exchanged"):
        load_table(table_path)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('data-spot="hand banca"', "", "'hand banca'"),
        ('data-spot="seat 2 punto"', 'data-spot="seat 2 ante"', "no bet 'ante'"),
        ('data-spot="seat 2 punto"', 'data-spot="seat two punto"', "seat two punto"),
    ],
)
def test_the_drawing_has_what_the_game_needs(table_path: Path, old: str, new: str, words: str) -> None:
    edit(table_path.parent / "layout.svg", old, new)
    with pytest.raises(VeedorError, match=words):
        load_table(table_path)


def test_more_seats_than_the_variant_has(tmp_path: Path) -> None:
    from tests.support.recording import felt_svg

    path = import_recording(write_recording(tmp_path / "clip", felt_svg(9)), tmp_path / "table")
    edit(path, "variant: midi", "variant: mini")
    with pytest.raises(TableError, match="9 seats, but a mini table"):
        load_table(path)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="does not exist"):
        load_table(tmp_path / "none.yaml")
    with pytest.raises(TableError, match="is a folder"):
        load_table(tmp_path)
    (tmp_path / "t.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TableError, match="UTF-8"):
        load_table(tmp_path / "t.yaml")
    for text in ("", "- a\n", "just words\n"):
        (tmp_path / "t.yaml").write_text(text)
        with pytest.raises(TableError, match="holds no keys"):
            load_table(tmp_path / "t.yaml")


def test_schema_is_the_published_one(table_path: Path) -> None:
    """Written anew by: python -m veedor.table_file > docs/table.schema.json"""
    published = json.loads(SCHEMA.read_text())
    assert published == table_schema()
    jsonschema.Draft202012Validator.check_schema(published)
    jsonschema.validate(yaml.safe_load(table_path.read_text()), published)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"format": "veedor.table/1"}, published)
