"""Rule cases of trente et quarante: rows, totals, whole coups with a stake on each bet, and insurance."""

from __future__ import annotations

from datasets.rule_cases.base import Both, Case, GameCases
from rules.baccarat.dues import Due
from rules.cards import Card
from rules.games.trente_et_quarante.rows import card_points, is_full_row, result_of
from rules.games.trente_et_quarante.words import BETS, Kind, Result


def _total(cards: list[str]) -> int:
    return sum(card_points(Card.parse(card)) for card in cards)


def _result(case: Case) -> Result:
    for row in ("noir", "rouge"):
        if not is_full_row([card_points(Card.parse(card)) for card in case[row]]):
            raise ValueError(f"the row {row} does not end at 31 or more")
    first = Card.parse(case["noir"][0])
    return result_of(_total(case["noir"]), _total(case["rouge"]), first.is_red)


def _net(result: Result, bet: str, stake: int) -> int | str:
    if result.kind is Kind.REFAIT:
        return "half_or_prison"
    return {Due.PAY: stake, Due.COLLECT: -stake, Due.PUSH: 0}[result.due(bet)]


def _coup(case: Case) -> Both:
    result, expect = _result(case), case["expect"]
    refait, stake = result.kind is Kind.REFAIT, expect["stake"]
    got: dict[str, object] = {
        "noir_total": _total(case["noir"]),
        "rouge_total": _total(case["rouge"]),
        "winning_row": result.row or None,
        "first_card_colour": "red" if Card.parse(case["noir"][0]).is_red else "black",
        "refait": refait,
        "couleur": result.colour or None,
        "stake": stake,
        "net": {bet: _net(result, bet, stake) for bet in BETS},
    }
    if refait:
        got["net_half_taken"] = dict.fromkeys(BETS, -stake // 2)
        got["net_main_stake_if_insured_1pct"] = dict.fromkeys(BETS, 0)
    return got, dict(expect)


def _row(case: Case) -> Both:
    return {"total": _total(case["cards"])}, dict(case["expect"])


def _totals(case: Case) -> Both:
    colour, expect = case["first_card_colour"], dict(case["expect"])
    result = result_of(case["noir_total"], case["rouge_total"], colour == "red")
    got: dict[str, object] = {"winning_row": result.row or None}
    if "couleur" in expect:
        got["couleur"] = None if colour is None else result.colour or None
    if "refait_31" in expect:
        got["refait_31"] = result.kind is Kind.REFAIT
    if "bets" in expect:
        got["bets"] = "push" if result.kind is Kind.NULL else "other"
    return got, expect


def _insurance(case: Case) -> Both:
    """What becomes of an insured bet; of the premium the sources say different things."""
    result, expect = _result(case), case["expect"]
    got = {
        "refait": result.kind is Kind.REFAIT,
        "main_net": 0 if result.due(case["bet"]) is Due.PUSH else None,
        "premium": case["stake"] // 100,
    }
    return got, {key: expect[key] for key in got}


CASES = GameCases(
    game="trente_et_quarante",
    kinds={"coup": _coup, "row": _row, "totals": _totals, "insurance": _insurance},
    without_kind="coup",
)
