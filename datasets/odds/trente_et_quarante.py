"""Trente et quarante's odds: 31 to 31 exactly, counted over all ways in which two rows can come to it.

Which row wins, and whether colour does, is as likely as the contrary: the two rows are exchangeable, and the
colour of a card says nothing about what it counts. So the house keeps half of a bet whenever it is 31 to 31.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import comb, factorial, perm

from datasets.odds.base import Figure, Odds, Progress
from rules.games.trente_et_quarante.profile import TrenteProfile
from rules.games.trente_et_quarante.words import BETS
from rules.profile_document import Profile

_State = tuple[int, int, int, int]
"""Cards and points of the one row, cards and points of the other."""


def refait(packs: int, full: int = 31, progress: Progress = lambda _: None) -> Fraction:
    """The chance that both rows end at exactly ``full``, with so many packs.

    A row ends there by any order of cards that add up to it. Value by value, ten first: in how many ways so
    many cards of it come to each row, orders within a row being counted in the end. Aces fill what is left.
    """
    copies = {value: (16 if value == 10 else 4) * packs for value in range(1, 11)}
    states: dict[_State, int] = {(0, 0, 0, 0): 1}
    for value in range(10, 1, -1):
        states = _with(states, value, copies[value], full)
        progress((10 - value) / 10)
    sums: dict[int, int] = defaultdict(int)
    cards = 52 * packs
    for (n, points, m, others), ways in states.items():
        one, two = full - points, full - others
        aces = comb(copies[1], one + two) * comb(one + two, one)
        if aces:
            n, m = n + one, m + two
            sums[n + m] += ways * aces * factorial(n) * factorial(m)
    return sum((Fraction(ways, perm(cards, n)) for n, ways in sums.items()), Fraction(0))


def _with(states: dict[_State, int], value: int, copies: int, full: int) -> dict[_State, int]:
    found: dict[_State, int] = defaultdict(int)
    for (n, points, m, others), ways in states.items():
        for one in range((full - points) // value + 1):
            for two in range(min((full - others) // value, copies - one) + 1):
                share = comb(copies, one + two) * comb(one + two, one)
                found[n + one, points + one * value, m + two, others + two * value] += ways * share
    return found


def row_totals(packs: int, full: int = 31) -> dict[int, Fraction]:
    """The chance of each total that a row may end at."""
    copies = {value: (16 if value == 10 else 4) * packs for value in range(1, 11)}
    cards, chances = 52 * packs, dict.fromkeys(range(full, full + 10), Fraction(0))
    for last in range(1, 11):
        left = {**copies, last: copies[last] - 1}
        states: dict[tuple[int, int], Fraction] = {(0, 0): Fraction(1)}
        for value in range(10, 0, -1):
            after: dict[tuple[int, int], Fraction] = defaultdict(Fraction)
            for (n, points), ways in states.items():
                for one in range(min((full - 1 - points) // value, left[value]) + 1):
                    after[n + one, points + one * value] += ways * Fraction(
                        perm(left[value], one), factorial(one)
                    )
            states = after
        for (n, points), ways in states.items():
            if points + last >= full:
                chances[points + last] += ways * factorial(n) * copies[last] / perm(cards, n + 1)
    return chances


def odds(profile: Profile, packs: int, progress: Progress) -> tuple[Odds, ...]:
    """The odds of a full shoe's first coup."""
    assert isinstance(profile, TrenteProfile)
    both = refait(packs, profile.full_from, progress)
    ends = [
        Figure.of(f"a row ends at {total}", chance)
        for total, chance in row_totals(packs, profile.full_from).items()
    ]
    return (
        Odds(
            game=profile.game,
            profile=profile.title,
            packs=packs,
            chances=(Figure.of("31 to 31", both), *ends),
            edges=(
                *(Figure.of(bet, both / 2) for bet in sorted(BETS)),
                Figure.of("an insured bet", profile.premium_rate),
            ),
            notes=("at 31 to 31 half of a bet is taken; of an insured one only the premium, in every coup",),
        ),
    )
