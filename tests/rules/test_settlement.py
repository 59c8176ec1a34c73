"""PB-AND-BANK-01, PB-AND-PAY-01 to 03, PB-AND-TIE-01, HOUSE-LINE-01, PB-AND-SETTLE-01, PB-AND-STAY-01."""

from __future__ import annotations

from typing import Any

import pytest

from rules.events import Stack
from rules.profiles import load_profile
from tests.support.play import ANDORRA, DEALER, HALF_LINES, Play, player, stack, uncounted

PUNTO = ("Ks 8d", "9h 7c")
BANCA = ("Ks 6d", "9h 8c")
TIE = ("Ks 6d", "9h 7c")
HANDS = {"punto": PUNTO, "banca": BANCA, "empate": TIE}


def _bet(spot: str, *stacks: Stack, won: str) -> Play:
    """Bets in one box, and a coup that ``won`` wins."""
    play = Play()
    play.chips(spot, *stacks)
    play.hands(*HANDS[won])
    return play


def _paid(spot: str, bet: Stack, *payment: int, won: str) -> Play:
    """A bet that is paid with these chips, and the cards gathered."""
    play = _bet(spot, bet, won=won)
    if payment:
        play.chips(spot, bet, stack("p", *payment, at=(50, 0)), hand=DEALER)
    play.sweep()
    return play


@pytest.mark.parametrize(
    ("bet", "rule", "chips", "payment", "code"),
    [
        ("punto", "PB-AND-PAY-02", (100,), (100,), None),
        ("punto", "PB-AND-PAY-02", (500, 25, 25, 25), (500, 25, 25), "UNDERPAID"),
        ("punto", "PB-AND-PAY-02", (100,), (100, 5), "OVERPAID"),
        ("banca", "PB-AND-PAY-01", (100,), (25, 25, 25, 5, 5, 5, 5), None),
        ("banca", "PB-AND-PAY-01", (100,), (100,), "OVERPAID"),
        ("banca", "PB-AND-PAY-01", (100,), (25, 25, 25, 5, 5, 5), "UNDERPAID"),
        ("empate", "PB-AND-PAY-03", (5,), (25, 5, 5, 5), None),
        ("empate", "PB-AND-PAY-03", (5,), (25, 5, 5, 5, 5), "OVERPAID"),
        ("empate", "PB-AND-PAY-03", (5,), (5,), "UNDERPAID"),
    ],
)
def test_pay_01_to_03_exactly(
    bet: str, rule: str, chips: tuple[int, ...], payment: tuple[int, ...], code: str | None
) -> None:
    spot = f"seat 2 {bet}"
    play = _paid(spot, stack("b", *chips), *payment, won=bet)
    assert play.breaches() == ([] if code is None else [(code, rule, spot)])


@pytest.mark.parametrize(
    ("policy", "payment", "code"),
    [
        ("round_down_unit", (25, 5, 5, 5, 1, 1), None),
        ("round_down_unit", (25, 5, 5, 5, 1, 1, 1), "OVERPAID"),
        ("round_down_unit", (25, 5, 5, 5, 1), "UNDERPAID"),
        ("favour_player", (25, 5, 5, 5, 1, 1, 1), None),
        ("favour_player", (25, 5, 5, 5, 1, 1), "UNDERPAID"),
        ("either_neighbour", (25, 5, 5, 5, 1, 1), None),
        ("exact", (25, 5, 5, 5, 1, 1), "UNDERPAID"),
    ],
)
def test_pay_01_forty_five_at_19_to_20_is_42_and_three_quarters(
    policy: str, payment: tuple[int, ...], code: str | None
) -> None:
    spot = "seat 2 banca"
    play = _paid(spot, stack("b", 25, 5, 5, 5, 5), *payment, won="banca")
    profile = load_profile("andorra_2016", "mini", {"rounding": {"policy": policy}})
    assert play.breaches(profile) == ([] if code is None else [(code, "PB-AND-PAY-01", spot)])
    (finding,) = play.judged(profile).findings or (None,)
    if finding is not None:  # the sentence is for people, the amount exact
        assert finding.amount_due == "171/4"
        assert "42¾" in finding.expected or policy != "exact"


@pytest.mark.parametrize("hand", [DEALER, None, player(2)])
def test_pay_02_the_exact_amount_is_the_payment_whosever_hand_was_seen(hand: Any) -> None:
    play = _bet("seat 2 punto", stack("b", 25), won="punto")
    play.chips("seat 2 punto", stack("b", 25), stack("p", 25, at=(50, 0)), hand=hand)
    play.sweep()
    assert play.breaches() == []


