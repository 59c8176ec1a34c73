"""The games of the regulations, by name."""

from __future__ import annotations

import difflib

from rules.errors import ProfileError
from rules.game import AnyGame
from rules.games import (
    banque_deux_tableaux,
    chemin_de_fer,
    circle_poker,
    no_discard_poker,
    punto_banco,
    trente_et_quarante,
    trijoker,
)

GAMES: dict[str, AnyGame] = {
    game.name: game
    for game in (
        punto_banco.GAME,
        chemin_de_fer.GAME,
        banque_deux_tableaux.GAME,
        trijoker.GAME,
        no_discard_poker.GAME,
        circle_poker.GAME,
        trente_et_quarante.GAME,
    )
}
"""The games that can be judged."""


def game_named(name: object) -> AnyGame:
    """The game of this name. Raises ProfileError."""
    if isinstance(name, str) and name in GAMES:
        return GAMES[name]
    close = difflib.get_close_matches(str(name), GAMES, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"the games are {', '.join(GAMES)}."
    raise ProfileError(f"there are no rules for the game {name!r}: {hint}")
