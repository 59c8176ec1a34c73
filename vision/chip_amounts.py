"""What a stack may be that was not read to the last chip: the few contents that carry nearly all probability.

The scores of a stack give a probability to every count and to every value at every level. Its content, how
many chips of each value, is their mixture. Two ways to err are reckoned with as alike likely: each chip by
itself, and any number of those that look alike together, since they share what made one look so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from operator import add

import numpy as np

from rules.events import MayBe
from vision.camera import Floats
from vision.chip_set import ChipSet
from vision.chip_stacks import StackReading, StackScores, levels_of

CLAIM = 0.99
"""The contents that are given hold the truth as often as this; measured in ``models/chip_reader``."""
MOST = 32
"""Where more contents than these are needed for that, nothing is said."""
MAX_COUNT = 12
_LEAST_COUNT = 2e-4
_LEAST = 2e-5
_GIVE_UP = 2000
"""Where so many contents are still possible part way up a stack, they will not be few."""
_TOGETHER = 0.5
"""How likely it is that chips that look alike err together."""
_CLEAR = 0.5
_DOUBTFUL = 1.0
_NEEDED = 0.995
"""So likely the contents must be together: more than ``CLAIM``, since the scores do not know of all ways to
err: a stack that hides a chip, a light that made a colour another."""
_LOWEST = 0.6
"""By how much the log probabilities of the lowest chip's values are tempered: least is seen of it."""
_NONE = 0.015
"""The weight of a chip's being none of the house's."""

Content = tuple[int, ...]
"""How many chips there are of each of the house's values."""


def may_be(chips: ChipSet, reading: StackReading) -> tuple[MayBe, ...]:
    """What a stack may be, the likeliest first. Empty where it was read to the last chip, and where its
    contents cannot be told to be one of a few."""
    scores = reading.scores
    read = reading.denominations is not None and None not in reading.denominations
    if read or scores is None or scores.clear < _CLEAR or scores.counts is None or scores.chips is None:
        return ()
    if int(np.argmax(scores.counts)) > MAX_COUNT:
        return ()
    kept: list[MayBe] = []
    total = 0.0
    for content, p in sorted(contents(scores).items(), key=lambda one: (-one[1], one[0])):
        kept.append(MayBe(_denominations(chips.values, content), float(p)))
        total += p
        if total >= _NEEDED:
            return tuple(MayBe(one.denominations, round(one.p * CLAIM / total, 4)) for one in kept)
        if len(kept) == MOST:
            break
    return ()


def contents(scores: StackScores) -> dict[Content, float]:
    """The probability of each content that is not most unlikely, by the counts and the levels' values."""
    assert scores.counts is not None
    found: dict[Content, float] = defaultdict(float)
    for count in range(1, MAX_COUNT + 1):
        p_count = float(np.exp(scores.counts[count]))
        if p_count < _LEAST_COUNT:
            continue
        if scores.strange is not None and float(scores.strange[:count].max()) > _DOUBTFUL:
            continue  # a chip that is none of the house's is worth nobody knows what
        levels = _tempered(levels_of(scores, count))
        for share, steps in ((1 - _TOGETHER, _each(levels)), (_TOGETHER, _alike(levels))):
            for content, p in _sums(steps, p_count * share).items():
                found[content] += p
    return found


def _tempered(levels: Floats) -> Floats:
    """Probabilities (levels, values) of log probabilities, those of the lowest less sure than these say; what
    is missing to 1 is that a chip is none of the values."""
    weights = np.ones((len(levels), 1))
    weights[0] = _LOWEST
    none = _NONE * np.maximum(1 - np.exp(levels).sum(axis=1, keepdims=True), 1e-9) ** weights
    p = np.exp(weights * levels)
    return np.asarray(p / (p.sum(axis=1, keepdims=True) + none))


_Step = list[tuple[Content, float]]
"""What some chips may add to the content, and how likely."""


def _each(levels: Floats) -> list[_Step]:
    """The chips one by one."""
    values = range(levels.shape[1])
    return [[(_of(len(level), {v: 1}), float(level[v])) for v in values] for level in levels]


def _alike(levels: Floats) -> list[_Step]:
    """The chips that look alike taken together: if one of them is another value, any number may be."""
    best = levels.argmax(axis=1)
    steps: list[_Step] = []
    for value in np.unique(best):
        own = levels[best == value]
        number, most = len(own), own.max(axis=0)
        none = float(np.maximum(1 - own.sum(axis=1), 0).max())
        others = [k for k in range(len(most)) if k != value]
        total = float(sum(most[k] for k in others)) + none
        keeps = max(0.0, 1 - total)
        scale = 1 / (keeps + total)
        step: _Step = [(_of(len(most), {int(value): number}), keeps * scale)]
        for k in others:
            for flipped in range(1, number + 1):
                content = _of(len(most), {int(value): number - flipped, k: flipped})
                step.append((content, float(most[k]) * scale / number))
        steps.append(step)
    return steps


def _of(values: int, numbers: dict[int, int]) -> Content:
    return tuple(numbers.get(value, 0) for value in range(values))


def _sums(steps: Sequence[_Step], p: float) -> dict[Content, float]:
    """The contents that some steps can add up to; nothing where they are too many to be told."""
    found: dict[Content, float] = {(0,) * len(steps[0][0][0]): p}
    for step in steps:
        further: dict[Content, float] = defaultdict(float)
        for content, before in found.items():
            for more, share in step:
                if before * share >= _LEAST:
                    further[tuple(map(add, content, more))] += before * share
        found = further
        if len(found) > _GIVE_UP:
            return {}
    return found


def _denominations(values: Sequence[int], content: Content) -> tuple[int, ...]:
    """A content as its chips, the largest first."""
    chips = [value for value, number in zip(values, content, strict=True) for _ in range(number)]
    return tuple(sorted(chips, reverse=True))
