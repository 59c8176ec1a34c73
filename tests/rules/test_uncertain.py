"""What was not seen is UNDETERMINED with its reason, never a BREACH; what can still be concluded is."""

from __future__ import annotations

import pytest

from rules.events import CardRead
from rules.findings import Verdict
from rules.sight import Sight
from tests.support.play import DEALER, Play, stack, uncounted


@pytest.mark.parametrize(
    ("may_be", "breaches", "open_"),
    [
        (("Kh", "Jh", "Qh"), [("NOT_PAID", "PB-AND-BANK-01", "seat 2 punto")], False),
        (("9h", "8h"), [], True),
        ((), [], True),
        (("Kh", "??"), [], True),
        (("Kh", "Jh") * 5000, [("NOT_PAID", "PB-AND-BANK-01", "seat 2 punto")], False),
    ],
    ids=["a figure", "nine or eight", "anything", "a king or anything", "ten thousand, all figures"],
)
def test_a_card_that_surely_counts_nothing_need_not_be_named(
    may_be: tuple[str, ...], breaches: list[tuple[str, str, str]], open_: bool
) -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    first = play.hands("?? 7d", "9h 7c")[0]
    play.see(CardRead(seq=0, t=0, card_id=first, card=None, p=0.4, may_be=may_be))
    play.sweep()
    assert play.breaches() == breaches
    assert bool(play.open()) is open_
    assert all(len(finding.reason or "") < 400 for finding in play.judged().findings)


def test_an_unread_card_leaves_the_result_open_and_says_why() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks ??", "9h 7c")
    play.sweep()
    judgement = play.judged()
    assert [f.verdict for f in judgement.findings] == [Verdict.UNDETERMINED] * len(judgement.findings)
    assert {f.rule for f in judgement.findings} >= {"PB-AND-DRAW-01", "PB-AND-WIN-01", "PB-AND-BANK-01"}
    assert all(f.reason for f in judgement.findings)
    assert judgement.coups[0].cards["punto"] == ("Ks", "??")


def test_an_unread_card_that_cannot_matter_leaves_nothing_open() -> None:
    """Banca's natural nine: the draws are sure; only a nine of punto would tie."""
    play = Play()
    play.hands("Ks ??", "9h Tc")
    play.sweep()
    assert [f.rule for f in play.judged().findings] == ["PB-AND-WIN-01"]


def test_a_tie_bet_taken_with_the_result_open_is_no_breach() -> None:
    play = Play()
    play.chips("seat 2 empate", stack("b", 5))
    play.hands("2s 3d 4h", "Kc Qd ??")
    play.chips("seat 2 empate", hand=DEALER)
    play.sweep()
    assert play.breaches() == []


def test_a_reading_that_is_not_sure_enough_counts_as_none() -> None:
    play = Play()
    names = play.hands("Ks 6d", "9h 8c")
    play.read(names[0], "9s", p=0.4)
    play.sweep()
    assert play.judged().coups[0].cards["punto"] == ("??", "6d")
    assert play.judged(sight=Sight(card_p=0.3)).coups[0].cards["punto"] == ("9s", "6d")


def test_the_latest_reading_counts_and_an_operator_s_outranks_it() -> None:
    play = Play()
    names = play.hands("Ks 6d", "9h 8c")
    play.read(names[2], "5d")
    assert play.judged().coups[0].cards["punto"] == ("Ks", "5d")
    play.read(names[2], "7d", operator=True)
    play.read(names[2], "6d")
    play.sweep()
    assert play.judged().coups[0].cards["punto"] == ("Ks", "7d")


def test_the_same_breach_keeps_its_id_when_a_card_is_corrected() -> None:
    def judged(corrected: bool) -> str:
        play = Play()
        play.chips("seat 2 punto", stack("b", 25))
        names = play.hands("Ks 8d", "9h 7c")
        play.chips("seat 2 punto", stack("b", 25), stack("p", 5, at=(50, 0)))
        play.sweep()
        if corrected:
            play.read(names[0], "Qs", operator=True)
        (finding,) = play.judged().findings
        return finding.id

    assert judged(False) == judged(True) == "coup-1.PB-AND-PAY-02.UNDERPAID.seat-2-punto"