def test_pay_02_on_top_of_the_bet() -> None:
    play = _bet("seat 2 punto", stack("b", 25), won="punto")
    play.chips("seat 2 punto", stack("b", 25, 5, 5, 5, 5, 5), hand=DEALER)
    play.sweep()
    assert play.breaches() == []


def test_pay_02_in_two_goes_and_put_right() -> None:
    play = _bet("seat 2 punto", stack("b", 100), won="punto")
    play.chips("seat 2 punto", stack("b", 100), stack("p", 25, 25, at=(50, 0)), hand=DEALER)
    play.chips("seat 2 punto", stack("b", 100), stack("p", 25, 25, 25, 25, 5, at=(50, 0)), hand=DEALER)
    play.chips("seat 2 punto", stack("b", 100), stack("p", 25, 25, 25, 25, at=(50, 0)), hand=DEALER)
    play.sweep()
    assert play.breaches() == []


def test_pay_02_the_winner_takes_his_chips_before_the_cards_are_gathered() -> None:
    play = _bet("seat 2 punto", stack("b", 100), won="punto")
    play.chips("seat 2 punto", stack("b", 100), stack("p", 100, at=(50, 0)))
    play.chips("seat 2 punto", stack("b", 100))
    play.chips("seat 2 punto", hand=player(2))
    play.sweep()
    assert play.breaches() == []


def test_pay_02_a_payment_over_the_edge_of_the_next_box_is_the_bet_s() -> None:
    play = _bet("seat 2 punto", stack("b", 100, at=(100, 100)), won="punto")
    play.chips("seat 2 banca", stack("p", 100, at=(100, 55)))
    play.sweep()
    assert play.breaches() == []


def test_pay_02_of_two_bets_in_one_box() -> None:
    play = _bet("seat 2 punto", stack("a", 100), stack("b", 25, at=(60, 0)), won="punto")
    play.chips("seat 2 punto", stack("a", 100), stack("b", 25, at=(60, 0)), stack("p", 100, 25, at=(0, 60)))
    play.sweep()
    assert play.breaches() == []


@pytest.mark.parametrize(
    ("bet", "won", "rule"),
    [
        ("punto", "punto", "PB-AND-BANK-01"),
        ("banca", "banca", "PB-AND-BANK-01"),
        ("empate", "empate", "PB-AND-TIE-01"),
    ],
)
def test_bank_01_a_winner_that_gets_nothing(bet: str, won: str, rule: str) -> None:
    play = _paid(f"seat 2 {bet}", stack("b", 100), won=won)
    assert play.breaches() == [("NOT_PAID", rule, f"seat 2 {bet}")]


def test_bank_01_even_if_the_bet_cannot_be_counted() -> None:
    play = _paid("seat 2 punto", uncounted("b"), won="punto")
    assert play.breaches() == [("NOT_PAID", "PB-AND-BANK-01", "seat 2 punto")]


@pytest.mark.parametrize("won", ["banca", "empate"])
def test_bank_01_losers(won: str) -> None:
    bet = "punto" if won == "banca" else "empate"
    hands = BANCA
    for taken in (True, False):
        play = Play()
        play.chips(f"seat 2 {bet}", stack("b", 100))
        play.hands(*hands)
        if taken:
            play.chips(f"seat 2 {bet}")
        play.sweep()
        expected = [] if taken else [("LOSER_NOT_COLLECTED", "PB-AND-BANK-01", f"seat 2 {bet}")]
        assert play.breaches() == expected


def test_bank_01_a_loser_taken_back_by_the_player_later_was_not_collected() -> None:
    play = _bet("seat 2 punto", stack("b", 100), won="banca")
    play.sweep()
    play.chips("seat 2 punto")
    play.t += 10
    play.hands(*PUNTO)
    play.sweep()
    assert play.breaches() == [("LOSER_NOT_COLLECTED", "PB-AND-BANK-01", "seat 2 punto")]


def test_bank_01_a_loser_paid_and_left() -> None:
    play = _paid("seat 2 punto", stack("b", 100), 100, won="banca")
    assert play.breaches() == [("LOSER_PAID", "PB-AND-BANK-01", "seat 2 punto")]


def test_bank_01_a_winner_taken() -> None:
    play = _bet("seat 2 punto", stack("b", 100), won="punto")
    play.chips("seat 2 punto", hand=DEALER)
    play.sweep()
    assert play.breaches() == [("WINNER_COLLECTED", "PB-AND-BANK-01", "seat 2 punto")]


