"""Stacks that may be one of a few: what holds in every way is said, and only that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.events import ChipsRead, MayBe, Stack
from rules.findings import Finding, Verdict
from rules.games.punto_banco.profile import punto_banco
from tests.support.play import ANDORRA, DEALER, Play, stack

PUNTO = ("Ks 8d", "9h 7c")
BANCA = ("Ks 6d", "9h 8c")
SPOT = "seat 1 punto"
LIMITED = punto_banco("mini", {"limits": {"minimum": 10}})


def either(name: str, *ways: tuple[int, ...], at: tuple[float, float] = (0.0, 0.0)) -> Stack:
    """A stack that was not read to the last chip, but is one of these, all as likely."""
    may_be = tuple(MayBe(chips, 1 / len(ways)) for chips in ways)
    return Stack(
        stack=name, denominations=None, count=None, at_mm=at, unread="not sure", p=0.0, may_be=may_be
    )


def played(bet: Stack, paid: Stack | None, hands: tuple[str, str] = PUNTO) -> Play:
    """A coup at which punto has bet, and the dealer paid beside it, or not."""
    game = Play()
    game.chips(SPOT, bet)
    game.hands(*hands)
    if paid is not None:
        game.chips(SPOT, bet, replace(paid, at_mm=(50.0, 0.0)), hand=DEALER)
    game.sweep()
    return game


def about_the_bet(game: Play) -> list[Finding]:
    return [f for f in game.judged(ANDORRA).findings if str(f.spot) == SPOT]


@pytest.mark.parametrize(
    ("bet", "paid", "code", "due", "seen"),
    [
        (either("b", (5, 5), (5, 5, 5)), stack("p", 5), "UNDERPAID", "10 or 15 (1 to 1)", "5 paid"),
        (either("b", (5, 5), (5, 5, 5)), either("p", (5,), (1,)), "UNDERPAID", "10 or 15", "1 or 5 paid"),
        (either("b", (5,), (1,)), either("p", (25,), (10,)), "OVERPAID", "1 or 5 (1 to 1)", "10 or 25 paid"),
        (stack("b", 10), either("p", (5,), (5, 1), (1,), (2,)), "UNDERPAID", "10 (1", "between 1 and 6 paid"),
        (either("b", (5, 5), (5, 5, 5)), None, "NOT_PAID", "10 or 15 (1 to 1)", "no payment"),
    ],
)
def test_what_is_wrong_in_every_way_is_a_breach(
    bet: Stack, paid: Stack | None, code: str, due: str, seen: str
) -> None:
    (found,) = about_the_bet(played(bet, paid))
    assert (found.verdict, found.code, found.reason) == (Verdict.BREACH, code, None)
    assert due in found.expected
    assert seen in found.seen


def test_amounts_that_are_the_same_in_every_way_are_told_exactly() -> None:
    game = played(either("b", (5, 5), (10,)), stack("p", 5))
    (found,) = about_the_bet(game)
    assert (found.verdict, found.amount_due, found.amount_seen) == (Verdict.BREACH, "10", "5")
    (record,) = game.judged(ANDORRA).coups[0].bets
    assert (record.value, record.due_amount, record.denominations) == ("10", "10", None)


def test_neither_too_much_nor_too_little_is_a_breach_too() -> None:
    bet = replace(either("b"), may_be=(MayBe((10,), 0.7), MayBe((5, 5, 5, 5), 0.3)))
    (found,) = about_the_bet(played(bet, stack("p", 5, 5, 5)))
    assert (found.verdict, found.code) == (Verdict.BREACH, "OVERPAID")
    assert found.amount_due is None
    assert found.seen == "15 paid (overpaid or underpaid)"


def test_what_is_right_in_every_way_conforms() -> None:
    game = played(either("b", (5, 5), (10,)), either("p", (10,), (5, 5)))
    assert about_the_bet(game) == []
    exact = played(stack("b", 10), stack("p", 10)).judged(ANDORRA).coups[0]
    summary = game.judged(ANDORRA).coups[0]
    assert (summary.verdict, summary.counts) == (Verdict.CONFORM, exact.counts)


def test_what_is_right_in_some_ways_stays_open_and_says_what() -> None:
    (found,) = about_the_bet(played(either("b", (5, 5), (5, 5, 5)), stack("p", 5, 5)))
    assert found.verdict is Verdict.UNDETERMINED
    assert found.reason is not None
    assert "the stack at seat 1 punto may be worth 10 or 15: it may all be as it should be" in found.reason


def test_a_bet_that_stays_as_it_was_told_is_one_bet() -> None:
    """It is told of before and after the payment: it cannot have been 10 first and 15 then."""
    bet = either("b", (10,), (15,))
    (found,) = about_the_bet(played(bet, stack("p", 5)))
    assert found.seen == "5 paid"


def test_one_that_was_read_anew_under_a_hand_may_have_been_changed() -> None:
    game = Play()
    game.chips(SPOT, either("b", (5, 5), (5, 5, 5)))
    game.hands(*PUNTO)
    game.chips(SPOT, either("b", (5, 5, 5), (5, 5)), hand=DEALER)
    game.sweep()
    assert {f.verdict for f in about_the_bet(game)} == {Verdict.BREACH}
    game = Play()
    game.chips(SPOT, either("b", (5,), (5, 5)))
    game.hands(*PUNTO)
    game.chips(SPOT, either("b", (5, 5), (5,)), hand=DEALER)
    game.sweep()
    assert {f.verdict for f in about_the_bet(game)} == {Verdict.UNDETERMINED}


@pytest.mark.parametrize(
    ("ways", "verdicts"),
    [
        ([(5,), (1,)], [Verdict.BREACH]),
        ([(5,), (10,)], [Verdict.UNDETERMINED]),
        ([(25,), (10,)], []),
    ],
)
def test_limits_hold_in_every_way_or_are_broken_in_every_way(
    ways: list[tuple[int, ...]], verdicts: list[Verdict]
) -> None:
    game = Play()
    game.chips(SPOT, either("b", *ways))
    game.hands(*BANCA)
    game.chips(SPOT, hand=DEALER)
    game.sweep()
    found = [f.verdict for f in game.judged(LIMITED).findings if f.code == "BET_BELOW_MIN"]
    assert found == verdicts


def test_too_many_ways_are_tried_seat_by_seat() -> None:
    """Three seats with three stacks of three ways each are 729: two of the seats are told, and the third."""
    game = Play()
    seats = [f"seat {number} punto" for number in (1, 2, 3)]
    bets = {seat: either(f"b{seat[5]}", (5, 5), (10,), (5, 1, 1)) for seat in seats}
    pays = {seat: replace(either(f"p{seat[5]}", (1,), (2,), (5,)), at_mm=(50.0, 0.0)) for seat in seats}
    for seat in seats:
        game.chips(seat, bets[seat])
    game.hands(*PUNTO)
    for seat in seats:
        game.chips(seat, bets[seat], pays[seat], hand=DEALER)
    game.sweep()
    found = {str(f.spot): f for f in game.judged(ANDORRA).findings}
    assert {spot: (f.verdict, f.code) for spot, f in found.items()} == dict.fromkeys(
        seats, (Verdict.BREACH, "UNDERPAID")
    )


@pytest.mark.parametrize(("said", "verdicts"), [((5, 5), []), ((5, 5, 5), [Verdict.BREACH])])
def test_a_reviewer_s_word_ends_the_doubt(said: tuple[int, ...], verdicts: list[Verdict]) -> None:
    game = played(either("b", (5, 5), (5, 5, 5)), stack("p", 5, 5))
    game.see(ChipsRead(seq=0, t=game.events[-1].t, stack="b", spot=SPOT, denominations=said))
    assert [f.verdict for f in about_the_bet(game)] == verdicts


@pytest.mark.parametrize(
    ("ways", "count"),
    [
        ([((5,), 0.0)], None),
        ([((5,), 0.2), ((1,), 0.3)], None),
        ([((5,), 1.0), ((1,), 1.0)], None),
        ([((5,), float("nan"))], None),
        ([((-5,), 1.0)], None),
        ([((), 1.0)], None),
        ([((5,), 1.0)], 3),
        ([((5,) * number, 1 / 3000) for number in range(1, 3001)], None),
    ],
)
def test_ways_that_make_no_sense_are_not_tried(
    ways: list[tuple[tuple[int, ...], float]], count: int | None
) -> None:
    """None of them, too few, too many, or none that has as many chips as were counted: nothing follows."""
    told = tuple(MayBe(chips, p) for chips, p in ways)
    bet = replace(either("b", (5,)), may_be=told, count=count)
    (found,) = about_the_bet(played(bet, stack("p", 10)))
    assert (found.verdict, found.reason) == (Verdict.UNDETERMINED, "the bet's value is not known (not sure)")


def test_what_is_due_is_not_said_to_be_what_it_is_in_the_ways_that_are_wrong() -> None:
    """A bet that is most likely 300 and paid 150 at the least: only a small one would have been overpaid."""
    bet = replace(either("b"), may_be=(MayBe((100, 100, 100), 0.8), MayBe((5, 5), 0.1), MayBe((1, 1), 0.1)))
    paid = Stack(
        stack="p", denominations=(None, 25, 25), count=3, at_mm=(0.0, 0.0), unread="not sure", p=0.95
    )
    (found,) = about_the_bet(played(bet, paid))
    assert found.verdict is Verdict.UNDETERMINED
    assert found.expected == "a payment (1 to 1)"
    assert found.reason is not None
    assert "the stack at seat 1 punto may be worth 2, 10 or 300, most likely 300" in found.reason
