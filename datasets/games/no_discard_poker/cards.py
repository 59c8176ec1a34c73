"""The simulator's own reckoning of hands: it shares no rule code with the judge."""

from __future__ import annotations

import random
from collections import Counter

RANKS = "23456789TJQKA"
PACK = [rank + suit for suit in "cdhs" for rank in RANKS]

KINDS = (
    "high_card",
    "pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)
Strength = tuple[int, list[int]]


def strength(hand: list[str]) -> Strength:
    """How high five cards stand: the kind's place in ``KINDS``, then the ranks that decide."""
    ranks = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    often = Counter(ranks)
    order = sorted(ranks, key=lambda rank: (often[rank], rank), reverse=True)
    shape = sorted(often.values(), reverse=True)
    one_suit = len({card[1] for card in hand}) == 1
    wheel = ranks == [12, 3, 2, 1, 0]
    straight = wheel or (len(often) == 5 and ranks[0] - ranks[4] == 4)
    if wheel:
        order = [3, 2, 1, 0, -1]
    if straight and one_suit:
        return (9 if order[0] == 12 else 8), order
    if shape == [4, 1]:
        return 7, order
    if shape == [3, 2]:
        return 6, order
    if one_suit:
        return 5, order
    if straight:
        return 4, order
    kinds = {(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    return kinds.get(tuple(shape), 0), order


def kind(hand: list[str]) -> str:
    """The kind of five cards."""
    return KINDS[strength(hand)[0]]


def plays(hand: list[str]) -> bool:
    """Whether a bank with these cards plays: an ace and a king, or better."""
    return strength(hand) >= (0, [12, 11])


def deal(rng: random.Random, hands: list[str], fixed: dict[str, str]) -> dict[str, list[str]]:
    """Five cards for each hand, those of ``fixed`` as written there."""
    cards = {name: text.split() for name, text in fixed.items()}
    taken = {card for hand in cards.values() for card in hand}
    rest = [card for card in PACK if card not in taken]
    rng.shuffle(rest)
    return {name: cards.get(name) or [rest.pop() for _ in range(5)] for name in hands}
