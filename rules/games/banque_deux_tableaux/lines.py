"""What a bet plays: on which tableau, and how much of it, by the line that it lies on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from math import ceil

from rules.games.banque_deux_tableaux.words import PLAYS_ON, Line


@unique
class Side(StrEnum):
    """Who wins at a tableau."""

    TABLEAU = "tableau"
    BANCA = "banca"
    TIE = "tie"
    VOID = "void"
    """Nobody: the coup is void there."""

    @property
    def sign(self) -> int:
        """What a bet on the tableau gains per unit that plays."""
        return {Side.TABLEAU: 1, Side.BANCA: -1}.get(self, 0)


Sides = tuple[Side, Side]
"""Who wins at the first tableau, and who at the second."""


@dataclass(frozen=True, slots=True)
class Play:
    """The parts of a bet that play on the first and on the second tableau."""

    first: Fraction
    second: Fraction

    def net(self, sides: Sides) -> Fraction:
        """What the bettor gains (negative: loses)."""
        return self.first * sides[0].sign + self.second * sides[1].sign


def play_of(value: Fraction, bet: str, line: Line | None, unit: Fraction | None = None) -> Play | None:
    """How a bet of this value plays. ``unit``: of bets. None: its odd unit cannot be known.

    >>> play_of(Fraction(70), "tableau_1", Line.FIRST_LARGER, Fraction(10))
    Play(first=Fraction(40, 1), second=Fraction(30, 1))
    """
    match line:
        case Line.EQUAL_PARTS:
            return Play(value / 2, value / 2)
        case Line.FIRST_LARGER:
            if unit is None or value % unit:
                return None
            first = ceil(value / unit / 2) * unit
            return Play(first, value - first)
        case _:
            playing = value / 2 if line is Line.HALF else value
            nothing = Fraction(0)
            return Play(playing, nothing) if PLAYS_ON[bet] == 0 else Play(nothing, playing)


def net_of(
    value: Fraction, bet: str, line: Line | None, unit: Fraction | None, sides: Sides
) -> Fraction | None:
    """What a bet gains by a result, None if that takes a unit that is not known."""
    if line is Line.FIRST_LARGER and sides[0].sign == sides[1].sign:
        return value * sides[0].sign  # however it is divided
    play = play_of(value, bet, line, unit)
    return None if play is None else play.net(sides)


def sign_of(bet: str, line: Line | None, sides: Sides) -> int | None:
    """Whether a bet gains (1), loses (-1) or neither (0), whatever its value; None if that depends on it."""
    one, two = (side.sign for side in sides)
    match line:
        case Line.EQUAL_PARTS:
            return (one + two > 0) - (one + two < 0)
        case Line.FIRST_LARGER:
            if two in (one, 0):
                return one
            return None  # a single unit plays on the first tableau only
        case _:
            return (one, two)[PLAYS_ON[bet]]


def total_sign(signs: Sequence[int | None]) -> int | None:
    """The sign of several bets together, None if it is open."""
    if None in signs:
        return None
    kinds = set(signs) - {0}
    if len(kinds) > 1:
        return None
    return kinds.pop() if kinds else 0
