"""Stacks that were not read to the last chip, but may be one of a few: their coup judged in every way.

What a stack may be stands in the journal (``Stack.may_be``). A coup in which such stacks lie is read and
judged once for each way in which they may be, as if they had been seen to be that; what holds of all ways is
what is said (:mod:`rules.agreement`). So no game need know of it. A stack that is told of again as it was is
one stack: it is the same in every way. Where there are too many ways to try, the stacks of one seat are tried
while all others count as unread.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from typing import Any

from rules.agreement import Judged, Tried, agreed, one_of
from rules.events import ChipState, Event, Hand, MayBe, Owner, Stack
from rules.game import AnyGame
from rules.looks import CHANGE_S
from rules.money import readable
from rules.profile_document import Profile
from rules.seen_cards import SeenCard
from rules.sight import Sight
from rules.spots import Spot

_MOST_TOGETHER, _MOST, _MOST_IN_ALL = 16, 96, 144
"""Ways that are tried of all of a coup's stacks together, of the stacks of one seat, and in all."""

_LEAST_P = 0.9
"""So likely the ways that a stack may be must be together: of fewer it is none too often."""
_SLACK_P = 0.01
"""By so much their probabilities may be more than 1: they are rounded."""
_MOSTLY = 0.5
"""What a stack is likelier to be worth than this, it is said to be most likely."""

_Key = tuple[str, tuple[MayBe, ...]]
"""A stack as it was told of: its name, and what it may be."""
_Way = dict[_Key, MayBe]


def in_every_way(game: AnyGame) -> AnyGame:
    """The same game, judging coups with stacks that may be one of a few in every way."""
    return replace(game, coups=partial(_coups, game), judge=partial(_judge, game))


