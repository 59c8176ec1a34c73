"""The game's rounds read from the journal: the deal, the decisions, the reveal, and every move of chips.

A round ends when the bank's cards are gathered; those of players who passed go earlier.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf, nextafter
from typing import Self

from rules.baccarat.coup import CLOSE_TOLERANCE_S, Bet, Coup, bets_in, close_of, lying, settling
from rules.chips import Board, Content, Move
from rules.events import ChipState, Cue, Event, Owner
from rules.games.no_discard_poker.profile import PokerProfile
from rules.games.no_discard_poker.words import BANCA, FIVE, SECOND, seat_of
from rules.seen_cards import SeenCard, read_cards, same_place
from rules.sight import Gap, Gaps, Sight
from rules.spots import Area, Spot

_LATE_S = 8.0
"""A card laid this long after the one before on another's place begins a new deal."""


@dataclass(slots=True)
class Round(Coup):
    """One round. ``dealt``: the cards of the deal; ``bought``: those dealt once it was complete.

    ``t_dealt``: the last card of the deal came to rest; ``t_reveal``: the first hidden card of the bank was
    turned, None if that was not seen. ``seconds``: the second bets as they lay before the reveal, or when
    they were first seen; ``late``: spots of those that came after it; ``at_reveal``: all chips at the reveal,
    None before it.
    """

    dealt: list[SeenCard] = field(default_factory=list)
    bought: list[SeenCard] = field(default_factory=list)
    t_dealt: float = 0.0
    t_reveal: float | None = None
    seconds: dict[Spot, list[Bet]] = field(default_factory=dict)
    late: dict[Spot, Move] = field(default_factory=dict)
    at_reveal: dict[Spot, Content] | None = None

    @property
    def seats(self) -> list[int]:
        """The seats that were dealt cards or have a bet, in order."""
        dealt = {seat_of(card.dealt_to.hand or "") for card in self.cards}
        bet = {spot.seat for spot, bets in self.bets.items() if bets}
        return sorted(seat for seat in dealt | bet if seat is not None)

    def five(self, hand: str) -> list[SeenCard]:
        """A hand's cards as it was dealt."""
        return [card for card in self.dealt if card.dealt_to.hand == hand]

    def final(self, hand: str) -> list[SeenCard]:
        """A hand's cards as it is compared: the bought one, without the one put away for it."""
        bought = [card for card in self.bought if card.dealt_to.hand == hand]
        if not bought:
            return self.five(hand)
        return [card for card in self.five(hand) if card not in self.put_away(hand)] + bought

    def put_away(self, hand: str) -> list[SeenCard]:
        """Of a hand's cards, those that left it by themselves before the bank's were turned."""
        until = inf if self.t_reveal is None else self.t_reveal
        bought = [card for card in self.bought if card.dealt_to.hand == hand]
        until = max((card.t for card in bought), default=until)
        return [card for card in self.five(hand) if (t := _left(card)) is not None and t < until]


def _left(card: SeenCard) -> float | None:
    """When a card left its hand, to wherever."""
    moved = [rest.t for rest in card.rests if rest.spot != card.dealt_to]
    times = [*moved, *([] if card.t_cleared is None else [card.t_cleared])]
    return min(times, default=None)


@dataclass(slots=True)
class PokerCarry:
    """What one round leaves for the next. ``t``: the close of the round that begins here; ``told``: cues
    since the one before was dealt."""

    board: Board
    profile: PokerProfile
    t: float = -inf
    number: int = 0
    left: list[SeenCard] = field(default_factory=list)
    gaps: tuple[Gap, ...] = ()
    told: tuple[Event, ...] = ()

    def copy(self) -> Self:
        """An independent copy."""
        return replace(self, board=self.board.copy(), left=list(self.left))


def begin(profile: PokerProfile, sight: Sight) -> PokerCarry:
    """Before the first event."""
    return PokerCarry(Board(sight), profile)


def split(cards: Sequence[SeenCard]) -> list[list[SeenCard]]:
    """Cards laid on hands, round by round."""
    rounds: list[list[SeenCard]] = []
    for card in cards:
        if rounds and not _ended(rounds[-1], card):
            rounds[-1].append(card)
        else:
            rounds.append([card])
    return rounds


def _ended(group: list[SeenCard], card: SeenCard) -> bool:
    """Whether a round had ended when this card was laid down."""
    bank = [other for other in group if other.dealt_to.hand == BANCA]
    pool = bank if len(bank) > 1 else group
    gone = sum(other.t_cleared is not None and other.t_cleared <= card.t for other in pool)
    if gone >= min(2, len(pool)) and 2 * gone >= len(pool):
        return True
    # The gathering was not seen, but once the bank's cards are turned no more are dealt ...
    turned = sum(not c.placed_up and c.t_up is not None and c.t_up < card.t for c in bank)
    if len(bank) >= FIVE and turned >= FIVE - 2:
        return True
    # ... and a card that lies where an earlier one did is none of its hand.
    late = card.t - group[-1].t > _LATE_S and len(bank) >= FIVE
    return late and any(
        same_place(card, other) for other in group if other.spot == card.dealt_to and other.t_cleared is None
    )


