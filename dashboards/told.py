"""What a journal tells over time, for marks and timeline alike: what cards are, how long a thing lies, bets.

Pure. Times are seconds from the recording's start.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dashboards.cards import face
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipState,
    Event,
    HandContact,
    Owner,
    Stack,
    ViewBack,
    ViewLost,
    in_time_order,
)
from rules.journal import Journal

CORRECTED = " (corrected)"
"""Said of what a reviewer put right."""


def card_text(card: str | None) -> str:
    """A card for people: ``10♦``; unread: ``?``."""
    return "?" if card is None else face(card)


def chips_text(stacks: Iterable[Stack]) -> str:
    """A spot's chips in a word: their value, or how much of it is known."""
    values = [stack.value for stack in stacks]
    known = sum(value for value in values if value is not None)
    if None not in values:
        return str(known)
    return f"{known}+?" if known else "?"


def identities(journal: Journal) -> dict[str, str]:
    """Each card's identity: the latest recorded reading, an operator's before any camera's."""
    read: dict[str, tuple[bool, str]] = {}
    for event in sorted(in_time_order(journal.events), key=lambda event: event.seq):
        match event:
            case CardPlaced() | CardTurned() if event.card is not None:
                name, card, by_operator = event.card_id, event.card, False
            case CardRead() if event.card is not None:
                name, card, by_operator = event.card_id, event.card, event.source == "operator"
            case _:
                continue
        if by_operator or not read.get(name, (False, ""))[0]:
            read[name] = (by_operator, card)
    return {name: card for name, (_, card) in read.items()}


def corrected(journal: Journal, events: Iterable[Event]) -> frozenset[int]:
    """The entries that show a card or a stack of which a reviewer said something else, by number.

    ``events``: the journal's, as corrected."""
    seen = {event.seq: event for event in journal.events}
    cards = {event.card_id for event in events if isinstance(event, CardRead) and event.source == "operator"}
    return frozenset(
        event.seq
        for event in events
        if (isinstance(event, ChipState) and event != seen[event.seq])
        or (isinstance(event, CardPlaced | CardTurned) and event.card_id in cards)
    )


def duration(journal: Journal) -> float:
    """The recording's length, or the last moment of any event."""
    last = max((event.t for event in journal.events), default=0.0)
    return max(journal.header.duration_s or 0.0, last, 0.1)


@dataclass(frozen=True, slots=True)
class Staked:
    """The stacks that were bets of one coup, and its span in seconds."""

    t_from: float
    t_to: float
    stacks: frozenset[str]


def is_staked(stack: str | None, t_from: float, t_to: float, coups: Iterable[Staked]) -> bool:
    """Whether a stack that lies from and to these times is a bet of a coup then."""
    return any(stack in coup.stacks and t_from <= coup.t_to and t_to >= coup.t_from for coup in coups)


def holds_until(events: list[Event], end: float) -> dict[int, float]:
    """Event number to the time at which what it saw was no longer so."""
    until: dict[int, float] = {}
    open_cards: dict[str, int] = {}
    open_spots: dict[str, int] = {}

    def close(opened: dict[str, int], name: str, t: float) -> None:
        if name in opened:
            until[opened.pop(name)] = t

    for event in events:
        match event:
            case CardPlaced() | CardTurned() | CardMoved():
                close(open_cards, event.card_id, event.t)
                open_cards[event.card_id] = event.seq
            case CardCleared():
                close(open_cards, event.card_id, event.t)
            case ChipState():
                close(open_spots, event.spot, event.t)
                open_spots[event.spot] = event.seq
            case HandContact() | ViewLost() if event.t_to is not None:
                until[event.seq] = event.t_to
            case ViewLost():
                until[event.seq] = end
            case ViewBack():
                until[event.lost] = event.t
            case _:
                pass
    for seq in (*open_cards.values(), *open_spots.values()):
        until[seq] = end
    return until


def whose_hand(event: HandContact) -> str:
    hand = event.hand
    if hand.owner is Owner.PLAYER and hand.seat is not None:
        return f"seat {hand.seat}'s"
    return {Owner.DEALER: "dealer's", Owner.PLAYER: "a player's", Owner.UNKNOWN: "an unknown"}[hand.owner]
