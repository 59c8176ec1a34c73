"""PB-AND-BET-01 and PB-AND-LIM: no change of bets after the close, and all within the limits."""

from __future__ import annotations

from typing import Any

import pytest

from rules.profiles import load_profile
from tests.support.play import DEALER, HALF_LINES, Play, player, stack, uncounted

SPOT = "seat 3 punto"
LATE = [("LATE_BET", "PB-AND-BET-01", SPOT)]
REMOVED = [("BET_REMOVED_LATE", "PB-AND-BET-01", SPOT)]


def _begun(*stacks: Any) -> Play:
    """Bets lie there, and the first card has left the shoe."""
    play = Play()
    if stacks:
        play.chips(SPOT, *stacks)
    play.exit()
    play.t += 0.5
    return play


def _finish(play: Play, *, settle: bool = True) -> None:
    """Punto loses 6 to 7: its bets are taken."""
    play.hands("Ks 6d", "9h 8c")
    if settle:
        play.chips(SPOT, hand=DEALER)
    play.sweep()


@pytest.mark.parametrize("hand", [None, player(3)])
def test_bet_01_chips_put_on_a_bet_after_the_first_card(hand: Any) -> None:
    play = _begun(stack("s1", 5, 5))
    play.chips(SPOT, stack("s1", 5, 5, 25), hand=hand)
    _finish(play)
    assert play.breaches() == LATE


@pytest.mark.parametrize(
    ("bet", "hand", "open_"),
    [
        (uncounted("s1"), player(3), ["BET_REMOVED_LATE", "LATE_BET"]),
        (uncounted("s1"), DEALER, []),
        (uncounted("s1"), None, []),
        (stack("s1", 5, 5), player(3), []),
    ],
)
def test_bet_01_an_uncounted_bet_that_changed_under_a_players_hand(
    bet: Any, hand: Any, open_: list[str]
) -> None:
    play = _begun(bet)
    play.chips(SPOT, bet, hand=hand)
    _finish(play)
    assert play.breaches() == []
    assert sorted(code for code, rule, _ in play.open() if rule == "PB-AND-BET-01") == open_


def test_bet_01_a_new_bet_after_the_first_card() -> None:
    play = _begun()
    play.chips(SPOT, stack("s1", 5, 5))
    _finish(play)
    assert play.breaches() == LATE


def test_bet_01_within_half_a_second_of_the_close_it_was_there_before() -> None:
    play = Play()
    play.exit()
    play.chips(SPOT, stack("s1", 5, 5), wait_s=0.4)
    _finish(play)
    assert play.breaches() == []


def test_bet_01_the_cue_closes_the_bets_before_the_first_card_does() -> None:
    play = Play()
    play.cue("no_more_bets")
    play.chips(SPOT, stack("s1", 5, 5))
    play.exit()
    _finish(play)
    assert play.breaches() == LATE


@pytest.mark.parametrize("left", [(), (stack("s1", 5),)])
def test_bet_01_chips_taken_back_after_the_first_card(left: tuple[Any, ...]) -> None:
    play = _begun(stack("s1", 5, 5))
    play.chips(SPOT, *left)
    _finish(play)
    assert play.breaches() == REMOVED


def test_bet_01_taken_back_by_the_player_after_the_result() -> None:
    play = _begun(stack("s1", 5, 5))
    play.hands("Ks 6d", "9h 8c")
    play.chips(SPOT, hand=player(3))
    play.sweep()
    assert play.breaches() == REMOVED


def test_bet_01_a_swap_of_chips_by_the_player() -> None:
    play = _begun(stack("s1", 5))
    play.chips(SPOT, stack("s1", 100), hand=player(3))
    _finish(play)
    assert play.breaches() == [REMOVED[0], LATE[0]]


def test_bet_01_changed_into_chips_of_the_same_value() -> None:
    play = _begun(stack("s1", 25))
    play.chips(SPOT, stack("s1", 5, 5, 5, 5, 5), hand=player(3))
    _finish(play)
    assert play.breaches() == []


def test_bet_01_a_better_reading_is_no_move() -> None:
    play = _begun(stack("s1", 5, None))
    play.chips(SPOT, stack("s1", 5, 5))
    _finish(play)
    assert play.breaches() == []
    (bet,) = play.judged().coups[0].bets
    assert bet.value == "10"


def test_bet_01_a_stack_that_only_changed_its_name_is_no_move() -> None:
    play = _begun(stack("s1", 5, 5, at=(100, 100)))
    play.chips(SPOT, stack("s9", 5, 5, at=(103, 99)))
    _finish(play)
    assert play.breaches() == []


@pytest.mark.parametrize(("again", "late"), [(0.8, False), (2.4, True)])
def test_bet_01_a_stack_that_was_covered_for_a_moment_is_no_move(again: float, late: bool) -> None:
    play = _begun(stack("s1", 5, 5, at=(100, 100)))
    play.chips(SPOT)
    play.chips(SPOT, stack("s2", 5, 5, at=(102, 100)), wait_s=again)
    _finish(play)
    assert play.breaches() == ([REMOVED[0], LATE[0]] if late else [])


def test_bet_01_a_stack_counted_for_the_neighbouring_spot_is_no_move() -> None:
    play = _begun(stack("s1", 5, 5, at=(100, 100)))
    play.chips(SPOT)
    play.chips("seat 3 banca", stack("s1", 5, 5, at=(101, 100)), wait_s=0.1)
    play.hands("Ks 6d", "9h 8c")
    play.chips("seat 3 banca", hand=DEALER)
    play.sweep()
    assert play.breaches() == []


