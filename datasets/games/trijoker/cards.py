"""The game as it is played: what five cards make, and one hand as it is to be dealt and played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

RANKS, SUITS = "23456789TJQKA", "cdhs"
BETS = ("bet_1", "bet_2", "bet_3")
LEFT, RIGHT = "community_1", "community_2"
Hook = Callable[[Any, "Hand"], None]
"""Writes something more into the journal: table and hand."""


def kind_of(cards: list[str]) -> str:
    """What five cards make; an ace may be low."""
    ranks = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    counts = sorted(Counter(ranks).values(), reverse=True)
    flush = len({card[1] for card in cards}) == 1
    straight = counts[0] == 1 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    if straight and flush:
        return "royal_flush" if ranks[4] == 8 else "straight_flush"
    if counts[0] == 4:
        return "four_of_a_kind"
    if counts[:2] == [3, 2]:
        return "full_house"
    if flush or straight:
        return "flush" if flush else "straight"
    if counts[0] == 3:
        return "three_of_a_kind"
    return {2: "two_pair", 1: "pair"}[counts[1]] if counts[0] == 2 else "high_card"


def multiple_of(cards: list[str], table: Mapping[str, int], least: str) -> int:
    """What five cards pay for one staked; 0: they lose."""
    kind = kind_of(cards)
    if kind == "pair":
        pair = next(card[0] for card in cards if sum(card[0] == other[0] for other in cards) == 2)
        return table[kind] if RANKS.index(pair) >= RANKS.index(least) else 0
    return table.get(kind, 0)


def pack(rng: random.Random) -> list[str]:
    """One pack, shuffled."""
    cards = [rank + suit for rank in RANKS for suit in SUITS]
    rng.shuffle(cards)
    return cards


@dataclass
class Hand:
    """One hand; a clean one has the defaults.

    ``seats``: in turn; ``stakes``: chips by box (``seat 3 bet_1``); ``cards``: by hand name; ``order``: the
    deal, hand and card; ``pulls``: boxes whose bets are withdrawn in their time. Everything else is a
    departure. ``hooks``: what is done besides, by stage: ``before``, ``bets``, ``closed``, ``dealt``,
    ``left``, ``right``, ``settled``, ``gathered``.
    """

    number: int
    seats: list[int]
    stakes: dict[str, int]
    cards: dict[str, list[str]]
    order: list[tuple[str, str]]
    pulls: list[str]
    multiples: dict[int, int]
    up: set[int] = field(default_factory=set)
    """Places in the deal (from 0) of cards that are laid face up."""
    stops: bool = False
    """The hand is broken off after the deal, and the bets are given back."""
    gains: dict[str, int] = field(default_factory=dict)
    """What a box is given (negative: what is taken), where that is not what is due."""
    settling: list[int] | None = None
    """The order of seats in which the dealer settles, if not from his right."""
    right_first: bool = False
    leave: int = 0
    """Cards that are not gathered."""
    hooks: dict[str, list[Hook]] = field(default_factory=dict)

    def at(self, stage: str, hook: Hook) -> None:
        """Do something more at a stage."""
        self.hooks.setdefault(stage, []).append(hook)

    def five(self, seat: int) -> list[str]:
        """A player's cards and the common ones."""
        return [*self.cards[f"seat_{seat}"], *self.cards[LEFT], *self.cards[RIGHT]]

    def in_play(self, seat: int) -> list[str]:
        """A seat's boxes whose bets stay."""
        return [f"seat {seat} {bet}" for bet in BETS if f"seat {seat} {bet}" not in self.pulls]

    def gain(self, box: str) -> int:
        """What a box is given in the end."""
        if box in self.gains:
            return self.gains[box]
        multiple = self.multiples[int(box.split()[1])]
        return self.stakes[box] * multiple if multiple else -self.stakes[box]
