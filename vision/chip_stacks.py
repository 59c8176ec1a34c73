"""What a stack of chips reads as: what pictures say of it, and what of that is sure enough to be given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.camera import Floats
from vision.chip_set import ChipSet, joined
from vision.tops import Tops

__all__ = ["COUNTABLE_PX", "StackReading", "StackScores", "decide", "levels_of"]

COUNTABLE_PX = 1.5
"""A stack whose chips look thinner than this cannot be counted by that camera (``formats.md``)."""
MAX_COUNT = 20
"""Taller stacks than this are left unread."""
_CLEAR = 0.5
_SURE_COUNT, _SURE_POOR = 0.94, 0.955
"""From here on one count in a hundred or so is wrong on fresh scenes (``models/chip_reader``); the second in
poor views, where a chip out of line looks like more or less of them."""
_GOOD_PX, _GOOD_RISE = 2.0, 0.84
"""Views are good from this thickness of a chip and from 40 degrees off the vertical."""
_SURE_ONE = 0.98
"""The same for one chip alone: another may lie hidden under it."""
_SURE_CHIP = 0.95
"""The same for a chip's value: about one in two hundred."""
_SURE_TOP = 0.95
"""The same for a top where the chips are not counted."""
_DOUBTFUL, _UNKNOWN = 1.0, 2.0
"""A chip so unlike every enrolled one is not named; one twice as unlike is said to be unknown."""
_TOP_SHARE = 0.7
"""Weight of the two looks at a top chip's colour, which share a light and so are not quite independent."""


@dataclass(frozen=True, slots=True, eq=False)
class StackScores:
    """What one or more frames say of a stack, before deciding.

    ``counts`` (COUNTS,): log probability of 0, 1, … chips, None where chips are too thin to count.
    ``chips`` (COUNTS, values): log probability of each value at each level from the bottom, None likewise.
    ``top`` (values,): log probability of the top chip's value. ``clear``: probability that nothing covers it.
    ``thickness_px``: of one chip. ``spread_mm``: usual error of the place. ``lab`` (COUNTS, 3): colours seen.
    ``strange`` (COUNTS,): how unlike every enrolled chip each level is, doubtful from 1 on; None: not known.
    """

    counts: Floats | None
    chips: Floats | None
    top: Floats
    clear: float
    thickness_px: float
    spread_mm: float
    lab: Floats | None
    strange: Floats | None = None
    rise: float = 0.0


@dataclass(frozen=True, slots=True)
class StackReading:
    """A stack read, exact or null.

    ``at_mm``: centre of the lowest chip on the felt. ``count``: chips, None where the camera cannot tell.
    ``denominations``: values bottom to top, None where one could not be read, None as a whole without count.
    ``top``: the top chip's value. ``unread``: why something is None, in words. ``p``: probability that
    everything that is given is right. ``unknown``: the chips, counted from the bottom, that are unlike every
    enrolled one. ``foot`` (2, 2): covariance of ``at_mm`` in the picture, mm², where it was fitted to it.
    ``tops``: how high it may be, where another camera can tell more of that.
    """

    at_mm: tuple[float, float]
    count: int | None
    denominations: tuple[int | None, ...] | None
    top: int | None
    unread: str | None
    p: float
    scores: StackScores | None = None
    unknown: tuple[int, ...] = ()
    foot: Floats | None = None
    tops: Tops | None = None


def levels_of(scores: StackScores, count: int) -> Floats:
    """Log probability (count, values) of each value for each chip of a stack of so many, bottom to top.

    The side must have been seen (``scores.chips``). The top chip is seen from its side and from above.
    """
    assert scores.chips is not None
    levels = scores.chips[:count].copy()
    levels[-1] = joined(np.stack([levels[-1], scores.top]), _TOP_SHARE)
    return levels


def _from_bottom(chips: Sequence[int]) -> str:
    """Which chips of a stack, in words."""
    numbers = [str(number) for number in chips]
    which = " and ".join([", ".join(numbers[:-1]), numbers[-1]]) if len(numbers) > 1 else numbers[0]
    return f"chip{'s' if len(numbers) > 1 else ''} {which} from the bottom"


def decide(chips: ChipSet, at_mm: tuple[float, float], scores: StackScores) -> StackReading:
    """Turn scores into a reading: what is sure enough is given, the rest is null, with the reason."""
    values = chips.values
    best_top = int(np.argmax(scores.top))
    p_top = float(np.exp(scores.top[best_top]))
    top = values[best_top] if p_top >= _SURE_TOP else None
    if scores.clear < _CLEAR:
        why = "the stack is partly hidden"
        return StackReading(at_mm, None, None, top, why, p_top if top is not None else 0.0, scores)
    if scores.counts is None or scores.chips is None:
        why = (
            f"a chip looks {scores.thickness_px:.1f} px thick from this camera; "
            f"below {COUNTABLE_PX} px the chips of a stack cannot be counted"
        )
        return StackReading(at_mm, None, None, top, why, p_top if top is not None else 0.0, scores)
    count = int(np.argmax(scores.counts))
    p_count = float(np.exp(scores.counts[count]))
    if count == 0 and p_count >= _SURE_COUNT:
        return StackReading(at_mm, None, None, None, "no stack is seen here", 0.0, scores)
    good = scores.thickness_px >= _GOOD_PX and scores.rise >= _GOOD_RISE
    needed = _SURE_COUNT if good else _SURE_POOR
    needed = max(needed, _SURE_ONE) if count == 1 else needed
    if p_count < needed or not 1 <= count <= MAX_COUNT:
        order = np.argsort(scores.counts)[::-1]
        either = sorted(int(i) for i in order[:2])
        why = f"the count is not sure: {either[0]} or {either[1]} chips"
        if count > MAX_COUNT:
            why = f"the stack is taller than {MAX_COUNT} chips"
        return StackReading(at_mm, None, None, top, why, p_top if top is not None else 0.0, scores)
    levels = levels_of(scores, count)
    best = np.argmax(levels, axis=1)
    sure = np.exp(levels[np.arange(count), best])
    strange = np.zeros(count) if scores.strange is None else scores.strange[:count]
    read = tuple(
        values[int(b)] if p >= _SURE_CHIP and unlike <= _DOUBTFUL else None
        for b, p, unlike in zip(best, sure, strange, strict=True)
    )
    unknown = tuple(i + 1 for i in range(count) if strange[i] > _UNKNOWN)
    unclear = [i + 1 for i, value in enumerate(read) if value is None and i + 1 not in unknown]
    whys = []
    if unknown:
        be = "is" if len(unknown) == 1 else "are"
        whys.append(f"unknown chip: {_from_bottom(unknown)} {be} unlike every enrolled one")
    if unclear:
        what = "colour of {} is" if len(unclear) == 1 else "colours of {} are"
        whys.append(f"the {what.format(_from_bottom(unclear))} not sure")
    why_not = "; ".join(whys) or None
    if strange[-1] > _DOUBTFUL:
        top = None
    p = p_count * float(
        min((p for p, value in zip(sure, read, strict=True) if value is not None), default=1.0)
    )
    top = read[-1] if read[-1] is not None else top
    return StackReading(at_mm, count, read, top, why_not, p, scores, unknown)
