"""The worked payouts of punto banco, and laws of money that hold for every stake."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.baccarat.dues import Due, Stake, due_of, payable, profit, takeable
from rules.baccarat.points import Result
from rules.games.punto_banco.profile import punto_banco, read
from rules.profile_document import Rounding, RoundingPolicy, resolve
from tests.support.play import DEALER, Play, stack

ANDORRA = punto_banco("mini")
MED = read(resolve({"profile": "mediterraneo", "extends": "mediterraneo"}, "punto_banco"))
ONE = Fraction(1)


def _policy(name: str, unit: Fraction = ONE) -> Rounding:
    return Rounding(RoundingPolicy(name), unit)


@pytest.mark.parametrize(
    ("stake", "exact", "low", "high"),
    [
        (5, "19/4", 4, 5),
        (10, "19/2", 9, 10),
        (15, "57/4", 14, 15),
        (20, "19", 19, 19),
        (25, "95/4", 23, 24),
        (30, "57/2", 28, 29),
        (40, "38", 38, 38),
        (45, "171/4", 42, 43),
        (50, "95/2", 47, 48),
        (100, "95", 95, 95),
        (250, "475/2", 237, 238),
        (1000, "950", 950, 950),
    ],
)
def test_banca_19_to_20_and_par_less_5_per_cent_are_one_number(
    stake: int, exact: str, low: int, high: int
) -> None:
    stakes = [Stake(Fraction(stake), False)]
    for profile in (ANDORRA, MED):
        assert profit(stakes[0], profile.payouts["banca"]) == Fraction(exact)
    odds = ANDORRA.payouts["banca"]
    assert payable(stakes, odds, _policy("round_down_unit")) == {Fraction(low)}
    assert payable(stakes, odds, _policy("favour_player")) == {Fraction(high)}
    assert payable(stakes, odds, _policy("exact")) == {Fraction(exact)}
    assert payable(stakes, odds, _policy("either_neighbour")) == {Fraction(low), Fraction(high)}


@pytest.mark.parametrize(("stake", "by_half"), [(10, True), (15, False), (20, True), (25, False), (50, True)])
def test_what_halves_can_pay(stake: int, by_half: bool) -> None:
    due = profit(Stake(Fraction(stake), False), ANDORRA.payouts["banca"])
    assert ((2 * due).denominator == 1) == by_half
    exactly = payable(
        [Stake(Fraction(stake), False)], ANDORRA.payouts["banca"], _policy("round_down_unit", Fraction(1, 2))
    )
    assert (exactly == {due}) == by_half


@pytest.mark.parametrize(("stake", "win"), [(5, 40), (10, 80), (20, 160), (25, 200), (100, 800)])
def test_ties_pay_8_to_1(stake: int, win: int) -> None:
    for profile in (ANDORRA, MED):
        assert profit(Stake(Fraction(stake), False), profile.payouts["empate"]) == win


@pytest.mark.parametrize(
    ("least", "most", "tie", "over"),
    [(5, 100, 10, 15), (5, 500, 50, 55), (10, 200, 20, 30), (10, 500, 50, 60), (25, 1000, 100, 125)],
)
def test_lim_01_at_its_boundary(least: int, most: int, tie: int, over: int) -> None:
    """A tie bet equal to the limit is lawful, and so the next multiple of the minimum is not."""
    profile = punto_banco("mini", {"limits": {"minimum": least, "maximum": most}})
    for amount, breach in ((tie, False), (over, True)):
        play = Play()
        play.chips("seat 1 empate", stack("b", amount))
        play.hands("Ks 8d", "9h 7c")
        play.chips("seat 1 empate", hand=DEALER)
        play.sweep()
        assert [code for code, _, _ in play.breaches(profile)] == ["TIE_BET_OVER_LIMIT"] * breach


def test_d_and_2_three_tie_stacks_in_one_box_count_together() -> None:
    profile = punto_banco("mini", {"limits": {"minimum": 10, "maximum": 1000, "bets_per_box": 3}})
    play = Play()
    play.chips("seat 1 empate", *(stack(f"b{n}", 25, 5, 5, 5, at=(40.0 * n, 0)) for n in range(3)))
    play.hands("Ks 8d", "9h 7c")
    play.chips("seat 1 empate", hand=DEALER)
    play.sweep()
    assert [code for code, _, _ in play.breaches(profile)] == ["TIE_BET_OVER_LIMIT"]


BETS = (("punto", 100), ("punto", 60), ("banca", 200), ("banca", 50), ("empate", 10))


@pytest.mark.parametrize(
    ("result", "collected", "paid"),
    [
        (Result.BANCA, Fraction(170), Fraction("237.5")),
        (Result.PUNTO, Fraction(260), Fraction(160)),
        (Result.TIE, Fraction(0), Fraction(80)),
    ],
)
def test_a_full_settlement(result: Result, collected: Fraction, paid: Fraction) -> None:
    dues = [(due_of(bet, result), bet, Stake(Fraction(value), False)) for bet, value in BETS]
    assert sum(stake.value for due, _, stake in dues if due is Due.COLLECT) == collected
    won = sum(
        (profit(stake, ANDORRA.payouts[bet]) for due, bet, stake in dues if due is Due.PAY), Fraction(0)
    )
    assert won == paid


def test_four_bets_in_a_box_are_paid_one_by_one_or_together() -> None:
    stakes = [Stake(Fraction(5), False)] * 4
    assert payable(stakes, ANDORRA.payouts["banca"], _policy("round_down_unit")) == {16, 19}


STAKES = st.integers(1, 10**6)
POLICIES = st.builds(
    Rounding,
    st.sampled_from(RoundingPolicy),
    st.sampled_from([Fraction(1, 2), ONE, Fraction(5), Fraction(25)]),
)
BET = st.sampled_from(["punto", "banca", "empate"])


@given(stake=STAKES, bet=BET, rounding=POLICIES)
def test_no_payment_is_further_from_its_due_than_the_smallest_chip(
    stake: int, bet: str, rounding: Rounding
) -> None:
    odds = ANDORRA.payouts[bet]
    due = profit(Stake(Fraction(stake), False), odds)
    right = payable([Stake(Fraction(stake), False)], odds, rounding)
    assert right
    assert all(abs(amount - due) < rounding.unit or amount == due for amount in right)
    if due % rounding.unit == 0:
        assert right == {due}


@given(stakes=st.lists(STAKES, min_size=1, max_size=3), bet=BET)
def test_exactly_a_box_is_the_sum_of_its_bets(stakes: list[int], bet: str) -> None:
    odds = ANDORRA.payouts[bet]
    several = payable([Stake(Fraction(stake), False) for stake in stakes], odds, _policy("exact"))
    one = payable([Stake(Fraction(sum(stakes)), False)], odds, _policy("exact"))
    assert several == one


@given(stake=STAKES, bet=BET, result=st.sampled_from(Result))
def test_a_bet_on_a_line_is_two_half_bets_of_which_one_plays(stake: int, bet: str, result: Result) -> None:
    line, half, rounding = Stake(Fraction(stake), True), Stake(Fraction(stake, 2), False), _policy("exact")
    odds = ANDORRA.payouts[bet]
    match due_of(bet, result):
        case Due.PAY:
            assert payable([line], odds, rounding) == payable([half], odds, rounding)
        case Due.COLLECT:
            assert takeable([line], rounding) == {half.value}
        case Due.PUSH:
            assert result is Result.TIE


@given(stake=STAKES)
def test_the_house_keeps_its_twentieth(stake: int) -> None:
    """Punto and banca of one stake against each other: the house wins a twentieth when banca wins."""
    won = profit(Stake(Fraction(stake), False), MED.payouts["banca"])
    assert stake - won == Fraction(stake, 20)
    assert profit(Stake(Fraction(stake), False), MED.payouts["punto"]) == stake
