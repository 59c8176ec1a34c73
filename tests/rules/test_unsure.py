"""HOUSE-LINE-01 for a bet too close to a line or another box to call: both amounts, or what holds of both."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.events import Elsewhere, Stack
from rules.findings import Finding, Verdict
from rules.journal import schema
from tests.support.play import ANDORRA, DEALER, HALF_LINES, Play, stack

PUNTO = ("Ks 8d", "9h 7c")
BANCA = ("Ks 6d", "9h 8c")
TIE = ("Ks 6d", "9h 7c")
SPOT = "seat 1 punto"


def doubtful(*chips: int, on_line: bool, elsewhere: str = SPOT) -> Stack:
    """A bet of which two places are nearly as likely."""
    bet = stack("b", *chips, line=on_line)
    other = None if on_line or elsewhere != SPOT else "seat 1 punto:outline"
    return replace(bet, p_place=0.6, elsewhere=(Elsewhere(elsewhere, other, 0.4),))


def play(bet: Stack, hands: tuple[str, str], *moved: int, take: bool = False) -> Play:
    game = Play()
    game.chips(SPOT, bet)
    game.hands(*hands)
    if take:
        left = [stack("b", *moved)] if moved else []
        game.chips(SPOT, *left, hand=DEALER)
    elif moved:
        game.chips(SPOT, bet, stack("p", *moved, at=(50, 0)), hand=DEALER)
    game.sweep()
    return game


def about_the_bet(game: Play) -> list[Finding]:
    return [f for f in game.judged(HALF_LINES).findings if str(f.spot) == SPOT]


@pytest.mark.parametrize("on_line", [False, True])
@pytest.mark.parametrize("paid", [(10,), (5,)])
def test_either_payment_is_undetermined_and_both_are_said(on_line: bool, paid: tuple[int, ...]) -> None:
    (found,) = about_the_bet(play(doubtful(10, on_line=on_line), PUNTO, *paid))
    assert (found.verdict, found.rule, found.code) == (
        Verdict.UNDETERMINED,
        "HOUSE-LINE-01",
        "LINE_BET_MISPAID",
    )
    assert found.reason is not None
    assert "on none" in found.reason
    assert "a payment of 10 is due" in found.reason
    assert "a payment of 5 is due" in found.reason
    assert "60%" in found.reason


@pytest.mark.parametrize("on_line", [False, True])
@pytest.mark.parametrize(("paid", "code"), [((5, 5, 5, 5), "OVERPAID"), ((2,), "UNDERPAID")])
def test_what_is_wrong_wherever_it_lies_is_a_breach(on_line: bool, paid: tuple[int, ...], code: str) -> None:
    (found,) = about_the_bet(play(doubtful(10, on_line=on_line), PUNTO, *paid))
    assert found.verdict is Verdict.BREACH
    assert found.code in (code, "LINE_BET_MISPAID")


def test_not_paid_at_all_is_a_breach() -> None:
    (found,) = about_the_bet(play(doubtful(10, on_line=True), PUNTO))
    assert (found.verdict, found.code) == (Verdict.BREACH, "NOT_PAID")


@pytest.mark.parametrize("moved", [(), (5,)])
def test_a_losing_bet(moved: tuple[int, ...]) -> None:
    (found,) = about_the_bet(play(doubtful(5, 5, on_line=False), BANCA, *moved, take=True))
    assert found.verdict is Verdict.UNDETERMINED
    assert found.reason is not None
    assert "10 is to be taken" in found.reason
    assert "5 is to be taken" in found.reason


def test_a_tie_does_not_ask() -> None:
    assert about_the_bet(play(doubtful(10, on_line=True), TIE)) == []


def test_another_seats_box_of_the_same_bet_pays_the_same() -> None:
    assert about_the_bet(play(doubtful(10, on_line=False, elsewhere="seat 2 punto"), PUNTO, 10)) == []


def test_another_bets_box_is_said() -> None:
    (found,) = about_the_bet(play(doubtful(10, on_line=False, elsewhere="seat 1 banca"), PUNTO, 10))
    assert found.verdict is Verdict.UNDETERMINED
    assert found.reason is not None
    assert "seat 1 banca" in found.reason


def test_a_line_that_this_table_does_not_know_is_no_doubt() -> None:
    bet = replace(
        doubtful(10, on_line=False, elsewhere=SPOT), elsewhere=(Elsewhere(SPOT, "seat 1 punto:outline", 0.4),)
    )
    game = play(bet, PUNTO, 10)
    assert [f for f in game.judged(ANDORRA).findings if str(f.spot) == SPOT] == []


def test_a_clear_bet_is_judged_as_before() -> None:
    assert about_the_bet(play(stack("b", 10, line=True), PUNTO, 5)) == []
    assert "elsewhere" in schema()["$defs"]["Stack"]["properties"]