def test_bet_01_a_change_while_the_view_was_lost_before_the_close_is_not_certain() -> None:
    play = Play()
    play.lose_view(SPOT, 4.0)
    play.exit()
    play.t += 1.0
    play.chips(SPOT, stack("s1", 5, 5))
    _finish(play)
    assert play.breaches() == []
    assert play.open() == LATE


def test_bet_01_the_due_is_on_the_chips_before_the_first_card() -> None:
    """A late bet that wins and is paid in full is one breach, and one only."""
    play = _begun(stack("s1", 5, 5))
    play.chips(SPOT, stack("s1", 5, 5, 25))
    play.hands("Ks 8d", "9h 7c")
    play.chips(SPOT, stack("s1", 5, 5, 25), stack("p", 25, 5, 5))
    play.sweep()
    assert play.breaches() == LATE
    (bet,) = play.judged().coups[0].bets
    assert (bet.value, bet.due_amount, bet.outcome_amount) == ("10", "10", "35")


def test_bet_01_past_posting_by_a_hand_that_was_not_seen() -> None:
    """Two piles come after the result, and the second pays for the first as well."""
    play = _begun(stack("s1", 5, 5))
    play.hands("Ks 8d", "9h 7c")
    play.chips(SPOT, stack("s1", 5, 5), stack("s2", 100))
    play.chips(SPOT, stack("s1", 5, 5), stack("s2", 100), stack("p", 100, 5, 5))
    play.sweep()
    assert play.breaches() == LATE


@pytest.mark.parametrize(
    ("before", "breaches"),
    [(True, []), (False, [("LINE_BET_MISPAID", "HOUSE-LINE-01", SPOT)])],
    ids=["before the deal", "after the close"],
)
def test_tr_cv_9_a_line_bet_is_one_by_where_it_stands_at_the_close(
    before: bool, breaches: list[tuple[str, str, str]]
) -> None:
    """A dealer pushes a stack off the line: before the deal it plays in full, after it half all the same."""
    play = Play()
    play.chips(SPOT, stack("s1", 25, 25, line=True), hand=player(3))
    if before:
        play.chips(SPOT, stack("s1", 25, 25, at=(0.0, 20.0)), hand=DEALER)
    play.exit()
    play.t += 1.0
    if not before:
        play.chips(SPOT, stack("s1", 25, 25, at=(0.0, 20.0)), hand=DEALER)
    _finish(play)
    assert play.breaches() == breaches


LIMITS = {"minimum": 5, "maximum": 500}


@pytest.mark.parametrize(
    ("spot", "chips", "breach"),
    [
        ("seat 1 punto", (5,), None),
        ("seat 1 punto", (1, 1, 1, 1), ("BET_BELOW_MIN", "PB-AND-LIM-02")),
        ("seat 1 punto", (500,), None),
        ("seat 1 punto", (500, 1), ("BET_ABOVE_MAX", "PB-AND-LIM-03")),
        ("seat 1 empate", (25, 25), None),
        ("seat 1 empate", (25, 25, 5), ("TIE_BET_OVER_LIMIT", "PB-AND-LIM-01")),
    ],
)
def test_lim_01_to_03_at_the_boundary(
    spot: str, chips: tuple[int, ...], breach: tuple[str, str] | None
) -> None:
    play = Play()
    play.chips(spot, stack("s1", *chips))
    play.hands("Ks 6d", "9h 8c")
    play.chips(spot, hand=DEALER)
    play.sweep()
    profile = load_profile("andorra_2016", "mini", {"limits": LIMITS})
    assert play.breaches(profile) == ([] if breach is None else [(*breach, spot)])
    assert play.breaches(HALF_LINES) == []


def test_lim_01_the_tie_limit_is_for_the_box_together() -> None:
    play = Play()
    play.chips("seat 1 empate", stack("a", 25), stack("b", 25, 5, at=(60, 0)))
    play.hands("Ks 6d", "9h 8c")
    play.chips("seat 1 empate", hand=DEALER)
    play.sweep()
    profile = load_profile("andorra_2016", "mini", {"limits": LIMITS})
    assert play.breaches(profile) == [("TIE_BET_OVER_LIMIT", "PB-AND-LIM-01", "seat 1 empate")]


def test_lim_04_and_box_01_where_they_are_ordered() -> None:
    play = Play()
    play.chips(SPOT, stack("a", 5, 1), stack("b", 5, at=(60, 0)))
    play.hands("Ks 6d", "9h 8c")
    play.chips(SPOT, hand=DEALER)
    play.sweep()
    house = {"limits": {**LIMITS, "multiples_of_minimum": True, "bets_per_box": 1}}
    assert set(play.breaches(load_profile("andorra_2016", "mini", house))) == {
        ("BET_NOT_MULTIPLE", "PB-AND-LIM-04", SPOT),
        ("TOO_MANY_BETS_IN_BOX", "PB-AND-BOX-01", SPOT),
    }


def test_what_is_not_configured_is_said_once_a_session() -> None:
    play = Play()
    for _ in range(3):
        play.hands("Ks 6d", "9h 8c")
        play.sweep()
        play.t += 10
    judgement = play.judged()
    assert judgement.findings == ()
    rules = [question.rule for question in judgement.session]
    assert len(rules) == len(set(rules))
    assert {"PB-AND-LIM-01", "PB-AND-LIM-02", "PB-AND-BET-02", "PB-AND-TOUCH-01"} <= set(rules)
    limited = load_profile("andorra_2016", "mini", {"limits": LIMITS})
    assert "PB-AND-LIM-02" not in [question.rule for question in play.judged(limited).session]
