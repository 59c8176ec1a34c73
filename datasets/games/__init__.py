"""Simulators of whole journals, one for each game, by name."""

from __future__ import annotations

from datasets.games.base import Simulator

SIMULATORS: dict[str, Simulator] = {}
"""The games that can be simulated."""
