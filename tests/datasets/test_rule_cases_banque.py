"""Rule cases of the banque à deux tableaux."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from datasets.rule_cases import score_rule_cases


def _case(first: str, second: str, bank: str, results: tuple[str, str], net: int) -> dict[str, Any]:
    totals = [
        sum("A23456789".find(card[0]) + 1 for card in hand.split()) % 10 for hand in (first, second, bank)
    ]
    return {
        "id": f"{first} / {second} / {bank}",
        "tableau_1": {"cards": first.split(), "stake": 500},
        "tableau_2": {"cards": second.split(), "stake": 700},
        "banker": bank.split(),
        "expect": {
            "total_1": totals[0],
            "total_2": totals[1],
            "banker_total": totals[2],
            "result_1": results[0],
            "result_2": results[1],
            "bank_net_before_commission": net,
        },
    }


CASES = [
    _case("3s 4h", "7s 7c 8d", "4c 7c As", ("punter", "tie"), -500),
    _case("5c 7h 9h", "2d Ah 3s", "6s 6h", ("bank", "punter"), -200),
    _case("2d 6c", "9h Kd", "3c 2d 4h", ("punter", "punter"), -1200),  # an eight in two beats a nine in three
    _case("4c 2d 3h", "5c Kd 3s", "8h Kc", ("bank", "bank"), 1200),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_finished_hands_are_settled_tableau_by_tableau(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"game": "banque_a_deux_tableaux", "cases": [case]}), encoding="utf-8")
    (result,) = score_rule_cases(file)
    assert result.expected == result.got
