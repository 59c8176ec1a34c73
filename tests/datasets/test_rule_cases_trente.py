"""Rule cases of trente et quarante."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from datasets.rule_cases import score_rule_cases


def _nets(noir: int | str, couleur: int | str) -> dict[str, Any]:
    if isinstance(noir, str) or isinstance(couleur, str):
        return dict.fromkeys(("rouge", "noir", "couleur", "inverse"), noir)
    return {"rouge": -noir, "noir": noir, "couleur": couleur, "inverse": -couleur}


def _coup(noir: str, rouge: str, totals: tuple[int, int], row: str | None, net: int, colour: int) -> Any:
    return {
        "id": f"{noir} / {rouge}",
        "kind": "coup",
        "noir": noir.split(),
        "rouge": rouge.split(),
        "expect": {
            "noir_total": totals[0],
            "rouge_total": totals[1],
            "winning_row": row,
            "first_card_colour": "red" if noir[1] in "dh" else "black",
            "refait": False,
            "couleur": {1: "couleur", -1: "inverse", 0: None}[colour],
            "stake": 10,
            "net": _nets(10 * net, 10 * colour),
        },
    }


CASES = [
    _coup("Ks 7d 9c 5h", "Th 9s 8d 6c", (31, 33), "noir", 1, 1),
    _coup("8d Qs 9c Kh", "9h 6s Kd 7c", (37, 32), "rouge", -1, 1),
    _coup("8d 5s Qh Tc", "9h 4d Ac 5c Kd 8d", (33, 37), "noir", 1, -1),
    _coup("Ac Td Ks Th", "6h Jd 9s 7d", (31, 32), "noir", 1, 1),
    _coup("8h Ts 7d 9c", "Ts 9h Kd 5c", (34, 34), None, 0, 0),
    {
        "id": "a row",
        "kind": "row",
        "cards": ["Ts", "7d", "Tc", "6h"],
        "expect": {"total": 33},
    },
    {
        "id": "insured",
        "kind": "insurance",
        "noir": ["Kh", "Kd", "Ks", "Ac"],
        "rouge": ["Qh", "Qd", "Qs", "Ad"],
        "stake": 1000,
        "bet": "noir",
        "expect": {"refait": True, "main_net": 0, "premium": 10},
    },
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_rows_are_counted_and_settled(case: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"game": "trente_et_quarante", "cases": [case]}), encoding="utf-8")
    (result,) = score_rule_cases(file)
    assert result.expected == result.got
