"""What cards count, and when banca draws (art. 20)."""

from __future__ import annotations

_VALUES = {"A": 1, **{str(n): n for n in range(2, 10)}}
_TAKES_AGAINST = {3: "012345679", 4: "234567", 5: "4567", 6: "67"}
"""Banca's totals at which it draws, by punto's third card (art. 20)."""


def value(card: str) -> int:
    """What a card counts."""
    return _VALUES.get(card[0], 0)


def total(cards: list[str]) -> int:
    """What a hand counts."""
    return sum(map(value, cards)) % 10


def banca_takes(own: int, given: str | None) -> bool:
    """Whether banca draws; ``given``: punto's third card."""
    if given is None:
        return own <= 5
    return own <= 2 or str(value(given)) in _TAKES_AGAINST.get(own, "")
