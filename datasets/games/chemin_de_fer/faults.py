"""The faults: for each, the row that it breaks and what its coup's script (and the one before) says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.chemin_de_fer.script import Hands, Script, Want, value
from datasets.games.chemin_de_fer.table import Table, box

PROFILE = "andorra_2016"
Change = Callable[[Script, Table], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a fault is made: what the coup before needs (``prepare``), and the coup itself (``make``)."""

    kind: FaultKind
    make: Change
    prepare: Change | None = None


PLANS: dict[str, Plan] = {}


def _fault(
    name: str,
    rule: str,
    code: str,
    *,
    cues: tuple[str, ...] = (),
    house: Mapping[str, Any] | None = None,
    lawful: tuple[str, ...] = (),
    before: Change | None = None,
    rounds: int | None = None,
) -> Callable[[Change], Change]:
    entries = dict(house or {}) | ({"cues": list(cues)} if cues else {})

    def enter(make: Change) -> Change:
        kind = FaultKind(
            name=name,
            rule=f"CF-{rule}",
            code=code,
            profile=PROFILE,
            lawful=frozenset(lawful),
            house=entries,
            rounds=rounds or (1 if before is None else 2),
        )
        PLANS[name] = Plan(kind, make, before)
        return make

    return enter


# what scripts need ----------------------------------------------------------------------------------------


def _twos(punto: int, banca: int, more: int | None = None) -> Want:
    """Two-card totals, and the value of the next card."""
    return lambda h: h.twos == (punto, banca) and (more is None or value(h.more[0]) == more)


def _seat(table: Table, place: int = 0) -> int:
    """A seat on the banker's right: the first, the second ..."""
    return table.others()[place]


def _at(seat: int) -> str:
    return f"seat {seat} shoe"


def _wins(side: str) -> Want:
    """Cards by which a side wins without a third card."""
    return _twos(7, 6) if side == "punto" else _twos(6, 7)


def _lost(script: Script, table: Table) -> None:
    """The bank lost the coup before."""
    del table
    script.want = _wins("punto")


def _won(script: Script, table: Table) -> None:
    """The bank won it, and all of it stayed in play."""
    del table
    script.want, script.aside = _wins("banca"), False


def _won_covered(script: Script, table: Table) -> None:
    _won(script, table)
    script.bank = 400
    script.stakes = dict.fromkeys(table.others(), 100)
    script.short = 20


def _won_uncovered(script: Script, table: Table) -> None:
    _won(script, table)
    script.short = 20


@dataclass
class _Steady:
    """A change that only sets entries of the script."""

    entries: dict[str, Any] = field(default_factory=dict)

    def __call__(self, script: Script, table: Table) -> None:
        del table
        for name, entry in self.entries.items():
            setattr(script, name, entry)


def _set(**entries: Any) -> Change:
    return _Steady(entries)


def _stakes(table: Table, *amounts: int) -> dict[int, int]:
    """Stakes from the banker's right on; the rest stake 20."""
    seats = table.others()
    return dict(zip(seats, [*amounts, *[20] * (len(seats) - len(amounts))], strict=True))


# cards and hands ------------------------------------------------------------------------------------------

_no_third = _twos(6, 7)

