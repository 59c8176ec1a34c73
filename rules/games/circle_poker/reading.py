"""The game's hands read from the journal, and what is remembered from one to the next."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Self

from rules.chips import Board, Move
from rules.events import CardPlaced, ChipMove, ChipState, Cue, Event, MarkerSeen, Owner
from rules.games.circle_poker.pots import clockwise_from
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.money import parse_amount
from rules.seen_cards import SeenCard, read_cards
from rules.sight import Gap, Gaps, Sight
from rules.spots import Area, Spot, bet_spot
from rules.written import number_in

POT = Spot(Area.POT)
CAGNOTTE = Spot(Area.CAGNOTTE)
TIPS = Spot(Area.TIPS)
SETTLED_AFTER_S = 8.0
"""A hand whose cards are gathered and whose chips have been still for so long is over."""
_TOGETHER_S = 4.0
"""Chips that leave one spot and come to another within this time are the same."""


@dataclass(slots=True)
class Hand:
    """One hand, from the marker's (or the first chip's) coming to the next one's. Times in seconds.

    ``cards``: players' cards in the order dealt; ``board``, ``burned``, ``at_deck``: the others. ``button``:
    where the marker stands, None if not seen. ``started``: chips by spot when it began (None: not known).
    ``over``: nothing more belongs to it."""

    number: int
    cards: list[SeenCard]
    board: list[SeenCard]
    burned: list[SeenCard]
    at_deck: list[SeenCard]
    button: int | None
    t_start: float
    t_end: float
    moves: list[Move]
    started: dict[Spot, Fraction | None]
    events: Sequence[Event]
    gaps: Gaps
    over: bool
    began_unseen: bool
    _at: dict[Spot, list[Move]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for move in self.moves:
            self._at.setdefault(move.spot, []).append(move)

    @property
    def seats(self) -> list[int]:
        """The seats dealt in, in order."""
        return sorted({seat_of(card) for card in self.cards})

    @property
    def order(self) -> list[int]:
        """The seats dealt in, clockwise from the marker (from the lowest where it was not seen)."""
        return clockwise_from(self.button or 0, self.seats)

    @property
    def t_first(self) -> float:
        """When the first card came to rest."""
        return self.cards[0].t

    def hand(self, seat: int) -> list[SeenCard]:
        """A seat's cards."""
        return [card for card in self.cards if seat_of(card) == seat]

    def told(self, name: str) -> list[Cue]:
        """The cues of this name."""
        return [event for event in self.events if isinstance(event, Cue) and event.cue == name]

    def value_at(self, spot: Spot, t: float) -> Fraction | None:
        """What lay at a spot then, None if not known."""
        value = self.started.get(spot)
        for move in self.moves_at(spot):
            if move.t <= t:
                value = _after(value, move)
        return value

    def moves_at(self, spot: Spot) -> list[Move]:
        """What came to a spot and left it."""
        return self._at.get(spot, [])

    def slotted(self, spot: Spot) -> list[tuple[float, int, Fraction | None, Owner]]:
        """What came into a slot: time, event, amount, whose hand. A move seen to end there counts,
        or else chips that lie there."""
        seen = [
            (
                e.t,
                e.seq,
                None if e.value is None else parse_amount(e.value),
                e.hand.owner if e.hand else Owner.UNKNOWN,
            )
            for e in self.events
            if isinstance(e, ChipMove) and e.to_spot == str(spot)
        ]
        lying = [(m.t, m.seq, m.gain, m.owner) for m in self.moves if m.spot == spot and m.added]
        return seen or lying


def _after(value: Fraction | None, move: Move) -> Fraction | None:
    gain, loss = move.gain, move.loss
    if value is None and move.added and not move.removed and gain is not None:
        return None
    return None if value is None or gain is None or loss is None or move.unclear else value + gain - loss


def seat_of(card: SeenCard) -> int:
    """The seat that a card was dealt to."""
    return number_in((card.dealt_to.hand or "").removeprefix("seat_")) or 0


def seat_in(text: str | None) -> int | None:
    """The seat that a spot's text names, if one."""
    if text is None:
        return None
    spot = Spot.parse(text)
    if spot.area is Area.HAND and spot.hand is not None and spot.hand.startswith("seat_"):
        return number_in(spot.hand.removeprefix("seat_"))
    return spot.seat


def is_players(card: SeenCard) -> bool:
    """Whether a card was dealt to a player."""
    name = card.dealt_to.hand or ""
    if card.dealt_to.area is not Area.HAND or not name.startswith("seat_"):
        return False
    return number_in(name.removeprefix("seat_")) is not None


@dataclass(slots=True)
class Away:
    """A player away from the table, and since when."""

    t: float


