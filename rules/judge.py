"""The judge: a pure function from a table's events to findings, whole or event by event.

``judge`` takes a whole journal. ``Judge`` takes events as they are recorded, tells each finding once, when
it is certain, and in the end has the same judgement as ``judge`` for the same events.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from rules.cameras import camera_findings
from rules.corrections import as_corrected
from rules.events import (
    CardPlaced,
    CardRead,
    CardTurned,
    ChipsRead,
    ChipState,
    Event,
    Retraction,
    ViewBack,
    ViewLost,
)
from rules.findings import CoupSummary, Finding, Judgement
from rules.game import AnyGame
from rules.games import game_named
from rules.profile_document import Profile
from rules.sight import Sight
from rules.ways import in_every_way

_WINDOW = 2048
"""Events that are read into coups at a time: what judging needs in memory does not grow with the journal."""
_PATIENCE = 4
"""Live, a coup is judged again when it has grown by this part: so one that never ends costs no more for each
event than a long one, and event by event costs a few times what the whole does."""

_EVERY_S = 2.0
"""... and when so much of the table's time has gone by since the last look."""
_REOPENED = 8
"""So many closings of coups can be taken back for an event that is told late, without judging all again."""

_Judged = tuple[list[Finding], CoupSummary]
_Begun = tuple[Any, Any]
"""A coup and the carry that it began from."""


def judge(events: Iterable[Event], profile: Profile, sight: Sight | None = None) -> Judgement:
    """Judge a whole journal. ``sight``: which readings count as seen (default: p of 0.6 and more).

    Raises ProfileError if there are no rules for the profile's game.
    """
    game, seen = in_every_way(game_named(profile.game)), sight or Sight()
    ordered = as_corrected(list(events), seen).events
    return _judgement(game, profile, list(_judged(game, ordered, profile, seen)), ordered)


def judge_coups(events: Sequence[Event], profile: Profile, sight: Sight | None = None) -> Iterator[_Judged]:
    """The same coup by coup, findings and summary, with no more in memory than the events and a few coups."""
    game, seen = in_every_way(game_named(profile.game)), sight or Sight()
    return _judged(game, as_corrected(events, seen).events, profile, seen)


