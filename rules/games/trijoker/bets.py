"""The bets as they lay at the close: three equal ones, within the limits, at places that there are."""

from __future__ import annotations

from fractions import Fraction

from rules.baccarat.coup import Bet, Coup
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.games.trijoker.profile import TrijokerProfile
from rules.games.trijoker.words import BETS, is_bet
from rules.money import amount_text, readable
from rules.spots import Spot, bet_spot

_STANDING = "TJ-BOX-02"


def judge_bets(coup: Coup, profile: TrijokerProfile, docket: Docket) -> None:
    """The bets of one hand; a limit that is not set is left to the session's questions."""
    if coup.number == 1:
        _judge_settings(coup, profile, docket)
    for spot, bets in coup.bets.items():
        when = _when(coup, bets)
        if spot.box is not None:
            docket.breach(
                _STANDING,
                "BET_NOT_ADMITTED",
                when,
                expected="no bets of players who stand",
                seen=f"a bet at {spot}",
                spot=spot,
            )
            continue
        _judge_place(spot, profile, when, docket)
        if is_bet(spot):
            for bet in bets:
                _judge_limits(bet, len(bets) == 1, profile, when, docket)
    seats = {spot.seat for spot, bets in coup.bets.items() if is_bet(spot) and bets and spot.seat is not None}
    for seat in profile.in_turn(seats):
        _judge_equal(coup, seat, docket)


def _when(coup: Coup, bets: list[Bet]) -> Moment:
    return Moment.at(coup.t_close, *(bet.standing.seq for bet in bets), before_s=4.0)


def _judge_place(spot: Spot, profile: TrijokerProfile, when: Moment, docket: Docket) -> None:
    """There are so many places, of three boxes each (TJ-TABLE-01)."""
    if spot.bet in BETS and spot.seat is not None and spot.seat <= profile.places:
        docket.conform("TJ-TABLE-01")
        return
    docket.breach(
        "TJ-TABLE-01",
        "CONFIG_INVALID",
        when,
        expected=f"places 1 to {profile.places}, each with {', '.join(BETS)}",
        seen=f"a bet at {spot}",
        spot=spot,
    )


def _judge_limits(bet: Bet, alone: bool, profile: TrijokerProfile, when: Moment, docket: Docket) -> None:
    """The table's minimum and maximum, for each box (TJ-LIM-01)."""
    value, limits = bet.standing.value, profile.limits
    if value is None or not alone:
        return  # unread: said once for the bet, with its settlement
    checks = (
        (limits.minimum, "BET_BELOW_MIN", "at least", limits.minimum is not None and value >= limits.minimum),
        (limits.maximum, "BET_ABOVE_MAX", "at most", limits.maximum is not None and value <= limits.maximum),
    )
    for limit, code, word, kept in checks:
        if limit is None:
            continue
        if kept:
            docket.conform("TJ-LIM-01")
            continue
        docket.breach(
            "TJ-LIM-01",
            code,
            when,
            expected=f"{word} {readable(limit)} in each box",
            seen=f"a bet of {readable(value)}",
            spot=bet.spot,
            amount=value,
        )


def _judge_equal(coup: Coup, seat: int, docket: Docket) -> None:
    """A player's three bets are equal (TJ-BET-01)."""
    spots = [bet_spot(seat, bet) for bet in BETS]
    values = [_value(coup.bets.get(spot, [])) for spot in spots]
    known = [value for value in values if value is not None]
    all_bets = [bet for spot in spots for bet in coup.bets.get(spot, [])]
    when = _when(coup, all_bets)
    told = ", ".join(readable(value) for value in values)
    expected, seen = "three bets of the same amount", f"bets of {told}"
    if len(set(known)) <= 1:
        if len(known) == len(values):
            docket.conform("TJ-BET-01")
            return
        why = next(
            bet.standing.stack.unread or "its chips were not read"
            for bet in all_bets
            if bet.standing.value is None
        )
        why = f"one of the bets is not known: {why}"
        docket.undetermined(
            "TJ-BET-01", "BETS_UNEQUAL", when, why, expected=expected, seen=seen, spot=spots[0]
        )
        return
    odd = _odd(values)
    hidden = coup.gaps.at(spots[odd], coup.t_close)
    if not coup.bets.get(spots[odd]) and hidden is not None:
        why = f"{spots[odd]} could not be seen from {clock(hidden.t_from)} on ({hidden.reason})"
        docket.undetermined(
            "TJ-BET-01", "BETS_UNEQUAL", when, why, expected=expected, seen=seen, spot=spots[odd]
        )
        return
    docket.breach("TJ-BET-01", "BETS_UNEQUAL", when, expected=expected, seen=seen, spot=spots[odd])


def _value(bets: list[Bet]) -> Fraction | None:
    """What lies in a box, None if it is not known."""
    values = [bet.standing.value for bet in bets]
    known = [value for value in values if value is not None]
    return sum(known, Fraction(0)) if len(known) == len(values) else None


def _odd(values: list[Fraction | None]) -> int:
    """The place of the bet that differs from the two others; where all differ, of the second that does."""
    known = [value for value in values if value is not None]
    usual = max(known, key=lambda value: (known.count(value), value > 0, -known.index(value)))
    return next(place for place, value in enumerate(values) if value is not None and value != usual)


def _judge_settings(coup: Coup, profile: TrijokerProfile, docket: Docket) -> None:
    """The limits themselves, once a session: the maximum (TJ-LIM-02), and the band (TJ-LIM-03)."""
    limits, when = profile.limits, Moment.at(coup.t_close)
    low, high = limits.minimum, limits.maximum
    if low is not None and high is not None and limits.multiples:
        allowed = [low * multiple for multiple in limits.multiples]
        expected = f"a maximum of {' or '.join(amount_text(amount) or '' for amount in allowed)}"
        _settle_setting(docket, high in allowed, "TJ-LIM-02", when, expected, f"{readable(high)}")
    if limits.low is not None and low is not None:
        expected = f"a minimum of {readable(limits.low)} or more"
        _settle_setting(docket, low >= limits.low, "TJ-LIM-03", when, expected, f"{readable(low)}")
    if limits.high is not None and high is not None:
        expected = f"a maximum of {readable(limits.high)} or less"
        _settle_setting(docket, high <= limits.high, "TJ-LIM-03", when, expected, f"{readable(high)}")


def _settle_setting(docket: Docket, kept: bool, rule: str, when: Moment, expected: str, seen: str) -> None:
    if kept:
        docket.conform(rule)
    else:
        docket.breach(rule, "CONFIG_INVALID", when, expected=expected, seen=f"{seen} is set for this table")
