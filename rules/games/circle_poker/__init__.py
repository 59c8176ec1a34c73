"""Circle poker, and Texas Hold'em for cash: players against each other, the house holding the pot.

``profile`` types what is prescribed; ``reading`` reads the journal into hands; ``betting`` is the machine
that knows whose turn it is, ``pots`` shares out to the last chip, ``story`` tells a hand by both;
``dealing``, ``playing``, ``stacks``, ``told`` and ``award`` judge it; ``judging`` puts the verdicts together.
"""

from rules.game import Game
from rules.games.circle_poker.judging import judge_hand
from rules.games.circle_poker.profile import CirclePokerProfile, read
from rules.games.circle_poker.questions import open_questions
from rules.games.circle_poker.reading import Hand, PokerCarry, begin, coups_of

GAME: Game[CirclePokerProfile, PokerCarry, Hand] = Game(
    "circle_poker", read, begin, coups_of, judge_hand, open_questions
)
