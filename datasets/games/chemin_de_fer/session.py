"""Whole sessions: coups by the book, with faults where they are asked for."""

from __future__ import annotations

import random
from collections.abc import Mapping

from datasets.games.base import Fault, PlayedSession, check_faults
from datasets.games.chemin_de_fer.faults import PLANS
from datasets.games.chemin_de_fer.playing import play
from datasets.games.chemin_de_fer.script import Script
from datasets.games.chemin_de_fer.table import Table
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.profile_document import Profile


def simulate(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    """``rounds`` coups, with the fault named at each coup of ``faults`` (from 1). Raises ValueError."""
    if not isinstance(profile, CheminDeFerProfile):
        raise ValueError(f"{profile.title} is not a profile of chemin_de_fer")
    check_faults("chemin_de_fer", PLANS, faults, rounds)
    table = Table(random.Random(seed), profile.cues)
    played, made = [], []
    for coup in range(1, rounds + 1):
        script = Script()
        coming, here = faults.get(coup + 1), faults.get(coup)
        if coming is not None and (prepare := PLANS[coming].prepare) is not None:
            prepare(script, table)
        if here is not None:
            PLANS[here].make(script, table)
            made.append(Fault(kind=PLANS[here].kind, coup=coup))
        played.append(play(table, script))
    return PlayedSession(
        game="chemin_de_fer",
        profile=profile,
        seed=seed,
        events=tuple(table.scribe.events),
        rounds=tuple(played),
        faults=tuple(made),
    )