def test_bank_01_a_winner_taken_and_given_back_with_the_payment() -> None:
    play = _bet("seat 2 punto", stack("b", 100), won="punto")
    play.chips("seat 2 punto", hand=DEALER)
    play.chips("seat 2 punto", stack("n", 100, 100), hand=DEALER)
    play.sweep()
    assert play.breaches() == []


def test_bank_01_the_next_bet_on_an_emptied_box_is_no_payment() -> None:
    play = _bet("seat 2 punto", stack("b", 100), won="banca")
    play.chips("seat 2 punto", hand=DEALER)
    play.chips("seat 2 punto", stack("n", 25))
    play.sweep()
    assert play.breaches() == []


@pytest.mark.parametrize(
    ("hand", "after", "breaches", "left_open"),
    [
        (DEALER, (), [("PUSH_TAKEN", "PB-AND-TIE-01", "seat 2 punto")], []),
        (player(2), (), [], []),
        (None, (), [], [("PUSH_TAKEN", "PB-AND-TIE-01", "seat 2 punto")]),
        (DEALER, (100, 100), [("PUSH_PAID", "PB-AND-TIE-01", "seat 2 punto")], []),
        (None, (100, 100), [("PUSH_PAID", "PB-AND-TIE-01", "seat 2 punto")], []),
        (None, (100, 5), [], [("PUSH_PAID", "PB-AND-TIE-01", "seat 2 punto")]),
        (player(2), (100, 5), [], []),
    ],
)
def test_tie_01_punto_and_banca_bets_stay(
    hand: Any, after: tuple[int, ...], breaches: list[Any], left_open: list[Any]
) -> None:
    play = _bet("seat 2 punto", stack("b", 100), won="empate")
    play.chips("seat 2 punto", *([stack("b", *after)] if after else []), hand=hand)
    play.sweep()
    assert play.breaches() == breaches
    assert play.open() == left_open


@pytest.mark.parametrize(
    ("bet", "won", "chips", "payment", "code"),
    [
        ("punto", "punto", (100, 100), (100,), None),
        ("punto", "punto", (100, 100), (100, 100), "LINE_BET_MISPAID"),
        ("banca", "banca", (100,) * 4, (100, 25, 25, 25, 5, 5, 5), None),
        ("banca", "banca", (100,) * 4, (100, 100, 100, 25, 25, 25, 5), "LINE_BET_MISPAID"),
        ("punto", "punto", (100, 100), (25, 25, 25), "UNDERPAID"),
        ("punto", "punto", (100, 100), (100, 25), "OVERPAID"),
    ],
)
def test_house_line_01_a_win_pays_on_half(
    bet: str, won: str, chips: tuple[int, ...], payment: tuple[int, ...], code: str | None
) -> None:
    spot = f"seat 2 {bet}"
    play = _paid(spot, stack("b", *chips, line=True), *payment, won=won)
    assert [named[0] for named in play.breaches(HALF_LINES)] == ([] if code is None else [code])
    assert [named[0] for named in play.breaches(ANDORRA)] == (
        ["UNDERPAID"] if code != "LINE_BET_MISPAID" else []
    )


@pytest.mark.parametrize(
    ("left", "code"),
    [
        ((5, 5, 5), None),
        ((), "LINE_BET_MISPAID"),
        ((5, 5), "LINE_BET_MISPAID"),
        ((5, 5, 5, 5, 5, 5), "LOSER_NOT_COLLECTED"),
    ],
)
def test_house_line_01_a_loss_takes_half_and_leaves_the_rest(left: tuple[int, ...], code: str | None) -> None:
    play = _bet("seat 3 punto", stack("b", 5, 5, 5, 5, 5, 5, line=True), won="banca")
    if len(left) < 6:
        play.chips("seat 3 punto", *([stack("b", *left, line=True)] if left else []), hand=DEALER)
    play.sweep()
    play.chips("seat 3 punto")  # the player takes what was left to him
    play.t += 10
    play.hands(*PUNTO)
    play.sweep()
    assert [named[0] for named in play.breaches()] == ([] if code is None else [code])


def test_house_line_01_taken_whole_and_half_given_back() -> None:
    play = _bet("seat 3 punto", stack("b", 25, 25, line=True), won="banca")
    play.chips("seat 3 punto", hand=DEALER)
    play.chips("seat 3 punto", stack("h", 25, line=True), hand=DEALER)
    play.sweep()
    assert play.breaches() == []


