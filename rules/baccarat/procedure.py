"""How a settlement is gone about: losers first, the cards in view until its end, and used cards put away."""

from __future__ import annotations

from collections.abc import Sequence

from rules.baccarat.coup import Coup
from rules.baccarat.dues import Due
from rules.baccarat.settlement import Settled
from rules.chips import Move
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.spots import Area

ORDER_S = 0.3
"""Two moves nearer than this may have been the other way round."""
SWEEP_S = 0.5
"""A move seen so soon after the cards began to go may have come before."""


def judge_losers_first(settled: Sequence[Settled], rule: str, docket: Docket) -> None:
    """``rule``: losers are taken before winners are paid."""
    paid = [case for case in settled if case.due is Due.PAY and case.t_paid is not None]
    taken = [
        case
        for case in settled
        if case.due is Due.COLLECT and case.t_taken is not None and case.action == "collected"
    ]
    if not paid:
        return
    first = min(paid, key=lambda case: case.t_paid or 0.0)
    t_paid = first.t_paid or 0.0
    lying = [case for case in taken if earliest_taken(case) > t_paid + ORDER_S]
    if not lying and (move := _perhaps_taken(settled, t_paid)) is not None:
        docket.undetermined(
            rule,
            "PAID_BEFORE_COLLECT",
            Moment.span(t_paid - 2.0, move.t, move.seq, *first.when.seq),
            f"whether chips were taken of {move.spot} at {clock(move.t)} cannot be seen",
            expected="all losing bets taken before the first payment",
            seen=f"{first.box.spot} was paid at {clock(t_paid)}",
            spot=first.box.spot,
        )
        return
    if not lying:
        if taken:
            docket.conform(rule)
        return
    names = ", ".join(str(case.box.spot) for case in lying)
    docket.breach(
        rule,
        "PAID_BEFORE_COLLECT",
        Moment.span(
            t_paid - 2.0, t_paid, *(seq for case in (first, *lying) for seq in case.when.seq), after_s=2.0
        ),
        expected="all losing bets taken before the first payment",
        seen=f"{first.box.spot} was paid at {clock(t_paid)} while losing bets still lay there: {names}",
        spot=first.box.spot,
    )


def _perhaps_taken(settled: Sequence[Settled], t_paid: float) -> Move | None:
    """A change of a losing bet that cannot be counted, by no player's hand, after the first payment."""
    for case in settled:
        if case.due is not Due.COLLECT or case.t_taken is not None:
            continue
        for move in case.box.moves:
            if move.unclear and move.owner is not Owner.PLAYER and move.t_from > t_paid + ORDER_S:
                return move
    return None


def earliest_taken(case: Settled) -> float:
    """The earliest a losing bet may have been taken."""
    moves = [move for move in case.box.moves if move.removed and move.t == case.t_taken]
    return min((move.t_from for move in moves), default=case.t_taken or 0.0)


def judge_stay(coup: Coup, settled: Sequence[Settled], rule: str, docket: Docket) -> None:
    """``rule``: the cards stay until every bet is settled."""
    if coup.t_swept is None:
        return
    late: list[tuple[float, Settled]] = []
    done = False
    for case in settled:
        for t in (case.t_paid, case.t_taken):
            done |= t is not None
        last = [
            m
            for m in case.box.moves
            if (case.t_paid is not None and m.t == case.t_paid)
            or (case.t_taken is not None and m.t == case.t_taken)
        ]
        late += [(move.t, case) for move in last if move.t_from > coup.t_swept + SWEEP_S]
    if not late:
        if done:
            docket.conform(rule)
        return
    t, case = min(late, key=lambda pair: pair[0])
    what = "paid" if case.t_paid == t else "taken"
    docket.breach(
        rule,
        "CARDS_CLEARED_EARLY",
        Moment.span(
            coup.t_swept - 1.0, t, *case.when.seq, *(seq for card in coup.cards for seq in card.seqs[-1:])
        ),
        expected="the cards in their place until every bet is settled",
        seen=f"the cards were gathered from {clock(coup.t_swept)} on;"
        f" {case.box.spot} was {what} at {clock(t)}",
        spot=None,
    )


def judge_discards(coup: Coup, rule: str, expected: str, docket: Docket) -> None:
    """``rule``: used cards go where they belong; ``expected`` says so."""
    gone = [card for card in coup.cards if card.cleared_to is not None]
    astray = [c for c in gone if c.cleared_to and c.cleared_to.area not in (Area.DISCARD, Area.OFF_TABLE)]
    for card in astray[:1]:
        docket.breach(
            rule,
            "DISCARD_MISPLACED",
            Moment.at(card.t_cleared or card.t, *(seq for other in astray for seq in other.seqs)),
            expected=expected,
            seen=f"{' '.join(other.name for other in astray)} went to {card.cleared_to}",
            spot=card.spot,
        )
    if gone and not astray:
        docket.conform(rule)
