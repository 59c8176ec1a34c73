"""Exact amounts: integers of the table's smallest unit or fractions of it, never floats."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

_WRITTEN = re.compile(r"[+-]?[0-9]{1,30}(/[0-9]{1,30}|\.[0-9]{1,30})?")
"""No exponents: "1e999999999" would be a number that fills the memory."""

Amount = Fraction
"""An exact amount in the table's unit of account (a chip of value 1 is ``Fraction(1)``)."""


@lru_cache(maxsize=65536)
def units(value: int) -> Fraction:
    """A whole amount. Chips have few values, and making a fraction takes longer than looking it up."""
    return Fraction(value)


def sum_of(amounts: Sequence[Fraction | None]) -> Fraction | None:
    """The sum, None if one of them is not known."""
    if len(amounts) == 1:
        return amounts[0]
    together, rest = 0, Fraction(0)
    for amount in amounts:
        if amount is None:
            return None
        if amount.denominator == 1:
            together += amount.numerator
        else:
            rest += amount
    return units(together) + rest if rest else units(together)


def amount_text(amount: Fraction | int | None) -> str | None:
    """The amount as an exact string: ``"40"``, ``"19/2"``; None stays None (not known)."""
    return None if amount is None else str(Fraction(amount))


_GLYPHS = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}
"""Those that every typeface has."""


def readable(amount: Fraction | int | None, unknown: str = "not known") -> str:
    """An exact amount as people read it; ``unknown`` for None.

    >>> readable(Fraction(19, 2)), readable(575), readable(Fraction(1, 20)), readable(Fraction(-41, 20))
    ('9½', '575', '1/20', '-2 1/20')
    """
    if amount is None:
        return unknown
    sign = "-" if amount < 0 else ""
    whole, rest = divmod(abs(Fraction(amount)), 1)
    if not rest:
        return f"{sign}{whole}"
    if (glyph := _GLYPHS.get(rest)) is not None:
        return f"{sign}{whole or ''}{glyph}"
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"


def parse_amount(text: str | int) -> Fraction:
    """Read an exact amount: ``"40"``, ``"19/2"``, ``"9.5"``, ``40``.

    Raises ValueError, naming the text, for anything else (a float is refused: it is not exact).
    """
    if isinstance(text, bool) or not isinstance(text, str | int):
        raise ValueError(f"{text!r} is not an exact amount: write a whole number or a string such as '19/2'")
    try:
        if isinstance(text, str) and not _WRITTEN.fullmatch(text.strip()):
            raise ValueError
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(
            f"{text!r} is not an exact amount: write a whole number or a string such as '19/2'"
        ) from None
