"""Insurance against 31 to 31: what marks a bet, and the premium."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from rules.baccarat.coup import CLOSE_TOLERANCE_S, Bet, Coup
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import ChipMove, Cue, Event, MarkerSeen
from rules.games.trente_et_quarante.profile import TrenteProfile
from rules.games.trente_et_quarante.words import BETS
from rules.money import parse_amount, readable
from rules.spots import Spot

PREMIUM_S = 5.0
"""A premium goes to the bank no longer than this before the bet is marked."""
_BESIDE_MM = 60.0
"""A marker so near to one that lay there before is the same."""

Key = tuple[Spot, str]
"""A bet: its box, and its stack's name."""


@dataclass(slots=True)
class Insured:
    """``sure``: bets that were marked in time, and by what. ``doubtful``: bets that may be insured: marked
    late, or it was not seen which bet of the box the marker lay on."""

    sure: dict[Key, MarkerSeen] = field(default_factory=dict)
    doubtful: set[Key] = field(default_factory=set)
    late: list[MarkerSeen] = field(default_factory=list)


def key_of(bet: Bet) -> Key:
    """How a bet is named."""
    return bet.spot, bet.name


def read_insured(coup: Coup, since: float) -> Insured:
    """Which bets are insured. ``since``: from when on they were laid; a marker may be missed if the table
    could not be seen since then."""
    insured = Insured()
    known: list[MarkerSeen] = []
    for event in _told(coup):
        if not isinstance(event, MarkerSeen) or event.marker != "insurance":
            continue
        if any(_is_same(event, other) for other in known):
            continue
        known.append(event)
        spot = Spot.parse(event.spot)
        in_time = event.t <= coup.t_close + CLOSE_TOLERANCE_S
        if not in_time and event.t >= coup.t_result:
            continue  # the next coup's
        if not in_time:
            insured.late.append(event)
        bets = coup.bets.get(spot, [])
        mine = bets if len(bets) < 2 else _nearest(event, bets)
        for bet in mine:
            if in_time and len(mine) == 1:
                insured.sure[key_of(bet)] = event
            else:
                insured.doubtful.add(key_of(bet))
    for bet in (bet for bets in coup.bets.values() for bet in bets):
        if key_of(bet) not in insured.sure and coup.gaps.within(bet.spot, since, coup.t_close):
            insured.doubtful.add(key_of(bet))
    return insured


def _told(coup: Coup) -> Iterable[Event]:
    """What was told since the coup before; a shoe whose red card came first took its bets with it."""
    before = list(coup.before)
    shoes = [i for i, event in enumerate(before) if isinstance(event, Cue) and event.cue == "new_shoe"]
    return (*before[shoes[-1] + 1 if shoes else 0 :], *coup.events)


def _is_same(one: MarkerSeen, other: MarkerSeen) -> bool:
    if one.spot != other.spot:
        return False
    if one.at_mm is None or other.at_mm is None:
        return True
    return math.dist(one.at_mm, other.at_mm) <= _BESIDE_MM


def _nearest(marker: MarkerSeen, bets: list[Bet]) -> list[Bet]:
    """The bet that a marker lies on; all of the box where that was not seen."""
    if marker.at_mm is None:
        return bets
    at_mm = marker.at_mm
    return [min(bets, key=lambda bet: math.dist(bet.at_mm, at_mm))]


def judge_insurance(coup: Coup, insured: Insured, profile: TrenteProfile, docket: Docket) -> None:
    """Who may insure, for how much, and until when."""
    for marker in insured.late:
        docket.breach(
            "TQ-INS-02",
            "LATE_BET",
            Moment.at(marker.t, marker.seq),
            expected=f"no bet insured after the close at {clock(coup.t_close)}",
            seen=f"an insurance marker put on {marker.spot} at {clock(marker.t)}",
            spot=Spot.parse(marker.spot),
        )
    if insured.sure and not insured.late:
        docket.conform("TQ-INS-02")
    by_spot: dict[Spot, list[Bet]] = {}
    for bet in (bet for bets in coup.bets.values() for bet in bets if bet.spot.bet in BETS):
        if key_of(bet) in insured.sure:
            by_spot.setdefault(bet.spot, []).append(bet)
    for spot, bets in by_spot.items():
        markers = [insured.sure[key_of(bet)] for bet in bets]
        _judge_least(bets, markers, profile, docket)
        _judge_premium(coup, spot, bets, markers, profile, docket)


def _judge_least(bets: list[Bet], markers: list[MarkerSeen], profile: TrenteProfile, docket: Docket) -> None:
    for bet, marker in zip(bets, markers, strict=True):
        value = bet.standing.value
        if value is None:
            continue
        if value >= profile.insurable:
            docket.conform("TQ-INS-01")
            continue
        docket.breach(
            "TQ-INS-01",
            "INSURANCE_MISPAID",
            Moment.at(marker.t, marker.seq, bet.standing.seq),
            expected=f"no bet below {readable(profile.insurable)} insured",
            seen=f"a bet of {readable(value)} insured",
            spot=bet.spot,
            subject=bet.name,
            amount=value,
        )


def _judge_premium(
    coup: Coup,
    spot: Spot,
    bets: list[Bet],
    markers: list[MarkerSeen],
    profile: TrenteProfile,
    docket: Docket,
) -> None:
    """A hundredth of the bet, all premiums of one box together."""
    values = [bet.standing.value for bet in bets]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return
    exact = [value * profile.premium_rate for value in known]
    due = sum(exact, Fraction(0))
    right = {due} | profile.rounding.payable(due)
    for part in exact:
        right = {*right, *(due - part + way for way in profile.rounding.payable(part))}
    paid = _premiums(coup, spot, min(marker.t for marker in markers))
    when = Moment.at(max(marker.t for marker in markers), *(marker.seq for marker in markers))
    if paid is None:
        if "premium" not in profile.cues:
            return
        paid = Fraction(0)
    if paid in right:
        docket.conform("TQ-INS-01")
        return
    docket.breach(
        "TQ-INS-01",
        "INSURANCE_MISPAID",
        when,
        expected=f"a premium of {readable(due)}",
        seen=f"{readable(paid)} paid for the insurance",
        spot=spot,
        due=due,
        amount=paid,
        since=min(marker.t for marker in markers),  # what was lost since may hide another coup's premium
    )


def _premiums(coup: Coup, spot: Spot, t_marked: float) -> Fraction | None:
    """What was paid for insuring bets of a box, None if nothing was seen or told."""
    amounts: list[Fraction] = []
    for event in _told(coup):
        if event.t > coup.t_close + CLOSE_TOLERANCE_S:
            continue
        told = isinstance(event, Cue) and event.cue == "premium" and event.spot == str(spot)
        seen = (
            isinstance(event, ChipMove)
            and event.from_spot == str(spot)
            and event.to_spot == "float"
            and event.t >= t_marked - PREMIUM_S
        )
        if (told or seen) and isinstance(event, Cue | ChipMove) and event.value is not None:
            try:
                amounts.append(parse_amount(event.value))
            except ValueError:
                return None
    return sum(amounts, Fraction(0)) if amounts else None
