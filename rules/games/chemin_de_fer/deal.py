"""What was dealt, as the regulation counts it: whose each card is, which are rejected, and what a hand is
worth where section VIII says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product

from rules.baccarat.coup import Coup
from rules.baccarat.points import card_value, points
from rules.events import Cue, Hand, Owner, ShoeExit
from rules.games.chemin_de_fer.hearing import at_all, during
from rules.games.chemin_de_fer.words import BANCA, PUNTO, SIDES
from rules.seen_cards import SeenCard
from rules.spots import Area, Spot

_TOGETHER_S = 0.05
"""Cards that leave the shoe within this time came out stuck together."""
_REJECTED_S = 1.5
"""A card taken away this long before the hands are gathered was rejected."""
_AT_ONCE_S = 0.5
"""A card turned this shortly before the deal was complete was not turned in the course of it."""
_ALL = 4


@dataclass(frozen=True, slots=True)
class Exposed:
    """One of the first four cards that showed its face too early. ``by``: ``shoe`` (it came out so),
    ``dealer``, ``banker``, or ``unknown``."""

    card: SeenCard
    t: float
    by: str


@dataclass(slots=True)
class Deal:
    """One coup's cards as they count.

    ``first``: the first two cards of each side; ``thirds``: its third cards (more than one: too many were
    given); ``excess``: cards beyond two that the banker dealt himself at once; ``basket``: a card of punto's
    that the banker let fall into the basket, and ``basket_third`` whether it was his third; ``thrown``: cards
    put into the basket by their holder before they were seen, by side; ``forced``: the fifth card that the
    banker must accept, ``miscalled``: the cards drawn because a card was called by mistake.
    """

    first: dict[str, list[SeenCard]]
    thirds: dict[str, list[SeenCard]]
    rejected: list[SeenCard] = field(default_factory=list)
    excess: list[SeenCard] = field(default_factory=list)
    basket: SeenCard | None = None
    basket_third: bool = False
    thrown: dict[str, SeenCard] = field(default_factory=dict)
    exposed: list[Exposed] = field(default_factory=list)
    stuck: tuple[float, int] | None = None
    forced: SeenCard | None = None
    miscalled: list[SeenCard] | None = None
    said: Cue | None = None

    @property
    def complete(self) -> bool:
        """Whether both sides have what is needed to tell who won."""
        punto = len(self.first[PUNTO]) == 2 or (self.basket is not None and not self.basket_third)
        return punto and len(self.first[BANCA]) == 2

    def cards(self, side: str) -> list[SeenCard]:
        """All cards that a side was given and that count, in order."""
        return [*self.first[side], *self.thirds[side]]

    @property
    def counted(self) -> list[SeenCard]:
        """The cards of both sides."""
        return [*self.cards(PUNTO), *self.cards(BANCA)]

    def exposed_by(self, by: str) -> list[SeenCard]:
        """Cards of punto's first two that this hand exposed."""
        return [case.card for case in self.exposed if case.by == by and case.card in self.first[PUNTO]]

    def values(self) -> Iterator[dict[str, int]]:
        """By card id, every combination of values that makes a difference: of a side's first two cards the
        total counts, so that where neither was read one of them stands for both."""
        cards = self.counted
        fixed = {
            first[1].card_id for first in self.first.values() if len(first) == 2 and first[0].card is None
        }
        options = [
            (card_value(card.card),)
            if card.card is not None
            else (0,)
            if card.card_id in fixed
            else range(10)
            for card in cards
        ]
        for combination in product(*options):
            yield {card.card_id: value for card, value in zip(cards, combination, strict=True)}

    def two(self, side: str, values: dict[str, int]) -> int:
        """A side's total on its first two cards."""
        if side == PUNTO and self.basket is not None and not self.basket_third:
            return 9
        if side == BANCA and self.excess:
            return 0
        return points([values[card.card_id] for card in self.first[side]])

    def third(self, side: str, values: dict[str, int]) -> int | None:
        """The value of a side's third card; of two the one that the regulation leaves it."""
        base = self.two(side, values)
        worth = [values[card.card_id] for card in self.thirds[side]]
        if not worth:
            return None
        best = max if side == PUNTO else min
        return best(worth, key=lambda value: (base + value) % 10)

    def total(self, side: str, values: dict[str, int]) -> int:
        """A side's total as it counts in the end."""
        if side == PUNTO and self.basket is not None:
            return 9
        return points([self.two(side, values), self.third(side, values) or 0])


def total_of(cards: Sequence[SeenCard]) -> int | None:
    """The total of cards that were all read, else None."""
    values = [card_value(card.card) for card in cards if card.card is not None]
    return points(values) if len(values) == len(cards) else None


def read_deal(coup: Coup, banker: int | None) -> Deal:
    """The coup's cards as they count. ``banker``: the seat that holds the bank, None if not told."""
    said = next(iter(during(coup, "punto_says")), None)
    deal = Deal({side: coup.hand(side)[:2] for side in SIDES}, {side: coup.hand(side)[2:] for side in SIDES})
    deal.said = said
    deal.stuck = _stuck(coup)
    _fallen(coup, deal)
    _reject(coup, deal)
    _excess(deal, said)
    deal.exposed = [
        *(Exposed(card, card.t_exit or card.t, "shoe") for card in coup.aside if card.exit_up),
        *_exposed(coup, deal, banker),
    ]
    deal.thrown = {
        side: card for side in SIDES for card in deal.cards(side) if _thrown(coup, card, side, banker)
    }
    _called_wrongly(coup, deal)
    return deal


