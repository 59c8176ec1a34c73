"""Rule cases of other makers: read, judged, compared; and refused in words where they cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from datasets.rule_cases import RuleCasesError, score_rule_cases

SETTLE = {
    "stake": 2000,
    "player_bet_net": -2000,
    "banker_bet_net": {"paid_19_to_20": 1900},
    "tie_bet_8_to_1_net": -2000,
}
ROUND = {
    "id": "r1",
    "kind": "round",
    "deal": ["2s", "4s", "Kd", "7c", "2h", "4c", "9d"],
    "expect": {
        "player": ["2s", "Kd", "2h"],
        "banker": ["4s", "7c", "4c"],
        "player_total": 4,
        "banker_total": 5,
        "natural": False,
        "winner": "banker",
        "cards_used": 6,
        "settle": SETTLE,
    },
}
CASES: list[dict[str, Any]] = [
    ROUND,
    {"id": "d1", "kind": "draw_rule", "side": "player", "player_two": 5, "expect": "draw"},
    {
        "id": "d2", "kind": "draw_rule", "side": "banker", "banker_two": 6, "player_third": None,
        "expect": "stand",
    },
    {
        "id": "d3", "kind": "draw_rule", "side": "banker", "banker": ["Ks", "6s"],
        "player": ["2s", "2h", "6d"], "expect": "draw",
    },
    {"id": "h1", "kind": "hand_total", "cards": ["9h", "Td"], "expect": {"total": 9, "natural": True}},
    {"id": "t1", "kind": "totals", "player_total": 6, "banker_total": 6, "expect": {"winner": "tie"}},
    {"id": "s1", "kind": "settlement", "winner": "tie", "bet": "tie", "stake": 5, "expect": {"net": 40}},
    {
        "id": "f1", "kind": "final_hands", "player": ["3s", "4h"], "banker": ["4c", "5d"],
        "bet": "banker", "stake": 100, "expect": {"winner": "banker", "net": 95},
    },
    {
        "id": "p1", "kind": "partial_round", "player": ["3s", "2h"], "banker": ["2c", "Ad"],
        "next_cards": ["As", "2s"], "expect": {"player_cards": 3, "banker_cards": 3},
    },
]  # fmt: skip


def _file(folder: Path, document: object) -> Path:
    path = folder / "punto_banco.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_each_kind_of_case_is_judged(case: dict[str, Any], tmp_path: Path) -> None:
    (result,) = score_rule_cases(_file(tmp_path, {"game": "punto_banco", "cases": [case]}))
    assert result.agrees, (result.expected, result.got)


def test_a_disagreement_says_both(tmp_path: Path) -> None:
    wrong = {
        "id": "x",
        "kind": "totals",
        "player_total": 6,
        "banker_total": 7,
        "expect": {"winner": "player"},
    }
    (result,) = score_rule_cases(_file(tmp_path, {"game": "punto_banco", "cases": [wrong]}))
    assert not result.agrees
    assert (result.expected, result.got) == ('{"winner": "player"}', '{"winner": "banker"}')


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "is not a file of rule cases"),
        ({"game": "punto_banco", "cases": [1, 2]}, "entry 1 of its cases is '1', not a case"),
        ({"game": "roulette", "cases": []}, "no rules for the game 'roulette' yet"),
        (
            {"game": "punto_banco", "cases": [{"id": "x", "kind": "burn"}]},
            "case x: the kind 'burn' is not known",
        ),
        (
            {
                "game": "punto_banco",
                "cases": [{"id": "x", "kind": "hand_total", "cards": ["1h"], "expect": {}}],
            },
            "case x is not a case of kind 'hand_total': '1h' is not a card",
        ),
    ],
)
def test_what_cannot_be_judged_is_named(document: object, words: str, tmp_path: Path) -> None:
    with pytest.raises(RuleCasesError) as refused:
        score_rule_cases(_file(tmp_path, document))
    assert words in str(refused.value)


def test_a_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(RuleCasesError, match=r"cases\.json cannot be read"):
        score_rule_cases(path)
