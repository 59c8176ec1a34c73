"""Simulates Trijoker: whole journals by the book, or with any of its faults."""

from __future__ import annotations

from collections.abc import Mapping

from datasets.games.base import PlayedSession, Simulator
from datasets.games.trijoker.faults import RECIPES
from datasets.games.trijoker.session import play
from rules.profile_document import Profile


def _play(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    return play(RECIPES, profile, seed, rounds, faults)


SIMULATOR = Simulator(
    game="trijoker", kinds={name: recipe.kind for name, recipe in RECIPES.items()}, play=_play
)
