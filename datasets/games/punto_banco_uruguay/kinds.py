"""The faults themselves, in the order of the articles."""

from __future__ import annotations

from typing import Any

from datasets.games.punto_banco_uruguay.faults import (
    BANCA,
    BETS,
    FIVE,
    HOUSE,
    PUNTO,
    TIE,
    Book,
    Lead,
    bets,
    bids,
    both,
    led,
    plan,
    say,
    suite_given,
    taken_by,
)
from datasets.games.punto_banco_uruguay.plan import Act, Bet, Plan
from datasets.games.punto_banco_uruguay.table import Table
from datasets.games.scribe import DEALER, player
from rules.cards import Face

_book = Book()
_add = _book.add
_HAND = "hand punto"


def _with(*more: Bet, instead: tuple[str, ...] = ()) -> list[Bet]:
    return [bet for bet in BETS if bet.spot not in instead] + list(more)


# limits ---------------------------------------------------------------------------------------------------

_two = _with(Bet("seat 2 punto", 2), instead=("seat 2 punto",))
_add("LIM-01", "BET_BELOW_MIN", plan(bets=_two), "seat 2 punto")
_high = _with(Bet("seat 3 banca", 1100), instead=("seat 3 banca",))
_add("LIM-01", "BET_ABOVE_MAX", plan(bets=_high), "seat 3 banca", name="above_the_maximum")
_two_boxes = _with(Bet("seat 2 punto", 600), Bet("seat 2 banca", 600), instead=("seat 2 punto",))
_add("LIM-02", "BET_ABOVE_MAX", plan(bets=_two_boxes), "seat 2 banca")
_add("LIM-03", "BET_ABOVE_MAX", plan(bets=_with(Bet("seat 9 banca", 1100))), "seat 9 banca")
_annulled = plan(acts={"closed": say("bet_annulled", "late", "seat 2 punto")})
_add("LIM-04", "LATE_BET", _annulled, "seat 2 punto")


# the bank -------------------------------------------------------------------------------------------------


def _unequal(table: Table) -> None:
    table.scribe.cue("partner", None, "seat 5 shoe")
    table.felt.put("seat 9 sabot", 300, player(9))
    table.felt.put("seat 9 sabot", 200, player(5))


_add("BANK-01", "PARTNER_SHARE_UNEQUAL", plan(PUNTO, acts={"before": _unequal}), "seat 9 sabot")
_excess = say("excess_played", None, "seat 2 punto")
_add("BANK-02", "BET_ABOVE_MAX", plan(acts={"before": _excess}), "seat 2 punto")


def _in_turn(stake: int, **how: Any) -> Plan:
    return Plan(cards=BANCA, bets=[], stake=stake, **how)


def _lead_in_turn(stake: int) -> Lead:
    """The first bank, which was auctioned, is lost; the next one comes in turn."""
    return lambda _table, number: Plan(cards=PUNTO if number == 1 else BANCA, bets=[], stake=stake)


_add("COM-01", "UNDERPAID", plan(PUNTO, pays={"seat 1 punto": 90}), "seat 1 punto")
_add("COM-02", "COMMISSION_WRONG", plan(pays={"seat 3 banca": 100}), "seat 3 banca")
_add("COM-02", "UNDERPAID", plan(pays={"seat 3 banca": 80}), "seat 3 banca", name="banca_underpaid")
_free = (0, 1)
_SABOT = "sabot"
_add("COM-03", "COMMISSION_WRONG", _in_turn(600, sabot_part=_free), _SABOT, rounds=2, lead=_lead_in_turn(600))
_add(
    "COM-04",
    "COMMISSION_WRONG",
    _in_turn(400, sabot_part=_free),
    _SABOT,
    rounds=3,
    lead=_lead_in_turn(400),
)
_add(
    "COM-05",
    "COMMISSION_WRONG",
    _in_turn(600, acts={"paid": say("suite")}),
    _SABOT,
    rounds=3,
    lead=_lead_in_turn(600),
)
_add("COM-06", "COMMISSION_WRONG", _in_turn(400, withdraw=400), _SABOT, rounds=2, lead=_lead_in_turn(400))
_add("COM-07", "COMMISSION_WRONG", plan(stake=400, sabot_part=_free), "seat 9 sabot")
_add("BANK-03", "BANK_OVERWITHDRAWN", plan(stake=400, withdraw=200), "seat 9 sabot")


# suite and auction ----------------------------------------------------------------------------------------


