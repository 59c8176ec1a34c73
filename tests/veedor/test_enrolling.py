"""``veedor enrol``: from a picture to a folder beside the table file, and back to a reader."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.decks import drawn_deck
from rules.cards import Card
from rules.errors import VeedorError
from veedor import cli_enrol
from veedor.config import Table, load_table
from veedor.demo import demo_files
from veedor.doctor import Check, examine
from veedor.enrolled import (
    INDEX,
    CardView,
    EnrolmentError,
    card_reader_of,
    chip_reader_of,
    chips_folder,
    deck_folder,
    files_of,
    read_chips,
    read_deck,
    write_deck,
)
from veedor.enrolling import enrol_deck, new_deck, parse_numbered, parse_order
from veedor.enrolling_chips import enrol_chips
from veedor.table_edit import name_enrolment
from vision.card_reader import CLASSES, CardReader
from vision.enrolling import EnrolledReader
from vision.gathering import reading_order
from vision.source import open_source

DECK = drawn_deck(900_101, indices=False)
LAID = ("Kc", "Qc", "Jc", "Tc", "Kh", "Qh", "Jh", "Th")


def _spread(cards: Sequence[str], height_px: int = 96) -> NDArray[np.uint8]:
    """Cards in rows of four on green felt, a little askew."""
    rng = np.random.default_rng(3)
    size = (150 * (len(cards) // 4) + 60, 480, 3)
    picture: NDArray[np.float64] = np.array((58, 96, 40)) + rng.normal(0, 4, size)
    width_px = round(height_px * 63 / 88)
    for k, name in enumerate(cards):
        row, column = divmod(k, 4)
        face = cv2.resize(DECK.face(Card.parse(name), 2 * height_px), (width_px, height_px))
        middle = np.array([70 + 110 * column, 100 + 150 * row]) + rng.normal(0, 3, 2)
        turn = cv2.getRotationMatrix2D((width_px / 2, height_px / 2), float(rng.normal(0, 3)), 1.0)
        matrix = np.asarray(turn, np.float64)
        matrix[:, 2] += middle - np.array([width_px, height_px]) / 2
        laid = cv2.warpAffine(face, matrix, (size[1], size[0])).astype(np.float64)
        alpha = laid[..., 3:] / 255
        picture = picture * (1 - alpha) + laid[..., :3] * alpha
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 0.7), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration's table with its drawing, a spread, and the deck enrolled from it."""
    here = tmp_path_factory.mktemp("table")
    _, table = demo_files()
    for file in ("table.yaml", "layout.svg"):
        shutil.copy(table.parent / file, here / file)
    cv2.imwrite(str(here / "spread.png"), _spread(LAID))
    cli_enrol.deck(here / "table.yaml", picture=[here / "spread.png"], order=" ".join(LAID))
    return here


@pytest.fixture
def table(folder: Path) -> Table:
    return load_table(folder / "table.yaml")


def test_a_spread_in_known_order_is_enrolled(folder: Path, table: Table) -> None:
    assert deck_folder(table) == folder / "enrolled" / "deck"
    views = read_deck(folder / "enrolled" / "deck")
    assert sorted(view.entry.card for view in views) == sorted(LAID)
    assert {view.entry.named_by for view in views} == {"order"}
    assert cv2.imread(str(folder / "enrolled" / "deck" / "contact.png")) is not None
    reader = card_reader_of(table, threads=1)
    assert isinstance(reader, EnrolledReader)
    read = reader.read(np.stack([view.face for view in views]))
    assert [CLASSES[i] for i in read.argmax(axis=1)] == [view.entry.card for view in views]
    assert folder / "enrolled" / "deck" / INDEX in files_of(table)
    assert not any(file.suffix == ".npz" for file in files_of(table))


def test_what_was_learned_is_kept(folder: Path, table: Table) -> None:
    faces = np.stack([view.face for view in read_deck(folder / "enrolled" / "deck")])
    first = card_reader_of(table, threads=1).read(faces)
    kept = folder / "enrolled" / "deck" / "prototypes.npz"
    stamp = kept.stat().st_mtime_ns
    assert np.allclose(card_reader_of(table, threads=1).read(faces), first, atol=1e-5)
    assert kept.stat().st_mtime_ns == stamp
    kept.write_bytes(b"PK\x03\x04 no archive")
    assert np.allclose(card_reader_of(table, threads=1).read(faces), first, atol=1e-5)