def coups_of(
    carry: PokerCarry, events: Sequence[Event], _profile: PokerProfile, _sight: Sight, ended: bool
) -> list[tuple[PokerCarry, Round]]:
    """The rounds of events in time order, each with what it began from; ``carry`` is brought up to date."""
    cards = read_cards(events, carry.board.sight, carry.left)
    before = {card.card_id for card in carry.left}
    groups = split([c for c in cards if c.dealt_to.area is Area.HAND and c.card_id not in before])
    times = [event.t for event in events]
    closes: list[float] = []
    last = nextafter(carry.t, -inf)
    for group in groups:
        near = events[bisect_right(times, last) : bisect_right(times, group[0].t)]
        closes.append(max(close_of(group, near, last), last))
        last = group[-1].t
    gaps = Gaps.of(events, carry.gaps)
    cuts = [bisect_left(times, t) for t in closes]
    cuts.append(len(events))
    ignored: list[Move] = []
    for event in events[: cuts[0]]:
        if isinstance(event, ChipState):
            carry.board.apply(event, gaps, ignored)
    carry.told += _told(events[: cuts[0]])
    standing = [card for card in cards if card.card_id in before]
    found: list[tuple[PokerCarry, Round]] = []
    for index, group in enumerate(groups):
        last_one = index == len(groups) - 1
        carry.t, carry.left = closes[index], standing
        start = carry.copy()
        start.gaps = tuple(gap for gap in gaps.all if gap.t_from < closes[index] <= gap.t_to)
        carry.number += 1
        part = events[cuts[index] : cuts[index + 1]]
        until = inf if last_one else closes[index + 1]
        seen = group if last_one else [card.until(until) for card in group]
        coup = _round(carry, seen, part, gaps, None if last_one else until, ended and last_one)
        found.append((start, coup))
        carry.told = _told([event for event in part if event.t > coup.t_dealt])
        standing = [card for card in group if card.t_cleared is None or card.t_cleared >= until]
    return found


def _told(events: Sequence[Event]) -> tuple[Event, ...]:
    return tuple(event for event in events if isinstance(event, Cue))


def _parted(cards: list[SeenCard], exchange: bool) -> tuple[list[SeenCard], list[SeenCard]]:
    """The cards of the deal, and those dealt to complete hands once the bank's was complete too."""
    dealt: list[SeenCard] = []
    bought: list[SeenCard] = []
    counts: dict[str, int] = {}
    for card in cards:
        hand = card.dealt_to.hand or ""
        more = exchange and hand != BANCA and counts.get(hand, 0) >= FIVE and counts.get(BANCA, 0) >= FIVE
        (bought if more else dealt).append(card)
        counts[hand] = counts.get(hand, 0) + 1
    return dealt, bought


def _round(
    carry: PokerCarry,
    cards: list[SeenCard],
    events: Sequence[Event],
    gaps: Gaps,
    t_next: float | None,
    ended: bool,
) -> Round:
    dealt, bought = _parted(cards, carry.profile.exchange is not False)
    bank = [card for card in dealt if card.dealt_to.hand == BANCA]
    t_dealt = dealt[-1].t
    hidden = [*bank[: FIVE - 1], *bank[FIVE:]]
    turned = [c.t_up for c in hidden if not c.placed_up and c.t_up is not None and c.t_up > t_dealt]
    t_reveal = min(turned, default=None)
    early: list[Move] = []
    moves: list[Move] = []
    at_close: dict[Spot, Content] | None = None
    at_reveal: dict[Spot, Content] | None = None
    seconds: dict[Spot, list[Bet]] = {}
    late: dict[Spot, Move] = {}
    for event in events:
        if not isinstance(event, ChipState):
            continue
        if at_close is None and event.t > carry.t + CLOSE_TOLERANCE_S:
            at_close = lying(carry.board)
            seconds = {spot: bets for spot, bets in bets_in(at_close).items() if spot.bet == SECOND}
        if at_reveal is None and t_reveal is not None and event.t > t_reveal:
            at_reveal = lying(carry.board)
        known = len(moves)
        carry.board.apply(event, gaps, early if at_close is None else moves)
        spot = Spot.parse(event.spot)
        dealers = event.hand is not None and event.hand.owner is Owner.DEALER
        if at_close is None or spot.bet != SECOND or dealers:
            continue
        if at_reveal is None:
            seconds[spot] = bets_in({spot: dict(carry.board.at(spot))})[spot]
        elif not seconds.get(spot) and carry.board.at(spot) and len(moves) > known:
            seconds[spot] = bets_in({spot: dict(carry.board.at(spot))})[spot]
            late[spot] = moves[-1]
    if at_close is None:
        at_close = lying(carry.board)
    gone = sorted(c.t_cleared for c in (bank or dealt) if c.t_cleared is not None)
    t_swept = gone[min(2, len(bank or dealt)) - 1] if len(gone) >= min(2, len(bank or dealt)) else None
    all_gone = [card.t_cleared for card in cards if card.t_cleared is not None]
    t_gone = max(all_gone) if t_swept is not None else None
    moves = [move for move in moves if move.added or move.removed or move.unclear]
    moves, quiet_from = settling(moves, t_gone)
    t_end = max(events[-1].t if events else carry.t, cards[-1].t)
    return Round(
        number=carry.number,
        cards=cards,
        t_close=carry.t,
        bets=bets_in(at_close),
        moves=moves,
        gaps=gaps,
        t_result=t_dealt if t_reveal is None else t_reveal,
        t_swept=t_swept,
        t_gone=t_gone,
        over=t_next is not None or ended or t_end > quiet_from,
        cut_off=ended and t_swept is None,
        void=any(isinstance(event, Cue) and event.cue == "coup_void" for event in events),
        left=carry.left,
        began_unseen=len(cards) > 1 and cards[0].t < 0.5 and cards[1].t - cards[0].t < 0.1,
        t_end=t_end if t_next is None else t_next,
        before=carry.told,
        events=events,
        at_close=at_close,
        dealt=dealt,
        bought=bought,
        t_dealt=t_dealt,
        t_reveal=t_reveal,
        seconds={spot: bets for spot, bets in seconds.items() if bets},
        late=late,
        at_reveal=at_reveal,
    )
