"""The shoe as the journal tells of it: cards seen, cards burned, the cut card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf

from rules.cards import Card
from rules.seen_cards import SeenCard
from rules.spots import Area

_BURN = (Area.BURN, Area.DISCARD)


@dataclass(slots=True)
class Shoe:
    """What is known of the shoe in use: cards seen, the cut card, cards burned since the coup before.

    ``seen``: the readings' probabilities of every card, in order. ``backs``: how often each card (None: one
    not read) came with each colour of back, where that was seen. ``coups``: dealt since it was put in place;
    None: it was in use when the recording began. ``t_new``: when a new shoe was told.
    """

    seen: dict[Card, tuple[float, ...]] = field(default_factory=dict)
    cards: int = 0
    coups: int | None = None
    cut_t: float | None = None
    cut_seq: int = 0
    burned: list[SeenCard] = field(default_factory=list)
    backs: dict[tuple[Card | None, str], int] = field(default_factory=dict)
    t_new: float = -inf

    def copy(self) -> Shoe:
        """An independent copy."""
        return replace(self, seen=dict(self.seen), burned=list(self.burned), backs=dict(self.backs))

    def renew(self) -> None:
        """A new shoe is in place."""
        self.seen, self.cards, self.coups, self.cut_t = {}, 0, 0, None
        self.burned, self.backs = [], {}

    def cut_card(self, t: float, seq: int) -> None:
        """The cut card shows. Before the first coup of a new shoe it is being put in, not coming out."""
        if self.coups != 0 and self.cut_t is None:
            self.cut_t, self.cut_seq = t, seq

    def take_others(self, cards: Iterable[SeenCard], *, until: float) -> None:
        """Cards that went past the hands to the burned or used cards; those of a new shoe also where no place
        is drawn for them."""
        for card in cards:
            elsewhere = card.dealt_to.area is Area.TABLE
            if card.t >= until or not (elsewhere or card.dealt_to.area in _BURN):
                continue
            if elsewhere and (self.coups != 0 or card.t < self.t_new):
                continue
            placed = any(other.dealt_to.area in _BURN and other.t_up is not None for other in self.burned)
            if card.t_up is not None and not placed and not (elsewhere and self.burned):
                # what lay on the felt before the first one is shown in its place need not be of this shoe
                before = self.burned
                self.renew()
                self.burned = [*before, card]
            elif self.burned:
                self.burned.append(card)
            if not (elsewhere and placed):
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
            self.seen[card.card] = (*self.seen.get(card.card, ()), card.p)
        if card.back is not None:
            self.backs[card.card, card.back] = self.backs.get((card.card, card.back), 0) + 1


class UnburnedShoe(Shoe):
    """A shoe of which no card is burned: one that goes to the used cards was of no use."""

    def copy(self) -> UnburnedShoe:
        """An independent copy."""
        return replace(self, seen=dict(self.seen), burned=[], backs=dict(self.backs))

    def take_others(self, cards: Iterable[SeenCard], *, until: float) -> None:
        """Cards that were laid on no hand."""
        for card in cards:
            if card.t < until:
                self._count(card)
