"""How the payers go about it: in which order they take and pay, with which chips, and where these land
(art. 46, 47, 51, 52, 54, 89)."""

from __future__ import annotations

from itertools import pairwise

from rules.baccarat.dues import Due
from rules.baccarat.points import Result
from rules.baccarat.settlement import Settled
from rules.clock import clock
from rules.docket import Moment
from rules.events import ChipMove, MarkerSeen, Owner
from rules.games.punto_banco.uruguay_pass import Pass, cue_at
from rules.spots import Area, Spot

_ORDER_S = 0.3
"""Two moves nearer than this may have been the other way round."""


def judge_paying(play: Pass, result: Result, settled: list[Settled]) -> None:
    """All about how a decided pass was settled."""
    if result is Result.BANCA:
        _judge_right_first(play, settled)
        _judge_pay_order(play, settled, "banca", "PB-URU-PAY-01")
    elif result is Result.PUNTO:
        _judge_paddle(play, settled)
        _judge_pay_order(play, settled, "punto", "PB-URU-PAY-02")
        _judge_landing(play, settled)
    _judge_without_bet(play, settled)
    _judge_relief(play, settled)
    _judge_sources(play)
    _judge_collected(play)


def _taken(settled: list[Settled], bet: str) -> list[Settled]:
    return [
        case
        for case in settled
        if case.box.bet == bet and case.due is Due.COLLECT and case.t_taken is not None
    ]


def _judge_paddle(play: Pass, settled: list[Settled]) -> None:
    """Banca's losers are taken with the paddle. Where it was never seen, nothing can be said."""
    taken = _taken(settled, "banca")
    if not taken:
        return
    seen = [
        event
        for event in play.coup.events
        if isinstance(event, MarkerSeen) and event.marker == "paddle" and event.t > play.coup.t_result - 1.0
    ]
    if seen:
        play.docket.conform("PB-URU-COL-01")
    elif play.start.paddle:
        first = min(case.t_taken or 0.0 for case in taken)
        play.docket.breach(
            "PB-URU-COL-01",
            "COLLECT_ORDER_WRONG",
            Moment.at(first, *(seq for case in taken for seq in case.when.seq[-1:])),
            expected="banca's losing bets taken with the paddle",
            seen="the paddle was not used",
            spot=taken[0].box.spot,
        )


def _judge_right_first(play: Pass, settled: list[Settled]) -> None:
    """Punto's losers: those at the payer's right first, then those before him."""
    taken = _taken(settled, "punto")
    for number, cloth in enumerate(play.own.cloths, start=1):
        right = [case for case in taken if case.box.spot.seat in cloth.right]
        front = [case for case in taken if case.box.spot.seat in cloth.front]
        if not right or not front:
            continue
        last = max(right, key=lambda case: case.t_taken or 0.0)
        first = min(front, key=lambda case: case.t_taken or 0.0)
        if (last.t_taken or 0.0) <= (first.t_taken or 0.0) + _ORDER_S:
            play.docket.conform("PB-URU-COL-02")
            continue
        play.docket.breach(
            "PB-URU-COL-02",
            "COLLECT_ORDER_WRONG",
            Moment.span(first.t_taken or 0.0, last.t_taken or 0.0, *first.when.seq, *last.when.seq),
            expected="the losing punto bets at the payer's right taken before those in front of him",
            seen=f"{first.box.spot} was taken before {last.box.spot}",
            subject=f"cloth-{number}",
        )


def _judge_pay_order(play: Pass, settled: list[Settled], bet: str, rule: str) -> None:
    """From right to left, on each cloth."""
    paid = [
        case for case in settled if case.box.bet == bet and case.due is Due.PAY and case.t_paid is not None
    ]
    for number, cloth in enumerate(play.own.cloths, start=1):
        mine = [case for case in paid if case.box.spot.seat in cloth.seats]
        mine.sort(key=lambda case: case.t_paid or 0.0)
        for before, after in pairwise(mine):
            left = cloth.seats.index(before.box.spot.seat or 0) > cloth.seats.index(after.box.spot.seat or 0)
            if left and (after.t_paid or 0.0) - (before.t_paid or 0.0) > _ORDER_S:
                play.docket.breach(
                    rule,
                    "PAY_ORDER_WRONG",
                    Moment.span(before.t_paid or 0.0, after.t_paid or 0.0, *before.when.seq, *after.when.seq),
                    expected=f"{bet}'s winners paid from right to left",
                    seen=f"{before.box.spot} was paid before {after.box.spot}",
                    subject=f"cloth-{number}",
                )
                break
        else:
            if len(mine) > 1:
                play.docket.conform(rule)


