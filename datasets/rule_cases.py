"""Rule cases of other makers: each is judged by our rules, and compared with what its maker expects.

A case file is ``{game, count, cases: [...]}``; cards are written ``Th``, sides ``player`` and ``banker``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rules.baccarat.dues import Due, Stake, due_of, profit
from rules.baccarat.points import Result, card_value, points, result_of
from rules.cards import Card
from rules.errors import VeedorError
from rules.games.punto_banco.drawing import judge_values
from rules.games.punto_banco.profile import PuntoBancoProfile, punto_banco

GAMES = ("punto_banco",)
"""The games whose cases can be judged."""


class RuleCasesError(VeedorError):
    """A file of rule cases that cannot be read or judged."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """One case. ``expected`` and ``got``: what its maker says and what our rules say, in the same words."""

    id: str
    kind: str
    source: str
    expected: str
    got: str

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.expected == self.got


def score_rule_cases(path: Path | str) -> list[CaseResult]:
    """Judge every case of a file. Raises RuleCasesError, naming the file, the case and the remedy."""
    file = Path(path)
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise RuleCasesError(f"{file} cannot be read as a file of rule cases ({error}).") from None
    if not isinstance(document, dict) or not isinstance(document.get("cases"), list):
        raise RuleCasesError(f"{file} is not a file of rule cases: it needs the keys 'game' and 'cases'.")
    game = document.get("game")
    if game not in GAMES:
        raise RuleCasesError(
            f"{file}: there are no rules for the game {game!r} yet, only {', '.join(GAMES)}."
        )
    profile = punto_banco("mini")
    return [_judge(case, profile, file) for case in document["cases"]]


def _judge(case: dict[str, Any], profile: PuntoBancoProfile, file: Path) -> CaseResult:
    name, kind = str(case.get("id")), str(case.get("kind"))
    judged = _KINDS.get(kind)
    if judged is None:
        raise RuleCasesError(f"{file}, case {name}: the kind {kind!r} is not known ({', '.join(_KINDS)}).")
    try:
        got, wanted = judged(case, profile)
    except (KeyError, ValueError, TypeError) as error:
        raise RuleCasesError(f"{file}, case {name} is not a case of kind {kind!r}: {error}.") from None
    return CaseResult(name, kind, str(case.get("source")), _text(wanted), _text(got))


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)


_SIDES = {"player": "punto", "banker": "banca", "tie": "empate"}
_NAMES = {Result.PUNTO: "player", Result.BANCA: "banker", Result.TIE: "tie"}

_Both = tuple[object, object]
"""What our rules say, and what is expected."""


def _values(cards: list[str]) -> list[int]:
    return [card_value(Card.parse(card)) for card in cards]


def _play(
    punto: list[str], banca: list[str], following: list[str], profile: PuntoBancoProfile
) -> tuple[list[str], list[str]]:
    """Deal third cards by the profile's drawing table until nothing is missing."""
    table, left = profile.drawing, list(following)
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


def _net(bet: str, result: Result, stake: Fraction, profile: PuntoBancoProfile) -> Fraction:
    match due_of(bet, result):
        case Due.PAY:
            return profit(Stake(stake, False), profile.payouts[bet])
        case Due.COLLECT:
            return -stake
        case Due.PUSH:
            return Fraction(0)


def _round(case: dict[str, Any], profile: PuntoBancoProfile) -> _Both:
    cards, expect = case["deal"], case["expect"]
    punto, banca = _play([cards[0], cards[2]], [cards[1], cards[3]], cards[4:], profile)
    totals = points(_values(punto)), points(_values(banca))
    result = result_of(*totals)
    stake = Fraction(expect["settle"]["stake"])
    reading = judge_values(_values(punto), _values(banca), profile.drawing)
    got = {
        "player": punto,
        "banker": banca,
        "player_total": totals[0],
        "banker_total": totals[1],
        "natural": reading.natural is not None,
        "winner": _NAMES[result],
        "cards_used": len(punto) + len(banca),
        "player_bet_net": str(_net("punto", result, stake, profile)),
        "banker_bet_net": str(_net("banca", result, stake, profile)),
        "tie_bet_net": str(_net("empate", result, stake, profile)),
    }
    settle = expect["settle"]
    wanted = {key: expect[key] for key in got if key in expect} | {
        "player_bet_net": str(settle["player_bet_net"]),
        "banker_bet_net": str(settle["banker_bet_net"]["paid_19_to_20"]),
        "tie_bet_net": str(settle["tie_bet_8_to_1_net"]),
    }
    return got, wanted


def _draw_rule(case: dict[str, Any], profile: PuntoBancoProfile) -> _Both:
    side = case["side"]
    if side == "player":
        total = _two(case, "player")
        draws = profile.drawing.punto_draws(total)
    else:
        punto = case.get("player", [])
        third = case.get("player_third") if len(punto) < 3 else _values(punto)[2]
        draws = profile.drawing.banca_draws(_two(case, "banker"), third)
    return "draw" if draws else "stand", case["expect"]


def _two(case: dict[str, Any], side: str) -> int:
    """A side's two-card total, given as such or as cards."""
    total = case.get(f"{side}_two")
    return points(_values(case.get(side) or case["cards"])) if total is None else int(total)


def _hand_total(case: dict[str, Any], profile: PuntoBancoProfile) -> _Both:
    total = points(_values(case["cards"]))
    natural = len(case["cards"]) == 2 and total in profile.drawing.naturals
    got = {"total": total, "natural": natural}
    return {key: got[key] for key in case["expect"]}, case["expect"]


def _settlement(case: dict[str, Any], profile: PuntoBancoProfile) -> _Both:
    result = Result(_SIDES[case["winner"]])
    return str(_net(_SIDES[case["bet"]], result, Fraction(case["stake"]), profile)), str(
        case["expect"]["net"]
    )


def _partial_round(case: dict[str, Any], profile: PuntoBancoProfile) -> _Both:
    punto, banca = _play(case["player"], case["banker"], case["next_cards"], profile)
    return {"player_cards": len(punto), "banker_cards": len(banca)}, case["expect"]


def _final_hands(case: dict[str, Any], profile: PuntoBancoProfile) -> _Both:
    result = result_of(points(_values(case["player"])), points(_values(case["banker"])))
    got: dict[str, object] = {"winner": _NAMES[result]}
    if "net" in case["expect"]:
        got["net"] = str(_net(_SIDES[case["bet"]], result, Fraction(case["stake"]), profile))
    return got, case["expect"] | ({"net": str(case["expect"]["net"])} if "net" in got else {})


def _totals(case: dict[str, Any], profile: PuntoBancoProfile) -> _Both:
    del profile
    result = result_of(case["player_total"], case["banker_total"])
    return {"winner": _NAMES[result]}, case["expect"]


_KINDS: dict[str, Callable[[dict[str, Any], PuntoBancoProfile], _Both]] = {
    "round": _round,
    "draw_rule": _draw_rule,
    "hand_total": _hand_total,
    "settlement": _settlement,
    "partial_round": _partial_round,
    "final_hands": _final_hands,
    "totals": _totals,
}
