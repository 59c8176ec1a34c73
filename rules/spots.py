"""Spots: the places on a table that the rules speak of, each with one name.

A spot's text form is the same everywhere (layout drawing, journal, findings, pages):

    seat 3 punto      the betting box of seat 3 for punto (banca, empate, ante, ... likewise)
    box a punto       the betting box with the letter a, for players who stand
    hand punto        where the cards of the punto hand lie
    shoe, discard, float, capital, burn, community, bank, garage, cagnotte, pot, tips, deck, table
    off table         not on the felt at all
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum, unique
from functools import lru_cache


@unique
class Area(StrEnum):
    """What kind of place a spot is."""

    BET = "bet"
    """A betting box of one seat, or one with a letter."""
    HAND = "hand"
    """Where a hand's cards lie."""
    SHOE = "shoe"
    """The shoe (sabot), from which cards are drawn."""
    DISCARD = "discard"
    """The receptacle for used cards."""
    FLOAT = "float"
    """The bank's chips."""
    CAPITAL = "capital"
    """The table's capital, where it is kept apart from the chips in use."""
    BURN = "burn"
    """Burned cards."""
    COMMUNITY = "community"
    """Shared cards."""
    BANK = "bank"
    """The banker's stake (chemin de fer, banque à deux tableaux)."""
    GARAGE = "garage"
    """The banker's money that does not play."""
    CAGNOTTE = "cagnotte"
    """The slot for the house's deduction, commission or rake."""
    POT = "pot"
    """The pot (poker)."""
    TIPS = "tips"
    """The slot for tips."""
    DECK = "deck"
    """The pack in the dealer's hand or at rest, where there is no shoe."""
    TABLE = "table"
    """Anywhere else on the felt."""
    OFF_TABLE = "off table"
    """Not on the table."""


_NAME = re.compile(r"[a-z][a-z0-9_]*")
_SEAT = re.compile(r"seat ([1-9][0-9]?) ([a-z][a-z0-9_]*)")
_BOX = re.compile(r"box ([a-z]) ([a-z][a-z0-9_]*)")


@dataclass(frozen=True, slots=True)
class Spot:
    """One place on the table. ``bet`` is given for betting boxes, with ``seat`` or, where a standing player
    bets, with the box's letter (``box``); ``hand`` for hands.

    >>> str(Spot.parse("seat 3 punto")), Spot.parse("hand banca").hand
    ('seat 3 punto', 'banca')
    """

    area: Area
    seat: int | None = None
    bet: str | None = None
    hand: str | None = None
    box: str | None = None

    @classmethod
    def parse(cls, text: str) -> Spot:
        """Read a spot's text form. Raises ValueError, naming the text and the forms there are."""
        return _parsed(text)

    def __lt__(self, other: Spot) -> bool:
        return self._place < other._place

    @property
    def _place(self) -> tuple[str, int, str, str, str]:
        """Order: by area, seats before letters, then by bet and hand."""
        letter = self.box or ""
        return (self.area, 100 if letter else self.seat or 0, letter, self.bet or "", self.hand or "")

    def __str__(self) -> str:
        if self.area is Area.BET:
            return f"seat {self.seat} {self.bet}" if self.box is None else f"box {self.box} {self.bet}"
        if self.area is Area.HAND:
            return f"hand {self.hand}"
        return self.area.value


_PLAIN = frozenset(area.value for area in Area) - {Area.BET.value, Area.HAND.value}


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Spot:
    if found := _SEAT.fullmatch(text):
        return Spot(Area.BET, seat=int(found[1]), bet=found[2])
    if found := _BOX.fullmatch(text):
        return Spot(Area.BET, bet=found[2], box=found[1])
    if text.startswith("hand ") and _NAME.fullmatch(text[5:]):
        return Spot(Area.HAND, hand=text[5:])
    if text in _PLAIN:
        return Spot(Area(text))
    raise ValueError(
        f"{text!r} is not a spot: write 'seat 3 punto' (seat and bet), 'hand banca', or one of "
        + ", ".join(sorted(_PLAIN))
    )


SHOE = Spot(Area.SHOE)
DISCARD = Spot(Area.DISCARD)
FLOAT = Spot(Area.FLOAT)
TABLE = Spot(Area.TABLE)
OFF_TABLE = Spot(Area.OFF_TABLE)


def bet_spot(seat: int, bet: str) -> Spot:
    """The betting box of one seat, e.g. ``bet_spot(3, "punto")``."""
    return Spot(Area.BET, seat=seat, bet=bet)


def hand_spot(hand: str) -> Spot:
    """Where the cards of one hand lie, e.g. ``hand_spot("banca")``."""
    return Spot(Area.HAND, hand=hand)
