"""What every game's simulated sessions are tried with: chaos among the events, lost views, judging live."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from datasets.games.base import PlayedSession
from rules.events import (
    CardCleared,
    CardMoved,
    CardPlaced,
    CardRead,
    CardTurned,
    ChipMove,
    ChipState,
    Cue,
    Event,
    MarkerSeen,
    ViewLost,
)
from rules.findings import Judgement
from rules.judge import Judge


def in_disorder(session: PlayedSession, rng: random.Random) -> list[Event]:
    """A session's events, some lost, some doubled, out of order and some at another time."""
    kept: list[Event] = [event for event in session.events for _ in range(rng.choice((0, 1, 1, 1, 2)))]
    rng.shuffle(kept)
    span = max(event.t for event in session.events)
    return [
        replace(event, seq=number, t=rng.uniform(0, span) if rng.random() < 0.2 else event.t)
        for number, event in enumerate(kept, start=1)
    ]


def judged_live(session: PlayedSession) -> Judgement:
    """The judgement on a session that is told event by event."""
    live = Judge(session.profile)
    for event in session.events:
        live.feed(event)
    live.finish()
    return live.judgement


def with_view_lost(
    events: Sequence[Event], t_from: float, t_to: float | None, spot: str | None
) -> list[Event]:
    """A journal in which the table (or one spot) could not be seen from ``t_from`` to ``t_to``: what happened
    there meanwhile is not told, and what lies otherwise than before is told when the view is back (``t_to``;
    None: never), by nobody's hand. What people say is heard all the same."""
    back = math.inf if t_to is None else t_to
    lost = [e for e in events if t_from <= e.t <= back and not isinstance(e, Cue) and _at(e, spot)]
    gone = {event.seq for event in lost}
    told: list[Event] = [event for event in events if event.seq not in gone]
    told.append(ViewLost(seq=0, t=t_from, reason="dark", t_to=t_to, spot=spot))
    before = [event for event in told if event.t < t_from]
    if t_to is not None:
        told += [replace(event, t=t_to, seq=0) for event in _seen_after(before, lost)]
    told.sort(key=lambda event: event.t)
    return [replace(event, seq=number) for number, event in enumerate(told, start=1)]


def _at(event: Event, spot: str | None) -> bool:
    if spot is None:
        return True
    if isinstance(event, CardMoved | ChipMove):
        return spot in (event.from_spot, event.to_spot)
    return getattr(event, "spot", None) == spot


def _seen_after(before: Iterable[Event], lost: Sequence[Event]) -> Iterator[Event]:
    """What lies otherwise than before, as it is found when the view is back."""
    known = {event.card_id for event in before if isinstance(event, CardPlaced)}
    chips = {event.spot: event for event in lost if isinstance(event, ChipState)}
    yield from (replace(event, hand=None) for event in chips.values())
    markers = {event.marker: event for event in lost if isinstance(event, MarkerSeen)}
    yield from (replace(event, hand=None) for name, event in markers.items() if name in ("button", "shoe"))
    cards: dict[str, list[Event]] = {}
    for event in lost:
        if isinstance(event, CardPlaced | CardTurned | CardMoved | CardCleared | CardRead):
            cards.setdefault(event.card_id, []).append(event)
    for name, changes in cards.items():
        yield from _card_after(name in known, changes)


def _card_after(known: bool, changes: Sequence[Event]) -> Iterator[Event]:
    """A card as it is found: laid down, turned, elsewhere, or gone."""
    last = changes[-1]
    if isinstance(last, CardCleared):
        if known:
            yield replace(last, to_spot=None, hand=None)
        return
    placed = next((event for event in changes if isinstance(event, CardPlaced)), None)
    if placed is None:
        for event in changes:
            yield replace(event, hand=None) if isinstance(event, CardTurned | CardMoved) else event
        return
    for event in changes:
        match event:
            case CardTurned():
                placed = replace(placed, face=event.face, card=event.card or placed.card)
            case CardMoved():
                placed = replace(placed, spot=event.to_spot)
            case CardRead():
                placed = replace(placed, card=event.card)
    yield replace(placed, hand=None)
