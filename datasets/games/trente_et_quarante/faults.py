"""The faults of trente et quarante, each with the finding that it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from datasets.games.base import FaultKind
from datasets.games.trente_et_quarante.table import PLACES, Bet, Coup, worth

HOUSE: dict[str, Any] = {
    "limits": {"minimum": 10},
    "areas": ["rouge", "noir", "couleur", "inverse"],
    "cues": ["premium", "cards_cut", "row_announced", "chances_announced"],
}
"""A table where everything is set and told."""

Wanted = Callable[[list[str], list[str]], bool]
Change = Callable[[Coup], str | None]
A = "box a noir"
COLOURS = ("couleur", "inverse")


@dataclass(frozen=True)
class Recipe:
    """How a kind of fault is made. ``wanted``: rows it takes; ``ahead``: of the coup before it."""

    kind: FaultKind
    change: Change
    wanted: Wanted
    bets: Callable[[], list[Bet]] | None = None
    ahead: Wanted | None = None
    cut_by: str | None = "nearest_right"


def _bet(chance: str, amount: int = 100, gain: int | None = None, *, marked: bool = False) -> Bet:
    return Bet(f"box a {chance}", amount, PLACES[f"box a {chance}"], gain, marked)


def _four() -> list[Bet]:
    return [_bet(chance) for chance in ("noir", "rouge", "couleur", "inverse")]


def _wins(row: str, colour: str = "couleur") -> Wanted:
    def wanted(noir: list[str], rouge: list[str]) -> bool:
        return Coup(0, noir, rouge, []).winners == (row, colour)

    return wanted


def _word(word: str) -> Wanted:
    return lambda noir, rouge: Coup(0, noir, rouge, []).word == word


def _set(spot: str | None, **changes: object) -> Change:
    def change(coup: Coup) -> str | None:
        for name, value in changes.items():
            setattr(coup, name, value)
        return spot

    return change


def _recipe(
    name: str,
    rule: str,
    code: str,
    change: Change,
    wanted: Wanted | None = None,
    bets: Callable[[], list[Bet]] = _four,
    *,
    lawful: tuple[str, ...] = (),
    ahead: Wanted | None = None,
    rounds: int = 1,
    cut_by: str | None = "nearest_right",
    house: dict[str, Any] | None = None,
) -> Recipe:
    kind = FaultKind(
        name=name,
        rule=rule,
        code=code,
        profile="spain_1979",
        lawful=frozenset(lawful),
        house={**HOUSE, **(house or {})},
        rounds=rounds,
    )
    return Recipe(kind, change, wanted or _wins("noir"), bets, ahead, cut_by)


def _money(name: str, rule: str, code: str, first: Bet, word: Wanted | None = None) -> Recipe:
    """A fault with the first bet alone."""

    def bets() -> list[Bet]:
        rest = [bet for bet in _four() if bet.spot != first.spot]
        return [Bet(first.spot, first.amount, first.at, first.gain, first.marked), *rest]

    return _recipe(name, rule, code, _set(first.spot), word, bets)


def _swapped(*chances: str) -> Callable[[], list[Bet]]:
    def bets() -> list[Bet]:
        made = []
        for bet in _four():
            if bet.chance in chances:
                bet.gain = 100 if bet.chance in ("rouge", "inverse") else -100
            made.append(bet)
        return made

    return bets


def _ace_high(noir: list[str], rouge: list[str]) -> bool:
    high = [sum(11 if card[0] == "A" else worth(card) for card in row) for row in (noir, rouge)]
    return _wins("noir")(noir, rouge) and high[0] > high[1]


def _any(_noir: list[str], _rouge: list[str]) -> bool:
    return True


def _plain(noir: list[str], rouge: list[str]) -> bool:
    return _wins("noir")(noir, rouge) and all(card[0] not in "AJQK" for card in (*noir, *rouge))


def _extra(coup: Coup) -> str | None:
    coup.rouge.append("2c")
    return "hand rouge"


def _short(coup: Coup) -> str | None:
    coup.rouge.pop()
    return "hand rouge"


def _black_short(coup: Coup) -> str | None:
    coup.noir.pop()
    return "hand noir"


def _strange(coup: Coup) -> str | None:
    coup.bets.append(Bet("box a pair", 50, (100.0, 100.0), 0))
    return "box a pair"


def _seven(coup: Coup) -> str | None:
    coup.noir, coup.rouge = ["4c"] * 8, ["4c", "9d", "9h", "8d", "2h"]
    return None


def _void(coup: Coup) -> None:
    coup.red_at = len(coup.noir) + 2


def _void_settled(coup: Coup) -> str | None:
    _void(coup)
    coup.settled_void = True
    coup.bets[0].gain = 100
    return A


def _not_laid(coup: Coup) -> str | None:
    _void(coup)
    coup.lay = 0
    return "table"


def _misplaced(coup: Coup) -> str | None:
    _void(coup)
    coup.lay = 8
    return "shoe"


def _prison(gain: int) -> Change:
    def change(coup: Coup) -> str | None:
        coup.bets[0].gain = gain
        return A

    return change


def _two_noir() -> list[Bet]:
    x, y = PLACES[A]
    return [Bet(A, 100, (x, y)), Bet("box b noir", 100, (1900.0, 340.0))]


_MORE = ("CARD_COMPOSITION",)

RECIPES: dict[str, Recipe] = {
    recipe.kind.name: recipe
    for recipe in (
        _recipe(
            "a seventh four", "TQ-DECK-01", "CARD_COMPOSITION", _seven, _any, lawful=("CARD_COMPOSITION",)
        ),
        _recipe(
            "ace for eleven", "TQ-VAL-01", "WRONG_WINNER", _set(None), _ace_high, _swapped("noir", "rouge")
        ),
        _recipe(
            "bet in no place",
            "TQ-TABLE-01",
            "CONFIG_INVALID",
            _strange,
        ),
        _recipe("cards put elsewhere", "TQ-TABLE-02", "DISCARD_MISPLACED", _set(None, discards="float")),
        _recipe("dealer settles", "TQ-STAFF-02", "WRONG_DEALER_SIDE", _set("shoe", one_side=True)),
        _recipe("card beside the rows", "TQ-ROW-01", "HAND_POSITION_WRONG", _set("table", beside=True)),
        _recipe("red first", "TQ-ROW-02", "WRONG_DEAL_ORDER", _set("hand rouge", first_rouge=True)),
        _recipe("card face down", "TQ-ROW-02", "CARD_FACE_WRONG", _set("hand noir", dark=True)),
        _recipe("card too many", "TQ-ROW-03", "WRONG_DRAW", _extra),
        _recipe("red row too short", "TQ-ROW-03", "WRONG_DRAW", _short),
        _recipe("black row too short", "TQ-ROW-03", "WRONG_DRAW", _black_short),
        _recipe("wrong row", "TQ-WIN-01", "WRONG_WINNER", _set(None), _plain, _swapped("noir", "rouge")),
        _recipe(
            "wrong colour", "TQ-WIN-02", "WRONG_WINNER", _set(None), None, _swapped("couleur", "inverse")
        ),
        _money("paid too little", "TQ-PAY-01", "UNDERPAID", _bet("noir", 100, 90)),
        _money("paid too much", "TQ-PAY-01", "OVERPAID", _bet("noir", 100, 110)),
        _money("not paid", "TQ-PAY-01", "NOT_PAID", _bet("noir", 100, 0)),
        _money("loser left", "TQ-PAY-02", "LOSER_NOT_COLLECTED", _bet("rouge", 100, 0)),
        _money("loser paid", "TQ-PAY-02", "LOSER_PAID", _bet("rouge", 100, 100)),
        _money("tie taken", "TQ-TIE-01", "PUSH_TAKEN", _bet("noir", 100, -100), _word("null")),
        _money("tie paid", "TQ-TIE-01", "PUSH_PAID", _bet("noir", 100, 100), _word("null")),
        _money("all taken at 31", "TQ-TIE-02", "REFAIT_MISPAID", _bet("noir", 100, -100), _word("refait")),
        _recipe(
            "prisoner paid",
            "TQ-TIE-03",
            "REFAIT_MISPAID",
            _prison(100),
            ahead=_word("refait"),
            bets=lambda: [_bet("rouge")],
            rounds=2,
        ),
        _recipe(
            "wrong premium",
            "TQ-INS-01",
            "INSURANCE_MISPAID",
            _set(A, premium=5),
            bets=lambda: [_bet("noir", 100, marked=True), _bet("rouge")],
        ),
        _recipe("insured late", "TQ-INS-02", "LATE_BET", _set(A, late="marker")),
        _money(
            "insured bet halved",
            "TQ-INS-03",
            "INSURANCE_MISPAID",
            _bet("noir", 100, -50, marked=True),
            _word("refait"),
        ),
        _money("bet too small", "TQ-LIM-01", "BET_BELOW_MIN", _bet("noir", 5)),
        _money("bet too large", "TQ-LIM-01", "BET_ABOVE_MAX", _bet("noir", 10005)),
        _recipe("cut by another", "TQ-SHUF-01", "CUT_WRONG_PLAYER", _set("shoe"), cut_by="dealer"),
        _recipe("red card misplaced", "TQ-CUT-01", "CUT_CARD_MISPLACED", _misplaced, rounds=2),
        _recipe("annulled coup settled", "TQ-CUT-02", "VOID_NOT_APPLIED", _void_settled, rounds=2),
        _recipe(
            "last cards not laid",
            "TQ-CUT-02",
            "VOID_NOT_APPLIED",
            _not_laid,
            rounds=2,
            lawful=("CUT_CARD_MISPLACED",),
        ),
        _recipe("rows not called", "TQ-CALL-01", "ANNOUNCEMENT_MISSING", _set(None, silent="rows")),
        _recipe("chances not called", "TQ-CALL-01", "ANNOUNCEMENT_MISSING", _set(None, silent="chances")),
        _recipe("paid first", "TQ-SETTLE-01", "PAID_BEFORE_COLLECT", _set("box a couleur", early_pay=True)),
        _recipe("black before colour", "TQ-SETTLE-02", "PAY_ORDER_WRONG", _set(A, black_first=True)),
        _recipe(
            "near before far",
            "TQ-SETTLE-03",
            "PAY_ORDER_WRONG",
            _set("box b noir", near_first=True),
            bets=_two_noir,
        ),
        _recipe("cards gone early", "TQ-STAY-01", "CARDS_CLEARED_EARLY", _set(None, swept_early=True)),
        _recipe("late bet", "TQ-BET-01", "LATE_BET", _set(A, late="bet")),
        _recipe("bet taken back", "TQ-BET-01", "BET_REMOVED_LATE", _set(A, late="pulled")),
    )
}
