"""The game's own words: its hands and its bets."""

from __future__ import annotations

from rules.spots import Spot, bet_spot, hand_spot
from rules.written import number_in

SEATS = 7
"""Boxes that a felt has at most."""
BANCA = "banca"
HANDS = (*(f"seat_{seat}" for seat in range(1, SEATS + 1)), BANCA)

ANTE, SECOND, INSURANCE, PROGRESSIVE, EXCHANGE = "ante", "second", "insurance", "progressive", "exchange"
BETS = (ANTE, SECOND, INSURANCE, PROGRESSIVE, EXCHANGE)
"""``exchange`` is where a player lays the price of a card."""

BANK_HAND = hand_spot(BANCA)
FIVE = 5
"""Cards of a hand."""


def seat_of(hand: str) -> int | None:
    """The seat whose cards lie in a hand (``seat_3``), None for the bank's."""
    word, _, number = hand.partition("_")
    return (number_in(number) or None) if word == "seat" else None


def hand_of(seat: int) -> Spot:
    """Where a seat's cards lie."""
    return hand_spot(f"seat_{seat}")


def box(seat: int, bet: str) -> Spot:
    """A seat's space for a bet."""
    return bet_spot(seat, bet)
