"""Amounts as people read them: fractions, and the chips they are made of."""

from __future__ import annotations

from collections.abc import Iterable

from rules import money
from rules.money import parse_amount


def readable(amount: str) -> str:
    """An exact amount for people.

    >>> readable("19/2"), readable("575")
    ('9½', '575')
    """
    return money.readable(parse_amount(amount))


def in_chips(amount: str, denominations: Iterable[int]) -> tuple[tuple[int, ...], str | None]:
    """The fewest chips of the house that make an amount, largest first, and what is left over (exact text).

    >>> in_chips("575", (1, 5, 25, 100, 500))
    ((500, 25, 25, 25), None)
    >>> in_chips("19/2", (1, 5))
    ((5, 1, 1, 1, 1), '1/2')
    """
    left = parse_amount(amount)
    chips: list[int] = []
    for denomination in sorted(denominations, reverse=True):
        count, left = divmod(left, denomination) if left > 0 else (0, left)
        chips.extend([denomination] * int(count))
    return tuple(chips), str(left) if left else None


def difference(due: str, seen: str) -> str:
    """What was seen minus what was due, exact.

    >>> difference("575", "550")
    '-25'
    """
    return str(parse_amount(seen) - parse_amount(due))
