"""What deciding by the bank's open card is worth at no-discard poker, exactly.

Only hands without a pair are worth a thought, and of those only suits matter that the open card shares: they
are the flushes that the bank cannot have.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from datasets.odds.poker_patterns import Counts, all_patterns, binomials, mixed_rank, suited_rank
from rules.games.no_discard_poker.profile import PokerProfile
from rules.poker import Category


def gain_by_open_card(profile: PokerProfile) -> int:
    """What players gain (negative: lose) in all deals, open cards told apart, in which they hold less than a
    pair and not less than the bank needs: they go on where that loses less than the ante."""
    patterns = all_patterns()
    counts = np.array(patterns, dtype=np.int64)
    apart = np.flatnonzero(counts.max(axis=1) == 1)
    mixed = np.array([mixed_rank(pattern) for pattern in patterns])
    suited = np.array([suited_rank(patterns[index]) for index in apart])
    flushes = counts[apart].astype(bool)
    binomial = binomials()
    left = [[binomial[4 - held][column] for held in range(5)] for column in counts.T]
    gained = 0
    for index in apart:
        own, pattern = int(mixed[index]), patterns[index]
        if not profile.floor <= own < int(Category.PAIR) << 20:
            continue
        every = np.prod([left[place][held] for place, held in enumerate(pattern)], axis=0)
        plain, flush = _gains(mixed, own, profile), _gains(suited, own, profile)
        shift = flush - plain[apart]
        held = [place for place, count in enumerate(pattern) if count]
        for open_rank in range(13):
            with_it = every * counts[:, open_rank] // (4 - pattern[open_rank])
            whole, base = int(with_it.sum()), int((with_it * plain).sum())
            gained += _over_suits(held, open_rank, flushes, shift, base, whole)
    return gained


def _gains(bank: Counts, own: int, profile: PokerProfile) -> Counts:
    """What who goes on gains against each rank of the bank's, in antes."""
    second = profile.second_bet
    win = 1 + second * profile.pays[Category.HIGH_CARD]
    if second.denominator * win.denominator != 1:
        raise ValueError("second bet and pay table are to be whole numbers here")
    gains = np.where(bank < own, int(win), np.where(bank == own, 0, -1 - int(second)))
    return np.where(bank < profile.floor, 1, gains)


def _over_suits(
    held: list[int], open_rank: int, flushes: Counts, shift: Counts, base: int, whole: int
) -> int:
    """Over all suits of the player's five cards and of the open one."""
    gained = 0
    having = flushes[:, open_rank]
    for number in range(5):
        for same in combinations([place for place in held if place != open_rank], number):
            possible = having & ~flushes[:, list(same)].any(axis=1)
            goes = base + int(shift[possible].sum())
            # The other cards are of the other three suits, not all five of one: that would be a flush.
            ways = 4 * (3 ** (5 - number) - (3 if number == 0 else 0))
            gained += ways * max(goes, -whole)
    return gained
