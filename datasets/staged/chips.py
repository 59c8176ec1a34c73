"""Chips on a staged felt: piles that hands put down, add to and lift as a journal tells."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from datasets.simulator_types import LiftChips, PlaceChips
from datasets.staged.places import At, Places
from datasets.staged.timeline import DEALER, Timeline
from rules.events import ChipState, Hand, Owner, Stack
from rules.spots import Area, Spot
from vision.layout import Layout

HIGHEST = 12
"""Chips in one pile, at most: more are put beside it."""
_APART_MM = 70.0
"""Stacks that the journal tells so far apart are different bets."""
_UNSEEN = (Area.FLOAT, Area.CAPITAL, Area.TIPS, Area.CAGNOTTE)
"""What goes there is out of sight."""


class ChipsOnFelt:
    """What stands at each spot. ``line``: when hands do what; ``values``: the house's denominations."""

    def __init__(self, line: Timeline, layout: Layout, places: Places, values: Sequence[int]) -> None:
        self.line, self.layout, self.places = line, layout, places
        self.values = sorted(values, reverse=True)
        self.board: dict[str, dict[str, Stack]] = {}
        self.told_mm: dict[str, At] = {}

    def told(self, event: ChipState, *, initial: bool) -> None:
        """Move chips until there is what the journal tells of a spot."""
        spot, standing = Spot.parse(event.spot), self.board.setdefault(event.spot, {})
        if self.layout.zone(spot) is None or spot.area in _UNSEEN:
            return
        hand = event.hand or DEALER
        wanted = {pile.stack: pile for told in event.stacks for pile in self._piles(told)}
        changed = False
        for name in [name for name in standing if _chips_of(wanted.get(name)) != _chips_of(standing[name])]:
            old, new = _chips_of(standing[name]), _chips_of(wanted.get(name))
            if new[: len(old)] == old:
                continue  # more is put on top
            taken = _without(old, new)
            if new and (taken is None or len(taken) + len(new) != len(old)):
                taken = None
            self._lift(spot, name, old if taken is None else taken, () if taken is None else new, hand)
            changed = True
        for name, pile in wanted.items():
            old, new = _chips_of(standing.get(name)), _chips_of(pile)
            if old != new:
                self._put(spot, pile, new[len(old) :], hand, onto=bool(old), initial=initial)
                changed = True
        if changed:
            stacks = tuple(standing.values())
            self.line.seen.append(
                replace(
                    event, t=0.0 if initial else self.line.t, stacks=stacks, hand=None if initial else hand
                )
            )

    def _piles(self, told: Stack) -> Iterable[Stack]:
        """What is put down for a stack: in the house's chips, and no higher than piles are made."""
        chips = [chip for chip in told.denominations or () if chip is not None]
        if any(chip not in self.values for chip in chips):
            chips = self._made(sum(chips))
        for n in range(0, len(chips), HIGHEST):
            name = told.stack if n == 0 else f"{told.stack}+{n // HIGHEST}"
            part = tuple(chips[n : n + HIGHEST])
            yield replace(told, stack=name, denominations=part, count=len(part))

    def _made(self, amount: int) -> list[int]:
        chips: list[int] = []
        for value in self.values:
            chips += [value] * (amount // value)
            amount %= value
        if amount:
            raise ValueError(f"the house has no chips for {amount}")
        return chips

    def _put(
        self, spot: Spot, pile: Stack, chips: tuple[int, ...], hand: Hand, *, onto: bool, initial: bool
    ) -> None:
        standing = self.board[str(spot)]
        if onto:
            at = standing[pile.stack].at_mm
        else:
            at = self.places.chips(spot, pile.line, self.near(spot, pile.at_mm))
        dealer = hand.owner is not Owner.PLAYER
        t = 0.0 if initial else self.line.wait(1.5, 2.0) if dealer else self.line.wait(0.9, 1.4)
        self.told_mm.setdefault(pile.stack, pile.at_mm)
        standing[pile.stack] = replace(pile, at_mm=at)
        self.places.taken[pile.stack] = at
        self.line.actions.append(
            PlaceChips(
                t_from=t if initial else round(t - 0.75, 2),
                t=t,
                t_to=t if initial else round(t + 0.55, 2),
                hand=hand,
                stack=pile.stack,
                spot=spot,
                denominations=chips,
                at_mm=at,
                from_mm=self.places.float_mm if dealer else self.places.from_outside(at),
                line=pile.line,
                onto=onto,
                initial=initial,
            )
        )

    def near(self, spot: Spot, told_mm: At) -> list[At]:
        """Where the stack stands that the journal tells nearest to a place: what is put there is beside it,
        unless it is a bet of its own, far from all that stands at the spot."""
        standing = self.board.get(str(spot), {})
        told = sorted((math.dist(self.told_mm[name], told_mm), name) for name in standing)
        return [standing[name].at_mm for away, name in told[:1] if away < _APART_MM]

    def _lift(self, spot: Spot, name: str, chips: tuple[int, ...], left: tuple[int, ...], hand: Hand) -> None:
        standing = self.board[str(spot)]
        at = standing[name].at_mm
        dealer = hand.owner is not Owner.PLAYER
        t = self.line.wait(1.5, 2.0) if dealer else self.line.wait(0.9, 1.4)
        if left:
            standing[name] = replace(standing[name], denominations=left, count=len(left))
        else:
            del standing[name]
            del self.places.taken[name]
        self.line.actions.append(
            LiftChips(
                t_from=round(t - 0.75, 2),
                t=t,
                t_to=round(t + 0.55, 2),
                hand=hand,
                stack=name,
                spot=spot,
                denominations=chips,
                left=left,
                at_mm=at,
                to_mm=self.places.float_mm if dealer else self.places.from_outside(at),
            )
        )


def _chips_of(stack: Stack | None) -> tuple[int, ...]:
    return () if stack is None else tuple(chip for chip in stack.denominations or () if chip is not None)


def _without(chips: tuple[int, ...], kept: tuple[int, ...]) -> tuple[int, ...] | None:
    """What is lifted off so that ``kept`` stays, None where more than lifting is needed."""
    gone = Counter(chips) - Counter(kept)
    return tuple(gone.elements()) if not Counter(kept) - Counter(chips) else None
