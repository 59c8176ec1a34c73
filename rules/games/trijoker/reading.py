"""The game's hands read from the journal, and what it remembers from one to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from rules.baccarat.coup import Carry, Coup
from rules.baccarat.coup import coups_of as baccarat_coups
from rules.baccarat.shoe import Shoe
from rules.chips import Board
from rules.events import Cue, Event
from rules.games.trijoker.profile import TrijokerProfile
from rules.sight import Sight


@dataclass(slots=True)
class TrijokerCarry(Carry):
    """What the game remembers besides. ``since_last_call``: hands dealt since the last hands were called,
    None while they were not; ``call_seq``: the event that told it."""

    since_last_call: int | None = None
    call_seq: int = 0

    def copy(self) -> Self:
        """An independent copy."""
        return replace(self, board=self.board.copy(), shoe=self.shoe.copy(), left=list(self.left))

    def after(self, coup: Coup) -> None:
        """Count the hands since the last ones were called."""
        called = called_before(coup)
        if called is not None and self.since_last_call is None:
            self.since_last_call, self.call_seq = 0, called.seq
        if self.since_last_call is not None:
            self.since_last_call += 1
        dealt = coup.cards[-1].t
        for event in coup.events:
            if isinstance(event, Cue) and event.t > dealt:
                if event.cue == "session_end":
                    self.since_last_call = None
                elif event.cue == "last_hands" and self.since_last_call is None:
                    self.since_last_call, self.call_seq = 0, event.seq


def called_before(coup: Coup) -> Cue | None:
    """The call of the last hands, if it came before this hand was dealt out."""
    return next(iter(told_before(coup, "last_hands")), None)


def told_before(coup: Coup, *cues: str) -> list[Cue]:
    """The cues of these names that were told for this hand before it was dealt out."""
    last = coup.cards[-1].t
    return [
        event
        for event in (*coup.before, *(other for other in coup.events if other.t <= last))
        if isinstance(event, Cue) and event.cue in cues
    ]


def told(coup: Coup, *cues: str) -> list[Cue]:
    """The cues of these names that were told from this hand's close on, or since the last hand."""
    return [event for event in (*coup.before, *coup.events) if isinstance(event, Cue) and event.cue in cues]


def begin(_profile: TrijokerProfile, sight: Sight) -> TrijokerCarry:
    """Before the first event."""
    return TrijokerCarry(Board(sight), Shoe())


def coups_of(
    carry: TrijokerCarry, events: Sequence[Event], _profile: TrijokerProfile, _sight: Sight, ended: bool
) -> list[tuple[TrijokerCarry, Coup]]:
    """The hands of events in time order, each with what it began from."""
    return baccarat_coups(carry, events, ended)
