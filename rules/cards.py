"""Playing cards: rank and suit, written as in ``Th`` (ten of hearts)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum, unique


@unique
class Rank(StrEnum):
    """The thirteen ranks, ace first, as they are written in a card's name."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "T"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    __hash__ = str.__hash__  # an enum's own is many times slower, and cards are looked up all the time


@unique
class Suit(StrEnum):
    """The four French suits."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"

    __hash__ = str.__hash__


@unique
class Face(StrEnum):
    """Which side of a card is seen."""

    UP = "up"
    """The face: rank and suit can be read."""
    DOWN = "down"
    """The back."""


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card of a French pack of 52.

    >>> str(Card.parse("Th"))
    'Th'
    """

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card's name: rank ``A23456789TJQK`` and suit ``cdhs``.

        Raises ValueError, naming the text, when it is not one of the 52.
        """
        card = _PACK_BY_NAME.get(text)
        if card is None:
            raise ValueError(
                f"{text!r} is not a card: write the rank A23456789TJQK and the suit c, d, h or s, as in 'Th'"
            )
        return card

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}"

    @property
    def is_red(self) -> bool:
        """Hearts and diamonds."""
        return self.suit in (Suit.DIAMONDS, Suit.HEARTS)


PACK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards, by suit (clubs, diamonds, hearts, spades), ace first."""

_PACK_BY_NAME = {str(card): card for card in PACK}
