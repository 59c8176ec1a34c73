"""Casino Mediterráneo: the drawing table with its layout trap, the commission, ties; PB-MED rows."""

from __future__ import annotations

from itertools import product

import pytest

from rules.events import Hand
from rules.games.punto_banco.drawing import Draw, judge_values
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.profiles import load_profile
from tests.support.play import ANDORRA, DEALER, Play, player, stack

TABLE = load_profile("mediterraneo")
assert isinstance(TABLE, PuntoBancoProfile)
MED = TABLE


def _breaches(play: Play) -> list[tuple[str, str]]:
    return [(rule, spot) for code, rule, spot in play.breaches(MED) if code == "WRONG_DRAW"]


@pytest.mark.parametrize(
    ("punto", "banca", "rule"),
    [
        ("2s 3h", "Kd 4c", "PB-MED-DRAW-01"),
        ("2s 4h Ad", "Kd 7c", "PB-MED-DRAW-02"),
        ("Ks 7h 2d", "3d 3c", "PB-MED-DRAW-02"),
        ("Ks 6h", "2d 2c", "PB-MED-DRAW-02"),
        ("Ks 6h", "2d 3c", "PB-MED-DRAW-02"),
        ("Ks 9h", "2d 3c Ks", "PB-MED-DRAW-03"),
        ("Ks 2h Kc", "Ad Ac", "PB-MED-DRAW-04"),
        ("Ks 2h 8c", "Ad 2c 5s", "PB-MED-DRAW-05"),
        ("Ks 2h 9c", "Ad 2c", "PB-MED-DRAW-05"),
        ("Ks 2h Ac", "2d 2c 5s", "PB-MED-DRAW-06"),
        ("Ks 2h 7c", "2d 2c", "PB-MED-DRAW-06"),
        ("Ks 2h 3c", "2d 3c 5s", "PB-MED-DRAW-07"),
        ("Ks 2h 4c", "2d 3c", "PB-MED-DRAW-07"),
        ("Ks 2h 5c", "2d 4c 5s", "PB-MED-DRAW-08"),
        ("Ks 2h 6c", "2d 4c", "PB-MED-DRAW-08"),
        ("Ks 2h 6c", "2d 5c 5s", "PB-MED-DRAW-08"),
        ("Ks 6h", "2d 4c Kc", "PB-MED-DRAW-08"),
        ("Ks 2h Ac", "Kd 9c", "PB-MED-DRAW-09"),
    ],
)
def test_draw_01_to_09_name_their_row(punto: str, banca: str, rule: str) -> None:
    play = Play()
    play.hands(punto, banca)
    play.sweep()
    assert {found for found, _ in _breaches(play)} == {rule}


@pytest.mark.parametrize("banca", [3, 4, 5])
def test_tr_med_1_banco_draws_when_punto_stood(banca: int) -> None:
    """The 0 to 5 in punto's row 6-7 is banco's total: the literal rows 4 and 5 alone would say stand."""
    assert judge_values((0, 6), (0, banca, 2), MED.drawing).banca is Draw.CONFORM
    assert judge_values((0, 6), (0, banca), MED.drawing).banca is Draw.MISSING


def test_tr_med_2_only_two_cards_make_a_natural() -> None:
    """Punto's 8 of three cards does not stop banco's draw on 2."""
    play = Play()
    play.hands("Ks 3h 5d", "Kd 2c 4s")
    play.sweep()
    assert _breaches(play) == []


def test_the_drawing_table_is_andorras_cell_by_cell() -> None:
    for banca, third in product(range(8), (*range(10), None)):
        assert MED.drawing.banca_draws(banca, third) == ANDORRA.drawing.banca_draws(banca, third)


def _banco_won(*payments: tuple[tuple[int, ...], Hand]) -> Play:
    play = Play()
    play.chips("seat 2 banca", stack("b", 25, 5, 5, 5))
    play.hands("Ks 6d", "9h 8c")
    for number, (chips, hand) in enumerate(payments):
        play.chips(
            "seat 2 banca",
            stack("b", 25, 5, 5, 5),
            stack("p", *chips, at=(50, 20.0 * (number > 9))),
            hand=hand,
        )
    play.sweep()
    return play


@pytest.mark.parametrize(
    ("payments", "code"),
    [
        ([(25, 5, 5, 1, 1, 1)], None),
        ([(25, 5, 5, 5), (25, 5, 5, 1, 1, 1)], None),
        ([(25, 5, 5, 5)], "COMMISSION_WRONG"),
        ([(25, 5, 5, 5), (25, 5, 5, 1, 1, 1, 1)], "COMMISSION_WRONG"),
        ([(25, 5, 5, 1, 1)], "UNDERPAID"),
        ([(25, 25)], "OVERPAID"),
    ],
    ids=[
        "forty-win-thirty-eight",
        "TR-CV-8-par-and-two-taken-back",
        "par-without-commission",
        "too-little-taken-back",
        "too-little",
        "too-much",
    ],
)
def test_pay_02_par_less_five_per_cent(payments: list[tuple[int, ...]], code: str | None) -> None:
    play = _banco_won(*((chips, DEALER) for chips in payments))
    assert play.breaches(MED) == ([] if code is None else [(code, "PB-MED-PAY-02", "seat 2 banca")])


def test_pay_03_tr_med_5_twenty_win_a_hundred_and_sixty_more() -> None:
    assert MED.payouts["empate"] * 20 == 160
    assert MED.payouts["banca"] * 40 == 38


@pytest.mark.parametrize(
    ("chips", "hand", "breach"),
    [
        ((25, 25), player(2), None),
        ((25, 25), None, None),
        ((), player(2), None),
        ((25, 25), DEALER, "PUSH_PAID"),
        ((), DEALER, "PUSH_TAKEN"),
    ],
    ids=["TR-MED-4-raised", "raised-by-a-hand-not-seen", "TR-CV-6-withdrawn", "paid", "taken"],
)
def test_tie_01_and_02(chips: tuple[int, ...], hand: Hand | None, breach: str | None) -> None:
    """PB-MED-TIE-02: after a tie bets may be raised, lowered or withdrawn; the bank leaves them alone."""
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks 6d", "9h 7c")
    stacks = [stack("b", chips[0]), stack("n", *chips[1:], at=(50, 0))] if chips else []
    play.chips("seat 2 punto", *stacks, hand=hand)
    play.sweep()
    assert play.breaches(MED) == ([] if breach is None else [(breach, "PB-MED-TIE-01", "seat 2 punto")])


def test_val_01_twelve_counts_two() -> None:
    """Punto's 7 and 5 are 2: it draws, and banco's 8 of two cards would beat its 12."""
    play = Play()
    play.chips("seat 2 punto", stack("b", 100))
    play.chips("seat 3 banca", stack("c", 100))
    play.hands("7s 5h 2d", "Kd 7c")
    play.chips("seat 2 punto", stack("b", 100), stack("p", 100, at=(50, 0)), hand=DEALER)
    play.chips("seat 3 banca", hand=DEALER)
    play.sweep()
    assert [(code, rule) for code, rule, _ in play.breaches(MED)] == [("WRONG_WINNER", "PB-MED-VAL-01")]


def test_the_table_knows_no_cut_card_row_no_burn_and_no_limits() -> None:
    """Section 14: where the text is silent nothing is judged under its name."""
    play = Play()
    play.cut_card()
    play.hands("Ks 6d", "9h 7c")
    play.sweep()
    play.hands("2s 6d", "9d 8c")
    play.sweep()
    assert play.breaches(MED) == []
    assert {question.rule for question in play.judged(MED).session} >= {"PB-MED-SHOE-01"}
