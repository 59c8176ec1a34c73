"""Punto banco's odds are the published ones, to the last order of cards.

The figures are facts published for the first coup of a full shoe: counts of orders of six cards (Wizard of
Odds, 8 packs and 6 packs; after Thorp), and what follows from them exactly.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from datasets.odds import odds_of
from datasets.odds.baccarat import all_coups, by_result, orders
from datasets.odds.punto_banco import edge
from rules.baccarat.points import Result, result_of
from rules.errors import VeedorError
from rules.games.punto_banco.profile import punto_banco

TABLE = punto_banco("mini").drawing
COUNTS = {packs: all_coups(TABLE, packs) for packs in (6, 8)}

WINS = {
    6: (392220492728832, 403095751234560, 83552962932288, 878869206895680),
    8: (2230518282592256, 2292252566437888, 475627426473216, 4998398275503360),
}
"""Punto wins, banca wins, empate, all orders."""

CARDS = {
    6: (333025560274176, 266771777612544, 279071869008960),
    8: (1893735611458560, 1516734808780800, 1587927855264000),
}
"""Coups of four, five and six cards."""

TOTALS = {
    (6, "punto"): (
        82476017190144,
        65543064969024,
        65295805204224,
        65543115189312,
        65286577756800,
        65523915478080,
        117032850763200,
        117548250792192,
        117047398378176,
        117572211174528,
    ),
    (6, "banca"): (
        77895681495552,
        60925070693952,
        60657564344832,
        64000205778240,
        82084241764224,
        88570441097280,
        106362816292800,
        112943207690496,
        112476195446976,
        112953782291328,
    ),
    (8, "punto"): (
        469796508410880,
        372517055559936,
        371465655324672,
        372517215488256,
        371426030979072,
        372435601541376,
        665920136276736,
        668117541187584,
        665982456134400,
        668220074600448,
    ),
    (8, "banca"): (
        443735067603968,
        346295882541312,
        345157466980352,
        363761246869760,
        466997733545984,
        503359177443584,
        605184530090752,
        641950993608704,
        639959843756800,
        641996333062144,
    ),
}
"""Final totals 0 to 9."""

EDGES = [
    (6, "banca", "19/20", "460294100/43594702723"),
    (6, "banca", "9/10", "4645567648/138710417755"),
    (6, "banca", "24/25", "3504655144/586851767425"),
    (6, "punto", "1", "18880657128/1525814595305"),
    (6, "empate", "8", "220299549488/1525814595305"),
    (6, "empate", "9", "15048464435/305162919061"),
    (8, "banca", "19/20", "114753351728/10847218479825"),
    (8, "banca", "9/10", "251639081728/7509612793725"),
    (8, "banca", "24/25", "2925372930848/488124831592125"),
    (8, "punto", "1", "241149546272/19524993263685"),
    (8, "empate", "8", "103841353768/723147898655"),
    (8, "empate", "9", "63053127805/1301666217579"),
]

GIVEN_PUNTO_TWO = {
    6: [
        (36087535042560, 84670955794944, 8582883909696),
        (23603440591872, 54037545053184, 5833111670784),
        (24095307875328, 52679062485504, 6264966031488),
        (25308168991488, 51402397692672, 6763530631680),
        (26724007101312, 48185720938368, 8129608352640),
        (29923240656384, 44896775814144, 8654080845312),
        (35743183369344, 35535322304640, 11760830718336),
        (47803428152064, 23796971884800, 11873697278976),
        (67344507901440, 7890999266304, 7803829224576),
        (75587673047040, 0, 7886424268800),
    ],
    8: [
        (205346487468032, 482170013212672, 49040798489856),
        (134165090697216, 307031477207040, 33164862504960),
        (137170663538688, 299668182884352, 35669609648640),
        (143914559631360, 291987871707136, 38458999070720),
        (152187524872192, 274046838323200, 46274092876288),
        (170053101019136, 255134776508416, 49173552881664),
        (203349487650816, 202139533953024, 67019434467840),
        (271646313590784, 135214948552704, 67500168265728),
        (383162433871872, 44858924089344, 44487098110464),
        (429522620252160, 0, 44838810157056),
    ],
}
"""By punto's first two cards, total 0 to 9: punto wins, banca wins, empate."""

