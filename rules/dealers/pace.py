"""How fast coups follow one another. Unsuited to compare games, or tables of different size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rules.dealers.sessions import PlayedCoup
from rules.dealers.shifts import Shifts

PAUSE_S = 90.0
"""More than so long between the end of one coup and the beginning of the next is a pause: a shuffle, a fill,
a dispute, a buy-in."""


@dataclass(frozen=True, slots=True)
class Pace:
    """``cycles_s``: from one coup's beginning to the next one's, pauses and what was not seen left out, in
    rising order. ``dealing_s``: time dealt, likewise. ``table_s``: time at the table, pauses and all, from
    the first coup's beginning to the last one's end; ``follows``: how many coups follow another in that time,
    ``follow_s`` after one another, all included."""

    cycles_s: tuple[float, ...] = ()
    dealing_s: float = 0.0
    table_s: float = 0.0
    follows: int = 0
    follow_s: float = 0.0

    def __add__(self, other: Pace) -> Pace:
        return Pace(
            tuple(sorted([*self.cycles_s, *other.cycles_s])),
            self.dealing_s + other.dealing_s,
            self.table_s + other.table_s,
            self.follows + other.follows,
            self.follow_s + other.follow_s,
        )

    @property
    def dealt_an_hour(self) -> float | None:
        """Coups an hour of dealing; None where no two follow one another."""
        time_s = sum(self.cycles_s)
        return 3600 * len(self.cycles_s) / time_s if time_s > 0 else None

    @property
    def at_table_an_hour(self) -> float | None:
        """Coups an hour at the table, pauses and all."""
        return 3600 * self.follows / self.follow_s if self.follow_s > 0 else None

    @property
    def median_s(self) -> float | None:
        """The usual time from one coup's beginning to the next one's."""
        return median(self.cycles_s) if self.cycles_s else None


def pace_of(run: Sequence[PlayedCoup], shifts: Shifts) -> Pace:
    """The pace of coups that one dealer dealt one after another."""
    if not run:
        return Pace()
    cycles: list[float] = []
    dealing_s = sum(max(0.0, coup.t_to - coup.t_from) for coup in run)
    for coup, after in pairwise(run):
        between = after.t_from - coup.t_to
        if between <= PAUSE_S and not shifts.unseen(coup.t_to, after.t_from):
            cycles.append(max(0.0, after.t_from - coup.t_from))
            dealing_s += between  # where one begins before the other's end, that time counts once
    return Pace(
        cycles_s=tuple(sorted(cycles)),
        dealing_s=dealing_s,
        table_s=max(0.0, run[-1].t_to - run[0].t_from),
        follows=len(run) - 1,
        follow_s=max(0.0, run[-1].t_from - run[0].t_from),
    )
