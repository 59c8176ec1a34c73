"""No-discard poker's odds against published counts: when the bank plays, hands by kind, the edge."""

from __future__ import annotations

from fractions import Fraction

import pytest

from datasets.odds import EXACT
from datasets.odds.base import Odds
from datasets.odds.no_discard_poker import PAIRS, edge, standings
from rules.errors import VeedorError
from rules.games.no_discard_poker.profile import no_discard_poker
from rules.poker import Category

DEALS = 19_933_230_517_200
"""Pairs of hands, with each of the bank's five cards the open one."""
PUBLISHED = {
    "everyone goes on": 3_310_360_338_060,
    "players go on with an ace and a king or better": 1_132_600_203_540,
    "players go on with A K J 8 3 or better": 1_059_715_400_580,
    "players go on with a pair or better": 1_090_272_101_460,
    "players go on with a pair, and with less where the bank's open card is good for it": 1_041_372_912_372,
}
"""What the house gains in all of them together, by the players' choice (published, and enumerated anew)."""
HANDS = (4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540)
"""Royal flushes first."""


@pytest.fixture(scope="module")
def found() -> dict[str, Odds]:
    progressed: list[float] = []
    odds = EXACT["no_discard_poker"](no_discard_poker(), 1, progressed.append)
    assert progressed == sorted(progressed)
    return {one.choice: one for one in odds}


def test_the_published_counts_of_what_the_house_gains(found: dict[str, Odds]) -> None:
    edges = {choice: one.edges[0].exact for choice, one in found.items()}
    assert edges == {choice: Fraction(count, DEALS) for choice, count in PUBLISHED.items()}


def test_the_bank_plays_in_1463700_of_2598960_hands(found: dict[str, Odds]) -> None:
    for one in found.values():
        assert one.chances[0].exact == Fraction(1_463_700, 2_598_960)


def test_hands_by_kind(found: dict[str, Odds]) -> None:
    kinds = next(iter(found.values())).chances[1:]
    assert [kind.name for kind in kinds] == [kind.name.lower() for kind in reversed(Category)]
    assert [kind.exact for kind in kinds] == [Fraction(count, 2_598_960) for count in HANDS]


def test_the_insurance_by_its_own_pay_table(found: dict[str, Odds]) -> None:
    back = 4 * 2001 + 36 * 1001 + 624 * 301 + 3_744 * 101
    for one in found.values():
        assert one.edges[1].exact == 1 - Fraction(back, 2_598_960)


def test_all_pairs_of_hands_are_counted_once() -> None:
    profile = no_discard_poker({"second_bet": 1})
    classes = list(standings(profile.floor))
    assert sum(one.pairs for one in classes) == PAIRS
    # Player and bank are alike: of pairs that both would play, as many are won as lost.
    both = [one for one in classes if one.own >= profile.floor]
    assert sum(one.wins for one in both) == sum(one.loses for one in both)
    assert edge(classes, 1 << 60, profile) == 1


def test_another_number_of_packs_is_refused() -> None:
    with pytest.raises(VeedorError, match="one pack"):
        EXACT["no_discard_poker"](no_discard_poker(), 6, lambda _: None)
