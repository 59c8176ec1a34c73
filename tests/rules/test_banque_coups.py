"""Coups of the banque à deux tableaux made by hand: what the text prescribes, row by row and trap by trap."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from datasets.games.banque_deux_tableaux.cards import HANDS, Bet
from datasets.games.banque_deux_tableaux.coup import Coup
from datasets.games.banque_deux_tableaux.recipes import HOUSE
from datasets.games.banque_deux_tableaux.table import Table
from rules.errors import ProfileError
from rules.events import CardCleared, CardPlaced, Event
from rules.findings import Finding, Judgement, Verdict
from rules.games.banque_deux_tableaux.profile import BanqueProfile, banque_deux_tableaux
from rules.judge import judge

T1, T2, BANK = HANDS
TABLE = dict(HOUSE)
_OF = {str(n): f"{n}" for n in range(2, 10)} | {"0": "K", "1": "A"}


def _cards(points: str, suits: str = "cdhs") -> list[str]:
    """Cards that count so much: ``25`` is a two and a five."""
    return [_OF[digit] + suits[i % 4] for i, digit in enumerate(points)]


def _coup(
    first: str,
    second: str,
    bank: str,
    thirds: str = "",
    bets: list[Bet] | None = None,
    said: str = "",
    **changes: Any,
) -> Coup:
    """``thirds``: ``1:4 b:9`` lays a four at the first tableau and a nine at the bank; ``said``: ``1:no``."""
    hands = {"1": T1, "2": T2, "b": BANK}
    cards = {T1: _cards(first), T2: _cards(second, "dhsc"), BANK: _cards(bank, "hscd")}
    plain = [Bet(f"seat {seat} tableau_{1 if seat < 6 else 2}", 100) for seat in (1, 2, 6, 7)]
    coup = Coup(1, cards, plain if bets is None else bets, [1, 6], 20000)
    coup.thirds = [(hands[part[0]], _OF[part[2]] + "s") for part in thirds.split()]
    coup.says = [(hands[part[0]], part[2:]) for part in said.split()]
    for name, value in changes.items():
        setattr(coup, name, value)
    return coup


def _judge(*coups: Coup, house: dict[str, Any] | None = None, bank: int | None = 20000) -> Judgement:
    profile: BanqueProfile = banque_deux_tableaux(TABLE if house is None else house)
    table = Table(profile.bank.rate or Fraction(0), profile.cues)
    table.new_shoe()
    table.scribe.cue("bank_awarded", "the banker")
    if bank is not None:
        table.put_bank(bank)
    for coup in coups:
        coup.joins &= bank is not None
        table.play(coup)
    return judge(table.scribe.events, profile)


def _named(judgement: Judgement, verdict: Verdict = Verdict.BREACH) -> list[tuple[str, str]]:
    return [(f.rule, f.code) for f in judgement.findings if f.verdict is verdict]


def _only(judgement: Judgement, rule: str) -> Finding:
    (finding,) = [f for f in judgement.findings if f.rule == rule]
    return finding


CONFORM: list[tuple[str, Coup]] = [
    ("BT-DRAW-01 five is free: stands", _coup("05", "06", "07", said="1:no 2:no")),
    ("BT-DRAW-01 five is free: draws", _coup("05", "06", "07", "1:4", said="1:carta 2:no")),
    ("BT-DRAW-02 the banker is free: stands on 3", _coup("06", "07", "03", said="1:no 2:no")),
    ("BT-DRAW-02 the banker is free: draws on 6", _coup("06", "07", "06", "b:2", said="1:no 2:no")),
    ("BT-RULE-01 the banker's natural ends the coup", _coup("02", "03", "08")),
    ("BT-ERR-09 draws against the other tableau", _coup("08", "06", "05", "b:1", said="2:no")),
    ("BT-ERR-09 draws in an optional case, 3 against 9", _coup("09", "04", "03", "2:9 b:1", said="2:carta")),
    ("BT-ERR-09 draws in an optional case, 5 against 4", _coup("04", "08", "05", "1:4 b:1", said="1:carta")),
    ("BT-ERR-09 stands on 6 against a tableau that stands", _coup("08", "06", "06", said="2:no")),
    ("BT-WIN-01 an eight in two beats a nine in three", _coup("08", "06", "03", "b:6", said="2:no")),
    (
        "BT-ERR-13 the card goes back to the first tableau, the next one to the second",
        _coup("03", "02", "06", "2:4 2:5", said="1:no 2:carta", moved=[(T2, T1)]),
    ),
    (
        "BT-ERR-14 the card goes on to the second tableau",
        _coup("06", "02", "07", "1:4", said="1:carta 2:carta", moved=[(T1, T2)]),
    ),
    (
        "BT-ERR-14 the card goes on to the banker",
        _coup("06", "07", "04", "1:4", said="1:carta 2:no", moved=[(T1, BANK)]),
    ),
    ("BT-ERR-15 the first word counts on five", _coup("05", "06", "07", "1:2", said="1:carta 1:no 2:no")),
    (
        "BT-ERR-10 after a player's error the banker is free",
        _coup("06", "02", "05", "2:1", said="1:no 2:carta", late=[("error_by", "player", None)]),
    ),
    (
        "BT-ERR-02 a void coup is not settled",
        _coup("09", "06", "06", said="2:no", stuck=True, void=True),
    ),
    (
        "BT-ERR-05 an annulled coup is not settled",
        _coup("09", "06", "06", late=[("coup_void", None, None)], void=True),
    ),
    ("BT-ERR-03 a card picked up by the dealer", _coup("06", "07", "07", said="1:no 2:no", floor="dealer")),
]


@pytest.mark.parametrize(("name", "coup"), CONFORM, ids=[name for name, _ in CONFORM])
def test_in_order(name: str, coup: Coup) -> None:
    found = [f for f in _named(_judge(coup)) if f != ("BT-ERR-02", "STUCK_CARDS")]
    assert found == [], name


WRONG: list[tuple[str, Coup, list[tuple[str, str]]]] = [
    (
        "BT-DRAW-01 and BT-ERR-13: the card stays with the second tableau",
        _coup("03", "02", "07", "2:4", said="1:no 2:carta"),
        [("BT-DRAW-01", "WRONG_DRAW"), ("BT-ERR-13", "WRONG_DRAW")],
    ),
    (
        "BT-ERR-14 given to the banker though the second asked",
        _coup("06", "02", "04", "1:4 2:3", said="1:carta 2:carta", moved=[(T1, BANK)]),
        [("BT-ERR-14", "WRONG_DRAW")],
    ),
    (
        "BT-DRAW-01 a natural draws no card, and BT-ERR-16 is lost to who says no",
        _coup("08", "06", "04", "1:2 b:2", said="1:no 2:no"),
        [("BT-DRAW-01", "WRONG_DRAW"), ("BT-ERR-16", "NATURAL_NOT_SHOWN")],
    ),
    (
        "BT-BANCO-01 banco's player is free (TR-BT-6), but looks at the second tableau too early",
        _coup("03", "06", "07", early=[("banco", None, f"hand {T1}")]),
        [("BT-BANCO-01", "REVEAL_ORDER")],
    ),
    (
        "BT-ERR-10 his own error: he draws on five",
        _coup("06", "02", "05", "2:1", said="1:no 2:carta", late=[("error_by", "banker", None)]),
        [("BT-ERR-10", "WRONG_DRAW")],
    ),
]


@pytest.mark.parametrize(("name", "coup", "found"), WRONG, ids=[name for name, *_ in WRONG])
def test_against_the_rows(name: str, coup: Coup, found: list[tuple[str, str]]) -> None:
    assert sorted(_named(_judge(coup))) == sorted(found), name


@pytest.mark.parametrize(("thirds", "found"), [("b:2", []), ("", [("BT-ERR-12", "WRONG_DRAW")])])
def test_tr_bt_2_after_both_cards_were_shown_the_rules_of_number_3_bind_the_banker(
    thirds: str, found: list[tuple[str, str]]
) -> None:
    """BT-ERR-07 sends to the rows on the banker's being bound: with three against two that stand he draws."""
    judgement = _judge(_coup("06", "07", "03", thirds, said="1:no 2:no", shown=(1, 4)))
    assert [one for one in _named(judgement) if one != ("BT-ERR-07", "EXPOSED_CARD")] == found


