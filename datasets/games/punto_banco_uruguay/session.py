"""A session of a state casino's table, with the faults asked for."""

from __future__ import annotations

import random
from collections.abc import Mapping

from datasets.games.base import Fault as Made
from datasets.games.base import FaultKind, PlayedRound, PlayedSession, check_faults
from datasets.games.punto_banco_uruguay.faults import Fault
from datasets.games.punto_banco_uruguay.kinds import FAULTS
from datasets.games.punto_banco_uruguay.plan import Plan
from datasets.games.punto_banco_uruguay.table import Table
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.profile_document import Profile

BY_NAME: dict[str, Fault] = {fault.kind.name: fault for fault in FAULTS}
KINDS: dict[str, FaultKind] = {name: fault.kind for name, fault in BY_NAME.items()}


def play(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    """Passes by the book, with a fault of the kind named at the passes given: each in a session of its own,
    with the passes before it that it takes. Raises ValueError for a fault that cannot be made there."""
    assert isinstance(profile, PuntoBancoProfile)
    check_faults("punto_banco_uruguay", BY_NAME, faults, rounds)
    first = _first_passes(faults)
    rng = random.Random(seed)
    table = Table(rng, profile.cues, profile.packs)
    played: list[PlayedRound] = []
    made: list[Made] = []
    for number in range(1, rounds + 1):
        if number > 1 and (number in first or number - 1 in faults):
            table.close()
            played += table.rounds
            table = Table(rng, profile.cues, profile.packs, felt=table.felt, dealt=number - 1)
        name = faults.get(number)
        if name is None:
            table.play(_lead(faults, number, table))
            continue
        fault = BY_NAME[name]
        table.play(fault.make(table))
        spot = f"seat {table.holder} sabot" if fault.spot == "sabot" else fault.spot
        made.append(Made(kind=fault.kind, coup=number, spot=spot))
    return PlayedSession(
        game="punto_banco",
        profile=profile,
        seed=seed,
        events=tuple(table.scribe.events),
        rounds=(*played, *table.rounds),
        faults=tuple(made),
    )


def _first_passes(faults: Mapping[int, str]) -> frozenset[int]:
    """The passes with which the faults' sessions begin."""
    first: set[int] = set()
    free = 1
    for number in sorted(faults):
        name = faults[number]
        begins = number - BY_NAME[name].kind.rounds + 1
        if begins < free:
            raise ValueError(f"the fault {name} takes more passes than there are before pass {number}")
        first.add(begins)
        free = number + 1
    return frozenset(first)


def _lead(faults: Mapping[int, str], number: int, table: Table) -> Plan:
    """The plan of a pass without a fault: the one that the next fault needs before it."""
    later = min((at for at in faults if at > number), default=None)
    if later is None:
        return Plan()
    fault = BY_NAME[faults[later]]
    own = number - (later - fault.kind.rounds)
    return fault.lead(table, own) if own > 0 else Plan()
