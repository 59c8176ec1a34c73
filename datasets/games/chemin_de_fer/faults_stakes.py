"""Faults of the stakes, of who plays against the bank, and of the settlement."""

from __future__ import annotations

from datasets.games.chemin_de_fer.making import (
    NO_THIRD,
    Book,
    Change,
    banco_won,
    lost,
    raw,
    seat_on_right,
    setting,
    staked,
    twos,
    wins,
    won,
)
from datasets.games.chemin_de_fer.script import Script
from datasets.games.chemin_de_fer.table import Table, box

_book = Book()
fault = _book.fault
PLANS = _book.plans

# the stakes -----------------------------------------------------------------------------------------------


@fault("stake_above_bank", "LIM-02", "BET_ABOVE_BANK")
def _above(script: Script, table: Table) -> None:
    script.stakes = staked(table, table.bank // 20 * 20 + 40)
    script.want = wins("banca")


@fault("sum_above_bank", "LIM-02", "BET_ABOVE_BANK")
def _sum_above(script: Script, table: Table) -> None:
    each = table.bank // 60 * 20 + 20
    script.stakes = dict.fromkeys(table.others(), each)
    script.want = wins("banca")


fault("bank_absent", "BET-01", "CHIPS_MISPLACED")(setting(bank_shown=False))


@fault("bank_touched", "DEALER-02", "BANK_TOUCHED")
def _touched(script: Script, table: Table) -> None:
    script.touches = [("bank", seat_on_right(table, 1), 1.0)]


@fault("late_bet", "BET-02", "LATE_BET")
def _late(script: Script, table: Table) -> None:
    script.late = seat_on_right(table, 1)


@fault("bet_withdrawn", "BET-02", "BET_REMOVED_LATE")
def _withdrawn(script: Script, table: Table) -> None:
    script.withdrawn = seat_on_right(table, 1)


@fault("withdrawn_after_exposed", "ERR-01", "BET_REMOVED_LATE", lawful=("EXPOSED_CARD",))
def _withdrawn_exposed(script: Script, table: Table) -> None:
    script.withdrawn, script.exposed = seat_on_right(table, 1), {2: "shoe"}


@fault("not_removed", "BET-03", "LATE_BET", lawful=("LATE_BET",))
def _not_removed(script: Script, table: Table) -> None:
    script.late, script.late_asked = seat_on_right(table, 1), True


@fault("hidden", "BET-04", "BET_HIDDEN")
def _hidden(script: Script, table: Table) -> None:
    script.hidden = seat_on_right(table, 2)


@fault("announced", "LINE-02", "BET_WRONG_AMOUNT")
def _announced(script: Script, table: Table) -> None:
    script.stakes = staked(table, 60)
    script.opened = [("stake_announced", "100", box(seat_on_right(table)))]


@fault("below_minimum", "LIM-01", "BET_BELOW_MIN", house={"limits": {"minimum": 20}})
def _below(script: Script, table: Table) -> None:
    script.stakes, script.want = staked(table, 40, 10), wins("punto")


@fault("with_the_table", "PRIO-03", "BET_WRONG_AMOUNT", before=lost)
def _with_table(script: Script, table: Table) -> None:
    script.stakes = staked(table, 60)
    script.opened = [("with_the_table", None, box(seat_on_right(table)))]


fault("abonament_uncalled", "ABON-01", "LATE_BET", cues=("difference_called",))(
    setting(abonaments=1, untold=frozenset({"difference_called"}))
)
fault("abonament_shared", "ABON-02", "BET_POOLED")(
    setting(abonaments=1, opened=[("abonament_shared", None, None)])
)
fault("four_abonaments", "ABON-03", "TOO_MANY_ABONAMENTS")(setting(abonaments=4))
fault("too_few_players", "MIN-01", "TOO_FEW_PLAYERS")(setting(before=[("players", "3", None)]))
fault("stakes_joined", "PRIO-06", "BET_POOLED")(setting(opened=[("bet_shared", None, None)]))

# who plays against the bank -------------------------------------------------------------------------------


def _asked(cue: str, given: str) -> Change:
    def make(script: Script, table: Table) -> None:
        first, second = seat_on_right(table), seat_on_right(table, 2)
        script.opened = [(cue, None, box(first)), (cue, None, box(second)), (given, None, box(second))]
        script.opponent = second if given == "banco" else None

    return make


fault("banco_out_of_order", "PRIO-02", "PRIORITY_IGNORED")(_asked("banco_asked", "banco"))
fault("claim_out_of_order", "PRIO-01", "PRIORITY_IGNORED")(_asked("claim", "claim_granted"))


@fault("with_the_table_cards", "PRIO-04", "PUNTO_HAND_WRONG_PLAYER", before=lost)
def _table_cards(script: Script, table: Table) -> None:
    script.stakes = staked(table, 200)
    script.opened = [("with_the_table", None, box(seat_on_right(table)))]
    script.opponent = seat_on_right(table, 1)


@fault("not_the_highest", "PRIO-05", "PUNTO_HAND_WRONG_PLAYER", cues=("banco", "with_the_table"))
def _not_highest(script: Script, table: Table) -> None:
    script.stakes, script.opponent = staked(table, 80), seat_on_right(table, 1)


@fault("late_banco", "PRIO-07", "PRIORITY_IGNORED")
def _late_banco(script: Script, table: Table) -> None:
    seat = box(seat_on_right(table, 1))
    script.dealt = [("banco", None, seat), ("banco_granted", None, seat)]


@fault("seen_cards_reclaimed", "PRIO-08", "PUNTO_HAND_WRONG_PLAYER")
def _reclaimed(script: Script, table: Table) -> None:
    script.opponent, called = seat_on_right(table), seat_on_right(table, 1)
    script.opened = [("followed_banco", None, box(called))]
    script.opened_late = [("cards_reclaimed", None, box(called))]
    script.also_holds = [called]


@fault("holder_displaced", "PRIO-09", "PUNTO_HAND_WRONG_PLAYER")
def _displaced(script: Script, table: Table) -> None:
    script.opponent, called = seat_on_right(table), seat_on_right(table, 1)
    script.opened_late = [("followed_banco", None, box(called))]
    script.also_holds = [called]


@fault("grabbed", "PRIO-10", "PUNTO_HAND_WRONG_PLAYER")
def _grabbed(script: Script, table: Table) -> None:
    script.opponent, script.dealer_gives = seat_on_right(table), False
    script.opened = [("followed_banco", None, box(seat_on_right(table, 1)))]


@fault("followed_refused", "PRIO-11", "PRIORITY_IGNORED", before=banco_won)
def _followed_refused(script: Script, table: Table) -> None:
    seat = box(seat_on_right(table, 1))
    script.opened = [("followed_banco", None, seat), ("banco_refused", None, seat)]


# the settlement -------------------------------------------------------------------------------------------

fault("settled_early", "SETTLE-01", "SETTLED_BEFORE_REVEAL")(setting(early=True, want=NO_THIRD))
fault("wrong_winner", "WIN-01", "WRONG_WINNER")(
    setting(want=lambda h: twos(6, 7)(h) and raw(h) == (6, 7), settle_as="punto")
)
fault("tens_counted", "VAL-01", "WRONG_WINNER")(
    setting(want=lambda h: twos(6, 7)(h) and raw(h) == (16, 7), settle_as="punto")
)
fault("tie_settled", "WIN-01", "WRONG_WINNER")(
    setting(want=lambda h: twos(7, 7)(h) and raw(h) == (7, 7), settle_as="punto")
)
fault("deduction_wrong", "COM-01", "COMMISSION_WRONG")(setting(want=wins("banca"), deduction=1))
fault("deduction_missing", "COM-01", "COMMISSION_WRONG", before=won)(setting(want=wins("banca"), deduction=0))
fault("chips_elsewhere", "TABLE-01", "CHIPS_MISPLACED")(setting(want=wins("banca"), misplaced=True))
fault("winnings_kept_in", "PAY-02", "CHIPS_MISPLACED")(
    setting(want=wins("banca"), shown=[("winnings_excluded", None, None)])
)


def _pays(by: int) -> Change:
    def make(script: Script, table: Table) -> None:
        script.stakes, script.want = staked(table, 60), wins("punto")
        script.extra_pay = {seat_on_right(table): by}

    return make


fault("underpaid", "PAY-01", "UNDERPAID")(_pays(-20))
fault("overpaid", "PAY-01", "OVERPAID")(_pays(20))


@fault("not_paid", "PAY-01", "NOT_PAID")
def _not_paid(script: Script, table: Table) -> None:
    script.want, script.skip = wins("punto"), seat_on_right(table, 1)


@fault("not_collected", "WIN-01", "LOSER_NOT_COLLECTED")
def _not_collected(script: Script, table: Table) -> None:
    script.want, script.skip = wins("banca"), seat_on_right(table, 1)


@fault("line_in_full", "LINE-01", "LINE_BET_MISPAID")
def _line_full(script: Script, table: Table) -> None:
    seat = seat_on_right(table, 1)
    script.stakes, script.want = staked(table, 60, 40), wins("punto")
    script.lines, script.full_line = frozenset({seat}), seat


@fault("follower_paid_first", "SEAT-06", "PAY_ORDER_WRONG")
def _follower(script: Script, table: Table) -> None:
    seat = seat_on_right(table, 1)
    script.want, script.first_settled = wins("punto"), seat
    script.opened = [("moved_after_hand", None, box(seat))]
