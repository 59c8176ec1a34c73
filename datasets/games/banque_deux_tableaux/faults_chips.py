"""Faults with chips: bets, lines, settlement, and the bank."""

from __future__ import annotations

from datasets.games.banque_deux_tableaux.cards import Bet
from datasets.games.banque_deux_tableaux.coup import Coup, CueText
from datasets.games.banque_deux_tableaux.recipes import LOW, STANDS, kind, plain_bets, totals, with_bet
from datasets.games.banque_deux_tableaux.session import Change, Dealer, Recipe, Wanted

_SPLIT = totals({9}, {6, 7}, {8})
"""The first tableau wins, the second loses."""
_FIRST_WINS = totals({9}, STANDS, LOW)
_BANK_WINS = totals(STANDS, STANDS, {9})
_BOTH_WIN = totals({9}, {9}, LOW)
_TIE = totals({7}, {6}, {7})
_AWARDED: CueText = ("bank_awarded", "another banker", None)


def _nothing(_dealer: Dealer, coup: Coup) -> str | None:
    return coup.bets[0].spot


def _set(spot: str | None, **changes: object) -> Change:
    def change(_dealer: Dealer, coup: Coup) -> str | None:
        for name, value in changes.items():
            setattr(coup, name, value)
        return spot

    return change


def _tie(gain: int) -> Change:
    def change(_dealer: Dealer, coup: Coup) -> str | None:
        coup.thirds, coup.says = [], []
        coup.bets[0].gain = gain
        return coup.bets[0].spot

    return change


def _bet(
    name: str,
    rule: str,
    code: str,
    bet: Bet,
    wanted: Wanted = _FIRST_WINS,
    change: Change = _nothing,
    lawful: tuple[str, ...] = (),
) -> Recipe:
    """A fault with one bet."""

    def bets() -> list[Bet]:
        return with_bet(Bet(bet.spot, bet.amount, bet.line, bet.gain))

    return Recipe(kind(name, rule, code, lawful), change, wanted, bets)


def _own(amount: int = 100, line: str | None = None, gain: int | None = None) -> Bet:
    return Bet("seat 1 tableau_1", amount, line, gain)


def _small() -> list[Bet]:
    return [Bet(bet.spot, 10) for bet in plain_bets()]


def _large() -> list[Bet]:
    return [Bet(bet.spot, 600) for bet in plain_bets()]


def _quarter() -> list[Bet]:
    return [Bet(bet.spot, 250) for bet in plain_bets()]


def _wrongly_won() -> list[Bet]:
    return [
        Bet(bet.spot, bet.amount, None, -bet.amount if "_1" in bet.spot else None) for bet in plain_bets()
    ]


