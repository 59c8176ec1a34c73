"""CF-DECK-01, BT-DECK-01, TQ-DECK-01: so many packs, and backs of so many colours."""

from __future__ import annotations

import pytest

from rules.baccarat.composition import judge_composition
from rules.baccarat.shoe import Shoe
from rules.cards import Card
from rules.docket import Docket
from rules.games.banque_deux_tableaux.profile import banque_deux_tableaux
from rules.games.chemin_de_fer.profile import chemin_de_fer
from rules.profiles import load_profile
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import hand_spot


def _cards(told: str) -> list[SeenCard]:
    """``Ah/red Ah/blue Ts/``: cards with the colours of their backs."""
    cards = []
    for number, one in enumerate(told.split()):
        face, back = one.split("/")
        at = hand_spot("punto")
        card = SeenCard(f"c{number}", at, at, float(number), number, True, card=Card.parse(face))
        card.back = back or None
        cards.append(card)
    return cards


@pytest.mark.parametrize(
    ("told", "backs", "seen"),
    [
        ("Ah/red 2c/blue 3d/red 4s/blue", 2, []),
        ("Ah/red 2c/blue 3d/green", 2, ["a card with a green back"]),
        ("Ah/red 2c/red 3d/blue", 1, ["a card with a blue back"]),
        ("Ah/ 2c/red 3d/", 1, []),
        ("Ah/red 2c/blue 3d/green", None, []),
        ("Ah/red Ah/red Ah/red Ah/blue", 2, []),
        ("Ah/red Ah/red Ah/red Ah/red", 2, ["Ah for the 4th time with it"]),
    ],
)
@pytest.mark.parametrize("before", [0, 2])
def test_backs_of_the_packs(told: str, backs: int | None, seen: list[str], before: int) -> None:
    """``before``: so many of the cards came in coups before."""
    shoe, docket, cards = Shoe(), Docket(2), _cards(told)
    shoe.take_coup(cards[:before])
    judge_composition(shoe.copy(), cards[before:], 6, "CF-DECK-01", Sight(), docket, backs)
    assert [finding.seen for finding in docket.findings] == seen


def test_a_new_shoe_may_have_other_backs() -> None:
    shoe, docket = Shoe(), Docket(2)
    shoe.take_coup(_cards("Ah/red 2c/blue"))
    shoe.renew()
    judge_composition(shoe, _cards("Ah/green 2c/white"), 6, "CF-DECK-01", Sight(), docket, 2)
    assert docket.findings == []


def test_what_the_regulations_prescribe() -> None:
    trente = load_profile("spain_1979", None, {}, "trente_et_quarante")
    assert (chemin_de_fer().backs, banque_deux_tableaux().backs, getattr(trente, "backs", None)) == (2, 2, 1)
