"""The bank in a player's hands: its stake, the house's commission by pass, what may be taken out of it, and
the suite (art. 3 to 14 and 18)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from rules.docket import Moment
from rules.games.punto_banco.uruguay_carry import Given, Run, is_told, stake_at, withdrawn
from rules.games.punto_banco.uruguay_pass import Pass, cue_at, seat_of, worth
from rules.money import readable
from rules.spots import Spot, bet_spot


@dataclass(frozen=True, slots=True)
class Commission:
    """What the house keeps of the shoe's win in this pass: the part, and the row that says so. ``part``: None
    where it is not known."""

    part: Fraction | None
    rule: str


def commission_of(play: Pass) -> Commission:
    """By how the bank began, which pass it is, and whether the banker took chips out or gave it up.

    The zone decides (TR-URU-5): this is for the shoe's stake only; box bets always pay the tenth.
    """
    run, own = play.run, play.own
    free = Fraction(0)
    if run is None or run.won is None:
        return Commission(None, "PB-URU-COM-03")
    number = run.won + 1
    ended = bool(_given_up(play))
    if run.origin != "turn":
        rule = "PB-URU-COM-07"
        due = own.quita if number % 2 == 1 else free
    else:
        half = None if play.profile.limits.maximum is None else play.profile.limits.maximum / 2
        if half is None or run.start is None:
            taken = number == 1 and (ended or withdrawn(play.coup, run.seat) > 0)
            return Commission(own.quita if taken else None, "PB-URU-COM-06" if taken else "PB-URU-COM-03")
        high = run.start > half
        rule = "PB-URU-COM-03" if high else "PB-URU-COM-04"
        due = own.quita if (number % 2 == 1) == high else free
        if number == 1 and due == free and (ended or _took_half(play, run)):
            return Commission(own.quita, "PB-URU-COM-06")
    if ended and due == free and number > 1:
        return Commission(own.suite_quita, "PB-URU-COM-05")
    return Commission(due, rule)


def _given_up(play: Pass) -> list[float]:
    """When the bank was given up after this pass was decided."""
    return [cue.t for cue in is_told(play.coup.cues, "suite") if cue.t > play.coup.t_result]


def _excess(play: Pass, run: Run) -> Fraction | None:
    """What the bank, with its win, has beyond the maximum; None if not known."""
    stake, most = stake_at(play.coup, run.seat, play.coup.t_close), play.profile.limits.maximum
    if stake is None or most is None:
        return None
    return max(Fraction(0), 2 * stake - most)


def _took_half(play: Pass, run: Run) -> bool:
    """Whether the banker took out more than the excess."""
    excess = _excess(play, run)
    return excess is not None and withdrawn(play.coup, run.seat) > excess


def judge_withdrawal(play: Pass, banca_won: bool) -> None:
    """Besides the excess, half of the bank: after the first pass, or once if it began above half the maximum;
    never after a suite or an auction."""
    run = play.run
    if run is None or run.won is None or not banca_won or not play.judged:
        return
    out = withdrawn(play.coup, run.seat)
    excess, stake = _excess(play, run), stake_at(play.coup, run.seat, play.coup.t_close)
    if not out or excess is None or stake is None:
        return
    most = play.profile.limits.maximum or Fraction(0)
    high = run.start is not None and run.start > most / 2
    first = run.won == 0
    half = run.origin == "turn" and not run.withdrew and (first or high)
    allowed = excess + (2 * stake - excess) / 2 if half else excess
    rule = "PB-URU-COM-06" if run.origin == "turn" and first and not high else "PB-URU-BANK-03"
    if out <= allowed:
        play.docket.conform(rule)
        return
    moves = [m for m in play.coup.moves if m.spot == bet_spot(run.seat, "sabot") and m.t > play.coup.t_result]
    play.docket.breach(
        rule,
        "BANK_OVERWITHDRAWN",
        Moment.at(moves[-1].t, *(move.seq for move in moves)),
        expected=f"at most {readable(allowed)} taken out of the bank",
        seen=f"{readable(out)} taken out",
        spot=bet_spot(run.seat, "sabot"),
        amount=out,
    )


def judge_bank(play: Pass) -> None:
    """The shoe's stake at the close."""
    if play.coup.began_unseen:
        return
    _judge_suite(play)
    _judge_partner(play)
    _judge_excess(play)


def _judge_suite(play: Pass) -> None:
    """Taken for the whole stake in play, and raised at most to the maximum."""
    given, seat = play.start.given, play.seat
    if given is None or not seat or is_told(play.coup.cues_before, "remate"):
        return
    spot = bet_spot(seat, "sabot")
    taken = worth(play.coup.bets.get(spot, []))
    if taken is None or given.amount is None:
        return
    most = play.profile.limits.maximum
    when = replace(play.at_close(spot), t_from=given.t)
    if taken < given.amount:
        _breach_suite(play, given, spot, taken, when)
    elif most is not None and taken > max(most, given.amount):
        play.docket.breach(
            "PB-URU-SUITE-04",
            "BET_ABOVE_MAX",
            when,
            expected=f"the suite raised to {readable(most)} at most",
            seen=f"{readable(taken)} on the shoe",
            spot=spot,
            amount=taken,
        )
    else:
        play.docket.conform("PB-URU-SUITE-01")
        play.docket.conform("PB-URU-SUITE-04")


def _breach_suite(play: Pass, given: Given, spot: Spot, taken: Fraction, when: Moment) -> None:
    play.docket.breach(
        "PB-URU-SUITE-01",
        "SUITE_AMOUNT_WRONG",
        when,
        expected=f"the suite taken for {readable(given.amount)}, the stake in play",
        seen=f"{readable(taken)} on the shoe",
        spot=spot,
        due=given.amount,
        amount=taken,
    )


def partners(play: Pass) -> frozenset[int]:
    """The seats that share the bank: its holder, and whom a cue names his partner."""
    seats = {seat for cue in play.told_before("partner") if (seat := seat_of(cue)) is not None}
    return frozenset(seats | ({play.seat} if play.seat else set()))


def _judge_partner(play: Pass) -> None:
    """A partner has half of the bank: two equal stacks on the shoe's place."""
    if not play.seat or not play.told_before("partner"):
        return
    spot = bet_spot(play.seat, "sabot")
    values = [bet.standing.value for bet in play.coup.bets.get(spot, [])]
    if len(values) != 2 or None in values:
        return
    if values[0] == values[1]:
        play.docket.conform("PB-URU-BANK-01")
        return
    play.docket.breach(
        "PB-URU-BANK-01",
        "PARTNER_SHARE_UNEQUAL",
        play.at_close(spot),
        expected="both partners' shares of the bank equal",
        seen=" and ".join(readable(value) for value in values),
        spot=spot,
    )


def _judge_excess(play: Pass) -> None:
    """What the shoe won beyond the maximum plays in the partners' boxes only."""
    for cue in play.told_before("excess_played"):
        if cue.spot is None or not play.seat:
            continue
        spot = Spot.parse(cue.spot)
        value, most = worth(play.coup.bets.get(spot, [])), play.profile.limits.maximum
        own = spot.seat in partners(play)
        if own and (value is None or most is None or value <= most):
            play.docket.conform("PB-URU-BANK-02")
            continue
        play.docket.breach(
            "PB-URU-BANK-02",
            "BET_ABOVE_MAX",
            cue_at(cue),
            expected="the shoe's excess in the boxes of those who share the bank, up to the maximum",
            seen=f"it was put on {spot}" + ("" if value is None else f", where {readable(value)} lies"),
            spot=spot,
            amount=value,
        )