def test_a_table_without_enrolment_has_the_general_readers() -> None:
    plain = load_table(demo_files()[1])
    assert isinstance(card_reader_of(plain, threads=1), CardReader)
    assert chip_reader_of(plain, "camera 1").chips == plain.chips
    assert files_of(plain) == [plain.path, plain.layout_path]


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (LAID[:5], "names 5 cards, and 8 are seen whole"),
        (("Ac", "2c", "3c", "4c", "5h", "6h", "7h", "8h"), r"The order does not fit: card \d"),
        ((*LAID[:7], "Tz"), "'Tz' is no card"),
    ],
)
def test_an_order_that_does_not_fit_is_refused(
    folder: Path, table: Table, order: tuple[str, ...], words: str
) -> None:
    before = (folder / "enrolled" / "deck" / INDEX).read_bytes()
    with pytest.raises(EnrolmentError, match=words):
        enrol_deck(table, [folder / "spread.png"], order=order)
    assert (folder / "enrolled" / "deck" / INDEX).read_bytes() == before


def test_a_technician_names_what_the_reader_cannot(tmp_path: Path) -> None:
    _, demo = demo_files()
    for file in ("table.yaml", "layout.svg"):
        shutil.copy(demo.parent / file, tmp_path / file)
    cv2.imwrite(str(tmp_path / "more.png"), _spread(("Ts", "9s", "8s", "7s")))
    found = enrol_deck(load_table(tmp_path / "table.yaml"), [tmp_path / "more.png"], told={1: "10s", 4: "7S"})
    assert {"Ts", "7s"} <= set(found.named)
    views = read_deck(tmp_path / "enrolled" / "deck")
    assert {v.entry.card for v in views if v.entry.named_by == "technician"} == {"Ts", "7s"}
    assert len(found.named) + len(found.unnamed) == 4
    with pytest.raises(EnrolmentError, match="no number 9 on the contact sheet"):
        enrol_deck(load_table(tmp_path / "table.yaml"), [tmp_path / "more.png"], told={9: "7s"})


def test_a_picture_without_cards_teaches_nothing(tmp_path: Path, table: Table) -> None:
    cv2.imwrite(str(tmp_path / "bare.png"), np.full((240, 320, 3), (58, 96, 40), np.uint8))
    with pytest.raises(EnrolmentError, match="No card could be enrolled: 0 were seen"):
        enrol_deck(table, [tmp_path / "bare.png"])
    with pytest.raises(VeedorError, match="nothing to learn from"):
        cli_enrol.deck(table.path)


def test_a_new_packs_order() -> None:
    order = new_deck()
    assert len(set(order)) == 52
    assert (order[0], order[12], order[13], order[26], order[51]) == ("As", "Ks", "Ad", "Kc", "Ah")
    assert parse_order("new-deck") == order
    assert parse_order("10H, as;Kd back") == ("Th", "As", "Kd", "back")
    assert parse_numbered(["17=Kh", "3 = 25"]) == {17: "Kh", 3: "25"}
    for word in ("Kh", "²=Kh", "9" * 5000 + "=Kh", "-1=Kh"):
        with pytest.raises(EnrolmentError, match="write it like 17=Kh"):
            parse_numbered([word])


def test_rows_are_read_from_the_left() -> None:
    places = np.array([[300, 12], [100, 8], [200, 0], [100, 112], [300, 95]], np.float64)
    assert reading_order(places, 90) == [1, 2, 0, 3, 4]


def test_the_doctor_looks_at_it(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "there")
    table = tmp_path / "there" / "table.yaml"

    def found() -> Check:
        checks = examine(state=tmp_path, port=65000, tables=[table])
        return next(check for check in checks if check.name.startswith("enrolment"))

    assert (found().well, found().detail) == (True, f"{len(LAID)} views")
    shutil.rmtree(tmp_path / "there" / "enrolled")
    assert not found().well
    assert "veedor enrol deck" in str(found().remedy)


@pytest.mark.parametrize("stop", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_enrolment_that_is_broken_off_changes_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: BaseException
) -> None:
    there = tmp_path / "deck"
    shutil.copytree(folder / "enrolled" / "deck", there)
    before = {file.name: file.read_bytes() for file in there.iterdir()}
    views = read_deck(there)
    written: list[Path] = []

    def write(file: Path, content: bytes) -> int:
        written.append(file)
        if len(written) > 3:
            raise stop
        with file.open("wb") as held:
            return held.write(content)

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises((EnrolmentError, KeyboardInterrupt)):
        write_deck(there, [CardView(v.entry, 255 - v.face) for v in views], views[0].face)
    monkeypatch.undo()
    assert {file.name: file.read_bytes() for file in there.iterdir()} == before
    assert [file.name for file in tmp_path.iterdir()] == ["deck"]


def test_an_enrolment_that_fails_leaves_no_empty_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    views = read_deck(folder / "enrolled" / "deck")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(EnrolmentError):
        write_deck(tmp_path / "enrolled" / "deck", views, views[0].face)
    assert list(tmp_path.iterdir()) == []


