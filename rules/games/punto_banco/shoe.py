"""The shoe: burned cards, the cut card, and how often a card may occur."""

from __future__ import annotations

from rules.baccarat.points import burn_value
from rules.baccarat.shoe import Shoe
from rules.cards import Card
from rules.docket import Docket, Moment
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import hand_spot


def judge_shoe(
    shoe: Shoe, cards: list[SeenCard], profile: PuntoBancoProfile, sight: Sight, docket: Docket
) -> None:
    """The shoe's rules for a coup that begins with ``shoe`` and deals ``cards``."""
    first = cards[0]
    articles = profile.articles
    if articles.cut_last is None:
        pass
    elif shoe.cut_t is None:
        docket.conform(articles.cut_last)
    else:
        docket.breach(
            articles.cut_last,
            "DEAL_AFTER_CUT_CARD",
            Moment.span(shoe.cut_t, first.t, shoe.cut_seq, first.seq),
            expected="no coup after the one in which the cut card came out",
            seen=f"the cut card was out at {shoe.cut_t:.1f} s, and a card was dealt at {first.t:.1f} s",
        )
    if shoe.burned and articles.burn is not None:
        _judge_burning(shoe.burned, articles.burn, docket)
    _judge_composition(shoe, cards, profile, sight, docket)


def _judge_burning(burned: list[SeenCard], rule: str, docket: Docket) -> None:
    shown, others = burned[0], burned[1:]
    when = Moment.span(shown.t, burned[-1].t, *(card.seq for card in burned))
    if shown.card is None:
        docket.undetermined(
            rule,
            "BURN_COUNT_WRONG",
            when,
            f"the shown card's value is not known: {shown.unread}",
            seen=f"{len(others)} cards burned",
        )
        return
    due = burn_value(shown.card)
    if len(others) == due:
        docket.conform(rule)
        return
    docket.breach(
        rule,
        "BURN_COUNT_WRONG",
        when,
        expected=f"{due} cards burned after {shown.card}",
        seen=f"{len(others)} cards burned",
    )


def _judge_composition(
    shoe: Shoe, cards: list[SeenCard], profile: PuntoBancoProfile, sight: Sight, docket: Docket
) -> None:
    if shoe.cards + len(cards) > profile.packs * 52:
        return  # more cards than a shoe holds: it was changed without a word, and nothing can be counted
    own: dict[Card, list[SeenCard]] = {}
    for card in cards:
        if card.card is not None:
            own.setdefault(card.card, []).append(card)
    clean = True
    for face, copies in own.items():
        sure = [*shoe.seen.get(face, []), *(card.p for card in copies)]
        if len(sure) <= profile.packs:
            continue
        clean = False
        last = copies[-1]
        spot = None if last.hand is None else hand_spot(last.hand)
        when = Moment.at(last.t, last.seq)
        expected = f"{face} at most {profile.packs} times in a shoe of {profile.packs} packs"
        seen = f"{face} for the {len(sure)}th time"
        if min(sure) >= sight.composition_p:
            docket.breach(
                "HOUSE-DECK-01",
                "CARD_COMPOSITION",
                when,
                expected=expected,
                seen=seen,
                spot=spot,
                subject=str(face),
            )
        else:
            docket.undetermined(
                "HOUSE-DECK-01",
                "CARD_COMPOSITION",
                when,
                f"one of them was read with a probability of {min(sure):.2f} only",
                expected=expected,
                seen=seen,
                spot=spot,
                subject=str(face),
            )
    if clean:
        docket.conform("HOUSE-DECK-01")