def _first_stake(_table: Table, _number: int) -> Plan:
    return Plan(cards=BANCA, bets=list(BETS), stake=400, acts={"paid": say("suite")})


_add("SUITE-01", "SUITE_AMOUNT_WRONG", taken_by(10, 600), "seat 10 sabot", rounds=2, lead=_first_stake)
_offers = both(say("suite_offered", None, "seat 12 shoe"), say("suite_offered", None, "seat 10 shoe"))
_add("SUITE-02", "SUITE_ORDER", taken_by(10, 760, {"before": _offers}), rounds=2, lead=_first_stake)
_add("SUITE-04", "BET_ABOVE_MAX", taken_by(10, 1100), "seat 10 sabot", rounds=2, lead=_first_stake)
for _rule, _seat, _told in (
    ("REM-01", 10, bids((12, 100), (10, 200))),
    ("REM-02", 12, bids((10, 200), (12, 250))),
    ("REM-05", 10, bids((9, 100), (10, 200))),
    ("REM-06", 12, bids((10, 100), (None, 200), (12, 300))),
):
    _add(
        _rule,
        "AUCTION_IRREGULAR",
        taken_by(_seat, 300, {"before": _told}),
        rounds=2,
        lead=suite_given(),
    )
_nobody = taken_by(12, 300, {"before": say("remate", "nobody")})
_add("REM-03", "SHOE_WRONG_SEAT", _nobody, "seat 12 shoe", rounds=2, lead=suite_given())
_add("REM-04", "AUCTION_IRREGULAR", Plan(remate=False))


# the draws ------------------------------------------------------------------------------------------------

_add("DRAW-01", "WRONG_DRAW", plan((*PUNTO, "5h"), third=True), _HAND)
for _number, _total, _third in (
    (2, "2s", "5c"),
    (3, "3s", "5c"),
    (4, "4s", "5c"),
    (5, "5s", "5c"),
    (6, "6s", "6c"),
):
    _cards = ("2c", "Kh", "Kd", _total, _third)
    _add(f"DRAW-0{_number}", "WRONG_DRAW", plan(_cards, banca_third=False), "hand banca")
_add("DRAW-07", "WRONG_DRAW", plan(("2c", "Kh", "Kd", "7s", "5c", "2d"), banca_third=True), "hand banca")
_add("DRAW-08", "WRONG_DRAW", plan(("2c", "Kh", "Kd", "7s"), third=False), _HAND)
_other = say("option_on_five", None, "seat 2 punto")
_add("DRAW-09", "PUNTO_HAND_WRONG_PLAYER", plan(FIVE, third=False, acts={"shown": _other}), _HAND)
_no_punto = [bet for bet in BETS if bet.side == "banca"]
_add("DRAW-10", "WRONG_DRAW", plan((*FIVE, "2d"), bets=_no_punto, third=True), _HAND)
_add("DRAW-11", "WRONG_DRAW", plan(("2c", "Kh", "4d", "5s"), banca_third=False), "hand banca")


# punto's player -------------------------------------------------------------------------------------------

_WRONG = "PUNTO_HAND_WRONG_PLAYER"
_add("HAND-01", _WRONG, plan(viewer=2), _HAND)
_late_claim = say("hand_claimed", None, "seat 2 punto")
_add("HAND-02", _WRONG, plan(acts={"result": _late_claim}, void=True), _HAND)
_planto = say("punto_wish", "planto", "seat 1 punto")
_add(
    "HAND-03",
    "DRAW_AGAINST_DECLARATION",
    plan((*FIVE, "2d"), third=True, drop=frozenset({"punto_wish"}), acts={"asked": _planto}),
    _HAND,
)
_add("HAND-04", "BET_POOLED", plan(acts={"before": say("pooled_bet", None, "seat 2 punto")}))
_add("HAND-05", _WRONG, plan(bets=_with(Bet("seat 1 banca", 20)), viewer=1), _HAND)
_add("HAND-06", "SLOW_ROLL", plan(turn_apart_s=4.0), _HAND)


def _second_hand(table: Table) -> None:
    table.scribe.touch(_HAND, player(2), target=table.hands["punto"][0])


_add("HAND-07", "UNAUTHORISED_CARD_CONTACT", plan(acts={"shown": _second_hand}), _HAND)
_add("HAND-08", "ADVICE_GIVEN", plan(acts={"shown": say("advice")}))


# players, bets and chips ----------------------------------------------------------------------------------

