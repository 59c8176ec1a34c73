"""What is due to each bet by the result: exactly, and as chips can make it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from itertools import product

from rules.games.punto_banco.points import Result
from rules.games.punto_banco.profile import PuntoBancoProfile


@unique
class Due(StrEnum):
    """What the result means for a bet."""

    PAY = "pay"
    COLLECT = "collect"
    PUSH = "push"
    """On a tie punto and banca bets stay (PB-AND-TIE-01)."""


def due_of(bet: str, result: Result) -> Due:
    """What is due to a bet on ``punto``, ``banca`` or ``empate``."""
    if bet == result.value:
        return Due.PAY
    if result is Result.TIE and bet in ("punto", "banca"):
        return Due.PUSH
    return Due.COLLECT


@dataclass(frozen=True, slots=True)
class Stake:
    """A stack that plays. ``half``: it lies on a line and plays half (HOUSE-LINE-01)."""

    value: Fraction
    half: bool

    @property
    def playing(self) -> Fraction:
        """The part that can win or lose."""
        return self.value / 2 if self.half else self.value


def profit(stake: Stake, bet: str, profile: PuntoBancoProfile) -> Fraction:
    """What a winning stake gains, exactly (PB-AND-PAY-01 to 03)."""
    return stake.playing * profile.payouts[bet]


def payable(stakes: Iterable[Stake], bet: str, profile: PuntoBancoProfile) -> frozenset[Fraction]:
    """The payments that are right for all stakes of a box together, by the profile's rounding."""
    each = [profile.rounding.payable(profit(stake, bet, profile)) for stake in stakes]
    return frozenset(sum(amounts, Fraction(0)) for amounts in product(*each))


def takeable(stakes: Iterable[Stake], profile: PuntoBancoProfile) -> frozenset[Fraction]:
    """The amounts that are right to take from all losing stakes of a box together."""
    each = [
        profile.rounding.takeable(stake.playing) if stake.half else frozenset({stake.value})
        for stake in stakes
    ]
    return frozenset(sum(amounts, Fraction(0)) for amounts in product(*each))
