"""From card events to cards: where each was dealt, when it showed its face, what it is, when it was gone."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rules.cards import Card
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    Event,
    Hand,
    HandContact,
    ShoeExit,
)
from rules.sight import Sight
from rules.spots import Area, Spot

_NO_CARD = frozenset({"??", "back"})
_TOLD = 16
"""So many cards that one may be are named one by one."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A hand on a card."""

    t: float
    seq: int
    hand: Hand


@dataclass(frozen=True, slots=True)
class Rest:
    """A card came to rest at a spot, laid there by ``hand`` (where seen)."""

    t: float
    seq: int
    spot: Spot
    hand: Hand | None


@dataclass(frozen=True, slots=True)
class Turn:
    """A card was turned; ``up``: its face shows now."""

    t: float
    seq: int
    up: bool
    hand: Hand | None


@dataclass(slots=True)
class SeenCard:
    """One physical card of the journal.

    ``dealt_to``: where it first came to rest; ``spot``: where it lies in the end. ``t_up``: when its face
    was first seen, None if never. ``card``: what it is, None if it was not read surely enough (``unread``
    says why); ``may_be``: the few it then surely is one of. ``back``: the colour of its back, where seen.
    ``plays``: the hand it belongs to, where the game knows that better than by where it lies.
    """

    card_id: str
    dealt_to: Spot
    spot: Spot
    t: float
    seq: int
    placed_up: bool
    t_exit: float | None = None
    exit_up: bool = False
    t_up: float | None = None
    card: Card | None = None
    p: float = 1.0
    unread: str | None = None
    t_cleared: float | None = None
    cleared_to: Spot | None = None
    at_mm: tuple[float, float] | None = None
    back: str | None = None
    plays: str | None = None
    may_be: tuple[Card, ...] = ()
    rests: list[Rest] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    contacts: list[Contact] = field(default_factory=list)
    shown: list[tuple[float, int]] = field(default_factory=list)
    """The journal's events that show it: time and number."""

    @property
    def seqs(self) -> list[int]:
        """The numbers of the journal's events that show it."""
        return [seq for _, seq in self.shown]

    def until(self, t: float) -> SeenCard:
        """The card as it was known before ``t``."""
        gone = self.t_cleared is not None and self.t_cleared < t
        return replace(
            self,
            t_up=self.t_up if self.t_up is not None and self.t_up < t else None,
            t_cleared=self.t_cleared if gone else None,
            cleared_to=self.cleared_to if gone else None,
            rests=[rest for rest in self.rests if rest.t < t],
            turns=[turn for turn in self.turns if turn.t < t],
            contacts=[contact for contact in self.contacts if contact.t < t],
            shown=[(at, seq) for at, seq in self.shown if at < t],
        )

    @property
    def hand(self) -> str | None:
        """The hand it belongs to in the end, if it lies in one."""
        if self.plays is not None:
            return self.plays
        return self.spot.hand if self.spot.area is Area.HAND else None

    @property
    def name(self) -> str:
        """What it is called: ``Th``, or ``??``."""
        return "??" if self.card is None else str(self.card)


@dataclass(frozen=True, slots=True)
class _Reading:
    operator: bool
    seq: int
    card: str | None
    p: float
    may_be: tuple[str, ...] = ()


def read_cards(events: Iterable[Event], sight: Sight, lying: Iterable[SeenCard] = ()) -> list[SeenCard]:
    """All cards of events in time order, in the order in which they came to rest.

    ``lying``: cards that lay on the table before these events; what happens to them now is noted on copies.
    """
    cards = {
        card.card_id: replace(card, contacts=[], shown=[], rests=list(card.rests), turns=list(card.turns))
        for card in lying
    }
    known = frozenset(cards)
    readings: dict[str, list[_Reading]] = {}
    exits: dict[str, ShoeExit] = {}
    for event in events:
        match event:
            case ShoeExit():
                if event.card_id is not None:
                    exits[event.card_id] = event
            case CardPlaced():
                _place(cards, event)
            case CardTurned() | CardMoved() | CardCleared():
                _follow(cards.get(event.card_id), event)
            case HandContact():
                if event.target is not None and event.target in cards:
                    cards[event.target].contacts.append(Contact(event.t, event.seq, event.hand))
            case _:
                pass
        reads = isinstance(event, CardRead) or (
            isinstance(event, CardPlaced | CardTurned) and event.card is not None
        )
        if isinstance(event, CardRead | CardPlaced | CardTurned) and reads and event.card_id in cards:
            operator = isinstance(event, CardRead) and event.source == "operator"
            may_be = event.may_be if isinstance(event, CardRead) else ()
            readings.setdefault(event.card_id, []).append(
                _Reading(operator, event.seq, event.card, event.p, may_be)
            )
    for name, card in cards.items():
        if name in exits:
            card.t_exit, card.exit_up = exits[name].t, exits[name].face == "up"
            card.shown.append((exits[name].t, exits[name].seq))
        if name not in known:
            _identify(card, readings.get(name, []), sight)
    return sorted(cards.values(), key=lambda card: (card.t, card.seq))


