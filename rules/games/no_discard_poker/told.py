"""What is told, not seen: comments, information exchanged, blind bets, how many play."""

from __future__ import annotations

from math import inf

from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import Cue, Owner
from rules.games.no_discard_poker.profile import PokerProfile
from rules.games.no_discard_poker.reading import Round
from rules.games.no_discard_poker.words import ANTE, SEATS, hand_of
from rules.spots import Area, Spot
from rules.written import number_in


def told(coup: Round, *names: str) -> list[Cue]:
    """The cues of these names that were told for this round, before it was dealt out."""
    events = (*coup.before, *(event for event in coup.events if event.t <= coup.t_dealt))
    return [event for event in events if isinstance(event, Cue) and event.cue in names]


def informers(coup: Round) -> dict[int, Cue]:
    """The seats that were told to have exchanged information."""
    cues: dict[int, Cue] = {}
    until = inf if coup.t_swept is None else coup.t_swept
    for event in coup.events:
        if isinstance(event, Cue) and event.cue == "information" and event.t < until:
            seat = _seat(event)
            if seat is not None:
                cues.setdefault(seat, event)
    return cues


def _seat(cue: Cue) -> int | None:
    spot = None if cue.spot is None else Spot.parse(cue.spot)
    if spot is None:
        return None
    if spot.area is Area.HAND and spot.hand is not None and spot.hand.startswith("seat_"):
        return number_in(spot.hand.removeprefix("seat_"))
    return spot.seat


def judge_told(coup: Round, profile: PokerProfile, docket: Docket) -> None:
    """The rows that a cue decides."""
    for cue in (event for event in coup.events if isinstance(event, Cue)):
        if cue.cue in ("comment", "advice"):
            docket.breach(
                "NP-INFO-02",
                "ADVICE_GIVEN",
                Moment.at(cue.t, cue.seq),
                expected="no comment on the game",
                seen=f"{cue.value or 'somebody'} made one at {clock(cue.t)}",
            )
    _judge_players(coup, profile, docket)
    _judge_blind(coup, profile, docket)


def _judge_players(coup: Round, profile: PokerProfile, docket: Docket) -> None:
    boxes = profile.boxes or SEATS
    for cue in told(coup, "players"):
        if (number_in(cue.value) or 0) > boxes:
            docket.breach(
                "NP-BOX-01",
                "TOO_MANY_PLAYERS",
                Moment.at(cue.t, cue.seq),
                expected=f"{boxes} players at most",
                seen=f"{cue.value} players sit at the table",
            )


def _judge_blind(coup: Round, profile: PokerProfile, docket: Docket) -> None:
    """Blind bets: only where they are admitted, one a player, their cards unseen (NP-BOX-03)."""
    rule = "NP-BOX-03"
    bettors: set[str] = set()
    for cue in told(coup, "blind_bet"):
        spot = None if cue.spot is None else Spot.parse(cue.spot)
        if spot is None or spot.seat is None or spot.bet != ANTE or not coup.bets.get(spot):
            continue
        second = cue.value is not None and cue.value in bettors
        if profile.blind_bets is False or second:
            docket.breach(
                rule,
                "BET_NOT_ADMITTED",
                Moment.at(cue.t, cue.seq),
                expected="one blind bet a player" if second else "no blind bets at this table",
                seen=f"a blind bet at {spot}" + (f", another of {cue.value}'s" if second else ""),
                spot=spot,
            )
        elif profile.blind_bets is not None and not _judge_unseen(coup, spot.seat, docket):
            docket.conform(rule)
        if cue.value is not None:
            bettors.add(cue.value)


def _judge_unseen(coup: Round, seat: int, docket: Docket) -> bool:
    """Whether a player's hand was on the cards of a blind bet before the bank's were turned."""
    until = inf if coup.t_reveal is None else coup.t_reveal
    for card in coup.cards:
        if card.dealt_to != hand_of(seat):
            continue
        for contact in card.contacts:
            if contact.hand.owner is Owner.PLAYER and contact.t < until:
                docket.breach(
                    "NP-BOX-03",
                    "PLAYER_CARD_EXPOSED",
                    Moment.at(contact.t, contact.seq),
                    expected="the cards of a blind bet seen by nobody before the end",
                    seen=f"a player's hand was on them at {clock(contact.t)}",
                    spot=hand_of(seat),
                )
                return True
    return False
