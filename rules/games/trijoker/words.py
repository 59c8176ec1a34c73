"""The game's own words: its bets, its common cards, and the hands of its players."""

from __future__ import annotations

from rules.spots import Spot
from rules.written import number_in

FIRST, SECOND, THIRD = "bet_1", "bet_2", "bet_3"
BETS = (FIRST, SECOND, THIRD)
"""A player's three boxes: ``seat 3 bet_1``."""

LEFT, RIGHT = "community_1", "community_2"
COMMUNITY = (LEFT, RIGHT)
"""The common cards, at the dealer's left and right."""

PLAYERS = "players"
"""In the order of dealing: a card to each player."""

OWN_CARDS = 3
"""Cards of a player."""


def seat_of(hand: str | None) -> int | None:
    """The seat whose cards these are, None if no player's: ``seat_3`` is seat 3's."""
    head, _, number = (hand or "").partition("_")
    return number_in(number) if head == "seat" else None


def hand_of(seat: int) -> str:
    """Where the cards of a seat's player lie."""
    return f"seat_{seat}"


def is_bet(spot: Spot) -> bool:
    """Whether a spot is one of a seated player's three boxes."""
    return spot.bet in BETS and spot.seat is not None
