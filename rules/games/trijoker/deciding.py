"""From the close of bets to the last common card: bets stay as they are, but for those withdrawn in time."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf

from rules.baccarat.closing import Tampering, whose
from rules.baccarat.coup import CLOSE_TOLERANCE_S, Coup
from rules.chips import Move, Part, total
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.trijoker.profile import TrijokerProfile
from rules.games.trijoker.round import Round
from rules.games.trijoker.words import FIRST, SECOND, THIRD, is_bet
from rules.money import readable
from rules.spots import Spot

DECIDES = {FIRST: "TJ-DEC-01", SECOND: "TJ-DEC-02", THIRD: "TJ-DEC-03"}
"""By box, the row that says when its bet may be withdrawn."""
REVEALS = {FIRST: "TJ-REV-01", SECOND: "TJ-REV-02"}
"""By box, the row that has a common card wait for the decision on its bet."""


@dataclass(frozen=True, slots=True)
class Window:
    """From ``opens`` to ``shuts`` a bet may be withdrawn."""

    opens: float
    shuts: float

    def has(self, move: Move) -> bool:
        """Whether a move may have been made in it."""
        return move.t > self.opens and move.t_from <= self.shuts + CLOSE_TOLERANCE_S


@dataclass(slots=True)
class _Course:
    """What became of one box: whole stacks that are gone, what was put there, and moves in its window."""

    tampered: Tampering = field(default_factory=Tampering)
    gone: set[str] = field(default_factory=set)
    in_time: list[Move] = field(default_factory=list)


def windows(play: Round) -> dict[str, Window]:
    """When the first and second bets may be withdrawn. Where a common card was shown before its time nobody
    can tell when it would have been turned: the window stays open up to the next thing known."""
    first, second = sorted((play.t_left, play.t_right))
    end = play.t_settled_from
    if second < inf or (first < inf and end == inf):
        return {FIRST: Window(play.t_dealt, first), SECOND: Window(first, min(second, end))}
    if first == inf:
        shown = end < inf
        return {FIRST: Window(play.t_dealt, end), SECOND: Window(play.t_dealt if shown else inf, end)}
    if play.t_left == inf:
        return {FIRST: Window(play.t_dealt, end), SECOND: Window(play.t_dealt, end)}
    return {FIRST: Window(play.t_dealt, first), SECOND: Window(first, end)}


def judge_decisions(
    coup: Coup, play: Round, annulled: float, profile: TrijokerProfile, docket: Docket
) -> dict[Spot, Tampering]:
    """What was put down and taken before the bets were settled; returns it by spot. ``annulled``: from when
    on the hand is void, and each may take his bets."""
    if coup.began_unseen:
        return {}
    open_for = windows(play)
    until = min(play.t_settled_from, annulled)
    # What is done before a common card is seen to be turned may be the settlement: that turn went unseen.
    known = max(t for t in (play.t_dealt, play.t_left, play.t_right, play.t_settled_from) if t < inf)
    courses: dict[Spot, _Course] = {}
    late: dict[str, list[Move]] = {}
    for move in coup.moves:
        if not is_bet(move.spot) or move.t >= until or (move.t > known and not _bets(move)):
            continue
        course = courses.setdefault(move.spot, _Course())
        swap = bool(move.added and move.removed) and move.gain is not None and move.gain == move.loss
        course.tampered.added += move.added
        course.tampered.removed += move.removed
        course.gone |= {part.stack for part in move.removed if part.whole}
        if swap:
            continue
        if move.removed and _judge_removal(coup, play, move, course, open_for, docket):
            late.setdefault(move.spot.bet or "", []).append(move)
        if move.added and not _put_back(course, move):
            _breach(coup, move, move.added, "TJ-BET-02", "LATE_BET", "put down", docket)
    _judge_reveals(play, late, docket)
    _judge_whole(coup, courses, open_for, docket)
    _judge_turns(courses, profile, docket)
    for spot in coup.bets:
        if is_bet(spot) and spot not in courses and play.t_settled_from < inf:
            docket.conform("TJ-BET-02")
            docket.conform(DECIDES[spot.bet or ""])
    return {spot: course.tampered for spot, course in courses.items()}


def _bets(move: Move) -> bool:
    """Whether a player puts down chips."""
    return bool(move.added) and not move.removed and move.owner is Owner.PLAYER


def _judge_removal(
    coup: Coup, play: Round, move: Move, course: _Course, open_for: dict[str, Window], docket: Docket
) -> bool:
    """Chips taken from a box; True where it was after the time to decide on it."""
    bet = move.spot.bet or ""
    window = open_for.get(bet)
    if window is not None and window.has(move):
        course.in_time.append(move)
        return False
    in_deal = move.t <= play.t_dealt
    rule = "TJ-BET-02" if in_deal else DECIDES[bet]
    _breach(coup, move, move.removed, rule, "BET_REMOVED_LATE", "taken", docket)
    return window is not None and move.t > window.shuts


def _put_back(course: _Course, move: Move) -> bool:
    """Whether a bet that was just withdrawn in its time is left in play after all."""
    if not course.in_time:
        return False
    if move.gain is None or course.in_time[-1].loss != move.gain:
        return False
    course.in_time.pop()
    course.gone -= {part.stack for part in course.tampered.removed if part.whole}
    return True


def _judge_reveals(play: Round, late: dict[str, list[Move]], docket: Docket) -> None:
    """A common card waits until all have decided (TJ-REV-01; TJ-REV-02 is seen in the settlement)."""
    moves = late.get(FIRST, [])
    if moves:
        reveal_breach(FIRST, play.t_left, moves, docket)
    elif play.t_left < inf:
        docket.conform(REVEALS[FIRST])


def reveal_breach(bet: str, t_turned: float, moves: list[Move], docket: Docket) -> None:
    """A common card was turned while players still withdrew the bet that they are to decide on first."""
    number = "first" if bet == FIRST else "second"
    docket.breach(
        REVEALS[bet],
        "REVEAL_ORDER",
        Moment.span(t_turned, moves[0].t, *(move.seq for move in moves)),
        expected=f"the common card turned when all have decided on their {number} bets",
        seen=f"turned at {clock(t_turned)}, and a {number} bet withdrawn at {clock(moves[0].t)}",
        spot=moves[0].spot,
    )


def _judge_whole(
    coup: Coup, courses: dict[Spot, _Course], open_for: dict[str, Window], docket: Docket
) -> None:
    """A bet is withdrawn or left, not lowered (TJ-BET-02)."""
    for spot, course in courses.items():
        if not course.in_time:
            continue
        if {bet.standing.stack.stack for bet in coup.bets.get(spot, ())} <= course.gone:
            docket.conform(DECIDES[spot.bet or ""])
            continue
        last = course.in_time[-1]
        known = total(last.removed) is not None and not last.unclear
        if known and (coup.over or coup.t_end > open_for[spot.bet or ""].shuts):
            _breach(coup, last, last.removed, "TJ-BET-02", "BET_REMOVED_LATE", "taken of a bet", docket)


def _judge_turns(courses: dict[Spot, _Course], profile: TrijokerProfile, docket: Docket) -> None:
    """First bets are withdrawn in turn (TJ-DEC-01)."""
    taken = {
        spot.seat: course.in_time[-1]
        for spot, course in courses.items()
        if spot.bet == FIRST and spot.seat is not None and course.in_time
    }
    order = profile.in_turn(set(taken))
    for place, seat in enumerate(order):
        move = taken[seat]
        ahead = [other for other in order[:place] if taken[other].t_from > move.t + CLOSE_TOLERANCE_S]
        if not ahead:
            continue
        docket.breach(
            "TJ-DEC-01",
            "OUT_OF_TURN",
            Moment.at(move.t, move.seq, taken[ahead[0]].seq),
            expected=f"seat {ahead[0]} to decide first",
            seen=f"seat {seat} withdrew at {clock(move.t)}, seat {ahead[0]} at {clock(taken[ahead[0]].t)}",
            spot=move.spot,
        )


def _breach(
    coup: Coup, move: Move, parts: tuple[Part, ...], rule: str, code: str, did: str, docket: Docket
) -> None:
    amount: Fraction | None = total(parts)
    what = "chips" if amount is None else f"chips worth {readable(amount)}"
    seen = f"{what} {did} at {clock(move.t)} by {whose(move)}"
    when = Moment.at(move.t, move.seq, *(bet.standing.seq for bet in coup.bets.get(move.spot, ())))
    told = f"the bets were closed at {clock(coup.t_close)}"
    if move.t_from <= coup.t_close + CLOSE_TOLERANCE_S:
        why = f"{move.spot} could not be seen from {clock(move.t_from)} on, before the close"
        docket.undetermined(rule, code, when, why, expected=told, seen=seen, spot=move.spot, amount=amount)
        return
    expected = {
        "TJ-DEC-01": "the first bet withdrawn before the common card at the left is turned, or left",
        "TJ-DEC-02": "the second bet withdrawn between the two common cards, or left",
        "TJ-DEC-03": "the third bet left in play",
    }.get(rule, f"no change of bets: {told}")
    docket.breach(
        rule,
        code,
        when,
        expected=expected,
        seen=seen,
        spot=move.spot,
        subject=parts[0].stack,
        amount=amount,
    )
