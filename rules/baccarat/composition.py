"""How often a card may occur: as often as there are packs in the shoe, and with which backs."""

from __future__ import annotations

from rules.baccarat.shoe import Shoe
from rules.cards import Card
from rules.docket import Docket, Moment
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import hand_spot


def judge_composition(
    shoe: Shoe,
    cards: list[SeenCard],
    packs: int,
    rule: str,
    sight: Sight,
    docket: Docket,
    backs: int | None = None,
) -> None:
    """``rule``: no card occurs more often in ``cards``, with what the shoe gave before, than in so many
    packs. ``backs``: so many colours of back the packs have, as many packs of each (None: not prescribed)."""
    if shoe.cards + len(cards) > packs * 52:
        return  # more cards than a shoe holds: it was changed without a word, and nothing can be counted
    own: dict[Card, list[SeenCard]] = {}
    for card in cards:
        if card.card is not None:
            own.setdefault(card.card, []).append(card)
    clean = backs is None or _judge_backs(shoe, cards, packs, backs, rule, sight, docket)
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


def _judge_backs(
    shoe: Shoe, cards: list[SeenCard], packs: int, backs: int, rule: str, sight: Sight, docket: Docket
) -> bool:
    """No back of a further colour, and no card more often with one colour than there are packs of it. Returns
    whether that is so."""
    counts, colours = dict(shoe.backs), {colour for _, colour in shoe.backs}
    clean = True
    for card in cards:
        if card.back is None:
            continue
        expected, seen = "", ""
        key = (card.card, card.back)
        counts[key] = counts.get(key, 0) + 1
        if card.back not in colours and len(colours) >= backs:
            expected = f"backs of {'one colour' if backs == 1 else f'{backs} colours'} only: "
            expected += " and ".join(sorted(colours))
            seen = f"a card with a {card.back} back"
        elif card.card is not None and card.p >= sight.composition_p and counts[key] > packs // backs:
            expected = f"{card.card} at most {packs // backs} times with a {card.back} back"
            seen = f"{card.card} for the {counts[key]}th time with it"
        else:
            colours.add(card.back)
        if seen:
            clean = False
            when = Moment.at(card.t, *card.seqs)
            spot = None if card.hand is None else hand_spot(card.hand)
            docket.breach(
                rule,
                "CARD_COMPOSITION",
                when,
                expected=expected,
                seen=seen,
                spot=spot,
                subject=f"{card.card_id} {card.back}",
            )
    return clean
