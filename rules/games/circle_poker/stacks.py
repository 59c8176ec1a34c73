"""Chips behind: where they lie, what was bought, what left the table, and who plays with too few."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rules.chips import Move
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.games.circle_poker.reading import (
    TIPS,
    Hand,
    PokerCarry,
    seat_in,
    together,
    told_amount,
)
from rules.games.circle_poker.story import Story, net
from rules.spots import Area, Spot, bet_spot


def judge_stacks(
    start: PokerCarry, hand: Hand, story: Story, profile: CirclePokerProfile, docket: Docket
) -> None:
    """Every rule on the chips that players keep."""
    if profile.holds("CP-TABLE-01"):
        _places(hand, docket)
        _other_hands(hand, docket)
        _tips(hand, docket)
    if profile.holds("TX-BUY-01"):
        _bought(start, hand, story, profile, docket)
        _taken(hand, profile, docket)
        _least(hand, profile, docket)


def _places(hand: Hand, docket: Docket) -> None:
    """Bets lie before their seat or in the pot, nowhere else on the felt."""
    stray = next((m for m in hand.moves if m.added and m.spot.area in (Area.TABLE, Area.COMMUNITY)), None)
    if stray is None:
        docket.conform("CP-TABLE-01")
        return
    docket.breach(
        "CP-TABLE-01",
        "CHIPS_MISPLACED",
        Moment.at(stray.t, stray.seq),
        expected="chips with their player, before him as a bet, or in the pot",
        seen=f"chips at {stray.spot}",
        spot=stray.spot,
    )


def _other_hands(hand: Hand, docket: Docket) -> None:
    """Another player bets for one who is away."""
    for cue in hand.told("player_away"):
        seat = seat_in(cue.spot)
        for move in hand.moves:
            whose = None if move.hand is None else move.hand.seat
            mine = move.spot.area is Area.BET and move.spot.seat == seat and move.owner is Owner.PLAYER
            if seat is not None and mine and whose not in (None, seat) and move.t >= cue.t:
                docket.breach(
                    "CP-PROH-01",
                    "CHIPS_TOUCHED_BY_OTHER",
                    Moment.at(move.t, cue.seq, move.seq),
                    expected=f"nobody bets for seat {seat}, whose player is away",
                    seen=f"the hand of seat {whose} did",
                    spot=move.spot,
                )
                return
        docket.conform("CP-PROH-01")


def _tips(hand: Hand, docket: Docket) -> None:
    """What was given as a tip comes into the tips' slot."""
    slotted = hand.slotted(TIPS)
    for cue in hand.told("tip"):
        if not hand.over:
            return
        amount = told_amount(cue)
        got = [value for t, _, value, _ in slotted if t >= cue.t - 2.0]
        fits = any(amount is None or value is None or value == amount for value in got)
        if fits:
            docket.conform("CP-DEALER-01")
        elif hand.gaps.within(TIPS, cue.t, hand.t_end) is None:
            docket.breach(
                "CP-DEALER-01",
                "TIP_MISHANDLED",
                Moment.at(cue.t, cue.seq),
                expected="the tip goes into its slot",
                seen="nothing came there" if not got else f"{got[0]} came there",
                spot=TIPS,
            )


def _bought(start: PokerCarry, hand: Hand, story: Story, profile: CirclePokerProfile, docket: Docket) -> None:
    """First buy-ins of seats not known yet, and what was added to stacks between the hands."""
    buy = profile.buy_in
    for seat in hand.seats:
        spot = bet_spot(seat, "stack")
        if seat not in start.known and start.number:  # who sat there at the start may have played before
            behind = hand.value_at(spot, hand.t_first)
            moved = [
                seat_in(cue.spot) for cue in (*hand.told("came_from_table"), *hand.told("player_returned"))
            ]
            if behind is None or seat in moved:
                continue
            value = behind + (hand.value_at(bet_spot(seat, "bet"), hand.t_first) or 0)
            seqs = (hand.hand(seat)[0].seq, *(m.seq for m in hand.moves if m.spot == spot and m.added))
            _range(
                "TX-BUY-01",
                value,
                buy.minimum,
                buy.maximum,
                spot,
                seqs[:2],
                docket,
                "bought in",
                hand.t_first,
                start.began,  # he may have played and won since the hand before began
            )
    for move in hand.moves:
        if move.spot.bet == "stack" and move.spot.seat in start.known and _is_rebuy(hand, move, story):
            gain = net(move)
            after = hand.value_at(move.spot, move.t)
            seat = move.spot.seat or 0
            spot = bet_spot(seat, "stack")
            if buy.rebuy_minimum is not None and gain < buy.rebuy_minimum:
                _range(
                    "TX-BUY-02",
                    gain,
                    buy.rebuy_minimum,
                    None,
                    spot,
                    (move.seq,),
                    docket,
                    "bought",
                    move.t,
                    start.began,
                )
            elif after is not None:
                _range(
                    "TX-BUY-02",
                    after,
                    None,
                    buy.maximum,
                    spot,
                    (move.seq,),
                    docket,
                    "came to",
                    move.t,
                    start.began,
                )


