"""Chemin de fer's odds for every choice of its three optional draws: counts of orders of six packs' cards.

The counts are facts that were enumerated independently of this project; the last row, where all draw, is the
published count of punto banco.
"""

from __future__ import annotations

import pytest

from datasets.odds import EXACT
from datasets.odds.baccarat import all_coups, by_result, choices, orders
from datasets.odds.base import Odds
from rules.baccarat.points import Result
from rules.games.chemin_de_fer.profile import CheminDeFerProfile
from rules.profiles import load_profile

# Who draws: punto on 5, banca on 3 giving 9, banca on 5 giving 4. Punto wins, banca wins, ties; coups of 4, 5
# and 6 cards; what a unit on punto and one of the bank gain.
OPTIONS = [
    (
        (False, False, False),
        (392061831194880, 405684895491072, 81122480209728),
        (348847644499200, 300410429239296, 229611133157184),
        (-0.015500673126, -0.007579262564),
    ),
    (
        (False, False, True),
        (392176333384704, 405778442558976, 80914430952000),
        (348847644499200, 297029846308608, 232991716087872),
        (-0.015476829849, -0.007608427854),
    ),
    (
        (False, True, False),
        (392268584210688, 405685243952640, 80915378732352),
        (348847644499200, 297023752677888, 232997809718592),
        (-0.015265820712, -0.007814134802),
    ),
    (
        (False, True, True),
        (392383086400512, 405778791020544, 80707329474624),
        (348847644499200, 293643169747200, 236378392649280),
        (-0.015241977435, -0.007843300092),
    ),
    (
        (True, False, False),
        (392226707913984, 402766771617792, 83875727363904),
        (333025560274176, 274758718141440, 271084928480064),
        (-0.011992755715, -0.010921164152),
    ),
    (
        (True, False, True),
        (392296135002624, 402860318685696, 83712753207360),
        (333025560274176, 270770060890368, 275073585731136),
        (-0.012020200048, -0.010899041832),
    ),
    (
        (True, True, False),
        (392151065640192, 403002204166656, 83715937088832),
        (333025560274176, 270760434863616, 275083211757888),
        (-0.012346704653, -0.010580609275),
    ),
    (
        (True, True, True),
        (392220492728832, 403095751234560, 83552962932288),
        (333025560274176, 266771777612544, 279071869008960),
        (-0.012374148986, -0.010558486955),
    ),
]


@pytest.fixture(scope="module")
def odds() -> tuple[Odds, ...]:
    profile = load_profile("andorra_2016", game="chemin_de_fer")
    return EXACT["chemin_de_fer"](profile, 6, lambda _: None)


def test_every_choice_is_played_through(odds: tuple[Odds, ...]) -> None:
    words = [one.choice for one in odds]
    assert len(set(words)) == len(OPTIONS)
    assert "punto stands on 5, banca stands on 3 giving 9, banca draws on 5 giving 4" in words


@pytest.mark.parametrize("index", range(len(OPTIONS)))
def test_each_choice_has_the_enumerated_counts(odds: tuple[Odds, ...], index: int) -> None:
    chosen, (punto, banca, tie), cards, (punto_gains, bank_gains) = OPTIONS[index]
    on_5, on_3, on_5_giving_4 = ("draws" if draws else "stands" for draws in chosen)
    words = f"punto {on_5} on 5, banca {on_3} on 3 giving 9, banca {on_5_giving_4} on 5 giving 4"
    (one,) = [one for one in odds if one.choice == words]
    counted = {figure.name: figure.exact and figure.exact * orders(6) for figure in one.chances}
    assert [counted[name] for name in ("punto wins", "banca wins", "empate")] == [punto, banca, tie]
    assert [counted[f"{count} cards"] for count in (4, 5, 6)] == list(cards)
    edges = {figure.name: figure.value for figure in one.edges}
    assert edges["punto, kept by the banker"] == pytest.approx(-punto_gains, abs=1e-12)
    assert edges["the bank, after the deduction"] == pytest.approx(-bank_gains, abs=1e-12)


def test_a_table_without_choices_has_one_way() -> None:
    profile = load_profile("andorra_2016", "mini")
    ((words, draws),) = choices(profile.drawing)  # type: ignore[attr-defined]
    assert words == ""
    assert draws.punto(5)
    assert not draws.punto(6)


def test_uruguays_option_on_five_gives_two_ways() -> None:
    profile = load_profile("uruguay_1977")
    found = EXACT["punto_banco"](profile, 6, lambda _: None)
    assert [one.choice for one in found] == ["punto stands on 5", "punto draws on 5"]
    assert [len(one.edges) for one in found] == [2, 2]


def test_the_choice_changes_only_what_it_is_about() -> None:
    profile = load_profile("andorra_2016", game="chemin_de_fer")
    assert isinstance(profile, CheminDeFerProfile)
    stands, draws = (
        all_coups(profile.drawing, 2, draws=how)
        for _, how in (choices(profile.drawing)[0], choices(profile.drawing)[4])
    )
    differing = {o.punto_two for o in stands.keys() | draws.keys() if stands[o] != draws[o]}
    assert differing == {5}
    assert by_result(stands)[Result.TIE] != by_result(draws)[Result.TIE]
