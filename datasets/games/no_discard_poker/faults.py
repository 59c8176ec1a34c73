"""The faults of no-discard poker: each one changes one thing of a round by the book."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.no_discard_poker.session import HOUSE, Recipe
from datasets.games.no_discard_poker.table import Bought, Play

RECIPES: dict[str, Recipe] = {}
Change = Callable[[Play], None]

_BANK_OUT = {"banca": "Qs Jh 9h 5s 2c", "seat_2": "Kc Jd 8s 6h 4h"}
_TIE = {"seat_1": "Ah Ks 9d 5c 2s"}
_FULL = {"seat_1": "Tc Td Th 8h 8d"}
_FOUR = {"seat_1": "Tc Td Th Ts 8d"}


def _same(_: Play) -> None:
    return


def _gain(bet: str, gain: Callable[[int], int], seat: int = 1) -> Change:
    """What the bank gives to a bet, from what is due."""

    def change(play: Play) -> None:
        play.gains[seat, bet] = gain(play.gains[seat, bet])

    return change


def _both(change: Callable[[int, int], tuple[int, int]], seat: int = 1) -> Change:
    def apply(play: Play) -> None:
        stakes = sum(play.antes[seat]), play.second[seat]
        play.gains[seat, "ante"], play.gains[seat, "second"] = change(*stakes)

    return apply


def _void(play: Play) -> None:
    play.void = True


def _put(name: str, value: object) -> Change:
    def change(play: Play) -> None:
        setattr(play, name, value)

    return change


def _cue(*cues: tuple[str, str | None, str | None]) -> Change:
    return _put("cues", list(cues))


def _all(*changes: Change) -> Change:
    def change(play: Play) -> None:
        for one in changes:
            one(play)

    return change


def _fault(
    name: str,
    rule: str,
    code: str,
    spot: str | None,
    before: Change = _same,
    after: Change = _same,
    fixed: Mapping[str, str] | None = None,
    lawful: Iterable[str] = (),
    house: Mapping[str, Any] | None = None,
) -> None:
    kind = FaultKind(
        name=name,
        rule=f"NP-{rule}",
        code=code,
        profile="andorra_2016",
        lawful=frozenset(lawful),
        house={**HOUSE, **(house or {})},
    )
    RECIPES[name] = Recipe(kind, before, after, spot, fixed or {})


def _order(change: Callable[[list[str]], None]) -> Change:
    return lambda play: change(play.order)


def _swap(order: list[str]) -> None:
    order[4], order[5] = order[5], order[4]


def _up(*cards: tuple[str, int]) -> Change:
    return lambda play: play.up.update(cards)


def _antes(*amounts: int, seat: int = 1) -> Change:
    def change(play: Play) -> None:
        play.antes[seat], play.second[seat] = list(amounts), 2 * sum(amounts)

    return change


def _exchange(away: int, cards: int, price: int = 0) -> Change:
    """``price``: more or less than the ante."""

    def change(play: Play) -> None:
        play.bought[1] = Bought(
            list(range(4, 4 - away, -1)), ["2h", "4c"][:cards], sum(play.antes[1]) + price
        )

    return change


def _late(bet: str, amount: int) -> Change:
    return lambda play: play.late.append((1, bet, amount))


_ANTE, _SECOND, _BANK = "seat 1 ante", "seat 1 second", "hand banca"
_insured = _put("insurance", {1: 5})

# the cards
_fault("card_twice", "DECK-01", "CARD_COMPOSITION", "hand seat_2", fixed={"seat_2": "Tc Jd 8s 6h 4h"})
_fault("wrong_order", "DEAL-01", "WRONG_DEAL_ORDER", None, _order(_swap), _void)
_fault(
    "sixth_card",
    "DEAL-01",
    "WRONG_CARD_COUNT",
    "hand seat_1",
    _order(lambda o: o.insert(-1, "seat_1")),
    _void,
)
_fault(
    "card_missing", "DEAL-01", "WRONG_CARD_COUNT", "hand seat_3", _order(lambda o: o.__delitem__(-2)), _void
)
_fault("exposed_card", "DEAL-02", "EXPOSED_CARD", "hand seat_2", _up(("seat_2", 1)), _void)
_fault("bank_exposed", "DEAL-02", "EXPOSED_CARD", _BANK, _up(("banca", 0)), _void)
_fault("fifth_hidden", "DEAL-02", "CARD_FACE_WRONG", _BANK, lambda p: p.up.clear(), _void)
_fault("void_ignored", "VOID-01", "VOID_NOT_APPLIED", None, _up(("seat_2", 1)), lawful=["EXPOSED_CARD"])
_fault("off_table", "TOUCH-01", "CARD_OFF_TABLE", "hand seat_2", _put("off_table", [2]))
_fault(
    "shown_by_player",
    "INFO-01",
    "PLAYER_CARD_EXPOSED",
    "hand seat_1",
    _put("turned", [(1, 0)]),
    _both(lambda ante, second: (-ante, -second)),
)
_fault("reveal_too_early", "REV-01", "REVEAL_ORDER", _BANK, _put("late_seats", {2}))
# who passes
_fault("passed_ante_left", "DEC-02", "LOSER_NOT_COLLECTED", "seat 3 ante", _put("left_antes", {3}))
_fault("passed_ante_late", "DEC-02", "LOSER_NOT_COLLECTED", "seat 3 ante", _put("late_antes", {3}))
_fault("passed_cards_left", "DEC-02", "WRONG_CARD_COUNT", "hand seat_3", _put("short", {3}))
# who wins
_fault(
    "combinations_confused",
    "RANK-01",
    "WRONG_WINNER",
    _ANTE,
    after=_both(lambda ante, second: (-ante, -second)),
)
_fault(
    "lower_hand_paid",
    "WIN-01",
    "WRONG_WINNER",
    "seat 2 ante",
    after=_both(lambda ante, second: (ante, second), 2),
    fixed={"banca": "9c 9d 7h 5s 2c"},
)
_fault(
    "last_card_decides",
    "WIN-02",
    "WRONG_WINNER",
    _ANTE,
    after=_both(lambda ante, second: (-ante, -second)),
    fixed={"seat_1": "Ah Ks 9d 5c 3s"},
)
_fault("tie_taken", "TIE-01", "PUSH_TAKEN", _ANTE, after=_both(lambda ante, _: (-ante, 0)), fixed=_TIE)
_fault("tie_paid", "TIE-01", "PUSH_PAID", _SECOND, after=_both(lambda _, second: (0, second)), fixed=_TIE)
_fault(
    "bank_played_not",
    "QUAL-01",
    "WRONG_QUALIFICATION",
    _BANK,
    after=_all(_both(lambda ante, _: (ante, 0)), _both(lambda ante, _: (ante, 0), 2)),
)
_fault(
    "bank_played_all_the_same",
    "QUAL-01",
    "WRONG_QUALIFICATION",
    _BANK,
    after=_both(lambda ante, second: (-ante, -second), 2),
    fixed=_BANK_OUT,
)
# what is paid
_fault("par_short", "QUAL-02", "UNDERPAID", _ANTE, after=_gain("ante", lambda n: n - 5), fixed=_BANK_OUT)
_fault("par_not_paid", "QUAL-02", "UNDERPAID", _ANTE, after=_gain("ante", lambda _: 0), fixed=_BANK_OUT)
_fault("par_too_much", "QUAL-02", "OVERPAID", _ANTE, after=_gain("ante", lambda n: n + 5), fixed=_BANK_OUT)
_fault("second_taken", "QUAL-02", "PUSH_TAKEN", _SECOND, after=_gain("second", lambda _: -1), fixed=_BANK_OUT)
_fault("second_short", "PAY-01", "UNDERPAID", _SECOND, after=_gain("second", lambda n: n - 5))
_fault("second_too_much", "PAY-01", "OVERPAID", _SECOND, after=_gain("second", lambda n: n + 5))
_fault("ante_not_paid", "PAY-01", "NOT_PAID", _ANTE, after=_gain("ante", lambda _: 0))
_fault(
    "other_pay_table",
    "PAY-01",
    "OVERPAID",
    _SECOND,
    after=_gain("second", lambda n: n // 7 * 10),
    fixed=_FULL,
)
_fault("loser_left", "PAY-02", "LOSER_NOT_COLLECTED", "seat 2 second", after=_gain("second", lambda _: 0, 2))
_fault("loser_paid", "PAY-02", "LOSER_PAID", "seat 2 ante", after=_gain("ante", lambda n: -n, 2))
_fault("paid_first", "SETTLE-01", "PAID_BEFORE_COLLECT", None, after=_put("pay_first", True))
# bets
_fault("raised_late", "BET-01", "LATE_BET", _ANTE, _late("ante", 5))
_fault("taken_back_late", "BET-01", "BET_REMOVED_LATE", _ANTE, _late("ante", 0))
_fault("insured_late", "BET-01", "LATE_BET", "seat 1 insurance", _late("insurance", 5))
_fault("second_too_low", "DEC-01", "SECOND_BET_WRONG_AMOUNT", _SECOND, lambda p: p.second.update({1: 15}))
_fault("below_minimum", "LIM-01", "BET_BELOW_MIN", _ANTE, _antes(5))
_fault("above_maximum", "LIM-01", "BET_ABOVE_MAX", _ANTE, _antes(255))
_fault("two_bets", "BOX-02", "TOO_MANY_BETS_IN_BOX", _ANTE, _antes(10, 20))
_fault("fourth_box", "BOX-01", "TOO_MANY_PLAYERS", "seat 3 ante", house={"boxes": 2})
_fault("eight_players", "BOX-01", "TOO_MANY_PLAYERS", None, _cue(("players", "8", None)))
_fault(
    "no_such_space",
    "TABLE-01",
    "CONFIG_INVALID",
    "seat 1 insurance",
    _insured,
    house={"spaces": ["ante", "second", "progressive", "exchange"]},
)
_fault(
    "band",
    "LIM-02",
    "CONFIG_INVALID",
    None,
    house={"limits": {"minimum": 10, "maximum": 300}},
)
# what is told
_fault("comment", "INFO-02", "ADVICE_GIVEN", None, _put("heard", [("comment", "seat 2", None)]))
_fault(
    "told_and_kept",
    "VOID-02",
    "PLAYER_CARD_EXPOSED",
    _ANTE,
    _put("heard", [("information", None, "hand seat_1")]),
)
_fault(
    "blind_not_admitted",
    "BOX-03",
    "BET_NOT_ADMITTED",
    _ANTE,
    _cue(("blind_bet", "seat 2", _ANTE)),
    house={"blind_bets": False},
)
_fault(
    "two_blind_bets",
    "BOX-03",
    "BET_NOT_ADMITTED",
    "seat 3 ante",
    _cue(("blind_bet", "seat 2", _ANTE), ("blind_bet", "seat 2", "seat 3 ante")),
)
_fault(
    "blind_cards_touched",
    "BOX-03",
    "PLAYER_CARD_EXPOSED",
    "hand seat_1",
    _all(_cue(("blind_bet", "seat 2", _ANTE)), _put("touched", [1])),
)
# insurance and progressive
_fault("insurance_too_high", "INS-01", "INSURANCE_OVER_LIMIT", "seat 1 insurance", _put("insurance", {1: 6}))
_fault(
    "insurance_short",
    "INS-02",
    "INSURANCE_MISPAID",
    "seat 1 insurance",
    _insured,
    _gain("insurance", lambda n: n - 5),
    _FULL,
)
_fault(
    "insurance_not_paid",
    "INS-02",
    "INSURANCE_MISPAID",
    "seat 1 insurance",
    _insured,
    _gain("insurance", lambda _: 0),
    _FOUR,
)
_fault(
    "insurance_paid_for_less",
    "INS-02",
    "INSURANCE_MISPAID",
    "seat 1 insurance",
    _insured,
    _gain("insurance", lambda _: 5),
)
_fault(
    "progressive_too_high",
    "PROG-02",
    "INSURANCE_OVER_LIMIT",
    "seat 1 progressive",
    _put("progressive", {1: 6}),
)
_fault(
    "prize_short",
    "PROG-02",
    "PROGRESSIVE_MISPAID",
    "seat 1 progressive",
    _put("progressive", {1: 5}),
    lambda p: p.prizes.update({1: 400}),
    _FOUR,
)
_fault(
    "progressive_alone", "PROG-01", "SIDE_BET_WITHOUT_ANTE", "seat 5 progressive", _put("progressive", {5: 5})
)
# the bought card
_fault("price_short", "DISC-01", "EXCHANGE_PRICE_WRONG", "seat 1 exchange", _exchange(1, 1, -5))
_fault("two_bought", "DISC-01", "WRONG_CARD_COUNT", "hand seat_1", _exchange(2, 2))
_fault("none_put_away", "DISC-01", "WRONG_CARD_COUNT", "hand seat_1", _exchange(0, 1), lawful=[])
_fault(
    "bought_where_it_is_not_offered",
    "DEAL-01",
    "WRONG_CARD_COUNT",
    "hand seat_1",
    _exchange(1, 1),
    lawful=["VOID_NOT_APPLIED"],
    house={"exchange": {"offered": False}},
)
