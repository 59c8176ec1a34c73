"""The close of bets: none is added, changed or taken back after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from rules.baccarat.coup import CLOSE_TOLERANCE_S, Coup
from rules.chips import Move, Part, total
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import ChipState, Owner
from rules.looks import chips_in
from rules.money import readable
from rules.spots import Area, Spot

_LAG_S = 0.3
"""A settlement may be seen this much before the last card is."""


@dataclass(slots=True)
class Tampering:
    """What was put down at or taken from one spot between the close and the settlement."""

    added: list[Part] = field(default_factory=list)
    removed: list[Part] = field(default_factory=list)

    @property
    def gain(self) -> Fraction | None:
        """Chips put down, None if not known."""
        return total(tuple(self.added))

    @property
    def loss(self) -> Fraction | None:
        """Chips taken, None if not known."""
        return total(tuple(self.removed))


def is_settlement(coup: Coup, move: Move) -> bool:
    """Whether a move of chips belongs to the settlement: it came after the result, or a dealer's hand made
    it."""
    return move.t >= coup.t_result - _LAG_S or (move.owner is Owner.DEALER and len(coup.cards) >= 4)


def judge_closing(coup: Coup, rule: str, docket: Docket) -> dict[Spot, Tampering]:
    """``rule``: no bet changes after the close; up to the result. Returns what was changed, by spot."""
    tampered: dict[Spot, Tampering] = {}
    if coup.began_unseen:
        return tampered
    for move in coup.moves:
        if is_settlement(coup, move) or move.spot.area is not Area.BET:
            continue
        mine = tampered.setdefault(move.spot, Tampering())
        judge_move(coup, move, mine, rule, docket)
    handled = _judge_handled(coup, rule, docket)
    for spot in coup.bets:
        if spot not in tampered and spot not in handled and (coup.over or len(coup.cards) >= 4):
            docket.conform(rule)
    return tampered


def _judge_handled(coup: Coup, rule: str, docket: Docket) -> set[Spot]:
    """Bets that cannot be counted, told anew after a player's hand changed how they look: whether he put
    chips down, or took some, is not known. Returns where such bets lie."""
    told = {move.seq for move in coup.moves if move.added or move.removed}
    handled: set[Spot] = set()
    for event in coup.events:
        if not isinstance(event, ChipState) or event.seq in told or event.hand is None:
            continue
        spot, early = Spot.parse(event.spot), event.t <= coup.t_close + CLOSE_TOLERANCE_S
        bets = coup.bets.get(spot, ())
        if early or event.t >= coup.t_result - _LAG_S or event.hand.owner is not Owner.PLAYER:
            continue
        stacks = [*(bet.standing.stack for bet in bets), *event.stacks]
        if spot in handled or not bets or all(chips_in(stack) is not None for stack in stacks):
            continue
        handled.add(spot)
        for code, did in (("LATE_BET", "put down"), ("BET_REMOVED_LATE", "taken")):
            docket.undetermined(
                rule,
                code,
                Moment.at(event.t, event.seq, *(bet.standing.seq for bet in bets)),
                f"whether chips were {did} cannot be seen: the bet's chips cannot be counted",
                expected=f"no change of bets: the bets were closed at {clock(coup.t_close)}",
                seen=f"the bet changed under a player's hand at {clock(event.t)}",
                spot=spot,
            )
    return handled


def judge_move(coup: Coup, move: Move, mine: Tampering, rule: str, docket: Docket) -> None:
    """One move of chips between the close and the result, entered under ``rule`` and noted in ``mine``."""
    gain, loss = move.gain, move.loss
    mine.added += move.added
    mine.removed += move.removed
    if move.added and move.removed and gain is not None and gain == loss:
        return  # changed into other chips of the same value
    before_close = move.t_from <= coup.t_close + CLOSE_TOLERANCE_S
    for parts, code, did in (
        (move.added, "LATE_BET", "put down"),
        (move.removed, "BET_REMOVED_LATE", "taken"),
    ):
        if not parts:
            continue
        amount = total(parts)
        what = "chips" if amount is None else f"chips worth {readable(amount)}"
        seen = f"{what} {did} at {clock(move.t)} by {whose(move)}"
        told = f"the bets were closed at {clock(coup.t_close)}"
        when = Moment.at(move.t, move.seq, *(bet.standing.seq for bet in coup.bets.get(move.spot, ())))
        if before_close:
            why = f"{move.spot} could not be seen from {clock(move.t_from)} on, before the close"
            docket.undetermined(
                rule, code, when, why, expected=told, seen=seen, spot=move.spot, amount=amount
            )
        else:
            docket.breach(
                rule,
                code,
                when,
                expected=f"no change of bets: {told}",
                seen=seen,
                spot=move.spot,
                subject=parts[0].stack,
                amount=amount,
            )


def whose(move: Move) -> str:
    """Whose hand made a move, in words."""
    if move.hand is None or move.owner is Owner.UNKNOWN:
        return "a hand that was not seen"
    if move.owner is Owner.DEALER:
        return "the dealer"
    return "a player" if move.hand.seat is None else f"the player at seat {move.hand.seat}"
