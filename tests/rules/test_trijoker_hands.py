"""Trijoker hands made by hand: the worked examples, the traps, and what the text prescribes of errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from datasets.games.scribe import DEALER, player
from datasets.games.trijoker.cards import LEFT, RIGHT, Hand
from datasets.games.trijoker.table import Table
from rules.cards import Card
from rules.errors import ProfileError
from rules.events import CardPlaced, CardTurned, ChipState, Event
from rules.findings import Finding, Judgement, Verdict
from rules.games.trijoker.hands import pays
from rules.games.trijoker.profile import trijoker
from rules.judge import judge

WORKED = [
    # three own cards and the common two, for 10 in each box: what one, two and three bets in play gain
    ("Jc Jd 8h 5s 3d", (10, 20, 30)),
    ("Tc Td 8h 5s 3d", (-10, -20, -30)),
    ("9c 9d 4h 4s 3d", (20, 40, 60)),
    ("8c 8d 8h 5s 3d", (30, 60, 90)),
    ("9d 8c 7h 6s 5d", (50, 100, 150)),
    ("Ah Jh 9h 6h 3h", (80, 160, 240)),
    ("Kc Kd Kh 4s 4d", (110, 220, 330)),
    ("7c 7d 7h 7s 2d", (500, 1000, 1500)),
    ("9h 8h 7h 6h 5h", (2000, 4000, 6000)),
    ("As Ks Qs Js Ts", (10000, 20000, 30000)),
]
_OTHER = ["2c", "4h", "6d"]
"""What the second player holds: nothing that is in the worked examples beside it matters."""


def _hand(cards: str, **changes: Any) -> Hand:
    """Seat 3 holds the first three cards, seat 5 others; 10 in each box."""
    own = cards.split()
    spare = [rank + suit for rank in "2468TQ" for suit in "cdhs" if rank + suit not in own]
    other = [card for card in _OTHER if card not in own]
    other += [card for card in spare if card not in other][: 3 - len(other)]
    held = {"seat_3": own[:3], "seat_5": other, LEFT: [own[3]], RIGHT: [own[4]]}
    players = ["seat_3", "seat_5"]
    names = [*players, LEFT, *players, RIGHT, *players]
    left = {name: list(some) for name, some in held.items()}
    stakes = {f"seat {seat} bet_{bet}": 10 for seat in (3, 5) for bet in (1, 2, 3)}
    multiples = {
        seat: int(pays([Card.parse(c) for c in (*held[f"seat_{seat}"], *own[3:])], trijoker())[1] or 0)
        for seat in (3, 5)
    }
    hand = Hand(1, [3, 5], stakes, held, [(name, left[name].pop(0)) for name in names], [], multiples)
    for name, value in changes.items():
        setattr(hand, name, value)
    return hand


def _events(*hands: Hand) -> list[Event]:
    table = Table()
    for hand in hands:
        table.play(hand)
    return table.scribe.events


def _named(judgement: Judgement, verdict: Verdict = Verdict.BREACH) -> list[tuple[str, str]]:
    return [(f.rule, f.code) for f in judgement.findings if f.verdict is verdict]


def _found(hand: Hand, house: dict[str, Any] | None = None) -> list[tuple[str, str]]:
    return _named(judge(_events(hand), trijoker(house)))


# what is due ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cards", "gains"), WORKED, ids=[cards for cards, _ in WORKED])
def test_pay_01_worked_examples(cards: str, gains: tuple[int, int, int]) -> None:
    for in_play, gain in enumerate(gains, start=1):
        pulls = [f"seat 3 bet_{bet}" for bet in (1, 2)][: 3 - in_play]
        judgement = judge(_events(_hand(cards, pulls=pulls)), trijoker())
        assert judgement.findings == ()
        bets = [bet for bet in judgement.coups[0].bets if bet.spot.seat == 3 and bet.due is not None]
        signs = [1 if bet.due == "pay" else -1 for bet in bets]
        assert sum(s * Fraction(bet.due_amount or 0) for s, bet in zip(signs, bets, strict=True)) == gain


def test_tr_tj_1_tens_win_only_where_the_house_says_so() -> None:
    tens = _hand("Tc Td 8h 5s 3d")
    assert _found(tens, {"least_pair": "T"}) == [("TJ-PAY-02", "WINNER_COLLECTED")] * 3
    tens = _hand("Tc Td 8h 5s 3d")
    tens.gains = {f"seat 3 bet_{bet}": 10 for bet in (1, 2, 3)}
    assert _found(tens) == [("TJ-PAY-02", "LOSER_PAID")] * 3


def test_tr_tj_3_the_low_ace_is_a_setting() -> None:
    cards = [Card.parse(card) for card in ["Ac", "2d", "3h", "4s", "5d"]]
    assert pays(cards, trijoker())[1] == 5
    assert pays(cards, trijoker({"ranking": {"low_ace": False}}))[1] is None


# errors and what follows (TR-TJ-2) ------------------------------------------------------------------------


def _shown(name: str, cards: str = "Jc Jd 8h 5s 3d", **changes: Any) -> Hand:
    hand = _hand(cards, **changes)
    hand.up = {next(i for i, (other, _) in enumerate(hand.order) if other == name)}
    return hand


def _void(hand: Hand) -> Hand:
    hand.stops = True
    hand.at("dealt", lambda table, _hand: table.scribe.cue("coup_void"))
    return hand


EXPOSED = ("TJ-ERR-02", "EXPOSED_CARD")
ERRORS: list[tuple[str, Callable[[], Hand], list[tuple[str, str]]]] = [
    ("TJ-ERR-02 a ten is shown and the hand goes on", lambda: _shown(LEFT, "Jc Jd 8h Ts 3d"), [EXPOSED]),
    *(
        (
            f"TJ-ERR-02 {rank} is shown and the hand goes on",
            lambda rank=rank: _shown(RIGHT, f"9c 9d 8h 5s {rank}d"),
            [EXPOSED, ("TJ-ERR-02", "VOID_NOT_APPLIED")],
        )
        for rank in "JQKA"
    ),
    (
        "TJ-ERR-02 a jack is shown and the bets go back",
        lambda: _void(_shown(LEFT, "9c 9d 8h Js 3d")),
        [EXPOSED],
    ),
    (
        "TJ-ERR-02 a ten is shown and the bets go back",
        lambda: _void(_shown(LEFT, "9c 9d 8h Ts 3d")),
        [EXPOSED, ("TJ-ERR-02", "VOID_APPLIED_WRONGLY")],
    ),
    (
        "TJ-ERR-02 a ten is shown and the hand is broken off without a word",
        lambda: _shown(LEFT, "9c 9d 8h Ts 3d", stops=True),
        [EXPOSED, ("TJ-ERR-02", "VOID_APPLIED_WRONGLY")],
    ),
    (
        "TJ-ERR-01 a player's king is shown",
        lambda: _shown("seat_3", "Kc Jd 8h 5s 3d"),
        [("TJ-ERR-01", "EXPOSED_CARD")],
    ),
    (
        "TJ-ERR-01 a player's card is shown and the bets go back",
        lambda: _void(_shown("seat_3")),
        [("TJ-ERR-01", "EXPOSED_CARD"), ("TJ-ERR-01", "VOID_APPLIED_WRONGLY")],
    ),
    ("TJ-VOID-01 a hand that is said to be void is not settled", lambda: _void(_hand("Jc Jd 8h 5s 3d")), []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "made", "found"), ERRORS, ids=[name for name, *_ in ERRORS])
def test_what_follows_a_card_shown(name: str, made: Callable[[], Hand], found: list[tuple[str, str]]) -> None:
    assert sorted(_found(made())) == sorted(found), name


def test_err_02_an_unread_common_card_leaves_it_open() -> None:
    events = [
        replace(event, card=None)
        if isinstance(event, CardPlaced | CardTurned) and event.spot == "hand community_1"
        else event
        for event in _events(_shown(LEFT, "Jc Jd 8h Ks 3d"))
    ]  # fmt: skip
    judgement = judge(events, trijoker())
    assert _named(judgement) == [EXPOSED]
    assert ("TJ-ERR-02", "VOID_NOT_APPLIED") in _named(judgement, Verdict.UNDETERMINED)


# decisions (TR-CV-7) --------------------------------------------------------------------------------------

LATE = "BET_REMOVED_LATE"
PULLS = [
    ("closed", 1, [("TJ-BET-02", LATE)]),
    ("closed", 3, [("TJ-BET-02", LATE)]),
    ("dealt", 1, []),
    ("dealt", 2, [("TJ-DEC-02", LATE)]),
    ("dealt", 3, [("TJ-DEC-03", LATE)]),
    ("left", 1, [("TJ-DEC-01", LATE), ("TJ-REV-01", "REVEAL_ORDER")]),
    ("left", 2, []),
    ("left", 3, [("TJ-DEC-03", LATE)]),
    ("right", 1, [("TJ-DEC-01", LATE)]),
    ("right", 2, [("TJ-DEC-02", LATE), ("TJ-REV-02", "REVEAL_ORDER")]),
    ("right", 3, [("TJ-DEC-03", LATE)]),
]


@pytest.mark.parametrize(("stage", "bet", "found"), PULLS)
def test_tr_cv_7_a_bet_is_withdrawn_in_its_time_only(
    stage: str, bet: int, found: list[tuple[str, str]]
) -> None:
    hand = _hand("Tc Td 8h 5s 3d")
    hand.at(stage, lambda table, _hand: table.clear(f"seat 3 bet_{bet}"))
    assert sorted(_found(hand)) == sorted(found)


def test_dec_01_a_bet_put_back_at_once_was_left() -> None:
    hand = _hand("Jc Jd 8h 5s 3d")

    def waver(table: Table, _hand: Hand) -> None:
        box = "seat 3 bet_1"
        table.clear(box)
        table.lying[box] = table.pile(10)
        table.scribe.chips(box, table.lying[box], hand=player(3))

    hand.at("dealt", waver)
    assert _found(hand) == []


def test_dec_01_the_dealer_may_hand_the_bet_back() -> None:
    hand = _hand("Tc Td 8h 5s 3d")
    hand.at("dealt", lambda table, _hand: table.clear("seat 3 bet_1", by_dealer=True))
    assert _found(hand) == []


# what was not seen ----------------------------------------------------------------------------------------


def test_common_cards_not_seen_to_be_turned_accuse_nobody() -> None:
    hand = _hand("Tc Td 8h 5s 3d", pulls=["seat 3 bet_1", "seat 5 bet_2"])
    events = [
        event
        for event in _events(hand)
        if not (isinstance(event, CardTurned) and event.spot.startswith("hand community"))
    ]
    judgement = judge(events, trijoker())
    assert _named(judgement) == []
    assert {f.verdict for f in judgement.findings} == {Verdict.UNDETERMINED}


def test_a_bet_that_was_not_counted_may_still_be_unpaid() -> None:
    hand = _hand("Jc Jd 8h 5s 3d", gains={"seat 3 bet_2": 0})
    events = [
        replace(event, stacks=tuple(replace(s, denominations=None, count=None) for s in event.stacks))
        if isinstance(event, ChipState) and event.spot == "seat 3 bet_2"
        else event
        for event in _events(hand)
    ]
    assert _named(judge(events, trijoker())) == [("TJ-PAY-01", "NOT_PAID")]


def test_a_card_under_another_may_decide_or_not() -> None:
    """Three of a kind with what is seen of four cards: the fifth may better it, but a bet taken is wrong."""
    hand = _hand("8c 8d 8h 5s 3d", gains={f"seat 3 bet_{bet}": -10 for bet in (1, 2, 3)})
    third = [name for name, card in _dealt(hand) if card == "8h"]
    events = [
        replace(event, card=None) if isinstance(event, CardTurned) and event.card_id in third else event
        for event in _events(hand)
    ]
    found = judge(events, trijoker()).findings
    assert all(f.verdict is Verdict.UNDETERMINED for f in found if f.rule != "TJ-PAY-02")
    assert {f.spot.seat for f in found if f.spot is not None} == {3}


def _dealt(hand: Hand) -> list[tuple[str, str]]:
    return [(f"c{place}", card) for place, (_, card) in enumerate(hand.order, start=1)]


# settlement -----------------------------------------------------------------------------------------------


def test_pay_03_losers_first_then_winners_each_from_the_right_is_in_order() -> None:
    judgement = judge(_events(_hand("Jc Jd 8h 5s 3d")), trijoker())
    assert _named(judgement) == []
    wrong = judge(_events(_hand("8c 5d 3h Js Jd", settling=[3, 5])), trijoker())
    assert _named(wrong) == [("TJ-PAY-03", "PAY_ORDER_WRONG")]


def test_rank_01_a_straight_paid_as_a_flush() -> None:
    hand = _hand("9d 8c 7h 6s 5d", gains={f"seat 3 bet_{bet}": 80 for bet in (1, 2, 3)})
    found = judge(_events(hand), trijoker()).findings
    wrong: Finding = next(f for f in found if f.code == "WRONG_WINNER")
    assert wrong.rule == "TJ-RANK-01"
    assert "as flush" in wrong.seen
    assert sorted({f.code for f in found}) == ["OVERPAID", "WRONG_WINNER"]


def test_void_01_a_dealer_who_gives_the_bets_back_settles_nothing() -> None:
    hand = _hand("Jc Jd 8h 5s 3d", stops=True)
    hand.order[0], hand.order[1] = hand.order[1], hand.order[0]

    def give_back(table: Table, _hand: Hand) -> None:
        for box in list(table.lying):
            table.lying.pop(box)
            table.scribe.chips(box, hand=DEALER)

    hand.at("dealt", give_back)
    assert _found(hand) == [("TJ-DEAL-01", "WRONG_DEAL_ORDER")]


# the profile ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("house", "words"),
    [
        ({"pay_table": {"flsh": 8}}, "'pay_table.flush'"),
        ({"pay_table": {"flush": 0}}, "pay_table.flush"),
        ({"least_pair": "11"}, "least_pair"),
        ({"limits": {"minimum": 10, "maximum": 5}}, "limits.minimum"),
        ({"dealing": {"order": ["players", "community_1"]}}, "dealing.order"),
        ({"cues": ["last_hand"]}, "cues"),
        ({"seats": {"numbered_from": "middle"}}, "numbered_from"),
    ],
)
def test_a_house_is_told_what_is_wrong_with_its_profile(house: dict[str, Any], words: str) -> None:
    with pytest.raises(ProfileError, match=words):
        trijoker(house)


def test_what_is_not_set_is_said_once_a_session() -> None:
    judgement = judge(_events(_hand("Jc Jd 8h 5s 3d"), _hand("9c 9d 8h 5s 3d")), trijoker())
    open_rules = [question.rule for question in judgement.session]
    assert len(open_rules) == len(set(open_rules))
    assert {"TJ-LIM-01", "TJ-LIM-02", "TJ-LIM-03", "TJ-BOX-01", "TJ-END-02", "TJ-INFO-02"} <= set(open_rules)
