"""What confirmed errors cost, both ways, exactly; an amount that is not known is counted, not guessed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from rules.dealers.errs import Money, who_errs
from rules.dealers.sessions import Raised
from rules.money import parse_amount


@dataclass(frozen=True, slots=True)
class Stakes:
    """``bank_lost``: what the bank (the house, or the player who holds the bank) gave too much or took too
    little; ``players_lost``: what players did. ``known``, ``not_known``: how many errors about money have an
    amount, and how many have none."""

    bank_lost: Fraction = Fraction(0)
    players_lost: Fraction = Fraction(0)
    known: int = 0
    not_known: int = 0

    def __add__(self, other: Stakes) -> Stakes:
        return Stakes(
            self.bank_lost + other.bank_lost,
            self.players_lost + other.players_lost,
            self.known + other.known,
            self.not_known + other.not_known,
        )


def stakes_of(game: str, errors: Iterable[Raised]) -> Stakes:
    """What errors cost together. Those about procedure cost nothing."""
    total = Stakes()
    for error in errors:
        money = who_errs(game, error.code).money
        if money is not None:
            total += _stakes(error, money)
    return total


def _stakes(error: Raised, money: Money) -> Stakes:
    if money is Money.POT:
        moved = _less(_amount(error.amount_seen), _amount(error.amount_due))
        return Stakes(not_known=1) if moved is None else Stakes(players_lost=abs(moved), known=1)
    moved = to_players(error, money)
    if moved is None:
        return Stakes(not_known=1)
    return Stakes(max(moved, Fraction(0)), max(-moved, Fraction(0)), known=1)


def to_players(error: Raised, money: Money) -> Fraction | None:
    """How much too much went from the bank to players; below nothing: the other way. None: not known."""
    due, seen = _amount(error.amount_due), _amount(error.amount_seen)
    match money:
        case Money.GIFT:
            return seen
        case Money.PLAYER:
            return _less(seen, due)
        case Money.BANK:
            return _less(due, seen)
        case Money.BET:
            return _less(_flow(error.outcome, seen), _flow(error.due, due))
        case Money.POT:
            return Fraction(0)


_WAY = {"pay": 1, "paid": 1, "collect": -1, "collected": -1, "push": 0, "stood": 0}
"""Which way chips go: from the bank to the player, or back."""


def _flow(what: str | None, amount: Fraction | None) -> Fraction | None:
    way = None if what is None else _WAY.get(what)
    if way == 0:
        return Fraction(0)
    return None if way is None or amount is None else way * amount


def _less(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    return None if one is None or other is None else one - other


def _amount(text: str | None) -> Fraction | None:
    return None if text is None else parse_amount(text)
