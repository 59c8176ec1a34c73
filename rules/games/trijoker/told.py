"""Rows that turn on who people are and what they say: judged by the cues that tell it."""

from __future__ import annotations

from rules.baccarat.coup import Coup
from rules.docket import Docket, Moment
from rules.events import Cue
from rules.games.trijoker.profile import TrijokerProfile
from rules.games.trijoker.reading import TrijokerCarry, called_before, told, told_before
from rules.spots import Spot
from rules.written import number_in

_SAID = {
    "information": ("ADVICE_GIVEN", "no word of cards among players", "players told each other of cards"),
    "advice": ("ADVICE_GIVEN", "no advice asked for or given", "advice was asked for or given"),
    "cards_shown": (
        "PLAYER_CARD_EXPOSED",
        "the cards kept from the other players",
        "a player showed his cards",
    ),
}


def judge_told(start: TrijokerCarry, coup: Coup, profile: TrijokerProfile, docket: Docket) -> None:
    """All of them for one hand."""
    dealt = coup.cards[-1].t
    for cue in told_before(coup, "players"):
        if (number := number_in(cue.value)) is not None:
            seen = f"{cue.value} players"
            _check(docket, number <= profile.places, cue, "TJ-BOX-01", "TOO_MANY_PLAYERS",
                   f"{profile.places} players at most", seen)  # fmt: skip
    for cue in told_before(coup, "same_person"):
        mine = None if cue.spot is None else Spot.parse(cue.spot).seat
        kept = cue.value == str(mine)
        seen = f"seat {mine} is played by the player of seat {cue.value}"
        _check(docket, kept, cue, "TJ-BOX-01", "TWO_BOXES_ONE_PLAYER", "one place for each player", seen)
    for cue in told_before(coup, "standing_bet"):
        expected = "no bets of players who stand"
        _check(docket, False, cue, "TJ-BOX-02", "BET_NOT_ADMITTED", expected, "a player who stands bet")
    for cue in told(coup, *_SAID):
        if cue in coup.before and cue.t <= coup.t_close and start.number:
            continue  # it was the hand before's
        code, expected, seen = _SAID[cue.cue]
        _check(docket, False, cue, "TJ-INFO-02", code, expected, seen)
    _judge_last(start, coup, profile, dealt, docket)


def _check(docket: Docket, kept: bool, cue: Cue, rule: str, code: str, expected: str, seen: str) -> None:
    if kept:
        docket.conform(rule)
        return
    spot = None if cue.spot is None else Spot.parse(cue.spot)
    docket.breach(rule, code, Moment.at(cue.t, cue.seq), expected=expected, seen=seen, spot=spot)


def _judge_last(
    start: TrijokerCarry, coup: Coup, profile: TrijokerProfile, dealt: float, docket: Docket
) -> None:
    """Once the last hands are called, just so many follow (TJ-END-02)."""
    rule, code, due = "TJ-END-02", "SESSION_END_WRONG", profile.last_hands
    call = called_before(coup)
    before = start.since_last_call
    if before is None and call is not None:
        before = 0
    if before == due:
        seq = start.call_seq if call is None else call.seq
        docket.breach(
            rule,
            code,
            Moment.at(coup.t_first, seq, coup.cards[0].seq),
            expected=f"{due} hands after the last ones were called",
            seen=f"hand {due + 1} after the call",
        )
    for event in coup.events:
        if not isinstance(event, Cue) or event.cue != "session_end" or event.t <= dealt:
            continue
        when = Moment.at(event.t, event.seq)
        expected = f"the {due} last hands called, and dealt"
        if before is not None:
            if before + 1 == due:
                docket.conform(rule)
            elif before + 1 < due:
                docket.breach(rule, code, when, expected=expected, seen=f"{before + 1} dealt after the call")
        elif any(
            isinstance(e, Cue) and e.cue == "last_hands" and dealt < e.t <= event.t for e in coup.events
        ):
            docket.breach(rule, code, when, expected=expected, seen="none was dealt after the call")
        elif "last_hands" in profile.cues:
            docket.breach(rule, code, when, expected=expected, seen="they were not called")
        else:
            why = "whether the last hands were called was not told (the cue last_hands)"
            docket.undetermined(rule, code, when, why, expected=expected)
