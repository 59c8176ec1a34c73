"""The detector's training pictures: read right, cut right, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.detector.data import (
    DataError,
    Pictures,
    Sample,
    cut,
    disturb,
    find_pictures,
    is_photo,
    label_path,
    oriented_boxes,
    read_labels,
    seen_part,
)
from models.detector.measure import Tally, Truth, compare
from models.detector.train import Plan, rate_at
from vision.detector import Detections, Kind


def write_set(folder: Path, count: int = 4) -> Path:
    """A tiny data set: a white card on green, at the same place in every picture."""
    for name in ("images", "labels"):
        (folder / name / "train").mkdir(parents=True)
    image = np.full((240, 320, 3), (40, 120, 30), np.uint8)
    image[80:168, 100:163] = 240
    line = "0 " + " ".join(f"{x / 320} {y / 240}" for x, y in ((100, 80), (163, 80), (163, 168), (100, 168)))
    for number in range(count):
        cv2.imwrite(str(folder / "images" / "train" / f"{number:03d}.png"), image)
        (folder / "labels" / "train" / f"{number:03d}.txt").write_text(line + "\n")
    return folder


def quad(cx: float, cy: float, long_px: float, short_px: float, angle_deg: float) -> np.ndarray:
    """Corners of a turned box, clockwise, a short side first."""
    a = np.deg2rad(angle_deg)
    along, across = (
        np.array([np.cos(a), np.sin(a)]) * long_px / 2,
        np.array([-np.sin(a), np.cos(a)]) * short_px / 2,
    )
    c = np.array([cx, cy])
    return np.array([c - along + across, c - along - across, c + along - across, c + along + across])


def test_labels_lie_beside_pictures_and_come_in_pixels(tmp_path: Path) -> None:
    path = find_pictures([write_set(tmp_path)])[0]
    assert label_path(path) == tmp_path / "labels" / "train" / path.with_suffix(".txt").name
    kind, quads = read_labels(label_path(path), 320, 240)
    assert kind.tolist() == [0]
    assert quads[0] == pytest.approx(np.array([[100, 80], [163, 80], [163, 168], [100, 168]]), abs=1e-3)


@pytest.mark.parametrize("text", ["0 0.1 0.2\n", "card 0 0 1 0 1 1 0 1\n"])
def test_a_broken_label_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.txt").write_text(text)
    with pytest.raises(DataError, match=r"x\.txt is not a label file"):
        read_labels(tmp_path / "x.txt", 100, 100)


def test_an_empty_set_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"datasets\.synth\.training"):
        Pictures([tmp_path], 96, 1)


@pytest.mark.parametrize("angle_deg", [-40.0, 0.0, 10.0, 44.0, 60.0, 90.0, 130.0])
@pytest.mark.parametrize("first", range(4))
def test_boxes_do_not_depend_on_the_corner_that_comes_first(angle_deg: float, first: int) -> None:
    corners = np.roll(quad(50, 60, 88, 63, angle_deg), first, axis=0)
    box = oriented_boxes(np.array([0]), corners[None])[0]
    assert box[:4] == pytest.approx([50, 60, 88, 63], abs=1e-3)
    assert (box[4] - np.deg2rad(angle_deg) + np.pi / 2) % np.pi == pytest.approx(np.pi / 2, abs=1e-4)


def test_a_chip_from_above_has_no_direction() -> None:
    chip = oriented_boxes(np.array([int(Kind.CHIP_STACK)]), quad(9, 9, 41, 40, 90)[None])
    card = oriented_boxes(np.array([int(Kind.CARD_BACK)]), quad(9, 9, 41, 40, 90)[None])
    assert chip[0, 4] == 0
    assert card[0, 4] == pytest.approx(np.pi / 2, abs=1e-6)


def test_seen_part() -> None:
    square = np.array([[-5, 0], [5, 0], [5, 10], [-5, 10]], np.float32)
    assert seen_part(square, 100, 100) == pytest.approx(0.5)
    assert seen_part(square + 50, 100, 100) == pytest.approx(1)
    assert seen_part(square - 50, 100, 100) == 0


def test_a_cut_takes_its_labels_along() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    corners = quad(200, 150, 120, 86, 25).astype(np.float32)
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (255, 255, 255))
    source = Sample(image, np.array([0]), corners[None])
    for seed in range(30):
        piece = cut(source, 160, 160, np.random.default_rng(seed))
        assert piece.image.shape == (160, 160, 3)
        for found in piece.quad_px:
            mask = np.zeros((160, 160), np.uint8)
            cv2.fillConvexPoly(mask, np.round(found).astype(np.int32), 1)
            inside = cv2.erode(mask, np.ones((7, 7), np.uint8)).astype(bool)
            assert piece.image[inside].mean() > 240


def _shapes(photo: bool) -> list[float]:
    """Long side by short side of one upright card in many cuts of a picture."""
    corners = quad(200, 150, 120, 86, 0).astype(np.float32)
    source = Sample(np.zeros((300, 400, 3), np.uint8), np.array([0]), corners[None], photo)
    shapes = []
    for seed in range(200):
        for found in cut(source, 160, 160, np.random.default_rng(seed)).quad_px:
            sides = np.linalg.norm(np.roll(found, -1, axis=0) - found, axis=1)
            shapes.append(max(sides[0] / sides[1], sides[1] / sides[0]))
    return shapes


def test_only_photographs_are_stretched() -> None:
    as_it_was, stretched = np.std(_shapes(photo=False)), np.std(_shapes(photo=True))
    assert as_it_was < 0.15
    assert stretched > 1.2 * as_it_was


@pytest.mark.parametrize(
    ("truth", "photo"), [('{"photo":true}', True), ('{"photo":false}', False), (None, False)]
)
def test_the_truth_says_what_is_a_photograph(tmp_path: Path, truth: str | None, photo: bool) -> None:
    path = find_pictures([write_set(tmp_path)])[0]
    if truth is not None:
        (tmp_path / "truth" / "train").mkdir(parents=True)
        (tmp_path / "truth" / "train" / path.with_suffix(".json").name).write_text(truth)
    assert is_photo(path) == photo


def test_stacks_keep_upright_boxes() -> None:
    corners = np.array([[150, 100], [190, 100], [190, 190], [150, 190]], np.float32)
    source = Sample(np.zeros((300, 400, 3), np.uint8), np.array([int(Kind.CHIP_STACK)]), corners[None])
    for seed in range(10):
        for found in cut(source, 160, 160, np.random.default_rng(seed)).quad_px:
            assert len(np.unique(found[:, 0].round(3))) == len(np.unique(found[:, 1].round(3))) == 2


def test_disturbing_keeps_the_form_and_changes_the_light() -> None:
    image = np.full((32, 32, 3), 128, np.uint8)
    seen = {disturb(image, np.random.default_rng(seed)).mean().round(3) for seed in range(12)}
    assert len(seen) > 8
    assert disturb(image, np.random.default_rng(3)).dtype == np.uint8


def test_the_same_seed_gives_the_same_pictures(tmp_path: Path) -> None:
    folder = write_set(tmp_path)
    first, second = (Pictures([folder], 96, seed=5) for _ in range(2))
    for _ in range(6):
        a, b = first.sample(), second.sample()
        assert a.image.shape == (96, 96, 3)
        assert (a.image == b.image).all()
        assert (a.quad_px == b.quad_px).all()


def test_a_set_may_grow(tmp_path: Path) -> None:
    pictures = Pictures([write_set(tmp_path, 3)], 96, seed=5)
    before = pictures.rescan()
    (tmp_path / "images" / "train" / "100.png").write_bytes(pictures.paths[0].read_bytes())
    (tmp_path / "labels" / "train" / "100.txt").write_text("")
    assert pictures.rescan() == before + 1


def test_the_rate_rises_and_falls() -> None:
    rates = [rate_at(done) for done in np.linspace(0, 1, 101)]
    assert max(rates) == pytest.approx(1, abs=0.01)
    assert rates[0] < 0.2
    assert rates[-1] == pytest.approx(0.02)
    assert Plan().workers >= 1


def test_measuring_pairs_what_was_found_with_what_is_there() -> None:
    there = np.stack([quad(50, 50, 88, 63, 90), quad(300, 50, 88, 63, 0), quad(500, 50, 88, 63, 0)])
    truth = Truth(
        "x",
        Path("x.jpg"),
        np.array([0, 0, 0]),
        there.astype(np.float32),
        np.array([True, True, False]),
        False,
    )
    quads = np.stack([quad(52, 50, 88, 63, 90), quad(500, 50, 88, 63, 0), quad(700, 50, 88, 63, 0)])
    found = Detections(
        np.array([0, 1, 0], np.int8), quads.astype(np.float32), np.array([0.9, 0.8, 0.7], np.float32)
    )
    tallies: dict[str, Tally] = {}
    compare(truth, found, tallies)
    cards = tallies["x cards"]
    assert (cards.wanted, cards.found, cards.near, cards.false) == (2, 1, 1, 1)