def test_tr_bt_4_a_third_card_that_was_seen_is_recovered_and_the_coup_goes_on() -> None:
    """BT-ERR-08: only cards that nobody saw make it void."""
    profile = banque_deux_tableaux(TABLE)
    table = Table(profile.bank.rate or Fraction(0), profile.cues)
    table.new_shoe()
    table.scribe.cue("bank_awarded", "the banker")
    table.put_bank(20000)
    table.play(_coup("04", "07", "07", "1:2", said="1:carta 2:no"))
    events: list[Event] = []
    for event in table.scribe.events:
        events.append(event)
        if isinstance(event, CardPlaced) and event.card == "2s":
            gone = CardCleared(
                seq=0, t=event.t + 0.1, card_id=event.card_id, spot=event.spot, to_spot="discard"
            )
            events += [gone, replace(event, t=event.t + 0.4)]
    numbered = [replace(event, seq=number) for number, event in enumerate(events, start=1)]
    assert _named(judge(numbered, profile)) == []


def test_tr_bt_3_winners_may_be_paid_before_losers_are_taken() -> None:
    judgement = _judge(_coup("09", "06", "07", said="2:no"))
    assert _named(judgement) == []


def test_tr_bt_5_the_same_for_both_binds_always_only_where_the_house_says_so() -> None:
    coup = _coup("06", "07", "03", said="1:no 2:no")
    assert _named(_judge(coup)) == []
    always = {**TABLE, "drawing": {"bound": "always"}}
    coup = _coup("06", "07", "03", said="1:no 2:no")
    assert _named(_judge(coup, house=always)) == [("BT-ERR-12", "WRONG_DRAW")]


