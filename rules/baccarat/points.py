"""What cards count, and which hand wins."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum, unique

from rules.cards import Card, Rank
from rules.seen_cards import SeenCard

_VALUES: dict[Rank, int] = {rank: number if number < 10 else 0 for number, rank in enumerate(Rank, start=1)}

HANDS = ("punto", "banca")


@unique
class Result(StrEnum):
    """Which bets win."""

    PUNTO = "punto"
    BANCA = "banca"
    TIE = "empate"


def card_value(card: Card) -> int:
    """Ace 1, two to nine their number, ten and court cards 0.

    >>> [card_value(Card.parse(text)) for text in ("As", "9h", "Td", "Kc")]
    [1, 9, 0, 0]
    """
    return _VALUES[card.rank]


def values_of(card: SeenCard) -> tuple[int, ...]:
    """What a card may count: one value where it was read, or where all that it may be count the same."""
    if card.card is not None:
        return (card_value(card.card),)
    return tuple(sorted({card_value(one) for one in card.may_be})) or tuple(range(10))


def burn_value(card: Card) -> int:
    """How many cards a shoe's first card burns: ten and court cards count 10."""
    return _VALUES[card.rank] or 10


def points(values: Sequence[int]) -> int:
    """The total of a hand: only the last digit counts.

    >>> points([7, 8])
    5
    """
    return sum(values) % 10


def result_of(punto: int, banca: int) -> Result:
    """The hand with the higher total wins."""
    if punto == banca:
        return Result.TIE
    return Result.PUNTO if punto > banca else Result.BANCA
