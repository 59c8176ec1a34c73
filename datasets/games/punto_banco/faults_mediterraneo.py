"""Casino Mediterráneo's faults: a row for each kind, with the finding that it must give."""

from __future__ import annotations

from datasets.games.punto_banco import card_changes as cards
from datasets.games.punto_banco import chip_changes as chips
from datasets.games.punto_banco import occasions as when
from datasets.games.punto_banco.making import Making, cues, fault, shared

_DRAW = "WRONG_DRAW"
_COMMISSION = "COMMISSION_WRONG"
_CONTACT = "UNAUTHORISED_CARD_CONTACT"
_POSITION = "HAND_POSITION_WRONG"
_PLAYER = "PUNTO_HAND_WRONG_PLAYER"

_MEDITERRANEO = shared(
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

_MEDITERRANEO_DRAWS = (
    fault("med_draw_01", "PB-MED-DRAW-01", _DRAW, needs=when.punto_draws, change=cards.punto_not_drawn),
    fault("med_draw_02", "PB-MED-DRAW-02", _DRAW, needs=when.punto_stands, change=cards.punto_drawn),
    fault(
        "med_draw_02_banca",
        "PB-MED-DRAW-02",
        _DRAW,
        needs=when.banca_draws(3, 4, 5, stood=True),
        change=cards.banca_not_drawn,
    ),
    fault("med_draw_03", "PB-MED-DRAW-03", _DRAW, needs=when.natural_at("punto"), change=cards.natural_drawn),
    fault(
        "med_draw_04", "PB-MED-DRAW-04", _DRAW, needs=when.banca_draws(0, 1, 2), change=cards.banca_not_drawn
    ),
    fault("med_draw_05", "PB-MED-DRAW-05", _DRAW, needs=when.banca_stands(3), change=cards.banca_drawn),
    fault("med_draw_06", "PB-MED-DRAW-06", _DRAW, needs=when.banca_stands(4), change=cards.banca_drawn),
    fault(
        "med_draw_06_missing",
        "PB-MED-DRAW-06",
        _DRAW,
        needs=when.banca_draws(4),
        change=cards.banca_not_drawn,
    ),
    fault("med_draw_07", "PB-MED-DRAW-07", _DRAW, needs=when.banca_stands(5), change=cards.banca_drawn),
    fault(
        "med_draw_07_missing",
        "PB-MED-DRAW-07",
        _DRAW,
        needs=when.banca_draws(5),
        change=cards.banca_not_drawn,
    ),
    fault("med_draw_08", "PB-MED-DRAW-08", _DRAW, needs=when.banca_stands(6, 7), change=cards.banca_drawn),
    fault(
        "med_draw_08_missing",
        "PB-MED-DRAW-08",
        _DRAW,
        needs=when.banca_draws(6),
        change=cards.banca_not_drawn,
    ),
    fault("med_draw_09", "PB-MED-DRAW-09", _DRAW, needs=when.natural_at("banca"), change=cards.natural_drawn),
)

_MEDITERRANEO_MORE = (
    fault(
        "med_two_each",
        "PB-MED-DEAL-02",
        "WRONG_CARD_COUNT",
        lawful=("WRONG_DEAL_ORDER",),
        needs=when.punto_draws,
        change=cards.three_first,
    ),
    fault("med_par_paid", "PB-MED-PAY-02", _COMMISSION, needs=when.wins("banca"), change=chips.pay_par),
    fault("med_commission_short", "PB-MED-PAY-02", _COMMISSION, needs=when.wins_much, change=chips.take_less),
    fault("med_wrong_shower", "PB-MED-HAND-01", _PLAYER, needs=when.has_shower, change=cards.other_shows),
    fault("med_dealer_shows", "PB-MED-HAND-01", _PLAYER, needs=when.has_shower, change=cards.dealer_shows),
    fault("med_punto_misplaced", "PB-MED-HAND-02", _POSITION, change=cards.lay("punto")),
    fault("med_banca_misplaced", "PB-MED-HAND-03", _POSITION, change=cards.lay("banca")),
    fault("med_banca_touched", "PB-MED-HAND-03", _CONTACT, change=cards.touch("banca")),
    fault("med_banca_turner", "PB-MED-HAND-03", _CONTACT, change=cards.other_turns),
    fault(
        "med_shoe_passed_over",
        "PB-MED-SHOE-01",
        "SHOE_WRONG_SEAT",
        house=cues("shoe_declined"),
        rounds=2,
        previous=when.four_seats,
        turn="over",
        change=cards.shoe_seat,
    ),
    fault("med_tie_not_paid", "PB-MED-PAY-03", "NOT_PAID", needs=when.wins("empate"), change=chips.leave_tie),
)

MEDITERRANEO: tuple[Making, ...] = (*_MEDITERRANEO, *_MEDITERRANEO_DRAWS, *_MEDITERRANEO_MORE)
