"""Andorra's faults: a row for each kind, with the finding that it must give."""

from __future__ import annotations

from datasets.games.punto_banco import card_changes as cards
from datasets.games.punto_banco import chip_changes as chips
from datasets.games.punto_banco import occasions as when
from datasets.games.punto_banco.making import Making, cues, fault, shared

_DRAW = "WRONG_DRAW"
_CONTACT = "UNAUTHORISED_CARD_CONTACT"
_POSITION = "HAND_POSITION_WRONG"
_PLAYER = "PUNTO_HAND_WRONG_PLAYER"
_LIMITS = {"limits": {"minimum": 5, "maximum": 500}}
_SIDES = {"dealer_sides": {"left": [5, 6, 7, 8, 9], "right": [1, 2, 3, 4]}}

_ANDORRA = shared(
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

_ANDORRA_DRAWS = (
    fault("punto_extra", "PB-AND-DRAW-01", _DRAW, needs=when.punto_stands, change=cards.punto_drawn),
    fault("punto_missing", "PB-AND-DRAW-01", _DRAW, needs=when.punto_draws, change=cards.punto_not_drawn),
    fault("banca_extra", "PB-AND-DRAW-02", _DRAW, needs=when.banca_stands(), change=cards.banca_drawn),
    fault("banca_missing", "PB-AND-DRAW-02", _DRAW, needs=when.banca_draws(), change=cards.banca_not_drawn),
    fault("natural_drawn", "PB-AND-NAT-01", _DRAW, needs=when.natural, change=cards.natural_drawn),
)

_ANDORRA_MORE = (
    fault("tie_not_paid", "PB-AND-TIE-01", "NOT_PAID", needs=when.wins("empate"), change=chips.leave_tie),
    fault("cut_depth", "PB-AND-CUT-01", "CUT_CARD_MISPLACED", change=cards.cut_now),
    fault(
        "deal_after_cut_card", "PB-AND-CUT-02", "DEAL_AFTER_CUT_CARD", rounds=2, cut_card=True, within=True
    ),
    fault("not_burned", "PB-AND-BURN-01", "BURN_COUNT_WRONG", shoe={"unburned": True}),
    fault("burn_count", "PB-AND-BURN-01", "BURN_COUNT_WRONG", shoe={"burn_error": 1}),
    fault(
        "burned_astray",
        "PB-AND-BURN-02",
        "DISCARD_MISPLACED",
        shoe={"astray": True},
        change=cards.names("burn"),
    ),
    fault(
        "not_shuffled",
        "PB-AND-PREP-01",
        "SHUFFLE_INCOMPLETE",
        house=cues("cards_counted", "cards_shuffled", "cards_cut"),
        shoe={"left_out": "cards_shuffled"},
        change=cards.names("shoe"),
    ),
    fault(
        "cards_left",
        "PB-AND-DEALER-04",
        "CARDS_LEFT_ON_TABLE",
        rounds=2,
        prepare=cards.leave_card,
        change=cards.names("hand punto"),
    ),
    fault("misplaced_hand", "PB-AND-DEAL-04", _POSITION, change=cards.lay("punto")),
    fault("hands_swapped", "PB-AND-DEAL-04", _POSITION, lawful=(_POSITION,), change=cards.swap),
    fault(
        "not_admitted",
        "PB-AND-PLAYER-01",
        "BET_NOT_ADMITTED",
        house={"standing_players": False},
        needs=when.has_bet,
        change=chips.stands_behind,
    ),
    fault(
        "tie_bet_over_limit",
        "PB-AND-LIM-01",
        "TIE_BET_OVER_LIMIT",
        house=_LIMITS,
        change=chips.bet_too_much("empate", 55),
    ),
    fault(
        "bet_below_min",
        "PB-AND-LIM-02",
        "BET_BELOW_MIN",
        house=_LIMITS,
        change=chips.bet_too_much("punto", 3),
    ),
    fault(
        "bet_above_max",
        "PB-AND-LIM-03",
        "BET_ABOVE_MAX",
        house=_LIMITS,
        change=chips.bet_too_much("banca", 505),
    ),
    fault(
        "bet_not_multiple",
        "PB-AND-LIM-04",
        "BET_NOT_MULTIPLE",
        house={"limits": {"minimum": 5, "maximum": 500, "multiples_of_minimum": True}},
        change=chips.bet_too_much("punto", 7),
    ),
    fault("tip_mishandled", "PB-AND-DEALER-02", "TIP_MISHANDLED", change=chips.keep_tip),
    fault(
        "start_not_announced",
        "PB-AND-DEALER-03",
        "ANNOUNCEMENT_MISSING",
        house=cues("game_announced", "winner_announced"),
        change=cards.unsaid("game_announced"),
    ),
    fault(
        "winner_not_announced",
        "PB-AND-DEALER-03",
        "ANNOUNCEMENT_MISSING",
        house=cues("game_announced", "winner_announced"),
        change=cards.unsaid("winner_announced"),
    ),
    fault(
        "wrong_winner_announced",
        "PB-AND-DEALER-03",
        "ANNOUNCEMENT_MISSING",
        house=cues("game_announced", "winner_announced"),
        change=cards.says("winner_announced", "nobody"),
    ),
    fault(
        "draw_not_announced",
        "PB-AND-CALL-01",
        "ANNOUNCEMENT_MISSING",
        house=cues("punto_announced", "banca_announced"),
        needs=when.no_natural,
        change=cards.unsaid("punto_announced"),
    ),
    fault(
        "wrong_total_announced",
        "PB-AND-VAL-01",
        "WRONG_WINNER",
        house=cues("punto_announced", "banca_announced"),
        needs=when.punto_stands,
        change=cards.announce_sum,
    ),
    fault(
        "not_closed",
        "PB-AND-BET-02",
        "DEALT_BEFORE_CLOSE",
        house=cues("no_more_bets"),
        change=cards.unsaid("no_more_bets"),
    ),
    fault(
        "closed_late",
        "PB-AND-BET-02",
        "DEALT_BEFORE_CLOSE",
        house=cues("no_more_bets"),
        change=cards.close_late,
    ),
    fault(
        "seventh_card",
        "HOUSE-DECK-01",
        "CARD_COMPOSITION",
        house={"packs": 1},
        rounds=2,
        needs=when.has_punto_card,
        change=cards.repeat_card,
    ),
    fault(
        "line_paid_full",
        "HOUSE-LINE-01",
        "LINE_BET_MISPAID",
        house={"half_lines": ["punto", "banca"]},
        needs=when.line_wins,
        change=chips.pay_line_full,
    ),
    fault(
        "line_taken_whole",
        "HOUSE-LINE-01",
        "LINE_BET_MISPAID",
        house={"half_lines": ["punto", "banca"]},
        needs=when.line_loses,
        change=chips.take_line_whole,
    ),
)

_FULL = (
    fault(
        "wrong_shower",
        "PB-AND-HAND-01",
        _PLAYER,
        variant="full",
        needs=when.has_shower,
        change=cards.other_shows,
    ),
    fault(
        "dealer_shows",
        "PB-AND-HAND-01",
        _PLAYER,
        variant="full",
        needs=when.has_shower,
        change=cards.dealer_shows,
    ),
    fault(
        "player_shows",
        "PB-AND-HAND-02",
        _PLAYER,
        variant="full",
        needs=when.no_shower,
        change=cards.other_shows,
    ),
    fault("reveal_order", "PB-AND-DEAL-03", "REVEAL_ORDER", variant="full", change=cards.banca_first),
    fault("banca_does_not_wait", "PB-AND-DEAL-03", "REVEAL_ORDER", variant="full", change=cards.no_waiting),
    fault("punto_touched", "PB-AND-DEAL-05", _CONTACT, variant="full", change=cards.touch("punto")),
    fault("banca_touched", "PB-AND-DEAL-05", _CONTACT, variant="full", change=cards.touch("banca")),
    fault("banca_turner", "PB-AND-DEAL-05", _CONTACT, variant="full", change=cards.other_turns),
    fault(
        "shoe_kept",
        "PB-AND-SHOE-02",
        "SHOE_NOT_PASSED",
        variant="full",
        rounds=2,
        previous=when.banca_lost,
        turn="kept",
        change=cards.shoe_seat,
    ),
    fault(
        "shoe_passed",
        "PB-AND-SHOE-02",
        "SHOE_NOT_PASSED",
        variant="full",
        rounds=2,
        house=cues("shoe_declined"),
        previous=when.banca_kept,
        turn="passed",
        change=cards.shoe_seat,
    ),
    fault(
        "shoe_passed_over",
        "PB-AND-SHOE-01",
        "SHOE_WRONG_SEAT",
        variant="full",
        rounds=2,
        house=cues("shoe_declined"),
        previous=when.four_seats,
        turn="over",
        change=cards.shoe_seat,
    ),
    fault(
        "shoe_carried",
        "PB-AND-DEALER-06",
        "SHOE_MOVED_BY_PLAYER",
        variant="full",
        rounds=2,
        turn="carried",
        change=cards.names("shoe"),
    ),
    fault(
        "wrong_side",
        "PB-AND-DEALER-01",
        "WRONG_DEALER_SIDE",
        variant="full",
        house=_SIDES,
        needs=when.has_winner,
        change=chips.other_side,
    ),
)

_REDUCED = (
    fault("used_card_astray", "PB-AND-TABLE-02", "DISCARD_MISPLACED", variant="mini", change=cards.stray),
    fault("too_many_players", "PB-AND-TABLE-01", "TOO_MANY_PLAYERS", variant="mini", change=chips.crowd),
    fault(
        "too_many_bets",
        "PB-AND-BOX-01",
        "TOO_MANY_BETS_IN_BOX",
        variant="midi",
        house={"limits": {"bets_per_box": 3}},
        needs=when.has_plain,
        change=chips.heap(4, 5),
    ),
    fault(
        "box_above_max",
        "PB-AND-BOX-01",
        "BET_ABOVE_MAX",
        variant="mini",
        house={"limits": {"minimum": 5, "maximum": 500, "bets_per_box": 3}},
        needs=when.has_plain,
        change=chips.heap(3, 200),
    ),
    fault("player_touches", "PB-AND-TOUCH-01", _CONTACT, variant="mini", change=cards.touch("banca")),
)

ANDORRA: tuple[Making, ...] = (*_ANDORRA, *_ANDORRA_DRAWS, *_ANDORRA_MORE, *_FULL, *_REDUCED)
