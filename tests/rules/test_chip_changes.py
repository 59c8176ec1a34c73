"""Making change: chips of a bet swapped for as many others, told apart from one stack read twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.chips import Board, Move
from rules.events import ChipState, Hand, Owner, Stack
from rules.profiles import load_profile
from rules.sight import Gaps, Sight
from rules.spots import Spot
from tests.support.play import DEALER, HALF_LINES, Play, player, stack

UNKNOWN = Hand(Owner.UNKNOWN)
SPOT = "seat 3 punto"

Change = tuple[int, int] | str | None
"""What a change took and gave; ``unclear``: changed or misread; None: nothing happened."""


def _look(t: float, stacks: Stack, hand: Hand | None) -> ChipState:
    return ChipState(seq=int(t * 10), t=t, spot=SPOT, stacks=(stacks,), hand=hand)


def _seen(*looks: tuple[float, Stack, Hand | None]) -> tuple[list[Move], Board]:
    board, moves = Board(Sight()), list[Move]()
    for t, seen, hand in looks:
        board.apply(_look(t, seen, hand), Gaps(), moves)
    return moves[1:], board


def _told(moves: list[Move]) -> Change:
    for move in moves:
        if move.unclear:
            return "unclear"
        if move.added or move.removed:
            return int(move.loss or 0), int(move.gain or 0)
    return None


@pytest.mark.parametrize(
    ("old", "new", "hand", "after_s", "change"),
    [
        ((stack("b", 100)), (stack("b", 50)), DEALER, 2.0, (100, 50)),
        ((stack("b", 100)), (stack("b", 50)), player(3), 2.0, (100, 50)),
        ((stack("b", 100)), (stack("b", 50)), UNKNOWN, 2.0, (100, 50)),
        ((stack("b", 100)), (stack("b", 50)), None, 2.0, None),
        ((stack("b", 100)), (stack("b", 50)), DEALER, 0.2, None),
        ((stack("b", 100, 25)), (stack("b", 100, 5)), DEALER, 2.0, (25, 5)),
        ((stack("b", 100, 25)), (stack("b", 25, 100)), DEALER, 2.0, None),
        ((stack("b", 100, None)), (stack("b", 100, 5)), DEALER, 2.0, None),
        ((stack("b", 100, None)), (stack("b", 50, 5)), DEALER, 2.0, "unclear"),
        ((replace(stack("b", 100), p=0.8)), (stack("b", 50)), DEALER, 2.0, "unclear"),
        ((stack("b", 100)), (replace(stack("b", 50), p=0.8)), UNKNOWN, 2.0, "unclear"),
    ],
)
def test_as_many_other_chips(
    old: Stack, new: Stack, hand: Hand | None, after_s: float, change: Change
) -> None:
    moves, _ = _seen((1.0, old, None), (1.0 + after_s, new, hand))
    assert _told(moves) == change


def test_what_cannot_be_told_apart_is_not_known_and_says_why() -> None:
    _, board = _seen((1.0, stack("b", 100), None), (3.0, replace(stack("b", 50), p=0.7), DEALER))
    (standing,) = board.at(Spot.parse(SPOT)).values()
    assert standing.value is None
    assert standing.stack.unread == "as many other chips were seen after a hand was there: changed or misread"


def test_chips_that_are_seen_as_before_by_nobody_s_hand_were_misread_once() -> None:
    moves, board = _seen(
        (1.0, stack("b", 100), None), (3.0, stack("b", 50), DEALER), (5.0, stack("b", 100), None)
    )
    assert _told(moves) is None
    assert [standing.value for standing in board.at(Spot.parse(SPOT)).values()] == [100]


def test_chips_that_a_hand_changed_back_were_changed_twice() -> None:
    moves, _ = _seen(
        (1.0, stack("b", 100), None), (3.0, stack("b", 50), DEALER), (5.0, stack("b", 100), DEALER)
    )
    assert [_told([move]) for move in moves] == [(100, 50), (50, 100)]


def test_a_change_while_the_spot_was_out_of_view_is_a_change_by_a_hand_not_seen() -> None:
    play = Play()
    play.chips(SPOT, stack("b", 100, line=True))
    play.hands("Ks 6d", "9h 8c")
    play.lose_view(SPOT, 3.0)
    play.t += 4.0
    play.chips(SPOT, stack("b", 50, line=True))
    play.sweep()
    assert play.judged().findings == ()


@pytest.mark.parametrize(
    ("left", "p", "hand", "breach", "open_"),
    [
        (50, 1.0, DEALER, [], []),
        (50, 1.0, UNKNOWN, [], []),
        (25, 1.0, DEALER, [("LINE_BET_MISPAID", "HOUSE-LINE-01", SPOT)], []),
        (50, 0.7, DEALER, [], [("LINE_BET_MISPAID", "HOUSE-LINE-01", SPOT)]),
        (50, 1.0, None, [], [("LINE_BET_MISPAID", "HOUSE-LINE-01", SPOT)]),
    ],
    ids=["half", "half by a hand not seen", "three quarters", "not sure", "nobody's hand"],
)
def test_half_of_a_line_bet_taken_by_making_change(
    left: int,
    p: float,
    hand: Hand | None,
    breach: list[tuple[str, str, str]],
    open_: list[tuple[str, str, str]],
) -> None:
    """HOUSE-LINE-01: one chip of 100 on the line loses; the dealer gives one of 50 for it."""
    play = Play()
    play.chips(SPOT, stack("b", 100, line=True))
    play.hands("Ks 6d", "9h 8c")
    play.chips(SPOT, replace(stack("b", left, line=True), p=p), hand=hand)
    play.sweep()
    assert play.breaches() == breach
    assert play.open() == open_


def test_a_loser_changed_into_other_chips_of_its_value_was_not_collected() -> None:
    play = Play()
    play.chips(SPOT, stack("b", 25))
    play.hands("Ks 6d", "9h 8c")
    play.chips(SPOT, stack("b", 5, 5, 5, 5, 5), hand=DEALER)
    play.sweep()
    assert play.breaches() == [("LOSER_NOT_COLLECTED", "PB-AND-BANK-01", SPOT)]


@pytest.mark.parametrize(("left", "breach"), [(100, []), (105, ["COMMISSION_WRONG"])])
def test_a_commission_taken_by_making_change(left: int, breach: list[str]) -> None:
    """MED: banca is paid par, and the dealer takes five per cent by giving chips for the payment's."""
    play = Play()
    spot = "seat 3 banca"
    play.chips(spot, stack("b", 100))
    play.hands("Ks 6d", "9h 8c")
    play.chips(spot, stack("b", 100), stack("p", 100, at=(50, 0)), hand=DEALER)
    play.chips(spot, stack("b", 100), stack("p", left - 5, at=(50, 0)), hand=DEALER)
    play.sweep()
    assert [code for code, _, _ in play.breaches(load_profile("mediterraneo"))] == breach


def test_equal_readings_after_a_dealer_s_hand_change_nothing() -> None:
    play = Play()
    play.chips(SPOT, stack("b", 25))
    play.hands("Ks 8d", "9h 7c")
    play.chips(SPOT, stack("b", 25), stack("p", 25, at=(50, 0)), hand=DEALER)
    play.sweep()
    assert play.judged(HALF_LINES).findings == ()
