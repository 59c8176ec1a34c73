"""What odds are: the chance of each outcome and the house's edge on each bet, exact or with an interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from rules.profile_document import Profile

FORMAT = "veedor.odds/1"

Progress = Callable[[float], None]
"""Told how much is done, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chance or an edge. ``exact``: None where it was simulated; then ``low`` and ``high`` bound it with
    95 % confidence."""

    name: str
    value: float
    exact: Fraction | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, name: str, exact: Fraction) -> Figure:
        """An exact figure."""
        return cls(name=name, value=float(exact), exact=exact)

    def as_json(self) -> dict[str, Any]:
        """The figure as it stands in the odds' JSON."""
        return {
            "name": self.name,
            "value": self.value,
            "exact": None if self.exact is None else str(self.exact),
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The odds of one game at one table, for the first coup of a full shoe.

    ``choice``: how those who may choose do, empty where nobody may. ``chances``: of what can happen.
    ``edges``: what the house keeps of a unit staked, by bet. ``ways``: orders of cards that were played
    through (exact), or ``rounds`` played from ``seed``. ``notes``: what a reader must know.
    """

    game: str
    profile: str
    packs: int
    chances: tuple[Figure, ...]
    edges: tuple[Figure, ...]
    choice: str = ""
    ways: int | None = None
    rounds: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """One entry under ``odds``."""
        return {
            "game": self.game,
            "profile": self.profile,
            "packs": self.packs,
            "choice": self.choice,
            "method": "exact" if self.rounds is None else "simulated",
            "ways": self.ways,
            "rounds": self.rounds,
            "seed": self.seed,
            "chances": [figure.as_json() for figure in self.chances],
            "edges": [figure.as_json() for figure in self.edges],
            "notes": list(self.notes),
        }


ExactOdds = Callable[[Profile, int, Progress], tuple[Odds, ...]]
"""A game's odds by playing through every coup there can be, with so many packs; one for each choice."""