def _is_rebuy(hand: Hand, move: Move, story: Story) -> bool:
    """Chips that came to a stack from nowhere on the felt."""
    if net(move) <= 0 or not move.gain:
        return False
    if story.t_paid is not None and move.spot.seat in story.paid and move.owner is not Owner.PLAYER:
        return False
    return not any(
        other is not move and net(other) < 0 and together(other.t, move.t)
        for other in hand.moves
        if other.spot.area in (Area.BET, Area.POT)
    )


def _range(
    rule: str,
    value: Fraction,
    low: Fraction | None,
    high: Fraction | None,
    spot: Spot,
    seqs: tuple[int, ...],
    docket: Docket,
    verb: str,
    t: float,
    since: float,
) -> None:
    if (low is None or value >= low) and (high is None or value <= high):
        docket.conform(rule)
        return
    wanted = f"at least {low}" if high is None else f"at most {high}" if low is None else f"{low} to {high}"
    docket.breach(
        rule,
        "BUYIN_OUT_OF_RANGE",
        Moment.at(t, *seqs),
        expected=wanted,
        seen=f"seat {spot.seat} {verb} {value}",
        spot=spot,
        due=low if low is not None and value < low else high,
        amount=value,
        since=since,
    )


def _taken(hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    """Chips that left a stack for none of the places of play."""
    for move in hand.moves:
        if move.spot.bet != "stack" or not move.removed or move.owner is Owner.DEALER:
            continue
        loss = (move.loss or Fraction(0)) - (move.gain or Fraction(0))
        gone_to = [
            other
            for other in hand.moves
            if other is not move
            and other.added
            and together(other.t, move.t)
            and (other.spot.area in (Area.POT, Area.TIPS) or other.spot.seat == move.spot.seat)
        ]
        if loss <= 0 or gone_to:
            continue
        _left(hand, move, loss, profile, docket)


def _left(hand: Hand, move: Move, loss: Fraction, profile: CirclePokerProfile, docket: Docket) -> None:
    near: Callable[[str], bool] = lambda name: any(  # noqa: E731
        abs(cue.t - move.t) < 30.0 and seat_in(cue.spot) in (None, move.spot.seat) for cue in hand.told(name)
    )
    most = profile.consumption
    if near("player_left") or near("tip") or (most is not None and loss <= most):
        docket.conform("TX-STACK-03")
        return
    when = Moment.at(move.t, move.seq)
    told = near("consumption") or near("chips_removed") or {"tip", "consumption"} <= profile.cues
    if told:
        docket.breach(
            "TX-STACK-03",
            "STACK_REDUCED",
            when,
            expected="chips leave the table as tips, or to pay for consumption"
            + ("" if most is None else f" of up to {most}"),
            seen=f"{loss} left",
            spot=move.spot,
            due=most,
            amount=loss,
        )
    else:
        docket.undetermined(
            "TX-STACK-03",
            "STACK_REDUCED",
            when,
            "why the chips left was not told (the cues tip, consumption, chips_removed)",
            spot=move.spot,
            amount=loss,
        )


def _least(hand: Hand, profile: CirclePokerProfile, docket: Docket) -> None:
    if profile.big_blind is None or hand.began_unseen:
        return
    for seat in hand.seats:
        spot = bet_spot(seat, "stack")
        behind, put = hand.value_at(spot, hand.t_first), hand.value_at(bet_spot(seat, "bet"), hand.t_first)
        if behind is None:
            continue
        value = behind + (put or 0)
        if value >= profile.big_blind:
            docket.conform("TX-STACK-04")
            continue
        docket.breach(
            "TX-STACK-04",
            "STACK_BELOW_BB",
            Moment.at(hand.t_first, hand.hand(seat)[0].seq),
            expected=f"at least a big blind of {profile.big_blind}",
            seen=f"seat {seat} was dealt in with {value}",
            spot=spot,
            due=profile.big_blind,
            amount=value,
        )
