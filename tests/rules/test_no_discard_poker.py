"""No-discard poker: worked examples, traps, and what is done where the text leaves a gap."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from datasets.games.no_discard_poker.session import HOUSE
from datasets.games.no_discard_poker.table import Bought, Play, Table
from rules.cards import Card
from rules.errors import ProfileError
from rules.events import CardCleared, CardPlaced, CardTurned, ChipState, Event, ViewLost
from rules.findings import Judgement, Verdict
from rules.games.no_discard_poker.hands import Against, Outcome, outcome_of
from rules.games.no_discard_poker.profile import PokerProfile, no_discard_poker
from rules.games.no_discard_poker.settling import net_of
from rules.judge import judge
from rules.poker import category, rank

BANK = "Kh Ad 9c 5s 2c"
PAIR, LOW = "Tc Td 8h 5d 3d", "Qc Jd 8s 6h 4h"
Change = Callable[[Play], None]


def _play(hands: dict[str, str], **more: Any) -> Play:
    """A round with antes of 10 and second bets of 20; ``passes``: the seats that pass."""
    seats = sorted(int(name[5:]) for name in hands if name != "banca")
    passes = more.pop("passes", ())
    play = Play(
        number=1,
        antes={seat: [10] for seat in seats},
        insurance={},
        progressive={},
        hands={name: text.split() for name, text in hands.items()},
        goes={seat: seat not in passes for seat in seats},
        second=dict.fromkeys(seats, 20),
        order=[*(f"seat_{seat}" for seat in seats), "banca"] * 5,
    )
    for name, value in more.items():
        setattr(play, name, value)
    play.settle()
    return play


def _judged(
    play: Play,
    change: Change = lambda _: None,
    house: dict[str, Any] | None = None,
    see: Callable[[Event], Event] = lambda event: event,
) -> Judgement:
    change(play)
    table = Table()
    table.play(play)
    profile = no_discard_poker({**HOUSE, **(house or {})})
    return judge([see(event) for event in table.scribe.events], profile)


def _breaches(judgement: Judgement) -> list[tuple[str, str, str | None]]:
    return [
        (f.rule, f.code, None if f.spot is None else str(f.spot))
        for f in judgement.findings
        if f.verdict is Verdict.BREACH
    ]


# NP-PAY-01, NP-RANK-01: the worked examples: hand, total with a second bet of 20, of 10, and by the French
# table.
FRENCH = dict(
    zip(
        ("pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind"),
        map(str, (1, 2, 3, 5, 8, 10, 20)),
        strict=True,
    )
)
PAID = [
    ("As Ks Qs Js Ts", 2010, 1010, 2010),
    ("9h 8h 7h 6h 5h", 1010, 510, 1010),
    ("7c 7d 7h 7s 2d", 410, 210, 410),
    ("Kc Kd Ks 4s 4d", 150, 80, 210),
    ("Ah Jh 9h 6h 3h", 110, 60, 170),
    ("5d 4c 3h 2s As", 90, 50, 110),
    ("Qc Qd Qh 8s 3d", 70, 40, 70),
    ("Jc Jd 6h 6s As", 50, 30, 50),
    ("Tc Td 8h 5d 3d", 30, 20, 30),
    ("Ac Kd Jh 9s 5d", 30, 20, 30),
]


@pytest.mark.parametrize(("hand", "total", "single", "french"), PAID, ids=lambda value: str(value))
def test_pay_01_a_higher_hand_is_paid_by_the_table(hand: str, total: int, single: int, french: int) -> None:
    own = rank([Card.parse(card) for card in hand.split()])
    way = Against(Outcome.WINS, category(own))
    tables: list[tuple[PokerProfile, int, int]] = [
        (no_discard_poker(), 20, total),
        (no_discard_poker(), 10, single),
        (no_discard_poker({"pays": FRENCH}), 20, french),
    ]
    for profile, second, due in tables:
        assert sum(net_of(way, Fraction(10), Fraction(second), profile)) == due
    play = _play({"seat_1": hand, "seat_2": "Qd Jc 8c 6c 4c", "banca": "Ah Kh 7s 5c 3c"}, passes={2})
    if len({*play.hands["seat_1"], *play.hands["banca"]}) == 10 and play.result(1) == "wins":
        judgement = _judged(play)
        assert judgement.findings == ()
        paid = [bet.due_amount for bet in judgement.coups[0].bets if bet.spot.seat == 1]
        assert sum(Fraction(amount or 0) for amount in paid) == total


@pytest.mark.parametrize(
    ("bank", "plays"),
    [("Ac Kd 4h 3s 2d", True), ("Ac Qd Jh Ts 9d", False), ("2c 2d 5h 8s 9d", True), ("Ac 2d 3h 4s 5c", True)],
)
def test_qual_01_the_bank_plays_with_an_ace_and_a_king(bank: str, plays: bool) -> None:
    judgement = _judged(_play({"seat_1": "Tc Th 8h 5d 3d", "seat_2": "Qc Js 8c 6h 4c", "banca": bank}))
    assert judgement.findings == ()
    assert judgement.coups[0].result["bank_plays"] is plays


@pytest.mark.parametrize(
    ("own", "outcome", "net"),
    [
        ("Ac Ks 9d 5c 2d", Outcome.TIE, 0),
        ("Ac Ks 9d 5c 3d", Outcome.WINS, 30),
        ("Ac Ks 9d 4c 3d", Outcome.LOSES, -30),
    ],
)
def test_win_02_the_cards_decide_from_the_highest_down(own: str, outcome: Outcome, net: int) -> None:
    """Bank A K 9 5 2."""
    hands = [rank([Card.parse(card) for card in text.split()]) for text in (own, "Ah Kd 9h 5s 2c")]
    profile = no_discard_poker()
    assert outcome_of(hands[0], hands[1], profile.floor) is outcome
    way = Against(outcome, category(hands[0]) if outcome is Outcome.WINS else None)
    assert sum(net_of(way, Fraction(10), Fraction(20), profile)) == net


@pytest.mark.parametrize(
    ("outcome", "second", "net"),
    [(Outcome.BANK_OUT, 20, 10), (Outcome.FOLDED, 0, -10), (Outcome.LOSES, 20, -30)],
)
def test_dec_02_qual_02_pay_02_what_else_there_is(outcome: Outcome, second: int, net: int) -> None:
    assert sum(net_of(Against(outcome), Fraction(10), Fraction(second), no_discard_poker())) == net


def test_tr_np_1_doubling_may_mean_as_much_as_the_ante() -> None:
    play = _play({"seat_1": PAIR, "seat_2": LOW, "banca": BANK}, second={1: 10, 2: 10})
    assert _judged(play, house={"second_bet": 1}).findings == ()
    play = _play({"seat_1": PAIR, "seat_2": LOW, "banca": BANK}, second={1: 10, 2: 10})
    wrong = ("NP-DEC-01", "SECOND_BET_WRONG_AMOUNT")
    assert [found[:2] for found in _breaches(_judged(play))] == [wrong, wrong]


def test_tr_np_2_where_the_bank_does_not_play_even_a_lower_hand_is_paid() -> None:
    play = _play({"seat_1": LOW, "banca": "As Qd 9c 5s 2c"})
    judgement = _judged(play)
    assert judgement.findings == ()
    assert judgement.coups[0].result["winner"] == {"seat_1": "the bank does not play"}


def test_tr_np_3_another_pay_table_is_the_tables_own() -> None:
    hands = {"seat_1": "Kc Kd Ks 4s 4d", "seat_2": LOW, "banca": BANK.replace("Kh Ad", "Ad Ac")}
    assert _breaches(_judged(_play(hands), house={"pays": FRENCH})) == [
        ("NP-PAY-01", "UNDERPAID", "seat 1 second")
    ]

    def french(play: Play) -> None:
        play.gains[1, "second"] = 200

    assert _judged(_play(hands), french, {"pays": FRENCH}).findings == ()


INSURED = [
    ("Kc Kd Ks 4s 4d", 500),
    ("7c 7d 7h 7s 2d", 1500),
    ("9h 8h 7h 6h 5h", 5000),
    ("Ks As Qs Js Ts", 10000),
]


@pytest.mark.parametrize(("hand", "win"), INSURED, ids=lambda value: str(value))
def test_ins_02_the_insurance_of_5_by_its_table(hand: str, win: int) -> None:
    play = _play({"seat_1": hand, "banca": "Ah Kh 9c 5c 2c"}, insurance={1: 5})
    judgement = _judged(play)
    assert judgement.findings == ()
    (due,) = [bet.due_amount for bet in judgement.coups[0].bets if bet.spot.bet == "insurance"]
    assert due == str(win)


def test_tr_np_4_the_insurance_is_paid_though_the_bank_does_not_play_and_lost_with_a_passed_hand() -> None:
    full = {"seat_1": "Kc Kd Ks 4s 4d", "banca": "Ah Qh 9c 5c 2c"}
    assert _judged(_play(full, insurance={1: 5})).findings == ()
    assert _judged(_play(full, insurance={1: 5}, passes={1})).findings == ()


def test_tr_np_4_a_house_may_count_the_stake_among_the_times() -> None:
    full = {"seat_1": "Kc Kd Ks 4s 4d", "banca": "Ah Kh 9c 5c 2c"}

    def less(play: Play) -> None:
        play.gains[1, "insurance"] = 495

    assert _judged(_play(full, insurance={1: 5}), less, {"insurance": {"times": "total"}}).findings == ()


def test_tr_np_5_only_the_banks_fifth_card_may_lie_open() -> None:
    hands = {"seat_1": PAIR, "seat_2": LOW, "banca": BANK}
    for card in [("seat_1", 4), ("seat_2", 0), ("banca", 3)]:
        play = _play(hands, up={card, ("banca", 4)}, void=True)
        assert _breaches(_judged(play)) == [("NP-DEAL-02", "EXPOSED_CARD", f"hand {card[0]}")]
    assert _breaches(_judged(_play(hands, up={("banca", 3)}, void=True))) == [
        ("NP-DEAL-02", "EXPOSED_CARD", "hand banca"),
        ("NP-DEAL-02", "CARD_FACE_WRONG", "hand banca"),
    ]


@pytest.mark.parametrize("left", [True, False])
def test_deck_01_a_card_of_the_last_round_that_lies_there_yet(left: bool) -> None:
    """One pack: a card that was not gathered cannot be dealt again; one that was can."""
    table = Table()
    hands = {"seat_1": PAIR, "seat_2": LOW, "banca": BANK}
    table.play(_play(hands))
    table.play(_play(hands))
    first = next(e for e in table.scribe.events if isinstance(e, CardCleared) and e.spot == "hand seat_1")
    t = table.scribe.events[-1].t
    told = [
        replace(event, t=t) if left and event.seq == first.seq else event for event in table.scribe.events
    ]
    found = _breaches(judge(told, no_discard_poker(HOUSE)))
    assert bool([rule for rule, *_ in found if rule == "NP-DECK-01"]) is left


def test_void_01_an_annulled_round_is_not_judged_by_its_cards() -> None:
    hands = {"seat_1": PAIR, "seat_2": LOW, "banca": BANK}
    judgement = _judged(_play(hands, up={("seat_1", 0), ("banca", 4)}))
    assert [code for _, code, _ in _breaches(judgement)] == ["EXPOSED_CARD", "VOID_NOT_APPLIED"]
    assert judgement.coups[0].result["void"] is True
    assert {bet.due for bet in judgement.coups[0].bets} == {None}


@pytest.mark.parametrize("offered", [True, None, False])
def test_tr_np_6_a_sixth_card_where_a_card_may_be_bought(offered: bool | None) -> None:
    """A card bought for the ante turns a pair into three of a kind; the second bet follows."""
    bought = {1: Bought([4], ["Th"], 10)}
    play = _play({"seat_1": PAIR, "seat_2": LOW, "banca": BANK}, bought=bought)
    judgement = _judged(play, house={"exchange": {"offered": offered}})
    codes = [code for _, code, _ in _breaches(judgement)]
    assert codes == (["WRONG_CARD_COUNT", "VOID_NOT_APPLIED"] if offered is False else [])
    if offered:
        assert judgement.coups[0].cards["seat_1"] == ("Tc", "Td", "8h", "5d", "Th")
    assert ("NP-DISC-01" in {question.rule for question in judgement.session}) is (offered is None)


def test_prog_01_a_bought_card_does_not_count_for_the_progressive() -> None:
    """Four of a kind only with the bought card wins no prize; one that was dealt does."""
    hands = {"seat_1": "Tc Td Ts 8h 3d", "banca": BANK}
    bought = {1: Bought([4], ["Th"], 10)}
    play = _play(hands, progressive={1: 5}, bought=bought)
    assert play.prizes == {1: 0}
    assert _judged(play).findings == ()

    def prize(play: Play) -> None:
        play.prizes[1] = 500

    paid = _judged(_play(hands, progressive={1: 5}, bought=bought), prize)
    assert _breaches(paid) == [("NP-PROG-02", "PROGRESSIVE_MISPAID", "seat 1 progressive")]
    dealt = _play({"seat_1": "Tc Td Ts Th 3d", "banca": BANK}, progressive={1: 5})
    assert dealt.prizes == {1: 500}
    assert _judged(dealt).findings == ()


def test_disc_01_the_price_is_as_much_as_the_ante() -> None:
    hands = {"seat_1": PAIR, "seat_2": LOW, "banca": BANK}
    for price, codes in ((10, []), (5, ["EXCHANGE_PRICE_WRONG"]), (20, ["EXCHANGE_PRICE_WRONG"])):
        play = _play(hands, bought={1: Bought([4], ["Th"], price)})
        assert [code for _, code, _ in _breaches(_judged(play))] == codes


def test_void_02_who_shows_a_card_loses_all_though_his_hand_is_higher() -> None:
    def take(play: Play) -> None:
        play.gains[1, "ante"], play.gains[1, "second"] = -10, -20

    hands = {"seat_1": PAIR, "seat_2": LOW, "banca": BANK}
    assert _breaches(_judged(_play(hands, turned=[(1, 0)]), take)) == [
        ("NP-INFO-01", "PLAYER_CARD_EXPOSED", "hand seat_1")
    ]
    assert _breaches(_judged(_play(hands, turned=[(1, 0)]))) == [
        ("NP-INFO-01", "PLAYER_CARD_EXPOSED", "hand seat_1"),
        ("NP-VOID-02", "PLAYER_CARD_EXPOSED", "seat 1 ante"),
    ]


def test_an_unread_card_leaves_open_only_what_it_decides() -> None:
    """Whatever the bank's deuce is, a pair of tens beats most hands, but not all."""

    def unread(name: str) -> Callable[[Event], Event]:
        def see(event: Event) -> Event:
            if isinstance(event, CardPlaced | CardTurned) and event.card == name:
                return replace(event, card=None)
            return event

        return see

    hands = {"seat_1": "7c 7d 7h 7s 3d", "banca": BANK}
    assert _judged(_play(hands), see=unread("2c")).findings == ()  # nothing that the bank may have is higher
    judgement = _judged(_play({"seat_1": PAIR, "banca": BANK}), see=unread("2c"))
    assert [(f.verdict, f.rule, str(f.spot)) for f in judgement.findings] == [
        (Verdict.UNDETERMINED, "NP-WIN-01", "seat 1 ante")
    ]


