"""How often a card may occur: as often as there are packs in the shoe."""

from __future__ import annotations

from rules.baccarat.shoe import Shoe
from rules.cards import Card
from rules.docket import Docket, Moment
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import hand_spot


def judge_composition(
    shoe: Shoe, cards: list[SeenCard], packs: int, rule: str, sight: Sight, docket: Docket
) -> None:
    """``rule``: no card occurs more often in ``cards``, with what the shoe gave before, than in so many
    packs."""
    if shoe.cards + len(cards) > packs * 52:
        return  # more cards than a shoe holds: it was changed without a word, and nothing can be counted
    own: dict[Card, list[SeenCard]] = {}
    for card in cards:
        if card.card is not None:
            own.setdefault(card.card, []).append(card)
    clean = True
    for face, copies in own.items():
        sure = [*shoe.seen.get(face, ()), *(card.p for card in copies)]
        if len(sure) <= packs:
            continue
        clean = False
        last = copies[-1]
        spot = None if last.hand is None else hand_spot(last.hand)
        when = Moment.at(last.t, last.seq)
        expected = f"{face} at most {packs} times in a shoe of {packs} packs"
        seen = f"{face} for the {len(sure)}th time"
        code, subject = "CARD_COMPOSITION", str(face)
        if min(sure) >= sight.composition_p:
            docket.breach(rule, code, when, expected=expected, seen=seen, spot=spot, subject=subject)
        else:
            why = f"one of them was read with a probability of {min(sure):.2f} only"
            docket.undetermined(
                rule, code, when, why, expected=expected, seen=seen, spot=spot, subject=subject
            )
    if clean:
        docket.conform(rule)
