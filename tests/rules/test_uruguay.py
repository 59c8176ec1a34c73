"""Uruguay's punto y banca: the worked examples, the commission by pass, and the traps of the text."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.games.punto_banco_uruguay.faults import BANCA, BETS, FIVE, HOUSE, IN_TURN, PUNTO, TIE, say
from datasets.games.punto_banco_uruguay.plan import Act, Bet, Plan
from datasets.games.punto_banco_uruguay.table import Table
from datasets.games.scribe import DEALER
from rules.baccarat.dues import Stake, payable, profit
from rules.events import CardCleared, ChipState
from rules.findings import Judgement, Verdict
from rules.games.punto_banco.profile import PuntoBancoProfile
from rules.judge import judge
from rules.profiles import load_profile


def _played(*plans: Plan, house: dict[str, object] | None = None) -> Judgement:
    profile = load_profile("uruguay_1977", None, house or IN_TURN)
    assert isinstance(profile, PuntoBancoProfile)
    table = Table(random.Random(3), profile.cues)
    for plan in plans:
        table.play(plan)
    return judge(table.scribe.events, profile)


def _breaches(judgement: Judgement) -> list[tuple[str, str]]:
    return [(f.rule, f.code) for f in judgement.findings if f.verdict is Verdict.BREACH]


@pytest.mark.parametrize(
    ("start", "due"),
    [(600, ["540", "1000", "900", "1000"]), (500, ["500", "900", "1000", "900"])],
    ids=["PB-URU-COM-03", "PB-URU-COM-04"],
)
def test_the_shoe_pays_its_commission_by_pass(start: int, due: list[str]) -> None:
    """The worked example: a maximum of 1000, the bank left to grow, the excess taken out."""
    alone = {**IN_TURN, "uruguay": {"shoe_minimum": 100}}
    judgement = _played(*(Plan(cards=BANCA, bets=[], stake=start) for _ in due), house=alone)
    assert [bet.due_amount for coup in judgement.coups for bet in coup.bets] == due
    assert judgement.findings == ()


def test_half_taken_out_after_a_free_first_pass_costs_a_tenth() -> None:
    """PB-URU-COM-06: 400 won, 400 of 800 taken out: 40 to the house."""
    paid = Plan(cards=BANCA, bets=[], stake=400, withdraw=400, sabot_part=(1, 10))
    judgement = _played(paid)
    assert [bet.due_amount for bet in judgement.coups[0].bets] == ["360"]
    assert judgement.findings == ()


def test_a_suite_after_a_free_pass_costs_a_twentieth() -> None:
    """PB-URU-COM-05: 50 of the 1000 won in the second pass."""
    first = Plan(cards=BANCA, bets=[], stake=600)
    second = Plan(cards=BANCA, bets=[], sabot_part=(1, 20), acts={"paid": say("suite")})
    judgement = _played(first, second)
    assert [bet.due_amount for bet in judgement.coups[1].bets] == ["950"]
    assert judgement.findings == ()


@pytest.mark.parametrize(
    ("stake", "won"),
    [
        (5, "9/2"),
        (10, "9"),
        (15, "27/2"),
        (25, "45/2"),
        (45, "81/2"),
        (100, "90"),
        (250, "225"),
        (1000, "900"),
    ],
)
def test_banca_wins_par_less_a_tenth(stake: int, won: str) -> None:
    profile = load_profile("uruguay_1977")
    assert isinstance(profile, PuntoBancoProfile)
    assert profit(Stake(Fraction(stake), False), profile.payouts["banca"]) == Fraction(won)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(value=st.integers(1, 5000))
def test_a_bet_on_the_half_line_settles_as_a_bet_of_half(value: int) -> None:
    profile = load_profile("uruguay_1977")
    assert isinstance(profile, PuntoBancoProfile)
    odds, rounding = profile.payouts["punto"], profile.rounding
    on_line, half = Stake(Fraction(value), True), Stake(Fraction(value, 2), False)
    assert profit(on_line, odds) == profit(half, odds)
    assert payable([on_line], odds, rounding) == payable([half], odds, rounding)


def test_tr_uru_2_a_standing_bet_on_the_line_plays_in_full() -> None:
    bets = [*BETS, Bet("box a punto", 40, line=True)]
    judgement = _played(Plan(cards=PUNTO, bets=bets), house=HOUSE)
    due = {str(bet.spot): bet.due_amount for bet in judgement.coups[0].bets}
    assert due["box a punto"] == "40"
    assert judgement.findings == ()


def test_tr_uru_3_the_half_line_is_punto_s_only() -> None:
    profile = load_profile("uruguay_1977")
    assert profile.half_lines == {"punto"}


@pytest.mark.parametrize("third", [True, False], ids=["cartas", "planto"])
def test_punto_chooses_on_five(third: bool) -> None:
    cards = (*FIVE, "2d") if third else FIVE
    judgement = _played(Plan(cards=cards, bets=list(BETS), third=third), house=HOUSE)
    assert judgement.findings == ()


def test_nobody_on_punto_stands_on_five() -> None:
    bets = [bet for bet in BETS if bet.side == "banca"]
    judgement = _played(Plan(cards=(*FIVE, "2d"), bets=bets, third=True), house=HOUSE)
    assert _breaches(judgement) == [("PB-URU-DRAW-10", "WRONG_DRAW")]


def test_tr_uru_8_and_10_a_tie_leaves_every_bet() -> None:
    judgement = _played(Plan(cards=TIE, bets=list(BETS)), house=HOUSE)
    assert {bet.due for bet in judgement.coups[0].bets} == {"push"}
    assert judgement.findings == ()


def test_tr_uru_12_a_commission_handed_over_is_no_late_bet() -> None:
    judgement = _played(Plan(cards=BANCA, bets=list(BETS), picos=True), house=HOUSE)
    assert judgement.findings == ()


def test_tr_uru_14_a_suite_opens_the_bets_again() -> None:
    def again(table: Table) -> None:
        table.scribe.cue("suite")
        table.felt.put("seat 2 punto", 20, None)
        table.scribe.cue("no_more_bets")

    judgement = _played(Plan(cards=BANCA, bets=list(BETS), acts={"closed": again}, pays={}), house=HOUSE)
    assert ("PB-URU-BET-01", "LATE_BET") not in _breaches(judgement)


def test_tr_uru_11_one_more_pass_begins_after_the_cut_card() -> None:
    shown = Plan(cards=BANCA, bets=list(BETS), acts={"dealt": lambda table: table.scribe.cut_card()})
    usual = Plan(cards=BANCA, bets=list(BETS))
    assert _breaches(_played(shown, usual, house=HOUSE)) == []
    three = _played(shown, usual, Plan(cards=BANCA, bets=list(BETS)), house=HOUSE)
    assert _breaches(three) == [("PB-URU-CUT-02", "DEAL_AFTER_CUT_CARD")]


def test_an_undue_punto_card_is_annulled_and_the_pass_goes_on_without_it() -> None:
    """Art. 39: six and seven stand, so the bets are settled for banca's seven against punto's six."""

    def away(table: Table) -> None:
        table.felt.away(table.hands["punto"].pop())

    cards = ("2c", "Kh", "4d", "7s", "3d")
    plan = Plan(cards=cards, bets=list(BETS), third=True, acts={"punto-third": away})
    judgement = _played(plan, house=HOUSE)
    assert _breaches(judgement) == [("PB-URU-ERR-03", "WRONG_DRAW")]
    assert judgement.coups[0].result["winner"] == "banca"


def test_tr_uru_6_the_tenth_is_of_what_the_pass_won_not_of_what_lies_there() -> None:
    judgement = _played(Plan(cards=BANCA, bets=[], stake=600))
    assert [bet.due_amount for bet in judgement.coups[0].bets] == ["540"]
    all_of_it = _played(Plan(cards=BANCA, bets=[], stake=600, sabot_part=(2, 10)))
    assert {rule for rule, _ in _breaches(all_of_it)} == {"PB-URU-COM-03"}


@pytest.mark.parametrize(
    ("seats", "seated", "rule"),
    [
        (16, "4", "PB-URU-MIN-01"),
        (14, "4", "PB-URU-MIN-01"),
        (13, "5", None),
        (12, "4", None),
        (12, "2", "PB-URU-MIN-02"),
    ],
)
def test_tr_uru_7_tables_of_thirteen_to_fifteen_seats_need_five(
    seats: int, seated: str, rule: str | None
) -> None:
    own = HOUSE["uruguay"]
    assert isinstance(own, dict)
    house = {**HOUSE, "uruguay": {**own, "seats": seats}}
    plan = Plan(cards=BANCA, bets=list(BETS), acts={"before": say("seated", seated)})
    found = [one for one in _breaches(_played(plan, house=house)) if one[1] == "TOO_FEW_PLAYERS"]
    assert found == ([] if rule is None else [(rule, "TOO_FEW_PLAYERS")])


@pytest.mark.parametrize("settled", [False, True])
def test_tr_uru_8_a_pass_that_cannot_be_defined_is_annulled(settled: bool) -> None:
    judgement = _played(Plan(cards=BANCA, bets=list(BETS), void=True), house=HOUSE)
    assert judgement.findings == ()
    assert judgement.coups[0].result["void"]
    if settled:
        take = {"drawn": lambda table: table.felt.clear("seat 2 punto", DEALER)}
        judgement = _played(Plan(cards=BANCA, bets=list(BETS), void=True, acts=take), house=HOUSE)
        assert {code for _, code in _breaches(judgement)} == {"VOID_NOT_APPLIED"}


@pytest.mark.parametrize(("left", "breach"), [(18, []), (19, ["COMMISSION_WRONG"])])
def test_tr_cv_8_par_and_a_tenth_taken_back_is_a_net_payment(left: int, breach: list[str]) -> None:
    """Of twenty on banca twenty are paid, and two of them taken back, in the end by making change."""
    spot = "seat 3 banca"

    def take_back(table: Table) -> None:
        payment = list(table.felt.boxes[spot])[-1]
        table.felt.change(spot, payment, left, DEALER)

    bets = [Bet(spot, 20), Bet("seat 2 punto", 20)]
    plan = Plan(cards=BANCA, bets=bets, pays={spot: 20}, landing=True, acts={f"paid {spot}": take_back})
    judgement = _played(plan, house=HOUSE)
    assert [code for _, code in _breaches(judgement)] == breach


def _evening(*sessions: tuple[Plan, ...]) -> Judgement:
    """Sessions one after the other at one table."""
    profile = load_profile("uruguay_1977", None, HOUSE)
    assert isinstance(profile, PuntoBancoProfile)
    table, dealt = Table(random.Random(3), profile.cues), 0
    for number, plans in enumerate(sessions):
        if number:
            table.close()
            table = Table(random.Random(3), profile.cues, felt=table.felt, dealt=dealt)
        for plan in plans:
            table.play(plan)
        dealt += len(plans)
    return judge(table.scribe.events, profile)


def _pass(*, cards: tuple[str, ...] = BANCA, **acts: Act) -> Plan:
    return Plan(cards=cards, bets=list(BETS), acts=acts)


def test_a_session_that_is_over_counts_for_nothing_in_the_next() -> None:
    """PB-URU-BANK-03: the banker takes his bank home; PB-URU-END-01: the last pass was that session's;
    PB-URU-REM-04: the first bank is auctioned again."""
    last = _pass(before=say("last_pass"), swept=say("claim", None, "seat 2 punto"))
    assert _breaches(_evening((_pass(), last), (_pass(), _pass(), _pass()))) == []
    silent = Plan(cards=BANCA, bets=list(BETS), remate=False)
    assert _breaches(_evening((last,), (silent,))) == [("PB-URU-REM-04", "AUCTION_IRREGULAR")]


def test_the_last_pass_may_be_announced_early_and_dealt_again() -> None:
    """PB-URU-END-01: a tie is dealt again, and it is over with the pass that decides."""
    again = (_pass(cards=TIE, before=say("last_pass")), _pass())
    assert _breaches(_evening(again)) == []
    assert _breaches(_evening((*again, _pass()))) == [("PB-URU-END-01", "SESSION_END_WRONG")]


def test_bets_joined_between_two_passes_are_told_once() -> None:
    """PB-URU-HAND-04."""
    joined = _evening((_pass(), _pass(before=say("pooled_bet", None, "seat 2 punto")), _pass()))
    found = [(f.coup, f.rule) for f in joined.findings]
    assert found == [(2, "PB-URU-HAND-04")]


def test_a_journal_that_begins_within_a_session_says_nothing_of_its_first_bank() -> None:
    """PB-URU-REM-04, PB-URU-COM-07: the auction may have been before, and so may passes that the bank won."""
    profile = load_profile("uruguay_1977", None, HOUSE)
    assert isinstance(profile, PuntoBancoProfile)
    table = Table(random.Random(3), profile.cues)
    for _ in range(3):
        table.play(Plan(cards=BANCA, bets=[], stake=600))
    begun = next(e.t for e in table.scribe.events if isinstance(e, CardCleared)) + 1.0
    lying = {
        e.spot: replace(e, t=begun) for e in table.scribe.events if isinstance(e, ChipState) and e.t <= begun
    }
    events = [*lying.values(), *(event for event in table.scribe.events if event.t > begun)]
    assert _breaches(judge(events, profile)) == []


@pytest.mark.parametrize(
    ("spots", "standing", "kept"),
    [
        (("seat 2 punto", "seat 2 banca"), None, False),
        (("seat 2 punto", "seat 2 banca"), "seat 2 banca", True),
        (("box a punto", "box a banca"), None, True),
    ],
    ids=["one player", "another, who stands", "a letter's two sides"],
)
def test_lim_02_a_maximum_is_one_persons(spots: tuple[str, ...], standing: str | None, kept: bool) -> None:
    acts = {} if standing is None else {"before": say("standing_bet", None, standing)}
    bets = [*(bet for bet in BETS if bet.seat != 2), *(Bet(spot, 600) for spot in spots)]
    found = _breaches(_played(Plan(cards=BANCA, bets=bets, acts=acts), house=HOUSE))
    assert (("PB-URU-LIM-02", "BET_ABOVE_MAX") in found) is not kept