BANCA_WINS_WITH = (
    24291119898624,
    44681581871104,
    72927778568192,
    163359790133248,
    216715928915968,
    269232304455680,
    384279324919808,
    529914458673152,
    586850279002112,
)
"""8 packs, totals 1 to 9."""


@pytest.mark.parametrize("packs", [6, 8])
def test_results_are_the_published_counts(packs: int) -> None:
    punto, banca, tie, total = WINS[packs]
    assert by_result(COUNTS[packs]) == {Result.PUNTO: punto, Result.BANCA: banca, Result.TIE: tie}
    assert COUNTS[packs].total() == orders(packs) == total


@pytest.mark.parametrize("packs", [6, 8])
def test_numbers_of_cards_are_the_published_counts(packs: int) -> None:
    cards: Counter[int] = Counter()
    for outcome, ways in COUNTS[packs].items():
        cards[outcome.cards] += ways
    assert (cards[4], cards[5], cards[6]) == CARDS[packs]


@pytest.mark.parametrize(("packs", "hand"), TOTALS)
def test_final_totals_are_the_published_counts(packs: int, hand: str) -> None:
    totals: Counter[int] = Counter()
    for outcome, ways in COUNTS[packs].items():
        totals[outcome.punto if hand == "punto" else outcome.banca] += ways
    assert tuple(totals[total] for total in range(10)) == TOTALS[packs, hand]


@pytest.mark.parametrize("packs", [6, 8])
def test_results_given_puntos_first_two_cards_are_the_published_counts(packs: int) -> None:
    given = [dict.fromkeys(Result, 0) for _ in range(10)]
    for outcome, ways in COUNTS[packs].items():
        given[outcome.punto_two][result_of(outcome.punto, outcome.banca)] += ways
    assert [tuple(by[result] for result in Result) for by in given] == GIVEN_PUNTO_TWO[packs]


def test_banca_wins_by_total_are_the_published_counts() -> None:
    wins: Counter[int] = Counter()
    for outcome, ways in COUNTS[8].items():
        wins[outcome.banca] += ways * (outcome.banca > outcome.punto)
    assert tuple(wins[total] for total in range(1, 10)) == BANCA_WINS_WITH


def test_naturals_are_the_published_counts() -> None:
    def ways(punto_wins: bool) -> int:
        return sum(
            n
            for o, n in COUNTS[8].items()
            if o.punto_two in (8, 9)
            and (o.punto_two > o.banca_two if punto_wins else o.punto_two == o.banca_two)
        )

    assert ways(True) == 812685054124032
    assert ways(False) == 89325908267520


@pytest.mark.parametrize(("packs", "bet", "payout", "exact"), EDGES)
def test_edges_are_the_published_ones(packs: int, bet: str, payout: str, exact: str) -> None:
    house = {"payouts": {bet: payout}}
    profile = punto_banco("mini", house)
    assert edge(by_result(COUNTS[packs]), bet, profile.payouts[bet]) == Fraction(exact)


@pytest.mark.parametrize(
    ("packs", "exact"), [(6, "716053792/49219825655"), (8, "284694798368/19524993263685")]
)
def test_the_edge_where_a_win_with_six_pays_half(packs: int, exact: str) -> None:
    six = sum(ways for o, ways in COUNTS[packs].items() if o.banca == 6 and o.banca > o.punto)
    even = edge(by_result(COUNTS[packs]), "banca", Fraction(1))
    assert even + Fraction(six, 2 * orders(packs)) == Fraction(exact)


def test_odds_as_they_are_told() -> None:
    told: list[float] = []
    (odds,) = odds_of(punto_banco("mini"), 6, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert {figure.name: figure.exact for figure in odds.edges}["banca"] == Fraction("460294100/43594702723")
    assert odds.as_json()["method"] == "exact"
    figures = {figure.name: figure.value for figure in odds.chances}
    assert [round(figures[name], 6) for name in ("banca wins", "punto wins", "empate")] == [
        0.458653,
        0.446279,
        0.095069,
    ]


def test_a_shoe_without_packs_is_refused() -> None:
    with pytest.raises(VeedorError, match="at least"):
        odds_of(punto_banco("mini"), 0)
