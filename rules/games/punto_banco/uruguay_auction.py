"""The suite offered and the bank auctioned (``remate``), as far as it is told
(art. 12, 15 to 17, 29 to 31, 50, 60)."""

from __future__ import annotations

from fractions import Fraction

from rules.docket import Moment
from rules.events import Cue
from rules.games.punto_banco.reading import AT_DEALER
from rules.games.punto_banco.uruguay_carry import NOBODY, opens
from rules.games.punto_banco.uruguay_pass import Pass, cue_at, seat_of
from rules.money import parse_amount, readable

_CODE = "AUCTION_IRREGULAR"
STANDING = "standing"
"""The value of a ``suite_offered`` cue where it is offered to those who stand."""


def judge_auction(play: Pass) -> None:
    """The offers and bids told since the pass before."""
    _judge_offers(play)
    bids = play.told_before("bid")
    remates = play.told_before("remate")
    opening = opens(play.start, play.coup)
    if opening and not remates and "remate" in play.profile.cues:
        play.docket.breach(
            "PB-URU-REM-04",
            _CODE,
            Moment.at(play.coup.t_close, play.coup.cards[0].seq, before_s=10.0),
            expected="the first bank auctioned before the first pass",
            seen="no auction (cue remate)",
        )
    if not bids:
        return
    _judge_bidders(play, bids)
    _judge_order(play, bids, opening)
    _judge_raises(play, bids, opening)
    _judge_award(play, bids, remates, opening)


def _judge_offers(play: Pass) -> None:
    """To those seated, from the giver's right on, then to those who stand."""
    offers = play.told_before("suite_offered")
    if not offers:
        return
    given = play.start.given
    giver = given.seat if given is not None else (play.start.seat or 0)
    wrong: Cue | None = None
    last = 0
    standing = False
    for cue in offers:
        seat = seat_of(cue)
        if seat is None or cue.value == STANDING:
            standing = True
            continue
        place = _to_right(giver, seat)
        if standing or place <= last:
            wrong = wrong or cue
        last = max(last, place)
    if wrong is None:
        play.docket.conform("PB-URU-SUITE-02")
        return
    play.docket.breach(
        "PB-URU-SUITE-02",
        "SUITE_ORDER",
        cue_at(wrong),
        expected=f"the suite offered to the right from seat {giver} on, and then to those who stand",
        seen=f"it was offered to seat {seat_of(wrong)} out of this order",
    )


def _to_right(of: int, seat: int) -> int:
    return seat - of if seat > of else seat - of + 100


def _judge_bidders(play: Pass, bids: list[Cue]) -> None:
    """Only seated players bid, and not the one who gave the suite."""
    given = play.start.given
    for cue in bids:
        seat = seat_of(cue)
        if seat is None:
            play.docket.breach(
                "PB-URU-REM-06",
                _CODE,
                cue_at(cue),
                expected="bids of seated players only",
                seen="somebody standing bid",
                subject=str(cue.seq),
            )
        elif given is not None and seat == given.seat:
            play.docket.breach(
                "PB-URU-REM-05",
                _CODE,
                cue_at(cue),
                expected=f"no bid of seat {given.seat}, which gave the suite",
                seen=f"seat {seat} bid",
                subject=str(cue.seq),
            )
    if all(seat_of(cue) is not None for cue in bids):
        play.docket.conform("PB-URU-REM-06")
        if given is not None and all(seat_of(cue) != given.seat for cue in bids):
            play.docket.conform("PB-URU-REM-05")


def _judge_order(play: Pass, bids: list[Cue], opening: bool) -> None:
    """One round, to the right: of the shoe, or of the payer at seat 1 for the first bank."""
    rule = "PB-URU-REM-04" if opening else "PB-URU-REM-01"
    giver = play.start.given.seat if play.start.given is not None else play.start.seat
    if giver is None and not opening:
        return  # nobody knows from where on
    start = 0 if opening or giver in (None, AT_DEALER) else giver or 0
    last = 0
    for cue in bids:
        seat = seat_of(cue)
        if seat is None or seat == start:
            continue
        place = _to_right(start, seat)
        if place <= last:
            play.docket.breach(
                rule,
                _CODE,
                cue_at(cue),
                expected="one round of bids, to the right",
                seen=f"seat {seat} bid out of turn",
                subject="order",
            )
            return
        last = place
    play.docket.conform(rule)


def _judge_raises(play: Pass, bids: list[Cue], opening: bool) -> None:
    """Each bid is above the one before by the shoe's minimum at least."""
    least = play.own.shoe_minimum
    if least is None:
        return
    rule = "PB-URU-REM-04" if opening else "PB-URU-REM-02"
    before = Fraction(0)
    for cue in bids:
        value = _value(cue)
        if value is None:
            continue
        if value - before < least:
            play.docket.breach(
                rule,
                _CODE,
                cue_at(cue),
                expected=f"a bid of {readable(before + least)} or more",
                seen=f"a bid of {readable(value)}",
                subject="raise",
                amount=value,
            )
            return
        before = value
    play.docket.conform(rule)


def _judge_award(play: Pass, bids: list[Cue], remates: list[Cue], opening: bool) -> None:
    """The bank goes to the best bid."""
    known = [(value, cue) for cue in bids if (value := _value(cue)) is not None]
    if len(known) < len(bids) or not play.seat or any(cue.value == NOBODY for cue in remates):
        return
    best = max(known, key=lambda pair: pair[0])
    winner = seat_of(best[1])
    rule = "PB-URU-REM-04" if opening else "PB-URU-REM-01"
    if winner is None or winner == play.seat:
        play.docket.conform(rule)
        return
    play.docket.breach(
        rule,
        _CODE,
        cue_at(best[1]),
        expected=f"the bank to the best bid, {readable(best[0])} of seat {winner}",
        seen=f"seat {play.seat} has it",
        subject="award",
    )


def _value(cue: Cue) -> Fraction | None:
    try:
        return None if cue.value is None else parse_amount(cue.value)
    except ValueError:
        return None
