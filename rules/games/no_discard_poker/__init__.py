"""No-discard poker: one module for each thing that the regulation speaks of.

``profile`` types what is prescribed; ``words`` names hands and bets; ``reading`` reads the journal into
rounds, ``hands`` says what their cards are worth; ``dealing``, ``betting``, ``told``, ``settling`` and
``side_bets`` judge them; ``judging`` puts a round's verdicts together.
"""

from rules.game import Game
from rules.games.no_discard_poker.judging import judge_coup
from rules.games.no_discard_poker.profile import PokerProfile, read
from rules.games.no_discard_poker.questions import open_questions
from rules.games.no_discard_poker.reading import PokerCarry, Round, begin, coups_of

GAME: Game[PokerProfile, PokerCarry, Round] = Game(
    "no_discard_poker", read, begin, coups_of, judge_coup, open_questions
)
