"""From chip states to moves: which chips came to a spot and which left it, each time it changed.

A chip state tells a spot's whole content. Between two of them a stack may have been read better (nothing
moved), renamed, or counted for the neighbouring spot though it stayed where it was; only what is left after
that is a move.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Self

from rules.events import ChipState, Hand, MayBe, Owner, Stack
from rules.looks import SAME_PLACE_MM, Between, agree, between, chips_in, near, same_look
from rules.money import sum_of, units
from rules.sight import Gaps, Sight, believed
from rules.spots import Spot

RENAMED_S = 1.5
"""A stack that is told of at another spot within this time, but at the same place, did not move."""
BACK_S = 2.0
"""A stack that was missed for no longer than this, and stands there as before, was only covered."""
SURER_BY = 0.2
"""Of two readings that disagree, one that is surer by this much is believed."""


@dataclass(slots=True)
class Standing:
    """A stack as long as nothing is put on it or taken off; ``stack`` is the best reading so far.

    ``t``: when it was last looked at, seconds. ``disputed``: two looks gave different chips, and neither was
    surer: it counts as unread from then on. ``before``: what stood there when a hand last changed its chips
    into as many others, and the event that told of it.
    """

    stack: Stack
    seq: int
    t: float = -math.inf
    disputed: bool = False
    before: tuple[Standing, int] | None = None

    @property
    def value(self) -> Fraction | None:
        """What it is worth, None if not known."""
        value = self.stack.value
        return None if value is None else units(value)

    def dispute(self, new: Stack, why: str) -> None:
        """Believe neither what was read so far nor the new reading."""
        self.stack = replace(new, denominations=None, count=chips_in(self.stack), unread=why, may_be=())
        self.disputed = True


@dataclass(frozen=True, slots=True)
class Part:
    """Chips that came or went. ``value``: None if not known; ``at_least``: what is known of it; ``whole``: a
    new stack, or one that is gone altogether; ``count``: chips, None if not known."""

    stack: str
    value: Fraction | None
    at_least: int
    count: int | None
    whole: bool
    at_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Move:
    """One change at one spot. ``t_from``: the earliest it may have happened (the spot was covered before).

    ``unclear``: a stack whose chips cannot be counted was changed, or only handled."""

    t: float
    t_from: float
    seq: int
    spot: Spot
    hand: Hand | None
    added: tuple[Part, ...] = ()
    removed: tuple[Part, ...] = ()
    unclear: bool = False

    @property
    def owner(self) -> Owner:
        """Whose hand it was."""
        return self.hand.owner if self.hand is not None else Owner.UNKNOWN

    @property
    def gain(self) -> Fraction | None:
        """What was put down, None if not known."""
        return total(self.added)

    @property
    def loss(self) -> Fraction | None:
        """What was taken, None if not known."""
        return total(self.removed)


def total(parts: tuple[Part, ...]) -> Fraction | None:
    """The parts' value, None if any of it is not known."""
    return sum_of([part.value for part in parts])


Content = dict[str, Standing]


