"""The ways in which the ranks of five cards can fall, and the hands that each stands for."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from rules.cards import Card, Rank, Suit
from rules.poker import rank

Counts = NDArray[np.int64]

_RANKS, _SUITS = list(Rank), list(Suit)


def binomials() -> Counts:
    """``[n, k]``: ways to take k of n cards, up to four."""
    return np.array([[comb(n, k) for k in range(5)] for n in range(5)], dtype=np.int64)


def all_patterns() -> list[list[int]]:
    """Every way in which five ranks can fall: how many cards of each rank, ace first."""
    return [
        [five.count(held) for held in _RANKS]
        for five in combinations_with_replacement(_RANKS, 5)
        if max(map(five.count, five)) < 5
    ]


def mixed_rank(pattern: list[int]) -> int:
    """The rank of a hand of this pattern that is no flush."""
    cards = [(_RANKS[place], number) for place, held in enumerate(pattern) for number in range(held)]
    if max(pattern) == 1:
        return rank([Card(held, _SUITS[place % 2]) for place, (held, _) in enumerate(cards)])
    return rank([Card(held, _SUITS[number]) for held, number in cards])


def suited_rank(pattern: list[int]) -> int:
    """The rank of a flush of this pattern."""
    return rank([Card(_RANKS[place], Suit.CLUBS) for place, held in enumerate(pattern) if held])
