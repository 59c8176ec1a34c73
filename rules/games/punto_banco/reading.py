"""Punto banco's coups read from the journal: whose each card is, and where the shoe stands.

On a large table the cards travel: banca's first two wait at the shoe, punto's go to the player who shows
them, and all come to lie before the dealer in the end. A card is the hand's to which it was dealt; while it
is face down it may still be put right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.baccarat.coup import Carry, Coup
from rules.baccarat.coup import coups_of as baccarat_coups
from rules.baccarat.points import HANDS, Result, points, result_of, values_of
from rules.baccarat.shoe import Shoe
from rules.chips import Board
from rules.events import Cue, Event, MarkerSeen
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import Area, Spot

AT_DEALER = 0
"""The shoe stands at the dealer's, not at a seat."""


@dataclass(slots=True)
class TableCarry(Carry):
    """What punto banco remembers besides, of the coup before.

    ``seat``: where the shoe stood (``AT_DEALER``; None: not told). ``result``: how it came out, None if not
    known. ``players``: seats with bets in it. ``t_swept``: when its cards were gathered. ``lost``: something
    was out of view since the shoe was put in place.
    """

    seat: int | None = None
    result: Result | None = None
    players: frozenset[int] = frozenset()
    t_swept: float | None = None
    lost: bool = False

    def is_dealt(self, card: SeenCard) -> bool:
        """A card at the shoe's corner waits there for banca."""
        return card.dealt_to.area in (Area.HAND, Area.SHOE)

    def assign(self, cards: list[SeenCard]) -> None:
        """Say whose the cards are."""
        for card in cards:
            card.plays = _dealt_to(card)
        for hand, other in (HANDS, HANDS[::-1]):
            first = [card for card in cards[:4] if card.plays == hand]
            astray = [card for card in first if card.spot.hand == other]
            if len(astray) < len(first):
                for card in astray:
                    card.plays = other  # one card put right; both: the hand lies on the wrong side
        for card in cards[4:]:
            if card.spot.hand in HANDS:
                card.plays = card.spot.hand

    def after(self, coup: Coup) -> None:
        """Remember where the shoe stood, who played, and how it came out."""
        self.lost = lost_view(coup, self.lost)
        while_dealt = [event for event in coup.events if event.t <= coup.cards[-1].t]
        self.seat = shoe_seat([*coup.before, *while_dealt], self.seat)
        self.t_swept = coup.t_swept
        self.players = frozenset(spot.seat for spot in coup.bets if spot.seat is not None)
        self.result = result_by_cards(coup)


def shoe_seat(told: Iterable[Event], before: int | None) -> int | None:
    """Where the shoe stands after these events; ``before``: where it stood."""
    for event in told:
        if isinstance(event, MarkerSeen) and event.marker == "shoe":
            before = Spot.parse(event.spot).seat or AT_DEALER
    return before


def lost_view(coup: Coup, before: bool) -> bool:
    """Whether something was out of view since the shoe was put in place, up to the coup's end."""
    renewed = [event.t for event in coup.before if isinstance(event, Cue) and event.cue == "new_shoe"]
    start = renewed[-1] if renewed else coup.t_close
    gone = any(gap.t_from <= coup.t_end and gap.t_to >= start for gap in coup.gaps.all)
    return gone or (before and not renewed)


def _dealt_to(card: SeenCard) -> str | None:
    """The hand that a card belongs to by where it lay before its face showed, or else where it lies."""
    hand: str | None = None
    for rest in card.rests:
        if hand is not None and card.t_up is not None and rest.t > card.t_up:
            break
        if rest.spot.hand in HANDS:
            hand = rest.spot.hand
        elif rest.spot.area is Area.SHOE:
            hand = "banca"
    if hand is None:
        hand = card.spot.hand if card.spot.hand in HANDS else "punto"  # shown at a seat
    return hand


def result_by_cards(coup: Coup) -> Result | None:
    """How a coup came out by its cards, None if not known or void."""
    totals = []
    for hand in HANDS:
        cards = coup.hand(hand)
        values = [values_of(card) for card in cards]
        if any(len(each) > 1 for each in values) or not 2 <= len(cards) <= 3:
            return None
        totals.append(points([value for (value,) in values]))
    return None if coup.void else result_of(*totals)


def begin(_profile: PuntoBancoProfile, sight: Sight) -> TableCarry:
    """Before the first event."""
    return TableCarry(Board(sight), Shoe())


def coups_of(
    carry: TableCarry, events: Sequence[Event], _profile: PuntoBancoProfile, _sight: Sight, ended: bool
) -> list[tuple[TableCarry, Coup]]:
    """The coups of events in time order, each with what it began from."""
    return baccarat_coups(carry, events, ended)
