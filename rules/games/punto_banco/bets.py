"""What may be bet, where, and by whom: the table's limits, the seats in play, players who stand."""

from __future__ import annotations

from fractions import Fraction

from rules.baccarat.coup import Bet, Coup
from rules.docket import Docket, Moment
from rules.events import Cue
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.money import readable
from rules.spots import Spot

STANDING = "standing_bet"
"""The cue that says that a box's chips are those of a player who stands (``spot``: the box)."""


def standing_bets(coup: Coup) -> frozenset[Spot]:
    """Boxes of which a cue says that a standing player's chips lie there."""
    return frozenset(
        Spot.parse(event.spot)
        for event in (*coup.before, *coup.events)
        if isinstance(event, Cue) and event.cue == STANDING and event.spot is not None
    )


def judge_limits(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """The table's limits for each box; a rule whose limit is not configured is left to the session's
    questions."""
    for spot, bets in coup.bets.items():
        when = Moment.at(coup.t_close, *(bet.standing.seq for bet in bets), before_s=4.0)
        _judge_number(spot, bets, profile, when, docket)
        _judge_most(spot, bets, profile, when, docket)
        _judge_least(spot, bets, profile, when, docket)
    _judge_seats(coup, profile, docket)
    _judge_admitted(coup, profile, docket)


def _judge_number(
    spot: Spot, bets: list[Bet], profile: PuntoBancoProfile, when: Moment, docket: Docket
) -> None:
    rule, most = profile.articles.bets_in_box, profile.limits.bets_per_box
    if rule is None or most is None:
        return
    if len(bets) <= most:
        docket.conform(rule)
        return
    docket.breach(
        rule,
        "TOO_MANY_BETS_IN_BOX",
        when,
        expected=f"at most {most} bets in the box",
        seen=f"{len(bets)} stacks",
        spot=spot,
    )


def _judge_most(
    spot: Spot, bets: list[Bet], profile: PuntoBancoProfile, when: Moment, docket: Docket
) -> None:
    """A tie bet's limit holds for all that lies in one box (D-AND-2), and so does a place's maximum."""
    articles, limits = profile.articles, profile.limits
    if spot.bet == "empate":
        rule, code, limit = articles.tie_maximum, "TIE_BET_OVER_LIMIT", limits.tie_maximum
    else:
        several = articles.bets_in_box is not None and len(bets) > 1
        rule = articles.bets_in_box if several else articles.maximum
        code, limit = "BET_ABOVE_MAX", limits.maximum
    values = [bet.standing.value for bet in bets]
    known = [value for value in values if value is not None]
    if rule is None or limit is None or len(known) < len(values):
        return
    in_box = sum(known, Fraction(0))
    if in_box <= limit:
        docket.conform(rule)
        return
    docket.breach(
        rule,
        code,
        when,
        expected=f"at most {readable(limit)}",
        seen=f"{readable(in_box)} in the box",
        spot=spot,
        amount=in_box,
    )


def _judge_least(
    spot: Spot, bets: list[Bet], profile: PuntoBancoProfile, when: Moment, docket: Docket
) -> None:
    articles, least = profile.articles, profile.limits.minimum
    if least is None or articles.minimum is None:
        return
    for bet in bets:
        value = bet.standing.value
        if value is None:
            continue  # said once for the bet, with its settlement
        checks = [(articles.minimum, "BET_BELOW_MIN", value < least, "at least")]
        if profile.limits.multiples_of_minimum and articles.multiples is not None:
            checks.append((articles.multiples, "BET_NOT_MULTIPLE", value % least != 0, "a multiple of"))
        for rule, code, wrong, due in checks:
            if not wrong:
                docket.conform(rule)
                continue
            docket.breach(
                rule,
                code,
                when,
                expected=f"{due} {readable(least)}",
                seen=f"a bet of {readable(value)}",
                spot=spot,
                subject=bet.name,
                amount=value,
            )


def _judge_seats(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    seats = {spot.seat for spot in coup.bets}
    rule = profile.articles.seats
    if rule is None or profile.seats is None or not seats:
        return
    if len(seats) <= profile.seats:
        docket.conform(rule)
        return
    docket.breach(
        rule,
        "TOO_MANY_PLAYERS",
        Moment.at(coup.t_close),
        expected=f"at most {profile.seats} seats in play",
        seen=f"bets at {len(seats)} seats",
    )


def _judge_admitted(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """A bet of a player who stands: only where the house admits it."""
    rule = profile.articles.admitted
    if rule is None or profile.standing_players is None:
        return
    for spot in sorted(standing_bets(coup) & coup.bets.keys()):
        if profile.standing_players:
            docket.conform(rule)
            continue
        docket.breach(
            rule,
            "BET_NOT_ADMITTED",
            Moment.at(coup.t_close, *(bet.standing.seq for bet in coup.bets[spot])),
            expected="bets of seated players only: the house does not admit standing ones",
            seen="a bet of a standing player",
            spot=spot,
        )
