"""Punto banco as it is played: Andorra's large and reduced tables, and Casino Mediterráneo's.

The rules stand here once more, as a dealer would tell them: nothing of ``rules.games`` is used but the
table's profile, so that judge and simulator check each other.
"""

from __future__ import annotations

from datasets.games.base import FaultKind, Simulator
from datasets.games.punto_banco.faults import FAULTS
from datasets.games.punto_banco.session import play

KINDS: dict[str, FaultKind] = {fault.kind.name: fault.kind for fault in FAULTS}

SIMULATOR = Simulator(game="punto_banco", kinds=KINDS, play=play)
