"""The table's limits (PB-AND-LIM, PB-AND-BOX, PB-AND-TABLE)."""

from __future__ import annotations

from fractions import Fraction

from rules.baccarat.coup import Bet, Coup
from rules.docket import Docket, Moment
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.money import amount_text
from rules.spots import Spot


def judge_limits(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """The table's limits for each box; a rule whose limit is not configured is left to the session's
    questions."""
    limits = profile.limits
    for spot, bets in coup.bets.items():
        when = Moment.at(coup.t_close, *(bet.standing.seq for bet in bets), before_s=4.0)
        if limits.bets_per_box is not None:
            if len(bets) > limits.bets_per_box:
                docket.breach(
                    "PB-AND-BOX-01",
                    "TOO_MANY_BETS_IN_BOX",
                    when,
                    expected=f"at most {limits.bets_per_box} bets in the box",
                    seen=f"{len(bets)} stacks",
                    spot=spot,
                )
            else:
                docket.conform("PB-AND-BOX-01")
        _judge_amount(spot, bets, profile, when, docket)
    _judge_seats(coup, profile, docket)


def _judge_amount(
    spot: Spot, bets: list[Bet], profile: PuntoBancoProfile, when: Moment, docket: Docket
) -> None:
    limits = profile.limits
    values = [bet.standing.value for bet in bets]
    known = [value for value in values if value is not None]
    in_box = sum(known, Fraction(0)) if len(known) == len(values) else None
    if spot.bet == "empate":
        _at_most("PB-AND-LIM-01", "TIE_BET_OVER_LIMIT", spot, in_box, limits.tie_maximum, when, docket)
    else:
        _at_most("PB-AND-LIM-03", "BET_ABOVE_MAX", spot, in_box, limits.maximum, when, docket)
    if limits.minimum is None:
        return
    for bet, value in zip(bets, values, strict=True):
        if value is None:
            continue  # said once for the bet, with its settlement
        text = amount_text(value)
        if value < limits.minimum:
            docket.breach(
                "PB-AND-LIM-02",
                "BET_BELOW_MIN",
                when,
                expected=f"at least {amount_text(limits.minimum)}",
                seen=f"a bet of {text}",
                spot=spot,
                subject=bet.name,
                amount=value,
            )
        else:
            docket.conform("PB-AND-LIM-02")
        if limits.multiples_of_minimum and value % limits.minimum:
            docket.breach(
                "PB-AND-LIM-04",
                "BET_NOT_MULTIPLE",
                when,
                expected=f"a multiple of {amount_text(limits.minimum)}",
                seen=f"a bet of {text}",
                spot=spot,
                subject=bet.name,
                amount=value,
            )
        elif limits.multiples_of_minimum:
            docket.conform("PB-AND-LIM-04")


def _at_most(
    rule: str,
    code: str,
    spot: Spot,
    amount: Fraction | None,
    limit: Fraction | None,
    when: Moment,
    docket: Docket,
) -> None:
    if limit is None or amount is None:
        return
    if amount <= limit:
        docket.conform(rule)
        return
    docket.breach(
        rule,
        code,
        when,
        expected=f"at most {amount_text(limit)}",
        seen=f"{amount_text(amount)} in the box",
        spot=spot,
        amount=amount,
    )


def _judge_seats(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    seats = {spot.seat for spot in coup.bets}
    if profile.seats is None or not seats:
        return
    if len(seats) <= profile.seats:
        docket.conform("PB-AND-TABLE-01")
        return
    docket.breach(
        "PB-AND-TABLE-01",
        "TOO_MANY_PLAYERS",
        Moment.at(coup.t_close),
        expected=f"at most {profile.seats} seats in play",
        seen=f"bets at {len(seats)} seats",
    )