def test_an_enrolment_replaces_the_former_and_leaves_peoples_own_files(folder: Path, tmp_path: Path) -> None:
    there = tmp_path / "deck"
    shutil.copytree(folder / "enrolled" / "deck", there)
    (there / "notes.txt").write_text("the blue pack")
    views = read_deck(there)[:2]
    write_deck(there, views, views[0].face)
    assert [view.entry for view in read_deck(there)] == [view.entry for view in views]
    assert (there / "notes.txt").read_text() == "the blue pack"
    assert len(list(there.glob("*.png"))) == 3
    assert [file.name for file in tmp_path.iterdir()] == ["deck"]


def _without_index(there: Path) -> None:
    (there / INDEX).unlink()


def _broken_index(there: Path) -> None:
    (there / INDEX).write_text("{")


def _other_card(there: Path) -> None:
    file = there / INDEX
    file.write_text(file.read_text().replace('"Kc"', '"Kz"'))


def _outside(there: Path) -> None:
    file = there / INDEX
    document = json.loads(file.read_text())
    document["deck"][0]["file"] = "../layout.png"
    file.write_text(json.dumps(document))


def _no_picture(there: Path) -> None:
    (there / "Kc-1.png").write_bytes(b"")


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_without_index, r"is not there: enrol again with 'veedor enrol deck'"),
        (_broken_index, "is wrong"),
        (_other_card, "names a card 'Kz', which is none"),
        (_outside, r"deck\.0\.file is wrong"),
        (_no_picture, r"Kc-1\.png is missing, or no picture of 80 x 112"),
    ],
)
def test_a_spoiled_enrolment_is_named(
    folder: Path, tmp_path: Path, spoil: Callable[[Path], None], words: str
) -> None:
    there = tmp_path / "deck"
    shutil.copytree(folder / "enrolled" / "deck", there)
    spoil(there)
    with pytest.raises(EnrolmentError, match=words):
        read_deck(there)


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration's first picture, in which one stack of 500s stands."""
    file = tmp_path_factory.mktemp("still") / "first.png"
    with open_source(demo_files()[0]) as source:
        cv2.imwrite(str(file), next(iter(source)).image)
    return file


def test_chips_are_enrolled_from_a_cameras_picture(tmp_path: Path, still: Path) -> None:
    _, demo = demo_files()
    for file in ("table.yaml", "layout.svg"):
        shutil.copy(demo.parent / file, tmp_path / file)
    cli_enrol.chips(tmp_path / "table.yaml", picture=[still], order="500")
    own = load_table(tmp_path / "table.yaml")
    assert chips_folder(own) == tmp_path / "enrolled" / "chips"
    (view,) = read_chips(tmp_path / "enrolled" / "chips")
    assert (view.entry.value, view.entry.named_by) == (500, "order")
    mine, others = (chip_reader_of(own, camera)._enrolled for camera in (view.entry.camera, "another"))
    assert mine is not None
    assert others is not None
    assert mine.colours is not None
    assert others.colours is None
    with pytest.raises(EnrolmentError, match=r"names 3 stacks, and 1 can be read in first\.png"):
        enrol_chips(own, [still], order=[1, 5, 25])
    with pytest.raises(EnrolmentError, match="has no chip of 7: its values are 1, 5, 25"):
        enrol_chips(own, [still], order=[7])
    for order in ("red", "²", "9" * 5000):
        with pytest.raises(VeedorError, match="is no list of values"):
            cli_enrol.chips(own.path, picture=[still], order=order)
    with pytest.raises(EnrolmentError, match="has no chip of ²"):
        enrol_chips(own, [still], told={1: "²"})


HEAD = """# our table
format: veedor.table/1
name: Mesa 4
game: punto_banco
profile: {name: andorra_2016, variant: mini}
layout: layout.svg
cameras:
  - {id: overhead, image_size: [1280, 720], points: []}
chips:
  # bought 2019
  set:
    - {value: 5, colour: red}   # new ones are paler
"""


@pytest.mark.parametrize(
    "tail",
    [
        "",
        "deck:\n  packs: 6  # since May\n",
        "deck: {packs: 6}\n",
        "deck:\n    enrolled: old\n    packs: 6\n",
    ],
    ids=["none", "lines", "flow", "named before"],
)
def test_the_table_file_keeps_its_comments(tmp_path: Path, tail: str) -> None:
    file = tmp_path / "table.yaml"
    file.write_text(HEAD + tail)
    name_enrolment(file, "deck", "enrolled/deck")
    name_enrolment(file, "chips", "enrolled/chips")
    text = file.read_text()
    assert text.count("enrolled: enrolled/deck") == text.count("enrolled: enrolled/chips") == 1
    assert "enrolled: old" not in text
    if "{packs" not in tail:
        assert "# bought 2019" in text
        assert "# new ones are paler" in text
    name_enrolment(file, "deck", "enrolled/deck")
    assert file.read_text() == text
