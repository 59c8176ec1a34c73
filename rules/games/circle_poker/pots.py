"""Pots: what each seat put in, layer by layer; who may win each; how it is shared out, to the last chip."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Pot:
    """One pot. ``eligible``: the seats that may win it, in order."""

    amount: Fraction
    eligible: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pots:
    """``pots``: main pot first. ``uncalled``: seat and amount of a bet that nobody called, else None."""

    pots: tuple[Pot, ...]
    uncalled: tuple[int, Fraction] | None


def pots_of(
    put_in: Mapping[int, Fraction], folded: Collection[int], dead: Mapping[int, Fraction] | None = None
) -> Pots:
    """Main and side pots of what the seats put in. ``dead``: antes, which call nothing, of the main pot.

    The part of the highest bet that nobody matched is no pot's: it goes back, also if all others folded.

    >>> money = {1: Fraction(80), 2: Fraction(80), 3: Fraction(30)}
    >>> [(str(pot.amount), pot.eligible) for pot in pots_of(money, ()).pots]
    [('90', (1, 2, 3)), ('100', (1, 2))]
    """
    money = {seat: amount for seat, amount in put_in.items() if amount > 0}
    uncalled = _uncalled(money)
    if uncalled is not None:
        money[uncalled[0]] -= uncalled[1]
    live = sorted(seat for seat in put_in if seat not in folded)
    pots: list[Pot] = []
    floor = Fraction(0)
    carried = sum((dead or {}).values(), Fraction(0))
    for level in sorted({money[seat] for seat in live if money.get(seat)} or {Fraction(0)}):
        layer = sum((min(amount, level) - min(amount, floor) for amount in money.values()), carried)
        eligible = tuple(seat for seat in live if money.get(seat, Fraction(0)) >= level)
        if layer:
            if pots and pots[-1].eligible == eligible:
                pots[-1] = Pot(pots[-1].amount + layer, eligible)
            else:
                pots.append(Pot(layer, eligible))
        floor, carried = level, Fraction(0)
    above = sum((amount - min(amount, floor) for amount in money.values()), Fraction(0))
    if above and pots:  # of seats that folded after putting in more than any that is left
        pots[-1] = Pot(pots[-1].amount + above, pots[-1].eligible)
    return Pots(tuple(pots), uncalled)


def _uncalled(money: Mapping[int, Fraction]) -> tuple[int, Fraction] | None:
    heights = sorted(money.values(), reverse=True)
    if not heights:
        return None
    second = heights[1] if len(heights) > 1 else Fraction(0)
    if heights[0] == second:
        return None
    return next(seat for seat, amount in money.items() if amount == heights[0]), heights[0] - second


def winners_of(pot: Pot, heights: Mapping[int, int]) -> tuple[int, ...]:
    """The seats whose hands stand highest of those that may win the pot."""
    if len(pot.eligible) == 1:
        return pot.eligible
    best = max(heights[seat] for seat in pot.eligible)
    return tuple(seat for seat in pot.eligible if heights[seat] == best)


def shares(
    amount: Fraction, winners: Sequence[int], unit: Fraction, order: Sequence[int]
) -> dict[int, Fraction]:
    """What each winner gets. ``order``: seats clockwise from the marker: they get the odd units, one each,
    and the first what is less than a unit.

    >>> {seat: str(share) for seat, share in shares(Fraction(155), [2, 5], Fraction(5), [5, 1, 2]).items()}
    {5: '80', 2: '75'}
    """
    ranked = sorted(winners, key=lambda seat: order.index(seat) if seat in order else len(order) + seat)
    units, rest = divmod(amount, unit)
    each, odd = divmod(int(units), len(ranked))
    found = {seat: (each + (place < odd)) * unit for place, seat in enumerate(ranked)}
    found[ranked[0]] += rest
    return found


def clockwise_from(button: int, seats: Collection[int]) -> list[int]:
    """Seats in the order in which they come after the marker; the marker's own is the last.

    >>> clockwise_from(3, {1, 2, 3, 6})
    [6, 1, 2, 3]
    """
    ordered = sorted(seats)
    return [seat for seat in ordered if seat > button] + [seat for seat in ordered if seat <= button]