def _judge_landing(play: Pass, settled: list[Settled]) -> None:
    """Punto's payments stay within the places for bets."""
    outside = {
        move.seq
        for move in play.coup.moves
        if move.spot.area is Area.TABLE and move.added and move.owner is Owner.DEALER
    }
    for case in settled:
        paid = [move for move in case.box.moves if move.added and move.seq in outside]
        if case.box.bet != "punto" or case.due is not Due.PAY or not paid:
            continue
        play.docket.breach(
            "PB-URU-PAY-02",
            "PAYMENT_MISPLACED",
            Moment.at(paid[0].t, paid[0].seq),
            expected="the payment within the places for bets",
            seen=f"it was put down outside of them, beside {case.box.spot}",
            spot=case.box.spot,
        )


def _judge_without_bet(play: Pass, settled: list[Settled]) -> None:
    """Nothing is paid where no chips lay: a spoken bet is no bet."""
    attributed = {move.seq for case in settled for move in case.box.moves}
    clean = True
    for move in play.dealers_moves:
        if not move.added or move.spot in play.coup.bets or move.seq in attributed:
            continue
        clean = False
        play.docket.breach(
            "PB-URU-BET-05",
            "PAID_WITHOUT_BET",
            Moment.at(move.t, move.seq),
            expected="no payment where no chips lay at the close",
            seen=f"the dealer put chips on {move.spot}",
            spot=move.spot,
            amount=move.gain,
        )
    if clean:
        play.docket.conform("PB-URU-BET-05")


def _judge_relief(play: Pass, settled: list[Settled]) -> None:
    """A payer stays until every payment is made."""
    for cue in play.told("dealer"):
        if not play.coup.t_result < cue.t:
            continue
        unpaid = [
            case
            for case in settled
            if case.due is Due.PAY and case.t_paid is not None and case.t_paid > cue.t
        ]
        if not unpaid:
            play.docket.conform("PB-URU-DEALER-02")
            continue
        names = ", ".join(str(case.box.spot) for case in unpaid)
        play.docket.breach(
            "PB-URU-DEALER-02",
            "DEALER_LEFT_BEFORE_PAYMENT",
            cue_at(cue),
            expected="no relief of a payer before all payments are made",
            seen=f"the payer was relieved at {clock(cue.t)}; not yet paid: {names}",
        )


def _chip_moves(play: Pass) -> list[ChipMove]:
    return [
        event
        for event in play.coup.events
        if isinstance(event, ChipMove)
        and event.t > play.coup.t_result - _ORDER_S
        and (event.hand is None or event.hand.owner is not Owner.PLAYER)
    ]


def _judge_sources(play: Pass) -> None:
    """Payments come from the float or the table's capital, not from what was just taken."""
    told = False
    for event in _chip_moves(play):
        to, source = Spot.parse(event.to_spot), Spot.parse(event.from_spot)
        if to.area is not Area.BET or to not in play.coup.bets or to == source:
            continue
        told = True
        if source.area in (Area.FLOAT, Area.CAPITAL):
            continue
        play.docket.breach(
            "PB-URU-CHIP-02",
            "PAID_FROM_WRONG_SOURCE",
            Moment.at(event.t, event.seq),
            expected="payments from the float or the table's capital",
            seen=f"chips went from {source} to {to}",
            spot=to,
        )
        return
    if told:
        play.docket.conform("PB-URU-CHIP-02")


def _judge_collected(play: Pass) -> None:
    """Of the chips taken the highest go to the capital first, then the others to the float."""
    floated: ChipMove | None = None
    told = False
    for event in _chip_moves(play):
        if Spot.parse(event.from_spot).area in (Area.FLOAT, Area.CAPITAL):
            continue
        area = Spot.parse(event.to_spot).area
        if area is Area.FLOAT:
            floated = floated or event
        elif area is Area.CAPITAL:
            told = True
            if floated is None:
                continue
            play.docket.breach(
                "PB-URU-CHIP-01",
                "COLLECT_ORDER_WRONG",
                Moment.span(floated.t, event.t, floated.seq, event.seq),
                expected="the highest of the chips taken to the capital first, the others then to the float",
                seen="chips went to the float before those that went to the capital",
            )
            return
    if told:
        play.docket.conform("PB-URU-CHIP-01")