def test_a_gathering_that_was_not_seen_does_not_join_two_rounds() -> None:
    table = Table()
    hands = {"seat_1": PAIR, "seat_2": LOW, "banca": BANK}
    table.play(_play(hands))
    table.play(_play(hands, number=2))
    seen = [event for event in table.scribe.events if not isinstance(event, CardCleared)]
    judgement = judge(seen, no_discard_poker(dict(HOUSE)))
    assert [coup.cards["banca"] for coup in judgement.coups] == [tuple(BANK.split())] * 2
    assert _breaches(judgement) == []


def test_a_second_bet_that_may_have_been_laid_unseen_makes_nobody_pass() -> None:
    table = Table()
    table.play(_play({"seat_1": PAIR, "seat_2": LOW, "banca": BANK}))
    spot = "seat 1 second"
    seen = [
        event for event in table.scribe.events if not (isinstance(event, ChipState) and event.spot == spot)
    ]
    reveal = next(event.t for event in seen if isinstance(event, CardTurned))
    seen.append(ViewLost(seq=9999, t=reveal - 8.0, reason="covered", t_to=reveal + 60.0, spot=spot))
    judgement = judge(seen, no_discard_poker(dict(HOUSE)))
    assert _breaches(judgement) == []
    assert [(f.rule, str(f.spot)) for f in judgement.findings] == [("NP-WIN-01", "seat 1 ante")]