def test_a_bet_that_cannot_be_counted_is_open_once() -> None:
    play = Play()
    play.chips("seat 2 punto", uncounted("b"))
    play.hands("Ks 8d", "9h 7c")
    play.chips("seat 2 punto", uncounted("b"), uncounted("p", at=(50, 0)), hand=DEALER)
    play.sweep()
    (finding,) = play.judged().findings
    assert finding.verdict is Verdict.UNDETERMINED
    assert finding.reason == "the bet's value is not known (seen from straight above)"


def test_a_loser_that_cannot_be_counted_is_seen_to_go() -> None:
    play = Play()
    play.chips("seat 2 punto", uncounted("b"))
    play.hands("Ks 6d", "9h 8c")
    play.chips("seat 2 punto", hand=DEALER)
    play.sweep()
    assert play.judged().findings == ()


def test_a_loser_that_cannot_be_counted_goes_under_another_name() -> None:
    play = Play()
    play.chips("seat 2 punto", uncounted("b", at=(100, 100)))
    play.exit()
    play.chips("seat 2 punto", uncounted("c", at=(101, 100)))
    play.hands("Ks 6d", "9h 8c")
    play.chips("seat 2 punto", hand=DEALER)
    play.sweep()
    assert play.judged().findings == ()


def test_half_of_a_line_bet_that_cannot_be_counted_may_have_gone_unseen() -> None:
    play = Play()
    play.chips("seat 2 punto", uncounted("b", line=True))
    play.hands("Ks 6d", "9h 8c")
    play.sweep()
    assert play.breaches() == []
    assert play.open() == [("LOSER_NOT_COLLECTED", "PB-AND-BANK-01", "seat 2 punto")]


@pytest.mark.parametrize(
    ("touched", "sure"),
    [("seat 2 punto", False), ("seat 2 banca", False), ("seat 5 punto", True), (None, False)],
)
def test_a_line_bet_that_no_dealers_hand_was_at_stayed_whole(touched: str | None, sure: bool) -> None:
    play = Play()
    play.chips("seat 2 punto", uncounted("b", line=True))
    play.hands("Ks 6d", "9h 8c")
    play.t += 2.0
    if touched is not None:
        play.touch(touched, DEALER)
    play.sweep()
    found = play.breaches() if sure else play.open()
    assert found == [("LOSER_NOT_COLLECTED", "PB-AND-BANK-01", "seat 2 punto")]


def test_settle_01_half_of_an_uncounted_loser_taken_after_a_payment() -> None:
    line, moved = uncounted("b", line=True), uncounted("b", line=True, at=(4.0, 0.0))
    play = Play()
    play.chips("seat 1 banca", stack("w", 100, at=(500, 0)))
    play.chips("seat 2 punto", line)
    play.hands("Ks 6d", "9h 8c")
    play.chips(
        "seat 1 banca",
        stack("w", 100, at=(500, 0)),
        stack("p", 25, 25, 25, 5, 5, 5, 5, at=(550, 0)),
        hand=DEALER,
    )
    play.chips("seat 2 punto", moved, hand=DEALER)
    play.sweep()
    assert play.breaches() == []
    assert ("PAID_BEFORE_COLLECT", "PB-AND-SETTLE-01", "seat 1 banca") in play.open()


def test_a_payment_partly_read_may_still_be_too_much() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks 8d", "9h 7c")
    play.chips("seat 2 punto", stack("b", 25), stack("p", 100, None, at=(50, 0)))
    play.sweep()
    assert play.breaches() == [("OVERPAID", "PB-AND-PAY-02", "seat 2 punto")]


@pytest.mark.parametrize("cut", range(1, 16))
def test_a_recording_that_ends_within_a_coup_gives_no_breach(cut: int) -> None:
    play = Play()
    play.chips("seat 1 punto", stack("w", 100))
    play.chips("seat 2 banca", stack("l", 100, at=(300, 0)))
    play.hands("2s Kd 6h", "4s 7c 4c")
    play.chips("seat 2 banca")
    play.chips("seat 1 punto", stack("w", 100), stack("p", 100, at=(50, 0)))
    play.events = play.events[:cut]
    assert play.breaches() == []
    for finding in play.judged().findings:
        assert finding.reason


def test_not_paid_is_certain_when_the_cards_were_gathered_and_the_recording_ends() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks 8d", "9h 7c")
    play.sweep()
    assert [code for code, _, _ in play.breaches()] == ["NOT_PAID"]


def test_not_paid_is_not_certain_where_the_box_was_out_of_view_until_the_end() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks 8d", "9h 7c")
    play.lose_view("seat 2 punto", None)
    play.sweep()
    assert play.breaches() == []
    (finding,) = play.judged().findings
    assert "could not be seen from" in (finding.reason or "")


