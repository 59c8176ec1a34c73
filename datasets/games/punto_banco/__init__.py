"""Punto banco as it is played: Andorra's large and reduced tables, Casino Mediterráneo's, and those of
Uruguay's state casinos (``datasets.games.punto_banco_uruguay``).

The rules stand here once more, as a dealer would tell them: nothing of ``rules.games`` is used but the
table's profile, so that judge and simulator check each other.
"""

from __future__ import annotations

from collections.abc import Mapping

from datasets.games import punto_banco_uruguay
from datasets.games.base import FaultKind, PlayedSession, Simulator
from datasets.games.punto_banco import session
from datasets.games.punto_banco.faults import FAULTS
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.profile_document import Profile

KINDS: dict[str, FaultKind] = {fault.kind.name: fault.kind for fault in FAULTS} | punto_banco_uruguay.KINDS


def play(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    """Coups as the table's regulation has them. Raises ValueError for a fault that cannot be made there."""
    uruguay = isinstance(profile, PuntoBancoProfile) and profile.uruguay is not None
    return (punto_banco_uruguay.play if uruguay else session.play)(profile, seed, rounds, faults)


SIMULATOR = Simulator(game="punto_banco", kinds=KINDS, play=play)
