"""A coup as the journal tells it: its cards, the bets at the close, and every move of chips after it.

A coup's cards begin when a card is laid on a hand after those before were gathered. Bets are closed by the
``no_more_bets`` cue, or else when the coup's first card leaves the shoe.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf, nextafter
from typing import Self, TypeVar

from rules.baccarat.shoe import Shoe
from rules.chips import Board, Content, Move, Standing
from rules.events import (
    CardPlaced,
    CardTurned,
    ChipMove,
    ChipState,
    Cue,
    CutCardSeen,
    Event,
    HandContact,
    MarkerSeen,
    ShoeExit,
)
from rules.seen_cards import SeenCard, read_cards, same_place
from rules.sight import Gap, Gaps
from rules.spots import Area, Spot

CLOSE_TOLERANCE_S = 0.5
"""Chips seen this long after the close were put down before it."""
SETTLED_AFTER_S = 8.0
"""When the cards are gathered and no chips moved for so long, the coup is settled."""
ASIDE = "aside"
"""What a card plays that lies there but belongs to no hand: annulled, or kept aside."""
_PUSHED_MM = 5.0
"""A stack that stands farther from where it stood was pushed."""
_EXIT_BEFORE_S = 5.0
_PILED_AFTER_S = 8.0


@dataclass(slots=True)
class Bet:
    """A stack in a betting box at the close. ``line``: the line its base lay on then."""

    spot: Spot
    standing: Standing
    line: str | None
    at_mm: tuple[float, float]
    name: str

    def look_again(self) -> None:
        """See the line anew where the stack still stands; one that was pushed since counts as it stood."""
        stack = self.standing.stack
        if math.dist(stack.at_mm, self.at_mm) <= _PUSHED_MM:
            self.line, self.at_mm = stack.line, stack.at_mm


@dataclass(slots=True)
class Coup:
    """One coup. Times in seconds, None where the thing was not seen (yet).

    ``t_result``: the last card lies face up. ``t_swept``: the cards are being gathered (the second one has
    gone). ``over``: no more belongs to it. ``cut_off``: the recording ended before the cards were
    gathered. ``left``: cards of the coup before that still lie there. ``began_unseen``: its cards lay
    there at the start. ``before``: cues and markers from the coup before's last card to its own close;
    ``events``: all events from its close up to the next one's. ``at_close``: the chips at every spot when the
    bets were closed (``bets``: those in betting boxes). ``cues_before``, ``cues``: the cues among ``before``
    and ``events``.
    """

    number: int
    cards: list[SeenCard]
    t_close: float
    bets: dict[Spot, list[Bet]]
    moves: list[Move]
    gaps: Gaps
    t_result: float
    t_swept: float | None
    t_gone: float | None
    over: bool
    cut_off: bool
    void: bool
    left: list[SeenCard]
    began_unseen: bool
    t_end: float
    before: tuple[Event, ...]
    events: Sequence[Event]
    at_close: dict[Spot, Content]
    cues_before: tuple[Cue, ...] = ()
    cues: tuple[Cue, ...] = ()
    aside: list[SeenCard] = field(default_factory=list)

    def hand(self, name: str) -> list[SeenCard]:
        """A hand's cards in the order dealt."""
        return [card for card in self.cards if card.hand == name]

    @property
    def t_first(self) -> float:
        """When the first card came to rest."""
        return self.cards[0].t


