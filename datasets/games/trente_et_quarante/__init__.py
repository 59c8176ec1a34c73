"""Simulates trente et quarante: whole journals by the book, or with any of its faults."""

from __future__ import annotations

from datasets.games.base import Simulator
from datasets.games.trente_et_quarante.faults import RECIPES
from datasets.games.trente_et_quarante.session import play

SIMULATOR = Simulator(
    game="trente_et_quarante", kinds={name: recipe.kind for name, recipe in RECIPES.items()}, play=play
)
