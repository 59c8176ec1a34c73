"""Trijoker's odds against published figures, and others' cases of the game."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from datasets.odds import EXACT, odds_of
from datasets.odds.trijoker import best_play
from datasets.rule_cases import score_rule_cases
from rules.errors import VeedorError
from rules.games.trijoker.profile import trijoker
from rules.poker import Category
from rules.profiles import load_profile

_DEALS = 25_989_600
"""Orders of three cards and two more, but for the order of the three."""
_TENS: dict[str, Any] = {"least_pair": "T"}
_LESS: dict[str, Any] = {"pay_table": {"royal_flush": 500}}

PUBLISHED = [
    # Let It Ride with tens: 3.506 %, 3.737 % with a royal flush at 500; with jacks no value is published
    ("tens or better", _TENS, 911_112),
    ("tens or better, royal flush at 500", {**_TENS, **_LESS}, 971_112),
    ("jacks or better", {}, 3_858_360),
    ("jacks or better, royal flush at 500", _LESS, 3_918_360),
]


@pytest.mark.parametrize(("name", "house", "kept"), PUBLISHED, ids=[name for name, *_ in PUBLISHED])
def test_the_house_keeps_what_is_published(name: str, house: dict[str, Any], kept: int) -> None:
    assert -sum(best_play(trijoker(house)).gains) == Fraction(kept, _DEALS), name


def test_each_bet_gains_what_is_published_and_stays_as_often() -> None:
    played = best_play(trijoker(_TENS))
    assert [gain * _DEALS for gain in played.gains] == [2_836_136, 5_939_672, -9_686_920]
    assert played.rides == (Fraction(1608, 22_100), Fraction(40_865, 270_725))
    assert best_play(trijoker()).rides == (Fraction(1300, 22_100), Fraction(34_277, 270_725))


def test_the_kinds_of_hand_come_as_often_as_in_all_fives() -> None:
    hands = {kind: int(chance * 2_598_960) for kind, chance in best_play(trijoker()).kinds.items()}
    assert hands[Category.ROYAL_FLUSH] == 4
    assert hands[Category.PAIR] == 1_098_240
    assert hands[Category.HIGH_CARD] == 1_302_540
    assert sum(hands.values()) == 2_598_960


def test_odds_by_name() -> None:
    (found,) = odds_of(load_profile("andorra_2016", game="trijoker"), 1)
    edges = {figure.name: figure.exact for figure in found.edges}
    assert edges["all three, for one of them"] == Fraction(32_153, 216_580)
    assert edges["bet_3"] == Fraction(11_376_520, _DEALS)
    assert found.rounds is None


def test_there_is_one_pack_only() -> None:
    with pytest.raises(VeedorError, match="one pack"):
        EXACT["trijoker"](load_profile("andorra_2016", game="trijoker"), 2, lambda _: None)


_TABLE = "1-2-3-5-8-11-50-200-1000 (pair of the minimum rank or better pays 1)"


def _round(cards: str, kind: str, tens: int | None, jacks: int | None, pulled: str = "") -> dict[str, Any]:
    bets = 3 - len(pulled)
    nets = [-100 * bets if pays is None else 100 * bets * pays for pays in (tens, jacks)]
    return {
        "id": f"{cards} {pulled}",
        "kind": "round",
        "player": cards.split()[:3],
        "community": cards.split()[3:],
        "unit": 100,
        "bet_1": "pulled" if "1" in pulled else "ride",
        "bet_2": "pulled" if "2" in pulled else "ride",
        "bet_3": "always stays",
        "category": kind,
        "expect": {
            "min_pair_tens": {"pays_to_one": tens, "net": nets[0]},
            "min_pair_jacks": {"pays_to_one": jacks, "net": nets[1]},
        },
        "pay_table": _TABLE,
    }


CASES = [
    _round("Tc Td 3h 7s 2c", "pair", 1, None),
    _round("Jc 4d Jh 7s 2c", "pair", 1, 1, "12"),
    _round("Ah 5c 4d 3s 2h", "straight", 5, 5, "1"),
    _round("Kh Qh Jh Th 9h", "straight_flush", 200, 200),
    {"id": "q", "kind": "qualify", "cards": ["Th", "Ts", "6d", "3s", "2h"],
     "expect": {"pays_with_min_pair_jacks": False, "pays_with_min_pair_tens": True}},
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_others_cases(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"game": "let_it_ride_trijoker", "cases": [case]}), encoding="utf-8")
    (result,) = score_rule_cases(file)
    assert result.expected == result.got
