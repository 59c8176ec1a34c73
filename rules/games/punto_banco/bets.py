"""Bets: none added, changed or taken back after the close, and all within the limits (PB-AND-BET,
PB-AND-LIM)."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from rules.chips import Move, Part, total
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.punto_banco.coup import CLOSE_TOLERANCE_S, Bet, Coup
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.money import amount_text
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


def judge_bets(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> dict[Spot, Tampering]:
    """PB-AND-BET-01 up to the result, and the limits. Returns what was changed after the close, by spot."""
    tampered: dict[Spot, Tampering] = {}
    if coup.began_unseen:
        return tampered
    for move in coup.moves:
        if is_settlement(coup, move) or move.spot.area is not Area.BET:
            continue
        mine = tampered.setdefault(move.spot, Tampering())
        _judge_move(coup, move, mine, docket)
    for spot in coup.bets:
        if spot not in tampered and (coup.over or len(coup.cards) >= 4):
            docket.conform("PB-AND-BET-01")
    _judge_limits(coup, profile, docket)
    return tampered


def _judge_move(coup: Coup, move: Move, mine: Tampering, docket: Docket) -> None:
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
        what = "chips" if amount is None else f"chips worth {amount_text(amount)}"
        seen = f"{what} {did} at {move.t:.1f} s by {_whose(move)}"
        told = f"the bets were closed at {coup.t_close:.1f} s"
        when = Moment.at(move.t, move.seq, *(bet.standing.seq for bet in coup.bets.get(move.spot, ())))
        if before_close:
            why = f"{move.spot} could not be seen from {move.t_from:.1f} s on, before the close"
            docket.undetermined(
                "PB-AND-BET-01", code, when, why, expected=told, seen=seen, spot=move.spot, amount=amount
            )
        else:
            docket.breach(
                "PB-AND-BET-01",
                code,
                when,
                expected=f"no change of bets: {told}",
                seen=seen,
                spot=move.spot,
                subject=parts[0].stack,
                amount=amount,
            )


def _whose(move: Move) -> str:
    if move.hand is None or move.owner is Owner.UNKNOWN:
        return "a hand that was not seen"
    if move.owner is Owner.DEALER:
        return "the dealer"
    return "a player" if move.hand.seat is None else f"the player at seat {move.hand.seat}"


whose = _whose
"""Whose hand made a move, in words."""


def _judge_limits(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
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
