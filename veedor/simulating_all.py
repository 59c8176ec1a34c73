"""All kinds of error of a game in one session, each so that no other hides it.

One error may hide another: the bank is gone that it would have overdrawn, a shoe is over. Which do is not
written down anywhere; so the session is judged, and those that were hidden get other rounds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from datasets.games.base import PlayedSession
from rules.findings import Verdict
from rules.judge import judge
from veedor.choosing import profile_names
from veedor.simulating import all_at_one_table, simulate, simulator_of

_PLAYED = 16
"""So many sessions are played at most."""
_OFTEN = 4
"""An error that was hidden in so many of them is left out."""


@dataclass(frozen=True, slots=True)
class Together:
    """``session``: all errors but those ``apart``, which need another table than the rest. ``hidden``: those
    that the judge cannot give back, others hiding them wherever they were put; they are left out, mostly."""

    session: PlayedSession
    apart: tuple[str, ...]
    hidden: tuple[str, ...]


def simulate_all(
    game: str, rounds: int, seed: int, profile: str | None = None, variant: str | None = None
) -> Together:
    """Play rounds of a game with every kind of error, each once, in a round of its own. The same arguments
    give the same session.

    Raises VeedorError for a game, profile or variant that there is not, and if the rounds are too few.
    """
    asked = profile or profile_with_errors(game)
    names, apart = all_at_one_table(game, asked, variant)
    times: Counter[str] = Counter()
    best: tuple[int, PlayedSession, list[str]] | None = None
    for again in range(_PLAYED):
        left = [name for name in names if times[name] < _OFTEN]
        session = simulate(game, rounds, seed + again * 7_000_003, left, asked, variant)
        missed = hidden_in(session)
        unseen = [name for name in names if name not in left or name in missed]
        if best is None or len(unseen) <= best[0]:
            best = len(unseen), session, unseen
        if not missed:
            break
        times.update(missed)
    assert best is not None
    return Together(best[1], tuple(apart), tuple(best[2]))


def profile_with_errors(game: str) -> str | None:
    """The first profile of a game of which its simulator knows errors."""
    known = {kind.profile for kind in simulator_of(game).kinds.values()}
    return next((name for name in profile_names(game) if name in known), None)


def hidden_in(session: PlayedSession) -> set[str]:
    """The errors of a session whose finding the judge does not give."""
    found = {
        (finding.coup, finding.rule, finding.code)
        for finding in judge(session.events, session.profile).findings
        if finding.verdict is Verdict.BREACH
    }
    return {
        fault.kind.name
        for fault in session.faults
        if (fault.coup, fault.kind.rule, fault.kind.code) not in found
    }