def _stuck(coup: Coup) -> tuple[float, int] | None:
    """When two cards left the shoe as one."""
    exits = [event for event in coup.events if isinstance(event, ShoeExit) and event.t <= coup.cards[-1].t]
    for one, two in pairwise(exits):
        if two.t - one.t < _TOGETHER_S and (one.card_id is None or one.card_id != two.card_id):
            return two.t, two.seq
    return None


def _fallen(coup: Coup, deal: Deal) -> None:
    """A card that went from the shoe into the basket, face down and not by the dealer's hand: punto's."""
    for card in coup.aside:
        hand = card.rests[0].hand if card.rests else None
        if card.exit_up or card.placed_up or card.dealt_to.area is not Area.DISCARD:
            continue
        if hand is not None and hand.owner is Owner.DEALER:
            continue
        before = [other for other in coup.cards if other.t < card.t]
        punto = sum(other.hand == PUNTO for other in before)
        if len(before) >= _ALL and punto == 2:
            deal.basket, deal.basket_third = card, True
        elif len(before) < _ALL:
            deal.basket = card


def _reject(coup: Coup, deal: Deal) -> None:
    """Third cards that were taken away again before the hands were gathered, where something asked for it."""
    gathered = min((card.t_cleared for card in coup.cards[:_ALL] if card.t_cleared is not None), default=None)
    cause = any(len(deal.thirds[side]) > 1 for side in SIDES) or at_all(
        coup, "card_called", "punto_misspoke", "punto_says"
    )
    if not cause:
        return
    for side in SIDES:
        for card in list(deal.thirds[side]):
            gone = card.t_cleared
            if gone is not None and (gathered is None or gone + _REJECTED_S <= gathered):
                deal.rejected.append(card)
                if len(deal.thirds[side]) == 1:
                    deal.thirds[side].remove(card)


def _excess(deal: Deal, said: Cue | None) -> None:
    """Cards beyond two that the banker gave himself in the first deal: before punto had two, or face down
    while punto had not acted yet."""
    punto = deal.first[PUNTO]
    if len(punto) < 2:
        return
    acted = [t for card in punto for t in _acts(card) if t > punto[1].t]
    acted += [card.t for card in deal.thirds[PUNTO]] + ([said.t] if said is not None else [])
    first_act = min(acted, default=float("inf"))
    for card in list(deal.thirds[BANCA]):
        if card.t < punto[1].t or (not card.placed_up and card.t < first_act):
            deal.thirds[BANCA].remove(card)
            deal.excess.append(card)


def _acts(card: SeenCard) -> list[float]:
    """When the card was turned or a player's hand was on it."""
    touched = [contact.t for contact in card.contacts if contact.hand.owner is Owner.PLAYER]
    return touched + [turn.t for turn in card.turns]


def _exposed(coup: Coup, deal: Deal, banker: int | None) -> list[Exposed]:
    """Of the first four, those that showed their face before the deal was complete."""
    cards = sorted([*deal.first[PUNTO], *deal.first[BANCA]], key=lambda card: card.t)
    if coup.began_unseen:
        return []
    dealt = cards[-1].t if len(cards) == _ALL or deal.basket is not None else float("inf")
    found = []
    for card in cards:
        if card.exit_up:
            found.append(Exposed(card, card.t_exit or card.t, "shoe"))
        elif card.placed_up:
            found.append(Exposed(card, card.t, _by(card.rests[0].hand if card.rests else None, banker)))
        elif card.t_up is not None and card.t_up < dealt - _AT_ONCE_S:
            turn = next((turn for turn in card.turns if turn.up), None)
            by = _by(None if turn is None else turn.hand, banker)
            mine = card in deal.first[BANCA] and by == "banker"
            if not mine:
                found.append(Exposed(card, card.t_up, by))
    return found


def _by(hand: Hand | None, banker: int | None) -> str:
    if hand is None or hand.owner is Owner.UNKNOWN:
        return "unknown"
    if hand.owner is Owner.DEALER:
        return "dealer"
    return "banker" if hand.seat is not None and hand.seat == banker else "unknown"


def _thrown(coup: Coup, card: SeenCard, side: str, banker: int | None) -> bool:
    """Whether a card went into the basket before anybody saw it, and by its holder's hand."""
    if card.t_cleared is None or (card.t_up is not None and card.t_up <= card.t_cleared):
        return False
    if card.cleared_to is not None and card.cleared_to.area is not Area.DISCARD:
        return False
    if coup.gaps.within(Spot(Area.HAND, hand=side), card.t, card.t_cleared) is not None:
        return False
    last = next((c.hand for c in reversed(card.contacts) if abs(c.t - card.t_cleared) < _TOGETHER_S), None)
    if last is None or last.owner is not Owner.PLAYER:
        return False
    return (last.seat == banker) == (side == BANCA) if banker is not None else True


def _called_wrongly(coup: Coup, deal: Deal) -> None:
    """Cards that came because one was called by mistake, and a fifth card drawn before punto spoke."""
    said = deal.said
    if said is None or said.value != "no" or not deal.complete:
        return
    drawn = sorted([*deal.thirds[PUNTO], *deal.thirds[BANCA], *deal.rejected], key=lambda card: card.t)
    drawn = list({card.card_id: card for card in drawn}.values())
    called = [cue for cue in during(coup, "card_called") if cue.t > said.t]
    if called:
        deal.miscalled = drawn
        first = [] if not drawn else [drawn[0]]
        base = total_of(deal.first[BANCA])
        keeps = base is not None and base <= 5
        deal.thirds = {PUNTO: [], BANCA: first if keeps else []}
    elif drawn and (drawn[0].t_exit or drawn[0].t) < said.t:
        deal.forced = drawn[0]
        deal.thirds = {PUNTO: [], BANCA: [drawn[0]]}