CHIPS: tuple[Recipe, ...] = (
    _bet("shared bet as one", "BT-LINE-01", "LINE_BET_MISPAID", _own(100, "other_tableau", 100), _SPLIT),
    _bet("half bet in full", "BT-LINE-02", "LINE_BET_MISPAID", _own(100, "player", 100)),
    _bet("half bet lost in full", "BT-LINE-02", "LINE_BET_MISPAID", _own(100, "player", -100), _BANK_WINS),
    _bet(
        "odd unit on the second",
        "BT-LINE-03",
        "LINE_BET_MISPAID",
        Bet("box a tableau_1", 70, "tableaux", -10),
        _SPLIT,
    ),
    _bet(
        "settled by its own tableau",
        "BT-BET-01",
        "LOSER_PAID",
        Bet("seat 1 tableau_2", 100, None, 100),
        _SPLIT,
    ),
    _bet("late bet", "BT-BET-02", "LATE_BET", _own(), change=_set("seat 1 tableau_1", late_bet=True)),
    _bet(
        "bet taken back",
        "BT-BET-02",
        "BET_REMOVED_LATE",
        _own(),
        change=_set("seat 1 tableau_1", pulled_bet=True),
    ),
    _bet("bet beside the banker", "BT-BET-03", "BET_MISPLACED", Bet("box a beside_banker", 50, None, 0)),
    _bet("bet beside the dealer", "BT-BET-03", "BET_MISPLACED", Bet("box a beside_dealer", 50, None, 0)),
    _bet("no such department", "BT-TABLE-01", "CONFIG_INVALID", Bet("seat 11 tableau_2", 100)),
    _bet("bet too small", "BT-LIM-01", "BET_BELOW_MIN", _own(5)),
    _bet("bet too large", "BT-LIM-01", "BET_ABOVE_MAX", _own(6000)),
    _bet("paid too little", "BT-SETTLE-01", "UNDERPAID", _own(100, None, 90)),
    _bet("paid too much", "BT-SETTLE-01", "OVERPAID", _own(100, None, 110)),
    _bet("not paid", "BT-SETTLE-01", "NOT_PAID", _own(100, None, 0)),
    _bet("loser left", "BT-SETTLE-01", "LOSER_NOT_COLLECTED", _own(100, None, 0), _BANK_WINS),
    _bet("loser paid", "BT-SETTLE-01", "LOSER_PAID", _own(100, None, 100), _BANK_WINS),
    _bet("winner taken", "BT-SETTLE-01", "WINNER_COLLECTED", _own(100, None, -100)),
    _bet("tie taken", "BT-SETTLE-01", "PUSH_TAKEN", _own(), _TIE, _tie(-100)),
    _bet("tie paid", "BT-SETTLE-01", "PUSH_PAID", _own(), _TIE, _tie(100)),
    Recipe(
        kind("settled for the other", "BT-SETTLE-01", "WRONG_WINNER"),
        _set("hand tableau_1"),
        totals({9}, STANDS, STANDS),
        _wrongly_won,
    ),
    Recipe(
        kind("more than the bank holds", "BT-MODE-01", "BANK_OVERDRAWN"),
        _set("bank", deposit=1000),
        _BOTH_WIN,
        _large,
    ),
    Recipe(
        kind("bank too large", "BT-MODE-02", "BET_ABOVE_MAX"),
        _set("bank", deposit=60000, early=[_AWARDED]),
        bets=_small,
    ),
    Recipe(
        kind("bank too small", "BT-LIM-02", "BANK_AMOUNT_TOO_LOW"),
        _set("bank", deposit=500, early=[_AWARDED]),
        bets=_small,
    ),
    Recipe(
        kind("deposit too small", "BT-BANK-04", "BANK_AMOUNT_TOO_LOW", rounds=2),
        _set("bank", deposit=500),
        bets=_small,
        ahead=_set(None, deposit=1000),
        wanted_ahead=_BOTH_WIN,
        bets_ahead=_quarter,
    ),
    Recipe(
        kind("another amount than offered", "BT-BANK-05", "AUCTION_IRREGULAR", rounds=2),
        _set("bank", deposit=15000, early=[_AWARDED]),
        bets=_small,
        ahead=_set(None, after=[("bank_abandoned", None, None)]),
        bets_ahead=_small,
    ),
    Recipe(
        kind("auctioned within the shoe", "BT-BANK-05", "AUCTION_IRREGULAR", rounds=2),
        _set("bank", early=[("bank_auctioned", "another banker", None)]),
        bets=_small,
        ahead=_set(None, after=[("bank_abandoned", None, None)]),
        bets_ahead=_small,
    ),
    Recipe(
        kind("banker again", "BT-BANK-03", "BANKER_RETURNED", rounds=3),
        _set("bank", deposit=20000, early=[("bank_awarded", "the first banker", None)]),
        bets=_small,
        ahead=_set(None, deposit=30000, after=[("banker_withdrew", "the first banker", None)]),
        bets_ahead=_small,
    ),
    Recipe(
        kind("winnings kept apart", "BT-BANK-06", "CHIPS_MISPLACED"),
        _set("bank", joins=False),
        _BANK_WINS,
        plain_bets,
    ),
    Recipe(
        kind("no deduction", "BT-COM-01", "COMMISSION_WRONG"),
        _set("cagnotte", deduction=0),
        _BANK_WINS,
        plain_bets,
    ),
    Recipe(
        kind("deduction too large", "BT-COM-01", "COMMISSION_WRONG"),
        _set("cagnotte", deduction=20),
        _BANK_WINS,
        plain_bets,
    ),
)
