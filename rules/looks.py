"""Two looks at one stack: is one of them the better reading, or did a hand change the chips in between?

Chips that are more or fewer were put down or taken. As many, but others, are either chips that a hand changed
(a dealer takes half of a bet by giving one chip of half its value for it), or the same ones read twice. What
tells them apart: whether a hand was there, whether it had the time, and how sure both readings are.
"""

from __future__ import annotations

import math
from collections import Counter
from enum import Enum, unique

from rules.events import Hand, Owner, Stack
from rules.sight import Sight

SAME_PLACE_MM = 12.0
"""A stack that appears this near to one that is missed is that stack."""
CHANGE_S = 0.4
"""No hand takes chips and lays down others in less time."""


@unique
class Between(Enum):
    """What happened to a stack between two looks."""

    NOTHING = "nothing"
    CHANGED = "changed"
    UNTOLD = "untold"
    """Changed or misread: the looks do not tell."""


def between(old: Stack, new: Stack, hand: Hand | None, seconds: float, sight: Sight) -> Between:
    """What happened between two looks ``seconds`` apart; ``hand``: whose was there (None: none was seen)."""
    before, after = chips_in(old), chips_in(new)
    if before is None or after is None:
        handled = hand is not None and hand.owner is not Owner.PLAYER and not same_look(old, new)
        return Between.UNTOLD if handled else Between.NOTHING
    if before != after:
        return Between.CHANGED
    if agree(old, new) or hand is None or seconds < CHANGE_S:
        return Between.NOTHING
    read = old.value is not None and new.value is not None
    return Between.CHANGED if read and old.p * new.p >= sight.change_p else Between.UNTOLD


def chips_in(stack: Stack) -> int | None:
    """How many chips it has, None if not known."""
    return len(stack.denominations) if stack.denominations is not None else stack.count


def near(one: Stack, other: Stack) -> bool:
    """Whether two stacks stand at the same place."""
    return math.dist(one.at_mm, other.at_mm) <= SAME_PLACE_MM


def same_look(old: Stack, new: Stack) -> bool:
    """Whether a stack that cannot be counted looks as before."""
    same = (old.denominations, old.count, old.may_be) == (new.denominations, new.count, new.may_be)
    return same and math.dist(old.at_mm, new.at_mm) <= 2.0


def agree(one: Stack, other: Stack) -> bool:
    """Whether two readings of the same number of chips can both be right; in what order they lie is no
    matter where all were read."""
    if one.denominations is None or other.denominations is None:
        return True
    if one.value is not None and other.value is not None:
        return Counter(one.denominations) == Counter(other.denominations)
    return all(
        a is None or b is None or a == b for a, b in zip(one.denominations, other.denominations, strict=True)
    )
