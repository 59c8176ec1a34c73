"""Exact amounts: integers of the table's smallest unit or fractions of it, never floats."""

from __future__ import annotations

from fractions import Fraction

Amount = Fraction
"""An exact amount in the table's unit of account (a chip of value 1 is ``Fraction(1)``)."""


def amount_text(amount: Fraction | int | None) -> str | None:
    """The amount as an exact string: ``"40"``, ``"19/2"``; None stays None (not known)."""
    return None if amount is None else str(Fraction(amount))


def parse_amount(text: str | int) -> Fraction:
    """Read an exact amount: ``"40"``, ``"19/2"``, ``"9.5"``, ``40``.

    Raises ValueError, naming the text, for anything else (a float is refused: it is not exact).
    """
    if isinstance(text, bool) or not isinstance(text, str | int):
        raise ValueError(f"{text!r} is not an exact amount: write a whole number or a string such as '19/2'")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError(
            f"{text!r} is not an exact amount: write a whole number or a string such as '19/2'"
        ) from None