def test_house_line_01_the_tie_box_has_no_half_line() -> None:
    play = _paid("seat 2 empate", stack("b", 5, line=True), 25, 5, 5, 5, won="empate")
    assert play.breaches() == []


def test_house_line_01_a_payment_over_a_line_means_nothing() -> None:
    play = _bet("seat 2 punto", stack("b", 25), won="punto")
    play.chips("seat 2 punto", stack("b", 25), stack("p", 25, line=True, at=(50, 0)))
    play.sweep()
    assert play.breaches() == []


def _two_bets() -> Play:
    play = Play()
    play.chips("seat 1 punto", stack("w", 100))
    play.chips("seat 2 banca", stack("l", 100, at=(300, 0)))
    play.hands(*PUNTO)
    return play


def test_settle_01_losers_before_winners() -> None:
    play = _two_bets()
    play.chips("seat 1 punto", stack("w", 100), stack("p", 100, at=(50, 0)))
    play.chips("seat 2 banca")
    play.sweep()
    assert play.breaches() == [("PAID_BEFORE_COLLECT", "PB-AND-SETTLE-01", "seat 1 punto")]


def test_settle_01_a_loser_that_is_never_taken_is_one_breach() -> None:
    play = _two_bets()
    play.chips("seat 1 punto", stack("w", 100), stack("p", 100, at=(50, 0)))
    play.sweep()
    assert play.breaches() == [("LOSER_NOT_COLLECTED", "PB-AND-BANK-01", "seat 2 banca")]


@pytest.mark.parametrize("hand", [DEALER, None])
def test_stay_01_cards_gathered_before_the_payment(hand: Any) -> None:
    play = _two_bets()
    play.chips("seat 2 banca")
    play.sweep()
    play.chips("seat 1 punto", stack("w", 100), stack("p", 100, at=(50, 0)), hand=hand)
    assert play.breaches() == [("CARDS_CLEARED_EARLY", "PB-AND-STAY-01", "table")]


def test_stay_01_cards_gathered_before_everything() -> None:
    play = _two_bets()
    play.sweep()
    play.chips("seat 2 banca")
    play.chips("seat 1 punto", stack("w", 100), stack("p", 100, at=(50, 0)))
    assert play.breaches() == [("CARDS_CLEARED_EARLY", "PB-AND-STAY-01", "table")]


def test_win_01_all_bets_settled_for_the_other_hand_are_one_breach() -> None:
    play = _two_bets()
    play.chips("seat 1 punto")
    play.chips("seat 2 banca", stack("l", 100, at=(300, 0)), stack("p", 25, 25, 25, 5, 5, 5, 5, at=(350, 0)))
    play.sweep()
    assert play.breaches() == [("WRONG_WINNER", "PB-AND-WIN-01", "table")]


def test_win_01_half_of_a_bet_that_cannot_be_counted_may_have_been_taken() -> None:
    play = Play()
    play.chips("seat 1 punto", stack("a", 100))
    play.chips("seat 2 banca", stack("b", 100, at=(300, 0)))
    play.chips("seat 3 punto", uncounted("c", line=True, at=(600, 0)))
    play.hands(*PUNTO)
    play.chips("seat 1 punto", hand=DEALER)
    play.chips("seat 3 punto", uncounted("c", line=True, at=(600, 0)), hand=DEALER)
    play.chips("seat 2 banca", stack("b", 100, at=(300, 0)), stack("p", 25, 25, 25, 5, 5, 5, 5, at=(350, 0)))
    play.sweep()
    assert play.breaches() == [("WRONG_WINNER", "PB-AND-WIN-01", "table")]


def test_win_01_two_bets_not_settled_at_all_are_two_breaches() -> None:
    play = _two_bets()
    play.sweep()
    assert {code for code, _, _ in play.breaches()} == {"NOT_PAID", "LOSER_NOT_COLLECTED"}


def test_a_void_coup_is_not_settled() -> None:
    play = _two_bets()
    play.cue("coup_void")
    play.sweep()
    assert play.breaches() == []


def test_bets_left_on_the_table_play_again() -> None:
    play = _paid("seat 2 punto", stack("b", 25), 25, won="punto")
    play.t += 10
    play.hands(*BANCA)
    play.chips("seat 2 punto")
    play.sweep()
    assert play.breaches() == []
    second = play.judged().coups[1]
    assert [(bet.value, bet.due) for bet in second.bets] == [("25", "collect"), ("25", "collect")]
