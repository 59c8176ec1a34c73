"""The detector: suppression, indexing, clear errors, and the product's own weights on a drawn table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.corners import CornerReader
from vision.detector import (
    CARDS,
    WEIGHTS,
    Detections,
    Detector,
    Kind,
    corners,
    one_or_its_parts,
    suppress,
)
from vision.errors import ModelError
from vision.lying import fit_cards
from vision.quads import rectify, refine, refine_all

IDENTITY_MODEL = bytes.fromhex(
    "08083a490a190a06696d616765731205626f78657322084964656e746974791201675a140a06696d61676573120a0a08080112040a"
    "02080162130a05626f786573120a0a08080112040a02080142040a00100d"
)
"""A sound ONNX file that is no detector: its output is its input."""


def found(*rows: tuple[Kind, float, float, float, float, float]) -> Detections:
    """Detections from (kind, centre x, centre y, long side, short side, score)."""
    boxes = np.array([row[1:5] for row in rows], np.float32).reshape(-1, 4)
    return Detections(
        np.array([row[0] for row in rows], np.int8),
        corners(boxes, np.zeros(len(rows), np.float32)).astype(np.float32),
        np.array([row[5] for row in rows], np.float32),
    )


def drawn_card(quad: np.ndarray, shape: tuple[int, int] = (400, 500)) -> np.ndarray:
    """A white card with a red figure on green felt, anti-aliased."""
    image = np.full((*shape, 3), (60, 110, 20), np.uint8)
    cv2.fillConvexPoly(image, np.round(quad * 16 - 8).astype(np.int32), (240, 245, 245), cv2.LINE_AA, 4)
    middle = quad.mean(axis=0)
    inner = middle + (quad - middle) * 0.35
    cv2.fillConvexPoly(image, np.round(inner * 16 - 8).astype(np.int32), (40, 30, 190), cv2.LINE_AA, 4)
    return cv2.GaussianBlur(image, (0, 0), 0.7)


def test_corners_go_clockwise_from_a_short_side() -> None:
    quad = corners(np.array([[10.0, 20.0, 8.0, 6.0]]), np.array([0.0]))[0]
    assert quad == pytest.approx(np.array([[6, 23], [6, 17], [14, 17], [14, 23]]))
    turned = corners(np.array([[10.0, 20.0, 8.0, 6.0]]), np.array([np.pi / 2]))[0]
    assert turned == pytest.approx(np.array([[7, 16], [13, 16], [13, 24], [7, 24]]))


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([], []),
        ([(Kind.CARD_FACE, 50, 50, 88, 63, 0.9), (Kind.CARD_FACE, 54, 50, 88, 63, 0.8)], [0]),
        ([(Kind.CARD_FACE, 50, 50, 88, 63, 0.9), (Kind.CARD_BACK, 54, 50, 88, 63, 0.8)], [0]),
        ([(Kind.CARD_FACE, 50, 50, 88, 63, 0.9), (Kind.CARD_FACE, 85, 50, 88, 63, 0.8)], [0, 1]),
        ([(Kind.CARD_FACE, 50, 50, 88, 63, 0.9), (Kind.HAND, 50, 50, 88, 63, 0.8)], [0, 1]),
        ([(Kind.CHIP_STACK, 50, 50, 90, 40, 0.9), (Kind.CHIP_STACK, 35, 50, 40, 38, 0.8)], [0]),
        ([(Kind.CHIP_STACK, 50, 50, 40, 40, 0.9), (Kind.CHIP_STACK, 88, 50, 40, 40, 0.8)], [0, 1]),
    ],
)
def test_one_thing_keeps_one_box(
    rows: list[tuple[Kind, float, float, float, float, float]], kept: list[int]
) -> None:
    every = found(*rows)
    once = suppress(every)
    assert once.score.tolist() == every[np.array(kept, int)].score.tolist()


FACE, WHOLE = Kind.CARD_FACE, (Kind.CARD_FACE, 150, 150, 280, 200, 0.7)


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ([WHOLE], [0.7]),
        ([WHOLE, (FACE, 100, 100, 80, 60, 0.9)], [0.7]),
        ([(*WHOLE[:5], 0.3), (FACE, 100, 100, 80, 60, 0.9)], [0.3, 0.9]),
        ([WHOLE, *((FACE, x, 120, 60, 40, 0.9) for x in (60, 140, 220))], [0.9, 0.9, 0.9]),
        ([WHOLE, (FACE, 290, 150, 88, 63, 0.8)], [0.7, 0.8]),
        ([WHOLE, (Kind.CHIP_STACK, 150, 150, 40, 40, 0.9)], [0.7, 0.9]),
    ],
    ids=["alone", "part of it", "hardly there", "a fan", "beside", "a stack on it"],
)
def test_a_card_in_a_card_is_its_picture(
    rows: list[tuple[Kind, float, float, float, float, float]], kept: list[float]
) -> None:
    assert one_or_its_parts(found(*rows)).score.tolist() == pytest.approx(kept)


def test_detections_are_picked_by_mask_index_slice_and_kind() -> None:
    every = found(
        (Kind.CARD_FACE, 50, 50, 88, 63, 0.9), (Kind.HAND, 9, 9, 8, 6, 0.5), (Kind.CARD_BACK, 1, 1, 8, 6, 0.4)
    )
    assert len(every[every.score > 0.45]) == 2
    assert every[1:].kind.tolist() == [Kind.HAND, Kind.CARD_BACK]
    assert every.of(*CARDS).score.tolist() == pytest.approx([0.9, 0.4])
    assert every.size_px[0] == pytest.approx([63, 88])
    assert every.centre_px[1] == pytest.approx([9, 9])
    joined = Detections.join([every[1:], every[:1]])
    assert joined.score.tolist() == sorted(joined.score.tolist(), reverse=True)
    assert len(Detections.join([])) == len(Detections.none()) == 0


def test_detections_of_another_form_are_refused() -> None:
    with pytest.raises(ValueError, match="quad_px"):
        Detections(np.zeros(2, np.int8), np.zeros((2, 4), np.float32), np.zeros(2, np.float32))


def test_missing_broken_and_foreign_weights_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="are missing"):
        Detector(tmp_path / "none.onnx")
    (tmp_path / "broken.onnx").write_bytes(b"no model")
    with pytest.raises(ModelError, match="not a readable ONNX model"):
        Detector(tmp_path / "broken.onnx")
    (tmp_path / "foreign.onnx").write_bytes(IDENTITY_MODEL)
    with pytest.raises(ModelError, match="not veedor's detector"):
        Detector(tmp_path / "foreign.onnx")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(WEIGHTS, threads=1)


def court(image: np.ndarray, x: int, y: int, size: float) -> None:
    """Draw a plausible nine of hearts, upright, its top left corner at (x, y), ``size`` pixels wide."""
    w, h = round(size), round(size * 88 / 63)
    cv2.rectangle(image, (x, y), (x + w, y + h), (244, 246, 246), -1, cv2.LINE_AA)
    for row in (0.2, 0.4, 0.6, 0.8):
        for column in (0.32, 0.68):
            cv2.circle(
                image,
                (round(x + column * w), round(y + row * h)),
                round(0.075 * w),
                (40, 30, 200),
                -1,
                cv2.LINE_AA,
            )
    cv2.circle(
        image, (round(x + 0.5 * w), round(y + 0.3 * h)), round(0.075 * w), (40, 30, 200), -1, cv2.LINE_AA
    )
    cv2.putText(
        image, "9", (x + 3, y + h // 7), cv2.FONT_HERSHEY_SIMPLEX, size / 130, (40, 30, 200), 1, cv2.LINE_AA
    )


@pytest.fixture(scope="module")
def table() -> np.ndarray:
    """Two cards on green felt, (352, 470, 3): a size that is no multiple of the network's stride."""
    image = np.full((352, 470, 3), (60, 105, 25), np.uint8)
    image = np.clip(image + np.random.default_rng(1).normal(0, 4, image.shape), 0, 255).astype(np.uint8)
    court(image, 100, 120, 64)
    court(image, 300, 150, 64)
    return cv2.GaussianBlur(image, (0, 0), 0.6)


