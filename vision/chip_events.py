"""The story of each spot's chips: which stacks stand there, what they are, who was at them last."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from rules.events import Elsewhere, Hand, Owner, Stack
from rules.spots import OFF_TABLE, TABLE, Spot
from vision.chip_amounts import may_be
from vision.chip_set import ChipSet
from vision.chip_stacks import StackReading
from vision.layout import Layout, Place, holds_chips, takes_bets
from vision.markers import is_button
from vision.placing import WORTH_SAYING, Chance, Placer, Placing
from vision.stack_evidence import StackEvidence
from vision.telling import Teller, rounded
from vision.tracking import Sight, Thing

LOOKS = 3
"""Readings of a stack before its spot is told."""
PATIENCE_S = 1.2
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
    dealers: bool = False
    """The dealer put it there: beside a box it is a payment there."""


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
    """Tells the chips' events. ``placer``: how sure places are; None: they are taken as they are found."""

    def __init__(self, teller: Teller, layout: Layout, chips: ChipSet, placer: Placer | None = None) -> None:
        self._teller = teller
        self._layout = layout
        self._chips = chips
        self._placer = placer
        self._stories: dict[int, StackStory] = {}
        self._open: dict[Spot, _Open] = {}
        self._told: dict[Spot, tuple[Stack, ...]] = {}
        self._told_t: dict[Spot, float] = {}
        self._count = 0

    def came(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack stands where none was."""
        if is_button(thing.sight.spot):
            self._teller.button(t, thing.sight.spot, thing.sight, hand)
            return
        spot = self._place(thing.sight.at_mm, hand).spot
        if not holds_chips(spot):
            return
        self._count += 1
        self._stories[thing.number] = StackStory(
            f"s{self._count}", spot, thing, self._no_evidence(), dealers=_is_dealer(hand)
        )
        self._changed(spot, t, now, hand, True, thing.sight)

    def touched(self, thing: Thing, t: float, now: float, hand: Hand | None, much: bool) -> None:
        """A stack's picture changed, ``much`` of it: read it anew. ``hand``: who was at it since."""
        story = self._stories.get(thing.number)
        if story is None:
            return
        self._read_anew(story, t)
        self._changed(story.spot, t, now, hand, hand is not None, thing.sight)
        if hand is not None and much and story.spot in self._open:
            self._open[story.spot].altered.add(story.name)

    def shifted(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack was pushed to another place."""
        story = self._stories.get(thing.number)
        if story is None:
            return
        before = story.spot
        story.spot, story.dealers = self._place(thing.sight.at_mm, hand).spot, _is_dealer(hand)
        self._read_anew(story, t)
        for spot in dict.fromkeys((before, story.spot)):
            self._changed(spot, t, now, hand, True, thing.sight)

    def went(self, thing: Thing, t: float, now: float, hand: Hand | None) -> None:
        """A stack's place is bare."""
        story = self._stories.pop(thing.number, None)
        if story is not None:
            self._changed(story.spot, t, now, hand, True, thing.sight)

    def name_of(self, thing: Thing) -> str | None:
        """The stack's name in the journal, None if nothing was told of it yet."""
        story = self._stories.get(thing.number)
        return None if story is None or story.told is None else story.name

    def wants_reading(self, thing: Thing) -> bool:
        """Whether the stack is part of a change that is being read."""
        story = self._stories.get(thing.number)
        return story is not None and story.spot in self._open and len(story.evidence) < LOOKS

    def read(self, thing: Thing, reading: StackReading) -> None:
        """One more reading of a stack."""
        story = self._stories.get(thing.number)
        if story is None:
            return
        story.evidence.add(reading)
        if story.told is None and len(story.evidence) >= LOOKS:
            self._settle_spot(story)

    def passed(self, now: float) -> None:
        """Time went on: tell of the spots whose change has been read."""
        for spot, change in list(self._open.items()):
            if self._is_read(self._at(spot), now - change.since):
                self._tell(spot, change)

    def finish(self) -> None:
        """The recording ends: tell what is known."""
        for spot, change in list(self._open.items()):
            self._tell(spot, change)

    def _no_evidence(self) -> StackEvidence:
        """What is known of a stack before its first reading."""
        return StackEvidence(self._chips)

    def _read_anew(self, story: StackStory, t: float) -> None:
        """A stack changed at ``t``: what was read before counts no more."""
        del t
        story.evidence = self._no_evidence()

    def _is_read(self, stories: Sequence[StackStory], waited_s: float) -> bool:
        """Whether the stacks of a changed spot have been read as well as they will be."""
        fewest = min((len(story.evidence) for story in stories), default=LOOKS)
        return fewest >= LOOKS or (fewest > 0 and waited_s >= PATIENCE_S) or waited_s >= 4 * PATIENCE_S

    def _place(self, at_mm: tuple[float, float], hand: Hand | None) -> Place:
        """The spot and line of a stack. The dealer's chips that miss every box by less than a chip are a
        payment beside the nearest one."""
        radius = self._chips.diameter_mm / 2
        place = self._layout.place(at_mm, radius)
        if place.spot in (TABLE, OFF_TABLE) and hand is not None:
            near = self._layout.place(at_mm, self._reach(_is_dealer(hand)))
            if takes_bets(near.spot):
                return Place(near.spot, self._layout.line_under(at_mm, radius, near.spot))
        return place

    def _reach(self, dealers: bool) -> float:
        return self._chips.diameter_mm * (1.5 if dealers else 0.75)

    def _placing(self, story: StackStory, reading: StackReading) -> Placing:
        """Where a stack stands, and how sure."""
        at_mm = reading.at_mm
        reach = self._reach(story.dealers)
        if self._placer is None:
            radius = self._chips.diameter_mm / 2
            line = self._layout.line_under(at_mm, radius, story.spot)
            return Placing((Chance(Place(story.spot, line), 1.0),), math.nan)
        spread_mm = None if reading.scores is None else reading.scores.spread_mm
        return self._placer.place(at_mm, spread_mm=spread_mm, foot=reading.foot, reach_mm=reach)

    def _settle_spot(self, story: StackStory) -> None:
        """Once a new stack has been read, it belongs to the spot where the reading surely puts it."""
        reading = story.evidence.best()
        placing = self._placing(story, reading)
        spot, before = placing.place.spot, story.spot
        if spot == before or not placing.sure or not holds_chips(spot):
            return
        change = self._open.get(before)
        if change is not None:
            story.spot = spot
            self._changed(spot, change.t, change.since, change.hand, change.handled, story.thing.sight)

    def _at(self, spot: Spot) -> list[StackStory]:
        return [story for story in self._stories.values() if story.spot == spot]

    def _changed(
        self, spot: Spot, t: float, now: float, hand: Hand | None, handled: bool, sight: Sight
    ) -> None:
        if not holds_chips(spot):
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
        stacks = tuple(self._content(story, change) for story in stories)
        for story, stack in zip(stories, stacks, strict=True):
            story.told = stack
        unread = any(stack.stack in change.altered and stack.count is None for stack in stacks)
        if _same_content(before, stacks) and not unread:
            return
        self._told[spot], self._told_t[spot] = stacks, change.t
        sights = [story.thing.sight for story in stories] or change.sights
        self._teller.chip_state(change.t, spot, stacks, sights, change.hand)

    def _content(self, story: StackStory, change: _Open) -> Stack:
        """What a stack is now. What was told of it stands unless a hand was there or the eye is sure; what it
        may be, unless a hand changed what was seen of it."""
        told = story.told
        if not len(story.evidence):
            if told is not None:
                return told
            at = story.thing.sight.at_mm
            unread = "the stack was not seen long enough to be read"
            reading = StackReading(at, None, None, None, unread, 0.0)
            return _stack(story, reading, self._placing(story, reading))
        reading = story.evidence.best()
        if told is not None and not change.handled and (reading.count is None or reading.p < _SURE_CHANGE):
            return told
        stack = _stack(story, reading, self._placing(story, reading))
        stack = replace(stack, may_be=may_be(self._chips, reading))
        if told is not None and story.name not in change.altered and _may_be_as_told(told, stack):
            return replace(
                stack,
                denominations=told.denominations,
                count=told.count,
                unread=told.unread,
                p=told.p,
                may_be=told.may_be,
            )
        return stack


def _may_be_as_told(told: Stack, now: Stack) -> bool:
    """Whether a stack that may be one of a few may still be one of them, and no more is known of it now."""
    if not told.may_be or now.value is not None:
        return False
    before = {chips.denominations for chips in told.may_be}
    return not now.may_be or any(chips.denominations in before for chips in now.may_be)


def _is_dealer(hand: Hand | None) -> bool:
    return hand is not None and hand.owner is Owner.DEALER


def _stack(story: StackStory, reading: StackReading, placing: Placing) -> Stack:
    """A stack as it is told: at its spot, with the line that is likeliest there."""
    here = [chance for chance in placing.chances if chance.place.spot == story.spot]
    own = here[0] if here else Chance(Place(story.spot, None), 0.0)
    others: tuple[Chance, ...] = ()
    if not placing.sure or own.place != placing.place:
        others = tuple(c for c in placing.chances if c.place != own.place and c.p >= WORTH_SAYING)
    return Stack(
        stack=story.name,
        denominations=reading.denominations,
        count=reading.count,
        at_mm=(round(reading.at_mm[0], 1), round(reading.at_mm[1], 1)),
        line=own.place.line,
        unread=reading.unread,
        p=rounded(reading.p),
        p_place=rounded(own.p) if others else 1.0,
        elsewhere=tuple(Elsewhere(str(c.place.spot), c.place.line, rounded(c.p)) for c in others),
        error_mm=round(placing.error_mm, 1) if math.isfinite(placing.error_mm) else None,
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
        if (stack.line, bool(stack.elsewhere)) != (twin.line, bool(twin.elsewhere)):
            return False
        if bool(stack.may_be) != bool(twin.may_be):
            return False
        if np.hypot(*np.subtract(stack.at_mm, twin.at_mm)) > 12:
            return False
    return True
