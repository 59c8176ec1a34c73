"""Trente et quarante's odds: published figures, and the same enumerated independently of this project."""

from __future__ import annotations

from fractions import Fraction

import pytest

from datasets.odds import odds_of
from datasets.odds.base import Odds
from datasets.odds.trente_et_quarante import refait
from rules.profiles import load_profile

SIX_PACKS = Fraction(
    45590155731957200269313958556759358571122564966802626914292869,
    2082562887505109154360625935442541570063115663760066608463076250,
)
"""31 to 31 with six packs: De Morgan (1838) prints 0.0219."""
ENDS = {36: 0.094992447535787, 37: 0.083858996147792, 40: 0.051567872620919}
"""One row ends at so much; De Morgan prints .0950, .0838 and .0518, each card put back."""


@pytest.fixture(scope="module")
def odds() -> Odds:
    (one,) = odds_of(load_profile("spain_1979", game="trente_et_quarante"), 6)
    return one


def test_the_refait_is_exact(odds: Odds) -> None:
    chances = {figure.name: figure for figure in odds.chances}
    assert chances["31 to 31"].exact == SIX_PACKS
    assert round(chances["31 to 31"].value, 4) == 0.0219


@pytest.mark.parametrize(("total", "chance"), ENDS.items())
def test_where_a_row_ends(odds: Odds, total: int, chance: float) -> None:
    chances = {figure.name: figure for figure in odds.chances}
    assert chances[f"a row ends at {total}"].value == pytest.approx(chance, abs=1e-14)
    assert sum(f.exact or 0 for f in odds.chances if f.name.startswith("a row")) == 1


def test_every_bet_has_the_same_edge(odds: Odds) -> None:
    edges = {figure.name: figure.value for figure in odds.edges}
    for bet in ("rouge", "noir", "couleur", "inverse"):
        assert edges[bet] == pytest.approx(0.010945685243285, abs=1e-14)
    assert edges["an insured bet"] == 0.01


def test_few_cards_make_a_refait_rarer() -> None:
    assert refait(1) < refait(2) < SIX_PACKS
