"""From chip states to moves: which chips came to a spot and which left it, each time it changed.

A chip state tells a spot's whole content. Between two of them a stack may have been read better (nothing
moved), renamed, or counted for the neighbouring spot though it stayed where it was; only what is left after
that is a move.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction

from rules.events import ChipState, Hand, Owner, Stack
from rules.sight import Gaps, Sight, believed
from rules.spots import Spot

SAME_PLACE_MM = 12.0
"""A stack that appears this near to one that is missed is that stack."""
RENAMED_S = 1.5
"""... if it appears at another spot within this time."""
BACK_S = 2.0
"""A stack that was missed for no longer than this, and stands there as before, was only covered."""
SURER_BY = 0.2
"""Of two readings that disagree, one that is surer by this much is believed."""


@dataclass(slots=True)
class Standing:
    """A stack as long as nothing is put on it or taken off; ``stack`` is the best reading so far.

    ``disputed``: two looks gave different chips, and neither was surer: it counts as unread from then on.
    """

    stack: Stack
    seq: int
    disputed: bool = False

    @property
    def value(self) -> Fraction | None:
        """What it is worth, None if not known."""
        value = self.stack.value
        return None if value is None else Fraction(value)


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
    if len(parts) == 1:
        return parts[0].value
    known = [part.value for part in parts if part.value is not None]
    return sum(known, Fraction(0)) if len(known) == len(parts) else None


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

    def copy(self) -> Board:
        """An independent copy."""
        spots = {
            spot: {name: replace(standing) for name, standing in content.items()}
            for spot, content in self.spots.items()
        }
        return Board(self.sight, spots, dict(self.guests), list(self.lifted))

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
                content[name] = Standing(stack, event.seq)
                added.append(_part(stack, True))
                continue
            change = _compare(content[name], stack, event)
            if change.added or change.removed:
                content[name] = Standing(stack, event.seq)
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
            if where != spot or _count(old) != _count(stack) or not near(old, stack) or not agree(old, stack):
                continue
            for index, move in enumerate(before):
                parts = tuple(part for part in move.removed if part.stack != old.stack)
                if move.t == t and move.spot == spot and len(parts) < len(move.removed):
                    before[index] = replace(move, removed=parts)
                    standing.stack = replace(old, stack=stack.stack)
                    self.spots[spot][stack.stack] = standing
                    self.lifted.remove(gone)
                    return

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
            if other != spot and name in content and near(content[name].stack, stack):
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
                    self.spots[move.spot][name] = Standing(stack, event.seq)
                    return move.spot
        return None


def near(one: Stack, other: Stack) -> bool:
    """Whether two stacks stand at the same place."""
    return math.dist(one.at_mm, other.at_mm) <= SAME_PLACE_MM


@dataclass(frozen=True, slots=True)
class _Change:
    added: tuple[Part, ...] = ()
    removed: tuple[Part, ...] = ()
    unclear: bool = False


_NOTHING = _Change()


def _count(stack: Stack) -> int | None:
    return len(stack.denominations) if stack.denominations is not None else stack.count


def _known(stack: Stack) -> int:
    return sum(chip for chip in stack.denominations or () if chip is not None)


def _part(stack: Stack, whole: bool) -> Part:
    value = stack.value
    return Part(
        stack.stack,
        None if value is None else Fraction(value),
        _known(stack),
        _count(stack),
        whole,
        stack.at_mm,
    )


def _compare(standing: Standing, new: Stack, event: ChipState) -> _Change:
    """What happened to a stack between two looks. If nothing did, the better reading is kept."""
    old = standing.stack
    before, after = _count(old), _count(new)
    if before is None or after is None:
        return _uncounted(standing, new, event)
    if not seen_changed(old, new, event.hand):
        _look_again(standing, new)
        return _NOTHING
    if old.value is not None and new.value is not None:
        gone = Counter(old.denominations or ()) - Counter(new.denominations or ())
        come = Counter(new.denominations or ()) - Counter(old.denominations or ())
        return _Change(_parts(new, come), _parts(old, gone))
    low = max(0, _known(new) - old.value) if old.value is not None else 0
    moved = Part(new.stack, None, low, abs(after - before), False, new.at_mm)
    return _Change((moved,), ()) if after > before else _Change((), (moved,))


def _uncounted(standing: Standing, new: Stack, event: ChipState) -> _Change:
    """A stack that could not be counted before or cannot be now."""
    old = standing.stack
    if _same_look(old, new):
        return _NOTHING
    if event.hand is not None and event.hand.owner is Owner.DEALER:
        return _Change(unclear=True)
    standing.stack = new if _count(old) is None else _placed(old, new)
    return _NOTHING


def _same_look(old: Stack, new: Stack) -> bool:
    """Whether a stack that cannot be counted looks as before."""
    same = (old.denominations, old.count) == (new.denominations, new.count)
    return same and math.dist(old.at_mm, new.at_mm) <= 2.0


def seen_changed(old: Stack, new: Stack, hand: Hand | None) -> bool:
    """Whether chips were put on a stack, taken off it or changed between two looks, as far as can be seen.

    ``hand``: whose was there in between. Two readings of as many chips that differ are two looks at the same
    ones, unless a player's hand was there and all of them were read."""
    if _count(old) is None or _count(new) is None:
        return hand is not None and hand.owner is Owner.DEALER and not _same_look(old, new)
    if _count(old) != _count(new):
        return True
    swapped = old.value is not None and new.value is not None
    return swapped and hand is not None and hand.owner is Owner.PLAYER and not agree(old, new)


def _parts(stack: Stack, chips: Counter[int | None]) -> tuple[Part, ...]:
    if not chips:
        return ()
    value = sum(chip or 0 for chip in chips.elements())
    return (Part(stack.stack, Fraction(value), value, chips.total(), False, stack.at_mm),)


def agree(one: Stack, other: Stack) -> bool:
    """Whether two readings of the same number of chips can both be right."""
    if one.denominations is None or other.denominations is None:
        return True
    return all(
        a is None or b is None or a == b for a, b in zip(one.denominations, other.denominations, strict=True)
    )


def _placed(old: Stack, new: Stack) -> Stack:
    """A stack as it was read, where it stands now."""
    return replace(old, at_mm=new.at_mm, line=new.line, p_place=new.p_place, elsewhere=new.elsewhere)


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
        standing.stack = replace(new, denominations=denominations, count=_count(old), p=max(old.p, new.p))
    elif abs(old.p - new.p) >= SURER_BY:
        standing.stack = _placed(old, new) if old.p > new.p else new
    else:
        why = "two looks at it gave different chips"
        standing.stack = replace(new, denominations=None, count=_count(old), unread=why)
        standing.disputed = True
