"""What a look makes of what the detector found: the side that a card's picture shows counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from rules.cards import Face
from tests.support.felt import CHIPS, CardAt, Felt, card_corners
from vision.chips import ChipReader
from vision.detector import Detections, Detector, Kind
from vision.looking import TableEyes
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
