"""Trente et quarante: one module for each thing that the regulation speaks of.

``profile`` types what is prescribed; ``words`` names rows and bets; ``reading`` reads the journal into coups,
``rows`` what they count; ``shoe``, ``dealing``, ``bets``, ``insuring``, ``refait`` and ``settling`` judge
them; ``judging`` puts a coup's verdicts together.
"""

from rules.baccarat.coup import Coup
from rules.game import Game
from rules.games.trente_et_quarante.judging import judge_coup
from rules.games.trente_et_quarante.profile import TrenteProfile, read
from rules.games.trente_et_quarante.questions import open_questions
from rules.games.trente_et_quarante.reading import TrenteCarry, begin, coups_of

GAME: Game[TrenteProfile, TrenteCarry, Coup] = Game(
    "trente_et_quarante", read, begin, coups_of, judge_coup, open_questions
)
