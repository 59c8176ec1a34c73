"""Chemin de fer's rule cases; sides are ``player`` and ``banker``."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from datasets.rule_cases.base import Both, Case, GameCases
from rules.baccarat.points import Result, card_value, points, result_of
from rules.cards import Card
from rules.games.chemin_de_fer.profile import CheminDeFerProfile, chemin_de_fer

_NAMES = {Result.PUNTO: "player", Result.BANCA: "banker", Result.TIE: "tie"}


@cache
def _profile() -> CheminDeFerProfile:
    return chemin_de_fer()


def _total(cards: Sequence[str]) -> int:
    return points([card_value(Card.parse(card)) for card in cards])


def _player(total: int) -> str:
    table = _profile().drawing
    if total in table.naturals:
        return "natural"
    if total in table.punto_free:
        return "optional"
    return "draw" if table.punto_draws(total) else "stand"


def _banker(total: int, third: int | None) -> str:
    table = _profile().drawing
    if total in table.naturals:
        return "natural"
    if (total, third) in table.banca_free:
        return "optional"
    return "draw" if table.banca_draws(total, third) else "stand"


def _player_decision(case: Case) -> Both:
    return _player(case["player_two"]), case["expect"]


def _banker_decision(case: Case) -> Both:
    return _banker(case["banker_two"], case["player_third"]), case["expect"]


def _round(case: Case) -> Both:
    deal, choices, expect = list(case["deal"]), case["choices"], case["expect"]
    player, banker, left = [deal[0], deal[2]], [deal[1], deal[3]], deal[4:]
    natural = _player(_total(player)) == "natural" or _banker(_total(banker), None) == "natural"
    if not natural:
        word = _player(_total(player))
        if (choices["player_on_5"] if word == "optional" else word) == "draw":
            player.append(left.pop(0))
        third = _total(player[2:]) if len(player) > 2 else None
        word = _banker(_total(banker), third)
        if (choices["banker_option"] if word == "optional" else word) == "draw":
            banker.append(left.pop(0))
    result = result_of(_total(player), _total(banker))
    got = {
        "player": player,
        "banker": banker,
        "player_total": _total(player),
        "banker_total": _total(banker),
        "winner": _NAMES[result],
        "natural": natural,
        "cards_used": len(player) + len(banker),
        "bank_net": str(_bank_net(result, Fraction(expect["bank_net"]["stake"]))),
    }
    net = {"bank_net": str(expect["bank_net"]["commission_5pct"])}
    return got, {key: expect[key] for key in got if key in expect} | net


def _bank_net(result: Result, stake: Fraction) -> Fraction:
    """What the bank gains against a stake, the house's part taken off."""
    match result:
        case Result.BANCA:
            return stake * (1 - _profile().commission)
        case Result.PUNTO:
            return -stake * _profile().payout
        case Result.TIE:
            return Fraction(0)


CASES = GameCases(
    game="chemin_de_fer",
    kinds={"player_decision": _player_decision, "banker_decision": _banker_decision, "round": _round},
)
