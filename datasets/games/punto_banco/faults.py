"""The faults that can be put into a coup, and the finding that each must give: a row for each kind.

A row says of which lawful coups the fault can be made (``needs``), and what it changes in one (``change``,
which names the spot of the finding).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.punto_banco import changes as do
from datasets.games.punto_banco.plan import House, Plan
from datasets.games.punto_banco.table import Table

Needs = Callable[[Plan, House], bool]
Change = Callable[[Plan, House, random.Random, Table], str | None]


def _always(_plan: Plan, _house: House) -> bool:
    return True


def _nothing(_plan: Plan, _house: House, _rng: random.Random, _table: Table) -> str | None:
    return None


def _any(_plan: Plan) -> bool:
    return True


def _leave(_plan: Plan) -> None:
    return None


@dataclass(frozen=True, kw_only=True)
class Making:
    """How a fault is made. ``previous``: what the coup before must be; ``prepare``: what is changed in it.

    ``turn``: how the shoe is handed on wrongly; ``shoe``: what goes wrong with a new shoe; ``cut_card``: it
    comes out before the coup; ``within``: the session begins within a shoe.
    """

    kind: FaultKind
    needs: Needs = _always
    change: Change = _nothing
    previous: Callable[[Plan], bool] = _any
    prepare: Callable[[Plan], None] = _leave
    turn: str | None = None
    shoe: Mapping[str, Any] = field(default_factory=dict)
    cut_card: bool = False
    within: bool = False


_LIMITS = {"limits": {"minimum": 5, "maximum": 500}}
_SIDES = {"dealer_sides": {"left": [5, 6, 7, 8, 9], "right": [1, 2, 3, 4]}}


def _cues(*names: str) -> dict[str, Any]:
    return {"cues": list(names)}


def _fault(
    name: str,
    rule: str,
    code: str,
    *,
    variant: str | None = None,
    lawful: tuple[str, ...] = (),
    house: Mapping[str, Any] | None = None,
    rounds: int = 1,
    **making: Any,
) -> Making:
    profile = "mediterraneo" if rule.startswith("PB-MED") else "andorra_2016"
    return Making(
        kind=FaultKind(
            name=name,
            rule=rule,
            code=code,
            profile=profile,
            variant=variant,
            lawful=frozenset(lawful),
            house=house or {},
            rounds=rounds,
        ),
        **making,
    )


def _shared(prefix: str, rules: Mapping[str, str]) -> tuple[Making, ...]:
    """Faults that both regulations know, under their own rows."""
    rows: list[tuple[str, str, str, tuple[str, ...], Needs, Change]] = [
        ("deal_order", "order", "WRONG_DEAL_ORDER", (), _always, do.two_and_two),
        ("exposed_card", "face_down", "EXPOSED_CARD", (), _always, do.expose_first),
        ("late_bet", "closed", "LATE_BET", (), do.has_plain, do.raise_late),
        ("past_posting", "closed", "LATE_BET", (), do.wins_punto, do.post),
        ("pinched_bet", "closed", "BET_REMOVED_LATE", (), do.has_plain, do.pinch),
        ("paid_before_collect", "losers_first", "PAID_BEFORE_COLLECT", (), do.both_sides, do.pay_first),
        ("cards_cleared_early", "stay", "CARDS_CLEARED_EARLY", (), do.has_winner, do.sweep_first),
        ("push_taken", "stands", "PUSH_TAKEN", (), do.has_push, do.take_push),
        ("push_paid", "stands", "PUSH_PAID", (), do.has_push, do.pay_push),
        ("wrong_winner", "winner", "WRONG_WINNER", (), do.two_sided, do.other_wins),
        ("fourth_card", "most_cards", "WRONG_CARD_COUNT", (), do.can_add_fourth, do.add_fourth),
        ("stuck_cards", "irregular", "STUCK_CARDS", (), _always, do.stick),
        ("card_off_table", "irregular", "CARD_OFF_TABLE", (), _always, do.drop),
        ("void_settled", "irregular", "VOID_NOT_APPLIED", (), do.has_one_winner, do.settle_void),
        ("winner_not_paid", "unpaid", "NOT_PAID", (), do.wins_punto, do.leave_winner),
        ("winner_collected", "unpaid", "WINNER_COLLECTED", (), do.wins_punto, do.take_winner),
        ("loser_not_collected", "takes", "LOSER_NOT_COLLECTED", (), do.has_loser, do.leave_loser),
        ("loser_paid", "takes", "LOSER_PAID", (), do.has_loser, do.pay_loser),
        ("punto_underpaid", "pays_punto", "UNDERPAID", (), do.wins("punto"), do.underpay("punto")),
        ("punto_overpaid", "pays_punto", "OVERPAID", (), do.wins("punto"), do.overpay("punto")),
        ("banca_underpaid", "pays_banca", "UNDERPAID", (), do.wins("banca"), do.underpay("banca")),
        ("banca_overpaid", "pays_banca", "OVERPAID", (), do.wins("banca"), do.overpay("banca")),
        ("tie_underpaid", "pays_tie", "UNDERPAID", (), do.wins("empate"), do.underpay("empate")),
        ("tie_overpaid", "pays_tie", "OVERPAID", (), do.wins("empate"), do.overpay("empate")),
    ]
    return tuple(
        _fault(f"{prefix}{name}", rules[key], code, lawful=lawful, needs=needs, change=change)
        for name, key, code, lawful, needs, change in rows
    )


_ANDORRA = _shared(
    "",
    {
        "order": "PB-AND-DEAL-01",
        "face_down": "PB-AND-DEAL-02",
        "closed": "PB-AND-BET-01",
        "losers_first": "PB-AND-SETTLE-01",
        "stay": "PB-AND-STAY-01",
        "stands": "PB-AND-TIE-01",
        "winner": "PB-AND-WIN-01",
        "most_cards": "PB-AND-DRAW-03",
        "irregular": "PB-AND-ERR-01",
        "unpaid": "PB-AND-BANK-01",
        "takes": "PB-AND-BANK-01",
        "pays_punto": "PB-AND-PAY-02",
        "pays_banca": "PB-AND-PAY-01",
        "pays_tie": "PB-AND-PAY-03",
    },
)

_MEDITERRANEO = _shared(
    "med_",
    {
        "order": "PB-MED-DEAL-01",
        "face_down": "PB-MED-ERR-01",
        "closed": "PB-MED-BET-01",
        "losers_first": "PB-MED-SETTLE-01",
        "stay": "PB-MED-STAY-01",
        "stands": "PB-MED-TIE-01",
        "winner": "PB-MED-VAL-01",
        "most_cards": "PB-MED-ERR-01",
        "irregular": "PB-MED-ERR-01",
        "unpaid": "PB-MED-PAY-01",
        "takes": "PB-MED-SETTLE-01",
        "pays_punto": "PB-MED-PAY-01",
        "pays_banca": "PB-MED-PAY-02",
        "pays_tie": "PB-MED-PAY-03",
    },
)

_DRAW = "WRONG_DRAW"

_ANDORRA_DRAWS = (
    _fault("punto_extra", "PB-AND-DRAW-01", _DRAW, needs=do.punto_stands, change=do.punto_drawn),
    _fault("punto_missing", "PB-AND-DRAW-01", _DRAW, needs=do.punto_draws, change=do.punto_not_drawn),
    _fault("banca_extra", "PB-AND-DRAW-02", _DRAW, needs=do.banca_stands(), change=do.banca_drawn),
    _fault("banca_missing", "PB-AND-DRAW-02", _DRAW, needs=do.banca_draws(), change=do.banca_not_drawn),
    _fault("natural_drawn", "PB-AND-NAT-01", _DRAW, needs=do.natural, change=do.natural_drawn),
)

_MEDITERRANEO_DRAWS = (
    _fault("med_draw_01", "PB-MED-DRAW-01", _DRAW, needs=do.punto_draws, change=do.punto_not_drawn),
    _fault("med_draw_02", "PB-MED-DRAW-02", _DRAW, needs=do.punto_stands, change=do.punto_drawn),
    _fault(
        "med_draw_02_banca",
        "PB-MED-DRAW-02",
        _DRAW,
        needs=do.banca_draws(3, 4, 5, stood=True),
        change=do.banca_not_drawn,
    ),
    _fault("med_draw_03", "PB-MED-DRAW-03", _DRAW, needs=do.natural_at("punto"), change=do.natural_drawn),
    _fault("med_draw_04", "PB-MED-DRAW-04", _DRAW, needs=do.banca_draws(0, 1, 2), change=do.banca_not_drawn),
    _fault("med_draw_05", "PB-MED-DRAW-05", _DRAW, needs=do.banca_stands(3), change=do.banca_drawn),
    _fault("med_draw_06", "PB-MED-DRAW-06", _DRAW, needs=do.banca_stands(4), change=do.banca_drawn),
    _fault(
        "med_draw_06_missing", "PB-MED-DRAW-06", _DRAW, needs=do.banca_draws(4), change=do.banca_not_drawn
    ),
    _fault("med_draw_07", "PB-MED-DRAW-07", _DRAW, needs=do.banca_stands(5), change=do.banca_drawn),
    _fault(
        "med_draw_07_missing", "PB-MED-DRAW-07", _DRAW, needs=do.banca_draws(5), change=do.banca_not_drawn
    ),
    _fault("med_draw_08", "PB-MED-DRAW-08", _DRAW, needs=do.banca_stands(6, 7), change=do.banca_drawn),
    _fault(
        "med_draw_08_missing", "PB-MED-DRAW-08", _DRAW, needs=do.banca_draws(6), change=do.banca_not_drawn
    ),
    _fault("med_draw_09", "PB-MED-DRAW-09", _DRAW, needs=do.natural_at("banca"), change=do.natural_drawn),
)

_COMMISSION = "COMMISSION_WRONG"
_CONTACT = "UNAUTHORISED_CARD_CONTACT"
_POSITION = "HAND_POSITION_WRONG"
_PLAYER = "PUNTO_HAND_WRONG_PLAYER"

_MEDITERRANEO_MORE = (
    _fault(
        "med_two_each",
        "PB-MED-DEAL-02",
        "WRONG_CARD_COUNT",
        lawful=("WRONG_DEAL_ORDER",),
        needs=do.punto_draws,
        change=do.three_first,
    ),
    _fault("med_par_paid", "PB-MED-PAY-02", _COMMISSION, needs=do.wins("banca"), change=do.pay_par),
    _fault("med_commission_short", "PB-MED-PAY-02", _COMMISSION, needs=do.wins_much, change=do.take_less),
    _fault("med_wrong_shower", "PB-MED-HAND-01", _PLAYER, needs=do.has_shower, change=do.other_shows),
    _fault("med_dealer_shows", "PB-MED-HAND-01", _PLAYER, needs=do.has_shower, change=do.dealer_shows),
    _fault("med_punto_misplaced", "PB-MED-HAND-02", _POSITION, change=do.lay("punto")),
    _fault("med_banca_misplaced", "PB-MED-HAND-03", _POSITION, change=do.lay("banca")),
    _fault("med_banca_touched", "PB-MED-HAND-03", _CONTACT, change=do.touch("banca")),
    _fault("med_banca_turner", "PB-MED-HAND-03", _CONTACT, change=do.other_turns),
    _fault(
        "med_shoe_passed_over",
        "PB-MED-SHOE-01",
        "SHOE_WRONG_SEAT",
        house=_cues("shoe_declined"),
        rounds=2,
        previous=do.four_seats,
        turn="over",
        change=do.shoe_seat,
    ),
    _fault("med_tie_not_paid", "PB-MED-PAY-03", "NOT_PAID", needs=do.wins("empate"), change=do.leave_tie),
)

_ANDORRA_MORE = (
    _fault("tie_not_paid", "PB-AND-TIE-01", "NOT_PAID", needs=do.wins("empate"), change=do.leave_tie),
    _fault("cut_depth", "PB-AND-CUT-01", "CUT_CARD_MISPLACED", change=do.cut_now),
    _fault(
        "deal_after_cut_card", "PB-AND-CUT-02", "DEAL_AFTER_CUT_CARD", rounds=2, cut_card=True, within=True
    ),
    _fault("burn_count", "PB-AND-BURN-01", "BURN_COUNT_WRONG", shoe={"burn_error": 1}),
    _fault(
        "burned_astray", "PB-AND-BURN-02", "DISCARD_MISPLACED", shoe={"astray": True}, change=do.names("burn")
    ),
    _fault(
        "not_shuffled",
        "PB-AND-PREP-01",
        "SHUFFLE_INCOMPLETE",
        house=_cues("cards_counted", "cards_shuffled", "cards_cut"),
        shoe={"left_out": "cards_shuffled"},
        change=do.names("shoe"),
    ),
    _fault(
        "cards_left",
        "PB-AND-DEALER-04",
        "CARDS_LEFT_ON_TABLE",
        rounds=2,
        prepare=do.leave_card,
        change=do.names("hand punto"),
    ),
    _fault("misplaced_hand", "PB-AND-DEAL-04", _POSITION, change=do.lay("punto")),
    _fault("hands_swapped", "PB-AND-DEAL-04", _POSITION, lawful=(_POSITION,), change=do.swap),
    _fault(
        "not_admitted",
        "PB-AND-PLAYER-01",
        "BET_NOT_ADMITTED",
        house={"standing_players": False},
        needs=do.has_bet,
        change=do.stands_behind,
    ),
    _fault(
        "tie_bet_over_limit",
        "PB-AND-LIM-01",
        "TIE_BET_OVER_LIMIT",
        house=_LIMITS,
        change=do.bet_too_much("empate", 55),
    ),
    _fault(
        "bet_below_min", "PB-AND-LIM-02", "BET_BELOW_MIN", house=_LIMITS, change=do.bet_too_much("punto", 3)
    ),
    _fault(
        "bet_above_max", "PB-AND-LIM-03", "BET_ABOVE_MAX", house=_LIMITS, change=do.bet_too_much("banca", 505)
    ),
    _fault(
        "bet_not_multiple",
        "PB-AND-LIM-04",
        "BET_NOT_MULTIPLE",
        house={"limits": {"minimum": 5, "maximum": 500, "multiples_of_minimum": True}},
        change=do.bet_too_much("punto", 7),
    ),
    _fault("tip_mishandled", "PB-AND-DEALER-02", "TIP_MISHANDLED", change=do.keep_tip),
    _fault(
        "start_not_announced",
        "PB-AND-DEALER-03",
        "ANNOUNCEMENT_MISSING",
        house=_cues("game_announced", "winner_announced"),
        change=do.unsaid("game_announced"),
    ),
    _fault(
        "winner_not_announced",
        "PB-AND-DEALER-03",
        "ANNOUNCEMENT_MISSING",
        house=_cues("game_announced", "winner_announced"),
        change=do.unsaid("winner_announced"),
    ),
    _fault(
        "wrong_winner_announced",
        "PB-AND-DEALER-03",
        "ANNOUNCEMENT_MISSING",
        house=_cues("game_announced", "winner_announced"),
        change=do.says("winner_announced", "nobody"),
    ),
    _fault(
        "draw_not_announced",
        "PB-AND-CALL-01",
        "ANNOUNCEMENT_MISSING",
        house=_cues("punto_announced", "banca_announced"),
        needs=do.no_natural,
        change=do.unsaid("punto_announced"),
    ),
    _fault(
        "wrong_total_announced",
        "PB-AND-VAL-01",
        "WRONG_WINNER",
        house=_cues("punto_announced", "banca_announced"),
        needs=do.punto_stands,
        change=do.announce_sum,
    ),
    _fault(
        "not_closed",
        "PB-AND-BET-02",
        "DEALT_BEFORE_CLOSE",
        house=_cues("no_more_bets"),
        change=do.unsaid("no_more_bets"),
    ),
    _fault(
        "closed_late",
        "PB-AND-BET-02",
        "DEALT_BEFORE_CLOSE",
        house=_cues("no_more_bets"),
        change=do.close_late,
    ),
    _fault(
        "seventh_card",
        "HOUSE-DECK-01",
        "CARD_COMPOSITION",
        house={"packs": 1},
        rounds=2,
        needs=do.has_punto_card,
        change=do.repeat_card,
    ),
    _fault(
        "line_paid_full",
        "HOUSE-LINE-01",
        "LINE_BET_MISPAID",
        house={"half_lines": ["punto", "banca"]},
        needs=do.line_wins,
        change=do.pay_line_full,
    ),
    _fault(
        "line_taken_whole",
        "HOUSE-LINE-01",
        "LINE_BET_MISPAID",
        house={"half_lines": ["punto", "banca"]},
        needs=do.line_loses,
        change=do.take_line_whole,
    ),
)

_FULL = (
    _fault(
        "wrong_shower", "PB-AND-HAND-01", _PLAYER, variant="full", needs=do.has_shower, change=do.other_shows
    ),
    _fault(
        "dealer_shows", "PB-AND-HAND-01", _PLAYER, variant="full", needs=do.has_shower, change=do.dealer_shows
    ),
    _fault(
        "player_shows", "PB-AND-HAND-02", _PLAYER, variant="full", needs=do.no_shower, change=do.other_shows
    ),
    _fault("reveal_order", "PB-AND-DEAL-03", "REVEAL_ORDER", variant="full", change=do.banca_first),
    _fault("banca_does_not_wait", "PB-AND-DEAL-03", "REVEAL_ORDER", variant="full", change=do.no_waiting),
    _fault("punto_touched", "PB-AND-DEAL-05", _CONTACT, variant="full", change=do.touch("punto")),
    _fault("banca_touched", "PB-AND-DEAL-05", _CONTACT, variant="full", change=do.touch("banca")),
    _fault("banca_turner", "PB-AND-DEAL-05", _CONTACT, variant="full", change=do.other_turns),
    _fault(
        "shoe_kept",
        "PB-AND-SHOE-02",
        "SHOE_NOT_PASSED",
        variant="full",
        rounds=2,
        previous=do.banca_lost,
        turn="kept",
        change=do.shoe_seat,
    ),
    _fault(
        "shoe_passed",
        "PB-AND-SHOE-02",
        "SHOE_NOT_PASSED",
        variant="full",
        rounds=2,
        house=_cues("shoe_declined"),
        previous=do.banca_kept,
        turn="passed",
        change=do.shoe_seat,
    ),
    _fault(
        "shoe_passed_over",
        "PB-AND-SHOE-01",
        "SHOE_WRONG_SEAT",
        variant="full",
        rounds=2,
        house=_cues("shoe_declined"),
        previous=do.four_seats,
        turn="over",
        change=do.shoe_seat,
    ),
    _fault(
        "shoe_carried",
        "PB-AND-DEALER-06",
        "SHOE_MOVED_BY_PLAYER",
        variant="full",
        rounds=2,
        turn="carried",
        change=do.names("shoe"),
    ),
    _fault(
        "wrong_side",
        "PB-AND-DEALER-01",
        "WRONG_DEALER_SIDE",
        variant="full",
        house=_SIDES,
        needs=do.has_winner,
        change=do.other_side,
    ),
)

_REDUCED = (
    _fault("used_card_astray", "PB-AND-TABLE-02", "DISCARD_MISPLACED", variant="mini", change=do.stray),
    _fault("too_many_players", "PB-AND-TABLE-01", "TOO_MANY_PLAYERS", variant="mini", change=do.crowd),
    _fault(
        "too_many_bets",
        "PB-AND-BOX-01",
        "TOO_MANY_BETS_IN_BOX",
        variant="midi",
        house={"limits": {"bets_per_box": 3}},
        needs=do.has_plain,
        change=do.heap(4, 5),
    ),
    _fault(
        "box_above_max",
        "PB-AND-BOX-01",
        "BET_ABOVE_MAX",
        variant="mini",
        house={"limits": {"minimum": 5, "maximum": 500, "bets_per_box": 3}},
        needs=do.has_plain,
        change=do.heap(3, 200),
    ),
    _fault("player_touches", "PB-AND-TOUCH-01", _CONTACT, variant="mini", change=do.touch("banca")),
)

FAULTS: tuple[Making, ...] = (
    *_ANDORRA,
    *_ANDORRA_DRAWS,
    *_ANDORRA_MORE,
    *_FULL,
    *_REDUCED,
    *_MEDITERRANEO,
    *_MEDITERRANEO_DRAWS,
    *_MEDITERRANEO_MORE,
)

BY_NAME: dict[str, Making] = {making.kind.name: making for making in FAULTS}
