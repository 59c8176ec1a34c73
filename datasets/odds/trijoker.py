"""Trijoker's odds, exactly: every three cards, every common one after them, and the best that can be done.

Whether a bet should stay depends on the cards seen so far only: the first on three, the second on four, in
whatever order they came. Sets of cards that differ by the suits' names alone are counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from datasets.odds.base import Figure, Odds, Progress
from rules.cards import PACK, Card, Rank, Suit
from rules.errors import VeedorError
from rules.games.trijoker.hands import Multiple, pays
from rules.games.trijoker.profile import TrijokerProfile
from rules.poker import Category, category, rank
from rules.profile_document import Profile

_RANKS, _SUITS = list(Rank), list(Suit)
_BIT = {card: (_SUITS.index(card.suit), 1 << _RANKS.index(card.rank)) for card in PACK}

Shape = tuple[int, ...]
"""A set of cards, but for the suits' names: the ranks held in each suit, sorted."""
Ends = tuple[tuple[tuple[Category, Rank | None], int], ...]
"""What four cards come to by the fifth: kind of hand, rank of a pair, and how many cards make it so."""


def _shape(cards: Iterable[Card]) -> Shape:
    held = [0, 0, 0, 0]
    for card in cards:
        suit, bit = _BIT[card]
        held[suit] |= bit
    return tuple(sorted(held))


@cache
def _shapes(number: int) -> dict[Shape, tuple[tuple[Card, ...], int]]:
    """Every shape of so many cards: cards of it, and how many sets have it."""
    first: dict[Shape, tuple[Card, ...]] = {}
    ways: Counter[Shape] = Counter()
    for cards in combinations(PACK, number):
        shape = _shape(cards)
        first.setdefault(shape, cards)
        ways[shape] += 1
    return {shape: (cards, ways[shape]) for shape, cards in first.items()}


@cache
def _ends(low_ace: bool) -> dict[Shape, Ends]:
    """What becomes of each four cards."""
    return {shape: _ends_of(cards, low_ace) for shape, (cards, _) in _shapes(4).items()}


def _ends_of(four: tuple[Card, ...], low_ace: bool) -> Ends:
    counts: Counter[tuple[Category, Rank | None]] = Counter()
    ranks = [card.rank for card in four]
    for card in PACK:
        if card in four:
            continue
        kind = category(rank((*four, card), low_ace=low_ace))
        pair = next((r for r in (card.rank, *ranks) if [*ranks, card.rank].count(r) == 2), None)
        counts[kind, pair if kind is Category.PAIR else None] += 1
    return tuple(counts.items())


@dataclass(frozen=True, slots=True)
class BestPlay:
    """``gains``: what a unit on each bet gains on average. ``rides``: how often the first and second bets
    stay, a bet that gains nothing either way being withdrawn. ``kinds``: of hands, in the end."""

    gains: tuple[Fraction, Fraction, Fraction]
    rides: tuple[Fraction, Fraction]
    kinds: dict[Category, Fraction]
    wins: Fraction


def best_play(profile: TrijokerProfile) -> BestPlay:
    """Every hand that one pack can deal, each bet withdrawn exactly where it would lose on average."""
    multiples = _multiples(profile)
    value: dict[Shape, Fraction] = {}
    kinds: Counter[Category] = Counter()
    wins = 0
    for shape, ends in _ends(profile.low_ace).items():
        ways = _shapes(4)[shape][1]
        total = Fraction(0)
        for (kind, pair), cards in ends:
            multiple = multiples[kind, pair]
            total += cards * (-1 if multiple is None else multiple)
            kinds[kind] += ways * cards
            wins += ways * cards * (multiple is not None)
        value[shape] = total / (len(PACK) - 4)
    four, three = comb(52, 4), comb(52, 3)
    second = [(value[shape], ways) for shape, (_, ways) in _shapes(4).items()]
    first = [(_mean(_next(cards), value), ways) for cards, ways in _shapes(3).values()]
    ends_in_all = four * (len(PACK) - 4)
    return BestPlay(
        gains=(
            sum((max(v, Fraction(0)) * ways for v, ways in first), Fraction(0)) / three,
            sum((max(v, Fraction(0)) * ways for v, ways in second), Fraction(0)) / four,
            sum((v * ways for v, ways in second), Fraction(0)) / four,
        ),
        rides=(
            Fraction(sum(ways for v, ways in first if v > 0), three),
            Fraction(sum(ways for v, ways in second if v > 0), four),
        ),
        kinds={kind: Fraction(kinds[kind], ends_in_all) for kind in Category},
        wins=Fraction(wins, ends_in_all),
    )


def _multiples(profile: TrijokerProfile) -> dict[tuple[Category, Rank | None], Multiple]:
    """What each end pays, by the profile: its own judge is asked once for each."""
    found: dict[tuple[Category, Rank | None], Multiple] = {}
    for shape, ends in _ends(profile.low_ace).items():
        cards = _shapes(4)[shape][0]
        if all(end in found for end, _ in ends):
            continue
        for card in PACK:
            if card in cards:
                continue
            five = (*cards, card)
            kind, multiple = pays(five, profile)
            ranks = [one.rank for one in five]
            pair = next((r for r in ranks if ranks.count(r) == 2), None) if kind is Category.PAIR else None
            found.setdefault((kind, pair), multiple)
    return found


def _next(cards: tuple[Card, ...]) -> Iterator[Shape]:
    """The shapes that one more card makes."""
    return (_shape((*cards, card)) for card in PACK if card not in cards)


def _mean(shapes: Iterator[Shape], value: dict[Shape, Fraction]) -> Fraction:
    values = [value[shape] for shape in shapes]
    return sum(values, Fraction(0)) / len(values)


def odds(profile: Profile, packs: int, progress: Progress) -> tuple[Odds, ...]:
    """The odds of a hand from a whole pack. Raises VeedorError for another number of packs than one."""
    assert isinstance(profile, TrijokerProfile)
    if packs != 1:
        raise VeedorError(f"Trijoker is played with one pack, not with {packs}: leave --decks away.")
    played = best_play(profile)
    progress(1.0)
    first, second, third = played.gains
    names = {kind: kind.name.lower().replace("_", " ") for kind in Category}
    return (
        Odds(
            game=profile.game,
            profile=profile.title,
            packs=packs,
            choice="players withdraw a bet that would lose on average",
            chances=(
                Figure.of("the hand wins", played.wins),
                Figure.of("the first bet stays", played.rides[0]),
                Figure.of("the second bet stays", played.rides[1]),
                *(Figure.of(names[kind], chance) for kind, chance in played.kinds.items()),
            ),
            edges=(
                Figure.of("bet_1", -first),
                Figure.of("bet_2", -second),
                Figure.of("bet_3", -third),
                Figure.of("all three, for one of them", -(first + second + third)),
            ),
            ways=comb(52, 3) * 49 * 48,
        ),
    )
