"""PB-AND-NAT-01, PB-AND-DRAW-01 to 03, PB-AND-VAL-01, PB-AND-WIN-01: third cards, totals and the winner."""

from __future__ import annotations

import pytest

from rules.baccarat.points import Result, card_value, points
from rules.cards import Card
from rules.games.punto_banco.drawing import Draw, judge_values
from tests.support.play import ANDORRA, Play

PRINTED = """
0 DDDDDDDDDDD
1 DDDDDDDDDDD
2 DDDDDDDDDDD
3 DDDDDDDDSDD
4 SSDDDDDDSSD
5 SSSSDDDDSSD
6 SSSSSSDDSSS
7 SSSSSSSSSSS
"""
"""Rows: banca's two cards; columns: punto's third card 0 to 9, and N where punto stood."""

CELLS = [
    (int(row), column if column < 10 else None, cell == "D")
    for row, cells in (line.split() for line in PRINTED.split("\n") if line)
    for column, cell in enumerate(cells)
]


@pytest.mark.parametrize(("banca", "third", "due"), CELLS)
@pytest.mark.parametrize("drew", [False, True])
def test_draw_02_each_cell_of_the_banker_table(banca: int, third: int | None, due: bool, drew: bool) -> None:
    punto = [0, 6] if third is None else [0, 5, third]
    dealt = [0, banca, 1] if drew else [0, banca]
    expected = Draw.CONFORM if drew == due else Draw.EXTRA if drew else Draw.MISSING
    reading = judge_values(punto, dealt, ANDORRA.drawing)
    assert (reading.natural, reading.punto, reading.banca) == (None, Draw.CONFORM, expected)


def test_draw_02_has_88_cells() -> None:
    assert len(CELLS) == 88


@pytest.mark.parametrize("total", range(8))
@pytest.mark.parametrize("drew", [False, True])
def test_draw_01_punto_draws_to_five_and_stands_on_six_and_seven(total: int, drew: bool) -> None:
    due = total <= 5
    punto = [0, total, 0] if drew else [0, total]
    expected = Draw.CONFORM if drew == due else Draw.EXTRA if drew else Draw.MISSING
    assert judge_values(punto, [0, 7], ANDORRA.drawing).punto is expected


@pytest.mark.parametrize(
    ("punto", "banca"), [([4, 4], [2, 3]), ([0, 9], [4, 1]), ([2, 3], [0, 8]), ([1, 1], [9, 0])]
)
def test_nat_01_a_natural_of_either_hand_ends_the_coup(punto: list[int], banca: list[int]) -> None:
    assert judge_values(punto, banca, ANDORRA.drawing).natural == frozenset()
    assert judge_values([*punto, 1], banca, ANDORRA.drawing).natural == frozenset({"punto"})
    assert judge_values(punto, [*banca, 1], ANDORRA.drawing).natural == frozenset({"banca"})


def test_a_three_card_eight_is_no_natural() -> None:
    reading = judge_values([2, 3, 3], [0, 3], ANDORRA.drawing)
    assert reading.natural is None


@pytest.mark.parametrize(
    ("banca", "drew", "verdict"),
    [(5, False, Draw.CONFORM), (5, True, Draw.CONFORM), (6, True, Draw.EXTRA), (2, False, Draw.MISSING)],
)
def test_after_a_wrong_punto_card_banca_may_go_by_either_column(
    banca: int, drew: bool, verdict: Draw
) -> None:
    """Punto had to stand on 6 and got a 2: on 5 banca draws when punto stood, and stands against a 2."""
    reading = judge_values([0, 6, 2], [0, banca, 0] if drew else [0, banca], ANDORRA.drawing)
    assert (reading.punto, reading.banca) == (Draw.EXTRA, verdict)


def test_where_punto_missed_its_card_banca_is_not_blamed() -> None:
    assert judge_values([0, 3], [0, 6, 1], ANDORRA.drawing).banca is Draw.OPEN
    assert judge_values([0, 3], [0, 5, 1], ANDORRA.drawing).banca is Draw.CONFORM


@pytest.mark.parametrize(
    ("cards", "total"),
    [
        ("As", 1),
        ("9h", 9),
        ("Td", 0),
        ("Jc Qd", 0),
        ("7h 8s", 5),
        ("9c 9d 9s", 7),
        ("5h 5d", 0),
        ("Kh 4s 3c", 7),
    ],
)
def test_val_01_totals(cards: str, total: int) -> None:
    assert points([card_value(Card.parse(card)) for card in cards.split()]) == total


@pytest.mark.parametrize(
    ("punto", "banca", "breaches"),
    [
        ("2s Kd 2s", "4s 7c 4c", []),
        ("Td 8c", "2d Ts", []),
        ("9d 7d 9s", "2h Qd 5c", [("WRONG_DRAW", "PB-AND-DRAW-01", "hand punto")]),
        ("2s Kd", "4s 2c", [("WRONG_DRAW", "PB-AND-DRAW-01", "hand punto")]),
        ("2s Kd 2h", "4s Kc", [("WRONG_DRAW", "PB-AND-DRAW-02", "hand banca")]),
        ("2s Kd 2h", "3s 4c 9d", [("WRONG_DRAW", "PB-AND-DRAW-02", "hand banca")]),
        ("4s 4d 2h", "3s Kc", [("WRONG_DRAW", "PB-AND-NAT-01", "hand punto")]),
        ("2s Kd 2h 5c", "3s 4c", [("WRONG_CARD_COUNT", "PB-AND-DRAW-03", "hand punto")]),
    ],
)
def test_coups(punto: str, banca: str, breaches: list[tuple[str, str, str]]) -> None:
    play = Play()
    play.hands(punto, banca)
    play.sweep()
    assert play.breaches() == breaches


@pytest.mark.parametrize(
    ("punto", "banca", "winner", "totals"),
    [
        ("2s Kd 2s", "4s 7c 4c", "banca", (4, 5)),
        ("Td 8c", "2d Ts", "punto", (8, 2)),
        ("9d 7d 9s", "2h Qd 5c", "banca", (5, 7)),
        ("Ks 6d", "9h 7c", "tie", (6, 6)),
    ],
)
def test_win_01_the_result_goes_by_the_cards_as_dealt(
    punto: str, banca: str, winner: str, totals: tuple[int, int]
) -> None:
    play = Play()
    play.hands(punto, banca)
    play.sweep()
    (coup,) = play.judged().coups
    assert coup.result["winner"] == winner
    assert (coup.result["punto_total"], coup.result["banca_total"]) == totals
    assert coup.cards == {"punto": tuple(punto.split()), "banca": tuple(banca.split())}


def test_a_fourth_card_leaves_both_results_possible() -> None:
    assert judge_values([2, 0, 2, 5], [3, 4], ANDORRA.drawing).results == {Result.BANCA, Result.PUNTO}


def test_a_card_put_right_between_the_hands_counts_where_it_lies_in_the_end() -> None:
    from rules.events import CardMoved

    play = Play()
    names = play.hands("Ks 6d", "9h 7c")
    extra = play.deal_to("punto", "2s")
    play.see(CardMoved(seq=0, t=0, card_id=extra, from_spot="hand punto", to_spot="hand banca"))
    play.cards = [(name, "hand banca" if name == extra else spot) for name, spot in play.cards]
    play.sweep()
    assert len(names) == 4
    (coup,) = play.judged().coups
    assert coup.cards["banca"] == ("9h", "7c", "2s")
    assert play.breaches() == [("WRONG_DRAW", "PB-AND-DRAW-02", "hand banca")]
