"""Rule cases of the banque à deux tableaux: finished hands and one bet on each tableau."""

from __future__ import annotations

from fractions import Fraction

from datasets.rule_cases.base import Both, Case, GameCases
from rules.baccarat.points import card_value, points
from rules.cards import Card
from rules.games.banque_deux_tableaux.hands import Points, side_of
from rules.games.banque_deux_tableaux.lines import Side, net_of

_NAMES = {Side.TABLEAU: "punter", Side.BANCA: "bank", Side.TIE: "tie"}


def _points(cards: list[str]) -> Points:
    values = [card_value(Card.parse(card)) for card in cards]
    first, third = points(values[:2]), values[2] if len(values) > 2 else None
    return Points(points(values), first, third, third is None and first >= 8)


def _settlement(case: Case) -> Both:
    hands = [case["tableau_1"], case["tableau_2"]]
    tableaux, banca = [_points(hand["cards"]) for hand in hands], _points(case["banker"])
    sides = (side_of(tableaux[0], banca), side_of(tableaux[1], banca))
    gains = [
        net_of(Fraction(hand["stake"]), f"tableau_{number}", None, None, sides)
        for number, hand in enumerate(hands, start=1)
    ]
    got = {
        "total_1": tableaux[0].total,
        "total_2": tableaux[1].total,
        "banker_total": banca.total,
        "result_1": _NAMES[sides[0]],
        "result_2": _NAMES[sides[1]],
        "bank_net_before_commission": int(-sum((gain for gain in gains if gain is not None), Fraction(0))),
    }
    return got, dict(case["expect"])


CASES = GameCases(game="banque_deux_tableaux", kinds={"settlement": _settlement}, without_kind="settlement")
