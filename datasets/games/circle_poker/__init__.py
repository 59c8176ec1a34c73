"""Circle poker's journal simulator: a Texas Hold'em table of five players."""

from datasets.games.base import Simulator
from datasets.games.circle_poker.faults import KINDS
from datasets.games.circle_poker.session import simulate

SIMULATOR = Simulator(game="circle_poker", kinds=KINDS, play=simulate)
