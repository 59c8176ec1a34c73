"""Scoring a recording's rounds against its truth file, one round and several."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.errors import VeedorError
from rules.findings import BetRecord, CoupSummary, Finding, Judgement, Severity, Verdict
from rules.spots import bet_spot
from veedor.demo import demo_files
from veedor.score.recordings import compare_bets, compare_cards, compare_findings
from veedor.score.run import recognise
from veedor.score.tally import Tally
from veedor.score.truth import Truth, read_truth

DEMO = demo_files()[0].with_suffix(".json")


def _judged(truth: Truth, findings: tuple[Finding, ...] = ()) -> Judgement:
    """What a reviewer who sees everything would say."""
    coups = []
    for number, true in enumerate(truth.rounds, 1):
        bets = tuple(
            BetRecord(
                stack=bet.id,
                spot=bet_spot(bet.seat, bet.box),
                denominations=None,
                count=None,
                value=str(bet.value),
                line="outline" if bet.on_line else None,
            )
            for bet in true.bets
        )
        coups.append(
            CoupSummary(
                coup=number,
                t_from=true.t_from + 0.3,
                t_to=true.t_from + 12,
                cards=dict(true.hands),
                bets=bets,
                result={},
                verdict=Verdict.CONFORM,
                counts={},
            )
        )
    return Judgement("punto_banco", "andorra_2016", findings, tuple(coups))


def _finding(code: str, t: float, verdict: Verdict = Verdict.BREACH) -> Finding:
    return Finding(
        id=f"{code}-{t}",
        coup=1,
        rule="PB-AND-DRAW-02",
        code=code,
        verdict=verdict,
        severity=Severity.HIGH,
        t=t,
        t_from=t,
        t_to=t,
        spot=None,
        expected="",
        seen="",
        article="",
    )


def test_every_round_is_read() -> None:
    truth = read_truth(DEMO)
    assert recognise([DEMO]).recordings == [DEMO]
    assert [round_.hands["punto"] for round_ in truth.rounds] == [
        ("Jh", "Js", "Jh"),
        ("Qh", "4h"),
        ("9d", "4d", "Ks"),
    ]
    assert [[str(bet) for bet in round_.bets] for round_ in truth.rounds] == [
        ["seat 2 banca 1000", "seat 3 banca 300"],
        ["seat 3 banca 300", "seat 2 banca 1500"],
        ["seat 3 banca 300", "seat 2 banca 200 on the line", "seat 4 punto 301"],
    ]
    assert [(error.type, error.round, error.seat) for error in truth.errors] == [("sixth_card", 2, None)]


def test_what_was_all_seen_is_all_right() -> None:
    truth = read_truth(DEMO)
    judged = _judged(truth, (_finding("WRONG_DRAW", 50.0),))
    assert compare_cards(truth, judged) == (Tally(right=15), [])
    assert compare_bets(truth, judged) == (Tally(right=7), [])
    assert compare_findings(truth, judged) == (Tally(right=1), [])


def test_rounds_are_not_mixed_up() -> None:
    truth = read_truth(DEMO)
    whole = _judged(truth)
    tally, differences = compare_cards(
        truth, Judgement("punto_banco", "andorra_2016", (), whole.coups[:1] + whole.coups[2:])
    )
    assert tally == Tally(right=11, missed=4)
    assert len(differences) == 1


@pytest.mark.parametrize(
    ("findings", "tally"),
    [
        ((), Tally(missed=1)),
        ((_finding("WRONG_DRAW", 50.0, Verdict.UNDETERMINED),), Tally(undetermined=1)),
        ((_finding("WRONG_DRAW", 5.0),), Tally(missed=1, extra=1)),  # of another round
        ((_finding("WRONG_DRAW", 50.0), _finding("WRONG_WINNER", 51.0)), Tally(right=1)),
        ((_finding("WRONG_DRAW", 50.0), _finding("UNDERPAID", 57.0)), Tally(right=1, extra=1)),
    ],
    ids=["silent", "open", "another round", "lawful", "false"],
)
def test_alerts_are_held_against_the_errors_of_their_round(
    findings: tuple[Finding, ...], tally: Tally
) -> None:
    truth = read_truth(DEMO)
    assert compare_findings(truth, _judged(truth, findings))[0] == tally


def test_one_round_is_read_as_several_are(tmp_path: Path) -> None:
    document = json.loads(DEMO.read_text())
    first = document.pop("rounds")[0]
    document |= {"round": first, "error": None, "errors": []}
    single = tmp_path / "single.json"
    single.write_text(json.dumps(document))
    truth = read_truth(single)
    assert [len(truth.rounds), len(truth.rounds[0].bets), truth.errors] == [1, 2, ()]
    assert truth.rounds[0].hands == read_truth(DEMO).rounds[0].hands


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rounds": []}, "list of rounds is empty"),
        ({"rounds": [{"punto": ["JH"]}]}, "'banca' is missing"),
        ({"rounds": [3]}, "fault"),
        ({"image_size": [1280]}, "fault"),
        ({"rounds": None}, "fault"),
    ],
)
def test_a_faulty_truth_is_named(tmp_path: Path, change: dict[str, Any], words: str) -> None:
    file = tmp_path / "clip.json"
    file.write_text(json.dumps(json.loads(DEMO.read_text()) | change))
    with pytest.raises(VeedorError, match=words) as refused:
        read_truth(file)
    assert "clip.json" in str(refused.value)