@dataclass(slots=True)
class Board:
    """All stacks on the table, spot by spot, brought up to date with each chip state."""

    sight: Sight
    spots: dict[Spot, Content] = field(default_factory=dict)
    guests: dict[str, tuple[Spot, Spot]] = field(default_factory=dict)
    """Stacks that are told of at another spot, though they have not moved: their own spot, and the other."""

    lifted: list[tuple[float, Spot, Standing]] = field(default_factory=list)
    """Stacks that went a moment ago, and when."""

    def copy(self) -> Self:
        """An independent copy."""
        spots = {
            spot: {name: replace(standing, before=None) for name, standing in content.items()}
            for spot, content in self.spots.items()
        }
        return replace(self, spots=spots, guests=dict(self.guests), lifted=list(self.lifted))

    def read_as(self, read: Callable[[Stack], Stack]) -> Self:
        """An independent copy in which every stack that lies there was read as ``read`` says."""
        board = self.copy()
        for content in board.spots.values():
            for standing in content.values():
                standing.stack = read(standing.stack)
        board.lifted = [
            (t, spot, replace(standing, stack=read(standing.stack))) for t, spot, standing in board.lifted
        ]
        return board

    def at(self, spot: Spot) -> Content:
        """What stands at a spot, by stack name."""
        return self.spots.get(spot, {})

    def apply(self, event: ChipState, gaps: Gaps, before: list[Move]) -> None:
        """Take in a chip state; a change is appended to ``before`` (where a misattributed one is undone)."""
        spot = Spot.parse(event.spot)
        new = {stack.stack: believed(stack, self.sight) for stack in event.stacks}
        content = self.spots.setdefault(spot, {})
        told: dict[Spot, dict[str, Stack]] = {}
        self.lifted = [gone for gone in self.lifted if event.t - gone[0] <= BACK_S]
        for stack in new.values():
            if stack.stack not in content:
                self._come_back(stack, spot, before)
        for name in [name for name in new if name not in content]:
            home = self._home(name, new[name], spot, event, before)
            if home is not None:
                self.guests[name] = (home, spot)
                told.setdefault(home, {})[name] = new.pop(name)
        for name, (home, where) in list(self.guests.items()):
            if where == spot and name not in told.get(home, {}):
                told.setdefault(home, {})  # it is told of here no more: gone, or back at its own spot
        for home, stacks in told.items():
            gone = [n for n, g in self.guests.items() if g == (home, spot) and n not in stacks]
            self._change(home, stacks, gone, event, gaps, before)
        away = {name for name in content if self.guests.get(name, (None, None))[0] == spot}
        for name in new:
            self.guests.pop(name, None)
        self._rename(content, new)
        gone = [name for name in content if name not in new and name not in away]
        self._change(spot, new, gone, event, gaps, before)

    def _change(
        self,
        spot: Spot,
        stacks: dict[str, Stack],
        gone: list[str],
        event: ChipState,
        gaps: Gaps,
        before: list[Move],
    ) -> None:
        """Bring a spot's stacks up to date, and note what came and went."""
        content = self.spots[spot]
        added: list[Part] = []
        removed: list[Part] = []
        unclear = False
        for name in gone:
            self.guests.pop(name, None)
            if name in content:
                standing = content.pop(name)
                removed.append(_part(standing.stack, True))
                if event.hand is None or event.hand.owner is Owner.UNKNOWN:
                    self.lifted.append((event.t, spot, standing))
        for name, stack in stacks.items():
            if name not in content:
                content[name] = Standing(stack, event.seq, event.t)
                added.append(_part(stack, True))
                continue
            old = content[name]
            if self._change_back(spot, old, stack, event, before):
                continue
            unseen = Hand(Owner.UNKNOWN) if gaps.within(spot, old.t, event.t) is not None else None
            change = _compare(old, stack, event.t, event.hand or unseen, self.sight)
            if change.added or change.removed:
                as_many = chips_in(old.stack) == chips_in(stack)
                content[name] = Standing(
                    stack, event.seq, event.t, before=(old, event.seq) if as_many else None
                )
            elif _is_anew(old, stack, event.hand, change.unclear):
                content[name] = Standing(stack, event.seq, event.t)
            added += change.added
            removed += change.removed
            unclear |= change.unclear
        if added or removed or unclear:
            when = gaps.earliest(spot, event.t)
            before.append(
                Move(event.t, when, event.seq, spot, event.hand, tuple(added), tuple(removed), unclear)
            )

    def _come_back(self, stack: Stack, spot: Spot, before: list[Move]) -> None:
        """Undo the leaving of a stack that is seen again as it was, after a moment: it was only covered."""
        for gone in self.lifted:
            t, where, standing = gone
            old = standing.stack
            if (
                where != spot
                or chips_in(old) != chips_in(stack)
                or not near(old, stack)
                or not agree(old, stack)
            ):
                continue
            for index, move in enumerate(before):
                parts = tuple(part for part in move.removed if part.stack != old.stack)
                if move.t == t and move.spot == spot and len(parts) < len(move.removed):
                    before[index] = replace(move, removed=parts)
                    standing.stack, standing.t = replace(old, stack=stack.stack), t
                    self.spots[spot][stack.stack] = standing
                    self.lifted.remove(gone)
                    return

    def _change_back(
        self, spot: Spot, standing: Standing, stack: Stack, event: ChipState, before: list[Move]
    ) -> bool:
        """Undo a change of chips after which, by nobody's hand, the chips as before it are seen again: they
        were misread once."""
        if event.hand is not None or standing.before is None or agree(standing.stack, stack):
            return False
        old, seq = standing.before
        if chips_in(old.stack) != chips_in(stack) or not agree(old.stack, stack):
            return False
        for index, move in enumerate(before):
            if move.seq == seq and move.spot == spot:
                before[index] = replace(
                    move,
                    added=tuple(part for part in move.added if part.whole or part.stack != stack.stack),
                    removed=tuple(
                        part for part in move.removed if part.whole or part.stack != old.stack.stack
                    ),
                )
                old.t, self.spots[spot][stack.stack] = event.t, old
                return True
        return False

    def _rename(self, content: Content, new: dict[str, Stack]) -> None:
        """Give a stack that only changed its name its new name, so that it stays the same stack."""
        for name in [name for name in new if name not in content]:
            missed = [old for old in content if old not in new and near(content[old].stack, new[name])]
            if missed:
                standing = content.pop(missed[0])
                standing.stack = replace(standing.stack, stack=name)
                content[name] = standing

    def _home(self, name: str, stack: Stack, spot: Spot, event: ChipState, before: list[Move]) -> Spot | None:
        """The spot where this stack stands, if it did not move and is only told of at another one now."""
        for other, content in self.spots.items():
            if name in content and other != spot and near(content[name].stack, stack):
                return other
        for index in range(len(before) - 1, -1, -1):
            move = before[index]
            if event.t - move.t > RENAMED_S:
                return None
            for part in move.removed:
                still = math.dist(part.at_mm, stack.at_mm) <= SAME_PLACE_MM
                if part.stack == name and part.whole and move.spot != spot and still:
                    rest = tuple(other for other in move.removed if other is not part)
                    before[index] = replace(move, removed=rest)
                    self.spots[move.spot][name] = Standing(stack, event.seq, event.t)
                    return move.spot
        return None


