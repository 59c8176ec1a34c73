"""What is due to each bet by the result: exactly, and as chips can make it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from functools import lru_cache
from itertools import product

from rules.baccarat.points import Result
from rules.profile_document import Rounding


@unique
class Due(StrEnum):
    """What the result means for a bet."""

    PAY = "pay"
    COLLECT = "collect"
    PUSH = "push"
    """On a tie punto and banca bets stay."""


def due_of(bet: str, result: Result) -> Due:
    """What is due to a bet on ``punto``, ``banca`` or ``empate``; the stake of a player who holds the bank
    (``sabot``) goes as banca."""
    bet = "banca" if bet == "sabot" else bet
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


def profit(stake: Stake, odds: Fraction) -> Fraction:
    """What a winning stake gains, exactly; ``odds``: profit per unit that plays."""
    return stake.playing * odds


def payable(stakes: Iterable[Stake], odds: Fraction, rounding: Rounding) -> frozenset[Fraction]:
    """The payments that are right for all stakes of a box: each paid by itself, or all together."""
    return _payable(tuple(stakes), odds, rounding)


@lru_cache(maxsize=4096)
def _payable(stakes: tuple[Stake, ...], odds: Fraction, rounding: Rounding) -> frozenset[Fraction]:
    due = [profit(stake, odds) for stake in stakes]
    each = [rounding.payable(amount) for amount in due]
    return frozenset(sum(amounts, Fraction(0)) for amounts in product(*each)) | rounding.payable(
        sum(due, Fraction(0))
    )


def takeable(stakes: Iterable[Stake], rounding: Rounding) -> frozenset[Fraction]:
    """The amounts that are right to take from all losing stakes of a box together."""
    each = [rounding.takeable(stake.playing) if stake.half else frozenset({stake.value}) for stake in stakes]
    return frozenset(sum(amounts, Fraction(0)) for amounts in product(*each))
