"""Punto banco: one module for each thing that the regulation speaks of.

``profile`` types what is prescribed, ``articles`` says which row of the table's regulation says a thing;
``reading`` reads the journal into coups; ``shoe``, ``shoe_turn``, ``dealing``, ``hands``, ``drawing``,
``bets``, ``settling``, ``dealers`` and ``spoken`` judge them; ``judging`` puts a coup's verdicts together.
The modules ``uruguay`` have what only Uruguay's state casinos prescribe; ``tables`` tells the two apart.
"""

from rules.baccarat.coup import Coup
from rules.game import Game
from rules.games.punto_banco.judging import judge_coup
from rules.games.punto_banco.profile import PuntoBancoProfile, read
from rules.games.punto_banco.questions import open_questions
from rules.games.punto_banco.reading import TableCarry
from rules.games.punto_banco.tables import begin, coups_of

GAME: Game[PuntoBancoProfile, TableCarry, Coup] = Game(
    "punto_banco", read, begin, coups_of, judge_coup, open_questions
)
