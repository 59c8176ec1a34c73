"""Punto banco: one module for each thing that the regulation speaks of.

``profile`` types what is prescribed; ``reading`` reads the journal into coups; ``dealing``, ``drawing``,
``bets`` and ``shoe`` judge them; ``judging`` settles the bets and puts a coup's verdicts together.
"""

from rules.baccarat.coup import Carry, Coup
from rules.game import Game
from rules.games.punto_banco.judging import judge_coup
from rules.games.punto_banco.profile import PuntoBancoProfile, read
from rules.games.punto_banco.questions import open_questions
from rules.games.punto_banco.reading import begin, coups_of

GAME: Game[PuntoBancoProfile, Carry, Coup] = Game(
    "punto_banco", read, begin, coups_of, judge_coup, open_questions
)
