"""Punto banco: one module for each thing that the regulation speaks of.

``profile`` types what is prescribed; ``coup`` reads the journal into coups; ``dealing``, ``drawing``,
``bets``, ``settlement`` and ``shoe`` judge them; ``judging`` puts a coup's verdicts together.
"""

from rules.game import Game
from rules.games.punto_banco.coup import Carry, Coup, begin, coups_of
from rules.games.punto_banco.judging import judge_coup
from rules.games.punto_banco.profile import PuntoBancoProfile, read
from rules.games.punto_banco.questions import open_questions

GAME: Game[PuntoBancoProfile, Carry, Coup] = Game(
    "punto_banco", read, begin, coups_of, judge_coup, open_questions
)
