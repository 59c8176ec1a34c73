"""Rule cases of Let It Ride, which is Trijoker with the pay table and the least pair that each case names."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from datasets.rule_cases.base import Both, Case, GameCases
from datasets.rule_cases.poker import cards_of
from rules.games.trijoker.hands import pays
from rules.games.trijoker.profile import TrijokerProfile, trijoker
from rules.games.trijoker.words import FIRST, SECOND, THIRD
from rules.poker import Category

_LEAST = {"min_pair_tens": "T", "min_pair_jacks": "J"}


@cache
def _profile(least: str, table: tuple[int, ...] | None) -> TrijokerProfile:
    house: dict[str, object] = {"least_pair": least}
    if table is not None:
        winning = [kind.name.lower() for kind in Category if kind is not Category.HIGH_CARD]
        house["pay_table"] = dict(zip(winning, table, strict=True))
    return trijoker(house)


def _table(case: Case) -> tuple[int, ...] | None:
    """The pay table that a case names: ``1-2-3-5-8-11-50-200-1000 (...)``."""
    text = case.get("pay_table")
    return None if text is None else tuple(int(part) for part in str(text).split()[0].split("-"))


def _round(case: Case) -> Both:
    cards: Sequence[str] = [*case["player"], *case["community"]]
    stays = [case[bet] == "ride" for bet in (FIRST, SECOND)] + [case[THIRD] == "always stays"]
    in_play = sum(stays) * Fraction(case["unit"])
    expect = {"category": case["category"], **case["expect"]}
    got: dict[str, object] = {}
    for name in case["expect"]:
        kind, multiple = pays(cards_of(cards), _profile(_LEAST[name], _table(case)))
        net = -in_play if multiple is None else in_play * multiple
        got["category"] = kind.name.lower()
        got[name] = {"pays_to_one": None if multiple is None else int(multiple), "net": int(net)}
    return got, expect


def _qualify(case: Case) -> Both:
    got = {}
    for name in case["expect"]:
        profile = _profile(_LEAST[str(name).removeprefix("pays_with_")], _table(case))
        got[name] = pays(cards_of(case["cards"]), profile)[1] is not None
    return got, case["expect"]


CASES = GameCases(game="trijoker", kinds={"round": _round, "qualify": _qualify})