def test_tr_bt_6_where_banco_is_not_told_its_player_is_not_accused() -> None:
    untold = {**TABLE, "cues": ["says"]}
    coup = _coup("03", "06", "07", said="2:no")
    judgement = _judge(coup, house=untold)
    assert _named(judgement) == []
    assert "the cue banco" in (_only(judgement, "BT-DRAW-01").reason or "")


DEDUCTIONS = [
    # first stake and second, both won by the bank or the first alone, and 2 %
    (1000, 400, "06", 28),
    (1000, 400, "09", 12),
    (1000, 400, "07", 20),
]


@pytest.mark.parametrize(("first", "second", "points", "due"), DEDUCTIONS)
def test_com_01_worked_examples(first: int, second: int, points: str, due: int) -> None:
    """TR-BT-7: two per cent of what a limited bank wins in both tableaux together."""
    bets = [Bet("seat 1 tableau_1", first), Bet("seat 6 tableau_2", second)]
    said = "1:no" if points == "09" else "1:no 2:no"
    for taken, found in ((due, []), (due + 5, [("BT-COM-01", "COMMISSION_WRONG")])):
        coup = _coup(
            "06", points, "07", bets=[Bet(b.spot, b.amount) for b in bets], said=said, deduction=taken
        )
        assert _named(_judge(coup)) == found


@pytest.mark.parametrize(("first", "second"), [(400, 1000), (300, 300)])
def test_com_01_nothing_is_due_where_the_bank_does_not_win(first: int, second: int) -> None:
    bets = [Bet("seat 1 tableau_1", first), Bet("seat 6 tableau_2", second)]
    assert _named(_judge(_coup("06", "09", "07", bets=bets, said="1:no"))) == []


SHORT = [
    ("the nearer seats first", (400, 100, None), []),
    ("the farther seat first", (0, 300, 200), [("BT-SETTLE-01", "NOT_PAID")]),
    ("with money left", (100, 0, 0), [("BT-SETTLE-01", "NOT_PAID")] * 2 + [("BT-SETTLE-01", "UNDERPAID")]),
]


