"""Banque à deux tableaux: one module for each thing that the regulation speaks of.

``profile`` types what is prescribed; ``words`` and ``lines`` name bets and what they play; ``reading`` reads
the journal into coups, ``hands`` their cards; ``dealing``, ``holding``, ``told``, ``drawing``, ``restoring``,
``bets``, ``shoe``, ``settling`` and ``bank`` judge them; ``judging`` puts a coup's verdicts together.
"""

from rules.baccarat.coup import Coup
from rules.game import Game
from rules.games.banque_deux_tableaux.judging import judge_coup
from rules.games.banque_deux_tableaux.profile import BanqueProfile, read
from rules.games.banque_deux_tableaux.questions import open_questions
from rules.games.banque_deux_tableaux.reading import BanqueCarry, begin, coups_of

GAME: Game[BanqueProfile, BanqueCarry, Coup] = Game(
    "banque_deux_tableaux", read, begin, coups_of, judge_coup, open_questions
)
