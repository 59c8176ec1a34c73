"""The story of each spot's chips: which stacks stand there, what they are, who was at them last."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from rules.events import Hand, Owner, Stack
from rules.spots import Area, Spot
from vision.chips import ChipSet, StackEvidence, StackReading
from vision.layout import Layout
from vision.telling import Teller, rounded
from vision.tracking import Sight, Thing

_LOOKS = 3
"""Readings of a stack before its spot is told."""
_PATIENCE_S = 1.2
"""So long a changed spot waits for the readings."""
_SURE_CHANGE = 0.9
"""A standing stack that no hand was seen at keeps its content unless another is so sure."""


@dataclass(slots=True, eq=False)
class StackStory:
    """What is known of one stack. ``told``: what the journal has of it."""

    name: str
    spot: Spot
    thing: Thing
    evidence: StackEvidence
    told: Stack | None = None
    line: str | None = None


@dataclass(slots=True, eq=False)
class _Open:
    """A change at a spot that is still being read. ``t``: when it was complete in the picture."""

    t: float
    since: float
    hand: Hand | None
    handled: bool
    sights: list[Sight] = field(default_factory=list)
    altered: set[str] = field(default_factory=set)
    """Standing stacks that a hand changed; told even where the change itself cannot be read."""


class ChipEvents:
    """Tells the chips' events."""

    def __init__(self, teller: Teller, layout: Layout, chips: ChipSet) -> None:
        self._teller = teller
        self._layout = layout
        self._chips = chips
        self._stories: dict[int, StackStory] = {}
        self._open: dict[Spot, _Open] = {}
        self._told: dict[Spot, tuple[Stack, ...]] = {}
        self._count = 0

    def came(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack stands where none was."""
        spot, line = self._place(thing.sight.at_mm, hand)
        if spot.area is not Area.BET:
            return
        self._count += 1
        self._stories[thing.number] = StackStory(
            f"s{self._count}", spot, thing, StackEvidence(self._chips), line=line
        )
        self._changed(spot, t, now, hand, True, thing.sight)

    def touched(self, thing: Thing, t: float, now: float, hand: Hand | None, much: bool) -> None:
        """A stack's picture changed, ``much`` of it: read it anew. ``hand``: who was at it since."""
        story = self._stories.get(thing.number)
        if story is None:
            return
        story.evidence = StackEvidence(self._chips)
        self._changed(story.spot, t, now, hand, hand is not None, thing.sight)
        if hand is not None and much and story.spot in self._open:
            self._open[story.spot].altered.add(story.name)

    def shifted(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack was pushed to another place."""
        story = self._stories.get(thing.number)
        if story is None:
            return
        before = story.spot
        story.spot, story.line = self._place(thing.sight.at_mm, hand)
        story.evidence = StackEvidence(self._chips)
        for spot in dict.fromkeys((before, story.spot)):
            self._changed(spot, t, now, hand, True, thing.sight)

    def went(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack's place is bare."""
        story = self._stories.pop(thing.number, None)
        if story is not None:
            self._changed(story.spot, t, now, hand, True, thing.sight)

    def wants_reading(self, thing: Thing) -> bool:
        """Whether the stack is part of a change that is being read."""
        story = self._stories.get(thing.number)
        return story is not None and story.spot in self._open and len(story.evidence) < _LOOKS

    def read(self, thing: Thing, reading: StackReading) -> None:
        """One more reading of a stack."""
        story = self._stories.get(thing.number)
        if story is not None:
            story.evidence.add(reading)

    def passed(self, now: float) -> None:
        """Time went on: tell of the spots whose change has been read."""
        for spot, change in list(self._open.items()):
            stories = self._at(spot)
            fewest = min((len(story.evidence) for story in stories), default=_LOOKS)
            waited = now - change.since
            if fewest >= _LOOKS or (fewest and waited >= _PATIENCE_S) or waited >= 4 * _PATIENCE_S:
                self._tell(spot, change)

    def finish(self) -> None:
        """The recording ends: tell what is known."""
        for spot, change in list(self._open.items()):
            self._tell(spot, change)

    def _place(self, at_mm: tuple[float, float], hand: Hand | None) -> tuple[Spot, str | None]:
        """The spot and line of a stack. The dealer's chips that miss every box by less than a chip are a
        payment beside the nearest one."""
        radius = self._chips.diameter_mm / 2
        place = self._layout.place(at_mm, radius)
        if place.spot.area in (Area.TABLE, Area.OFF_TABLE) and hand is not None:
            reach = self._chips.diameter_mm * (1.5 if hand.owner is Owner.DEALER else 0.75)
            near = self._layout.place(at_mm, reach)
            if near.spot.area is Area.BET:
                return near.spot, self._layout.line_under(at_mm, radius, near.spot)
        return place.spot, place.line

    def _at(self, spot: Spot) -> list[StackStory]:
        return [story for story in self._stories.values() if story.spot == spot]

    def _changed(
        self, spot: Spot, t: float, now: float, hand: Hand | None, handled: bool, sight: Sight
    ) -> None:
        if spot.area is not Area.BET:
            return
        change = self._open.setdefault(spot, _Open(t, now, hand, False))
        change.t = max(change.t, t)
        change.hand = hand or change.hand
        change.handled = change.handled or handled
        change.sights.append(sight)

    def _tell(self, spot: Spot, change: _Open) -> None:
        del self._open[spot]
        stories = self._at(spot)
        before = self._told.get(spot, ())
        stacks = tuple(self._content(story, change.handled) for story in stories)
        for story, stack in zip(stories, stacks, strict=True):
            story.told = stack
        unread = any(stack.stack in change.altered and stack.count is None for stack in stacks)
        if _same_content(before, stacks) and not unread:
            return
        self._told[spot] = stacks
        sights = [story.thing.sight for story in stories] or change.sights
        self._teller.chip_state(change.t, spot, stacks, sights, change.hand)

    def _content(self, story: StackStory, handled: bool) -> Stack:
        """What a stack is now. What was told of it stands unless a hand was there or the eye is sure."""
        told = story.told
        if not len(story.evidence):
            if told is not None:
                return told
            at = story.thing.sight.at_mm
            return _stack(story, at, None, None, "the stack was not seen long enough to be read", 0.0)
        reading = story.evidence.best()
        if told is not None and not handled and (reading.count is None or reading.p < _SURE_CHANGE):
            return told
        story.line = self._layout.line_under(reading.at_mm, self._chips.diameter_mm / 2, story.spot)
        return _stack(story, reading.at_mm, reading.denominations, reading.count, reading.unread, reading.p)


def _stack(
    story: StackStory,
    at_mm: tuple[float, float],
    denominations: tuple[int | None, ...] | None,
    count: int | None,
    unread: str | None,
    p: float,
) -> Stack:
    return Stack(
        stack=story.name,
        denominations=denominations,
        count=count,
        at_mm=(round(at_mm[0], 1), round(at_mm[1], 1)),
        line=story.line,
        unread=unread,
        p=rounded(p),
    )


def _same_content(one: tuple[Stack, ...], other: tuple[Stack, ...]) -> bool:
    """Whether two contents are the same stacks of the same chips; a push of a few millimetres is nothing."""
    if len(one) != len(other):
        return False
    by_name = {stack.stack: stack for stack in other}
    for stack in one:
        twin = by_name.get(stack.stack)
        if twin is None or (stack.count, stack.denominations) != (twin.count, twin.denominations):
            return False
        if stack.line != twin.line or np.hypot(*np.subtract(stack.at_mm, twin.at_mm)) > 12:
            return False
    return True
