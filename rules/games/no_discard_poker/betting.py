"""What may be bet, where, and until when."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import inf

from rules.baccarat.closing import Tampering, judge_move
from rules.baccarat.coup import Bet
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Owner
from rules.games.no_discard_poker.hands import Hands
from rules.games.no_discard_poker.profile import PokerProfile
from rules.games.no_discard_poker.reading import Round
from rules.games.no_discard_poker.words import ANTE, BETS, INSURANCE, PROGRESSIVE, SEATS, box
from rules.money import readable
from rules.spots import Area, Spot

_LAYING_S = 60.0
"""So long before the deal bets are laid."""
_BEFORE_DEAL = (ANTE, INSURANCE, PROGRESSIVE)


def value_of(bets: list[Bet]) -> Fraction | None:
    """What the stacks of a box are worth, None if that is not known."""
    values = [bet.standing.value for bet in bets]
    known = [value for value in values if value is not None]
    return sum(known, Fraction(0)) if len(known) == len(values) else None


def _when(coup: Round, bets: list[Bet]) -> Moment:
    return Moment.at(coup.t_close, *(bet.standing.seq for bet in bets), before_s=4.0)


def judge_bets(coup: Round, profile: PokerProfile, docket: Docket) -> None:
    """The bets as they lay at the close, and the second bets; what is not set is left to the questions."""
    _judge_band(coup, profile, docket)
    for spot, bets in sorted(coup.bets.items()):
        if not bets or spot.seat is None:
            continue
        _judge_place(spot, bets, coup, profile, docket)
        match spot.bet:
            case "ante":
                _judge_ante(spot, bets, coup, profile, docket)
            case "insurance":
                _judge_half(spot, bets, coup, profile, "NP-INS-01", docket)
            case "progressive":
                _judge_half(spot, bets, coup, profile, "NP-PROG-02", docket)
                _judge_needs_ante(spot, bets, coup, docket)
            case _:
                pass
    for spot, bets in sorted(coup.seconds.items()):
        _judge_second(spot, bets, coup, profile, docket)


def _judge_band(coup: Round, profile: PokerProfile, docket: Docket) -> None:
    """10, 20 or 25 times the minimum (NP-LIM-02): a setting, judged with the first round."""
    if profile.in_band is None or coup.number > 1:
        return
    if profile.in_band:
        docket.conform("NP-LIM-02")
        return
    docket.breach(
        "NP-LIM-02",
        "CONFIG_INVALID",
        Moment.at(coup.t_close),
        expected="a maximum of 10, 20 or 25 times the minimum",
        seen=f"from {readable(profile.minimum)} to {readable(profile.maximum)}",
    )


def _judge_place(spot: Spot, bets: list[Bet], coup: Round, profile: PokerProfile, docket: Docket) -> None:
    """So many boxes, with these spaces (NP-BOX-01, NP-TABLE-01)."""
    boxes = profile.boxes or SEATS
    if spot.bet == ANTE and spot.seat is not None:
        if spot.seat > boxes:
            docket.breach(
                "NP-BOX-01",
                "TOO_MANY_PLAYERS",
                _when(coup, bets),
                expected=f"players at boxes 1 to {boxes}",
                seen=f"an ante at {spot}",
                spot=spot,
            )
        elif profile.boxes is not None:
            docket.conform("NP-BOX-01")
    if profile.spaces is None or spot.bet not in BETS:
        return
    if spot.bet in profile.spaces:
        docket.conform("NP-TABLE-01")
        return
    docket.breach(
        "NP-TABLE-01",
        "CONFIG_INVALID",
        _when(coup, bets),
        expected=f"a felt with spaces for {', '.join(sorted(profile.spaces))}",
        seen=f"a bet at {spot}",
        spot=spot,
    )


def _judge_ante(spot: Spot, bets: list[Bet], coup: Round, profile: PokerProfile, docket: Docket) -> None:
    """Limits (NP-LIM-01) and bets in one box (NP-BOX-02)."""
    for bet in bets:
        value = bet.standing.value
        if value is None:
            continue  # said once for the bet, with its settlement
        low, high = profile.minimum, profile.maximum
        wrong = None
        if low is not None and value < low:
            wrong = "BET_BELOW_MIN", f"at least {readable(low)}"
        elif high is not None and value > high:
            wrong = "BET_ABOVE_MAX", f"at most {readable(high)}"
        if wrong is None:
            if low is not None and high is not None:
                docket.conform("NP-LIM-01")
            continue
        docket.breach(
            "NP-LIM-01",
            wrong[0],
            _when(coup, [bet]),
            expected=wrong[1],
            seen=f"an ante of {readable(value)}",
            spot=spot,
            subject=bet.name,
            amount=value,
        )
    most = 3 if profile.bets_per_box is None else profile.bets_per_box
    if len(bets) > most:
        docket.breach(
            "NP-BOX-02",
            "TOO_MANY_BETS_IN_BOX",
            _when(coup, bets),
            expected=f"{most} in a box at most",
            seen=f"{len(bets)} antes at {spot}",
            spot=spot,
        )
    elif profile.bets_per_box is not None:
        docket.conform("NP-BOX-02")


def _judge_half(
    spot: Spot, bets: list[Bet], coup: Round, profile: PokerProfile, rule: str, docket: Docket
) -> None:
    """At most half of the table's minimum."""
    value = value_of(bets)
    if profile.minimum is None or value is None:
        return
    if value <= profile.minimum / 2:
        docket.conform(rule)
        return
    docket.breach(
        rule,
        "INSURANCE_OVER_LIMIT",
        _when(coup, bets),
        expected=f"at most {readable(profile.minimum / 2)}, half of the minimum",
        seen=f"{readable(value)} at {spot}",
        spot=spot,
        amount=value,
    )


