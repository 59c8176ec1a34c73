"""Faults of the bank and its way round the table, of the shoe, and of what is said."""

from __future__ import annotations

from datasets.games.chemin_de_fer.making import (
    Book,
    Change,
    banco_won,
    lost,
    seat_on_right,
    setting,
    shoe_at,
    wins,
    won,
)
from datasets.games.chemin_de_fer.script import Script
from datasets.games.chemin_de_fer.table import Table, box

_book = Book()
fault = _book.fault
PLANS = _book.plans

# the bank -------------------------------------------------------------------------------------------------


def _won_covered(script: Script, table: Table) -> None:
    won(script, table)
    script.bank = 400
    script.stakes = dict.fromkeys(table.others(), 100)
    script.short = 20


def _won_uncovered(script: Script, table: Table) -> None:
    won(script, table)
    script.short = 20


def _lost_and_kept(script: Script, table: Table) -> None:
    lost(script, table)
    script.passes_on = False


fault("shoe_kept", "BANK-03", "SHOE_NOT_PASSED", before=_lost_and_kept)(setting(bank=400))


@fault("turn_skipped", "BANK-01", "SHOE_WRONG_SEAT", cues=("bank_refused",), before=lost)
def _turn_skipped(script: Script, table: Table) -> None:
    script.banker = table.banker % 5 + 1


@fault("newcomer", "SEAT-02", "SHOE_WRONG_SEAT", before=lost)
def _newcomer(script: Script, table: Table) -> None:
    script.before = [("seat_changed", None, shoe_at(table.banker))]


@fault("refused_twice", "SEAT-05", "SEAT_REFUSED_TWICE", cues=("bank_refused", "seat_left"))
def _refused(script: Script, table: Table) -> None:
    script.before = [("bank_refused", None, shoe_at(seat_on_right(table, 2)))] * 2


