"""A large table where the players deal: PB-AND-HAND, PB-AND-DEAL-03 to 05, PB-AND-SHOE, PB-AND-DEALER,
PB-MED-HAND, PB-MED-SHOE."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from datasets.games.scribe import DEALER, Scribe, player, stack
from rules.cards import Face
from rules.events import CardMoved, ChipMove, Hand, MarkerSeen, Owner
from rules.findings import Judgement, Verdict
from rules.judge import judge
from rules.profiles import load_profile

BETS = {"seat 2 punto": 50, "seat 4 punto": 100, "seat 5 banca": 25}
PUNTO_WINS, BANCA_WINS, TIE = ("Ks 8d", "9h 7c"), ("Ks 6d", "9h 8c"), ("Ks 6d", "9h 7c")


@dataclass
class Large(Scribe):
    """A large table's journal in the making; the shoe stands at ``seat`` (None: at the dealer's)."""

    seat: int | None = None

    def shoe_to(self, seat: int, hand: Hand | None = DEALER) -> None:
        """The shoe is put down at a seat."""
        self.seat = seat
        self.marker(MarkerSeen(seq=0, t=0, marker="shoe", spot=f"seat {seat} shoe", hand=hand))

    def bet(self, bets: dict[str, int]) -> None:
        """One stack in each box."""
        for spot, value in bets.items():
            self.chips(spot, stack(spot, value), hand=player(int(spot.split()[1])))

    def coup(
        self,
        hands: tuple[str, str],
        *,
        shower: int | None = 4,
        turner: int | None = None,
        bets: dict[str, int] | None = None,
        banca_first: bool = False,
        rest: str = "shoe",
        settle: bool = False,
    ) -> list[str]:
        """Bets, the cards dealt by whoever holds the shoe, shown by ``shower`` (None: the dealer)."""
        self.bet(BETS if bets is None else bets)
        deals = DEALER if self.seat is None else player(self.seat)
        punto, banca = (hand.split() for hand in hands)
        names = [
            self.deal(spot, card, Face.DOWN, hand=deals)
            for spot, card in (
                ("hand punto", punto[0]),
                (rest, banca[0]),
                ("hand punto", punto[1]),
                (rest, banca[1]),
            )
        ]
        shows = [(names[0::2], punto, shower), (names[1::2], banca, turner or self.seat)]
        for mine, cards, seat in shows[::-1] if banca_first else shows:
            place = "hand punto" if cards is punto else "hand banca"
            for name, card in zip(mine, cards, strict=True):
                if cards is punto and seat is not None:
                    self.go(name, f"hand seat_{seat}")
                self.turn(name, card, DEALER if seat is None else player(seat))
                self.go(name, place)
        if settle:
            self.settle(hands)
        self.sweep()
        self.t += 10.0
        for spot in BETS if bets is None else bets:
            self.chips(spot, hand=player(int(spot.split()[1])))
        return names

    def go(self, name: str, to: str) -> None:
        """The dealer moves a card."""
        spot = dict(self.cards)[name]
        if spot != to:
            self.see(CardMoved(seq=0, t=0, card_id=name, from_spot=spot, to_spot=to, hand=DEALER))
            self.cards = [(known, to if known == name else at) for known, at in self.cards]

    def settle(self, hands: tuple[str, str]) -> None:
        """The two bets of PUNTO_WINS settled."""
        assert hands == PUNTO_WINS
        self.chips("seat 5 banca", hand=DEALER)
        for seat, value in ((2, 50), (4, 100)):
            spot = f"seat {seat} punto"
            self.chips(spot, stack(spot, value), stack(f"p{seat}", value, at=(60, 0)), hand=DEALER)

    def judged(self, house: dict[str, Any] | None = None, name: str = "andorra_2016") -> Judgement:
        """The journal judged at a large table."""
        return judge(self.events, load_profile(name, "full", house))

    def found(
        self, *prefixes: str, house: dict[str, Any] | None = None, name: str = "andorra_2016"
    ) -> list[str]:
        """Rules with a BREACH, those that begin like this."""
        return [
            f.rule
            for f in self.judged(house, name).findings
            if f.verdict is Verdict.BREACH and f.rule.startswith(prefixes)
        ]


SHOWING = ("PB-AND-HAND", "PB-AND-DEAL", "PB-MED-HAND", "PB-MED-DEAL", "PB-MED-ERR")


def _dealt(seat: int | None = 3, **how: Any) -> Large:
    table = Large()
    if seat is not None:
        table.shoe_to(seat)
    table.coup(PUNTO_WINS, **how)
    return table


@pytest.mark.parametrize(
    ("how", "andorra", "mediterraneo"),
    [
        ({}, [], []),
        ({"shower": 2}, ["PB-AND-HAND-01"], ["PB-MED-HAND-01"]),
        ({"shower": 5}, ["PB-AND-HAND-01"], ["PB-MED-HAND-01"]),
        ({"shower": None}, ["PB-AND-HAND-01"], ["PB-MED-HAND-01"]),
        ({"bets": {"seat 5 banca": 25}, "shower": None}, [], []),
        ({"bets": {"seat 5 banca": 25}, "shower": 5}, ["PB-AND-HAND-02"], []),
        ({"bets": {"seat 2 punto": 50, "seat 4 punto": 50}, "shower": 2}, [], []),
        ({"bets": {"seat 3 punto": 50}, "shower": 3}, [], []),
        ({"banca_first": True}, ["PB-AND-DEAL-03"], []),
        ({"rest": "hand banca"}, ["PB-AND-DEAL-03"], []),
        ({"turner": 5}, ["PB-AND-DEAL-05"], ["PB-MED-HAND-03"]),
        ({"seat": None, "shower": None, "rest": "hand banca"}, [], []),
    ],
    ids=[
        "by-the-book",
        "a-lower-punto-bet",
        "no-punto-bet",
        "the-dealer",
        "nobody-on-punto",
        "nobody-on-punto-but-a-player-shows",
        "two-highest",
        "PB-AND-SHOE-03-the-dealing-player-bets-on-punto",
        "banca-before-punto",
        "banca-does-not-wait",
        "somebody-else-turns-banca",
        "the-dealer-deals",
    ],
)
def test_who_shows_and_where_cards_wait(
    how: dict[str, Any], andorra: list[str], mediterraneo: list[str]
) -> None:
    table = _dealt(**how)
    assert table.found(*SHOWING) == andorra
    assert table.found(*SHOWING, name="mediterraneo") == mediterraneo


def test_hand_01_tr_and_6_only_seated_players_count() -> None:
    """The highest punto bet is a standing player's: the highest seated one shows."""
    table = Large()
    table.shoe_to(3)
    table.cue("standing_bet", spot="seat 4 punto")
    table.coup(PUNTO_WINS, shower=2)
    assert table.found("PB-AND-HAND") == []
    assert table.found("PB-AND-PLAYER", house={"standing_players": False}) == ["PB-AND-PLAYER-01"]
    assert table.found("PB-AND-PLAYER", house={"standing_players": True}) == []


