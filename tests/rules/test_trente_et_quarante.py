"""Coups of trente et quarante made by hand: worked examples and traps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from datasets.games.trente_et_quarante import SIMULATOR
from datasets.games.trente_et_quarante.table import PLACES, Bet, Coup, Table
from rules.errors import ProfileError
from rules.events import ChipState, Cue, CutCardSeen, Stack
from rules.findings import Judgement, Verdict
from rules.games.trente_et_quarante.profile import trente_et_quarante
from rules.judge import judge

REFAIT = ("Th Js Ad Tc", "Kd Qh 5s 6c")
BLACK_COULEUR = ("Ks 7d 9c 5h", "Th 9s 8d 6c")
NULL = ("8h Ts 7d 9c", "Ts 9h Kd 5c")


def _bet(chance: str, amount: int, gain: int | None = None, **more: Any) -> Bet:
    return Bet(f"box a {chance}", amount, PLACES[f"box a {chance}"], gain, **more)


def _coup(number: int, rows: tuple[str, str], *bets: Bet, **changes: Any) -> Coup:
    coup = Coup(number, rows[0].split(), rows[1].split(), list(bets))
    for name, value in changes.items():
        setattr(coup, name, value)
    return coup


def _judge(*coups: Coup, house: dict[str, Any] | None = None) -> Judgement:
    table = Table(frozenset())
    table.new_shoe()
    for coup in coups:
        table.play(coup)
    return judge(table.scribe.events, trente_et_quarante(house))


def _breaches(judgement: Judgement) -> list[tuple[str, str]]:
    return [(f.rule, f.code) for f in judgement.findings if f.verdict is Verdict.BREACH]


def test_the_worked_example_pays_inverse_before_red() -> None:
    bets = [_bet("rouge", 100), _bet("noir", 50), _bet("couleur", 40), _bet("inverse", 30)]
    judgement = _judge(_coup(1, ("8d Qs 9c Kh", "9h 6s Kd 7c"), *bets))
    assert judgement.findings == ()
    assert judgement.coups[0].result["winner"] == {"row": "rouge", "colour": "couleur"}


def test_tr_tq_5_the_first_black_card_decides_the_colour() -> None:
    judgement = _judge(_coup(1, ("8d 5s Qh Tc", "9h 4d Ac 5c Kd 8d"), _bet("inverse", 30)))
    assert judgement.findings == ()
    assert judgement.coups[0].result["winner"] == {"row": "noir", "colour": "inverse"}


@pytest.mark.parametrize(
    ("counted", "seen"),
    [(True, "chips taken"), (False, "what was left of it taken back by its player")],
    ids=["counted", "seen from above"],
)
def test_tq_tie_02_whether_half_of_an_unread_bet_was_taken_is_not_known(counted: bool, seen: str) -> None:
    """No amount is made up, and nobody is accused of what a bank's hand may have done unseen."""
    table = Table(frozenset())
    table.new_shoe()
    table.play(_coup(1, REFAIT, _bet("rouge", 20, -10)))
    events = [
        replace(event, stacks=tuple(_unread(stack, counted) for stack in event.stacks))
        if isinstance(event, ChipState)
        else event
        for event in table.scribe.events
    ]
    (found,) = judge(events, trente_et_quarante(None)).findings
    assert (found.verdict, found.rule, found.seen) == (Verdict.UNDETERMINED, "TQ-TIE-02", seen)


def _unread(stack: Stack, counted: bool) -> Stack:
    return replace(stack, denominations=None, count=stack.count if counted else None, unread="dark")


@pytest.mark.parametrize(("gain", "waits"), [(-50, False), (0, True)], ids=["half", "prison"])
def test_tq_tie_02_half_or_prison(gain: int, waits: bool) -> None:
    first = _coup(1, REFAIT, _bet("noir", 100, gain, waits=waits))
    assert _breaches(_judge(first, _coup(2, NULL, _bet("rouge", 20)))) == []


@pytest.mark.parametrize(("rule", "gain"), [("half", 0), ("prison", -50)])
def test_tq_tie_02_the_house_may_prescribe_which(rule: str, gain: int) -> None:
    first = _coup(1, REFAIT, _bet("noir", 100, gain, waits=gain == 0))
    found = _breaches(_judge(first, house={"refait": {"rule": rule}}))
    assert found == [("TQ-TIE-02", "REFAIT_MISPAID")]


@pytest.mark.parametrize(
    ("rows", "gain", "found"),
    [
        (BLACK_COULEUR, 0, []),
        (BLACK_COULEUR, 100, [("TQ-TIE-03", "REFAIT_MISPAID")]),
        (("8d Qs 9c Kh", "9h 6s Kd 7c"), -100, []),
        (("8d Qs 9c Kh", "9h 6s Kd 7c"), 0, [("TQ-TIE-03", "REFAIT_MISPAID")]),
    ],
    ids=["free", "paid", "lost", "left"],
)
def test_tq_tie_03_out_of_prison(rows: tuple[str, str], gain: int, found: list[tuple[str, str]]) -> None:
    kept = _bet("noir", 100, waits=True)
    table = Table(frozenset())
    table.new_shoe()
    table.play(_coup(1, REFAIT, kept))
    table.play(_coup(2, rows, _bet("noir", 100, gain, prison=True, name=kept.name)))
    assert _breaches(judge(table.scribe.events, trente_et_quarante())) == found


