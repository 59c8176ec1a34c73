"""The game as it is played: what cards count, who draws, who wins, and what a bet gains."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

RANKS, SUITS = "A23456789TJQK", "cdhs"
HANDS = ("tableau_1", "tableau_2", "banca")
ORDER = (*HANDS, *HANDS)


def value(card: str) -> int:
    """What one card counts."""
    return "A23456789".find(card[0]) + 1


def count(cards: list[str]) -> int:
    """What a hand counts."""
    return sum(value(card) for card in cards) % 10


def banker_wish(total: int, third: str | None) -> str:
    """``draw``, ``stand`` or ``choose``: what the table says on this two-card total against one tableau."""
    if total < 3:
        return "draw"
    if third is None:
        return "draw" if total < 6 else "stand"
    card = value(third)
    if (total, card) in ((3, 9), (5, 4)):
        return "choose"
    low = {3: 0, 4: 2, 5: 4, 6: 6}.get(total, 99)
    high = 7
    if total == 3 and card != 8:
        return "draw"
    return "draw" if low <= card <= high else "stand"


def winner(tableau: list[str], banker: list[str]) -> int:
    """1: the tableau wins, -1: the bank, 0: neither. An eight or nine is worth more in two cards."""
    ours, theirs = (
        count(cards) + (10 if len(cards) == 2 and count(cards) > 7 else 0) for cards in (tableau, banker)
    )
    return (ours > theirs) - (ours < theirs)


Cards = dict[str, list[str]]


@dataclass
class Packs:
    """Six packs, shuffled."""

    rng: random.Random
    left: list[str] = field(default_factory=list)

    def renew(self) -> None:
        """A new shoe."""
        self.left = [rank + suit for rank in RANKS for suit in SUITS] * 6
        self.rng.shuffle(self.left)

    def take(self) -> str:
        """The next card."""
        return self.left.pop()

    def deal(self, wanted: Callable[[Cards], bool] = lambda _: True) -> Cards:
        """Two cards for each hand, such as are wanted."""
        for _ in range(20000):
            six = self.left[-6:][::-1]
            cards = {hand: [six[i], six[i + 3]] for i, hand in enumerate(HANDS)}
            if wanted(cards):
                del self.left[-6:]
                return cards
            self.rng.shuffle(self.left)
        raise ValueError("no such deal is left in the shoe")

    def find(self, counts: set[int]) -> str:
        """A card that counts one of these."""
        for index in range(len(self.left) - 1, -1, -1):
            if value(self.left[index]) in counts:
                return self.left.pop(index)
        raise ValueError(f"no card of {sorted(counts)} is left in the shoe")


@dataclass
class Bet:
    """A bet: where it lies and what it plays. ``line``: ``player``, ``other_tableau`` or ``tableaux``.

    ``gain``: what its player is given (negative: what is taken), where that is not what is due."""

    spot: str
    amount: int
    line: str | None = None
    gain: int | None = None
    name: str = ""

    @property
    def tableau(self) -> int:
        """On which tableau it plays, if on one."""
        return int(self.spot[-1]) - 1

    def due(self, won: tuple[int, int], unit: int = 10) -> int:
        """What it gains by the two results."""
        if self.line == "other_tableau":
            return self.amount // 2 * (won[0] + won[1])
        if self.line == "tableaux":
            second = self.amount // unit // 2 * unit
            return (self.amount - second) * won[0] + second * won[1]
        whole = self.amount // 2 if self.line == "player" else self.amount
        return whole * won[self.tableau]
