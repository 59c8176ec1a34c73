"""The shoe's way round the table: whose turn it is to deal, when it is given up, and who carries it."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.baccarat.points import Result
from rules.docket import Docket, Moment
from rules.events import Cue, MarkerSeen, Owner
from rules.games.punto_banco.dealing import of_hand
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.games.punto_banco.reading import AT_DEALER, TableCarry, shoe_seat
from rules.spots import SHOE, Spot, bet_spot

DECLINED = "shoe_declined"
"""The cue that a player does not want to deal (``spot``: ``seat 3 shoe``)."""


def judge_shoe_turn(start: TableCarry, coup: Coup, profile: PuntoBancoProfile, docket: Docket) -> None:
    """Where the shoe stands when a coup is dealt, against where it stood before."""
    moves = [event for event in coup.before if isinstance(event, MarkerSeen) and event.marker == "shoe"]
    seat = shoe_seat(coup.before, start.seat)
    _judge_carrier(moves, start.seat, profile, docket)
    if not seat:
        return  # nothing is told of it, or the dealer deals
    seqs = [event.seq for event in moves]
    when = Moment.at(moves[-1].t if moves else coup.t_close, *seqs, before_s=4.0)
    declined = _declined(coup)
    renewed = any(isinstance(event, Cue) and event.cue == "new_shoe" for event in coup.before)
    if renewed:
        if start.number == 0:
            players = frozenset(spot.seat for spot in coup.bets if spot.seat is not None)
            _judge_way(AT_DEALER, seat, players, declined, profile, when, docket)
        return
    if start.seat is None or start.seat == AT_DEALER:
        return
    if seat == start.seat:
        _judge_kept(start, seat, profile, when, docket)
        return
    _judge_given_up(start, seat, declined, profile, when, docket)
    _judge_way(start.seat, seat, start.players, declined, profile, when, docket)


def _declined(coup: Coup) -> frozenset[int]:
    return frozenset(
        seat
        for event in coup.before
        if isinstance(event, Cue) and event.cue == DECLINED and event.spot is not None
        if (seat := Spot.parse(event.spot).seat) is not None
    )


def _judge_kept(
    start: TableCarry, seat: int, profile: PuntoBancoProfile, when: Moment, docket: Docket
) -> None:
    """Banca lost: the shoe goes on. (A single player keeps it: his turn comes again at once.)"""
    rule = profile.articles.shoe_kept
    if rule is None or start.result is None:
        return
    if start.result is not Result.PUNTO:
        docket.conform(rule)
    elif start.players - {seat}:
        docket.breach(
            rule,
            "SHOE_NOT_PASSED",
            when,
            expected="the shoe handed on, for banca lost the coup before",
            seen=f"it is still at seat {seat}",
            spot=bet_spot(seat, "shoe"),
        )


def _judge_given_up(
    start: TableCarry,
    seat: int,
    declined: frozenset[int],
    profile: PuntoBancoProfile,
    when: Moment,
    docket: Docket,
) -> None:
    """Banca did not lose: the shoe goes on only if its holder declines to deal."""
    rule = profile.articles.shoe_kept
    if rule is None or start.result is None or start.seat is None:
        return
    if start.result is Result.PUNTO or start.seat in declined:
        docket.conform(rule)
        return
    expected = f"the shoe kept by seat {start.seat} until banca loses"
    seen = f"it went to seat {seat}"
    spot = bet_spot(seat, "shoe")
    if DECLINED in profile.cues:
        docket.breach(rule, "SHOE_NOT_PASSED", when, expected=expected, seen=seen, spot=spot)
    else:
        why = f"whether seat {start.seat} declined was not told (cue {DECLINED})"
        docket.undetermined(rule, "SHOE_NOT_PASSED", when, why, expected=expected, seen=seen, spot=spot)


def _judge_way(
    before: int,
    seat: int,
    players: frozenset[int],
    declined: frozenset[int],
    profile: PuntoBancoProfile,
    when: Moment,
    docket: Docket,
) -> None:
    """It goes to the next number; nobody who plays is passed over unless he declines."""
    rule = profile.articles.shoe_turn
    if rule is None or DECLINED not in profile.cues:
        return
    passed = sorted(_between(before, seat, players) - declined)
    if not passed:
        docket.conform(rule)
        return
    docket.breach(
        rule,
        "SHOE_WRONG_SEAT",
        when,
        expected=f"the shoe at seat {passed[0]}, whose turn it is",
        seen=f"it went to seat {seat}, and seat {passed[0]} had not declined",
        spot=bet_spot(seat, "shoe"),
    )


def _between(before: int, seat: int, players: frozenset[int]) -> frozenset[int]:
    """The players that come between two seats, going round by number."""
    if before < seat:
        return frozenset(other for other in players if before < other < seat)
    return frozenset(other for other in players if other > before or other < seat)


def _judge_carrier(
    moves: list[MarkerSeen], before: int | None, profile: PuntoBancoProfile, docket: Docket
) -> None:
    """The dealer hands the shoe from seat to seat."""
    rule = profile.articles.shoe_carrier
    if rule is None:
        return
    for event in moves:
        seat = Spot.parse(event.spot).seat or AT_DEALER
        if seat == before or event.hand is None or event.hand.owner is Owner.UNKNOWN:
            before = seat
            continue
        before = seat
        if event.hand.owner is Owner.DEALER:
            docket.conform(rule)
            continue
        docket.breach(
            rule,
            "SHOE_MOVED_BY_PLAYER",
            Moment.at(event.t, event.seq),
            expected="the shoe handed on by the dealer",
            seen=f"{of_hand(event.hand)} moved it to {event.spot}",
            spot=SHOE,
        )
        return
