"""Trijoker: one module for each thing that the regulation speaks of.

``profile`` types what is prescribed; ``reading`` reads the journal into hands, ``round`` the course of one,
``hands`` what the cards make; ``bets``, ``told``, ``dealing``, ``annulling``, ``deciding`` and ``settling``
judge them; ``judging`` puts a hand's verdicts together.
"""

from rules.baccarat.coup import Coup
from rules.game import Game
from rules.games.trijoker.judging import judge_coup
from rules.games.trijoker.profile import TrijokerProfile, read
from rules.games.trijoker.questions import open_questions
from rules.games.trijoker.reading import TrijokerCarry, begin, coups_of

GAME: Game[TrijokerProfile, TrijokerCarry, Coup] = Game(
    "trijoker", read, begin, coups_of, judge_coup, open_questions
)
