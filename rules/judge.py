"""The judge: a pure function from a table's events to findings, whole or event by event.

``judge`` takes a whole journal. ``Judge`` takes events as they are recorded, tells each finding once, when
it is certain, and in the end has the same judgement as ``judge`` for the same events.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable

from rules.chips import Board
from rules.errors import ProfileError
from rules.events import CardPlaced, CardRead, CardTurned, Event, Retraction, in_time_order
from rules.findings import CoupSummary, Finding, Judgement
from rules.games.punto_banco.coup import Carry, coups_of
from rules.games.punto_banco.judging import judge_coup
from rules.games.punto_banco.questions import open_questions
from rules.games.punto_banco.shoe import Shoe
from rules.profiles import Profile
from rules.sight import Sight

_Judged = tuple[list[Finding], CoupSummary]


def judge(events: Iterable[Event], profile: Profile, sight: Sight | None = None) -> Judgement:
    """Judge a whole journal. ``sight``: which readings count as seen (default: p of 0.6 and more).

    Raises ProfileError if there are no rules for the profile's game.
    """
    seen = sight or Sight()
    _check(profile)
    ordered = in_time_order(list(events))
    coups = [
        judge_coup(start, coup, profile, seen)
        for start, coup in coups_of(_beginning(seen), ordered, seen, ended=True)
    ]
    return _judgement(profile, coups, ordered)


class Judge:
    """The same, live. Events come in the order recorded; an earlier ``t`` than before is in order."""

    def __init__(self, profile: Profile, sight: Sight | None = None) -> None:
        """Raises ProfileError if there are no rules for the profile's game."""
        _check(profile)
        self.profile, self.sight = profile, sight or Sight()
        self._all: list[Event] = []
        self._told: set[str] = set()
        self._ended = False
        self._restart()

    def _restart(self) -> None:
        self._carry = _beginning(self.sight)
        self._closed: list[_Judged] = []
        self._closed_cards: set[str] = set()
        self._open: list[_Judged] = []
        self._events: list[Event] = in_time_order(self._all)

    def feed(self, event: Event) -> list[Finding]:
        """Take in one event; returns the findings that are new."""
        self._all.append(event)
        if self._is_correction(event):
            self._restart()
        else:
            insort(self._events, event, key=lambda known: (known.t, known.seq))
        return self._look(ended=False)

    def finish(self) -> list[Finding]:
        """Nothing follows; returns the findings that are new by that."""
        self._ended = True
        return self._look(ended=True)

    @property
    def judgement(self) -> Judgement:
        """The judgement as it stands."""
        return _judgement(self.profile, [*self._closed, *self._open], in_time_order(self._all))

    def _is_correction(self, event: Event) -> bool:
        """Whether an event speaks of what was already judged for good."""
        if isinstance(event, Retraction) or event.t < self._carry.t:
            return True
        return isinstance(event, CardRead | CardPlaced | CardTurned) and event.card_id in self._closed_cards

    def _look(self, *, ended: bool) -> list[Finding]:
        """Judge again what is still open."""
        found = coups_of(self._carry.copy(), self._events, self.sight, ended=ended)
        judged = [judge_coup(start, coup, self.profile, self.sight) for start, coup in found]
        self._open = judged[-1:]
        if len(found) > 1:
            self._closed += judged[:-1]
            for _, coup in found[:-1]:
                self._closed_cards |= {card.card_id for card in coup.cards}
            self._carry = found[-1][0]
            self._events = [event for event in self._events if event.t >= self._carry.t]
        new = [f for findings, _ in judged for f in findings if f.id not in self._told]
        self._told |= {finding.id for finding in new}
        return new


def _check(profile: Profile) -> None:
    if profile.game != "punto_banco":
        raise ProfileError(f"there are no rules for the game {profile.game!r} yet: punto_banco is judged.")


def _beginning(sight: Sight) -> Carry:
    return Carry(Board(sight), Shoe())


def _judgement(profile: Profile, coups: list[_Judged], events: list[Event]) -> Judgement:
    return Judgement(
        game=profile.game,
        profile=profile.title,
        findings=tuple(finding for findings, _ in coups for finding in findings),
        coups=tuple(summary for _, summary in coups),
        session=open_questions(profile, events),
    )
