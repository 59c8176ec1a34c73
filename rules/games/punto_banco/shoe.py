"""The shoe: burned cards, the cut card, and how often a card may occur."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.cards import Card
from rules.docket import Docket, Moment
from rules.games.punto_banco.points import burn_value
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import Area, hand_spot

_BURN = (Area.BURN, Area.DISCARD)


@dataclass(slots=True)
class Shoe:
    """What is known of the shoe in use: cards seen, the cut card, cards burned since the coup before.

    ``seen``: the readings' probabilities of every card, in order. ``coups``: dealt since it was put in place;
    None: it was in use when the recording began.
    """

    seen: dict[Card, list[float]] = field(default_factory=dict)
    cards: int = 0
    coups: int | None = None
    cut_t: float | None = None
    cut_seq: int = 0
    burned: list[SeenCard] = field(default_factory=list)

    def copy(self) -> Shoe:
        """An independent copy."""
        seen = {card: list(times) for card, times in self.seen.items()}
        return Shoe(seen, self.cards, self.coups, self.cut_t, self.cut_seq, list(self.burned))

    def renew(self) -> None:
        """A new shoe is in place."""
        self.seen, self.cards, self.coups, self.cut_t = {}, 0, 0, None
        self.burned = []

    def cut_card(self, t: float, seq: int) -> None:
        """The cut card shows. Before the first coup of a new shoe it is being put in, not coming out."""
        if self.coups != 0 and self.cut_t is None:
            self.cut_t, self.cut_seq = t, seq

    def take_others(self, cards: Iterable[SeenCard], *, until: float) -> None:
        """Cards that went past the hands to the burned or used cards."""
        for card in cards:
            if card.t < until and card.dealt_to.area in _BURN:
                if not self.burned and card.t_up is not None:
                    self.renew()
                    self.burned = [card]
                elif self.burned:
                    self.burned.append(card)
                self._count(card)

    def take_coup(self, cards: Iterable[SeenCard]) -> None:
        """A coup's cards have left the shoe."""
        self.burned = []
        self.coups = None if self.coups is None else self.coups + 1
        for card in cards:
            self._count(card)

    def _count(self, card: SeenCard) -> None:
        self.cards += 1
        if card.card is not None:
            self.seen.setdefault(card.card, []).append(card.p)


def judge_shoe(
    shoe: Shoe, cards: list[SeenCard], profile: PuntoBancoProfile, sight: Sight, docket: Docket
) -> None:
    """The shoe's rules for a coup that begins with ``shoe`` and deals ``cards``."""
    first = cards[0]
    if shoe.cut_t is None:
        docket.conform("PB-AND-CUT-02")
    else:
        docket.breach(
            "PB-AND-CUT-02",
            "DEAL_AFTER_CUT_CARD",
            Moment.span(shoe.cut_t, first.t, shoe.cut_seq, first.seq),
            expected="no coup after the one in which the cut card came out",
            seen=f"the cut card was out at {shoe.cut_t:.1f} s, and a card was dealt at {first.t:.1f} s",
        )
    if shoe.burned:
        _judge_burning(shoe.burned, docket)
    _judge_composition(shoe, cards, profile, sight, docket)


def _judge_burning(burned: list[SeenCard], docket: Docket) -> None:
    shown, others = burned[0], burned[1:]
    when = Moment.span(shown.t, burned[-1].t, *(card.seq for card in burned))
    if shown.card is None:
        docket.undetermined(
            "PB-AND-BURN-01",
            "BURN_COUNT_WRONG",
            when,
            f"the shown card's value is not known: {shown.unread}",
            seen=f"{len(others)} cards burned",
        )
        return
    due = burn_value(shown.card)
    if len(others) == due:
        docket.conform("PB-AND-BURN-01")
        return
    docket.breach(
        "PB-AND-BURN-01",
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