def _judge_needs_ante(spot: Spot, bets: list[Bet], coup: Round, docket: Docket) -> None:
    """No progressive without an ante (NP-PROG-01)."""
    if spot.seat is None:
        return
    ante = box(spot.seat, ANTE)
    if coup.bets.get(ante):
        docket.conform("NP-PROG-01")
    elif gap := coup.gaps.within(ante, coup.t_close - _LAYING_S, coup.t_close + 1.0):
        why = f"{ante} could not be seen from {clock(gap.t_from)} on ({gap.reason})"
        docket.undetermined("NP-PROG-01", "SIDE_BET_WITHOUT_ANTE", _when(coup, bets), why, spot=spot)
    else:
        docket.breach(
            "NP-PROG-01",
            "SIDE_BET_WITHOUT_ANTE",
            _when(coup, bets),
            expected=f"an ante at {ante}",
            seen="a bet on the progressive, and no ante",
            spot=spot,
        )


def _judge_second(spot: Spot, bets: list[Bet], coup: Round, profile: PokerProfile, docket: Docket) -> None:
    """So many times the ante (NP-DEC-01); where several bet in a box, of those who go on."""
    if spot.seat is None:
        return
    antes = coup.bets.get(box(spot.seat, ANTE), [])
    value, whole = value_of(bets), value_of(antes)
    if value is None or whole is None or not antes or (coup.t_reveal is None and not coup.over):
        return
    if value in {profile.second_bet * part for part in _parts(antes)}:
        docket.conform("NP-DEC-01")
        return
    docket.breach(
        "NP-DEC-01",
        "SECOND_BET_WRONG_AMOUNT",
        Moment.at(coup.t_reveal or coup.t_end, *(bet.standing.seq for bet in [*antes, *bets]), before_s=6.0),
        expected=f"{readable(profile.second_bet * whole)}, {profile.second_bet} times the ante",
        seen=f"a second bet of {readable(value)}",
        spot=spot,
        amount=value,
        until=coup.late[spot].t if spot in coup.late else None,
    )


def _parts(antes: list[Bet]) -> set[Fraction]:
    """What some of the antes of a box come to."""
    values = [bet.standing.value or Fraction(0) for bet in antes[:3]]
    return {sum(part, Fraction(0)) for n in range(1, len(values) + 1) for part in combinations(values, n)}


def judge_closing(coup: Round, hands: Hands, docket: Docket) -> None:
    """What lay there at the deal stays as it is (NP-BET-01), up to the settlement."""
    if coup.began_unseen:
        return
    until = inf if coup.t_reveal is None else coup.t_reveal
    touched: dict[Spot, Tampering] = {}
    for move in coup.moves:
        if move.spot.area is not Area.BET or move.spot.bet not in _BEFORE_DEAL or move.t >= until:
            continue
        if move.owner is Owner.DEALER or (coup.t_swept is not None and move.t >= coup.t_swept):
            continue
        taken = bool(move.removed) and not move.added
        if (
            taken
            and move.owner is Owner.UNKNOWN
            and (move.spot.seat in hands.folded or move.spot.bet != ANTE)
        ):
            continue  # a passed hand's bets are taken; a slot swallows its chips
        if until == inf and move.owner is Owner.UNKNOWN:
            continue  # it may be the settlement of a round whose reveal was not seen
        mine = touched.setdefault(move.spot, Tampering())
        judge_move(coup, move, mine, "NP-BET-01", docket)
    for spot in coup.bets:
        if spot not in touched and spot.bet in _BEFORE_DEAL and (coup.over or coup.t_reveal is not None):
            docket.conform("NP-BET-01")