@fault("partner_share", "BANK-02", "PARTNER_SHARE_UNEQUAL")
def _partner(script: Script, table: Table) -> None:
    script.before = [("partner", str(table.bank // 4), shoe_at(seat_on_right(table, 2)))]


def _next(table: Table, steps: int = 1) -> int:
    return (table.banker + steps - 1) % 5 + 1


@fault("passed_too_low", "BANK-04", "BANK_AMOUNT_TOO_LOW", before=won)
def _too_low(script: Script, table: Table) -> None:
    script.before = [("bank_passed", None, shoe_at(table.banker))]
    script.banker, script.bank = _next(table), 200


fault("offered_out_of_turn", "BANK-05", "AUCTION_IRREGULAR")(
    setting(before=[("bank_offered", "standing", None)])
)


@fault("partners_preferred", "BANK-06", "AUCTION_IRREGULAR", before=won)
def _partners(script: Script, table: Table) -> None:
    new = _next(table)
    script.before = [
        ("bank_passed", None, shoe_at(table.banker)),
        ("bank_bid", "2000", shoe_at(_next(table, 2))),
        ("bank_awarded", "bought partnership", shoe_at(new)),
    ]
    script.banker, script.bank = new, 4000


@fault("bid_ignored", "BANK-07", "AUCTION_IRREGULAR", before=lost)
def _bid(script: Script, table: Table) -> None:
    new = table.banker
    script.before = [
        ("bank_bid", "600", shoe_at(_next(table, 2))),
        ("bank_bid", "500", shoe_at(new)),
        ("bank_awarded", "500 auction", shoe_at(new)),
    ]
    script.bank = 500


def _bought(winner: str, standing: bool) -> Change:
    """The banker passed, and the third seat on his right bought the hand."""

    def prepare(script: Script, table: Table) -> None:
        buyer = _next(table, 3)
        script.before = [
            ("bank_passed", None, shoe_at(table.banker)),
            ("bank_awarded", "bought standing" if standing else "bought", shoe_at(buyer)),
        ]
        script.banker, script.bank, script.want = buyer, 4000, wins(winner)
        script.aside, script.passes_on = False, False

    return prepare


@fault(
    "buyer_passed_on",
    "BANK-08",
    "SHOE_WRONG_SEAT",
    cues=("bank_refused",),
    before=_bought("banca", True),
    rounds=3,
)
def _buyer_passes(script: Script, table: Table) -> None:
    script.before = [("bank_passed", None, shoe_at(table.banker))]
    script.banker, script.bank = _next(table, 4), 9000


@fault("lowered", "BANK-09", "BANK_DECREASED", before=lost)
def _lowered(script: Script, table: Table) -> None:
    script.before = [("bank_awarded", "600", shoe_at(table.banker))]


@fault("claim_refused", "BANK-10", "PUNTO_HAND_WRONG_PLAYER", before=banco_won)
def _claim(script: Script, table: Table) -> None:
    claimer = seat_on_right(table, 1)
    script.before = [("bank_passed", None, shoe_at(table.banker))]
    script.opened = [("cards_claimed", None, box(claimer))]
    script.banker, script.bank = _next(table), 4000
    script.opponent = seat_on_right(table, 2)


@fault("passer_bids", "BANK-11", "AUCTION_IRREGULAR", before=won)
def _passer_bids(script: Script, table: Table) -> None:
    script.before = [
        ("bank_passed", None, shoe_at(table.banker)),
        ("bank_bid", "600", shoe_at(table.banker)),
        ("bank_awarded", "bought", shoe_at(_next(table))),
    ]
    script.banker, script.bank = _next(table), 4000


@fault("untaken", "BANK-12", "SHOE_WRONG_SEAT", cues=("bank_refused",), before=won)
def _untaken(script: Script, table: Table) -> None:
    script.before = [("bank_passed", None, shoe_at(table.banker)), ("bank_untaken", None, None)]
    script.banker, script.bank = _next(table, 2), 400


@fault(
    "not_returned",
    "BANK-13",
    "SHOE_WRONG_SEAT",
    cues=("bank_refused",),
    before=_bought("punto", False),
    rounds=3,
)
def _not_returned(script: Script, table: Table) -> None:
    script.banker = _next(table)


@fault("not_dealt", "BANK-14", "SHOE_NOT_DEALT", before=lost)
def _not_dealt(script: Script, table: Table) -> None:
    script.before = [("bank_awarded", None, shoe_at(_next(table, 2)))]


@fault(
    "bank_above_maximum",
    "LIM-03",
    "BET_ABOVE_MAX",
    house={"limits": {"minimum": 20}},
    before=lost,
)
def _bank_above(script: Script, table: Table) -> None:
    del table
    script.bank = 4000


fault("garage_wrong", "GAR-01", "GARAGE_WRONG", before=_won_covered)(setting())
fault("garage_uncovered", "GAR-02", "GARAGE_WRONG", before=_won_uncovered)(setting())
fault("garage_not_asked", "GAR-03", "ANNOUNCEMENT_MISSING", cues=("garage_asked",), before=won)(
    setting(untold=frozenset({"garage_asked"}))
)
fault("next_shoe_too_low", "END-01", "BANK_AMOUNT_TOO_LOW", before=won)(setting(new_shoe=True, bank=300))

# the shoe and what is said --------------------------------------------------------------------------------

fault("mode_silent", "MODE-01", "ANNOUNCEMENT_MISSING", cues=("mode_announced",))(
    setting(new_shoe=True, untold=frozenset({"mode_announced"}))
)
fault("not_shuffled", "SHUF-01", "SHUFFLE_INCOMPLETE", cues=("cards_shuffled",))(
    setting(new_shoe=True, untold=frozenset({"cards_shuffled"}))
)
fault("cut_by_wrong_player", "SHUF-02", "CUT_WRONG_PLAYER", cues=("cut_declined",), before=lost)(
    setting(new_shoe=True, before=[("cards_cut", None, "seat 1 punto")])
)
fault(
    "not_checked",
    "END-02",
    "CARD_COMPOSITION",
    cues=("cards_checked",),
    before=setting(want=wins("punto"), after=[("check_asked", None, None)]),
)(setting(new_shoe=True))
fault("dealt_early", "DEAL-02", "DEALT_BEFORE_CLOSE", cues=("no_more_bets",))(
    setting(untold=frozenset({"no_more_bets"}))
)
fault("seats_reversed", "TABLE-02", "CONFIG_INVALID", house={"seats_numbered_from": "dealers_left"})(
    setting()
)
