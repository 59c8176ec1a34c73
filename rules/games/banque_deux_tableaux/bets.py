"""What may be bet and where: the table's limits, the barred places, the departments of each tableau."""

from __future__ import annotations

from rules.baccarat.coup import Bet, Coup
from rules.docket import Docket, Moment
from rules.games.banque_deux_tableaux.lines import play_of
from rules.games.banque_deux_tableaux.profile import BanqueProfile
from rules.games.banque_deux_tableaux.settling import line_of
from rules.games.banque_deux_tableaux.words import BARRED, PLAYS_ON, Line
from rules.money import readable
from rules.spots import Spot


def judge_bets(coup: Coup, profile: BanqueProfile, docket: Docket) -> None:
    """The bets as they lay at the close; a limit that is not set is left to the session's questions."""
    astray = False
    for spot, bets in coup.bets.items():
        when = Moment.at(coup.t_close, *(bet.standing.seq for bet in bets), before_s=4.0)
        if spot.bet in BARRED:
            astray = True
            where = "the banker" if spot.bet == BARRED[0] else "the dealer"
            docket.breach(
                "BT-BET-03",
                "BET_MISPLACED",
                when,
                expected="no bet right beside the banker or the dealer",
                seen=f"a bet beside {where}",
                spot=spot,
            )
        elif spot.bet in PLAYS_ON:
            _judge_place(spot, profile, when, docket)
            for bet in bets:
                _judge_limits(bet, profile, when, docket)
    if coup.bets and not astray:
        docket.conform("BT-BET-03")


def _judge_place(spot: Spot, profile: BanqueProfile, when: Moment, docket: Docket) -> None:
    """There are so many departments on each tableau, numbered through (BT-TABLE-01)."""
    if profile.departments is None or spot.seat is None:
        return
    if profile.tableau_of(spot.seat) is not None:
        docket.conform("BT-TABLE-01")
        return
    docket.breach(
        "BT-TABLE-01",
        "CONFIG_INVALID",
        when,
        expected=f"departments 1 to {2 * profile.departments}, {profile.departments} on each tableau",
        seen=f"a bet at {spot}",
        spot=spot,
    )


def _judge_limits(bet: Bet, profile: BanqueProfile, when: Moment, docket: Docket) -> None:
    """The table's minimum and maximum (BT-LIM-01)."""
    value, limits = bet.standing.value, profile.limits
    if value is None:
        return  # said once for the bet, with its settlement
    least = value
    line = line_of(bet, profile)
    if limits.line_by_part and line is not None and bet.spot.bet is not None:
        play = play_of(value, bet.spot.bet, Line.HALF if line is Line.HALF else None)
        least = value if play is None else play.first + play.second
    checks = (
        (limits.minimum, "BET_BELOW_MIN", "at least", limits.minimum is not None and least >= limits.minimum),
        (limits.maximum, "BET_ABOVE_MAX", "at most", limits.maximum is not None and value <= limits.maximum),
    )
    for limit, code, word, kept in checks:
        if limit is None:
            continue
        if kept:
            docket.conform("BT-LIM-01")
            continue
        docket.breach(
            "BT-LIM-01",
            code,
            when,
            expected=f"{word} {readable(limit)}",
            seen=f"a bet of {readable(value)}",
            spot=bet.spot,
            subject=bet.name,
            amount=value,
        )