@pytest.mark.parametrize(("name", "paid", "found"), SHORT, ids=[name for name, *_ in SHORT])
def test_mode_01_a_limited_bank_owes_what_it_holds(
    name: str, paid: tuple[int | None, ...], found: list[tuple[str, str]]
) -> None:
    """A bank of 500 owes 400 and 300 on the first tableau: it answers for 500 (D-BT-3)."""
    bets = [Bet("seat 1 tableau_1", 400), Bet("seat 2 tableau_1", 300), Bet("seat 3 tableau_1", 200)]
    for bet, gain in zip(bets, paid, strict=True):
        bet.gain = gain if gain is not None else 0
    coup = _coup("09", "06", "06", bets=bets, said="2:no")
    low = {**TABLE, "bank": {"mode": "limited"}}
    assert sorted(_named(_judge(coup, house=low, bank=500))) == sorted(found), name


def test_mode_01_whether_an_unseen_limited_bank_was_short_is_not_known() -> None:
    coup = _coup("09", "06", "06", bets=[Bet("seat 1 tableau_1", 100, None, 0)], said="2:no")
    judgement = _judge(coup, bank=None)
    assert _named(judgement) == []
    assert _only(judgement, "BT-SETTLE-01").verdict is Verdict.UNDETERMINED


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [("09", "09", None), ("09", "06", "limits.unit"), ("06", "07", "limits.unit")],
)
def test_line_03_needs_the_unit_only_where_the_tableaux_differ(
    first: str, second: str, reason: str | None
) -> None:
    house = {**TABLE, "limits": {"maximum": 5000}}
    bets = [Bet("box a tableau_1", 70, "tableaux")]
    said = "2:no" if second == "06" else ""
    judgement = _judge(_coup(first, second, "07", bets=bets, said=said), house=house)
    assert _named(judgement) == []
    told = [f.reason or "" for f in judgement.findings if f.rule == "BT-LINE-03"]
    assert told == [] if reason is None else reason in told[0]


def test_a_line_that_the_profile_does_not_know_is_said() -> None:
    judgement = _judge(_coup("09", "06", "07", bets=[Bet("seat 1 tableau_1", 70, "rim")], said="2:no"))
    (finding,) = judgement.findings
    assert finding.verdict is Verdict.UNDETERMINED
    assert "seat 1 tableau_1:rim" in (finding.reason or "")


def test_what_is_not_set_is_said_once_a_session() -> None:
    judgement = _judge(_coup("06", "07", "07"), _coup("06", "07", "07"), house={})
    open_rules = [question.rule for question in judgement.session]
    assert len(open_rules) == len(set(open_rules))
    assert {"BT-MODE-01", "BT-LIM-01", "BT-COM-01", "BT-HAND-01", "BT-LINE-03"} <= set(open_rules)


@pytest.mark.parametrize(
    ("house", "words"),
    [
        ({"bank": {"mod": "open"}}, "'bank.mode'"),
        ({"bank": {"mode": "lent"}}, "bank.mode"),
        ({"lines": {"half": "tableaux"}}, "three names"),
        ({"bank": {"minimum": 10, "maximum": 5}}, "bank.minimum"),
        ({"cues": ["says", "sings"]}, "cues"),
        ({"deduction": {"open": 0.0125}}, "deduction.open"),
    ],
)
def test_a_house_is_told_what_is_wrong_with_its_profile(house: dict[str, Any], words: str) -> None:
    with pytest.raises(ProfileError, match=words):
        banque_deux_tableaux(house)


@pytest.mark.parametrize(
    ("spot", "over", "kept"),
    [
        ("seat 2 tableau_1", "4", True),
        ("seat 4 tableau_1", "2", False),
        ("seat 4 tableau_1", "standing", True),
        ("box a tableau_1", "2", False),
        ("seat 7 tableau_2", "3", True),
    ],
    ids=["nearer", "farther", "before who stands", "who stands before a seat", "another tableau's"],
)
def test_prio_01_the_nearer_department_of_a_tableau_bets_first(spot: str, over: str, kept: bool) -> None:
    coup = _coup("08", "06", "06", said="2:no", early=[("bet_preferred", over, spot)])
    assert _named(_judge(coup)) == ([] if kept else [("BT-PRIO-01", "PRIORITY_IGNORED")])
