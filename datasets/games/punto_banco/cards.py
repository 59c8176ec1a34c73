"""Which cards fall where: a coup by the book, as the usual prose has the drawing rules."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from rules.cards import PACK, Card

HANDS = ("punto", "banca")


def value(card: Card) -> int:
    """Ace 1, two to nine their number, all others nothing."""
    text = str(card)[0]
    return 1 if text == "A" else int(text) if text.isdigit() else 0


def total(cards: list[Card]) -> int:
    """The points of a hand."""
    return sum(value(card) for card in cards) % 10


def burned_by(card: Card) -> int:
    """How many cards the first card of a shoe burns."""
    return value(card) or 10


def banca_takes(own: int, third: Card | None) -> bool:
    """Whether banca takes a third card; ``third``: punto's, None if it stood."""
    if third is None or own < 3:
        return own < 6
    against = value(third)
    lowest = {3: 0, 4: 2, 5: 4, 6: 6}.get(own)
    if lowest is None:
        return False
    return (lowest <= against <= 7) or (own == 3 and against == 9)


@dataclass
class Deal:
    """Cards in the order dealt, each with its hand. ``natural``: two cards made 8 or 9."""

    cards: list[tuple[str, Card]] = field(default_factory=list)

    def hand(self, name: str) -> list[Card]:
        """One hand's cards, in order."""
        return [card for hand, card in self.cards if hand == name]

    def first_two(self, name: str) -> int:
        """A hand's points with two cards."""
        return total(self.hand(name)[:2])

    @property
    def natural(self) -> bool:
        """Whether two cards made 8 or 9 in either hand."""
        return max(self.first_two(hand) for hand in HANDS) >= 8

    @property
    def third(self) -> Card | None:
        """Punto's third card."""
        punto = self.hand("punto")
        return punto[2] if len(punto) > 2 else None

    @property
    def winner(self) -> str:
        """``punto``, ``banca`` or ``empate``, by three cards at most."""
        punto, banca = (total(self.hand(hand)[:3]) for hand in HANDS)
        return "empate" if punto == banca else "punto" if punto > banca else "banca"


def deal(cards: list[Card], order: tuple[str, ...] = ("punto", "banca", "punto", "banca")) -> Deal:
    """A coup by the book from the next cards, the first of them first (six are enough)."""
    dealt = Deal(list(zip(order, cards[:4], strict=True)))
    rest = iter(cards[4:])
    if dealt.natural:
        return dealt
    if dealt.first_two("punto") < 6:
        dealt.cards.append(("punto", next(rest)))
    if banca_takes(dealt.first_two("banca"), dealt.third):
        dealt.cards.append(("banca", next(rest)))
    return dealt


def new_shoe(rng: random.Random, packs: int) -> list[Card]:
    """Freshly shuffled packs; the next card is the first of the list."""
    shoe = list(PACK) * packs
    rng.shuffle(shoe)
    return shoe
