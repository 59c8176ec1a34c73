"""Rule cases of no-discard poker: whether a bank plays, and what a player gains against it.

The cases' pay table is that of our profile, where the regulation refers to a table that it lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from datasets.rule_cases.base import Both, Case, GameCases
from datasets.rule_cases.poker import cards_of, kind_of
from rules.games.no_discard_poker.hands import Against, Outcome, outcome_of
from rules.games.no_discard_poker.profile import PokerProfile, no_discard_poker
from rules.games.no_discard_poker.settling import net_of
from rules.poker import category, rank

_TABLE = (100, 50, 20, 7, 5, 4, 3, 2, 1, 1)
"""The pay table that the cases name, royal flush first."""
_WORDS = {
    Outcome.BANK_OUT: "dealer_does_not_qualify",
    Outcome.WINS: "player_wins",
    Outcome.LOSES: "dealer_wins",
    Outcome.TIE: "tie",
}


@cache
def _profile() -> PokerProfile:
    kinds = list(no_discard_poker().pays)
    pays = {kind.name.lower(): odds for kind, odds in zip(sorted(kinds, reverse=True), _TABLE, strict=True)}
    return no_discard_poker({"pays": pays})


def _plays(names: Sequence[str]) -> bool:
    return rank(cards_of(names)) >= _profile().floor


def _qualify(case: Case) -> Both:
    return {"qualifies": _plays(case["dealer"])}, case["expect"]


def _round(case: Case) -> Both:
    profile, expect = _profile(), case["expect"]
    own, bank = rank(cards_of(case["player"])), rank(cards_of(case["dealer"]))
    outcome = outcome_of(own, bank, profile.floor)
    way = Against(outcome, category(own) if outcome is Outcome.WINS else None)
    ante, second = net_of(way, Fraction(case["ante"]), Fraction(case["call"]), profile)
    got: dict[str, object] = {
        "result": _WORDS[outcome],
        "dealer_qualifies": _plays(case["dealer"]),
        "ante_net": int(ante),
        "call_net": int(second),
        "player_category": kind_of(cards_of(case["player"])),
        "dealer_category": kind_of(cards_of(case["dealer"])),
    }
    if outcome is Outcome.WINS:
        got["call_pays_to_one"] = int(profile.pays[category(own)])
    wanted = {key: case[key] for key in ("player_category", "dealer_category")}
    return got, {**expect, **wanted}


CASES = GameCases(game="no_discard_poker", kinds={"qualify": _qualify, "round": _round})
