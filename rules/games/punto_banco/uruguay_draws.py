"""Whether a pass has all its cards: the drawing rules asked from the other end."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.baccarat.drawing_table import DrawingTable
from rules.baccarat.points import card_value, points
from rules.seen_cards import SeenCard


def finished(coup: Coup, table: DrawingTable) -> bool:
    """Whether no hand still needs a card. A card that was not read may be any: then it is finished."""
    punto, banca = coup.hand("punto"), coup.hand("banca")
    if len(punto) < 2 or len(banca) < 2:
        return False
    first_punto, first_banca = _total(punto[:2]), _total(banca[:2])
    if first_punto is None or first_banca is None:
        return True
    if table.is_natural(first_punto, first_banca):
        return True
    if len(punto) < 3 and table.punto_draws(first_punto):
        return False
    if len(banca) > 2:
        return True
    third = None
    if len(punto) > 2:
        card = punto[2].card
        if card is None:
            return True
        third = card_value(card)
    return not table.banca_draws(first_banca, third)


def _total(cards: list[SeenCard]) -> int | None:
    values = [card_value(card.card) for card in cards if card.card is not None]
    return points(values) if len(values) == len(cards) else None