_fault(
    "card_seven_times",
    "DECK-01",
    "CARD_COMPOSITION",
    before=_set(same_card=True, new_shoe=True),
)(_set(same_card=True))
_fault("order_wrong", "DEAL-01", "WRONG_DEAL_ORDER")(
    _set(order=("banca", "punto", "punto", "banca"), want=_no_third)
)
_fault("natural_drawn", "NAT-01", "WRONG_DRAW")(_set(want=_twos(9, 5), draws={"punto": False, "banca": True}))
_fault("third_down", "DRAW-04", "CARD_FACE_WRONG")(_set(want=_twos(2, 7), face_down_third="punto"))
_fault("exposed_out", "ERR-01", "EXPOSED_CARD")(_set(exposed={2: "shoe"}))
_fault("exposed_first", "ERR-01", "EXPOSED_CARD")(_set(exposed={0: "shoe"}))
_fault("exposed_played", "ERR-01", "EXPOSED_CARD")(_set(exposed={1: "shoe"}, exposed_played=True))
_fault("stuck", "ERR-02", "STUCK_CARDS")(_set(stuck=True, settles=False))
_fault("stuck_settled", "ERR-02", "VOID_NOT_APPLIED", lawful=("STUCK_CARDS",))(
    _set(stuck=True, want=_no_third)
)
_fault("dealer_exposes", "ERR-04", "EXPOSED_CARD")(_set(exposed={0: "dealer"}))
_fault("option_refused", "ERR-04", "WRONG_DRAW", lawful=("EXPOSED_CARD",))(
    _set(exposed={0: "dealer", 2: "dealer"}, want=_twos(2, 3, 9), draws={"punto": True, "banca": False})
)
_fault("three_for_banker", "ERR-08", "WRONG_CARD_COUNT")(_set(excess=True, want=_twos(6, 4)))
_fault("two_thirds_punto", "ERR-09", "WRONG_CARD_COUNT")(
    _set(twice="punto", want=lambda h: h.twos == (2, 7), draws={"punto": True, "banca": False})
)
_fault("two_thirds_banca", "ERR-09", "WRONG_CARD_COUNT")(
    _set(twice="banca", want=_twos(6, 3), draws={"punto": False, "banca": True})
)
_fault("basket_first", "ERR-10", "CARD_IN_DISCARD_EARLY")(
    _set(basket=1, want=_twos(3, 6), draws={"banca": False})
)
_fault("basket_third", "ERR-10", "CARD_IN_DISCARD_EARLY")(
    _set(basket=3, want=_twos(3, 7), draws={"punto": True, "banca": False})
)
_fault("banker_exposes", "ERR-11", "EXPOSED_CARD")(_set(exposed={2: "banker"}))
_fault("natural_gives", "ERR-13", "WRONG_DRAW")(_set(want=_twos(2, 8), draws={"punto": True, "banca": False}))
_fault("banker_throws", "ERR-14", "CARD_IN_DISCARD_EARLY")(
    _set(thrown="banca", result="punto", want=_no_third)
)
_fault("punto_throws", "ERR-21", "CARD_IN_DISCARD_EARLY")(
    _set(thrown="punto", result="banca", want=_twos(7, 6))
)
_fault("cut_card_deep", "CUT-01", "CUT_CARD_MISPLACED")(_set(cut_card="during", new_shoe=True))
_fault(
    "dealt_after_cut",
    "CUT-02",
    "DEAL_AFTER_CUT_CARD",
    before=_set(cut_card="during", new_shoe=True),
    lawful=("CUT_CARD_MISPLACED",),
)(_set())


@_fault("stranger_touches", "DEALER-01", "UNAUTHORISED_CARD_CONTACT")
def _stranger(script: Script, table: Table) -> None:
    script.touches = [("hand banca", _seat(table, 3), 1.0)]


@_fault("held_long", "ERR-16", "SLOW_ROLL")
def _held(script: Script, table: Table) -> None:
    script.stakes = _stakes(table, 80)
    script.touches = [("hand punto", _seat(table), 40.0)]


_fault("floor", "ERR-03", "CARD_OFF_TABLE")(_set(floor=True, dealt=[("card_picked_up", "player", None)]))

# draws ----------------------------------------------------------------------------------------------------

_fault("punto_wrong", "DRAW-01", "WRONG_DRAW")(_set(want=_twos(2, 7), draws={"punto": False}))
_fault("punto_extra", "DRAW-01", "WRONG_DRAW")(_set(want=_twos(6, 7), draws={"punto": True, "banca": False}))
_fault("banca_wrong", "DRAW-02", "WRONG_DRAW")(_set(want=_twos(6, 5), draws={"banca": False}))
_fault("advice_wrong", "DRAW-05", "ADVICE_WRONG")(_set(want=_twos(5, 7), dealt=[("advice", "draw", None)]))
_fault("rules_ignored", "DRAW-06", "WRONG_DRAW", house={"mode": "free"})(
    _set(want=_twos(6, 5), draws={"banca": False}, dealt=[("rules_asked", None, None)])
)
_fault("miscalled", "ERR-06", "WRONG_DRAW")(
    _set(
        want=_twos(7, 6),
        word="no",
        said=[("card_called", None, None)],
        draws={"punto": True, "banca": False},
        result="punto",
    )
)
_fault("fifth_card", "ERR-07", "WRONG_DRAW")(
    _set(want=_twos(6, 3, 5), fifth_early=True, third_to="punto", word="no", result="banca")
)
_fault("banker_first", "ERR-12", "REVEAL_ORDER", cues=("punto_says",))(
    _set(want=_twos(5, 8), banker_first=True)
)
_fault("advice_given", "ERR-17", "ADVICE_GIVEN")(_set(dealt=[("advice_by_player", None, None)]))
_fault("zero_refused", "ERR-18", "DRAW_AGAINST_DECLARATION")(
    _set(want=_twos(0, 7), word="no", draws={"punto": False})
)
_fault("natural_unshown", "ERR-19", "NATURAL_NOT_SHOWN")(_set(want=_twos(9, 7), word="no"))
_fault("misspoken", "ERR-20", "WRONG_DRAW")(_set(want=_twos(2, 7), said=[("punto_misspoke", None, None)]))
_fault("void_settled", "ERR-05", "VOID_NOT_APPLIED")(_set(want=_no_third, dealt=[("coup_void", None, None)]))
_fault("complaint_late", "ERR-15", "CLAIM_TOO_LATE")(_set(after=[("complaint_upheld", None, None)]))


