"""What a bet plays on two tableaux: BT-LINE-01, BT-LINE-02, BT-LINE-03, and a bet on one alone."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.games.banque_deux_tableaux.lines import Side, Sides, net_of, play_of, sign_of
from rules.games.banque_deux_tableaux.words import Line

WIN, LOSE, TIE, VOID = Side.TABLEAU, Side.BANCA, Side.TIE, Side.VOID
WORKED = [
    # bet, unit, first tableau, second, and the gain where both win, 1 alone, 2 alone, none
    (60, 10, 30, 30, (60, 0, 0, -60)),
    (70, 10, 40, 30, (70, 10, -10, -70)),
    (10, 10, 10, 0, (10, 10, -10, -10)),
    (25, 5, 15, 10, (25, 5, -5, -25)),
    (30, 5, 15, 15, (30, 0, 0, -30)),
    (35, 5, 20, 15, (35, 5, -5, -35)),
    (55, 5, 30, 25, (55, 5, -5, -55)),
]


@pytest.mark.parametrize(("bet", "unit", "first", "second", "gains"), WORKED)
def test_line_03_worked_examples(
    bet: int, unit: int, first: int, second: int, gains: tuple[int, int, int, int]
) -> None:
    """TR-BT-1: it is an odd total that has a larger part; 60 in units of 10 splits evenly."""
    value, step = Fraction(bet), Fraction(unit)
    play = play_of(value, "tableau_1", Line.FIRST_LARGER, step)
    assert play is not None
    assert play.first == first
    assert play.second == second
    ends: list[Sides] = [(WIN, WIN), (WIN, LOSE), (LOSE, WIN), (LOSE, LOSE)]
    assert [net_of(value, "tableau_1", Line.FIRST_LARGER, step, sides) for sides in ends] == list(gains)


def test_line_03_where_one_tableau_ties_only_the_other_part_moves() -> None:
    assert net_of(Fraction(70), "tableau_1", Line.FIRST_LARGER, Fraction(10), (WIN, TIE)) == 40
    assert net_of(Fraction(70), "tableau_1", Line.FIRST_LARGER, Fraction(10), (VOID, LOSE)) == -30


@pytest.mark.parametrize(("bet", "plays"), [(50, 25), (30, 15), (25, Fraction(25, 2))])
def test_line_02_worked_examples(bet: int, plays: Fraction) -> None:
    assert net_of(Fraction(bet), "tableau_1", Line.HALF, None, (WIN, LOSE)) == plays
    assert net_of(Fraction(bet), "tableau_2", Line.HALF, None, (WIN, LOSE)) == -plays


def test_tr_bt_8_three_lines_have_three_effects() -> None:
    """70 in units of 10, the first tableau wins and the second loses."""
    gains = [net_of(Fraction(70), "tableau_1", line, Fraction(10), (WIN, LOSE)) for line in (*Line, None)]
    assert gains == [0, 35, 10, 70]


def test_both_lines_of_one_player_together() -> None:
    """50 on the player's line of the first tableau and 35 between the tableaux, unit 5: +25 +20 -15."""
    sides: Sides = (WIN, LOSE)
    half = net_of(Fraction(50), "tableau_1", Line.HALF, None, sides)
    shared = net_of(Fraction(35), "tableau_1", Line.FIRST_LARGER, Fraction(5), sides)
    assert half == 25
    assert shared == 20 - 15


UNITS = st.sampled_from([Fraction(1), Fraction(5), Fraction(10), Fraction(5, 2)])
SIDES = st.tuples(st.sampled_from(list(Side)), st.sampled_from(list(Side)))
BET = st.sampled_from(["tableau_1", "tableau_2"])


@given(pairs=st.integers(1, 500), unit=UNITS, sides=SIDES, bet=BET)
def test_law_an_even_number_of_units_settles_like_two_bets_of_half(
    pairs: int, unit: Fraction, sides: Sides, bet: str
) -> None:
    value = 2 * pairs * unit
    halves = [net_of(value / 2, tableau, None, None, sides) for tableau in ("tableau_1", "tableau_2")]
    assert net_of(value, bet, Line.FIRST_LARGER, unit, sides) == sum(half or 0 for half in halves)
    assert net_of(value, bet, Line.EQUAL_PARTS, None, sides) == sum(half or 0 for half in halves)


@given(pairs=st.integers(0, 500), unit=UNITS, bet=BET)
def test_law_of_an_odd_number_the_larger_part_plays_on_the_first(
    pairs: int, unit: Fraction, bet: str
) -> None:
    value = (2 * pairs + 1) * unit
    play = play_of(value, bet, Line.FIRST_LARGER, unit)
    assert play is not None
    assert play.first + play.second == value
    assert play.first - play.second == unit


@given(units=st.integers(1, 500), unit=UNITS, sides=SIDES, bet=BET, line=st.sampled_from([*Line, None]))
def test_law_the_sign_of_a_bet_is_that_of_its_gain(
    units: int, unit: Fraction, sides: Sides, bet: str, line: Line | None
) -> None:
    gain = net_of(units * unit, bet, line, unit, sides)
    sign = sign_of(bet, line, sides)
    assert gain is not None
    assert sign is None or sign == (gain > 0) - (gain < 0)
    assert abs(gain) <= units * unit


@pytest.mark.parametrize(("value", "unit"), [(70, None), (75, 10)])
def test_line_03_without_a_unit_the_odd_part_is_not_known(value: int, unit: int | None) -> None:
    step = None if unit is None else Fraction(unit)
    assert net_of(Fraction(value), "tableau_1", Line.FIRST_LARGER, step, (WIN, LOSE)) is None
    assert net_of(Fraction(value), "tableau_1", Line.FIRST_LARGER, step, (WIN, WIN)) == value
