"""Chemin de fer: one module for each thing that the regulation speaks of.

``profile`` types what is prescribed. ``reading`` reads the journal into coups; ``deal`` says what was dealt,
as it counts after any error of section VIII; ``outcome`` who won; ``bank_story`` how the bank fares from coup
to coup. ``shoe``, ``dealing``, ``drawing``, ``stakes``, ``bank``, ``garage``, ``claims``, ``settling`` and
``deduction`` judge, and ``judging`` puts a coup's verdicts together.
"""

from rules.baccarat.coup import Coup
from rules.game import Game
from rules.games.chemin_de_fer.judging import judge_coup
from rules.games.chemin_de_fer.profile import CheminDeFerProfile, read
from rules.games.chemin_de_fer.questions import open_questions
from rules.games.chemin_de_fer.reading import BankCarry, begin, coups_of

GAME: Game[CheminDeFerProfile, BankCarry, Coup] = Game(
    "chemin_de_fer", read, begin, coups_of, judge_coup, open_questions
)