@_fault("free_zero", "DRAW-03", "WRONG_DRAW", house={"free_banco": True})
def _free_zero(script: Script, table: Table) -> None:
    script.opponent = _seat(table)
    script.opened = [("banco", None, box(script.opponent))]
    script.want, script.draws = _twos(6, 0), {"banca": False}


# the stakes -----------------------------------------------------------------------------------------------


@_fault("stake_above_bank", "LIM-02", "BET_ABOVE_BANK")
def _above(script: Script, table: Table) -> None:
    script.stakes = _stakes(table, table.bank // 20 * 20 + 40)
    script.want = _wins("banca")


@_fault("sum_above_bank", "LIM-02", "BET_ABOVE_BANK")
def _sum_above(script: Script, table: Table) -> None:
    each = table.bank // 60 * 20 + 20
    script.stakes = dict.fromkeys(table.others(), each)
    script.want = _wins("banca")


_fault("bank_absent", "BET-01", "CHIPS_MISPLACED")(_set(bank_shown=False))


@_fault("bank_touched", "DEALER-02", "BANK_TOUCHED")
def _touched(script: Script, table: Table) -> None:
    script.touches = [("bank", _seat(table, 1), 1.0)]


@_fault("late_bet", "BET-02", "LATE_BET")
def _late(script: Script, table: Table) -> None:
    script.late = _seat(table, 1)


@_fault("bet_withdrawn", "BET-02", "BET_REMOVED_LATE")
def _withdrawn(script: Script, table: Table) -> None:
    script.withdrawn = _seat(table, 1)


@_fault("withdrawn_after_exposed", "ERR-01", "BET_REMOVED_LATE", lawful=("EXPOSED_CARD",))
def _withdrawn_exposed(script: Script, table: Table) -> None:
    script.withdrawn, script.exposed = _seat(table, 1), {2: "shoe"}


@_fault("not_removed", "BET-03", "LATE_BET", lawful=("LATE_BET",))
def _not_removed(script: Script, table: Table) -> None:
    script.late, script.late_asked = _seat(table, 1), True


@_fault("hidden", "BET-04", "BET_HIDDEN")
def _hidden(script: Script, table: Table) -> None:
    script.hidden = _seat(table, 2)


@_fault("announced", "LINE-02", "BET_WRONG_AMOUNT")
def _announced(script: Script, table: Table) -> None:
    script.stakes = _stakes(table, 60)
    script.opened = [("stake_announced", "100", box(_seat(table)))]


@_fault("below_minimum", "LIM-01", "BET_BELOW_MIN", house={"limits": {"minimum": 20}})
def _below(script: Script, table: Table) -> None:
    script.stakes, script.want = _stakes(table, 40, 10), _wins("punto")


@_fault("with_the_table", "PRIO-03", "BET_WRONG_AMOUNT", before=_lost)
def _with_table(script: Script, table: Table) -> None:
    script.stakes = _stakes(table, 60)
    script.opened = [("with_the_table", None, box(_seat(table)))]


_fault("abonament_uncalled", "ABON-01", "LATE_BET", cues=("difference_called",))(
    _set(abonaments=1, untold=frozenset({"difference_called"}))
)
_fault("abonament_shared", "ABON-02", "BET_POOLED")(
    _set(abonaments=1, opened=[("abonament_shared", None, None)])
)
_fault("four_abonaments", "ABON-03", "TOO_MANY_ABONAMENTS")(_set(abonaments=4))
_fault("too_few_players", "MIN-01", "TOO_FEW_PLAYERS")(_set(before=[("players", "3", None)]))
_fault("stakes_joined", "PRIO-06", "BET_POOLED")(_set(opened=[("bet_shared", None, None)]))

# the settlement -------------------------------------------------------------------------------------------

_fault("settled_early", "SETTLE-01", "SETTLED_BEFORE_REVEAL")(_set(early=True, want=_no_third))
_fault("wrong_winner", "WIN-01", "WRONG_WINNER")(
    _set(want=lambda h: _twos(6, 7)(h) and _raw(h) == (6, 7), settle_as="punto")
)
_fault("tens_counted", "VAL-01", "WRONG_WINNER")(
    _set(want=lambda h: _twos(6, 7)(h) and _raw(h) == (16, 7), settle_as="punto")
)
_fault("tie_settled", "WIN-01", "WRONG_WINNER")(
    _set(want=lambda h: _twos(7, 7)(h) and _raw(h) == (7, 7), settle_as="punto")
)
_fault("deduction_wrong", "COM-01", "COMMISSION_WRONG")(_set(want=_wins("banca"), deduction=1))
_fault("deduction_missing", "COM-01", "COMMISSION_WRONG", before=_won)(_set(want=_wins("banca"), deduction=0))
_fault("chips_elsewhere", "TABLE-01", "CHIPS_MISPLACED")(_set(want=_wins("banca"), misplaced=True))
_fault("winnings_kept_in", "PAY-02", "CHIPS_MISPLACED")(
    _set(want=_wins("banca"), shown=[("winnings_excluded", None, None)])
)


def _raw(hands: Hands) -> tuple[int, int]:
    """Both hands' sums with their tens."""
    return sum(value(c) for c in hands.punto), sum(value(c) for c in hands.banca)


def _pays(by: int) -> Change:
    def make(script: Script, table: Table) -> None:
        script.stakes, script.want = _stakes(table, 60), _wins("punto")
        script.extra_pay = {_seat(table): by}

    return make


_fault("underpaid", "PAY-01", "UNDERPAID")(_pays(-20))
_fault("overpaid", "PAY-01", "OVERPAID")(_pays(20))


@_fault("not_paid", "PAY-01", "NOT_PAID")
def _not_paid(script: Script, table: Table) -> None:
    script.want, script.skip = _wins("punto"), _seat(table, 1)


@_fault("not_collected", "WIN-01", "LOSER_NOT_COLLECTED")
def _not_collected(script: Script, table: Table) -> None:
    script.want, script.skip = _wins("banca"), _seat(table, 1)


@_fault("line_in_full", "LINE-01", "LINE_BET_MISPAID")
def _line_full(script: Script, table: Table) -> None:
    seat = _seat(table, 1)
    script.stakes, script.want = _stakes(table, 60, 40), _wins("punto")
    script.lines, script.full_line = frozenset({seat}), seat


@_fault("follower_paid_first", "SEAT-06", "PAY_ORDER_WRONG")
def _follower(script: Script, table: Table) -> None:
    seat = _seat(table, 1)
    script.want, script.first_settled = _wins("punto"), seat
    script.opened = [("moved_after_hand", None, box(seat))]


# the bank -------------------------------------------------------------------------------------------------


def _lost_and_kept(script: Script, table: Table) -> None:
    _lost(script, table)
    script.passes_on = False


_fault("shoe_kept", "BANK-03", "SHOE_NOT_PASSED", before=_lost_and_kept)(_set(bank=400))


@_fault("turn_skipped", "BANK-01", "SHOE_WRONG_SEAT", cues=("bank_refused",), before=_lost)
def _turn_skipped(script: Script, table: Table) -> None:
    script.banker = table.banker % 5 + 1


@_fault("newcomer", "SEAT-02", "SHOE_WRONG_SEAT", before=_lost)
def _newcomer(script: Script, table: Table) -> None:
    script.before = [("seat_changed", None, _at(table.banker))]


@_fault("refused_twice", "SEAT-05", "SEAT_REFUSED_TWICE", cues=("bank_refused", "seat_left"))
def _refused(script: Script, table: Table) -> None:
    script.before = [("bank_refused", None, _at(_seat(table, 2)))] * 2


@_fault("partner_share", "BANK-02", "PARTNER_SHARE_UNEQUAL")
def _partner(script: Script, table: Table) -> None:
    script.before = [("partner", str(table.bank // 4), _at(_seat(table, 2)))]


def _next(table: Table, steps: int = 1) -> int:
    return (table.banker + steps - 1) % 5 + 1


@_fault("passed_too_low", "BANK-04", "BANK_AMOUNT_TOO_LOW", before=_won)
def _too_low(script: Script, table: Table) -> None:
    script.before = [("bank_passed", None, _at(table.banker))]
    script.banker, script.bank = _next(table), 200


_fault("offered_out_of_turn", "BANK-05", "AUCTION_IRREGULAR")(
    _set(before=[("bank_offered", "standing", None)])
)


@_fault("partners_preferred", "BANK-06", "AUCTION_IRREGULAR", before=_won)
def _partners(script: Script, table: Table) -> None:
    new = _next(table)
    script.before = [
        ("bank_passed", None, _at(table.banker)),
        ("bank_bid", "2000", _at(_next(table, 2))),
        ("bank_awarded", "bought partnership", _at(new)),
    ]
    script.banker, script.bank = new, 4000


@_fault("bid_ignored", "BANK-07", "AUCTION_IRREGULAR", before=_lost)
def _bid(script: Script, table: Table) -> None:
    new = table.banker
    script.before = [
        ("bank_bid", "600", _at(_next(table, 2))),
        ("bank_bid", "500", _at(new)),
        ("bank_awarded", "500 auction", _at(new)),
    ]
    script.bank = 500


def _bought(wins: str, standing: bool) -> Change:
    """The banker passed, and the third seat on his right bought the hand."""

    def prepare(script: Script, table: Table) -> None:
        buyer = _next(table, 3)
        script.before = [
            ("bank_passed", None, _at(table.banker)),
            ("bank_awarded", "bought standing" if standing else "bought", _at(buyer)),
        ]
        script.banker, script.bank, script.want = buyer, 4000, _wins(wins)
        script.aside, script.passes_on = False, False

    return prepare


@_fault(
    "buyer_passed_on",
    "BANK-08",
    "SHOE_WRONG_SEAT",
    cues=("bank_refused",),
    before=_bought("banca", True),
    rounds=3,
)
def _buyer_passes(script: Script, table: Table) -> None:
    script.before = [("bank_passed", None, _at(table.banker))]
    script.banker, script.bank = _next(table, 4), 9000


@_fault("lowered", "BANK-09", "BANK_DECREASED", before=_lost)
def _lowered(script: Script, table: Table) -> None:
    script.before = [("bank_awarded", "600", _at(table.banker))]


def _banco_won(script: Script, table: Table) -> None:
    _won(script, table)
    script.opponent = _seat(table, 1)
    script.opened = [("banco", None, box(script.opponent))]


@_fault("claim_refused", "BANK-10", "PUNTO_HAND_WRONG_PLAYER", before=_banco_won)
def _claim(script: Script, table: Table) -> None:
    claimer = _seat(table, 1)
    script.before = [("bank_passed", None, _at(table.banker))]
    script.opened = [("cards_claimed", None, box(claimer))]
    script.banker, script.bank = _next(table), 4000
    script.opponent = _seat(table, 2)


@_fault("passer_bids", "BANK-11", "AUCTION_IRREGULAR", before=_won)
def _passer_bids(script: Script, table: Table) -> None:
    script.before = [
        ("bank_passed", None, _at(table.banker)),
        ("bank_bid", "600", _at(table.banker)),
        ("bank_awarded", "bought", _at(_next(table))),
    ]
    script.banker, script.bank = _next(table), 4000


@_fault("untaken", "BANK-12", "SHOE_WRONG_SEAT", cues=("bank_refused",), before=_won)
def _untaken(script: Script, table: Table) -> None:
    script.before = [("bank_passed", None, _at(table.banker)), ("bank_untaken", None, None)]
    script.banker, script.bank = _next(table, 2), 400


@_fault(
    "not_returned",
    "BANK-13",
    "SHOE_WRONG_SEAT",
    cues=("bank_refused",),
    before=_bought("punto", False),
    rounds=3,
)
def _not_returned(script: Script, table: Table) -> None:
    script.banker = _next(table)


@_fault("not_dealt", "BANK-14", "SHOE_NOT_DEALT", before=_lost)
def _not_dealt(script: Script, table: Table) -> None:
    script.before = [("bank_awarded", None, _at(_next(table, 2)))]


@_fault(
    "bank_above_maximum",
    "LIM-03",
    "BET_ABOVE_MAX",
    house={"limits": {"minimum": 20}},
    before=_lost,
)
def _bank_above(script: Script, table: Table) -> None:
    del table
    script.bank = 4000


_fault("garage_wrong", "GAR-01", "GARAGE_WRONG", before=_won_covered)(_set())
_fault("garage_uncovered", "GAR-02", "GARAGE_WRONG", before=_won_uncovered)(_set())
_fault("garage_not_asked", "GAR-03", "ANNOUNCEMENT_MISSING", cues=("garage_asked",), before=_won)(
    _set(untold=frozenset({"garage_asked"}))
)
_fault("next_shoe_too_low", "END-01", "BANK_AMOUNT_TOO_LOW", before=_won)(_set(new_shoe=True, bank=300))

# the shoe and what is said --------------------------------------------------------------------------------

_fault("mode_silent", "MODE-01", "ANNOUNCEMENT_MISSING", cues=("mode_announced",))(
    _set(new_shoe=True, untold=frozenset({"mode_announced"}))
)
_fault("not_shuffled", "SHUF-01", "SHUFFLE_INCOMPLETE", cues=("cards_shuffled",))(
    _set(new_shoe=True, untold=frozenset({"cards_shuffled"}))
)
_fault("cut_by_wrong_player", "SHUF-02", "CUT_WRONG_PLAYER", cues=("cut_declined",), before=_lost)(
    _set(new_shoe=True, before=[("cards_cut", None, "seat 1 punto")])
)
_fault(
    "not_checked",
    "END-02",
    "CARD_COMPOSITION",
    cues=("cards_checked",),
    before=_set(want=_wins("punto"), after=[("check_asked", None, None)]),
)(_set(new_shoe=True))
_fault("dealt_early", "DEAL-02", "DEALT_BEFORE_CLOSE", cues=("no_more_bets",))(
    _set(untold=frozenset({"no_more_bets"}))
)
_fault("seats_reversed", "TABLE-02", "CONFIG_INVALID", house={"seats_numbered_from": "dealers_left"})(_set())

# who plays against the bank -------------------------------------------------------------------------------


def _asked(cue: str, given: str) -> Change:
    def make(script: Script, table: Table) -> None:
        first, second = _seat(table), _seat(table, 2)
        script.opened = [(cue, None, box(first)), (cue, None, box(second)), (given, None, box(second))]
        script.opponent = second if given == "banco" else None

    return make


_fault("banco_out_of_order", "PRIO-02", "PRIORITY_IGNORED")(_asked("banco_asked", "banco"))
_fault("claim_out_of_order", "PRIO-01", "PRIORITY_IGNORED")(_asked("claim", "claim_granted"))


@_fault("with_the_table_cards", "PRIO-04", "PUNTO_HAND_WRONG_PLAYER", before=_lost)
def _table_cards(script: Script, table: Table) -> None:
    script.stakes = _stakes(table, 200)
    script.opened = [("with_the_table", None, box(_seat(table)))]
    script.opponent = _seat(table, 1)


@_fault("not_the_highest", "PRIO-05", "PUNTO_HAND_WRONG_PLAYER", cues=("banco", "with_the_table"))
def _not_highest(script: Script, table: Table) -> None:
    script.stakes, script.opponent = _stakes(table, 80), _seat(table, 1)


@_fault("late_banco", "PRIO-07", "PRIORITY_IGNORED")
def _late_banco(script: Script, table: Table) -> None:
    seat = box(_seat(table, 1))
    script.dealt = [("banco", None, seat), ("banco_granted", None, seat)]


@_fault("seen_cards_reclaimed", "PRIO-08", "PUNTO_HAND_WRONG_PLAYER")
def _reclaimed(script: Script, table: Table) -> None:
    script.opponent, called = _seat(table), _seat(table, 1)
    script.opened = [("followed_banco", None, box(called))]
    script.opened_late = [("cards_reclaimed", None, box(called))]
    script.also_holds = [called]


@_fault("holder_displaced", "PRIO-09", "PUNTO_HAND_WRONG_PLAYER")
def _displaced(script: Script, table: Table) -> None:
    script.opponent, called = _seat(table), _seat(table, 1)
    script.opened_late = [("followed_banco", None, box(called))]
    script.also_holds = [called]


@_fault("grabbed", "PRIO-10", "PUNTO_HAND_WRONG_PLAYER")
def _grabbed(script: Script, table: Table) -> None:
    script.opponent, script.dealer_gives = _seat(table), False
    script.opened = [("followed_banco", None, box(_seat(table, 1)))]


@_fault("followed_refused", "PRIO-11", "PRIORITY_IGNORED", before=_banco_won)
def _followed_refused(script: Script, table: Table) -> None:
    seat = box(_seat(table, 1))
    script.opened = [("followed_banco", None, seat), ("banco_refused", None, seat)]


KINDS = {name: plan.kind for name, plan in PLANS.items()}