_add("MIN-01", "TOO_FEW_PLAYERS", plan(acts={"before": say("seated", "4")}))
_twelve = {**HOUSE, "uruguay": {"seats": 12, "shoe_minimum": 100}}
_add("MIN-02", "TOO_FEW_PLAYERS", plan(acts={"before": say("seated", "2")}), house=_twelve)


def _late(table: Table) -> None:
    table.felt.put("seat 2 punto", 20, player(2))


def _taken_back(table: Table) -> None:
    table.felt.clear("seat 2 punto", player(2))


_add("BET-01", "LATE_BET", plan(PUNTO, acts={"dealt": _late}), "seat 2 punto")
_removed = plan(PUNTO, acts={"dealt": _taken_back}, pays={"seat 2 punto": 0})
_add("BET-01", "BET_REMOVED_LATE", _removed, "seat 2 punto", name="taken_back")
_sale = _with(Bet("seat 3 banca", 100, sale=True), instead=("seat 3 banca",))
_add("BET-02", "WRONG_CHIP_TYPE", plan(bets=_sale), "seat 3 banca")
_new_bet = {"paid seat 1 punto": lambda table: table.felt.put("seat 1 punto", 20, player(1))}
_add("BET-04", "BET_DURING_PAYMENT", plan(PUNTO, acts=_new_bet), "seat 1 punto")
_spoken = {"paid": lambda table: table.felt.put("seat 8 punto", 50, DEALER)}
_add("BET-05", "PAID_WITHOUT_BET", plan(PUNTO, acts=_spoken), "seat 8 punto")
_six = _with(*(Bet(f"box {letter} banca", 20) for letter in "abcdef"))
_add("BET-06", "TOO_MANY_STANDING_BETS", plan(bets=_six))
_outside = {"before": lambda table: table.felt.put("table", 50, None)}
_add("BET-07", "BET_MISPLACED", plan(acts=_outside), "table")
_full = _with(Bet("box a banca", 20), Bet("box a banca", 30))
_switched = {"before": say("side_switched", None, "box a banca")}
_add("BET-08", "TOO_MANY_STANDING_BETS", plan(bets=_full, acts=_switched), "box a banca")
_standing = _with(Bet("box a punto", 20, line=True))
_add("BET-09", "LINE_BET_MISPAID", plan(bets=_standing, takes={"box a punto": 10}), "box a punto")
_line = _with(Bet("seat 2 punto", 20, line=True), instead=("seat 2 punto",))
_add("LINE-01", "LINE_BET_MISPAID", plan(PUNTO, bets=_line, pays={"seat 2 punto": 20}), "seat 2 punto")


def _without_five(_table: Table, number: int) -> Plan:
    return Plan(cards=BANCA, bets=list(BETS) if number == 1 else bets(5, 9))


_sits = {"dealt": lambda table: table.scribe.touch("seat 5 punto", player(5))}
_add("SEAT-01", "SEAT_IDLE_LIMIT", plan(bets=bets(5, 9), acts=_sits), rounds=4, lead=_without_five)
_claim = led(BANCA, paid=say("claim", None, "seat 2 punto"))
_add("CLAIM-01", "DISPUTED_BET_PLAYED", plan(), "seat 2 punto", rounds=2, lead=_claim)


# the shoe -------------------------------------------------------------------------------------------------

_lost = led(PUNTO)
_add("SHOE-01", "SHOE_WRONG_SEAT", plan(holder=9), "seat 9 shoe", rounds=2, lead=_lost)


def _lost_third(_table: Table, number: int) -> Plan:
    return Plan(cards=PUNTO if number == 3 else BANCA, bets=list(BETS))


_silent = plan(bets=bets(12), holder=12, drop=frozenset({"free_seat"}))
_add("SHOE-02", "ANNOUNCEMENT_MISSING", _silent, rounds=4, lead=_lost_third)
_add("SHOE-03", "SHOE_WRONG_SEAT", plan(bets=bets(6), holder=6), "seat 6 shoe", rounds=2, lead=_lost)
_add("SHOE-04", "SHOE_ORIENTATION", plan(angle_deg=170.0), "shoe")


# cards astray ---------------------------------------------------------------------------------------------


def _came_up(table: Table) -> None:
    table.felt.away(table.felt.draw(_HAND, player(9), came_up=True))


_add("ERR-01", "EXPOSED_CARD", plan(("5s", *BANCA), acts={"card-1": _came_up}), "shoe")
_add("ERR-02", "REVEAL_ORDER", plan(banca_first=True), "hand banca")


