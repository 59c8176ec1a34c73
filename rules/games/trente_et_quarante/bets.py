"""What may be bet and where, and what is called out."""

from __future__ import annotations

from rules.baccarat.coup import Bet, Coup
from rules.docket import Docket, Moment
from rules.events import Cue
from rules.games.trente_et_quarante.profile import TrenteProfile
from rules.games.trente_et_quarante.reading import TrenteCarry, prisoner_of
from rules.games.trente_et_quarante.words import BETS
from rules.money import readable


def judge_bets(start: TrenteCarry, coup: Coup, profile: TrenteProfile, docket: Docket) -> None:
    """The bets as they lay at the close."""
    _judge_areas(coup, profile, docket)
    if profile.minimum is None or profile.maximum is None:
        return
    for bet in (bet for bets in coup.bets.values() for bet in bets if bet.spot.bet in BETS):
        if bet.standing.value is not None and prisoner_of(bet, start.prison) is None:
            low, high = bet.standing.value < profile.minimum, bet.standing.value > profile.maximum
            if low or high:
                limit = f"at least {readable(profile.minimum)}"
                _beyond(
                    coup,
                    bet,
                    "BET_BELOW_MIN" if low else "BET_ABOVE_MAX",
                    limit if low else f"at most {readable(profile.maximum)}",
                    docket,
                )
            else:
                docket.conform("TQ-LIM-01")


def _beyond(coup: Coup, bet: Bet, code: str, expected: str, docket: Docket) -> None:
    docket.breach(
        "TQ-LIM-01",
        code,
        Moment.at(coup.t_close, bet.standing.seq, before_s=4.0),
        expected=expected,
        seen=f"a bet of {readable(bet.standing.value)}",
        spot=bet.spot,
        subject=bet.name,
        amount=bet.standing.value,
    )


def _judge_areas(coup: Coup, profile: TrenteProfile, docket: Docket) -> None:
    """The felt has the four places, and no bet lies in another (TQ-TABLE-01)."""
    if profile.areas is None:
        return
    lacking = [bet for bet in BETS if bet not in profile.areas]
    strange = [spot for spot in coup.bets if spot.bet not in BETS]
    if coup.number == 1 and lacking:
        seen, spot = f"no place for {', '.join(lacking)}", None
    elif strange:
        seen, spot = f"a bet on {strange[0]}", strange[0]
    else:
        docket.conform("TQ-TABLE-01")
        return
    docket.breach(
        "TQ-TABLE-01",
        "CONFIG_INVALID",
        Moment.at(coup.t_close),
        expected=f"places for {', '.join(BETS)}",
        seen=seen,
        spot=spot,
    )


def judge_calls(coup: Coup, profile: TrenteProfile, docket: Docket) -> None:
    """What the rows count and which chances win is called out (TQ-CALL-01)."""
    if not coup.over or coup.cut_off:
        return
    told = [event for event in coup.events if isinstance(event, Cue)]
    needs = (("row_announced", 2, "what both rows count"), ("chances_announced", 1, "which chances win"))
    for cue, times, words in needs:
        if cue not in profile.cues:
            continue
        if sum(event.cue == cue for event in told) >= times:
            docket.conform("TQ-CALL-01")
            continue
        docket.breach(
            "TQ-CALL-01",
            "ANNOUNCEMENT_MISSING",
            Moment.at(coup.t_result),
            expected=f"the croupier calls out {words}",
            seen="it was not called out",
            subject=cue,
        )
