"""Corrections put where they belong: what a reviewer said of a card or a stack, as if it had been seen so.

A correction is one more event, recorded late. Here the events are brought to what happened, before anything
is judged: an event that was taken back is left out; an operator's reading of a card stands beside the card's
coming to rest (a card is the same card all the time); an operator's reading of a stack is written into the
chip states that show this stack, from when it was put down to when it is next seen changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rules.events import CardPlaced, CardRead, CardTurned, ChipsRead, ChipState, Event, Stack, in_time_order
from rules.looks import Between, between
from rules.sight import Sight, believed


@dataclass(frozen=True, slots=True)
class Happened:
    """``events``: in time order, as corrected. ``open_spots``: where a corrected stack still stands at the
    end, so that the next chip state there shows it again."""

    events: list[Event]
    open_spots: frozenset[str]


def as_corrected(events: Sequence[Event], sight: Sight | None = None) -> Happened:
    """What happened, by a journal's events with all its corrections; ``sight``: which readings count."""
    ordered = in_time_order(list(events))
    readings = [event for event in ordered if _reads_card(event)]
    chips = [event for event in ordered if isinstance(event, ChipsRead)]
    if not readings and not chips:
        return Happened(ordered, frozenset())
    if readings:
        ordered = _cards_read(ordered)
    if not chips:
        return Happened(ordered, frozenset())
    return _chips_read(
        [event for event in ordered if not isinstance(event, ChipsRead)], chips, sight or Sight()
    )


@dataclass(frozen=True, slots=True)
class Look:
    """How a stack was read from ``t`` on, until it was seen changed."""

    t: float
    stack: Stack


def looks(events: Sequence[Event], spot: str, name: str, sight: Sight | None = None) -> list[Look]:
    """The readings of one stack at one spot, a new one each time it was seen changed, without corrections."""
    found: list[Look] = []
    sight = sight or Sight()
    last: Stack | None = None
    t = 0.0
    for event in in_time_order(list(events)):
        if not isinstance(event, ChipState) or event.spot != spot:
            continue
        seen = next((stack for stack in event.stacks if stack.stack == name), None)
        stack = None if seen is None else believed(seen, sight)
        if stack is not None and (last is None or _another(last, stack, event, t, sight)):
            found.append(Look(event.t, stack))
        last, t = stack, event.t
    return found


def _another(old: Stack, new: Stack, event: ChipState, t: float, sight: Sight) -> bool:
    """Whether a stack's chips were seen changed, or may have been, since it was looked at, at ``t``."""
    return between(old, new, event.hand, event.t - t, sight) is not Between.NOTHING


def _reads_card(event: Event) -> bool:
    return isinstance(event, CardRead) and event.source == "operator"


def _cards_read(ordered: list[Event]) -> list[Event]:
    """Each operator's reading at the moment its card came to rest, and in all that shows this card's face; a
    reading of no card is left out."""
    placed: dict[str, float] = {}
    said: dict[str, CardRead] = {}
    for event in ordered:
        if isinstance(event, CardPlaced):
            placed.setdefault(event.card_id, event.t)
        elif isinstance(event, CardRead) and event.source == "operator":
            known = said.get(event.card_id)
            if known is None or known.seq < event.seq:
                said[event.card_id] = event
    corrected: list[Event] = []
    for event in ordered:
        match event:
            case CardRead(source="operator"):
                if event.card_id in placed:
                    corrected.append(replace(event, t=placed[event.card_id]))
            case CardPlaced() | CardTurned() | CardRead() if event.card is not None and event.card_id in said:
                corrected.append(replace(event, card=said[event.card_id].card, p=1.0))
            case _:
                corrected.append(event)
    return sorted(corrected, key=lambda event: (event.t, event.seq))


@dataclass(slots=True)
class _Run:
    """A stack at one spot for as long as it is not seen changed.

    ``last``, ``t``: as it was last seen, and when. ``states``: places in the order of events of the states
    that show it. ``said``: for some of these, what the reviewer said."""

    last: Stack
    t: float
    states: list[int]
    said: dict[int, ChipsRead] = field(default_factory=dict)

    def take(self, read: ChipsRead) -> None:
        """Note a reading at the latest of these states before it; of two there, the later recorded."""
        at = self.states[-1]
        known = self.said.get(at)
        if known is None or known.seq < read.seq:
            self.said[at] = read

    def reading(self, state: int) -> ChipsRead | None:
        """What holds at a state: the last thing said at or before it, else the first said after it."""
        if not self.said:
            return None
        before = [at for at in self.said if at <= state]
        return self.said[max(before) if before else min(self.said)]


def _chips_read(ordered: list[Event], chips: list[ChipsRead], sight: Sight) -> Happened:
    """The chip states with each corrected stack as the reviewer said."""
    spots = {read.spot for read in chips}
    waiting = sorted(chips, key=lambda read: (read.t, read.seq), reverse=True)
    standing: dict[tuple[str, str], _Run] = {}
    runs: list[_Run] = []
    for index, event in enumerate(ordered):
        while waiting and waiting[-1].t < event.t:
            _say(waiting.pop(), standing)
        if isinstance(event, ChipState) and event.spot in spots:
            runs += _follow(event, index, standing, sight)
    while waiting:
        _say(waiting.pop(), standing)
    corrected = list(ordered)
    for run in runs:
        for index in run.states if run.said else ():
            corrected[index] = _rewritten(corrected[index], run.last.stack, run.reading(index))
    return Happened(corrected, frozenset(spot for (spot, _), run in standing.items() if run.said))


def _say(read: ChipsRead, standing: dict[tuple[str, str], _Run]) -> None:
    run = standing.get((read.spot, read.stack))
    if run is not None:
        run.take(read)


def _follow(event: ChipState, index: int, standing: dict[tuple[str, str], _Run], sight: Sight) -> list[_Run]:
    """Bring the runs at a spot up to date; returns those that begin."""
    begun: list[_Run] = []
    shown = {stack.stack: believed(stack, sight) for stack in event.stacks}
    for key in [key for key in standing if key[0] == event.spot and key[1] not in shown]:
        del standing[key]
    for name, stack in shown.items():
        key = (event.spot, name)
        run = standing.get(key)
        if run is None or _another(run.last, stack, event, run.t, sight):
            standing[key] = _Run(stack, event.t, [index])
            begun.append(standing[key])
        else:
            run.last, run.t = stack, event.t
            run.states.append(index)
    return begun


def _rewritten(event: Event, name: str, read: ChipsRead | None) -> Event:
    if read is None or not isinstance(event, ChipState):
        return event
    stacks: Iterable[Stack] = (
        _as_said(stack, read) if stack.stack == name else stack for stack in event.stacks
    )
    return replace(event, stacks=tuple(stacks))


def _as_said(stack: Stack, read: ChipsRead) -> Stack:
    chips = read.denominations
    stack = replace(stack, denominations=chips, count=len(chips), unread=None, p=1.0, may_be=())
    if read.line is None:
        return stack
    return replace(stack, line=read.line or None, p_place=1.0, elsewhere=())
