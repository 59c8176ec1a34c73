"""Whole sessions: hands by the book, with faults where they are asked for."""

from __future__ import annotations

import random
from collections.abc import Mapping

from datasets.games.base import Fault, PlayedSession, check_faults
from datasets.games.circle_poker.faults import PLANS
from datasets.games.circle_poker.script import Script
from datasets.games.circle_poker.table import Order, Table, play
from rules.games.circle_poker.profile import CirclePokerProfile
from rules.profile_document import Profile


def simulate(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    """``rounds`` hands, with the fault named at each hand of ``faults`` (from 1). Raises ValueError."""
    if not isinstance(profile, CirclePokerProfile):
        raise ValueError(f"{profile.title} is not a profile of circle_poker")
    check_faults("circle_poker", PLANS, faults, rounds)
    rng = random.Random(seed)
    table = Table(rng, Order(13 - profile.pack // 4, frozenset(profile.figures)))
    played, made = [], []
    for hand in range(1, rounds + 1):
        script = Script(ending=rng.choice(("folded", "showdown", "showdown", "all_in")))
        script.ante = int(profile.ante or 0)
        for at, name in faults.items():
            steps = PLANS[name].steps
            back = at - hand
            if 0 <= back < len(steps):
                steps[len(steps) - 1 - back](script)
        if hand in faults:
            made.append(Fault(kind=PLANS[faults[hand]].kind, coup=hand))
        if "cards_shuffled" in profile.cues and not any(
            cue == "cards_shuffled" for cue, _, _ in script.before
        ):
            script.before = [("cards_shuffled", "dealer", None)] * 3 + script.before
        played.append(play(table, script))
    table.scribe.t += 20.0
    return PlayedSession(
        game="circle_poker",
        profile=profile,
        seed=seed,
        events=tuple(table.scribe.events),
        rounds=tuple(played),
        faults=tuple(made),
    )