def test_tq_ins_03_an_insured_bet_is_free() -> None:
    assert _judge(_coup(1, REFAIT, _bet("noir", 100, marked=True))).findings == ()


def test_tr_tq_6_the_red_card_annuls() -> None:
    coup = _coup(1, BLACK_COULEUR, _bet("noir", 100), red_at=6)
    judgement = _judge(_coup(1, NULL, _bet("noir", 100)), coup)
    assert ("TQ-CUT-02", "VOID_NOT_APPLIED") not in _breaches(judgement)
    assert judgement.coups[1].result["void"]


def test_tr_tq_1_tr_tq_2_a_row_that_stands_at_30_has_not_won() -> None:
    """Thirty is as near to 31 as 32 is; but no row may end there, so which won is not said by a distance."""
    judgement = _judge(_coup(1, ("8h Ts 7d 5c", "9h 6s Kd 7c"), _bet("noir", 100, 100)))
    assert ("TQ-ROW-03", "WRONG_DRAW") in _breaches(judgement)
    assert judgement.coups[0].result["winner"] is None
    assert not {code for _, code in _breaches(judgement)} & {"WRONG_WINNER", "OVERPAID", "LOSER_PAID"}


@pytest.mark.parametrize("words", ["dos rouge et couleur", "dos negro e inverso", "color pierde", "2"])
def test_tr_tq_3_an_announcement_is_not_taken_at_its_word(words: str) -> None:
    table = Table(frozenset({"chances_announced"}))
    table.new_shoe()
    table.play(_coup(1, ("8d Qs 9c Kh", "9h 6s Kd 7c"), _bet("rouge", 100)))
    events = [
        replace(event, value=words) if isinstance(event, Cue) and event.cue == "chances_announced" else event
        for event in table.scribe.events
    ]
    assert judge(events, trente_et_quarante({"cues": ["chances_announced"]})).findings == ()


@pytest.mark.parametrize(
    ("amount", "house", "kept"), [(9, {}, False), (10, {}, True), (10, {"minimum": 50}, False)]
)
def test_tr_tq_4_the_least_bet_that_can_be_insured_is_the_tables(
    amount: int, house: dict[str, Any], kept: bool
) -> None:
    own = {"insurance": house} if house else None
    found = _breaches(
        _judge(_coup(1, BLACK_COULEUR, _bet("noir", amount, marked=True, gain=None)), house=own)
    )
    assert (("TQ-INS-01", "INSURANCE_MISPAID") not in found) is kept


def test_tr_tq_7_colour_is_paid_before_black() -> None:
    bets = [_bet("noir", 50), _bet("couleur", 40)]
    assert _judge(_coup(1, BLACK_COULEUR, *bets)).findings == ()
    found = _breaches(_judge(_coup(1, BLACK_COULEUR, *bets, black_first=True)))
    assert found == [("TQ-SETTLE-02", "PAY_ORDER_WRONG")]


def test_tr_cv_2_an_insurance_marker_is_no_stake() -> None:
    judgement = _judge(_coup(1, BLACK_COULEUR, _bet("noir", 100, marked=True)))
    assert judgement.findings == ()
    assert [bet.value for bet in judgement.coups[0].bets] == ["100"]


def test_tr_cv_12_court_cards_count_ten() -> None:
    judgement = _judge(_coup(1, ("Ks 7d 9c 5h", "Th 9s 8d 6c"), _bet("noir", 100)))
    assert (judgement.coups[0].result["noir_total"], judgement.coups[0].result["rouge_total"]) == (31, 33)


def test_tr_cv_11_every_card_counts_that_left_the_shoe_above_the_red_one() -> None:
    """Also one that was laid beside the rows first: the red card comes after 307, whatever became of them."""
    kind = SIMULATOR.kinds["card beside the rows"]
    session = SIMULATOR.play(trente_et_quarante(), 5, 40, {2: kind.name})
    assert any(isinstance(event, CutCardSeen) for event in session.events)
    assert _breaches(judge(session.events, session.profile)) == [(kind.rule, kind.code)]


@pytest.mark.parametrize(
    ("rows", "winner", "colour"),
    [
        (("Ks 7d 9c 5h", "Th 9s 8d 6c"), "noir", "couleur"),
        (("8d Qs 9c Kh", "9h 6s Kd 7c"), "rouge", "couleur"),
        (("8d 5s Qh Tc", "9h 4d Ac 5c Kd 8d"), "noir", "inverse"),
        (("Ac Td Ks Th", "6h Jd 9s 7d"), "noir", "couleur"),
        (NULL, "null", ""),
        (REFAIT, "refait", ""),
    ],
)
def test_tq_win_01_tq_win_02_worked_rows(rows: tuple[str, str], winner: str, colour: str) -> None:
    judgement = _judge(_coup(1, rows, _bet("noir", 100, waits=True), _bet("inverse", 50, waits=True)))
    assert judgement.findings == ()
    assert judgement.coups[0].result["winner"] == {"row": winner, "colour": colour}


@pytest.mark.parametrize(
    ("house", "words"),
    [
        ({"refait": {"rule": "third"}}, "refait.rule"),
        ({"limits": {"minimun": 5}}, "limits.minimum"),
        ({"croupier_mm": [1]}, "croupier_mm"),
        ({"cues": ["sings"]}, "cues"),
    ],
)
def test_a_house_is_told_what_is_wrong(house: dict[str, Any], words: str) -> None:
    with pytest.raises(ProfileError, match=words):
        trente_et_quarante(house)
