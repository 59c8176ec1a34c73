"""Faults of cards, hands and draws."""

from __future__ import annotations

from datasets.games.chemin_de_fer.making import NO_THIRD, Book, seat_on_right, setting, staked, twos
from datasets.games.chemin_de_fer.script import Script
from datasets.games.chemin_de_fer.table import Table, box

_book = Book()
fault = _book.fault
PLANS = _book.plans

# cards and hands ------------------------------------------------------------------------------------------

fault(
    "card_seven_times",
    "DECK-01",
    "CARD_COMPOSITION",
    before=setting(same_card=True, new_shoe=True),
)(setting(same_card=True))
fault("strange_back", "DECK-01", "CARD_COMPOSITION")(setting(backs=("red", "blue", "red", "green")))
fault("order_wrong", "DEAL-01", "WRONG_DEAL_ORDER")(
    setting(order=("banca", "punto", "punto", "banca"), want=NO_THIRD)
)
fault("natural_drawn", "NAT-01", "WRONG_DRAW")(
    setting(want=twos(9, 5), draws={"punto": False, "banca": True})
)
fault("third_down", "DRAW-04", "CARD_FACE_WRONG")(setting(want=twos(2, 7), face_down_third="punto"))
fault("exposed_out", "ERR-01", "EXPOSED_CARD")(setting(exposed={2: "shoe"}))
fault("exposed_first", "ERR-01", "EXPOSED_CARD")(setting(exposed={0: "shoe"}))
fault("exposed_played", "ERR-01", "EXPOSED_CARD")(setting(exposed={1: "shoe"}, exposed_played=True))
fault("stuck", "ERR-02", "STUCK_CARDS")(setting(stuck=True, settles=False))
fault("stuck_settled", "ERR-02", "VOID_NOT_APPLIED", lawful=("STUCK_CARDS",))(
    setting(stuck=True, want=NO_THIRD)
)
fault("dealer_exposes", "ERR-04", "EXPOSED_CARD")(setting(exposed={0: "dealer"}))
fault("option_refused", "ERR-04", "WRONG_DRAW", lawful=("EXPOSED_CARD",))(
    setting(exposed={0: "dealer", 2: "dealer"}, want=twos(2, 3, 9), draws={"punto": True, "banca": False})
)
fault("three_for_banker", "ERR-08", "WRONG_CARD_COUNT")(setting(excess=True, want=twos(6, 4)))
fault("two_thirds_punto", "ERR-09", "WRONG_CARD_COUNT")(
    setting(twice="punto", want=lambda h: h.twos == (2, 7), draws={"punto": True, "banca": False})
)
fault("two_thirds_banca", "ERR-09", "WRONG_CARD_COUNT")(
    setting(twice="banca", want=twos(6, 3), draws={"punto": False, "banca": True})
)
fault("basket_first", "ERR-10", "CARD_IN_DISCARD_EARLY")(
    setting(basket=1, want=twos(3, 6), draws={"banca": False})
)
fault("basket_third", "ERR-10", "CARD_IN_DISCARD_EARLY")(
    setting(basket=3, want=twos(3, 7), draws={"punto": True, "banca": False})
)
fault("banker_exposes", "ERR-11", "EXPOSED_CARD")(setting(exposed={2: "banker"}))
fault("natural_gives", "ERR-13", "WRONG_DRAW")(
    setting(want=twos(2, 8), draws={"punto": True, "banca": False})
)
fault("banker_throws", "ERR-14", "CARD_IN_DISCARD_EARLY")(
    setting(thrown="banca", result="punto", want=NO_THIRD)
)
fault("punto_throws", "ERR-21", "CARD_IN_DISCARD_EARLY")(
    setting(thrown="punto", result="banca", want=twos(7, 6))
)
fault("cut_card_deep", "CUT-01", "CUT_CARD_MISPLACED")(setting(cut_card="during", new_shoe=True))
fault(
    "dealt_after_cut",
    "CUT-02",
    "DEAL_AFTER_CUT_CARD",
    before=setting(cut_card="during", new_shoe=True),
    lawful=("CUT_CARD_MISPLACED",),
)(setting())


@fault("stranger_touches", "DEALER-01", "UNAUTHORISED_CARD_CONTACT")
def _stranger(script: Script, table: Table) -> None:
    script.touches = [("hand banca", seat_on_right(table, 3), 1.0)]


@fault("held_long", "ERR-16", "SLOW_ROLL")
def _held(script: Script, table: Table) -> None:
    script.stakes = staked(table, 80)
    script.touches = [("hand punto", seat_on_right(table), 40.0)]


fault("floor", "ERR-03", "CARD_OFF_TABLE")(setting(floor=True, dealt=[("card_picked_up", "player", None)]))

# draws ----------------------------------------------------------------------------------------------------

fault("punto_wrong", "DRAW-01", "WRONG_DRAW")(setting(want=twos(2, 7), draws={"punto": False}))
fault("punto_extra", "DRAW-01", "WRONG_DRAW")(setting(want=twos(6, 7), draws={"punto": True, "banca": False}))
fault("banca_wrong", "DRAW-02", "WRONG_DRAW")(setting(want=twos(6, 5), draws={"banca": False}))
fault("advice_wrong", "DRAW-05", "ADVICE_WRONG")(setting(want=twos(5, 7), dealt=[("advice", "draw", None)]))
fault("rules_ignored", "DRAW-06", "WRONG_DRAW", house={"mode": "free"})(
    setting(want=twos(6, 5), draws={"banca": False}, dealt=[("rules_asked", None, None)])
)
fault("miscalled", "ERR-06", "WRONG_DRAW")(
    setting(
        want=twos(7, 6),
        word="no",
        said=[("card_called", None, None)],
        draws={"punto": True, "banca": False},
        result="punto",
    )
)
fault("fifth_card", "ERR-07", "WRONG_DRAW")(
    setting(want=twos(6, 3, 5), fifth_early=True, third_to="punto", word="no", result="banca")
)
fault("banker_first", "ERR-12", "REVEAL_ORDER", cues=("punto_says",))(
    setting(want=twos(5, 8), banker_first=True)
)
fault("advice_given", "ERR-17", "ADVICE_GIVEN")(setting(dealt=[("advice_by_player", None, None)]))
fault("zero_refused", "ERR-18", "DRAW_AGAINST_DECLARATION")(
    setting(want=twos(0, 7), word="no", draws={"punto": False})
)
fault("natural_unshown", "ERR-19", "NATURAL_NOT_SHOWN")(setting(want=twos(9, 7), word="no"))
fault("misspoken", "ERR-20", "WRONG_DRAW")(setting(want=twos(2, 7), said=[("punto_misspoke", None, None)]))
fault("void_settled", "ERR-05", "VOID_NOT_APPLIED")(setting(want=NO_THIRD, dealt=[("coup_void", None, None)]))
fault("complaint_late", "ERR-15", "CLAIM_TOO_LATE")(setting(after=[("complaint_upheld", None, None)]))


@fault("free_zero", "DRAW-03", "WRONG_DRAW", house={"free_banco": True})
def _free_zero(script: Script, table: Table) -> None:
    script.opponent = seat_on_right(table)
    script.opened = [("banco", None, box(script.opponent))]
    script.want, script.draws = twos(6, 0), {"banca": False}