def _follow(card: SeenCard | None, event: CardTurned | CardMoved | CardCleared) -> None:
    match event:
        case _ if card is None:
            return
        case CardTurned():
            _turn(card, event)
        case CardMoved():
            _move(card, event)
        case CardCleared():
            _clear(card, event)


def _place(cards: dict[str, SeenCard], event: CardPlaced) -> None:
    spot, up = Spot.parse(event.spot), event.face == "up"
    card = cards.get(event.card_id)
    if card is None:
        card = SeenCard(event.card_id, spot, spot, event.t, event.seq, up, at_mm=event.at_mm, back=event.back)
        cards[event.card_id] = card
    else:
        card.spot, card.t_cleared, card.back = spot, None, card.back or event.back  # laid down again
    card.rests.append(Rest(event.t, event.seq, spot, event.hand))
    if up and card.t_up is None:
        card.t_up = event.t
    _touch(card, event.t, event.seq, event.hand)


def _turn(card: SeenCard, event: CardTurned) -> None:
    if event.face == "up" and card.t_up is None:
        card.t_up = event.t
    card.turns.append(Turn(event.t, event.seq, event.face == "up", event.hand))
    _touch(card, event.t, event.seq, event.hand)


def _move(card: SeenCard, event: CardMoved) -> None:
    to = Spot.parse(event.to_spot)
    if to.area in (Area.DISCARD, Area.OFF_TABLE):
        card.t_cleared, card.cleared_to = event.t, to
    else:
        card.spot = to
        card.rests.append(Rest(event.t, event.seq, to, event.hand))
    _touch(card, event.t, event.seq, event.hand)


def _clear(card: SeenCard, event: CardCleared) -> None:
    card.t_cleared = event.t
    card.cleared_to = None if event.to_spot is None else Spot.parse(event.to_spot)
    _touch(card, event.t, event.seq, event.hand)


def _touch(card: SeenCard, t: float, seq: int, hand: Hand | None) -> None:
    card.shown.append((t, seq))
    if hand is not None:
        card.contacts.append(Contact(t, seq, hand))


def _identify(card: SeenCard, readings: list[_Reading], sight: Sight) -> None:
    """The latest recorded reading counts; a reviewer's outranks every camera's."""
    if not readings:
        card.unread = "its face was never read" if card.t_up is not None else "its face was never seen"
        return
    last = max(readings, key=lambda reading: (reading.operator, reading.seq))
    if last.card is None or last.card in _NO_CARD:
        few = tuple(dict.fromkeys(last.may_be))
        if few and not _NO_CARD & set(few):  # with one that nobody could read, it may be any
            card.may_be = tuple(map(Card.parse, few))
        names = ", ".join(few) if len(few) <= _TOLD else f"{len(few)} cards"
        card.unread = f"it may be any of {names}" if card.may_be else "its face could not be read"
    elif last.p < sight.card_p and not last.operator:
        card.unread = f"it was read as {last.card} with a probability of {last.p:.2f} only"
    else:
        card.card, card.p = Card.parse(last.card), 1.0 if last.operator else last.p


def same_place(one: SeenCard, other: SeenCard, within_mm: float = 20.0) -> bool:
    """Whether two cards were laid on the same place."""
    if one.at_mm is None or other.at_mm is None:
        return False
    return math.dist(one.at_mm, other.at_mm) <= within_mm
