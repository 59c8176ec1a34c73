"""CP-BET-03, TX-STD-03: pots, side pots and odd chips, with the worked examples."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.games.circle_poker.betting import Act, Betting, Turn
from rules.games.circle_poker.pots import clockwise_from, pots_of, shares


@pytest.mark.parametrize(
    ("put_in", "folded", "pots", "uncalled"),
    [
        ({1: 50, 2: 50, 3: 50}, (), [(150, (1, 2, 3))], None),
        ({1: 80, 2: 80, 3: 30}, (), [(90, (1, 2, 3)), (100, (1, 2))], None),
        ({1: 80, 2: 50, 3: 50}, (), [(150, (1, 2, 3))], (1, 30)),
        ({1: 80, 2: 40, 3: 30}, (2,), [(90, (1, 3)), (20, (1,))], (1, 40)),
        ({1: 30, 2: 10}, (2,), [(20, (1,))], (1, 20)),
    ],
)
def test_pots(
    put_in: dict[int, int],
    folded: tuple[int, ...],
    pots: list[tuple[int, tuple[int, ...]]],
    uncalled: tuple[int, int] | None,
) -> None:
    found = pots_of({seat: Fraction(amount) for seat, amount in put_in.items()}, folded)
    merged = [(int(pot.amount), pot.eligible) for pot in found.pots]
    assert sum(a for a, _ in merged) + (uncalled or (0, 0))[1] == sum(put_in.values())
    back = None if uncalled is None else (uncalled[0], Fraction(uncalled[1]))
    assert found.uncalled == back
    assert merged == pots


def test_odd_chips_go_to_the_first_after_the_marker() -> None:
    order = clockwise_from(5, {1, 2, 5})
    assert shares(Fraction(155), [5, 2], Fraction(5), order) == {2: 80, 5: 75}


def test_turns() -> None:
    betting = Betting([1, 2, 3, 4], Fraction(10))
    betting.post(1, Fraction(5))
    betting.post(2, Fraction(10))
    betting.opens_after(2)
    early = betting.puts(4, Fraction(10))
    assert (early.turn, early.waiting) == (Turn.BEFORE_OTHERS, 3)
    raised = betting.puts(3, Fraction(30))
    assert (raised.turn, raised.act, raised.by) == (Turn.HIS, Act.RAISE, Fraction(20))
    assert betting.unequal() == [1, 2, 4]
