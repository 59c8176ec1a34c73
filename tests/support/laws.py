"""What the simulated sessions of every game are tried with: chaos among the events, and judging live."""

from __future__ import annotations

import random
from dataclasses import replace

from datasets.games.base import PlayedSession
from rules.events import Event
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