@dataclass(frozen=True, slots=True)
class _Open:
    """A coup with such stacks. ``events``: from its close to the next coup's end; ``ended``: nothing follows
    them. ``readings``: of each such stack, in time order."""

    coup: Any
    events: Sequence[Event]
    ended: bool
    readings: Mapping[str, list[_Reading]]

    @property
    def cards(self) -> list[SeenCard]:
        """The coup's cards."""
        return list(self.coup.cards)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A stack as it was told of at one time, at one spot. ``hand``: whose was there last."""

    t: float
    spot: Spot
    hand: Hand | None
    stack: Stack

    @property
    def key(self) -> _Key:
        """What tells it from other readings."""
        return self.stack.stack, _may_be(self.stack)


def _may_be(stack: Stack) -> tuple[MayBe, ...]:
    """What an unread stack may be; of one that was read, that; empty if nothing is known."""
    if stack.value is not None and stack.denominations is not None:
        return (MayBe(tuple(chip for chip in stack.denominations if chip is not None), 1.0),)
    return stack.may_be


def _is_open(stack: Stack) -> bool:
    return bool(stack.may_be) and stack.value is None


def _makes_sense(stack: Stack) -> bool:
    """Whether what is told of the ways a stack may be can be believed: there are chips in each, as many as
    were counted in one of them, and they are likely enough."""
    likely = math.fsum(chips.p for chips in stack.may_be)
    return (
        _LEAST_P <= likely <= 1 + _SLACK_P
        and all(chips.denominations and min(chips.denominations) > 0 for chips in stack.may_be)
        and (stack.count is None or any(len(one.denominations) == stack.count for one in stack.may_be))
    )


def _believed(event: Event) -> Event:
    """The event, its stacks without ways that make no sense."""
    if not isinstance(event, ChipState) or all(_makes_sense(s) for s in event.stacks if s.may_be):
        return event
    told = (
        stack if not stack.may_be or _makes_sense(stack) else replace(stack, may_be=())
        for stack in event.stacks
    )
    return replace(event, stacks=tuple(told))


def _coups(
    game: AnyGame, carry: Any, events: Sequence[Event], profile: Profile, sight: Sight, ended: bool
) -> list[tuple[Any, Any]]:
    """The coups, those with such stacks with what is needed to try the ways."""
    events = [_believed(event) for event in events]
    found = game.coups(carry, events, profile, sight, ended)
    doubtful = any(isinstance(e, ChipState) and any(map(_is_open, e.stacks)) for e in events)
    if not found or not (doubtful or any(map(_is_open, _lying(found[0][0])))):
        return found
    cuts = [bisect_left(events, start.t, key=lambda event: event.t) for start, _ in found]
    cuts += [len(events)] * 2
    told: list[tuple[Any, Any]] = []
    for number, (start, coup) in enumerate(found):
        readings = _readings(start, events[cuts[number] : cuts[number + 1]])
        if readings:
            until = cuts[number + 2]
            coup = _Open(coup, events[cuts[number] : until], ended and until == len(events), readings)
        told.append((start, coup))
    return told


def _lying(start: Any) -> Iterator[Stack]:
    for content in start.board.spots.values():
        for standing in content.values():
            yield standing.stack


def _readings(start: Any, events: Sequence[Event]) -> dict[str, list[_Reading]]:
    """The readings of every stack that once may have been one of a few."""
    found: dict[str, list[_Reading]] = {}
    for spot, content in start.board.spots.items():
        for standing in content.values():
            found.setdefault(standing.stack.stack, []).append(
                _Reading(standing.t, spot, None, standing.stack)
            )
    for event in events:
        if isinstance(event, ChipState):
            for stack in event.stacks:
                reading = _Reading(event.t, Spot.parse(event.spot), event.hand, stack)
                found.setdefault(stack.stack, []).append(reading)
    return {name: told for name, told in found.items() if any(_is_open(r.stack) for r in told)}


def _judge(game: AnyGame, start: Any, coup: Any, profile: Profile, sight: Sight) -> Judged:
    """All verdicts on one coup: as far as it was seen, and what holds in every way."""
    if not isinstance(coup, _Open):
        return game.judge(start, coup, profile, sight)
    seen = game.judge(start, coup.coup, profile, sight)
    tried = [
        Tried(_told(readings), ways)
        for readings in _groups(coup.readings)
        if (ways := _try(game, start, coup, readings, profile, sight))
    ]
    return agreed(seen, tried)


def _groups(readings: Mapping[str, list[_Reading]]) -> list[dict[str, list[_Reading]]]:
    """The stacks that are tried together: all, or if they are too many those of one seat, those of a spot."""
    if _number(readings) <= _MOST_TOGETHER:
        return [dict(readings)]
    by_seat: dict[str, dict[str, list[_Reading]]] = {}
    for name, told in readings.items():
        spot = told[0].spot
        by_seat.setdefault(str(spot if spot.seat is None else spot.seat), {})[name] = told
    groups: list[dict[str, list[_Reading]]] = []
    for group in by_seat.values():
        if _number(group) <= _MOST:
            groups.append(group)
            continue
        by_spot: dict[Spot, dict[str, list[_Reading]]] = {}
        for name, told in group.items():
            by_spot.setdefault(told[0].spot, {})[name] = told
        groups += [part for part in by_spot.values() if _number(part) <= _MOST]
    return _affordable(groups)


def _affordable(groups: Sequence[dict[str, list[_Reading]]]) -> list[dict[str, list[_Reading]]]:
    """As many of them as there is time for, those with the fewest ways first."""
    left, chosen = _MOST_IN_ALL, []
    for group in sorted(groups, key=_number):
        left -= _number(group)
        if left >= 0:
            chosen.append(group)
    return chosen


def _open_keys(readings: Mapping[str, list[_Reading]]) -> list[_Key]:
    return list(dict.fromkeys(r.key for told in readings.values() for r in told if _is_open(r.stack)))


def _number(readings: Mapping[str, list[_Reading]]) -> int:
    return math.prod(len(may_be) for _, may_be in _open_keys(readings))


def _ways(readings: Mapping[str, list[_Reading]]) -> list[tuple[float, _Way]]:
    """Every way in which these stacks may be, with how likely it is, the likeliest first."""
    keys = _open_keys(readings)
    found: list[tuple[float, _Way]] = []
    for choice in product(*(may_be for _, may_be in keys)):
        way = dict(zip(keys, choice, strict=True))
        if all(_holds(told, way) for told in readings.values()):
            found.append((math.prod(chips.p for chips in choice), way))
    return sorted(found, key=lambda one: -one[0])


def _holds(told: Sequence[_Reading], way: _Way) -> bool:
    """Whether a stack may have been that at all these times: without a hand, or in no time, chips do not
    become others."""
    for before, after in pairwise(told):
        one, other = _chips(before, way), _chips(after, way)
        if one is None or other is None or one == other:
            continue
        if after.t - before.t < CHANGE_S or (after.hand is None and len(one) == len(other)):
            return False
    return True


def _chips(reading: _Reading, way: _Way) -> list[int] | None:
    may_be = _may_be(reading.stack)
    if not may_be:
        return None
    return sorted(way.get(reading.key, may_be[0]).denominations)


def _try(
    game: AnyGame,
    start: Any,
    coup: _Open,
    readings: Mapping[str, list[_Reading]],
    profile: Profile,
    sight: Sight,
) -> list[tuple[float, Judged]]:
    """The coup judged in every way, the likeliest first; empty if it would be another coup in one of them."""
    judged: list[tuple[float, Judged]] = []
    for p, way in _ways(readings):
        began = start.copy()
        began.board = began.board.read_as(partial(_as, way))
        events = [_event_as(way, event) for event in coup.events]
        found = game.coups(began, events, profile, sight, coup.ended)
        if not found or found[0][0].t != start.t or len(found[0][1].cards) != len(coup.cards):
            return []
        judged.append((p, game.judge(*found[0], profile, sight)))
    return judged


def _event_as(way: _Way, event: Event) -> Event:
    if not isinstance(event, ChipState) or not any(map(_is_open, event.stacks)):
        return event
    return replace(event, stacks=tuple(_as(way, stack) for stack in event.stacks))


def _as(way: _Way, stack: Stack) -> Stack:
    """The stack as it is in this way."""
    chips = way.get((stack.stack, stack.may_be)) if _is_open(stack) else None
    if chips is None:
        return stack
    count = len(chips.denominations)
    return replace(stack, denominations=chips.denominations, count=count, unread=None, p=1.0, may_be=())


def _told(readings: Mapping[str, list[_Reading]]) -> list[tuple[Spot, str]]:
    """Where these stacks stand, and what they may be worth, in words."""
    worth: dict[tuple[Spot, str], list[str]] = {}
    for times in readings.values():
        by_dealer = times[0].hand is not None and times[0].hand.owner is Owner.DEALER
        worth.setdefault((times[0].spot, "dealer's stack" if by_dealer else "stack"), []).append(
            _worth(times)
        )
    return [
        (spot, f"the {what}{'s' if len(amounts) > 1 else ''} at {spot} may be worth {', and '.join(amounts)}")
        for (spot, what), amounts in worth.items()
    ]


def _worth(times: Sequence[_Reading]) -> str:
    """What a stack may be worth, in words, and what it most likely is."""
    likely: dict[int, float] = {}
    ways = [chips for reading in times if _is_open(reading.stack) for chips in reading.stack.may_be]
    for chips in ways:
        likely[chips.value] = likely.get(chips.value, 0.0) + chips.p
    most = max(likely, key=lambda value: likely[value])
    sure = likely[most] > _MOSTLY * math.fsum(chips.p for chips in ways)
    return one_of(likely) + (f", most likely {readable(most)}" if sure and len(likely) > 1 else "")
