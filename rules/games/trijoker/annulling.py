"""What follows an error in dealing: the hand is annulled, or goes on, as the text says of each."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from rules.baccarat.coup import Coup
from rules.chips import Move
from rules.clock import clock
from rules.docket import Docket, Moment
from rules.events import ChipMove, Cue, Owner
from rules.games.trijoker.dealing import Error
from rules.games.trijoker.round import Round
from rules.games.trijoker.words import is_bet
from rules.spots import Spot

_CALLED = "TJ-VOID-01"


@dataclass(frozen=True, slots=True)
class Fate:
    """``void``: the hand is annulled, from ``t`` on, by ``error`` (None: only said to be). ``stopped``: it
    was broken off, rightly or not, and nothing is settled. ``doubt``: why it may be annulled, None if it is
    not in doubt. ``harmless``: errors after which it goes on."""

    void: bool
    stopped: bool
    t: float
    error: Error | None
    doubt: Error | None
    harmless: list[Error]


def fate_of(coup: Coup, play: Round, errors: list[Error]) -> Fate:
    """What is to become of a hand by the errors in its deal, and by what was said."""
    annuls = next((error for error in errors if error.voids), None)
    doubt = next((error for error in errors if error.voids is None), None)
    harmless = [error for error in errors if error.voids is False]
    said = [event.t for event in coup.events if isinstance(event, Cue) and event.cue == "coup_void"]
    broken_off = _broken_off(coup, play, harmless)
    t = min([*([] if annuls is None else [annuls.t]), *said], default=inf)
    if broken_off and t == inf:
        t = harmless[0].t
    return Fate(
        void=annuls is not None or coup.void,
        stopped=annuls is not None or coup.void or broken_off,
        t=t,
        error=annuls,
        doubt=doubt if annuls is None else None,
        harmless=harmless,
    )


def _broken_off(coup: Coup, play: Round, harmless: list[Error]) -> bool:
    """Whether the cards were gathered after such an error without the hand being played out."""
    if not harmless or play.t_settled_from < inf or not coup.over or coup.cut_off or coup.t_swept is None:
        return False
    in_view = not any(coup.gaps.within(card.spot, harmless[0].t, coup.t_swept) for card in play.common)
    return in_view and not any(_pays(move) for move in coup.moves if move.t > harmless[0].t)


def judge_fate(coup: Coup, play: Round, fate: Fate, docket: Docket) -> None:
    """Whether a hand was annulled that had to be, and only such a hand."""
    if fate.void and fate.error is not None:
        _judge_annulled(coup, play, fate, fate.error, docket)
    elif fate.stopped and fate.harmless:
        _judge_stopped(coup, fate, docket)
    elif fate.doubt is not None and coup.over:
        docket.undetermined(
            fate.doubt.rule,
            "VOID_NOT_APPLIED",
            Moment.at(fate.doubt.t, fate.doubt.seq),
            fate.doubt.reason,
            seen=fate.doubt.what,
        )
    else:
        for rule in {error.rule for error in fate.harmless}:
            docket.conform(rule)


def _judge_annulled(coup: Coup, play: Round, fate: Fate, error: Error, docket: Docket) -> None:
    acts = _settling(coup, play, fate.t)
    if acts:
        docket.breach(
            error.rule,
            "VOID_NOT_APPLIED",
            Moment.span(error.t, acts[0].t, error.seq, *(move.seq for move in acts)),
            expected=f"the hand annulled, and every bet given back: {error.what}",
            seen=f"bets were settled from {clock(acts[0].t)} on, the first at {acts[0].spot}",
        )
        return
    hidden = [move for move in _removals(coup, play, fate.t) if move.owner is Owner.UNKNOWN]
    if hidden and not coup.void:
        docket.undetermined(
            error.rule,
            "VOID_NOT_APPLIED",
            Moment.at(hidden[0].t, error.seq, hidden[0].seq),
            "whose hand took the bets was not seen",
            seen=error.what,
        )
    elif coup.over:
        docket.conform(error.rule)


def _settling(coup: Coup, play: Round, t: float) -> list[Move]:
    """Moves of chips after ``t`` by which bets were settled: payments, and once all cards were shown what the
    dealer took, or chips that were seen to go to the bank."""
    to_bank = {
        Spot.parse(event.from_spot)
        for event in coup.events
        if isinstance(event, ChipMove) and event.to_spot == "float" and event.t > t
    }
    paid = [move for move in coup.moves if is_bet(move.spot) and move.t > t and _pays(move)]
    taken = [
        move
        for move in _removals(coup, play, t)
        if move.spot in to_bank or (move.owner is Owner.DEALER and not coup.void)
    ]
    return sorted([*paid, *taken], key=lambda move: (move.t, move.seq))


def _removals(coup: Coup, play: Round, t: float) -> list[Move]:
    """Bets that were taken once all cards were shown."""
    end = inf if coup.t_swept is None else coup.t_swept
    return [
        move
        for move in coup.moves
        if is_bet(move.spot) and move.removed and move.t > t and play.t_settled_from <= move.t < end
    ]


def _pays(move: Move) -> bool:
    return bool(move.added) and move.owner is Owner.DEALER and is_bet(move.spot)


def _judge_stopped(coup: Coup, fate: Fate, docket: Docket) -> None:
    error = fate.harmless[0]
    said = [event.seq for event in coup.events if isinstance(event, Cue) and event.cue == "coup_void"]
    docket.breach(
        error.rule,
        "VOID_APPLIED_WRONGLY",
        Moment.at(error.t, error.seq, *said),
        expected=f"the hand goes on: {error.what}",
        seen="the hand was annulled" if said else "the cards were gathered and the hand was not played out",
    )
