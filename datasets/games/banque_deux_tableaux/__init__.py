"""Simulates the banque à deux tableaux: whole journals by the book, or with any of its faults."""

from __future__ import annotations

from collections.abc import Mapping

from datasets.games.banque_deux_tableaux.faults import RECIPES
from datasets.games.banque_deux_tableaux.session import play
from datasets.games.base import PlayedSession, Simulator
from rules.profile_document import Profile


def _play(profile: Profile, seed: int, rounds: int, faults: Mapping[int, str]) -> PlayedSession:
    return play(RECIPES, profile, seed, rounds, faults)


SIMULATOR = Simulator(
    game="banque_deux_tableaux",
    kinds={name: recipe.kind for name, recipe in RECIPES.items()},
    play=_play,
)