def test_hand_01_is_open_where_the_highest_bet_was_not_read() -> None:
    table = Large()
    table.shoe_to(3)
    table.chips("seat 6 punto", stack("unread", None), hand=player(6))
    table.coup(PUNTO_WINS, shower=6)
    (finding,) = (f for f in table.judged().findings if f.rule == "PB-AND-HAND-01")
    assert finding.verdict is Verdict.UNDETERMINED
    assert finding.reason == "the punto bet at seat 6 was not read"


def test_deal_05_touching_with_no_business_there() -> None:
    table = Large()
    table.shoe_to(3)
    names = table.coup(PUNTO_WINS)
    t = next(e.t for e in table.events if e.kind == "card_turned")
    table.touch("hand punto", player(7), target=names[0])
    table.events[-1] = replace(table.events[-1], t=t)
    assert table.found("PB-AND-DEAL") == ["PB-AND-DEAL-05"]


@pytest.mark.parametrize("place", ["table", "hand banca"])
def test_deal_04_tr_cv_10_punto_lies_at_the_dealers_right(place: str) -> None:
    table = Large()
    table.shoe_to(3)
    table.bet(BETS)
    names = [
        table.deal(spot, card, Face.DOWN, hand=player(3))
        for spot, card in (("hand punto", "Ks"), ("shoe", "9h"), ("hand punto", "8d"), ("shoe", "7c"))
    ]
    for name in names[::2]:
        table.go(name, "hand seat_4")
    for name, card, at in (
        (names[0], "Ks", 4),
        (names[2], "8d", 4),
        (names[1], "9h", 3),
        (names[3], "7c", 3),
    ):
        table.turn(name, card, player(at))
        table.go(name, place if at == 4 else "hand banca")
    table.sweep()
    assert table.found("PB-AND-DEAL") == ["PB-AND-DEAL-04"]
    assert table.found("PB-MED-HAND", name="mediterraneo") == ["PB-MED-HAND-02"]
    (summary,) = table.judged().coups
    assert summary.cards == {"punto": ("Ks", "8d"), "banca": ("9h", "7c")}


TOLD = {"cues": ["shoe_declined"]}


