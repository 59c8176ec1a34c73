"""No-discard poker's odds, exactly: every pair of hands of player and bank, counted class by class.

A class is a way in which five ranks can fall, suited or not. How many pairs of hands two classes stand for
has a closed form: the bank's cards of a rank come from those that the player left, and a flush from the ranks
that he does not hold in its suit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

import numpy as np
from numpy.typing import NDArray

from datasets.odds.base import Figure, Odds, Progress
from datasets.odds.open_card import gain_by_open_card
from datasets.odds.poker_patterns import Counts, all_patterns, binomials, mixed_rank, suited_rank
from rules.cards import Rank
from rules.errors import VeedorError
from rules.games.no_discard_poker.profile import PokerProfile
from rules.poker import Category, category
from rules.poker.ranking import high_cards
from rules.profile_document import Profile

PAIRS = comb(52, 5) * comb(47, 5)
"""Pairs of hands."""
_CHOICES = (
    ("everyone goes on", 0),
    ("players go on with an ace and a king or better", high_cards(Rank.ACE, Rank.KING)),
    (
        "players go on with A K J 8 3 or better",
        high_cards(Rank.ACE, Rank.KING, Rank.JACK, Rank.EIGHT, Rank.THREE),
    ),
    ("players go on with a pair or better", int(Category.PAIR) << 20),
)
"""With what players go on: the words, and the lowest rank."""
_BY_OPEN_CARD = "players go on with a pair, and with less where the bank's open card is good for it"


@dataclass(frozen=True, slots=True)
class Standing:
    """One class of the player's hands: its rank, and with how many pairs of hands the bank does not play, or
    plays and is lower, equal, higher."""

    own: int
    bank_out: int
    wins: int
    ties: int
    loses: int

    @property
    def pairs(self) -> int:
        """All pairs of hands in which the player's is of this class."""
        return self.bank_out + self.wins + self.ties + self.loses


def odds(profile: Profile, packs: int, progress: Progress) -> tuple[Odds, ...]:
    """The odds of one pack, for each way to decide by one's own hand alone."""
    assert isinstance(profile, PokerProfile)
    if packs != 1:
        raise VeedorError(f"No-discard poker is played with one pack of cards, not {packs}.")
    classes = list(standings(profile.floor, progress))
    kinds: Counter[Category] = Counter()
    for one in classes:
        kinds[category(one.own)] += one.pairs
    plays = Fraction(sum(one.pairs - one.bank_out for one in classes), PAIRS)
    chances = (
        Figure.of("the bank plays", plays),
        *(Figure.of(kind.name.lower(), Fraction(kinds[kind], PAIRS)) for kind in reversed(Category)),
    )
    insured = sum(
        (Fraction(kinds[kind], PAIRS) * (win + 1) for kind, win in profile.insured.items()), Fraction()
    )
    choices = {words: edge(classes, floor, profile) for words, floor in _CHOICES}
    choices[_BY_OPEN_CARD] = edge_minding(classes, profile)
    return tuple(
        Odds(
            game=profile.game,
            profile=profile.title,
            packs=packs,
            choice=words,
            chances=chances,
            edges=(
                Figure.of("ante", kept),
                Figure.of("insurance", 1 - insured),
            ),
            ways=PAIRS,
            notes=("the edge on the ante is what ante and second bet lose together, as a part of the ante",),
        )
        for words, kept in choices.items()
    )


def edge(classes: list[Standing], floor: int, profile: PokerProfile) -> Fraction:
    """What the house keeps of a unit of ante where players go on from rank ``floor`` on."""
    gained = Fraction(0)
    for one in classes:
        if one.own < floor:
            gained -= one.pairs
            continue
        win = 1 + profile.second_bet * profile.pays[category(one.own)]
        gained += one.bank_out + one.wins * win - one.loses * (1 + profile.second_bet)
    return -gained / PAIRS


def edge_minding(classes: list[Standing], profile: PokerProfile) -> Fraction:
    """The same where players with a hand between what the bank needs and a pair mind its open card."""
    pair = int(Category.PAIR) << 20
    sure = edge([one for one in classes if not profile.floor <= one.own < pair], profile.floor, profile)
    return sure - Fraction(gain_by_open_card(profile), 5 * PAIRS)


def standings(floor: int, progress: Progress = lambda _: None) -> Iterator[Standing]:
    """Every class of the player's hands against all hands of the bank, which plays from ``floor`` on."""
    patterns = all_patterns()
    counts = np.array(patterns, dtype=np.int64)
    apart = np.flatnonzero(counts.max(axis=1) == 1)
    mixed = [mixed_rank(pattern) for pattern in patterns]
    suited = [suited_rank(patterns[index]) for index in apart]
    ranks = np.array(mixed + suited)
    order = np.argsort(ranks, kind="stable")
    ordered = ranks[order]
    tables = _Tables(counts, apart)
    places = {int(index): place for place, index in enumerate(apart)}
    for index, pattern in enumerate(patterns):
        every, flushes = tables.against(pattern)
        place = places.get(index)
        if place is not None:
            own, both = tables.suited(pattern)
            yield _standing(suited[place], _row(own, both, apart)[order], ordered, floor)
            every, flushes = every - own, flushes - both
        yield _standing(mixed[index], _row(every, flushes, apart)[order], ordered, floor)
        if index % 64 == 0:
            progress(index / len(patterns))


class _Tables:
    """How many pairs of hands a pattern of the player's stands for with each of the bank's."""

    def __init__(self, counts: Counts, apart: NDArray[np.intp]) -> None:
        binomial = binomials()
        self._left = [[binomial[4 - held][column] for held in range(5)] for column in counts.T]
        self._of_three = [binomial[3][column] for column in counts.T]
        self._of_four = [binomial[4][column] for column in counts.T]
        self._flush = counts[apart].astype(bool)

    def against(self, pattern: list[int]) -> tuple[Counts, Counts]:
        """Pairs with all of the bank's hands of each pattern, and with its flushes."""
        own = prod(comb(4, held) for held in pattern)
        every = own * np.prod([self._left[place][held] for place, held in enumerate(pattern)], axis=0)
        inside = np.array([comb(3, held) for held in pattern], dtype=np.int64)
        outside = np.array([comb(4, held) for held in pattern], dtype=np.int64)
        return every, 4 * np.prod(np.where(self._flush, inside, outside), axis=1)

    def suited(self, pattern: list[int]) -> tuple[Counts, Counts]:
        """The same, of the player's flushes only."""
        parts = [
            self._of_three[place] if held else self._of_four[place] for place, held in enumerate(pattern)
        ]
        shared = (self._flush & np.array(pattern, dtype=bool)).any(axis=1)
        return 4 * np.prod(parts, axis=0), np.where(shared, 12, 16).astype(np.int64)


def _row(every: Counts, flushes: Counts, apart: NDArray[np.intp]) -> Counts:
    """Pairs with each class of the bank's: no flushes of each pattern, then flushes."""
    mixed = every.copy()
    mixed[apart] -= flushes
    return np.concatenate([mixed, flushes])


def _standing(own: int, row: Counts, ordered: NDArray[np.int64], floor: int) -> Standing:
    plays, low, high = (
        int(np.searchsorted(ordered, floor, "left")),
        int(np.searchsorted(ordered, own, "left")),
        int(np.searchsorted(ordered, own, "right")),
    )
    low, high = max(low, plays), max(high, plays)
    sums = [int(part.sum()) for part in (row[:plays], row[plays:low], row[low:high], row[high:])]
    return Standing(own, *sums)
