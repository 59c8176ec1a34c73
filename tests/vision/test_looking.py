"""What a look makes of what the detector found: the side that a card's picture shows counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import Face
from tests.support.felt import CHIPS, CardAt, Felt, card_corners
from vision.chips import ChipReader
from vision.detector import Detections, Detector, Kind
from vision.footprint import Footprint
from vision.looking import TableEyes
from vision.lying import Lying
from vision.stillness import Picture

IN_A_HAND, BESIDE = (300.0, 163.0), (560.0, 260.0)


@dataclass(frozen=True, slots=True)
class Told:
    """A detector that finds one card, and a reader that says of it what it is told to."""

    quad_px: NDArray[np.float64]
    kind: Kind
    back: float = 0.0
    unreadable: float = 0.0
    score: float = 0.6

    def detect(
        self, image: Picture, scale: float = 1.0, region: tuple[int, int, int, int] | None = None
    ) -> Detections:
        del image, scale, region
        quads = np.asarray(self.quad_px[None], np.float32)
        return Detections(np.array([int(self.kind)]), quads, np.array([self.score], np.float32))

    def read(self, faces: NDArray[np.uint8]) -> NDArray[np.float32]:
        looks = np.full((len(faces), 54), (1 - self.back - self.unreadable) / 52, np.float32)
        looks[:, -2:] = self.back, self.unreadable
        return looks


def sides(
    at_mm: tuple[float, float], kind: Kind, back: float, unreadable: float, score: float = 0.6
) -> Sequence[Face | None]:
    """The sides of the cards that one look tells of."""
    card = CardAt("Th", at_mm, 0)
    felt = Felt(cards=[card])
    told = Told(felt.camera.project(card_corners(card)), kind, back, unreadable, score)
    eyes = TableEyes(felt.layout, felt.camera, cast(Detector, told), told, ChipReader(CHIPS))
    return [sight.face for sight in eyes.look(felt.picture(1.0), None).sights]


@pytest.mark.parametrize(
    ("at_mm", "kind", "back", "unreadable", "shown"),
    [
        (IN_A_HAND, Kind.CARD_FACE, 0.01, 0.0, [Face.UP]),
        (IN_A_HAND, Kind.CARD_FACE, 0.9, 0.0, [Face.DOWN]),
        (IN_A_HAND, Kind.CARD_BACK, 0.9, 0.0, [Face.DOWN]),
        (IN_A_HAND, Kind.CARD_BACK, 0.01, 0.1, [Face.UP]),
        (IN_A_HAND, Kind.CARD_BACK, 0.05, 0.9, [Face.DOWN]),
        (IN_A_HAND, Kind.CARD_BACK, 0.3, 0.1, [Face.DOWN]),
        (IN_A_HAND, Kind.CARD_FACE, 0.3, 0.1, [Face.UP]),
        (BESIDE, Kind.CARD_FACE, 0.0, 0.2, [Face.UP]),
        (BESIDE, Kind.CARD_FACE, 0.0, 0.7, []),
    ],
    ids=[
        "a face", "a back taken for a face", "a back", "a face taken for a back", "covered",
        "not clear, back", "not clear, face", "a face beside the hands", "nothing beside the hands",
    ],
)  # fmt: skip
def test_a_card_shows_the_side_that_its_picture_reads_as(
    at_mm: tuple[float, float], kind: Kind, back: float, unreadable: float, shown: list[Face]
) -> None:
    assert sides(at_mm, kind, back, unreadable) == shown


def test_what_is_surely_a_card_is_kept_beside_the_hands_even_if_it_cannot_be_read() -> None:
    assert sides(BESIDE, Kind.CARD_FACE, 0.0, 0.95, score=0.8) == [Face.UP]


@dataclass(frozen=True, slots=True)
class Several(Told):
    """A detector that finds several things alike, and remembers at which scales it was asked."""

    more_px: Sequence[NDArray[np.float64]] = ()
    scales: list[float] = field(default_factory=list)

    def detect(
        self, image: Picture, scale: float = 1.0, region: tuple[int, int, int, int] | None = None
    ) -> Detections:
        del image, region
        self.scales.append(scale)
        quads = np.asarray([self.quad_px, *self.more_px], np.float32)
        kind, score = np.full(len(quads), int(self.kind)), np.full(len(quads), self.score, np.float32)
        return Detections(kind, quads, score)


def eyes_of(felt: Felt, told: Several) -> TableEyes:
    return TableEyes(felt.layout, felt.camera, cast(Detector, told), told, ChipReader(CHIPS))


@pytest.mark.parametrize(
    ("colours", "plain"),
    [(((30, 30, 200),), [True]), (((30, 30, 200), (30, 30, 200)), [False, False]),
     (((30, 30, 200), (20, 190, 230)), [True, True])],
    ids=["one", "two of a colour", "two colours"],
)  # fmt: skip
def test_of_two_things_of_a_colour_in_one_look_none_is_the_cut_card(
    colours: Sequence[tuple[int, int, int]], plain: Sequence[bool]
) -> None:
    felt = Felt()
    quads = [
        felt.camera.project(card_corners(CardAt("Th", at, 0))) for at in (IN_A_HAND, BESIDE)[: len(colours)]
    ]
    picture = felt.picture(1.0)
    for quad, colour in zip(quads, colours, strict=True):
        cv2.fillConvexPoly(picture, np.round(quad * 16 - 8).astype(np.int32), colour, cv2.LINE_AA, 4)
    told = Several(quads[0], Kind.CARD_BACK, back=0.9, score=0.9, more_px=quads[1:])
    sights = eyes_of(felt, told).look(picture, None).sights
    assert [sight.tint is not None for sight in sights] == plain


def test_a_whole_table_is_shown_to_the_detector_smaller_than_a_part_of_it() -> None:
    felt = Felt()
    told = Several(felt.camera.project(card_corners(CardAt("Th", IN_A_HAND, 0))), Kind.CARD_FACE)
    eyes = eyes_of(felt, told)
    width, height = felt.camera.width_px, felt.camera.height_px
    for region in (None, (0, 0, width, height), (0, 0, width // 4, height // 2)):
        eyes.look(felt.picture(1.0), region)
    whole, large, part = told.scales
    assert whole == large < part


def test_what_a_card_reads_as_is_kept_for_who_tells_of_it() -> None:
    felt = Felt(cards=[CardAt("Th", IN_A_HAND, 0)])
    told = Several(felt.camera.project(card_corners(felt.cards[0])), Kind.CARD_FACE, unreadable=0.2)
    (sight,) = eyes_of(felt, told).look(felt.picture(1.0), None).sights
    assert sight.look is not None
    assert sight.look[-1] == pytest.approx(0.2)
    assert sight.placed_as(sight).look is None


@pytest.mark.parametrize(
    ("apart_mm", "turned_deg", "cards"), [(4, 0, 1), (0, 178, 1), (0, 90, 2), (20, 0, 2)]
)
def test_two_boxes_round_one_card_are_one_card(apart_mm: float, turned_deg: float, cards: int) -> None:
    other = (IN_A_HAND[0] + apart_mm, IN_A_HAND[1])
    boxes = [
        card_corners(CardAt("Th", IN_A_HAND, 0)),
        card_corners(CardAt("Th", other, 0, angle_deg=turned_deg)),
    ]
    lying = Lying(
        np.array([IN_A_HAND, other]),
        np.array([0.0, turned_deg]),
        np.stack([Felt().camera.project(box) for box in boxes]).astype(np.float32),
        np.zeros(2),
        np.ones(2),
    )
    felt = Felt(cards=[CardAt("Th", IN_A_HAND, 0)])
    told = Several(np.asarray(lying.quad_px[0], np.float64), Kind.CARD_FACE, more_px=[lying.quad_px[1]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.looking.lying_cards", lambda *_: lying)
        assert len(eyes_of(felt, told).look(felt.picture(1.0), None).sights) == cards


def test_where_nothing_changed_nothing_is_guessed() -> None:
    felt = Felt()
    eyes = eyes_of(felt, Several(np.zeros((4, 2)), Kind.CARD_FACE))
    shape = felt.picture(1.0).shape[:2]
    nothing = Footprint(3, 3, np.zeros((12, 9), np.bool_), (shape[0], shape[1]))
    assert eyes.guess(felt.picture(1.0), nothing) is None
