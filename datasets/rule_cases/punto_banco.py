"""Punto banco's rule cases; sides are ``player`` and ``banker``."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from datasets.rule_cases.base import Both, Case, GameCases
from rules.baccarat.dues import Due, Stake, due_of, profit
from rules.baccarat.points import Result, card_value, points, result_of
from rules.cards import Card
from rules.games.punto_banco.drawing import judge_values
from rules.games.punto_banco.profile import PuntoBancoProfile, punto_banco


@cache
def _profile() -> PuntoBancoProfile:
    return punto_banco("mini")


_SIDES = {"player": "punto", "banker": "banca", "tie": "empate"}
_NAMES = {Result.PUNTO: "player", Result.BANCA: "banker", Result.TIE: "tie"}


def _values(cards: list[str]) -> list[int]:
    return [card_value(Card.parse(card)) for card in cards]


def _play(punto: list[str], banca: list[str], following: list[str]) -> tuple[list[str], list[str]]:
    """Deal third cards by the profile's drawing table until nothing is missing."""
    table, left = _profile().drawing, list(following)
    first_p, first_b = points(_values(punto)), points(_values(banca))
    punto, banca = list(punto), list(banca)
    if table.is_natural(first_p, first_b):
        return punto, banca
    third: int | None = None
    if table.punto_draws(first_p):
        punto.append(left.pop(0))
        third = _values(punto)[2]
    if table.banca_draws(first_b, third):
        banca.append(left.pop(0))
    return punto, banca


def _net(bet: str, result: Result, stake: Fraction) -> Fraction:
    match due_of(bet, result):
        case Due.PAY:
            return profit(Stake(stake, False), _profile().payouts[bet])
        case Due.COLLECT:
            return -stake
        case Due.PUSH:
            return Fraction(0)


def _round(case: Case) -> Both:
    cards, expect = case["deal"], case["expect"]
    punto, banca = _play([cards[0], cards[2]], [cards[1], cards[3]], cards[4:])
    totals = points(_values(punto)), points(_values(banca))
    result = result_of(*totals)
    stake = Fraction(expect["settle"]["stake"])
    reading = judge_values(_values(punto), _values(banca), _profile().drawing)
    got = {
        "player": punto,
        "banker": banca,
        "player_total": totals[0],
        "banker_total": totals[1],
        "natural": reading.natural is not None,
        "winner": _NAMES[result],
        "cards_used": len(punto) + len(banca),
        "player_bet_net": str(_net("punto", result, stake)),
        "banker_bet_net": str(_net("banca", result, stake)),
        "tie_bet_net": str(_net("empate", result, stake)),
    }
    settle = expect["settle"]
    wanted = {key: expect[key] for key in got if key in expect} | {
        "player_bet_net": str(settle["player_bet_net"]),
        "banker_bet_net": str(settle["banker_bet_net"]["paid_19_to_20"]),
        "tie_bet_net": str(settle["tie_bet_8_to_1_net"]),
    }
    return got, wanted


def _draw_rule(case: Case) -> Both:
    side = case["side"]
    if side == "player":
        total = _two(case, "player")
        draws = _profile().drawing.punto_draws(total)
    else:
        punto = case.get("player", [])
        third = case.get("player_third") if len(punto) < 3 else _values(punto)[2]
        draws = _profile().drawing.banca_draws(_two(case, "banker"), third)
    return "draw" if draws else "stand", case["expect"]


def _two(case: Case, side: str) -> int:
    """A side's two-card total, given as such or as cards."""
    total = case.get(f"{side}_two")
    return points(_values(case.get(side) or case["cards"])) if total is None else int(total)


def _hand_total(case: Case) -> Both:
    total = points(_values(case["cards"]))
    natural = len(case["cards"]) == 2 and total in _profile().drawing.naturals
    got = {"total": total, "natural": natural}
    return {key: got[key] for key in case["expect"]}, case["expect"]


def _settlement(case: Case) -> Both:
    result = Result(_SIDES[case["winner"]])
    return str(_net(_SIDES[case["bet"]], result, Fraction(case["stake"]))), str(case["expect"]["net"])


def _partial_round(case: Case) -> Both:
    punto, banca = _play(case["player"], case["banker"], case["next_cards"])
    return {"player_cards": len(punto), "banker_cards": len(banca)}, case["expect"]


def _final_hands(case: Case) -> Both:
    result = result_of(points(_values(case["player"])), points(_values(case["banker"])))
    got: dict[str, object] = {"winner": _NAMES[result]}
    if "net" in case["expect"]:
        got["net"] = str(_net(_SIDES[case["bet"]], result, Fraction(case["stake"])))
    return got, case["expect"] | ({"net": str(case["expect"]["net"])} if "net" in got else {})


def _totals(case: Case) -> Both:
    result = result_of(case["player_total"], case["banker_total"])
    return {"winner": _NAMES[result]}, case["expect"]


CASES = GameCases(
    game="punto_banco",
    kinds={
        "round": _round,
        "draw_rule": _draw_rule,
        "hand_total": _hand_total,
        "settlement": _settlement,
        "partial_round": _partial_round,
        "final_hands": _final_hands,
        "totals": _totals,
    },
)