def _undue_away(table: Table) -> None:
    table.felt.away(table.hands["punto"].pop())


_undue = plan(("2c", "Kh", "4d", "7s", "3d"), third=True, acts={"punto-third": _undue_away})
_add("ERR-03", "WRONG_DRAW", _undue, _HAND)


def _turned_before(table: Table) -> None:
    name = table.felt.draw(_HAND, player(9))
    table.felt.turn(name, player(9))
    table.felt.away(name)


def _turned_after(table: Table) -> None:
    table.felt.turn(table.hands["punto"][0], player(9))


_add("ERR-04", "EXPOSED_CARD", plan(acts={"staked": _turned_before}), "shoe")
_add("ERR-05", "EXPOSED_CARD", plan(acts={"card-2": _turned_after}), "shoe")
_extra = {"drawn": lambda table: table.felt.draw("table", player(9), Face.DOWN)}
_add("ERR-06", "WRONG_CARD_COUNT", plan(acts=_extra))


def _fallen(table: Table) -> None:
    name = table.felt.draw("off table", player(9))
    table.scribe.cue("picked_up", "staff")
    table.scribe.move(name, _HAND, DEALER)
    table.hands["punto"].append(name)


_fell = plan(("2c", *BANCA[1:]), order=("banca", "punto", "banca"), acts={"card-1": _fallen})
_add("FLOOR-01", "CARD_OFF_TABLE", _fell)
_void = plan(acts={"result": say("coup_void")})
_add("VOID-01", "VOID_NOT_APPLIED", _void, "seat 3 banca", lawful=("VOID_NOT_APPLIED",))
_add("VOID-02", "VOID_NOT_APPLIED", plan(acts={"result": say("ruling", "unclear")}))


# the settlement -------------------------------------------------------------------------------------------

_few = _with(Bet("seat 5 banca", 40), Bet("seat 10 banca", 40), instead=("seat 5 banca", "seat 10 banca"))
_add("COM-08", "PICO_LEFT_ON_LAYOUT", plan(bets=_few, picos=True, pico_stays_s=None), "seat 3 banca")
_late_pico = plan(bets=_few, picos=True, pico_stays_s=9.0)
_add("COM-08", "PICO_LEFT_ON_LAYOUT", _late_pico, "seat 3 banca", name="pico_taken_late")
_by_hand = plan(PUNTO, bets=bets(10), paddle=False)
_add("COL-01", "COLLECT_ORDER_WRONG", _by_hand, "seat 3 banca", rounds=2, lead=_lost)
_add("COL-02", "COLLECT_ORDER_WRONG", plan(front_first=True))
_one_side = [bet for bet in BETS if bet.spot not in ("seat 10 banca", "seat 12 banca")]
_add("PAY-01", "PAY_ORDER_WRONG", plan(bets=_one_side, pay_backwards=True))
_add("PAY-02", "PAY_ORDER_WRONG", plan(PUNTO, pay_backwards=True))
_one = [bet for bet in BETS if bet.spot not in ("seat 2 punto", "seat 6 punto")]
_add("PAY-02", "PAYMENT_MISPLACED", plan(PUNTO, bets=_one, landing=False), "seat 1 punto", name="misplaced")
_partner = {"before": say("partner", None, "seat 5 shoe")}
_add("PAY-03", "ANNOUNCEMENT_MISSING", plan(acts=_partner))
_add("CHIP-01", "COLLECT_ORDER_WRONG", plan(float_first=True))
_add("CHIP-02", "PAID_FROM_WRONG_SOURCE", plan(pay_from="table"), "seat 3 banca")


def _changed(table: Table) -> None:
    table.felt.carry("seat 2 punto", "float", 50)
    table.felt.carry("float", "seat 2 punto", 50)


_add("CHANGE-01", "ANNOUNCEMENT_MISSING", plan(acts={"dealt": _changed}))
_piled = plan(("2c", "Kh", "Kd", "7s", "4c"), overlap=True)
_add("STAY-01", "CARDS_NOT_SPREAD", _piled, _HAND)
_add("STAY-01", "CARDS_CLEARED_EARLY", plan(sweep_first=True), name="cleared_early")
_add("DEALER-02", "DEALER_LEFT_BEFORE_PAYMENT", plan(acts={"paid seat 3 banca": say("dealer", "17")}))
_add("SETTLE-01", "PAID_BEFORE_COLLECT", plan(winners_first=True), "seat 3 banca")
_add("TIE-01", "PUSH_TAKEN", plan(TIE, push="taken"), "seat 1 punto")
_add("TIE-01", "PUSH_PAID", plan(TIE, push="paid"), "seat 1 punto", name="push_paid")
_add("VAL-01", "WRONG_WINNER", plan(PUNTO, winner="banca"))
_turned_order = ("banca", "punto", "punto", "banca")
_add("VAL-01", "WRONG_DEAL_ORDER", plan(order=_turned_order), "hand banca", name="wrong_deal_order")