@dataclass(slots=True)
class PokerCarry:
    """What one hand leaves for the next. ``button``, ``seats``, ``began``: of the hand before. ``marked``:
    where the marker was seen last. ``known``: seats dealt in
    so far, and in how many hands; ``idle``: hands in a row that a seat with chips was not dealt in.
    ``had``: how often each seat had the marker. ``away``: by seat; ``left``: cards that still lie there;
    ``last_hands``: hands since the last ones were announced; ``limits_told``: a change of limits was
    announced; ``gone``: who left the table, when, and with what; ``unmarked``: in some hand the marker was
    not seen."""

    board: Board
    t: float = float("-inf")
    number: int = 0
    button: int | None = None
    marked: int | None = None
    began: float = float("-inf")
    seats: tuple[int, ...] = ()
    known: dict[int, int] = field(default_factory=dict)
    idle: dict[int, int] = field(default_factory=dict)
    resting: frozenset[int] = frozenset()
    had: dict[int, int] = field(default_factory=dict)
    unmarked: bool = False
    first_seats: tuple[int, ...] = ()
    away: dict[int, Away] = field(default_factory=dict)
    been_away: frozenset[int] = frozenset()
    left: list[SeenCard] = field(default_factory=list)
    gaps: tuple[Gap, ...] = ()
    last_hands: int | None = None
    limits_told: bool = False
    gone: dict[int, tuple[float, Fraction | None]] = field(default_factory=dict)

    def copy(self) -> Self:
        """An independent copy."""
        return replace(
            self,
            board=self.board.copy(),
            known=dict(self.known),
            idle=dict(self.idle),
            had=dict(self.had),
            away={seat: replace(away) for seat, away in self.away.items()},
            left=list(self.left),
            gone=dict(self.gone),
        )

    def after(self, hand: Hand) -> None:
        """Remember what a hand leaves."""
        dealt = set(hand.seats)
        self.seats = tuple(hand.seats)
        if not self.first_seats:
            self.first_seats = self.seats
        self.unmarked |= hand.button is None
        if hand.button is not None:
            self.had[hand.button] = self.had.get(hand.button, 0) + 1
        self.button = hand.button if hand.button is not None else self.button
        self.began = hand.t_start
        self.resting = (self.resting | {s for c in hand.told("rest_asked") if (s := seat_in(c.spot))}) - dealt
        for seat in sorted({*self.known, *dealt}):
            self.known[seat] = self.known.get(seat, 0) + (seat in dealt)
            chips = value_of(self.board, bet_spot(seat, "stack"))
            self.idle[seat] = 0 if seat in dealt or not chips else self.idle.get(seat, 0) + 1
        self._hear(hand)

    def _hear(self, hand: Hand) -> None:
        for cue in hand.told("away_started"):
            if (seat_away := seat_in(cue.spot)) is not None:
                self.away[seat_away] = Away(cue.t)
                self.been_away |= {seat_away}
        for cue in hand.told("away_ended"):
            self.away.pop(seat_in(cue.spot) or 0, None)
        for cue in hand.told("player_left"):
            if (left := seat_in(cue.spot)) is not None:
                self.gone[left] = (cue.t, told_amount(cue))
                self.known.pop(left, None)
                self.idle.pop(left, None)
        for cue in hand.told("player_returned"):
            self.gone.pop(seat_in(cue.spot) or 0, None)
        if self.last_hands is not None:
            self.last_hands += 1
        elif hand.told("last_hands"):
            announced = hand.told("last_hands")[0]
            self.last_hands = 1 if announced.t <= hand.t_first else 0
        self.limits_told = bool(hand.told("limit_announced")) or (
            self.limits_told and not hand.told("limit_changed")
        )
        if hand.told("session_end"):
            self._begin_anew()

    def _begin_anew(self) -> None:
        """The game is over: who played how long, was away or left counts for nothing in the next."""
        self.button, self.seats, self.first_seats, self.unmarked = None, (), (), False
        for kept in (self.known, self.idle, self.had, self.away, self.gone):
            kept.clear()
        self.resting = self.been_away = frozenset()
        self.last_hands, self.limits_told = None, False


def told_amount(cue: Cue) -> Fraction | None:
    """The amount that a cue tells, None if it tells none."""
    try:
        return None if cue.value is None else parse_amount(cue.value)
    except ValueError:
        return None


def value_of(board: Board, spot: Spot) -> Fraction | None:
    """What lies at a spot: None if it was never seen or cannot be read."""
    if spot not in board.spots:
        return None
    values = [standing.value for standing in board.spots[spot].values()]
    known = [value for value in values if value is not None]
    return sum(known, Fraction(0)) if len(known) == len(values) else None


def begin(_profile: CirclePokerProfile, sight: Sight) -> PokerCarry:
    """Before the first event."""
    return PokerCarry(Board(sight))


