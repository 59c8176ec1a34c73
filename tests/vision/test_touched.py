"""A card that looks the same from both sides in the small picture is seen to be turned, after a hand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from rules.cards import Face
from rules.events import CardTurned
from tests.support.felt import CardAt, Felt, card_corners, dealer, watch
from vision.stillness import Picture

CARD_MM = (260.0, 165.0)


@dataclass(slots=True)
class PaleFelt(Felt):
    """Cards whose backs are as pale as their faces."""

    def _draw_card(self, image: Picture, card: CardAt) -> None:
        self._fill(image, card_corners(card), (235, 235, 235))


@pytest.mark.parametrize("turned", [True, False], ids=["turned", "only touched"])
def test_a_pale_card_under_a_hand_is_looked_at_again(turned: bool) -> None:
    there = [CardAt("5h", CARD_MM, 0.0, 8.0 if turned else 1e9, Face.DOWN)]
    if turned:
        there.append(CardAt("5h", CARD_MM, 8.0))
    felt = PaleFelt(cards=there, arms=[dealer(CARD_MM, 7.6, 8.4)])
    events, _ = watch(felt, [float(t) for t in np.arange(0, 16, 0.125)])
    assert [event.card for event in events if isinstance(event, CardTurned)] == (["5h"] if turned else [])