# shoes and sessions ---------------------------------------------------------------------------------------

_fives = ("5s", "5s", "5s", "5s", "Kh", "Kd")


def _four_fives(_table: Table, _number: int) -> Plan:
    return Plan(cards=_fives, bets=list(BETS))


_again = ("CARD_COMPOSITION",)
_add("DECK-01", "CARD_COMPOSITION", plan(_fives), "hand banca", rounds=2, lead=_four_fives, lawful=_again)
_add("DECK-04", "CARD_COMPOSITION", plan(acts={"packs": lambda table: table.felt.show_pack("5c")}))
_add("PREP-02", "SHUFFLE_INCOMPLETE", plan(drop=frozenset({"ensalada"})))
_shown = {"shuffled": lambda table: table.felt.show_pack("5c")}
_add("PREP-02", "EXPOSED_CARD", plan(acts=_shown), name="card_shown_in_the_pack")
_add("PREP-03", "SHUFFLE_INCOMPLETE", plan(drop=frozenset({"calado"})))
_cut = frozenset({"cards_cut"})
_shallow = {"before": say("cards_cut", "40", "seat 6 shoe")}
_add("PREP-04", "CUT_TOO_SHALLOW", plan(drop=_cut, acts=_shallow))
_other_cut = {"before": say("cards_cut", "100", "seat 1 shoe")}
_add("CUT-04", "CUT_WRONG_PLAYER", plan(drop=_cut, acts=_other_cut))


def _cut_in_first(_table: Table, number: int) -> Plan:
    acts = {"dealt": lambda table: table.scribe.cut_card()} if number == 1 else {}
    return Plan(cards=BANCA, bets=list(BETS), acts=acts)


_still = ("DEAL_AFTER_CUT_CARD",)
_add("CUT-02", "DEAL_AFTER_CUT_CARD", plan(), "shoe", rounds=3, lead=_cut_in_first, lawful=_still)
_empty = plan(
    ("2c", "Kh", "Kd", "7s"), third=False, banca_third=False, void=True, acts={"asked": say("shoe_empty")}
)
_add("CUT-03", "SHOE_RUNOUT", _empty, "shoe")

_SUITS = "cdhs"
_naturals = [f"9{suit} K{suit}" for suit in _SUITS] + [f"8{suit} Q{suit}" for suit in _SUITS]
_naturals += [f"4{suit} 5{suit}" for suit in _SUITS[:3]]
_others = [f"{one}{suit} {other}{suit}" for one, other in ("23", "AJ", "67") for suit in _SUITS]
_ONE_PACK = {**HOUSE, "packs": 1, "uruguay": {"shoe_minimum": 100}}
"""A shoe that is soon dealt: eleven naturals leave eight cards."""


def _natural(number: int, **acts: Act) -> Plan:
    (one, two), (three, four) = _naturals[number - 1].split(), _others[number - 1].split()
    return Plan(cards=(one, three, two, four), bets=[], acts=dict(acts))


_late_cut = _natural(11, dealt=lambda table: table.scribe.cut_card())
_add(
    "CUT-01",
    "CUT_CARD_MISPLACED",
    _late_cut,
    "shoe",
    rounds=11,
    lead=lambda _table, number: _natural(number),
    house=_ONE_PACK,
)
_last = {"before": say("last_pass"), "swept": both(say("session_end"), say("cards_mixed"))}
_add("END-01", "SESSION_END_WRONG", plan(TIE, acts=_last))
_add("STAT-01", "TALLY_MISMATCH", plan(acts={"swept": say("tally", "9/9/9")}))


def _not_mixed(table: Table) -> None:
    table.scribe.cue("session_end")
    table.felt.wait(40.0)
    table.felt.paddle()


_add("DEALER-01", "SESSION_END_WRONG", plan(acts={"swept": _not_mixed}))
_add("VOICE-01", "ANNOUNCEMENT_MISSING", plan(drop=frozenset({"winner_announced"})))

FAULTS = tuple(_book.faults)