@pytest.mark.parametrize(
    ("first", "to", "declined", "breaches"),
    [
        (PUNTO_WINS, 4, (), []),
        (PUNTO_WINS, 3, (), ["PB-AND-SHOE-02"]),
        (BANCA_WINS, 3, (), []),
        (TIE, 3, (), []),
        (BANCA_WINS, 4, (), ["PB-AND-SHOE-02"]),
        (TIE, 4, (), ["PB-AND-SHOE-02"]),
        (BANCA_WINS, 4, (3,), []),
        (PUNTO_WINS, 5, (), ["PB-AND-SHOE-01"]),
        (PUNTO_WINS, 5, (4,), []),
        (PUNTO_WINS, 2, (), ["PB-AND-SHOE-01"]),
        (PUNTO_WINS, 2, (4, 5), []),
        (PUNTO_WINS, 1, (4, 5), []),
    ],
    ids=[
        "banca-lost-it-goes-on",
        "banca-lost-it-stays",
        "banca-won-it-stays",
        "tie-it-stays",
        "banca-won-it-goes-on",
        "tie-it-goes-on",
        "banca-won-the-holder-declines",
        "a-player-passed-over",
        "a-player-declines",
        "the-wrong-way-round",
        "round-the-table",
        "an-empty-seat-is-none",
    ],
)
def test_shoe_01_and_02(
    first: tuple[str, str], to: int, declined: tuple[int, ...], breaches: list[str]
) -> None:
    table = Large()
    table.shoe_to(3)
    table.coup(first)
    for seat in declined:
        table.cue("shoe_declined", spot=f"seat {seat} shoe")
    if to != 3:
        table.shoe_to(to)
    table.coup(BANCA_WINS)
    assert table.found("PB-AND-SHOE", house=TOLD) == breaches
    way = [rule.replace("AND", "MED") for rule in breaches if rule == "PB-AND-SHOE-01"]
    assert table.found("PB-MED-SHOE", house=TOLD, name="mediterraneo") == way


def test_shoe_02_without_the_cue_a_holder_may_have_declined() -> None:
    table = Large()
    table.shoe_to(3)
    table.coup(BANCA_WINS)
    table.shoe_to(4)
    table.coup(BANCA_WINS)
    (finding,) = (f for f in table.judged().findings if f.rule == "PB-AND-SHOE-02")
    assert finding.verdict is Verdict.UNDETERMINED
    assert "cue shoe_declined" in (finding.reason or "")
    open_rules = {question.rule for question in table.judged().session}
    assert "PB-AND-SHOE-01" in open_rules
    assert "PB-AND-SHOE-02" not in open_rules


@pytest.mark.parametrize(("first", "breaches"), [(1, []), (4, ["PB-AND-SHOE-01"])])
def test_shoe_01_the_players_begin_at_seat_1(first: int, breaches: list[str]) -> None:
    table = Large()
    table.cue("new_shoe")
    table.shoe_to(first)
    table.coup(PUNTO_WINS, bets={"seat 1 punto": 100, "seat 4 banca": 50}, shower=1)
    assert table.found("PB-AND-SHOE", house=TOLD) == breaches


@pytest.mark.parametrize(("hand", "breaches"), [(DEALER, []), (player(3), ["PB-AND-DEALER-06"]), (None, [])])
def test_dealer_06_the_dealer_hands_the_shoe_on(hand: Hand | None, breaches: list[str]) -> None:
    table = Large()
    table.shoe_to(3)
    table.coup(PUNTO_WINS)
    table.shoe_to(4, hand)
    table.coup(PUNTO_WINS)
    assert table.found("PB-AND-DEALER-06") == breaches


@pytest.mark.parametrize(("side", "breaches"), [("left", []), ("right", ["PB-AND-DEALER-01"])])
def test_dealer_01_each_dealer_keeps_to_his_side(side: Any, breaches: list[str]) -> None:
    table = Large()
    table.bet({"seat 5 banca": 25})
    for spot, card in (
        ("hand punto", "Ks"),
        ("hand banca", "9h"),
        ("hand punto", "8d"),
        ("hand banca", "7c"),
    ):
        table.deal(spot, card)
    table.chips("seat 5 banca", hand=Hand(Owner.DEALER, side=side))
    table.sweep()
    house = {"dealer_sides": {"left": [4, 5, 6], "right": [1, 2, 3]}}
    assert table.found("PB-AND-DEALER", house=house) == breaches
    assert table.found("PB-AND-DEALER") == []


@pytest.mark.parametrize(
    ("to", "breaches"), [("tips", []), ("float", ["PB-AND-DEALER-02"]), (None, ["PB-AND-DEALER-02"])]
)
def test_dealer_02_tips_go_into_the_slot(to: str | None, breaches: list[str]) -> None:
    table = Large()
    table.shoe_to(3)
    table.coup(PUNTO_WINS)
    table.cue("tip")
    if to is not None:
        table.see(ChipMove(seq=0, t=0, from_spot="table", to_spot=to, hand=DEALER))
    table.shoe_to(4)
    table.coup(PUNTO_WINS)
    assert table.found("PB-AND-DEALER-02") == breaches


def test_what_a_blind_large_table_leaves_open() -> None:
    """Hands and shoe never seen: said once, and nobody is accused."""
    table = Large()
    table.bet(BETS)
    for spot, card in (
        ("hand punto", "Ks"),
        ("hand banca", "9h"),
        ("hand punto", "8d"),
        ("hand banca", "7c"),
    ):
        table.deal(spot, card, Face.DOWN)
    for index, card in ((0, "Ks"), (2, "8d"), (1, "9h"), (3, "7c")):
        table.turn(table.cards[index][0], card)
    table.sweep()
    assert table.found(*SHOWING, "PB-AND-SHOE") == []
    open_rules = {question.rule for question in table.judged().session}
    assert {
        "PB-AND-HAND-01",
        "PB-AND-HAND-02",
        "PB-AND-DEAL-05",
        "PB-AND-SHOE-02",
        "PB-AND-DEALER-06",
    } <= open_rules
