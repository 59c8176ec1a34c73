"""Circle poker and Hold'em for cash: worked examples, traps, and what stays open where not all was read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from datasets.games.circle_poker.script import BIG, SEATS, SMALL, Script
from datasets.games.circle_poker.table import Table, play
from rules.cards import Card
from rules.events import CardTurned, ChipState, Cue, Event
from rules.findings import Judgement, Verdict
from rules.games.circle_poker.award import height
from rules.games.circle_poker.profile import circle_poker
from rules.judge import judge
from tests.support.holdem import Played, Step, journal

BLINDS = {"blinds": {"small": SMALL, "big": BIG}}
ROYAL = "As Ks Qs Js Ts"
PLAIN = "2c 7d 9h Js Ks"


def _scripted(*scripts: Script, house: dict[str, Any] | None = None) -> Judgement:
    return judge(_events(*scripts), circle_poker(house=house))


def _events(*scripts: Script) -> list[Event]:
    table = Table(random.Random(3))
    for script in scripts:
        play(table, script)
    table.scribe.t += 20.0
    return table.scribe.events


def _breaches(judgement: Judgement) -> list[tuple[str, str]]:
    return [(f.rule, f.code) for f in judgement.findings if f.verdict is Verdict.BREACH]


def _told(
    events: Sequence[Event], after: float, *cues: tuple[float, str, str | None, str | None]
) -> list[Event]:
    """The same with cues after a moment, each so many seconds after the one before; what follows is later."""
    late, t = [], after
    for seconds, cue, value, spot in cues:
        t += seconds
        late.append(Cue(seq=0, t=t, cue=cue, value=value, spot=spot))
    shifted = [replace(e, t=e.t + (t - after if e.t > after else 0)) for e in events]
    return [replace(e, seq=n) for n, e in enumerate(sorted([*shifted, *late], key=lambda e: e.t), 1)]


def _hand(
    put: dict[int, int],
    pay: Sequence[tuple[int, int, int]],
    *,
    board: str = PLAIN,
    holes: dict[int, str] | None = None,
    stack: int = 200,
    short: int | None = None,
) -> Played:
    """Three seats: 1 and 2 post, 3 opens, all put in as much as ``put`` says before the flop (1 folds where
    he put in no more than his blind), then check. ``pay``: seat, amount, pot. ``short``: has no more."""
    own = {1: "Ac Ad", 2: "3c 8d", 3: "4c 5d"} | (holes or {})
    steps = [Step("post", 1, SMALL), Step("post", 2, BIG)]
    steps += [
        Step("deal", seat, cards=(card,))
        for n in (0, 1)
        for seat in (1, 2, 3)
        for card in [own[seat].split()[n]]
    ]
    steps.append(Step("put", 3, put[3]))
    steps.append(Step("fold", 1) if put[1] == SMALL else Step("put", 1, put[1] - SMALL))
    steps += [Step("put", 2, put[2] - BIG), Step("gather")]
    cards = board.split()
    for part in (cards[:3], cards[3:4], cards[4:]):
        steps += [Step("burn"), Step("board", cards=tuple(part))]
    steps += [
        Step("show", seat, cards=tuple(own[seat].split())) for seat in (1, 2, 3) if put[1] > SMALL or seat > 1
    ]
    steps += [Step("pay", seat, amount, pot=pot) for seat, amount, pot in pay]
    return Played(
        (1, 2, 3), {seat: put[seat] if seat == short else stack for seat in (1, 2, 3)}, tuple(steps)
    )


def _played(hand: Played, house: dict[str, Any] | None = None) -> Judgement:
    return judge(journal([hand]), circle_poker(house=BLINDS | (house or {})))


# the pots --------------------------------------------------------------------------------------------------


def test_bet_03_equal_contributions_are_one_pot() -> None:
    judgement = _played(_hand({1: 50, 2: 50, 3: 50}, [(1, 150, 0)]))
    assert judgement.findings == ()
    assert judgement.coups[0].result["pots"] == [{"amount": "150", "eligible": [1, 2, 3]}]


def test_bet_03_five_too_few_with_chips_left() -> None:
    assert ("CP-BET-03", "POT_UNEQUAL") in _breaches(_played(_hand({1: 50, 2: 45, 3: 50}, [(1, 145, 0)])))


def test_bet_03_who_is_all_in_wins_the_main_pot_only() -> None:
    holes = {1: "Kc 8h", 3: "Ac Ad"}
    hand = _hand({1: 80, 2: 80, 3: 30}, [(3, 90, 0), (1, 100, 1)], holes=holes, short=3)
    judgement = _played(hand)
    assert judgement.findings == ()
    pots = [{"amount": "90", "eligible": [1, 2, 3]}, {"amount": "100", "eligible": [1, 2]}]
    assert judgement.coups[0].result["pots"] == pots
    wrong = _hand({1: 80, 2: 80, 3: 30}, [(3, 190, 0)], holes=holes, short=3)
    assert [code for _, code in _breaches(_played(wrong))] == ["POT_MISAWARDED"]


@pytest.mark.parametrize(("two", "three", "right"), [(80, 75, True), (75, 80, False), (78, 77, False)])
def test_std_03_the_odd_chip_goes_to_the_first_from_the_marker(two: int, three: int, right: bool) -> None:
    holes = {2: "3c 8d", 3: "4c 5d"}
    hand = _hand({1: SMALL, 2: 75, 3: 75}, [(2, two, 0), (3, three, 0)], board=ROYAL, holes=holes)
    found = _breaches(_played(hand, {"unit": "5"}))
    assert found == ([] if right else [("TX-STD-03", "POT_MISAWARDED")])


def test_tr_cp_4_a_flush_is_decided_by_its_lower_cards_too() -> None:
    board, holes = "Ah Kh 9h 4s 3d", {1: "7h 2h", 2: "6h 5h"}
    assert _played(_hand({1: 50, 2: 50, 3: 50}, [(1, 150, 0)], board=board, holes=holes)).findings == ()
    wrong = _played(_hand({1: 50, 2: 50, 3: 50}, [(2, 150, 0)], board=board, holes=holes))
    assert _breaches(wrong) == [("CP-RANK-06", "POT_MISAWARDED")]


def test_tr_cp_3_figures_are_a_kind_only_where_the_variety_has_them() -> None:
    figures = circle_poker(house={"ranking": {"figures": ["A", "K", "Q", "J"]}})
    hands = [
        "9c 9d 8h 8s Ac",  # two pairs
        "Jc Jd Kh Ks Qc",
        "Ac Ad Kh Qs Jc",
        "2c 2d 2h Ks Qc",  # three of a kind
    ]
    cards = [_cards(hand) for hand in hands]
    with_them = [height(hand, figures) for hand in cards]
    assert with_them == sorted(with_them)
    without = [height(hand, circle_poker()) for hand in cards]
    assert without[2] < without[0] < without[1] < without[3]


def _cards(text: str) -> list[Card]:
    return [Card.parse(card) for card in text.split()]


def test_rank_02_in_a_short_pack_the_ace_stands_below_the_six() -> None:
    low, short = _cards("Ac 6d 7h 8s 9c"), circle_poker(house={"pack": 36})
    assert height(low, short) > height(_cards("Ac Ad Ah 8s 9c"), short)
    assert height(low, circle_poker()) < height(_cards("2c 2d 7h 8s 9c"), circle_poker())


# what was not read -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("unread", "open_"), [(1, True), (3, True)])
def test_an_unread_card_at_the_showdown_leaves_the_pot_open(unread: int, open_: bool) -> None:
    hand = _hand({1: 50, 2: 50, 3: 50}, [(2, 150, 0)])  # wrong, if seat 1's aces were read
    events = [
        replace(event, card=None)
        if isinstance(event, CardTurned) and event.spot == f"hand seat_{unread}"
        else event
        for event in journal([hand])
    ]
    judgement = judge(events, circle_poker(house=BLINDS))
    assert not {"POT_MISAWARDED"} & {code for _, code in _breaches(judgement)} or unread != 1
    assert any(f.verdict is Verdict.UNDETERMINED for f in judgement.findings) is open_


def test_a_pot_that_could_not_be_read_accuses_nobody() -> None:
    """Its chips are known from the bets all the same, so the right payment is known to be right."""

    def hidden(event: Event) -> Event:
        if not isinstance(event, ChipState) or event.spot != "pot":
            return event
        blind = (
            replace(s, denominations=None, count=None, unread="seen from straight above")
            for s in event.stacks
        )
        return replace(event, stacks=tuple(blind))

    right = [hidden(event) for event in journal([_hand({1: 50, 2: 50, 3: 50}, [(1, 150, 0)])])]
    assert _breaches(judge(right, circle_poker(house=BLINDS))) == []


@pytest.mark.parametrize("spot", ["seat 1 bet", "seat 2 stack", "seat 1 stack"])
def test_chips_that_could_not_be_read_accuse_nobody(spot: str) -> None:
    events = [
        replace(
            event,
            stacks=tuple(replace(s, denominations=None, count=None, unread="covered") for s in event.stacks),
        )
        if isinstance(event, ChipState) and event.spot == spot
        else event
        for event in journal([_hand({1: 50, 2: 50, 3: 50}, [(1, 150, 0)])])
    ]
    assert _breaches(judge(events, circle_poker(house=BLINDS))) == []


# clocks, buy-ins, chips that leave, the end ----------------------------------------------------------------


@pytest.mark.parametrize(("pot", "seconds", "kept"), [(200, 120, True), (205, 120, False), (205, 240, True)])
def test_clock_01_the_pot_says_how_long(pot: int, seconds: int, kept: bool) -> None:
    events = _events(Script(ending="showdown"))
    dealt = [e.t for e in events if e.kind == "card_placed" and e.spot.startswith("hand")][-1]
    cues = ((0.1, "clock_called", str(pot), None), (seconds, "clock_warning", None, None))
    found = _breaches(judge(_told(events, dealt, *cues), circle_poker()))
    assert found == ([] if kept else [("TX-CLOCK-01", "CLOCK_WRONG")])


@pytest.mark.parametrize(("seconds", "kept"), [(1500, True), (1501, False)], ids=["25:00", "25:01"])
def test_away_01_twenty_minutes_and_five(seconds: int, kept: bool) -> None:
    events = _events(Script(ending="folded"), Script(ending="folded"))
    between = next(e.t for e in events if e.kind == "marker" and e.t > 60) - 1.0
    cues = ((0.1, "away_started", None, "seat 1 stack"), (seconds, "away_ended", None, "seat 1 stack"))
    found = _breaches(judge(_told(events, between, *cues), circle_poker()))
    assert found == ([] if kept else [("TX-AWAY-01", "AWAY_TIME_EXCEEDED")])


def test_away_01_two_at_a_time() -> None:
    events = _events(Script(ending="folded"), Script(ending="folded"))
    between = next(e.t for e in events if e.kind == "marker" and e.t > 60) - 1.0
    three = [(1.0, "away_started", None, f"seat {seat} stack") for seat in SEATS[:3]]
    assert _breaches(judge(_told(events, between, *three[:2]), circle_poker())) == []
    assert _breaches(judge(_told(events, between, *three), circle_poker())) == [
        ("TX-AWAY-01", "AWAY_TIME_EXCEEDED")
    ]


def test_away_01_once_a_day() -> None:
    events = _events(Script(ending="folded"), Script(ending="folded"))
    between = next(e.t for e in events if e.kind == "marker" and e.t > 60) - 1.0
    away, back = ("away_started", None, "seat 1 stack"), ("away_ended", None, "seat 1 stack")
    twice = [(1.0, *away), (60.0, *back), (60.0, *away), (60.0, *back)]
    assert _breaches(judge(_told(events, between, *twice[:2]), circle_poker())) == []
    found = _breaches(judge(_told(events, between, *twice), circle_poker()))
    assert found == [("TX-AWAY-01", "AWAY_TIME_EXCEEDED")]


@pytest.mark.parametrize(("amount", "kept"), [(95, False), (100, True), (1000, True), (1005, False)])
def test_buy_01_from_100_to_1000(amount: int, kept: bool) -> None:
    found = _breaches(_scripted(Script(ending="folded"), Script(ending="folded", joins=9, joins_with=amount)))
    assert found == ([] if kept else [("TX-BUY-01", "BUYIN_OUT_OF_RANGE")])


@pytest.mark.parametrize(
    ("added", "to", "kept"), [(95, None, False), (100, None, True), (None, 1000, True), (None, 1005, False)]
)
def test_tr_tx_1_a_rebuy_is_at_least_100_and_comes_to_1000_at_most(
    added: int | None, to: int | None, kept: bool
) -> None:
    first, table = Script(ending="folded"), Table(random.Random(3))
    play(table, first)
    bought = added if to is None else to - table.behind[SEATS[0]]
    found = _breaches(_scripted(first, Script(ending="folded", bought=bought)))
    assert found == ([] if kept else [("TX-BUY-02", "BUYIN_OUT_OF_RANGE")])


@pytest.mark.parametrize(("taken", "kept"), [(15, True), (20, False)])
def test_stack_03_consumption_up_to_15(taken: int, kept: bool) -> None:
    told = [("consumption", str(taken), "seat 1 stack")]
    found = _breaches(_scripted(Script(), Script(taken=taken, before=[*told])))
    assert found == ([] if kept else [("TX-STACK-03", "STACK_REDUCED")])


@pytest.mark.parametrize(("slotted", "kept"), [(True, True), (False, False)])
def test_dealer_01_a_tip_goes_into_its_slot(slotted: bool, kept: bool) -> None:
    found = _breaches(_scripted(Script(after=[("tip", "5", None)], tip_slotted=slotted)))
    assert found == ([] if kept else [("CP-DEALER-01", "TIP_MISHANDLED")])


@pytest.mark.parametrize(("hands", "kept"), [(3, True), (4, False)])
def test_end_01_three_more_hands(hands: int, kept: bool) -> None:
    last = [
        Script(ending="folded", before=[("last_hands", None, None)] if n == 0 else []) for n in range(hands)
    ]
    found = _breaches(_scripted(Script(ending="folded"), *last))
    assert found == ([] if kept else [("TX-END-01", "SESSION_END_WRONG")])


# the deal --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", ["clockwise", "counter_clockwise"])
@pytest.mark.parametrize("clockwise", [True, False])
def test_tr_cp_1_the_way_of_the_deal_is_the_tables(direction: str, clockwise: bool) -> None:
    found = _breaches(_scripted(Script(clockwise=clockwise), house={"dealing": {"direction": direction}}))
    kept = clockwise is (direction == "clockwise")
    assert found == ([] if kept else [("CP-DEAL-02", "WRONG_DEAL_ORDER")])


def test_tr_cp_2_a_sentence_printed_twice_is_one_rule() -> None:
    told = [("cards_shuffled", "dealer", None)] * 2
    found = _breaches(_scripted(Script(before=[*told]), house={"cues": ["cards_shuffled"]}))
    assert found == [("CP-SHUF-01", "SHUFFLE_INCOMPLETE")]


def test_clock_02_a_clock_that_was_answered_in_time_is_over() -> None:
    """What the player does after another one's clock is none of it."""
    events = _events(Script(ending="showdown"))
    bets = [e for e in events if isinstance(e, ChipState) and e.spot.endswith(" bet") and e.stacks]
    spots = [e.spot for e in bets]
    spot = next(spot for spot in spots if spots.count(spot) > 1)
    first, *_, last = (e.t for e in bets if e.spot == spot)
    cues = [
        Cue(seq=0, t=first - 0.2, cue="clock_called", value="50", spot=spot),
        Cue(seq=0, t=last - 0.3, cue="clock_called", value="50", spot="seat 9 bet"),
        Cue(seq=0, t=last + 120, cue="clock_warning"),
    ]
    told = [*cues, *(replace(e, t=e.t + (220 if e.t >= last else 0)) for e in events)]
    ordered = sorted(told, key=lambda event: event.t)
    found = judge([replace(e, seq=n) for n, e in enumerate(ordered, 1)], circle_poker())
    assert _breaches(found) == []


def test_dur_01_accuses_nobody_of_what_was_not_seen() -> None:
    """Nobody had the hand twice: a BREACH where the marker was seen, an open question where it was not."""
    played = _events(Script(ending="folded"), Script(ending="folded", after=[("session_end", None, None)]))
    assert ("CP-DUR-01", "SESSION_END_WRONG") in _breaches(judge(played, circle_poker()))
    unmarked = [e for e in played if e.kind != "marker"]
    assert "CP-DUR-01" not in {rule for rule, _ in _breaches(judge(unmarked, circle_poker()))}


def test_end_01_the_last_hands_are_those_of_one_game() -> None:
    """What was announced in a game that is over counts for nothing in the next."""
    last = [Script(ending="folded", before=[("last_hands", None, None)]), Script(ending="folded")]
    ended = Script(ending="folded", after=[("session_end", None, None)])
    found = _breaches(_scripted(*last, ended, Script(ending="folded"), Script(ending="folded")))
    assert "TX-END-01" not in {rule for rule, _ in found}
