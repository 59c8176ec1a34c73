"""The odds of each game: exact where every coup can be played through, else simulated."""

from __future__ import annotations

from datasets.games import SIMULATORS
from datasets.odds import chemin_de_fer, no_discard_poker, punto_banco, trente_et_quarante, trijoker
from datasets.odds.base import FORMAT, ExactOdds, Odds, Progress
from datasets.odds.simulated import simulated
from rules.errors import VeedorError
from rules.profile_document import Profile

__all__ = ["EXACT", "FORMAT", "ROUNDS", "Odds", "odds_of"]

EXACT: dict[str, ExactOdds] = {
    "punto_banco": punto_banco.odds,
    "chemin_de_fer": chemin_de_fer.odds,
    "trente_et_quarante": trente_et_quarante.odds,
    "no_discard_poker": no_discard_poker.odds,
    "trijoker": trijoker.odds,
}
"""The games whose every coup can be played through."""

ROUNDS = 20_000
"""Rounds of a simulation."""


def odds_of(
    profile: Profile,
    packs: int,
    *,
    rounds: int | None = None,
    seed: int = 1,
    progress: Progress = lambda _: None,
) -> tuple[Odds, ...]:
    """The odds at a table with so many packs; ``rounds``: simulate, though it may be known exactly.

    Raises VeedorError for a game that can be neither enumerated nor simulated.
    """
    if packs < 1:
        raise VeedorError(f"{packs} packs deal nothing: give one at least.")
    if rounds is None and profile.game in EXACT:
        return EXACT[profile.game](profile, packs, progress)
    if profile.game not in SIMULATORS:
        known = ", ".join(sorted({*EXACT, *SIMULATORS}))
        raise VeedorError(f"There are no odds for {profile.game} yet, only for {known}.")
    return (simulated(SIMULATORS[profile.game], profile, packs, rounds or ROUNDS, seed, progress),)
