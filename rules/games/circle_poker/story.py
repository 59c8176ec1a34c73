"""What was done in a hand: each bet and fold in order, the streets, who is left, and who was paid what."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.chips import Move
from rules.events import Owner
from rules.games.circle_poker.betting import Acted, Betting, Turn
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.games.circle_poker.reading import POT, SETTLED_AFTER_S, Hand, together
from rules.seen_cards import SeenCard
from rules.spots import Area, bet_spot

_Step = tuple[float, int, str, object]
"""When, the event, what (``chips``, ``fold`` or ``street``), and of which move, seat or card."""
_STACK_FOLLOWS_S = 2.5
"""Chips put down are missed at the stack within this time."""


@dataclass(frozen=True, slots=True)
class Deed:
    """A seat acted. ``acted``: with chips. ``street``: 0 is before the flop."""

    seat: int
    t: float
    seq: int
    street: int
    amount: Fraction | None = None
    acted: Acted | None = None
    turn: Turn = Turn.HIS
    waiting: int | None = None
    rivals: int = 0
    all_in: bool = False
    raises: int = 0


@dataclass(frozen=True, slots=True)
class Closed:
    """A betting round ended at ``t``, when the next card came. ``unequal``: seats that owe; ``unseen``: of
    them, those whose stacks were not seen; ``ungathered``: seats whose chips still lie before them."""

    street: int
    t: float
    seq: int
    unequal: tuple[int, ...]
    unseen: tuple[int, ...]
    ungathered: tuple[int, ...]


@dataclass(slots=True)
class Story:
    """``posted``: by seat, before the first card; ``spent``: who had no more. ``unsure``: why amounts are not
    known, None if they are.
    ``t_last``: the last bet or fold. ``paid``: what each seat got of the pot, None if not known.
    ``came_back``: events by which chips came back to a stack."""

    betting: Betting
    posted: dict[int, Fraction | None] = field(default_factory=dict)
    spent: frozenset[int] = frozenset()
    deeds: list[Deed] = field(default_factory=list)
    closed: list[Closed] = field(default_factory=list)
    unsure: str | None = None
    t_last: float = 0.0
    t_paid: float | None = None
    paid: dict[int, Fraction | None] = field(default_factory=dict)
    returned: dict[int, Fraction] = field(default_factory=dict)
    came_back: set[int] = field(default_factory=set)


def net(move: Move) -> Fraction:
    """By how much a spot grew, or shrank, as far as that is known."""
    gain, loss = move.gain, move.loss
    if gain is None or loss is None:
        return Fraction((gain is None) - (loss is None))
    return gain - loss


def streets_of(hand: Hand, profile: CirclePokerProfile) -> list[SeenCard]:
    """The first shared card of each street."""
    firsts, place = [], 0
    for count in profile.board:
        if place < len(hand.board):
            firsts.append(hand.board[place])
        place += count
    return firsts


def folded_at(hand: Hand, seat: int) -> tuple[float, int] | None:
    """When a seat gave its cards up unseen, None if it did not."""
    cards = hand.hand(seat)
    gone = [card.t_cleared for card in cards if card.t_cleared is not None]
    if len(gone) < len(cards) or any(_shown_late(hand, card) for card in cards):
        return None
    last = max(cards, key=lambda card: card.t_cleared or 0.0)
    return max(gone), last.shown[-1][1] if last.shown else last.seq


def _shown_late(hand: Hand, card: SeenCard) -> bool:
    """Whether its player showed it; what showed as it was dealt is another matter."""
    dealt = hand.cards[-1].t + 1.0
    return card.t_up is not None and dealt < card.t_up < (card.t_cleared or float("inf"))


def paid_from(hand: Hand) -> float | None:
    """When the pot began to be paid out: chips left it and none came to it any more."""
    last_in = max((m.t for m in hand.moves if m.spot == POT and net(m) > 0), default=hand.t_first)
    got = [m.t for m in hand.moves if m.spot.area is Area.BET and net(m) > 0]
    losses = [
        m.t
        for m in hand.moves
        if m.spot == POT and net(m) < 0 and m.t >= last_in and any(together(m.t, t) for t in got)
    ]
    return min(losses, default=None)


def story_of(hand: Hand, profile: CirclePokerProfile) -> Story:
    """The hand told step by step."""
    blind = profile.big_blind or Fraction(0)
    story = Story(Betting(hand.order, blind))
    story.t_paid = paid_from(hand)
    before = [m for m in hand.moves if _is_bet(m) and m.t < hand.t_first]
    _post(story, hand, profile, before)
    steps: list[_Step] = [(m.t, m.seq, "chips", m) for m in hand.moves if _is_bet(m) and m.t >= hand.t_first]
    until = float("inf") if story.t_paid is None else story.t_paid
    for seat in hand.seats:
        gone = folded_at(hand, seat)
        if gone is not None and gone[0] < until:
            steps.append((*gone, "fold", seat))
    steps += [(card.t, card.seq, "street", card) for card in streets_of(hand, profile)]
    street = 0
    for t, seq, what, thing in _joined(sorted(steps, key=lambda step: step[:2])):
        if t >= until - 0.01:
            break
        if what == "street":
            _close(story, hand, street, t, seq)
            street += 1
            story.betting.next_street()
        elif what == "fold" and isinstance(thing, int):
            if len(story.betting.live) < 2:
                continue  # the winner gives his cards back
            turn, waiting = story.betting.folds(thing)
            story.deeds.append(Deed(thing, t, seq, street, turn=turn, waiting=waiting))
            story.t_last = t
        elif isinstance(thing, Move):
            _chips(story, hand, thing, street)
    if len(story.betting.live) > 1 and story.t_paid is not None:
        _close(story, hand, street, story.t_paid - 0.5, hand.cards[0].seq)
    if story.t_paid is not None:
        story.paid = _paid(hand, story.t_paid)
    return story


def _joined(steps: list[_Step]) -> list[_Step]:
    """The steps; chips that one player lays down in several motions with nobody acting in between are one."""
    joined: list[_Step] = []
    for step in steps:
        last = joined[-1][3] if joined else None
        this = step[3]
        if isinstance(last, Move) and isinstance(this, Move) and _goes_on(last, this):
            both = replace(this, added=(*last.added, *this.added), removed=(*last.removed, *this.removed))
            joined[-1] = (this.t, this.seq, "chips", both)
            continue
        joined.append(step)
    return joined


def _goes_on(last: Move, this: Move) -> bool:
    """Whether a player lays more chips to those he has just laid down."""
    mine = all(move.owner is not Owner.DEALER and move.added for move in (last, this))
    return mine and last.spot == this.spot


def _is_bet(move: Move) -> bool:
    return move.spot.area is Area.BET and move.spot.bet == "bet" and move.spot.seat is not None


def _post(story: Story, hand: Hand, profile: CirclePokerProfile, moves: list[Move]) -> None:
    for spot, value in hand.started.items():
        if spot.area is Area.BET and spot.bet == "bet" and spot.seat in hand.seats and value != 0:
            story.posted[spot.seat or 0] = value  # chips lay there before the hand was seen to begin
    for move in moves:
        seat, known = move.spot.seat or 0, story.posted.get(move.spot.seat or 0, Fraction(0))
        gain, loss = move.gain, Fraction(0) if move.owner is Owner.DEALER else move.loss
        story.posted[seat] = None if known is None or gain is None or loss is None else known + gain - loss
    if any(amount is None for amount in story.posted.values()):
        story.unsure = "what was posted before the deal could not be read"
    highest = max((amount for amount in story.posted.values() if amount is not None), default=Fraction(0))
    if not story.betting.big_blind:
        story.betting = Betting(hand.order, highest)
    ante = profile.ante or Fraction(0)
    for seat, amount in story.posted.items():
        if amount and seat in hand.seats:
            story.betting.ante(seat, min(ante, amount))
            if amount > ante:
                story.betting.post(seat, amount - ante)
            if _behind(hand, seat, hand.t_first) == 0:
                story.betting.all_in.add(seat)
    story.spent = frozenset(story.betting.all_in)
    blinds = blind_seats(hand)
    if blinds is not None:
        story.betting.opens_after(blinds[1])


def blind_seats(hand: Hand) -> tuple[int, int] | None:
    """The seats of the small and the big blind; None if the marker was not seen or fewer than two play."""
    order = hand.order
    if hand.button is None or len(order) < 2:
        return None
    return (order[-1], order[0]) if len(order) == 2 and order[-1] == hand.button else (order[0], order[1])


def _behind(hand: Hand, seat: int, t: float) -> Fraction | None:
    return hand.value_at(bet_spot(seat, "stack"), t + _STACK_FOLLOWS_S)


def _chips(story: Story, hand: Hand, move: Move, street: int) -> None:
    seat, gain, loss = move.spot.seat or 0, move.gain, move.loss
    if seat not in hand.seats:
        return
    if gain is None or loss is None or move.unclear:
        story.unsure = f"the bet of seat {seat} could not be read"
        return
    if move.owner is not Owner.DEALER and gain > loss:
        added = gain - loss
        rivals = len([other for other in story.betting.live if other not in story.betting.all_in])
        spent = _behind(hand, seat, move.t) == 0
        acted = story.betting.puts(seat, added, all_in=spent)
        deed = Deed(seat, move.t, move.seq, street, added, acted, acted.turn, acted.waiting)
        story.deeds.append(replace(deed, rivals=rivals, all_in=spent, raises=story.betting.raises))
        story.t_last = move.t
    elif loss > gain:
        back = next(
            (
                m.seq
                for m in hand.moves_at(bet_spot(seat, "stack"))
                if together(m.t, move.t) and m.seq not in story.came_back and _came(m) == loss - gain
            ),
            None,
        )
        if back is not None:
            story.came_back.add(back)
            story.betting.takes_back(seat, loss - gain)
            story.returned[seat] = story.returned.get(seat, Fraction(0)) + loss - gain


def _came(move: Move) -> Fraction | None:
    """What a spot has more than before, None if not known: chips may have been changed for others there."""
    return None if move.gain is None or move.loss is None else move.gain - move.loss


def _close(story: Story, hand: Hand, street: int, t: float, seq: int) -> None:
    """A betting round is over."""
    unequal = story.betting.unequal()
    unseen = [seat for seat in unequal if _behind(hand, seat, t) is None]
    standing = [seat for seat in hand.seats if hand.value_at(bet_spot(seat, "bet"), t) not in (None, 0)]
    story.closed.append(Closed(street, t, seq, tuple(unequal), tuple(unseen), tuple(standing)))


def _paid(hand: Hand, t_from: float) -> dict[int, Fraction | None]:
    """What came to each seat while the pot was paid out."""
    last = max(m.t for m in hand.moves if m.spot == POT and net(m) < 0)
    paid: dict[int, Fraction | None] = {}
    for move in hand.moves:
        seat = move.spot.seat
        if move.spot.area is not Area.BET or seat is None or move.spot.bet not in ("bet", "stack"):
            continue
        own = move.owner is Owner.PLAYER and move.t > last + _STACK_FOLLOWS_S
        if t_from - 1.0 <= move.t <= last + SETTLED_AFTER_S and not own:
            known, gain, loss = paid.get(seat, Fraction(0)), move.gain, move.loss
            paid[seat] = None if known is None or gain is None or loss is None else known + gain - loss
    return {seat: amount for seat, amount in paid.items() if amount is None or amount > 0}