def test_a_view_that_comes_back_before_the_end_hides_nothing() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.hands("Ks 8d", "9h 7c")
    play.lose_view("seat 2 punto", 1.0)
    play.t += 3.0
    play.sweep()
    assert [code for code, _, _ in play.breaches()] == ["NOT_PAID"]


def test_a_third_card_out_of_view_is_not_missed_by_the_dealer() -> None:
    play = Play()
    play.hands("2s Kd", "4s 4c")
    play.lose_view("hand punto", None)
    play.sweep()
    assert play.breaches() == []


@pytest.mark.parametrize("missing", [1, 3])
def test_a_card_that_was_never_seen_leaves_its_hand_open(missing: int) -> None:
    play = Play()
    cards = [("punto", "Ks"), ("banca", "9h"), ("punto", "6d"), ("banca", "8c")]
    for number, (hand, card) in enumerate(cards):
        if number != missing:
            play.deal_to(hand, card)
    play.sweep()
    judgement = play.judged()
    assert [
        f for f in judgement.findings if f.verdict is Verdict.BREACH and f.rule.startswith("PB-AND-DRAW")
    ] == []
    assert any("only one card was seen on hand banca" in (f.reason or "") for f in judgement.findings)


def test_cards_that_lay_there_when_the_recording_began_were_not_dealt_wrongly() -> None:
    play = Play(pace_s=0.01)
    play.chips("seat 2 punto", stack("b", 25), stack("p", 25, at=(50, 0)))
    for hand, card in (("punto", "Ks"), ("punto", "8d"), ("banca", "9h"), ("banca", "7c")):
        play.deal_to(hand, card)
    play.pace_s = 1.0
    play.sweep()
    assert play.breaches() == []


def test_two_looks_that_disagree_leave_the_value_open() -> None:
    play = Play()
    play.chips("seat 2 punto", stack("b", 25))
    play.exit()
    play.t += 1.0
    play.chips("seat 2 punto", stack("b", 100))
    play.hands("Ks 8d", "9h 7c")
    play.chips("seat 2 punto", stack("b", 100), stack("p", 25, at=(50, 0)))
    play.sweep()
    assert play.breaches() == []
    assert play.open() == [("UNDERPAID", "PB-AND-PAY-02", "seat 2 punto")]


def test_a_third_card_that_is_wrong_whatever_the_unread_card_is_remains_a_breach() -> None:
    """Punto has 6. Banca's unread card may make a natural or not: punto's third card is wrong either way."""
    play = Play()
    play.hands("9d 7d 9s", "2h ?? 5c")
    play.sweep()
    assert play.breaches() == [("WRONG_DRAW", "PB-AND-DRAW-01", "hand punto")]
    assert [rule for _, rule, _ in play.open()] == ["PB-AND-DRAW-02", "PB-AND-WIN-01"]


def test_a_hand_that_stands_rightly_does_so_whatever_the_other_hand_is() -> None:
    play = Play()
    play.hands("Ks 6d", "9h ??")
    play.sweep()
    assert "PB-AND-DRAW-01" not in [rule for _, rule, _ in play.open()]


@pytest.mark.parametrize(
    ("early", "breaches", "open_"),
    [
        (True, [("CARDS_CLEARED_EARLY", "PB-AND-STAY-01", "table")], None),
        (False, [], ("PAID_BEFORE_COLLECT", "PB-AND-SETTLE-01", "seat 1 punto")),
    ],
    ids=["cards gathered before the payment", "paid before the loser was taken"],
)
def test_how_a_settlement_was_gone_about_is_judged_for_every_result(
    early: bool, breaches: list[tuple[str, str, str]], open_: tuple[str, str, str] | None
) -> None:
    won, lost = stack("w", 100), stack("l", 100, at=(300, 0))
    play = Play()
    play.chips("seat 1 punto", won)
    play.chips("seat 2 banca", lost)
    play.hands("?? 8d", "Ks 6d")
    if early:
        play.chips("seat 2 banca", hand=DEALER)
        play.sweep()
    play.chips("seat 1 punto", won, stack("p", 100, at=(50, 0)), hand=DEALER)
    if not early:
        play.chips("seat 2 banca", hand=DEALER)
        play.sweep()
    assert play.breaches() == breaches
    assert open_ is None or open_ in play.open()