def coups_of(
    carry: PokerCarry, events: Sequence[Event], _profile: CirclePokerProfile, sight: Sight, ended: bool
) -> list[tuple[PokerCarry, Hand]]:
    """The hands of events in time order, each with what it began from."""
    cards = read_cards(events, sight, carry.left)
    before = {card.card_id for card in carry.left}
    new = [card for card in cards if card.card_id not in before]
    groups = _split([card for card in new if is_players(card)])
    others = [card for card in new if not is_players(card)]
    times = [event.t for event in events]
    cuts = [carry.t]
    for past, group in pairwise(groups):
        cuts.append(max(cuts[-1], _cut(past, group[0], events, times)))
    gaps = Gaps.of(events, carry.gaps)
    found: list[tuple[PokerCarry, Hand]] = []
    for index, group in enumerate(groups):
        last = index == len(groups) - 1
        t_next = float("inf") if last else cuts[index + 1]
        carry.t = cuts[index]
        carry.left = [c for c in cards if c.t < carry.t and (c.t_cleared is None or c.t_cleared >= carry.t)]
        start = carry.copy()
        start.gaps = tuple(gap for gap in gaps.all if gap.t_from < carry.t <= gap.t_to)
        carry.number += 1
        low = 0 if index == 0 else bisect_left(times, carry.t)
        part = events[low : len(events) if last else bisect_left(times, t_next)]
        mine = [card for card in others if carry.t <= card.t < t_next]
        hand = _hand(carry, [c.until(t_next) for c in group], [c.until(t_next) for c in mine], part, gaps)
        hand.over = not last or ended or hand.t_end > _quiet_from(hand)
        found.append((start, hand))
        carry.after(hand)
    return found


def _split(cards: Sequence[SeenCard]) -> list[list[SeenCard]]:
    """Players' cards, hand by hand: a card laid down when most of those before were gone begins another."""
    hands: list[list[SeenCard]] = []
    for card in cards:
        if hands:
            gone = sum(c.t_cleared is not None and c.t_cleared <= card.t for c in hands[-1])
            if gone < 2 or 2 * gone < len(hands[-1]):
                hands[-1].append(card)
                continue
        hands.append([card])
    return hands


def _cut(past: Sequence[SeenCard], first: SeenCard, events: Sequence[Event], times: Sequence[float]) -> float:
    """Where a hand begins: with marker, shuffle, bet or card after the last one's cards were gone."""
    gone = max(c.t_cleared for c in past if c.t_cleared is not None and c.t_cleared <= first.t)
    for event in events[bisect_left(times, gone) :]:
        if event.t >= first.t:
            break
        if event.t > gone and _opens(event):
            return event.t
    return first.t


def _opens(event: Event) -> bool:
    match event:
        case MarkerSeen():
            return event.marker == "button"
        case ChipState():
            return bool(event.stacks) and event.spot.startswith("seat ") and event.spot.endswith(" bet")
        case Cue():
            return event.cue in ("cards_shuffled", "cards_cut")
        case CardPlaced():
            return event.spot == "deck"
        case _:
            return False


def _hand(
    carry: PokerCarry,
    cards: list[SeenCard],
    others: list[SeenCard],
    events: Sequence[Event],
    gaps: Gaps,
) -> Hand:
    started = {spot: value_of(carry.board, spot) for spot in carry.board.spots}
    moves: list[Move] = []
    button = carry.marked
    for event in events:
        if isinstance(event, ChipState):
            spot = Spot.parse(event.spot)
            if spot not in carry.board.spots:
                started[spot] = Fraction(0)
            carry.board.apply(event, gaps, moves)
        elif isinstance(event, MarkerSeen) and event.marker == "button" and seat_in(event.spot):
            carry.marked = seat_in(event.spot)
            if event.t <= cards[0].t or button is None:
                button = carry.marked  # a marker that moves on later is the next hand's
    return Hand(
        number=carry.number,
        cards=cards,
        board=[card for card in others if card.dealt_to.area is Area.COMMUNITY],
        burned=[card for card in others if card.dealt_to.area is Area.BURN],
        at_deck=[card for card in others if card.dealt_to.area is Area.DECK],
        button=button,
        t_start=events[0].t if events else cards[0].t,
        t_end=max(events[-1].t if events else 0.0, cards[-1].t),
        moves=[move for move in moves if move.added or move.removed or move.unclear],
        started=started,
        events=events,
        gaps=gaps,
        over=False,
        began_unseen=cards[0].t < 0.5,
    )


def _quiet_from(hand: Hand) -> float:
    """From when on a hand is over if nothing more happens."""
    gone = [card.t_cleared for card in hand.cards]
    if any(t is None for t in gone):
        return float("inf")
    last = max([t for t in gone if t is not None] + [move.t for move in hand.moves])
    return last + SETTLED_AFTER_S


def together(one: float, other: float) -> bool:
    """Whether two changes are one movement of chips."""
    return abs(one - other) <= _TOGETHER_S