def places(cards: Detections) -> list[tuple[float, float]]:
    return sorted((float(x), float(y)) for x, y in cards.centre_px)


def test_the_product_finds_cards_on_felt(detector: Detector, table: np.ndarray) -> None:
    cards = detector.detect(table).of(*CARDS)
    assert places(cards) == [pytest.approx((132, 165), abs=5), pytest.approx((332, 195), abs=5)]
    assert cards.size_px == pytest.approx(np.array([[64, 89], [64, 89]]), abs=8)


@pytest.mark.parametrize("scale", [0.7, 1.5])
def test_scale_changes_the_look_not_the_pixels(detector: Detector, table: np.ndarray, scale: float) -> None:
    cards = detector.detect(table, scale=scale).of(*CARDS)
    assert places(cards) == [pytest.approx((132, 165), abs=6), pytest.approx((332, 195), abs=6)]


def test_a_region_sees_its_part_in_the_pictures_pixels(detector: Detector, table: np.ndarray) -> None:
    cards = detector.detect(table, region=(250, 100, 10_000, 10_000)).of(*CARDS)
    assert places(cards) == [pytest.approx((332, 195), abs=6)]
    assert len(detector.detect(table, region=(600, 0, 700, 100))) == 0


def test_a_photograph_of_unknown_scale(detector: Detector, table: np.ndarray) -> None:
    small = cv2.resize(table, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    for image, factor in ((small, 0.5), (table, 1.0)):
        cards = detector.detect_multiscale(image).of(*CARDS)
        assert len(cards) == 2
        assert places(cards)[0] == pytest.approx((132 * factor, 165 * factor), abs=6)


@pytest.mark.parametrize("turned", [False, True])
def test_a_card_that_fills_the_photograph(detector: Detector, turned: bool) -> None:
    image = np.full((440, 315, 3), 240, np.uint8)
    court(image, 0, 0, 315)
    image = np.ascontiguousarray(np.rot90(image)) if turned else image
    cards = detector.detect_multiscale(image, least_score=0.4).of(*CARDS)
    assert len(cards) == 1
    height, width = image.shape[:2]
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    common, _ = cv2.intersectConvexConvex(cards.quad_px[0], whole)
    area = cv2.contourArea(cards.quad_px[0])
    assert common > 0.7 * (area + width * height - common)


@pytest.mark.parametrize(
    "image", [np.zeros((10, 10), np.uint8), np.zeros((10, 10, 3), np.float32), np.zeros((0, 9, 3), np.uint8)]
)
def test_only_colour_pictures_are_looked_at(detector: Detector, image: np.ndarray) -> None:
    with pytest.raises(ValueError, match="picture must have shape"):
        detector.detect(image)
    with pytest.raises(ValueError, match="picture must have shape"):
        detector.detect_multiscale(image)


def test_a_scale_must_be_positive(detector: Detector, table: np.ndarray) -> None:
    with pytest.raises(ValueError, match="positive"):
        detector.detect(table, scale=0)


CARD = np.array([[180.0, 120.0], [262.0, 138.0], [231.0, 256.0], [140.0, 233.0]])
"""A card seen in perspective."""


@pytest.mark.parametrize("seed", range(6))
def test_refining_finds_the_true_corners(seed: int) -> None:
    rng = np.random.default_rng(seed)
    box = cv2.boxPoints(cv2.minAreaRect(CARD.astype(np.float32)))
    box = min((np.roll(box, k, axis=0) for k in range(4)), key=lambda q: float(np.abs(q - CARD).sum()))
    start = box + rng.normal(0, 2, 2)
    result = refine(drawn_card(CARD), start)
    assert result == pytest.approx(CARD, abs=1.2)


def test_a_covered_side_does_not_pull() -> None:
    image = drawn_card(CARD)
    cv2.circle(image, (150, 245), 45, (90, 120, 190), -1, cv2.LINE_AA)
    result = refine(image, CARD + 2.0)
    assert result[1] == pytest.approx(CARD[1], abs=1.5)
    assert result == pytest.approx(CARD, abs=8)


def test_several_cards_are_refined_as_each_alone() -> None:
    image = cv2.hconcat([drawn_card(CARD), drawn_card(CARD * 0.5 + 60), np.full((400, 60, 3), 90, np.uint8)])
    small = CARD * 0.5 + 60 + [image.shape[1] // 2 - 30, 0]
    outside = CARD + 5000
    boxes = np.stack([CARD + 2.5, small - 1.5, outside])
    together = refine_all(image, boxes)
    assert together == pytest.approx(np.stack([refine(image, box) for box in boxes]), abs=1e-3)
    assert together[2] == pytest.approx(outside)
    assert np.abs(together[:2] - boxes[:2]).max() > 1


def test_nothing_to_see_leaves_the_box() -> None:
    plain = np.full((200, 200, 3), 90, np.uint8)
    box = np.array([[60, 40], [120, 40], [120, 130], [60, 130]], np.float32)
    assert refine(plain, box) == pytest.approx(box, abs=1e-3)
    assert refine(plain, box + 500) == pytest.approx(box + 500, abs=1e-3)


@pytest.mark.parametrize("factor", [1, 4])
def test_rectify_brings_the_first_corner_to_the_top_left(factor: int) -> None:
    face = np.zeros((88, 63, 3), np.uint8)
    face[:44, :31], face[:44, 31:], face[44:, 31:] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    quad = np.array([[40, 20], [103, 30], [95, 120], [30, 108]], np.float32) * factor
    move = cv2.getPerspectiveTransform(
        np.array([[0, 0], [63, 0], [63, 88], [0, 88]], np.float32) - 0.5, quad - 0.5
    )
    image = cv2.warpPerspective(face, move, (150 * factor, 150 * factor))
    seen = rectify(image, quad, (63, 88))
    assert seen.shape == (88, 63, 3)
    assert np.abs(seen[5:38, 5:26].astype(int) - (255, 0, 0)).max() < 30
    assert np.abs(seen[50:83, 37:58].astype(int) - (0, 0, 255)).max() < 30


def test_a_card_on_the_felt_has_its_exact_size() -> None:
    from vision.camera import Camera

    camera = Camera.looking_at(
        (300, 200), distance_mm=900, tilt_deg=40, focal_px=900, size_px=(1280, 720), k1=-0.1
    )
    width, height, angle = 63, 88, np.deg2rad(35)
    shape = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    placed = shape @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) + (320, 180)
    quad = camera.project(np.column_stack([placed, np.full(4, 0.3)]))
    turned = np.stack([np.roll(quad, first, axis=0) for first in range(4)])
    noisy = quad + np.random.default_rng(2).normal(0, 1.5, (4, 2))
    picture = np.zeros((720, 1280, 3), np.uint8)
    sky = np.full((4, 2), -9e5)
    lying = fit_cards(picture, camera, np.concatenate([turned, noisy[None], sky[None]]))
    assert lying.at_mm[:4] == pytest.approx(np.tile([320, 180], (4, 1)), abs=0.01)
    assert lying.rot_deg[:4] == pytest.approx(35, abs=0.05)
    assert lying.quad_px[:4] == pytest.approx(np.stack([quad] * 4), abs=0.1)
    assert (lying.residual_mm[:4] < 0.05).all()
    assert lying.at_mm[4] == pytest.approx((320, 180), abs=3)
    assert 0 < lying.residual_mm[4] < 5
    assert np.isinf(lying.residual_mm[5])
    assert lying.fit[5] == 0


@pytest.mark.parametrize("shape", [(30, 20_000, 3), (20_000, 25, 3)])
def test_a_strip_of_a_photograph_is_looked_at_too(shape: tuple[int, int, int]) -> None:
    strip = np.full(shape, 90, np.uint8)
    assert len(Detector().detect_multiscale(strip).of(*CARDS)) == 0
    assert len(CornerReader().find(strip)) == 0
