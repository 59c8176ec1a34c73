"""A half-read stack that a hand only brushed is told as it was; one that a hand changed is read anew."""

from __future__ import annotations

import numpy as np
import pytest

from rules.events import ChipState, Hand, Owner, Stack
from rules.spots import Spot
from tests.support.felt import CHIPS, DRAWING
from vision.chip_events import LOOKS, PATIENCE_S, ChipEvents
from vision.chip_stacks import StackScores, decide
from vision.chips import COUNTS
from vision.footprint import Footprint
from vision.layout import Layout
from vision.telling import Teller
from vision.tracking import Family, Sight, Thing

DEALER = Hand(Owner.DEALER)
QUAD = np.array([[40, 30], [104, 30], [104, 118], [40, 118]], np.float64)


def two_or_three(p_two: float) -> StackScores:
    """Scores of a stack of two or three chips, all of the house's first value."""
    counts = np.full(COUNTS, 1e-6)
    counts[2], counts[3] = p_two, 1 - p_two
    values = np.full((COUNTS, len(CHIPS.chips)), 1e-6)
    values[:, 0] = 0.9999
    return StackScores(np.log(counts), np.log(values), np.log(values[0]), 0.99, 3.0, 0.5, None, None, 1.5)


def told_twice(much: bool) -> list[Stack]:
    """A stack as it is told when it came, and when the dealer's hand had been there."""
    layout = Layout.parse(DRAWING, "felt")
    zone = next(zone for zone in layout.zones if zone.spot.bet == "punto")
    x, y = np.mean(zone.corners_mm, axis=0)
    at = (float(x), float(y))
    sight = Sight(Family.STACK, zone.spot, at, QUAD, 0.8, Footprint.of(QUAD, (150, 150)), None)
    thing, teller = Thing(1, sight), Teller("camera 1")
    chips = ChipEvents(teller, layout, CHIPS)
    chips.came(thing, 1.0, 1.1, None)
    other = Thing(2, sight)
    for t, p_two in ((1.0, 0.6), (10.0, 0.55)):
        if t > 1:
            chips.touched(thing, t, t + 0.1, DEALER, much)
            chips.came(other, t, t + 0.1, DEALER)
        for which in (thing, other) if t > 1 else (thing,):
            for _ in range(LOOKS):
                chips.read(which, decide(CHIPS, at, two_or_three(p_two)))
        chips.passed(t + 2 * PATIENCE_S)
    states = [event for event in teller.take() if isinstance(event, ChipState)]
    assert [Spot.parse(state.spot) for state in states] == [zone.spot] * 2
    return [next(stack for stack in state.stacks if stack.stack == "s1") for state in states]


@pytest.mark.parametrize("much", [False, True], ids=["brushed", "changed"])
def test_what_a_stack_may_be_stands_until_a_hand_changed_it(much: bool) -> None:
    first, then = told_twice(much)
    value = CHIPS.values[0]
    assert [chips.denominations for chips in first.may_be] == [(value,) * 2, (value,) * 3]
    assert (then.may_be != first.may_be) is much
    assert [chips.denominations for chips in then.may_be] == [(value,) * 2, (value,) * 3]
