"""A session of a state casino's table, with the faults asked for."""

from __future__ import annotations

import random
from collections.abc import Mapping

from datasets.games.base import Fault as Made
from datasets.games.base import FaultKind, PlayedSession
from datasets.games.punto_banco_uruguay.faults import Fault
from datasets.games.punto_banco_uruguay.kinds import FAULTS
from datasets.games.punto_banco_uruguay.plan import Plan
from datasets.games.punto_banco_uruguay.table import Table
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.profile_document import Profile

BY_NAME: dict[str, Fault] = {fault.kind.name: fault for fault in FAULTS}
KINDS: dict[str, FaultKind] = {name: fault.kind for name, fault in BY_NAME.items()}


def play(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    """Passes by the book, with a fault of the kind named at the passes given. Raises ValueError for a fault
    that cannot be made there."""
    assert isinstance(profile, PuntoBancoProfile)
    table = Table(random.Random(seed), profile.cues, profile.packs)
    made: list[Made] = []
    for number in range(1, rounds + 1):
        name = faults.get(number)
        if name is None:
            table.play(_lead(faults, number, table))
            continue
        if name not in BY_NAME:
            raise ValueError(f"there is no fault {name!r} at this table")
        fault = BY_NAME[name]
        if number != fault.kind.rounds:
            raise ValueError(f"the fault {name} is made in pass {fault.kind.rounds}, not in pass {number}")
        table.play(fault.make(table))
        spot = f"seat {table.spotted} sabot" if fault.spot == "sabot" else fault.spot
        made.append(Made(kind=fault.kind, coup=number, spot=spot))
    return PlayedSession(
        game="punto_banco",
        profile=profile,
        seed=seed,
        events=tuple(table.scribe.events),
        rounds=tuple(table.rounds),
        faults=tuple(made),
    )


def _lead(faults: Mapping[int, str], number: int, table: Table) -> Plan:
    """The plan of a pass without a fault: the one that the next fault needs before it."""
    later = [at for at in faults if at > number]
    if not later or faults[min(later)] not in BY_NAME:
        return Plan()
    return BY_NAME[faults[min(later)]].lead(table, number)
