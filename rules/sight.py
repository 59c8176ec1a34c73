"""How well the table was seen: what may be believed of a reading, and when a spot was out of view."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.events import Event, Stack, ViewBack, ViewLost
from rules.spots import Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What counts as seen. ``card_p``, ``chip_p``: readings less sure than this count as unread;
    ``composition_p``: cards must be read this surely before their number in the shoe is held against them;
    ``change_p``: two readings of as many chips must be right together this surely before they are held for a
    change of chips."""

    card_p: float = 0.6
    chip_p: float = 0.6
    composition_p: float = 0.9
    change_p: float = 0.9


def believed(stack: Stack, sight: Sight) -> Stack:
    """The stack as far as its reading may be believed."""
    if stack.p >= sight.chip_p:
        return stack
    why = stack.unread or f"read with a probability of {stack.p:.2f} only"
    return replace(stack, denominations=None, count=None, unread=why)


@dataclass(frozen=True, slots=True)
class Gap:
    """A spot (None: the whole table) could not be seen from ``t_from`` to ``t_to``; ``seq``: the event that
    told it."""

    t_from: float
    t_to: float
    spot: Spot | None
    reason: str
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Gaps:
    """All times when something could not be seen."""

    all: tuple[Gap, ...] = ()

    @classmethod
    def of(cls, events: Iterable[Event], before: tuple[Gap, ...] = ()) -> Gaps:
        """The gaps that a journal's events tell of, after those ``before``, which may end in these events."""
        gaps = list(before)
        ends: dict[int, float] = {}
        for event in events:
            if isinstance(event, ViewLost) and event.hides:
                t_to = math.inf if event.t_to is None else event.t_to
                spot = None if event.spot is None else Spot.parse(event.spot)
                gaps.append(Gap(event.t, t_to, spot, event.reason.replace("_", " "), event.seq))
            elif isinstance(event, ViewBack):
                ends[event.lost] = event.t
        return cls(
            tuple(replace(gap, t_to=min(gap.t_to, ends[gap.seq])) if gap.seq in ends else gap for gap in gaps)
        )

    def at(self, spot: Spot, t: float) -> Gap | None:
        """The gap in which this spot could not be seen at ``t`` (just ended counts), the longest one."""
        inside = [gap for gap in self.all if gap.spot in (None, spot) and gap.t_from <= t <= gap.t_to + 0.2]
        return min(inside, key=lambda gap: gap.t_from, default=None)

    def within(self, spot: Spot, t_from: float, t_to: float) -> Gap | None:
        """A gap of this spot that overlaps a span of time, or None."""
        return next(
            (
                gap
                for gap in self.all
                if gap.spot in (None, spot) and gap.t_from <= t_to and gap.t_to >= t_from
            ),
            None,
        )

    def earliest(self, spot: Spot, t: float) -> float:
        """The earliest time at which something seen at ``t`` may have happened."""
        gap = self.at(spot, t)
        return t if gap is None else gap.t_from
