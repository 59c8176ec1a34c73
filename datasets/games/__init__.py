"""Simulators of whole journals, one for each game, by name."""

from __future__ import annotations

from datasets.games import (
    banque_deux_tableaux,
    chemin_de_fer,
    circle_poker,
    no_discard_poker,
    punto_banco,
    trente_et_quarante,
    trijoker,
)
from datasets.games.base import Simulator

SIMULATORS: dict[str, Simulator] = {
    simulator.game: simulator
    for simulator in (
        punto_banco.SIMULATOR,
        chemin_de_fer.SIMULATOR,
        banque_deux_tableaux.SIMULATOR,
        trijoker.SIMULATOR,
        no_discard_poker.SIMULATOR,
        circle_poker.SIMULATOR,
        trente_et_quarante.SIMULATOR,
    )
}
"""The games that can be simulated."""