def test_where_nothing_is_set_the_session_says_what_is_open() -> None:
    table = Table()
    table.play(_play({"seat_1": PAIR, "seat_2": LOW, "banca": BANK}))
    judgement = judge(table.scribe.events, no_discard_poker())
    assert judgement.findings == ()
    assert [question.rule for question in judgement.session] == [
        "NP-TABLE-01",
        "NP-BOX-01",
        "NP-BOX-02",
        "NP-INFO-02",
        "NP-BOX-03",
        "NP-LIM-01",
        "NP-LIM-02",
        "NP-INS-01",
        "NP-PROG-02",
        "NP-DISC-01",
    ]


def test_chips_that_cannot_be_read_leave_amounts_open_but_not_who_won() -> None:
    def uncounted(event: Event) -> Event:
        if isinstance(event, ChipState) and event.spot == "seat 1 second":
            return replace(event, stacks=tuple(replace(s, denominations=None) for s in event.stacks))
        return event

    judgement = _judged(_play({"seat_1": PAIR, "seat_2": LOW, "banca": BANK}), see=uncounted)
    assert _breaches(judgement) == []
    assert [(f.rule, str(f.spot)) for f in judgement.findings] == [("NP-PAY-01", "seat 1 second")]


@pytest.mark.parametrize(
    ("house", "words"),
    [
        ({"boxes": 8}, "boxes is 8, but the regulation allows 7 at most"),
        ({"bets_per_box": 4}, "bets_per_box is 4, but the regulation allows 3 at most"),
        ({"spaces": ["ante", "anti"]}, "spaces is 'anti', but must be one of: ante, second"),
        ({"pays": {"flash": 5}}, "'pays.flash' is not a key of a profile: did you mean 'pays.flush'?"),
        ({"qualifies": []}, "must list the highest cards needed"),
        ({"insurance": {"times": "both"}}, "insurance.times is 'both', but must be one of: profit, total"),
        ({"limits": {"minimum": 50, "maximum": 20}}, "limits.minimum is 50, more than limits.maximum of 20"),
        ({"progressive": {"prizes": {"royal_flush": "all"}}}, "progressive.prizes.royal_flush: 'all'"),
    ],
)
def test_what_cannot_be_applied_is_refused_in_a_sentence(house: dict[str, Any], words: str) -> None:
    with pytest.raises(ProfileError) as refused:
        no_discard_poker(house)
    assert words in str(refused.value)


def test_random_hands_stand_as_the_simulator_reckons_them() -> None:
    rng = random.Random(3)
    pack = [str(card) for card in map(Card.parse, (r + s for s in "cdhs" for r in "A23456789TJQK"))]
    for _ in range(40):
        cards = rng.sample(pack, 15)
        play = _play(
            {f"seat_{n + 1}": " ".join(cards[5 * n : 5 * n + 5]) for n in range(2)}
            | {"banca": " ".join(cards[10:])}
        )
        (coup,) = _judged(play).coups
        assert coup.result["winner"] == {f"seat_{seat}": play.result(seat) for seat in (1, 2)}