class Judge:
    """The same, live. Events come in the order recorded; an earlier ``t`` than before is in order."""

    def __init__(self, profile: Profile, sight: Sight | None = None) -> None:
        """Raises ProfileError if there are no rules for the profile's game."""
        self._game = in_every_way(game_named(profile.game))
        self.profile, self.sight = profile, sight or Sight()
        self._all: list[Event] = []
        self._told: set[str] = set()
        self._news: list[Finding] = []
        self._ended = self._quiet = False
        self._unjudged = 0
        self._t = self._t_looked = -math.inf
        self._restart()

    def _restart(self) -> None:
        """Judge everything again; the last coup stays open."""
        happened = as_corrected(self._all, self.sight)
        self._corrected_spots = happened.open_spots
        self._corrected_cards = {event.card_id for event in self._all if _names_card(event)}
        self._closed: list[_Judged] = []
        self._closed_cards: set[str] = set()
        self._closings: deque[_Closing] = deque(maxlen=_REOPENED)
        self._open: list[_Judged] = []
        self._t_first = -math.inf
        rest = _Rest(self._game.begin(self.profile, self.sight), 0)
        for coups, after in _complete(self._game, happened.events, self.profile, self.sight):
            self._close(coups, rest.carry, happened.events[rest.begin : after.begin])
            rest = after
        self._carry, self._events = rest.carry, happened.events[rest.begin :]
        self._unjudged = len(self._events)

    def feed(self, event: Event) -> list[Finding]:
        """Take in one event; returns the findings that are new.

        The open coup is looked at again at an event that comes ``_EVERY_S`` after the last look, is told late
        or corrects another; what others show is told then, or by ``look``."""
        self._all.append(event)
        self._quiet = False
        late = event.t < self._t
        self._t = max(self._t, event.t)
        if self._is_correction(event) or (late and not self._reopen(event.t)):
            self._restart()
            self._look()
        else:
            insort(self._events, event, key=lambda known: (known.t, known.seq))
            self._unjudged += 1
            due = late or self._t - self._t_looked >= _EVERY_S
            if due and self._unjudged * _PATIENCE >= len(self._events):
                self._look()
        if isinstance(event, ViewLost):
            self._note_cameras()
        return self._new()

    def look(self, *, quiet: bool = False) -> list[Finding]:
        """Nothing follows for now; returns the findings that are new by what was told so far. ``quiet``: for
        so long, and with no card on the table, that the open coup is over; until the next event."""
        if self._unjudged or quiet is not self._quiet:
            self._quiet = quiet
            self._look()
        return self._new()

    def finish(self) -> list[Finding]:
        """Nothing follows; returns the findings that are new by that."""
        self._ended = True
        self._look()
        return self._new()

    @property
    def coups(self) -> list[CoupSummary]:
        """The coups as they stood at the last look; the last one may be going on."""
        return [summary for _, summary in [*self._closed, *self._open]]

    @property
    def findings(self) -> list[Finding]:
        """The findings as they stood at the last look; one that was told may say more since, or be gone."""
        found = [finding for findings, _ in [*self._closed, *self._open] for finding in findings]
        return [*found, *camera_findings(_views(self._all), self.coups)]

    @property
    def judgement(self) -> Judgement:
        """The judgement as it stands."""
        if self._unjudged:
            self._look()
        events = as_corrected(self._all, self.sight).events
        return _judgement(self._game, self.profile, [*self._closed, *self._open], events)

    def _is_correction(self, event: Event) -> bool:
        """Whether an event changes what is past: what was judged for good, or what other events say."""
        match event:
            case Retraction() | ChipsRead():
                return True
            case CardRead() if _names_card(event):
                return True
            case ChipState() if event.spot in self._corrected_spots:
                return True
            case CardPlaced() if event.card_id in self._corrected_cards:
                return True
            case CardRead() | CardPlaced() | CardTurned() if event.card_id in self._closed_cards:
                return True
        return False

    def _reopen(self, t: float) -> bool:
        """Take back the closing of coups that something told late may change: where a coup ends hangs on all
        up to the next one's first card. False if that is too long ago."""
        while self._closed and t <= self._t_first:
            if not self._closings:
                return False
            last = self._closings.pop()
            self._carry, self._t_first = last.carry, last.t_first
            self._events = [*last.events, *self._events]
            self._closed_cards -= last.cards
            del self._closed[last.closed :]
        return True

    def _look(self) -> None:
        """Judge again what is still open."""
        self._unjudged, self._t_looked = 0, self._t
        over = self._ended or self._quiet
        found = self._game.coups(self._carry.copy(), self._events, self.profile, self.sight, over)
        if self._closings and found and found[0][0].t != self._carry.t:
            self._reopen(self._t_first)  # the open coup begins elsewhere now: so does the last one end
            found = self._game.coups(self._carry.copy(), self._events, self.profile, self.sight, over)
        done = _closable(found, self._events)
        if done:
            before, self._carry = self._carry, found[done][0]
            place = _place(self._events, self._carry.t)
            self._close(found[:done], before, self._events[:place])
            del self._events[:place]
        for _, coup in found[done : done + 1]:
            self._t_first = coup.cards[0].t
        self._open = [self._game.judge(start, coup, self.profile, self.sight) for start, coup in found[done:]]
        self._note(self._open)

    def _close(self, coups: Sequence[_Begun], before: Any, events: list[Event]) -> None:
        """Judge coups for good. ``before``: the carry that they began from; ``events``: up to their end."""
        judged = [self._game.judge(start, coup, self.profile, self.sight) for start, coup in coups]
        cards = {card.card_id for _, coup in coups for card in coup.cards} - self._closed_cards
        t_first = coups[0][1].cards[0].t
        self._closings.append(_Closing(before, events, len(self._closed), cards, t_first))
        self._closed += judged
        self._closed_cards |= cards
        self._note(judged)

    def _note(self, judged: Iterable[_Judged]) -> None:
        self._tell([finding for findings, _ in judged for finding in findings])

    def _note_cameras(self) -> None:
        """A camera's loss is told at once, whatever the coup has come to."""
        coups = [summary for _, summary in [*self._closed, *self._open]]
        self._tell(camera_findings(_views(self._all), coups))

    def _tell(self, findings: Iterable[Finding]) -> None:
        new = [finding for finding in findings if finding.id not in self._told]
        self._told |= {finding.id for finding in new}
        self._news += new

    def _new(self) -> list[Finding]:
        news, self._news = self._news, []
        return news


