"""Chemin de fer's journal simulator: a table of five players, who deal in turn."""

from datasets.games.base import Simulator
from datasets.games.chemin_de_fer.faults import KINDS
from datasets.games.chemin_de_fer.session import simulate

SIMULATOR = Simulator(game="chemin_de_fer", kinds=KINDS, play=simulate)
