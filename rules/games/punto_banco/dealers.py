"""What the dealers do with chips besides settling: each keeps to his side, and tips go into the slot."""

from __future__ import annotations

from rules.baccarat.closing import is_settlement
from rules.baccarat.coup import Coup
from rules.docket import Docket, Moment
from rules.events import ChipMove, ChipState, Cue, HandContact, Owner
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.spots import Area, Spot

_SLOT = Spot(Area.TIPS)


def judge_dealers(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """Dealers' sides and tips in one coup."""
    _judge_sides(coup, profile, docket)
    _judge_tips(coup, profile, docket)


def _judge_sides(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """Each dealer takes and pays the bets of his own side (``Hand.side``)."""
    rule, sides = profile.articles.dealer_side, profile.dealer_sides
    if rule is None or sides is None:
        return
    for move in coup.moves:
        hand = move.hand
        if hand is None or hand.owner is not Owner.DEALER or hand.side is None or move.spot.seat is None:
            continue
        if not is_settlement(coup, move) or not any(move.spot.seat in seats for seats in sides.values()):
            continue
        if move.spot.seat in sides[hand.side]:
            docket.conform(rule)
            continue
        docket.breach(
            rule,
            "WRONG_DEALER_SIDE",
            Moment.at(move.t, move.seq),
            expected="each bet settled by the dealer of its own side",
            seen=f"the dealer on the {hand.side} had chips of seat {move.spot.seat}",
            spot=move.spot,
        )


def _judge_tips(coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """After a ``tip`` cue, chips go into the slot before the next coup (a hand at the slot is enough)."""
    rule = profile.articles.tips
    if rule is None:
        return
    tips = [event for event in coup.events if isinstance(event, Cue) and event.cue == "tip"]
    for number, cue in enumerate(tips, start=1):
        until = tips[number].t if number < len(tips) else coup.t_end
        later = [event for event in coup.events if cue.t <= event.t <= until]
        if any(_into_slot(event) for event in later):
            docket.conform(rule)
            continue
        astray = [event for event in later if isinstance(event, ChipMove) and _off(event)]
        gap = coup.gaps.within(_SLOT, cue.t, until)
        when = Moment.at(astray[0].t if astray else until, cue.seq, *(event.seq for event in astray[:1]))
        expected = "the tip in the slot made for tips"
        seen = f"it went to {astray[0].to_spot}" if astray else "nothing went into the slot"
        if astray or (coup.over and gap is None and until > cue.t and not coup.cut_off):
            docket.breach(
                rule, "TIP_MISHANDLED", when, expected=expected, seen=seen, spot=_SLOT, subject=str(number)
            )
        elif coup.over:
            why = "the slot could not be seen" if gap is not None else "the recording ended"
            docket.undetermined(
                rule, "TIP_MISHANDLED", when, why, expected=expected, spot=_SLOT, subject=str(number)
            )


def _into_slot(event: object) -> bool:
    if isinstance(event, ChipMove):
        return event.to_spot == str(_SLOT)
    if isinstance(event, HandContact):
        return event.spot == str(_SLOT) and event.hand.owner is Owner.DEALER
    return isinstance(event, ChipState) and event.spot == str(_SLOT) and bool(event.stacks)


def _off(move: ChipMove) -> bool:
    """Whether the dealer put chips that he was given somewhere else."""
    dealer = move.hand is not None and move.hand.owner is Owner.DEALER
    return dealer and move.to_spot in ("float", "off table", "table")
