"""Punto y banca at the tables of Uruguay's state casinos: the shoe and the bank in a player's hands.

The rules stand here once more, as a payer would tell them: nothing of ``rules.games`` is used but the table's
profile, so that judge and simulator check each other.
"""

from datasets.games.punto_banco_uruguay.session import KINDS, play

__all__ = ["KINDS", "play"]