@dataclass(slots=True)
class Carry:
    """What one coup leaves for the next: chips, cards that still lie there, the shoe, and lost views.

    ``t``: the close of the coup that begins here; ``number``: how many coups came before. A game that
    remembers more derives its own carry, with ``after`` (and ``copy``, for what can change). ``told``: cues
    and markers since the coup before was dealt.
    """

    board: Board
    shoe: Shoe
    t: float = float("-inf")
    number: int = 0
    left: list[SeenCard] = field(default_factory=list)
    gaps: tuple[Gap, ...] = ()
    told: tuple[Event, ...] = ()
    annulled: tuple[SeenCard, ...] = ()
    """Cards that were annulled before the close of the coup that begins here."""
    out: tuple[ShoeExit, ...] = ()
    """Cards that had left the shoe by then, but came to rest only after it."""

    def copy(self) -> Self:
        """An independent copy."""
        return replace(self, board=self.board.copy(), shoe=self.shoe.copy(), left=list(self.left))

    def is_dealt(self, card: SeenCard) -> bool:
        """Whether a card belongs to a coup, not to those burned or used."""
        return card.dealt_to.area is Area.HAND

    def annuls(self, _cards: list[SeenCard]) -> list[SeenCard]:
        """Of the cards in the order they came, those taken away again before they counted."""
        return []

    def assign(self, cards: list[SeenCard]) -> None:
        """Say of a coup's cards whose they are (``plays``), where the spot they lie at does not tell:
        ``ASIDE`` if they are no hand's."""

    def after(self, coup: Coup) -> None:
        """Remember what a coup leaves, up to the next one's close."""

    def counting(self, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """Of what was told since a coup was dealt, what counts for the next one."""
        return told


C = TypeVar("C", bound=Carry)


def split(cards: Sequence[SeenCard]) -> list[list[SeenCard]]:
    """Cards laid on hands, coup by coup."""
    coups: list[list[SeenCard]] = []
    for card in cards:
        if coups and not gathered(coups[-1], card):
            coups[-1].append(card)
        else:
            coups.append([card])
    return coups


def gathered(coup: list[SeenCard], card: SeenCard) -> bool:
    """Whether a coup's cards had been gathered when this card was laid down."""
    gone = sum(other.t_cleared is not None and other.t_cleared <= card.t for other in coup)
    if gone >= min(2, len(coup)) and 2 * gone >= len(coup):
        return True
    # The gathering was not seen, but this card lies where an earlier one did.
    late = card.t - coup[-1].t > _PILED_AFTER_S
    return late and len(coup) >= 4 and any(same_place(card, other) for other in coup[:4])


def close_of(cards: Sequence[SeenCard], events: Sequence[Event], after: float) -> float:
    """When the bets on a coup were closed; ``after``: when the coup before had its last card."""
    first = cards[0]
    told = [
        event.t
        for event in events
        if isinstance(event, Cue) and event.cue == "no_more_bets" and after < event.t <= first.t
    ]
    if told:
        return max(told)
    if first.t_exit is not None:
        return min(first.t_exit, first.t)
    nameless = [
        event.t
        for event in events
        if isinstance(event, ShoeExit)
        and event.card_id is None
        and max(after, first.t - _EXIT_BEFORE_S) < event.t <= first.t
    ]
    return max(nameless, default=first.t)


def coups_of(carry: C, events: Sequence[Event], ended: bool) -> list[tuple[C, Coup]]:
    """The coups of events in time order, each with what it began from. ``carry``: what was before the events;
    it is brought up to date to the last coup's end. ``ended``: nothing follows."""
    cards = read_cards([*carry.out, *events], carry.board.sight, carry.left)
    placed = {card.card_id: card.t for card in cards}
    exits = [event for event in (*carry.out, *events) if isinstance(event, ShoeExit)]
    ways = [(event, placed[event.card_id]) for event in exits if event.card_id in placed]
    before = {card.card_id for card in carry.left}
    lying = [card for card in cards if card.card_id in before]
    dealt = [card for card in cards if carry.is_dealt(card) and card.card_id not in before]
    annulled = carry.annuls(dealt)
    groups = split([card for card in dealt if card not in annulled]) if annulled else split(dealt)
    annulled = [*carry.annulled, *annulled]
    others = [card for card in cards if not carry.is_dealt(card)]
    times = [event.t for event in events]
    closes: list[float] = []
    last = nextafter(carry.t, -inf)  # what was told at the close itself is this coup's
    for group in groups:
        near = events[bisect_right(times, last) : bisect_right(times, group[0].t)]
        closes.append(max(close_of(group, near, last), last))
        last = group[-1].t
    gaps = Gaps.of(events, carry.gaps)
    cuts = [bisect_left(times, t) for t in closes]
    cuts.append(len(events))
    _between(carry, events[: cuts[0]], gaps)
    carry.told = carry.counting((*carry.told, *_told(events[: cuts[0]])))
    carry.shoe.take_others(others, until=closes[0] if closes else float("inf"))
    found: list[tuple[C, Coup]] = []
    for index, group in enumerate(groups):
        last_one = index == len(groups) - 1
        mine = [card for card in annulled if last_one or card.t < group[-1].t]
        annulled = annulled[len(mine) :]
        carry.t, carry.left = closes[index], lying
        carry.out = tuple(event for event, rests in ways if event.t < closes[index] <= rests)
        carry.annulled = tuple(card for card in mine if card.t < closes[index])
        start = carry.copy()
        start.gaps = tuple(gap for gap in gaps.all if gap.t_from < closes[index] <= gap.t_to)
        carry.number += 1
        part = events[cuts[index] : cuts[index + 1]]
        t_next = None if last_one else closes[index + 1]
        until = float("inf") if t_next is None else t_next
        seen = group if last_one else [card.until(until) for card in group]
        carry.assign(seen)
        playing = [card for card in seen if card.plays != ASIDE] or seen
        coup = _coup(carry, playing, part, gaps, t_next=t_next, ended=ended and last_one)
        coup.aside = sorted([*mine, *(c for c in seen if c not in playing)], key=lambda card: card.t)
        found.append((start, coup))
        carry.after(coup)
        carry.told = carry.counting(_told([event for event in part if event.t > group[-1].t]))
        carry.shoe.take_coup([*group, *mine])
        for event in part:
            _notice(carry.shoe, event)
        carry.shoe.take_others([card for card in others if card.t >= closes[index]], until=until)
        lying = [card for card in [*mine, *group] if card.t_cleared is None or card.t_cleared >= until]
    return found


def _between(carry: Carry, events: Sequence[Event], gaps: Gaps) -> None:
    """What happens before the first coup."""
    moves: list[Move] = []
    for event in events:
        if isinstance(event, ChipState):
            carry.board.apply(event, gaps, moves)
        _notice(carry.shoe, event)


def _told(events: Sequence[Event]) -> tuple[Event, ...]:
    """Cues, markers, chips that go to the bank, cards shown at the pack, and hands at the shoe: what matters
    before a coup."""
    return tuple(
        event
        for event in events
        if isinstance(event, Cue | MarkerSeen | ChipMove)
        or (isinstance(event, CardPlaced | CardTurned) and event.spot == "deck")
        or (isinstance(event, HandContact) and event.spot == "shoe")
    )


def _notice(shoe: Shoe, event: Event) -> None:
    if isinstance(event, CutCardSeen):
        shoe.cut_card(event.t, event.seq)
    elif isinstance(event, Cue) and event.cue == "new_shoe":
        shoe.renew()
        shoe.t_new = event.t


def _coup(
    carry: Carry,
    cards: list[SeenCard],
    events: Sequence[Event],
    gaps: Gaps,
    *,
    t_next: float | None,
    ended: bool,
) -> Coup:
    t_close = carry.t
    early: list[Move] = []
    moves: list[Move] = []
    at_close: dict[Spot, Content] | None = None
    bets: dict[Spot, list[Bet]] = {}
    void = False
    for event in events:
        if isinstance(event, ChipState):
            if at_close is None and event.t > t_close + CLOSE_TOLERANCE_S:
                at_close = lying(carry.board)
                bets = bets_in(at_close)
            carry.board.apply(event, gaps, early if at_close is None else moves)
        elif isinstance(event, Cue) and event.cue == "coup_void":
            void = True
    moves = [move for move in moves if move.added or move.removed or move.unclear]
    gone = sorted(card.t_cleared for card in cards if card.t_cleared is not None)
    t_swept = gone[min(2, len(cards)) - 1] if len(gone) >= min(2, len(cards)) else None
    t_gone = gone[-1] if t_swept is not None else None
    t_end = max(events[-1].t if events else t_close, cards[-1].t)
    moves, quiet_from = settling(moves, t_gone)
    if at_close is None:
        at_close = lying(carry.board)
        bets = bets_in(at_close)
    for bet in (bet for stacks in bets.values() for bet in stacks):
        bet.look_again()
    return Coup(
        number=carry.number,
        cards=cards,
        t_close=t_close,
        bets=bets,
        moves=moves,
        gaps=gaps,
        t_result=max(_shown(card) for card in cards),
        t_swept=t_swept,
        t_gone=t_gone,
        over=t_next is not None or ended or t_end > quiet_from,
        cut_off=ended and t_swept is None,
        void=void,
        left=carry.left,
        began_unseen=_began_unseen(cards),
        t_end=t_end if t_next is None else t_next,
        before=carry.told,
        events=events,
        at_close=at_close,
        cues_before=tuple(event for event in carry.told if isinstance(event, Cue)),
        cues=tuple(event for event in events if isinstance(event, Cue)),
    )


def lying(board: Board) -> dict[Spot, Content]:
    """The stacks at every spot now; their readings may still get better."""
    return {spot: dict(content) for spot, content in board.spots.items() if content}


def bets_in(spots: dict[Spot, Content]) -> dict[Spot, list[Bet]]:
    """The stacks in the betting boxes."""
    return {
        spot: [
            Bet(spot, standing, standing.stack.line, standing.stack.at_mm, name)
            for name, standing in content.items()
        ]
        for spot, content in spots.items()
        if spot.area is Area.BET
    }


def settling(moves: list[Move], t_gone: float | None) -> tuple[list[Move], float]:
    """The moves that still belong to the coup, and when it is over if nothing more happens."""
    if t_gone is None:
        return moves, float("inf")
    limit = t_gone + SETTLED_AFTER_S
    kept: list[Move] = []
    for move in moves:
        if move.t > limit:
            break
        kept.append(move)
        limit = max(limit, move.t + SETTLED_AFTER_S)
    return kept, limit


def _shown(card: SeenCard) -> float:
    """When a card lay there with its face up (or at all, if that was not seen)."""
    if card.t_up is None or (card.t_cleared is not None and card.t_up > card.t_cleared):
        return card.t
    return max(card.t, card.t_up)


def _began_unseen(cards: list[SeenCard]) -> bool:
    """Whether the first cards lay on the table when the recording began."""
    return len(cards) >= 2 and cards[0].t_exit is None and cards[0].t < 0.5 and cards[1].t - cards[0].t < 0.1