@dataclass(frozen=True, slots=True)
class _Change:
    added: tuple[Part, ...] = ()
    removed: tuple[Part, ...] = ()
    unclear: bool = False


_NOTHING = _Change()


def _known(stack: Stack) -> int:
    return sum(chip for chip in stack.denominations or () if chip is not None)


def _part(stack: Stack, whole: bool) -> Part:
    value = stack.value
    return Part(
        stack.stack,
        None if value is None else units(value),
        _known(stack),
        chips_in(stack),
        whole,
        stack.at_mm,
    )


def _compare(standing: Standing, new: Stack, t: float, hand: Hand | None, sight: Sight) -> _Change:
    """What happened to a stack up to a look at ``t``. If nothing did, the better reading is kept."""
    old = standing.stack
    before, after = chips_in(old), chips_in(new)
    happened = between(old, new, hand, t - standing.t, sight)
    standing.t = t
    if before is None or after is None:
        return _uncounted(standing, new, happened)
    if happened is Between.NOTHING:
        _look_again(standing, new)
        return _NOTHING
    if happened is Between.UNTOLD:
        standing.dispute(new, "as many other chips were seen after a hand was there: changed or misread")
        return _Change(unclear=True)
    if old.value is not None and new.value is not None:
        gone = Counter(old.denominations or ()) - Counter(new.denominations or ())
        come = Counter(new.denominations or ()) - Counter(old.denominations or ())
        return _Change(_parts(new, come), _parts(old, gone))
    low = max(0, _known(new) - old.value) if old.value is not None else 0
    moved = Part(new.stack, None, low, abs(after - before), False, new.at_mm)
    return _Change((moved,), ()) if after > before else _Change((), (moved,))


def _is_anew(standing: Standing, new: Stack, hand: Hand | None, unclear: bool) -> bool:
    """Whether what was known of a stack counts no more, since a hand may have changed its chips unseen."""
    uncounted = chips_in(standing.stack) is None or chips_in(new) is None
    return (unclear and uncounted) or (hand is not None and _otherwise(standing.stack, new))


def _otherwise(old: Stack, new: Stack) -> bool:
    """Whether a stack that may be one of a few may be others than before."""
    return new.value is None and bool(new.may_be) and new.may_be != old.may_be


def _uncounted(standing: Standing, new: Stack, happened: Between) -> _Change:
    """A stack that could not be counted before or cannot be now."""
    old = standing.stack
    if happened is Between.UNTOLD:
        return _Change(unclear=True)
    if not same_look(old, new):
        standing.stack = new if chips_in(old) is None else _placed(old, new)
    return _NOTHING


def _parts(stack: Stack, chips: Counter[int | None]) -> tuple[Part, ...]:
    if not chips:
        return ()
    value = sum(chip or 0 for chip in chips.elements())
    return (Part(stack.stack, units(value), value, chips.total(), False, stack.at_mm),)


def _placed(old: Stack, new: Stack) -> Stack:
    """A stack as it was read, where it stands now."""
    return replace(old, at_mm=new.at_mm, line=new.line, p_place=new.p_place, elsewhere=new.elsewhere)


def _either_way(old: Stack, new: Stack) -> tuple[MayBe, ...]:
    """What a stack may be by both looks at it."""
    if not old.may_be or not new.may_be:
        return old.may_be or new.may_be
    before = {tuple(sorted(chips.denominations)) for chips in old.may_be}
    return tuple(chips for chips in new.may_be if tuple(sorted(chips.denominations)) in before)


def _look_again(standing: Standing, new: Stack) -> None:
    """Believe both readings together if they agree, else the surer one, else neither."""
    old = standing.stack
    if standing.disputed:
        standing.stack = _placed(old, new)
    elif agree(old, new):
        if old.denominations is None or new.denominations is None:
            denominations = old.denominations if new.denominations is None else new.denominations
        else:
            pairs = zip(old.denominations, new.denominations, strict=True)
            denominations = tuple(b if a is None else a for a, b in pairs)
        standing.stack = replace(
            new,
            denominations=denominations,
            count=chips_in(old),
            p=max(old.p, new.p),
            may_be=_either_way(old, new) if denominations is None or None in denominations else (),
        )
    elif abs(old.p - new.p) >= SURER_BY:
        standing.stack = _placed(old, new) if old.p > new.p else new
    else:
        standing.dispute(new, "two looks at it gave different chips")