@dataclass(frozen=True, slots=True)
class _Closing:
    """Coups that were closed: the carry that they began from and the events until they ended, how many were
    ``closed`` before, their cards, and when the first of these came."""

    carry: Any
    events: list[Event]
    closed: int
    cards: set[str]
    t_first: float


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is left of the events: what was before it, and where it begins."""

    carry: Any
    begin: int


def _judged(game: AnyGame, events: Sequence[Event], profile: Profile, sight: Sight) -> Iterator[_Judged]:
    """All coups of events in time order; nothing follows."""
    rest = _Rest(game.begin(profile, sight), 0)
    for coups, after in _complete(game, events, profile, sight):
        rest = after
        for start, coup in coups:
            yield game.judge(start, coup, profile, sight)
    for start, coup in game.coups(rest.carry.copy(), events[rest.begin :], profile, sight, True):
        yield game.judge(start, coup, profile, sight)


def _complete(
    game: AnyGame, events: Sequence[Event], profile: Profile, sight: Sight
) -> Iterator[tuple[list[_Begun], _Rest]]:
    """The coups after which another one begins and of whose cards nothing more is read, window by window, and
    what is left after them."""
    last = {event.card_id: i for i, event in enumerate(events) if _shows_card(event)}
    rest, size = _Rest(game.begin(profile, sight), 0), _WINDOW
    while (end := rest.begin + size) < len(events):
        end = _place(events, events[end].t)  # what happened at one time stays together
        found = game.coups(rest.carry.copy(), events[rest.begin : end], profile, sight, False)
        done: list[_Begun] = []
        for start, coup in found[:-1]:
            if any(last.get(card.card_id, 0) >= end for card in coup.cards):
                break
            done.append((start, coup))
        if not done:
            size *= 2
            continue
        carry = found[len(done)][0]
        rest, size = _Rest(carry, max(rest.begin, _place(events, carry.t))), _WINDOW
        yield done, rest


def _closable(found: Sequence[_Begun], events: Sequence[Event]) -> int:
    """How many of these coups are over for good: another one has begun, and nothing is told of their cards
    since."""
    if len(found) < 2:
        return 0
    last = {event.card_id: event.t for event in events if _shows_card(event)}
    for done in range(len(found) - 1, 0, -1):
        t = float(found[done][0].t)
        if all(last.get(card.card_id, -math.inf) < t for _, coup in found[:done] for card in coup.cards):
            return done
    return 0


def _shows_card(event: Event) -> TypeGuard[CardPlaced | CardRead | CardTurned]:
    return isinstance(event, CardPlaced | CardRead | CardTurned)


def _names_card(event: Event) -> TypeGuard[CardRead]:
    return isinstance(event, CardRead) and event.source == "operator"


def _place(events: Sequence[Event], t: float) -> int:
    """The place of the first event that is not before ``t``."""
    return bisect_left(events, t, key=lambda event: event.t)


def _views(events: Iterable[Event]) -> list[ViewLost | ViewBack]:
    """What befell the view."""
    return [event for event in events if isinstance(event, ViewLost | ViewBack)]


def _judgement(game: AnyGame, profile: Profile, coups: list[_Judged], events: list[Event]) -> Judgement:
    summaries = tuple(summary for _, summary in coups)
    return Judgement(
        game=game.name,
        profile=profile.title,
        findings=(
            *(finding for findings, _ in coups for finding in findings),
            *camera_findings(_views(events), summaries),
        ),
        coups=summaries,
        session=game.questions(profile, events),
    )
