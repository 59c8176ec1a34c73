"""The judge: a pure function from a table's events to findings, whole or event by event.

``judge`` takes a whole journal. ``Judge`` takes events as they are recorded, tells each finding once, when
it is certain, and in the end has the same judgement as ``judge`` for the same events.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable

from rules.events import CardPlaced, CardRead, CardTurned, Event, Retraction, in_time_order
from rules.findings import CoupSummary, Finding, Judgement
from rules.game import AnyGame
from rules.games import game_named
from rules.profile_document import Profile
from rules.sight import Sight

_Judged = tuple[list[Finding], CoupSummary]


def judge(events: Iterable[Event], profile: Profile, sight: Sight | None = None) -> Judgement:
    """Judge a whole journal. ``sight``: which readings count as seen (default: p of 0.6 and more).

    Raises ProfileError if there are no rules for the profile's game.
    """
    game, seen = game_named(profile.game), sight or Sight()
    ordered = in_time_order(list(events))
    found = game.coups(game.begin(profile, seen), ordered, profile, seen, True)
    coups = [game.judge(start, coup, profile, seen) for start, coup in found]
    return _judgement(game, profile, coups, ordered)


class Judge:
    """The same, live. Events come in the order recorded; an earlier ``t`` than before is in order."""

    def __init__(self, profile: Profile, sight: Sight | None = None) -> None:
        """Raises ProfileError if there are no rules for the profile's game."""
        self._game = game_named(profile.game)
        self.profile, self.sight = profile, sight or Sight()
        self._all: list[Event] = []
        self._told: set[str] = set()
        self._ended = False
        self._restart()

    def _restart(self) -> None:
        self._carry = self._game.begin(self.profile, self.sight)
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
        return _judgement(self._game, self.profile, [*self._closed, *self._open], in_time_order(self._all))

    def _is_correction(self, event: Event) -> bool:
        """Whether an event speaks of what was already judged for good."""
        if isinstance(event, Retraction) or event.t < self._carry.t:
            return True
        return isinstance(event, CardRead | CardPlaced | CardTurned) and event.card_id in self._closed_cards

    def _look(self, *, ended: bool) -> list[Finding]:
        """Judge again what is still open."""
        game, carry = self._game, self._carry.copy()
        found = game.coups(carry, self._events, self.profile, self.sight, ended)
        judged = [game.judge(start, coup, self.profile, self.sight) for start, coup in found]
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


def _judgement(game: AnyGame, profile: Profile, coups: list[_Judged], events: list[Event]) -> Judgement:
    return Judgement(
        game=game.name,
        profile=profile.title,
        findings=tuple(finding for findings, _ in coups for finding in findings),
        coups=tuple(summary for _, summary in coups),
        session=game.questions(profile, events),
    )
