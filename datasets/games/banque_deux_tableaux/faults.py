"""Every kind of fault that can be put into a coup, by name."""

from __future__ import annotations

from datasets.games.banque_deux_tableaux.faults_cards import CARDS
from datasets.games.banque_deux_tableaux.faults_chips import CHIPS
from datasets.games.banque_deux_tableaux.faults_told import TOLD
from datasets.games.banque_deux_tableaux.session import Recipe

RECIPES: dict[str, Recipe] = {recipe.kind.name: recipe for recipe in (*CARDS, *CHIPS, *TOLD)}
